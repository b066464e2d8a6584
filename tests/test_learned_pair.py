"""A pair learned from its records: what it sees of an auction, what it foretells, and its file."""

import dataclasses
import json
import zipfile

import numpy as np
import pytest
from records_of_ours import boards, club_evening

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.features import HandColumns
from pidm.models import is_model_file, learned_report, learning
from pidm.models.blend import beside, rule_chances
from pidm.models.context import STEPS, context
from pidm.models.layers import SHAPES
from pidm.models.learned_pair import LearnedPair, ModelError
from pidm.models.network import Course
from pidm.reading.table import Table
from systems import shipped


@pytest.fixture(scope="module")
def model():
    return club_evening()[0]


# ---------------------------------------------------------------------- the auction


@pytest.mark.parametrize("text", ["", "1S", "1S X", "1S X XX", "P P 1N 2C", "7N X", "1H P 2H P"])
def test_the_context_knows_the_laws(text):
    auction = Auction.from_str(text)
    assert np.flatnonzero(context(auction).legal).tolist() == [int(call) for call in auction.legal()]


@pytest.mark.parametrize(
    ("text", "call", "role", "jump"),
    [
        ("1S P", "2S", 1, 0),  # a raise of partner's suit
        ("1S P", "4S", 1, 2),
        ("1H P 1S P", "2H", 2, 0),  # my own suit again
        ("1D", "2D", 3, 0),  # a cue bid of the suit on my right
        ("1D P P", "2D", 4, 0),  # and on my left
        ("1S P", "2C", 5, 0),  # the cheapest unbid suit
        ("1S P", "3C", 5, 1),
        ("1S P", "2H", 7, 0),
        ("1H P 1S P 2D P", "2H", 9, 0),  # back to an earlier suit of partner's
        ("1S P", "3N", 0, 2),
    ],
)
def test_calls_are_described_relative_to_the_auction(text, call, role, jump):
    assert context(Auction.from_str(text)).kinds[Call.from_str(call)] == 3 + role * STEPS + jump


def test_the_same_auction_looks_the_same_from_every_side_of_the_table():
    north = context(Auction.from_str("1S P", Seat.N, Vul.NS))
    east = context(Auction.from_str("1S P", Seat.E, Vul.EW))
    assert north is east
    assert not np.array_equal(north.inputs, context(Auction.from_str("1S P", Seat.N, Vul.EW)).inputs)


# ---------------------------------------------------------------------- learning


def test_it_foretells_most_calls_of_deals_that_it_has_not_seen(model):
    _, _, held = club_evening()
    assert model.origin.accuracy > 0.7
    always_pass = (held.examples.calls == 0).mean()
    assert model.origin.accuracy > always_pass + 0.1


@pytest.mark.parametrize(
    ("hand", "auction", "call"),
    [("AKQ52.K32.A4.432", "", "1S"), ("432.5432.J32.432", "", "P"), ("432.5432.J32.432", "1S P", "P")],
)
def test_it_knows_what_every_pair_bids(model, hand, auction, call):
    choices = model.choices(Auction.from_str(auction), HandColumns(Hand.from_str(hand).array[None]))
    assert [str(Call(c)) for c in choices.candidates(0)] == [call]


@pytest.mark.parametrize("text", ["", "1S X", "1N P 2C P 2H P", "7N X P P"])
def test_only_legal_calls_are_likely_and_chances_add_up_to_one(model, text):
    auction = Auction.from_str(text)
    masks = np.array([hand.masks for board in boards(20) for hand in board.hands], np.uint16)
    chances = model.probabilities(auction, masks)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-4)
    legal = [int(call) for call in auction.legal()]
    assert chances[:, legal].sum(axis=1) == pytest.approx(1, abs=1e-4)
    likely = model.likelihood(auction, HandColumns(masks), legal[0])
    assert likely == pytest.approx(chances[:, legal[0]])


def test_what_is_known_of_the_hands_is_not_computed_twice(model):
    masks = np.array([hand.masks for board in boards(5) for hand in board.hands], np.uint16)
    part = model.network.hand_part(masks)
    for text in ("1H", "1H 1S 2C P"):
        seen = context(Auction.from_str(text))
        assert model.network.scores(seen, masks, part) == pytest.approx(
            model.network.scores(seen, masks), abs=1e-3
        )


