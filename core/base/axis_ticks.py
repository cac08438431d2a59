"""Round tick values along an axis."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import ceil, floor, log10

LEAST, MOST = 3, 10  # ticks of an axis with labels
APART = (36.0, 12.0, 4.0)  # pixels between two labels: calm, legible, just apart


def nice(step: float) -> float:
    """Return the smallest of 1, 2 or 5 times a power of ten that is not below `step`; 1 for a step of 0."""
    if step <= 0:
        return 1.0
    power = 10.0 ** floor(log10(step))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= step * 0.999)


def ticks(low: float, high: float, most: float) -> tuple[float, list[float]]:
    """Return a round step and its multiples from `low` to `high`, at most about `most` of them."""
    step = nice((high - low) / most)
    return step, [i * step for i in range(ceil(low / step), floor(high / step) + 1)]


def labelled(low: float, high: float, size: float, wide: Callable[[float], float]) -> tuple[float, list[float]]:
    """Return ticks as `ticks` does, as many as fit along `size` pixels with labels of `wide(value)` pixels: no label
    passes the end, and labels keep a distance, which shrinks if fewer than three would fit."""

    def at(value: float) -> float:
        return (value - low) / (high - low) * size

    best: tuple[float, list[float]] = (high - low, [])
    for apart in APART:
        for most in range(MOST, 0, -1):
            step, found = ticks(low, high, most)
            inside = [v for v in found if at(v) + wide(v) / 2 <= size]
            room = (at(b) - at(a) - (wide(a) + wide(b)) / 2 for a, b in pairwise(inside))
            if min(room, default=apart) >= apart and len(inside) > len(best[1]):
                best = step, inside
        if len(best[1]) >= LEAST:
            break
    return best
