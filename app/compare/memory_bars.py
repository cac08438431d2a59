"""Bars of every variant's peak memory by part, with the machine's capacity."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.charts.bar_axis import AXIS, LEFT, paint_axis
from app.charts.chart_data import ChartData, Keys
from app.charts.plot import dashed
from app.charts.scrolled_rows import ScrolledRows
from app.session.comparison_cache import FAILURES, capacity_bytes
from app.session.session import Session
from app.widgets.basics import paint_badge
from app.widgets.table_cells import paint_hatch
from core.analysis.comparison_row import Comparison, Row
from core.analysis.memory_split import split
from core.base import formatting

GIB = 2**30
LEAST = 13.0  # height of a row of bars
HIGHEST, BETWEEN = 18.0, 2.0  # px: a bar, and the gap between two
LEGEND = 20.0  # px: height of the legend
FOOT = AXIS + LEGEND


class MemoryBars(ScrolledRows):
    """The chart: weights, KV cache, rest, and the capacity if it is within the axis."""

    SHADES = (1.0, 0.6, 0.35)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.parts: list[tuple[Row, list[int]]] = []
        self._capacity: int | None = None
        self._edited: list[str] = []
        self._names = (self.tr("weights"), self.tr("KV"), self.tr("rest"))
        self.show_rows(0, LEAST, FOOT)
        self.setMinimumHeight(120)
        self.setAccessibleName(self.tr("Peak memory"))

    def refresh(self, comparison: Comparison | None) -> None:
        self._capacity, self._edited = capacity_bytes(comparison), self._session.edited
        self.parts = [(r, split(r)) for r in comparison.variants] if comparison is not None else []
        self.show_rows(len(self.parts), LEAST, FOOT)
        self.setAccessibleDescription(
            "; ".join(f"{r.variant}: {formatting.size(sum(p) or None)}" for r, p in self.parts)
        )
        self.update()

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(row.variant), row.variant) for row, _ in self.parts]

    def chart_data(self) -> ChartData:
        kinds = (*self._names, self.tr("peak"), self.tr("capacity"))
        names = [self.tr("variant"), *(f"{kind} (GiB)" for kind in kinds)]
        capacity = self._capacity / GIB if self._capacity else None
        return ChartData.of_rows(
            names,
            (
                (row.variant, *(p / GIB if sum(parts) else None for p in (*parts, sum(parts))), capacity)
                for row, parts in self.parts
            ),
        )

    def read(self, place: QPointF) -> str:
        """Return the parts of the row under the pointer in words."""
        row = self.row_at(place.y())
        if row is None:
            return ""
        found, parts = self.parts[row]
        head = f"{theme.letter(self._session.index_of(found.variant))} {formatting.size(sum(parts) or None)}"
        sizes = [f"{name} {formatting.size(part)}" for name, part in zip(self._names, parts, strict=True) if part]
        return "   ".join([head, *sizes])

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        largest = max([sum(p) for _, p in self.parts] + [1])
        near = self._capacity is not None and self._capacity < 3 * largest
        top = 1.06 * self._capacity if near and self._capacity else 1.02 * largest
        right, step, shown = self.width() - (16.0 if near else 56.0), self._step(), self.parts[self.shown]
        foot = step * len(shown)
        paint_axis(painter, right, foot, top / GIB)
        for place, (row, parts) in enumerate(shown):
            self._bar(painter, row, parts, step * (place + 0.5), min(HIGHEST, step - BETWEEN), (right - LEFT) / top)
        if near and self._capacity:
            x = LEFT + self._capacity / top * (right - LEFT)
            painter.setPen(dashed("text"))
            painter.drawLine(QLineF(x, 2, x, foot))
        self._below(painter, QRectF(LEFT, foot + AXIS, self.width() - LEFT - 4, LEGEND))
        self.paint_cue(painter, foot)

    def _bar(self, painter: QPainter, row: Row, parts: list[int], middle: float, high: float, scale: float) -> None:
        index, x, up = self._session.index_of(row.variant), LEFT, middle - high / 2
        paint_badge(painter, QRectF(4, up, high, high), index)
        for shade, size in zip(self.SHADES, parts, strict=True):
            wide = size * scale
            colour, place = theme.variant(index), QRectF(x, up, max(0.0, wide - 1), high)
            colour.setAlphaF(shade)
            for ground in (theme.color("panel"), colour):  # no line of the axis shines through
                painter.fillRect(place, ground)
            x += wide
        if row.variant in self._edited:
            paint_hatch(painter, QRectF(LEFT, up, x - LEFT, high), "panel")
        painter.setPen(theme.color("err" if row.status in FAILURES and not parts[0] else "text2"))
        painter.setFont(theme.font(11))
        label = formatting.number(sum(parts) / GIB) if sum(parts) else "—"
        painter.drawText(QRectF(x + 6, middle - 9, 70, 18), Qt.AlignmentFlag.AlignVCenter, label)

    def _below(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the legend of the shades, and the capacity beside it if there is room."""
        x = rect.left()
        painter.setFont(theme.font(11))
        metrics = painter.fontMetrics()
        for shade, text in zip(self.SHADES, self._names, strict=True):
            colour = theme.variant(0)
            colour.setAlphaF(shade)
            painter.fillRect(QRectF(x, rect.center().y() - 4, 8, 8), colour)
            painter.setPen(QPen(theme.color("text2")))
            painter.drawText(QRectF(x + 12, rect.top(), 80, rect.height()), Qt.AlignmentFlag.AlignVCenter, text)
            x += 24 + metrics.horizontalAdvance(text)
        note = self.tr("capacity {size}").format(size=formatting.size(self._capacity)) if self._capacity else ""
        if metrics.horizontalAdvance(note) <= rect.right() - x:
            painter.setPen(theme.color("text3"))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), note)
