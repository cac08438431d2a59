"""Giving memory back that a transform no longer needs. Knows the allocator and mapped files; knows no strategy.

Why: a transform frees thousands of tensors between those that stay, and glibc keeps what it cannot cut off at the
end of its heap. Measured on the demo model: int8 weights of 182 MiB in a process of 1,320 MiB, 620 MiB once trimmed.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

_MAPS = Path("/proc/self/maps")


def give_back() -> None:
    """Return freed memory to the system; a matter of milliseconds. Does nothing where the C library cannot."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def unmap(model: Any) -> int:
    """Copy what is still mapped from a weights file, so that the file is let go: as long as one tensor is mapped,
    all pages of the file that were ever read count as this process's. How many tensors that were."""
    try:
        lines = _MAPS.read_text().splitlines()
    except OSError:
        return 0
    ranges = [tuple(int(end, 16) for end in line.split()[0].split("-")) for line in lines if ".safetensors" in line]
    found = [
        tensor
        for tensor in [*model.parameters(), *model.buffers()]
        if any(low <= tensor.data_ptr() < high for low, high in ranges)
    ]
    for tensor in found:
        tensor.data = tensor.data.clone()
    return len(found)
