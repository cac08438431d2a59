"""Places the letters of rising curves beside their own curve and off all others."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

K = TypeVar("K", bound=Hashable)
Curve = tuple[np.ndarray, np.ndarray]  # x and y, both rising
Box = tuple[float, float, float, float]  # left, right, bottom, top

#: Heights at which a letter may stand, as shares of the highest; the first that is free is taken.
HEIGHTS = (0.75, 0.6, 0.45, 0.3, 0.15, 0.9)
CLOSE = tuple(np.linspace(0.95, 0.02, 32))  # where none of them is
LITTLE = 16  # a part so large of a letter is between it and a flat curve


def places(curves: Mapping[K, Curve], area: Box, size: tuple[float, float], gap: float) -> dict[K, tuple[float, float]]:
    """Return (left end, middle height) of the letter of each curve: a free place inside `area`, else the place that
    covers the fewest curves; none if letters fill the room. `size` is a letter's width and height, `gap` its distance
    from the curve, all in the curves' units."""
    found: dict[K, tuple[float, float]] = {}
    taken: list[Box] = []
    drawn = {key: curve for key, curve in curves.items() if len(curve[0])}
    for key, curve in drawn.items():
        for box in _beside(curve, area, size, gap):
            if any(_meet(box, other) for other in taken) or any(_runs(other, box) for other in drawn.values()):
                continue
            taken.append(box)
            found[key] = box[0], (box[2] + box[3]) / 2
            break
    for key, curve in drawn.items():  # the rest stand where they cover least: none is left out
        free = [b for b in _beside(curve, area, size, gap, CLOSE) if not any(_meet(b, other) for other in taken)]
        if key not in found and free:
            box = min(free, key=lambda b: sum(_runs(other, b) for other in drawn.values()))
            taken.append(box)
            found[key] = box[0], (box[2] + box[3]) / 2
    return found


def _beside(
    curve: Curve, area: Box, size: tuple[float, float], gap: float, heights: Sequence[float] = HEIGHTS
) -> Iterator[Box]:
    """Yield the places of a letter: right or left of a curve; on a flat part right below or left above."""
    (xs, ys), (wide, high) = curve, size
    for share in heights:
        y = share * float(ys[-1])
        x = float(np.interp(y, ys, xs))
        right, left, little = x + gap, x - gap - wide, high / LITTLE
        for at, low in ((right, y - high / 2), (left, y - high / 2), (right, y - high - little), (left, y + little)):
            box = at, at + wide, low, low + high
            if area[0] <= box[0] and box[1] <= area[1] and area[2] <= box[2] and box[3] <= area[3]:
                yield box


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _runs(curve: Curve, box: Box) -> bool:
    """Return whether a curve runs through a box."""
    below, above = np.interp(box[2:], curve[1], curve[0])
    return bool(below < box[1] and above > box[0])
