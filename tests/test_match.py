"""Matches: the same boards, honest scores, faults that do not stop anything."""

import json
import random
import shlex
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm.bridge.auction import Auction
from pidm.bridge.calls import PASS, Call, Contract, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.doubledummy import keys_of
from pidm.bridge.scoring import imps
from pidm.bridge.worlds import from_deals
from pidm.cli.app import app
from pidm.errors import PidmError, RecordError
from pidm.match import report
from pidm.match.duplicate import DUPLICATE, Played, play, run_match
from pidm.play.calling import Answer
from pidm.play.external_engine import EngineCaller, EngineError
from pidm.play.match_boards import Board, random_boards, read_boards, shuffled_boards
from pidm.play.pair import Pair, PairError
from pidm.play.pool import Pool
from pidm.play.room import Room, Setup
from pidm.play.solved_deals import SolvedContracts, Solver
from pidm.play.tables import Sitting, bid_tables
from pidm.records import boards as records
from systems import write_system

ENGINE = f"{shlex.quote(sys.executable)} {Path(__file__).with_name('engine_of_test.py')}"

OPENINGS = """
    - title: Opening bids
      auction: P*
      bid:
        - 1N: {notrump} hcp, balanced
        - 1M: 12-21 hcp, 5+ M
        - 1D: 12-21 hcp, 4+ D
        - 1C: 12-21 hcp, 3+ C
        - P: 0-11 hcp
    - title: Raises of one of a major
      auction: 1M (P)
      bid:
        - 4M: 12+ hcp, 3+ M
        - 2M: 6-11 hcp, 3+ M
        - P: 0-37 hcp
    - title: Over one notrump
      auction: 1N (P)
      bid:
        - 3N: 10+ hcp
        - P: 0-9 hcp
    """


@pytest.fixture(scope="module")
def systems(tmp_path_factory):
    """A strong and a weak notrump."""
    folder = tmp_path_factory.mktemp("systems")
    found = {}
    for name, notrump in (("strong", "15-17"), ("weak", "12-14")):
        (folder / name).mkdir()
        found[name] = str(write_system(folder / name, OPENINGS.format(notrump=notrump)))
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store") / "solved.sqlite"


@pytest.fixture
def setup(systems, store):
    def make(a="strong", b="weak", **options):
        pairs = tuple(Pair.from_str(systems.get(one, one)).settled(no_search=True) for one in (a, b))
        return Setup(pairs, store=store, **options)

    return make


class Scripted:
    """Makes the given calls, whatever it holds."""

    def __init__(self, calls):
        self.calls = [Answer(Call.from_str(call)) if isinstance(call, str) else call for call in calls]
        self.asked = 0

    def answers(self, questions):
        self.asked += len(questions)
        return [self.calls.pop(0) if self.calls else Answer(PASS) for _ in questions]

    def close(self):
        pass


# ---------------------------------------------------------------------- pairs


@pytest.mark.parametrize(
    "text",
    [
        "two_over_one",
        "two_over_one,no-search",
        "two_over_one,rules-only",
        "two_over_one,no-look,seconds=0.5",
        "sayc.yaml,+smolen,-michaels,instances=500,utility=dds",
        "two_over_one,seconds=0.5,judgement=0,opponents=sayc,refinements=learned,name=Us",
        "engine:program --level 3, please",
        "engine,timeout=10,name=Rival:program",
    ],
)
def test_a_pair_reads_what_it_prints(text):
    pair = Pair.from_str(text)
    assert str(pair) == text
    assert Pair.from_str(str(pair)) == pair


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no pair"),
        ("engine:", "names no command"),
        ("two_over_one,fast", "'fast' in 'two_over_one,fast' is no option"),
        ("two_over_one,seconds=soon", "'soon' is no value of seconds"),
        ("two_over_one,seconds=1,instances=5", "one of no-search, rules-only, seconds and instances"),
        ("two_over_one,utility=luck", "'luck' is no utility"),
        ("engine,seconds=1:program", "'seconds=1' in"),
    ],
)
def test_a_bad_pair_is_refused(text, message):
    with pytest.raises(PairError, match=message):
        Pair.from_str(text)


