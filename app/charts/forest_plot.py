"""Forest plots: ratios to a reference as points with intervals on a logarithmic axis around 1×; amounts on a linear
axis from 0.

`Scale` and `paint_interval` serve the comparison's table and the inspector. A filled point is distinguishable from the
reference, a hollow one is not (yet).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleValueChangeEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.charts.chart_data import ChartData, Keys
from app.charts.painted_chart import PaintedChart
from app.session.comparison_cache import FAILURES
from app.session.session import Session
from app.widgets.basics import paint_badge, tip
from core.analysis.comparison_row import Comparison, Row
from core.analysis.contrast import Contrast, of_row
from core.base.axis_ticks import ticks
from core.base.formatting import plain
from core.report.ratio_scale import RatioScale
from core.results.ratio_statistics import MARGIN
from core.wording import contrast_text


@dataclass(frozen=True)
class Scale:
    """A logarithmic axis of ratios, on which 2× and 0.5× are equally far from 1×, or a linear one of amounts."""

    low: float = 0.9
    high: float = 1.5
    linear: bool = False

    @staticmethod
    def of(found: Iterable[Contrast]) -> Scale:
        """Return a scale that contains every interval, and 1× with a margin on both sides."""
        scale = RatioScale.around(v for c in found for v in (c.ratio, c.low, c.high))
        return Scale(scale.low, scale.high)

    @staticmethod
    def of_amounts(found: Iterable[Contrast], limit: float = 0.0) -> Scale:
        """Return a scale from 0 that contains every amount with its interval, and a limit if given."""
        most = max([limit, *(v for c in found for v in (c.value, c.high) if v is not None)], default=0.0) or 1.0
        return Scale(-0.06 * most, 1.12 * most, linear=True)

    @property
    def origin(self) -> float:
        """The value of no difference."""
        return 0.0 if self.linear else 1.0

    def x(self, value: float, rect: QRectF) -> float:
        """Return the horizontal position of a ratio or an amount in a rectangle."""
        if self.linear:
            share = (value - self.low) / (self.high - self.low)
        else:
            share = RatioScale(self.low, self.high).share(value)
        return rect.left() + share * rect.width()

    def ticks(self, width: float = 240.0) -> list[float]:
        """Return round values inside the scale, the origin among them, no closer than their labels allow."""
        if self.linear:
            return ticks(self.low, self.high, max(2.0, width / 64))[1]
        return RatioScale(self.low, self.high).ticks(width)

    def text(self, tick: float) -> str:
        return plain(tick) if self.linear else f"{tick:g}×"


def distinguishable(found: Contrast) -> bool:
    """Return whether the point is filled."""
    return (found.decided and not found.noisy) or found.verdict == "baseline"


def noisy_tag() -> str:
    """Return the mark of a verdict whose rounds were mostly disturbed."""
    return QCoreApplication.translate("Forest", "noisy")


def accessible(row: Row, found: Contrast, index: int, margin: float) -> str:
    """Return a row for a screen reader: "B, int4 weights, 2.31 times faster, 2.27 to 2.36"."""
    times = QCoreApplication.translate("Forest", " times")
    spoken = said(contrast_text.ratio(found, margin)).replace("×", times).replace("≈ ", "")
    parts = [theme.letter(index), row.variant, said(row.error) or spoken]
    if found.noisy and found.decided and not row.error:
        parts.append(noisy_tag())
    ratio, _, bounds = contrast_text.interval(found).rstrip("]").rpartition("[")
    if bounds and not row.error:
        low, _, high = bounds.partition(", ")
        if ratio:
            parts.append(ratio.strip().replace("×", times))
        parts.append(QCoreApplication.translate("Forest", "{low} to {high}").format(low=low, high=high))
    return ", ".join(parts)


def _marker(painter: QPainter, centre: QPointF, index: int, size: float, filled: bool) -> None:
    """Paint a diamond for the baseline or a disc for others."""
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
    painter: QPainter, rect: QRectF, scale: Scale, found: Contrast, index: int, filled: bool | None = None
) -> None:
    """Paint one row: a beam from the origin to the estimate, the interval with its whiskers, the marker."""
    value = found.value if scale.linear else found.ratio
    if value is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    filled = distinguishable(found) if filled is None else filled
    middle, at = rect.center().y(), scale.x(value, rect)
    colour, beam = theme.variant(index), theme.variant(index)
    if found.decided:
        beam.setAlphaF(0.4)
        painter.setPen(QPen(beam, 2))
        painter.drawLine(QLineF(scale.x(scale.origin, rect), middle, at, middle))
    if found.low is not None and found.high is not None:
        low, high = scale.x(found.low, rect), scale.x(found.high, rect)
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QLineF(low, middle, high, middle))
        for end in (low, high):
            painter.drawLine(QLineF(end, middle - 6, end, middle + 6))
    _marker(painter, QPointF(at, middle), index, 9 if index else 11, filled)


def paint_grid(painter: QPainter, rect: QRectF, scale: Scale, strong: bool = True) -> None:
    """Paint a line at every tick; the origin's is stronger."""
    for tick in scale.ticks(rect.width()):
        x = round(scale.x(tick, rect)) + 0.5
        painter.setPen(QPen(theme.color("text3" if tick == scale.origin and strong else "grid"), 1))
        painter.drawLine(QLineF(x, rect.top(), x, rect.bottom()))


