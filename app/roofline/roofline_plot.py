"""The roofline plot: the machine's limits, and each variant's place under them, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, log10

from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.axes import DecadeAxis, LogAxis
from app.charts.chart_data import ChartData, Keys
from app.charts.overlay_layers import NEAR_PX, MarksLayer, Room, grouped
from app.charts.plot import PlotBase
from app.session.session import Session
from core.analysis import roofline_text
from core.analysis.roofline_points import Roof, RooflinePoint
from core.base import formatting

GIGA = 1e9


def place(point: RooflinePoint) -> tuple[float, float]:
    """Return a point's position on the axes."""
    return log10(point.intensity), log10(point.attained / GIGA)


class RooflinePlot(PlotBase):
    """GFLOP/s over FLOP/byte; filled marks are decode, hollow ones prefill."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(LogAxis(), DecadeAxis(), parent)
        self._session = session
        self.roofs: list[Roof] = []
        self.points: list[RooflinePoint] = []
        self.selected = ""
        self.layer = RooflineLayer(self, session.index_of)
        self.addItem(self.layer, ignoreBounds=True)
        self.free(x=True, y=True)
        self.setMinimumHeight(140)
        self.getPlotItem().layout.setContentsMargins(0, 7, 0, 0)  # else a label at the upper end is cut
        self.setAccessibleName(self.tr("Roofline: attained speed over arithmetic intensity"))
        self.recolour()
        theme.changed.connect(self.recolour)

    def refresh(self, roofs: list[Roof], points: list[RooflinePoint], selected: str) -> None:
        self.roofs, self.points, self.selected = roofs, points, selected
        self.setAccessibleDescription("; ".join(self._words(p) for p in points))
        if roofs:
            self._range()
        self.show_changes()

    def _words(self, point: RooflinePoint) -> str:
        phase = self.tr("decode") if point.phase == "decode" else self.tr("prompt")
        said = self.tr("{variant}, {phase}: {rate}, {share} % of roof")
        return said.format(
            variant=point.variant,
            phase=phase,
            rate=roofline_text.rate(point.attained),
            share=round(100 * point.share),
        )

    def chart_keys(self) -> Keys:
        names = dict.fromkeys(point.variant for point in self.points)
        return [(self._session.index_of(name), name) for name in names]

    def chart_data(self) -> ChartData:
        """Return each variant in each phase, then the ridge of each roof."""
        names = (
            self.tr("variant or roof"), self.tr("phase"), self.tr("intensity (FLOP/B)"), self.tr("speed (GFLOP/s)"),
            self.tr("share of roof (%)"), self.tr("bandwidth (GB/s)"),
        )  # fmt: skip
        marks = [(p.variant, p.phase, p.intensity, p.attained / GIGA, 100 * p.share, None) for p in self.points]
        bends = [(r.kind, "roof", r.ridge, r.peak / GIGA, 100.0, r.bandwidth / GIGA) for r in self.roofs]
        return ChartData.of_rows(names, [*marks, *bends])

    def read(self, x: float, y: float) -> str:
        """Return the mark nearest to the pointer in words, or the roof's limit there."""
        (left, right), (bottom, top) = self.getViewBox().viewRange()
        view = self.getViewBox()

        def distance(point: RooflinePoint) -> float:
            own_x, own_y = place(point)
            across, up = (own_x - x) / (right - left) * view.width(), (own_y - y) / (top - bottom) * view.height()
            return hypot(across, up)

        near = min(self.points, key=distance, default=None)
        if near is not None and distance(near) < 3 * NEAR_PX:
            letter = theme.letter(self._session.index_of(near.variant))
            return f"{letter} {self._words(near)}   {formatting.number(near.intensity)} FLOP/B"
        if not self.roofs:
            return ""
        roof = self.roofs[0]
        allowed = roofline_text.rate(roof.at(10**x))
        return self.tr("{x} FLOP/B: at most {rate} in {kind}").format(
            x=formatting.number(10**x), rate=allowed, kind=roof.kind
        )

    def _range(self) -> None:
        """Set a range that contains all marks, ridges and roofs with a margin."""
        xs = [p.intensity for p in self.points] + [r.ridge for r in self.roofs]
        ys = [p.attained for p in self.points] + [r.peak for r in self.roofs]
        across = log10(min(xs)) - 0.5, log10(max(xs)) + 0.7
        self.home(across, (log10(min(ys) / GIGA) - 0.45, log10(max(ys) / GIGA) + 0.35))

    @Slot()
    def recolour(self) -> None:
        self.restyle(48)
        self.show_changes()


