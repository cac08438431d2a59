"""Layers painted over a whole plot in pixels: only what is visible, placed anew with each size and zoom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen, QPolygonF, QTransform

from app.base.theme import theme
from app.charts.label_layout import along, place_beside

NEAR_PX = 16  # marks that are nearer share one label
MARK, LINE = 13.0, 15.0  # pixels: a mark, and the height of a label
PAD = 4.0  # pixels left and right of words

T = TypeVar("T")


class Room:
    """The transform from both axes to pixels; `seen` is the visible part in the axes' units."""

    def __init__(self, to_pixels: QTransform, seen: QRectF) -> None:
        self._to_pixels, self.seen = to_pixels, seen
        self.rect = to_pixels.mapRect(seen)

    def at(self, x: float, y: float) -> QPointF:
        return self._to_pixels.map(QPointF(x, y))

    def x(self, value: float) -> float:
        return self.at(value, self.seen.top()).x()

    def y(self, value: float) -> float:
        return self.at(self.seen.left(), value).y()

    def back(self, rect: QRectF) -> QRectF:
        """Return a rectangle of pixels in the axes' units."""
        return self._to_pixels.inverted()[0].mapRect(rect)


class Layer(pg.GraphicsObject):
    """An item that covers all of a plot's view."""

    def paint_over(self, painter: QPainter, room: Room) -> None:
        raise NotImplementedError

    def boundingRect(self) -> QRectF:
        return self.viewRect() or QRectF()

    def viewTransformChanged(self) -> None:
        self.prepareGeometryChange()
        super().viewTransformChanged()

    def paint(self, painter: QPainter, *args) -> None:
        seen = self.viewRect()
        if seen is None:
            return
        room = Room(painter.transform(), seen)
        painter.save()
        painter.resetTransform()
        self.paint_over(painter, room)
        painter.restore()


class MarksLayer(Layer):
    """A layer of marks and labels that cover nothing: whatever its methods paint occupies its place."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[str] = []  # the painted labels ...
        self.places: list[QRectF] = []  # ... where they stand ...
        self.taken: list[QRectF] = []  # ... and what labels must avoid: lines as squares
        self.area = QRectF()

    def paint_over(self, painter: QPainter, room: Room) -> None:
        self.labels, self.places, self.taken, self.area = [], [], [], room.rect
        self.paint_marks(painter, room)

    def paint_marks(self, painter: QPainter, room: Room) -> None:
        raise NotImplementedError

    def line(self, painter: QPainter, pen: QPen, points: Sequence[QPointF]) -> None:
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points))
        self.taken += along(points)

    def words(
        self, painter: QPainter, at: QPointF, text: str, anchor: tuple[float, float], ground: bool = False
    ) -> None:
        """Paint a text in the painter's font and pen, on a `ground` of its own or none; `anchor` is the share of the
        text left of and above `at`."""
        wide, high = painter.fontMetrics().horizontalAdvance(text) + 2 * PAD, LINE + 2
        rect = QRectF(at.x() - anchor[0] * wide, at.y() - anchor[1] * high, wide, high)
        if ground:
            painter.fillRect(rect, theme.color("panel"))
        _write(painter, rect.adjusted(PAD, 0, 0, 0), text)
        self.taken.append(rect)

    def mark(self, painter: QPainter, at: QPointF, index: int, filled: bool) -> None:
        """Paint the symbol of a variant in its hue."""
        colour, ground = theme.variant(index), theme.color("panel")
        pen = pg.mkPen(ground if filled else colour, width=1.5 if filled else 2)
        painter.save()
        painter.translate(at)
        drawSymbol(painter, theme.symbol(index), MARK - 1, pen, pg.mkBrush(colour if filled else ground))
        painter.restore()
        self.taken.append(_square(at))

    def label(self, painter: QPainter, marks: Iterable[QPointF], text: str) -> None:
        """Paint a label beside overlapping marks."""
        own = QRectF()
        for at in marks:
            own = own.united(_square(at))
        wide = painter.fontMetrics().horizontalAdvance(text) + 2.0
        place = place_beside(own, wide, LINE, self.area, self.taken)
        _write(painter, place, text)
        self.taken.append(place)
        self.labels.append(text)
        self.places.append(place)


def _square(at: QPointF) -> QRectF:
    """Return the square that a mark covers."""
    return QRectF(at.x() - MARK / 2, at.y() - MARK / 2, MARK, MARK)


def _write(painter: QPainter, rect: QRectF, text: str) -> None:
    """Paint left-aligned, vertically centred text."""
    metrics = painter.fontMetrics()
    painter.drawText(QPointF(rect.left(), rect.center().y() + (metrics.ascent() - metrics.descent()) / 2), text)


def grouped(
    marks: Sequence[T], at: Callable[[T], QPointF], alike: Callable[[T, T], bool] = lambda _a, _b: True
) -> list[list[T]]:
    """Return groups of overlapping marks: those near the first of each group in pixels, and `alike`."""
    groups: list[list[T]] = []
    for mark in marks:
        place = at(mark)
        for group in groups:
            apart = at(group[0]) - place
            if abs(apart.x()) < NEAR_PX and abs(apart.y()) < NEAR_PX and alike(group[0], mark):
                group.append(mark)
                break
        else:
            groups.append([mark])
    return groups
