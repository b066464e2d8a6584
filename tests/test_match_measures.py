"""What matches prove: statistics, yardsticks, challenges, comparisons of conventions, plots."""

import json
import math

import numpy as np
import pytest
from little_club import club
from test_match import OPENINGS, own_cache, run, setup, store, systems  # noqa: F401

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Call, Contract, Seat, Vul
from pidm.bridge.cards import Hand
from pidm.bridge.scoring import imps, par
from pidm.core.limit import Limit
from pidm.errors import PidmError, RecordError
from pidm.language.system import System
from pidm.match.ab import versions_of
from pidm.match.challenge import Problem, opens, random_problems, run_challenge, solve, variables_of
from pidm.match.duplicate import DUPLICATE, Match, Played, Result, run_match
from pidm.match.metrics import LAYOUTS, _ParBounds, measure, metric_lines
from pidm.match.plots import calibration, expectations, match_plots
from pidm.match.problems import read_problems
from pidm.match.statistics import Sprt, mean_of, running
from pidm.match.uncontested import Talk, bits
from pidm.play.bidder import Bidder
from pidm.play.calling import BidderCaller
from pidm.play.match_boards import Board, random_boards
from pidm.play.pair import Pair
from pidm.play.pool import Pool
from pidm.play.room import Effort
from pidm.play.solved_deals import Solver
from systems import write_system

# ---------------------------------------------------------------------- statistics


def test_the_standard_error_is_that_of_the_mean():
    mean = mean_of([1, 2, 3, 4])
    assert mean.mean == 2.5
    assert mean.error == pytest.approx(math.sqrt(5 / 3) / 2)
    assert mean_of([7]).error == math.inf


def test_running_ends_with_the_whole():
    values = [3.0, -1.0, 4.0, 1.0, -5.0]
    means, errors = running(values)
    assert (means[-1], errors[-1]) == (
        pytest.approx(mean_of(values).mean),
        pytest.approx(mean_of(values).error),
    )
    assert np.isnan(errors[0])


@pytest.mark.parametrize(("mean", "decision"), [(1.0, "high"), (0.0, "low")])
def test_the_sequential_test_finds_the_truth_early(mean, decision):
    test = Sprt(0.0, 1.0)
    rng = np.random.default_rng(1)
    wrong, lengths = 0, []
    for _ in range(100):
        values = rng.normal(mean, 5.0, 2000)
        stop = next(n for n in range(30, 2001, 10) if test.decision(values[:n]))
        lengths.append(stop)
        wrong += test.decision(values[:stop]) != decision
    assert wrong <= 12  # 5 percent, and some for the unknown variance
    assert np.mean(lengths) < 400


def test_the_sequential_test_waits_while_nothing_varies():
    assert Sprt(0, 1).decision([0.0] * 200) == ""
    with pytest.raises(PidmError, match="LOW below HIGH"):
        Sprt(1, 1)


def test_rare_swings_prove_nothing():
    assert Sprt(-1, 1).decision([10.0] + [0.0] * 29) == ""
    assert Sprt(-1, 1).decision(([10.0] + [0.0] * 29) * 30) == "high"


def test_a_match_stops_at_the_board_that_decides(setup, monkeypatch):  # noqa: F811
    monkeypatch.setattr("pidm.match.statistics.FEWEST", 8)
    boards = random_boards(100, 3)
    test = Sprt(5.0, 6.0)  # nobody wins by so much
    one = run_match(setup(), boards, test)
    two = run_match(setup(), boards, test, pool=Pool(2))
    assert one.decision == two.decision == "low"
    assert 8 <= len(one.results) < 100
    assert one.results == two.results


# ---------------------------------------------------------------------- yardsticks


@pytest.fixture(scope="module")
def measured(systems, store):  # noqa: F811
    from pidm.play.room import Setup

    pairs = tuple(Pair.from_str(systems[name]).settled(no_search=True) for name in ("strong", "weak"))
    return run_match(Setup(pairs, store=store), random_boards(6, 3), layouts=LAYOUTS, solved=True)


