"""A small system for tests of training: few rules, and edges near which judgement finds several calls."""

from pathlib import Path

from systems import write_system

RULES = """
- title: Opening bids
  auction: P*
  bid:
    - 1N: 15-17 hcp, balanced
    - 1S: 12-21 hcp, 5+ S
    - 1H: 12-21 hcp, 5+ H
    - 1C: 12-21 hcp
    - P: 0-11 hcp
- title: Answers to 1NT
  auction: 1N
  bid:
    - 3N: 10+ hcp
    - 2N: 8-9 hcp
    - P: 0-7 hcp
- title: Raises
  auction: 1M
  bid:
    - 4M: 13+ hcp, 3+ M
    - 3M: 10-12 hcp, 3+ M
    - 2M: 6-9 hcp, 3+ M
    - P: any
- title: Invited
  auction: 1N 2N
  bid:
    - 3N: 16-17 hcp
    - P: 15 hcp
- title: Nothing more to say
  auction: ...
  bid:
    - P: any
"""


def club(folder: Path) -> str:
    """The file of the system."""
    return str(write_system(folder, RULES))
