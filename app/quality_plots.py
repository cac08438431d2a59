"""How the KL divergence of the tokens is distributed.

Knows results, rows and the theme; computes no statistics.
"""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.calm_plot import CalmPlot
from app.chart_data import ChartData
from app.chart_picture import Keys
from app.plot_axes import DecadeAxis, ShareAxis
from app.theme import theme
from core import words
from core.quality import HISTOGRAM_EDGES
from core.results import Results


class DivergencePlot(CalmPlot):
    """Share of tokens whose KL divergence is at most x nats, a curve per variant."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(ShareAxis(), DecadeAxis(), parent)
        self._session = session
        self.curves: dict[str, pg.PlotCurveItem] = {}
        self._letters: dict[str, pg.TextItem] = {}
        self.setMinimumHeight(96)
        self.setAccessibleName(self.tr("KL divergence of the tokens: share of tokens"))
        self.recolour()
        theme.changed.connect(self.recolour)

    def refresh(self, results: Results | None) -> None:
        """Draw what is there of each variant."""
        shown = {
            name: state.quality
            for name, state in (results.variants.items() if results is not None else ())
            if state.quality is not None and any(state.quality.kld_histogram)
        }
        for name in [n for n in self.curves if n not in shown]:
            self.removeItem(self.curves.pop(name))
            self.removeItem(self._letters.pop(name))
        edges = np.log10(HISTOGRAM_EDGES)
        lowest, highest = 0.0, -2.0
        for place, (name, found) in enumerate(shown.items()):
            counts = np.asarray(found.kld_histogram, dtype=float)
            shares = np.concatenate([[0.0], np.cumsum(counts) / counts.sum()])
            filled = np.flatnonzero(counts)
            lowest, highest = min(lowest, edges[filled[0]]), max(highest, edges[filled[-1] + 1])
            self._curve(name).setData(edges, shares)
            height = 0.78 - 0.15 * (place % 5)  # so that curves that overlap keep their letters apart
            self._letters[name].setPos(float(np.interp(height, shares, edges)), height)
        p99 = {name: found.kld_p99 for name, found in shown.items()}
        self.setAccessibleDescription("; ".join(f"{n}: p99 {words.number(x)} nats" for n, x in p99.items()))
        room = 0.02 * (highest - lowest)
        self.home((lowest - room, highest + room), (-0.005, 1.04))
        self._dress()

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(name), name) for name in self.curves]

    def chart_data(self) -> ChartData:
        names = [self.tr("KL divergence at most (nats)"), *(f"{n} ({self.tr('% of tokens')})" for n in self.curves)]
        shares = [100 * curve.yData for curve in self.curves.values()]
        return ChartData(tuple(names), (np.asarray(HISTOGRAM_EDGES, dtype=float), *shares))

    def read(self, x: float, y: float) -> str:
        """The share of each variant's tokens that diverge by no more."""
        parts = [self.tr("≤ {kld} nats").format(kld=words.number(10**x, 2))]
        for name, curve in self.curves.items():
            share = 100 * float(np.interp(x, curve.xData, curve.yData))
            letter = theme.letter(self._session.index_of(name))
            parts.append(self.tr("{letter} {share} %").format(letter=letter, share=f"{share:.0f}"))
        return "  ".join(parts)

    def _curve(self, name: str) -> pg.PlotCurveItem:
        if name not in self.curves:
            self.curves[name] = pg.PlotCurveItem(antialias=True)
            self._letters[name] = pg.TextItem(anchor=(0, 0.5))
            self.addItem(self.curves[name], ignoreBounds=True)
            self.addItem(self._letters[name], ignoreBounds=True)
        return self.curves[name]

    def _dress(self) -> None:
        for name, curve in self.curves.items():
            index = self._session.index_of(name)
            curve.setPen(pg.mkPen(theme.variant(index), width=2, style=theme.dash(index)))
            self._letters[name].setText(f" {theme.letter(index)}", theme.color("text"))
            self._letters[name].setFont(theme.font(11, 600))
        self.show_changes()

    @Slot()
    def recolour(self) -> None:
        self.restyle(40)
        self._dress()
