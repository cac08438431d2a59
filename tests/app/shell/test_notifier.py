"""The end of a long run is told to someone who looks elsewhere, and to nobody else."""

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.settings.settings import Settings
from app.shell.run_notifier import RunNotifier
from core.protocol import events
from core.results.results import Results
from tests.app.streams import THREE, Puppet, Stream


class Clock(QObject):
    """Stands in for the timer of a run."""

    seconds = 31.0

    def start(self):
        pass

    def isValid(self):
        return True

    def elapsed(self):
        return 1000 * self.seconds


@pytest.fixture
def told(qtbot, monkeypatch):
    """A notifier over a session that is fed by hand, and what it told."""
    window, said = QWidget(), []
    qtbot.addWidget(window)
    puppet = Puppet()
    notifier = RunNotifier(puppet, Settings(), window)
    notifier._since = Clock()
    monkeypatch.setattr(RunNotifier, "tell", lambda self, *words: said.append(words))
    return puppet, notifier, said


def test_only_a_long_run_is_told_and_only_to_someone_elsewhere(told, monkeypatch):
    puppet, notifier, said = told
    puppet.feed(Stream(THREE[:2], rounds=4))
    ((title, text),) = said
    assert title == "The run is finished"
    assert "int8 weights" in text
    notifier._since.seconds = 29.0
    puppet.run_finished.emit()
    notifier._since.seconds = 31.0
    notifier.settings.notify = False
    puppet.run_finished.emit()
    notifier.settings.notify = True
    monkeypatch.setattr(QWidget, "isActiveWindow", lambda self: True)
    puppet.run_finished.emit()
    assert len(said) == 1


def test_how_it_ended_is_said(told):
    puppet, notifier, _ = told
    puppet.results = Results("x")
    for event in Stream(THREE[:2], rounds=4, until=(1, 0, 5)):
        puppet.results.fold(event)
    for status, word in (("stopped", "stopped"), ("cancelled", "cancelled"), ("failed", "failed")):
        puppet.results.fold(events.Finished(status=status, rounds=1))
        assert word in notifier.title()
    puppet.results.fold(events.Failed(message="The journal cannot be written"))
    assert notifier.answer() == "The journal cannot be written"


def test_without_a_tray_the_window_asks_for_attention(qtbot, monkeypatch):
    window, asked = QWidget(), []
    qtbot.addWidget(window)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    monkeypatch.setattr(QApplication, "alert", staticmethod(lambda widget: asked.append(widget)))
    RunNotifier(Puppet(), Settings(), window).tell("a", "b")
    assert asked == [window]
