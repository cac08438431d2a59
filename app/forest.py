"""Ratios to the baseline as points with intervals, on a logarithmic axis about 1×.

`Scale` and `paint_interval` serve the comparison's table and the inspector. Knows comparison rows and the
theme; computes no statistics. Filled: distinguishable; hollow: not (or not yet).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, floor, log, log10

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QAccessible, QAccessibleValueChangeEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from app.chart_data import ChartData
from app.chart_picture import Keys
from app.painted_chart import PaintedChart
from app.theme import theme
from app.widgets import paint_badge
from core import words
from core.comparison import Comparison, Row

TICKS = (0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """A logarithmic axis of ratios: 2× and 0.5× are equally far from 1×."""

    low: float = 0.9
    high: float = 1.5

    @staticmethod
    def of(rows: list[Row]) -> Scale:
        """One that holds every interval, and 1× with some room on both sides."""
        known = [
            v for r in rows for v in (r.speed_ratio, r.speed_ratio_low, r.speed_ratio_high) if v is not None and v > 0
        ]
        low, high = min([*known, 1.0]), max([*known, 1.0])
        room = max(log(1.06), 0.06 * log(high / low))
        return Scale(exp(log(low) - room), exp(log(high) + room))

    def x(self, ratio: float, rect: QRectF) -> float:
        """Where a ratio lies in a rectangle."""
        share = log(max(ratio, 1e-9) / self.low) / log(self.high / self.low)
        return rect.left() + share * rect.width()

    def ticks(self, width: float = 240.0) -> list[float]:
        """Round ratios inside, 1 among them, no closer than their labels allow."""
        extra = [10.0**p for p in range(floor(log10(self.low)), ceil(log10(self.high)) + 1)]
        span = log(self.high / self.low)
        chosen = [1.0]
        candidates = {t for t in (*TICKS, *extra) if self.low <= t <= self.high}
        for tick in sorted(candidates, key=lambda t: (t not in (0.5, 1.5, 2.0), abs(log(t)))):
            if all(abs(log(tick / c)) / span * width >= 38 for c in chosen):
                chosen.append(tick)
        return sorted(chosen)


def distinguishable(row: Row) -> bool:
    """Whether the dot is filled."""
    return row.verdict in ("faster", "slower", "baseline")


def accessible(row: Row, index: int) -> str:
    """A row for a screen reader: "B, int4 weights, 2.31 times faster, 2.27 to 2.36"."""
    spoken = words.ratio(row).replace("×", " times").replace("≈ ", "")
    parts = [theme.letter(index), row.variant, row.error or spoken]
    bounds = words.interval(row).strip("[]")
    if bounds and not row.error:
        low, _, high = bounds.partition(", ")
        parts.append(QCoreApplication.translate("Forest", "{low} to {high}").format(low=low, high=high))
    return ", ".join(parts)


def _marker(painter: QPainter, centre: QPointF, index: int, size: float, filled: bool) -> None:
    """A diamond for the baseline, a disc for the others; the badge beside it says which one it is."""
    half, path = size / 2, QPainterPath()
    if index == 0:
        path.addPolygon([centre + QPointF(x, y) * half for x, y in ((0, -1.2), (1, 0), (0, 1.2), (-1, 0))])
        path.closeSubpath()
    else:
        path.addEllipse(centre, half, half)
    colour = theme.variant(index)
    painter.setPen(QPen(theme.color("panel") if filled else colour, 1.5 if filled else 2))
    painter.setBrush(colour if filled else theme.color("panel"))
    painter.drawPath(path)


def paint_interval(
    painter: QPainter, rect: QRectF, scale: Scale, row: Row, index: int, filled: bool | None = None
) -> None:
    """One row: a beam from 1× to the estimate, the interval with its whiskers, the marker."""
    if row.speed_ratio is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    filled = distinguishable(row) if filled is None else filled
    middle, at = rect.center().y(), scale.x(row.speed_ratio, rect)
    colour, beam = theme.variant(index), theme.variant(index)
    if row.verdict == "faster" or row.verdict == "slower":
        beam.setAlphaF(0.4)
        painter.setPen(QPen(beam, 2))
        painter.drawLine(QLineF(scale.x(1.0, rect), middle, at, middle))
    if row.speed_ratio_low is not None and row.speed_ratio_high is not None:
        low, high = scale.x(row.speed_ratio_low, rect), scale.x(row.speed_ratio_high, rect)
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QLineF(low, middle, high, middle))
        for end in (low, high):
            painter.drawLine(QLineF(end, middle - 6, end, middle + 6))
    _marker(painter, QPointF(at, middle), index, 9 if index else 11, filled)


def paint_grid(painter: QPainter, rect: QRectF, scale: Scale, strong: bool = True) -> None:
    """A line at every tick; 1× stands out."""
    for tick in scale.ticks(rect.width()):
        x = round(scale.x(tick, rect)) + 0.5
        painter.setPen(QPen(theme.color("text3" if tick == 1.0 and strong else "grid"), 1))
        painter.drawLine(QLineF(x, rect.top(), x, rect.bottom()))


def paint_axis(painter: QPainter, rect: QRectF, scale: Scale) -> None:
    """The ticks in words: 0.5×, 1×, 2×."""
    for tick in scale.ticks(rect.width()):
        x = scale.x(tick, rect)
        painter.setFont(theme.font(11, 600 if tick == 1.0 else 400))
        painter.setPen(theme.color("text" if tick == 1.0 else "text3"))
        painter.drawText(QRectF(x - 30, rect.top(), 60, rect.height()), Qt.AlignmentFlag.AlignCenter, f"{tick:g}×")


class Forest(PaintedChart):
    """A small forest for the inspector: badge, interval, axis. Hollow throughout: it is provisional."""

    ROW, AXIS, LEFT = 34, 22, 40

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._rows: list[Row] = []
        self.setAccessibleName(self.tr("Provisional: speed vs. A"))
        theme.changed.connect(self._recolour)

    @Slot()
    def _recolour(self) -> None:
        self.update()

    def set_comparison(self, comparison: Comparison | None) -> None:
        rows = comparison.variants[1:] if comparison is not None else []
        if rows == self._rows:
            return
        self._rows = rows
        self.setFixedHeight(self.sizeHint().height())
        said = "\n".join(accessible(r, self._session.index_of(r.variant)) for r in rows)
        self.setAccessibleDescription(said)
        self.setToolTip(said)
        QAccessible.updateAccessibility(QAccessibleValueChangeEvent(self, said))
        self.update()

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(row.variant), row.variant) for row in self._rows]

    def chart_data(self) -> ChartData:
        names = (self.tr("variant"), self.tr("speed (×)"), self.tr("95 % low (×)"), self.tr("95 % high (×)"))
        rows = ((r.variant, r.speed_ratio, r.speed_ratio_low, r.speed_ratio_high) for r in self._rows)
        return ChartData.of_rows(names, rows)

    def sizeHint(self) -> QSize:
        return QSize(240, self.ROW * len(self._rows) + self.AXIS)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        scale = Scale.of(self._rows)
        rows = QRectF(self.LEFT, 0, self.width() - self.LEFT - 12, self.ROW * len(self._rows))
        paint_grid(painter, rows, scale)
        for place, row in enumerate(self._rows):
            index = self._session.index_of(row.variant)
            top = place * self.ROW
            paint_badge(painter, QRectF(0, top + 8, 18, 18), index)
            line = QRectF(rows.left(), top, rows.width(), self.ROW)
            if row.status in ("failed", "out_of_memory", "refused"):
                painter.setPen(theme.color("err"))
                painter.setFont(theme.font(11))
                beside = line.adjusted(scale.x(1.0, line) - line.left() + 8, 0, 0, 0)
                painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, self.tr("failed"))
            paint_interval(painter, line, scale, row, index, filled=False)
        paint_axis(painter, QRectF(rows.left(), rows.bottom(), rows.width(), self.AXIS), scale)


class GhostForest(QWidget):
    """How to read a result, before there is one. The figures are made up, and the picture says so."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(150)
        self.setAccessibleName(self.tr("How to read a result"))
        self.setAccessibleDescription(
            self.tr("Dot: best estimate. Bar: 95 % interval. A bar that crosses 1×: no claim is made.")
        )
        theme.changed.connect(self._recolour)

    @Slot()
    def _recolour(self) -> None:
        self.update()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        made_up = [
            Row(
                experiment="", model="", variant="", recipe="", trials=8, status="ok", speed_ratio=1.68,
                speed_ratio_low=1.55, speed_ratio_high=1.82, verdict="faster",
            ),
            Row(
                experiment="", model="", variant="", recipe="", trials=8, status="ok", speed_ratio=1.02,
                speed_ratio_low=0.96, speed_ratio_high=1.09, verdict="undecided",
            ),
        ]  # fmt: skip
        says = (
            (self.tr("1.68× faster"), self.tr("dot: best estimate. bar: 95 % interval")),
            (self.tr("not distinguishable"), self.tr("bar crosses 1×: no claim is made")),
        )
        scale, area = Scale(0.9, 1.95), QRectF(190, 0, min(320.0, self.width() - 480.0), 120)
        painter.setPen(QPen(theme.color("text3"), 1))
        one = scale.x(1.0, area)
        painter.drawLine(QLineF(one, 4, one, 112))
        for place, (row, (verdict, rule)) in enumerate(zip(made_up, says, strict=True)):
            top = 8 + place * 48
            paint_badge(painter, QRectF(0, top + 12, 20, 20), place + 1)
            painter.setFont(theme.font(13, 600 if place == 0 else 400))
            painter.setPen(theme.color("text" if place == 0 else "text2"))
            painter.drawText(QRectF(30, top, 160, 44), Qt.AlignmentFlag.AlignVCenter, verdict)
            line = QRectF(area.left(), top, area.width(), 44)
            paint_interval(painter, line, scale, row, place + 1)
            painter.setFont(theme.font(11))
            painter.setPen(theme.color("text3"))
            start = scale.x(row.speed_ratio_high or 1, area) + 14
            painter.drawText(QRectF(start, top, 320, 44), Qt.AlignmentFlag.AlignVCenter, rule)
        painter.setFont(theme.font(11, 600))
        painter.setPen(theme.color("text2"))
        painter.drawText(QRectF(one - 60, 116, 120, 20), Qt.AlignmentFlag.AlignCenter, self.tr("1× = baseline"))
