"""The engine's end of the pipe: a thread reads commands, and events leave by a private descriptor. Standard output is
redirected to standard error, so that a library's print cannot break the protocol, and standard input to nowhere, so
that no child process reads a command."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn

from pydantic import ValidationError

from core.protocol import commands, events

TIDY_S = 0.2  # seconds for children to end; less than the driver waits


class Channel:
    """Sends events and receives commands. `phase`, `variant` and `offset_ns` are stamped on every event; the offset
    converts this clock to the driver's."""

    def __init__(self) -> None:
        self._in, self._out = os.dup(0), os.dup(1)  # not inherited by children
        nowhere = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nowhere, 0)
        os.close(nowhere)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        self._lock = threading.Lock()
        self._queue: queue.SimpleQueue[commands.Command | events.Failed] = queue.SimpleQueue()
        self.offset_ns = 0
        self.variant: str | None = None
        self.phase: events.PhaseName = "start"
        self.leaving: Callable[[], object] = lambda: None  # called before each change of the phase
        self.stopped = threading.Event()  # set if the running command should end early; cleared by the next one

    # -- events out ---------------------------------------------------------------------------------------
    def send(self, event: events.Event) -> None:
        """Write one event with its stamps on the driver's clock. Ends the process if the pipe is closed."""
        self.write(self._addressed(event).line().encode() + b"\n")

    def write(self, line: bytes) -> None:
        with self._lock:
            try:
                while line:
                    line = line[os.write(self._out, line) :]
            except OSError:
                _end()

    def enter(self, phase: events.PhaseName, round: int | None = None, detail: str = "") -> None:
        if phase != self.phase:
            self.leaving()
        self.phase = phase
        self.send(events.Phase(phase=phase, round=round, detail=detail))

    def log(self, text: str, level: Any = "info") -> None:
        self.send(events.Log(level=level, text=text))

    def _addressed(self, event: events.Event) -> events.Event:
        shift = self.offset_ns
        changes: dict[str, Any] = {"t_ns": event.t_ns + shift, "variant": self.variant}
        if isinstance(event, events.Steps):
            changes["at_ns"] = [t + shift for t in event.at_ns]
        elif isinstance(event, events.Reply):
            changes |= {"at_ns": [t + shift for t in event.at_ns], "dispatch_ns": event.dispatch_ns + shift}
        elif isinstance(event, events.TrialDone):
            names = ("arrival_ns", "dispatch_ns", "end_ns")
            changes["requests"] = [
                r.model_copy(update={n: getattr(r, n) + shift for n in names}) for r in event.requests
            ]
        return event.model_copy(update=changes)

    # -- commands in --------------------------------------------------------------------------------------
    def listen(self) -> None:
        """Start the thread that reads commands. `exit` or the end of the input ends the process immediately, whatever
        the main thread is doing."""
        threading.Thread(target=self._read, name="commands", daemon=True).start()

    def next(self) -> commands.Command | events.Failed:
        """Return the next command, or the reason why a line is none."""
        return self._queue.get()

    def _read(self) -> None:
        with os.fdopen(self._in, "rb") as lines:
            for line in lines:
                if not line.strip():
                    continue
                try:
                    command = commands.decode(line)
                except ValidationError as error:
                    text = f"this engine does not understand the command {line[:100]!r}"
                    self._queue.put(events.Failed(kind="refused", message=text, detail=str(error)))
                    continue
                if isinstance(command, commands.ExitCommand):
                    break
                if isinstance(command, commands.StopCommand):
                    self.stopped.set()
                    continue
                self.stopped.clear()
                self._queue.put(command)
        _end()


def _end() -> NoReturn:
    """End the process and its children, since a compiler would go on for nobody; it removes its temporary files when
    terminated with a moment to do so."""
    try:
        import psutil

        compilers = psutil.Process().children(recursive=True)
        for child in compilers:
            with contextlib.suppress(psutil.Error):
                child.terminate()
        psutil.wait_procs(compilers, timeout=TIDY_S)
    finally:
        os._exit(0)
