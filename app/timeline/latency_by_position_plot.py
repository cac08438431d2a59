"""The latency of every token over its position in the answer, one curve per variant."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.charts.axes import LOWEST_MS, LogAxis, ValueAxis
from app.charts.cdf_plot import GAP
from app.charts.chart_data import ChartData
from app.charts.curve_plot import LETTER, CurvesPlot
from app.charts.overlay_layers import Room
from app.session.session import Session
from app.session.time_series import decimate
from core.base import formatting


class PositionPlot(CurvesPlot):
    """The plot; it draws the visible part with as many points as there are pixels."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, LogAxis(), ValueAxis(), left_width=44, width=1.5, parent=parent)
        self._series: dict[str, tuple[np.ndarray, np.ndarray]] = {}  # position, ms
        self.setMinimumHeight(96)
        self.getPlotItem().layout.setContentsMargins(0, 7, 0, 0)  # else a label at the upper end is cut
        self.setAccessibleName(self.tr("Inter-token latency by position"))
        self.zoomed.connect(self._decimate)

    def refresh(self, series: dict[str, list[tuple[int, float]]]) -> None:
        self._series = {
            name: (np.array([p for p, _ in found], dtype=float), np.array([ms for _, ms in found]))
            for name, found in series.items()
            if len(found) > 1
        }
        self.keep(self._series)
        last = max((float(x[-1]) for x, _ in self._series.values()), default=10.0)
        known = [y for _, y in self._series.values()]
        lowest, highest = (
            min((float(y.min()) for y in known), default=10),
            max((float(y.max()) for y in known), default=100),
        )
        edges = np.log10(np.maximum([lowest / 1.3, highest * 1.3], LOWEST_MS))
        self.home((0.0, 1.06 * last), (float(edges[0]), max(float(edges[1]), float(edges[0]) + 0.3)))
        self._decimate()

    @Slot()
    def _decimate(self) -> None:
        (low, high), _ = self.getViewBox().viewRange()
        columns = max(100, int(self.getViewBox().width()))
        for name, (x, y) in self._series.items():
            first, last = max(0, int(np.searchsorted(x, low)) - 1), int(np.searchsorted(x, high)) + 1
            logs = np.log10(np.maximum(y[first:last], LOWEST_MS))
            self.curve(name).setData(*decimate(x[first:last], logs, columns))
        self.show_changes()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if getattr(self, "_series", None):
            self._decimate()

    def letter_places(self, room: Room) -> dict[str, QPointF]:
        """Return the letters' places at the ends of the curves; near ones are stacked in order."""
        ends = {n: room.at(float(x[-1]), float(np.log10(max(y[-1], LOWEST_MS)))) for n, (x, y) in self._series.items()}
        names = sorted(ends, key=lambda name: ends[name].y())
        heights = spread([ends[name].y() for name in names], LETTER[1])
        return {name: QPointF(ends[name].x() + GAP, y) for name, y in zip(names, heights, strict=True)}

    def read(self, x: float, y: float) -> str:
        """Return every variant's latency of the token at x."""
        position = round(x)
        parts = [self.tr("token {n}").format(n=position)]
        for name, (places, ms) in self._series.items():
            at = int(np.searchsorted(places, position))
            if at < len(places) and places[at] == position:
                parts.append(f"{self.letter(name)} {formatting.number(float(ms[at]))} ms")
        return "   ".join(parts) if len(parts) > 1 else ""

    def chart_data(self) -> ChartData:
        names = (self.tr("variant"), self.tr("token"), self.tr("latency (ms)"))
        rows = ((name, int(p), float(ms)) for name, (x, y) in self._series.items() for p, ms in zip(x, y, strict=True))
        return ChartData.of_rows(names, rows)


def spread(values: list[float], apart: float) -> list[float]:
    """Return the ascending values moved as little as possible to be at least `apart`: near ones are centred on their
    mean."""
    groups: list[list[float]] = []  # the middle of a group, and how many are in it
    for value in values:
        groups.append([value, 1])
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < apart * (groups[-1][1] + groups[-2][1]) / 2:
            (b, m), (a, n) = groups.pop(), groups.pop()
            groups.append([(a * n + b * m) / (n + m), n + m])
    return [middle + apart * (i - (count - 1) / 2) for middle, count in groups for i in range(int(count))]
