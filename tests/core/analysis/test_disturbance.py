"""Nothing claims more than the trials allow: a verdict of a busy machine says so wherever it stands."""

from __future__ import annotations

import pytest

from core.analysis import verdict_text
from core.analysis.compare import compare
from core.analysis.contrast import contrasts
from core.analysis.disturbance import noisy
from core.analysis.measures import SPEED, measure
from core.base import formatting
from core.protocol import events
from core.report import html_report
from core.results.results import Results
from core.wording import contrast_text
from tests.core import build

BUSY = "foreign CPU 165 %"


def measured(disturbed: dict[str, int], ratios=(1.4, 1.5, 1.6, 1.5, 1.45)) -> Results:
    """A run in which b is faster; the first so many rounds of a variant are disturbed."""
    found = Results("run")
    for event in build.run(list(ratios)):
        if isinstance(event, events.TrialDone) and event.round < disturbed.get(event.variant or "", 0):
            event = event.model_copy(update={"flags": [BUSY]})
        found.fold(event)
    return found


@pytest.mark.parametrize(
    ("disturbed", "rounds", "is_noisy"),
    [({}, 0, False), ({"b": 2}, 2, False), ({"b": 3}, 3, True), ({"a": 5}, 5, True), ({"a": 2, "b": 3}, 3, True)],
)
def test_most_rounds_make_it_noisy_on_either_side(disturbed, rounds, is_noisy) -> None:
    row = compare(measured(disturbed)).variants[1]
    assert (row.rounds_disturbed, noisy(row)) == (rounds, is_noisy)
    assert row.verdict == "faster"  # the interval stands; what is said of it is hedged


def test_every_text_says_so() -> None:
    results = measured({"a": 5, "b": 5})
    comparison = compare(results)
    row = comparison.variants[1]
    answer = verdict_text.answer(comparison)
    low_high = formatting.between(verdict_text.interval(row))
    assert answer == f"b is 1.49× faster than a ({low_high}), but 5 of 5 rounds were disturbed."
    assert verdict_text.hedged(row) == row.verdict_text == "1.49× faster, noisy"
    assert "1.49× faster, noisy" in html_report.page(results)
    assert answer in html_report.page(results)
    found = contrasts(results, comparison, measure("itl_p50"))
    said = contrast_text.answer(comparison, measure("itl_p50"), found)
    assert said == "ITL p50 with b: 0.67× (−33 %) against a, but most rounds were disturbed."
    back = contrasts(results, comparison, SPEED, "b")
    assert contrast_text.answer(comparison, SPEED, back).endswith(", but most rounds were disturbed.") is False
    assert contrast_text.pair(comparison, SPEED, back[0], comparison.variants[0], row)[1].count("disturbed") == 1


def test_advice_rests_on_no_disturbed_time() -> None:
    quiet, busy = compare(measured({})), compare(measured({"a": 5, "b": 5}))
    assert "quiet machine" in [a.rule for a in busy.advice]
    timed = {a.rule for a in quiet.advice} - {"more rounds", "conservative", "compress", "compress, then schedule"}
    assert not timed & {a.rule for a in busy.advice}


def test_a_verdict_stands_until_a_new_round_counts() -> None:
    """More rounds were asked for and stopped before the first of them: nothing was seen, so nothing is wider."""
    results = measured({})
    before = compare(results).variants[1]
    experiment = results.experiment.dump()  # type: ignore[union-attr]
    experiment["workload"]["trials"] = 8
    results.fold(
        events.Resumed(
            dyno_version="0", created="2026-01-01T01:00:00+00:00", experiment=experiment, schedule=[["a", "b"]] * 8,
            variants=["a", "b"], first_round=5, rounds=3, first_prompt=5,
        )
    )  # fmt: skip
    results.fold(events.Finished(status="cancelled", rounds=5))
    comparison = compare(results)
    after = comparison.variants[1]
    assert (after.verdict, after.speed_ratio_low, after.status) == (before.verdict, before.speed_ratio_low, "ok")
    assert "2 of 2 variants finished" in verdict_text.method(comparison)
    for name in ("a", "b"):
        for event in build.trial(name, 5, 10 if name == "a" else 6.7):
            results.fold(event)
    comparison = compare(results)
    assert comparison.looks == 1
    assert "rounds added after a verdict was seen (1×)" in verdict_text.method(comparison)
