"""Measures memory bandwidth and multiplication rates: `python -m core.engine.machine.bandwidth` prints a `Machine` as
JSON. It runs in a process of its own, so that no engine's memory peak contains its arrays. Every figure is the best of
several repetitions: what can be reached, not what a busy machine leaves."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
import torch
from torch import Tensor, nn

from core.engine.machine.cpu import Snapshot
from core.machine.machine_roof import MachineRoof, RoofReading

MIB = 1 << 20
#: The largest array is at least this, and at least four times the last-level cache, eight times on a card.
_LEAST_TOP, _LEAST_TOP_OF_A_CARD = 256 * MIB, 2048 * MIB
REPEATS = 20  # readings in one launch on a card
_READING_S = 0.2  # of repetitions, for each reading
_PRODUCT_S = 0.06  # a product that takes less is made larger
_COLUMNS = 4096
_LOOK_S = 0.5  # seconds between two checks of the parent process


def measure(device: torch.device) -> MachineRoof:
    """Return the measured limits of one device; takes less than 10 s."""
    begin, before = time.perf_counter(), Snapshot.take()
    llc = last_level_cache(device)
    with torch.inference_mode():
        readings = [_reading(size, device) for size in _sizes(llc, device)]
        peaks = {name: flops for name, make in _products(device).items() if (flops := _peak(make, device)) is not None}
        small = _operation_s(device)
    usage = before.until(Snapshot.take())
    return MachineRoof(
        device=torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu",
        readings=readings,
        peaks=peaks,
        operation_s=small,
        llc_bytes=llc,
        threads=torch.get_num_threads(),
        foreign_cpu_pct=usage.foreign_pct,
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=time.perf_counter() - begin,
    )


def last_level_cache(device: torch.device, root: str = "/sys/devices/system/cpu") -> int | None:
    """Return the bytes of the last-level cache that this process's CPUs share (slices added up), or of the GPU's L2;
    None if the system does not tell."""
    if device.type == "cuda":
        return getattr(torch.cuda.get_device_properties(device), "L2_cache_size", None) or None
    mine = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    slices: dict[tuple[int, str], int] = {}
    for cpu in mine:
        for index in Path(root, f"cpu{cpu}", "cache").glob("index*"):
            with contextlib.suppress(OSError, ValueError):
                if (index / "type").read_text().strip() != "Instruction":
                    level = int((index / "level").read_text())
                    slices[(level, (index / "shared_cpu_list").read_text().strip())] = _size(index / "size")
    last = max((level for level, _ in slices), default=0)
    return sum(size for (level, _), size in slices.items() if level == last) or None


def _size(path: Path) -> int:
    """Return the bytes in a file such as `32768K`."""
    text = path.read_text().strip()
    unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:], 1)
    return int(text.rstrip("KMG")) * unit


def _sizes(llc: int | None, device: torch.device) -> list[int]:
    """Return array sizes in steps of four, up to one that no cache holds, as far as memory allows."""
    free = torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else psutil.virtual_memory().available
    least, times = (_LEAST_TOP_OF_A_CARD, 8) if device.type == "cuda" else (_LEAST_TOP, 4)
    top = min(max(least, times * (llc or 0)), free // 4)
    return [*(size for size in (MIB << shift for shift in range(0, 14, 2)) if size < top), top]


def _reading(size: int, device: torch.device) -> RoofReading:
    """Return the bandwidth of a sum over the array, and of a matrix-vector product: both read the array once and write
    almost nothing."""
    rows = max(1, size // (4 * _COLUMNS))
    array = torch.ones((rows, _COLUMNS), device=device)
    vector = torch.ones(_COLUMNS, device=device)
    real = array.numel() * array.element_size()
    sums = _best(_repeated(array.sum, device), device, _READING_S) / _repeats(device)
    products = _best(_repeated(lambda: torch.mv(array, vector), device), device, _READING_S) / _repeats(device)
    return RoofReading(bytes=real, sum=real / sums, gemv=real / products)


def _repeats(device: torch.device) -> int:
    """Return how often one timed reading reads the array."""
    return REPEATS if device.type == "cuda" else 1


def _repeated(work: Callable[[], Any], device: torch.device) -> Callable[[], Any]:
    """Return a function that does the work `_repeats` times. On a card the work is captured as one graph: on an idle
    stream, the first event fires at once, and some 10 µs until the kernel arrives would count as reading."""
    if device.type != "cuda":
        return work
    work()
    torch.cuda.synchronize(device)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(REPEATS):
            work()
    return graph.replay


def _best(work: Callable[[], Any], device: torch.device, seconds: float, least: int = 4) -> float:
    """Return the shortest of at least `least` repetitions in s, after two that do not count."""
    for _ in range(2):
        _timed(work, device)
    times: list[float] = []
    while len(times) < least or sum(times) < seconds:
        times.append(_timed(work, device))
        if len(times) >= 500:
            break
    return min(times)


def _timed(work: Callable[[], Any], device: torch.device) -> float:
    """Return the seconds of one call; on CUDA between two events of the stream."""
    if device.type == "cuda":
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        work()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 1000
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _products(device: torch.device) -> dict[str, Callable[[int], Callable[[], Tensor]]]:
    """Return, by data type, a function that prepares a product of two n×n matrices."""

    def plain(dtype: torch.dtype) -> Callable[[int], Callable[[], Tensor]]:
        def make(n: int) -> Callable[[], Tensor]:
            a, b = (torch.randn((n, n), device=device).to(dtype) for _ in range(2))
            return lambda: a @ b

        return make

    def int8(n: int) -> Callable[[], Tensor]:
        a, b = (torch.randint(-9, 9, (n, n), dtype=torch.int8, device=device) for _ in range(2))
        b = b.t().contiguous().t()
        return lambda: torch._int_mm(a, b)

    def fp8(n: int) -> Callable[[], Tensor]:
        a, b = (torch.randn((n, n), device=device).to(torch.float8_e4m3fn) for _ in range(2))
        one = torch.ones((), device=device)
        b = b.t().contiguous().t()
        return lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)

    def tf32(n: int) -> Callable[[], Tensor]:
        a, b = (torch.randn((n, n), device=device) for _ in range(2))

        def work() -> Tensor:
            torch.set_float32_matmul_precision("high")
            try:
                return a @ b
            finally:
                torch.set_float32_matmul_precision("highest")

        return work

    found = {"fp32": plain(torch.float32), "bf16": plain(torch.bfloat16), "int8": int8}
    if device.type == "cuda":
        found |= {"tf32": tf32, "fp16": plain(torch.float16), "fp8": fp8}
    return found


def _peak(make: Callable[[int], Callable[[], Tensor]], device: torch.device) -> float | None:
    """Return the FLOP/s (2·n³ per product) of the first size that takes long enough, or of the largest that fits
    memory; None if the data type has no product."""
    n, most, found = 256, 16384 if device.type == "cuda" else 4096, None
    try:
        while True:
            work = make(n)
            work()
            took = _timed(work, device)
            found = 2 * n**3 / took
            if took >= _PRODUCT_S or n >= most:
                return 2 * n**3 / min(took, _best(work, device, 2 * _PRODUCT_S, least=2))
            n *= 2
    except (RuntimeError, NotImplementedError, MemoryError):
        return found


class _Norm(nn.Module):
    """A few small operations called from Python, as models consist of."""

    operations = 6

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(64))

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def _operation_s(device: torch.device, repeat: int = 300) -> float:
    """Return the seconds of one small operation, Python included: the least time that each of a step's operations
    takes."""
    norm, x = _Norm().to(device), torch.ones((1, 64), device=device)

    def work() -> None:
        for _ in range(repeat):
            norm(x)
        if device.type == "cuda":
            torch.cuda.synchronize()

    times = []
    for _ in range(8):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times) / repeat / _Norm.operations


def _end_with(parent: int) -> None:
    """End this process with its parent: a killed engine cannot end it, and ten busy seconds would disturb the next
    measurement."""
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)


def main() -> None:
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    print(measure(torch.device("cuda" if torch.cuda.is_available() else "cpu")).model_dump_json())


if __name__ == "__main__":
    main()