def test_learning_is_the_same_every_time():
    train, held = learning.split(learning.material(boards(60), ["all"]), np.random.default_rng(1))
    one, other = (
        learning.learned_pair(train, held, ["all"], seed=3, course=Course(epochs=4)) for _ in range(2)
    )
    for name in SHAPES:
        assert np.array_equal(one.network.weights[name], other.network.weights[name])


def test_deals_set_aside_are_not_learned_from():
    found = learning.material(boards(60), ["all"])
    train, held = learning.split(found, np.random.default_rng(0))
    assert not set(train.deals.tolist()) & set(held.deals.tolist())
    assert len(train.examples) + len(held.examples) == len(found.examples)


def test_too_few_calls_say_whom_the_records_name():
    given = boards(60, names=("Ann", "Bob", "Cy", "Dee"))
    with pytest.raises(learning.PidmError, match=r"0 calls of Eve .* expected at least 200.*Ann"):
        learning.material(given, ["Eve"])


@pytest.mark.parametrize(("who", "seats"), [("NS", "NS"), ("ew", "EW"), ("all", "NESW"), ("bob", "E")])
def test_who_is_meant(who, seats):
    board = boards(1, names=("Ann", "Bob", "Cy", "Dee"))[0]
    assert board.seats_of([who]) == {Seat.from_str(seat) for seat in seats}


# ---------------------------------------------------------------------- beside a system


@pytest.fixture(scope="module")
def blend():
    """A model of the same evening that knows which system the pair may play."""
    _, train, held = club_evening()
    return learning.learned_pair(train, held, ["all"], course=Course(epochs=8), system="two_over_one")


def test_what_few_records_do_not_tell_the_rules_may(model, blend):
    """These records were bid by the rules themselves, so they count for little beside them."""
    assert blend.origin.system == "two_over_one"
    assert blend.origin.trust < 0.5
    assert blend.origin.accuracy > 0.95 > model.origin.accuracy
    assert blend.origin.log_loss < model.origin.log_loss


def test_who_bids_like_nobody_strays():
    """A pair whose calls have nothing to do with its hands: no rule foretells them."""
    found = learning.material(boards(100), ["all"])
    masks = found.examples.masks[::-1].copy()
    odd = dataclasses.replace(found, examples=dataclasses.replace(found.examples, masks=masks))
    table = Table.of(shipped("two_over_one"))
    assert learning.rules_as_model(table, found)[0] == 0.02
    assert learning.rules_as_model(table, odd)[0] >= 0.2


def test_a_blend_mixes_chances(blend):
    table = Table.of(shipped("two_over_one"))
    mixed = beside(blend, table)
    auction = Auction.from_str("1S P")
    masks = np.array([hand.masks for board in boards(10) for hand in board.hands], np.uint16)
    columns = HandColumns(masks)
    chances = mixed.probabilities(auction, masks)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-4)
    rules = rule_chances(table.choices(auction, columns), context(auction).legal, blend.origin.stray)
    trust = blend.origin.trust
    assert chances == pytest.approx(trust * blend.probabilities(auction, masks) + (1 - trust) * rules)
    assert mixed.likelihood(auction, columns, 0) == pytest.approx(chances[:, 0])
    assert np.array_equal(mixed.choices(auction, columns).preferred(), chances.argmax(axis=1))
    one, other = blend.shown(auction, 0), mixed.shown(auction, 0)
    assert (one.holds(masks) <= other.holds(masks)).all()


def test_a_model_whose_records_are_enough_stands_alone(model):
    assert beside(model, Table.of(shipped("two_over_one"))) is model


# ---------------------------------------------------------------------- the report


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("P P", "opening"),
        ("1S P", "response"),
        ("1S X", "response, contested"),
        ("1S P 2S P", "opener's rebid"),
        ("1S", "overcall or double"),
        ("1S P P", "balancing"),
        ("1S X P", "advance"),
        ("1S X P 2C P", "later, they opened"),
    ],
)
def test_kinds_of_decisions(text, kind):
    assert learned_report.kind_of(Auction.from_str(text)) == kind


