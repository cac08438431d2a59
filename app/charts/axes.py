"""The axes of plots, and their tick labels."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, log10

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from app.base.theme import theme
from core.base.axis_ticks import labelled, ticks
from core.base.formatting import plain, power

LABEL = 20  # pixels between two labels of a vertical axis
LOWEST_MS = 1e-3  # the value that a logarithmic axis shows for a gap of 0


class TimeAxis(pg.AxisItem):
    """Seconds before now (−40 s … now) while following, else seconds since the start."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.now: float | None = None
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        zero = self.now if self.now is not None else 0.0
        step, found = ticks(low - zero, high - zero, max(2, size / 110))
        return [(step, [zero + tick for tick in found])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.now is None:
            return [f"{v:.6g} s".replace("-", "−") for v in values]
        words = []
        for value in values:
            ago = value - self.now
            words.append(self.tr("now") if abs(ago) < spacing / 1e3 else f"{ago:.6g} s".replace("-", "−"))
        return words


class ValueAxis(pg.AxisItem):
    """A horizontal axis of plain numbers, none of them cut at its end."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        metrics = QFontMetricsF(theme.font(11))

        def wide(value: float) -> float:
            return metrics.horizontalAdvance(self.text(value, high - low))

        return [labelled(low, high, size, wide)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        low, high = self.range
        return [self.text(value, high - low) for value in values]

    def text(self, value: float, span: float) -> str:
        """Return the label of a value; `span` is the axis's range."""
        return plain(value)


class SecondsAxis(ValueAxis):
    """Seconds since the start."""

    def text(self, value: float, span: float) -> str:
        return f"{value:.6g} s".replace("-", "−")


class VerticalAxis(pg.AxisItem):
    """A left axis that also labels its very ends, which pyqtgraph omits with a grid."""

    def __init__(self) -> None:
        super().__init__("left")
        self.enableAutoSIPrefix(False)

    def boundingRect(self) -> QRectF:
        return super().boundingRect().adjusted(0, -8, 0, 8)


class LogAxis(VerticalAxis):
    """A vertical axis for decimal logarithms: as many of 1, 2, 3, 5, 10, … as fit."""

    DIGITS = ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))

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
    """A horizontal axis for decimal logarithms: powers of ten, and 3 between them if there is room."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.enableAutoSIPrefix(False)

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        a_decade = size / max(1e-6, high - low)
        every = max(1, ceil(56 / max(1e-6, a_decade)))
        digits = (1, 3) if a_decade >= 110 else (1,)
        powers = [p for p in range(floor(low), ceil(high) + 1) if p % every == 0]
        values = [p + log10(d) for p in powers for d in digits]
        half = 16 / max(1e-6, a_decade)  # half a label, which an end would cut
        return [(1.0, [v for v in values if low + half <= v <= high - half])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [plain(10**v) if -4 < v < 6 else power(v) for v in values]


class AmountAxis(VerticalAxis):
    """A vertical axis of an amount: about four ticks from 0."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        return [ticks(low, high, max(2, min(4, size / 28)))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [plain(v) for v in values]


class ShareAxis(AmountAxis):
    """An axis of shares: 0, 50 %, 99 %."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        return [(0.5, [0.0, 0.5, 0.99])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [self.tr("{x} %").format(x=f"{100 * v:g}") for v in values]


def style_axis(axis: pg.AxisItem, labels: bool = True) -> None:
    """Set the theme's colours and 11 px labels; tick marks are invisible."""
    axis.setPen(pg.mkPen(theme.color("line2")))
    # Grid lines are ticks, drawn in the ticks' colour; on a time axis even ticks of no length leave dots.
    axis.setTickPen(pg.mkPen(theme.color("text3" if axis.orientation == "left" else "panel")))
    axis.setTextPen(pg.mkPen(theme.color("text3")))
    axis.setStyle(tickFont=theme.font(11), tickLength=0, showValues=labels, hideOverlappingLabels=False)
    axis.setStyle(autoExpandTextSpace=False, autoReduceTextSpace=False)  # its size is given: no second paint to fit it