class RooflineLayer(MarksLayer):
    """Paints the bandwidth-bound region, the roofs, the marks and their labels."""

    def __init__(self, plot: RooflinePlot, index_of: Callable[[str], int]) -> None:
        super().__init__()
        self._plot, self._index_of = plot, index_of

    def paint_marks(self, painter: QPainter, room: Room) -> None:
        if not self._plot.roofs:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._region(painter, room)
        for roof in self._plot.roofs:
            self._roof(painter, room, roof)
        for point in self._plot.points:
            self._mark(painter, room, point)
        self._label(painter, room)

    def _region(self, painter: QPainter, room: Room) -> None:
        """Paint the bandwidth-bound region."""
        tint = theme.color("accsoft")
        tint.setAlphaF(0.35)
        ridge, rect = room.x(log10(self._plot.roofs[0].ridge)), room.rect
        painter.fillRect(QRectF(rect.topLeft(), QPointF(ridge, rect.bottom())), tint)
        painter.setFont(theme.font(11, 600))
        for text, x, token in (
            (self.tr("Memory-bound: bytes decide"), rect.left(), "accent"),
            (self.tr("Compute-bound"), ridge, "text2"),
        ):
            painter.setPen(theme.color(token))
            self.words(painter, QPointF(x, rect.top()), f" {text}", (0, 0))

    def _roof(self, painter: QPainter, room: Room, roof: Roof) -> None:
        """Paint a roof: rising with the bandwidth up to the ridge, then level."""
        left, right = room.seen.left(), room.seen.right()
        ridge, top, slope = log10(roof.ridge), log10(roof.peak / GIGA), log10(roof.bandwidth / GIGA)
        corners = [room.at(left, slope + left), room.at(ridge, top), room.at(max(right, ridge), top)]
        self.line(painter, QPen(theme.color("text"), 2), corners)
        painter.setFont(theme.font(11))
        painter.setPen(theme.color("text2"))
        self.words(painter, room.at(right, top), f"{roof.kind} {roofline_text.rate(roof.peak)} ", (1, 1))
        if roof is self._plot.roofs[0]:
            middle = (left + ridge) / 2
            text = f"{formatting.number(roof.bandwidth / GIGA)} GB/s "
            self.words(painter, room.at(middle, slope + middle), text, (1, 1))

    def _mark(self, painter: QPainter, room: Room, point: RooflinePoint) -> None:
        """Paint a mark; the selected variant's has a dotted line up to the roof."""
        index, (x, y) = self._index_of(point.variant), place(point)
        if point.variant == self._plot.selected and point.share > 0:
            pen = QPen(theme.variant(index), 1.5, Qt.PenStyle.DotLine)
            self.line(painter, pen, [room.at(x, y), room.at(x, y - log10(point.share))])
        self.mark(painter, room.at(x, y), index, point.phase == "decode")

    def _label(self, painter: QPainter, room: Room) -> None:
        """Paint letter, phase and share of the roof beside each mark; overlapping marks share one label."""
        painter.setFont(theme.font(11, 500))
        painter.setPen(theme.color("text"))
        for group in grouped(self._plot.points, lambda p: room.at(*place(p)), lambda a, b: a.phase == b.phase):
            letters = theme.letters(self._index_of(p.variant) for p in group)
            phase = self.tr("decode") if group[0].phase == "decode" else self.tr("prompt")
            text = f"{letters} {phase}"
            if len(group) == 1:
                text += self.tr(" · {share} % of roof").format(share=round(100 * group[0].share))
            self.label(painter, [room.at(*place(point)) for point in group], text)