def test_the_partner_metric_is_that_of_the_paper(measured):
    data = measure(measured)
    values = []
    for result in measured.results:
        s = {table.seats: table.ns_score for table in result.tables}
        w = s[1, 1, 1, 1]
        values.append(
            imps(s[0, 1, 1, 1] - w)
            - imps(s[1, 0, 1, 1] - w)
            + imps(s[1, 1, 0, 1] - w)
            - imps(s[1, 1, 1, 0] - w)
        )
    assert data["partner"]["A for B"]["imps_per_board"] == pytest.approx(np.mean(values), abs=1e-4)
    assert data["team"]["imps_per_board"] == pytest.approx(measured.imps.mean, abs=1e-4)


def test_par_and_the_report(measured):
    data = measure(measured)
    differences = []
    for result in measured.results:
        best = par(result.board.deal, result.board.vul, result.board.dealer).score
        open_room, closed_room = result.tables[:2]
        differences.append((open_room.ns_score - best - closed_room.ns_score + best) / 2)
    assert data["par"]["A"]["points_per_board"] == pytest.approx(np.mean(differences), abs=0.06)
    lines = "\n".join(metric_lines(data))
    assert "A for B" in lines
    assert "bits per opening" not in lines  # six hands tell nothing
    assert json.loads(json.dumps(data)) == data


def test_points_of_no_return():
    tricks = np.full((5, 4), 6)
    tricks[4] = [7, 6, 7, 6]  # north and south make 1N, and nobody anything else
    board = Board(1, random_boards(1, 3)[0].deal, Seat.N, Vul.None_)
    result = Result(board, (), 0, 0.0, tricks)
    bounds = _ParBounds.of(result)
    assert bounds.internal == (Call.from_str("1N"), None)
    one, two = Call.from_str("1N"), Call.from_str("2C")
    assert not bounds.beyond_internal(0, one)
    assert bounds.beyond_internal(0, two)
    assert bounds.beyond_internal(1, Call.from_str("1C"))
    assert [str(c.bid) for c in bounds.par.contracts][:1] == ["1N"]
    assert not bounds.beyond_external(0, one)
    assert bounds.beyond_external(1, one)
    assert bounds.beyond_external(0, two)


def test_a_call_that_tells_the_points_carries_their_bits():
    strong, weak = Hand.from_str("AKQ2.AK2.432.432"), Hand.from_str("5432.432.432.432")
    talks = [Talk(hand, weak, (call,), None) for hand, call in ((strong, Call(3)), (weak, Call(0)))] * 50
    assert bits(talks)["opening"] == {"P": pytest.approx(1.0, abs=0.02), "1C": pytest.approx(1.0, abs=0.02)}
    silent = [Talk(hand, weak, (Call(0),), None) for hand in (strong, weak)] * 50
    assert bits(silent)["opening"] == {"P": 0.0}


def test_beliefs_are_what_openings_promise(systems):  # noqa: F811
    words = ("match", systems["strong"], systems["weak"], "-n", 40, "--seed", 3, "--no-search", "-j", 1)
    data = json.loads(run(*words, "--json").stdout)
    assert "metrics" not in data
    from pidm.match.uncontested import uncontested
    from pidm.play.room import Setup

    pairs = tuple(Pair.from_str(systems[name]).settled(no_search=True) for name in ("strong", "weak"))
    found = uncontested(Setup(pairs), random_boards(60, 3))
    assert 15 <= found["A"]["opening_belief"]["1N"]["total"] <= 17
    assert 12 <= found["B"]["opening_belief"]["1N"]["total"] <= 14
    assert found["A"]["opening_own"]["P"]["total"] <= 11
    rows = found["A"]["response_own_and_belief"]
    assert all(
        row["total"] == pytest.approx(sum(row[suit] for suit in "SHDC"), abs=0.03) for row in rows.values()
    )


# ---------------------------------------------------------------------- challenges


def test_random_problems_have_an_opening_and_are_the_same_again():
    problems = random_problems(30, 2)
    assert problems == random_problems(30, 2)
    assert problems[:5] == random_problems(5, 2)
    assert all(opens(problem.hands[0]) or opens(problem.hands[2]) for problem in problems)