def test_options_of_the_match_give_way_to_those_of_the_pair():
    assert Pair.from_str("x,seconds=2").settled(no_search=True).limit.seconds == 2
    assert Pair.from_str("x").settled(no_search=True).limit is None
    assert Pair.from_str("x").settled(instances=70).limit.instances == 70
    assert Pair.from_str("x,utility=ltc").settled(utility="dds").utility == "ltc"


# ---------------------------------------------------------------------- boards


def test_a_longer_match_begins_with_the_boards_of_a_shorter_one():
    assert random_boards(100, 7)[:10] == random_boards(10, 7)
    assert random_boards(10, 7) != random_boards(10, 8)


def test_shuffled_boards_are_those_of_pythons_generator():
    deck = list(range(52))
    random.Random(3).shuffle(deck)
    board = shuffled_boards(2, 3)[0]
    names = [f"{'SHDC'[card // 13]}{'AKQJT98765432'[card % 13]}" for card in deck[:13]]
    north = board.deal[Seat.N]
    held = {f"{suit}{rank}" for suit, text in zip("SHDC", str(north).split(".")) for rank in text}
    assert held == set(names)
    assert (board.dealer, board.vul) == (Seat.N, Vul.None_)


def test_boards_are_read_from_pbn_lin_and_json_lines(tmp_path):
    boards = random_boards(6, 2)
    dealt = [records.Record(b.number, b.deal.hands, b.dealer, b.vul) for b in boards]
    for name in ("deals.pbn", "deals.lin"):
        records.write(tmp_path / name, dealt)
        assert read_boards(tmp_path / name) == boards
    lines = [
        {"hands": dict(zip("NESW", map(str, b.deal))), "dealer": str(b.dealer), "vul": str(b.vul)}
        for b in boards
    ]
    (tmp_path / "deals.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_boards(tmp_path / "deals.jsonl") == boards


@pytest.mark.parametrize("line", ["{", "[]", '{"hands": {"N": "AKQ"}}', '{"deal": "N:A.A.A.A"}'])
def test_a_bad_line_of_deals_is_told_with_its_place(tmp_path, line):
    (tmp_path / "deals.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(RecordError, match=r"deals.jsonl:2"):
        read_boards(tmp_path / "deals.jsonl")


# ---------------------------------------------------------------------- tables


def board_of(number=1, dealer=Seat.N, vul=Vul.None_):
    return Board(number, random_boards(1, 5)[0].deal, dealer, vul)


def test_an_illegal_call_is_cancelled_and_partner_must_pass():
    north = Scripted(["1S", "1H", "3S"])  # north opens, south answers too low, and is asked no more
    east = Scripted([])
    bidding = bid_tables([Sitting(board_of(), (0, 1, 0, 1))], [north, east])[0]
    assert str(bidding.auction) == "1S P P P"
    assert bidding.complete
    assert [str(fault) for fault in bidding.faults] == ["S at call 3 called 1H after 1S P, which is illegal"]


def test_partner_of_an_offender_passes_to_the_end():
    ours, theirs = Scripted(["1H", "1C", "P", "7N"]), Scripted(["P", "2C", "P", "P"])
    bidding = bid_tables([Sitting(board_of(), (0, 1, 0, 1))], [ours, theirs])[0]
    assert str(bidding.auction) == "1H P P 2C P P P"
    assert ours.asked == 3  # north once, south twice: north is barred after south's fault


def test_scripted_opponents_pass_where_their_call_is_illegal():
    us = Scripted(["1N", "3N"])
    script = tuple(map(Call.from_str, ("2H", "2S")))
    bidding = bid_tables([Sitting(board_of(), (0, None, 0, None), script)], [us])[0]
    assert str(bidding.auction) == "1N 2H 3N P P P"


def test_the_same_question_is_asked_once():
    one, other = Scripted(["1S"]), Scripted([])
    board = board_of()
    biddings = bid_tables([Sitting(board, (0, 1, 0, 1)), Sitting(board, (0, 1, 0, 1))], [one, other])
    assert [str(bidding.auction) for bidding in biddings] == ["1S P P P"] * 2
    assert one.asked == 2


# ---------------------------------------------------------------------- scores


def test_a_contract_is_solved_once_ever(tmp_path, monkeypatch):
    deals = [board.deal for board in random_boards(3, 4)]
    wanted = [(deals[0], "N", Seat.N), (deals[1], "S", Seat.E), (deals[0], "N", Seat.N)]
    first = Solver(tmp_path / "solved.sqlite")
    tricks = first.tricks(wanted)
    assert first.solved == 2
    monkeypatch.setattr("pidm.play.solved_deals.solve", None)  # a second solution would fail
    second = Solver(tmp_path / "solved.sqlite")
    assert second.tricks(wanted) == tricks
    assert (second.solved, second.known) == (0, 2)


def test_a_solved_table_serves_its_contracts(tmp_path, monkeypatch):
    deal = random_boards(1, 4)[0].deal
    table = Solver(tmp_path / "solved.sqlite").tables([deal])
    monkeypatch.setattr("pidm.play.solved_deals.solve", None)
    monkeypatch.setattr("pidm.play.solved_deals.tables", None)
    again = Solver(tmp_path / "solved.sqlite")
    assert again.tricks([(deal, "H", Seat.W)]) == [table[0, 1, 3]]
    assert (again.tables([deal]) == table).all()


def test_keys_of_different_contracts_differ_and_stay_what_they_are_in_files():
    deals = [board.deal for board in random_boards(20, 4)]
    wanted = [(deal, strain, seat) for deal in deals for strain in "SHDCN" for seat in Seat]
    keys = keys_of(from_deals(one[0] for one in wanted), *zip(*(one[1:] for one in wanted)))
    assert len(set(keys)) == 400
    deal = Deal.from_str("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    assert keys_of(from_deals([deal]), ["H"], [Seat.S])[0].hex() == "ffffffeaaaaaa555555400000006"


def test_what_a_solver_remembers_is_bounded():
    solver = Solver()
    solver._memory.size = 2
    first, second = random_boards(2, 4)
    wanted = [(board.deal, strain, Seat.N) for board in (first, second) for strain in "SN"]
    assert len(solver.tricks(wanted)) == 4 and solver.solved == 4
    solver.tricks(wanted[2:])
    assert solver.solved == 4
    solver.tricks(wanted[:2])
    assert solver.solved == 6


def test_a_file_that_is_no_store_is_named(tmp_path):
    (tmp_path / "solved.sqlite").write_text("this is no database, it is a long text" * 50)
    with pytest.raises(PidmError, match="solved.sqlite holds no solved contracts"):
        SolvedContracts(tmp_path / "solved.sqlite")


def test_without_a_place_to_write_solving_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    solver = Solver(tmp_path / "file" / "solved.sqlite")
    deal = random_boards(1, 4)[0].deal
    assert solver.tricks([(deal, "N", Seat.N)]) == Solver().tricks([(deal, "N", Seat.N)])
    assert "are not kept" in solver.trouble


# ---------------------------------------------------------------------- matches


def test_a_match_against_oneself_is_even(setup):
    match = run_match(setup("strong", "strong"), random_boards(20, 3))
    assert [result.imps for result in match.results] == [0] * 20
    assert match.differing == 0


def test_sides_swapped_all_signs_flip(setup):
    boards = random_boards(30, 3)
    one, other = run_match(setup("strong", "weak"), boards), run_match(setup("weak", "strong"), boards)
    assert any(one.points)
    assert one.points == [-points for points in other.points]


def test_scores_are_what_the_contracts_bring(setup):
    match = run_match(setup(), random_boards(30, 3))
    for result in match.results:
        open_room, closed_room = result.tables
        assert result.imps == imps(open_room.ns_score - closed_room.ns_score)
        assert open_room.auction.over
        assert open_room.contract == open_room.auction.contract
    assert match.imps.mean == sum(match.points) / 30


def test_the_number_of_workers_changes_nothing(setup):
    boards = random_boards(60, 3)
    one, two = run_match(setup(), boards), run_match(setup(), boards, pool=Pool(2))
    assert one.results == two.results


def test_simulations_do_not_depend_on_the_company(systems, store):
    pairs = tuple(Pair.from_str(f"{systems[name]},instances=60") for name in ("strong", "weak"))
    room = Room(Setup(pairs, seed=4, store=store))
    boards = random_boards(4, 6)
    together = play(room, boards)
    one_by_one = [play(Room(Setup(pairs, seed=4, store=store)), [board])[0] for board in boards[::-1]][::-1]
    assert together == one_by_one


def test_boards_bid_alike_are_settled_without_solving(setup):
    whole = run_match(setup(), random_boards(30, 3))
    frugal = run_match(setup(), random_boards(30, 3), differing=True)
    assert frugal.points == whole.points
    alike = [r for r in frugal.results if r.tables[0].contract == r.tables[1].contract]
    assert alike
    assert all(table.tricks is None for result in alike for table in result.tables if table.contract)


def test_matchpoints(setup):
    boards = random_boards(30, 3)
    match = run_match(setup(form="matchpoints"), boards)
    assert set(match.points) <= {-0.5, 0.0, 0.5}
    assert "% of the matchpoints" in report.per_board(match.mean, "matchpoints")


# ---------------------------------------------------------------------- engines


def engine_match(setup, options, boards, **more):
    return run_match(setup("strong", f"engine,timeout=2:{ENGINE} {options}", **more), boards)


def test_an_engine_bids_as_it_would_alone(setup):
    boards = random_boards(20, 3)
    batched, single = engine_match(setup, "", boards), engine_match(setup, "--single", boards)
    assert batched.results == single.results
    assert not any(result.faults for result in batched.results)
    against_itself = run_match(setup(f"engine:{ENGINE}", f"engine,name=Twin:{ENGINE}"), boards)
    assert not any(against_itself.points)


def holds(board, hcp):
    return any(hand.hcp == hcp for hand in board.deal)


def ours_hold(board, hcp):
    return any(board.deal[seat].hcp == hcp for seat in (Seat.N, Seat.S))


def test_a_crash_costs_the_board_and_the_match_goes_on(setup):
    boards = random_boards(20, 3)
    match = engine_match(setup, "--crash 17", boards)
    crashed = [result for result in match.results if result.faults]
    assert 0 < len(crashed) < 20
    assert all(holds(result.board, 17) for result in crashed)
    assert {result.imps for result in crashed} == {3}  # average plus for us
    assert all(
        pair == 1 and "exit status 3 (out of luck)" in fault.what for r in crashed for pair, fault in r.faults
    )
    healthy = {r.board.number: r for r in engine_match(setup, "", boards).results}
    others = [result for result in match.results if not result.faults]
    assert all(result == healthy[result.board.number] for result in others)


@pytest.mark.parametrize(("option", "words"), [("--illegal", "called XX"), ("--garbage", "is no call")])
def test_illegal_calls_are_told_and_the_board_is_scored(setup, option, words):
    match = engine_match(setup, f"{option} 14", random_boards(12, 3))
    faulty = [result for result in match.results if result.faults]
    assert faulty
    assert all(words in fault.what for result in faulty for _, fault in result.faults)
    assert all(table.ns_score is not None for result in faulty for table in result.tables)
    line = report.fault_lines(match)[0]
    assert line.startswith(f"board {faulty[0].board.number}: B ")


def test_an_engine_that_hangs_is_started_again(tmp_path):
    engine = EngineCaller(f"{ENGINE} --hang 13", timeout=2)
    dealt = random_boards(20, 3)
    boards = [board for board in dealt if not ours_hold(board, 13)][:2]
    boards += [board for board in dealt if ours_hold(board, 13)][:1]
    biddings = bid_tables([Sitting(board, (0, None, 0, None)) for board in boards], [engine])
    engine.close()
    assert [bidding.complete for bidding in biddings] == [True, True, False]
    assert "did not answer within 2 s" in str(biddings[2].faults[0])
    assert engine.restarts


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/no/such/program", "cannot be started"),
        (
            f"{shlex.quote(sys.executable)} -c 'raise SystemExit(\"not today\")'",
            "exit status 1 \\(not today\\)",
        ),
        ("'", "cannot be started"),
    ],
)
def test_an_engine_that_never_answers_is_an_error(command, message):
    with pytest.raises(EngineError, match=message):
        EngineCaller(command).answers([(board_of().deal[Seat.N], Auction(Seat.N, Vul.None_))])


def test_two_faults_cancel_out(setup):
    faulty = f"engine:{ENGINE} --crash 17"
    boards = [board for board in random_boards(40, 3) if holds(board, 17)][:4]
    answered = random_boards(1, 3)
    match = run_match(setup(faulty, f"{faulty} --single"), [*answered, *boards])
    guilty = [{pair for pair, _ in result.faults} for result in match.results]
    assert all(result.imps == 0 for result, who in zip(match.results, guilty) if who == {0, 1})
    assert {0, 1} in guilty


# ---------------------------------------------------------------------- the command


def run(*arguments):
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, store):
    monkeypatch.setenv("PIDM_CACHE", str(store.parent))


