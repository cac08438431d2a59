"""The plot of latency against throughput: one curve per variant, one mark per load, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QPointF, Qt, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.charts.axes import AmountAxis, ValueAxis
from app.charts.chart_data import ChartData, Keys
from app.charts.overlay_layers import MarksLayer, Room
from app.charts.plot import PlotBase
from core.base import formatting
from core.loadtest.load_curve import FIGURES, LoadPoint, lines
from core.wording.column_meanings import MEANING


def title(figure: str) -> str:
    """Return a figure's title with its unit."""
    meaning = MEANING[figure]
    return f"{said(meaning.title)}, {said(meaning.unit)}"


class LoadPlot(PlotBase):
    """Throughput to the right, latency upwards: the lower right is best."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(AmountAxis(), ValueAxis(), parent)
        self.points: list[LoadPoint] = []
        self.curves: dict[str, list[LoadPoint]] = {}
        self.x, self.y, self.load = FIGURES[0], "ttft_ms_p50", ""
        self.layer = LoadLayer(self)
        self.addItem(self.layer, ignoreBounds=True)
        self.free(x=True, y=True)
        self.setMinimumHeight(220)
        self.setAccessibleName(QCoreApplication.translate("LoadPlot", "Latency against throughput"))
        self.recolour()
        theme.changed.connect(self.recolour)

    def show_points(self, points: Sequence[LoadPoint], x: str, y: str, load: str) -> None:
        """Show the points that have both figures; `load` is the name of the swept field."""
        if (x, y) != (self.x, self.y):
            self.by_hand = False  # another part of other axes
        self.points, self.x, self.y, self.load = list(points), x, y, load
        self.curves = lines(points, x, y)
        shown = [point for curve in self.curves.values() for point in curve]
        if shown:
            self.home(*(_extent(shown, name) for name in (x, y)))
        self.setAccessibleDescription("; ".join(map(self._said, shown)))
        self.show_changes()

    # -- what it says --------------------------------------------------------------------------------------
    def chart_keys(self) -> Keys:
        return [(curve[0].place, name) for name, curve in self.curves.items()]

    def chart_data(self) -> ChartData:
        """Return all figures of all points, also those not drawn now."""
        low, high = self.tr("95 % low"), self.tr("95 % high")
        names = [self.tr("variant"), self.load]
        for figure in FIGURES:
            names += [title(figure), f"{title(figure)}, {low}", f"{title(figure)}, {high}"]
        rows = []
        for point in self.points:
            row: list[object] = [point.variant, point.value]
            for figure in FIGURES:
                found = point.figures.get(figure)
                row += [found.value, found.low, found.high] if found is not None else [None] * 3
            rows.append(row)
        return ChartData.of_rows(names, rows)

    def _said(self, point: LoadPoint) -> str:
        parts = [f"{theme.letter(point.place)} {point.variant}", f"{self.load} {point.label}"]
        for name in (self.x, self.y):
            found = point.figures[name]
            text = f"{title(name)}: {formatting.number(found.value)}"
            if found.low is not None and found.high is not None:
                text += f" [{formatting.number(found.low)}, {formatting.number(found.high)}]"
            parts.append(text)
        return ", ".join(parts)

    def read(self, x: float, y: float) -> str:
        """Return the point nearest to the pointer in words."""
        (left, right), (bottom, top) = self.getViewBox().viewRange()

        def distance(point: LoadPoint) -> float:
            across, up = self.at(point)
            return ((across - x) / (right - left)) ** 2 + ((up - y) / (top - bottom)) ** 2

        nearest = min((p for curve in self.curves.values() for p in curve), key=distance, default=None)
        return self._said(nearest) if nearest is not None else ""

    def at(self, point: LoadPoint) -> tuple[float, float]:
        """Return a point's position on the axes."""
        return point.figures[self.x].value, point.figures[self.y].value

    @Slot()
    def recolour(self) -> None:
        self.restyle(56)
        self.show_changes()


def _extent(points: Sequence[LoadPoint], name: str) -> tuple[float, float]:
    """Return a range from 0 to the highest value, and of very wide intervals as much as keeps the values apart."""
    most = max(point.figures[name].value for point in points) or 1.0
    high = max((point.figures[name].high or 0.0) for point in points)
    return -0.03 * most, 1.08 * max(most, min(high, 1.3 * most))


class LoadLayer(MarksLayer):
    """Paints the curves, intervals and marks, and the load beside each mark."""

    def __init__(self, plot: LoadPlot) -> None:
        super().__init__()
        self._plot = plot

    def paint_marks(self, painter: QPainter, room: Room) -> None:
        plot = self._plot
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for curve in plot.curves.values():
            pen = pg.mkPen(theme.variant(curve[0].place), width=1.5, style=theme.dash(curve[0].place))
            self.line(painter, pen, [room.at(*plot.at(point)) for point in curve])
        for curve in plot.curves.values():
            for point in curve:
                self._intervals(painter, room, point)
        for curve in plot.curves.values():
            for point in curve:
                self.mark(painter, room.at(*plot.at(point)), point.place, filled=True)
        painter.setFont(theme.font(11))
        painter.setPen(theme.color("text"))
        for curve in plot.curves.values():
            for point in curve:
                self.label(painter, [room.at(*plot.at(point))], point.label)

    def _intervals(self, painter: QPainter, room: Room, point: LoadPoint) -> None:
        plot, at = self._plot, room.at(*self._plot.at(point))
        colour = theme.variant(point.place)
        colour.setAlphaF(0.55)
        pen = QPen(colour, 1, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        x, y = point.figures[plot.x], point.figures[plot.y]
        if x.low is not None and x.high is not None:
            self.line(painter, pen, [QPointF(room.x(v), at.y()) for v in (x.low, x.high)])
        if y.low is not None and y.high is not None:
            self.line(painter, pen, [QPointF(at.x(), room.y(v)) for v in (y.low, y.high)])
