"""Tuning: changes of rules, tried on solved deals against a pool, confirmed on others, written into files."""
