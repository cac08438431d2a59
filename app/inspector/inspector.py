"""The right dock. During a run: its precision and conditions. Otherwise: the selected variant (explanation, advice,
receipts, memory, times, flags) and the machine. Repaints on the session's tick while visible."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.base.core_text import said, stated
from app.base.theme import theme
from app.charts.chart_actions import ChartActions
from app.charts.forest_plot import Forest
from app.inspector.advice_panel import NextSteps
from app.inspector.machine_dock import machine_facts
from app.session.comparison_cache import capacity_bytes, comparison_of
from app.session.session import Session
from app.text import event_text
from app.text.phrases import named
from app.text.recipe_text import requested, slot_title
from app.widgets.basics import Badge, Elided, Meter, caption, hairline, heading, label
from app.widgets.fact_list import Facts
from app.widgets.more_rounds_button import MoreRoundsButton, missing_rounds
from app.widgets.notes import Notes
from app.widgets.view import View
from core.analysis.comparison_row import Comparison, Row
from core.analysis.contrast import of_row
from core.analysis.measures import peak_bytes
from core.base import formatting
from core.protocol import events
from core.results.results import Results, VariantState

SHOWN_EVENTS = 5
MOST_PCT = 100  # % of an interval's half width; wider ones show no figure


class Section(QWidget):
    """A heading with rows, below a hairline unless it is the first."""

    def __init__(self, title: str, *parts: QWidget, first: bool = False) -> None:
        super().__init__()
        self.title = heading(title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        if not first:
            layout.addWidget(hairline())
        inner = QVBoxLayout()
        inner.setContentsMargins(16, 7 if first else 12, 16, 12)
        inner.setSpacing(8)
        inner.addWidget(self.title)
        for part in parts:
            as_wide_as_needed = isinstance(part, QAbstractButton)
            inner.addWidget(part, 0, Qt.AlignmentFlag.AlignLeft if as_wide_as_needed else Qt.AlignmentFlag(0))
        layout.addLayout(inner)


class Inspector(View):
    """The inspector of the run or the selected variant."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._said: list[tuple[str, str, str, str]] = []
        self._results: Results | None = None
        self.badge, self.name = Badge(0), Elided("", 15, 600)
        self.name_row = QWidget()
        row = QHBoxLayout(self.name_row)
        row.setContentsMargins(16, 4, 16, 12)
        row.addWidget(self.badge)
        row.addWidget(self.name, 1)
        self.forest, self.forest_note = Forest(session), label("", 12, 400, "secondary", wrap=True)
        self.widest, self.reached = Facts(ahead=1), Meter(self.tr("Precision reached"), of=100)
        self.reached.setProperty("level", "accent")
        self.width_note = caption("", wrap=True)
        self.conditions, self.notes = Facts(ahead=5), Notes()
        self.receipts, self.figures, self.machine = Notes(), Facts(ahead=10), Facts(ahead=10)
        self.why, self.next = label("", 12, wrap=True), NextSteps(session)
        self.more = MoreRoundsButton(session)
        self.more.setWhatsThis(self.tr("Asks how many rounds to add, where the speed of a variant is undecided."))
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        ChartActions(self.forest, self.forest.accessibleName(), "", session)
        self.provisional = Section(self.tr("Provisional: speed vs. A"), self.forest, self.forest_note, first=True)
        self.precision = Section(self.tr("Precision"), self.widest, self.reached, self.width_note)
        self.around = Section(self.tr("Conditions"), self.conditions)
        self.happened = Section(self.tr("Events"), self.notes)
        self.proof = Section(self.tr("Receipt: requested → effective"), self.receipts)
        self.reason = Section(self.tr("Why"), self.why)
        self.advised = Section(self.tr("Next"), self.next, self.more)
        self.measured = Section(self.tr("Measured"), self.figures)
        self.host = Section(self.tr("This machine"), self.machine)
        self._while_running = (self.provisional, self.precision, self.around, self.happened)
        self._otherwise = (self.name_row, self.reason, self.advised, self.proof, self.measured, self.host)
        self.sections = (*self._while_running, *self._otherwise)
        inner = QWidget()
        inner.setProperty("surface", "win")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in self.sections:
            column.addWidget(part)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setAccessibleName(self.tr("Inspector"))
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scroll)
        session.event_received.connect(self._on_event)
        for signal in (
            session.run_started, session.run_finished, session.results_changed, session.selection_changed,
            session.experiment_changed, session.environment_changed,
        ):  # fmt: skip
            signal.connect(self.mark)
        theme.changed.connect(self.mark)

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if self.session.results is not self._results:
            self._results, self._said = self.session.results, []
        line = event_text.line(event)
        if line is not None and (line[0] != "info" or isinstance(event, events.Warm | events.Decision)):
            letter = f"{theme.letter(self.session.index_of(event.variant))}: " if event.variant else ""
            icon, token = event_text.LEVEL_ICONS[line[0]]
            if isinstance(event, events.Warm) and event.steady:
                icon, token = "check", "ok"
            text = line[1].splitlines()[0]
            self._said.insert(0, (icon, token, letter + text, event_text.clock(self._results, event.t_ns)))
            del self._said[SHOWN_EVENTS:]
        self._dirty = True

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> Iterator[None]:
        """Draw the present state in parts."""
        running, results = self.session.running, self.session.results
        comparison = comparison_of(results)
        for part in self._while_running:
            part.setVisible(running)
        for other in self._otherwise:
            other.setVisible(not running)
        if running:
            self._show_run(results, comparison)
            return
        self._show_why(comparison)
        yield
        self._show_facts(results, comparison)

    def _show_run(self, results: Results | None, comparison: Comparison | None) -> None:
        self.forest.set_comparison(comparison)
        rounds = comparison.rounds if comparison is not None else 0
        note = self.tr("1 full round so far.") if rounds == 1 else self.tr("{n} full rounds so far.").format(n=rounds)
        if rounds < 4:
            note += " " + self.tr("No verdict is shown before round 4.")
        self.forest_note.setText(note)
        widest = widest_half_pct(comparison)
        margin = 100 * comparison.margin if comparison is not None else 3.0
        far = widest is not None and widest > MOST_PCT
        shown = self.tr("over ±{x}").format(x=MOST_PCT) if far else f"±{formatting.number(widest, 2)}"
        value = self.tr("{x} %, margin ±{m} %").format(x=shown, m=f"{margin:g}")
        self.widest.set([(self.tr("Widest interval"), value if widest is not None else "—")])
        self.reached.setValue(round(100 * min(1.0, margin / widest)) if widest else 0)
        self.width_note.setText(self.tr("An interval wider than the margin can settle only large differences."))
        state = results.variants.get(results.current) if results is not None and results.current else None
        found = conditions(self, state)
        self.around.setVisible(bool(found))
        self.conditions.set(found)
        self.happened.setVisible(bool(self._said))
        self.notes.set(self._said)

    def _row(self, comparison: Comparison | None) -> Row | None:
        """Return the row of the selected variant."""
        rows = comparison.variants if comparison is not None else ()
        return next((row for row in rows if row.variant == self.session.selected_result), None)

    def _show_why(self, comparison: Comparison | None) -> None:
        name, row = self.session.selected, self._row(comparison)
        self.name_row.setVisible(bool(name))
        self.badge.set_index(self.session.index_of(name) if name else 0)
        self.name.setText(name)
        self.reason.setVisible(row is not None and bool(row.why))
        self.why.setText(said(row.why) if row is not None else "")
        advice = comparison.advice if comparison is not None else []
        base = comparison.baseline.variant if comparison is not None else ""
        missing = missing_rounds([of_row(r, base) for r in comparison.variants]) if comparison is not None else {}
        self.more.show_missing(missing)
        self.advised.setVisible(bool(advice) or bool(missing))
        self.next.set(advice, [r.variant for r in comparison.variants] if comparison is not None else [])

    def _show_facts(self, results: Results | None, comparison: Comparison | None) -> None:
        name, row = self.session.selected_result, self._row(comparison)
        rows = receipt_notes(self, results, name)
        self.proof.setVisible(bool(rows))
        self.receipts.set(rows)
        figures = measured_facts(self, row, comparison) if row is not None else []
        self.measured.setVisible(bool(figures))
        self.figures.set(figures)
        environment = (comparison.environment if comparison else None) or self.session.environment
        self.host.title.setText(self.tr("Measured on") if figures else self.tr("This machine"))
        self.machine.set(machine_facts(environment) if environment is not None else [])
        self.host.setVisible(environment is not None)


