"""Reads the `Environment`: everything about this machine that changes a number."""

from __future__ import annotations

import contextlib
import math
import os
import platform
import re
import shutil
import socket
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil
import torch

from core.base.child_process import NO_WINDOW
from core.engine.machine import cards
from core.machine import nvml
from core.machine.environment import Device, Environment

_PACKAGES = (
    "torch", "transformers", "bitsandbytes", "torchao", "accelerate", "gguf", "numpy", "safetensors",
    "tokenizers", "triton", "flash-attn", "flash-attn-3", "gptqmodel", "optimum", "kernels", "xformers",
    "fbgemm-gpu-genai", "intel-extension-for-pytorch", "dyno",
    "compressed-tensors", "auto-round", "amd-quark", "hqq", "aqlm", "optimum-quanto", "vptq", "spqr-quant",
    "flute-kernel", "fp-quant", "sinq",
)  # fmt: skip

#: Flags that kernels ask for. x86 and ARM name them differently; both lists are looked up everywhere.
_FEATURES = (
    "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "avx512_fp16",
    "avx_vnni", "amx_tile", "amx_int8", "amx_bf16", "asimd", "asimdhp", "asimddp", "i8mm", "bf16", "sve", "sve2",
)  # fmt: skip


def probe() -> Environment:
    """Return the environment. Takes about 10 ms beside the import of torch."""
    cpu, features = _cpu()
    quota = _container_cpus()
    cores = _affinity()
    if quota:
        cores = max(1, min(cores, math.ceil(quota)))
    memory = psutil.virtual_memory()
    return Environment(
        hostname=socket.gethostname(),
        platform=platform.platform(),
        python=platform.python_version(),
        cpu=cpu,
        cores=cores,
        cpu_features=features,
        governor=_read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        ram_bytes=memory.total,
        ram_available_bytes=available_bytes(),
        swap_bytes=psutil.swap_memory().total,
        container_memory_bytes=_container_memory(),
        container_cpus=quota,
        threads=torch.get_num_threads(),
        wait_policy=os.environ.get("OMP_WAIT_POLICY", ""),
        versions=_versions(),
        cuda=torch.version.cuda or "" if torch.cuda.is_available() else "",
        devices=_devices(),
        compiler=_compiler(),
        git_commit=_git_commit(),
        swap_used_bytes=psutil.swap_memory().used,
        cpu_capability=_cpu_capability(),
        kernels=_kernels(),
        nvidia_driver=nvml.driver(),
        cpu_max_mhz=_cpu_max_mhz(),
        unusable_card=_unusable_card(),
    )


def available_bytes() -> int:
    """Return the memory that a process can still get, of the machine or of its container if that is less."""
    return min([psutil.virtual_memory().available, *(n for f in _cgroups() if (n := _available(f)) is not None)])


def _available(folder: Path) -> int | None:
    """Return the rest of a control group's memory limit; None without one. Its cached file pages count as available,
    since they are given up on demand: reading a model fills the group with them."""
    limit = _memory_limit(folder)
    used = _first(folder, "memory.current", "memory.usage_in_bytes")
    if limit is None or used is None:
        return None
    lines = (line.split() for line in _read(str(folder / "memory.stat")).splitlines())
    counts = {line[0]: _number(line[1]) or 0 for line in lines if len(line) == 2}
    # Version 1 writes a group's own pages under the plain names, and those of the groups inside it under these as well.
    cached = sum(counts.get(f"total_{name}", counts.get(name, 0)) for name in ("inactive_file", "active_file"))
    return max(0, min(limit, limit - used + cached))


def _cpu() -> tuple[str, list[str]]:
    name = ""
    flags: set[str] = set()
    for line in _read("/proc/cpuinfo").splitlines():
        key, _, value = line.partition(":")
        key = key.strip()
        if key == "model name" and not name:
            name = value.strip()
        elif key in ("flags", "Features") and not flags:
            flags = set(value.split())
    if not name and platform.system() == "Darwin":
        name = _output("sysctl", "-n", "machdep.cpu.brand_string")
        flags = {
            feature.lower()
            for feature in ("BF16", "I8MM", "DotProd")
            if _output("sysctl", "-n", f"hw.optional.arm.FEAT_{feature}") == "1"
        }
    return name or platform.processor() or platform.machine(), [f for f in _FEATURES if f in flags]


def _cpu_capability() -> str:
    """Return the instruction set that torch's kernels use: the CPU's, unless ATEN_CPU_CAPABILITY or the build says
    less."""
    with contextlib.suppress(AttributeError, RuntimeError):
        return str(torch.backends.cpu.get_cpu_capability())
    return ""