def test_match_as_json(systems, tmp_path):
    out, pbn = tmp_path / "match.json", tmp_path / "match.pbn"
    words = ("match", systems["strong"], systems["weak"], "--boards", 12, "--seed", 3, "--no-search", "-j", 1)
    printed = json.loads(run(*words, "--json", "--out", out, "--pbn", pbn).stdout)
    assert printed == json.loads(out.read_text())
    assert printed["boards"] == len(printed["results"]) == 12
    assert printed["imps_per_board"] == round(sum(one["imps"] for one in printed["results"]) / 12, 4)
    assert printed["standard_error"] > 0
    settings = printed["settings"]
    assert settings["seed"] == 3
    assert settings["options"]["boards"] == 12
    assert {"pidm", "python", "numpy", "endplay"} <= set(settings["versions"])
    assert settings["command"]
    boards, errors = records.read(pbn)
    assert not errors
    assert [record.board for record in boards] == [n for n in range(1, 13) for _ in "AB"]
    for record, table in zip(boards, (t for one in printed["results"] for t in one["tables"])):
        assert [str(call) for call in record.auction.calls] == table["auction"]
        assert record.tricks == table["tricks"]
    again = json.loads(run(*words[:3], "--deals", pbn, "--no-search", "-j", 1, "--json").stdout)
    assert [one["imps"] for one in again["results"]] == [one["imps"] for one in printed["results"]]


