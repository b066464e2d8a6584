"""Double dummy: known deals, batches, memory."""

import threading

import numpy as np
import pytest

from pidm.bridge import doubledummy
from pidm.bridge.calls import STRAINS, Seat, Vul
from pidm.bridge.cards import Deal
from pidm.bridge.doubledummy import DoubleDummy, read_solved, solve, tables, write_solved
from pidm.bridge.scoring import par
from pidm.bridge.worlds import from_deals, random_deals, to_deals

GRAND_SLAM = Deal.from_str("N:AKQJ.AKQJ.AKQ.AK 5432.432.432.432 T98.T98.J98.J987 76.765.T765.QT65")
LEAD_MATTERS = Deal.from_str("N:A32.AKQ2.AKQ2.K2 54.543.543.AQJT9 KQ76.876.876.876 JT98.JT9.JT9.543")


def test_a_grand_slam_and_the_lead():
    worlds = from_deals([GRAND_SLAM, LEAD_MATTERS])
    solver = DoubleDummy(threads=1)
    assert solver.tricks(worlds[:1], "N", 0).tolist() == [13]
    assert solver.tricks(worlds[:1], "N", 1).tolist() == [0]
    # West leads a club through the king and East takes five tricks; on lead himself he cannot.
    assert solver.tricks(worlds[1:], "N", 2).tolist() == [8]
    assert solver.tricks(worlds[1:], "N", 0).tolist() == [11]


def test_single_contracts_agree_with_the_tables():
    worlds = random_deals(3, np.random.default_rng(8))
    table = tables(worlds)
    assert table.shape == (3, 5, 4)
    solver = DoubleDummy()
    for at, strain in enumerate(STRAINS):
        for declarer in (0, 3):
            assert (solver.tricks(worlds, strain, declarer) == table[:, at, declarer]).all()


def test_nothing_is_solved_twice():
    worlds = random_deals(4, np.random.default_rng(9))
    solver = DoubleDummy(threads=1)
    first = solver.tricks(worlds[[0, 1, 0, 0]], "S", 1)
    assert solver.solved == 2
    assert first[0] == first[2] == first[3]
    again = solver.tricks(worlds[[1, 0, 2]], "S", 1)
    assert solver.solved == 3
    assert again[:2].tolist() == [first[1], first[0]]
    solver.tricks(worlds[:1], "H", 1)
    assert solver.solved == 4
    assert solver.tricks(worlds[:0], "H", 1).shape == (0,)


def test_memory_is_bounded():
    worlds = random_deals(3, np.random.default_rng(10))
    solver = DoubleDummy(threads=1, memory=2)
    solver.tricks(worlds, "C", 0)
    solver.tricks(worlds[1:], "C", 0)
    assert solver.solved == 3
    solver.tricks(worlds[:1], "C", 0)  # the oldest was forgotten
    assert solver.solved == 4


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_change_the_result(threads):
    worlds = random_deals(4, np.random.default_rng(11))
    assert (
        DoubleDummy(threads).tricks(worlds, "D", 2).tolist() == DoubleDummy(1).tricks(worlds, "D", 2).tolist()
    )


def test_solved_deals_survive_a_file(tmp_path):
    worlds = random_deals(5, np.random.default_rng(12))
    table = np.arange(100, dtype=np.int8).reshape(5, 5, 4) % 14
    write_solved(tmp_path / "solved.npz", worlds, table)
    again, tricks = read_solved(tmp_path / "solved.npz")
    assert (again == worlds).all()
    assert (tricks == table).all()


def test_contracts_of_all_kinds_in_one_batch():
    worlds = random_deals(6, np.random.default_rng(8))
    strains, declarers = list("SHDCNN"), [0, 1, 2, 3, 2, 1]
    one_by_one = [
        int(DoubleDummy().tricks(worlds[[row]], strain, declarer)[0])
        for row, (strain, declarer) in enumerate(zip(strains, declarers))
    ]
    assert solve(worlds, strains, declarers) == one_by_one


def test_par_of_a_solved_deal():
    worlds = random_deals(3, np.random.default_rng(9))
    for deal, table in zip(to_deals(worlds), tables(worlds)):
        assert par(deal, Vul.NS, Seat.E, table) == par(deal, Vul.NS, Seat.E)


def test_within_a_time_as_much_as_can_be():
    worlds = random_deals(12, np.random.default_rng(8))
    solver = DoubleDummy(threads=1)
    nothing = solver.tricks_within(worlds, "S", 0, 0.0)
    assert np.isnan(nothing).any()
    everything = solver.tricks_within(worlds, "S", 0, 60.0)
    assert everything.tolist() == DoubleDummy().tricks(worlds, "S", 0).tolist()
    assert solver.tricks_within(worlds, "S", 0, 0.0).tolist() == everything.tolist()  # remembered


def test_who_asks_does_not_wait_for_the_solver(monkeypatch):
    release = threading.Event()

    def slowly(worlds, strains, declarers, threads):
        release.wait(30)
        return [7] * len(worlds)

    monkeypatch.setattr(doubledummy, "_solved", slowly)
    worlds = random_deals(3, np.random.default_rng(8))
    solver = DoubleDummy(threads=1)
    # Who waited would get an answer.
    assert np.isnan(solver.tricks_within(worlds, "S", 0, 0.05)).all()
    assert np.isnan(solver.tricks_within(worlds, "H", 0, 0.05)).all()  # the solver is not free yet
    release.set()
    assert solver.tricks(worlds, "S", 0).tolist() == [7, 7, 7]
    assert solver.solved <= 4  # what was left alone has not gone on, but for the deal it was at


def test_a_failure_of_the_solver_is_told(monkeypatch):
    def fails(*arguments):
        raise RuntimeError("no such board")

    monkeypatch.setattr(doubledummy, "_solved", fails)
    with pytest.raises(RuntimeError, match="no such board"):
        DoubleDummy().tricks_within(random_deals(1, np.random.default_rng(8)), "S", 0, 10.0)
