"""Measures what the end of an engine gives back. Engines unload by exiting, and this shows that nothing stays behind.

Held is what only the engine and its children have: anonymous memory (pages of files go to the page cache, which counts
as free before and after). Returned is how much more memory is free after the end. Free memory moves by itself, so the
same difference is taken without an end just before; a residue below that noise means nothing. On a graphics card, held
and free are the driver's figures. Only measured on the engine's own machine.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from core.machine.environment import Environment
from core.protocol.events import Unloaded

READINGS, STEP_S = 20, 0.05
SETTLED_S = 1.0  # the system takes a gigabyte back in less; noise is watched as long
_NEARLY = 0.98


def on_this_machine(environment: Environment | None) -> bool:
    """Return whether the engine's host is this one; a container or an ssh host has another name."""
    return environment is not None and environment.hostname == socket.gethostname()


def measure(
    pid: int, device_uuid: str, end: Callable[[], None], hurry: Callable[[], bool] = lambda: False
) -> Unloaded | None:
    """End an engine by `end` and return what that gave back, in one to two seconds. `device_uuid` is its card's, or "".
    None if its memory cannot be read, and the engine goes on, or if `hurry` says that nobody waits."""
    if device_uuid:
        held, free = _card(device_uuid, pid)
    else:
        held, free = private_bytes(pid), _free_bytes
    if not held or free() is None:
        return None
    noise = _noise(free, hurry)
    before = free() or 0
    end()
    if hurry():
        return None
    deadline = time.monotonic() + SETTLED_S
    returned = (free() or 0) - before
    while returned < _NEARLY * held and time.monotonic() < deadline and not hurry():
        time.sleep(STEP_S)
        returned = max(returned, (free() or 0) - before)
    return Unloaded(
        held_bytes=held,
        returned_bytes=max(0, returned),
        noise_bytes=noise,
        on="device" if device_uuid else "host",
    )


def _noise(free: Callable[[], int | None], hurry: Callable[[], bool]) -> int:
    """Return how much free memory moves by itself in the time of a measurement."""
    readings = []
    for _ in range(READINGS):
        readings.append(free() or 0)
        if hurry():
            break
        time.sleep(STEP_S)
    return max(readings) - min(readings)


def private_bytes(pid: int, proc: Path = Path("/proc")) -> int | None:
    """Return the anonymous resident memory of a process and its children; outside Linux, the unique set size."""
    try:
        family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return None
    total = 0
    for process in family:
        with contextlib.suppress(psutil.Error, OSError):
            anonymous = _anonymous(proc / str(process.pid) / "status")
            total += anonymous if anonymous is not None else process.memory_full_info().uss
    return total


def _anonymous(status: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in status.read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return None


def _free_bytes() -> int | None:
    return psutil.virtual_memory().available


def _card(uuid: str, pid: int) -> tuple[int | None, Callable[[], int | None]]:
    """Return a process's memory on a card, and a function that returns the card's free memory."""
    from core.machine import nvml  # only NVML: no torch

    def free() -> int | None:
        used = nvml.used_bytes(uuid)
        return None if used is None else -used

    return nvml.process_bytes(uuid, pid), free
