"""The base of painted charts: values under the pointer, keyboard focus, repaint with the theme."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.chart_data import ChartData, Keys


class PaintedChart(QWidget):
    """A chart whose subclass paints itself and describes its content."""

    pointed = Signal(str)  # the values under the pointer, "" where there are none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    def chart_data(self) -> ChartData:
        """Return the painted figures."""
        raise NotImplementedError

    def chart_keys(self) -> Keys:
        """Return the variants' letters in the chart."""
        return []

    def read(self, place: QPointF) -> str:
        """Return the values at a position in words."""
        return ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(self.read(event.position()))

    def leaveEvent(self, event) -> None:
        self.pointed.emit("")
        super().leaveEvent(event)
