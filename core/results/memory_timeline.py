"""A variant's memory over time: a timeline by name, and peaks by name and phase. Pure functions of the event stream.

Names (`NAMES`): weights and kv are real storage, reported by the engine. allocated and reserved are the CUDA
allocator's; process is the resident set, pss the proportional one, device_process the driver's figure for the process.
Two are differences: activations = allocated − weights − kv on a GPU; other = process − weights − kv elsewhere, which is
Python, the libraries and the activations. `STACK` lists the names that add up to the figure that a variant is judged
by: allocated on a GPU, the process on a CPU. A figure that was not read is absent, never 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.protocol import events

NAMES = (
    "weights", "kv", "activations", "other", "allocated", "reserved", "process", "pss", "device_process",
)  # fmt: skip
STACK = {"device": ("weights", "kv", "activations"), "host": ("weights", "kv", "other")}
_READ = {
    "allocated": "allocated_bytes",
    "reserved": "reserved_bytes",
    "process": "process_bytes",
    "pss": "pss_bytes",
    "device_process": "device_process_bytes",
}


@dataclass(frozen=True)
class MemoryPoint:
    """One reading; `bytes` by name."""

    t_ns: int
    phase: events.PhaseName
    bytes: dict[str, int]


@dataclass(frozen=True)
class MemoryBand:
    """One phase of an engine."""

    start_ns: int
    end_ns: int
    phase: events.PhaseName


@dataclass
class Timeline:
    """Folds the events of one variant, live or replayed: `points` by time, `peaks` by (name, phase)."""

    points: list[MemoryPoint] = field(default_factory=list)
    peaks: dict[tuple[str, str], int] = field(default_factory=dict)
    phases: list[tuple[int, events.PhaseName]] = field(default_factory=list)  # when each began, ns
    _weights: int | None = None
    _kv: int | None = None

    def fold(self, event: events.Event) -> None:
        match event:
            case events.Phase():
                self.phases.append((event.t_ns, event.phase))
            case events.Loaded():
                self._weights = event.weights_bytes
            case events.TrialDone():
                self._kv = event.kv_bytes if event.kv_bytes is not None else self._kv
                if self._kv is not None:
                    self._peak("kv", "trial", self._kv)
            case events.Sample():
                self._sample(event)

    def peak(self, name: str, *phases: str) -> int | None:
        """Return the highest bytes in the phases; in all phases if none is named."""
        found = (size for (n, phase), size in self.peaks.items() if n == name and (not phases or phase in phases))
        return max(found, default=None)

    @property
    def stack(self) -> tuple[str, ...]:
        """The names that add up, from the bottom."""
        on_device = any("allocated" in point.bytes for point in self.points)
        return STACK["device" if on_device else "host"]

    @property
    def whole(self) -> str:
        """The name of the sum of the stack."""
        return "allocated" if self.stack == STACK["device"] else "process"

    def bands(self) -> list[MemoryBand]:
        """Return the phases as intervals; the last one ends with the newest reading."""
        ends = [*(at for at, _ in self.phases[1:]), self.points[-1].t_ns if self.points else 0]
        return [MemoryBand(at, max(at, end), phase) for (at, phase), end in zip(self.phases, ends, strict=False)]

    def highest(self, *phases: str) -> MemoryPoint | None:
        """Return the reading with the largest whole in those phases, or in all if none is named."""
        known = [p for p in self.points if self.whole in p.bytes and (not phases or p.phase in phases)]
        return max(known, key=lambda p: p.bytes[self.whole], default=None)

    def _sample(self, sample: events.Sample) -> None:
        found = {name: size for name, key in _READ.items() if (size := getattr(sample, key)) is not None}
        # Journals of older versions have neither in their samples: then the last that was told holds on.
        weights = sample.weights_bytes if sample.weights_bytes is not None else self._weights
        kv = sample.kv_bytes if sample.kv_bytes is not None else self._kv
        parts = {name: size for name, size in (("weights", weights), ("kv", kv)) if size is not None}
        whole, rest = ("allocated", "activations") if "allocated" in found else ("process", "other")
        if whole in found and "weights" in parts:
            # Weights that are mapped from a file and not read yet are no resident memory. What of a card's cache is on
            # the host is none of the card's.
            elsewhere = (sample.kv_host_bytes or 0) if whole == "allocated" else 0
            found[rest] = max(0, found[whole] - sum(parts.values()) + elsewhere)
        parts |= found
        point = MemoryPoint(sample.t_ns, sample.phase, {name: parts[name] for name in NAMES if name in parts})
        self.points.append(point)
        for name, size in point.bytes.items():
            self._peak(name, sample.phase, size)

    def _peak(self, name: str, phase: str, size: int) -> None:
        self.peaks[name, phase] = max(size, self.peaks.get((name, phase), 0))


def timeline(stream: Iterable[events.Event], variant: str) -> Timeline:
    """Return the memory timeline of one variant of a run."""
    found = Timeline()
    for event in stream:
        if event.variant == variant:
            found.fold(event)
    return found
