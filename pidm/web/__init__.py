"""The page in the browser: practise, explore, review, watch."""
