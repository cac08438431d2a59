"""What is read from cards: which are usable, memory over several and by phase, and the flags of a trial on one."""

import os
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from core.base.out_of_memory import is_out_of_memory
from core.engine.base.failures import failure
from core.engine.machine import bandwidth, cards, probe
from core.engine.machine.cpu import Usage
from core.engine.machine.energy import Energy
from core.engine.machine.sampler import Sampling
from core.engine.serve import trial_flags
from core.machine import nvml
from core.machine.environment import Device, Environment
from core.protocol.events import Sample
from core.results.memory_timeline import Timeline
from core.spec.variant import Unsuitable
from core.strategies.kv_cache import StaticKvCache
from core.strategies.precision import default_precision
from tests.cuda.recorded_graph import recorded_graphs  # noqa: F401

CUDA_13 = ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120", "compute_120"]
GIB = 1 << 30


@pytest.mark.parametrize(
    ("capability", "usable"),
    [((6, 1), False), ((7, 0), False), ((7, 5), True), ((8, 9), True), ((12, 0), True), ((13, 0), True)],
)
def test_a_card_needs_kernels_of_its_generation(capability: tuple[int, int], usable: bool):
    reason = cards.unusable(capability, CUDA_13)
    assert (reason == "") == usable
    assert usable or f"compute capability {capability[0]}.{capability[1]}, only from 7.5 on" in reason


def test_a_card_without_kernels_leaves_the_cpu(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_arch_list", lambda: CUDA_13)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: (6, 1))
    assert not cards.usable()
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: (8, 6))
    assert cards.usable()


def test_the_default_precision_of_a_card_follows_its_generation():
    def of(capability: str) -> str:
        return default_precision(
            Environment(devices=[Device(name="x", uuid="1", memory_bytes=1, capability=capability)])
        )

    assert [of("7.5"), of("8.0"), of("9.0")] == ["fp16", "bf16", "bf16"]
    assert default_precision(Environment()) == "fp32"


class Allocator:
    """The figures of torch's allocator on two cards."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.highest = [0, 0], [0, 0]
        for name, read in (
            ("memory_allocated", lambda c: self.now[c]), ("memory_reserved", lambda c: self.now[c] + 1),
            ("max_memory_allocated", lambda c: self.highest[c]), ("max_memory_reserved", lambda c: self.highest[c] + 1),
            ("reset_peak_memory_stats", self._reset),
            ("get_device_properties", lambda c: SimpleNamespace(uuid=f"GPU-{c}")),
        ):  # fmt: skip
            monkeypatch.setattr(torch.cuda, name, read)

    def take(self, *sizes: int) -> None:
        self.now = list(sizes)
        self.highest = [max(pair) for pair in zip(self.highest, sizes, strict=True)]

    def _reset(self, card: int) -> None:
        self.highest[card] = self.now[card]


@pytest.fixture
def sampling(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A sampler of two cards, its channel, and the allocator."""
    sent: list[Sample] = []
    channel = SimpleNamespace(phase="load", send=sent.append, leaving=lambda: None)
    monkeypatch.setattr(nvml, "sample", lambda uuid: {"power_w": 100.0, "clock_mhz": 1500.0 + 100 * int(uuid[-1])})
    monkeypatch.setattr(nvml, "processes", lambda uuid: {"device_process_bytes": GIB})
    monkeypatch.setattr(nvml, "energy_j", lambda uuid: 50.0)
    allocator = Allocator(monkeypatch)
    made = Sampling(channel)
    made.watch_cards([0, 1])
    return made, channel, allocator, sent


def test_memory_and_power_are_those_of_all_cards(sampling: Any):
    made, _, allocator, sent = sampling
    allocator.take(3 * GIB, 2 * GIB)
    made.now()
    made.now()
    assert sent[-1].allocated_bytes == 5 * GIB
    assert sent[-1].power_w == 200
    assert sent[-1].device_process_bytes == 2 * GIB
    assert sent[-1].clock_mhz == 1500  # the slower card's


def test_the_list_of_processes_is_read_once_a_second(sampling: Any, monkeypatch: pytest.MonkeyPatch):
    made, _, _, sent = sampling
    made.now()
    monkeypatch.setattr(nvml, "processes", lambda uuid: pytest.fail("read again"))
    made.now()
    assert sent[-1].device_process_bytes == 2 * GIB


