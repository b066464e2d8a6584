"""The YAML language of bidding systems."""
