"""Reads a graphics card, found by its UUID, through NVML. Every figure is None without NVML or if the card does not
report it."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterable
from typing import Any

import psutil

from core.base import formatting

_THROTTLE = {
    "SwPowerCap": "power cap", "HwSlowdown": "hardware slowdown", "SyncBoost": "sync boost",
    "SwThermalSlowdown": "thermal (software)", "HwThermalSlowdown": "thermal (hardware)",
    "HwPowerBrakeSlowdown": "power brake",
}  # fmt: skip


@functools.cache
def _nvml() -> Any:
    with contextlib.suppress(Exception):
        import pynvml

        pynvml.nvmlInit()
        return pynvml
    return None


@functools.cache
def _handle(uuid: str) -> Any:
    nvml = _nvml()
    if nvml is None:
        return None
    # torch writes the bare UUID, NVML wants its prefix: that of a card, or of a part of one.
    names = [uuid] if uuid.startswith(("GPU-", "MIG-")) else [f"GPU-{uuid}", f"MIG-{uuid}"]
    for name in names:
        with contextlib.suppress(nvml.NVMLError):
            return nvml.nvmlDeviceGetHandleByUUID(name.encode())
    return None


def driver() -> str:
    """Return the driver's version, or an empty string."""
    nvml = _nvml()
    if nvml is not None:
        with contextlib.suppress(nvml.NVMLError):
            found = nvml.nvmlSystemGetDriverVersion()
            return found.decode() if isinstance(found, bytes) else str(found)
    return ""


def power_limit_w(uuid: str) -> float | None:
    nvml, handle = _nvml(), _handle(uuid)
    if handle is not None:
        with contextlib.suppress(nvml.NVMLError):
            return nvml.nvmlDeviceGetEnforcedPowerLimit(handle) / 1000
    return None


def power_w(uuid: str) -> float | None:
    nvml, handle = _nvml(), _handle(uuid)
    if handle is not None:
        with contextlib.suppress(nvml.NVMLError):
            return nvml.nvmlDeviceGetPowerUsage(handle) / 1000
    return None


def energy_j(uuid: str) -> float | None:
    """Return the joules that the card has consumed since its driver was loaded; None before Volta."""
    nvml, handle = _nvml(), _handle(uuid)
    if handle is not None:
        with contextlib.suppress(nvml.NVMLError):
            return nvml.nvmlDeviceGetTotalEnergyConsumption(handle) / 1000
    return None


def used_bytes(uuid: str) -> int | None:
    """Return the bytes of the card's memory in use by all processes."""
    nvml, handle = _nvml(), _handle(uuid)
    if handle is not None:
        with contextlib.suppress(nvml.NVMLError):
            return int(nvml.nvmlDeviceGetMemoryInfo(handle).used)
    return None


def process_bytes(uuid: str, pid: int) -> int | None:
    """Return the bytes of the card's memory that a process holds."""
    nvml, handle = _nvml(), _handle(uuid)
    if handle is not None:
        with contextlib.suppress(nvml.NVMLError):
            for process in nvml.nvmlDeviceGetComputeRunningProcesses(handle):
                if process.pid == pid and process.usedGpuMemory is not None:
                    return int(process.usedGpuMemory)
    return None


def foreign(pids: Iterable[int], own: int, parent: int) -> int | None:
    """Return the number of processes on a card that are neither `own` nor another child of `parent` (an engine waiting
    for its turn). None if `own` is not listed: NVML then counts in another pid namespace."""
    found = set(pids)
    if own not in found:
        return None
    return sum(1 for pid in found - {own} if _parent_of(pid) != parent)


def _name_of(pid: int) -> str:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).name()
    return f"process {pid}"


def _parent_of(pid: int) -> int | None:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).ppid()
    return None


