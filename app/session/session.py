"""The state behind all views: the draft, the run in progress, and the results. Views append to their buffers in slots
and redraw on `tick`, the common repaint timer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal, Slot

from app.base.gc_scheduler import GcScheduler
from app.base.repaint_timer import LIVE_HZ, RepaintTimer, measuring_hz
from app.session.comparison_cache import remember
from app.session.engine_shutdown import EngineShutdown
from app.session.jobs import Job, Jobs
from app.session.live_data import LiveData
from app.session.machine_job import MachineJob
from app.session.machine_probe import MachineProbe
from app.session.prompt_cache import PromptCache
from app.session.run_progress import PhaseClock
from app.session.run_threads import MakingThread, RunThread
from app.session.shown_results import ShownResults
from app.session.tryout_session import TryoutSession
from core.analysis.comparison_row import Comparison
from core.machine.environment import Environment
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.receipt import JsonValue
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.results import variant_letters
from core.results.journal import JournalError, open_results
from core.results.results import Results
from core.run import continuation
from core.run.run import Run, RunError
from core.spec.experiment import Experiment, QualitySettings

LOCK_S = 0.0001
NOTHING: Mapping[str, JsonValue] = MappingProxyType({})
_RESULTS_MOVED = (
    events.Started, events.Resumed, events.Paused, events.Loaded, events.Warm, events.Receipts, events.TrialDone,
    events.Quality, events.Answers, events.SuiteDone, events.Failed, events.Finished,
)  # fmt: skip


class Session(ShownResults):
    """A draft that can be run; one run at a time."""

    event_received = Signal(object)
    run_started = Signal()
    run_finished = Signal()
    run_refused = Signal(str)  # it could not begin, and why; empty: it was called back
    environment_changed = Signal()
    tick = Signal()

    def __init__(self, pool: EnginePool | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # The window's thread asks for Python's lock many times a repaint, and waits so long each time while another
        # thread computes; with the 5 ms that are usual, a repaint takes a quarter of a second.
        sys.setswitchinterval(LOCK_S)
        self.runs_folder: Path | None = None  # where new ones go; None: the data folder
        self.stopping = False  # after the present round, or at once: then `cancelling` too
        self.cancelling = False
        self.judging = False  # the rounds are over, and quality is being judged
        self.pausing = False  # asked to wait after the present round; whether it does: `results.paused`
        self.machine = MachineProbe(pool or EnginePool(), self)
        self.machine.changed.connect(self.environment_changed)
        self.machine.notice.connect(self.notice)
        self.jobs = Jobs(self)  # long work besides a run
        self.trying = TryoutSession(self, self)
        self.shelf = PromptCache(self, self)
        self.ending = EngineShutdown(self, self)
        MachineJob(self.jobs, self.machine, self)
        self.pace = RepaintTimer(self)
        self.collecting = GcScheduler(self)
        self.clock = PhaseClock()
        self.event_received.connect(self._told)  # before any view
        self.pace.tick.connect(self.tick)
        self.pace.live_changed.connect(self._live_changed)
        self._run: Run | None = None
        self._making: MakingThread | None = None
        self._guest = ""  # of the run that is being made
        self._reading: Job
        self._run_thread: RunThread | None = None

    # -- the machine ---------------------------------------------------------------------------------------
    @property
    def pool(self) -> EnginePool:
        return self.machine.pool

    @property
    def environment(self) -> Environment | None:
        return self.machine.environment

    @property
    def answering(self) -> bool:
        """Whether engines are answering a prompt outside a run."""
        return self.trying.running

    @property
    def live_hz(self) -> float:
        """The repaint rate of the live view."""
        return 0.0 if self.running and self.pace.live_paused else self.pace.hz

    @property
    def asking(self) -> bool:
        """Whether an engine is being asked for the environment."""
        return self.machine.asking

    @Slot()
    def ask_environment(self) -> None:
        """Let an engine describe the machine; `environment_changed` follows."""
        self.machine.ask()

    def set_engine_command(self, command: Sequence[str] | None, anew: bool = False) -> None:
        """Use another engine command and end the running engines; `anew` also for the same command."""
        if not self.running:
            self.trying.close()
            self.ending.close()
            self.machine.replace_pool(command, anew)

    # -- the run -------------------------------------------------------------------------------------------
    @Slot()
    def run(self) -> None:
        """Measure the included variants; new results replace those on screen."""
        self._measure(self.to_run, "", lambda: None)

    def run_other(
        self,
        experiment: Experiment,
        guest: str,
        check: Callable[[], None] = lambda: None,
        noted: Mapping[str, JsonValue] = NOTHING,
    ) -> None:
        """Measure another comparison than the draft, named `guest`; the draft stays as it is. `check` runs in a thread,
        since it may read files, and may raise RunError. `noted` is kept in the run's settings."""
        try:
            resolve(experiment.model)
        except ModelError as error:
            self.notice.emit("error", "\n".join(filter(None, [str(error), error.hint])))
            return
        self._measure(experiment, "" if experiment == self.to_run else guest, check, noted)

    def _measure(
        self,
        experiment: Experiment | None,
        guest: str,
        check: Callable[[], None],
        noted: Mapping[str, JsonValue] = NOTHING,
    ) -> None:
        if self.running or experiment is None:
            return
        if self.trying.running:  # the engines are being asked something
            self.trying.stop_then(partial(self._measure, experiment, guest, check, noted))
            return
        worn = variant_letters.of_run(experiment, self.letters.kept())
        settings, runs = {**self._settings(), **noted, variant_letters.SETTING: worn}, self.runs_folder

        def make() -> Run:
            check()
            return Run(experiment, self.pool, settings=settings, runs=runs)

        self._make(make, guest)

    @Slot(int)
    def run_more(self, rounds: int | None = None, only: Collection[str] = ()) -> None:
        """Continue the run on screen: its missing part, so many more rounds, or `only` some variants."""
        results, folder = self.results, self.results_folder
        if self.running or results is None or folder is None:
            return
        if self.trying.running:
            self.trying.stop_then(partial(self.run_more, rounds, only))
            return
        try:
            before = continuation.plan(results, folder, rounds, only)
        except RunError as error:
            self.notice.emit("error", str(error))
            return
        worn = variant_letters.of_run(before.experiment, {n: self.index_of(n) for n in results.variants})
        settings = {**self._settings(), variant_letters.SETTING: worn}
        self._make(lambda: Run.more(before, self.pool, settings), self.guest)

    @property
    def can_continue(self) -> bool:
        """Whether the run on screen ended before everything requested was measured."""
        results = self.results
        over = results is not None and (results.finished is not None or results.interrupted)
        return not self.running and over and results is not None and continuation.is_unfinished(results)

    def _settings(self) -> dict[str, JsonValue]:
        return {"live_hz": self._measuring_hz}

    @property
    def _measuring_hz(self) -> float:
        return 0.0 if self.pace.live_paused else measuring_hz(self.machine.cores)

    @Slot()
    def _live_changed(self) -> None:
        """Record the repaint rate in the run, since drawing costs time."""
        if self._run is not None:
            self._run.live_rate(self._measuring_hz)

    @property
    def preparing(self) -> bool:
        """Whether a run is being made and has not begun: its prompts are being read."""
        return self._making is not None

    def _make(self, make: Callable[[], Run], guest: str = "") -> None:
        """Let a thread make a run and start it; `run_refused` follows if it cannot be made."""
        if (job := self.jobs.disturbing) is not None:
            self.notice.emit("warning", self.tr("{work}: measure when it is done.").format(work=job.words))
            return
        self.running, self.stopping, self.cancelling, self.pausing, self.judging = True, False, False, False, False
        self._guest = guest
        self._making = MakingThread(make, self)
        self._making.made.connect(self._made)
        self._making.refused.connect(self._refused)
        self._making.finished.connect(self._making.deleteLater)
        self._reading = self.jobs.begin(self.tr("Reading the prompts"), self._give_up)
        self._making.start()

    @Slot(object)
    def _made(self, run: Run) -> None:
        if self.sender() is not self._making:  # it was given up as it came
            run.abandon()
            return
        self._making = None
        if not run.goes_on:
            self.step_aside()
            self.results, self.curves = Results(run.folder.name, self.margin), LiveData()
            self.results_folder, self.guest = run.folder, self._guest
        self._start(run)
        self._reading.end()

    @Slot(str)
    def _refused(self, why: str) -> None:
        if self.sender() is self._making:
            self.notice.emit("error", why)
            self._not_begun(why)

    def _give_up(self) -> None:
        if self._making is not None:
            self._making.given_up = True
            self._not_begun("")

    def _not_begun(self, why: str) -> None:
        self._making, self.running = None, False
        self._reading.end()
        self.results_changed.emit()
        self.run_refused.emit(why)

    def _start(self, run: Run) -> None:
        self.ending.hurry()  # a measurement disturbed by a load is worthless
        self._run, self.judging = run, run.judges_alone
        self._run_thread = RunThread(run, self, self.margin)
        self._run_thread.happened.connect(self._received)
        self._run_thread.broken.connect(self._broken)
        self._run_thread.finished.connect(self._ended)
        self._run_thread.start()
        self.run_started.emit()

    @Slot()
    def check_quality(self) -> None:
        """Judge the measured variants, with the set quality options or the defaults; run with quality if nothing was
        measured, or if variants were edited since."""
        if self.running or self.experiment is None:
            return
        if self.experiment.quality is None:
            self.set_quality(QualitySettings())
        if not self.can_judge:
            self.run()
            return
        if self.trying.running:
            self.trying.stop_then(self.check_quality)
            return
        results, folder, quality = self.results, self.results_folder, self.experiment.quality
        assert results is not None
        assert folder is not None
        assert quality is not None
        try:
            before, settings = continuation.judgement(results, folder, quality), self._settings()
        except RunError as error:
            self.notice.emit("error", str(error))
            return
        self._make(lambda: Run.more(before, self.pool, settings))

    @property
    def can_judge(self) -> bool:
        """Whether the results on screen belong to the present variants, so that their quality needs no new rounds."""
        results, experiment = self.results, self.to_run
        if results is None or experiment is None or self.results_folder is None or results.partial:
            return False
        over = results.finished is not None or results.interrupted
        return over and results.rounds_done > 0 and all(self.is_measured(v.name) for v in experiment.variants)

    @property
    def measuring(self) -> bool:
        """Whether the rounds of a run have begun and are not over."""
        return self.running and self._run is not None and self._run.measuring

    @Slot()
    def stop_after_round(self) -> None:
        if self._run is not None and self.running and not self.judging:
            self.stopping = True
            self._run.stop_after_round()
            self.results_changed.emit()

    @property
    def can_pause(self) -> bool:
        """Whether a run has rounds to come; not while its prompts are being read."""
        return self.running and not (self.preparing or self.stopping or self.judging)

    @Slot()
    def pause(self) -> None:
        """Pause after the present round with engines loaded, or resume."""
        if self._run is None or not self.can_pause:
            return
        self.pausing = not self.pausing
        if self.pausing:
            self._run.pause()
        else:
            self._run.go_on()
        self.results_changed.emit()

    @Slot()
    def cancel(self) -> None:
        if self.preparing:
            self._give_up()
        elif self._run is not None and self.running:
            self.stopping = self.cancelling = True
            self._run.cancel()
            self.results_changed.emit()

    @Slot(object, object)
    def _received(self, event: events.Event, comparison: Comparison | None) -> None:
        assert self.results is not None
        self.results.fold(event)
        if comparison is not None:
            remember(self.results, comparison)
        match event:
            case events.Started():
                self._welcome()
                self.letters.assign(self._state.names(), self.shown())
            case events.Env():
                self.machine.know(event.environment)
            case events.Paused():
                self.pausing = not event.over
                self.pace.set_hz(LIVE_HZ)
            case events.Phase(phase="trial"):
                self.pace.set_hz(measuring_hz(self.machine.cores))
            case events.Phase() if event.phase != "idle":
                self.pace.set_hz(LIVE_HZ)
            case events.Failed(variant=None):
                self.notice.emit("error", "\n".join(filter(None, [event.message, event.hint])))
        if judges := isinstance(event, events.Phase | events.Failed) and event.phase == "quality":
            self.judging = True
        self.event_received.emit(event)
        if isinstance(event, _RESULTS_MOVED) or judges:
            self.results_changed.emit()

    @Slot(object)
    def _told(self, event: events.Event) -> None:
        self.clock.fold(event)

    @Slot(str)
    def _broken(self, text: str) -> None:
        self.notice.emit("error", self.tr("The run ended unexpectedly. Finished trials are kept.") + f"\n{text}")

    @Slot()
    def _ended(self) -> None:
        if self._run_thread is not None:
            self._run_thread.deleteLater()
        run, self._run, self._run_thread = self._run, None, None
        self.running = self.stopping = self.cancelling = self.pausing = self.judging = False
        if run is not None and not run.recorded:  # the new session recorded nothing: show the results as they were
            self._look_again(run.folder)
        if self.results is not None and self.results.finished is None:
            self.results.interrupted = True
        self.pace.set_hz(LIVE_HZ)
        self.results_changed.emit()
        self.run_finished.emit()
        self._step_back()

    def _step_back(self) -> None:
        """Show the earlier results again, if a run ended before its first round and they belong to the draft."""
        results = self.results
        if results is None or self.running or results.rounds_done or results.failed is not None:
            return
        if any(s.failed is not None and s.failed.kind != "cancelled" for s in results.variants.values()):
            return  # keep the failure on screen
        found = next((f for f in self.former if self._is_open(f.model) and not f.guest), None)
        if found is not None and found.results is not results:
            self.back(found)
            told = self.tr("The run ended before its first round was whole: the results of before are shown again.")
            self.notice.emit("info", told)

    def _look_again(self, folder: Path) -> None:
        try:
            self.results = open_results(folder, into=Results(folder.name, self.margin))
        except JournalError as error:
            self.notice.emit("error", str(error))

    @Slot(object)
    def engine_ended(self, event: events.Unloaded) -> None:
        """Add what a warm engine's end gave back."""
        if self.results is not None and not self.running:
            self.results.fold(event)
            self.event_received.emit(event)
            self.results_changed.emit()

    def close(self) -> None:
        """End the run, the engines and the threads; finished trials are on disk."""
        self.pace.stop()
        self.collecting.close()
        self.trying.close()
        self.shelf.close()
        self._give_up()
        for thread in self.findChildren(MakingThread):  # also those that were given up before
            thread.wait()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall)  # runs that came meanwhile leave no trace
        if self._run is not None:
            self._run.cancel()
        if self._run_thread is not None:
            self._run_thread.wait()
        self.jobs.close()
        self.ending.close()
        self.machine.close()
