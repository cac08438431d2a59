"""The trade-off plot: variants by two measures with their intervals, the limits, and the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from PySide6.QtCore import QPointF, Qt, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.charts.axes import ValueAxis, VerticalAxis
from app.charts.chart_data import ChartData, Keys
from app.charts.forest_plot import Scale
from app.charts.overlay_layers import MarksLayer, Room, grouped
from app.charts.plot import PlotBase, dashed
from app.compare.tradeoff_points import Spot, TradeoffPoint, extent, is_ratio, limits, plotted
from core.analysis import pareto
from core.analysis.measures import SPEED, Measure, measure
from core.base.axis_ticks import ticks
from core.base.formatting import plain
from core.spec.gate import Gate
from core.wording import contrast_text


class LeftAxis(VerticalAxis):
    """The vertical axis of ratios, plotted as logarithms, or of amounts."""

    ratios = False

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if self.ratios:
            return [_ratios(low, high, size)]
        return [ticks(max(0.0, low), high, max(2.0, size / 32))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [f"{exp(v):g}×" if self.ratios else plain(v) for v in values]


class BottomAxis(ValueAxis):
    """The horizontal axis of ratios or amounts."""

    ratios = False

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if self.ratios:
            return [_ratios(low, high, size)]
        return super().tickValues(low, high, size)

    def text(self, value: float, span: float) -> str:
        return f"{exp(value):g}×" if self.ratios else plain(value)


def _ratios(low: float, high: float, size: float) -> tuple[float, list[float]]:
    return 1.0, [log(t) for t in Scale(exp(low), exp(high)).ticks(size) if low <= log(t) <= high]


class TradeoffPlot(PlotBase):
    """The plot; the line joins the variants that no other dominates by the estimates."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(LeftAxis(), BottomAxis(), parent)
        self.x, self.y = measure("kld"), SPEED
        self.points: list[TradeoffPoint] = []
        self.front: list[TradeoffPoint] = []
        self.gate: Gate | None = None
        self.capacity: float | None = None  # GiB
        self.layer = TradeLayer(self)
        self.addItem(self.layer, ignoreBounds=True)
        self.free(x=True, y=True)
        self.setMinimumHeight(96)
        self.setAccessibleName(self.tr("Variants by two measures"))
        self.recolour()
        theme.changed.connect(self.recolour)

    def show_points(
        self,
        points: Sequence[TradeoffPoint],
        x: Measure,
        y: Measure,
        gate: Gate | None = None,
        capacity: int | None = None,
    ) -> None:
        """Show points; `gate` has the limits of divergence, `capacity` the bytes that an engine had to fit into."""
        if (x, y) != (self.x, self.y):
            self.by_hand = False  # another part of other axes
        self.points, self.x, self.y, self.gate = list(points), x, y, gate
        self.capacity = capacity / 2**30 if capacity else None
        places = pareto.front([(p.x.value, p.y.value) for p in self.points], (x.better, y.better))
        self.front = [self.points[i] for i in places]
        for axis, by in ((self.getAxis("bottom"), x), (self.getAxis("left"), y)):
            axis.ratios = is_ratio(by)
            axis.picture = None
        told = [self._said(point) for point in self.points]
        if self.front:
            told.append(
                self.tr("Pareto front: {names}").format(names=", ".join(p.entry.row.variant for p in self.front))
            )
        self.setAccessibleDescription("; ".join(told))
        if self.points:
            self.home(self._extent(x, [p.x for p in self.points]), self._extent(y, [p.y for p in self.points]))
        self.show_changes()

    def _extent(self, by: Measure, spots: list[Spot]) -> tuple[float, float]:
        return extent(by, spots, next(iter(limits(by, self.gate, self.capacity)), None))

    # -- what it says --------------------------------------------------------------------------------------
    def chart_keys(self) -> Keys:
        return [(point.entry.index, point.entry.row.variant) for point in self.points]

    def chart_data(self) -> ChartData:
        names = [self.tr("variant"), self.tr("experiment")]
        for by in (self.x, self.y):
            unit = "×" if is_ratio(by) else said(contrast_text.unit(by, None))
            title = said(contrast_text.title(by.key))
            names += [f"{title} ({unit})", f"{title}, {self.tr('95 % low')}", f"{title}, {self.tr('95 % high')}"]
        names.append(self.tr("on the Pareto front"))
        rows = (
            (
                p.entry.row.variant, p.entry.row.experiment, p.x.value, p.x.low, p.x.high, p.y.value, p.y.low, p.y.high,
                int(p in self.front),
            )
            for p in self.points
        )  # fmt: skip
        return ChartData.of_rows(names, rows)

    def _said(self, point: TradeoffPoint) -> str:
        parts = [f"{point.entry.run} {theme.letter(point.entry.index)} {point.entry.row.variant}".strip()]
        for by, at in ((self.y, point.y), (self.x, point.x)):
            text = f"{at.value:.2f}×" if is_ratio(by) else f"{at.value:.3g} {said(contrast_text.unit(by, None))}"
            if at.low is not None and at.high is not None:
                text += f" [{at.low:.2f}, {at.high:.2f}]" if is_ratio(by) else f" [{at.low:.3g}, {at.high:.3g}]"
            parts.append(f"{said(contrast_text.title(by.key))} {text}")
        if point in self.front and len(self.points) > 1:
            parts.append(self.tr("on the front"))
        return ", ".join(parts)

    def limit_words(self, by: Measure) -> list[str]:
        """Return a measure's limits in words."""
        found = limits(by, self.gate, self.capacity)
        if by.key == "kld":
            texts = (self.tr("green < {x}"), self.tr("amber < {x}"))
            return [text.format(x=f"{limit:g}") for text, limit in zip(texts, found, strict=False)]
        return [self.tr("capacity {x} GiB").format(x=f"{limit:.3g}") for limit in found]

    def read(self, x: float, y: float) -> str:
        """Return the variant nearest to the pointer in words."""
        (left, right), (bottom, top) = self.getViewBox().viewRange()

        def distance(point: TradeoffPoint) -> float:
            across, up = self.at(point)
            return ((across - x) / (right - left)) ** 2 + ((up - y) / (top - bottom)) ** 2

        nearest = min(self.points, key=distance, default=None)
        return self._said(nearest) if nearest is not None else ""

    def at(self, point: TradeoffPoint) -> tuple[float, float]:
        """Return a point's position on the axes."""
        return plotted(self.x, point.x.value), plotted(self.y, point.y.value)

    @Slot()
    def recolour(self) -> None:
        self.restyle(44)
        self.show_changes()


