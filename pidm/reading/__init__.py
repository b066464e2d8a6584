"""From an auction to the open calls: what was shown, what is forcing, what the rules leave open."""
