"""Benchmarks: ratios of runs that were interleaved in one process, with their intervals. Never part of a test."""

from __future__ import annotations

from core.base.value import Value
from core.results.ratio_statistics import paired_interval


class Figure(Value):
    """One line of build/bench.json. `ratio` is a plain figure where `unit` is not ×; the range is `low`–`high`."""

    name: str
    ratio: float
    low: float | None
    high: float | None
    against: str
    unit: str


def paired(name: str, against: str, mine: list[float], theirs: list[float]) -> Figure:
    """The geometric mean of the ratios, round by round, with its 95 % interval."""
    interval = paired_interval([a / b for a, b in zip(mine, theirs, strict=True)])
    assert interval is not None
    return Figure(name=name, ratio=interval.ratio, low=interval.low, high=interval.high, against=against, unit="×")


def spread(name: str, values: list[float], against: str, unit: str) -> Figure:
    """The median of repeated readings with their range."""
    ordered = sorted(values)
    return Figure(
        name=name, ratio=ordered[len(ordered) // 2], low=ordered[0], high=ordered[-1], against=against, unit=unit
    )
