"""What came out: the answer in a sentence, the table with its forest; latencies, a measure as bars, a gain and its cost
below.

Fills as trials end. Events only mark the view dirty; it repaints on the session's tick while visible. What it is
looked at by (measure, reference, trials left out) is `Looking`'s; a change of that is drawn at once.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QPainter, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import columns
from app.arranged import LINE_ROLE
from app.beside import Beside, BesideBar, Run
from app.compare_bar import CompareBar
from app.compare_charts import CompareCharts
from app.compare_table import (
    FOREST,
    QUALITY,
    RATE,
    ROW_HEIGHT,
    SPEED,
    VARIANT,
    ComparisonModel,
    RowDelegate,
    column_of,
)
from app.entries import Entry, Sheet, copied, entries_of, scale_of
from app.forest import GhostForest, Scale, paint_axis
from app.left_out_bar import LeftOutBar
from app.looking import Looking
from app.measured import FAILURES
from app.pair_bar import PairBar
from app.said import said
from app.tables import dress, titled
from app.theme import theme
from app.trials_table import TrialLine, TrialsTable, lines_of
from app.view import View
from app.widgets import caption, hairline, heading, label
from core import contrast_words, events, export, quality_words, words
from core.comparison import Comparison
from core.contrast import contrasts
from core.results import Results

SHOWS_IN_TABLE = (
    events.Started, events.Env, events.Loaded, events.Warm, events.Receipts, events.TrialDone,
    events.Quality, events.Answers, events.Failed, events.Finished,
)  # fmt: skip
WIDTHS = {VARIANT: 164, SPEED: 166}
LEAST_FOREST = 112
LEAST_ROWS, MOST_ROWS = 2, 6  # that are in sight: with the window's height, and from the next on the table scrolls


class ForestAxis(QWidget):
    """The ratios under the forest column, wherever that column is."""

    def __init__(self, table: QTableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self.scale = table, Scale()
        self.setFixedHeight(24)
        table.horizontalHeader().sectionResized.connect(self._moved)
        table.horizontalScrollBar().valueChanged.connect(self._moved)

    @Slot()
    def _moved(self) -> None:
        self.update()

    def paintEvent(self, event) -> None:
        left = self._table.columnViewportPosition(FOREST) + 12
        wide = self._table.columnWidth(FOREST) - 24
        paint_axis(QPainter(self), QRectF(left, 0, wide, self.height()), self.scale)


class _Table(QTableView):
    """Tells when there is more or less room for columns: the view may be as wide as before, beside a scroll bar."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()


