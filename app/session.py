"""The state behind all views, and the only threads of the window. Knows the experiment, its history, the run in
progress and the results; paints nothing.

`RunThread` iterates a `core.run.Run` and emits each event; nothing is computed there, and the thread ends by
itself when the run does. Views append to their buffers in slots and redraw on `tick`, the one repaint timer.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.letters import Letters
from app.live_data import LiveData
from app.measured import remember
from app.replayed import open_run
from app.threads import EnvironmentThread, RunThread
from core import demo, events
from core.engines import EnginePool
from core.environment import Environment
from core.folders import data_folder
from core.journal import JournalError
from core.models import ModelError, ModelFacts, resolve
from core.results import Comparison, Results
from core.run import Run, RunError
from core.spec import Experiment, ModelSource, Variant

HISTORY = 100
LIVE_HZ = 10.0
SPARING_HZ = 2.0  # drawing takes CPU from an engine that runs on few cores
FEW_CORES = 4
_RESULTS_MOVED = (
    events.Started, events.Loaded, events.Warm, events.Receipts, events.TrialDone, events.Quality, events.Failed,
    events.Finished,
)  # fmt: skip


class Session(QObject):
    """What is loaded, what is selected, what runs and what came out."""

    experiment_changed = Signal()
    selection_changed = Signal()
    event_received = Signal(object)
    run_started = Signal()
    run_finished = Signal()
    results_changed = Signal()
    environment_changed = Signal()
    notice = Signal(str, str)  # "info" | "warning" | "error", text
    tick = Signal()

    def __init__(self, pool: EnginePool | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pool = pool or EnginePool()
        self.experiment: Experiment | None = None
        self.results: Results | None = None
        self.results_folder: Path | None = None  # where the shown results are
        self.replayed: LiveData | None = None  # their curves, where they were opened from disk
        self.runs_folder: Path | None = None  # where new ones go; None: the data folder
        self.selected = ""
        self.environment: Environment | None = None
        self.facts: ModelFacts | None = None
        self.running = False
        self.stopping = False  # after the present round, or at once: then `cancelling` too
        self.cancelling = False
        self.live_hz = LIVE_HZ
        self.letters = Letters()
        self._undo: list[Experiment | None] = []
        self._redo: list[Experiment | None] = []
        self._run: Run | None = None
        self._run_thread: RunThread | None = None
        self._environment_thread: EnvironmentThread | None = None
        self._collection = gc.get_threshold()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.tick)
        self.set_visible(True)

    # -- the experiment ------------------------------------------------------------------------------------
    def index_of(self, name: str) -> int:
        """The letter and hue of a variant: 0 is the baseline's."""
        return self.letters.of(name)

    def variant(self, name: str | None = None) -> Variant | None:
        """A variant by name; the selected one without."""
        wanted = self.selected if name is None else name
        return next((v for v in self.experiment.variants if v.name == wanted), None) if self.experiment else None

    def select(self, name: str) -> None:
        if name != self.selected and (self.variant(name) or (self.results and name in self.results.variants)):
            self.selected = name
            self.selection_changed.emit()

    def open_demo(self) -> bool:
        """The demo model with a baseline, an int8 and an int4 variant."""
        return self._open(demo.experiment())

    def open_model(self, source: ModelSource) -> bool:
        """Another model under the same variants; the starter comparison where there are none."""
        return self._open((self.experiment or demo.experiment()).model_copy(update={"model": source}))

    def open_experiment(self, experiment: Experiment) -> bool:
        return self._open(experiment)

    def restore(self, experiment: Experiment | None) -> None:
        """The experiment of the last time, if its model is still there; not a step that can be undone."""
        if experiment is not None and self._facts(experiment) is not None:
            self._replace(experiment)

    def _open(self, experiment: Experiment) -> bool:
        try:
            resolve(experiment.model)
        except ModelError as error:
            self.notice.emit("error", "\n".join(filter(None, [str(error), error.hint])))
            return False
        self.edit(experiment)
        return True

    def edit(self, experiment: Experiment) -> None:
        """Replace the experiment; `undo` brings the former one back. Nothing is changed during a run."""
        if self.running or experiment == self.experiment:
            return
        self._undo = [*self._undo, self.experiment][-HISTORY:]
        self._redo.clear()
        self._replace(experiment)

    def edit_variant(self, name: str, changed: Variant) -> None:
        """Replace one variant, as `edit`; its name may change."""
        if self.experiment is not None:
            variants = tuple(changed if v.name == name else v for v in self.experiment.variants)
            self.edit(self.experiment.model_copy(update={"variants": variants}))

    @property
    def can_undo(self) -> bool:
        return bool(self._undo) and not self.running

    @property
    def can_redo(self) -> bool:
        return bool(self._redo) and not self.running

    @Slot()
    def undo(self) -> None:
        if self.can_undo:
            self._redo.append(self.experiment)
            self._replace(self._undo.pop())

    @Slot()
    def redo(self) -> None:
        if self.can_redo:
            self._undo.append(self.experiment)
            self._replace(self._redo.pop())

    def _replace(self, experiment: Experiment | None) -> None:
        before, self.experiment = self.experiment, experiment
        old = [v.name for v in before.variants] if before else []
        new = [v.name for v in experiment.variants] if experiment else []
        for was, now in zip(old, new, strict=False):
            if len(old) == len(new) and was not in new and now not in old:
                self.letters.rename(was, now)
                self.selected = now if self.selected == was else self.selected
        self.letters.assign(new, self.results.variants if self.results else ())
        if before is None or experiment is None or before.model != experiment.model:
            self.facts = self._facts(experiment)
        moved = self.selected not in new
        if moved:  # the one that takes the place of a deleted one
            place = old.index(self.selected) if self.selected in old else 0
            self.selected = new[min(place, len(new) - 1)] if new else ""
        self.experiment_changed.emit()
        if moved:
            self.selection_changed.emit()

    def _facts(self, experiment: Experiment | None) -> ModelFacts | None:
        try:
            return resolve(experiment.model) if experiment else None
        except ModelError:  # undo to a model that has gone: the run will say so
            return None

    def is_measured(self, name: str) -> bool:
        """Whether the results on screen are of this variant as it is now."""
        was, now = self.results and self.results.experiment, self.experiment
        if not was or not now or was.model != now.model or was.workload != now.workload:
            return False
        if was.baseline != now.baseline:
            return False
        return any(v.name == name and v == self.variant(name) for v in was.variants)

    # -- the run -------------------------------------------------------------------------------------------
    @Slot()
    def run(self) -> None:
        """Measure all variants; the results on screen give way to new ones."""
        if self.running or self.experiment is None:
            return
        rate = SPARING_HZ if self._few_cores() else LIVE_HZ
        try:
            run = Run(self.experiment, self.pool, self._new_folder(), {"live_hz": rate})
        except RunError as error:
            self.notice.emit("error", str(error))
            return
        self._run = run
        self.results, self.replayed = Results(run_id=run.folder.name), None
        self.results_folder = run.folder
        self.running, self.stopping, self.cancelling = True, False, False
        self._run_thread = RunThread(run, self)
        self._run_thread.happened.connect(self._received)
        self._run_thread.broken.connect(self._broken)
        self._run_thread.finished.connect(self._ended)
        # A full collection walks every object of Qt, pydantic and the run: 70 ms and more in which the window stands
        # still. Young objects are still collected; the rest waits for the end of the run.
        gc.set_threshold(*self._collection[:2], 1_000_000)
        self._run_thread.start()
        self.run_started.emit()

    @Slot()
    def stop_after_round(self) -> None:
        if self._run is not None and self.running:
            self.stopping = True
            self._run.stop_after_round()
            self.results_changed.emit()

    @Slot()
    def cancel(self) -> None:
        if self._run is not None and self.running:
            self.stopping = self.cancelling = True
            self._run.cancel()
            self.results_changed.emit()

    @Slot(object, object)
    def _received(self, event: events.Event, comparison: Comparison | None) -> None:
        assert self.results is not None
        self.results.add(event)
        if comparison is not None:
            remember(self.results, comparison)
        if isinstance(event, events.Started):
            self.letters.assign([v.name for v in self.experiment.variants] if self.experiment else [])
        elif isinstance(event, events.Env):
            self._know(event.environment)
        elif isinstance(event, events.Phase) and event.phase != "idle":
            measuring = event.phase == "trial"
            self._set_rate(SPARING_HZ if measuring and self._few_cores() else LIVE_HZ)
        elif isinstance(event, events.Failed) and event.variant is None:
            self.notice.emit("error", "\n".join(filter(None, [event.message, event.hint])))
        self.event_received.emit(event)
        if isinstance(event, _RESULTS_MOVED):
            self.results_changed.emit()

    @Slot(str)
    def _broken(self, text: str) -> None:
        self.notice.emit("error", self.tr("The run ended unexpectedly. Finished trials are kept.") + f"\n{text}")

    @Slot()
    def _ended(self) -> None:
        if self._run_thread is not None:
            self._run_thread.deleteLater()
        self._run = self._run_thread = None
        self.running = self.stopping = self.cancelling = False
        gc.set_threshold(*self._collection)
        if self.results is not None and self.results.finished is None:
            self.results.interrupted = True
        self._set_rate(LIVE_HZ)
        self.results_changed.emit()
        self.run_finished.emit()

    def open_results(self, folder: Path) -> bool:
        """Show a finished or interrupted run; its experiment becomes the present one."""
        if self.running:
            return False
        try:
            results, self.replayed = open_run(folder)
        except JournalError as error:
            self.notice.emit("error", str(error))
            return False
        self.results, self.results_folder = results, folder
        if results.experiment is not None:
            self.edit(results.experiment)
            self.letters.assign([v.name for v in results.experiment.variants])
        self.results_changed.emit()
        return True

    def _new_folder(self) -> Path | None:
        """A folder for the run; None leaves the choice to the run."""
        if self.runs_folder is None or self.runs_folder == data_folder() / "runs" or self.experiment is None:
            return None
        from datetime import datetime

        name = f"{datetime.now():%Y%m%d-%H%M%S}-{Path(self.experiment.model.source).stem}"
        return self.runs_folder / name

    # -- the machine ---------------------------------------------------------------------------------------
    @Slot()
    def ask_environment(self) -> None:
        """Have an engine describe the machine; `environment_changed` follows."""
        if self._environment_thread is not None:
            return
        self._environment_thread = EnvironmentThread(self.pool, self)
        self._environment_thread.answered.connect(self._environment_known)
        self._environment_thread.broken.connect(self._environment_broken)
        self._environment_thread.finished.connect(self._environment_done)
        self._environment_thread.start()

    @Slot(object)
    def _environment_known(self, environment: Environment) -> None:
        if self.sender() is not self._environment_thread:
            return  # of a pool that was replaced while it answered
        self._know(environment)

    def _know(self, environment: Environment) -> None:
        """Every run tells it again; the views look anew only where more has changed than the free memory."""
        before, self.environment = self.environment, environment
        free = {"ram_available_bytes": environment.ram_available_bytes}
        if before is None or before.model_copy(update=free) != environment:
            self.environment_changed.emit()

    @Slot(str)
    def _environment_broken(self, text: str) -> None:
        if self.sender() is not self._environment_thread:
            return
        hint = self.tr("Check the engine command in File ▸ Settings.")
        self.notice.emit("error", f"{text[:1].upper()}{text[1:]}\n{hint}")

    @Slot()
    def _environment_done(self) -> None:
        thread = self.sender()
        if thread is self._environment_thread:
            self._environment_thread = None
            self.environment_changed.emit()
        if thread is not None:
            thread.deleteLater()

    def set_engine_command(self, command: Sequence[str] | None) -> None:
        """Drive other engines from now on; those that are running end."""
        wanted = EnginePool(command)
        if self.running or wanted.command == self.pool.command:
            return
        self._end_environment_thread()
        self.pool.close()
        self.pool, self.environment = wanted, None
        self.environment_changed.emit()
        self.ask_environment()

    @property
    def asking(self) -> bool:
        """Whether an engine is being asked for the environment right now."""
        return self._environment_thread is not None

    # -- the repaint timer ---------------------------------------------------------------------------------
    def set_visible(self, visible: bool) -> None:
        """A window that nobody sees is not repainted."""
        if visible and not self._timer.isActive():
            self._timer.start(round(1000 / self.live_hz))
        elif not visible:
            self._timer.stop()

    def _set_rate(self, hz: float) -> None:
        if hz != self.live_hz:
            self.live_hz = hz
            self._timer.setInterval(round(1000 / hz))

    def _few_cores(self) -> bool:
        cores = self.environment.cores if self.environment else os.cpu_count() or 1
        return cores <= FEW_CORES

    # -- the end -------------------------------------------------------------------------------------------
    def close(self) -> None:
        """End the run, the engines and the threads; finished trials are on disk already."""
        self._timer.stop()
        if self._run is not None:
            self._run.cancel()
        if self._run_thread is not None:
            self._run_thread.wait()
        self._end_environment_thread()
        self.pool.close()

    def _end_environment_thread(self) -> None:
        # An engine that was being started while the pool closed is caught by the next turn.
        while self._environment_thread is not None and not self._environment_thread.isFinished():
            self.pool.close()
            self._environment_thread.wait(100)
        self._environment_thread = None  # what it has still to say is nobody's business
