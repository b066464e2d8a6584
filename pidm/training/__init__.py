"""Co-training sessions: partners that refine their system together, on disk and by many processes."""
