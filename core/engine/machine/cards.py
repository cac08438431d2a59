"""The graphics cards that an engine can compute on, and the memory that a model takes on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import torch

from core.machine import nvml


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
    """Return the fields of a `Sample` over several cards: power, memory and other processes added up, the lowest clock,
    the highest temperature, all reasons of throttling. A figure that one card does not report is absent."""
    readings = [nvml.sample(uuid) for uuid in uuids]
    found: dict[str, Any] = {}
    for name, together in (
        ("power_w", sum), ("device_process_bytes", sum), ("foreign_gpu_processes", max), ("clock_mhz", min),
        ("temperature_c", max),
    ):  # fmt: skip
        values = [reading[name] for reading in readings if name in reading]
        if values and len(values) == len(readings):
            found[name] = together(values)
    reasons = dict.fromkeys(reason for reading in readings for reason in reading.get("throttle", []))
    if any("throttle" in reading for reading in readings):
        found["throttle"] = list(reasons)
    return found
