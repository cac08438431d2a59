"""Turns where engines do not fit in memory together, and what may be said of variants that were not paired."""

import pytest

from core.analysis import verdict_text
from core.analysis.compare import compare
from core.protocol.events import Estimate, Turns
from core.results.results import Results
from core.run import engine_sharing, stopping_rule
from core.spec.workload import Workload
from tests.core import build

GIB = 1 << 30
NOISE = [1.0, 1.004, 0.996, 1.002, 0.998, 1.0]


def test_an_estimate_beyond_what_is_free_is_said_with_figures():
    fits = Estimate(needed_bytes=GIB, loading_bytes=2 * GIB, free_bytes=3 * GIB, where="this machine")
    assert engine_sharing.crowding(fits) == ""
    why = engine_sharing.crowding(fits.model_copy(update={"free_bytes": 2 * GIB}))
    assert why == "it needs about 2.00 GiB to load, and 2.00 GiB are free on this machine"


def test_reload_only_where_a_load_takes_less_than_a_trial():
    assert engine_sharing.choose(1.0, 2.0)[0] == "reload"
    mode, why = engine_sharing.choose(5.0, 2.0)
    assert mode == "sequence"
    assert "5.00 s, more than a trial with 2.00 s" in why


def test_a_sequence_repeats_the_baseline_on_the_same_prompts():
    schedule = [["b", "a"], ["a", "b"]]
    steps = [s for group in engine_sharing.plan("sequence", ["a", "b"], schedule, 2) for s in group]
    assert [(s.name, s.round) for s in steps] == [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("a", 2), ("a", 3)]
    assert [s.again for s in steps] == [False] * 4 + [True] * 2
    rounds = engine_sharing.plan("reload", ["a", "b"], schedule, 2)
    assert [[s.name for s in group] for group in rounds] == schedule


def test_what_is_asked_for():
    assert engine_sharing.first_mode(Workload()) == "together"
    assert engine_sharing.first_mode(Workload(engines="reload")) == "reload"


def sequence(second_pass: float) -> Results:
    """b is twice as fast as a, whose second pass is `second_pass` times as fast as its first."""
    found, rounds = Results("x"), len(NOISE)
    found.fold(build.started(["a", "b"], rounds))
    found.fold(Turns(mode="sequence"))
    for number, noise in enumerate(NOISE):
        for name, place, speed in (("a", number, 1), ("b", number, 2), ("a", rounds + number, second_pass)):
            for event in build.trial(name, place, 10 / speed / noise):
                found.fold(event)
    return found


def test_a_sequence_has_a_verdict_only_if_both_passes_of_the_baseline_agree():
    base, other = compare(sequence(1.01)).variants
    assert base.trials == 2 * other.trials
    assert (other.verdict, other.engines, other.interval_method) == ("faster", "sequence", "welch")
    assert other.rounds_paired == 0
    assert other.speed_ratio == pytest.approx(2 / 1.01**0.5, rel=1e-3)
    assert other.baseline_drift_pct == pytest.approx(1, abs=0.1)
    comparison = compare(sequence(1.06))
    assert comparison.variants[1].verdict == "unpaired"
    assert comparison.variants[1].speed_ratio_low > 1.5  # shown, and no verdict
    assert "6.0 % apart, do not agree within ±3 %" in verdict_text.answer(comparison)
    assert "one variant after the other" in verdict_text.method(comparison)


def test_the_time_left_of_a_sequence_counts_the_second_pass():
    found = sequence(1.0)
    del found.variants["a"].trials[6:]
    spans = [t.requests[0].end_ns / 1e9 for t in found.variants["a"].trials]
    assert stopping_rule.remaining_s(found) == pytest.approx(sum(spans), rel=0.02)
