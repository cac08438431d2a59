"""A life with the window, over an engine without a model: two models, edits, a run that is cancelled, a window that is
killed in a run, the next start, going on, opening again, a verification beside one's own variants, another language."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.base.language import language
from app.session.session import Session
from app.settings.settings import Settings
from app.shell.main_window import MainWindow
from app.shell.window_switcher import WindowSwitcher
from core.base.folders import data_folder
from core.model.finder import resolve
from core.model.source import ModelSource
from core.presets import preset, preset_library
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.spec import experiment as spec
from tests.app.conftest import engine_command, experiment, light

pytestmark = pytest.mark.demo
LONG = 60_000


@pytest.fixture
def second(tmp_path):
    """Another model."""
    path = tmp_path / "second.gguf"
    path.symlink_to(resolve(ModelSource()).path)
    return ModelSource(source=str(path))


class Life:
    """Windows, one after the other, over the same folders."""

    def __init__(self, qtbot) -> None:
        self.qtbot, self.settings = qtbot, Settings()
        self.desk = self.start()

    def start(self, *arguments: str) -> WindowSwitcher:
        settings = self.settings
        settings.save()  # and read what another process has written
        session = Session(EnginePool(engine_command(*(arguments or ("normal", "--pace", "3")))))
        session.restore(settings.experiment(), settings.excluded(), settings.letters())
        self.desk = WindowSwitcher(MainWindow, session, settings)
        with self.qtbot.waitExposed(self.desk.window):
            self.desk.window.show()
        self.qtbot.waitUntil(lambda: session.environment is not None, timeout=LONG)
        return self.desk

    @property
    def window(self) -> MainWindow:
        return self.desk.window

    @property
    def session(self) -> Session:
        return self.desk.session

    def end(self) -> None:
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.processEvents()

    def measure(self) -> None:
        with self.qtbot.waitSignal(self.session.run_finished, timeout=LONG):
            self.session.run()

    def letters(self) -> dict[str, int]:
        results = self.session.results
        return {name: self.session.index_of(name) for name in results.variants} if results is not None else {}


@pytest.fixture
def life(qapp, qtbot):
    light(qapp)
    life = Life(qtbot)
    yield life
    language.apply(qapp, "en")
    life.end()
    life.session.close()


def killed_in_a_run(asked: spec.Experiment, folder: Path, rounds: int) -> None:
    """Have a window measure, and kill it after so many rounds."""
    path = folder / "asked.toml"
    path.write_text(spec.to_toml(asked))
    command = [sys.executable, "-m", "tests.app.killed_window", str(path)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3], env=os.environ)
    assert child.stdout is not None
    for line in child.stdout:
        if line.strip() == f"round {rounds}":
            child.kill()
            break
    child.wait()


def test_a_life(life, second, tmp_path, monkeypatch):
    session, bar = life.session, life.window.centre.whose
    # two models
    session.open_experiment(experiment("baseline", "int8", "int4"))
    life.measure()
    first, worn = session.results, life.letters()
    session.open_model(second)
    assert session.results is None
    assert not life.window.centre.export.isEnabled()
    assert "second.gguf" in bar.text.text()
    life.measure()
    assert session.results.experiment.model == second
    session.undo()
    assert session.results is first
    assert life.letters() == worn
    # an edit, and its results hatched until the next run
    variant = session.variant("int8")
    session.edit_variant("int8", variant.model_copy(update={"quantization": None}))
    assert session.edited == ["int8"]
    assert life.window.centre.export.isEnabled()  # they are what was measured
    session.undo()
    # a run that is cancelled at once leaves what was there
    with life.qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.run()
        life.qtbot.waitUntil(lambda: session.results is not first, timeout=LONG)
        session.cancel()
    assert session.results is first
    # variants come and go, and nobody's letter changes
    kept = [v for v in session.experiment.variants if v.name != "int8"]
    session.edit(session.experiment.model_copy(update={"variants": tuple(kept)}))
    life.measure()
    shorter = session.results_folder
    assert life.letters() == {"baseline": 0, "int4": worn["int4"]}
    session.open_results(session.former[0].folder)
    session.open_results(shorter)
    assert life.letters() == {"baseline": 0, "int4": worn["int4"]}
    # a preset is verified beside one's own variants
    path = preset_library.save(preset.from_results(session.results, "int4"))
    draft = experiment("baseline", "mine", trials=4)
    session.edit(draft)
    life.measure()
    mine = session.results
    with life.qtbot.waitSignal(session.run_finished, timeout=LONG):
        life.window.doing.presets.work.verify(path, preset.load(path))
        life.qtbot.waitUntil(lambda: session.guest != "", timeout=LONG)
        assert "int4" in bar.text.text()
    assert session.experiment.variants == draft.variants
    assert preset.load(path).history
    assert life.letters() == {"baseline": 0, "int4": worn["int4"]}
    bar.ways[0].click()
    assert session.results is mine
    life.end()
    session.close()
    # killed in a run, and its variants swept away with it
    asked = experiment("baseline", "swept 1", "swept 2", trials=5)
    killed_in_a_run(asked, tmp_path, rounds=2)
    life.start()
    session, told = life.session, life.window.interrupted
    life.qtbot.waitUntil(lambda: told.isVisible(), timeout=LONG)
    assert "after round 2 of 5" in told.text.text()
    assert [v.name for v in session.experiment.variants] == ["baseline", "swept 1", "swept 2"]
    assert session.results.interrupted
    assert told.open.isHidden()  # it is what is on screen
    assert str(session.results_folder) in life.settings.recent()
    worn = life.letters()
    with life.qtbot.waitSignal(session.run_finished, timeout=LONG):
        told.go_on.click()
    assert told.isHidden()
    assert session.results.finished.status == "ok"
    assert session.results.rounds_done == 5
    assert life.letters() == worn
    # another language, and the next start says nothing of what was dealt with
    life.settings.language = "zh_CN"
    life.desk.switch()
    assert life.session.results.rounds_done == 5
    assert life.letters() == worn
    life.end()
    session.close()
    life.start()
    life.qtbot.waitUntil(lambda: life.window.interrupted._thread.isFinished(), timeout=LONG)
    assert not life.window.interrupted.runs
    assert life.session.results.rounds_done == 5
    assert life.letters() == worn


def test_a_run_of_another_window_is_not_interrupted_and_several_are_told_one_by_one(life, tmp_path):
    session = life.session
    life.end()
    session.close()
    for name in ("one", "two"):
        killed_in_a_run(experiment("baseline", name, trials=50), tmp_path, rounds=1)
    path = tmp_path / "asked.toml"
    path.write_text(spec.to_toml(experiment("baseline", "alive", trials=500)))
    command = [sys.executable, "-m", "tests.app.killed_window", str(path)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3], env=os.environ)
    try:
        assert child.stdout is not None
        next(line for line in child.stdout if line.startswith("round"))
        life.start()
        session, told = life.session, life.window.interrupted
        life.qtbot.waitUntil(lambda: told.isVisible(), timeout=LONG)
        assert [run.variants for run in told.runs] == [2, 2]
        assert "And 1 more." in told.text.text()
        assert session.results is None  # the run that goes on elsewhere is not brought as if it were over
        told.open.click()
        assert session.results.interrupted
        assert "two" in session.results.variants
        told.dismiss.click()
        assert told.isHidden()
    finally:
        child.kill()
        child.wait()


def test_nothing_is_told_of_runs_that_ended(life):
    session = life.session
    session.open_experiment(experiment("baseline", "int8"))
    life.measure()
    assert isinstance(session.results.finished, events.Finished)
    folder = data_folder() / "runs"
    assert [p.name for p in folder.iterdir()] == [session.results_folder.name]
    life.window.interrupted.look()
    life.qtbot.waitUntil(lambda: life.window.interrupted._thread.isFinished(), timeout=LONG)
    QCoreApplication.processEvents()
    assert life.window.interrupted.isHidden()
