"""A decision and its evidence: how sure the engine is of each call."""

from dataclasses import fields, replace

import pytest

from pidm import Bidder
from pidm.bridge.calls import Call
from pidm.core.limit import Limit
from pidm.errors import PidmError
from pidm.play.decision import Decision
from systems import shipped


@pytest.fixture(scope="module")
def weighed():
    """A decision in which the system says 3D and a simulation has weighed pass and 4S as well."""
    decision = Bidder(shipped("two_over_one"), limit=Limit(instances=400)).bid(
        "AQJ84.K5.KQ72.85", "1S P 2S P"
    )
    one = decision.candidates[0]
    means = {"P": 0.0, "3D": -0.5, "4S": -1.0}
    return replace(
        decision,
        system=(replace(one, call=Call.from_str("3D")),),
        candidates=tuple(replace(one, call=Call.from_str(call), mean=mean) for call, mean in means.items()),
        worlds=100,
    )


def chances(decision, **options):
    return {str(call): chance for call, chance in decision.posterior(**options).items()}


def test_the_posterior_is_the_prior_moved_toward_what_the_simulation_found(weighed):
    # 0.8 for the system's call, 0.1 for each neighbour, times exp(mean * sqrt(100) / 5)
    found = chances(weighed, temperature=5.0)
    assert found == pytest.approx({"3D": 0.7216, "P": 0.2452, "4S": 0.0332}, abs=1e-3)
    assert list(found) == ["3D", "P", "4S"]


def test_a_cool_posterior_follows_the_simulation_and_a_hot_one_the_system(weighed):
    assert chances(weighed, temperature=0.1)["P"] > 0.999
    assert chances(weighed, temperature=1e6) == pytest.approx({"3D": 0.8, "P": 0.1, "4S": 0.1}, abs=1e-3)
    assert chances(weighed, temperature=1e6, stray=0.0)["3D"] == pytest.approx(1.0)


def test_only_the_likeliest_calls_are_kept(weighed):
    assert chances(weighed, top=1) == {"3D": 1.0}
    assert len(chances(weighed, top=2)) == 2


def test_without_a_simulation_the_posterior_is_what_the_rules_say():
    decision = Bidder(shipped("two_over_one"), limit=None).bid("KQJ84.A3.K72.985", "P P")
    assert decision.posterior() == {Call.from_str("1S"): 1.0}


def test_a_decision_of_what_is_told_is_the_same_as_any_other(weighed):
    told = {one.name: getattr(weighed, one.name) for one in fields(Decision) if one.name != "details"}
    made = Decision.of(told)
    assert made == Decision(**told) and vars(made) == vars(Decision(**told))
    assert made.details == {} and made.details is not Decision.of(told).details
    needed = ("call", "by", "candidates", "reason", "hand", "auction", "situation", "columns")
    few = {name: told[name] for name in needed}
    assert vars(Decision.of(few)) == vars(Decision(**few))


@pytest.mark.parametrize("options", [{"temperature": 0.0}, {"stray": 1.0}, {"stray": -0.1}, {"top": 0}])
def test_a_posterior_that_makes_no_sense_is_refused(weighed, options):
    with pytest.raises(PidmError, match="expected a temperature above 0"):
        weighed.posterior(**options)
