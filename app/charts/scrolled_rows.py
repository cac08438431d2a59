"""A painted chart with one row per variant. Rows shrink until all fit; below their minimum height the wheel and the
arrows scroll them, and a bar shows the position."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent, QWheelEvent

from app.base.theme import theme
from app.charts.bar_axis import MOST
from app.charts.painted_chart import PaintedChart

NOTCH = 120  # Qt's units of one wheel notch
THICK = 4.0  # px, the bar


class ScrolledRows(PaintedChart):
    """A subclass sets the number of rows and paints those of `shown`."""

    _rows, _first, _least, _foot, _turned = 0, 0, 1.0, 0.0, 0

    def show_rows(self, rows: int, least: float, foot: float) -> None:
        """Set the number of rows, their minimum height, and the height of the foot."""
        self._rows, self._least, self._foot = rows, least, foot
        self._scroll_to(self._first)

    @property
    def fitting(self) -> int:
        """The number of rows that fit."""
        return max(1, int((self.height() - self._foot) / self._least))

    @property
    def shown(self) -> slice:
        """The visible rows."""
        return slice(self._first, min(self._rows, self._first + self.fitting))

    def _step(self) -> float:
        """Return the height of a row."""
        return min(MOST, (self.height() - self._foot) / max(1, min(self._rows, self.fitting)))

    def row_at(self, y: float) -> int | None:
        """Return the index of the row at a height."""
        place = self._first + int(y // self._step())
        return place if y >= 0 and place in range(*self.shown.indices(self._rows)) else None

    def paint_cue(self, painter: QPainter, foot: float) -> None:
        """Paint a bar at the right edge if not all rows fit."""
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
