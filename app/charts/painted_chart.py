"""The base of painted charts: values under the pointer, keyboard focus, repaint with the theme."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QRegion
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.chart_data import ChartData, Keys


class PaintedChart(QWidget):
    """A `Chart` whose subclass paints itself and describes its content."""

    pointed = Signal(str)  # the values under the pointer, "" where there are none
    zooms = by_hand = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    @property
    def widget(self) -> QWidget:
        return self

    def follow_pointer(self) -> None:
        """Do nothing: a painted chart always follows the pointer."""

    def hide_hair(self) -> None:
        """Do nothing: a painted chart has no crosshair."""

    def reset_view(self) -> None:
        """Do nothing: a painted chart always shows all of itself."""

    def paint_picture(self, painter: QPainter, page: QRectF, clips: bool) -> None:
        self.render(painter, QPoint(), QRegion(), QWidget.RenderFlag(0))  # without a ring that lies over it

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
