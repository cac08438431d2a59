"""The timeline view: one request with its prompt, steps, tokens, accepted drafts and decisions, and the latency of
every token; or the memory of the whole run. Variants are stacked on one time axis. Events only mark the view dirty; it
repaints on the session's tick while visible."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QScrollArea,
    QStackedLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.base.core_text import said
from app.base.theme import theme
from app.charts.chart_panel import ChartPanel, Readout
from app.charts.memory_legend import PartsLegend
from app.session.comparison_cache import comparison_of
from app.session.session import Session
from app.timeline.latency_by_position_plot import PositionPlot
from app.timeline.memory_over_time import MemoryPlots
from app.timeline.memory_over_time import sentence as sentence_of_memory
from app.timeline.requests_strip import RequestsStrip
from app.timeline.timeline_empty import GhostTimeline
from app.timeline.timeline_strip import TimelineStrip
from app.widgets.basics import caption, hairline, heading, label
from app.widgets.empty_state import teaching
from app.widgets.view import View
from core.base import formatting
from core.protocol import events
from core.results import request_lanes, token_timeline
from core.results.results import Results
from core.results.token_timeline import Lane

LATEST = -1  # of the rounds
PAGES = ["tokens", "memory", "requests"]  # what can be shown, in the order of their widgets
MOST_LANES = 12  # shown at once; others can be chosen one by one


class TimelineView(View):
    """The chosen request, or how to read one before there is any."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._results: Results | None = None  # whose lanes are kept
        self._kept: dict[tuple[str, int, int], Lane] = {}
        self.answer = label("", 20, 600, wrap=True)
        self.method = label("", 12, 400, "secondary", wrap=True)
        self.variant, self.round, self.request = QComboBox(), QComboBox(), QComboBox()
        self.page = QComboBox()
        _offer(self.page, self._offered(1))
        self.page.setMinimumWidth(176)
        self.strip, self.positions = TimelineStrip(session), PositionPlot(session)
        self.requests = RequestsStrip(session)
        self.reading = Readout()
        self.memory = MemoryPlots(session, self.reading)
        for combo, name, what in (
            (
                self.page,
                self.tr("What the timeline shows"),
                self.tr("The steps of one request, or the memory of all engines over the whole run."),
            ),
            (
                self.variant,
                self.tr("Variants of the timeline"),
                self.tr("All variants below each other on one axis, or a single one."),
            ),
            (self.round, self.tr("Round of the timeline"), self.tr("The round whose request is shown.")),
            (
                self.request,
                self.tr("Request of the timeline"),
                self.tr("Which request of the round, where it has several."),
            ),
        ):
            combo.setAccessibleName(name)
            combo.setWhatsThis(what)
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            combo.setMaximumWidth(200)
            combo.currentIndexChanged.connect(self._chosen)
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self._empty, self._full = self._build_empty(), self._build_full()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._full)
        session.event_received.connect(self._on_event)
        for signal in (session.run_started, session.run_finished, session.results_changed, session.selection_changed):
            signal.connect(self.mark)
        theme.changed.connect(self.mark)

    def _build_empty(self) -> QWidget:
        page = QWidget()
        title = self.tr("The timeline of a request appears here when the first trial ends.")
        why = self.tr("It shows where the time of one answer went, step by step, and what drafts were worth.")
        column = teaching(page, label(title, 20, 600), label(why, 12, 400, "secondary", wrap=True))
        column.addWidget(heading(self.tr("How to read a timeline")))
        column.addWidget(GhostTimeline())
        column.addStretch(1)
        return page

    def _build_full(self) -> QWidget:
        choices = QHBoxLayout()
        choices.setSpacing(8)
        choices.addWidget(self.method, 1)
        for combo in (self.page, self.variant, self.round, self.request):
            choices.addWidget(combo)
        head = QVBoxLayout()
        head.setContentsMargins(20, 16, 16, 10)
        head.setSpacing(4)
        head.addWidget(self.answer)
        head.addLayout(choices)
        note = self.tr("since the request's arrival · height: tokens of a step, pale: accepted drafts")
        strip = _scroll(ChartPanel(self.tr("Token timeline"), note, self.strip, self.session))
        note = self.tr("ms, logarithmic · by position in the answer")
        below = ChartPanel(self.tr("Inter-token latency"), note, self.positions, self.session)
        tokens = QWidget()
        parts = QVBoxLayout(tokens)
        parts.setContentsMargins(0, 0, 0, 0)
        parts.setSpacing(0)
        parts.addWidget(strip, 3)
        parts.addWidget(hairline())
        parts.addWidget(below, 2)
        self._bodies = QStackedWidget()
        self._bodies.addWidget(tokens)
        self._bodies.addWidget(self._build_memory())
        note = self.tr("since the first arrival · grey: waiting, pale: prompt with its slot, full: tokens")
        self._bodies.addWidget(_scroll(ChartPanel(self.tr("Requests over time"), note, self.requests, self.session)))
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(hairline())
        column.addWidget(self._bodies, 1)
        self._left_out = caption("")
        self._left_out.setContentsMargins(16, 0, 16, 8)
        column.addWidget(self._left_out)
        return page

    def _build_memory(self) -> QWidget:
        page, row = QWidget(), QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(label(self.tr("Memory over time"), 12, 600))
        row.addWidget(PartsLegend())
        row.addWidget(self.reading, 1)
        row.setContentsMargins(16, 10, 16, 0)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(_scroll(self.memory), 1)
        return page

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, events.TrialDone | events.Started | events.Warm | events.Finished):
            self._dirty = True

    @Slot()
    def _chosen(self) -> None:
        self._dirty = True

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> None:
        results = self.session.results
        rounds = token_timeline.rounds(results) if results is not None else []
        self._pages.setCurrentWidget(self._full if rounds else self._empty)
        if results is None or not rounds:
            return
        self._fill(results, rounds)
        names = [name for name in results.variants if self.variant.currentData() in ("", name)]
        page = self.page.currentData()
        self._bodies.setCurrentIndex(PAGES.index(page))
        self.round.setVisible(page != "memory")
        self.request.setVisible(page == "tokens" and self.request.count() > 1)
        number = rounds[-1] if self.round.currentData() == LATEST else self.round.currentData()
        if page == "tokens":
            self._draw_tokens(results, number, names)
        elif page == "memory":
            self._draw_memory(results, names)
        else:
            self._draw_requests(results, number, names)

    def _draw_requests(self, results: Results, number: int, names: list[str]) -> None:
        """Draw all requests of the round, variant by variant."""
        shown = names[:MOST_LANES]
        trials = (token_timeline.trial_of(results, name, number) for name in shown)
        found = [request_lanes.lanes(trial) for trial in trials if trial is not None]
        self.requests.refresh(found)
        mine = next((x for x in found if x.variant == self.session.selected_result), found[0] if found else None)
        if mine is None:
            self.answer.setText(self.tr("No variant finished this round."))
        else:
            self.answer.setText(
                self.tr("{name}: {n} requests in {time}, at most {slots} at once.").format(
                    name=mine.variant,
                    n=len(mine.requests),
                    time=formatting.seconds(mine.end_ms / 1e3),
                    slots=mine.slots,
                )
            )
        place = self.tr("Round {n} of {all}").format(n=number + 1, all=token_timeline.rounds(results)[-1] + 1)
        self.method.setText(f"{place} · " + self.tr("one round is no verdict; Compare has all of them"))
        self._note([name for name in shown if name not in {x.variant for x in found}], names)

    def _draw_memory(self, results: Results, names: list[str]) -> None:
        comparison = comparison_of(results)
        if comparison is None:
            return
        shown = names[:MOST_LANES]
        self.memory.refresh(results, comparison, shown)
        rows = {row.variant: row for row in comparison.variants if row.variant in shown}
        row = rows.get(self.session.selected_result) or next(iter(rows.values()))
        self.answer.setText(sentence_of_memory(self, results, row))
        self.method.setText(self.tr("Each engine's own memory, read 5 times a second; its phases above it."))
        self._note([], names)

    def _draw_tokens(self, results: Results, number: int, names: list[str]) -> None:
        request = self.request.currentData() or 0
        lanes = self._lanes(results, number, request, names[:MOST_LANES])
        self.strip.refresh(lanes)
        self.positions.refresh(self._latencies(results, lanes, request))
        self._say(results, lanes, number, request, names)

    def _fill(self, results: Results, rounds: list[int]) -> None:
        """Fill the choices; a choice that is still possible stays."""
        every = [(self.tr("All variants"), ""), *((name, name) for name in results.variants)]
        _offer(self.variant, every)
        latest = [(self.tr("Latest round"), LATEST)]
        _offer(self.round, [*latest, *((self.tr("Round {n}").format(n=r + 1), r) for r in rounds)])
        trials = [t for state in results.variants.values() for t in state.trials]
        count = max((len(t.requests) for t in trials), default=1)
        _offer(self.page, self._offered(count))
        _offer(self.request, [(self.tr("Request {n}").format(n=i + 1), i) for i in range(count)])

    def _offered(self, requests: int) -> list[tuple[str, object]]:
        """Return what can be shown of rounds with that many requests."""
        pages = zip(
            (self.tr("Tokens of a request"), self.tr("Memory of the run"), self.tr("Requests of a round")),
            PAGES,
            strict=True,
        )
        return [(text, key) for text, key in pages if key != "requests" or requests > 1]

    def _lanes(self, results: Results, number: int, request: int, names: list[str]) -> list[Lane]:
        """Return the lanes, cached: a finished trial does not change."""
        if results is not self._results:
            self._results, self._kept = results, {}
        found = []
        for name in names:
            key = (name, number, request)
            if key not in self._kept:
                for lane in token_timeline.lanes(results, number, request, [name]):
                    self._kept[key] = lane
            if key in self._kept:
                found.append(self._kept[key])
        return found

    @staticmethod
    def _latencies(results: Results, lanes: list[Lane], request: int) -> dict[str, list[tuple[int, float]]]:
        found = {}
        for lane in lanes:
            trial = token_timeline.trial_of(results, lane.variant, lane.round)
            if trial is not None:
                found[lane.variant] = token_timeline.latencies(trial.requests[request])
        return found

    def _say(self, results: Results, lanes: list[Lane], number: int, request: int, names: list[str]) -> None:
        """Show the sentence, about the selected variant if it is shown."""
        lane = next((x for x in lanes if x.variant == self.session.selected_result), lanes[0] if lanes else None)
        if lane is None:
            self.answer.setText(self.tr("No variant finished this request."))
        else:
            self.answer.setText(sentence(self, lane))
        parts = [self.tr("Round {n} of {all}").format(n=number + 1, all=token_timeline.rounds(results)[-1] + 1)]
        if self.request.count() > 1:
            parts.append(self.tr("request {n} of {all}").format(n=request + 1, all=self.request.count()))
        parts.append(self.tr("one request is no verdict; Compare has all rounds"))
        if lane is not None and lane.flags:
            parts.append(said("; ".join(lane.flags)))
        self.method.setText(" · ".join(parts))
        self._note([n for n in names[:MOST_LANES] if n not in {x.variant for x in lanes}], names)

    def _note(self, missing: list[str], names: list[str]) -> None:
        """Show what is left out, and why."""
        notes = []
        if missing:
            notes.append(self.tr("Without a trial in this round: {names}.").format(names=", ".join(missing)))
        if len(names) > MOST_LANES:
            text = self.tr("The first {n} of {all} variants are shown; choose one above to see another.")
            notes.append(text.format(n=MOST_LANES, all=len(names)))
        self._left_out.setText(" ".join(notes))
        self._left_out.setVisible(bool(notes))


