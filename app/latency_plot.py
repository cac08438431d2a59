"""The distribution of inter-token latency: for each variant, the share of tokens that came within so many milliseconds.

Knows trials and the theme. Latencies of a trial are worked out once and kept.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.calm_plot import CalmPlot
from app.chart_data import ChartData
from app.chart_picture import Keys
from app.plot_axes import ShareAxis, ValueAxis
from app.theme import theme
from core import words
from core.measures import latencies_ms
from core.results import Results

POINTS = 400  # of a curve: quantiles, so that a million latencies cost no more than a hundred
#: Shares of the tokens at which a curve's letter may stand, and its size in pixels.
PLACES = (0.75, 0.6, 0.45, 0.3, 0.15, 0.9)
LETTER = (14.0, 16.0)
MARGIN = 0.06  # of what is shown, before the fastest token and after the 99th of a hundred


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
        self.zoomed.connect(self._place_letters)

    def prepare(self, results: Results, name: str) -> None:
        """Work out what is new when a trial has ended; there would be much to do when the comparison opens."""
        if results is not self._results:
            self._kept, self._results = {}, results
        self._latencies(results, name)
        self._curve(name)

    def refresh(self, results: Results | None) -> None:
        if results is not self._results:
            self._kept, self._results = {}, results
        fastest, slowest, said = [], [], []
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
            fastest.append(float(values[0]))
            slowest.append(float(np.interp(0.99 * places[-1], places, values)))
            said.append(f"{name}: p50 {words.number(float(np.interp(0.5 * places[-1], places, values)))} ms")
        low, high = min(fastest, default=0.0), max(slowest, default=100.0) or 1.0
        margin = MARGIN * max(high - low, 0.2 * high)
        self.home((max(0.0, low - margin), high + 2 * margin), (-0.005, 1.04))
        self.setAccessibleDescription("; ".join(said))
        for name in self.curves:
            self._dress(name)
        self._place_letters()
        self.show_changes()

    @Slot()
    def _place_letters(self) -> None:
        """Beside its curve, where no other curve and no other letter is; none where there is no such place, since the
        values under the pointer name every curve."""
        (left, right), (bottom, top) = self.getViewBox().viewRange()
        area = self.getViewBox().rect()
        across, down = (right - left) / max(1.0, area.width()), (top - bottom) / max(1.0, area.height())
        wide, high = LETTER[0] * across, LETTER[1] * down
        taken: list[QRectF] = []
        for name, letter in self._letters.items():
            places = (
                QRectF(x, share - high / 2, wide, high)
                for share in PLACES
                for x in self._beside(name, share, wide, 3 * across)
                if left <= x <= right - wide
            )
            others = [curve for other, curve in self.curves.items() if other != name]
            free = (p for p in places if not any(map(p.intersects, taken)) and not any(_runs(c, p) for c in others))
            place = next(free, None)
            letter.setVisible(place is not None)
            if place is not None:
                letter.setPos(place.left(), place.center().y())
                taken.append(place)

    def _beside(self, name: str, share: float, wide: float, gap: float) -> tuple[float, ...]:
        """Where a letter begins that stands right or left of a curve at a share of the tokens."""
        curve = self.curves[name]
        if curve.xData is None or not len(curve.xData):
            return ()
        at = float(np.interp(share, curve.yData, curve.xData))
        return at + gap, at - gap - wide

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if getattr(self, "_letters", None):
            self._place_letters()

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
            self._letters[name].setText(theme.letter(index), theme.color("text"))
            self._letters[name].setFont(theme.font(11, 600))

    @Slot()
    def recolour(self) -> None:
        self.restyle(40)
        for name in self.curves:
            self._dress(name)
        self.show_changes()


def _runs(curve: pg.PlotCurveItem, place: QRectF) -> bool:
    """Whether a rising curve runs through a place."""
    if curve.xData is None or not len(curve.xData):
        return False
    below, above = np.interp((place.top(), place.bottom()), curve.yData, curve.xData)
    return bool(below < place.right() and above > place.left())