def widest_half_pct(comparison: Comparison | None) -> float | None:
    """Return half the width of the widest interval in % of its ratio; None without an interval."""
    rows = comparison.variants[1:] if comparison is not None else []
    halves = [
        100 * ((r.speed_ratio_high / r.speed_ratio_low) ** 0.5 - 1)
        for r in rows
        if r.speed_ratio_low and r.speed_ratio_high
    ]
    return max(halves, default=None)


def conditions(view: QWidget, state: VariantState | None) -> list[tuple[str, str]]:
    """Return the newest sample's figures of the machine, as far as readable."""
    sample = state.last_sample if state is not None else None
    rows = []
    if sample is not None:
        for title, value, unit in (
            (view.tr("Other processes"), sample.foreign_cpu_pct, "% CPU"),
            (view.tr("Engine"), sample.cpu_pct, "% CPU"),
            (view.tr("Stolen by the host"), sample.steal_pct or None, "%"),
            (view.tr("GPU clock"), sample.clock_mhz, "MHz"),
            (view.tr("GPU temperature"), sample.temperature_c, "°C"),
            (view.tr("Power"), sample.power_w, "W"),
        ):
            if value is not None:
                rows.append((title, said(f"{value:.0f} {unit}")))
        if sample.throttle:
            rows.append((view.tr("Throttled"), ", ".join(sample.throttle)))
    if state is not None and state.hello is not None:
        rows.append((view.tr("Engine process"), view.tr("pid {pid}").format(pid=state.hello.pid)))
    return rows


