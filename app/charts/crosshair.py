"""The crosshair: one vertical line at the same position in charts that share their horizontal axis, and the values
there in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPointF, Signal, Slot

from app.charts.plot import PlotBase


class Crosshair(QObject):
    """`read` receives both coordinates and the plot under the pointer; `said` emits its words, "" outside all plots."""

    said = Signal(str)

    def __init__(
        self, plots: Sequence[PlotBase], read: Callable[[float, float, PlotBase], str], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._plots, self._read = tuple(plots), read
        for plot in self._plots:
            plot.scene().sigMouseMoved.connect(self._moved)

    @Slot(object)
    def _moved(self, position: QPointF) -> None:
        under = next((p for p in self._plots if p.scene() is self.sender()), self._plots[0])
        place = under.place_of(position)
        for plot in self._plots:
            plot.show_hair(place)
        self.said.emit(self._read(place.x(), place.y(), under) if place is not None else "")
