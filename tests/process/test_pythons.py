"""Which Python and which command an engine is started with; no model, no torch."""

import os
import queue
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.protocol import commands, events, python_finder
from core.protocol.engine_command import ENGINE, split_command
from core.protocol.engine_pool import EnginePool
from core.protocol.engine_process import Engine, EngineError
from core.run.run import Run
from tests.process.fakes import experiment

ROOT = Path(__file__).parents[2]
GOOD, NO_TORCH, OLD, BROKEN = "echo 3 12", "echo 3 12 torch psutil", "echo 3 9", "exit 1"


@pytest.fixture
def standalone(tmp_path, monkeypatch):
    """As in a standalone build that was started in an empty folder, with nothing on the PATH."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", "/opt/dyno/_internal", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("DYNO_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("DYNO_ENGINE", raising=False)
    python_finder.find.cache_clear()
    yield tmp_path
    python_finder.find.cache_clear()


def a_python(path, answer):
    """An executable that answers the question as a Python of that kind would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{answer}\n")
    path.chmod(0o755)
    return str(path)


# -- finding one -------------------------------------------------------------------------------------------
def test_the_folders_own_environment_comes_before_the_path(standalone):
    nearby = a_python(standalone / ".venv" / "bin" / "python", GOOD)
    a_python(standalone / "path" / "python3", GOOD)
    assert python_finder.find() == nearby
    assert EnginePool().engine_command() == (nearby, *ENGINE)


@pytest.mark.parametrize("answer", [NO_TORCH, OLD, BROKEN])
def test_one_that_cannot_run_an_engine_is_passed_over(standalone, answer):
    a_python(standalone / ".venv" / "bin" / "python", answer)
    good = a_python(standalone / "path" / "python3", GOOD)
    assert python_finder.find() == good


def test_when_none_fits_the_error_says_what_was_tried(standalone, monkeypatch):
    monkeypatch.setattr(python_finder, "PATIENCE_S", 0.2)
    with pytest.raises(EngineError, match=r"no Python with torch .*no \.venv in this folder and no python3"):
        EnginePool().environment()
    nearby = a_python(standalone / ".venv" / "bin" / "python", NO_TORCH)
    found = a_python(standalone / "path" / "python3", OLD)
    with pytest.raises(LookupError) as caught:
        python_finder.find()
    assert str(caught.value) == f"{nearby} lacks torch, psutil; {found} is Python 3.9, and 3.11 is needed"
    a_python(standalone / "path" / "python3", "exec /bin/sleep 5")
    with pytest.raises(LookupError, match="does not answer"):
        python_finder.find()
    a_python(standalone / "path" / "python3", GOOD)  # installed meanwhile: no restart is needed
    assert python_finder.find() == found


def test_a_run_without_a_python_fails_with_the_way_out(standalone):
    rows = []
    for event in Run(experiment("a"), EnginePool()):
        rows += [event] if isinstance(event, events.Failed) else []
    assert "no Python with torch" in rows[0].message
    assert "engine command" in rows[0].hint


def test_this_python_can_run_an_engine():
    assert python_finder._fault(sys.executable) == ""


def test_a_folder_named_torch_is_not_torch(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(python_finder, "NEEDED", ("nosuchpackage",))
    (tmp_path / "nosuchpackage").mkdir()
    assert python_finder._fault(sys.executable) == "lacks nosuchpackage"


# -- what it is started with -------------------------------------------------------------------------------
def test_another_program_sees_nothing_of_the_standalone_build(standalone):
    inside = "/opt/dyno/_internal"
    environ = {
        "LD_LIBRARY_PATH": f"{inside}:/usr/local/lib", "LD_LIBRARY_PATH_ORIG": "/usr/local/lib",
        "QT_PLUGIN_PATH": f"{inside}/plugins", "_PYI_ARCHIVE_FILE": "/opt/dyno/dyno", "PATH": "/usr/bin:/bin",
    }  # fmt: skip
    assert python_finder.outer_environment(environ) == {"LD_LIBRARY_PATH": "/usr/local/lib", "PATH": "/usr/bin:/bin"}


def test_a_setting_comes_before_the_variable_and_that_before_this_python(monkeypatch):
    monkeypatch.delenv("DYNO_ENGINE", raising=False)
    assert EnginePool().command == (sys.executable, *ENGINE)
    monkeypatch.setenv("DYNO_ENGINE", "ssh box 'my python' -m core.engine")
    assert EnginePool().command == ("ssh", "box", "my python", "-m", "core.engine")
    assert EnginePool(["other"]).command == ("other",)


def test_a_lone_python_is_told_what_to_run():
    assert EnginePool(["/opt/torch/bin/python3.12"]).command == ("/opt/torch/bin/python3.12", *ENGINE)
    assert EnginePool(["python-in-a-box"]).command == ("python-in-a-box",)


def test_commands_are_words_or_json():
    assert split_command('["a b", "c"]') == ("a b", "c")
    assert split_command("a 'b c'") == ("a", "b c")
    assert split_command("'never closed") == ("'never closed",)
    assert split_command("[nor this") == ("[nor this",)


def test_a_folder_named_core_is_not_taken_for_dyno(tmp_path, monkeypatch):
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").write_text("raise SystemExit('the wrong core')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))
    elsewhere = tmp_path / "python"  # not this interpreter's own name, so it is given a zip
    elsewhere.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    elsewhere.chmod(0o755)
    for python in (sys.executable, str(elsewhere)):
        pool, inbox = EnginePool([python]), queue.SimpleQueue()
        engine, _ = pool.obtain("", inbox)
        engine.send(commands.HelloCommand())
        seen = []
        while not seen or not isinstance(seen[-1], events.Done):
            seen.append(inbox.get(timeout=60)[1])
            assert isinstance(seen[-1], events.Event), seen[-1]
        assert any(isinstance(e, events.Hello) for e in seen)
        pool.close()
    assert len(list((tmp_path / "cache").glob("core-*.zip"))) == 1


def test_an_engine_has_the_sources_of_the_one_who_asks(tmp_path):
    """A second checkout, run by an environment in which the first one is installed."""
    shutil.copytree(ROOT / "core", tmp_path / "core", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "core" / "__init__.py").write_text('__version__ = "the second"')
    ask = (
        "import queue; from core.protocol import commands, engine_pool\n"
        "inbox = queue.SimpleQueue()\n"
        "engine, _ = engine_pool.EnginePool().obtain('', inbox)\n"
        "engine.send(commands.HelloCommand())\n"
        "print(inbox.get(timeout=60)[1], inbox.get(timeout=60)[1])\n"
        "engine.stop()"
    )
    environ = {k: v for k, v in os.environ.items() if k != "DYNO_ENGINE"}
    done = subprocess.run(
        [sys.executable, "-c", ask], cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=120, check=True
    )
    assert "dyno_version='the second'" in done.stdout, done.stdout


def test_an_engine_that_ends_before_anyone_listens_is_not_waited_for(monkeypatch):
    start = Engine.__init__

    def start_and_see_it_end(self, command):
        start(self, command)
        for thread in threading.enumerate():
            if thread.name == f"engine {self.pid}":
                thread.join(10)

    monkeypatch.setattr(Engine, "__init__", start_and_see_it_end)
    with pytest.raises(EngineError, match=r"ended before it answered \(exit 0\)"):
        EnginePool(["true"]).environment(timeout_s=5)
