"""Experience: auctions in arrays, what comes of calls, what is learned from it, and the pair that has it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from records_of_ours import boards, club_evening, told
from typer.testing import CliRunner

from pidm import Bidder
from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Seat, Vul
from pidm.bridge.cards import Deal, Hand
from pidm.bridge.worlds import random_deals
from pidm.cli.app import app
from pidm.core.choices import DecidedBy
from pidm.core.limit import Limit
from pidm.errors import PidmError
from pidm.models.array_play import ArrayPlay
from pidm.models.auctions import Auctions
from pidm.models.context import context
from pidm.models.experience import Experience, ExperienceError
from pidm.models.layers import HIDDEN, Adam, fresh_weights, hidden_of, shapes, widened
from pidm.models.learned_pair import LearnedPair, Origin
from pidm.models.many_tables import ManyTables
from pidm.models.mixture import Mixture
from pidm.models.network import Network
from pidm.play.experienced import SURE, experience_of
from pidm.play.others import LEFT, PARTNER, RIGHT
from pidm.play.pair import Pair, PairError
from pidm.training.gathering import duplicate
from pidm.training.outcomes import FADE, GainsLearner, Outcomes, Trials, outcomes, without_gains
from systems import shipped

ONE_SPADE, ONE_HEART = Call.from_str("1S"), Call.from_str("1H")


@pytest.fixture(scope="module")
def habit() -> Network:
    return club_evening()[0].plain


def wide(narrow: Experience, units: int = 320) -> Experience:
    """The same experience in a wider network of gains."""
    weights = widened(narrow.gains.weights, (units, units // 2), np.random.default_rng(6))
    return replace(narrow, gains=Network(weights))


def followed(played: list[Auction]) -> Auctions:
    """The same auctions in arrays, each as far as it goes."""
    arrays = Auctions.begun([one.dealer for one in played], [one.vul for one in played])
    for place in range(max(len(one.calls) for one in played)):
        rows = np.array([k for k, one in enumerate(played) if len(one.calls) > place])
        arrays.call(rows, np.array([int(played[k].calls[place]) for k in rows]))
    return arrays


# ---------------------------------------------------------------------- auctions in arrays

ODD = [
    "",
    "P",
    "1S X XX",
    "1N X P P",
    "1C 1D 1H 1S X 2C",
    "7N X",
    "P P P 1H (2H) X 3S",
    "1H X 2N 3C X P P 3H",
]


def test_arrays_see_what_a_player_sees():
    """Call by call, in auctions of our own and in odd ones, from all sides."""
    whole = [board.auction for board in boards(120)]
    whole += [Auction.from_str(text, Seat(k % 4), Vul(k % 3)) for k, text in enumerate(ODD)]
    parts = [
        Auction(one.dealer, one.vul, one.calls[:end])
        for one in whole
        for end in range(len(one.calls) + (not one.over))
    ]
    view = followed(parts).view()
    for row, one in enumerate(parts):
        seen = context(one)
        assert np.allclose(view.inputs[row], seen.inputs, atol=1e-6), one
        assert np.array_equal(view.legal[row], seen.legal)
        assert np.array_equal(view.kinds[row], seen.kinds)
        assert np.array_equal(view.suits[row], seen.suits)


def test_arrays_know_contracts_and_ends():
    played = [board.auction for board in boards(120)] + [
        Auction.from_str("1N X XX P P P"),
        Auction.from_str("1S"),
    ]
    arrays = followed(played)
    bids, doubled, declarers = arrays.contracts()
    assert arrays.over.tolist() == [one.over for one in played]
    for row, one in enumerate(played):
        if one.contract is None:
            assert bids[row] == -1
        else:
            assert int(one.contract.bid) - 3 == bids[row]
            assert (one.contract.doubled, one.contract.declarer) == (doubled[row], declarers[row])


def test_some_auctions_go_on_without_the_others():
    arrays = followed([Auction.from_str("1S"), Auction.from_str("1H")])
    one = arrays.take(np.array([1]))
    one.call(np.array([0]), np.array([int(ONE_SPADE)]))
    assert arrays.count.tolist() == [1, 1] and one.count.tolist() == [2]
    assert Auctions.joined([arrays, one]).bid.tolist() == [
        int(ONE_SPADE) - 3,
        int(ONE_HEART) - 3,
        int(ONE_SPADE) - 3,
    ]


# ---------------------------------------------------------------------- many tables


def test_a_batch_bids_as_the_pair_does(habit):
    players = told(habit, _1S=1.0), Experience(habit)
    deals = random_deals(40, np.random.default_rng(3))
    tables = ManyTables.of(deals, players)
    seats = np.tile([0, 1, 0, 1], (40, 1))
    arrays = Auctions.begun(np.arange(40) % 4, np.arange(40) % 3)
    tables.bid_out(arrays, np.arange(40), seats)
    assert arrays.over.all()
    for row in range(0, 40, 4):
        auction = Auction(Seat(row % 4), Vul(row % 3))
        while not auction.over:
            pair = players[auction.actor & 1].pair
            auction = auction.after(
                Call(int(pair.probabilities(auction, deals[row, auction.actor][None])[0].argmax()))
            )
        contract = auction.contract
        assert (-1 if contract is None else int(contract.bid) - 3) == arrays.bid[row]


def test_scores_are_those_of_north_and_south(habit):
    deal = Deal.from_str("N:AKQJT9.AK.AK.AKQ 876.876.876.8765 543.QJT.QJT9.432 2.95432.5432.JT9").array
    tables = ManyTables.of(deal[None], [Experience(habit)])
    played = [
        Auction.from_str(f"7S{double} P P P", Seat(seat)) for double, seat in (("", 0), (" X", 0), ("", 1))
    ]
    scores = tables.scores(followed(played), np.zeros(3, np.intp))
    assert (scores[0] == 1510).all()  # thirteen on top, not vulnerable
    assert (scores[1] == 1770).all()
    assert (scores[2] >= 350).all()  # on the wrong side of the table
    assert (tables.scores(followed([Auction.from_str("P P P P")]), np.zeros(1, np.intp)) == 0).all()


def test_simulations_go_on_as_everybody_would(habit):
    """All worlds at once, from several calls, against one deal after the other."""
    perhaps = Mixture((Experience(habit), told(habit, _2S=1.5)), (0.3, 0.7))
    players = {0: told(habit, _1S=1.0), 1: Experience(habit), 2: told(habit, _1S=1.0), 3: perhaps}
    deals, seat = random_deals(12, np.random.default_rng(4)), Seat.E
    starts = [Auction.from_str(text, Seat.E, Vul.NS) for text in ("P", "1D", "1N")]
    found = ArrayPlay(players)(starts, deals, seat)
    for start, ends in zip(starts, found):
        assert np.array_equal(np.sort(np.concatenate([rows for _, rows in ends])), np.arange(12))
        for end, rows in ends:
            assert end.over and (np.diff(rows) > 0).all()
            for row in rows:
                auction = start
                while not auction.over:
                    pair = players[(auction.actor - seat) & 3].pair
                    chances = pair.probabilities(auction, deals[row, auction.actor][None])
                    auction = auction.after(Call(int(chances[0].argmax())))
                assert auction == end


# ---------------------------------------------------------------------- outcomes


def test_outcomes_are_what_comes_of_calls(habit):
    learner = told(habit, _1N=0.5)
    found = outcomes(learner, [Experience(habit)], 60, Trials(), np.random.default_rng(5))
    again = outcomes(learner, [Experience(habit)], 60, Trials(), np.random.default_rng(5))
    assert np.array_equal(found.gained, again.gained) and np.array_equal(found.calls, again.calls)
    assert len(found) > 30 and found.tried[:, 0].all() and found.tried[:, 1:].any(axis=1).all()
    assert not found.gained[:, 0].any() and found.gained[found.tried].any()
    assert np.abs(found.gained).max() <= 24
    legal = found.auctions.view().legal
    rows, places = np.nonzero(found.tried)
    assert legal[rows, found.calls[rows, places]].all()
    assert (np.diff(np.sort(found.calls, axis=1), axis=1) > 0).all()  # no call twice


def test_a_learner_may_be_alone_with_what_it_has_learned(habit, monkeypatch):
    """Of two partners one bids by what was learned, and from its decisions alone there is to learn."""
    met = []
    bid_out = ManyTables.bid_out

    def watched(tables, auctions, deals, seats):
        met.append((seats, auctions.actor))
        return bid_out(tables, auctions, deals, seats)

    monkeypatch.setattr(ManyTables, "bid_out", watched)
    for joint in (True, False):
        met.clear()
        outcomes(told(habit, _1N=0.5), [Experience(habit)], 40, Trials(joint=joint), np.random.default_rng(5))
        [(seats, _)] = met
        pairs = seats.reshape(-1, 2, 2).transpose(0, 2, 1)  # by table and side
        learners = (pairs == 0).sum(axis=2)
        assert set(np.unique(learners)) <= ({0, 2} if joint else {0, 1})
        assert learners.max(axis=1).min() > 0


def test_gains_are_learned_from_outcomes(habit):
    """One spade gains two IMPs on a pass with five spades, and loses two with fewer; the draws are noisy."""
    rng = np.random.default_rng(7)
    masks = random_deals(1500, rng).reshape(-1, 4)
    long = np.array([int(mask[0]).bit_count() >= 5 for mask in masks])
    n = len(masks)
    gained = np.zeros((n, 2), np.float32)
    gained[:, 1] = np.where(long, 2, -2) + 4 * rng.normal(size=n)
    calls = np.tile([int(PASS), int(ONE_SPADE)], (n, 1))
    auctions = Auctions.begun(np.zeros(n), np.zeros(n))
    found = Outcomes(masks, auctions, calls, np.ones((n, 2), bool), gained)
    learner = GainsLearner(Adam(without_gains(habit.weights), FADE))
    lost = [learner.learn(found, 1e-3, rng) for _ in range(3)]
    assert lost[-1] < lost[0]
    experience = Experience(habit, Network(learner.adam.weights))
    hands = [Hand.from_str(text) for text in ("AQJ975.K3.A72.J5", "J5.AQJ975.K3.A72")]
    _, gains = experience.beside(
        [Auction()] * 2, np.stack([one.array for one in hands]), np.zeros(2, np.intp)
    )
    good, bad = gains[:, ONE_SPADE] - gains[:, PASS]
    assert good > 1 and bad < -1


def test_a_wider_network_says_the_same_until_it_has_learned(habit):
    """At one table, at many, and as others read it; then every new unit learns."""
    narrow = Experience(habit, Network(fresh_weights(np.random.default_rng(1))))
    wider = wide(narrow)
    assert hidden_of(wider.gains.weights) == (320, 160)
    assert {name: one.shape for name, one in wider.gains.weights.items()} == shapes((320, 160))
    deals, auction = random_deals(30, np.random.default_rng(8)), Auction.from_str("1H (1S)")
    masks, own = deals.reshape(-1, 4), np.zeros(120, np.intp)
    one, other = ([*each.beside([auction] * 120, masks, own)] for each in (narrow, wider))
    assert np.allclose(one, other, atol=1e-5)
    one, other = (each.pair.probabilities(auction, masks) for each in (narrow, wider))
    assert np.allclose(one, other, atol=1e-4)
    tables, start = ManyTables.of(deals, [narrow, wider]), Auctions.begun(np.zeros(30), np.zeros(30))
    one, other = (tables.values(start, np.arange(30), np.full(30, player)) for player in (0, 1))
    assert np.allclose(one, other, atol=1e-4)
    before = {name: weight.copy() for name, weight in wider.gains.weights.items()}
    learner = GainsLearner(Adam({name: weight.copy() for name, weight in before.items()}, FADE))
    tried = outcomes(wider, [Experience(habit)], 60, Trials(), np.random.default_rng(5))
    for _ in range(2):  # in the first step the heads begin to listen
        learner.learn(tried, 1e-3, np.random.default_rng(5))
    changed = learner.adam.weights
    assert (changed["calls"][HIDDEN[1] :] != 0).any(axis=1).mean() > 0.8
    assert (changed["first"][HIDDEN[0] :] != before["first"][HIDDEN[0] :]).mean() > 0.8


def test_a_pair_that_gives_everything_away_is_behind(habit):
    foolish = told(habit, _7N=1000.0)
    mean, error = duplicate((foolish, Experience(habit)), 60, np.random.default_rng(2))
    assert mean < -5 and mean < -3 * error
    assert duplicate((Experience(habit), Experience(habit)), 20, np.random.default_rng(2)) == (0.0, 0.0)


# ---------------------------------------------------------------------- the pair that has it

HAND = "KQ84.A52.K93.Q87"


def test_what_gains_enough_is_called_and_told(habit):
    bidder = Bidder(limit=None, experience=told(habit, _1N=6.0))
    decision = bidder.bid(HAND)
    assert (str(decision.call), decision.by) == ("1N", DecidedBy.EXPERIENCE)
    assert "1N by experience: it gains 6.0 IMPs on 1C" in decision.why
    assert [str(one.call) for one in decision.candidates] == ["1N", "1C"]
    assert Bidder(limit=None, experience="").bid(HAND).by is DecidedBy.RULE
    assert Bidder(limit=None, experience=told(habit, _1N=6.0), look=False).bid(HAND).by is DecidedBy.RULE


def test_what_calls_show_by_experience_is_told(habit, tmp_path):
    """In words beside what the rules say, and by pidm explain, as of any pair that was learned."""
    experience = told(habit, _1N=6.0)
    why = Bidder(limit=None, experience=experience).bid(HAND).why
    assert ". By experience 1N shows " in why and " in nine hands of ten. 1N shows 15-17 HCP" in why
    path = tmp_path / "mine.npz"
    experience.save(path)
    found = CliRunner().invoke(app, ["explain", "two_over_one", "1N", "--experience", str(path)])
    assert found.exit_code == 0, found.output
    assert found.output.startswith("two_over_one with experience of 0 decisions\n\nN  1N: ")
    for asked, says in (
        (["sayc", "1N", "--experience", str(path)], "experience with two_over_one, expected one with sayc"),
        (["sayc", "1N", "--experience", "shipped"], "no experience ships with sayc"),
        (["two_over_one", "1N", "--experience", str(path), "--all"], "experience knows no rules"),
    ):
        refused = CliRunner().invoke(app, ["explain", *asked])
        assert refused.exit_code == 2 and says in " ".join(refused.output.replace("│", "").split())


def test_what_gains_little_is_not_worth_being_misunderstood(habit):
    assert str(Bidder(limit=None, experience=told(habit, _2S=0.3)).bid(HAND).call) == "1C"


def test_agreements_come_before_experience(habit):
    """A response of two over one is forcing, whatever was gained by passing such bids."""
    hand, auction = "AQJ84.K3.972.K85", "1S P 2D P"
    passing = Bidder(limit=None, experience=told(habit, _P=30.0))
    assert passing.bid(hand, auction).call != PASS
    assert passing.bid(hand, "1S P 2S P").call == PASS
    keen = {"experience": told(habit, _1S=30.0)}
    assert str(Bidder(limit=None, **keen).bid("KQJ84.52.A73.982", "1H").call) == "1S"
    assert str(Bidder(limit=None, **keen).bid("AQJ84.7.KQ953.82", "1H").call) == "2H"  # Michaels stays
    tried = Bidder(limit=Limit(instances=2000), **keen).bid("AQJ84.7.KQ953.82", "1H")
    assert {"2H", "1S"} <= {str(candidate.call) for candidate in tried.candidates}
    sure = Bidder(limit=None, experience="").bid("K2.AQJ54.K72.963", "1N P 2H P")
    told_otherwise = Bidder(limit=None, experience=told(habit, _P=30.0)).bid("K2.AQJ54.K72.963", "1N P 2H P")
    assert sure.call == told_otherwise.call != PASS


def test_who_has_promised_keeps_to_what_calls_show(habit):
    """Fourteen points are no notrump of 15 to 17."""
    weak = "KQ84.A52.K93.J87"
    asked = {"limit": None, "experience": told(habit, _1N=6.0)}
    assert str(Bidder(**asked).bid(weak).call) == "1N"
    assert str(Bidder(**asked, disclosed=True).bid(weak).call) == "1C"


def test_the_company_changes_nothing(habit):
    experience = told(habit, _1S=0.2)
    played = [Auction.from_str(text) for text in ("", "1S P", "1H (1S)", "P P")]
    masks = random_deals(1, np.random.default_rng(1))[0]
    own = np.zeros(4, np.intp)
    values, gains = experience.beside(played, masks, own)
    for row in range(4):
        alone = experience.beside(played[row : row + 1], masks[row : row + 1], own[:1])
        assert np.array_equal(alone[0][0], values[row]) and np.array_equal(alone[1][0], gains[row])


def test_many_hands_in_an_auction_are_asked_as_each_of_them(habit):
    experience, auction = told(habit, _1S=0.2), Auction.from_str("1H P")
    masks = random_deals(10, np.random.default_rng(1)).reshape(-1, 4)
    own = np.resize([int(PASS), int(Call.from_str("2H"))], 40)
    each, _ = experience.beside([auction] * 40, masks, own)
    together = experience.in_auction(auction, masks, own)
    assert np.array_equal(np.isinf(each), np.isinf(together))
    assert np.allclose(each, together, atol=1e-3)


def test_what_is_close_is_simulated(habit):
    limit = Limit(instances=2000)
    bidder = Bidder(limit=limit, experience=told(habit, _1N=1.0))
    one, other = bidder.bid(HAND), Bidder(limit=limit, experience=told(habit, _1N=1.0)).bid(HAND)
    assert one.by is DecidedBy.SIMULATION and one.worlds > 50
    assert {"1N", "1C"} <= {str(candidate.call) for candidate in one.candidates}
    assert one.call == other.call and one.candidates == other.candidates and one.why == other.why
    assert [deal.endings[0].auction.over for deal in one.deals] == [True] * 3
    clear = Bidder(limit=limit, experience=told(habit, _1C=9.0)).bid(HAND)
    assert (str(clear.call), clear.by, clear.worlds) == ("1C", DecidedBy.RULE, 0)
    doubtful = Bidder(limit=limit, experience=told(habit, _7N=30.0)).bid(HAND)  # never without a trial
    assert {str(candidate.call) for candidate in doubtful.candidates} == {"7N", "1C"}
    weak = "KQ84.A52.K93.J87"
    assert bidder.bid(weak).by is DecidedBy.SIMULATION
    disclosed = Bidder(limit=limit, experience=told(habit, _1N=1.0), disclosed=True).bid(weak)
    assert "1N" not in {str(candidate.call) for candidate in disclosed.candidates}


def test_opponents_known_by_rules_only_are_read_by_these(habit):
    """Their calls are what their system says, and they go on like anybody of whom nothing is known."""
    experience = told(habit, _1N=1.0)
    bidder = Bidder(limit=Limit(instances=1000), experience=experience, opponents=shipped("precision"))
    seated = bidder.seating.experienced
    assert seated.by_rules == {LEFT, RIGHT} and set(seated.likely) == {PARTNER}
    assert seated.players[LEFT] is experience
    assert bidder.bid(HAND).by is DecidedBy.SIMULATION
    strong = bidder.belief(Hand.from_str("KJ84.QT73.A5.982"), Auction.from_str("1C", Seat.W))
    assert strong.seats[Seat.W].mean_points > 16  # a strong club, not what clubs mean to us


def test_a_partner_known_by_rules_only_answers_by_these(habit):
    bidder = Bidder(limit=Limit(instances=500), experience=told(habit, _1N=9.0), partner=shipped("precision"))
    assert bidder.experience is None and bidder.bid(HAND).by is DecidedBy.RULE


def test_learned_opponents_are_simulated_with_what_was_learned(habit):
    model = LearnedPair(habit, Origin(("somebody",)))
    bidder = Bidder(limit=Limit(instances=2000), experience=told(habit, _1N=1.0), opponents=model)
    assert bidder.bid(HAND).by is DecidedBy.SIMULATION


def test_of_whom_little_is_known_the_habit_of_his_system_tells_the_rest(habit):
    model = LearnedPair(habit, Origin(("somebody",), trust=0.25, system="two_over_one"))
    bidder = Bidder(limit=Limit(instances=1000), experience=told(habit, _1N=1.0), opponents=model)
    assert bidder.bid(HAND).by is DecidedBy.SIMULATION
    mixture = bidder.seating.experienced.players[LEFT]
    known = experience_of(None, shipped("two_over_one"))
    masks, auction = random_deals(9, np.random.default_rng(2)).reshape(-1, 4), Auction.from_str("1H P")
    by_records = model.probabilities(auction, masks)
    by_system = LearnedPair(known.habit, Origin()).probabilities(auction, masks)
    chances = mixture.pair.probabilities(auction, masks)
    assert np.allclose(chances, 0.25 * by_records + 0.75 * by_system, atol=1e-5)
    stranger = LearnedPair(habit, Origin(("somebody",), trust=0.25, system="precision"))
    beside = Bidder(
        limit=Limit(instances=100), experience=told(habit), opponents=stranger
    ).seating.experienced
    assert (
        beside.players[RIGHT].players[1].habit is habit and not beside.by_rules
    )  # of nobody there is a habit
    part = mixture.hand_part(masks)
    assert np.allclose(mixture.probabilities(context(auction), masks, part), chances, atol=1e-5)


def test_the_shares_of_a_mixture_are_chances(habit):
    one = Experience(habit)
    for shares in ((0.5,), (0.7, 0.7), (-0.5, 1.5)):
        with pytest.raises(PidmError, match="cannot be likely"):
            Mixture((one, one), shares)


def test_others_can_model_it(habit):
    """How likely its calls are follows from what they gain; partner and opponents read it so."""
    auction, masks = Auction(), random_deals(50, np.random.default_rng(1)).reshape(-1, 4)
    plain, keen = Experience(habit).pair, told(habit, _1S=3.0).pair
    assert (
        keen.probabilities(auction, masks)[:, ONE_SPADE].sum()
        > 2 * plain.probabilities(auction, masks)[:, ONE_SPADE].sum()
    )
    assert keen.shown(Auction.from_str("1S"), 0) != plain.shown(Auction.from_str("1S"), 0)
    assert Bidder(opponents=keen, limit=None).bid("KQ94.83.AJ72.852", "1S").call == PASS


def test_a_look_is_asked_for_only_where_experience_is_not_sure():
    texts = ("1S", "1H P 2H", "1N P", "1D 1S", "1C 2S X 3S")
    hands = [Hand(tuple(masks)) for masks in random_deals(25, np.random.default_rng(3))[:, 0].tolist()]
    questions = [(hand, Auction.from_str(text)) for text in texts for hand in hands]
    system = shipped("two_over_one")
    decisions = Bidder(system, limit=None, look=False).bid_many(questions)
    asked = []

    def look(some):
        asked.extend(some)
        return some

    here = Bidder(system, limit=None).experience
    found = here.revised(decisions, look)
    seen = {id(one) for one in asked}
    sure = [k for k, one in enumerate(decisions) if id(one) not in seen]
    assert 60 < len(sure) < len(decisions) and all(found[k].call == decisions[k].call for k in sure)
    own = np.array([int(one.call) for one in decisions])
    masks = np.stack([hand.array for hand, _ in questions])
    values, _ = here.experience.beside([auction for _, auction in questions], masks, own)
    least = values[np.arange(len(own)), own] - SURE
    values[np.arange(len(own)), own] = -np.inf
    assert sure == np.flatnonzero(least >= values.max(axis=1)).tolist()
    asked.clear()
    Bidder(system, limit=Limit(instances=100)).experience.revised(decisions, look)
    assert [id(one) for one in asked] == [
        id(one) for one in decisions
    ]  # what is simulated can wait for a look


def test_what_the_look_finds_is_what_experience_stands_beside():
    """As sure as it is beside the system's call, it is of the call that the look makes instead."""
    hand, auction = Hand.from_str("AQJ84.5.KQ72.K85"), Auction.from_str("1S 2H 2S 3H")
    [before] = Bidder(shipped("two_over_one"), limit=None, look=False).bid_many([(hand, auction)])
    other = replace(before, call=Call.from_str("4S" if str(before.call) != "4S" else "3S"))
    here = Bidder(shipped("two_over_one"), limit=Limit(instances=100)).experience
    [(_, worth)] = here.weighed([before], lambda some: [other])
    values, _ = here.experience.beside([auction], hand.array[None], np.array([int(other.call)]))
    assert all(value == values[0, call] for call, value in worth.items())


