"""Lets every variant answer one prompt, one after the other, for reading. Iteration yields events with their variant's
name, which belong to no results. Engines come from the pool under a run's key and go back warm. `stop` may be called
from any thread."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Generator, Iterator

from pydantic import ConfigDict, Field

from core.base.value import Value
from core.protocol import commands, events
from core.protocol.engine_pool import EnginePool
from core.protocol.engine_process import Engine, EngineError, Gone, Inbox
from core.results import metrics
from core.results.trials import Request
from core.run import engine_sharing
from core.run.engine_slot import HELLO_S, clock_offset, died, engine_key, silent
from core.spec.experiment import Experiment
from core.spec.variant import Variant

STOP_S = 2.0  # an engine that is still at work so long after a stop, as in a long prefill, is ended


class Question(Value):
    """A prompt and how to answer it."""

    model_config = ConfigDict(strict=True)
    prompt: str = ""
    template: bool = Field(True, title="Chat template", description="put the prompt into the model's chat template")
    temperature: float = Field(0.0, ge=0, le=10, description="0 is greedy: always the likeliest token")
    seed: int = Field(7, ge=0, lt=2**31, description="of the sampling; greedy answers need none")
    max_tokens: int = Field(96, ge=1, le=8192, title="Most tokens", description="an answer is cut there")


class Felt(Value):
    """The timings of one answer, as `core.results.metrics` defines them; None means not available."""

    ttft_ms: float | None
    decode_tok_s: float | None
    total_ms: float | None
    tokens: int
    drafted: int
    accepted: int


def felt(reply: events.Reply) -> Felt:
    end = reply.at_ns[-1] if reply.at_ns else reply.dispatch_ns
    request = Request(
        arrival_ns=reply.dispatch_ns,
        dispatch_ns=reply.dispatch_ns,
        end_ns=end,
        prompt_tokens=reply.prompt_tokens,
        at_ns=tuple(reply.at_ns),
        tokens=tuple(reply.tokens),
    )
    return Felt(
        ttft_ms=metrics.ttft_ms(request),
        decode_tok_s=metrics.decode_tok_s(request),
        total_ms=metrics.e2e_ms(request),
        tokens=request.count,
        drafted=reply.drafted,
        accepted=reply.accepted,
    )


class _Stopped(Exception):
    pass


class TryOut:
    """One question to all variants of an experiment, the baseline first. Ends with one `Finished`."""

    def __init__(self, experiment: Experiment, question: Question, pool: EnginePool) -> None:
        self.experiment, self.question, self.pool = experiment, question, pool
        self._inbox: Inbox = queue.SimpleQueue()
        self._stop = False

    def stop(self) -> None:
        """End the running answer and keep what it has; the other variants are not asked."""
        self._stop = True
        self._inbox.put((None, None))

    def __iter__(self) -> Iterator[events.Event]:
        variants = self.experiment.variants
        self.pool.evict({engine_key(self.experiment, v) for v in variants})
        with contextlib.suppress(_Stopped):
            for variant in variants:
                self._check_stop()
                for event in self._answer(variant):
                    yield event.model_copy(update={"variant": variant.name})
        yield events.Finished(status="stopped" if self._stop else "ok", rounds=0)

    # -- one variant ---------------------------------------------------------------------------------------
    def _answer(self, variant: Variant) -> Iterator[events.Event]:
        key = engine_key(self.experiment, variant)
        yield events.Phase(phase="start")
        try:
            engine, known = self.pool.obtain(key, self._inbox)
        except EngineError as error:
            yield events.Failed(message=str(error), hint="Check the engine command in the settings.")
            return
        try:
            if not known:
                crowded = yield from self._load(engine, variant)
                if crowded:  # idle engines hold the memory, and can load again
                    self.pool.discard(engine)
                    self.pool.evict({key})
                    engine, _ = self.pool.obtain(key, self._inbox)
                    yield from self._load(engine, variant, alone=True)
            if engine.alive and "loaded" in engine.memory:
                yield from self._ask(engine)
        except EngineError as error:
            yield events.Failed(message=str(error))
        finally:
            if "loaded" not in engine.memory:  # half of a model is of no use
                self.pool.discard(engine)
            self.pool.release(engine)

    def _load(self, engine: Engine, variant: Variant, alone: bool = False) -> Generator[events.Event, None, bool]:
        """Load the variant; return whether it does not fit beside the models of other engines."""
        sent = time.perf_counter_ns()
        hello: events.Event | None = None
        for event in self._carry_out(engine, commands.HelloCommand()):
            hello = event if isinstance(event, events.Hello) else hello
            yield event
        if not isinstance(hello, events.Hello):
            return False
        engine.memory["hello"] = hello
        load = commands.LoadCommand(
            model=self.experiment.model,
            variant=variant.dump(),
            workload=self.experiment.workload,
            clock_offset_ns=clock_offset(sent, hello.now_ns, time.perf_counter_ns()),
        )
        for event in self._carry_out(engine, load):
            out = isinstance(event, events.Failed) and event.kind == "out_of_memory"
            tight = isinstance(event, events.Estimate) and engine_sharing.crowding(event)
            if (out or tight) and not alone and self._others(engine):
                return True
            yield event
        return False

    def _others(self, engine: Engine) -> bool:
        return any(e is not engine and "loaded" in e.memory for e in self.pool.engines)

    def _ask(self, engine: Engine) -> Iterator[events.Event]:
        ask = self.question
        command = commands.AskCommand(
            prompt=ask.prompt,
            max_tokens=ask.max_tokens,
            template=ask.template,
            temperature=ask.temperature,
            seed=ask.seed,
        )
        for event in self._carry_out(engine, command):
            yield event
            if isinstance(event, events.Failed) and event.kind != "refused":
                self.pool.discard(engine)

    # -- the protocol --------------------------------------------------------------------------------------
    def _carry_out(self, engine: Engine, command: commands.Command) -> Iterator[events.Event]:
        """Send one command and yield events until it has ended. Raises _Stopped, EngineError."""
        self._check_stop()
        hello = isinstance(command, commands.HelloCommand)
        deadline = time.monotonic() + HELLO_S if hello else None
        engine.send(command)
        while True:
            try:
                source, event = self._inbox.get(timeout=None if deadline is None else deadline - time.monotonic())
            except (queue.Empty, ValueError):  # the deadline has passed
                self.pool.discard(engine)
                self._check_stop()
                yield silent(HELLO_S)
                return
            if source is None:
                if not isinstance(command, commands.AskCommand):
                    self.pool.discard(engine)
                    raise _Stopped
                engine.send(commands.StopCommand())
                deadline = time.monotonic() + STOP_S
            elif source is not engine:
                continue
            elif isinstance(event, Gone):
                yield died(event, 0)
                return
            elif isinstance(event, events.Done):
                if event.command == command.command:
                    return
            else:
                yield event
                if isinstance(event, events.Failed):
                    return

    def _check_stop(self) -> None:
        if self._stop:
            raise _Stopped
