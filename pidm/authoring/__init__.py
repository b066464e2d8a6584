"""What authors of systems use: lint, explain, notes, examples."""
