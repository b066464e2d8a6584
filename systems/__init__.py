"""Bidding systems in YAML, shipped as `pidm.systems`."""