def paint_axis(painter: QPainter, rect: QRectF, scale: Scale) -> None:
    """Paint the tick labels: 0.5×, 1×, 2×."""
    for tick in scale.ticks(rect.width()):
        x = scale.x(tick, rect)
        painter.setFont(theme.font(11, 600 if tick == scale.origin else 400))
        painter.setPen(theme.color("text" if tick == scale.origin else "text3"))
        painter.drawText(QRectF(x - 30, rect.top(), 60, rect.height()), Qt.AlignmentFlag.AlignCenter, scale.text(tick))


class Forest(PaintedChart):
    """A small forest plot for the inspector: badge, interval, axis. All points are hollow, since the results are
    provisional."""

    ROW, AXIS, LEFT = 34, 22, 40

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._rows: list[Row] = []
        self._found: list[Contrast] = []
        self.setAccessibleName(self.tr("Provisional: speed vs. A"))

    def set_comparison(self, comparison: Comparison | None) -> None:
        rows = comparison.variants[1:] if comparison is not None else []
        if rows == self._rows:
            return
        self._rows = rows
        self.setFixedHeight(self.sizeHint().height())
        found = [of_row(row, "") for row in rows]
        self._found = found
        margin = comparison.margin if comparison is not None else MARGIN
        places = [self._session.index_of(row.variant) for row in rows]
        said = "\n".join(accessible(*line, margin) for line in zip(rows, found, places, strict=True))
        self.setAccessibleDescription(said)
        self.setToolTip(tip(said))
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
        scale = Scale.of(self._found)
        rows = QRectF(self.LEFT, 0, self.width() - self.LEFT - 12, self.ROW * len(self._rows))
        paint_grid(painter, rows, scale)
        for place, (row, found) in enumerate(zip(self._rows, self._found, strict=True)):
            index = self._session.index_of(row.variant)
            top = place * self.ROW
            paint_badge(painter, QRectF(0, top + 8, 18, 18), index)
            line = QRectF(rows.left(), top, rows.width(), self.ROW)
            if row.status in FAILURES:
                painter.setPen(theme.color("err"))
                painter.setFont(theme.font(11))
                beside = line.adjusted(scale.x(1.0, line) - line.left() + 8, 0, 0, 0)
                painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, self.tr("failed"))
            paint_interval(painter, line, scale, found, index, filled=False)
        paint_axis(painter, QRectF(rows.left(), rows.bottom(), rows.width(), self.AXIS), scale)


class GhostForest(QWidget):
    """An example of a forest plot, shown before there are results. Its caption says that the figures are made up."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(150)
        self.setAccessibleName(self.tr("How to read a result"))
        self.setAccessibleDescription(
            self.tr("Dot: best estimate. Bar: 95 % interval. A bar that crosses 1×: no claim is made.")
        )
        theme.changed.connect(self.update)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        made_up = (
            Contrast(variant="", reference="", ratio=1.68, low=1.55, high=1.82, verdict="faster"),
            Contrast(variant="", reference="", ratio=1.02, low=0.96, high=1.09, verdict="undecided"),
        )
        says = (
            (self.tr("1.68× faster"), self.tr("dot: best estimate. bar: 95 % interval")),
            (self.tr("not distinguishable"), self.tr("bar crosses 1×: no claim is made")),
        )
        scale, area = Scale(0.9, 1.95), QRectF(190, 0, min(320.0, self.width() - 480.0), 120)
        painter.setPen(QPen(theme.color("text3"), 1))
        one = scale.x(1.0, area)
        painter.drawLine(QLineF(one, 4, one, 112))
        for place, (found, (verdict, rule)) in enumerate(zip(made_up, says, strict=True)):
            top = 8 + place * 48
            paint_badge(painter, QRectF(0, top + 12, 20, 20), place + 1)
            painter.setFont(theme.font(13, 600 if place == 0 else 400))
            painter.setPen(theme.color("text" if place == 0 else "text2"))
            painter.drawText(QRectF(30, top, 160, 44), Qt.AlignmentFlag.AlignVCenter, verdict)
            line = QRectF(area.left(), top, area.width(), 44)
            paint_interval(painter, line, scale, found, place + 1)
            painter.setFont(theme.font(11))
            painter.setPen(theme.color("text3"))
            start = scale.x(found.high or 1, area) + 14
            painter.drawText(QRectF(start, top, 320, 44), Qt.AlignmentFlag.AlignVCenter, rule)
        painter.setFont(theme.font(11, 600))
        painter.setPen(theme.color("text2"))
        painter.drawText(QRectF(one - 60, 116, 120, 20), Qt.AlignmentFlag.AlignCenter, self.tr("1× = baseline"))
