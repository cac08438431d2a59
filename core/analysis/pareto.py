"""The Pareto front of points in two figures."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Literal

Better = Literal["higher", "lower"]


def front(points: Sequence[tuple[float, float]], better: tuple[Better, Better]) -> list[int]:
    """Return the indices of the points that no other point dominates, sorted by the first figure; equal points are all
    kept."""
    signs = [1.0 if word == "higher" else -1.0 for word in better]
    good = [(signs[0] * x, signs[1] * y) for x, y in points]
    found = [i for i, mine in enumerate(good) if not any(_beats(other, mine) for other in good)]
    return sorted(found, key=lambda i: points[i])


def _beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one != other and one[0] >= other[0] and one[1] >= other[1]


def corners(points: Sequence[tuple[float, float]], better: tuple[Better, Better]) -> list[tuple[float, float]]:
    """Return the attainable line through a front's points, in their order: between two neighbours only the worse of
    both in each figure is known to be attainable."""
    line = list(points[:1])
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        worse = min if better[0] == "higher" else max, min if better[1] == "higher" else max
        line += [(worse[0](x0, x1), worse[1](y0, y1)), (x1, y1)]
    return line
