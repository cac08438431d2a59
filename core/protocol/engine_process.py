"""One engine process: starting it, talking to it, ending it."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import IO

from pydantic import ValidationError

from core.base.child_process import NO_WINDOW
from core.protocol import commands, events
from core.protocol.engine_command import child_environment

LONGEST_LINE = 256 << 20

STRANGE_LINES = 200  # consecutive lines; a library that prints past the protocol writes fewer

CLOSED_S = 5.0  # between the end of an engine's output and its own

GRACE_S = 0.3  # between asking, terminating and killing; together under a second


class EngineError(RuntimeError):
    """An engine could not be started or did not answer."""


class Gone(events._Event):
    """The end of an engine; not sent over the pipe. `code` is its exit status, negative for a signal; `reason` says why
    it was ended, if it did not end by itself; `tail` is the end of its stderr."""

    code: int
    tail: str = ""
    reason: str = ""

    @property
    def words(self) -> str:
        """The exit status or the reason in words, `exit 3`, without a full stop."""
        return self.reason or exit_words(self.code)

    @property
    def last_line(self) -> str:
        """The last line of its stderr; of a traceback, the error."""
        return next((line.strip()[:300] for line in reversed(self.tail.splitlines()) if line.strip()), "")


Inbox = queue.SimpleQueue


class Engine:
    """One child process. `key` says what is loaded in it, so that the pool can find it again."""

    def __init__(self, command: Sequence[str]) -> None:
        self.key = ""
        self.inbox: Inbox | None = None
        self._gone: Gone | None = None
        self._attaching = threading.Lock()
        self.memory: dict[str, events.Event] = {}  # Loaded, Interface, Receipts, Warm: told again when it is reused
        try:
            self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                env=child_environment(command),
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | NO_WINDOW,
            )
        except (OSError, ValueError) as error:
            raise EngineError(
                f"the engine cannot be started: {command[0]}: {getattr(error, 'strerror', None) or error}"
            ) from None
        self.pid = self._process.pid
        threading.Thread(target=self._read, name=f"engine {self.pid}", daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def attach(self, inbox: Inbox) -> None:
        """Put events into that inbox from now on. An engine that has already ended puts its `Gone` there, so that its
        user does not wait forever."""
        with self._attaching:
            self.inbox = inbox
            if self._gone is not None:
                self._put(self._gone)

    def send(self, command: commands.Command) -> None:
        """Write one command. An engine that has ended reports itself by `Gone`. Raises EngineError for a command that
        cannot be written as a line."""
        assert self._process.stdin is not None
        try:
            line = command.model_dump_json().encode() + b"\n"
        except ValueError as error:  # a lone surrogate: no JSON can say it
            raise EngineError(f"the command {command.command} cannot be written as UTF-8: {error}") from None
        with contextlib.suppress(OSError, ValueError):  # closed: its `Gone` comes
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def stop(self) -> None:
        """Ask it to end, terminate it, kill it: less than a second in total."""
        stop_all([self])

    def kill(self) -> None:
        """Kill it at once, without waiting for its end."""
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))

    def _read(self) -> None:
        reason = self._listen()
        if reason:
            self.kill()
        gone = Gone(code=self._process.wait(), tail=self._tail(), reason=reason)
        self._signal(signal.SIGTERM)  # a compiler that it had started
        with self._attaching:
            self._gone = gone
            self._put(gone)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _listen(self) -> str:
        """Pass events on until there are no more. Returns why this is no engine, or "" for one that has ended."""
        assert self._process.stdout is not None
        strange = 0
        while line := self._process.stdout.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE:
                return f"it wrote a line of more than {LONGEST_LINE >> 20} MiB"
            event, strange = _understood(line, strange)
            if strange == STRANGE_LINES:
                return f"it wrote {strange} lines in a row that are no events, so it is no engine"
            if isinstance(event, events.Loaded | events.Interface | events.Receipts | events.Warm):
                self.memory[event.event] = event
            self._put(event)
        try:
            self._process.wait(CLOSED_S)
        except subprocess.TimeoutExpired:
            return "it closed its output and did not end"
        return ""

    def _put(self, event: events.Event | Gone) -> None:
        inbox = self.inbox
        if inbox is not None:
            inbox.put((self, event))

    def _tail(self, size: int = 4000) -> str:
        """Return the end of what the engine wrote to stderr."""
        try:
            self._stderr.seek(0, os.SEEK_END)
            self._stderr.seek(max(0, self._stderr.tell() - size))
            return self._stderr.read().decode("utf-8", "replace")
        except (OSError, ValueError):
            return ""

    def _signal(self, number: int) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self.pid, number)  # the child leads its own group
            else:
                self._process.terminate()


def _understood(line: bytes, strange: int) -> tuple[events.Event, int]:
    """Return the event of a line, and the number of consecutive lines that were none. Only the run itself may report a
    run's beginning and end: such events from an engine are not believed."""
    try:
        event: events.Event = events.decode(line)
    except ValidationError:
        text = f"the engine wrote a line that is no event: {line[:200]!r}"
        return events.Log(level="warning", text=text), strange + 1
    if isinstance(event, events.Started | events.Resumed | events.Paused | events.Finished):
        event = events.Log(level="warning", text=f"the engine sent `{event.event}`, which only a run may: ignored")
    return event, 0


def stop_all(engines: Sequence[Engine]) -> None:
    """Stop several engines at once: ask, terminate, kill their process groups."""
    for engine in engines:
        engine.send(commands.ExitCommand())
        with contextlib.suppress(OSError, ValueError):
            if engine._process.stdin is not None:
                engine._process.stdin.close()
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        deadline = time.monotonic() + GRACE_S
        for engine in engines:
            with contextlib.suppress(subprocess.TimeoutExpired):
                engine._process.wait(max(0.0, deadline - time.monotonic()))
        for engine in engines:
            # The group too: what the engine started may outlive it.
            engine._signal(number)
    for engine in engines:
        with contextlib.suppress(subprocess.TimeoutExpired):
            engine._process.wait(5)


def exit_words(code: int) -> str:
    """Return an exit status in words: `exit 3`, `killed by SIGKILL, likely out of memory`."""
    if code >= 0:
        return f"exit {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"killed by {name}" + (", likely out of memory" if name == "SIGKILL" else "")
