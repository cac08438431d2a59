"""The environment that every result is stamped with. Knows its fields and how two differ; `core.engine.probe`
fills it in, since only an engine sees torch and the devices."""

from __future__ import annotations

from core.model import Value


class Device(Value):
    """One accelerator, by UUID so that a renumbering does not mix two up."""

    name: str
    uuid: str
    memory_bytes: int
    capability: str = ""  # CUDA compute capability, "8.9"
    driver: str = ""
    power_limit_w: float | None = None


class Environment(Value):
    """Hardware, versions and settings that change a number. Empty string or None: not readable."""

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

    @property
    def native_bf16(self) -> bool:
        """Whether the processor computes bf16 itself, so that it is the default precision."""
        if self.devices:
            return float(self.devices[0].capability or 0) >= 8.0
        return bool({"avx512_bf16", "amx_bf16", "bf16"} & set(self.cpu_features))

    def differences(self, other: Environment) -> list[str]:
        """What differs in a way that changes speed, a line each: `torch: 2.13.0 → 2.14.1`."""
        lines = []
        for name in ("cpu", "cores", "cpu_features", "threads", "wait_policy", "cuda", "governor"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                lines.append(f"{name}: {mine or 'none'} → {theirs or 'none'}")
        for name in sorted(set(self.versions) | set(other.versions)):
            mine, theirs = self.versions.get(name, "none"), other.versions.get(name, "none")
            if mine != theirs:
                lines.append(f"{name}: {mine} → {theirs}")
        mine_gpu, their_gpu = [d.uuid for d in self.devices], [d.uuid for d in other.devices]
        if mine_gpu != their_gpu:
            lines.append(f"devices: {[d.name for d in self.devices]} → {[d.name for d in other.devices]}")
        return lines


def capacity_bytes(environment: Environment) -> int | None:
    """Memory that engines have to fit into: of the first device, else of the machine or its container's limit."""
    if environment.devices:
        return environment.devices[0].memory_bytes
    return environment.container_memory_bytes or environment.ram_bytes or None
