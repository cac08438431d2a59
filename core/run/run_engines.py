"""The engines of a run: which variant each serves, its commands, and the meaning of its events."""

from __future__ import annotations

import queue
import time
from collections.abc import Collection, Iterator
from functools import partial

from core.feasibility.environment_check import check
from core.machine.environment import Environment
from core.protocol import commands, events
from core.protocol.engine_pool import EnginePool
from core.protocol.engine_process import Engine, EngineError, Gone
from core.results.trials import rounds_kept
from core.run import engine_sharing, unload_residue
from core.run.engine_slot import HELLO_S, EngineSlot, clock_offset, died, engine_key, silent
from core.run.run_control import Control
from core.spec import experiment as spec
from core.spec.variant import Variant

_REMEMBERED = ("hello", "loaded", "interface", "warm", "receipts")


class RunEngines:
    """The engines of one run. Every generator yields the events of what it does, and raises Cancelled if the run should
    end now, or Crowded if a variant does not fit beside the others."""

    def __init__(self, experiment: spec.Experiment, names: Collection[str], pool: EnginePool, control: Control) -> None:
        """Serve the variants of these names."""
        self.experiment = experiment
        self.pool = pool
        self.control = control
        self.seats = [EngineSlot(v) for v in experiment.variants if v.name in names]
        self.mode = engine_sharing.first_mode(experiment.workload)
        self.judging = False  # the quality phase has begun: a failure costs no trial
        self.environment: Environment | None = None
        self._machine_known = False
        self._at_work: EngineSlot | None = None

    @property
    def all_failed(self) -> bool:
        return all(seat.failed for seat in self.seats)

    @property
    def measured(self) -> bool:
        """Whether any trial is over."""
        return any(seat.measured for seat in self.seats)

    @property
    def rounds_done(self) -> int:
        """The number of rounds that all variants which have not failed have finished."""
        return rounds_kept(
            [len(seat.measured) for seat in self.seats if not seat.failed],
            [len(seat.measured) for seat in self.seats if seat.failed],
        )

    def evict_others(self, *keep: EngineSlot) -> None:
        """End the idle engines that hold anything but these variants."""
        self.pool.evict({self._key(seat.variant) for seat in keep})

    def release(self) -> None:
        """Give all engines back to the pool, warm."""
        for seat in self.seats:
            if seat.engine is not None:
                self.pool.release(seat.engine)

    def _key(self, variant: Variant) -> str:
        return engine_key(self.experiment, variant)

    def prepare(self, seat: EngineSlot) -> Iterator[events.Event]:
        """Give the variant an engine with its model loaded."""
        self.control.check()
        yield events.Phase(variant=seat.variant.name, phase="start")
        try:
            seat.engine, known = self.pool.obtain(self._key(seat.variant), self.control.inbox)
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
            if seat.loaded or seat.failed:  # loaded and not warm: somebody has tried it and measured nothing
                return
        sent = time.perf_counter_ns()
        yield from self.carry_out(seat, commands.HelloCommand())
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
            yield from self.carry_out(seat, load)

    def _look_around(self, seat: EngineSlot) -> Iterator[events.Event]:
        """Ask the first engine for the environment and the machine's limits."""
        if not seat.failed and self.environment is None:
            for event in self.carry_out(seat, commands.EnvCommand()):
                yield event
                if isinstance(event, events.Env):
                    yield from self._stands_in_the_way(event.environment)
        if not seat.failed and not self._machine_known:
            self._machine_known = True  # or cannot be known: it is not tried again in this run
            yield from self.carry_out(seat, commands.MeasureCommand())

    def _stands_in_the_way(self, environment: Environment) -> Iterator[events.Event]:
        """Yield the findings of the environment check before anything is loaded."""
        for finding in check(environment, self.experiment):
            yield events.Log(level="warning", text=finding.line())

    def carry_out(self, seat: EngineSlot, command: commands.Command) -> Iterator[events.Event]:
        """Send one command and yield events, of any engine, until that command has ended."""
        engine = seat.engine
        if engine is None or seat.failed:
            return
        self.control.check()
        self._at_work = seat
        deadline = time.monotonic() + HELLO_S if isinstance(command, commands.HelloCommand) else None
        seat.round = command.round if isinstance(command, commands.TrialCommand) else None
        try:
            engine.send(command)
        except EngineError as error:
            yield self._lost(seat, events.Failed(message=str(error)))
            return
        while True:
            left = None if deadline is None else deadline - time.monotonic()
            try:
                source, event = self.control.inbox.get(timeout=left)
            except (queue.Empty, ValueError):  # the deadline has passed
                yield self._lost(seat, silent(HELLO_S))
                return
            self.control.check()
            yield from self._passed_on(source, event)
            ended = isinstance(event, events.Failed) or (
                isinstance(event, events.Done) and event.command == command.command
            )
            if seat.failed or (source is engine and ended):
                self._at_work = None
                return

    def wait(self) -> Iterator[events.Event]:
        """Yield the engines' events until the run is told to go on or to end."""
        while self.control.waits:
            source, event = self.control.inbox.get()
            self.control.check()
            yield from self._passed_on(source, event)

    def _passed_on(self, source: Engine | None, event: events.Event | Gone | None) -> Iterator[events.Event]:
        if source is None or event is None:  # who watches the run has woken it, or has a line for its journal
            if isinstance(event, events.Log):
                yield event
            return
        for seat in self.seats:
            if seat.engine is source:
                passed = self._received(seat, event)
                if passed is not None:
                    yield passed

    def _lost(self, seat: EngineSlot, failed: events.Failed) -> events.Event:
        """Return the failure of a variant and end its engine, which is the only reliable way to free its memory."""
        seat.failed = True
        if seat.engine is not None:
            self.pool.discard(seat.engine)
        return self._stamp(seat, failed)

    def _received(self, seat: EngineSlot, event: events.Event | Gone) -> events.Event | None:
        """Record what an event means for its variant and return it; None for an event that only the protocol needs."""
        name = seat.variant.name
        if isinstance(event, Gone):
            if seat.failed:
                return None
            seat.failed = True
            return self._stamp(seat, died(event, len(seat.measured), last=self.all_failed))
        if isinstance(event, events.Done):
            return None
        if isinstance(event, events.Estimate) and (why := engine_sharing.crowding(event)) and self._is_crowded(seat):
            raise engine_sharing.Crowded(name, why)
        if isinstance(event, events.Failed):
            if event.kind == "out_of_memory" and self._is_crowded(seat):
                raise engine_sharing.Crowded(name, event.message)
            whole = self.judging and event.kind == "refused"  # the engine can do all else
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
            self.environment = event.environment
        return self._stamp(seat, event)

    def _stamp(self, seat: EngineSlot, event: events.Event) -> events.Event:
        changes = {"variant": seat.variant.name}
        if self.judging and isinstance(event, events.Failed):
            changes["phase"] = "quality"
        return event.model_copy(update=changes)

    def _is_crowded(self, seat: EngineSlot) -> bool:
        """Return whether the memory that this variant lacks is held by other engines of this run, which may be
        unloaded."""
        if self.mode != "together" or self.experiment.workload.engines != "auto" or self.judging:
            return False
        return any(other.loaded for other in self.seats if other is not seat)

    def unload(self, seat: EngineSlot) -> Iterator[events.Event]:
        """End the variant's engine. A variant's first unload is measured, if no other engine is there to disturb it. A
        failed variant has no engine."""
        engine = seat.engine
        if engine is None or seat.failed:
            return
        if self.mode != "together" and not seat.unloaded and unload_residue.on_this_machine(self.environment):
            seat.unloaded = True
            yield from self._end(seat, engine)
        self.pool.discard(engine)
        seat.engine, seat.warm, seat.round = None, False, None
        yield events.Phase(variant=seat.variant.name, phase="gone")

    def discard_unfinished(self) -> None:
        """End the engines at work or between loading and warm, which cannot be reused."""
        for seat in self.seats:
            idle = seat is not self._at_work and seat.engine is not None and "warm" in seat.engine.memory
            if seat.engine is not None and seat.engine.alive and not idle:
                self.pool.discard(seat.engine)

    def end_engines(self) -> Iterator[events.Event]:
        """End the engines one by one, if their residue can be measured."""
        if not unload_residue.on_this_machine(self.environment):
            return
        for seat in self.seats:
            if seat.engine is not None and seat.engine.alive:
                yield from self._end(seat, seat.engine)

    def _end(self, seat: EngineSlot, engine: Engine) -> Iterator[events.Event]:
        """End an engine and yield what that gave back; a cancel does not wait for the figure."""
        assert self.environment is not None
        end, card = partial(self.pool.discard, engine), card_of(engine, self.environment)
        found = unload_residue.measure(engine.pid, card, end, hurry=lambda: self.control.cancelling)
        if found is not None:
            yield self._stamp(seat, found)


def card_of(engine: Engine, environment: Environment) -> str:
    """Return the UUID of the card that an engine computed on, or ""."""
    loaded = engine.memory.get("loaded")
    on_card = isinstance(loaded, events.Loaded) and loaded.device.startswith("cuda")
    return environment.devices[0].uuid if on_card and environment.devices else ""