class TradeLayer(MarksLayer):
    """Paints the visible limits, the front, the marks with intervals, and their letters."""

    def __init__(self, plot: TradeoffPlot) -> None:
        super().__init__()
        self._plot = plot

    def paint_marks(self, painter: QPainter, room: Room) -> None:
        plot = self._plot
        painter.setFont(theme.font(11))
        self._limits(painter, room, plot.x, across=True)
        self._limits(painter, room, plot.y, across=False)
        self._front(painter, room)
        for point in plot.points:
            self._intervals(painter, room, point)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for point in plot.points:
            self.mark(painter, room.at(*plot.at(point)), point.entry.index, point.decided)
        self._letters(painter, room)

    def _limits(self, painter: QPainter, room: Room, by: Measure, across: bool) -> None:
        """Paint a dashed line per limit, with its words on the side that has room, above the other limit's line."""
        plot, rect, texts = self._plot, room.rect, []
        low, high = (room.seen.left(), room.seen.right()) if across else (room.seen.top(), room.seen.bottom())
        for number, limit in enumerate(limits(by, plot.gate, plot.capacity)):
            if not low < limit < high:
                continue
            side = 1 if limit > low + 0.6 * (high - low) else 0
            if across:
                x = room.x(limit)
                ends, anchor = (QPointF(x, rect.bottom()), QPointF(x, rect.top())), (side, number + 1)
            else:
                y = room.y(limit)
                ends, anchor = (QPointF(rect.left(), y), QPointF(rect.right(), y)), (0, side)
            self.line(painter, dashed("text3"), ends)
            texts.append((ends[0], plot.limit_words(by)[number], anchor))
        painter.setPen(theme.color("text2"))
        for at, text, anchor in texts:
            self.words(painter, at, text, anchor, ground=True)

    def _front(self, painter: QPainter, room: Room) -> None:
        plot = self._plot
        if len(plot.front) > 1:
            better = (plot.x.better, plot.y.better)
            corners = pareto.corners([(p.x.value, p.y.value) for p in plot.front], better)
            line = [room.at(plotted(plot.x, x), plotted(plot.y, y)) for x, y in corners]
            self.line(painter, QPen(theme.color("text3"), 1), line)

    def _intervals(self, painter: QPainter, room: Room, point: TradeoffPoint) -> None:
        plot, at = self._plot, room.at(*self._plot.at(point))
        pen = QPen(theme.variant(point.entry.index), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        if point.x.low is not None and point.x.high is not None:
            ends = (room.x(plotted(plot.x, v)) for v in (point.x.low, point.x.high))
            self.line(painter, pen, [QPointF(x, at.y()) for x in ends])
        if point.y.low is not None and point.y.high is not None:
            ends = (room.y(plotted(plot.y, v)) for v in (point.y.low, point.y.high))
            self.line(painter, pen, [QPointF(at.x(), y) for y in ends])

    def _letters(self, painter: QPainter, room: Room) -> None:
        """Paint a letter beside each mark; overlapping marks share one label."""
        painter.setFont(theme.font(11, 600))
        painter.setPen(theme.color("text"))

        def place(point: TradeoffPoint) -> QPointF:
            return room.at(*self._plot.at(point))

        for group in grouped(self._plot.points, place):
            self.label(painter, map(place, group), theme.letters(point.entry.index for point in group))