def _kernels() -> list[str]:
    """Return the libraries that this build of torch computes with, with their versions where known."""
    found = []
    built = torch.__config__.show()
    for name in ("mkl", "mkldnn", "openmp", "nnpack", "kleidiai", "cusparselt", "cudnn"):
        backend = getattr(torch.backends, name, None)
        with contextlib.suppress(Exception):  # a part that is missing in this build
            if backend is None or not backend.is_available():
                continue
            version_ = str(backend.version() or "") if name in ("cudnn", "cusparselt") else ""
            if name == "mkldnn" and (match := re.search(r"MKL-DNN v([\d.]+)", built)):
                version_ = match.group(1)
            found.append(f"{name} {version_}".strip())
    return found


def _cpu_max_mhz() -> float | None:
    """Return the maximum clock from the frequency driver; None in most virtual machines."""
    with contextlib.suppress(Exception):  # psutil raises what the system does
        found = psutil.cpu_freq()
        return float(found.max) if found and found.max else None
    return None


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cgroups(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> list[Path]:
    """Return this process's control groups and their ancestors, whose limits all hold. Version 2 has one tree, version
    1 one per kind of limit. In a container the root is its own group."""
    found = {root: None, root / "cpu": None, root / "memory": None}
    for line in _read(str(own)).splitlines():
        _, kinds, path = line.split(":", 2) if line.count(":") >= 2 else ("", "", "/")
        for tree in [root / kind for kind in kinds.split(",")] if kinds else [root]:
            inner = tree / path.lstrip("/")
            while inner != tree and tree in inner.parents:
                found[inner] = None
                inner = inner.parent
    return list(found)


def _container_cpus(folders: list[Path] | None = None) -> float | None:
    """Return the CPUs that this process may use (cgroup v2, then v1), the least of all limits; None without a limit."""
    limits = []
    for folder in _cgroups() if folders is None else folders:
        quota, _, period = _read(str(folder / "cpu.max")).partition(" ")
        if not quota:
            quota, period = _read(str(folder / "cpu.cfs_quota_us")), _read(str(folder / "cpu.cfs_period_us"))
        limit, base = _number(quota), _number(period)
        if limit and base and limit > 0:
            limits.append(limit / base)
    return min(limits, default=None)


def _container_memory() -> int | None:
    return min((m for f in _cgroups() if (m := _memory_limit(f)) is not None), default=None)


def _memory_limit(folder: Path) -> int | None:
    limit = _first(folder, "memory.max", "memory.limit_in_bytes")
    # Version 1 writes a number near 2**63 for "no limit".
    return limit if limit is not None and limit < psutil.virtual_memory().total else None


def _first(folder: Path, *names: str) -> int | None:
    """Return the number in the first file that holds one."""
    return next((n for name in names if (n := _number(_read(str(folder / name)))) is not None), None)


def _versions() -> dict[str, str]:
    found = {}
    for name in _PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    with contextlib.suppress(PackageNotFoundError):
        found.setdefault("triton", version("triton-windows"))  # the same module, built for Windows
    return found


def _devices() -> list[Device]:
    if not cards.usable():
        return []
    found = []
    for index in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(index)
        uuid = str(getattr(properties, "uuid", ""))
        found.append(
            Device(
                name=properties.name,
                uuid=uuid,
                memory_bytes=properties.total_memory,
                capability=f"{properties.major}.{properties.minor}",
                driver=nvml.driver(),
                power_limit_w=nvml.power_limit_w(uuid),
                **nvml.clocks_mhz(uuid),
                **nvml.state(uuid),
            )
        )
    return found


def _unusable_card() -> str:
    if not torch.cuda.is_available():
        return ""
    reason = cards.unusable(torch.cuda.get_device_capability(0), torch.cuda.get_arch_list())
    return f"{torch.cuda.get_device_name(0)}: {reason}" if reason else ""


def _compiler() -> str:
    for name in (os.environ.get("CXX", ""), "g++", "clang++", "cl"):
        if name and (path := shutil.which(name)):
            return path
    return ""


def _git_commit() -> str:
    """Return the commit of Dyno's sources, with `-dirty` if they differ from it; empty for an installed copy."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return ""
    return _output("git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12")


def _output(*command: str) -> str:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, timeout=2, check=True, creationflags=NO_WINDOW)
        return done.stdout.strip()
    return ""


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _number(text: str) -> int | None:
    return int(text) if text.removeprefix("-").isdigit() else None
