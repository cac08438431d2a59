"""Below the comparison's table: the distribution of inter-token latency, and what fills the memory.

Knows trials, rows and the theme. Latencies of a trial are worked out once and kept.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.calm_plot import CalmPlot, dashed
from app.chart_data import ChartData
from app.chart_picture import Keys
from app.measured import FAILURES, capacity_bytes
from app.painted_chart import PaintedChart
from app.plot_axes import AmountAxis, TimeAxis, plain
from app.theme import theme
from app.widgets import paint_badge
from core import words
from core.comparison import Comparison, Row
from core.measures import latencies_ms
from core.memory_split import split
from core.results import Results

LEAST = 20.0  # height of a row of bars
FOOT = 44.0  # pixels below the bars: legend and capacity
POINTS = 400  # of a curve: quantiles, so that a million latencies cost no more than a hundred


class ValueAxis(TimeAxis):
    """A horizontal axis of plain numbers."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [plain(v) for v in values]


class ShareAxis(AmountAxis):
    """0, 50 %, 99 %."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        return [(0.5, [0.0, 0.5, 0.99])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [self.tr("{x} %").format(x=f"{100 * v:g}") for v in values]


class LatencyPlot(CalmPlot):
    """Share of tokens that came within x ms, a curve per variant."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(ShareAxis(), ValueAxis(), parent)
        self._session = session
        self._kept: dict[tuple[str, int], np.ndarray] = {}
        self._results: Results | None = None
        self.curves: dict[str, pg.PlotCurveItem] = {}
        self._letters: dict[str, pg.TextItem] = {}
        self._looks: dict[str, tuple[int, str]] = {}  # index and theme that a curve is dressed for
        self.setAccessibleName(self.tr("Inter-token latency: share of tokens"))
        self.recolour()
        theme.changed.connect(self.recolour)

    def prepare(self, results: Results, name: str) -> None:
        """Work out what is new when a trial has ended; there would be much to do when the comparison opens."""
        if results is not self._results:
            self._kept, self._results = {}, results
        self._latencies(results, name)
        self._curve(name)

    def refresh(self, results: Results | None) -> None:
        if results is not self._results:
            self._kept, self._results = {}, results
        highest, said = 0.0, []
        names = [*results.variants] if results is not None else []
        for name in [n for n in self.curves if n not in names]:
            self.removeItem(self.curves.pop(name))
            self.removeItem(self._letters.pop(name))
            self._looks.pop(name, None)
        for name in names:
            values = self._latencies(results, name) if results is not None else np.empty(0)
            if len(values) < 2:
                continue
            values.sort()
            places = np.arange(len(values))
            shares = np.linspace(0, 1, min(POINTS, len(values)))
            x = np.interp(shares * places[-1], places, values)  # np.quantile would sort again for each question
            self._curve(name).setData(x, shares)
            highest = max(highest, float(np.interp(0.99 * places[-1], places, values)))
            # Letters stand at different heights, so that curves that overlap keep theirs apart.
            height = 0.75 - 0.14 * (self._session.index_of(name) % 5)
            self._letters[name].setPos(float(np.interp(height, shares, x)), height)
            self._letters[name].setVisible(True)
            said.append(f"{name}: p50 {words.number(float(np.interp(0.5 * places[-1], places, values)))} ms")
        self._thin_out(0.08 * highest)
        self.home((0, 1.12 * (highest or 100.0)), (-0.005, 1.04))
        self.setAccessibleDescription("; ".join(said))
        for name in self.curves:
            self._dress(name)
        self.show_changes()

    def _thin_out(self, apart: float) -> None:
        """Of letters that would stand on each other, the first; the values under the pointer name every curve."""
        taken: list[tuple[float, float]] = []
        for letter in self._letters.values():
            at = (letter.pos().x(), letter.pos().y())
            letter.setVisible(all(abs(at[0] - x) > apart or at[1] != y for x, y in taken))
            if letter.isVisible():
                taken.append(at)

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(name), name) for name in self.curves]

    def chart_data(self) -> ChartData:
        """The quantiles that are drawn: for each share of the tokens, the latency within which they came."""
        shares = np.linspace(0, 1, POINTS + 1)
        drawn = {n: c for n, c in self.curves.items() if c.xData is not None and len(c.xData)}
        names = [self.tr("share of tokens (%)"), *(f"{name} (ms)" for name in drawn)]
        columns = [np.interp(shares, curve.yData, curve.xData) for curve in drawn.values()]
        return ChartData(tuple(names), (100 * shares, *columns))

    def read(self, x: float, y: float) -> str:
        """The share of each variant's tokens that came within x ms."""
        if x < 0:
            return ""
        parts = [f"{words.number(x)} ms"]
        for name, curve in self.curves.items():
            if curve.xData is not None and len(curve.xData):
                share = 100 * float(np.interp(x, curve.xData, curve.yData, left=0.0))
                letter = theme.letter(self._session.index_of(name))
                parts.append(self.tr("{letter} {share} %").format(letter=letter, share=f"{share:.0f}"))
        return "  ".join(parts)

    def _latencies(self, results: Results, name: str) -> np.ndarray:
        parts = []
        for trial in results.variants[name].trials:
            key = (name, trial.round)
            if key not in self._kept:
                self._kept[key] = latencies_ms(trial)
            parts.append(self._kept[key])
        return np.concatenate(parts) if parts else np.empty(0)

    def _curve(self, name: str) -> pg.PlotCurveItem:
        if name not in self.curves:
            self.curves[name] = pg.PlotCurveItem(antialias=True)
            self._letters[name] = pg.TextItem(anchor=(0, 0.5))
            self.addItem(self.curves[name], ignoreBounds=True)
            self.addItem(self._letters[name], ignoreBounds=True)
            self._dress(name)
        return self.curves[name]

    def _dress(self, name: str) -> None:
        """The hue, the dash and the letter of a variant, where they are not yet so."""
        index = self._session.index_of(name)
        look = (index, theme.name)
        if self._looks.get(name) != look:
            self._looks[name] = look
            self.curves[name].setPen(pg.mkPen(theme.variant(index), width=2, style=theme.dash(index)))
            self._letters[name].setText(f" {theme.letter(index)}", theme.color("text"))
            self._letters[name].setFont(theme.font(11, 600))

    @Slot()
    def recolour(self) -> None:
        self.restyle(40)
        for name in self.curves:
            self._dress(name)
        self.show_changes()


