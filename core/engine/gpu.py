"""What NVML tells of a graphics card, found by its UUID. Knows nothing of torch. Without NVML, or where a card
does not tell, everything is None."""

from __future__ import annotations

import contextlib
import functools
import os
from typing import Any

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
    # torch writes the bare UUID, NVML wants its prefix.
    name = uuid if uuid.startswith(("GPU-", "MIG-")) else f"GPU-{uuid}"
    with contextlib.suppress(nvml.NVMLError):
        return nvml.nvmlDeviceGetHandleByUUID(name.encode())
    return None


def driver() -> str:
    """The driver's version, or an empty string."""
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


def sample(uuid: str) -> dict[str, Any]:
    """The card's fields of a `Sample`; a field that cannot be read is absent."""
    nvml, handle = _nvml(), _handle(uuid)
    if handle is None:
        return {}
    found: dict[str, Any] = {}
    with contextlib.suppress(nvml.NVMLError):
        found["power_w"] = nvml.nvmlDeviceGetPowerUsage(handle) / 1000
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
    with contextlib.suppress(nvml.NVMLError):
        mine = [p for p in nvml.nvmlDeviceGetComputeRunningProcesses(handle) if p.pid == os.getpid()]
        # In a container NVML may count in another pid namespace: then nothing matches, and nothing is said.
        if mine and mine[0].usedGpuMemory is not None:
            found["device_process_bytes"] = int(mine[0].usedGpuMemory)
    return found
