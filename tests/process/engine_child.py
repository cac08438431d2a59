"""A real engine process with a keyboard: sends commands, collects events."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.protocol import commands, events

FILLER = " ".join(f"word{i}" for i in range(400))


class Child:
    """`tell` sends a command and waits for its `Done` or `Failed`; `seen` holds all events so far."""

    def __init__(self, cache: Path, command: Sequence[str] | None = None, **env: str) -> None:
        self.seen: list[events.Event] = []
        self.raw: list[bytes] = []
        self._queue: queue.SimpleQueue[events.Event | None] = queue.SimpleQueue()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "core.engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            # Passive: two spinning threads on a busy two-core machine would make the tests take minutes.
            env={
                # torch, which these tests import, puts a cache folder of its own into the environment.
                **{k: v for k, v in os.environ.items() if k != "TORCHINDUCTOR_CACHE_DIR"},
                "DYNO_CACHE": str(cache),
                "OMP_WAIT_POLICY": "PASSIVE",
                "OMP_NUM_THREADS": "1",
                "HF_HUB_OFFLINE": "1",
                **env,
            },
        )
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self._stderr):
            if stream is not None:
                with contextlib.suppress(OSError):  # unsent bytes for a process that is gone
                    stream.close()

    def send(self, command: commands.Command | bytes) -> None:
        assert self.process.stdin is not None
        line = command if isinstance(command, bytes) else command.model_dump_json().encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def tell(self, command: commands.Command | bytes, timeout_s: float = 120) -> list[events.Event]:
        """The events of this command; the last one is its Done or Failed."""
        self.send(command)
        return self.until(events.Done, events.Failed, timeout_s=timeout_s)

    def until(self, *kinds: type, timeout_s: float = 120) -> list[events.Event]:
        found: list[events.Event] = []
        deadline = time.monotonic() + timeout_s
        while not found or not isinstance(found[-1], kinds):
            event = self._queue.get(timeout=max(0.01, deadline - time.monotonic()))
            assert event is not None, f"the engine ended; stderr: {self.stderr()}"
            found.append(event)
        return found

    def until_phase(self, phase: str) -> None:
        while True:
            event = self.until(events.Phase)[-1]
            if event.phase == phase:  # type: ignore[union-attr]
                return

    def ended(self, timeout_s: float) -> int:
        """Exit status. Raises subprocess.TimeoutExpired."""
        return self.process.wait(timeout_s)

    def stderr(self) -> str:
        self._stderr.seek(0)
        return self._stderr.read().decode("utf-8", "replace")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.raw.append(line)
            event = events.decode(line)
            self.seen.append(event)
            self._queue.put(event)
        self._queue.put(None)


def load(
    model: Path | str,
    variant: dict[str, Any] | None = None,
    offset_ns: int = 0,
    source: dict[str, Any] | None = None,
    **workload: Any,
) -> commands.LoadCommand:
    """A load command for a small workload."""
    return commands.LoadCommand.model_validate(
        {
            "model": {"source": str(model), **(source or {})},
            "variant": {"name": "v", **(variant or {})},
            "workload": {"prompt_tokens": 40, "new_tokens": 12, **workload},
            "clock_offset_ns": offset_ns,
        }
    )


def warm() -> commands.WarmCommand:
    return commands.WarmCommand(prompts=[prompt("One."), prompt("Two.")])


def trial(round: int = 0, text: str = "Say something.", filler: str = FILLER) -> commands.TrialCommand:
    return commands.TrialCommand(round=round, prompt=prompt(text, filler), seed=round)


def prompt(text: str, filler: str = FILLER) -> commands.Prompt:
    return commands.Prompt(text=text, filler=filler)


def only(found: list[events.Event], kind: type) -> Any:
    """The single event of a kind."""
    matching = [e for e in found if isinstance(e, kind)]
    assert len(matching) == 1, f"{len(matching)} events of {kind.__name__}"
    return matching[0]


def failed(found: list[events.Event], kind: str) -> events.Failed:
    """The command's failure, which a person can read."""
    last = found[-1]
    assert isinstance(last, events.Failed), last
    assert last.kind == kind, last
    assert "Traceback" not in last.message
    assert "\n" not in last.message
    return last