def test_a_card_is_compared_with_its_usual_clock_not_with_its_boost(sampling: Any):
    made, channel, _, _ = sampling
    for phase, mhz in (("warmup", 2500.0), ("trial", 2200.0), ("trial", 2210.0), ("trial", 2205.0)):
        channel.phase = phase
        made.recent.append(Sample(phase=phase, clock_mhz=mhz))
    assert made.usual_clock_mhz() == 2205
    assert trial_flags.of_the_clock([Sample(phase="trial", clock_mhz=2200.0)] * 5, made.usual_clock_mhz(), None) == []
    assert trial_flags.of_the_clock([Sample(phase="trial", clock_mhz=1500.0)] * 5, made.usual_clock_mhz(), None)


def test_memory_that_windows_moves_off_a_card_is_told(monkeypatch: pytest.MonkeyPatch, sampling: Any):
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda card: ((1 - card) * 4 * GIB, 8 * GIB))
    made, *_ = sampling
    assert not made.full_cards()  # another driver refuses instead
    monkeypatch.setattr(cards.sys, "platform", "win32")
    assert made.full_cards()


def test_a_cache_on_the_host_is_no_part_of_what_a_card_holds():
    timeline = Timeline()
    for host in (None, 2 * GIB):
        timeline.fold(
            Sample(phase="trial", allocated_bytes=6 * GIB, weights_bytes=5 * GIB, kv_bytes=2 * GIB, kv_host_bytes=host)
        )
    assert [point.bytes["activations"] for point in timeline.points] == [0, GIB]


def test_triton_for_windows_is_triton(monkeypatch: pytest.MonkeyPatch):
    def version(name: str) -> str:
        if name != "triton-windows":
            raise PackageNotFoundError(name)
        return "3.6.0"

    monkeypatch.setattr(probe, "version", version)
    assert probe._versions() == {"triton": "3.6.0"}


def test_a_peak_belongs_to_its_phase(sampling: Any):
    made, channel, allocator, sent = sampling
    made.now()
    allocator.take(16 * GIB, 0)
    allocator.take(6 * GIB, 0)
    channel.leaving()  # as the channel does before it enters the next phase
    channel.phase = "warmup"
    made.now()
    made.now()
    assert [(s.phase, (s.allocated_bytes or 0) // GIB) for s in sent] == [
        ("load", 0), ("load", 16), ("warmup", 6), ("warmup", 6),
    ]  # fmt: skip


def test_a_fault_of_a_driver_costs_samples_and_no_engine(sampling: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    made, _, _, _ = sampling
    turns = iter(range(4))

    def fails() -> None:
        raise RuntimeError("CUDA error: unspecified launch failure")

    def rest(_: float) -> None:
        if next(turns, None) is None:
            raise SystemExit

    monkeypatch.setattr(made, "now", fails)
    monkeypatch.setattr(made.pulse, "rest", rest)
    with pytest.raises(SystemExit):
        made._run()
    assert capsys.readouterr().err.count("launch failure") == 1


def test_energy_is_that_of_all_cards_or_of_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Any):
    counters: dict[str, float | None] = {"a": 10.0, "b": 20.0}
    monkeypatch.setattr(nvml, "energy_j", counters.get)
    monkeypatch.setattr(nvml, "power_w", lambda uuid: None)
    meter = Energy(tmp_path)
    meter.watch_gpus(["a", "b"])
    counters.update(a=13.0, b=25.0)
    assert meter.read() == {"gpu": 8}
    counters["b"] = None
    assert meter.read() == {}


@pytest.mark.parametrize(
    "text",
    [
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "cuDNN error: CUDNN_STATUS_ALLOC_FAILED",
        "NVML_SUCCESS == r INTERNAL ASSERT FAILED at CUDACachingAllocator.cpp",
        "CUDA error: out of memory",
    ],
)
def test_out_of_memory_has_many_disguises(text: str, monkeypatch: pytest.MonkeyPatch):
    assert is_out_of_memory(RuntimeError(text))
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda: 20 * 10**9)
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda: 22 * 10**9)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (10**9, 24 * 10**9))
    told = failure(RuntimeError(text), "loading the model")
    assert told.kind == "out_of_memory"
    assert "20.0 GB on the card" in told.message
    assert "1.0 of 24.0 GB are free there" in told.message