def test_a_challenge_is_never_better_than_the_best_contract(setup):  # noqa: F811
    problems = random_problems(6, 2)
    one = run_challenge(setup(), problems, layouts=1)
    two = run_challenge(setup(), problems, layouts=1, pool=Pool(2))
    assert one.solutions == two.solutions
    assert all(solution.ltc <= 0 and solution.dds <= 0 for solution in one.solutions)
    assert all(
        set(solution.auction.calls[1 - (solution.problem.dealer & 1) :: 2]) <= {0}
        for solution in one.solutions
    )
    assert list(one.variables()) == [
        "imps_per_problem",
        "generated_instances",
        "lookaheads",
        "lookahead_ratio",
        "refined_nets",
        "sampling_failures",
        "lookahead_stage",
    ]
    assert one.variables()["lookaheads"] == 0


def test_the_variables_are_of_the_players_own_calls(tmp_path):
    system = System.load(club(tmp_path))
    problems = random_problems(8, 2)
    bidder = Bidder(system, opponents="silent", limit=Limit(instances=80))
    solutions = solve(problems, [BidderCaller(bidder)], Solver(), layouts=0)
    found = variables_of(solutions)
    decisions = [
        (bidder.bid(one.problem.hands[seat], Auction(one.auction.dealer, one.auction.vul, before)), at)
        for one in solutions
        for at, seat in enumerate(map(one.auction.seat_of, range(len(one.auction.calls))))
        for before in (one.auction.calls[:at],)
        if not seat & 1
    ]
    searched = [at for decision, at in decisions if decision.details]
    assert 0 < len(searched) < len(decisions)
    assert found["lookaheads"] == len(searched), "simulated players' lookaheads are not counted"
    assert found["lookahead_ratio"] == round(len(searched) / len(decisions), 4)
    assert found["lookahead_stage"] == round(float(np.mean(searched)), 4)
    assert found["generated_instances"] == sum(one.instances for one, _ in decisions)
    assert found["refined_nets"] == 0


def test_partners_may_differ_and_begin_in_the_middle(tmp_path):
    system = System.load(club(tmp_path))
    north, south = (Bidder(system, opponents="silent", limit=None) for _ in "NS")
    start = Auction.from_str("1N P")
    problem = Problem(
        1,
        (Hand.from_str("KQ32.A32.KQ2.J32"), None, Hand.from_str("AJ98.K54.A43.654"), None),
        before=start.calls,
    )
    [found] = solve([problem], [BidderCaller(north), BidderCaller(south)], Solver(), layouts=0)
    assert found.auction.calls[:2] == start.calls and found.auction.over
    assert found.counters["calls"] == sum(1 for at in range(2, len(found.auction.calls)) if not at & 1)


FILE = """
title: Two from the club
problems:
  - title: Game on power
    west: AKQ52.K4.A932.J4
    east: J984.A3.KQJ54.A2
    dealer: W
    vul: Both
    opponents: 2H P
    awards: {7S: 10, 6S by W: 7, 4S: 5, other: -1, pass: -5}
    reference: 6
  - north: AKQ2.AK2.432.432
    south: J543.Q43.AKQ.A65
"""


