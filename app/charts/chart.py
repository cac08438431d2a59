"""What a panel, a context menu and a picture need of a chart, whether it is plotted (`app.charts.plot`) or painted
(`app.charts.painted_chart`)."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QRectF, SignalInstance
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.charts.chart_data import ChartData, Keys


class Chart(Protocol):
    """A chart of either kind. `zooms` tells whether a part of it can be shown, `by_hand` whether one is now."""

    zooms: bool
    by_hand: bool

    @property
    def widget(self) -> QWidget:
        """The chart as a widget."""

    @property
    def pointed(self) -> SignalInstance:
        """The signal of the values under the pointer, "" where there are none."""

    def follow_pointer(self) -> None:
        """Emit `pointed` from now on."""

    def hide_hair(self) -> None:
        """Hide the crosshair, which is no part of the chart's picture."""

    def reset_view(self) -> None:
        """Show all of the chart."""

    def chart_data(self) -> ChartData:
        """Return the shown figures."""

    def chart_keys(self) -> Keys:
        """Return the variants' letters in the chart."""

    def paint_picture(self, painter: QPainter, page: QRectF, clips: bool) -> None:
        """Paint the chart at the origin of a page. `clips` tells whether the paint device honours clipping."""
