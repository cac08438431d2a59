"""The view of the run in progress: present activity, schedule, figures, plots and generated text. Events only mark the
view dirty; it repaints in the handler of the session's tick, and only while visible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.base.theme import theme
from app.charts.chart_actions import ChartActions
from app.live.live_plots import LAST_S, LivePlots
from app.live.live_text import headline, stops_after, waiting
from app.live.live_tiles import Tiles
from app.live.round_schedule import LOADING, Block, ScheduleStrip
from app.session.comparison_cache import capacity_bytes, comparison_of, trial_tokens
from app.session.run_progress import doing, rounds_left_s
from app.session.session import Session
from app.widgets.basics import Badge, Elided, caption, hairline, keep_room, label, redress
from app.widgets.buttons import button
from app.widgets.view import View
from core.base import formatting
from core.protocol import events
from core.results.results import Results, VariantState
from core.run.stopping_rule import widest_pct

PHASES = {"load": LOADING, "warm-up": ("warmup",), "quality": ("quality",)}  # the engine's phases by group of the strip
LOW, HIGH = 520, 620  # px of its height: below, there is no room for the text that comes out, or for all of it


class LiveView(View):
    """Header, schedule, tiles, three plots, output. Space freezes the plots; data keeps arriving."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._results: Results | None = None  # the results whose events are in the plots
        self._shown_text = ""
        self._block: Block | None = None  # the block that the plots show
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Live"))
        self.badge = Badge(0, 28)
        self.title = Elided("", 20, 600)
        self.subtitle = Elided("", 12, 400, "secondary", Qt.TextElideMode.ElideRight)
        self.rate_note = caption("")
        self.resume = button(self.tr("Resume live view"), "play", "flat", hint="Ctrl+Shift+P")
        self.resume.clicked.connect(self._resume)
        self.resume.setWhatsThis(self.tr("Shows the run as it is now; nothing was lost while the view was held."))
        self.back = button("", "play", hint=self.tr("Space"))
        self.back.clicked.connect(self._back)
        self.back.setWhatsThis(self.tr("The plots show an earlier time; this lets them follow the run again."))
        self.span = QComboBox()
        self.span.addItem(self.tr("Last 40 s"), LAST_S)
        self.span.addItem(self.tr("Whole run"), None)
        self.span.setAccessibleName(self.tr("Time shown in the plots"))
        self.span.setWhatsThis(self.tr("The last seconds, or the run from its beginning."))
        self.strip = ScheduleStrip(session)
        self.tiles = Tiles()
        self.plots = LivePlots(session.index_of)
        for chart, note in (
            (self.strip, ""), (self.plots.rate, self.tr("tok/s")), (self.plots.latency, self.tr("ms")),
            (self.plots.memory, self.tr("GiB")),
        ):  # fmt: skip
            ChartActions(chart, chart.accessibleName(), note, session)
        self.output_note = caption("")
        self.sampling = label("", 11, 400, "pill")
        keep_room(self.sampling)  # the plots do not move when it appears
        self.output = QPlainTextEdit()
        self.output.setReadOnly(True)
        self.output.setFont(theme.font(12, mono=True))
        self.output.document().setDocumentMargin(0)
        self.output.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.output.setAccessibleName(self.tr("Generated text"))
        self.output.setWhatsThis(self.tr("What the variant writes that is measured now."))
        self._build()
        self.span.currentIndexChanged.connect(self._span_changed)
        self.strip.block_clicked.connect(self._look_at)
        self.plots.moved.connect(self.mark)
        session.event_received.connect(self._on_event)
        session.run_started.connect(self._on_run_started)
        session.run_finished.connect(self.mark)
        session.results_changed.connect(self._on_results)
        session.selection_changed.connect(self.mark)
        session.experiment_changed.connect(self.mark)
        session.pace.live_changed.connect(self.refresh)
        theme.changed.connect(self._recolour)
        self._on_results()

    def _build(self) -> None:
        words_column = QVBoxLayout()
        words_column.setSpacing(2)
        words_column.addWidget(self.title)
        words_column.addWidget(self.subtitle)
        head = QHBoxLayout()
        head.setContentsMargins(20, 12, 16, 8)
        head.setSpacing(12)
        head.addWidget(self.badge)
        head.addLayout(words_column, 1)
        head.addWidget(self.rate_note)
        head.addWidget(self.resume)
        head.addWidget(self.back)
        head.addWidget(self.span)
        self._strip = QWidget()
        strip = QHBoxLayout(self._strip)
        strip.setContentsMargins(16, 0, 16, 8)
        strip.addWidget(self.strip)
        output_head = QHBoxLayout()
        output_head.addWidget(label(self.tr("Output"), 12, 600))
        output_head.addSpacing(8)
        output_head.addWidget(self.output_note)
        output_head.addStretch(1)
        output_head.addWidget(self.sampling)
        self._output = QWidget()
        output = QVBoxLayout(self._output)
        output.setContentsMargins(20, 8, 16, 10)
        output.setSpacing(4)
        output.addLayout(output_head)
        output.addWidget(self.output)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (head, self._strip, hairline(), self.tiles, hairline(), self.plots, hairline(), self._output):
            if isinstance(part, QWidget):
                layout.addWidget(part, 1 if part is self.plots else 0)
            else:
                layout.addLayout(part)

    def resizeEvent(self, event) -> None:
        """Hide the text in a low window, where the charts need the room."""
        super().resizeEvent(event)
        self._output.setVisible(self.height() >= LOW)
        lines = 3 if self.height() >= HIGH else 2
        self.output.setFixedHeight(lines * self.output.fontMetrics().lineSpacing() + 2)

    # -- events: no painting here -------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        self.plots.data.fold(event)
        self._dirty = True

    @Slot()
    def _on_run_started(self) -> None:
        if self._results is not self.session.results:  # else it goes on where it was
            self.plots.reset(self.session.curves)
        self._results = self.session.results
        if self._results is not None and self._results.started is not None:
            self.plots.data.fold(self._results.started)
        self._dirty = True
        if self.holds:
            self.refresh()  # no curves of the run before under the note

    @Slot()
    def _on_results(self) -> None:
        """Show the curves of newly opened results."""
        if self.session.results is not self._results:
            self._results = self.session.results
            self.plots.reset(self.session.curves)
            if not self.session.running:
                self.span.setCurrentIndex(1)
        self._dirty = True

    @property
    def holds(self) -> bool:
        """Whether drawing is paused, so that the run has the whole machine."""
        return self.session.running and self.session.pace.live_paused

    # -- actions ------------------------------------------------------------------------------------------
    @Slot()
    def _span_changed(self) -> None:
        self.plots.last_s = self.span.currentData()
        self.plots.follow()

    @Slot(Block)
    def _look_at(self, block: Block) -> None:
        """Show the time of a block, if anything was done in it."""
        found = [
            band
            for band in self.plots.data.bands
            if band.variant == block.variant
            and (band.round == block.round if block.round is not None else band.phase in PHASES[block.group])
        ]
        if found:
            self.plots.look_at(replace(found[0], end=found[-1].end))
            self._block = block
            self.refresh()

    @Slot()
    def _back(self) -> None:
        self.setFocus()  # the button goes away; Space acts here
        self.plots.follow()
        self.refresh()

    @Slot()
    def _resume(self) -> None:
        self.session.pace.pause_live(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            if self.plots.held:
                self.plots.follow()
            else:
                self.plots.frozen = True
            self.refresh()
        else:
            super().keyPressEvent(event)

    # -- drawing ------------------------------------------------------------------------------------------
    def _draw(self) -> Iterator[None]:
        """Draw the present state; the only place in which this view repaints."""
        session, results = self.session, self.session.results
        name = self._variant()
        state = results.variants.get(name) if results is not None else None
        self.badge.setVisible(state is not None)  # else the title names no variant
        self.badge.set_index(session.index_of(name) if name else 0)
        self.title.setText(headline(self, results, state, session.running))
        self.subtitle.setText(self._second_line(results))
        self.strip.refresh()
        if not self.plots.at_band:  # zoomed away from it, back to the run, or another run
            self._block = None
        self.strip.mark(self._block)
        self._show_pace()
        self._strip.setVisible(self.strip.has_blocks)
        comparison = comparison_of(results)
        row = next((r for r in comparison.variants if r.variant == name), None) if comparison else None
        track = self.plots.data.tracks.get(name)
        self.tiles.show_variant(track, row, comparison, self._nothing(results, name), session.running)
        capacity = capacity_bytes(comparison)
        self.plots.capacity_gib = capacity / 2**30 if capacity else None
        self.plots.running = session.running
        self.plots.waiting = self.tr("paused") if self.holds else waiting(self, results, session.running)
        self._show_output(results, state, name)
        yield
        yield from self.plots.draw()

    def _show_pace(self) -> None:
        """Show the repaint rate, or where the plots stand and the way back to the run."""
        running, held = self.session.running, self.plots.held
        self.resume.setVisible(self.holds)
        self.back.setVisible(held and not self.holds)
        self.back.setText(self.tr("Back to live") if running else self.tr("Back to the whole"))
        self.back.setAccessibleName(self.back.text())
        self.rate_note.setVisible(running or held)
        marked = self.strip.marked
        if self.holds:
            self.rate_note.setText(self.tr("Live view paused"))
        elif marked is not None:
            self.rate_note.setText(self.strip.where(marked))
        elif held:
            self.rate_note.setText(self.tr("Frozen") if self.plots.frozen else self.tr("An earlier time"))
        else:
            self.rate_note.setText(self.tr("Live view {hz} Hz").format(hz=f"{self.session.live_hz:g}"))

    def _variant(self) -> str:
        """Return the variant at work; after the run, the selected one."""
        results = self.session.results
        if self.session.running and results is not None:
            return results.current or self.plots.data.current or self.session.selected_result
        return self.session.selected_result

    def _nothing(self, results: Results | None, name: str) -> str:
        """Return why a variant has no figure yet."""
        if results is None or self.session.running:
            state = results.variants.get(name) if results is not None else None
            if state is not None and state.phase == "warmup":
                return self.tr("warming up, not counted")
            return self.tr("waiting for a trial")
        return self.tr("not measured") if name in results.variants else self.tr("not in this run")

    def _second_line(self, results: Results | None) -> str:
        if results is None or results.experiment is None:
            return self.tr("Press Run: every variant is measured in turn, and the plots fill here.")
        parts: list[str] = [self.session.guest]
        if self.session.running:
            parts.append(self._time_left(results))
        parts.append(self.tr("interleaved, random order per round"))
        workload = results.experiment.workload
        parts.append(
            self.tr("{prompt} tokens in, {new} out").format(prompt=workload.prompt_tokens, new=workload.new_tokens)
        )
        if workload.concurrency > 1:
            parts.append(self.tr("{n} requests at once").format(n=workload.concurrency))
        return " · ".join(filter(None, parts))

    def _time_left(self, results: Results) -> str:
        if self.session.cancelling:
            return self.tr("being cancelled")
        if self.session.stopping:
            return stops_after(self, results)
        if results.paused:
            return self.tr("the engines stay loaded")
        states = results.variants.values()
        judged, answered = sum(s.quality is not None for s in states), sum(bool(s.answers) for s in states)
        if judged or any(s.phase == "quality" for s in states):
            text = (
                self.tr("answers of {n} of {all} variants") if answered else self.tr("quality of {n} of {all} variants")
            )
            return " · ".join(
                filter(None, [text.format(n=answered or judged, all=len(results.variants)), self._phase_words(results)])
            )
        left = rounds_left_s(results, self.session.clock)
        if left is None:
            return self._phase_words(results)
        said = self.tr("about {time} left").format(time=formatting.about(left))
        until = results.experiment.workload.until_pct if results.experiment is not None else 0
        width = widest_pct(results) if until else None
        if width is not None:
            said = self.tr("widest interval ±{now} % of ±{goal} %, {time}").format(
                now=f"{width:.1f}", goal=f"{until:g}", time=said
            )
        asked = results.experiment is not None and results.experiment.quality is not None
        return self.tr("{time}, then quality").format(time=said) if asked else said

    def _phase_words(self, results: Results) -> str:
        """Return the progress of the present phase in words."""
        return doing(results, self.session.clock).line

    def _show_output(self, results: Results | None, state: VariantState | None, name: str) -> None:
        track = self.plots.data.tracks.get(name)
        text = track.text if track is not None else ""
        if text != self._shown_text:
            if text.startswith(self._shown_text) and self._shown_text:
                cursor = self.output.textCursor()
                cursor.movePosition(QTextCursor.MoveOperation.End)
                cursor.insertText(text[len(self._shown_text) :])
            else:
                self.output.setPlainText(text)
            self._shown_text = text
            self.output.verticalScrollBar().setValue(self.output.verticalScrollBar().maximum())
        if results is None or results.experiment is None:
            self.output_note.setText("")
            self.sampling.hide()
            return
        workload = results.experiment.workload
        if text and track is not None and track.ended:
            self.output_note.setText(self.tr("of the latest trial"))
        elif state is not None and state.phase == "trial" and self.session.running:
            note = self.tr("token {n} of {all}").format(n=state.tokens, all=trial_tokens(workload))
            if workload.request_count > 1:
                note += self.tr(", {n} requests; the newest one's text").format(n=workload.request_count)
            self.output_note.setText(note)
        else:
            self.output_note.setText("")
        how = self.tr("greedy") if workload.temperature == 0 else f"T = {workload.temperature:g}"
        self.sampling.setText(self.tr("{how}, seed {seed}").format(how=how, seed=workload.seed))
        self.sampling.show()

    @Slot()
    def _recolour(self) -> None:
        redress(self)
        self.plots.recolour()
        self._dirty = True
