"""A run: loads every variant, warms it up, measures in interleaved rounds, judges quality if the experiment asks for
it, and ends with one `Finished`.

Iterate it: each item is an event, already in the journal. Knows the parts of a run and their order; computes nothing.
`stop_after_round` and `cancel` may be called from any thread.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from core import __version__, events, prompts, spec, turns, until
from core.answers_phase import AnswersPhase
from core.control import Cancelled, Control
from core.crew import Crew
from core.engines import EngineError, EnginePool
from core.evaluation import TextError
from core.folders import FolderError, data_folder
from core.journal import Journal
from core.measuring import Measuring
from core.quality_phase import QualityPhase
from core.results import Results
from core.rounds import Rounds
from core.suite import SuiteError

Status = Literal["ok", "stopped", "cancelled", "failed"]


class RunError(RuntimeError):
    """The run cannot begin: its folder cannot be written, its prompts cannot be read."""


class Run:
    """One pass over an experiment. Raises RunError when it cannot begin."""

    def __init__(
        self,
        experiment: spec.Experiment,
        pool: EnginePool,
        folder: Path | None = None,
        settings: dict[str, events.JsonValue] | None = None,
        runs: Path | None = None,
        unload: bool = False,
    ) -> None:
        """Into `folder`, or into a new one in `runs`, or in the data folder. `unload` ends the engines of a run that
        is over, and says what that gave back; otherwise they stay warm."""
        self.experiment = experiment
        self.pool = pool
        self.settings = settings or {}
        work, quality = experiment.workload, experiment.quality
        try:
            self._rounds = Rounds(work)
            self._quality = QualityPhase(quality) if quality is not None else None
            self._answers = AnswersPhase(quality, self._rounds.deck, work) if quality is not None else None
            self.folder = folder or _new_folder(experiment, runs or data_folder() / "runs")
        except (prompts.PromptError, TextError, SuiteError, FolderError) as error:
            raise RunError(str(error)) from None
        self.schedule = turns.orders([v.name for v in experiment.variants], work.most_rounds, work.seed)
        try:
            self._journal = Journal(self.folder)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise RunError(f"{self.folder}: results cannot be written there: {why}. Choose another folder.") from None
        #: What a run looks at that ends by what it has measured; the others compute nothing while they measure.
        self._results = Results() if work.until_pct or work.budget_s else None
        self._control = Control()
        self._crew = Crew(experiment, pool, self._control)
        self._measuring = Measuring(self._crew, self._control, self._rounds, self.schedule, self._results)
        self._ends_engines = unload

    # -- from any thread ----------------------------------------------------------------------------------
    @property
    def measuring(self) -> bool:
        """Whether the rounds have begun, and are not over."""
        return self._control.measuring

    def stop_after_round(self) -> None:
        """End when the present round is complete, or now if there is none; everything measured is kept."""
        self._control.stop_after_round()

    def cancel(self) -> None:
        """End now: the engine that works is stopped within a second; finished trials are kept."""
        self._control.cancel()

    # -- the iterable -------------------------------------------------------------------------------------
    def __iter__(self) -> Iterator[events.Event]:
        try:
            for event in self._events():
                if self._results is not None:
                    self._results.add(event)
                try:
                    self._journal.write(event)
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

    def _unwritable(self, event: events.Event, error: OSError) -> Iterator[events.Event]:
        """The journal ends here. What was measured last is shown all the same."""
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
        yield self._started()
        yield from self._rounds.too_few()
        try:
            yield from self._measuring.run()
            self._control.measuring = False
            if self._crew.all_failed:
                yield self._finished("failed", "no variant could be measured")
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
        yield self._finished("ok", until.ended_words(self._results, reason) if self._results is not None else "")

    def _started(self) -> events.Started:
        try:
            engine = list(self.pool.engine_command())
        except EngineError:  # every variant will say why
            engine = []
        return events.Started(
            schema_version=spec.SCHEMA_VERSION,
            dyno_version=__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            experiment=self.experiment.dump(),
            schedule=self.schedule,
            settings={"engine": engine, **self.settings},
        )

    def _judge(self) -> Iterator[events.Event]:
        if self._quality is None or self._answers is None or self._control.stopping:
            return
        self._crew.judging = True
        yield from self._quality.run(self._crew.seats, self._measuring.judge)
        yield from self._answers.run(self._crew.seats, self._measuring.judge)

    def _finished(self, status: Status, message: str = "") -> events.Finished:
        return events.Finished(
            status=status, rounds=self._crew.rounds_done, message=message, reason=self._measuring.reason
        )


def _new_folder(experiment: spec.Experiment, runs: Path) -> Path:
    """`<runs>/<time>-<model>`, never one that is there already."""
    model = Path(experiment.model.source).stem.replace("/", "-") or "model"
    name = f"{datetime.now().strftime('%Y%m%d-%H%M%S')}-{model}"
    folder = runs / name
    number = 1
    while os.path.exists(folder):  # Path.exists raises where the folder around it cannot be entered
        number += 1
        folder = folder.with_name(f"{name}-{number}")
    return folder