def test_a_pair_is_written_with_its_experience():
    pair = Pair.from_str("two_over_one,no-search,experience=mine.npz")
    assert pair.experience == "mine.npz" and Pair.from_str(str(pair)) == pair
    without = Pair.from_str("two_over_one,no-experience")
    assert without.experience == "" and Pair.from_str(str(without)) == without
    with pytest.raises(PairError, match="no option of a pair"):
        Pair.from_str("club.pair,experience=mine.npz")


# ---------------------------------------------------------------------- files


def test_it_survives_its_file(habit, tmp_path):
    path = tmp_path / "mine.npz"
    told(habit, _1S=0.5).save(path)
    found = Experience.load(path)
    assert (found.pull, found.habit.temperature, found.about["system"]) == (
        0.3,
        habit.temperature,
        "two_over_one",
    )
    assert found.gains is not None and found.gains.weights["call"][ONE_SPADE] == 0.5
    assert Bidder(limit=None, experience=path).experience is not None


def test_a_wider_network_survives_its_file(habit, tmp_path):
    path = tmp_path / "mine.npz"
    wider = wide(told(habit, _1S=0.5))
    wider.save(path)
    found = Experience.load(path)
    assert hidden_of(found.habit.weights) == HIDDEN and hidden_of(found.gains.weights) == (320, 160)
    for name, one in wider.gains.weights.items():
        assert np.array_equal(found.gains.weights[name], one.astype(np.float16).astype(np.float32))


