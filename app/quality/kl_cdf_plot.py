"""The distribution of the tokens' KL divergence."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from app.charts.axes import DecadeAxis
from app.charts.cdf_plot import SharesPlot
from app.charts.chart_data import ChartData
from app.session.session import Session
from core.base import formatting
from core.quality.distribution_metrics import HISTOGRAM_EDGES
from core.results.results import Results


class DivergencePlot(SharesPlot):
    """The share of tokens whose KL divergence is at most x nats."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, DecadeAxis(), parent)
        self.setMinimumHeight(96)
        self.setAccessibleName(self.tr("KL divergence of the tokens: share of tokens"))

    def refresh(self, results: Results | None) -> None:
        """Draw the curves of all judged variants."""
        shown = {
            name: state.quality
            for name, state in (results.variants.items() if results is not None else ())
            if state.quality is not None and any(state.quality.kld_histogram)
        }
        self.keep(shown)
        edges = np.log10(HISTOGRAM_EDGES)
        lowest, highest = 0.0, -2.0
        for name, found in shown.items():
            counts = np.asarray(found.kld_histogram, dtype=float)
            shares = np.concatenate([[0.0], np.cumsum(counts) / counts.sum()])
            filled = np.flatnonzero(counts)
            lowest, highest = min(lowest, edges[filled[0]]), max(highest, edges[filled[-1] + 1])
            self.curve(name).setData(edges, shares)
        p99 = {name: found.kld_p99 for name, found in shown.items()}
        self.setAccessibleDescription("; ".join(f"{n}: p99 {formatting.number(x)} nats" for n, x in p99.items()))
        room = 0.02 * (highest - lowest)
        self.home((lowest - room, highest + room), (-0.005, 1.04))
        self.show_changes()

    def chart_data(self) -> ChartData:
        names = [self.tr("KL divergence at most (nats)"), *(f"{n} ({self.tr('% of tokens')})" for n in self.curves)]
        shares = [100 * curve.yData for curve in self.curves.values()]
        return ChartData(tuple(names), (np.asarray(HISTOGRAM_EDGES, dtype=float), *shares))

    def read(self, x: float, y: float) -> str:
        """Return the share of each variant's tokens that diverge by at most x."""
        parts = [self.tr("≤ {kld} nats").format(kld=formatting.number(10**x, 2))]
        for name, curve in self.curves.items():
            share = 100 * float(np.interp(x, curve.xData, curve.yData))
            parts.append(self.tr("{letter} {share} %").format(letter=self.letter(name), share=f"{share:.0f}"))
        return "  ".join(parts)