def test_the_report_compares_with_the_rules(model):
    _, _, held = club_evening()
    _, rules = learning.rules_as_model(Table.of(shipped("two_over_one")), held)
    assert rules.sum(axis=1) == pytest.approx(1, abs=1e-4)
    lines = learned_report.lines(held, model.network.of(held.examples), rules)
    assert lines[-1].kind == "all" and lines[-1].calls == sum(line.calls for line in lines[:-1])
    assert lines[-1].rules_accuracy == 1  # these records were bid by them
    assert lines[-1].accuracy == pytest.approx(model.origin.accuracy)


def test_what_the_calls_show_is_told_as_a_player_says_it():
    found = learning.material(boards(), ["all"])
    auction, meanings = learned_report.shown(found, most=1)[0]
    by_call = {str(one.call): one for one in meanings}
    assert auction == ""
    assert by_call["1N"].points == (15, 17) and by_call["1N"].balanced > 0.9
    assert by_call["1S"].lengths[0][0] == 5
    assert str(by_call["1N"]) == "1N: 15-17 points, balanced"


# ---------------------------------------------------------------------- the file


def test_a_model_is_one_plain_file(model, tmp_path):
    path = tmp_path / "club.pair"
    model.save(path)
    again = LearnedPair.load(path)
    assert again.origin == model.origin
    masks = np.array([hand.masks for hand in boards(1)[0].hands], np.uint16)
    auction = Auction.from_str("1H")
    assert again.probabilities(auction, masks) == pytest.approx(model.probabilities(auction, masks), abs=0.02)
    assert path.stat().st_size < 1_000_000
    assert is_model_file(path) and is_model_file("club.pair") and not is_model_file("two_over_one")


def changed(model, path, **changes):
    """The model's file with some of its arrays replaced, or left out where None."""
    arrays = {name: model.network.weights[name].astype(np.float16) for name in SHAPES}
    model.save(path)
    with np.load(path) as found:
        arrays["about"] = found["about"]
    arrays.update({name: value for name, value in changes.items() if value is not None})
    for name, value in changes.items():
        if value is None:
            del arrays[name]
    with open(path, "wb") as file:
        np.savez(file, **arrays)
    return path


def about(**changes):
    whole = {"format": "pidm pair model", "version": 2, "temperature": 1.0, "who": ["all"], "deals": 1}
    whole |= {"calls": 1, "held_calls": 1, "accuracy": 0.5, "log_loss": 1.0}
    whole |= {"system": "", "trust": 1.0, "stray": 0.0, "seen": {}, **changes}
    return np.frombuffer(json.dumps(whole).encode(), np.uint8)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hand": None}, "hand is missing"),
        ({"further": np.zeros(3)}, "further is missing or too much"),
        ({"call": np.zeros(37, np.float16)}, r"call is float16\[37\], expected float16\[38\]"),
        ({"call": np.full(38, np.nan, np.float16)}, "no number"),
        ({"call": np.array([{}] * 38, dtype=object)}, "not a model of a pair"),
        ({"about": np.frombuffer(b"{", np.uint8)}, "not JSON"),
        ({"about": about(accuracy=7.0)}, "accuracy of the model is 7.0"),
        ({"about": about(trust=2.0)}, "trust of the model is 2.0"),
        ({"about": about(shoe_size=7)}, "shoe_size is not known"),
        ({"about": about(version=9)}, "a model of version 9, expected 2"),
        ({"about": np.zeros(2_000_000, np.uint8)}, "unpacks to more"),
    ],
)
def test_a_damaged_file_is_told(model, tmp_path, changes, message):
    with pytest.raises(ModelError, match=message):
        LearnedPair.load(changed(model, tmp_path / "bad.pair", **changes))


def test_what_is_no_archive_is_told(tmp_path):
    path = tmp_path / "text.pair"
    path.write_text("1S P 2S")
    with pytest.raises(ModelError, match="not a model of a pair"):
        LearnedPair.load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in (*SHAPES, "about"):
            packed.writestr(f"{name}.npy", b"\0" * (20_000_000 if name == "hand" else 10))
    with pytest.raises(ModelError, match="unpacks to more"):
        LearnedPair.load(path)
    with pytest.raises(FileNotFoundError):
        LearnedPair.load(tmp_path / "nobody.pair")
