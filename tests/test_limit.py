"""Limits as text, and meters that share what is left."""

from __future__ import annotations

import pytest

from pidm.core.limit import Limit, Meter
from pidm.errors import PidmError


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("0.5s", Limit(seconds=0.5)),
        ("200ms", Limit(seconds=0.2)),
        ("2 s", Limit(seconds=2)),
        ("2000 instances", Limit(instances=2000)),
        ("1 instance", Limit(instances=1)),
        ("300", Limit(instances=300)),
    ],
)
def test_limits_are_read_as_people_write_them(text, limit):
    assert Limit.from_str(text) == limit
    assert Limit.from_str(str(limit)) == limit


@pytest.mark.parametrize("text", ["", "fast", "1.5 instances", "2h", "-1s"])
def test_other_texts_are_no_limits(text):
    with pytest.raises(PidmError, match="no limit"):
        Limit.from_str(text)


def test_a_limit_is_in_one_unit():
    with pytest.raises(PidmError):
        Limit()
    with pytest.raises(PidmError):
        Limit(seconds=1, instances=1)


@pytest.mark.parametrize("amount", [-1, float("nan"), float("inf")])
def test_a_limit_is_a_number_from_zero_up(amount):
    with pytest.raises(PidmError, match="from 0 up"):
        Limit(seconds=amount)


def test_a_share():
    assert Limit(seconds=2).share(0.25) == Limit(seconds=0.5)
    assert Limit(instances=10).share(0.25) == Limit(instances=2)


def test_instances_of_a_part_count_for_the_whole():
    whole = Meter(Limit(instances=100))
    part = whole.part(30)
    part.charge(10)
    assert (part.left, whole.left) == (20, 90)
    whole.charge(80)
    assert part.left == 10  # the whole has no more
    part.charge(10)
    assert part.over and whole.over


def test_seconds_run_for_parts_and_whole_alike():
    clock = Clock()
    whole = Meter(Limit(seconds=1), clock=clock)
    clock.now = 0.25
    part = whole.part(0.5)
    clock.now = 0.5
    assert part.left == pytest.approx(0.25)
    assert whole.left == pytest.approx(0.5)
    clock.now = 2
    assert whole.left == 0 and part.over


def test_what_must_be_done_gets_some_time_in_any_case():
    clock = Clock()
    whole = Meter(Limit(seconds=1), clock=clock)
    assert whole.grace(0.1).left == 1
    clock.now = 3
    assert whole.grace(0.1).left == pytest.approx(0.1)
    spent = Meter(Limit(instances=0))
    assert spent.grace(0.1).over  # instances are never exceeded


def test_a_part_never_gets_more_than_is_left():
    assert Meter(Limit(instances=5)).part(50).left == 5
