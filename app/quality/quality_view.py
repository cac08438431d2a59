"""The quality view: the answer in a sentence, a table of the variants, answers side by side, the distribution of the
divergence. Without results it explains itself and offers to measure. Events only mark the view dirty; it repaints on
the session's tick while visible."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.base.core_text import said
from app.base.theme import theme
from app.charts.chart_panel import ChartPanel
from app.quality.answers_data import entries
from app.quality.answers_pane import AnswersPane
from app.quality.gate_panel import QualityLimits
from app.quality.kl_cdf_plot import DivergencePlot
from app.quality.quality_empty import QualityGhost
from app.quality.quality_table import (
    DIVERGENCE,
    GATE,
    KLD,
    RATIO,
    ROW_HEIGHT,
    ROW_ROLE,
    SAME_TOP,
    VARIANT,
    QualityDelegate,
    QualityModel,
)
from app.session.comparison_cache import comparison_of
from app.session.session import Session
from app.widgets.basics import hairline, label
from app.widgets.table_style import dress
from app.widgets.view import View
from app.widgets.view_header import answer_head
from core.analysis.comparison_row import Comparison, Row
from core.protocol import events
from core.results.results import Results, VariantState
from core.wording import quality_text

HEADER = 34  # height of the table's titles, and of the line below the last row
LEAST_ROWS = 2
MOST_ROWS = 5  # from there on the table scrolls
LOW = 530  # height below which the limits have no room for their small print
ROOMY = 760  # height from which on there is room for an explanation below the limits


class QualityView(View):
    """The quality of the variants, or a page with a button that measures it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.answer = label("", 20, 600, wrap=True)
        self.method = label("", 12, 400, "secondary", wrap=True)
        self.model = QualityModel(session, self)
        self.table = QTableView()
        self.plot = DivergencePlot(session)
        self.answers = AnswersPane()
        self.limits = QualityLimits(session)
        self._set_up_table()
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self.ghost, self._full = QualityGhost(session), self._build_full()
        self._pages.addWidget(self.ghost)
        self._pages.addWidget(self._full)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        session.event_received.connect(self._on_event)
        for signal in (
            session.run_started, session.run_finished, session.results_changed, session.experiment_changed,
            session.selection_changed,
        ):  # fmt: skip
            signal.connect(self.mark)
        theme.changed.connect(self.mark)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setItemDelegate(QualityDelegate(self.session, self.model, table))
        dress(table, self.tr("Quality"), ROW_HEIGHT)
        table.setWhatsThis(
            self.tr("How far each variant is from the baseline on the same text, and what the gate says to that.")
        )
        header = table.horizontalHeader()
        for column, wide in ((KLD, 128), (SAME_TOP, 112), (RATIO, 136), (DIVERGENCE, 136), (GATE, 132)):
            table.setColumnWidth(column, wide)
        header.setSectionResizeMode(VARIANT, QHeaderView.ResizeMode.Stretch)

    def _build_full(self) -> QWidget:
        # As high as the button beside the limits, so that both titles are on one line.
        note = self.tr("nats, share of tokens")
        plot = ChartPanel(self.tr("KL divergence per token"), note, self.plot, self.session, least=28)
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(plot, 3)
        below.addWidget(hairline(vertical=True))
        below.addWidget(self.limits, 2)
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(answer_head(self.answer, self.method))
        self._column.addWidget(hairline())
        self._column.addWidget(self.table)
        self._column.addWidget(self.answers, 3)
        self._rule = hairline()
        self._column.addWidget(self._rule)
        self._column.addLayout(below, 2)
        return page

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        moved = isinstance(event, events.Started | events.Quality | events.Failed | events.Finished)
        moved = moved or isinstance(event, events.Answers | events.SuiteDone)
        judging = isinstance(event, events.Phase) and event.phase == "quality"
        if moved or judging or (isinstance(event, events.Progress) and self._judging_now()):
            self._dirty = True

    def _judging_now(self) -> bool:
        results: Results | None = self.session.results
        return results is not None and any(s.phase == "quality" for s in results.variants.values())

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        """Draw the present state."""
        results: Results | None = self.session.results
        comparison = comparison_of(results)
        begun = comparison is not None and (
            any(r.quality_status for r in comparison.variants) or self._judging_now()
        )  # fmt: skip
        self._pages.setCurrentWidget(self._full if begun else self.ghost)
        if not begun or comparison is None or results is None:
            self.ghost.show_state(results)
            return
        rows = comparison.variants
        self.model.set_rows(rows, {n: doing(self, s) for n, s in results.variants.items()})
        answered = any(r.exact_match_pct is not None for r in rows)
        self.table.setColumnHidden(DIVERGENCE, not answered)
        self._span()
        self._select()
        asked = results.experiment.quality if results.experiment is not None else None
        self.answer.setText(sentence(self, comparison, self.session.selected_result, self.session.running))
        self.method.setText(said(quality_text.method(rows, asked.window)) if asked is not None else "")
        self.plot.refresh(results)
        judged = judged_row(comparison, self.session.selected_result)
        self.limits.show_row(judged, asked.gate if asked is not None else None)
        self._show_answers(results, comparison)
        self.limits.rows.set_low(self.height() < LOW)
        self._fit()
        self.table.scrollTo(self.table.currentIndex())  # which lower tables hide
        self.table.viewport().update()

    def _fit(self) -> None:
        """Fit the table's height to its rows; it scrolls if the parts below need the room."""
        others = self._column.totalMinimumHeightForWidth(self.width()) - self.table.minimumHeight()
        room = (self.height() - others - HEADER) // ROW_HEIGHT
        rows = max(LEAST_ROWS, min(self.model.rowCount(), MOST_ROWS, room))
        self.table.setFixedHeight(HEADER + rows * ROW_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._pages.currentWidget() is self._full:
            self.limits.rows.set_low(self.height() < LOW)
            self._fit()

    def _show_answers(self, results: Results, comparison: Comparison) -> None:
        """Show the answers of the sentence's variant beside the baseline's."""
        row = judged_row(comparison, self.session.selected_result)
        base, name = comparison.baseline.variant, row.variant if row is not None else ""
        there = entries(results.variants[base], results.variants[name]) if name else []
        self.answers.setVisible(bool(there))
        self._rule.setVisible(bool(there))
        self.limits.proxy.setVisible(not there or self.height() > ROOMY)
        if there:
            self.answers.show_entries(there, (base, name), (self.session.index_of(base), self.session.index_of(name)))

    def _span(self) -> None:
        """Let the sentence of a variant without figures span its row."""
        self.table.clearSpans()
        for place, row in enumerate(self.model.rows):
            if self.model.spans(row):
                self.table.setSpan(place, KLD, 1, GATE - KLD + 1)

    def _select(self) -> None:
        for place, row in enumerate(self.model.rows):
            if row.variant == self.session.selected_result:
                flags = QItemSelectionModel.SelectionFlag
                self.table.selectionModel().setCurrentIndex(
                    self.model.index(place, 0), flags.ClearAndSelect | flags.Rows
                )

    @Slot(QModelIndex, QModelIndex)
    def _row_chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = current.data(ROW_ROLE)
        if row is not None and row.variant != self.session.selected_result:
            self.session.select(row.variant)


def judged_row(comparison: Comparison, selected: str) -> Row | None:
    """Return the selected variant if it was judged, else the one with the largest loss; None without any."""
    judged = [r for r in comparison.variants if quality_text.is_judged(r)]
    chosen = next((r for r in judged if r.variant == selected), None)
    return chosen or max(judged, key=lambda r: r.kld_mean or 0, default=None)


def sentence(view: QWidget, comparison: Comparison, selected: str, running: bool) -> str:
    """Return the outcome of one variant in a sentence."""
    row = judged_row(comparison, selected)
    if row is not None:
        return said(quality_text.answer(row))
    if running:
        return view.tr("Quality is being judged.")
    base = comparison.baseline
    if base.quality_error:
        return view.tr("The baseline could not be judged, so nothing can be compared with it.")
    if base.quality_status == "reference":
        return view.tr("Only the baseline was judged.")
    return view.tr("Quality was not judged to the end.")


def doing(view: QWidget, state: VariantState) -> str:
    """Return what is happening with a variant without figures."""
    if state.failed is not None:
        return view.tr("not judged: {why}").format(why=said(state.failed.message))
    if state.phase == "quality":
        share = state.progress.done / state.progress.total if state.progress and state.progress.total else 0.0
        return view.tr("being judged · {x} %").format(x=f"{100 * min(1.0, share):.0f}")
    return view.tr("waits for its turn")
