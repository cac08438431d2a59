"""Paired ratios, their intervals and verdicts (`metrics.md`, Trials and verdicts). Knows numbers only.

The unit is the round: in each, every variant ran once on the same prompt, so the ratio within a round is free
of the machine's drift.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

Verdict = Literal["", "baseline", "faster", "slower", "within_margin", "undecided", "unpaired", "withheld"]

MARGIN = 0.03  # equivalence margin of the ratio
MIN_ROUNDS = 4  # before that, no verdict
BOOTSTRAP_FROM = 20  # rounds; below, a percentile bootstrap covers 83 to 88 % only


@dataclass(frozen=True)
class Interval:
    """A ratio with its 95 % interval. `sd` is the standard deviation of the log ratios."""

    ratio: float
    low: float
    high: float
    rounds: int
    sd: float
    method: Literal["t", "bootstrap"]


def paired_interval(ratios: Sequence[float], confidence: float = 0.95, seed: int = 0) -> Interval | None:
    """Geometric mean of per-round ratios; a t interval on their logs below 20 rounds, a bootstrap over rounds
    from 20 on. None below two rounds."""
    n = len(ratios)
    if n < 2 or min(ratios) <= 0:
        return None
    logs = np.log(np.asarray(ratios, dtype=float))
    mean, sd = float(logs.mean()), float(logs.std(ddof=1))
    if n < BOOTSTRAP_FROM:
        half = t_quantile(confidence, n - 1) * sd / math.sqrt(n)
        return Interval(math.exp(mean), math.exp(mean - half), math.exp(mean + half), n, sd, "t")
    draws = np.random.default_rng(seed).choice(logs, size=(4000, n)).mean(axis=1)
    low, high = (float(q) for q in np.quantile(draws, [(1 - confidence) / 2, (1 + confidence) / 2]))
    return Interval(math.exp(mean), math.exp(low), math.exp(high), n, sd, "bootstrap")


def t_quantile(confidence: float, degrees: int) -> float:
    """Two-sided quantile of Student's t distribution."""
    from scipy.special import stdtrit  # imported late: the window opens without scipy

    return float(stdtrit(degrees, (1 + confidence) / 2))


def verdict(interval: Interval | None, margin: float = MARGIN) -> Verdict:
    """faster or slower if the interval lies outside the margin, within_margin if inside, else undecided."""
    if interval is None or interval.rounds < MIN_ROUNDS:
        return ""
    lower, upper = 1 / (1 + margin), 1 + margin
    if interval.low > upper:
        return "faster"
    if interval.high < lower:
        return "slower"
    return "within_margin" if lower <= interval.low and interval.high <= upper else "undecided"


def smallest_detectable(interval: Interval, margin: float = MARGIN) -> float:
    """The change that these rounds could have told from the margin, as a share: 0.05 is 5 %."""
    half = t_quantile(0.95, interval.rounds - 1) * interval.sd / math.sqrt(interval.rounds)
    return math.exp(math.log1p(margin) + half) - 1


def rounds_to_settle(interval: Interval, margin: float = MARGIN, limit: int = 10_000) -> int | None:
    """Rounds that would likely settle an undecided verdict if mean and noise stay as they are; None beyond
    `limit`."""
    mean, edge = math.log(interval.ratio), math.log1p(margin)
    distance = abs(abs(mean) - edge)
    if distance == 0:
        return None
    n = max(interval.rounds, MIN_ROUNDS)
    while n <= limit:
        if t_quantile(0.95, n - 1) * interval.sd / math.sqrt(n) < distance:
            return n
        n += max(1, n // 20)
    return None
