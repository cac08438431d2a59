"""Compares one variant with another by one measure; pure functions of results. The statistics are those of speed
(`core.results.ratio_statistics`): a t interval on the logs of the ratios per round, or Welch's interval without common
rounds. A measure without rounds, such as a memory peak, has a ratio and no interval."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from core.analysis.comparison_row import Comparison, Row
from core.analysis.disturbance import noisy
from core.analysis.measures import SPEED, Measure
from core.base.value import Value
from core.results.pairing import by_round, confidence, in_sequence, paired_ratios
from core.results.ratio_statistics import (
    Interval,
    Verdict,
    paired_interval,
    rounds_to_settle,
    smallest_detectable,
    verdict,
)
from core.results.results import Results

Said = Verdict | Literal["higher", "lower"]  # faster and slower are said of speed only
Z_95 = 1.959964  # standard errors on either side of a mean that hold 95 % of a normal distribution


class Contrast(Value):
    """One variant against a reference. `value` and `base` are in the unit of the measure's column; `ratio` is value ÷
    base with its 95 % interval. For a measure that is an amount by itself, `low` and `high` bound that amount. None
    means not available."""

    variant: str
    reference: str
    value: float | None = None
    base: float | None = None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: Said = ""
    rounds: int = 0
    method: str = ""  # of the interval; empty where there is none
    smallest_detectable_pct: float | None = None
    rounds_to_settle: int | None = None
    noisy: bool = False  # most of its rounds were disturbed

    @property
    def decided(self) -> bool:
        """Whether the interval distinguishes the variant from the reference."""
        return self.verdict in ("faster", "slower", "higher", "lower")


def of_row(row: Row, reference: str) -> Contrast:
    """Return the contrast of speed against the baseline that the row holds."""
    return Contrast(
        variant=row.variant,
        reference=reference,
        value=SPEED.value(row),
        ratio=row.speed_ratio,
        low=row.speed_ratio_low,
        high=row.speed_ratio_high,
        verdict=row.verdict,
        rounds=row.rounds_paired,
        method=row.interval_method,
        smallest_detectable_pct=row.smallest_detectable_pct,
        rounds_to_settle=row.rounds_to_settle,
        noisy=noisy(row),
    )


def contrasts(results: Results, comparison: Comparison, by: Measure, reference: str = "") -> list[Contrast]:
    """Return the contrasts of all variants with the reference (default: the baseline), in the order of the
    comparison."""
    names = [row.variant for row in comparison.variants]
    base = comparison.variants[names.index(reference)] if reference in names else comparison.baseline
    return [contrast(results, comparison, by, row, base) for row in comparison.variants]


def contrast(results: Results, comparison: Comparison, by: Measure, row: Row, base: Row) -> Contrast:
    """Return the contrast of two variants of the same run; `row` and `base` are rows of `comparison`."""
    found = Contrast(variant=row.variant, reference=base.variant, value=by.value(row), base=by.value(base))
    if by.amount:
        return _amount(found, row, base, comparison.baseline)
    if row is base:
        known = found.value is not None
        return found.model_copy(update={"verdict": "baseline", "ratio": 1.0 if known else None})
    if by is SPEED and base is comparison.baseline:
        return of_row(row, base.variant).model_copy(update={"base": found.base})
    if by.of_trial is not None:
        interval, word, rounds = _by_rounds(results, by, row, base, comparison)
        if interval is not None:
            return _told(found, interval, word, rounds, results, row, base, by, comparison.margin)
    if found.value and found.base and by is not SPEED:
        return found.model_copy(update={"ratio": found.value / found.base})
    return found


def spread(results: Results, row: Row, by: Measure) -> Interval | None:
    """Return the geometric mean of a variant's figure over the rounds, with a t interval on the logs. The interval
    contains the machine's drift, which ratios within rounds do not: two overlapping spreads may still be
    distinguishable."""
    if by.of_trial is None:
        return None
    return paired_interval([*by_round(results.variants[row.variant], by.of_trial).values()])


def _by_rounds(
    results: Results, by: Measure, row: Row, base: Row, comparison: Comparison
) -> tuple[Interval | None, Verdict, int]:
    """Return the interval of the ratio, its verdict, and the number of common rounds."""
    assert by.of_trial is not None
    assert results.experiment is not None
    state, other = results.variants[row.variant], results.variants[base.variant]
    if results.turns == "sequence":
        first = results.variants[comparison.baseline.variant]
        against = None if other is first else other
        rounds = results.experiment.workload.most_rounds
        if state is first and against is not None:  # the baseline's second pass counts on its side
            turned = in_sequence(against, first, rounds, by.of_trial).interval
            interval = _inverse(turned) if turned is not None else None
        else:
            interval = in_sequence(state, first, rounds, by.of_trial, against).interval
        drift = in_sequence(first, first, rounds, by.of_trial).drift
        steady = verdict(drift, comparison.margin) == "within_margin"
        word: Verdict = verdict(interval, comparison.margin) if steady else "unpaired"
        return interval, word, 0
    ratios = paired_ratios(state, other, by.of_trial)
    interval = paired_interval(ratios, confidence(state, other))
    return interval, verdict(interval, comparison.margin), len(ratios)


def _inverse(found: Interval) -> Interval:
    return replace(found, ratio=1 / found.ratio, low=1 / found.high, high=1 / found.low)


def _told(
    found: Contrast,
    interval: Interval,
    word: Verdict,
    rounds: int,
    results: Results,
    row: Row,
    base: Row,
    by: Measure,
    margin: float,
) -> Contrast:
    """Return the contrast with the interval's verdict; without a verdict if a receipt does not match."""
    said: Said = word
    if by is not SPEED:
        said = {"faster": "higher", "slower": "lower"}.get(word, word)  # type: ignore[assignment]
    states = (results.variants[row.variant], results.variants[base.variant])
    if said and any(state.receipt_ok is False for state in states):
        said = "withheld"
    return found.model_copy(
        update={
            "ratio": interval.ratio,
            "low": interval.low,
            "high": interval.high,
            "verdict": said,
            "rounds": rounds,
            "method": interval.method,
            "smallest_detectable_pct": 100 * smallest_detectable(interval, margin),
            "rounds_to_settle": rounds_to_settle(interval, margin) if said == "undecided" else None,
            "noisy": noisy(row) or noisy(base),
        }
    )


def _amount(found: Contrast, row: Row, base: Row, baseline: Row) -> Contrast:
    """Return the divergence from the run's baseline. No other reference has a divergence."""
    if base is not baseline:
        return found.model_copy(update={"value": None, "base": None})
    if row is base:
        return found.model_copy(update={"verdict": "baseline"})
    spread = Z_95 * row.kld_se if row.kld_se is not None else None
    if found.value is None or spread is None:
        return found
    return found.model_copy(
        update={"low": max(0.0, found.value - spread), "high": found.value + spread, "method": "normal"}
    )