def test_problems_from_a_file(tmp_path, systems):  # noqa: F811
    path = tmp_path / "club.yaml"
    path.write_text(FILE)
    first, second = read_problems(path)
    assert first.seats() == (None, 0, None, 0)
    assert [str(call) for call in first.script] == ["2H", "P"]
    awards = {"7S by E": 10, "6S by W": 7, "6S by E": -1, "4S by E": 5, "4SX by E": -1}
    assert {text: first.award(Contract.from_str(text)) for text in awards} == awards
    assert first.award(None) == -5
    assert second.first == Seat.N
    data = json.loads(
        run(
            *(
                "challenge",
                systems["strong"],
                "--file",
                path,
                "--no-search",
                "--layouts",
                0,
                "-j",
                1,
                "--json",
            )
        ).stdout
    )
    assert data["problems"] == 2
    assert data["results"][0]["auction"][:2] == ["1S", "2H"]
    assert data["results"][0]["award"] == -7  # west plays 1S doubled by nobody: `other`, less the reference
    assert data["results"][1]["ltc"] is not None
    assert data["settings"]["seed"] == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("vul: Both", "vul: Always", "club.yaml:8:10: 'Always' is no vulnerability"),
        ("east: J984", "east: A984", "SA is in two hands"),
        ("    east: J984.A3.KQJ54.A2\n", "", "club.yaml:4:5: a problem has the hands of two partners"),
        ("7S: 10", "8S: 10", "'8s' is no call"),
        ("reference", "referense", "unknown key `referense`; did you mean `reference`?"),
        ("problems:", "problem:", "expected a list of `problems`"),
    ],
)
def test_mistakes_in_a_file_have_their_place(tmp_path, old, new, message):
    path = tmp_path / "club.yaml"
    assert FILE.count(old) == 1
    path.write_text(FILE.replace(old, new))
    with pytest.raises(RecordError) as error:
        read_problems(path)
    assert message in str(error.value)


def test_problems_deal_the_opponents_cards_anew():
    problem = Problem(1, random_problems(1, 2)[0].hands)
    deals = problem.deals(5, 3)
    assert {deal[Seat.N] for deal in deals} == {problem.hands[0]}
    assert len({deal[Seat.E] for deal in deals}) == 5


# ---------------------------------------------------------------------- comparisons


def test_versions_are_each_others_opposite():
    one, other = versions_of(Pair.from_str("x,+a"), ["b"], ["c"])
    assert one.card == (("a", True), ("b", True), ("c", False))
    assert other.card == (("a", True), ("b", False), ("c", True))
    assert one.label == "x with b without c"


def test_ab_of_a_convention(tmp_path):
    convention = """
    convention: gadget
    rules:
      - title: Gadget
        auction: 1N (P)
        bid:
          - 7N: 0+ hcp
    """
    import textwrap

    (tmp_path / "gadget.yaml").write_text(textwrap.dedent(convention))
    path = write_system(tmp_path, OPENINGS.format(notrump="15-17"), head="card: []\n")
    words = ("ab", path, "--with", "gadget", "-n", 60, "--seed", 3, "-j", 1)
    data = json.loads(run(*words, "--json").stdout)
    assert data["imps_per_board"] < 0  # seven notrump has its price
    assert data["imps_per_hundred_boards"] == pytest.approx(100 * data["imps_per_board"], abs=0.01)
    assert 0 < data["comes_up"] < 0.5
    assert len(data["results"]) == data["bid_differently"]
    opposite = json.loads(run(*words[:2], "--without", "gadget", *words[4:], "--json").stdout)
    assert opposite["imps_per_board"] == -data["imps_per_board"]
    shown = run(*words).stdout
    assert "comes up on" in shown
    assert "Worst for A" in shown
    assert "B is better" in shown or "not decided" in shown


def test_ab_of_two_files(systems):  # noqa: F811
    shown = run("ab", systems["strong"], systems["weak"], "-n", 20, "--seed", 3, "-j", 1).stdout
    assert "20 boards: A " in shown
    assert "per hundred boards" in shown


# ---------------------------------------------------------------------- plots


def test_plots(setup, tmp_path):  # noqa: F811
    pytest.importorskip("matplotlib")
    match = run_match(setup(), random_boards(15, 3))
    drawn = match_plots(match, tmp_path / "plots")
    assert [path.name for path in drawn] == ["running.png", "swings.png"]  # nobody simulated
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn)


def test_expectations_are_compared_from_the_callers_side(setup):  # noqa: F811
    pytest.importorskip("matplotlib")
    board = random_boards(1, 3)[0]
    auction = Auction.from_str("1N AP", Seat.E)
    table = Played(DUPLICATE[0], auction, auction.contract, 7, -90, expected=((0, 100.0), (1, -50.0)))
    match = Match(setup(), (Result(board, (table, table), 0, 0.0),), Effort(), 0.0)
    assert list(expectations(match)) == [(100.0, 90), (-50.0, -90)] * 2
    assert calibration(match) is not None
