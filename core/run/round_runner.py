"""Measures a run: all engines loaded and warmed up, then interleaved rounds; or by turns if they do not fit in memory
together."""

from __future__ import annotations

import time
from collections.abc import Iterator

from core.protocol import commands, events
from core.results.results import Results
from core.run import engine_sharing, stopping_rule
from core.run.engine_slot import EngineSlot
from core.run.round_plan import Rounds
from core.run.run_control import Control
from core.run.run_engines import RunEngines


class RoundRunner:
    """The measuring part of a run. Iterate `run`. Afterwards `reason` says why it ended; empty means on request.
    `results` is the outcome so far, which a stopping rule needs."""

    def __init__(self, crew: RunEngines, control: Control, rounds: Rounds, results: Results | None) -> None:
        self.crew, self.control, self.rounds = crew, control, rounds
        self.reason: events.EndReason = ""
        self._results = results
        self._trial_s: list[float] = []

    def run(self) -> Iterator[events.Event]:
        """Yield the events of all engines at once; by turns if one does not fit beside the others."""
        if self.crew.mode != "together":
            yield events.Turns(mode=self.crew.mode, why=f"asked for: {engine_sharing.MODES[self.crew.mode]}")
        while True:
            try:
                if self.crew.mode == "together":
                    yield from self._load_all()
                yield from self._measure()
                return
            except engine_sharing.Crowded as crowded:
                yield from self._fall_back(crowded)

    def judge(self, seat: EngineSlot, command: commands.Command) -> Iterator[events.Event]:
        """Carry out a command of the quality phase, loading the variant's engine if needed."""
        if self.crew.mode != "together":
            yield from self._load_alone(seat)
        yield from self.crew.carry_out(seat, command)

    def _load_all(self) -> Iterator[events.Event]:
        self.crew.evict_others(*self.crew.seats)
        for seat in self.crew.seats:
            if seat.engine is None and not seat.failed:
                yield from self.crew.prepare(seat)
        for seat in self.crew.seats if self.rounds.plan.rounds else ():  # judging takes no warm-up
            yield from self._warm(seat)

    def _warm(self, seat: EngineSlot) -> Iterator[events.Event]:
        if not seat.failed and not seat.warm:
            yield from self.crew.carry_out(seat, self.rounds.warm_up())
            seat.warm = not seat.failed

    def _measure(self) -> Iterator[events.Event]:
        seats, plan = {seat.variant.name: seat for seat in self.crew.seats}, self.rounds.plan
        if not plan.rounds:
            self.reason = "rounds"
            return
        groups = engine_sharing.plan(
            self.crew.mode, list(seats), plan.schedule, self.rounds.work.trials, plan.first_round
        )
        self.control.measuring = True
        for group in groups:
            yield from self._pause()
            if self.control.stopping or self.crew.all_failed:
                return
            for step in group:
                seat = seats[step.name]
                alone = step.again and not any(other.measured for other in self.crew.seats if other is not seat)
                if seat.failed or step.round in seat.measured or alone:
                    continue
                if self.crew.mode != "together":
                    yield from self._load_alone(seat)
                    yield from self._warm(seat)
                began = time.monotonic()
                for event in self.crew.carry_out(seat, self.rounds.trial(step.round)):
                    yield event
                    if isinstance(event, events.TrialDone):
                        yield from self.rounds.told(event)
                self._trial_s.append(time.monotonic() - began)
            if self._results is not None and self.crew.mode != "sequence":
                reason = stopping_rule.reason_to_end(self._results)
                if reason is not None:
                    self.reason = reason
                    return
        self.reason = "rounds"

    def _pause(self) -> Iterator[events.Event]:
        """Wait between two rounds if that was requested."""
        if self.control.waits:
            yield events.Paused()
            yield from self.crew.wait()
            yield events.Paused(over=True)

    def _load_alone(self, seat: EngineSlot) -> Iterator[events.Event]:
        """Load the variant's engine after unloading all others."""
        for other in self.crew.seats:
            if other is not seat:
                yield from self.crew.unload(other)
        if seat.engine is None:
            self.crew.evict_others(seat)
            yield from self.crew.prepare(seat)
            self.crew.evict_others()  # it took one of them

    def _fall_back(self, crowded: engine_sharing.Crowded) -> Iterator[events.Event]:
        """Try the variant alone; if it does not fit even then, the others go on together without it."""
        loaded = [seat.variant.name for seat in self.crew.seats if seat.loaded and seat.variant.name != crowded.name]
        yield events.Log(
            variant=crowded.name,
            level="warning",
            text=f"there is no room for it beside {', '.join(loaded)}: {crowded.why}. It is loaded alone now",
        )
        for seat in self.crew.seats:
            yield from self.crew.unload(seat)
        seat = next(s for s in self.crew.seats if s.variant.name == crowded.name)
        began = time.monotonic()
        yield from self.crew.prepare(seat)
        load_s = time.monotonic() - began
        yield from self._warm(seat)
        warm = seat.engine.memory.get("warm") if seat.engine is not None else None
        if seat.failed or not isinstance(warm, events.Warm):
            return
        trials = self._trial_s or [warm.warmup_s / max(1, warm.passes)]
        self.crew.mode, why = engine_sharing.choose(
            load_s, sum(trials) / len(trials), paired=self.rounds.plan.first_round > 0
        )
        yield events.Turns(mode=self.crew.mode, why=why)
