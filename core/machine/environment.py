"""The environment that is recorded with every result."""

from __future__ import annotations

import hashlib
import json

from pydantic import ConfigDict

from core.base.value import Value


class Device(Value):
    """One accelerator, identified by UUID, since indices may change. What a newer version adds is not read."""

    model_config = ConfigDict(extra="ignore")

    name: str
    uuid: str
    memory_bytes: int
    capability: str = ""  # CUDA compute capability, "8.9"
    driver: str = ""
    power_limit_w: float | None = None  # enforced now
    clock_mhz: float | None = None  # of the multiprocessors, at the moment of asking
    max_clock_mhz: float | None = None
    memory_clock_mhz: float | None = None
    used_bytes: int | None = None  # by all processes, at the moment of asking
    holders: list[str] = []  # other processes that hold some of it: "python, 1.2 GB"
    display: bool = False  # a screen is attached
    power_limit_default_w: float | None = None
    wddm: bool = False  # Windows' driver for graphics, which shares the card with the desktop


class Environment(Value):
    """Hardware, versions and settings that change a number. An empty string or None means not readable. What a newer
    version adds is not read: it is evidence, so a file must open without it."""

    model_config = ConfigDict(extra="ignore")

    hostname: str = ""
    platform: str = ""
    python: str = ""
    cpu: str = ""
    cores: int = 1  # usable by this process (affinity and container quota)
    cpu_features: list[str] = []  # those that kernels ask for: avx2, avx512f, avx512_bf16, amx_bf16, …
    governor: str = ""
    ram_bytes: int = 0
    ram_available_bytes: int | None = None
    swap_bytes: int = 0
    container_memory_bytes: int | None = None
    container_cpus: float | None = None
    threads: int = 1  # torch.get_num_threads()
    wait_policy: str = ""  # OMP_WAIT_POLICY
    versions: dict[str, str] = {}  # torch, transformers, bitsandbytes, …: only what is installed
    cuda: str = ""
    devices: list[Device] = []
    compiler: str = ""  # path of the C++ compiler, for torch.compile
    git_commit: str = ""
    swap_used_bytes: int | None = None
    cpu_capability: str = ""  # the instruction set that torch's own kernels use: DEFAULT, AVX2, AVX512, …
    kernels: list[str] = []  # libraries that this build of torch computes with: mkl, mkldnn, openmp, cudnn 9.10, …
    nvidia_driver: str = ""  # also where torch cannot use the GPU
    cpu_max_mhz: float | None = None
    unusable_card: str = ""  # its name, and why engines compute on the CPU instead

    @property
    def native_bf16(self) -> bool:
        """Whether the processor has bf16 instructions; bf16 is then the default precision."""
        if self.devices:
            return float(self.devices[0].capability or 0) >= 8.0
        return bool({"avx512_bf16", "amx_bf16", "bf16"} & set(self.cpu_features))

    @property
    def _python(self) -> str:
        """The Python version as `3.11`; the interpreter's speed affects every launched operation."""
        return ".".join(self.python.split(".")[:2])

    def differences(self, other: Environment) -> list[str]:
        """Return the differences that change speed, one line each: `torch: 2.13.0 → 2.14.1`. A field that an older
        version did not record is no difference."""
        lines = []
        for name in _COMPARED:
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs and not (name in _ADDED and not (mine and theirs)):
                lines.append(f"{name}: {_shown(mine)} → {_shown(theirs)}")
        if self._python and other._python and self._python != other._python:
            lines.append(f"python: {_shown(self._python)} → {_shown(other._python)}")
        for name in sorted(set(self.versions) | set(other.versions)):
            mine, theirs = self.versions.get(name, "none"), other.versions.get(name, "none")
            if mine != theirs:
                lines.append(f"{name}: {mine} → {theirs}")
        mine_gpu, their_gpu = [d.uuid for d in self.devices], [d.uuid for d in other.devices]
        if mine_gpu != their_gpu:
            lines.append(f"devices: {[d.name for d in self.devices]} → {[d.name for d in other.devices]}")
            return lines
        for mine_, theirs_ in zip(self.devices, other.devices, strict=True):
            for name in ("driver", "power_limit_w"):
                a, b = getattr(mine_, name), getattr(theirs_, name)
                if a and b and a != b:
                    lines.append(f"{mine_.name} {name}: {a} → {b}")
        return lines

    @property
    def fingerprint(self) -> str:
        """The sha256 in hex over all fields that `differences` compares; equal fingerprints mean no difference."""
        seen = {name: getattr(self, name) for name in _COMPARED}
        seen["python"] = self._python
        seen["versions"] = self.versions
        seen["devices"] = [(d.uuid, d.driver, d.power_limit_w) for d in self.devices]
        return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()


#: Fields whose change can change a number. Those of `_ADDED` are missing in files of older versions.
_ADDED = ("cpu_capability", "kernels")
_COMPARED = (
    "cpu", "cores", "cpu_features", "threads", "wait_policy", "cuda", "governor", "container_cpus", *_ADDED,
)  # fmt: skip


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) and value else str(value or "none")


def capacity_bytes(environment: Environment) -> int | None:
    """Return the memory that engines must fit into: the first device's, else the machine's or its container's limit."""
    if environment.devices:
        return environment.devices[0].memory_bytes
    return environment.container_memory_bytes or environment.ram_bytes or None
