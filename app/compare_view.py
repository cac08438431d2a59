"""What came out: the answer in a sentence, the table with its forest, latency, memory and speed against quality below.

Fills as trials end. Events only mark the view dirty; it repaints on the session's tick while visible.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRectF, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.chart_panel import ChartPanel
from app.compare_plots import LatencyPlot, MemoryBars
from app.compare_table import (
    FOREST,
    ITL,
    PEAK,
    QUALITY,
    RATE,
    ROW_HEIGHT,
    ROW_ROLE,
    SPEED,
    TTFT,
    VARIANT,
    ComparisonModel,
    Order,
    RowDelegate,
)
from app.forest import GhostForest, Scale, paint_axis
from app.measured import FAILURES, comparison_of
from app.quality_plots import TradePlot
from app.tables import dress
from app.theme import theme
from app.view import View
from app.widgets import caption, hairline, heading, label
from core import events, export, quality_words, words
from core.comparison import Comparison

SHOWS_IN_TABLE = (
    events.Started, events.Env, events.Loaded, events.Warm, events.Receipts, events.TrialDone,
    events.Quality, events.Answers, events.Failed, events.Finished,
)  # fmt: skip


class ForestAxis(QWidget):
    """The ratios under the forest column, wherever that column is."""

    def __init__(self, table: QTableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self.scale = table, Scale()
        self.setFixedHeight(24)
        table.horizontalHeader().sectionResized.connect(self._moved)

    @Slot()
    def _moved(self) -> None:
        self.update()

    def paintEvent(self, event) -> None:
        left = self._table.columnViewportPosition(FOREST) + 12
        wide = self._table.columnWidth(FOREST) - 24
        paint_axis(QPainter(self), QRectF(left, 0, wide, self.height()), self.scale)


class CompareView(View):
    """The comparison, or how to read one before there is any."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.answer = label("", 20, 600, wrap=True)
        self.method = label("", 12, 400, "secondary", wrap=True)
        self.model = ComparisonModel(session, self)
        self.order = Order(self)
        self.order.setSourceModel(self.model)
        self.table = QTableView()
        self.axis = ForestAxis(self.table)
        self.latency = LatencyPlot(session)
        self.memory = MemoryBars(session)
        self.trade = TradePlot(session)
        self._set_up_table()
        self._build()
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copy.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        copy.activated.connect(self.copy)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.order.layoutChanged.connect(self._span)
        session.event_received.connect(self._on_event)
        session.run_started.connect(self.mark)
        session.run_finished.connect(self.mark)
        session.results_changed.connect(self.mark)
        session.selection_changed.connect(self._select)
        theme.changed.connect(self.mark)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.order)
        table.setItemDelegate(RowDelegate(self.session, self.model, table))
        dress(table, self.tr("Comparison"))
        header = table.horizontalHeader()
        header.setMinimumSectionSize(56)
        for column, wide in (
            (VARIANT, 172), (SPEED, 190), (RATE, 96), (TTFT, 68), (ITL, 62), (PEAK, 74), (QUALITY, 76),
        ):  # fmt: skip
            table.setColumnWidth(column, wide)
        header.setSectionResizeMode(FOREST, QHeaderView.ResizeMode.Stretch)
        table.setSortingEnabled(True)
        table.sortByColumn(VARIANT, Qt.SortOrder.AscendingOrder)
        self.order.setDynamicSortFilter(True)

    def _build(self) -> None:
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 20, 12)
        head.setSpacing(2)
        head.addWidget(self.answer)
        head.addWidget(self.method)
        below = QHBoxLayout()
        below.setSpacing(0)
        note = self.tr("ms, share of tokens")
        below.addWidget(ChartPanel(self.tr("Inter-token latency"), note, self.latency, self.session), 1)
        below.addWidget(hairline(vertical=True))
        below.addWidget(ChartPanel(self.tr("Peak memory"), self.tr("GiB"), self.memory, self.session), 1)
        self._trade = QWidget()
        beside = QHBoxLayout(self._trade)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(0)
        beside.addWidget(hairline(vertical=True))
        note = self.tr("KL, nats per token")
        beside.addWidget(ChartPanel(self.tr("Speed vs. quality loss"), note, self.trade, self.session), 1)
        below.addWidget(self._trade, 1)
        self._full = QWidget()
        layout = QVBoxLayout(self._full)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(hairline())
        layout.addWidget(self.table)
        layout.addWidget(self.axis)
        layout.addWidget(hairline())
        layout.addLayout(below, 1)
        self._empty = QWidget()
        teach = QVBoxLayout(self._empty)
        teach.setContentsMargins(60, 60, 60, 60)
        teach.addWidget(label(self.tr("A comparison appears here when the first trials end."), 20, 600))
        teach.addWidget(
            label(
                self.tr("Every variant runs once per round; its speed is compared with A's in the same round."),
                12, 400, "secondary", wrap=True,
            )
        )  # fmt: skip
        teach.addSpacing(24)
        teach.addWidget(heading(self.tr("How to read a result")))
        teach.addWidget(GhostForest())
        teach.addWidget(caption(self.tr("These figures are made up.")))
        teach.addStretch(1)
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._full)

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, SHOWS_IN_TABLE):
            self._dirty = True
        if isinstance(event, events.TrialDone) and event.variant is not None and self.session.results is not None:
            self.latency.prepare(self.session.results, event.variant)

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        """Show the comparison as it stands."""
        comparison = comparison_of(self.session.results)
        something = comparison is not None and any(r.trials or r.error for r in comparison.variants)
        self._pages.setCurrentWidget(self._full if something else self._empty)
        if comparison is None or not something:
            self.model.set_comparison(None)
            return
        best = words.fastest(comparison)
        cost = words.sentence(quality_words.clause(best)) if best is not None else ""
        self.answer.setText(f"{words.answer(comparison)} {cost}".strip())
        self.method.setText(words.method(comparison))
        self.model.set_comparison(comparison)
        self.axis.scale = self.model.scale
        self.axis.update()
        self._fit(comparison)
        self._span()
        self._select()
        self.latency.refresh(self.session.results)
        self.memory.refresh(comparison)
        self._show_quality(comparison)
        self.table.viewport().update()

    def _show_quality(self, comparison: Comparison) -> None:
        """A column and a plot more, once a variant was judged."""
        judged = any(quality_words.is_judged(r) for r in comparison.variants)
        self.table.setColumnHidden(QUALITY, not judged)
        self._trade.setVisible(judged)
        experiment = self.session.results.experiment
        asked = experiment.quality if experiment is not None else None
        self.trade.refresh(comparison if judged else None, asked.gate if asked is not None else None)

    def _fit(self, comparison: Comparison) -> None:
        """All rows show where there are few; from seven on the table scrolls."""
        rows = min(len(comparison.variants), 6)
        self.table.setFixedHeight(32 + rows * ROW_HEIGHT + 2)

    @Slot()
    def _span(self) -> None:
        """A failed row spends its forest on the cause; all of the row where nothing was measured."""
        self.table.clearSpans()
        for place in range(self.order.rowCount()):
            row = self.order.index(place, 0).data(ROW_ROLE)
            if row.status in FAILURES:
                self.table.setSpan(place, SPEED, 1, 2 if row.trials else QUALITY - SPEED + 1)

    @Slot()
    def _select(self) -> None:
        for place in range(self.order.rowCount()):
            if self.order.index(place, 0).data(ROW_ROLE).variant == self.session.selected:
                flags = QItemSelectionModel.SelectionFlag
                self.table.selectionModel().setCurrentIndex(
                    self.order.index(place, 0), flags.ClearAndSelect | flags.Rows
                )

    @Slot(QModelIndex, QModelIndex)
    def _row_chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = current.data(ROW_ROLE)
        if row is not None and row.variant != self.session.selected:
            self.session.select(row.variant)

    @Slot()
    def copy(self) -> None:
        """The whole table as TSV, as it would be exported."""
        comparison = comparison_of(self.session.results)
        if comparison is not None:
            QGuiApplication.clipboard().setText(export.tsv(comparison))
