"""Parts of the live plots that pyqtgraph does not have: phase bands and two axes. Knows the theme; reads no
event. Paints only what is visible.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import ceil, floor, log10

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsView, QWidget

from app.event_words import phase_name
from app.live_data import Band
from app.theme import theme

MOST_BANDS = 600  # more than that on a screen are narrower than a pixel or two
GRID = 0.2  # opacity of the lines
LABEL = 20  # pixels between two labels of a vertical axis
LOWEST_MS = 1e-3  # what a logarithmic axis shows for a gap of 0


class CalmPlot(pg.PlotWidget):
    """Paints once for all its changes, when it is told: left alone, each scene paints the window anew, some twice."""

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={"left": left, "bottom": bottom})
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.getPlotItem().hideButtons()
        self.setMenuEnabled(False)
        self.getViewBox().setDefaultPadding(0)
        self.disableAutoRange()

    def restyle(self, left_width: int) -> None:
        """Ground, axes and grid in the colours of the theme."""
        self.setBackground(theme.color("panel"))
        style_axis(self.getAxis("left"))
        style_axis(self.getAxis("bottom"))
        self.getAxis("left").setWidth(left_width)
        self.getPlotItem().showGrid(y=True, alpha=GRID)

    @Slot()
    def show_changes(self) -> None:
        """Paint soon."""
        self.viewport().update()


class BandsItem(pg.GraphicsObject):
    """Shades every phase in the hue of its variant: trials full, warm-up and load fainter."""

    def __init__(self, index_of: Callable[[str], int], titled: bool) -> None:
        super().__init__()
        self._index_of, self._titled = index_of, titled
        self._bands: list[Band] = []
        self._now = 0.0
        self.setZValue(-50)

    def set_bands(self, bands: list[Band], now: float) -> None:
        self._bands, self._now = bands, now
        self.update()

    def boundingRect(self) -> QRectF:
        return self.viewRect() or QRectF()

    def viewTransformChanged(self) -> None:
        self.prepareGeometryChange()
        super().viewTransformChanged()

    def paint(self, painter: QPainter, *args) -> None:
        view = self.viewRect()
        if view is None:
            return
        seen = [b for b in self._bands if b.start < view.right() and (b.end or self._now) > view.left()]
        if len(seen) > MOST_BANDS:
            return
        for band in seen:
            tint = theme.variant(self._index_of(band.variant))
            tint.setAlphaF((0.11 if theme.dark else 0.08) if band.phase == "trial" else 0.04)
            left, right = max(band.start, view.left()), min(band.end or self._now, view.right())
            painter.fillRect(QRectF(left, view.top(), right - left, view.height()), tint)
        if self._titled:
            self._titles(painter, seen)

    def _titles(self, painter: QPainter, seen: list[Band]) -> None:
        """Letter and name at the top of each band that is wide enough, in pixels rather than in seconds."""
        transform, view = painter.transform(), self.viewRect()
        painter.save()
        painter.resetTransform()
        painter.setFont(theme.font(11, 600))
        metrics = painter.fontMetrics()
        for band in seen:
            left = transform.map(QPointF(max(band.start, view.left()), view.bottom())).x()
            right = transform.map(QPointF(min(band.end or self._now, view.right()), view.bottom())).x()
            top = min(transform.map(view.topLeft()).y(), transform.map(view.bottomLeft()).y())
            room = right - left - 12
            letter = theme.letter(self._index_of(band.variant))
            title = f"{letter}  {band.variant if band.phase == 'trial' else phase_name(band.phase)}"
            if metrics.horizontalAdvance(title) > room:
                title = letter
            if metrics.horizontalAdvance(title) <= room:
                painter.setPen(theme.color("text" if band.phase == "trial" else "text3"))
                painter.drawText(QPointF(left + 6, top + 16), title)
        painter.restore()


class TimeAxis(pg.AxisItem):
    """Seconds before now (−40 s … now) while following, seconds since the start otherwise."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.now: float | None = None
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        step = _nice((high - low) / max(2, size / 110))
        zero = self.now if self.now is not None else 0.0
        first, last = ceil((low - zero) / step), floor((high - zero) / step)
        return [(step, [zero + i * step for i in range(first, last + 1)])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.now is None:
            return [f"{v:.6g} s".replace("-", "−") for v in values]
        words = []
        for value in values:
            ago = value - self.now
            words.append(self.tr("now") if abs(ago) < spacing / 1e3 else f"{ago:.6g} s".replace("-", "−"))
        return words


class VerticalAxis(pg.AxisItem):
    """A left axis that also shows labels at its very ends: pyqtgraph drops those where there is a grid."""

    def __init__(self) -> None:
        super().__init__("left")
        self.enableAutoSIPrefix(False)

    def boundingRect(self) -> QRectF:
        return super().boundingRect().adjusted(0, -8, 0, 8)


class LogAxis(VerticalAxis):
    """A vertical axis for values that are plotted as their decimal logarithm: as many of 1, 2, 3, 5, 10, … as fit."""

    DIGITS = ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 5, 7), (1, 2, 5), (1,))

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        decades = max(1e-6, high - low)
        a_label = LABEL / max(1.0, size) * decades
        for digits in self.DIGITS:
            places = [log10(d) for d in (*digits, 10)]
            if min(b - a for a, b in pairwise(places)) >= a_label:
                break
        every = max(1, ceil(a_label)) if len(digits) == 1 else 1
        powers = range(floor(low), ceil(high) + 1, every)
        values = [power + log10(digit) for power in powers for digit in digits]
        return [(1.0, [v for v in values if low <= v <= high])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [plain(10**v) for v in values]


class DecadeAxis(pg.AxisItem):
    """A horizontal axis for values that are plotted as their decimal logarithm: powers of ten, and 3 between them
    where there is room."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        a_decade = size / max(1e-6, high - low)
        every = max(1, ceil(56 / max(1e-6, a_decade)))
        digits = (1, 3) if a_decade >= 110 else (1,)
        powers = [p for p in range(floor(low), ceil(high) + 1) if p % every == 0]
        values = [p + log10(d) for p in powers for d in digits]
        half = 16 / max(1e-6, a_decade)  # of a label, which would be cut at an end
        return [(1.0, [v for v in values if low + half <= v <= high - half])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [plain(10**v) if -4 < v < 6 else power(v) for v in values]


class AmountAxis(VerticalAxis):
    """A vertical axis of an amount: about four ticks from 0."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        step = _nice((high - low) / max(2, min(4, size / 28)))
        return [(step, [i * step for i in range(ceil(low / step), floor(high / step) + 1)])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [plain(v) for v in values]


def plain(value: float) -> str:
    """A figure on an axis: no zeros at its end, never in powers of ten, thousands apart."""
    text = f"{value:,.6f}" if abs(value) < 1 else f"{value:,.3f}"
    return text.rstrip("0").rstrip(".").replace(",", "\u2009").replace("-", "−")


def power(exponent: float) -> str:
    """10⁻⁶."""
    return "10" + str(round(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _nice(step: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    if step <= 0:
        return 1.0
    power = 10.0 ** floor(log10(step))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= step * 0.999)


def style_axis(axis: pg.AxisItem, labels: bool = True) -> None:
    """Theme colours and 11 px figures; the tick marks vanish into the background."""
    axis.setPen(pg.mkPen(theme.color("line2")))
    # Grid lines are ticks, drawn in the ticks' colour; on a time axis even ticks of no length leave dots.
    axis.setTickPen(pg.mkPen(theme.color("text3" if axis.orientation == "left" else "panel")))
    axis.setTextPen(pg.mkPen(theme.color("text3")))
    axis.setStyle(tickFont=theme.font(11), tickLength=0, showValues=labels, hideOverlappingLabels=False)
    axis.setStyle(autoExpandTextSpace=False, autoReduceTextSpace=False)  # its size is given: no second paint to fit it


def dashed(token: str) -> object:
    """A pen for a limit."""
    return pg.mkPen(theme.color(token), width=1.5, style=Qt.PenStyle.DashLine)
