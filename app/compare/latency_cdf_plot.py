"""The distribution of inter-token latency: for each variant, the share of tokens that came within so many milliseconds.
A trial's latencies are computed once, and a curve is kept while its trials are the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QWidget

from app.charts.axes import ValueAxis
from app.charts.cdf_plot import SharesPlot
from app.charts.chart_data import ChartData
from app.session.session import Session
from core.analysis.measures import latencies_ms
from core.base import formatting
from core.results.results import Results
from core.results.trials import Trial

POINTS = 400  # of a curve: quantiles, so that a million latencies cost no more than a hundred
MARGIN = 0.06  # of what is shown, before the fastest token and after the 99th of a hundred


@dataclass(frozen=True)
class Drawn:
    """A curve's rounds, and the quoted latencies in ms."""

    rounds: tuple[int, ...]
    least: float
    p50: float
    p99: float


class LatencyPlot(SharesPlot):
    """The share of tokens that came within x ms."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, ValueAxis(), parent)
        self._kept: dict[tuple[str, int], np.ndarray] = {}
        self._drawn: dict[str, Drawn] = {}
        self._values: dict[str, np.ndarray] = {}  # of the rounds that are drawn, the least first
        self._results: Results | None = None
        self.setAccessibleName(self.tr("Inter-token latency: share of tokens"))

    def prepare(self, results: Results, name: str) -> None:
        """Compute the latencies of a trial when it ends, so that opening the comparison is fast."""
        self._of(results)
        self._draw(results, name)

    def refresh(self, results: Results | None) -> None:
        self._of(results)
        if results is not None:
            for name in results.variants:
                self._draw(results, name)
        self.keep(self._drawn)
        drawn = self._drawn.values()
        low, high = min((d.least for d in drawn), default=0.0), max((d.p99 for d in drawn), default=100.0) or 1.0
        margin = MARGIN * max(high - low, 0.2 * high)
        self.home((max(0.0, low - margin), high + 2 * margin), (-0.005, 1.04))
        said = (f"{name}: p50 {formatting.number(found.p50)} ms" for name, found in self._drawn.items())
        self.setAccessibleDescription("; ".join(said))
        self.show_changes()

    def _of(self, results: Results | None) -> None:
        if results is not self._results:
            self._kept, self._drawn, self._results = {}, {}, results

    def _draw(self, results: Results, name: str) -> None:
        """Update the curve of a variant if its trials have changed."""
        trials = results.variants[name].trials
        rounds = tuple(trial.round for trial in trials)
        if name in self._drawn and self._drawn[name].rounds == rounds:
            self.curve(name)
            return
        before = self._drawn.get(name)
        known = before.rounds if before is not None and rounds[: len(before.rounds)] == before.rounds else ()
        new = [self._of_trial(name, trial) for trial in trials[len(known) :]]
        values = np.concatenate([self._values[name], *new] if known else new) if rounds else np.empty(0)
        if len(values) < 2:
            self._drawn.pop(name, None)
            return
        values.sort(kind="stable")  # its parts are sorted: that is merging
        places = np.arange(len(values))
        shares = np.linspace(0, 1, min(POINTS, len(values)))
        x = np.interp(shares * places[-1], places, values)  # np.quantile would sort again for each question
        p50, p99 = (float(np.interp(share * places[-1], places, values)) for share in (0.5, 0.99))
        self._values[name], self._drawn[name] = values, Drawn(rounds, float(values[0]), p50, p99)
        self.curve(name).setData(x, shares)

    def _of_trial(self, name: str, trial: Trial) -> np.ndarray:
        """Return a trial's latencies in ascending order."""
        if (name, trial.round) not in self._kept:
            self._kept[name, trial.round] = np.sort(latencies_ms(trial))
        return self._kept[name, trial.round]

    def chart_data(self) -> ChartData:
        """Return the drawn quantiles: for each share of the tokens, the latency within which they came."""
        shares = np.linspace(0, 1, POINTS + 1)
        names = [self.tr("share of tokens (%)"), *(f"{name} (ms)" for name in self.curves)]
        columns = [np.interp(shares, curve.yData, curve.xData) for curve in self.curves.values()]
        return ChartData(tuple(names), (100 * shares, *columns))

    def read(self, x: float, y: float) -> str:
        """Return the share of each variant's tokens that came within x ms."""
        if x < 0:
            return ""
        parts = [f"{formatting.number(x)} ms"]
        for name, curve in self.curves.items():
            share = 100 * float(np.interp(x, curve.xData, curve.yData, left=0.0))
            parts.append(self.tr("{letter} {share} %").format(letter=self.letter(name), share=f"{share:.0f}"))
        return "  ".join(parts)
