"""Measuring the machine: what is read of its caches, what a measurement holds, when it is kept."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch

from core.cli.main import main
from core.engine.machine import bandwidth
from core.engine.machine import roof_cache as machines
from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.run.run import Run
from tests.core.analysis.test_roofline import machine
from tests.process import fakes


@pytest.fixture(autouse=True)
def _nothing_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DYNO_MACHINE", raising=False)


CPU = torch.device("cpu")


def caches(root: Path, cpus: dict[int, list[tuple[str, int, str, str]]]) -> str:
    """A tree like /sys/devices/system/cpu: of each CPU, (type, level, size, CPUs that share it)."""
    for cpu, found in cpus.items():
        for index, values in enumerate(found):
            folder = root / f"cpu{cpu}" / "cache" / f"index{index}"
            folder.mkdir(parents=True)
            for name, value in zip(("type", "level", "size", "shared_cpu_list"), values, strict=True):
                (folder / name).write_text(f"{value}\n")
    return str(root)


def test_the_last_level_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 8}, raising=False)
    first = [("Data", 1, "32K", "0"), ("Instruction", 1, "32K", "0"), ("Unified", 3, "32768K", "0-7")]
    other = [("Data", 1, "32K", "8"), ("Unified", 3, "16M", "8-15")]
    root = caches(tmp_path, {0: first, 1: first, 8: other, 16: [("Unified", 3, "64M", "16-23")]})
    assert bandwidth.last_level_cache(CPU, root) == (32 << 20) + (16 << 20)  # two slices, each once; not our CPUs' none
    assert bandwidth.last_level_cache(CPU, str(tmp_path / "nowhere")) is None


def test_arrays_end_beyond_the_cache() -> None:
    sizes = bandwidth._sizes(256 << 20, CPU)
    assert sizes == sorted(sizes)
    assert sizes[0] == 1 << 20
    assert sizes[-1] == min(1 << 30, sizes[-1])
    assert bandwidth._sizes(None, CPU)[-1] <= 256 << 20


def test_a_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """On arrays of a few MiB, so that it takes a moment: figures are there, and of the right size."""
    monkeypatch.setattr(bandwidth, "_LEAST_TOP", 8 << 20)
    monkeypatch.setattr(bandwidth, "last_level_cache", lambda device: 1 << 20)
    monkeypatch.setattr(bandwidth, "_READING_S", 0.01)
    monkeypatch.setattr(bandwidth, "_PRODUCT_S", 0.001)
    found = bandwidth.measure(CPU)
    assert [r.bytes for r in found.readings] == [1 << 20, 4 << 20, 8 << 20]
    assert all(r.sum > 1e7 and r.gemv > 1e7 for r in found.readings)  # 10 MB/s: any machine
    assert found.peaks["fp32"] > 1e7
    assert found.operation_s is not None
    assert 1e-8 < found.operation_s < 1e-2
    assert MachineRoof.model_validate_json(found.model_dump_json()) == found


def test_a_product_that_there_is_not_is_not_measured() -> None:
    def make(n: int) -> Any:
        raise NotImplementedError

    assert bandwidth._peak(make, CPU) is None


def test_without_memory_for_a_larger_product_the_smaller_ones_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(n: int) -> Any:
        if n > 512:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return lambda: None

    monkeypatch.setattr(bandwidth, "_timed", lambda work, device: 0.001)
    assert bandwidth._peak(make, CPU) == 2 * 512**3 / 0.001


def test_a_measurement_is_kept_and_measured_again_when_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path))
    here, told = Environment(cpu="A"), []
    found = [machine(threads=n) for n in range(5)]
    monkeypatch.setattr(machines, "_measured", lambda: found.pop(0))
    first = machines.machine(here, False, lambda: told.append(1))
    assert machines.machine(here, False, lambda: told.append(1)) == first
    assert (first.threads, len(told)) == (0, 1)
    assert machines.machine(here, True).threads == 1
    assert machines.machine(here, False).threads == 1
    assert machines.machine(Environment(cpu="B"), False).threads == 2


def test_beside_a_busy_neighbour_the_better_one_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path))
    here = Environment(cpu="A")

    def busy(threads: int, speed: float) -> MachineRoof:
        readings = [r.model_copy(update={"gemv": speed, "sum": speed}) for r in machine().readings]
        return machine(threads=threads, readings=readings, foreign_cpu_pct=90.0)

    monkeypatch.setattr(machines, "_BUSY_FOR_S", -1.0)
    found = [busy(0, 5e9), busy(1, 3e9), busy(2, 9e9), machine(threads=3), busy(4, 1e9)]
    monkeypatch.setattr(machines, "_measured", lambda: found.pop(0))
    assert [machines.machine(here, False).threads for _ in range(5)] == [0, 0, 2, 3, 3]  # quiet: kept for good
    assert machines.machine(here, True).threads == 4  # as asked for, and not kept
    assert machines.machine(here, False).threads == 3


def test_a_busy_measurement_holds_for_a_while(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path))
    found = [machine(threads=n, foreign_cpu_pct=90.0) for n in range(2)]
    monkeypatch.setattr(machines, "_measured", lambda: found.pop(0))
    assert [machines.machine(Environment(cpu="A"), False).threads for _ in range(3)] == [0, 0, 0]


def test_figures_from_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "machine.json"
    monkeypatch.setenv("DYNO_MACHINE", str(path))
    with pytest.raises(machines.NotMeasured, match=r"machine\.json: cannot be read: No such file"):
        machines.machine(Environment(cpu="A"), False)
    path.write_text("{}")
    with pytest.raises(machines.NotMeasured, match="is not what `dyno env --measure --json` prints"):
        machines.machine(Environment(cpu="A"), False)
    path.write_text(machine(threads=7).model_dump_json())
    assert machines.machine(Environment(cpu="A"), False).threads == 7


def test_what_cannot_be_measured_gives_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path))

    def fails(*_: Any, **__: Any) -> Any:
        raise subprocess.CalledProcessError(1, "python", stderr=b"Traceback\nMemoryError: no room\n")

    monkeypatch.setattr(subprocess, "run", fails)
    with pytest.raises(machines.NotMeasured, match="MemoryError: no room"):
        machines.machine(Environment(cpu="A"), False)


def test_the_figures_and_the_advice_in_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`dyno env --measure`, a run that knows the machine before its first load, and `dyno advice`."""
    monkeypatch.setenv("DYNO_ENGINE", json.dumps([sys.executable, str(fakes.ENGINE)]))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))
    assert main(["env", "--measure"]) == 0
    said = capsys.readouterr().out
    assert "4000.0 GB/s" in said
    assert "10,000 GFLOP/s" in said.replace("\u2009", ",")  # GFLOP/s in fp32
    assert "1.00 µs" in said
    assert main(["env", "--measure", "--json"]) == 0
    assert MachineRoof.model_validate_json(capsys.readouterr().out).bandwidth == 4e12

    pool = fakes.pool()
    try:
        seen = list(Run(fakes.experiment(trials=4), pool, tmp_path / "run"))
    finally:
        pool.close()
    kinds = [e.event for e in seen]
    assert kinds.count("machine") == 1
    assert kinds.index("env") < kinds.index("machine") < kinds.index("loaded")
    assert main(["show", str(tmp_path / "run")]) == 0
    said = capsys.readouterr().out
    assert "a: MBU" in said
    assert "Kernel-bound: reading 269 MB" in " ".join(said.split())
    assert main(["advice", str(tmp_path / "run")]) == 0
    assert "1. The kernels themselves are slow at one token a step" in " ".join(capsys.readouterr().out.split())
    assert main(["advice", str(tmp_path / "run"), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)[0]
    assert (first["rule"], first["binds"]) == ("kernels", True)
    assert first["because"].startswith("reading accounts for")


def test_cancelling_ends_the_measurement_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real engine waits for a process that it started: both are gone at once."""
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))
    pool = EnginePool([sys.executable, "-m", "core.engine"])
    run = Run(fakes.experiment("a"), pool, tmp_path / "run")
    family: list[psutil.Process] = []
    began = 0.0
    for event in run:
        if isinstance(event, events.Progress) and "measuring" in event.detail:
            engine = psutil.Process(pool.processes()[0][1])
            deadline = time.monotonic() + 30
            while not (found := engine.children()) and time.monotonic() < deadline:
                time.sleep(0.01)
            family, began = [engine, *found], time.monotonic()
            run.cancel()
    assert isinstance(event, events.Finished)
    assert event.status == "cancelled"
    assert time.monotonic() - began < 1  # a promise to the user: ask, terminate and kill have fixed times
    assert len(family) == 2
    assert psutil.wait_procs(family, timeout=5)[1] == []
    pool.close()


def test_a_measurement_ends_with_whoever_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    parents = iter([7, 7, 1])  # the engine is killed, and init takes its place
    monkeypatch.setattr(bandwidth.os, "getppid", lambda: next(parents))
    monkeypatch.setattr(bandwidth, "_LOOK_S", 0)
    monkeypatch.setattr(bandwidth.os, "_exit", lambda code: (_ for _ in ()).throw(SystemExit(code)))
    with pytest.raises(SystemExit):
        bandwidth._end_with(7)
    assert list(parents) == []


@pytest.mark.gpu
def test_a_card_is_measured() -> None:
    card = torch.device("cuda")
    found = bandwidth.measure(card)
    assert found.device == torch.cuda.get_device_name(card)
    assert found.llc_bytes == torch.cuda.get_device_properties(card).L2_cache_size
    assert found.readings[-1].bytes >= 4 * (found.llc_bytes or 0)
    assert {"fp32", "tf32", "bf16", "fp16"} <= set(found.peaks)
    assert found.peaks["bf16"] > found.peaks["tf32"] > found.peaks["fp32"]
    assert torch.get_float32_matmul_precision() == "highest"
    assert found.operation_s is not None
