"""Samples the engine and its machine from a thread: five times a second while the engine works, once a second while it
is idle and another engine may be measuring.

One sample costs 0.1 ms on 2 cores, of which the peak takes 0.03. The proportional set size (PSS) costs 2 to 19 ms per
GB, since the kernel walks all mappings and delays page faults meanwhile. It is read at most once a second, never while
an engine measures, and at the end of each trial before its result is sent.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from core.engine.machine import cpu
from core.engine.machine.cpu import Snapshot
from core.engine.machine.energy import Energy
from core.engine.machine.stop_detector import Pulse
from core.protocol.engine_channel import Channel
from core.protocol.events import Sample

PERIOD_S = 0.2
IDLE_PERIOD_S = 1.0
_RECENT = 3000  # ten minutes
_PSS_PERIOD_S = 1.0
_LIST_PERIOD_S = 1.0
_ROLLUP = Path("/proc/self/smaps_rollup")
_CLEAR = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")


class Sampling:
    """The sampler. `sample()` reads once; the thread, or a caller that needs a sample now, sends it. `weights_bytes`
    and `kv_bytes` are set by the decoding thread, which alone may look at the model. `recent` holds the samples of the
    last minutes, `best_clock_mhz` the processor's highest clock under load, `highest_bytes` the largest resident set.
    """

    def __init__(self, channel: Channel, energy: Energy | None = None) -> None:
        self.energy = energy or Energy()
        self.pulse = Pulse()
        self.weights_bytes: int | None = None
        self.kv_bytes: int | None = None
        self.kv_host_bytes: int | None = None
        self.recent: deque[Sample] = deque(maxlen=_RECENT)
        self.best_clock_mhz = 0.0
        self.highest_bytes = 0
        self._channel = channel
        self._process = psutil.Process()
        self._lock = threading.Lock()
        self._cpu = Snapshot.take()
        self._taken_at = self._pss_at = self._listed_at = 0.0
        self._listed: dict[str, Any] = {}  # of the processes on the cards, as read last
        self._cards: list[int] = []
        self._uuids: list[str] = []
        self._faults = 0
        self._phase = ""  # of the sample before

    def start(self) -> None:
        threading.Thread(target=self._run, name="sampler", daemon=True).start()

    def watch_cards(self, indices: Sequence[int]) -> None:
        """Sample these CUDA devices too from now on; called once torch has a context there. Each phase ends with a
        sample, so that its peak of memory is not the next one's."""
        from core.engine.machine import cards

        self._uuids = [cards.uuid_of(index) for index in indices]
        self._cards = list(indices)
        self.energy.watch_gpus(self._uuids)
        self._channel.leaving = self.now

    def now(self, pss: bool = False) -> None:
        """Take and send a sample now, so that a short trial has one at its beginning and its end. `pss` includes the
        proportional set size in any phase."""
        sample = self.sample(pss)
        self.recent.append(sample)
        if sample.phase in ("warmup", "trial") and not self._cards:
            self.best_clock_mhz = max(self.best_clock_mhz, sample.clock_mhz or 0.0)
        self._channel.send(sample)

    def usual_clock_mhz(self) -> float:
        """Return the clock that a trial should have: the highest under load, or a card's median in trials, since its
        boost falls by itself as the card gets warm. 0 if unknown."""
        clocks = [sample.clock_mhz for sample in list(self.recent) if sample.phase == "trial" and sample.clock_mhz]
        return statistics.median(clocks) if self._cards and clocks else self.best_clock_mhz

    def full_cards(self) -> bool:
        """Return whether a card's memory has begun to spill into the machine's."""
        if not self._cards:
            return False
        from core.engine.machine import cards

        return any(cards.is_full(index) for index in self._cards)

    def since(self, t_ns: int) -> list[Sample]:
        """Return the samples since a moment."""
        return [sample for sample in list(self.recent) if sample.t_ns >= t_ns]

    def sample(self, pss: bool = False) -> Sample:
        """Return a new sample."""
        with self._lock:
            phase, before, self._taken_at = self._channel.phase, self._phase, time.monotonic()
            self._phase = phase
            later = Snapshot.take()
            usage = self._cpu.until(later)
            if usage.own_pct is not None:
                self._cpu = later
            peak, now = peak_bytes() or 0, self._process.memory_info().rss
            self.highest_bytes = max(self.highest_bytes, peak, now)
            fields: dict[str, Any] = {"swap_bytes": swap_bytes(), "pss_bytes": self._pss(pss, phase)}
            if self._cards:
                from core.engine.machine import cards

                if self._taken_at - self._listed_at >= _LIST_PERIOD_S:
                    self._listed, self._listed_at = cards.processes(self._uuids), self._taken_at
                fields |= cards.memory(self._cards, highest=phase == before) | cards.sample(self._uuids) | self._listed
            elif (clock := cpu.clock_mhz()) is not None:
                fields["clock_mhz"] = clock
            if self.energy.anything:
                self.energy.read()  # so that no wrap of a counter is missed
            return Sample(
                phase=phase,
                process_bytes=max(now, peak) if phase == before else now,
                cpu_pct=usage.own_pct,
                foreign_cpu_pct=usage.foreign_pct,
                steal_pct=usage.steal_pct,
                weights_bytes=self.weights_bytes,
                kv_bytes=self.kv_bytes,
                kv_host_bytes=self.kv_host_bytes,
                **fields,
            )

    def _pss(self, wanted: bool, phase: str) -> int | None:
        now = time.monotonic()
        if not wanted and (phase in ("trial", "idle") or now - self._pss_at < _PSS_PERIOD_S):
            return None
        self._pss_at = now
        return _kilobytes(_ROLLUP, "Pss:")

    @property
    def due(self) -> bool:
        """Whether the thread should sample at its next turn."""
        return self._channel.phase != "idle" or time.monotonic() - self._taken_at >= IDLE_PERIOD_S

    def _run(self) -> None:
        while True:
            try:
                if self.due:
                    self.now()
            except Exception as error:  # a sample less, never an engine less
                self._faults += 1
                if self._faults == 1:
                    print(f"sampler: {error!r}; further faults are counted, not told", file=sys.stderr)
            self.pulse.rest(PERIOD_S)


def swap_bytes() -> int | None:
    """Return the bytes of this process that are swapped out; None if the system does not tell."""
    return _kilobytes(_STATUS, "VmSwap:")


def peak_bytes() -> int | None:
    """Return the largest resident set of this process since the last call; None outside Linux. Five samples a second
    miss a peak of some milliseconds."""
    found = _kilobytes(_STATUS, "VmHWM:")
    try:
        _CLEAR.write_text("5")  # man 5 proc_pid_clear_refs: the peak is now what is resident
    except OSError:
        return None
    return found


def _kilobytes(file: Path, field: str) -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in file.read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    return None