class MemoryBars(PaintedChart):
    """Peak memory of each variant: weights, KV cache, rest, and the capacity where it is in reach."""

    SHADES = (1.0, 0.6, 0.35)

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.parts: list[tuple[Row, list[int]]] = []
        self._capacity: int | None = None
        self.setMinimumHeight(120)
        self.setAccessibleName(self.tr("Peak memory"))

    def refresh(self, comparison: Comparison | None) -> None:
        self._capacity = capacity_bytes(comparison)
        self.parts = [(r, split(r)) for r in comparison.variants] if comparison is not None else []
        self.setAccessibleDescription("; ".join(f"{r.variant}: {words.size(sum(p) or None)}" for r, p in self.parts))
        self.update()

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(row.variant), row.variant) for row, _ in self.parts]

    def chart_data(self) -> ChartData:
        kinds = (self.tr("weights"), self.tr("KV"), self.tr("rest"), self.tr("peak"), self.tr("capacity"))
        names = [self.tr("variant"), *(f"{kind} (GiB)" for kind in kinds)]
        capacity = self._capacity / 2**30 if self._capacity else None
        return ChartData.of_rows(
            names,
            (
                (row.variant, *(p / 2**30 if sum(parts) else None for p in (*parts, sum(parts))), capacity)
                for row, parts in self.parts
            ),
        )

    def _step(self) -> float:
        """Height of a row."""
        return min(48.0, (self.height() - FOOT) / max(1, min(len(self.parts), self.fitting)))

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
        names = (self.tr("weights"), self.tr("KV"), self.tr("rest"))
        sizes = [f"{name} {words.size(part)}" for name, part in zip(names, parts, strict=True) if part]
        return "   ".join([head, *sizes])

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        largest = max([sum(p) for _, p in self.parts] + [1])
        near = self._capacity is not None and self._capacity < 3 * largest
        top = 1.06 * self._capacity if near and self._capacity else 1.25 * largest
        left, right, foot = 34.0, self.width() - 16.0, self.height() - FOOT
        step = self._step()
        shown = self.parts[: self.fitting]
        for place, (row, parts) in enumerate(shown):
            middle = step * (place + 0.5)
            index = self._session.index_of(row.variant)
            paint_badge(painter, QRectF(4, middle - 9, 18, 18), index)
            x = left
            for shade, size in zip(self.SHADES, parts, strict=True):
                wide = size / top * (right - left)
                colour = theme.variant(index)
                colour.setAlphaF(shade)
                painter.fillRect(QRectF(x, middle - 9, max(0.0, wide - 1), 18), colour)
                x += wide
            painter.setPen(theme.color("err" if row.status in FAILURES and not parts[0] else "text2"))
            painter.setFont(theme.font(11))
            label = words.number(sum(parts) / 2**30) if sum(parts) else "—"
            painter.drawText(QRectF(x + 6, middle - 9, 70, 18), Qt.AlignmentFlag.AlignVCenter, label)
        below = min(foot, step * len(shown)) + 4
        if near and self._capacity:
            x = left + self._capacity / top * (right - left)
            painter.setPen(dashed("text"))
            painter.drawLine(QLineF(x, 2, x, below - 4))
        self._legend(painter, QRectF(left, below, right - left, 18))
        painter.setPen(theme.color("text3"))
        painter.setFont(theme.font(11))
        if self._capacity:
            note = self.tr("capacity {size}").format(size=words.size(self._capacity))
            painter.drawText(QRectF(left, below + 20, right - left, 18), Qt.AlignmentFlag.AlignVCenter, note)
        if len(shown) < len(self.parts):
            text = self.tr("and {n} more").format(n=len(self.parts) - len(shown))
            beside = QRectF(left, below + 20, right - left, 18)
            painter.drawText(beside, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)

    def _legend(self, painter: QPainter, rect: QRectF) -> None:
        x = rect.left()
        painter.setFont(theme.font(11))
        for shade, text in zip(self.SHADES, (self.tr("weights"), self.tr("KV"), self.tr("rest")), strict=True):
            colour = theme.variant(0)
            colour.setAlphaF(shade)
            painter.fillRect(QRectF(x, rect.center().y() - 4, 8, 8), colour)
            painter.setPen(QPen(theme.color("text2")))
            painter.drawText(QRectF(x + 12, rect.top(), 80, rect.height()), Qt.AlignmentFlag.AlignVCenter, text)
            x += 24 + painter.fontMetrics().horizontalAdvance(text)
