"""Places labels so that they are not cut and cover no mark, line or other label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QPointF, QRectF

GAP = 5.0  # pixels between a mark and its label
RINGS = 4  # how many lines away from its mark a label may stand
THICK = 4.0  # pixels of a line that are kept free


def place_beside(mark: QRectF, wide: float, high: float, area: QRectF, taken: Sequence[QRectF]) -> QRectF:
    """Return the first free place inside `area`: right of the mark, left, below, above, then farther away; if none is
    free, the place that covers the least of `taken`."""
    inside = [place for place in _candidates(mark, wide, high) if area.contains(place)]
    if not inside:
        return QRectF(area.left(), area.top(), wide, high)
    covered = []
    for place in inside:
        covered.append(_covered(place, taken))
        if not covered[-1]:
            return place
    return inside[covered.index(min(covered))]  # of equals, the first


def along(points: Iterable[QPointF]) -> list[QRectF]:
    """Return squares that cover a line through points."""
    found: list[QRectF] = []
    before: QPointF | None = None
    for point in points:
        if before is not None:
            length = max(abs(point.x() - before.x()), abs(point.y() - before.y()))
            steps = max(1, min(400, int(length / THICK)))
            for step in range(steps + 1):
                at = before + (point - before) * (step / steps)
                found.append(QRectF(at.x() - THICK / 2, at.y() - THICK / 2, THICK, THICK))
        before = point
    return found


def _candidates(mark: QRectF, wide: float, high: float) -> Iterator[QRectF]:
    middle = mark.center()
    right, left = mark.right() + GAP, mark.left() - GAP - wide
    yield QRectF(right, middle.y() - high / 2, wide, high)
    yield QRectF(left, middle.y() - high / 2, wide, high)
    yield QRectF(middle.x() - wide / 2, mark.bottom() + 2, wide, high)
    yield QRectF(middle.x() - wide / 2, mark.top() - high - 2, wide, high)
    for ring in range(1, RINGS + 1):
        for side in (right, left, middle.x() - wide / 2):
            for way in (-1, 1):
                yield QRectF(side, middle.y() - high / 2 + way * ring * 0.75 * high, wide, high)


def _covered(place: QRectF, taken: Sequence[QRectF]) -> float:
    """Return the square pixels of a place that are taken."""
    return sum(over.width() * over.height() for t in taken if not (over := place.intersected(t)).isEmpty())
