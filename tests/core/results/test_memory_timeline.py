"""Memory by name and phase, from events with known sizes to the row, the estimate's error and the terminal."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.analysis.compare import compare
from core.cli.main import main
from core.protocol import events
from core.report import table_export
from core.results.journal import Journal
from core.results.memory_timeline import STACK, timeline
from core.results.results import Results
from tests.core import build

GIB = 2**30
ESTIMATE = {"weights": 310, "kv_cache": 40, "activations": 50, "runtime": 600}


def sample(phase: str, **values: int) -> events.Sample:
    return events.Sample(variant="a", phase=phase, **values)  # type: ignore[arg-type]


def on_a_cpu() -> list[events.Event]:
    return [
        build.loaded("a", weights_bytes=300, estimate=ESTIMATE),
        sample("load", process_bytes=2000),
        sample("warmup", process_bytes=900, weights_bytes=300, kv_bytes=20, pss_bytes=850),
        sample("trial", process_bytes=1000, weights_bytes=300, kv_bytes=40),
        sample("idle", process_bytes=5000, pss_bytes=4000),
    ]  # fmt: skip


def on_a_gpu() -> list[events.Event]:
    return [
        build.loaded("a", device="cuda:0", weights_bytes=300,
                     estimate=ESTIMATE),
        sample("load", process_bytes=2000, allocated_bytes=900, reserved_bytes=1000, weights_bytes=300),
        sample("warmup", process_bytes=900, allocated_bytes=350, reserved_bytes=1000, weights_bytes=300, kv_bytes=20),
        sample("trial", process_bytes=1000, allocated_bytes=500, reserved_bytes=800, weights_bytes=300, kv_bytes=40),
    ]  # fmt: skip


def test_the_parts_of_a_process() -> None:
    found = timeline(on_a_cpu(), "a")
    assert found.stack == ("weights", "kv", "other")
    assert [p.phase for p in found.points] == ["load", "warmup", "trial", "idle"]
    assert found.points[2].bytes == {"weights": 300, "kv": 40, "other": 660, "process": 1000}
    # A sample without them: what was told last holds on.
    assert found.points[0].bytes == {"weights": 300, "other": 1700, "process": 2000}
    assert found.peak("process", "warmup", "trial") == 1000
    assert found.peak("process") == 5000
    assert found.peak("kv", "trial") == 40
    assert found.peak("allocated") is None
    for point in found.points:
        assert sum(point.bytes.get(name, 0) for name in found.stack) == point.bytes["process"]


def test_the_parts_of_a_card() -> None:
    found = timeline(on_a_gpu(), "a")
    assert found.stack == ("weights", "kv", "activations")
    assert found.points[2].bytes["activations"] == 500 - 300 - 40
    assert "other" not in found.points[2].bytes
    assert found.peaks["activations", "trial"] == 160
    assert found.peaks["reserved", "warmup"] == 1000


def test_weights_that_are_mapped_and_not_read_yet_make_nothing_negative() -> None:
    found = timeline([sample("load", process_bytes=100, weights_bytes=300)], "a")
    assert found.points[0].bytes == {"weights": 300, "other": 0, "process": 100}


def test_another_variant_is_another_timeline() -> None:
    assert timeline(on_a_cpu(), "b").points == []


def row(stream: list[events.Event]) -> object:
    results = Results("run")
    results.fold(build.started(["a"], 4))
    for event in stream:
        results.fold(event)
    return compare(results).variants[0]


def test_the_estimate_beside_the_measurement() -> None:
    cpu, gpu = row(on_a_cpu()), row(on_a_gpu())
    assert (cpu.estimate_bytes, cpu.estimate_error_pct) == (1000, 0.0)  # against the peak of the process
    assert gpu.estimate_bytes == 400  # Python and its libraries stay on the host
    assert gpu.estimate_error_pct == pytest.approx(-20)  # against the peak allocated
    assert (gpu.peak_reserved_bytes, gpu.peak_activation_bytes, gpu.peak_pss_bytes) == (1000, 160, None)
    assert (cpu.peak_reserved_bytes, cpu.peak_activation_bytes, cpu.peak_pss_bytes) == (None, None, 4000)
    bare = row([build.loaded("a")])
    assert (bare.estimate_bytes, bare.estimate_error_pct, bare.residue_bytes) == (None, None, None)


def test_the_residue_is_what_did_not_come_back() -> None:
    def left(held: int, returned: int) -> tuple[int | None, int | None]:
        ended = events.Unloaded(variant="a", held_bytes=held, returned_bytes=returned, noise_bytes=7)
        found = row([*on_a_cpu(), ended])
        return found.residue_bytes, found.residue_noise_bytes

    assert left(1000, 940) == (60, 7)
    assert left(1000, 1200) == (0, 7)


def energetic() -> Iterator[events.Event]:
    yield build.started(["a"], 2)
    yield build.loaded("a")
    yield from build.trial("a", 0, 10, tokens=10, energy={"cpu": 20.0, "dram": 5.0})
    yield from build.trial("a", 1, 10, tokens=10, energy={"cpu": 30.0, "dram": 5.0}, reused_tokens=5)
    yield events.Finished(status="ok", rounds=2)


def test_energy_of_a_trial_and_of_its_tokens(tmp_path: Path) -> None:
    results = Results("run")
    for event in energetic():
        results.fold(event)
    found = compare(results).variants[0]
    assert found.energy_j == pytest.approx(30)  # the median of 25 and 35
    assert found.j_per_token == pytest.approx(3)
    assert found.energy_source == "cpu + dram"
    # A short trial, in which the card's counter was not moved often enough: its sum would be of something else.
    results.fold(build.events.Phase(variant="a", phase="trial", round=2))
    for event in build.trial("a", 2, 10, tokens=10, energy={"cpu": 1.0}):
        results.fold(event)
    assert compare(results).variants[0].energy_j == found.energy_j
    silent = row([*build.trial("a", 0, 10)])
    assert (silent.energy_j, silent.j_per_token, silent.energy_source) == (None, None, "")


def test_peaks_in_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = Journal(tmp_path / "run")
    ended = events.Unloaded(variant="a", held_bytes=GIB, returned_bytes=GIB - 2**20, noise_bytes=2**19)
    stream = [build.started(["a", "b"], 4), *on_a_cpu(), ended, events.Finished(status="ok", rounds=0)]
    for event in stream:
        journal.write(event)
    journal.close()
    main(["show", str(tmp_path / "run"), "--memory", "--memory-csv", str(tmp_path / "memory.csv")])
    text = capsys.readouterr().out
    assert "weights" in text
    assert "trial" in text
    assert "+0.0 %" in text
    assert "left after its end: 1.00 MiB, noise 512 KiB" in text
    assert "no memory was read" in text  # of b
    rows = list(csv.DictReader((tmp_path / "memory.csv").open(encoding="utf-8")))
    assert list(rows[0]) == table_export.MEMORY_COLUMNS
    assert [r["phase"] for r in rows] == ["load", "warmup", "trial", "idle"]
    stacked = [sum(int(rows[2][f"{name}_bytes"]) for name in STACK["host"]), int(rows[2]["process_bytes"])]
    assert stacked == [1000, 1000]
    assert rows[2]["allocated_bytes"] == ""  # not available is empty, never 0
    assert [float(r["t_s"]) for r in rows] == sorted(float(r["t_s"]) for r in rows)


def test_a_run_without_samples_has_a_header(tmp_path: Path) -> None:
    results = Results("run")
    results.fold(build.started(["a"], 4))
    table_export.write_memory(results, tmp_path / "memory.csv")
    assert (tmp_path / "memory.csv").read_text().strip() == ",".join(table_export.MEMORY_COLUMNS)


def test_phases_are_bands_and_the_highest_reading_of_some_is_found() -> None:
    stream = [
        events.Phase(variant="a", phase="load", t_ns=0),
        build.loaded("a", weights_bytes=300),
        sample("load", process_bytes=5000, t_ns=5),
        events.Phase(variant="a", phase="trial", round=0, t_ns=10),
        sample("trial", process_bytes=900, t_ns=12),
        sample("trial", process_bytes=1100, t_ns=18),
        events.Phase(variant="a", phase="idle", t_ns=20),
        sample("idle", process_bytes=1000, t_ns=25),
    ]
    found = timeline(stream, "a")
    assert [(b.start_ns, b.end_ns, b.phase) for b in found.bands()] == [
        (0, 10, "load"), (10, 20, "trial"), (20, 25, "idle"),
    ]  # fmt: skip
    assert found.whole == "process"
    assert found.highest("warmup", "trial").t_ns == 18
    assert found.highest().t_ns == 5
    assert timeline(on_a_gpu(), "a").whole == "allocated"
    empty = timeline([], "a")
    assert (empty.bands(), empty.highest()) == ([], None)
