"""A painted chart with a row for each variant: rows shrink until all fit; where even that is too little room, the wheel
and the arrows move through them, and a bar beside them shows where one is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent, QWheelEvent

from app.base.theme import theme
from app.charts.bar_axis import MOST
from app.charts.painted_chart import PaintedChart

NOTCH = 120  # of a wheel
THICK = 4.0  # px, the bar


class ScrolledRows(PaintedChart):
    """A subclass tells how many rows there are and paints those of `shown`."""

    _rows, _first, _least, _foot, _turned = 0, 0, 1.0, 0.0, 0

    def show_rows(self, rows: int, least: float, foot: float) -> None:
        """How many; the least height of one; the height of what stands below them."""
        self._rows, self._least, self._foot = rows, least, foot
        self._scroll_to(self._first)

    @property
    def fitting(self) -> int:
        """How many rows there is room for."""
        return max(1, int((self.height() - self._foot) / self._least))

    @property
    def shown(self) -> slice:
        """The rows in sight."""
        return slice(self._first, min(self._rows, self._first + self.fitting))

    def _step(self) -> float:
        """Height of a row; in sight are as many as fit."""
        return min(MOST, (self.height() - self._foot) / max(1, min(self._rows, self.fitting)))

    def row_at(self, y: float) -> int | None:
        """Return the row at that height, counted from the first of all."""
        place = self._first + int(y // self._step())
        return place if y >= 0 and place in range(*self.shown.indices(self._rows)) else None

    def paint_cue(self, painter: QPainter, foot: float) -> None:
        """A bar at the right edge, where there are more rows than fit."""
        if self._rows <= self.fitting:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, start, end in (
            ("line", 0, self._rows), ("text3", self._first, self._first + self.fitting),
        ):  # fmt: skip
            painter.setBrush(theme.color(colour))
            top, bottom = (foot * min(place, self._rows) / self._rows for place in (start, end))
            painter.drawRoundedRect(QRectF(self.width() - THICK - 1, top, THICK, bottom - top), 2, 2)

    def _scroll_to(self, first: int) -> None:
        first = max(0, min(first, self._rows - self.fitting))
        if first != self._first:
            self._first = first
            self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._rows <= self.fitting:
            event.ignore()  # the page moves
            return
        self._turned += event.angleDelta().y()
        notches = int(self._turned / NOTCH)
        self._turned -= notches * NOTCH
        self._scroll_to(self._first - notches)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if way and self._rows > self.fitting:
            self._scroll_to(self._first + way)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_to(self._first)
