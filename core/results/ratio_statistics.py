"""Ratios, their intervals and verdicts (resources/manual/en/sure.md). The unit is the round: every variant runs once
per round on the same prompt, so that the ratio within a round is free of the machine's drift.

Intervals are t intervals on the logs of the ratios, at any number of rounds: `python -m tests.bench.calibration` shows
that they cover 93 to 97 %, and a percentile bootstrap less, up to 32 rounds.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Verdict = Literal["", "baseline", "faster", "slower", "within_margin", "undecided", "unpaired", "withheld"]

MARGIN = 0.03  # equivalence margin of the ratio
MIN_ROUNDS = 4  # before that, no verdict
#: A run that stops as soon as its intervals are narrow stops where the noise looks smaller than it is. From this
#: many rounds on that costs about one point of coverage; from 10 rounds on it would cost two, and from 4 three.
MIN_ROUNDS_UNTIL = 16


@dataclass(frozen=True)
class Interval:
    """A ratio with its 95 % interval. `sd` is the standard deviation of the log ratios. `confidence` is the level of
    the t quantile, which is higher if rounds were added after looking (`confidence_after`)."""

    ratio: float
    low: float
    high: float
    rounds: int
    sd: float
    method: Literal["t", "welch"]
    confidence: float = 0.95

    @property
    def half_width_pct(self) -> float:
        """Half the interval's width in % of the ratio: 3 is ±3 %."""
        return 100 * math.expm1(math.log(self.high / self.low) / 2)


def paired_interval(ratios: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Return the geometric mean of per-round ratios with a t interval on their logs; None below two rounds."""
    n = len(ratios)
    if n < 2 or min(ratios) <= 0:
        return None
    logs = np.log(np.asarray(ratios, dtype=float))
    mean, sd = float(logs.mean()), float(logs.std(ddof=1))
    half = float(half_width(sd, n, confidence))
    return Interval(math.exp(mean), math.exp(mean - half), math.exp(mean + half), n, sd, "t", confidence)


def confidence_after(looks: int) -> float:
    """Return the level of the t quantile with which 95 % of all runs contain the true ratio, if rounds were added
    `looks` times because of earlier rounds. All looks share the 5 %. Without that, 8 % of the runs with a true ratio
    just on the margin end as faster after three additions, and 80 to 88 % of the intervals contain it; with it 3 to 5
    %, and 90 to 95 %."""
    return 1 - 0.05 / (1 + looks)


def unpaired_interval(mine: Sequence[float], base: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Return the ratio of two sets of rates measured one after the other, with Welch's t interval on their logs; None
    below two rates of each. `sd` is that of a log ratio of as many rounds as the smaller set has."""
    if min(len(mine), len(base)) < 2 or min(*mine, *base) <= 0:
        return None
    a, b = np.log(np.asarray(mine, dtype=float)), np.log(np.asarray(base, dtype=float))
    parts = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    total = float(sum(parts))
    freedom = sum(p**2 / (n - 1) for p, n in zip(parts, (len(a), len(b)), strict=True))
    degrees = total**2 / freedom if freedom > 0 else len(a) + len(b) - 2
    mean, half = float(a.mean() - b.mean()), float(t_quantile(confidence, degrees)) * math.sqrt(total)
    n = min(len(a), len(b))
    return Interval(math.exp(mean), math.exp(mean - half), math.exp(mean + half), n, math.sqrt(total * n), "welch")


def half_width(sd: Any, rounds: Any, confidence: float = 0.95) -> Any:
    """Return half the width of the interval of a mean of logs, for numbers or arrays; infinite below two rounds."""
    rounds = np.asarray(rounds)
    degrees = np.maximum(rounds - 1, 1)
    return np.where(rounds > 1, t_quantile(confidence, degrees) * sd / np.sqrt(rounds), np.inf)


def t_quantile(confidence: float, degrees: Any) -> Any:
    """Return the two-sided quantile of Student's t distribution, for a number or an array of degrees of freedom."""
    from scipy.special import stdtrit  # imported late: the window opens without scipy

    return stdtrit(degrees, (1 + confidence) / 2)


def verdict(interval: Interval | None, margin: float = MARGIN) -> Verdict:
    """Return faster or slower if the interval lies outside the margin, within_margin if inside, else undecided."""
    if interval is None or interval.rounds < MIN_ROUNDS:
        return ""
    lower, upper = 1 / (1 + margin), 1 + margin
    if interval.low > upper:
        return "faster"
    if interval.high < lower:
        return "slower"
    return "within_margin" if lower <= interval.low and interval.high <= upper else "undecided"


def smallest_detectable(interval: Interval, margin: float = MARGIN) -> float:
    """Return the change that these rounds could have distinguished from the margin, as a share: 0.05 is 5 %."""
    return math.expm1(math.log1p(margin) + float(half_width(interval.sd, interval.rounds, interval.confidence)))


def rounds_to_settle(interval: Interval, margin: float = MARGIN, limit: int = 10_000) -> int | None:
    """Return the rounds that would likely settle an undecided verdict if mean and noise stay the same; None beyond
    `limit`."""
    distance = abs(abs(math.log(interval.ratio)) - math.log1p(margin))
    return rounds_for(interval.sd, distance, max(interval.rounds, MIN_ROUNDS), limit, interval.confidence)


def rounds_for(
    sd: float, half: float, least: int = MIN_ROUNDS, limit: int = 10_000, confidence: float = 0.95
) -> int | None:
    """Return the fewest rounds, at least `least`, whose interval has at most that half width on the log scale with
    noise `sd`; None beyond `limit`."""
    counts = range(least, limit + 1)
    place = bisect_left(counts, -half, key=lambda n: -float(half_width(sd, n, confidence)))
    return counts[place] if half > 0 and place < len(counts) else None
