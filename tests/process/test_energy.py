"""Energy counters on a fake powercap tree: which domains count, wrap-around, permissions, and energy from power."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engine.machine import energy
from core.engine.machine.energy import LEAST_S, Energy, spent
from core.machine import nvml


def zone(root: Path, folder: str, name: str, uj: int, most: int = 1_000_000) -> Path:
    place = root / folder
    place.mkdir()
    (place / "name").write_text(f"{name}\n")
    (place / "max_energy_range_uj").write_text(f"{most}\n")
    (place / "energy_uj").write_text(f"{uj}\n")
    return place / "energy_uj"


def test_packages_and_their_memory_count_once(tmp_path: Path) -> None:
    first = zone(tmp_path, "intel-rapl:0", "package-0", 500_000)
    second = zone(tmp_path, "intel-rapl:1", "package-1", 0)
    core = zone(tmp_path, "intel-rapl:0:0", "core", 0)  # a part of the package
    dram = zone(tmp_path, "intel-rapl:0:1", "dram", 0)
    psys = zone(tmp_path, "intel-rapl:2", "psys", 0)  # contains it
    copy = zone(tmp_path, "intel-rapl-mmio:0", "package-0", 0)  # the same counter
    meter = Energy(tmp_path)
    assert meter.anything
    assert meter.read() == {"cpu": 0, "dram": 0}
    for file, uj in ((first, 700_000), (second, 50_000), (core, 900), (dram, 10_000), (psys, 900), (copy, 900)):
        file.write_text(f"{uj}\n")
    assert meter.read() == {"cpu": pytest.approx(0.25), "dram": pytest.approx(0.01)}


def test_a_counter_that_wraps(tmp_path: Path) -> None:
    file = zone(tmp_path, "intel-rapl:0", "package-0", 900_000)
    meter = Energy(tmp_path)
    before = meter.read()
    for uj, total in ((100_000, 0.2), (600_000, 0.7), (200_000, 1.3), (200_000, 1.3)):  # range: 1,000,000
        file.write_text(str(uj))
        assert meter.read()["cpu"] - before["cpu"] == pytest.approx(total)


def test_what_cannot_be_read_is_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Energy(tmp_path / "nowhere").read() == {}
    assert not Energy(tmp_path / "nowhere").anything
    zone(tmp_path, "intel-rapl:0", "package-0", 5)
    hidden = zone(tmp_path, "intel-rapl:1", "package-1", 5)
    zone(tmp_path, "intel-rapl:1:0", "dram", 5)
    own = Path.read_text

    def read_text(self: Path, *args: object, **kwargs: object) -> str:
        if self == hidden:
            raise PermissionError(13, "Permission denied")
        return own(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "read_text", read_text)  # root may read everything
    assert Energy(tmp_path).read() == {"dram": 0}  # one package of two would look like half the energy
    monkeypatch.undo()
    meter = Energy(tmp_path)
    assert set(meter.read()) == {"cpu", "dram"}
    hidden.unlink()  # taken away while it runs
    assert set(meter.read()) == {"dram"}
    (tmp_path / "intel-rapl:1:0" / "energy_uj").write_text("nonsense")
    assert meter.read() == {}


def test_a_span_with_too_few_updates_says_nothing() -> None:
    before, after = {"cpu": 1.0, "gpu": 10.0}, {"cpu": 3.0, "gpu": 40.0, "dram": 2.0}
    assert spent(before, after, 2.0) == {"cpu": 2.0, "gpu": 30.0}
    assert spent(before, after, 0.3) == {"cpu": 2.0}
    assert spent(before, after, 0.001) == {}
    assert spent({"cpu": 3.0}, {"cpu": 1.0}, 1.0) == {"cpu": 0.0}


def test_a_cards_own_counter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = [100.0]
    monkeypatch.setattr(nvml, "energy_j", lambda uuid: count[0])
    meter = Energy(tmp_path)
    meter.watch_gpus(["GPU-1"])
    count[0] = 130.0
    assert meter.read() == {"gpu": 30.0}


def test_without_a_counter_power_is_integrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, watts = [0.0], [100.0]
    monkeypatch.setattr(nvml, "energy_j", lambda uuid: None)
    monkeypatch.setattr(nvml, "power_w", lambda uuid: watts[0])
    monkeypatch.setattr(energy.time, "monotonic", lambda: now[0])
    meter = Energy(tmp_path)
    meter.watch_gpus(["GPU-1"])
    assert meter.read() == {"gpu": 0}
    now[0], watts[0] = 2.0, 300.0
    assert meter.read() == {"gpu": 400}  # 2 s at 200 W on average
    now[0], watts[0] = 3.0, 300.0
    assert meter.read() == {"gpu": 700}


@pytest.mark.gpu
def test_a_real_card_tells_its_energy() -> None:
    import torch

    uuid = str(torch.cuda.get_device_properties(0).uuid)
    meter = Energy()
    meter.watch_gpus([uuid])
    before = meter.read()
    a = torch.randn(4096, 4096, device="cuda")
    for _ in range(200):
        a = (a @ a).clamp(-1, 1)
    torch.cuda.synchronize()
    energy.time.sleep(0.5)
    took = spent(before, meter.read(), LEAST_S["gpu"])
    assert 1 < took["gpu"] < 5000
    assert nvml.processes(uuid).get("foreign_gpu_processes", 0) >= 0
