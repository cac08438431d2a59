"""The comparison view: the answer in a sentence, the table with its forest, and charts of latencies, any measure, and
trade-offs. It fills as trials end.

Events only mark the view dirty; it repaints part by part on the session's tick while visible. `CompareOptions` holds
measure, reference and excluded trials; a change of them repaints at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.base.vertical_scroll import Scrolling
from app.compare import columns
from app.compare.compare_charts import CompareCharts, Seen
from app.compare.compare_empty import CompareGhost
from app.compare.compare_options import CompareOptions
from app.compare.compare_rows import CompareRow, Sheet, copied, entries_of, scale_of
from app.compare.compare_table import ComparisonModel
from app.compare.compare_toolbar import CompareToolbar
from app.compare.excluded_trials_bar import ExcludedTrialsBar
from app.compare.forest_axis import ForestAxis
from app.compare.other_runs import ComparedRun, OtherRuns, OtherRunsBar
from app.compare.pair_bar import PairBar
from app.compare.trials_model import TrialLine, TrialsModel, lines_of
from app.compare.trials_table import TrialsTable
from app.compare.variants_table import VariantsTable
from app.widgets.basics import hairline, label
from app.widgets.more_rounds_button import MoreRoundsButton, missing_rounds
from app.widgets.sortable_model import LINE_ROLE
from app.widgets.view import View
from app.widgets.view_header import answer_head
from core.analysis import verdict_text
from core.analysis.comparison_row import Comparison
from core.analysis.contrast import contrasts
from core.base import formatting
from core.loadtest.load_sweep import mark_of
from core.protocol import events
from core.report import table_export
from core.results import variant_letters
from core.results.results import Results
from core.wording import contrast_text, quality_text

SHOWS_IN_TABLE = (
    events.Started, events.Env, events.Loaded, events.Warm, events.Receipts, events.TrialDone,
    events.Quality, events.Answers, events.Failed, events.Finished,
)  # fmt: skip


class CompareView(View):
    """The comparison, or an explanation before there is one."""

    def __init__(
        self,
        session,
        looking: CompareOptions | None = None,
        beside: OtherRuns | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, parent)
        self.looking = CompareOptions(self) if looking is None else looking
        self.beside = OtherRuns(self) if beside is None else beside
        self.runs: list[ComparedRun] = []  # the experiments that are looked at, the present one first
        self.answer = label("", 20, 600, wrap=True)
        self.method = label("", 12, 400, "secondary", wrap=True)
        self.more = MoreRoundsButton(session)
        self.bar = CompareToolbar()
        self.model = ComparisonModel(self)
        self.table = VariantsTable(self.model, self.bar.panel.chosen)
        self.axis = ForestAxis(self.table)
        self.pair = PairBar()
        self.left_out = ExcludedTrialsBar()
        self.others = OtherRunsBar(self.beside)
        self.trials_model = TrialsModel(self)
        self.trials = TrialsTable(self.trials_model, self.looking)
        self.charts = CompareCharts(session)
        self.latency, self.memory, self.trade = self.charts.latency, self.charts.memory, self.charts.trade
        self._judged = False
        self._build()
        for key, slot in (
            (QKeySequence.StandardKey.Copy, self.copy),
            (QKeySequence.StandardKey.Find, self.bar.filter.setFocus),
        ):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.table.selectionModel().selectionChanged.connect(self._show_pair)
        self.table.reference_wanted.connect(self.looking.set_reference)
        self.table.copy_wanted.connect(self.copy)
        self.model.layoutChanged.connect(self.mark)  # the charts follow the order
        self.charts.changed.connect(self.refresh)
        self.bar.measure_chosen.connect(self.looking.set_measure)
        self.bar.reference_chosen.connect(self.looking.set_reference)
        self.bar.filter_changed.connect(self._filter)
        self.bar.columns_changed.connect(self.refresh)
        self.bar.trials_wanted.connect(self._show_trials)
        self.bar.load.clicked.connect(self._show_load)
        self.pair.reference_wanted.connect(self.looking.set_reference)
        self.left_out.take_back.connect(self.looking.take_all_back)
        self.looking.refused.connect(self._refused)
        self.looking.changed.connect(self.refresh)
        self.beside.changed.connect(self.refresh)
        session.event_received.connect(self._on_event)
        session.run_started.connect(self.mark)
        session.run_finished.connect(self.mark)
        session.results_changed.connect(self.mark)
        session.experiment_changed.connect(self.mark)
        session.selection_changed.connect(self._select)
        theme.changed.connect(self.mark)

    def _build(self) -> None:
        told = QVBoxLayout()
        told.setContentsMargins(16, 0, 16, 0)
        told.addWidget(self.others)
        told.addWidget(self.left_out)
        self._variants = QWidget()
        column = QVBoxLayout(self._variants)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1000)  # as high as it may be, before the charts
        for part in (self.axis, self.pair, hairline()):
            column.addWidget(part)
        column.addWidget(self.charts, 1)
        below = QVBoxLayout()
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addLayout(told)
        below.addWidget(hairline())
        below.addWidget(self._variants, 1)
        below.addWidget(self.trials, 1)
        self.trials.hide()
        self._full, self._empty, self._blank = QWidget(), CompareGhost(), QWidget()
        layout = QVBoxLayout(self._full)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)  # first, so that no sentence, however long, moves it from under the pointer
        layout.addWidget(hairline())
        layout.addLayout(answer_head(self.answer, self.method, way_on=self.more))
        layout.addWidget(Scrolling(below), 1)
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        for page in (self._empty, self._full, self._blank):
            self._pages.addWidget(page)

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, SHOWS_IN_TABLE):
            self._dirty = True
        if isinstance(event, events.TrialDone) and event.variant is not None and self.session.results is not None:
            self.latency.prepare(self.session.results, event.variant)

    # -- drawing ------------------------------------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:
        """Hide the previous content: each part appears when it is drawn."""
        if self._dirty:
            self._pages.setCurrentWidget(self._blank)
            self.table.hide()
            self.charts.hide_parts()
        super().showEvent(event)

    def _draw(self) -> Iterator[None]:
        """Draw the present comparison in parts, the answer first."""
        self.runs = self.beside.runs(self.session.results)
        seen = self.looking.seen(self.session.results)
        if seen is None or not any(r.trials or r.error for r in seen[1].variants):
            self._pages.setCurrentWidget(self._empty)
            self.model.show(Sheet())
            return
        self._say(*seen)
        self._pages.setCurrentWidget(self._full)
        yield
        self._fill(*seen)
        self.table.show()
        if not self.bar.trials.isChecked():
            yield
            yield from self._draw_charts()

    def _say(self, results: Results, comparison: Comparison) -> None:
        """Show the answer and how it was formed."""
        by = self.looking.by
        found = contrasts(results, comparison, by, self.looking.reference)
        best = (
            verdict_text.fastest(comparison) if by.key == "speed" and found[0].reference == found[0].variant else None
        )
        cost = formatting.sentence(quality_text.clause(best)) if best is not None else ""
        self.answer.setText(said(f"{contrast_text.answer(comparison, by, found)} {cost}".strip()))
        method = said(contrast_text.method(comparison, by, found))
        if len(self.runs) > 1:
            method += " · " + self.tr("every run against its own reference: runs share no round")
        self.method.setText(method)
        self.more.show_missing(missing_rounds(found))

    def _fill(self, results: Results, comparison: Comparison) -> None:
        looking, index_of = self.looking, self.session.index_of
        entries = self._entries(results, comparison)
        self._judged = any(quality_text.is_judged(r) for r in comparison.variants)
        self.bar.load.setVisible(mark_of(self.session.results) is not None)
        self.bar.panel.propose(columns.proposed(comparison.baseline))
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
        self.table.show_columns(self.bar.panel.chosen, self._judged)
        self.others.show_runs(self.runs)
        self.left_out.show_keys(
            [(" · ".join(filter(None, [run.mark, name])), number) for run in self.runs
             for name, number in self.looking.left_out(run.results)]
        )  # fmt: skip
        self._fill_trials()
        self._count()
        self.axis.set_scale(sheet.scale)
        self.table.widen()
        self.table.span()
        self.table.viewport().update()
        self._select()
        self._show_pair()

    def _entries(self, results: Results, comparison: Comparison) -> list[CompareRow]:
        """Return the rows of the present run, then those of the other runs, each against its own run's reference."""
        by, reference = self.looking.by, self.looking.reference
        mark, edited = self.runs[0].mark, self.session.edited
        found = entries_of(results, comparison, by, self.session.index_of, reference, mark, edited=edited)
        for run in self.runs[1:]:
            run.results.margin = results.margin
            seen = self.looking.seen(run.results)
            if seen is None:
                continue
            names = [row.variant for row in seen[1].variants]
            why = "; ".join(run.differs)
            if not why and reference and reference not in names:
                why = self.tr("{run} has no {name}").format(run=run.mark, name=reference)
            found += entries_of(*seen, by, self._worn(run).__getitem__, reference, run.mark, why, start=len(found))
        return found

    def _worn(self, other: ComparedRun) -> dict[str, int]:
        """Return the letters of a run beside the present one."""
        present = self.runs[0].results
        worn = {name: self.session.index_of(name) for name in present.variants}
        for run in self.runs[1:]:
            found = variant_letters.beside(present, worn, run.results)
            if run is other:
                return found
            worn |= {f"{run.mark} {name}": place for name, place in found.items() if place not in worn.values()}
        return {}

    def _draw_charts(self) -> Iterator[None]:
        """Draw the charts of the table's rows."""
        found = {run.mark: self.looking.seen(run.results) for run in self.runs}
        results = self.session.results
        experiment = results.experiment if results is not None else None
        asked = experiment.quality if experiment is not None else None
        seen: Seen = {mark: both for mark, both in found.items() if both is not None}
        yield from self.charts.draw(seen, self.model.shown, asked.gate if asked is not None else None, self._judged)

    @Slot(str)
    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self.trials_model.set_filter(text)
        self._count()
        self._select()
        self.mark()  # the charts follow

    def _count(self) -> None:
        model = self.trials_model if self.bar.trials.isChecked() else self.model
        self.bar.show_count(model.rowCount(), len(model.lines))

    # -- trials -------------------------------------------------------------------------------------------
    @Slot(bool)
    def _show_trials(self, wanted: bool) -> None:
        focused = self._variants.isAncestorOf(self.focusWidget()) or self.trials.hasFocus()
        self._variants.setVisible(not wanted)
        self.trials.setVisible(wanted)
        self.refresh()
        if focused:
            (self.trials if wanted else self.table).setFocus()

    def _fill_trials(self) -> None:
        if not self.bar.trials.isChecked():
            return
        found: list[TrialLine] = []
        for place, run in enumerate(self.runs):
            index_of = self._worn(run).__getitem__ if place else self.session.index_of
            found += lines_of(run.results, self.looking, index_of, run.mark)
        self.trials.show_lines(found)

    @Slot()
    def _show_load(self) -> None:
        from app.loadtest.load_curve_dialog import LoadCurveDialog

        mark, folder = mark_of(self.session.results), self.session.results_folder
        if mark is not None and folder is not None:
            LoadCurveDialog(self.session, folder, mark, self.window()).show()

    @Slot(str)
    def _refused(self, text: str) -> None:
        self.session.notice.emit("warning", text)

    # -- choosing -----------------------------------------------------------------------------------------
    @Slot()
    def _select(self) -> None:
        self.table.choose(self.session.selected_result)

    @Slot(QModelIndex, QModelIndex)
    def _row_chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        entry = current.data(LINE_ROLE)
        if (
            entry is not None
            and entry.run == self.model.sheet.run
            and entry.row.variant != self.session.selected_result
        ):
            self.session.select(entry.row.variant)

    @Slot()
    def _show_pair(self) -> None:
        """Compare the two selected rows, the last selected with the other."""
        chosen = self.table.chosen()
        if len(chosen) != 2:
            self.pair.hide()
            return
        marks = {entry.run for entry in chosen}
        run = next((r for r in self.runs if {r.mark} == marks), None)
        seen = self.looking.seen(run.results) if run is not None else None
        current = self.table.current()
        second, first = sorted(chosen, key=lambda e: current is not None and e.name == current.name)
        self.pair.show_pair(first, second, self.looking.by, *(seen or (None, None)))

    # -- copying ------------------------------------------------------------------------------------------
    @Slot()
    def copy(self) -> None:
        """Copy the table as shown (filter, order, columns) as tab-separated text with plain numbers."""
        if self.bar.trials.isChecked():
            lines = self.trials.copied()
        else:
            lines = [copied(entry, self.model.by, self.table.keys) for entry in self.model.shown]
        if lines:
            QGuiApplication.clipboard().setText(table_export.tsv_of(lines))
