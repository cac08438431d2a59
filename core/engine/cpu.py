"""How busy the processor is, and with whom: two snapshots and their difference. Knows the system's counters.

The counters tick every 10 ms on Linux, so a difference over less than a few ticks says nothing.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

import psutil

_TICK_S = 0.01


def _usable() -> list[int] | None:
    """The CPUs of this process where they are fewer than all: load on the others is not felt here."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    mine = sorted(os.sched_getaffinity(0))
    return mine if len(mine) < (os.cpu_count() or 1) else None


@dataclass(frozen=True)
class Usage:
    """In per cent of one core; steal in per cent of all cores. None: too short to tell, or not readable."""

    own_pct: float | None = None
    foreign_pct: float | None = None
    steal_pct: float | None = None


@dataclass(frozen=True)
class Snapshot:
    """Seconds since some fixed moment."""

    wall: float
    own: float
    busy: float
    steal: float | None
    cores: int

    @staticmethod
    def take() -> Snapshot:
        """Costs 20–100 µs."""
        usable = _usable()
        if usable is None:
            times, cores = [psutil.cpu_times()], os.cpu_count() or 1
        else:
            every = psutil.cpu_times(percpu=True)
            times, cores = [every[i] for i in usable if i < len(every)], len(usable)
        busy = sum(getattr(t, name, 0.0) for t in times for name in ("user", "nice", "system", "irq", "softirq"))
        steal = sum(t.steal for t in times) if times and hasattr(times[0], "steal") else None
        return Snapshot(time.perf_counter(), time.process_time(), busy, steal, cores)

    def until(self, later: Snapshot) -> Usage:
        """What happened between the two."""
        wall = later.wall - self.wall
        if wall < 5 * _TICK_S:
            return Usage()
        own = later.own - self.own
        foreign = max(0.0, later.busy - self.busy - own)
        steal = None
        if self.steal is not None and later.steal is not None:
            steal = 100 * (later.steal - self.steal) / (wall * self.cores)
        return Usage(100 * own / wall, 100 * foreign / wall, steal)
