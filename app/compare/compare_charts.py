"""The charts below the comparison table: latencies, bars of any measure, and a trade-off of any two measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedWidget, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.charts.chart_panel import ChartPanel
from app.compare.compare_rows import CompareRow
from app.compare.latency_cdf_plot import LatencyPlot
from app.compare.measure_bars import Bar, MeasureBars
from app.compare.memory_bars import MemoryBars
from app.compare.tradeoff_plot import TradeoffPlot
from app.compare.tradeoff_points import TradeoffPoint, spot
from app.session.comparison_cache import capacity_bytes
from app.session.session import Session
from app.widgets.basics import hairline, keep_room
from core.analysis.comparison_row import Comparison
from core.analysis.contrast import Contrast, contrast, spread
from core.analysis.measures import MEASURES, Measure, known, measure
from core.base import formatting
from core.results.results import Results
from core.spec.gate import Gate
from core.wording import contrast_text

Seen = Mapping[str, tuple[Results, Comparison]]  # by the mark of an experiment


class Chooser(QComboBox):
    """A choice of measures; those without figures are listed with a note."""

    chosen = Signal()

    def __init__(self, name: str, key: str, what: str) -> None:
        super().__init__()
        self.setWhatsThis(what)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFont(theme.font(12, 600))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(10)  # "Peak memory"; the longer ones end in dots
        self.setMaximumWidth(132)
        for by in MEASURES:
            self.addItem(formatting.capital(said(contrast_text.title(by.key))), by.key)
        self.set_measure(key)
        self.by_hand = False
        self.activated.connect(self._activated)

    @property
    def by(self) -> Measure:
        return measure(self.currentData())

    def set_measure(self, key: str) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key))

    def enable(self, there: frozenset[str]) -> None:
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, by in enumerate(MEASURES):
            title = formatting.capital(said(contrast_text.title(by.key)))
            model.item(place).setEnabled(by.key in there)
            self.setItemText(
                place, title if by.key in there else self.tr("{measure} (not measured)").format(measure=title)
            )

    @Slot(int)
    def _activated(self, _place: int) -> None:
        self.by_hand = True
        self.chosen.emit()


class CompareCharts(QWidget):
    """The charts; `changed` says that another measure was chosen."""

    changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.latency = LatencyPlot(session)
        self.memory = MemoryBars(session)
        self.bars = MeasureBars()
        self.trade = TradeoffPlot()
        self.of_bars = Chooser(
            self.tr("Measure of the bars"),
            "peak_memory",
            self.tr("The figure that the bars show; memory with what it is made of."),
        )
        self.of_y = Chooser(
            self.tr("Measure of the vertical axis"), "speed", self.tr("What a variant gains: how high its mark stands.")
        )
        self.of_x = Chooser(
            self.tr("Measure of the horizontal axis"),
            "peak_memory",
            self.tr("What it costs: how far right the mark stands."),
        )
        latency = ChartPanel(self.tr("Inter-token latency"), self.tr("ms, share of tokens"), self.latency, session)
        self._parts = ChartPanel(self.tr("Peak memory"), self.tr("GiB"), self.memory, session)
        self._whole = ChartPanel("", "", self.bars, session)
        self._trade = ChartPanel("", "", self.trade, session)
        self._trade.choose_by(self.of_y, self.of_x)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._parts)
        self._pages.addWidget(self._whole)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._shown = (latency, self._pages, self._trade)
        for place, part in enumerate(self._shown):
            if place:
                row.addWidget(hairline(vertical=True))
            row.addWidget(part, 1)
            keep_room(part)
        self.hide_parts()
        for chooser in (self.of_bars, self.of_x, self.of_y):
            chooser.chosen.connect(self.changed)
        self._show_bars_of(self.of_bars.by)

    def hide_parts(self) -> None:
        """Hide the charts until they are drawn; their places stay."""
        for part in self._shown:
            part.hide()

    def draw(self, seen: Seen, entries: Sequence[CompareRow], gate: Gate | None, judged: bool) -> Iterator[None]:
        """Draw one chart after another, yielding between them. `entries` are the table's rows in order; runs that are
        not comparable are left out."""
        results, comparison = next(iter(seen.values()))
        latency, bars, trade = self._shown
        self.latency.refresh(results)
        latency.show()
        yield
        there = known(row for _, found in seen.values() for row in found.variants)
        for chooser in (self.of_bars, self.of_x, self.of_y):
            chooser.enable(there | {chooser.by.key})
        alike = [entry for entry in entries if not entry.unlike]
        self._draw_bars(seen, alike, comparison)
        bars.show()
        yield
        if not self.of_x.by_hand:
            self.of_x.set_measure("kld" if judged else "peak_memory")
        self._draw_trade(seen, alike, gate, capacity_bytes(comparison))
        trade.show()

    def _draw_bars(self, seen: Seen, alike: Sequence[CompareRow], comparison: Comparison) -> None:
        by = self.of_bars.by
        self._show_bars_of(by)
        self.memory.refresh(comparison)
        if by.key != "peak_memory":
            self.bars.show_bars([_bar(seen, entry, by) for entry in alike], by)

    def _draw_trade(self, seen: Seen, alike: Sequence[CompareRow], gate: Gate | None, capacity: int | None) -> None:
        x, y = self.of_x.by, self.of_y.by
        found = [(e, spot(x, _contrast(seen, e, x)), spot(y, _contrast(seen, e, y))) for e in alike]
        points = [TradeoffPoint(e, mine, other) for e, mine, other in found if mine is not None and other is not None]
        self.trade.show_points(points, x, y, gate, capacity)
        title = self.tr("{y} against {x}").format(
            y=formatting.capital(said(contrast_text.title(y.key))), x=said(contrast_text.title(x.key))
        )
        self._trade.set_words(title, self.tr("line: Pareto front") if len(self.trade.front) > 1 else "")

    def _show_bars_of(self, by: Measure) -> None:
        """Show memory by parts, and other measures with intervals."""
        page = self._parts if by.key == "peak_memory" else self._whole
        page.choose_by(self.of_bars)
        self._pages.setCurrentWidget(page)
        self._whole.set_words(formatting.capital(said(contrast_text.title(by.key))), said(contrast_text.unit(by, None)))
        self.bars.setToolTip(
            self.tr("95 % interval of each variant's own rounds; the table's are of ratios within rounds, and narrower")
            if by.of_trial is not None
            else ""
        )


def _contrast(seen: Seen, entry: CompareRow, by: Measure) -> Contrast | None:
    """Return an entry's contrast by another measure than the table's, against the same row, or against the baseline if
    only that is available."""
    results, comparison = seen[entry.run]
    base = comparison.baseline if by.amount else next(r for r in comparison.variants if r.variant == entry.base.variant)
    row = next(r for r in comparison.variants if r.variant == entry.row.variant)
    return contrast(results, comparison, by, row, base)


def _bar(seen: Seen, entry: CompareRow, by: Measure) -> Bar:
    value = by.value(entry.row)
    if by.amount:
        found = _contrast(seen, entry, by)
        return Bar(entry, value, found.low, found.high) if found is not None else Bar(entry, value)
    interval = spread(seen[entry.run][0], entry.row, by)
    return Bar(entry, value, interval.low, interval.high) if interval is not None else Bar(entry, value)