def clocks_mhz(uuid: str) -> dict[str, float]:
    """Return the clock fields of a `Device` in MHz: multiprocessors now and at most, and memory. Unreadable fields are
    absent."""
    nvml, handle = _nvml(), _handle(uuid)
    found: dict[str, float] = {}
    if handle is None:
        return found
    for name, read, kind in (
        ("clock_mhz", "nvmlDeviceGetClockInfo", "NVML_CLOCK_SM"),
        ("max_clock_mhz", "nvmlDeviceGetMaxClockInfo", "NVML_CLOCK_SM"),
        ("memory_clock_mhz", "nvmlDeviceGetClockInfo", "NVML_CLOCK_MEM"),
    ):
        with contextlib.suppress(nvml.NVMLError):
            found[name] = float(getattr(nvml, read)(handle, getattr(nvml, kind)))
    return found


def state(uuid: str) -> dict[str, Any]:
    """Return the fields of a `Device` about who else uses it, and its driver's settings. Unreadable fields are
    absent."""
    nvml, handle = _nvml(), _handle(uuid)
    found: dict[str, Any] = {}
    if handle is None:
        return found
    if (used := used_bytes(uuid)) is not None:
        found["used_bytes"] = used
    with contextlib.suppress(nvml.NVMLError):
        found["display"] = bool(nvml.nvmlDeviceGetDisplayActive(handle))
    with contextlib.suppress(nvml.NVMLError):
        found["power_limit_default_w"] = nvml.nvmlDeviceGetPowerManagementDefaultLimit(handle) / 1000
    if sys.platform == "win32":
        with contextlib.suppress(nvml.NVMLError):
            found["wddm"] = nvml.nvmlDeviceGetCurrentDriverModel(handle) == nvml.NVML_DRIVER_WDDM
        return found  # there, every program with a window is listed, without its memory
    with contextlib.suppress(nvml.NVMLError):
        listed = [
            *nvml.nvmlDeviceGetComputeRunningProcesses(handle),
            *nvml.nvmlDeviceGetGraphicsRunningProcesses(handle),
        ]
        held = {p.pid: p.usedGpuMemory or 0 for p in listed if p.pid != os.getpid()}
        found["holders"] = [
            f"{_name_of(pid)}, {formatting.size(count)}" if count else _name_of(pid)
            for pid, count in sorted(held.items(), key=lambda one: -one[1])
        ]
    return found


def sample(uuid: str) -> dict[str, Any]:
    """Return the card's fields of a `Sample` but those of `processes`. Unreadable fields are absent."""
    nvml, handle = _nvml(), _handle(uuid)
    if handle is None:
        return {}
    found: dict[str, Any] = {}
    if (watts := power_w(uuid)) is not None:
        found["power_w"] = watts
    with contextlib.suppress(nvml.NVMLError):
        found["clock_mhz"] = float(nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_SM))
    with contextlib.suppress(nvml.NVMLError):
        found["temperature_c"] = float(nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU))
    with contextlib.suppress(nvml.NVMLError):
        reasons = nvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle)
        found["throttle"] = [
            words
            for name, words in _THROTTLE.items()
            if reasons & (getattr(nvml, f"nvmlClocksThrottleReason{name}", 0) or 0)
        ]
    return found


def processes(uuid: str) -> dict[str, Any]:
    """Return the fields of a `Sample` about the processes on the card. Reading the list can take 20 ms."""
    nvml, handle = _nvml(), _handle(uuid)
    found: dict[str, Any] = {}
    if handle is None:
        return found
    with contextlib.suppress(nvml.NVMLError):
        listed = nvml.nvmlDeviceGetComputeRunningProcesses(handle)
        mine = [p for p in listed if p.pid == os.getpid()]
        # In a container NVML may count in another pid namespace: then nothing matches, and nothing is said.
        if mine and mine[0].usedGpuMemory is not None:
            found["device_process_bytes"] = int(mine[0].usedGpuMemory)
        # Windows lists every program with a window as a user of the card.
        others = foreign((p.pid for p in listed), os.getpid(), os.getppid()) if sys.platform != "win32" else None
        if others is not None:
            found["foreign_gpu_processes"] = others
    return found
