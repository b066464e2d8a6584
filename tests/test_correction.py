"""The learned correction of the look: what it changes, what it refuses, and how it is written."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pidm import Auction, Bidder, Hand
from pidm.bridge.calls import PASS, Call
from pidm.core.boosting import BoostedTrees
from pidm.core.choices import DecidedBy
from pidm.play.pair import Pair
from pidm.reading.correction import Correction, CorrectionError, standing
from pidm.reading.learned_look import LearnedLook
from pidm.reading.stakes import KINDS, NAMES, Dilemma, contenders
from pidm.reading.table import Table
from pidm.reading.wide_look import WideLook
from systems import shipped

TABLE = Table.of(shipped("two_over_one"))


def saying(raises: float, others: float = -20.0, threshold: float = 0.5, pull: float = 0.0) -> Correction:
    """What adds one number to the value of raises and another to that of all other calls."""
    kind, raise_ = NAMES.index("kind"), KINDS.index("raise")
    tree = [[kind, raise_ - 0.5, 1, 2], [others], [kind, raise_ + 0.5, 3, 4], [raises], [others]]
    trees = BoostedTrees.from_dict({"base": 0.0, "trees": [tree]}, len(NAMES))
    return Correction(trees, threshold, {"tags": 1}, pull)


def test_a_call_that_was_learned_to_gain_is_made():
    auction = Auction.from_str("1H 1S P P")
    hand = Hand.from_str("K3.AJ8542.A5.Q72").array
    look = LearnedLook(TABLE, saying(-20.0, 20.0))
    seen = look.at([(auction, hand, PASS)])[0]
    assert seen is not None and seen.learned is not None
    best = look.choose(auction, hand, seen)
    assert best is not None and best == int(seen.learned.argmax())
    assert seen.learned[0] == 0.0


@pytest.mark.parametrize("calls", ["1H 1S 2H 2S", "1H 1S 2H 2S 3H P P"])
def test_what_gains_too_little_leaves_the_call_of_the_rules(calls):
    auction, hand = Auction.from_str(calls), Hand.from_str("K3.KJ854.A95.Q72").array
    look = LearnedLook(TABLE, saying(-20.0))
    seen = look.at([(auction, hand, PASS)])[0]
    assert seen is not None
    assert look.choose(auction, hand, seen) is None


def test_the_value_is_what_stands_plus_what_was_learned():
    auction, hand = Auction.from_str("1H 1S 2H 2S"), Hand.from_str("K3.KJ854.A95.Q72").array
    seen = WideLook(TABLE).at([(auction, hand, PASS)])[0]
    assert seen is not None
    case = Dilemma(TABLE.situation(auction), auction, hand, contenders(seen))
    [values] = saying(0.75, 0.25).values([case])
    raise_ = case.calls.index(Call.from_str("3H"))
    assert values[raise_] == pytest.approx(standing(case)[raise_] + 0.75, abs=1e-6)


def test_the_pull_toward_the_system_costs_a_card_an_imp():
    auction, hand = Auction.from_str("1H 1S 2H 2S"), Hand.from_str("8542.KJ854.95.72").array
    seen = WideLook(TABLE).at([(auction, hand, PASS)])[0]
    assert seen is not None
    case = Dilemma(TABLE.situation(auction), auction, hand, contenders(seen))
    free, held = (saying(0.0, 0.0, pull=pull).values([case])[0] for pull in (0.0, 3.0))
    beside = case.rows[:, NAMES.index("points_off")] / 3 + case.rows[:, NAMES.index("cards_off")]
    assert beside[1:].max() > 0
    assert (free - held)[1:] == pytest.approx(3.0 * beside[1:], abs=1e-6)


def test_a_bidder_plays_a_file_and_says_that_it_was_learned(tmp_path):
    path = tmp_path / "mine.json"
    saying(-20.0, 20.0).save(path)
    decision = Bidder(limit=None, correction=path, experience="").bid("K3.AJ854.A95.Q72", "1H 1S P P")
    assert decision.by is DecidedBy.LOOK
    assert "by what was learned" in decision.why


def test_a_pair_may_name_a_file():
    assert Pair.from_str("two_over_one,no-search,correction=mine.json").correction == "mine.json"
    assert str(Pair.from_str("two_over_one,correction=mine.json")) == "two_over_one,correction=mine.json"


def test_written_and_read_it_is_the_same(tmp_path):
    path = tmp_path / "mine.json"
    made = saying(0.75, pull=0.5)
    made.save(path)
    read = Correction.load(path)
    assert read.to_dict() == made.to_dict()
    rows = np.zeros((1, len(NAMES)))
    assert read.trees.predict(rows).tolist() == made.trees.predict(rows).tolist()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": 9}, "other columns"),
        ({"stakes": ["points"]}, "other columns"),
        ({"threshold": "many"}, "no correction"),
        ({"trees": [[[99, 0.5, 1, 2], [1.0], [2.0]]]}, "tests feature 99"),
        ({"about": 3}, "no correction"),
    ],
)
def test_damaged_files_are_refused_with_their_place(tmp_path, change, says):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**saying(0.75).to_dict(), **change}))
    with pytest.raises(CorrectionError, match=says) as told:
        Correction.load(path)
    assert str(path) in str(told.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CorrectionError, match="cannot be read"):
        Correction.load(tmp_path / "none.json")
