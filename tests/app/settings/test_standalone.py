"""What the window says and shows as a standalone build, which has no torch of its own."""

import configparser
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QIcon

from app.base.theme import RESOURCES
from app.session.session import Session
from app.settings.settings import Settings
from app.settings.settings_dialog import SettingsDialog
from core.protocol import python_finder
from core.protocol.engine_pool import EnginePool

ROOT = Path(__file__).parents[3]


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A standalone build in an empty folder, with no Python on the PATH."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("DYNO_ENGINE", raising=False)
    python_finder.find.cache_clear()


def test_without_a_python_it_says_so_and_names_the_way_out(qapp, qtbot, nowhere):
    session = Session(EnginePool())
    with qtbot.waitSignal(session.notice, timeout=5000) as said:
        session.ask_environment()
    level, text = said.args
    assert level == "error"
    assert text.startswith("No Python with torch and transformers was found: ")
    assert text.endswith("Check the engine command in File ▸ Settings.")
    session.close()


def test_the_settings_name_the_default_that_holds_there(qtbot, nowhere, tmp_path, monkeypatch):
    def placeholder():
        dialog = SettingsDialog(Settings(tmp_path / "s.ini"))
        qtbot.addWidget(dialog)
        return dialog.engine.placeholderText()

    assert ".venv" in placeholder()
    monkeypatch.delattr(sys, "frozen")
    assert "this Python" in placeholder()


def test_the_desktop_entry_has_an_icon_that_can_be_drawn(qapp):
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(ROOT / "packaging" / "dyno.desktop", encoding="utf-8")
    entry = entry["Desktop Entry"]
    assert {"Type", "Name", "Exec", "Icon"} <= set(entry)
    icon = QIcon(str(RESOURCES / "icons" / f"{entry['Icon']}.svg"))
    assert icon.pixmap(64, 64).toImage().pixelColor(32, 8).name() == "#5246d6"
