"""A run ends on the width of its intervals, at its budget or at its cap, and says which."""

import math

import pytest

from core.analysis.compare import compare
from core.results.results import Results
from core.run import stopping_rule
from tests.core import build

NOISE = [1.0, 1.02, 0.98, 1.03, 0.97, 1.01, 0.99, 1.02, 0.98, 1.0] * 4


def results(ratios: list[float], tokens: int = 9, **workload) -> Results:
    """After so many rounds of a run that is asked for `workload`."""
    found = Results("x")
    found.fold(build.started(["a", "b"], 4, **workload))
    for number, ratio in enumerate(ratios):
        offset = 1000 * number  # one round a second
        for name, step in (("a", 10), ("b", 10 / ratio)):
            for event in build.trial(name, number, step, tokens, ttft_ms=offset + 50):
                found.fold(event)
    return found


def test_it_goes_on_until_every_interval_is_narrow():
    for count in range(1, 21):
        found = results(NOISE[:count], until_pct=2)
        width = stopping_rule.widest_pct(found)
        narrow = width is not None and width <= 2
        assert (stopping_rule.reason_to_end(found) == "precise") == (count >= stopping_rule.MIN_ROUNDS_UNTIL and narrow)
    assert stopping_rule.reason_to_end(results(NOISE[:20], until_pct=0.5)) is None


def test_a_clear_verdict_does_not_end_it():
    """Twice as fast for certain, but not known to 2 %."""
    found = results([2 * r**3 for r in NOISE[:20]], until_pct=2)
    assert compare(found).variants[1].verdict == "faster"
    assert stopping_rule.reason_to_end(found) is None


def test_no_interval_is_trusted_after_a_few_rounds():
    found = results([1.5] * (stopping_rule.MIN_ROUNDS_UNTIL - 1), until_pct=50)
    assert stopping_rule.widest_pct(found) < 0.01
    assert stopping_rule.reason_to_end(found) is None


def test_the_widest_interval_counts_and_a_failed_variant_does_not():
    found = Results("x")
    found.fold(build.started(["a", "b", "c"], 4, until_pct=2))
    for number, ratio in enumerate(NOISE[:20]):
        for name, step in (("a", 10), ("b", 10 / ratio), ("c", 10 / ratio**4)):
            for event in build.trial(name, number, step):
                found.fold(event)
    rows = compare(found).variants
    assert stopping_rule.widest_pct(found) == pytest.approx(rows[2].half_width_pct)
    assert rows[2].half_width_pct > 2 > rows[1].half_width_pct
    assert stopping_rule.reason_to_end(found) is None
    found.variants["c"].failed = build.events.Failed(message="x")
    assert stopping_rule.reason_to_end(found) == "precise"


def test_rounds_are_what_ends_a_run_without_a_target():
    assert stopping_rule.reason_to_end(results(NOISE[:3])) is None
    assert stopping_rule.reason_to_end(results(NOISE[:4])) == "rounds"
    assert stopping_rule.ended_words(results(NOISE[:4]), "rounds") == ""


def test_the_cap():
    found = results(NOISE[:15], until_pct=0.5, max_trials=15)
    assert stopping_rule.reason_to_end(found) == "cap"
    assert "the most rounds that it may have, 15; the widest interval is ±" in stopping_rule.ended_words(found, "cap")


def test_no_round_begins_that_would_end_after_the_budget():
    """A round takes a second; the first begins at 0 and the fifth ends at 4.13."""
    found = results(NOISE[:5], until_pct=0.5, budget_s=4)
    assert stopping_rule.elapsed_s(found) == pytest.approx(4.13, abs=0.05)
    assert stopping_rule.reason_to_end(found) == "budget"
    assert "budget of 4 s" in stopping_rule.ended_words(found, "budget")
    assert stopping_rule.reason_to_end(results(NOISE[:5], until_pct=0.5, budget_s=6)) is None
    assert stopping_rule.reason_to_end(results(NOISE[:2], budget_s=1.5)) == "budget"  # of a run with fixed rounds too


def test_where_nothing_can_be_compared_it_ends_after_the_fewest_rounds():
    found = Results("x")
    found.fold(build.started(["a"], 4, until_pct=2))
    for number in range(stopping_rule.MIN_ROUNDS_UNTIL):
        assert stopping_rule.reason_to_end(found) is None
        for event in build.trial("a", number, 10):
            found.fold(event)
    assert stopping_rule.reason_to_end(found) == "rounds"
    assert "nothing to compare" in stopping_rule.ended_words(found, "rounds")


def test_the_time_left_follows_from_the_width():
    few, more = results(NOISE[:6], until_pct=1), results(NOISE[:12], until_pct=1)
    assert stopping_rule.remaining_s(results(NOISE[:2], until_pct=1)) is None
    expected = stopping_rule.rounds_expected(few)
    sd = compare(few).variants[1].log_ratio_sd
    assert expected == pytest.approx((1.96 * sd / math.log(1.01)) ** 2, abs=4)
    assert stopping_rule.remaining_s(few) > stopping_rule.remaining_s(more) > 0
    assert stopping_rule.remaining_s(results(NOISE[:6], until_pct=1, budget_s=6)) <= 1
    assert stopping_rule.rounds_expected(results(NOISE[:6], until_pct=1, max_trials=11)) == 11
