"""What the end of a process gives back, measured on real ones."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from core.analysis.compare import compare
from core.machine.environment import Environment
from core.protocol import events
from core.results.results import Results
from core.run import unload_residue
from core.run.run import Run
from tests.process.fakes import experiment, pool

SIZE = 200 << 20
HOLDS = f"x = bytearray({SIZE}); x[::4096] = b'1' * len(x[::4096]); print('ready', flush=True); input()"


def holding() -> subprocess.Popen[bytes]:
    child = subprocess.Popen([sys.executable, "-c", HOLDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    return child


def test_all_comes_back_when_a_process_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine whose free memory only this process moves: others would move the real one, too."""
    child = holding()
    monkeypatch.setattr(unload_residue, "_free_bytes", lambda: 2**40 - (unload_residue.private_bytes(child.pid) or 0))

    def end() -> None:
        child.kill()
        child.wait()

    found = unload_residue.measure(child.pid, "", end)
    assert found is not None
    assert found.on == "host"
    assert SIZE <= found.held_bytes < SIZE + (64 << 20)
    assert found.returned_bytes == pytest.approx(found.held_bytes, rel=0.01)
    assert found.noise_bytes < 1 << 20
    assert unload_residue.private_bytes(child.pid) is None


def test_what_does_not_end_has_returned_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unload_residue, "SETTLED_S", 0.1)
    monkeypatch.setattr(unload_residue, "_free_bytes", lambda: 10**9)
    child = holding()
    try:
        found = unload_residue.measure(child.pid, "", lambda: None)
    finally:
        child.kill()
        child.wait()
    assert found is not None
    assert (found.returned_bytes, found.noise_bytes) == (0, 0)
    assert found.held_bytes >= SIZE


def test_private_memory_is_the_anonymous_part(tmp_path: Path) -> None:
    own = tmp_path / str(os.getpid())
    own.mkdir()
    (own / "status").write_text("VmRSS:\t  900 kB\nRssAnon:\t  300 kB\nRssFile:\t  600 kB\n")
    found = unload_residue.private_bytes(os.getpid(), tmp_path)
    assert found is not None
    assert found >= 300 * 1024


def test_nothing_is_known_of_another_host_or_a_card_that_does_not_tell() -> None:
    assert unload_residue.on_this_machine(Environment(hostname=socket.gethostname()))
    assert not unload_residue.on_this_machine(Environment(hostname="elsewhere"))
    assert not unload_residue.on_this_machine(None)
    assert unload_residue.measure(os.getpid(), "GPU-none", lambda: None) is None


def test_a_run_that_ends_its_engines_says_what_came_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNO_DATA", str(tmp_path))
    monkeypatch.setattr(unload_residue, "SETTLED_S", 0.1)
    monkeypatch.setattr(unload_residue, "on_this_machine", lambda environment: environment is not None)
    engines = pool()
    run = Run(experiment("a", "b", trials=1), engines, unload=True)
    results = Results("run")
    seen = []
    for event in run:
        results.fold(event)
        seen.append(event)
    assert isinstance(seen[-1], events.Finished)
    assert [e.variant for e in seen if isinstance(e, events.Unloaded)] == ["a", "b"]
    assert engines.processes() == []
    for row in compare(results).variants:
        assert row.status == "ok"
        assert row.residue_bytes is not None
        assert row.residue_noise_bytes is not None
    engines.close()


def test_engines_that_stay_warm_have_no_residue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNO_DATA", str(tmp_path))
    monkeypatch.setattr(unload_residue, "on_this_machine", lambda environment: environment is not None)
    engines = pool()
    try:
        assert not [e for e in Run(experiment("a", trials=1), engines) if isinstance(e, events.Unloaded)]
        assert len(engines.processes()) == 1
    finally:
        engines.close()
