"""Paints the lanes of the token timeline: one per variant, one bar per step. Only the visible part is painted; of bars
narrower than a pixel, the tallest in each pixel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.base.theme import theme
from app.charts.overlay_layers import Layer, Room
from app.widgets.basics import paint_badge
from core.results.token_timeline import Lane, Span

HEAD, FOOT = 22.0, 8.0  # of a lane: above its bars, and below
BASE = 0.35  # height of a step of one token where others have more
PREFILL_ALPHA, DRAFT_ALPHA = 0.45, 0.55


class Bars:
    """A lane as arrays for painting."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.starts = np.array([s.start_ms for s in lane.spans])
        self.ends = np.array([s.end_ms for s in lane.spans])
        self.tokens = np.array([s.tokens for s in lane.spans])
        self.steps = np.array([s.kind == "step" for s in lane.spans], dtype=bool)

    def within(self, low: float, high: float) -> range:
        first = int(np.searchsorted(self.ends, low))
        return range(first, int(np.searchsorted(self.starts, high)))

    def at(self, ms: float) -> Span | None:
        place = int(np.searchsorted(self.ends, ms))
        if place < len(self.starts) and self.starts[place] <= ms:
            return self.lane.spans[place]
        return None


class LanesLayer(Layer):
    """Paints the lanes in pixels."""

    def __init__(self, index_of: Callable[[str], int], heading: Callable[[Lane], str]) -> None:
        super().__init__()
        self._index_of, self._heading = index_of, heading
        self.bars: list[Bars] = []
        self.most = 1  # tokens of a step

    def set_lanes(self, lanes: list[Lane]) -> None:
        self.bars = [Bars(lane) for lane in lanes]
        steps = (b.tokens[b.steps] for b in self.bars)
        self.most = max([int(t.max()) for t in steps if len(t)] or [1])
        self.update()

    def paint_over(self, painter: QPainter, room: Room) -> None:
        for number, bars in enumerate(self.bars):
            top, bottom = room.at(room.seen.left(), number), room.at(room.seen.right(), number + 1)
            self._lane(painter, QRectF(top, bottom).normalized(), bars, room.seen, room.x)

    def _lane(self, painter: QPainter, room: QRectF, bars: Bars, view: QRectF, x_of: Callable[[float], float]) -> None:
        index = self._index_of(bars.lane.variant)
        self._head(painter, room, bars.lane, index)
        floor, high = room.bottom() - FOOT, room.height() - HEAD - FOOT
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QLineF(room.left(), floor + 0.5, room.right(), floor + 0.5))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        seen = bars.within(view.left(), view.right())
        if len(seen) > room.width():
            self._columns(painter, room, bars, seen, floor, high, index, x_of)
        else:
            for place in seen:
                self._bar(painter, bars.lane.spans[place], floor, high, index, x_of)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in bars.lane.marks:
            if view.left() <= mark.at_ms <= view.right():
                self._mark(painter, x_of(mark.at_ms), room.top() + HEAD, floor)

    def _head(self, painter: QPainter, room: QRectF, lane: Lane, index: int) -> None:
        """Paint letter, name and a summary of the request."""
        paint_badge(painter, QRectF(room.left() + 2, room.top() + 3, 16, 16), index)
        painter.setFont(theme.font(12, 500))
        painter.setPen(theme.color("text"))
        line = QRectF(room.left() + 24, room.top() + 2, room.width() - 30, 18)
        metrics = painter.fontMetrics()
        name = metrics.elidedText(lane.variant, Qt.TextElideMode.ElideMiddle, int(0.45 * room.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)
        line.setLeft(line.left() + metrics.horizontalAdvance(name) + 12)
        painter.setFont(theme.font(11))
        painter.setPen(theme.color("text2"))
        facts = painter.fontMetrics().elidedText(
            self._heading(lane), Qt.TextElideMode.ElideRight, max(0, int(line.width()))
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, facts)

    def _height(self, tokens: int) -> float:
        """Return a bar's share of the lane's height."""
        if self.most <= 1:
            return 0.8 if tokens else 0.12
        return BASE + (1 - BASE) * (tokens - 1) / (self.most - 1) if tokens else 0.12

    def _bar(
        self, painter: QPainter, span: Span, floor: float, high: float, index: int, x_of: Callable[[float], float]
    ) -> None:
        left, right = round(x_of(span.start_ms)), round(x_of(span.end_ms))
        gap = 1 if right - left > 2 and span.kind == "step" else 0
        rect = QRectF(left, 0, max(1, right - left - gap), 0)
        if span.kind in ("queue", "rest"):
            top = floor - 0.3 * high
            painter.fillRect(rect.adjusted(0, top, 0, floor), _faded(theme.color("text3"), 0.35))
            return
        if span.kind == "prefill":
            block = rect.adjusted(0, floor - high, 0, floor)
            painter.fillRect(block, _faded(theme.variant(index), PREFILL_ALPHA))
            painter.setFont(theme.font(11))
            painter.setPen(theme.color("text"))
            name = self.tr("prompt")
            if painter.fontMetrics().horizontalAdvance(name) + 8 <= block.width():
                painter.drawText(block, Qt.AlignmentFlag.AlignCenter, name)
            return
        top = floor - self._height(span.tokens) * high
        own = floor - self._height(min(1, span.tokens)) * high  # the token that a step makes anyway
        painter.fillRect(rect.adjusted(0, own, 0, floor), theme.variant(index))
        if span.accepted:
            painter.fillRect(rect.adjusted(0, top, 0, own - 1), _faded(theme.variant(index), DRAFT_ALPHA))

    def _columns(
        self, painter: QPainter, room: QRectF, bars: Bars, seen: range, floor: float, high: float, index: int,
        x_of: Callable[[float], float],
    ) -> None:  # fmt: skip
        """Paint bars narrower than a pixel: in each pixel the step with the most tokens."""
        places = np.arange(seen.start, seen.stop)
        origin, scale = x_of(0.0), x_of(1.0) - x_of(0.0)
        columns = np.floor(origin + scale * bars.starts[places]).astype(int)
        first = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
        tallest = np.maximum.reduceat(np.where(bars.steps[places], bars.tokens[places], 0), first)
        for column, tokens in zip(columns[first], tallest, strict=True):
            top = floor - self._height(int(tokens)) * high
            painter.fillRect(QRectF(float(column), top, 1.0, floor - top), theme.variant(index))
        for place in seen:
            if not bars.steps[place]:
                self._bar(painter, bars.lane.spans[place], floor, high, index, x_of)

    def _mark(self, painter: QPainter, x: float, top: float, floor: float) -> None:
        """Paint a flag above the lane at a decision of the engine."""
        painter.setPen(QPen(theme.color("warn"), 1.5))
        painter.drawLine(QLineF(x, top - 2, x, floor))
        painter.setBrush(theme.color("warn"))
        painter.drawPolygon(QPolygonF([QPointF(x - 4, top - 4), QPointF(x + 4, top - 4), QPointF(x, top + 3)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)


def _faded(colour: QColor, alpha: float) -> QColor:
    colour.setAlphaF(alpha)
    return colour
