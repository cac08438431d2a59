"""The graphics cards that an engine can compute on, and the memory that a model takes on them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from core.machine import nvml

#: Of a card's memory: Windows' driver keeps some of it back.
SPILL = 0.97


def unusable(capability: tuple[int, int], built_for: Sequence[str]) -> str:
    """Return why a card of that compute capability has no kernels in this build of torch, or an empty string.
    `built_for` is `torch.cuda.get_arch_list()`. Binaries (sm_86) run on cards of the same generation with the same or a
    higher minor number, PTX (compute_90) on all later ones (CUDA C++ Programming Guide, binary and PTX
    compatibility)."""
    kinds = [m for name in built_for if (m := re.fullmatch(r"(sm|compute)_(\d+)(\d)[af]?", name))]
    if not kinds:
        return ""
    for kind in kinds:
        built = int(kind[2]), int(kind[3])
        if built <= capability and (kind[1] == "compute" or built[0] == capability[0]):
            return ""
    least = min((int(kind[2]), int(kind[3])) for kind in kinds)
    mine, needed = ".".join(map(str, capability)), ".".join(map(str, least))
    return f"this build of torch has no kernels for compute capability {mine}, only from {needed} on"


def usable() -> bool:
    """Return whether engines compute on a card: the first one that torch sees, if torch has kernels for it."""
    return torch.cuda.is_available() and not unusable(torch.cuda.get_device_capability(0), torch.cuda.get_arch_list())


def of_model(model: Any) -> list[int]:
    """Return the indices of the cards that hold a part of a model."""
    return sorted({t.device.index or 0 for t in [*model.parameters(), *model.buffers()] if t.device.type == "cuda"})


def uuid_of(index: int) -> str:
    """Return the UUID of a card, as NVML and the environment have it."""
    return str(getattr(torch.cuda.get_device_properties(index), "uuid", ""))


def memory(cards: Iterable[int], highest: bool) -> dict[str, int]:
    """Return the bytes that torch's allocator holds on these cards: the `highest` since the last call, or what it holds
    now. The next call counts from here."""
    found = {"allocated_bytes": 0, "reserved_bytes": 0}
    for card in cards:
        if highest:
            found["allocated_bytes"] += torch.cuda.max_memory_allocated(card)
            found["reserved_bytes"] += torch.cuda.max_memory_reserved(card)
        else:
            found["allocated_bytes"] += torch.cuda.memory_allocated(card)
            found["reserved_bytes"] += torch.cuda.memory_reserved(card)
        torch.cuda.reset_peak_memory_stats(card)
    return found


def sample(uuids: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a `Sample` over several cards but those of `processes`: their power together, the lowest
    clock, the highest temperature, all reasons of throttling. A figure that one card does not report is absent."""
    readings = [nvml.sample(uuid) for uuid in uuids]
    found = _together(readings, {"power_w": sum, "clock_mhz": min, "temperature_c": max})
    reasons = dict.fromkeys(reason for reading in readings for reason in reading.get("throttle", []))
    if any("throttle" in reading for reading in readings):
        found["throttle"] = list(reasons)
    return found


def processes(uuids: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a `Sample` about processes over several cards: this one's memory added up, and the most
    others on one card."""
    readings = [nvml.processes(uuid) for uuid in uuids]
    return _together(readings, {"device_process_bytes": sum, "foreign_gpu_processes": max})


def spilled(used: int, total: int) -> bool:
    """Return whether so much of a card's memory is in use that Windows' driver has begun to move the rest to the
    machine's memory instead of refusing it."""
    return sys.platform == "win32" and used > SPILL * total


def is_full(card: int) -> bool:
    """Return whether a card's memory has spilled."""
    free, total = torch.cuda.mem_get_info(card)
    return spilled(total - free, total)


def _together(readings: Sequence[dict[str, Any]], ways: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    found = {}
    for name, together in ways.items():
        values = [reading[name] for reading in readings if name in reading]
        if values and len(values) == len(readings):
            found[name] = together(values)
    return found
