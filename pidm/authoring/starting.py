"""The first file of an author: small, commented, and in order as it stands."""

from __future__ import annotations

from pidm.errors import PidmError
from pidm.language.finding import shipped_systems
from pidm.language.source import suggest

EMPTY = "empty"
"""Starts from nothing but the natural layer."""

_EXTENDING = """\
# {name}: what we play where it differs from {like}.
#
#   pidm lint {file}              finds mistakes, failing examples and holes
#   pidm explain {file} "1N P"    says what calls show
#   pidm diff {like} {file}       says in which auctions this file changes {like}, and what it is worth
#
# A block below goes before the blocks of {like}. `pidm rules {like} --find "1N"` shows what {like} says.
system: {name}
about: |
  Our {like}, with the changes of this file.
extends: {like}

# The conventions that we play: `on` and `off` change the card of {like}.
card: {{michaels: on, unusual_2nt: on}}

rules:
  # A block says for which auction it is and what the calls show: the first line that fits is the call.
  # M stands for either major, all over the block the same.
  - title: Game opposite our preempt in a major
    auction: 3M
    bid:
      - 4M:
          shows: 3+ M, 15-18 hcp
          forcing: signoff
    examples:
      - "3S: K84.AK5.AQ73.942 -> 4S"
"""

_FROM_NOTHING = """\
# {name}: a system of our own. What it does not say is left to the natural layer.
#
#   pidm lint {file}              finds mistakes, failing examples and holes
#   pidm explain {file} "1N P"    says what calls show
#   pidm match {file} two_over_one --boards 100 --no-search
system: {name}
about: |
  Five-card majors and a notrump of 15 to 17.
# `include: [standard/they_open, standard/they_interfere, natural]` takes over how to compete.
include: [natural]

# Conventions that come with pidm. This one is Stayman and transfers over a notrump of any strength.
card: [notrump_of_any_range]

rules:
  # A block says for which auction it is (`P*`: nobody has bid) and what the calls show.
  # The first line that fits is the call.
  - title: Opening bids
    auction: P*
    bid:
      - 2C:
          shows: 22+ hcp
          forcing: round
          alert: strong, says nothing about clubs
      - 1N:
          shows: 15-17 hcp, balanced
          starts: our_notrump
      - 2N:
          shows: 20-21 hcp, balanced
          starts: our_two_notrump
      - 1S: 12-21 hcp, 5+ S, S >= H
      - 1H: 12-21 hcp, 5+ H
      - 1D: 12-21 hcp, 4+ D
      - 1C: 12-21 hcp, 3+ C
      - 1D: 12-21 hcp, 3 D
      - 2M: 6-10 hcp, 6 M
      - P: 0-11 hcp
    examples:
      - AQ2.QJ85.K4.AJ32 -> 1N
      - AQ2.QJ854.K4.J32 -> 1H

  # M stands for either major, all over the block the same; X for any suit.
  - title: Responses to one of a major
    auction: 1M
    bid:
      - 4M:
          shows: 3+ M, 13+ points(M)
          forcing: signoff
      - 3M:
          shows: 3+ M, 10-12 points(M)
          forcing: invite
      - 2M: 3+ M, 6-9 points(M)
      - 1S:
          shows: 4+ S, 6+ hcp
          forcing: round
      - 2X:
          shows: 11+ hcp, 4+ X, longest X
          forcing: round
          when: X < M
      - 1N: 6-12 hcp
      - P: 0-5 hcp
    examples:
      - "1H: 73.K842.AJ32.J83 -> 3H"
      - "1H: KJ73.82.AJ32.983 -> 1S"
"""


def new_file(name: str, like: str, file: str) -> str:
    """The text of a first file: of a system of this name that starts from a shipped one, or from `empty`."""
    known = [EMPTY, *shipped_systems()]
    if like not in known:
        raise PidmError(f"no shipped system `{like}` to start from; {suggest(like, known)}")
    text = _FROM_NOTHING if like == EMPTY else _EXTENDING
    return text.format(name=name, like=like, file=file)
