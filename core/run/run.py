"""A run: loads every variant, warms it up, measures interleaved rounds, judges quality if requested, and ends with one
`Finished`. Iteration yields events that are already in the journal. `stop_after_round`, `pause`, `go_on`, `live_rate`
and `cancel` may be called from any thread. A finished run goes on in a new session (`core.run.continuation`): until it
is certain that the session measures the same, the journal is unchanged."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from core import __version__
from core.base.folders import FolderError, data_folder
from core.model.receipt import JsonValue
from core.prompts import run_prompts
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.protocol.engine_process import EngineError
from core.quality.evaluation_text import TextError
from core.quality.regression_suite import SuiteError
from core.results.journal import Journal, JournalError, open_results
from core.results.results import Results
from core.run import stopping_rule
from core.run.answers_phase import AnswersPhase
from core.run.continuation import MOVED, Admission, Continuation, is_gone, rounds_begun
from core.run.quality_phase import QualityPhase
from core.run.round_plan import Rounds, first_plan
from core.run.round_runner import RoundRunner
from core.run.run_control import Cancelled, Control, RunError
from core.run.run_engines import RunEngines
from core.spec import experiment as spec

__all__ = ["Run", "RunError"]

Status = Literal["ok", "stopped", "cancelled", "failed"]


class Run:
    """One session of an experiment. Raises RunError if it cannot begin."""

    def __init__(
        self,
        experiment: spec.Experiment,
        pool: EnginePool,
        folder: Path | None = None,
        settings: dict[str, JsonValue] | None = None,
        runs: Path | None = None,
        unload: bool = False,
        before: Continuation | None = None,
    ) -> None:
        """Write into `folder`, or a new folder in `runs` or the data folder. `unload` ends the engines after the run
        and reports what that gave back; otherwise they stay warm. `before` is described at `more`."""
        self.experiment = experiment
        self.pool = pool
        self.settings = settings or {}
        self._before = before
        plan = before.plan if before is not None else first_plan(experiment)
        self.schedule = plan.schedule
        work, quality = experiment.workload, experiment.quality
        judged = before.judged if before is not None else plan.names
        try:
            self._rounds = Rounds(work, plan)
            self._quality = self._answers = None
            if quality is not None and judged:
                self._quality = QualityPhase(quality)
                asked = before.began.workload if before is not None else work  # all variants answer the same prompts
                self._answers = AnswersPhase(quality, self._rounds.deck, asked)
            self.folder = folder or _new_folder(experiment, runs or data_folder() / "runs")
        except (run_prompts.PromptError, TextError, SuiteError, FolderError) as error:
            raise RunError(str(error)) from None
        try:
            self._journal = Journal(self.folder, goes_on=before is not None)
        except (OSError, ValueError) as error:
            raise _unwritable(self.folder, error) from None
        #: The results that a self-ending run consults; other runs compute nothing while they measure.
        self._results = Results() if work.until_pct or work.budget_s else None
        self._control = Control()
        self._crew = RunEngines(experiment, plan.names, pool, self._control)
        self._measuring = RoundRunner(self._crew, self._control, self._rounds, self._results)
        self._judged = {experiment.baseline.name, *judged}
        self._ends_engines = unload
        #: Asked as long as the journal waits for its answer.
        self._admission = Admission(before) if before is not None else None
        self._waiting: list[events.Event] = []
        self._failure: events.Failed | None = None  # the last one
        if before is not None and (before.turns == "reload" or not plan.rounds):
            self._crew.mode = before.turns

    @classmethod
    def more(
        cls,
        before: Continuation,
        pool: EnginePool,
        settings: dict[str, JsonValue] | None = None,
        unload: bool = False,
    ) -> Run:
        """Return a new session of a finished run. Raises RunError."""
        return cls(before.experiment, pool, before.folder, settings, unload=unload, before=before)

    # -- from any thread ----------------------------------------------------------------------------------
    @property
    def judges_alone(self) -> bool:
        """Whether the session has no rounds and only judges the quality of earlier ones."""
        return not self._rounds.plan.rounds

    @property
    def measuring(self) -> bool:
        """Whether the rounds have begun and are not over."""
        return self._control.measuring

    def stop_after_round(self) -> None:
        """End when the present round is complete, or now if there is none; everything measured is kept."""
        self._control.stop_after_round()

    def pause(self) -> None:
        """Wait when the present round is complete, or before the first; engines stay loaded."""
        self._control.pause()

    def go_on(self) -> None:
        """Continue after a pause, or cancel its request."""
        self._control.go_on()

    def live_rate(self, hz: float) -> None:
        """Record in the journal how often a window redraws, if that changes during the run."""
        self._control.note(f"the window draws the live view {hz:g} times a second from now on")

    def cancel(self) -> None:
        """End now: the working engine is stopped within a second; finished trials are kept."""
        self._control.cancel()

    def abandon(self) -> None:
        """Discard a run that will not be iterated, without a trace."""
        if self._before is not None:
            self._journal.close()
            return
        self._journal.discard()
        with contextlib.suppress(OSError):  # a folder that was there has other things in it
            self.folder.rmdir()

    # -- the iterable -------------------------------------------------------------------------------------
    def __iter__(self) -> Iterator[events.Event]:
        try:
            for event in self._events():
                if self._admission is not None and (refusal := self._admission.refusal(event)):
                    yield from self._refused(event, refusal)
                    return
                if isinstance(event, events.Failed):
                    self._failure = event
                if self._results is not None:
                    self._results.fold(event)
                try:
                    self._write(event)
                except OSError as error:
                    yield from self._unwritable(event, error)
                    return
                yield event
        finally:
            self._crew.release()
            if self._quality is not None:
                self._quality.clean()
            with contextlib.suppress(OSError):  # a full disk was reported already
                self._journal.close()

    @property
    def goes_on(self) -> bool:
        """Whether this is a new session of a finished run."""
        return self._before is not None

    def check(self, results: Results) -> None:
        """Check before iteration that the journal is still what this session continues. Raises RunError."""
        if self._before is not None and rounds_begun(results) != self._before.plan.first_round:
            self._journal.close()
            raise RunError(f"{self.folder}: it has other rounds by now than those that were shown: open it again.")

    @property
    def recorded(self) -> bool:
        """Whether the journal has anything of this session."""
        return self._admission is None

    def _write(self, event: events.Event) -> None:
        self._waiting.append(event)
        if self._admission is None or self._admission.granted:
            self._admission = None
            waiting, self._waiting = self._waiting, []
            for one in waiting:
                if self._journal.write(one):
                    told = f"{self.folder} was deleted: it was made again, with all that was measured so far"
                    self._control.note(told, "warning")

    def _refused(self, event: events.Event, why: str) -> Iterator[events.Event]:
        yield event
        self._crew.discard_unfinished()
        yield events.Failed(
            message=f"{self.folder}: this run cannot go on: {why}",
            hint="Nothing of it was changed. Run it as a new experiment instead.",
        )
        yield self._finished("failed", "the run cannot go on")

    def _never_began(self) -> Iterator[events.Event]:
        """Yield the end of a session whose engines could not be loaded, which leaves no trace in the journal."""
        if self._admission is None or self._failure is None:
            return
        why, gone = self._failure, is_gone(self.experiment.model)
        yield events.Failed(
            message=f"{self.folder}: this run cannot go on: {why.message}",
            hint=MOVED if gone else why.hint,
        )

    def _unwritable(self, event: events.Event, error: OSError) -> Iterator[events.Event]:
        """Yield the last event and the end of a run whose journal cannot be written."""
        if not isinstance(event, events.Finished):
            yield event
        if isinstance(event, events.Started):
            self._journal.discard()
        kept = "finished trials are kept" if self._crew.measured else "nothing was measured yet"
        yield events.Failed(
            message=f"{self.folder}: the journal cannot be written: {error.strerror or error}",
            hint=f"Free some space or choose another results folder; {kept}.",
        )
        self._crew.discard_unfinished()
        yield self._finished("failed", "the journal cannot be written")

    def _events(self) -> Iterator[events.Event]:
        yield self._beginning()
        if self._rounds.plan.rounds:
            yield from self._rounds.too_few()
        try:
            yield from self._measuring.run()
            self._control.measuring = False
            if self._crew.all_failed:
                yield from self._never_began()
                kept = "every variant failed; finished trials are kept"
                yield self._finished("failed", kept if self._crew.measured else "no variant could be measured")
                return
            yield from self._judge()
        except Cancelled:
            self._crew.discard_unfinished()  # those that are warm and idle stay so
            yield self._finished("cancelled" if self._control.cancelling else "stopped")
            return
        if self._ends_engines:
            yield from self._crew.end_engines()
        reason = self._measuring.reason
        if not reason or (self._quality is not None and not self._crew.judging):
            yield self._finished("stopped")
            return
        yield self._finished(
            "ok", stopping_rule.ended_words(self._results, reason) if self._results is not None else ""
        )

    def _beginning(self) -> events.Started | events.Resumed:
        try:
            engine = list(self.pool.engine_command())
        except EngineError:  # every variant will say why
            engine = []
        settings: dict[str, JsonValue] = {"engine": engine, **self.settings}
        if self._before is not None:
            if self._results is not None:  # read here, where it may take its time
                with contextlib.suppress(JournalError):
                    open_results(self.folder, into=self._results)
            return self._before.event(settings)
        return events.Started(
            schema_version=spec.SCHEMA_VERSION,
            dyno_version=__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            experiment=self.experiment.dump(),
            schedule=self.schedule,
            settings=settings,
        )

    def _judge(self) -> Iterator[events.Event]:
        if self._quality is None or self._answers is None or self._control.stopping:
            return
        self._crew.judging = True
        seats = [seat for seat in self._crew.seats if seat.variant.name in self._judged]
        yield from self._quality.run(seats, self._measuring.judge)
        yield from self._answers.run(seats, self._measuring.judge)

    def _finished(self, status: Status, message: str = "") -> events.Finished:
        return events.Finished(
            status=status, rounds=self._crew.rounds_done, message=message, reason=self._measuring.reason
        )


def _new_folder(experiment: spec.Experiment, runs: Path) -> Path:
    """Make and return `<runs>/<time>-<model>`, never an existing folder or one that another run is making. Raises
    RunError."""
    model = Path(experiment.model.source).stem.replace("/", "-") or "model"
    model = model.encode("utf-8", "replace")[:100].decode("utf-8", "ignore")  # no name has more than 255 bytes
    name = f"{datetime.now().strftime('%Y%m%d-%H%M%S')}-{model}"
    folder = runs / name
    number = 1
    while True:
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError as error:
            if not os.path.lexists(folder):  # it is the folder around it: a link to nowhere
                raise _unwritable(folder, error) from None
            number += 1
            folder = runs / f"{name}-{number}"
        except (OSError, ValueError) as error:
            raise _unwritable(folder, error) from None


def _unwritable(folder: Path, error: Exception) -> RunError:
    why = getattr(error, "strerror", None) or error
    return RunError(f"{folder}: results cannot be written there: {why}. Choose another folder.")
