"""Detects that this process was stopped: by Ctrl+Z, a debugger or a frozen container. Clocks go on meanwhile, so a
trial would count the pause.

A thread that sleeps for 0.2 s and wakes after 10 was stopped, or waited for a processor or for Python's lock. Linux
tells them apart: waiting for a processor shows as run-queue delay (proc_schedstat), and waiting for the lock as two
hundred requests a second. Elsewhere the process's CPU time decides: a stopped process uses none.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

STOPPED_S = 0.5  # less may be a busy machine
_OWN = Path("/proc/thread-self/schedstat")
_ASK_S = 5e-3  # between two askings for Python's lock, sys.getswitchinterval()
_IDLE = 0.1  # of a processor
_KEPT = 1000


@dataclass(frozen=True)
class Mark:
    """Seconds on the clocks of system and process; of the thread, how long it `waited` for a processor and how often it
    `gave_way`, both None if the system does not tell."""

    at: float
    process: float
    waited: float | None = None
    gave_way: int | None = None

    @staticmethod
    def take() -> Mark:
        """Return the present mark of the calling thread; costs 20 µs."""
        waited, gave_way = None, None
        with contextlib.suppress(OSError, ValueError, IndexError):
            waited = int(_OWN.read_text().split()[1]) / 1e9
            gave_way = _gave_way()
        return Mark(time.perf_counter(), time.process_time(), waited, gave_way)

    def stopped_until(self, later: Mark, asleep: float, busy: float) -> float:
        """Return the seconds between two marks in which nothing of the process ran; 0 if something did. The thread
        meant to sleep for `asleep` seconds, and the process used to take `busy` CPU seconds a second."""
        over = later.at - self.at - asleep
        if over < STOPPED_S:
            return 0.0
        if None not in (self.waited, self.gave_way, later.waited, later.gave_way):
            waited, asked = later.waited - self.waited, later.gave_way - self.gave_way  # type: ignore[operator]
            return over if waited + asked * _ASK_S < over / 2 else 0.0
        used = later.process - self.process
        return over if used < 1.5 * busy * asleep + _IDLE * over else 0.0


class Pulse:
    """Records stops of the process. One thread calls `rest` repeatedly; any thread may call the others."""

    def __init__(self) -> None:
        self._stops: deque[tuple[int, float]] = deque(maxlen=_KEPT)  # when it went on, in ns, and seconds before that
        self._last: Mark | None = None
        self._busy = 0.0
        self._asleep = 0.0

    def rest(self, seconds: float) -> None:
        """Sleep, and note whether the process was stopped meanwhile. Work between two rests is not observed, since the
        thread may wait for another there."""
        self._asleep = seconds
        before = Mark.take()
        time.sleep(seconds)
        self._last = now = Mark.take()
        stopped = before.stopped_until(now, seconds, self._busy)
        if stopped:
            self._stops.append((time.perf_counter_ns(), stopped))
        else:
            self._busy = (now.process - before.process) / max(now.at - before.at, 1e-3)

    def settle(self) -> None:
        """Wait briefly for the thread's note if it is late: the process may have resumed just now."""
        last = self._last
        if last is not None and time.perf_counter() - last.at > self._asleep + STOPPED_S:
            for _ in range(20):
                if self._last is not last:
                    break
                time.sleep(0.01)

    def stopped_s(self, since_ns: int) -> float:
        """Return the seconds for which the process was stopped, of stops that ended after that moment."""
        self.settle()
        return sum(seconds for at, seconds in list(self._stops) if at >= since_ns)


def _gave_way() -> int | None:
    if sys.platform != "linux":
        return None
    import resource

    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
