"""What a gain costs: variants by two measures, with their intervals, the limits, and the Pareto front. Knows points and
their words; computes no statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from app.calm_plot import CalmPlot, dashed
from app.chart_data import ChartData
from app.chart_picture import Keys
from app.entries import Entry
from app.forest import Scale
from app.label_places import along, place_beside
from app.plot_axes import ValueAxis, VerticalAxis, plain
from app.said import said
from app.theme import theme
from core import contrast_words, pareto
from core.contrast import Contrast
from core.measures import SPEED, Measure, measure
from core.quality import Gate
from core.ticks import ticks

MARK, LINE, INSET = 13.0, 15.0, 4.0  # pixels: a mark, the height of a label, what is around the text of an item
NEAR_PX = 16  # marks that are nearer share one label
AMOUNTS = ("peak_memory", "weights")  # in GiB from 0: what they must fit into is an amount


@dataclass(frozen=True)
class Spot:
    """Where a variant lies on one axis, with its 95 % interval where there is one."""

    value: float
    low: float | None
    high: float | None
    decided: bool


@dataclass(frozen=True)
class Point:
    entry: Entry
    x: Spot
    y: Spot


def spot(by: Measure, found: Contrast | None) -> Spot | None:
    """Amounts as they are, all else as a ratio to the reference; None where there is nothing to draw."""
    if found is None:
        return None
    if by.key in AMOUNTS:
        return Spot(found.value / 2**30, None, None, True) if found.value else None
    value = found.value if by.amount else found.ratio
    if value is None:
        return None
    return Spot(value, found.low, found.high, found.decided or found.verdict == "baseline" or by.amount)


def is_ratio(by: Measure) -> bool:
    return not by.amount and by.key not in AMOUNTS


class LeftAxis(VerticalAxis):
    """Of ratios, which are plotted as their logarithm, or of amounts."""

    ratios = False

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if self.ratios:
            return [_ratios(low, high, size)]
        return [ticks(max(0.0, low), high, max(2.0, size / 32))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [f"{exp(v):g}×" if self.ratios else plain(v) for v in values]


class BottomAxis(ValueAxis):
    """The same below."""

    ratios = False

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        if self.ratios:
            return [_ratios(low, high, size)]
        return super().tickValues(low, high, size)

    def text(self, value: float, span: float) -> str:
        return f"{exp(value):g}×" if self.ratios else plain(value)


def _ratios(low: float, high: float, size: float) -> tuple[float, list[float]]:
    return 1.0, [log(t) for t in Scale(exp(low), exp(high)).ticks(size) if low <= log(t) <= high]


class TradePlot(CalmPlot):
    """A mark for each variant; the line goes through those that no other beats in both, by the estimates."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(LeftAxis(), BottomAxis(), parent)
        self.x, self.y = measure("kld"), SPEED
        self.points: list[Point] = []
        self.front: list[Point] = []
        self._gate: Gate | None = None
        self._capacity: float | None = None
        self._drawn: list[object] = []
        self.labels: list[str] = []  # of the marks, as they are drawn
        self.places: list[QRectF] = []  # where they stand, in pixels from the upper left
        self._written: list[QRectF] = []  # marks and words where no label may stand ...
        self._lines: list[QRectF] = []  # ... and lines
        self.free(x=True, y=True)
        self.setMinimumHeight(96)
        self.setAccessibleName(self.tr("Variants by two measures"))
        self.recolour()
        self.zoomed.connect(self._draw_all)  # labels stand where there is room for them
        theme.changed.connect(self.recolour)

    def show_points(
        self, points: Sequence[Point], x: Measure, y: Measure, gate: Gate | None = None, capacity: int | None = None
    ) -> None:
        """`gate` holds the limits of divergence, `capacity` the bytes that an engine had to fit into."""
        if (x, y) != (self.x, self.y):
            self.by_hand = False  # another part of other axes
        self.points, self.x, self.y, self._gate = list(points), x, y, gate
        self._capacity = capacity / 2**30 if capacity else None
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
        self._draw_all()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if getattr(self, "points", None):
            self._draw_all()  # which labels are near each other depends on the size

    # -- what it says --------------------------------------------------------------------------------------
    def chart_keys(self) -> Keys:
        return [(point.entry.index, point.entry.row.variant) for point in self.points]

    def chart_data(self) -> ChartData:
        names = [self.tr("variant"), self.tr("experiment")]
        for by in (self.x, self.y):
            unit = "×" if is_ratio(by) else said(contrast_words.unit(by, None))
            title = said(contrast_words.title(by.key))
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

    def _said(self, point: Point) -> str:
        parts = [f"{point.entry.run} {theme.letter(point.entry.index)} {point.entry.row.variant}".strip()]
        for by, at in ((self.y, point.y), (self.x, point.x)):
            text = f"{at.value:.2f}×" if is_ratio(by) else f"{at.value:.3g} {said(contrast_words.unit(by, None))}"
            if at.low is not None and at.high is not None:
                text += f" [{at.low:.2f}, {at.high:.2f}]" if is_ratio(by) else f" [{at.low:.3g}, {at.high:.3g}]"
            parts.append(f"{said(contrast_words.title(by.key))} {text}")
        if point in self.front and len(self.points) > 1:
            parts.append(self.tr("on the front"))
        return ", ".join(parts)

    def read(self, x: float, y: float) -> str:
        """The variant that is nearest on the screen."""
        (left, right), (bottom, top) = self.getViewBox().viewRange()

        def distance(point: Point) -> float:
            across, up = self._at(point)
            return ((across - x) / (right - left)) ** 2 + ((up - y) / (top - bottom)) ** 2

        nearest = min(self.points, key=distance, default=None)
        return self._said(nearest) if nearest is not None else ""

    # -- where things are ----------------------------------------------------------------------------------
    def _at(self, point: Point) -> tuple[float, float]:
        return _plotted(self.x, point.x.value), _plotted(self.y, point.y.value)

    def _range(self, by: Measure, spots: list[Spot]) -> tuple[float, float]:
        """All marks with their intervals, and the first limit where it is not far."""
        values = [v for s in spots for v in (s.value, s.low, s.high) if v is not None]
        if is_ratio(by):
            plotted = [_plotted(by, value) for value in (*values, 1.0)]
            low, high = min(plotted), max(plotted)
            room = max(0.06, 0.16 * (high - low))
            return low - room, high + room
        most = max(values)
        if by.key == "kld" and self._gate is not None:
            most = max(most, self._gate.kld_green)
        if by.key in AMOUNTS and self._capacity is not None and self._capacity < 3 * most:
            most = max(most, self._capacity)
        most = most or 1.0
        return -0.06 * most, 1.2 * most

    # -- drawing -------------------------------------------------------------------------------------------
    @Slot()
    def _draw_all(self) -> None:
        for item in self._drawn:
            self.removeItem(item)
        self._drawn, self.labels, self.places, self._written, self._lines = [], [], [], [], []
        if not self.points:
            self.show_changes()
            return
        self.home(
            self._range(self.x, [p.x for p in self.points]),
            self._range(self.y, [p.y for p in self.points]),
        )
        self._limits(self.x, 90)
        self._limits(self.y, 0)
        self._front()
        for point in self.points:
            self._mark(point)
        self._label()
        self.show_changes()

    def _add(self, item: object) -> None:
        self.addItem(item, ignoreBounds=True)
        self._drawn.append(item)

    def _limits(self, by: Measure, angle: int) -> None:
        """Where green ends and where amber ends, or what there is of memory, as far as they are in sight."""
        limits: list[tuple[float, str]] = []
        if by.key == "kld" and self._gate is not None:
            limits = [
                (self._gate.kld_green, self.tr("green < {x}").format(x=f"{self._gate.kld_green:g}")),
                (self._gate.kld_amber, self.tr("amber < {x}").format(x=f"{self._gate.kld_amber:g}")),
            ]
        elif by.key in AMOUNTS and self._capacity is not None:
            limits = [(self._capacity, self.tr("capacity {x} GiB").format(x=f"{self._capacity:.3g}"))]
        across, up = self.getViewBox().viewRange()
        low, high = across if angle == 90 else up
        for line, (limit, text) in enumerate(limits):
            if not low < limit < high:
                continue
            self._add(pg.InfiniteLine(limit, angle=angle, movable=False, pen=dashed("text3")))
            side = 1 if limit > low + 0.6 * (high - low) else 0  # of the line on which there is room
            anchor = (side, line + 1) if angle == 90 else (0, side)
            note = pg.TextItem(text, theme.color("text2"), anchor=anchor, fill=theme.color("panel"))
            note.setFont(theme.font(11))
            note.setZValue(1)  # above the other limit's line
            place = (limit, up[0]) if angle == 90 else (across[0], limit)
            note.setPos(*place)
            self._add(note)
            at, size = self._pixel(*place), QSizeF(QFontMetrics(theme.font(11)).horizontalAdvance(text) + 8, LINE + 6)
            self._written.append(
                QRectF(QPointF(at.x() - anchor[0] * size.width(), at.y() - anchor[1] * size.height()), size)
            )
            self._keep_free(*(((limit, limit), up) if angle == 90 else (across, (limit, limit))))

    def _front(self) -> None:
        if len(self.front) < 2:
            return
        better = (self.x.better, self.y.better)
        line = pareto.corners([(p.x.value, p.y.value) for p in self.front], better)
        xs, ys = [_plotted(self.x, x) for x, _ in line], [_plotted(self.y, y) for _, y in line]
        self._add(pg.PlotCurveItem(xs, ys, pen=pg.mkPen(theme.color("text3"), width=1)))
        self._keep_free(xs, ys)

    def _mark(self, point: Point) -> None:
        index, (x, y) = point.entry.index, self._at(point)
        colour = theme.variant(index)
        lines = []
        if point.x.low is not None and point.x.high is not None:
            lines.append(([_plotted(self.x, v) for v in (point.x.low, point.x.high)], [y, y]))
        if point.y.low is not None and point.y.high is not None:
            lines.append(([x, x], [_plotted(self.y, v) for v in (point.y.low, point.y.high)]))
        for xs, ys in lines:
            self._add(pg.PlotCurveItem(xs, ys, pen=pg.mkPen(colour, width=2)))
            self._keep_free(xs, ys)
        self._written.append(self._square(self._pixel(x, y)))
        filled = point.x.decided and point.y.decided
        self._add(
            pg.ScatterPlotItem(
                [x],
                [y],
                symbol=theme.symbol(index),
                size=11,
                pen=pg.mkPen(theme.color("panel") if filled else colour, width=1.5),
                brush=pg.mkBrush(colour if filled else theme.color("panel")),
            )
        )

    def _label(self) -> None:
        """A letter beside each mark; marks that lie on each other share one label."""
        view = self.getViewBox()
        (left, right), (bottom, top) = view.viewRange()
        wide, high = max(1.0, view.width()) / (right - left), max(1.0, view.height()) / (top - bottom)
        groups: list[list[Point]] = []
        for point in self.points:
            x, y = self._at(point)
            for group in groups:
                there = self._at(group[0])
                if abs(x - there[0]) * wide < NEAR_PX and abs(y - there[1]) * high < NEAR_PX:
                    group.append(point)
                    break
            else:
                groups.append([point])
        metrics = QFontMetrics(theme.font(11, 600))
        area = QRectF(0, 0, view.width(), view.height())
        taken = [*self._written, *self._lines]
        for group in groups:
            text = theme.letters(p.entry.index for p in group)
            own = QRectF()
            for point in group:
                own = own.united(self._square(self._pixel(*self._at(point))))
            place = place_beside(own, metrics.horizontalAdvance(text) + 2, LINE, area, taken)
            taken.append(place)
            note = pg.TextItem(text, theme.color("text"), anchor=(0, 0.5))
            note.setFont(theme.font(11, 600))
            note.setPos(left + (place.left() - INSET) / wide, top - place.center().y() / high)
            self._add(note)
            self.labels.append(text)
            self.places.append(place)

    def _pixel(self, x: float, y: float) -> QPointF:
        """From the upper left corner of the plot."""
        view = self.getViewBox()
        (left, right), (bottom, top) = view.viewRange()
        return QPointF(
            (x - left) / (right - left) * max(1.0, view.width()), (top - y) / (top - bottom) * max(1.0, view.height())
        )

    def _square(self, at: QPointF) -> QRectF:
        return QRectF(at.x() - MARK / 2, at.y() - MARK / 2, MARK, MARK)

    def _keep_free(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        """No label stands on this line."""
        self._lines += along(self._pixel(x, y) for x, y in zip(xs, ys, strict=True))

    @Slot()
    def recolour(self) -> None:
        self.restyle(44)
        self._draw_all()


def _plotted(by: Measure, value: float) -> float:
    return log(max(value, 1e-9)) if is_ratio(by) else value
