"""Engine processes: starts, addresses, reuses and kills them. One reader thread per engine puts its events into the
inbox of the engine's present user. A kill covers the whole process group, so that a compiler started by the engine dies
with it."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import psutil

from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof
from core.model.source import ModelSource
from core.protocol import commands, events, python_finder
from core.protocol.engine_command import ENGINE, split_command
from core.protocol.engine_process import Engine, EngineError, Gone, Inbox, stop_all

ASKED = "environment"  # the key of an engine that is asked about the machine
DONE_S = 5.0  # between an answer and the end of its command


Answer = TypeVar("Answer", events.Env, events.Machine, events.Counted)


COUNTS = "counts tokens"  # the key of an engine that holds a tokenizer and no model


class EnginePool:
    """Keeps engines warm between runs. `command` starts an engine; without it $DYNO_ENGINE or this interpreter does. A
    standalone build without either looks for a Python when it first needs an engine."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        words = tuple(command or split_command(os.environ.get("DYNO_ENGINE", "")))
        if len(words) == 1 and re.fullmatch(r"python[\d.]*(\.exe)?", Path(words[0]).name):
            words += ENGINE  # a bare Python needs no further words
        if not words and not python_finder.is_standalone():
            words = (sys.executable, *ENGINE)
        self.command = words
        self.engines: list[Engine] = []
        self._lock = threading.Lock()

    def obtain(self, key: str, inbox: Inbox) -> tuple[Engine, bool]:
        """Return an engine for `key`, and whether it has that key loaded. Raises EngineError."""
        command = self.engine_command()
        with self._lock:
            self.engines = [e for e in self.engines if e.alive]
            for wanted in (key, ""):
                for engine in self.engines:
                    if engine.key == wanted and engine.inbox is None:
                        engine.attach(inbox)
                        engine.key = key
                        return engine, wanted == key
            engine = Engine(command)
            engine.key = key
            engine.attach(inbox)
            self.engines.append(engine)
            return engine, False

    def engine_command(self) -> tuple[str, ...]:
        """Return `command`, or the Python that was found, which may take a second. Raises EngineError."""
        try:
            return self.command or (python_finder.find(), *ENGINE)
        except LookupError as error:
            raise EngineError(f"no Python with torch and transformers was found: {error}") from None

    def release(self, engine: Engine) -> None:
        """Take an engine back, warm."""
        engine.inbox = None

    def evict(self, keep: set[str]) -> None:
        """End the idle engines that hold anything but `keep`; an engine unloads by exiting."""
        with self._lock:
            idle = [e for e in self.engines if e.inbox is None and e.key and e.key not in keep]
            self.engines = [e for e in self.engines if e not in idle]
        stop_all(idle)

    def take_idle(self) -> list[Engine]:
        """Return all idle engines and remove them from the pool."""
        with self._lock:
            idle = [e for e in self.engines if e.inbox is None and e.alive]
            for engine in idle:
                engine.attach(queue.SimpleQueue())
        return idle

    def discard(self, engine: Engine) -> None:
        """End one engine."""
        with self._lock:
            self.engines = [e for e in self.engines if e is not engine]
        engine.stop()

    def close(self) -> None:
        """End all engines."""
        with self._lock:
            engines, self.engines = self.engines, []
        stop_all(engines)

    def processes(self) -> list[tuple[str, int, int]]:
        """Return (key, pid, resident bytes) of every live engine."""
        found = []
        for engine in list(self.engines):
            with contextlib.suppress(psutil.Error):
                found.append((engine.key, engine.pid, psutil.Process(engine.pid).memory_info().rss))
        return found

    def environment(self, timeout_s: float = 120) -> Environment:
        """Return the environment as an engine sees it; the engine stays as a spare. Raises EngineError."""
        return self._ask(commands.EnvCommand(), events.Env, timeout_s).environment

    def machine(self, timeout_s: float = 120) -> MachineRoof:
        """Return this machine's limits, measured now. Raises EngineError."""
        return self._ask(commands.MeasureCommand(fresh=True), events.Machine, timeout_s).machine

    def count(self, model: ModelSource, texts: Sequence[str], timeout_s: float = 120) -> events.Counted:
        """Return the tokens of each text by the model's tokenizer. The engine stays for the next count and ends before
        a run, since its tokenizer would count as a variant's memory. Raises EngineError."""
        return self._ask(commands.CountCommand(model=model, texts=list(texts)), events.Counted, timeout_s, COUNTS)

    def stop_asking(self, key: str = ASKED) -> None:
        """End the engine that is answering about the machine or counting; its caller is told that it ended."""
        for engine in list(self.engines):
            if engine.key == key:
                engine.kill()

    def _ask(self, command: commands.Command, kind: type[Answer], timeout_s: float, key: str = ASKED) -> Answer:
        """Return the event that answers a command without a model."""
        inbox: Inbox = queue.SimpleQueue()
        engine, _ = self.obtain(key, inbox)
        engine.send(command)
        deadline, complaint = time.monotonic() + timeout_s, ""
        answer: Answer | None = None
        try:
            while True:
                _, event = inbox.get(timeout=max(0.01, deadline - time.monotonic()))
                if isinstance(event, kind):
                    answer = event
                    deadline = time.monotonic() + DONE_S  # its `Done` must not reach the next caller
                ended = isinstance(event, Gone) or (isinstance(event, events.Done) and event.command == command.command)
                if answer is not None and ended:
                    engine.key = key if key == COUNTS else ""
                    return answer
                if isinstance(event, events.Log) and event.level != "info":
                    complaint = event.text
                if isinstance(event, events.Failed):
                    raise EngineError(event.message)
                if isinstance(event, events.Done) and event.command == command.command:
                    raise EngineError(complaint or "the engine gave no answer")
                if isinstance(event, Gone):
                    raise EngineError(f"the engine ended before it answered ({event.words}). {event.last_line}".strip())
        except queue.Empty:
            self.discard(engine)
            if answer is not None:
                return answer
            raise EngineError(f"the engine did not answer within {timeout_s:g} s") from None
        finally:
            self.release(engine)