def test_the_link_shows_the_board(setup):
    match = run_match(setup(), random_boards(3, 3))
    result = match.results[0]
    link = report.link(result.board, result.tables[0], match.setup.pairs)
    assert link.startswith("https://www.bridgebase.com/tools/handviewer.html?lin=")
    assert " " not in link
    from urllib.parse import unquote

    board = records.loads(unquote(link.split("lin=")[1]), "lin").boards[0]
    assert board.deal == result.board.deal
    assert board.auction == result.tables[0].auction


def test_the_summary_tells_who_won_and_where_the_time_went(systems):
    shown = run(
        "match", systems["strong"], systems["weak"], "--boards", 12, "--seed", 3, "--no-search", "-j", 1
    )
    assert "12 boards: A " in shown.stdout
    assert "double dummy" in shown.stdout
    assert "Board " in shown.stdout
    assert "handviewer" in shown.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("match", "no_such_system", "strong"), "no_such_system"),
        (("match", "strong,fast", "strong"), "is no option of a pair"),
        (("match", "strong", "strong", "--scoring", "chicago"), "is no form of scoring"),
        (("match", "strong", "strong", "--seconds", 1, "--no-search"), "give one of"),
        (("match", "strong", "strong", "--sprt", 1, 0), "LOW below HIGH"),
        (("match", "strong", "strong", "--deals", "nowhere.pbn"), "nowhere.pbn"),
        (
            ("match", "strong", "engine:/no/such/program", "--no-search", "-n", 1, "-j", 1),
            "cannot be started",
        ),
        (("ab", "strong"), "give --with or --without"),
        (("ab", "strong", "--with", "no_such_convention"), "no_such_convention"),
        (("challenge", "--file", "nowhere.yaml"), "nowhere.yaml"),
    ],
)
def test_mistakes_are_told_in_one_line(words, message, systems):
    result = run(*(systems.get(word, word) for word in words))
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_contracts_in_words():
    def played(contract, tricks, score):
        return Played(DUPLICATE[0], Auction(Seat.N, Vul.None_), contract, tricks, score)

    assert report.outcome(played(None, None, 0)) == "passed out"
    assert report.outcome(played(Contract(4, "S", 1, Seat.N), 9, -100)) == "4SX by N -1, NS -100"
    assert report.outcome(played(Contract(3, "N", 0, Seat.E), 9, -400)) == "3N by E =, NS -400"
