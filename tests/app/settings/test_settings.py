"""The settings: what is stored, what follows from it, and how an engine and the caches are looked at in place."""

import os
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QWidget

from app.session.comparison_cache import comparison_of
from app.settings import engine_environment
from app.settings.cache_rows import CacheRows
from app.settings.engine_command_check import EngineCheck
from app.settings.settings import Settings
from app.settings.settings_dialog import SettingsDialog, titles
from core.model.source import ModelSource
from core.results.results import Results
from tests.app.conftest import engine_command, light
from tests.app.help.test_keyboard import faults
from tests.app.streams import Stream


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "settings.ini")


def test_values_of_the_wrong_kind_read_as_the_default(settings):
    settings.margin_pct, settings.threads = 5.0, 4
    assert (settings.margin_pct, settings.threads, settings.notify) == (5.0, 4, True)
    for wrong in ("", "many", "-3", "900"):
        settings._store.setValue("margin_pct", wrong)
        assert settings.margin_pct == 3.0
    settings.notify = False
    assert not settings.notify


OTHER_WINDOW = """
import sys
from pathlib import Path
from app.settings.settings import Settings
from core.spec.experiment import ModelSource
settings = Settings(Path(sys.argv[1]))
settings.add_recent(Path(sys.argv[2]))
settings.add_recent_model(ModelSource(source="/m/2"))
settings.theme = "dark"
settings.save()
"""


def test_two_windows_keep_what_the_other_one_opened_last(tmp_path):
    """Each in a process of its own, the second of which writes when the first has read already."""
    path, a, b = (tmp_path / name for name in ("settings.ini", "a", "b"))
    a.mkdir()
    b.mkdir()
    settings = Settings(path)
    settings.margin_pct = 4.0
    settings.save()
    assert settings.recent() == settings.recent_models() == []
    subprocess.run([sys.executable, "-c", OTHER_WINDOW, path, b], check=True)
    settings.margin_pct = 5.0
    settings.add_recent(a)
    settings.add_recent_model(ModelSource(source="/m/1"))
    settings.save()
    kept = path.read_text()
    assert "margin_pct=5" in kept
    assert "theme=dark" in kept
    assert settings.recent() == [str(a), str(b)]
    assert [m.source for m in settings.recent_models()] == ["/m/1", "/m/2"]


def test_the_dialog_stores_what_was_entered(qapp, qtbot, settings, tmp_path):
    light(qapp)
    dialog = SettingsDialog(settings)
    qtbot.addWidget(dialog)
    assert all(dialog.findChild(QWidget, name).accessibleName() == title for name, title in titles().items())
    dialog.margin.setValue(5)
    dialog.threads.setValue(2)
    dialog.notify.setChecked(False)
    dialog.folders["cache"].setText(str(tmp_path / "elsewhere"))
    dialog.show()
    assert faults(dialog) == []
    with qtbot.waitSignal(dialog.applied):
        dialog.accept()
    assert (settings.margin_pct, settings.threads, settings.notify) == (5.0, 2, False)
    assert settings.folder("cache") == tmp_path / "elsewhere"
    assert settings.folder("presets") is None


def test_during_a_run_no_engine_is_started_to_be_checked(qapp, qtbot, settings):
    dialog = SettingsDialog(settings, fixed="Not during a run.")
    qtbot.addWidget(dialog)
    assert not dialog.check.button.isEnabled()
    assert "disturb" in dialog.check.button.toolTip()


def test_engines_learn_settings_unless_their_variables_were_set_outside(settings, monkeypatch, tmp_path):
    monkeypatch.delenv(engine_environment.THREADS, raising=False)
    monkeypatch.setenv(engine_environment.CACHE, str(tmp_path / "mine"))
    monkeypatch.setattr(engine_environment, "_ours", {})
    settings.threads = 3
    settings.set_folder("cache", tmp_path / "set")
    assert engine_environment.apply(settings)  # engines that run have other threads
    assert os.environ[engine_environment.THREADS] == "3"
    assert os.environ[engine_environment.CACHE] == str(tmp_path / "mine")
    assert engine_environment.set_outside(engine_environment.CACHE)
    assert not engine_environment.apply(settings)
    settings.threads = 0
    assert engine_environment.apply(settings)
    assert engine_environment.THREADS not in os.environ


def test_another_margin_judges_the_results_on_screen_anew(make_session):
    session = make_session()
    session.results = Results()
    for event in Stream(rounds=5):
        session.results.fold(event)
    assert comparison_of(session.results).variants[1].verdict == "faster"
    session.set_margin(0.9)
    judged = comparison_of(session.results)
    assert judged.margin == 0.9
    assert judged.variants[1].verdict == "within_margin"


def test_the_check_says_what_the_engine_is_or_why_it_is_none(qtbot):
    command = {"text": "/nowhere/python -m core.engine"}
    check = EngineCheck(lambda: command["text"])
    qtbot.addWidget(check)
    check.check()
    qtbot.waitUntil(check.button.isEnabled, timeout=20_000)
    assert "/nowhere/python" in check.text.text()
    command["text"] = " ".join(engine_command())
    check.check()
    qtbot.waitUntil(check.button.isEnabled, timeout=20_000)
    assert check.text.text().startswith("torch ")
    assert check.text.property("role") == "secondary"
    check.end()


def test_a_cache_is_cleared_after_it_was_said_what_is_lost(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path))
    model = tmp_path / "models" / "abc" / "model.safetensors"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"x" * 3 * 2**20)
    rows = CacheRows()
    qtbot.addWidget(rows)
    rows.show()
    qtbot.waitUntil(rows.clear["models"].isEnabled)
    assert rows.sizes["models"].text() == "3.00 MiB"
    assert rows.sizes["kernels"].text() == "empty"
    assert not rows.clear["kernels"].isEnabled()
    rows.clear["models"].click()
    assert "converted again" in rows._words.text()
    assert model.exists()
    rows.yes.click()
    qtbot.waitUntil(lambda: rows.sizes["models"].text() == "empty")
    assert not model.exists()
    rows.close_thread()
    locked = CacheRows("Nothing can be cleared while a run goes on.")
    qtbot.addWidget(locked)
    locked.close_thread()
    assert not any(button.isEnabled() for button in locked.clear.values())
