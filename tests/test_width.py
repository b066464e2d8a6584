"""Which calls a search weighs besides those that the system leaves open, and how many are compared."""

from dataclasses import replace

import numpy as np
import pytest
from records_of_ours import club_evening
from toy_games import PASS, MiniBridge, MiniBridgeUtility

from pidm import Bidder, Limit
from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call
from pidm.bridge.cards import Hand
from pidm.core.choices import Choices, DecidedBy, Proposal
from pidm.core.player import Player
from pidm.core.search import Search, SearchOptions
from pidm.errors import PidmError
from pidm.features import HandColumns
from pidm.models.learned_pair import LearnedPair
from pidm.reading.judgement import Width
from pidm.reading.look import Look
from pidm.reading.table import Table
from pidm.reading.width import widened
from systems import shipped


@pytest.fixture(scope="module")
def table():
    return Table.of(shipped("two_over_one"))


def added(table, hand, auction, width):
    here, held = Auction.from_str(auction), Hand.from_str(hand)
    system = table.choices(here, HandColumns(held.array[None]))
    wide = widened(system, Look(table), here, held.array, width)
    assert wide.candidates(0)[: len(system.candidates(0))] == system.candidates(0)  # the system's come first
    return {str(Call(call)) for call in set(wide.candidates(0)) - set(system.candidates(0))}


@pytest.mark.parametrize(
    ("hand", "auction", "calls", "none_of"),
    [
        ("KQ94.83.AJ72.852", "1S 2H", {"4S"}, {"4H", "5C"}),  # game in the suit that partner has shown
        ("AQ94.K3.KJ72.K52", "1H P 2H", {"3N"}, {"7N"}),  # with 16 points 3N, although partner is silent
        ("KQ94.83.AJ72.852", "1H P 2H", set(), {"3N"}),
        ("AKQ94.A3.KQJ2.K2", "1S P", {"6S"}, {"7S"}),
        ("QJ972.AQ6.76.Q62", "2H 2S P 5C P", set(), {"5N", "5S"}),  # partner has placed the contract
        ("T8654.Q6.KJ9.KJ3", "2D P P 4H P", set(), {"4S", "4N"}),
        (
            "QJ6.QJ962.KJ73.A",
            "1H P 2D P 3D P 6D P",
            set(),
            {"6N", "7N"},
        ),  # a grand slam in the same suit only
    ],
)
def test_games_and_slams_are_added(table, hand, auction, calls, none_of):
    found = added(table, hand, auction, Width.GAMES)
    assert calls <= found
    assert not none_of & found


def test_nothing_is_added_to_run_from_a_doubled_contract_of_ours(table):
    hand = "AQJ84.K5.KQ72.85"
    assert added(table, hand, "1S P 2S P 4S P P", Width.WIDE)  # theirs to call: what they could do is wide
    for width in (Width.GAMES, Width.WIDE):
        assert added(table, hand, "1S P 3S P 4S X", width) == set()


def test_wide_is_wider_and_judgement_adds_nothing(table):
    question = ("KQ94.83.AJ72.852", "1S 2H")
    games, wide = (added(table, *question, width) for width in (Width.GAMES, Width.WIDE))
    assert games < wide
    assert added(table, *question, Width.JUDGEMENT) == set()
    assert added(table, "KQ94.83.AJ72.852", "", Width.WIDE) == set()  # openings are the system's


def test_the_width_follows_from_what_is_known_of_the_opponents():
    little = club_evening()[0]
    model = LearnedPair(little.network, replace(little.origin, calls=20_000))
    assert Bidder(limit=None).width is Width.JUDGEMENT
    assert Bidder(limit=None, opponents=little).width is Width.JUDGEMENT
    assert Bidder(limit=None, opponents=model).width is Width.GAMES
    assert Bidder(limit=None, partner=model).width is Width.JUDGEMENT
    assert Bidder(limit=None, opponents=model, width="wide").width is Width.WIDE
    with pytest.raises(PidmError, match="narrow is no width; expected judgement, games, wide"):
        Bidder(limit=None, width="narrow")


def test_a_decision_tells_of_all_that_was_weighed():
    bidder = Bidder(opponents=club_evening()[0], width="wide", limit=Limit(instances=2000), experience="")
    decision = bidder.bid("KQ94.83.AJ72.852", "1S 2H")
    weighed = [one for one in decision.candidates if one.mean is not None]
    assert len(weighed) == 4 < len(decision.candidates)
    assert decision.candidates[: len(weighed)] == tuple(weighed)
    assert decision.system[0].call in {one.call for one in weighed}
    assert decision.call == decision.candidates[0].call


class Everything:
    """A strategy that leaves every action open, the least first."""

    def choices(self, history, columns):
        actions = MiniBridge().legal(history) if not history else [PASS]
        return Choices(
            tuple(Proposal(action) for action in actions), np.ones((len(columns), len(actions)), bool)
        )


def test_a_few_worlds_select_and_fresh_ones_compare():
    game, player = MiniBridge(), Player(Everything(), MiniBridgeUtility())
    assert len(game.legal(())) > 3
    private = (2, 7)

    def decide(finalists, size=400):
        search = Search(game, SearchOptions(finalists=finalists, depth=0, sample_size=size))
        return search.decide((), private, player, Limit(instances=100_000), np.random.default_rng(1))

    whole, selected = decide(0), decide(3)
    assert whole.candidates == tuple(game.legal(())) and whole.worlds == 400
    assert len(selected.candidates) == 3 and selected.worlds == 300
    assert selected.candidates[0] == whole.candidates[0]  # the preferred one stays for comparison
    assert selected.action == whole.action
    assert decide(3, size=12).candidates == whole.candidates  # too few worlds to be divided


def test_what_the_selection_has_ruled_out_the_look_does_not_bring_back():
    """The look proposes, and its bid may not be among the finalists."""
    little = club_evening()[0]
    model = LearnedPair(little.network, replace(little.origin, calls=20_000))
    bidder = Bidder(opponents=model, limit=Limit(instances=1500), options=SearchOptions(finalists=2, depth=0))
    asked = [("KQ94.83.AJ72.852", "1S 2H"), ("Q94.83.AJ72.8542", "1S 3H"), ("QJ9764.3.K72.852", "P 1H P 2H")]
    for hand, auction in asked:
        decision = bidder.bid(hand, auction)
        assert decision.call in {one.call for one in decision.candidates}
        if decision.by is DecidedBy.SIMULATION:
            assert sum(one.mean is not None for one in decision.candidates) == 2
