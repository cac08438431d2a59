"""Statistics of prompt lengths, in tokens or characters: extremes, median, histogram."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from statistics import median

from core.base.axis_ticks import nice
from core.base.value import Value

BINS = 12
COUNTED = 1_000  # prompts of a set whose tokens are counted: the first ones


class Bin(Value):
    """The prompts of length `low` to `high` - 1; with `high` None, of length `low` and more."""

    low: int
    high: int | None
    count: int


class Lengths(Value):
    count: int
    shortest: int
    median: float
    longest: int
    bins: list[Bin]


def lengths(of: Sequence[int]) -> Lengths | None:
    """Return the statistics; None of no prompts. The last bin collects prompts longer than 98 % of all, if they are far
    longer."""
    if not of:
        return None
    ordered = sorted(of)
    shortest, longest = ordered[0], ordered[-1]
    usual = ordered[min(len(ordered) - 1, int(0.98 * len(ordered)))]
    top = usual if longest - shortest > 2 * (usual - shortest) > 0 else longest
    step = int(nice(ceil((top - shortest + 1) / BINS)))
    low = floor(shortest / step) * step
    bins = []
    while low <= top:
        last = low + step > top
        high = None if last and top < longest else low + step
        inside = sum(low <= n and (high is None or n < high) for n in ordered)
        bins.append(Bin(low=low, high=high, count=inside))
        low += step
    return Lengths(count=len(ordered), shortest=shortest, median=float(median(ordered)), longest=longest, bins=bins)
