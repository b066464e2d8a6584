"""Models of the others: how a pair really bids, learned from its records."""
