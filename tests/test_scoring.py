import numpy as np
import pytest

from pidm import Contract, Deal, Seat, Vul
from pidm.bridge.scoring import imps, matchpoints, par, score, score_for, score_table
from pidm.errors import ScoreError

SLAM = Deal.from_str("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
GAME = Deal.from_str("N:AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76 T76.987.KT87.A98 54.542.932.QT543")


@pytest.mark.parametrize(
    ("contract", "vul", "tricks", "points"),
    [
        ("1C by N", "None", 7, 70),
        ("1N by N", "None", 7, 90),
        ("2S by N", "NS", 9, 140),
        ("3N by S", "None", 9, 400),
        ("3N by S", "Both", 11, 660),
        ("4H by E", "EW", 10, 620),
        ("4H by E", "NS", 10, 420),
        ("5D by W", "None", 11, 400),
        ("6S by N", "None", 12, 980),
        ("6S by N", "NS", 12, 1430),
        ("7N by N", "Both", 13, 2220),
        ("7NXX by N", "Both", 13, 2980),
        ("1NX by N", "None", 7, 180),
        ("2HX by N", "None", 8, 470),  # doubled into game
        ("2DX by N", "NS", 9, 380),
        ("1SXX by N", "NS", 8, 1120),
        ("3N by N", "None", 8, -50),
        ("3N by N", "NS", 7, -200),
        ("4SX by N", "None", 6, -800),
        ("4SX by N", "None", 5, -1100),
        ("4SX by N", "Both", 6, -1100),
        ("4SXX by N", "None", 7, -1000),
        ("7NXX by N", "Both", 0, -7600),
    ],
)
def test_scores_of_the_scoring_table(contract, vul, tricks, points):
    contract, vul = Contract.from_str(contract), Vul.from_str(vul)
    assert score(contract, vul, tricks) == points
    assert score_for(contract.declarer.partner, contract, vul, tricks) == points
    assert score_for(contract.declarer.lho, contract, vul, tricks) == -points


def test_every_score_agrees_with_endplay():
    from endplay.types import Contract as TheirContract
    from endplay.types import Denom, Penalty, Player
    from endplay.types import Vul as TheirVul

    penalties = (Penalty.passed, Penalty.doubled, Penalty.redoubled)
    for level in range(1, 8):
        for strain, denom in zip("SHDCN", Denom):
            for doubled, penalty in enumerate(penalties):
                for vul, theirs in ((Vul.None_, TheirVul.none), (Vul.NS, TheirVul.ns)):
                    ours = score(Contract(level, strain, doubled, Seat.N), vul, range(14))
                    for tricks in range(14):
                        contract = TheirContract(
                            level=level,
                            denom=denom,
                            declarer=Player.north,
                            penalty=penalty,
                            result=tricks - level - 6,
                        )
                        assert ours[tricks] == contract.score(theirs), (contract, tricks)


def test_scores_come_in_batches():
    contract = Contract.from_str("4S by N")
    assert score(contract, Vul.None_, np.array([[9, 10], [11, 13]])).tolist() == [[-50, 420], [450, 510]]
    assert score(contract, Vul.None_, []).tolist() == []
    assert isinstance(score(contract, Vul.None_, 10), int)
    assert score_table()[contract.bid, 0, 0, 10] == 420
    assert not score_table()[:3].any()


def test_a_passed_out_board_scores_nothing():
    assert score(None, Vul.Both, 0) == 0
    assert score_for(Seat.E, None, Vul.Both, [0, 1]).tolist() == [0, 0]


@pytest.mark.parametrize("tricks", [-1, 14, [3, 14], 9.5, [9.0], "9", None, True])
def test_tricks_are_checked(tricks):
    with pytest.raises(ScoreError, match="0 to 13"):
        score(Contract.from_str("4S by N"), Vul.None_, tricks)


def test_imps():
    edges = {
        0: 0,
        10: 0,
        20: 1,
        40: 1,
        50: 2,
        420: 9,
        430: 10,
        490: 10,
        500: 11,
        1090: 14,
        1100: 15,
        4000: 24,
    }
    assert imps(list(edges)).tolist() == list(edges.values())
    assert imps([-20, -8000]).tolist() == [-1, -24]
    assert imps(-430) == -10
    assert isinstance(imps(50), int)


def test_matchpoints():
    assert matchpoints([620, 170, 620, -100]).tolist() == [2.5, 1, 2.5, 0]
    assert matchpoints([100]).tolist() == [0]
    assert matchpoints([420, 450], field=[420, 400, 450, 50]).tolist() == [2.5, 3.5]
    scores = np.random.default_rng(1).integers(-3, 4, 30)
    slow = [sum((s > t) + (s == t) / 2 for j, t in enumerate(scores) if j != i) for i, s in enumerate(scores)]
    assert matchpoints(scores).tolist() == slow


@pytest.mark.parametrize(("vul", "points"), [(Vul.None_, 420), (Vul.NS, 620)])
def test_par_of_a_game(vul, points):
    found = par(GAME, vul, Seat.E)
    assert found.score == points
    assert set(map(str, found.contracts)) == {"4S by N", "4S by S"}
    assert found.tricks == (10, 10)


def test_par_of_a_sacrifice():
    found = par(Deal((SLAM[1], SLAM[0], SLAM[3], SLAM[2])), Vul.NS, Seat.N)
    assert found.score == -1510  # EW hold the spades: seven of them are above everything but notrumps
    assert {contract.strain for contract in found.contracts} == {"S"}
