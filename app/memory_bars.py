"""Peak memory of every variant as bars: what fills it, and how much there is. Knows rows and the theme."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.bar_axis import AXIS, LEFT, MOST, paint_axis
from app.calm_plot import dashed
from app.cells import paint_hatch
from app.chart_data import ChartData, Keys
from app.measured import FAILURES, capacity_bytes
from app.painted_chart import PaintedChart
from app.theme import theme
from app.widgets import paint_badge
from core import words
from core.comparison import Comparison, Row
from core.memory_split import split

GIB = 2**30
LEAST = 20.0  # height of a row of bars
LEGEND = 20.0  # height of what the shades mean
FOOT = AXIS + LEGEND


class MemoryBars(PaintedChart):
    """Peak memory of each variant: weights, KV cache, rest, and the capacity where it is in reach."""

    SHADES = (1.0, 0.6, 0.35)

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.parts: list[tuple[Row, list[int]]] = []
        self._capacity: int | None = None
        self._edited: list[str] = []
        self._names = (self.tr("weights"), self.tr("KV"), self.tr("rest"))
        self.setMinimumHeight(120)
        self.setAccessibleName(self.tr("Peak memory"))

    def refresh(self, comparison: Comparison | None) -> None:
        self._capacity, self._edited = capacity_bytes(comparison), self._session.edited
        self.parts = [(r, split(r)) for r in comparison.variants] if comparison is not None else []
        self.setAccessibleDescription("; ".join(f"{r.variant}: {words.size(sum(p) or None)}" for r, p in self.parts))
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

    def _step(self) -> float:
        """Height of a row."""
        return min(MOST, (self.height() - FOOT) / max(1, min(len(self.parts), self.fitting)))

    @property
    def fitting(self) -> int:
        """How many rows there is room for; of the others only the number is said."""
        return max(1, int((self.height() - FOOT) / LEAST))

    def read(self, place: QPointF) -> str:
        """The parts of the row under the pointer."""
        row = int(place.y() // self._step()) if self.parts else -1
        if not 0 <= row < min(len(self.parts), self.fitting):
            return ""
        found, parts = self.parts[row]
        head = f"{theme.letter(self._session.index_of(found.variant))} {words.size(sum(parts) or None)}"
        sizes = [f"{name} {words.size(part)}" for name, part in zip(self._names, parts, strict=True) if part]
        return "   ".join([head, *sizes])

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        largest = max([sum(p) for _, p in self.parts] + [1])
        near = self._capacity is not None and self._capacity < 3 * largest
        top = 1.06 * self._capacity if near and self._capacity else 1.02 * largest
        right, step, shown = self.width() - (16.0 if near else 56.0), self._step(), self.parts[: self.fitting]
        foot = step * len(shown)
        paint_axis(painter, right, foot, top / GIB)
        for place, (row, parts) in enumerate(shown):
            self._bar(painter, row, parts, step * (place + 0.5), (right - LEFT) / top)
        if near and self._capacity:
            x = LEFT + self._capacity / top * (right - LEFT)
            painter.setPen(dashed("text"))
            painter.drawLine(QLineF(x, 2, x, foot))
        self._below(painter, QRectF(LEFT, foot + AXIS, self.width() - LEFT - 4, LEGEND), len(self.parts) - len(shown))

    def _bar(self, painter: QPainter, row: Row, parts: list[int], middle: float, scale: float) -> None:
        index, x = self._session.index_of(row.variant), LEFT
        paint_badge(painter, QRectF(4, middle - 9, 18, 18), index)
        for shade, size in zip(self.SHADES, parts, strict=True):
            wide = size * scale
            colour, place = theme.variant(index), QRectF(x, middle - 9, max(0.0, wide - 1), 18)
            colour.setAlphaF(shade)
            for ground in (theme.color("panel"), colour):  # no line of the axis shines through
                painter.fillRect(place, ground)
            x += wide
        if row.variant in self._edited:
            paint_hatch(painter, QRectF(LEFT, middle - 9, x - LEFT, 18), "panel")
        painter.setPen(theme.color("err" if row.status in FAILURES and not parts[0] else "text2"))
        painter.setFont(theme.font(11))
        label = words.number(sum(parts) / GIB) if sum(parts) else "—"
        painter.drawText(QRectF(x + 6, middle - 9, 70, 18), Qt.AlignmentFlag.AlignVCenter, label)

    def _below(self, painter: QPainter, rect: QRectF, left_out: int) -> None:
        """What the shades mean, and beside them how many rows are not shown, or the capacity, where there is room."""
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
        note = self.tr("capacity {size}").format(size=words.size(self._capacity)) if self._capacity else ""
        if left_out > 0:
            note = self.tr("and {n} more").format(n=left_out)
        if metrics.horizontalAdvance(note) <= rect.right() - x:
            painter.setPen(theme.color("text3"))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), note)
