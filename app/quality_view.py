"""What it costs: the answer in a sentence, a table of the variants, answers side by side, how the tokens' divergence is
distributed.

Before there is anything it teaches, and offers to check. Events only mark the view dirty; it repaints on the session's
tick while visible.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.answers_data import entries
from app.answers_pane import AnswersPane
from app.buttons import PrimaryButton, button
from app.chart_panel import ChartPanel
from app.divergence_plot import DivergencePlot
from app.fields import Panel
from app.forms import Form
from app.measured import comparison_of
from app.quality_table import (
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
from app.said import said
from app.tables import dress
from app.theme import theme
from app.view import View
from app.widgets import caption, hairline, heading, label
from core import events, quality_words
from core.comparison import Comparison, Row
from core.meanings import MEANING
from core.quality import Gate
from core.results import Results, VariantState
from core.spec import Quality

TAUGHT = ("kld_mean", "same_top_pct", "ppl_ratio")
HEADER = 34  # height of the table's titles, and of the line below the last row
LEAST_ROWS = 2
MOST_ROWS = 5  # from there on the table scrolls
ROOMY = 760  # height from which on there is room for an explanation below the limits


class Limits(QWidget):
    """Three rows: a figure's name, the figure, and below it the limits of the gate."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        self.shown: list[tuple[str, str, str]] = []
        self._rows = [(label("", 12, 400, "secondary"), label("", 12, 500), caption("")) for _ in range(3)]
        for place, (name, value, limits) in enumerate(self._rows):
            limits.setContentsMargins(0, 0, 0, 6)
            grid.addWidget(name, 2 * place, 0)
            grid.addWidget(value, 2 * place, 1, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(limits, 2 * place + 1, 0, 1, 2)

    def set(self, rows: list[tuple[str, str, str]]) -> None:
        self.setVisible(bool(rows))
        self.shown = list(rows)
        for parts, texts in zip(self._rows, rows, strict=False):
            for part, text in zip(parts, texts, strict=True):
                part.setText(text)


class QualityView(View):
    """The verdict on quality, or what it would be, and a button that gets it."""

    def __init__(self, session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.answer = label("", 20, 600, wrap=True)
        self.method = label("", 12, 400, "secondary", wrap=True)
        self.model = QualityModel(session, self)
        self.table = QTableView()
        self.plot = DivergencePlot(session)
        self.answers = AnswersPane()
        self.limits = Limits()
        self.limits_title = heading("")
        self.edit = button(self.tr("Edit"), "pencil", "flat")
        self.edit.setAccessibleName(self.tr("Edit limits"))
        self.edit.setWhatsThis(self.tr("Sets the limits of the gate, from the next run on."))
        self.gate: Form[Gate] = Form(Gate(), label_width=176)
        self.teach, self.teach_why = label("", 20, 600, wrap=True), label("", 12, 400, "secondary", wrap=True)
        self.check = PrimaryButton(icon_name="play")
        self.check.set_label(self.tr("Check quality"))
        self.check.setWhatsThis(self.tr("Runs again, and judges quality after the rounds."))
        self._set_up_table()
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self._empty, self._full = self._build_empty(), self._build_full()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._full)
        self.panel = self._build_panel()
        self.check.clicked.connect(session.check_quality)
        self.edit.clicked.connect(self._open_limits)
        self.gate.changed.connect(self._limits_edited)
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

    def _build_empty(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(60, 60, 60, 60)
        column.setSpacing(4)
        column.addWidget(self.teach)
        column.addWidget(self.teach_why)
        column.addSpacing(12)
        row = QHBoxLayout()
        row.addWidget(self.check)
        row.addStretch(1)
        column.addLayout(row)
        column.addSpacing(24)
        column.addWidget(heading(self.tr("What is compared")))
        column.addSpacing(4)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for place, name in enumerate(TAUGHT):
            meaning = MEANING[name]
            grid.addWidget(label(said(meaning.title), 12, 500), place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(said(meaning.formula), 12, 400, "secondary", wrap=True), place, 1)
        column.addLayout(grid)
        column.addSpacing(12)
        column.addWidget(
            caption(
                self.tr(
                    "These are proxies: they tell how far a variant moves from the baseline, not whether its answers "
                    "are good. Run a task set of your own before you ship."
                ),
                wrap=True,
            )
        )
        column.addStretch(1)
        return page

    def _build_full(self) -> QWidget:
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 20, 12)
        head.setSpacing(2)
        head.addWidget(self.answer)
        head.addWidget(self.method)
        # As high as the button beside the limits, so that both titles are on one line.
        note = self.tr("nats, share of tokens")
        plot = ChartPanel(self.tr("KL divergence per token"), note, self.plot, self.session, least=28)
        side = QVBoxLayout()
        side.setContentsMargins(16, 10, 16, 8)
        side.setSpacing(8)
        limits = QHBoxLayout()
        limits.addWidget(self.limits_title, 1)
        limits.addWidget(self.edit)
        side.addLayout(limits)
        side.addWidget(self.limits)
        self._proxy = caption(
            self.tr(
                "KL divergence tells how far the next-token probabilities move from A's; 0 is identical. It is a "
                "proxy: run your own task set before shipping."
            ),
            wrap=True,
        )
        side.addWidget(self._proxy)
        side.addStretch(1)
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(plot, 3)
        below.addWidget(hairline(vertical=True))
        below.addLayout(side, 2)
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(head)
        self._column.addWidget(hairline())
        self._column.addWidget(self.table)
        self._column.addWidget(self.answers, 3)
        self._rule = hairline()
        self._column.addWidget(self._rule)
        self._column.addLayout(below, 2)
        return page

    def _build_panel(self) -> Panel:
        panel = Panel(320, self.edit)
        panel.column.addWidget(heading(self.tr("Limits of the gate")))
        panel.column.addWidget(self.gate)
        panel.column.addWidget(caption(self.tr("They hold from the next run on; this one keeps its own."), wrap=True))
        return panel

    @Slot()
    def _open_limits(self) -> None:
        """Above its button, since there is no room below."""
        experiment = self.session.experiment
        if experiment is not None and experiment.quality is not None:
            self.gate.fill(experiment.quality.gate)
        self.panel.adjustSize()
        self.panel.move(self.edit.mapToGlobal(QPoint(self.edit.width() - self.panel.width(), -self.panel.height() - 4)))
        self.panel.show()

    @Slot(object)
    def _limits_edited(self, gate: Gate) -> None:
        experiment = self.session.experiment
        if experiment is not None:
            quality = experiment.quality or Quality()
            self.session.set_quality(quality.model_copy(update={"gate": gate}))

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
        """Show quality as it stands."""
        results: Results | None = self.session.results
        comparison = comparison_of(results)
        begun = comparison is not None and (
            any(r.quality_status for r in comparison.variants) or self._judging_now()
        )  # fmt: skip
        self._pages.setCurrentWidget(self._full if begun else self._empty)
        if not begun or comparison is None or results is None:
            self._teach(results)
            return
        rows = comparison.variants
        self.model.set_rows(rows, {n: doing(self, s) for n, s in results.variants.items()})
        answered = any(r.exact_match_pct is not None for r in rows)
        self.table.setColumnHidden(DIVERGENCE, not answered)
        self._span()
        self._select()
        asked = results.experiment.quality if results.experiment is not None else None
        self.answer.setText(sentence(self, comparison, self.session.selected, self.session.running))
        self.method.setText(said(quality_words.method(rows, asked.window)) if asked is not None else "")
        self.plot.refresh(results)
        self._show_limits(comparison, asked.gate if asked is not None else None)
        self._show_answers(results, comparison)
        self._fit()
        self.table.viewport().update()

    def _fit(self) -> None:
        """The table as high as its rows; lower, and scrolling, where the parts below would be pressed onto it."""
        others = self._column.totalMinimumHeightForWidth(self.width()) - self.table.minimumHeight()
        room = (self.height() - others - HEADER) // ROW_HEIGHT
        rows = max(LEAST_ROWS, min(self.model.rowCount(), MOST_ROWS, room))
        self.table.setFixedHeight(HEADER + rows * ROW_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._pages.currentWidget() is self._full:
            self._fit()

    def _show_answers(self, results: Results, comparison: Comparison) -> None:
        """The answers of the variant that the sentence is about, beside the baseline's."""
        row = judged_row(comparison, self.session.selected)
        base, name = comparison.baseline.variant, row.variant if row is not None else ""
        there = entries(results.variants[base], results.variants[name]) if name else []
        self.answers.setVisible(bool(there))
        self._rule.setVisible(bool(there))
        self._proxy.setVisible(not there or self.height() > ROOMY)
        if there:
            self.answers.show_entries(there, (base, name), (self.session.index_of(base), self.session.index_of(name)))

    def _teach(self, results: Results | None) -> None:
        """What is missing, and the way to it."""
        experiment = self.session.experiment
        running, alone = self.session.running, experiment is not None and len(experiment.variants) < 2
        planned = running and results is not None and results.experiment and results.experiment.quality is not None
        self.check.setVisible(not running)
        self.check.setEnabled(experiment is not None and not alone)
        if planned:
            self.teach.setText(self.tr("Quality is judged after the rounds."))
            self.teach_why.setText(self.tr("Apart from them, so that it costs no trial anything."))
        elif running:
            self.teach.setText(self.tr("This run measures speed only."))
            self.teach_why.setText(self.tr("Switch quality on under Protocol, and run again."))
        elif alone:
            self.teach.setText(self.tr("Quality takes two variants."))
            self.teach_why.setText(self.tr("Every variant is compared with the baseline, A: add another one first."))
        else:
            self.teach.setText(self.tr("Quality has not been checked."))
            self.teach_why.setText(
                self.tr(
                    "Every variant reads the same text as the baseline, after the rounds of the speed trials, and "
                    "their next-token probabilities are compared."
                )
            )

    def _show_limits(self, comparison: Comparison, gate: Gate | None) -> None:
        """The selected variant against the limits of the gate."""
        row = judged_row(comparison, self.session.selected)
        letter = theme.letter(self.session.index_of(row.variant)) if row is not None else ""
        title = self.tr("Limits, and what {letter} reaches").format(letter=letter) if row else self.tr("Limits")
        self.limits_title.setText(title)
        self.edit.setEnabled(self.session.experiment is not None and not self.session.running)
        self.limits.set(limit_rows(self, row, gate) if gate is not None else [])

    def _span(self) -> None:
        """A variant without figures says in one sentence why."""
        self.table.clearSpans()
        for place, row in enumerate(self.model.rows):
            if self.model.spans(row):
                self.table.setSpan(place, KLD, 1, GATE - KLD + 1)

    def _select(self) -> None:
        for place, row in enumerate(self.model.rows):
            if row.variant == self.session.selected:
                flags = QItemSelectionModel.SelectionFlag
                self.table.selectionModel().setCurrentIndex(
                    self.model.index(place, 0), flags.ClearAndSelect | flags.Rows
                )

    @Slot(QModelIndex, QModelIndex)
    def _row_chosen(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = current.data(ROW_ROLE)
        if row is not None and row.variant != self.session.selected:
            self.session.select(row.variant)


def judged_row(comparison: Comparison, selected: str) -> Row | None:
    """The selected variant if it was judged, else the one that lost most; None before there is one."""
    judged = [r for r in comparison.variants if quality_words.is_judged(r)]
    chosen = next((r for r in judged if r.variant == selected), None)
    return chosen or max(judged, key=lambda r: r.kld_mean or 0, default=None)


def sentence(view: QWidget, comparison: Comparison, selected: str, running: bool) -> str:
    """What came out, of one variant."""
    row = judged_row(comparison, selected)
    if row is not None:
        return said(quality_words.answer(row))
    if running:
        return view.tr("Quality is being judged.")
    base = comparison.baseline
    if base.quality_error:
        return view.tr("The baseline could not be judged, so nothing can be compared with it.")
    if base.quality_status == "reference":
        return view.tr("Only the baseline was judged.")
    return view.tr("Quality was not judged to the end.")


def doing(view: QWidget, state: VariantState) -> str:
    """What happens with a variant that has no figures yet."""
    if state.failed is not None:
        return view.tr("not judged: {why}").format(why=said(state.failed.message))
    if state.phase == "quality":
        share = state.progress.done / state.progress.total if state.progress and state.progress.total else 0.0
        return view.tr("being judged · {x} %").format(x=f"{100 * min(1.0, share):.0f}")
    return view.tr("waits for its turn")


def limit_rows(view: QWidget, row: Row | None, gate: Gate) -> list[tuple[str, str, str]]:
    """Each of the three figures beside its two limits."""
    none = "—"
    return [
        (
            view.tr("KL divergence"),
            quality_words.divergence(row) if row else none,
            view.tr("green < {g}, amber < {a}").format(g=f"{gate.kld_green:g}", a=f"{gate.kld_amber:g}"),
        ),
        (
            view.tr("Same top token"),
            said(quality_words.same_top(row)) if row else none,
            view.tr("green ≥ {g} %, amber ≥ {a} %").format(g=f"{gate.same_top_green:g}", a=f"{gate.same_top_amber:g}"),
        ),
        (
            view.tr("Ratio, upper bound"),
            f"{row.ppl_ratio_high:.4f}" if row and row.ppl_ratio_high is not None else none,
            view.tr("green ≤ {g}, amber ≤ {a}").format(g=f"{gate.ppl_green:g}", a=f"{gate.ppl_amber:g}"),
        ),
    ]
