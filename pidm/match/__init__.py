"""Matches, challenges and what they tell: pairs bid the same boards, double dummy settles the score."""
