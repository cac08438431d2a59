"""What the charts have in common that are painted by hand: the values under the pointer, the keyboard reaches them, and
another theme paints them anew."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.chart_data import ChartData, Keys


class PaintedChart(QWidget):
    """Its subclass paints itself and tells what it paints."""

    pointed = Signal(str)  # the values under the pointer, "" where there are none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    def chart_data(self) -> ChartData:
        """Return the figures that are painted."""
        raise NotImplementedError

    def chart_keys(self) -> Keys:
        """Return which letters are in it."""
        return []

    def read(self, place: QPointF) -> str:
        """Return what is there, in words."""
        return ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self.read(event.position()))

    def leaveEvent(self, event) -> None:
        self.pointed.emit("")
        super().leaveEvent(event)
