"""A machine's measured limits: memory bandwidth and matrix multiplication rates."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from core.base.folders import cache_folder
from core.base.value import Value
from core.machine.environment import Environment

#: Types that a product may be computed in instead: a kernel can widen what it reads.
WIDER = {"int8": ("int8", "bf16", "fp16", "fp32"), "fp8": ("fp8", "bf16", "fp16", "fp32"), "bf16": ("bf16", "fp32"),
         "fp16": ("fp16", "fp32"), "fp32": ("fp32",), "tf32": ("tf32",), "fp64": ("fp64",)}  # fmt: skip
BUSY_PCT = 25.0  # of one core, by others while it was measured: then the figures are too low


Rate = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class RoofReading(Value):
    """The bandwidth in bytes/s of an array of one size, as a sum over it and as a matrix-vector product."""

    bytes: int = Field(gt=0)
    sum: Rate
    gemv: Rate

    @property
    def best(self) -> float:
        return max(self.sum, self.gemv)


class MachineRoof(Value):
    """One device of one machine. `readings` are sorted by size; the largest exceeds every cache."""

    device: str
    readings: list[RoofReading] = Field(min_length=1)
    peaks: dict[str, Rate] = {}  # FLOP/s of a large product, by type; an absent type was not measured
    operation_s: Rate | None = None  # one small operation of torch, called from Python
    llc_bytes: int | None = None  # last-level cache
    threads: int = 1
    foreign_cpu_pct: float | None = None  # others' CPU meanwhile, in per cent of one core
    measured: str = ""  # ISO 8601, UTC
    seconds: float = 0.0  # that measuring took

    @property
    def bandwidth(self) -> float:
        """The memory bandwidth in bytes/s: the best reading of the largest array."""
        return self.readings[-1].best

    @property
    def quiet(self) -> bool:
        """Whether the figures can be kept; a busy machine makes them too low."""
        return (self.foreign_cpu_pct or 0.0) <= BUSY_PCT

    def bandwidth_at(self, size: float) -> float:
        """Return the bandwidth in bytes/s for an array of `size` bytes, interpolated on a logarithmic scale; never
        below the memory's."""
        below = max((r for r in self.readings if r.bytes <= size), key=lambda r: r.bytes, default=self.readings[0])
        above = min((r for r in self.readings if r.bytes >= size), key=lambda r: r.bytes, default=self.readings[-1])
        if below.bytes >= above.bytes:
            return max(self.bandwidth, below.best)
        share = math.log(size / below.bytes) / math.log(above.bytes / below.bytes)
        return max(self.bandwidth, below.best + share * (above.best - below.best))

    def cache_resident(self, size: float) -> bool:
        """Return whether an array of `size` bytes fits the last-level cache; False if the cache size is unknown."""
        return self.llc_bytes is not None and size <= self.llc_bytes

    def peak(self, kind: str) -> float | None:
        """Return the FLOP/s of products in a data type, measured in it or in a wider one; None if not measured."""
        found = [self.peaks[k] for k in WIDER.get(kind, (kind,)) if k in self.peaks]
        return max(found, default=None)


def kept_path(environment: Environment) -> Path:
    """Return the file that keeps a machine's measured limits."""
    return cache_folder() / "machines" / f"{machine_key(environment)}.json"


def kept(environment: Environment) -> MachineRoof | None:
    """Return the kept limits of this machine; None if there are none, or if the engine keeps its cache on another
    machine."""
    try:
        return MachineRoof.model_validate_json(kept_path(environment).read_bytes())
    except (OSError, ValidationError):
        return None


def machine_key(environment: Environment) -> str:
    """Return the parts that must agree for measured limits to hold: processor or card, threads, torch version."""
    told = [
        environment.cpu,
        environment.cores,
        environment.threads,
        environment.wait_policy,
        environment.versions.get("torch", ""),
        [[d.name, d.uuid, d.power_limit_w] for d in environment.devices[:1]],
    ]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:24]
