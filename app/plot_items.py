"""What every plot here has in common, and what pyqtgraph has not: phase bands, axes. Knows the theme; reads no event.
Paints only what is visible.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import ceil, floor, log10

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QGraphicsView, QWidget

from app.chart_data import ChartData
from app.chart_picture import Keys
from app.event_words import phase_name
from app.live_data import Band
from app.theme import theme

Span = tuple[float, float]
MOST_ZOOM = 1e6  # how many times less than all of it a plot can show
MOST_BANDS = 600  # more than that on a screen are narrower than a pixel or two
GRID = 0.2  # opacity of the lines
LABEL = 20  # pixels between two labels of a vertical axis
LOWEST_MS = 1e-3  # what a logarithmic axis shows for a gap of 0


class CalmPlot(pg.PlotWidget):
    """Paints once for all its changes, when it is told: left alone, each scene paints the window anew, some twice.

    `home` is the range that it shows by itself. The wheel zooms and a drag pans from there, on the axes of `free`, as
    + and − and the arrows do; a double-click and Home lead back. `zoomed` says that another part is in sight."""

    zoomed = Signal()

    def __init__(self, left: pg.AxisItem, bottom: pg.AxisItem, parent: QWidget | None = None) -> None:
        super().__init__(parent, axisItems={"left": left, "bottom": bottom}, enableMenu=False)
        self.by_hand = False
        self._home: tuple[Span, Span] | None = None
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.getPlotItem().hideButtons()
        self.getViewBox().setDefaultPadding(0)
        self.disableAutoRange()
        self.free(x=True, y=False)
        self.hair = pg.InfiniteLine(angle=90, movable=False)
        self.hair.setZValue(50)
        self.hair.hide()
        self.addItem(self.hair, ignoreBounds=True)
        self.getViewBox().sigRangeChangedManually.connect(self._moved_by_hand)

    # -- what it says of itself: see `app.chart_actions` ------------------------------------------------------
    def chart_data(self) -> ChartData:
        """The figures that are drawn."""
        raise NotImplementedError

    def chart_keys(self) -> Keys:
        """Which letters are in it."""
        return []

    def read(self, x: float, y: float) -> str:
        """The values at a place, for the row above."""
        return ""

    # -- the part in sight ------------------------------------------------------------------------------------
    def free(self, x: bool, y: bool) -> None:
        """Which axes the wheel and a drag move."""
        self.setMouseEnabled(x=x, y=y)

    def home(self, x: Span, y: Span) -> None:
        """What to show, unless the user has chosen another part; at most three times as much can be shown."""
        self._home = (x, y)
        (left, right), (bottom, top) = x, y
        wide, high = right - left, top - bottom
        self.getViewBox().setLimits(
            xMin=left - wide, xMax=right + wide, yMin=bottom - high, yMax=top + high, minXRange=wide / MOST_ZOOM,
            minYRange=high / MOST_ZOOM,
        )  # fmt: skip
        if not self.by_hand:
            self._show_home()

    def _show_home(self) -> None:
        if self._home is not None:
            self.getViewBox().setRange(xRange=self._home[0], yRange=self._home[1], padding=0)

    @Slot()
    def reset_view(self) -> None:
        """Back to all of it."""
        self.by_hand = False
        self._show_home()
        self.zoomed.emit()
        self.show_changes()

    @Slot(object)
    def _moved_by_hand(self, _axes: object) -> None:
        self.by_hand = True
        self.zoomed.emit()
        self.show_changes()

    def zoom(self, factor: float) -> None:
        """Show `factor` times as much, about the middle, as the keys + and − do."""
        x, y = self.getViewBox().state["mouseEnabled"]
        self.getViewBox().scaleBy(x=factor if x else None, y=factor if y else None)
        self._moved_by_hand(None)

    def pan(self, x: float, y: float = 0.0) -> None:
        """Move on by shares of what is in sight."""
        free_x, free_y = self.getViewBox().state["mouseEnabled"]
        (left, right), (bottom, top) = self.getViewBox().viewRange()
        self.getViewBox().translateBy(
            x=x * (right - left) if free_x else None, y=y * (top - bottom) if free_y else None
        )
        self._moved_by_hand(None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_view()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, step = event.key(), 0.1
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(0.8)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1.25)
        elif key == Qt.Key.Key_Home:
            self.reset_view()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.pan(-step if key == Qt.Key.Key_Left else step)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.pan(0.0, step if key == Qt.Key.Key_Up else -step)
        else:
            event.ignore()

    # -- pointer --------------------------------------------------------------------------------------
    def leaveEvent(self, event) -> None:
        self.scene().sigMouseMoved.emit(QPointF(-1, -1))
        super().leaveEvent(event)

    # -- looks --------------------------------------------------------------------------------------------------
    def restyle(self, left_width: int) -> None:
        """Ground, axes and grid in the colours of the theme."""
        self.setBackground(theme.color("panel"))
        style_axis(self.getAxis("left"))
        style_axis(self.getAxis("bottom"))
        self.getAxis("left").setWidth(left_width)
        self.getPlotItem().showGrid(y=True, alpha=GRID)
        self.hair.setPen(pg.mkPen(theme.color("text3"), width=1))

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
        step = nice((high - low) / max(2, size / 110))
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
        step = nice((high - low) / max(2, min(4, size / 28)))
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


def nice(step: float) -> float:
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
