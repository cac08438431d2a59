"""Bars of any measure, one per variant with the interval of its own rounds, in the table's order and filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.charts.bar_axis import AXIS, LEFT, paint_axis
from app.charts.chart_data import ChartData, Keys
from app.charts.scrolled_rows import ScrolledRows
from app.compare.compare_rows import CompareRow
from app.widgets.basics import paint_badge
from app.widgets.table_cells import paint_hatch
from core.analysis.measures import SPEED, Measure
from core.wording import contrast_text

LEAST = 13.0  # height of a row
FOOT = AXIS


@dataclass(frozen=True)
class Bar:
    """One bar; `low` and `high` are None without an interval."""

    entry: CompareRow
    value: float | None
    low: float | None = None
    high: float | None = None


class MeasureBars(ScrolledRows):
    """A chart with one bar per variant."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: list[Bar] = []
        self.by: Measure = SPEED
        self.show_rows(0, LEAST, FOOT)
        self.setMinimumHeight(120)
        self.setAccessibleName(self.tr("Bars of a measure"))

    def show_bars(self, bars: Sequence[Bar], by: Measure) -> None:
        self.bars, self.by = list(bars), by
        self.show_rows(len(self.bars), LEAST, FOOT)
        self.setAccessibleDescription("; ".join(self._said(bar) for bar in self.bars))
        self.update()

    def chart_keys(self) -> Keys:
        return [(bar.entry.index, bar.entry.row.variant) for bar in self.bars]

    def chart_data(self) -> ChartData:
        names = (
            self.tr("variant"), self.tr("experiment"), self.by.column, self.tr("95 % low"), self.tr("95 % high"),
        )  # fmt: skip
        rows = ((b.entry.row.variant, b.entry.row.experiment, b.value, b.low, b.high) for b in self.bars)
        return ChartData.of_rows(names, rows)

    def _said(self, bar: Bar) -> str:
        row, by = bar.entry.row, self.by
        text = f"{theme.letter(bar.entry.index)} {said(contrast_text.figure(by, row, bar.value))}"
        if bar.low is not None and bar.high is not None:
            text += f" [{contrast_text.plain(by, bar.low)}, {contrast_text.plain(by, bar.high)}]"
        return f"{bar.entry.run} {text}".strip()

    # -- where things are --------------------------------------------------------------------------------
    def _most(self) -> float:
        return max([v for b in self.bars for v in (b.value, b.high) if v is not None], default=0.0) or 1.0

    def read(self, place: QPointF) -> str:
        """Return the bar under the pointer in words."""
        row = self.row_at(place.y())
        return self._said(self.bars[row]) if row is not None else ""

    # -- painting ----------------------------------------------------------------------------------------
    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step, right, top = self._step(), self.width() - 64.0, 1.02 * self._most()
        shown = self.bars[self.shown]
        foot = step * len(shown)
        paint_axis(painter, right, foot, contrast_text.in_unit(self.by, top))
        for place, bar in enumerate(shown):
            self._bar(painter, bar, step * (place + 0.5), min(18.0, step - 2), right, top)
        self.paint_cue(painter, foot)

    def _bar(self, painter: QPainter, bar: Bar, middle: float, high: float, right: float, top: float) -> None:
        index = bar.entry.index
        paint_badge(painter, QRectF(4, middle - high / 2, high, high), index)
        painter.setFont(theme.font(11))

        def x(value: float) -> float:
            return LEFT + value / top * (right - LEFT)

        if bar.value is None:
            painter.setPen(theme.color("text3"))
            painter.drawText(QRectF(LEFT + 6, middle - 9, 80, 18), Qt.AlignmentFlag.AlignVCenter, "—")
            return
        colour = theme.variant(index)
        colour.setAlphaF(0.6)
        place = QRectF(LEFT, middle - high / 2, max(1.0, x(bar.value) - LEFT), high)
        for ground in (theme.color("panel"), colour):  # no line of the axis shines through
            painter.fillRect(place, ground)
        if bar.entry.edited:
            paint_hatch(painter, place, "panel")
        end = x(bar.value)
        if bar.low is not None and bar.high is not None:
            painter.setPen(QPen(theme.color("text"), 2))
            low, end = x(bar.low), max(end, x(bar.high))
            painter.drawLine(QLineF(low, middle, x(bar.high), middle))
            for tip in (low, x(bar.high)):
                painter.drawLine(QLineF(tip, middle - 4, tip, middle + 4))
        painter.setPen(theme.color("text2"))
        text = contrast_text.plain(self.by, bar.value)
        painter.drawText(QRectF(end + 6, middle - 9, 60, 18), Qt.AlignmentFlag.AlignVCenter, text)
