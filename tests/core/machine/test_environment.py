"""The environment: what differs between two, and that the probe reads this machine."""

from __future__ import annotations

import json

import pytest

from core.engine.machine.probe import _available, _cgroups, _container_cpus, _memory_limit, probe
from core.machine.environment import Device, Environment

CARD = Device(name="H200", uuid="GPU-1", memory_bytes=1, driver="580.1", power_limit_w=700.0)
HERE = Environment(
    cpu="x", cores=4, threads=4, versions={"torch": "2.13.0"}, kernels=["mkl", "mkldnn 3.12.0"], python="3.11.9"
)


def change(**fields) -> list[str]:
    return HERE.differences(HERE.model_copy(update=fields))


def test_what_changes_a_number_is_a_line() -> None:
    assert change() == []
    assert change(cpu="y") == ["cpu: x → y"]
    assert change(versions={"torch": "2.14.1"}) == ["torch: 2.13.0 → 2.14.1"]
    assert change(versions={"torch": "2.13.0", "triton": "3"}) == ["triton: none → 3"]
    assert change(kernels=["mkl"]) == ["kernels: mkl, mkldnn 3.12.0 → mkl"]
    assert change(container_cpus=1.5) == ["container_cpus: none → 1.5"]
    assert change(python="3.12.1") == ["python: 3.11 → 3.12"]


def test_what_does_not_change_one_is_none() -> None:
    assert (
        change(hostname="elsewhere", ram_available_bytes=1, git_commit="abc", swap_used_bytes=5, python="3.11.10") == []
    )


def test_devices_are_told_apart_by_uuid_and_settings() -> None:
    one = HERE.model_copy(update={"devices": [CARD]})

    def against(**fields) -> list[str]:
        return one.differences(HERE.model_copy(update={"devices": [CARD.model_copy(update=fields)]}))

    assert against() == []
    assert against(clock_mhz=900.0) == []  # of the moment
    assert against(power_limit_w=350.0) == ["H200 power_limit_w: 700.0 → 350.0"]
    assert against(driver="590.2") == ["H200 driver: 580.1 → 590.2"]
    assert "devices" in against(uuid="GPU-2")[0]
    assert "devices" in HERE.differences(one)[0]


def test_what_an_older_version_did_not_record_is_no_difference() -> None:
    old = HERE.model_copy(update={"kernels": [], "cpu_capability": ""})
    assert old.differences(HERE.model_copy(update={"cpu_capability": "AVX512"})) == []


def test_the_fingerprint_follows_the_differences() -> None:
    assert HERE.fingerprint == HERE.model_copy(update={"hostname": "b"}).fingerprint
    others = [
        {"cpu": "y"},
        {"threads": 2},
        {"versions": {}},
        {"devices": [CARD]},
        {"kernels": []},
        {"python": "3.12.1"},
    ]
    prints = {HERE.model_copy(update=o).fingerprint for o in others}
    assert len(prints) == len(others)
    assert HERE.fingerprint not in prints


def test_the_probe_reads_this_machine() -> None:
    found = probe()
    assert found.cpu
    assert found.cores >= 1
    assert found.ram_bytes > 0
    assert found.versions["torch"]
    assert found.versions["transformers"]
    assert found.cpu_capability
    assert any(k.startswith("mkldnn") or k == "openmp" for k in found.kernels)
    assert Environment.model_validate(json.loads(found.model_dump_json())) == found
    assert found.fingerprint == probe().fingerprint  # asking again changes nothing


def test_what_is_not_readable_is_printed_as_such(monkeypatch, capsys) -> None:
    from core.cli.main import main

    monkeypatch.setattr("core.cli.shared.environment", lambda: HERE.model_copy(update={"devices": [CARD]}))
    assert main(["env"]) == 0
    printed = dict(line.rsplit("  ", 1) for line in capsys.readouterr().out.splitlines() if "  " in line)
    shown = {name.strip(): value.strip() for name, value in printed.items()}
    assert shown["governor"] == "n/a"
    assert shown["kernels"] == "mkl, mkldnn 3.12.0"
    assert shown["device 0 power_limit_w"] == "700.0"
    assert shown["device 0 clock_mhz"] == "n/a"
    assert shown["fingerprint"] == HERE.model_copy(update={"devices": [CARD]}).fingerprint


def test_the_least_limit_of_all_groups_around_a_process_holds(tmp_path) -> None:
    root, own = tmp_path / "cgroup", tmp_path / "self"
    inner = root / "outer.slice" / "job.service"
    inner.mkdir(parents=True)
    own.write_text("0::/outer.slice/job.service\n")
    (root / "cpu.max").write_text("max 100000\n")
    (inner.parent / "cpu.max").write_text("150000 100000\n")
    (inner / "cpu.max").write_text("400000 100000\n")
    folders = _cgroups(root, own)
    assert {root, inner.parent, inner} <= set(folders)
    assert _container_cpus(folders) == 1.5
    (inner.parent / "cpu.max").write_text("max 100000\n")
    assert _container_cpus(folders) == 4.0
    (inner / "memory.max").write_text("1048576\n")
    assert _memory_limit(inner) == 1 << 20
    (inner / "memory.max").write_text("max\n")
    assert _memory_limit(inner) is None


V2 = {"memory.max": "6000", "memory.current": "5800"}
V1 = {"memory.limit_in_bytes": "6000", "memory.usage_in_bytes": "5800"}


@pytest.mark.parametrize(
    ("files", "stat", "left"),
    [
        (V2, "anon 100\ninactive_file 5000\nactive_file 600", 5800),
        (V2, "anon 5800\ninactive_file 0\nactive_file 0", 200),
        (V2, "", 200),
        ({**V2, "memory.max": "max"}, "inactive_file 5000", None),
        ({**V2, "memory.current": "100"}, "inactive_file 500\nactive_file x", 6000),  # never more than the limit
        (V1, "inactive_file 1\nactive_file 1\ntotal_inactive_file 5000\ntotal_active_file 600", 5800),
    ],
)
def test_pages_of_files_that_were_read_can_be_had(tmp_path, files, stat, left) -> None:
    for name, text in {**files, "memory.stat": stat}.items():
        (tmp_path / name).write_text(text + "\n")
    assert _available(tmp_path) == left


def test_version_1_has_a_tree_for_each_kind_of_limit(tmp_path) -> None:
    root, own = tmp_path / "cgroup", tmp_path / "self"
    (root / "cpu,cpuacct").mkdir(parents=True)
    group = root / "cpu" / "docker" / "abc"
    group.mkdir(parents=True)
    own.write_text("4:cpu,cpuacct:/docker/abc\n3:memory:/docker/abc\nnonsense\n")
    (group / "cpu.cfs_quota_us").write_text("200000\n")
    (group / "cpu.cfs_period_us").write_text("100000\n")
    assert _container_cpus(_cgroups(root, own)) == 2.0
    (group / "cpu.cfs_quota_us").write_text("-1\n")
    assert _container_cpus(_cgroups(root, own)) is None
    assert _container_cpus(_cgroups(tmp_path / "absent", tmp_path / "absent")) is None
