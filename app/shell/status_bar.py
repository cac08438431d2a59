"""The status bar: engines, whether the machine is quiet, memory, language."""

from __future__ import annotations

import os

import psutil
from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStatusBar, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.session.comparison_cache import rounds_planned
from app.session.session import Session
from app.settings.language_menu import LanguageButton, LanguageMenu
from app.shell.job_bar import JobBar
from app.text.phase_text import phase_text
from app.widgets.basics import IconLabel, Meter, label, restyle
from core.base import formatting
from core.protocol import events
from core.run.continuation import whole_rounds_begun

HEIGHT = 28
QUIET_PCT = 15.0  # of one core, by all other processes together
PERIOD_MS = 2000


class StatusBar(QStatusBar):
    def __init__(self, session: Session, languages: LanguageMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._foreign: float | None = None
        self._was_ours = True  # the first interval is the start of the window
        self._dirty = False
        self.setFixedHeight(HEIGHT)
        self.setSizeGripEnabled(False)
        self.dot = IconLabel("dot", "text3", 14)
        self.engine = label("", 12, 600)
        self.detail = label("", 12, role="secondary")
        self.addWidget(_gap(2))
        self.addWidget(self.dot)
        self.addWidget(self.engine)
        self.work = JobBar(session)
        self.work.stop.setFont(theme.font(12))
        self.addWidget(self.work, 1)
        self.addWidget(self.detail)
        self.quiet_icon = IconLabel("check", "ok", 14)
        self.quiet = label("", 12, role="secondary")
        self.ram = Meter(self.tr("Memory in use"))
        self.ram.setFixedWidth(56)
        self.ram_text = label("", 12, role="secondary")
        self._room = QHBoxLayout()  # for what others show here
        self._room.setContentsMargins(0, 0, 0, 0)
        room = QWidget()
        room.setLayout(self._room)
        self.addPermanentWidget(room)
        for part in (self.quiet_icon, self.quiet, _gap(), label(self.tr("RAM"), 12, role="secondary")):
            self.addPermanentWidget(part)
        self.addPermanentWidget(self.ram)
        self.addPermanentWidget(self.ram_text)
        self.language = LanguageButton(languages)
        self.addPermanentWidget(self.language)
        self.addPermanentWidget(_gap(8))
        self._own = psutil.Process()
        self._timer = QTimer(self)  # slow: reading the machine is no repainting of views
        self._timer.timeout.connect(self._read_machine)
        self._timer.start(PERIOD_MS)
        session.event_received.connect(self._on_event)
        for signal in (
            session.experiment_changed,
            session.environment_changed,
            session.results_changed,
            session.run_started,
            session.run_finished,
            session.jobs.changed,
        ):
            signal.connect(self.refresh)
        session.tick.connect(self._on_tick)
        theme.changed.connect(self.refresh)
        psutil.cpu_percent()  # the first call begins the interval
        self._read_machine()
        self._show_quiet()
        self.refresh()

    def put(self, part: QWidget) -> None:
        """Add a widget at the left end of the machine's part."""
        part.setFont(theme.font(12))
        self._room.addWidget(part)

    # -- the machine ---------------------------------------------------------------------------------------
    @Slot()
    def _read_machine(self) -> None:
        memory = psutil.virtual_memory()
        used = memory.total - memory.available
        self.ram.setValue(round(1000 * used / memory.total))
        self.ram_text.setText(f"{used / 2**30:.1f} / {memory.total / 2**30:.1f} GiB")
        busy = psutil.cpu_percent() * (os.cpu_count() or 1)
        own = self._own.cpu_percent()
        ours = self.session.running or self.session.asking  # then the work is Dyno's own, or the sampler knows better
        if not ours and not self._was_ours:
            self._foreign = max(0.0, busy - own)
            self._show_quiet()
        self._was_ours = ours

    def _show_quiet(self) -> None:
        share = self._foreign
        self.quiet.setVisible(share is not None)
        self.quiet_icon.setVisible(share is not None)
        if share is None:
            return
        if share <= QUIET_PCT:
            self.quiet_icon.set("check", "ok")
            self.quiet.setText(self.tr("Quiet machine"))
            restyle(self.quiet, role="secondary")
        else:
            self.quiet_icon.set("warning", "warn")
            self.quiet.setText(self.tr("Other processes: {share:.0f} % of a core").format(share=share))
            restyle(self.quiet, role="warn")

    # -- the engine ----------------------------------------------------------------------------------------
    @Slot(object)
    def _on_event(self, event: events.Event) -> None:
        results = self.session.results
        at_work = results is not None and event.variant == results.current  # to the idle ones that one is foreign
        if isinstance(event, events.Sample) and event.foreign_cpu_pct is not None and at_work:
            self._foreign = event.foreign_cpu_pct
            self._dirty = True
        elif isinstance(event, events.Phase):
            self._dirty = True

    @Slot()
    def _on_tick(self) -> None:
        if self._dirty and self.isVisible():
            self._dirty = False
            self.refresh()
            self._show_quiet()

    @Slot()
    def refresh(self) -> None:
        text, token = self._engine_words()
        self.engine.setText(text)
        self.dot.set("dot", token)
        live = [e for e in list(self.session.pool.engines) if e.alive]
        versions = self.session.environment.versions if self.session.environment else {}
        torch = f"torch {versions['torch']}" if live and "torch" in versions else ""
        count = self.tr("{n} engines").format(n=len(live)) if len(live) > 1 else ""
        pids = self.tr("pid {pids}").format(pids=", ".join(str(e.pid) for e in live)) if live else ""
        self.detail.setText(" · ".join(filter(None, [count, torch.partition("+")[0]])))
        self.detail.setToolTip(" · ".join(filter(None, [torch, pids])))
        self.engine.setToolTip(self.detail.toolTip())
        self.detail.setVisible(not self.work.isVisibleTo(self))

    def _engine_words(self) -> tuple[str, str]:
        session = self.session
        if session.running and not session.preparing and session.results is not None:
            return self._running_words(), "accent"
        if session.jobs.current is not None:
            return session.jobs.current.words, "accent"
        if session.asking:
            return self.tr("Engine starts"), "accent"
        if any(e.alive for e in list(session.pool.engines)):
            return self.tr("Engine idle"), "ok"
        if session.experiment is None:
            return self.tr("No engine process. It starts with the first model."), "text3"
        return self.tr("No engine process"), "text3"

    def _running_words(self) -> str:
        results = self.session.results
        assert results is not None
        total = rounds_planned(results)
        if self.session.cancelling:
            return self.tr("Cancelling")
        if self.session.stopping:
            begun = whole_rounds_begun(results)
            return self.tr("Stops after round {n}").format(n=begun) if begun else self.tr("Stops before round 1")
        if results.paused:
            return self.tr("Paused, engines loaded")
        state = results.variants.get(results.current or "")
        if state is None:
            return self.tr("Running")
        letter = theme.letter(self.session.index_of(state.name))
        if state.phase == "trial":
            return self.tr("Measuring {letter}, round {n} of {all}").format(
                letter=letter, n=results.round_number(state.round or 0), all=total
            )
        if state.phase == "start" and state.progress is not None and state.progress.detail:
            return formatting.capital(said(state.progress.detail))
        return phase_text(state.phase or "load").of_letter.format(letter=letter)


def _gap(width: int = 12) -> QWidget:
    space = QWidget()
    space.setFixedWidth(width)
    space.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
    return space
