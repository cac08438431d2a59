"""The roofline: what the machine can do, and where each variant stands under it. Both axes are logarithmic.

Knows roofs, points and the theme; computes nothing of them.
"""

from __future__ import annotations

from math import hypot, log10

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from app.calm_plot import CalmPlot
from app.chart_data import ChartData
from app.chart_picture import Keys
from app.label_places import along, place_beside
from app.plot_axes import DecadeAxis, LogAxis
from app.theme import theme
from core import roofline_words, words
from core.roofline_points import Point, Roof

MARK, LINE = 14.0, 15.0  # pixels: a mark, and the height of a label
INSET = 4.0  # of a text in its item
NEAR_PX = 16  # marks that are nearer share one label
GIGA = 1e9


class RooflinePlot(CalmPlot):
    """GFLOP/s over FLOP per byte; filled marks are decoding, hollow ones the prompt."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(LogAxis(), DecadeAxis(), parent)
        self._session = session
        self._roofs: list[Roof] = []
        self._points: list[Point] = []
        self._drawn: list[object] = []
        self._selected = ""
        self.labels: list[str] = []  # of the marks, as they are drawn
        self.places: list[QRectF] = []  # where they stand, in pixels from the upper left
        self._written: list[QRectF] = []  # the same of the words at the roofs
        self.free(x=True, y=True)
        self.setMinimumHeight(140)
        self.getPlotItem().layout.setContentsMargins(0, 7, 0, 0)  # else a label at the upper end is cut
        self.setAccessibleName(self.tr("Roofline: attained speed over arithmetic intensity"))
        self.recolour()
        self.zoomed.connect(self._draw_all)  # labels stand where there is room for them
        theme.changed.connect(self.recolour)

    def refresh(self, roofs: list[Roof], points: list[Point], selected: str) -> None:
        self._roofs, self._points, self._selected = roofs, points, selected
        self.setAccessibleDescription("; ".join(self._words(p) for p in points))
        self._draw_all()

    def _words(self, point: Point) -> str:
        phase = self.tr("decode") if point.phase == "decode" else self.tr("prompt")
        said = self.tr("{variant}, {phase}: {rate}, {share} % of roof")
        return said.format(
            variant=point.variant,
            phase=phase,
            rate=roofline_words.rate(point.attained),
            share=round(100 * point.share),
        )

    def chart_keys(self) -> Keys:
        names = dict.fromkeys(point.variant for point in self._points)
        return [(self._session.index_of(name), name) for name in names]

    def chart_data(self) -> ChartData:
        """Each variant in each phase, then where each roof bends."""
        names = (
            self.tr("variant or roof"), self.tr("phase"), self.tr("intensity (FLOP/B)"), self.tr("speed (GFLOP/s)"),
            self.tr("share of roof (%)"), self.tr("bandwidth (GB/s)"),
        )  # fmt: skip
        marks = [(p.variant, p.phase, p.intensity, p.attained / GIGA, 100 * p.share, None) for p in self._points]
        bends = [(r.kind, "roof", r.ridge, r.peak / GIGA, 100.0, r.bandwidth / GIGA) for r in self._roofs]
        return ChartData.of_rows(names, [*marks, *bends])

    def read(self, x: float, y: float) -> str:
        """The mark that is nearest on the screen, or what the roof allows there."""
        (left, right), (bottom, top) = self.getViewBox().viewRange()
        view = self.getViewBox()

        def distance(point: Point) -> float:
            across = (log10(point.intensity) - x) / (right - left) * view.width()
            up = (log10(point.attained / GIGA) - y) / (top - bottom) * view.height()
            return hypot(across, up)

        near = min(self._points, key=distance, default=None)
        if near is not None and distance(near) < 3 * NEAR_PX:
            letter = theme.letter(self._session.index_of(near.variant))
            return f"{letter} {self._words(near)}   {words.number(near.intensity)} FLOP/B"
        if not self._roofs:
            return ""
        roof = self._roofs[0]
        allowed = roofline_words.rate(roof.at(10**x))
        return self.tr("{x} FLOP/B: at most {rate} in {kind}").format(
            x=words.number(10**x), rate=allowed, kind=roof.kind
        )

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if getattr(self, "_roofs", None):
            self._draw_all()  # which labels are near each other depends on the size

    def _add(self, item: object) -> None:
        self.addItem(item, ignoreBounds=True)
        self._drawn.append(item)

    @Slot()
    def _draw_all(self) -> None:
        for item in self._drawn:
            self.removeItem(item)
        self._drawn, self.labels, self.places, self._written = [], [], [], []
        if self._roofs:
            self._range()
            self._region()
            for roof in self._roofs:
                self._roof(roof)
            for point in self._points:
                self._mark(point)
            self._label()
        self.show_changes()

    def _range(self) -> None:
        """From left of the lowest mark to right of every ridge and mark; from below the lowest to above the roof."""
        xs = [p.intensity for p in self._points] + [r.ridge for r in self._roofs]
        ys = [p.attained for p in self._points] + [r.peak for r in self._roofs]
        across = log10(min(xs)) - 0.5, log10(max(xs)) + 0.7
        self.home(across, (log10(min(ys) / GIGA) - 0.45, log10(max(ys) / GIGA) + 0.35))
        self._left, self._right = 2 * across[0] - across[1], 2 * across[1] - across[0]  # as far as one can see
        (self._low_x, self._high_x), (self._low_y, self._high_y) = self.getViewBox().viewRange()

    def _region(self) -> None:
        """Where bytes decide."""
        tint = theme.color("accsoft")
        tint.setAlphaF(0.35)
        ridge = log10(self._roofs[0].ridge)
        self._add(
            pg.LinearRegionItem(
                (self._left, ridge), movable=False, brush=pg.mkBrush(tint), pen=pg.mkPen(None)
            )
        )  # fmt: skip
        for text, x, side, token in (
            (self.tr("Memory-bound: bytes decide"), self._low_x, 0, "accent"),
            (self.tr("Compute-bound"), ridge, 0, "text2"),
        ):
            self._text(f" {text}", x, self._high_y, (side, 0), token, 600)

    def _text(self, text: str, x: float, y: float, anchor: tuple[float, float], token: str, weight: int = 400) -> None:
        note = pg.TextItem(text, theme.color(token), anchor=anchor)
        note.setFont(theme.font(11, weight))
        note.setPos(x, y)
        self._add(note)
        wide, size = QFontMetrics(theme.font(11, weight)).horizontalAdvance(text) + 2 * INSET, LINE + 2
        at = self._pixel(x, y)
        self._written.append(QRectF(at.x() - anchor[0] * wide, at.y() - anchor[1] * size, wide, size))

    def _pixel(self, x: float, y: float) -> QPointF:
        """From the upper left corner of the plot."""
        view = self.getViewBox()
        return QPointF(
            (x - self._low_x) / (self._high_x - self._low_x) * max(1.0, view.width()),
            (self._high_y - y) / (self._high_y - self._low_y) * max(1.0, view.height()),
        )

    def _roof(self, roof: Roof) -> None:
        ridge, top = log10(roof.ridge), log10(roof.peak / GIGA)
        slope = [log10(roof.bandwidth / GIGA) + self._left, top, top]
        pen = pg.mkPen(theme.color("text"), width=2)
        self._add(pg.PlotCurveItem([self._left, ridge, self._right], slope, pen=pen, antialias=True))
        self._text(f"{roof.kind} {roofline_words.rate(roof.peak)} ", self._high_x, top, (1, 1), "text2")
        if roof is self._roofs[0]:
            middle = (self._low_x + ridge) / 2
            text = f"{words.number(roof.bandwidth / GIGA)} GB/s "
            self._text(text, middle, log10(roof.bandwidth / GIGA) + middle, (1, 1), "text2")

    def _mark(self, point: Point) -> None:
        index = self._session.index_of(point.variant)
        x, y = log10(point.intensity), log10(point.attained / GIGA)
        colour, filled = theme.variant(index), point.phase == "decode"
        if point.variant == self._selected and point.share > 0:
            top = y - log10(point.share)
            pen = pg.mkPen(colour, width=1.5, style=Qt.PenStyle.DotLine)
            self._add(pg.PlotCurveItem([x, x], [y, top], pen=pen))
        self._add(
            pg.ScatterPlotItem(
                [x],
                [y],
                symbol=theme.symbol(index),
                size=12,
                pen=pg.mkPen(theme.color("panel") if filled else colour, width=1.5 if filled else 2),
                brush=pg.mkBrush(colour if filled else theme.color("panel")),
            )
        )

    def _label(self) -> None:
        """Letter, phase and share of the roof beside each mark; marks that lie on each other share one label."""
        view = self.getViewBox()
        wide = max(1.0, view.width()) / (self._high_x - self._low_x)
        high = max(1.0, view.height()) / (self._high_y - self._low_y)
        groups: list[list[Point]] = []
        for point in self._points:
            for group in groups:
                first = group[0]
                near_x = abs(log10(point.intensity / first.intensity)) * wide < NEAR_PX
                near_y = abs(log10(point.attained / first.attained)) * high < NEAR_PX
                if near_x and near_y and point.phase == first.phase:
                    group.append(point)
                    break
            else:
                groups.append([point])
        metrics = QFontMetrics(theme.font(11, 500))
        area = QRectF(0, 0, view.width(), view.height())
        taken = [*self._written, *self._lines(), *(self._square(p) for p in self._points)]
        for group in groups:
            letters = theme.letters(self._session.index_of(p.variant) for p in group)
            phase = self.tr("decode") if group[0].phase == "decode" else self.tr("prompt")
            text = f"{letters} {phase}"
            if len(group) == 1:
                text += self.tr(" · {share} % of roof").format(share=round(100 * group[0].share))
            own = QRectF()
            for point in group:
                own = own.united(self._square(point))
            place = place_beside(own, metrics.horizontalAdvance(text) + 2, LINE, area, taken)
            taken.append(place)
            x, y = self._low_x + (place.left() - INSET) / wide, self._high_y - place.center().y() / high
            self._text(text, x, y, (0, 0.5), "text", 500)
            self.labels.append(text)
            self.places.append(place)

    def _lines(self) -> list[QRectF]:
        """What the roofs and the guides of the selected variant take."""
        found: list[QRectF] = []
        at = self._pixel
        for roof in self._roofs:
            ridge, top = log10(roof.ridge), log10(roof.peak / GIGA)
            start = log10(roof.bandwidth / GIGA) + self._low_x
            found += along((at(self._low_x, start), at(ridge, top), at(self._high_x, top)))
        for point in self._points:
            if point.variant == self._selected and point.share > 0:
                x, y = log10(point.intensity), log10(point.attained / GIGA)
                found += along((at(x, y), at(x, y - log10(point.share))))
        return found

    def _square(self, point: Point) -> QRectF:
        """What a mark covers."""
        at = self._pixel(log10(point.intensity), log10(point.attained / GIGA))
        return QRectF(at.x() - MARK / 2, at.y() - MARK / 2, MARK, MARK)

    @Slot()
    def recolour(self) -> None:
        self.restyle(48)
        self._draw_all()