def rewritten(path: Path, **parts: bytes | None) -> Path:
    """The file with other entries."""
    with zipfile.ZipFile(path) as packed:
        entries = {name: packed.read(name) for name in packed.namelist()}
    entries.update(
        {f"{name.replace('__', '.')}.npy": data for name, data in parts.items() if data is not None}
    )
    for name in (f"{name.replace('__', '.')}.npy" for name, data in parts.items() if data is None):
        del entries[name]
    with zipfile.ZipFile(path, "w") as packed:
        for name, data in entries.items():
            packed.writestr(name, data)
    return path


def array(values: object, kind: object) -> bytes:
    import io

    buffer = io.BytesIO()
    np.save(buffer, np.array(values, kind))
    return buffer.getvalue()


def huge() -> bytes:
    """An array that is said to be larger than any memory."""
    import io

    buffer = io.BytesIO()
    header = {"descr": "<f2", "fortran_order": False, "shape": (1 << 60,)}
    np.lib.format.write_array_header_1_0(buffer, header)
    return buffer.getvalue()


def about(**changed: object) -> bytes:
    told = {
        "format": "pidm experience",
        "version": 1,
        "pull": 0.3,
        "temperature": 1.0,
        "about": {},
        **changed,
    }
    return array(list(json.dumps(told).encode()), np.uint8)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"about": None}, "about is missing or too much"),
        ({"more": array([1], np.uint8)}, "more is missing or too much"),
        ({"about": about(format="tea")}, "holds no experience"),
        ({"about": about(version=9)}, "version 9, expected 1; learn it again"),
        ({"about": about(pull="much")}, "pull is 'much', expected a number from 0.001 to 100"),
        ({"about": about(temperature=0.0)}, "temperature is 0.0"),
        ({"about": about(about=[])}, "does not say what it was learned from"),
        ({"about": array([1.0], float)}, "is not JSON"),
        ({"gains__call": array([1.0], np.float16)}, r"gains.call is float16\[1\], expected float16\[38\]"),
        ({"gains__call": array([np.nan] * 38, np.float16)}, "gains.call holds what is no number"),
        ({"gains__first": array([0.0] * 255, np.float16)}, "gains.first has 255 units, expected 256 to 1024"),
        ({"gains__first": array([0.0] * 1025, np.float16)}, "gains.first has 1025 units"),
        ({"gains__second": array([0.0] * 513, np.float16)}, "gains.second has 513 units, expected 128 to 51"),
        ({"gains__first": array([0.0] * 300, np.float16)}, r"gains.hand is .*, expected float16\[\d+, 300\]"),
        ({"gains__first": array([[0.0] * 16] * 16, np.float16)}, r"\[16, 16\], expected float16\[256\]"),
        ({"gains__first": array(0.0, np.float16)}, "gains.first has 1 units"),
        ({"habit__first": array([0.0] * 300, np.float16)}, r"habit.first is float16\[300\], expected"),
        ({"gains__first": huge()}, "holds no experience"),
    ],
)
def test_damaged_files_are_told(habit, tmp_path, parts, says):
    path = tmp_path / "mine.npz"
    told(habit).save(path)
    with pytest.raises(ExperienceError, match=says):
        Experience.load(rewritten(path, **parts))


@pytest.mark.parametrize("data", [b"", b"tea", b"PK\x03\x04tea"])
def test_what_is_no_file_of_experience_is_told(tmp_path, data):
    path = tmp_path / "mine.npz"
    path.write_bytes(data)
    with pytest.raises(ExperienceError, match="holds no experience"):
        Experience.load(path)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(ExperienceError, match="cannot be read"):
        Bidder(limit=None, experience=tmp_path / "nothing.npz")
