"""Flags about the machine around a trial that a reader must know. Decisions of the decode loop itself are in
`core.engine.serve.decisions`."""

from __future__ import annotations

import mmap
import os
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.engine.machine import cpu
from core.engine.machine.cpu import Snapshot, Usage
from core.engine.machine.energy import spent
from core.engine.machine.sampler import Sampling, swap_bytes
from core.protocol.events import Sample

#: Of one core: a busy neighbour slows a two-thread engine tenfold. An engine on a card needs one core of several, so
#: there the limit is that share of all cores.
FOREIGN_CPU_PCT = 25.0
POWER_CAP = "power cap"  # the usual state of a card at full load: a flag only if it lasts
STEAL_PCT = 2.0
CLOCK_DROP = 0.10  # of the clock that a trial should have
REUSE_SHARE = 0.01  # of the prompt tokens
SLEPT_S = 0.5  # less is how far two readings of two clocks are apart
SWAPPED = 1 << 20  # bytes: less is noise of the system
_FEW = 5  # samples: with fewer, one at an idle moment would look like a drop


@dataclass
class Conditions:
    """The machine's state before a trial; `end` takes the state after it."""

    sampling: Sampling | None
    t_ns: int = field(default_factory=time.perf_counter_ns)
    swap: int | None = field(default_factory=swap_bytes)
    pages: int | None = field(default_factory=cpu.pages_swapped_in)
    throttled: int | None = field(default_factory=cpu.throttle_count)
    energy: dict[str, float] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    slept: float | None = field(default_factory=cpu.slept_s)
    _before: Snapshot = field(default_factory=Snapshot.take)

    def __post_init__(self) -> None:
        if self.sampling is not None:
            self.sampling.pulse.settle()  # stops before now are not this trial's
            self.t_ns = time.perf_counter_ns()

    def begin(self) -> None:
        """Take the state right before the measured loop."""
        self.energy = self.sampling.energy.read() if self.sampling is not None else {}
        self._before = Snapshot.take()

    def end(self) -> None:
        """Take the state right after the measured loop."""
        after = Snapshot.take()
        self.usage, self.seconds = self._before.until(after), after.wall - self._before.wall
        now = self.sampling.energy.read() if self.sampling is not None else {}
        self.energy = spent(self.energy, now, self.seconds)

    def flags(self, steady: bool) -> list[str]:
        """Return the flags; called after `end` and after the trial's last sample."""
        samples = self.sampling.since(self.t_ns) if self.sampling is not None else []
        best = self.sampling.usual_clock_mhz() if self.sampling is not None else 0.0
        full = self.sampling is not None and self.sampling.full_cards()
        return [
            *of_the_processor(self.usage, cores=1 if all(s.allocated_bytes is None for s in samples) else _cores()),
            *of_the_clock(samples, best, _grown(self.throttled, cpu.throttle_count())),
            *of_the_card(samples, full),
            *of_sleep(self.slept, cpu.slept_s()),
            *of_stops(self.sampling.pulse.stopped_s(self.t_ns) if self.sampling is not None else 0.0),
            *of_swap(self.swap, swap_bytes(), _grown(self.pages, cpu.pages_swapped_in())),
            *([] if steady else ["not steady"]),
        ]


def of_the_processor(usage: Usage, cores: int = 1) -> list[str]:
    """Return flags of other processes' CPU time beyond a share of so many cores, and of stolen time."""
    found = []
    if (usage.foreign_pct or 0) > FOREIGN_CPU_PCT * cores:
        found.append(f"foreign CPU {usage.foreign_pct:.0f} %")
    if (usage.steal_pct or 0) > STEAL_PCT:
        found.append(f"CPU steal {usage.steal_pct:.1f} %")
    return found


def of_the_clock(samples: Sequence[Sample], best_mhz: float, throttled: int | None) -> list[str]:
    """Return flags of throttling that the hardware reports, and of a clock lower than before; the second shows
    throttling that is not counted."""
    reasons = Counter(reason for sample in samples for reason in sample.throttle)
    found = [
        f"throttled: {reason}" for reason, count in reasons.items() if reason != POWER_CAP or 2 * count > len(samples)
    ]
    if throttled:
        found.append(f"CPU throttled for heat {throttled} times")
    clocks = [sample.clock_mhz for sample in samples if sample.clock_mhz]
    if clocks and best_mhz:
        drop = 1 - (statistics.median(clocks) if len(clocks) >= _FEW else max(clocks)) / best_mhz
        if drop > CLOCK_DROP:
            found.append(f"clock {100 * drop:.0f} % below {best_mhz:.0f} MHz")
    return found


def _cores() -> int:
    return os.cpu_count() or 1


def of_the_card(samples: Sequence[Sample], full: bool = False) -> list[str]:
    """Return flags of other processes on the card, and of memory that has spilled from it."""
    most = max((sample.foreign_gpu_processes or 0 for sample in samples), default=0)
    found = [f"other processes on the GPU: {most}"] if most else []
    return [*found, "GPU memory full: the driver moves the rest to the machine's"] if full else found


def of_sleep(before: float | None, after: float | None) -> list[str]:
    """Return a flag if the machine was suspended between the two readings (seconds since its start): stamps do not show
    it, and caches and clocks are cold afterwards."""
    if before is None or after is None or after - before < SLEPT_S:
        return []
    return [f"the machine slept for {after - before:.0f} s"]


def of_stops(seconds: float) -> list[str]:
    """Return a flag for the seconds in which the process was stopped, which its clocks do not show; the trial is left
    out."""
    return [f"stopped for {seconds:.{0 if seconds >= 1 else 1}f} s"] if seconds else []


def of_swap(before: int | None, after: int | None, pages_in: int | None) -> list[str]:
    """Return flags of swapped-out bytes of this process before and after the trial, and of pages that the machine read
    back meanwhile."""
    found = []
    if after:
        found.append("swap in use")
    if (grown := _grown(before, after) or 0) >= SWAPPED:
        found.append(f"swap grew by {grown / 1e6:.0f} MB")
    if (read := (pages_in or 0) * mmap.PAGESIZE) >= SWAPPED:
        found.append(f"swapped in {read / 1e6:.0f} MB on this machine")
    return found


def of_reuse(reused: int, prompt_tokens: int, wanted: bool) -> list[str]:
    """Return a flag if a prefix cache was used although none was requested: it shortens the prefill silently."""
    if wanted or not prompt_tokens or reused <= REUSE_SHARE * prompt_tokens:
        return []
    return [f"prefix cache hits where none was asked for: {100 * reused / prompt_tokens:.0f} % of the prompt tokens"]


def of_the_lengths(got: Sequence[int], asked: Sequence[int]) -> list[str]:
    """Return a flag if a request generated another number of tokens than requested, since variants are then not
    comparable."""
    wrong = sum(1 for a, b in zip(got, asked, strict=True) if a != b)
    if not wrong:
        return []
    words = f"length mismatch: {sum(got)} of {sum(asked)} tokens"
    return [words if len(got) == 1 else f"{words}, {wrong} of {len(got)} requests have another length"]


def _grown(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else max(0, after - before)
