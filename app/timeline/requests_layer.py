"""Paints the requests of a trial: one row each, with waiting, prompt and tokens, and the slot in its bar. Variants are
stacked, each under a heading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.base.theme import theme
from app.charts.overlay_layers import Layer, Room
from app.widgets.basics import paint_badge
from core.results.request_lanes import Lanes, RequestLane

HEAD_ROWS = 1.6  # height of a variant's line, in rows
QUEUE, PROMPT = 0.3, 0.45  # opacity of what is not decoding


@dataclass(frozen=True)
class RequestRow:
    """A request's row, counted from the top."""

    top: float
    lanes: Lanes
    request: RequestLane


class RequestsLayer(Layer):
    def __init__(self, index_of: Callable[[str], int], heading: Callable[[Lanes], str]) -> None:
        super().__init__()
        self._index_of, self._heading = index_of, heading
        self.heads: list[tuple[float, Lanes]] = []
        self.rows: list[RequestRow] = []
        self.height = 0.0

    def set_lanes(self, found: list[Lanes]) -> None:
        self.heads, self.rows, top = [], [], 0.0
        for lanes in found:
            self.heads.append((top, lanes))
            top += HEAD_ROWS
            for request in lanes.requests:
                self.rows.append(RequestRow(top, lanes, request))
                top += 1
        self.height = top
        self.update()

    def at(self, y: float) -> RequestRow | None:
        """Return the request in a row of the axis."""
        return next((row for row in self.rows if row.top <= y < row.top + 1), None)

    def paint_over(self, painter: QPainter, room: Room) -> None:
        for top, lanes in self.heads:
            self._head(painter, room, top, lanes)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for row in self.rows:
            self._row(painter, room, row)

    def _head(self, painter: QPainter, room: Room, top: float, lanes: Lanes) -> None:
        """Paint letter, name and a summary of all requests."""
        high, left = room.y(top + HEAD_ROWS) - room.y(top), room.rect.left()
        middle = room.y(top) + high / 2
        paint_badge(painter, QRectF(left + 2, middle - 8, 16, 16), self._index_of(lanes.variant))
        line = QRectF(left + 24, middle - 9, room.rect.width() - 30, 18)
        painter.setFont(theme.font(12, 500))
        painter.setPen(theme.color("text"))
        metrics = painter.fontMetrics()
        name = metrics.elidedText(lanes.variant, Qt.TextElideMode.ElideMiddle, int(0.45 * line.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)
        line.setLeft(line.left() + metrics.horizontalAdvance(name) + 12)
        painter.setFont(theme.font(11))
        painter.setPen(theme.color("text2"))
        told = painter.fontMetrics().elidedText(self._heading(lanes), Qt.TextElideMode.ElideRight, int(line.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, told)

    def _row(self, painter: QPainter, room: Room, row: RequestRow) -> None:
        request, colour = row.request, theme.variant(self._index_of(row.lanes.variant))
        top, bottom = room.y(row.top), room.y(row.top + 1) - 2

        def bar(start: float, end: float, paint: QColor, share: float = 1.0) -> QRectF:
            left, right = room.x(start), room.x(end)
            high = share * (bottom - top)
            rect = QRectF(left, bottom - high, max(1.0, right - left), high)
            painter.fillRect(rect, paint)
            return rect

        if request.queue_ms > 0:
            bar(request.arrival_ms, request.dispatch_ms, _faded(theme.color("text3"), QUEUE), 0.4)
        first = request.first_ms if request.first_ms is not None else request.end_ms
        prompt = bar(request.dispatch_ms, first, _faded(colour, PROMPT))
        if request.first_ms is not None:
            bar(first, request.end_ms, colour)
        if not request.ok:
            painter.setPen(QPen(theme.color("err"), 1.5))
            painter.drawLine(QLineF(prompt.left(), bottom, room.x(request.end_ms), top))
        self._slot(painter, prompt, request)

    @staticmethod
    def _slot(painter: QPainter, prompt: QRectF, request: RequestLane) -> None:
        """Paint the slot's number if the bar has room."""
        painter.setFont(theme.font(10))
        text = str(request.slot + 1)
        if painter.fontMetrics().horizontalAdvance(text) + 4 <= prompt.width() and prompt.height() >= 11:
            painter.setPen(theme.color("text"))
            painter.drawText(prompt, Qt.AlignmentFlag.AlignCenter, text)


def _faded(colour: QColor, alpha: float) -> QColor:
    paler = QColor(colour)
    paler.setAlphaF(alpha)
    return paler