class CompareView(View):
    """The comparison, or how to read one before there is any."""

    def __init__(
        self, session, looking: Looking | None = None, beside: Beside | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, parent)
        self.looking = Looking(self) if looking is None else looking
        self.beside = Beside(self) if beside is None else beside
        self.runs: list[Run] = []  # the experiments that are looked at, the present one first
        self.answer = label("", 20, 600, wrap=True)
        self.method = label("", 12, 400, "secondary", wrap=True)
        self.bar = CompareBar()
        self.model = ComparisonModel(self)
        self.table = _Table()
        self.axis = ForestAxis(self.table)
        self.pair = PairBar()
        self.left_out = LeftOutBar()
        self.others = BesideBar(self.beside)
        self.trials = TrialsTable(self.looking)
        self.charts = CompareCharts(session)
        self.latency, self.memory, self.trade = self.charts.latency, self.charts.memory, self.charts.trade
        self._judged = False
        self._set_up_table()
        self._build()
        for key, slot in (
            (QKeySequence.StandardKey.Copy, self.copy),
            (QKeySequence.StandardKey.Find, self.bar.filter.setFocus),
        ):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.table.selectionModel().selectionChanged.connect(self._pair_chosen)
        for signal in (self.model.layoutChanged, self.model.modelReset):
            signal.connect(self._span)
            signal.connect(self.mark)  # the charts follow order and filter
        self.charts.changed.connect(self.refresh)
        self.bar.measure_chosen.connect(self.looking.set_measure)
        self.bar.reference_chosen.connect(self.looking.set_reference)
        self.bar.filter_changed.connect(self._filter)
        self.bar.columns_changed.connect(self.refresh)
        self.bar.trials_wanted.connect(self._show_trials)
        self.pair.reference_wanted.connect(self.looking.set_reference)
        self.left_out.take_back.connect(self.looking.take_all_back)
        self.looking.refused.connect(self._refused)
        self.looking.changed.connect(self.refresh)
        self.beside.changed.connect(self.refresh)
        session.event_received.connect(self._on_event)
        session.run_started.connect(self.mark)
        session.run_finished.connect(self.mark)
        session.results_changed.connect(self.mark)
        session.selection_changed.connect(self._select)
        theme.changed.connect(self.mark)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        self.table.resized.connect(self._widen)
        table.setItemDelegate(RowDelegate(self.model, table))
        dress(table, self.tr("Comparison"))
        table.setWhatsThis(
            self.tr(
                "A row a variant: ratio to the reference and its interval, then figures. Two rows are chosen with Ctrl."
            )
        )
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open_menu)
        header = table.horizontalHeader()
        header.setMinimumSectionSize(56)
        for column in range(self.model.columnCount()):
            key = columns.KEYS[column - RATE] if column >= RATE else ""
            table.setColumnWidth(column, WIDTHS.get(column) or columns.WIDTHS.get(key) or titled(self.model, column))
        self._show_columns()  # now: Qt asks for the titles of all that are not hidden, many times
        table.setSortingEnabled(True)
        table.sortByColumn(VARIANT, Qt.SortOrder.AscendingOrder)

    def _build(self) -> None:
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 20, 12)
        head.setSpacing(2)
        head.addWidget(self.answer)
        head.addWidget(self.method)
        self._full = QWidget()
        layout = QVBoxLayout(self._full)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.bar)
        told = QVBoxLayout()
        told.setContentsMargins(16, 0, 16, 0)
        told.addWidget(self.others)
        told.addWidget(self.left_out)
        layout.addLayout(told)
        layout.addWidget(hairline())
        self._variants = QWidget()
        column = QVBoxLayout(self._variants)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1000)  # as high as it may be, before the charts
        for part in (self.axis, self.pair, hairline()):
            column.addWidget(part)
        column.addWidget(self.charts, 1)
        layout.addWidget(self._variants, 1)
        layout.addWidget(self.trials, 1)
        self.trials.hide()
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
        self.runs = self.beside.runs(self.session.results)
        seen = self.looking.seen(self.session.results)
        something = seen is not None and any(r.trials or r.error for r in seen[1].variants)
        self._pages.setCurrentWidget(self._full if something else self._empty)
        if seen is None or not something:
            self.model.show(Sheet())
            return
        results, comparison = seen
        self._say(results, comparison)
        self._fill(results, comparison)
        self._draw_charts()
        self.table.viewport().update()

    def _say(self, results: Results, comparison: Comparison) -> None:
        """The answer and how it was formed."""
        by = self.looking.by
        found = contrasts(results, comparison, by, self.looking.reference)
        best = words.fastest(comparison) if by.key == "speed" and found[0].reference == found[0].variant else None
        cost = words.sentence(quality_words.clause(best)) if best is not None else ""
        self.answer.setText(said(f"{contrast_words.answer(comparison, by, found)} {cost}".strip()))
        method = said(contrast_words.method(comparison, by, found))
        if len(self.runs) > 1:
            method += " · " + self.tr("every run against its own reference: runs share no round")
        self.method.setText(method)

    def _fill(self, results: Results, comparison: Comparison) -> None:
        looking, index_of = self.looking, self.session.index_of
        entries = self._entries(results, comparison)
        self._judged = any(quality_words.is_judged(r) for r in comparison.variants)
        self._show_columns()
        reference = entries[0].base.variant
        self.bar.refresh(
            comparison, looking.by.key, reference, [theme.letter(index_of(r.variant)) for r in comparison.variants]
        )
        sheet = Sheet(
            entries=tuple(entries),
            measure=looking.by,
            letter=theme.letter(index_of(reference)),
            margin=comparison.margin,
            scale=scale_of(entries, looking.by),
            deltas=self.bar.panel.deltas.isChecked(),
            run=self.runs[0].mark,
        )
        self.model.show(sheet)
        self.others.show_runs(self.runs)
        self.left_out.show_keys(
            [(" · ".join(filter(None, [run.mark, name])), number) for run in self.runs
             for name, number in self.looking.left_out(run.results)]
        )  # fmt: skip
        self._fill_trials()
        self._count()
        self.axis.scale = sheet.scale
        self.axis.update()
        self._widen()
        self._span()
        self._select()
        self._show_pair()

    def _entries(self, results: Results, comparison: Comparison) -> list[Entry]:
        """Lines of the present run, then those of the others, each against the reference of its own run."""
        by, reference = self.looking.by, self.looking.reference
        found = entries_of(results, comparison, by, self.session.index_of, reference, self.runs[0].mark)
        for run in self.runs[1:]:
            run.results.margin = results.margin
            seen = self.looking.seen(run.results)
            if seen is None:
                continue
            names = [row.variant for row in seen[1].variants]
            why = "; ".join(run.differs)
            if not why and reference and reference not in names:
                why = self.tr("{run} has no {name}").format(run=run.mark, name=reference)
            found += entries_of(*seen, by, names.index, reference, run.mark, why, start=len(found))
        return found

    def _draw_charts(self) -> None:
        """Of what the table shows."""
        found = {run.mark: self.looking.seen(run.results) for run in self.runs}
        experiment = self.session.results.experiment
        asked = experiment.quality if experiment is not None else None
        seen = {mark: both for mark, both in found.items() if both is not None}
        self.charts.refresh(seen, self.model.shown, asked.gate if asked is not None else None, self._judged)

    # -- the table's shape --------------------------------------------------------------------------------
    def _show_columns(self) -> None:
        """Those that were chosen; that of quality only once a variant was judged."""
        chosen = {column_of(key) for key in self.bar.panel.chosen} - (set() if self._judged else {QUALITY})
        for column in range(RATE, self.model.columnCount()):
            if self.table.isColumnHidden(column) == (column in chosen):
                self.table.setColumnHidden(column, column not in chosen)
        self._widen()

    @Slot()
    def _widen(self) -> None:
        """The forest takes what the other columns leave."""
        shown = [c for c in range(self.model.columnCount()) if c != FOREST and not self.table.isColumnHidden(c)]
        rest = self.table.viewport().width() - sum(self.table.columnWidth(c) for c in shown)
        self.table.setColumnWidth(FOREST, max(LEAST_FOREST, rest))
        self._fit(scrolls=rest < LEAST_FOREST)

    def _fit(self, scrolls: bool) -> None:
        """All rows show where there are few and there is room; from seven on, or in a low window, the table scrolls."""
        rows, head = len(self.model.lines), 32 + (16 if scrolls else 2)
        self.table.setMaximumHeight(head + min(rows, MOST_ROWS) * ROW_HEIGHT)
        self.table.setMinimumHeight(head + min(rows, LEAST_ROWS) * ROW_HEIGHT)

    @Slot()
    def _span(self) -> None:
        """A failed row spends its forest on the cause; all of the row where nothing was measured."""
        self.table.clearSpans()
        for place, entry in enumerate(self.model.shown):
            if entry.row.status in FAILURES:
                self.table.setSpan(place, SPEED, 1, 2 if entry.row.trials else self.model.columnCount() - SPEED)

    @Slot(str)
    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self.trials.model.set_filter(text)
        self._count()
        self._select()

    def _count(self) -> None:
        model = self.trials.model if self.bar.trials.isChecked() else self.model
        self.bar.show_count(model.rowCount(), len(model.lines))

    # -- trials -------------------------------------------------------------------------------------------
    @Slot(bool)
    def _show_trials(self, wanted: bool) -> None:
        self._variants.setVisible(not wanted)
        self.trials.setVisible(wanted)
        self.refresh()

    def _fill_trials(self) -> None:
        if not self.bar.trials.isChecked():
            return
        found: list[TrialLine] = []
        for place, run in enumerate(self.runs):
            index_of = [*run.results.variants].index if place else self.session.index_of
            found += lines_of(run.results, self.looking, index_of, run.mark)
        self.trials.show_lines(found)

    @Slot(str)
    def _refused(self, text: str) -> None:
        self.session.notice.emit("warning", text)

    # -- choosing -----------------------------------------------------------------------------------------
    def chosen(self) -> list[Entry]:
        """The rows that are selected, in the order of the table."""
        rows = sorted(i.row() for i in self.table.selectionModel().selectedRows())
        return [self.model.shown[row] for row in rows]

    @Slot()
    def _select(self) -> None:
        """The session's variant, unless it is among the chosen ones already."""
        selected = self.session.selected
        if any(e.row.variant == selected and e.run == self.model.sheet.run for e in self.chosen()):
            return
        for place, entry in enumerate(self.model.shown):
            if entry.row.variant == selected and entry.run == self.model.sheet.run:
                flags = QItemSelectionModel.SelectionFlag
                self.table.selectionModel().setCurrentIndex(
                    self.model.index(place, 0), flags.ClearAndSelect | flags.Rows
                )
                return

    @Slot(QModelIndex, QModelIndex)
    def _row_chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        entry = current.data(LINE_ROLE)
        if entry is not None and entry.run == self.model.sheet.run and entry.row.variant != self.session.selected:
            self.session.select(entry.row.variant)

    @Slot()
    def _pair_chosen(self) -> None:
        self._show_pair()

    def _show_pair(self) -> None:
        """Two chosen rows against each other: the one that was chosen last against the other."""
        chosen = self.chosen()
        if len(chosen) != 2:
            self.pair.hide()
            return
        marks = {entry.run for entry in chosen}
        run = next((r for r in self.runs if {r.mark} == marks), None)
        seen = self.looking.seen(run.results) if run is not None else None
        current = self.table.currentIndex().data(LINE_ROLE)
        second, first = sorted(chosen, key=lambda e: current is not None and e.name == current.name)
        self.pair.show_pair(first, second, self.looking.by, *(seen or (None, None)))

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        entry = self.table.indexAt(at).data(LINE_ROLE)
        if entry is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        against = menu.addAction(self.tr("Compare all with {name}").format(name=entry.row.variant))
        against.setData(entry.row.variant)
        against.triggered.connect(self._reference_asked)
        menu.addAction(self.tr("Copy table")).triggered.connect(self.copy)
        menu.popup(self.table.viewport().mapToGlobal(at))

    @Slot()
    def _reference_asked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.looking.set_reference(action.data())

    # -- copying ------------------------------------------------------------------------------------------
    @Slot()
    def copy(self) -> None:
        """The table as it is seen, filter, order and columns included, as tab-separated text with plain numbers."""
        chosen = [key for key in columns.KEYS if not self.table.isColumnHidden(column_of(key))]
        lines = [copied(entry, self.model.by, chosen) for entry in self.model.shown]
        if self.bar.trials.isChecked():
            lines = self.trials.copied()
        if lines:
            QGuiApplication.clipboard().setText(export.tsv_of(lines))