def _scroll(content: QWidget) -> QScrollArea:
    """Return a scroll area in which charts keep their height."""
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    content.setProperty("surface", "panel")
    content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    scroll.setWidget(content)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return scroll


def sentence(view: QWidget, lane: Lane) -> str:
    """Return where the time of a request went."""
    if lane.ttft_ms is None or lane.e2e_ms is None:
        return view.tr("{name} yielded no token in this request.").format(name=lane.variant)
    known = {
        "name": lane.variant,
        "ttft": formatting.number(lane.ttft_ms),
        "n": lane.tokens,
        "time": formatting.seconds(lane.e2e_ms / 1e3),
        "drafted": lane.accepted,
    }
    if lane.accepted:
        return view.tr(
            "{name}: first token after {ttft} ms, {n} tokens after {time}, {drafted} of them drafted."
        ).format(**known)
    return view.tr("{name}: first token after {ttft} ms, {n} tokens after {time}.").format(**known)


def _offer(combo: QComboBox, choices: Sequence[tuple[str, object]]) -> None:
    """Fill a combo box if its choices have changed, keeping the selection, without signals."""
    before = [(combo.itemText(i), combo.itemData(i)) for i in range(combo.count())]
    if before == list(choices):
        return
    chosen = combo.currentData()
    with QSignalBlocker(combo):
        combo.clear()
        for text, data in choices:
            combo.addItem(text, data)
        combo.setCurrentIndex(max(0, combo.findData(chosen)))
