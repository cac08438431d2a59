"""Engine processes: starts, addresses, reuses and kills them. One reader thread per engine puts its events into the
inbox of the engine's present user. A kill covers the whole process group, so that a compiler started by the engine dies
with it."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TypeVar

import psutil
from pydantic import ValidationError

from core.base.files import parse_json
from core.base.folders import cache_folder
from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof
from core.model.source import ModelSource
from core.protocol import commands, events, python_finder

ENGINE = ("-m", "core.engine")  # arguments of a Python
ASKED = "environment"  # the key of an engine that is asked about the machine
LONGEST_LINE = 256 << 20
STRANGE_LINES = 200  # consecutive lines; a library that prints past the protocol writes fewer
DONE_S = 5.0  # between an answer and the end of its command
CLOSED_S = 5.0  # between the end of an engine's output and its own
GRACE_S = 0.3  # between asking, terminating and killing; together under a second


Answer = TypeVar("Answer", events.Env, events.Machine, events.Counted)


COUNTS = "counts tokens"  # the key of an engine that holds a tokenizer and no model


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
                env=_child_environment(command),
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
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


def parse_command(text: str) -> tuple[str, ...]:
    """Return the words of a shell command or of a JSON list of strings. Raises ValueError with the reason."""
    if text.lstrip().startswith("["):
        words = parse_json(text)
        if not all(isinstance(w, str) for w in words):
            raise ValueError("expected a list of strings")
    else:
        try:
            words = shlex.split(text)
        except ValueError:
            raise ValueError("a quotation mark is not closed") from None
    if not words or not words[0].strip():
        raise ValueError("the command is empty")
    return tuple(words)


def split_command(text: str) -> tuple[str, ...]:
    """Return the words as `parse_command` does. Text that is no command stays one word, which the error will name;
    empty text gives no words."""
    try:
        return parse_command(text)
    except ValueError:
        return (text,) if text.strip() else ()


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


def exit_words(code: int) -> str:
    """Return an exit status in words: `exit 3`, `killed by SIGKILL, likely out of memory`."""
    if code >= 0:
        return f"exit {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"killed by {name}" + (", likely out of memory" if name == "SIGKILL" else "")


def _child_environment(command: Sequence[str]) -> dict[str, str]:
    env = {
        **python_finder.outer_environment(),
        "PYTHONUNBUFFERED": "1",
        "PYTHONSAFEPATH": "1",  # a folder named `core` where Dyno was started is not Dyno's
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",  # nothing is fetched during a run
        "TRANSFORMERS_VERBOSITY": "error",
    }
    # An engine is always made of the same sources as the one who asks.
    own = Path(__file__).parents[2]
    if command[0] != sys.executable:
        paths = [str(_core_zip()), os.environ.get("DYNO_DEMO", "")]
    else:  # site-packages in front would hide the standard library
        paths = [] if str(own) == sysconfig.get_path("purelib") else [str(own)]
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [*paths, env.get("PYTHONPATH", "")]))
    return env


def _core_zip() -> Path:
    """Return Dyno's core as a zip for an interpreter that lacks it; made once per state of the sources."""
    root = Path(__file__).parents[1]
    sources = sorted(root.rglob("*.py"))
    stamp = max(int(p.stat().st_mtime_ns) for p in sources)
    path = cache_folder() / f"core-{stamp:x}.zip"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}")
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            for source in sources:
                archive.write(source, source.relative_to(root.parent))
        partial.replace(path)
    return path
