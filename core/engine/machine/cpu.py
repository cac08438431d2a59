"""Processor usage by difference of two snapshots: this process, others, stolen time. Linux counts in ticks of 10 ms, so
a difference of a few ticks says nothing."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

_TICK_S = 0.01
_CPUS = Path("/sys/devices/system/cpu")
_VMSTAT = Path("/proc/vmstat")
_CLOCKS = 4  # as many are looked at: reading one can take an interrupt on its core


def _usable() -> list[int] | None:
    """Return the CPUs of this process if they are fewer than all; load on the others does not matter."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    mine = sorted(os.sched_getaffinity(0))
    return mine if len(mine) < (os.cpu_count() or 1) else None


@dataclass(frozen=True)
class Usage:
    """In % of one core; steal in % of all cores. None: too short to tell, or not readable."""

    own_pct: float | None = None
    foreign_pct: float | None = None
    steal_pct: float | None = None


@dataclass(frozen=True)
class Snapshot:
    """Processor seconds since a fixed moment."""

    wall: float
    own: float
    busy: float
    steal: float | None
    cores: int

    @staticmethod
    def take() -> Snapshot:
        """Return the present snapshot; costs 20–100 µs."""
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
        """Return the usage between two snapshots."""
        wall = later.wall - self.wall
        if wall < 5 * _TICK_S:
            return Usage()
        own = later.own - self.own
        foreign = max(0.0, later.busy - self.busy - own)
        steal = None
        if self.steal is not None and later.steal is not None:
            steal = 100 * (later.steal - self.steal) / (wall * self.cores)
        return Usage(100 * own / wall, 100 * foreign / wall, steal)


def clock_mhz(root: Path = _CPUS) -> float | None:
    """Return the fastest present clock among some of this process's CPUs, since an idle CPU clocks down; None in most
    virtual machines."""
    mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    files = (root / f"cpu{number}" / "cpufreq" / "scaling_cur_freq" for number in list(mine)[:_CLOCKS])
    khz = max((n for n in map(_number, files) if n is not None), default=None)
    return khz / 1000 if khz else None


def slept_s() -> float | None:
    """Return the seconds that the machine was suspended since its start; None if the system does not tell."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return None
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


def throttle_count(root: Path = _CPUS) -> int | None:
    """Return how often cores and packages were throttled for heat since the machine's start; None if the system does
    not count."""
    counts = [_number(file) for file in root.glob("cpu[0-9]*/thermal_throttle/*_throttle_count")]
    known = [n for n in counts if n is not None]
    return sum(known) if known else None


def pages_swapped_in(file: Path = _VMSTAT) -> int | None:
    """Return the pages that the machine has read back from swap since its start."""
    with contextlib.suppress(OSError, ValueError):
        for line in file.read_text().splitlines():
            if line.startswith("pswpin "):
                return int(line.split()[1])
    return None


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None
