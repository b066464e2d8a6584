"""Cards, calls, auctions, scores and records: bridge as the engine sees it."""
