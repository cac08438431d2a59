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
        """Beside its curve, where no other curve and no other letter is; none where there is no such place, since the
        values under the pointer name every curve."""
        taken: list[QRectF] = []
        found: dict[str, QPointF] = {}
        for name, curve in self.curves.items():
            others = [other for other in self.curves.values() if other is not curve]
            for place in _beside(curve, room):
                if any(map(place.intersects, taken)) or any(_runs(other, place, room) for other in others):
                    continue
                taken.append(place)
                found[name] = QPointF(place.left(), place.center().y())
                break
        return found


def _beside(curve: pg.PlotCurveItem, room: Room) -> Iterator[QRectF]:
    """Where a letter may stand right or left of a curve."""
    wide, high = LETTER
    for share in PLACES:
        at = room.at(float(np.interp(share, curve.yData, curve.xData)), share)
        for left in (at.x() + GAP, at.x() - GAP - wide):
            if room.rect.left() <= left <= room.rect.right() - wide:
                yield QRectF(left, at.y() - high / 2, wide, high)


def _runs(curve: pg.PlotCurveItem, place: QRectF, room: Room) -> bool:
    """Whether a rising curve runs through a place."""
    at = room.back(place)
    low, high = np.interp((at.top(), at.bottom()), curve.yData, curve.xData)
    return bool(low < at.right() and high > at.left())
