"""The best of 35 contracts by either partner."""

import numpy as np

from pidm.bridge.calls import Contract, Seat
from pidm.play.best_contract import best_contracts, contracts_of


def test_there_are_35_by_each_partner():
    found = contracts_of(Seat.E)
    assert len(found) == len(set(found)) == 70
    assert {one.declarer for one in found} == {Seat.E, Seat.W} and not any(one.doubled for one in found)


def test_the_best_of_every_deal_and_nothing_where_nothing_makes():
    worths = {Contract(4, "S", 0, Seat.S): [420, -50, 0], Contract(3, "N", 0, Seat.N): [400, 600, -100]}

    def worth(one):
        return np.array(worths.get(one, [-100, -100, -100]))

    best, values = best_contracts(worth, Seat.N)
    assert [str(one) for one in best] == ["4S by S", "3N by N", "None"]
    assert values.tolist() == [420, 600, 0]
