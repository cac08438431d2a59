"""A run: loads every variant, warms it up, measures in interleaved rounds, judges quality if the experiment asks for
it, and ends with one `Finished`.

Iterate it: each item is an event, already in the journal. Knows engines by what they answer; computes nothing.
`stop_after_round` and `cancel` may be called from any thread.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Literal

from core import __version__, commands, events, prompts, residue, spec, turns, until
from core.answers_phase import AnswersPhase
from core.check import check
from core.engines import EngineError, EnginePool, Gone, Inbox
from core.environment import Environment
from core.evaluation import TextError
from core.folders import FolderError, data_folder
from core.journal import Journal
from core.quality_phase import QualityPhase
from core.results import Results
from core.seats import Seat, clock_offset, died, silent
from core.suite import SuiteError

Status = Literal["ok", "stopped", "cancelled", "failed"]
#: An engine says hello before it imports anything heavy: what is silent for longer, on whatever host, is none.
HELLO_S = 60.0
_REMEMBERED = ("hello", "loaded", "interface", "warm", "receipts")


class RunError(RuntimeError):
    """The run cannot begin: its folder cannot be written, its prompts cannot be read."""


class _Cancelled(Exception):
    pass


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
        work = experiment.workload
        try:
            self._deck = prompts.Deck(work.prompts, work.seed)
            self._quality = QualityPhase(experiment.quality) if experiment.quality is not None else None
            self._answers = (
                AnswersPhase(experiment.quality, self._deck, work) if experiment.quality is not None else None
            )
            self.folder = folder or _new_folder(experiment, runs or data_folder() / "runs")
        except (prompts.PromptError, TextError, SuiteError, FolderError) as error:
            raise RunError(str(error)) from None
        self.schedule = turns.orders([v.name for v in experiment.variants], work.most_rounds, work.seed)
        try:
            self._journal = Journal(self.folder)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise RunError(f"{self.folder}: results cannot be written there: {why}. Choose another folder.") from None
        self._inbox: Inbox = queue.SimpleQueue()
        self._stop = False
        self._cancel = False
        self._seats = [Seat(v) for v in experiment.variants]
        self._turns = turns.first_mode(work)
        self._trial_s: list[float] = []
        self._reason: events.EndReason = ""
        #: What a run looks at that ends by what it has measured; the others compute nothing while they measure.
        self._results = Results() if work.until_pct or work.budget_s else None
        self.measuring = False  # the rounds have begun, and are not over
        self._judging = False  # the quality phase has begun: what fails now costs no trial
        self._environment_known = self._machine_known = False
        self._at_work: Seat | None = None
        self._ends_engines = unload
        self._environment: Environment | None = None

    # -- from any thread ----------------------------------------------------------------------------------
    def stop_after_round(self) -> None:
        """End when the present round is complete, or now if there is none; everything measured is kept."""
        self._stop = True
        if not self.measuring:
            self._inbox.put((None, None))

    def cancel(self) -> None:
        """End now: the engine that works is stopped within a second; finished trials are kept."""
        self._cancel = True
        self._inbox.put((None, None))

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
            for seat in self._seats:
                if seat.engine is not None:
                    self.pool.release(seat.engine)
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
        kept = "finished trials are kept" if any(seat.measured for seat in self._seats) else "nothing was measured yet"
        yield events.Failed(
            message=f"{self.folder}: the journal cannot be written: {error.strerror or error}",
            hint=f"Free some space or choose another results folder; {kept}.",
        )
        self._discard_unfinished()
        yield self._finished("failed", "the journal cannot be written")

    def _events(self) -> Iterator[events.Event]:
        yield events.Started(
            schema_version=spec.SCHEMA_VERSION,
            dyno_version=__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            experiment=self.experiment.dump(),
            schedule=self.schedule,
            settings={"engine": self._engine_words(), **self.settings},
        )
        yield from self._few_prompts()
        try:
            yield from self._load_and_measure()
            self.measuring = False
            if all(seat.failed for seat in self._seats):
                yield self._finished("failed", "no variant could be measured")
                return
            if self._quality is not None and self._answers is not None and not self._stop:
                self._judging = True
                yield from self._quality.run(self._seats, self._judge)
                yield from self._answers.run(self._seats, self._judge)
        except _Cancelled:
            yield from self._cancelled()
            return
        if self._ends_engines:
            yield from self._end_engines()
        if not self._reason or (self._quality is not None and not self._judging):
            yield self._finished("stopped")
            return
        words = until.ended_words(self._results, self._reason) if self._results is not None else ""
        yield self._finished("ok", words)

    def _engine_words(self) -> list[events.JsonValue]:
        try:
            return list(self.pool.engine_command())
        except EngineError:  # every variant will say why
            return []

    def _end_engines(self) -> Iterator[events.Event]:
        """End the engines one by one, where what they leave behind can be measured."""
        if not residue.on_this_machine(self._environment):
            return
        assert self._environment is not None
        for seat in self._seats:
            engine = seat.engine
            if engine is None or not engine.alive:
                continue
            loaded = engine.memory.get("loaded")
            on_card = isinstance(loaded, events.Loaded) and loaded.device.startswith("cuda")
            uuid = self._environment.devices[0].uuid if on_card and self._environment.devices else ""
            found = residue.measure(engine.pid, uuid, partial(self.pool.discard, engine))
            if found is not None:
                yield self._stamp(seat, found)

    def _load_and_measure(self) -> Iterator[events.Event]:
        """All engines at once; where one has no room beside the others, by turns."""
        if self._turns != "together":
            yield events.Turns(mode=self._turns, why=f"asked for: {turns.MODES[self._turns]}")
        while True:
            try:
                if self._turns == "together":
                    yield from self._load_all()
                yield from self._measure()
                return
            except turns.Crowded as crowded:
                yield from self._fall_back(crowded)

    def _load_all(self) -> Iterator[events.Event]:
        self.pool.evict({self._key(seat.variant) for seat in self._seats})
        for seat in self._seats:
            if seat.engine is None and not seat.failed:
                yield from self._prepare(seat)
        for seat in self._seats:
            yield from self._warm(seat)

    def _warm(self, seat: Seat) -> Iterator[events.Event]:
        if not seat.failed and not seat.warm:
            yield from self._carry_out(seat, commands.WarmCommand(prompts=self._warmup_prompts()))
            seat.warm = not seat.failed

    def _measure(self) -> Iterator[events.Event]:
        seats = {seat.variant.name: seat for seat in self._seats}
        groups = turns.plan(self._turns, list(seats), self.schedule, self.experiment.workload.trials)
        self.measuring = True
        for group in groups:
            if self._stop or all(seat.failed for seat in self._seats):
                return
            for step in group:
                seat = seats[step.name]
                alone = step.again and not any(other.measured for other in self._seats if other is not seat)
                if seat.failed or step.round in seat.measured or alone:
                    continue
                if self._turns != "together":
                    yield from self._load_alone(seat)
                    yield from self._warm(seat)
                began = time.monotonic()
                yield from self._carry_out(seat, self._trial(step.round))
                self._trial_s.append(time.monotonic() - began)
            if self._results is not None and self._turns != "sequence":
                reason = until.reason_to_end(self._results)
                if reason is not None:
                    self._reason = reason
                    return
        self._reason = "rounds"

    def _load_alone(self, seat: Seat) -> Iterator[events.Event]:
        """Its engine loaded, and no other there: what they held is free before it loads."""
        for other in self._seats:
            if other is not seat:
                yield from self._unload(other)
        if seat.engine is None:
            self.pool.evict({self._key(seat.variant)})
            yield from self._prepare(seat)
            self.pool.evict(set())  # it took one of them

    def _judge(self, seat: Seat, command: commands.Command) -> Iterator[events.Event]:
        """Carry out a command of the quality phase, by an engine that is loaded for it if need be."""
        if self._turns != "together":
            yield from self._load_alone(seat)
        yield from self._carry_out(seat, command)

    def _unload(self, seat: Seat) -> Iterator[events.Event]:
        """Unload is exit. One that has failed has no engine any more."""
        if seat.engine is None or seat.failed:
            return
        self.pool.discard(seat.engine)
        seat.engine, seat.warm, seat.round = None, False, None
        yield events.Phase(variant=seat.variant.name, phase="gone")

    def _fall_back(self, crowded: turns.Crowded) -> Iterator[events.Event]:
        """Try the variant alone: if it does not fit even so, the others go on together without it."""
        loaded = [seat.variant.name for seat in self._seats if seat.loaded and seat.variant.name != crowded.name]
        yield events.Log(
            variant=crowded.name,
            level="warning",
            text=f"there is no room for it beside {', '.join(loaded)}: {crowded.why}. It is loaded alone now",
        )
        for seat in self._seats:
            yield from self._unload(seat)
        seat = next(s for s in self._seats if s.variant.name == crowded.name)
        began = time.monotonic()
        yield from self._prepare(seat)
        load_s = time.monotonic() - began
        yield from self._warm(seat)
        warm = seat.engine.memory.get("warm") if seat.engine is not None else None
        if seat.failed or not isinstance(warm, events.Warm):
            return
        trials = self._trial_s or [warm.warmup_s / max(1, warm.passes)]
        self._turns, why = turns.choose(load_s, sum(trials) / len(trials))
        yield events.Turns(mode=self._turns, why=why)

    def _is_crowded(self, seat: Seat) -> bool:
        """Whether memory that this variant lacks is held by others of this run, which may be unloaded."""
        if self._turns != "together" or self.experiment.workload.engines != "auto" or self._judging:
            return False
        return any(other.loaded for other in self._seats if other is not seat)

    def _trial(self, number: int) -> commands.TrialCommand:
        """The same for every variant of a round: prompts that no other round has, and one seed."""
        work = self.experiment.workload
        place = number % work.most_rounds  # the baseline's second pass repeats those of its first
        first, *others = (self._deck[place * work.request_count + i] for i in range(work.request_count))
        return commands.TrialCommand(round=number, prompt=first, others=others, seed=work.seed + place)

    def _warmup_prompts(self) -> list[commands.Prompt]:
        """Enough for two passes of all that are served at once; they come after those of the last round, so that
        nothing is measured that was warmed up on."""
        work = self.experiment.workload
        first = work.most_rounds * work.request_count
        return [self._deck[first + i] for i in range(2 * min(work.concurrency, work.request_count))]

    def _few_prompts(self) -> Iterator[events.Event]:
        """Say it if the set is smaller than what is asked of it."""
        work, have = self.experiment.workload, len(self._deck)
        needed = work.most_rounds * work.request_count
        most = " at most" if work.until_pct else ""
        if needed > have:
            yield events.Log(
                level="warning" if work.request_count > have else "info",
                text=f"the prompt set {work.prompts} has {have} prompts, and {needed} are needed{most}: from number "
                f"{have + 1} on its texts are used again, numbered and with other text after them, so that no two "
                "prompts are alike",
            )

    def _prepare(self, seat: Seat) -> Iterator[events.Event]:
        """Give the variant an engine with its model loaded."""
        self._check_cancel()
        yield events.Phase(variant=seat.variant.name, phase="start")
        try:
            seat.engine, known = self.pool.obtain(self._key(seat.variant), self._inbox)
        except EngineError as error:
            seat.failed = True
            yield events.Failed(
                variant=seat.variant.name,
                message=str(error),
                hint="Check the engine command in the settings.",
            )
            return
        if known:
            seat.warm = "warm" in seat.engine.memory
            for kind in _REMEMBERED:
                if kind in seat.engine.memory:
                    yield self._stamp(seat, seat.engine.memory[kind])
            yield events.Log(variant=seat.variant.name, text="the engine was warm: it is used again")
            yield events.Phase(variant=seat.variant.name, phase="idle")
            yield from self._look_around(seat)
            if seat.warm or seat.failed:
                return
        sent = time.perf_counter_ns()
        yield from self._carry_out(seat, commands.HelloCommand())
        offset = 0
        hello = seat.engine.memory.get("hello")
        if isinstance(hello, events.Hello):
            offset = clock_offset(sent, hello.now_ns, time.perf_counter_ns())
        yield from self._look_around(seat)
        if not seat.failed:
            load = commands.LoadCommand(
                model=self.experiment.model,
                variant=seat.variant.dump(),
                workload=self.experiment.workload,
                clock_offset_ns=offset,
            )
            yield from self._carry_out(seat, load)

    def _look_around(self, seat: Seat) -> Iterator[events.Event]:
        """Ask the first engine that answers what the machine is and what it can do."""
        if not seat.failed and not self._environment_known:
            for event in self._carry_out(seat, commands.EnvCommand()):
                yield event
                if isinstance(event, events.Env):
                    yield from self._stands_in_the_way(event.environment)
        if not seat.failed and not self._machine_known:
            self._machine_known = True  # or cannot be known: it is not tried again in this run
            yield from self._carry_out(seat, commands.MeasureCommand())

    def _stands_in_the_way(self, environment: Environment) -> Iterator[events.Event]:
        """What the environment check finds, before anything is loaded; nothing of a machine that can do it all."""
        for finding in check(environment, self.experiment):
            yield events.Log(level="warning", text=finding.line())

    def _carry_out(self, seat: Seat, command: commands.Command) -> Iterator[events.Event]:
        """Send one command and pass on what comes, of any engine, until that command has ended."""
        engine = seat.engine
        if engine is None or seat.failed:
            return
        self._check_cancel()
        self._at_work = seat
        deadline = time.monotonic() + HELLO_S if isinstance(command, commands.HelloCommand) else None
        seat.round = command.round if isinstance(command, commands.TrialCommand) else None
        try:
            engine.send(command)
        except EngineError as error:
            yield self._lost(seat, events.Failed(message=str(error)))
            return
        while True:
            try:
                source, event = self._inbox.get(timeout=None if deadline is None else deadline - time.monotonic())
            except (queue.Empty, ValueError):  # the deadline has passed
                yield self._lost(seat, silent(HELLO_S))
                return
            self._check_cancel()
            for other in self._seats:
                if other.engine is source is not None:
                    passed = self._received(other, event)
                    if passed is not None:
                        yield passed
            ended = isinstance(event, events.Failed) or (
                isinstance(event, events.Done) and event.command == command.command
            )
            if seat.failed or (source is engine and ended):
                self._at_work = None
                return

    def _lost(self, seat: Seat, failed: events.Failed) -> events.Event:
        """The variant ends here, and its engine: the only reliable way to give its memory back."""
        seat.failed = True
        if seat.engine is not None:
            self.pool.discard(seat.engine)
        return self._stamp(seat, failed)

    def _received(self, seat: Seat, event: events.Event | Gone) -> events.Event | None:
        """Note what an event means for its variant; None for what only the protocol needs."""
        name = seat.variant.name
        if isinstance(event, Gone):
            if seat.failed:
                return None
            seat.failed = True
            return self._stamp(seat, died(event, len(seat.measured)))
        if isinstance(event, events.Done):
            return None
        if isinstance(event, events.Estimate) and (why := turns.crowding(event)) and self._is_crowded(seat):
            raise turns.Crowded(name, why)
        if isinstance(event, events.Failed):
            if event.kind == "out_of_memory" and self._is_crowded(seat):
                raise turns.Crowded(name, event.message)
            whole = self._judging and event.kind == "refused"  # the engine can do all else
            return self._stamp(seat, event) if whole else self._lost(seat, event)
        if isinstance(event, events.TrialDone):
            if event.round != seat.round:
                text = f"the engine reported a trial of round {event.round + 1}, which it was not asked for: ignored"
                return events.Log(variant=name, level="warning", text=text)
            seat.measured.add(event.round)
            seat.round = None
        if isinstance(event, events.Hello) and seat.engine is not None:
            seat.engine.memory["hello"] = event
        if isinstance(event, events.Env):
            self._environment_known, self._environment = True, event.environment
        return self._stamp(seat, event)

    def _stamp(self, seat: Seat, event: events.Event) -> events.Event:
        changes = {"variant": seat.variant.name}
        if self._judging and isinstance(event, events.Failed):
            changes["phase"] = "quality"
        return event.model_copy(update=changes)

    def _cancelled(self) -> Iterator[events.Event]:
        """Stop the engine that is at work; those that are warm and idle stay so."""
        self._discard_unfinished()
        yield self._finished("cancelled" if self._cancel else "stopped")

    def _discard_unfinished(self) -> None:
        """An engine at work, or between loading and warm, is in no state to be used again."""
        for seat in self._seats:
            idle = seat is not self._at_work and seat.engine is not None and "warm" in seat.engine.memory
            if seat.engine is not None and seat.engine.alive and not idle:
                self.pool.discard(seat.engine)

    def _check_cancel(self) -> None:
        if self._cancel or (self._stop and not self.measuring):
            raise _Cancelled

    def _finished(self, status: Status, message: str = "") -> events.Finished:
        rounds = min((len(seat.measured) for seat in self._seats if not seat.failed), default=0)
        return events.Finished(status=status, rounds=rounds, message=message, reason=self._reason)

    def _key(self, variant: spec.Variant) -> str:
        """What has to agree for a loaded engine to be used again: everything but the variant's name, and what is told
        with each trial."""
        recipe = {k: v for k, v in variant.dump().items() if k != "name"}
        work = self.experiment.workload.model_dump(mode="json", exclude={"prompts", "seed", *spec.HOW_LONG})
        return json.dumps([self.experiment.model.model_dump(mode="json"), recipe, work], sort_keys=True)


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
