"""The files of the shipped systems: where they stand, and calls that tell the systems apart."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat, Vul
from pidm.bridge.cards import Hand
from pidm.language.finding import shipped, shipped_systems
from pidm.language.loading import load_system
from pidm.language.system import System
from pidm.reading.lockstep import preferred_calls
from pidm.reading.table import Table

FILES = sorted(path.relative_to(shipped()) for path in shipped().rglob("*.yaml"))
TRUNK = {"standard", "conventions", "natural", "natural.yaml"}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_file_is_short_and_says_what_it_covers(path: Path):
    lines = (shipped() / path).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 600
    assert any(line.startswith("about:") for line in lines[:4])


@pytest.mark.parametrize(
    ("name", "more"),
    [("acol", set()), ("precision", {"two_over_one"}), ("sayc", set()), ("two_over_one", set())],
)
def test_a_system_stands_on_its_own_files_and_the_trunk(name: str, more: set[str]):
    """So an edit of one system never changes another; Precision says that it takes chapters of 2/1."""
    tops = {path.relative_to(shipped()).parts[0] for path in load_system(name).files}
    assert name in tops and tops <= {name} | TRUNK | more


def test_every_file_belongs_to_a_system():
    used = {path for name in shipped_systems() for path in load_system(name).files}
    unused = [path for path in FILES if shipped() / path not in used and path.parts[0] != "conventions"]
    assert not unused


ACOL = [
    ("", "KQ5.A42.KJ73.J94", "1N"),  # 12-14
    ("", "AQ97.K5.KJ43.K82", "1S"),  # four cards, too strong for 1NT
    ("", "KQT973.85.J94.82", "2D"),  # the Multi
    ("", "AKQJ54.AK4.Q3.42", "2S"),  # eight playing tricks
    ("2D P", "AQ2.8.AJ942.J842", "2H"),  # pass or correct
    ("2D P 2H P", "KQT973.85.J94.82", "2S"),
    ("2D P 2N P", "85.KQT973.K94.82", "3H"),  # hearts, a maximum
    ("1N P", "KQ42.A853.K2.832", "2C"),
    ("1N P", "KQ4.A853.J2.8432", "P"),  # 22 together
    ("1N P 2C P", "A973.K5.KJ4.Q842", "2S"),
    ("1N P 2D P 2H P", "42.KJ853.KQ3.A32", "3N"),
    ("1S P", "84.A85.KQ973.J42", "2D"),  # ten points, forcing for one round
    ("1S P 2D P", "AQ86.J43.KQ4.KJ7", "2N"),  # 15-17
    ("1D P 1H P", "AK4.A5.J973.KJ52", "1N"),  # 15-17
    ("1D P 1H P 1N P", "K42.KJ85.973.J82", "2N"),  # eight points are enough
]

PRECISION = [
    ("", "AQ5.KQ4.AK43.J94", "1C"),  # 19 points
    ("", "KQ5.A42.KJ73.Q94", "1N"),  # 13-15
    ("", "AQ97.KJ75.4.K982", "2D"),  # short diamonds
    ("", "A7.K5.Q43.KQJ982", "2C"),
    ("", "Q85.AQ7.J43.K982", "1D"),  # 12 points and three diamonds
    ("1C P", "J84.Q852.942.K84", "1D"),  # negative
    ("1C P", "KJ842.A52.94.Q84", "1S"),  # forcing to game
    ("1C P 1D P", "AQ5.KQ4.AK43.J94", "2N"),  # 19-21
    ("1C P 1N P", "AQ5.KQ43.A43.J94", "2N"),  # asks for a major
    ("1C P 1N P 2N P", "K84.AJ82.942.Q84", "3H"),
    ("1C 1S", "842.KJ5.Q84.9842", "X"),  # five points or more
    ("1C 1S", "842.KQJ52.A4.984", "2H"),
    ("2C P", "AQ73.KQ85.J42.83", "2D"),  # a relay
    ("2C P 2D P", "A7.KQ52.43.KQJ82", "2H"),  # the first step
    ("2D P 2N P", "AQ97.KJ75.4.K982", "3C"),  # a minimum
]


@cache
def table(system: str) -> Table:
    return Table.of(System.load(system))


@pytest.mark.parametrize(
    ("system", "auction", "hand", "call"),
    [*(("acol", *one) for one in ACOL), *(("precision", *one) for one in PRECISION)],
)
def test_a_call_of_the_system(system: str, auction: str, hand: str, call: str):
    asked = Auction.from_str(auction, Seat.N, Vul.None_)
    masks = np.array([Hand.from_str(hand).masks], dtype=np.uint16)
    assert [str(found) for found in preferred_calls(table(system), masks, [asked])] == [call]
