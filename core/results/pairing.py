"""Pairs a variant's figures with another's: by round if both ran in it, else as two sets of trials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.results import metrics
from core.results.ratio_statistics import Interval, confidence_after, paired_interval, unpaired_interval
from core.results.trials import Quantity

if TYPE_CHECKING:
    from core.results.results import VariantState


def paired_ratios(state: VariantState, other: VariantState, of: Quantity = metrics.trial_rate) -> list[float]:
    """Return figure ÷ the other's figure of every round in which both have a counted trial, in order."""
    mine, base = by_round(state, of), by_round(other, of)
    return [mine[r] / base[r] for r in sorted(mine) if r in base]


def paired(state: VariantState, baseline: VariantState) -> Interval | None:
    """Return the interval of the rates' ratios; None below two rounds."""
    return paired_interval(paired_ratios(state, baseline), confidence(state, baseline))


def confidence(state: VariantState, other: VariantState) -> float:
    """Return the confidence level of the t quantile. Rounds added to only one of the two do not count as a look at the
    pair."""
    return confidence_after(min(state.looks, other.looks))


@dataclass(frozen=True)
class SequentialRatio:
    """The ratio of two variants that ran one after the other, between two passes of the baseline. `drift` is the
    baseline's second pass against its first; None without a second."""

    interval: Interval | None
    drift: Interval | None


def in_sequence(
    state: VariantState,
    baseline: VariantState,
    rounds: int,
    of: Quantity = metrics.trial_rate,
    other: VariantState | None = None,
) -> SequentialRatio:
    """Return the ratio of trials measured one variant after the other. The baseline's second pass has round numbers
    from `rounds` on. `other` is the reference if that is not the baseline."""
    base = by_round(baseline, of)
    before = [figure for r, figure in base.items() if r < rounds]
    after = [figure for r, figure in base.items() if r >= rounds]
    mine = list(by_round(state, of).values())
    theirs = [*before, *after] if other is None else list(by_round(other, of).values())
    return SequentialRatio(unpaired_interval(mine, theirs), unpaired_interval(after, before))


def by_round(state: VariantState, of: Quantity = metrics.trial_rate) -> dict[int, float]:
    """Return the figure of each counted trial by round; cached per trial, since a window asks several times a
    second."""
    found: dict[int, float] = {}
    for trial in state.trials:
        key = (of, trial.round)
        if key not in state.figures:
            state.figures[key] = of(trial) if trial.ok else None
        figure = state.figures[key]
        if figure:
            found[trial.round] = figure
    return found
