"""The window's tests: off screen, with folders of their own, over an engine without a model."""

import gc
import os
import sys
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QSettings

from app.base.theme import theme
from app.session.session import Session
from app.settings.settings import Settings
from app.shell.main_window import MainWindow
from app.widgets.view import View
from core.protocol.engine_pool import EnginePool
from core.spec.experiment import parse
from tests.app.streams import ENVIRONMENT, MACHINE

ENGINE = Path(__file__).parents[1] / "fake_engine.py"


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Runs, presets and settings of a test are its own."""
    monkeypatch.setenv("DYNO_DATA", str(tmp_path / "data"))
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "qt"))


@pytest.fixture(autouse=True)
def views_at_once(request, monkeypatch):
    """What a view draws in several turns of the event loop is there at once, unless a test is `in_parts`."""
    if "in_parts" not in request.keywords:
        monkeypatch.setattr(View, "_begin", View.refresh)


@pytest.fixture(autouse=True)
def collected_between_tests():
    """Widgets without an owner die between two tests: in the middle of one, Qt may hold a lock, and hangs. Windows that
    are to be deleted go first, by Qt, which does so in an event loop only: left to Python, parts of a window lose what
    they hold one by one, and still hear of the others' end."""
    gc.disable()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect(0)


def engine_command(*arguments):
    return [sys.executable, str(ENGINE), *arguments]


def experiment(*names, trials=4, new_tokens=8):
    """The demo model under a short workload; the second variant is int8, the third int4."""
    recipes = ({}, {"quantization": "int8_weight_only"}, {"quantization": "int4_weight_only"})
    names = names or ("baseline", "int8", "int4")
    return parse(
        {
            "workload": {"trials": trials, "new_tokens": new_tokens, "prompt_tokens": 16},
            "variant": [{"name": n, **recipes[i % 3]} for i, n in enumerate(names)],
        }
    )


@pytest.fixture
def make_session(qapp):
    """Sessions over the fake engine; closed at the end, with all their threads and processes."""
    theme.apply(qapp, "light")
    made = []

    def make(*arguments, command=None):
        made.append(Session(EnginePool(command or engine_command(*arguments))))
        return made[-1]

    yield make
    for session in made:
        session.close()
        assert session.pool.processes() == []


@pytest.fixture
def session(make_session):
    return make_session()


@pytest.fixture
def make_window(qtbot):
    """Windows over sessions. They are held until Qt has closed them: one that a test has closed and forgotten would be
    collected by Python, part by part, between the test's end and its teardown."""
    made = []

    def make(session):
        window = MainWindow(session, Settings())
        qtbot.addWidget(window, before_close_func=lambda w: w.session.close())
        made.append(window)
        with qtbot.waitExposed(window):
            window.show()
        return window

    yield make
    made.clear()


def light(qapp):
    """The light theme, applied once: it styles every window there is."""
    if theme.mode != "light":
        theme.apply(qapp, "light")


class Answering(EnginePool):
    """A pool that knows the machine without starting an engine."""

    def environment(self, timeout_s=120):
        return ENVIRONMENT

    def machine(self, timeout_s=120):
        return MACHINE


@pytest.fixture(scope="module")
def still_window(qapp, tmp_path_factory):
    """One window for the tests of a file, over engines that say what the machine is and are never started."""
    light(qapp)
    settings = Settings(tmp_path_factory.mktemp("still") / "settings.ini")
    settings.runs_folder = tmp_path_factory.mktemp("runs")
    window = MainWindow(Session(Answering(engine_command())), settings)
    window.show()
    qapp.processEvents()
    yield window
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # else every later theme would style it


@pytest.fixture
def window(make_window, session, qtbot):
    """A window that has asked its engine for the environment."""
    with qtbot.waitSignal(session.environment_changed, timeout=20_000):
        return make_window(session)
