"""Two plots of quality: how the tokens' KL divergence is distributed, and speed against what it costs.

Knows results, rows and the theme; computes no statistics.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.chart_data import ChartData
from app.chart_picture import Keys
from app.compare_plots import ShareAxis, ValueAxis
from app.forest import Scale, distinguishable
from app.plot_items import CalmPlot, DecadeAxis, VerticalAxis, dashed
from app.said import said
from app.theme import theme
from core import quality_words, words
from core.comparison import Comparison, Row
from core.contrast import Z_95, of_row
from core.quality import HISTOGRAM_EDGES, Gate
from core.results import Results

NEAR_PX = 16  # marks that are nearer share one label


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


class RatioAxis(VerticalAxis):
    """A vertical axis of ratios, which are plotted as their logarithm: 0.5×, 1×, 2×."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        return [(1.0, [log(t) for t in Scale(exp(low), exp(high)).ticks(size) if low <= log(t) <= high])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [f"{exp(v):g}×" for v in values]


class TradePlot(CalmPlot):
    """Speed against KL divergence, both with their 95 % interval; the limits as dashed lines."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(RatioAxis(), ValueAxis(), parent)
        self._session = session
        self._rows: list[Row] = []
        self._gate: Gate | None = None
        self._drawn: list[object] = []
        self.labels: list[str] = []  # of the marks, as they are drawn
        self.free(x=True, y=True)
        self.setMinimumHeight(96)
        self.setAccessibleName(self.tr("Speed against quality loss"))
        self.recolour()
        self.zoomed.connect(self._draw_all)  # labels stand where there is room for them
        theme.changed.connect(self.recolour)

    def refresh(self, comparison: Comparison | None, gate: Gate | None) -> None:
        rows = comparison.variants if comparison is not None else []
        self._rows = [
            r
            for r in rows
            if r.speed_ratio is not None and (quality_words.is_judged(r) or r.quality_status == "reference")
        ]
        self._gate = gate
        self.setAccessibleDescription(
            "; ".join(
                f"{r.variant}: {said(words.ratio(r))}, {said(quality_words.clause(r))}".strip(", ") for r in self._rows
            )
        )
        self._draw_all()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if getattr(self, "_rows", None):
            self._draw_all()  # which labels are near each other depends on the size

    def chart_keys(self) -> Keys:
        return [(self._session.index_of(row.variant), row.variant) for row in self._rows]

    def chart_data(self) -> ChartData:
        names = (
            self.tr("variant"), self.tr("speed (×)"), self.tr("95 % low (×)"), self.tr("95 % high (×)"),
            self.tr("KL divergence (nats)"), self.tr("standard error (nats)"),
        )  # fmt: skip
        return ChartData.of_rows(
            names,
            (
                (r.variant, r.speed_ratio, r.speed_ratio_low, r.speed_ratio_high, r.kld_mean, r.kld_se)
                for r in self._rows
            ),
        )

    def read(self, x: float, y: float) -> str:
        """The variant that is nearest on the screen."""
        (left, right), (bottom, top) = self.getViewBox().viewRange()

        def distance(row: Row) -> float:
            across, up = (row.kld_mean or 0.0) - x, log(row.speed_ratio or 1.0) - y
            return (across / (right - left)) ** 2 + (up / (top - bottom)) ** 2

        row = min(self._rows, key=distance, default=None)
        if row is None:
            return ""
        letter = theme.letter(self._session.index_of(row.variant))
        return "   ".join(
            filter(None, (f"{letter} {said(words.ratio(row))} {words.interval(row)}".strip(), self._cost(row)))
        )

    def _cost(self, row: Row) -> str:
        if row.quality_status == "reference":
            return ""
        return f"KL {quality_words.divergence(row)} {quality_words.spread(row)}".strip()

    @Slot()
    def _draw_all(self) -> None:
        for item in self._drawn:
            self.removeItem(item)
        self._drawn, self.labels = [], []
        if not self._rows:
            self.show_changes()
            return
        x = {r.variant: r.kld_mean or 0.0 for r in self._rows}
        bars = {r.variant: Z_95 * (r.kld_se or 0.0) for r in self._rows}
        most = max(x[n] + bars[n] for n in x)
        if self._gate is not None:
            most = max(most, self._gate.kld_green)
        scale = Scale.of(of_row(row, "") for row in self._rows)
        room = 0.12 * log(scale.high / scale.low)
        self.home((-0.06 * most, 1.2 * most), (log(scale.low) - room, log(scale.high) + room))
        self._limits(most)
        for row in self._rows:
            self._mark(row, x[row.variant], bars[row.variant])
        self._label(x)
        self.show_changes()

    def _add(self, item: object) -> None:
        self.addItem(item, ignoreBounds=True)
        self._drawn.append(item)

    def _limits(self, most: float) -> None:
        """Where green ends and where amber ends, as far as they are in sight."""
        if self._gate is None:
            return
        limits = ((self._gate.kld_green, self.tr("green"), 1), (self._gate.kld_amber, self.tr("amber"), 2))
        for limit, text, line in limits:
            if limit <= 1.15 * most:
                self._add(pg.InfiniteLine(limit, angle=90, movable=False, pen=dashed("text3")))
                side = 1 if limit > 0.6 * 1.2 * most else 0  # of the line on which there is room
                note = pg.TextItem(f"{text} < {limit:g}", theme.color("text2"), anchor=(side, line))
                note.setFont(theme.font(11))
                note.setPos(limit, self.getViewBox().viewRange()[1][0])
                self._add(note)

    def _mark(self, row: Row, at: float, bar: float) -> None:
        assert row.speed_ratio is not None
        index, y = self._session.index_of(row.variant), log(row.speed_ratio)
        colour = theme.variant(index)
        low, high = row.speed_ratio_low, row.speed_ratio_high
        lines = [(at - bar, y, at + bar, y)] if bar else []
        if low and high:
            lines.append((at, log(low), at, log(high)))
        for x0, y0, x1, y1 in lines:
            self._add(pg.PlotCurveItem([x0, x1], [y0, y1], pen=pg.mkPen(colour, width=2)))
        filled = distinguishable(of_row(row, ""))
        self._add(
            pg.ScatterPlotItem(
                [at],
                [y],
                symbol=theme.symbol(index),
                size=11,
                pen=pg.mkPen(theme.color("panel") if filled else colour, width=1.5),
                brush=pg.mkBrush(colour if filled else theme.color("panel")),
            )
        )

    def _label(self, x: dict[str, float]) -> None:
        """A letter beside each mark; marks that lie on each other share one label."""
        view = self.getViewBox()
        (left, right), (bottom, top) = view.viewRange()
        wide, high = max(1.0, view.width()) / (right - left), max(1.0, view.height()) / (top - bottom)
        groups: list[list[Row]] = []
        for row in self._rows:
            place = (x[row.variant] * wide, log(row.speed_ratio or 1) * high)
            for group in groups:
                first = group[0]
                there = (x[first.variant] * wide, log(first.speed_ratio or 1) * high)
                if abs(place[0] - there[0]) < NEAR_PX and abs(place[1] - there[1]) < NEAR_PX:
                    group.append(row)
                    break
            else:
                groups.append([row])
        for group in groups:
            text = ", ".join(theme.letter(self._session.index_of(r.variant)) for r in group)
            at = max(x[r.variant] for r in group)
            to_the_left = (at - left) * wide > 0.8 * view.width()
            note = pg.TextItem(f"  {text}  ", theme.color("text"), anchor=(1 if to_the_left else 0, 1))
            note.setFont(theme.font(11, 600))
            note.setPos(at, log(group[0].speed_ratio or 1))
            self._add(note)
            self.labels.append(text)

    @Slot()
    def recolour(self) -> None:
        self.restyle(44)
        self._draw_all()
