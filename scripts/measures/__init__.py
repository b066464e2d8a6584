"""What `scripts/measure` can measure: a module each."""
