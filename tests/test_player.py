"""Players and their models of each other."""

from __future__ import annotations

from toy_games import common_knowledge

from pidm.core.player import Player, cost_of


class Nothing:
    def choices(self, history, columns):
        raise NotImplementedError

    def evaluate(self, history, worlds, seat):
        raise NotImplementedError


def test_a_model_that_is_not_given_is_the_default_or_oneself():
    partner, stranger = Player(Nothing(), Nothing()), Player(Nothing(), Nothing())
    me = Player(Nothing(), Nothing(), {2: partner}, stranger)
    assert me.model(2) is partner
    assert me.model(1) is stranger
    assert partner.model(0) is partner


def test_common_knowledge_is_known_to_be_known():
    systems = {seat: (Nothing(), Nothing()) for seat in range(4)}
    players = common_knowledge(systems)
    assert players[0].model(1).model(2).model(0) is players[0]
    assert players[3].strategy is systems[3][0]
    assert "Player" in repr(players[0])


def test_a_utility_may_say_what_it_costs():
    class Slow(Nothing):
        cost = 0.005

    assert (cost_of(Slow()), cost_of(Nothing())) == (0.005, 0.0)
