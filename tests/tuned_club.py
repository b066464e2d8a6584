"""A small system to tune: what is tried on it, and how it is found by its title."""

from pidm.tuning.proposals import proposals

RULES = """
# What stands here stays.
- title: Opening bids
  auction: P*
  bid:
    - 1N: 13+ hcp  # strong
    - 2S:
        shows:
          - 5-9 hcp, 6 S, 3+ hcp(S)
          - 10-11 hcp, 7+ S
        when: seat 1-3, not vul
        examples: [ "KQJ864.32.432.32" ]
    - P: 0-12 hcp
- title: Answers
  auction: 1N
  bid:
    - 3N: 14+ hcp  # far too heavy
    - 2S:
        shows: 0-11 hcp, 6+ S
        note: to play
    - P: 0-13 hcp
- title: Over their notrump
  auction: (1N)
  bid:
    - X: 15+ hcp
    - 2H: 8-14 hcp, 6+ H
    - P: any
- title: Nothing more
  auction: ...
  bid:
    - P: any
"""
BOARDS = 400
LIGHTER, HEAVIER = "the games 1 point lighter", "the games 1 point heavier"


def by_title(system, words):
    return next(change for change in proposals(system) if words in change.title)