def test_memory_of_the_machine_is_told_in_its_own_figures():
    assert "free on this machine" in failure(MemoryError(), "loading").message


def test_a_desktop_around_a_card_is_no_disturbance():
    browser = Usage(foreign_pct=90.0)
    assert trial_flags.of_the_processor(browser) == ["foreign CPU 90 %"]
    assert trial_flags.of_the_processor(browser, cores=16) == []
    assert trial_flags.of_the_processor(Usage(foreign_pct=700.0), cores=16) == ["foreign CPU 700 %"]


def test_a_power_cap_is_told_where_it_lasts():
    def flags(*reasons: list[str]) -> list[str]:
        return trial_flags.of_the_clock([Sample(phase="trial", throttle=r) for r in reasons], 0, None)

    assert flags(["power cap"], [], []) == []
    assert flags(["power cap"], ["power cap"], []) == ["throttled: power cap"]
    assert flags(["thermal (hardware)"], [], []) == ["throttled: thermal (hardware)"]


def test_a_static_cache_and_the_flash_kernel_alone_are_refused_on_a_card(monkeypatch: pytest.MonkeyPatch):
    for name in ("math", "mem_efficient", "cudnn"):
        monkeypatch.setattr(torch.backends.cuda, f"{name}_sdp_enabled", lambda: False)
    with pytest.raises(Unsuitable, match="needs a mask"):
        StaticKvCache().decoder(None, SimpleNamespace(device=torch.device("cuda")))  # type: ignore[arg-type]


@pytest.mark.usefixtures("recorded_graphs")
def test_bandwidth_is_read_many_times_in_one_launch(monkeypatch: pytest.MonkeyPatch):
    """On an idle stream the time until a kernel arrives would count as reading."""
    monkeypatch.setattr(torch.cuda, "synchronize", lambda _: None)
    array, card = torch.ones(8), torch.device("cuda")
    replay = bandwidth._repeated(array.sum, card)
    graph = replay.__self__  # type: ignore[attr-defined]
    assert [func.name() for func, *_ in graph.tape] == ["aten::sum"] * bandwidth.REPEATS
    assert bandwidth._repeats(card) == bandwidth.REPEATS
    assert bandwidth._repeated(array.sum, torch.device("cpu")) == array.sum


def test_the_largest_array_of_a_card_is_beyond_its_cache(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (40 * GIB, 80 * GIB))
    assert bandwidth._sizes(50 << 20, torch.device("cuda"))[-1] == 2 * GIB
    assert bandwidth._sizes(GIB, torch.device("cuda"))[-1] == 8 * GIB


class FakeNvml:
    """A driver with one card, used by this process, another one and a desktop."""

    NVMLError = RuntimeError
    NVML_DRIVER_WDDM = 0

    def __getattr__(self, name: str) -> Any:
        if name == "nvmlDeviceGetMemoryInfo":
            return lambda handle: SimpleNamespace(used=3 * GIB)
        if name == "nvmlDeviceGetComputeRunningProcesses":
            return lambda handle: [
                SimpleNamespace(pid=os.getpid(), usedGpuMemory=GIB), SimpleNamespace(pid=1, usedGpuMemory=2 * GIB),
            ]  # fmt: skip
        if name == "nvmlDeviceGetGraphicsRunningProcesses":
            return lambda handle: [SimpleNamespace(pid=10**9, usedGpuMemory=None)]
        if name == "nvmlDeviceGetDisplayActive":
            return lambda handle: 1
        if name == "nvmlDeviceGetCurrentDriverModel":
            return lambda handle: 0

        def unreadable(*_: Any) -> None:
            raise RuntimeError("not supported")

        return unreadable


def test_who_uses_a_card_is_read_as_far_as_the_driver_tells(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(nvml, "_nvml", FakeNvml)
    monkeypatch.setattr(nvml, "_handle", lambda uuid: "card")
    monkeypatch.setattr(nvml, "_name_of", lambda pid: {1: "python"}.get(pid, f"process {pid}"))
    found = nvml.state("u")
    assert found == {
        "used_bytes": 3 * GIB, "display": True, "holders": ["python, 2.00 GiB", "process 1000000000"],
    }  # fmt: skip
    monkeypatch.setattr(nvml.sys, "platform", "win32")
    assert nvml.state("u") == {"used_bytes": 3 * GIB, "display": True, "wddm": True}
