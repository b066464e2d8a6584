"""The signature of how pidm bids.

A change of code that means to leave the bidding alone leaves it as it is; a commit that means to change the
bidding says so and brings the new numbers."""

import pytest

from pidm.play.bench import Bench, BenchedSystem, bench_system

SIGNATURES = {
    "acol": "e798badd",
    "precision": "67feee7e",
    "sayc": "20928470",
    "silent": "5a4f54d0",
    "two_over_one": "a33e6eb7",
}


@pytest.mark.parametrize("system", SIGNATURES)
def test_every_call_is_what_it_was(system):
    told = []
    part = bench_system(system, lambda *progress: told.append(progress))
    assert part.signature == SIGNATURES[system]
    assert [done for _, done, _ in told] == list(range(1, part.searches + 1))


def test_the_signature_is_of_all_systems():
    def part(signature):
        return BenchedSystem("club", signature, 100, 0.5, 10, 2.0)

    both = Bench((part("a"), part("b")))
    assert both.signature == Bench((part("a"), part("b"))).signature
    assert both.signature != Bench((part("a"), part("c"))).signature
    assert (both.decisions_per_second, both.searches_per_second) == (200, 5)
