"""Round values along an axis of amounts. Knows no unit; draws nothing."""

from __future__ import annotations

from math import ceil, floor, log10


def nice(step: float) -> float:
    """The next 1, 2 or 5 times a power of ten; 1 where there is nothing to divide."""
    if step <= 0:
        return 1.0
    power = 10.0 ** floor(log10(step))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= step * 0.999)


def ticks(low: float, high: float, most: float) -> tuple[float, list[float]]:
    """A round step, and its multiples from `low` to `high`: about as many as `most` tells, or fewer."""
    step = nice((high - low) / most)
    return step, [i * step for i in range(ceil(low / step), floor(high / step) + 1)]
