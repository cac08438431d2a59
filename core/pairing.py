"""A variant's rate against the baseline's: by round where both ran in it, else as two sets of trials. Knows which
trials count; decides no verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core import metrics
from core.statistics import Interval, paired_interval, unpaired_interval

if TYPE_CHECKING:
    from core.results import VariantState


def paired_ratios(state: VariantState, baseline: VariantState) -> list[float]:
    """Rate ÷ baseline's rate of every round in which both have a trial that counts, in order."""
    mine, base = _rates(state), _rates(baseline)
    return [mine[r] / base[r] for r in sorted(mine) if r in base]


def paired(state: VariantState, baseline: VariantState) -> Interval | None:
    """The interval of those ratios; None below two rounds."""
    return paired_interval(paired_ratios(state, baseline))


@dataclass(frozen=True)
class Sequence:
    """A variant that ran between two passes of the baseline. `drift`: the baseline's second pass against its first;
    None where there is no second."""

    interval: Interval | None
    drift: Interval | None


def in_sequence(state: VariantState, baseline: VariantState, rounds: int) -> Sequence:
    """Of trials that were measured one variant after the other; the baseline's second pass counts on from `rounds`."""
    base = _rates(baseline)
    before = [rate for r, rate in base.items() if r < rounds]
    after = [rate for r, rate in base.items() if r >= rounds]
    mine = list(_rates(state).values())
    return Sequence(unpaired_interval(mine, [*before, *after]), unpaired_interval(after, before))


def _rates(state: VariantState) -> dict[int, float]:
    """By round; worked out once for each trial, since a window asks several times a second."""
    for trial in state.trials:
        if trial.round not in state.rates:
            state.rates[trial.round] = metrics.trial_rate(trial)
    return {t.round: rate for t in state.trials if (rate := state.rates[t.round])}
