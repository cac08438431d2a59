"""A cumulative distribution plot: the share of tokens up to each value, one curve per variant."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtWidgets import QWidget

from app.charts.axes import ShareAxis
from app.charts.curve_plot import LETTER, CurvesPlot
from app.charts.overlay_layers import Room
from app.session.session import Session
from core.report import curve_labels

GAP = 3.0  # pixels between a curve and its letter


class SharesPlot(CurvesPlot):
    """The plot; a subclass fills the curves."""

    def __init__(self, session: Session, bottom: pg.AxisItem, parent: QWidget | None = None) -> None:
        super().__init__(session, ShareAxis(), bottom, left_width=40, parent=parent)

    def letter_places(self, room: Room) -> dict[str, QPointF]:
        """Return the letters' places: beside their curve and off all others, else over as few curves as possible."""
        pixel = room.back(QRectF(room.rect.topLeft(), QSizeF(1, 1)))
        drawn = {name: (curve.xData, curve.yData) for name, curve in self.curves.items() if curve.xData is not None}
        size, gap = (LETTER[0] * pixel.width(), LETTER[1] * pixel.height()), GAP * pixel.width()
        seen = room.seen.normalized()
        area = seen.left(), seen.right(), seen.top(), seen.bottom()
        found = curve_labels.places(drawn, area, size, gap)
        return {name: room.at(*place) for name, place in found.items()}
