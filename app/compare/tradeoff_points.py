"""The positions of variants by two measures, and what the plot draws."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

from app.compare.compare_rows import CompareRow
from core.analysis.contrast import Contrast
from core.analysis.measures import Measure
from core.spec.gate import Gate

AMOUNTS = ("peak_memory", "weights")  # in GiB from 0: what they must fit into is an amount


@dataclass(frozen=True)
class Spot:
    """A variant's position on one axis, with its 95 % interval if it has one."""

    value: float
    low: float | None
    high: float | None
    decided: bool


@dataclass(frozen=True)
class TradeoffPoint:
    entry: CompareRow
    x: Spot
    y: Spot

    @property
    def decided(self) -> bool:
        return self.x.decided and self.y.decided


def spot(by: Measure, found: Contrast | None) -> Spot | None:
    """Return an amount's value or a ratio to the reference; None if there is nothing to draw."""
    if found is None:
        return None
    if by.key in AMOUNTS:
        return Spot(found.value / 2**30, None, None, True) if found.value else None
    value = found.value if by.amount else found.ratio
    if value is None:
        return None
    return Spot(value, found.low, found.high, found.decided or found.verdict == "baseline" or by.amount)


def is_ratio(by: Measure) -> bool:
    return not by.amount and by.key not in AMOUNTS


def plotted(by: Measure, value: float) -> float:
    """Return the position on the axis; ratios are logarithmic."""
    return log(max(value, 1e-9)) if is_ratio(by) else value


def limits(by: Measure, gate: Gate | None, capacity: float | None) -> list[float]:
    """Return a measure's limits: the ends of green and amber for divergence, the available GiB for memory."""
    if by.key == "kld" and gate is not None:
        return [gate.kld_green, gate.kld_amber]
    return [capacity] if by.key in AMOUNTS and capacity is not None else []


def extent(by: Measure, spots: Iterable[Spot], first_limit: float | None) -> tuple[float, float]:
    """Return an axis's range: all marks with their intervals, and the first limit if it is near."""
    values = [v for s in spots for v in (s.value, s.low, s.high) if v is not None]
    if is_ratio(by):
        places = [plotted(by, value) for value in (*values, 1.0)]
        low, high = min(places), max(places)
        room = max(0.06, 0.16 * (high - low))
        return low - room, high + room
    most = max(values)
    if first_limit is not None and (by.key not in AMOUNTS or first_limit < 3 * most):
        most = max(most, first_limit)
    most = most or 1.0
    return -0.06 * most, 1.2 * most