def receipt_notes(view: QWidget, results: Results | None, name: str) -> list[tuple[str, str, str, str]]:
    """Return a line per receipt of a variant: a check mark or a warning, with the request."""
    state, rows = results.variants.get(name) if results is not None else None, []
    if state is not None and state.failed is not None:
        rows.append(("warning", "err", stated(state.failed.message), stated(state.failed.hint)))
    for receipt in state.receipts if state is not None else []:
        title = named(slot_title(receipt.slot), said(receipt.effective))
        asked = view.tr("requested: {what}").format(what=requested(results, name, receipt))
        if receipt.matches:
            rows.append(("check", "ok", title, asked))
        else:
            rows.append(("warning", "warn", title, asked))
    return rows


def measured_facts(view: QWidget, row: Row, comparison: Comparison | None) -> list[tuple[str, str]]:
    """Return memory, times and flags of a variant."""
    capacity = capacity_bytes(comparison)
    peak = formatting.size(peak_bytes(row))
    facts = [
        (view.tr("Weights"), formatting.size(row.weights_bytes)),
        (view.tr("KV cache"), formatting.size(row.kv_bytes)),
        (view.tr("Peak"), f"{peak} / {formatting.size(capacity)}" if capacity else peak),
        (view.tr("Load"), formatting.seconds(row.load_s)),
        (view.tr("Warm-up"), formatting.seconds(row.warmup_s)),
        (view.tr("Prefill"), f"{formatting.number(row.prefill_tok_s)} tok/s"),
        (view.tr("Type, device"), " · ".join(p for p in (row.dtype, row.device) if p) or "—"),
    ]
    if row.source_type:
        text = view.tr("{type}: losses are relative to that").format(type=row.source_type)
        facts.append((view.tr("Dequantized from"), text))
    if row.concurrency > 1:
        facts.append((view.tr("All requests"), f"{formatting.number(row.aggregate_tok_s)} tok/s"))
        facts.append((view.tr("Per request"), f"{formatting.number(row.per_user_tok_s)} tok/s"))
    if row.acceptance_rate is not None:
        facts.append((view.tr("Draft accepted"), said(f"{formatting.number(100 * row.acceptance_rate)} %")))
        facts.append((view.tr("Tokens per step"), formatting.number(row.mean_accepted_length)))
    if row.estimate_bytes is not None and row.estimate_error_pct is not None:
        off = round(row.estimate_error_pct)
        error = f"{off:+d} %".replace("-", "−") if off else "0 %"
        known = formatting.size(row.estimate_bytes)
        between = formatting.sizes(row.estimate_least_bytes, row.estimate_most_bytes)
        notes = error if between in ("", known) else f"{between}, {error}"
        facts.append((view.tr("Estimated peak"), said(f"{known} ({notes})")))
    if row.j_per_token is not None:
        facts.append((view.tr("Energy"), f"{formatting.number(row.j_per_token)} J/token ({row.energy_source})"))
    if row.flags:
        facts.append((view.tr("Flags"), said(row.flags)))
    return [f for f in facts if f[1].split(" ")[0] != "—"]
