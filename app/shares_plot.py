"""The share of tokens up to each value, a rising curve a variant. Knows curves, no data."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget

from app.curves_plot import LETTER, CurvesPlot
from app.plot_axes import ShareAxis
from app.plot_layers import Room

PLACES = (0.75, 0.6, 0.45, 0.3, 0.15, 0.9)  # shares at which a curve's letter may stand
GAP = 3.0  # pixels between a curve and its letter


class SharesPlot(CurvesPlot):
    """A subclass fills the curves."""

    def __init__(self, session, bottom: pg.AxisItem, parent: QWidget | None = None) -> None:
        super().__init__(session, ShareAxis(), bottom, left_width=40, parent=parent)

    def letter_places(self, room: Room) -> dict[str, QPointF]:
        """Beside its curve, where no curve and no other letter is; none where there is no such place, since the
        values under the pointer name every curve."""
        taken: list[QRectF] = []
        found: dict[str, QPointF] = {}
        for name, curve in self.curves.items():
            for place in _beside(curve, room):
                if any(map(place.intersects, taken)) or any(_runs(c, place, room) for c in self.curves.values()):
                    continue
                taken.append(place)
                found[name] = QPointF(place.left(), place.center().y())
                break
        return found


def _beside(curve: pg.PlotCurveItem, room: Room) -> Iterator[QRectF]:
    """Where a letter may stand: right or left of a curve, or, where it is flat, right below or left above."""
    wide, high = LETTER
    for share in PLACES:
        at = room.at(float(np.interp(share, curve.yData, curve.xData)), share)
        right, left, middle = at.x() + GAP, at.x() - GAP - wide, at.y() - high / 2
        for x, y in ((right, middle), (left, middle), (right, at.y() + 1), (left, at.y() - 1 - high)):
            place = QRectF(x, y, wide, high)
            if room.rect.contains(place):
                yield place


def _runs(curve: pg.PlotCurveItem, place: QRectF, room: Room) -> bool:
    """Whether a rising curve runs through a place."""
    at = room.back(place)
    low, high = np.interp((at.top(), at.bottom()), curve.yData, curve.xData)
    return bool(low < at.right() and high > at.left())
