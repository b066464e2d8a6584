"""Tags as rules that people can read."""

from __future__ import annotations

import numpy as np
import pytest

from pidm.reading.stakes import KINDS, NAMES
from pidm.training.readable import advice, foretold_by_tree, page
from pidm.training.value_learning import Lessons, gain


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    """Raises gain two IMPs when they gain even if doubled; nothing else does."""
    rng = np.random.default_rng(3)
    rows = np.zeros((600, len(NAMES)))
    rows[:, NAMES.index("kind")] = rng.integers(0, len(KINDS), 600)
    rows[:, NAMES.index("gain_doubled")] = rng.uniform(-4, 4, 600)
    good = (rows[:, NAMES.index("kind")] == KINDS.index("raise")) & (rows[:, NAMES.index("gain_doubled")] > 1)
    values = np.where(good, 2.0, -1.0)
    return Lessons(rows, np.zeros(600), np.column_stack([values, values]), np.arange(600), np.ones(600))


def test_the_rule_is_found_and_said_in_words(lessons):
    [rule] = advice(lessons, 4, 0.5)
    assert rule.gain == pytest.approx(2.0)
    assert "what the call is: raise" in str(rule)
    assert "IMPs gained if it is doubled above 1" in str(rule)
    assert rule.calls == int((lessons.halves[:, 0] > 0).sum())


def test_the_page_lists_it(lessons):
    text = page(lessons, 4, 0.5)
    assert "600 decisions" in text and text.count("\n- ") == 1


def test_it_holds_for_decisions_that_it_was_not_learned_from(lessons):
    mean, _, share = gain(lessons, foretold_by_tree(lessons, 4), 0.5)
    assert mean == pytest.approx(2.0 * share, abs=0.05)
