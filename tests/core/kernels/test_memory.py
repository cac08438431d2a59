"""Memory as the system counts it: what the allocator puts where, and peaks between two readings."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import torch

from core.engine.machine.energy import Energy
from core.engine.machine.sampler import Sampling, peak_bytes
from core.kernels.base import memory

MIB = 1 << 20

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")


def alone(check: Callable[[], None]) -> Callable[[], None]:
    """In a process of its own: one in which others have been has holes in its heap, and takes those first."""

    @functools.wraps(check)
    def test() -> None:
        ending = subprocess.run(
            [sys.executable, "-c", f"from {__name__} import {check.__name__} as t; t.__wrapped__()"],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert ending.returncode == 0, ending.stderr

    return test


def in_the_heap(tensor: torch.Tensor) -> bool:
    heap = [line for line in Path("/proc/self/maps").read_text().splitlines() if line.endswith("[heap]")]
    ends = [[int(end, 16) for end in line.split()[0].split("-")] for line in heap]
    return any(low <= tensor.data_ptr() < high for low, high in ends)


@alone
def test_weights_are_made_beside_the_heap_and_activations_in_it() -> None:
    with memory.apart():
        weight = torch.empty(2 * MIB, dtype=torch.uint8)
        assert not in_the_heap(weight)
    assert in_the_heap(torch.empty(2 * MIB, dtype=torch.uint8))


def hold(size: int) -> None:
    """Take so much, and give it back."""
    with memory.apart():
        torch.ones(size, dtype=torch.uint8)


@alone
def test_a_peak_between_two_readings_is_known_once() -> None:
    if peak_bytes() is None:
        return  # this kernel does not tell peaks
    hold(64 * MIB)
    now = psutil.Process().memory_info().rss
    assert (peak_bytes() or 0) > now + 48 * MIB
    assert (peak_bytes() or 0) < now + 16 * MIB


@alone
def test_a_peak_belongs_to_the_phase_that_it_was_in() -> None:
    if peak_bytes() is None:
        return  # this kernel does not tell peaks
    channel = SimpleNamespace(phase="load")
    sampling = Sampling(channel, Energy(Path("nowhere")))  # type: ignore[arg-type]
    sampling.sample()
    hold(64 * MIB)
    during = sampling.sample().process_bytes
    hold(64 * MIB)
    channel.phase = "warmup"
    after = sampling.sample().process_bytes
    assert during is not None
    assert after is not None
    assert during > after + 48 * MIB
    assert sampling.highest_bytes >= during
