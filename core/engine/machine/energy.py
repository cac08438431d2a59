"""Energy counters: RAPL of the processor's packages and memory, NVML of a graphics card. A counter covers the whole
machine, a neighbour's work included.

RAPL is updated every millisecond and wraps after some minutes at full load; the sampler reads it five times a second,
so that no wrap is missed. NVML's counter (Volta and later) is updated every 20 to 100 ms; without it, the card's power
is integrated over the readings. What cannot be read is absent, never 0: since 2020 kernels let only root read RAPL
(CVE-2020-8694).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.machine import nvml

POWERCAP = Path("/sys/class/powercap")
#: A shorter span holds too few updates of the counter to say anything, in s.
LEAST_S = {"cpu": 0.02, "dram": 0.02, "gpu": 2.0}


@dataclass
class _Zone:
    """One RAPL domain; `kind` is cpu (a package) or dram. `uj` is what it has counted since the first reading."""

    kind: str
    file: Path
    range_uj: int
    last: int
    uj: int = 0

    def read(self) -> None:
        now = int(self.file.read_text())
        self.uj += now - self.last if now >= self.last else now + self.range_uj - self.last
        self.last = now


class Energy:
    """Counts joules by part since it was made; the difference of two readings is the energy of a span."""

    def __init__(self, root: Path = POWERCAP) -> None:
        self._lock = threading.Lock()
        self._zones = _zones(root)
        self._gpus: list[str] = []
        self._gpu_from: float | None = None  # of the cards' own counters
        self._gpu_j = 0.0  # integrated
        self._power: tuple[float, float] | None = None  # s and W of the last reading

    @property
    def anything(self) -> bool:
        return bool(self._zones or self._gpus)

    def watch_gpus(self, uuids: Sequence[str]) -> None:
        """Count these cards too from now on."""
        with self._lock:
            self._gpus = list(uuids)
            self._gpu_from = _total([nvml.energy_j(uuid) for uuid in uuids])

    def read(self) -> dict[str, float]:
        """Return J by part (cpu, dram, gpu); unreadable parts are absent."""
        with self._lock:
            found: dict[str, float] = {}
            for kind in {zone.kind for zone in self._zones}:
                mine = [zone for zone in self._zones if zone.kind == kind]
                try:
                    for zone in mine:
                        zone.read()
                except (OSError, ValueError):  # a part of the packages would look like less energy
                    self._zones = [zone for zone in self._zones if zone.kind != kind]
                    continue
                found[kind] = sum(zone.uj for zone in mine) / 1e6
            if self._gpus:
                found |= self._read_gpu()
            return found

    def _read_gpu(self) -> dict[str, float]:
        if self._gpu_from is not None:
            now = _total([nvml.energy_j(uuid) for uuid in self._gpus])
            return {} if now is None else {"gpu": now - self._gpu_from}
        watts, at = _total([nvml.power_w(uuid) for uuid in self._gpus]), time.monotonic()
        if watts is None:
            self._power = None
            return {}
        if self._power is not None:
            self._gpu_j += (at - self._power[0]) * (watts + self._power[1]) / 2
        self._power = (at, watts)
        return {"gpu": self._gpu_j}


def _total(readings: Sequence[float | None]) -> float | None:
    """Return the sum of all cards; None if one of them does not report."""
    known = [reading for reading in readings if reading is not None]
    return sum(known) if known and len(known) == len(readings) else None


def spent(before: dict[str, float], after: dict[str, float], seconds: float) -> dict[str, float]:
    """Return J by part between two readings that lie `seconds` apart; a part with too few counter updates is
    left out."""
    return {
        part: max(0.0, after[part] - before[part])
        for part in after
        if part in before and seconds >= LEAST_S.get(part, 0.0)
    }


def _zones(root: Path) -> list[_Zone]:
    """Return the zones of packages and memory. `core` and `uncore` are parts of a package, `psys` contains it, and
    `mmio` repeats it; all of these are left out."""
    found = []
    unreadable = set()
    for folder in sorted(root.glob("intel-rapl:*")) if root.is_dir() else []:
        name = ""
        with contextlib.suppress(OSError):
            name = (folder / "name").read_text().strip()
        kind = "cpu" if name.startswith("package") else name
        if kind not in ("cpu", "dram"):
            continue
        try:
            file = folder / "energy_uj"
            now, most = int(file.read_text()), int((folder / "max_energy_range_uj").read_text())
        except (OSError, ValueError):
            unreadable.add(kind)
            continue
        found.append(_Zone(kind, file, most, now))
    return [zone for zone in found if zone.kind not in unreadable]
