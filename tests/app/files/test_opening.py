"""Opening results bit by bit: how far it is, the first rounds, all of it, and a way to stop."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.files import run_loader as module
from app.files.file_actions import FileActions
from app.files.run_loader import Opened, Opening, OpeningBar
from app.session.live_data import LiveData
from app.settings.settings import Settings
from core.analysis.compare import compare
from core.results.journal import JOURNAL, open_results
from core.results.results import Results
from tests.app.streams import Stream


@pytest.fixture
def folder(tmp_path) -> Path:
    found = tmp_path / "a-run"
    found.mkdir()
    (found / JOURNAL).write_text("".join(e.line() + "\n" for e in Stream(rounds=4)), "utf-8")
    return found


@pytest.fixture
def opening(qtbot, monkeypatch):
    """One that shows the first rounds after the first trial, and tells of every line."""
    monkeypatch.setattr(module, "FIRST_S", 0.0)
    monkeypatch.setattr(module, "TOLD_S", 0.0)
    found = Opening()
    yield found
    found.close()


def test_it_tells_how_far_it_is_then_the_first_rounds_then_all(opening, folder, qtbot):
    opened, told = [], []
    opening.opened.connect(opened.append)
    opening.progressed.connect(lambda done, total: told.append((done, total)))
    with qtbot.waitSignal(opening.ended):
        opening.start(folder)
    part, whole = opened
    assert (part.whole, whole.whole) == (False, True)
    assert sum(len(v.trials) for v in part.results.variants.values()) == 1
    assert compare(whole.results) == compare(open_results(folder))
    assert [x.results.interrupted for x in opened] == [False, False]
    assert part.results is not whole.results
    size = (folder / JOURNAL).stat().st_size
    assert told[-1] == (size, size)
    assert told == sorted(told)
    assert not opening.going_on


def test_what_was_asked_to_stop_brings_nothing_more(opening, folder, qtbot):
    opened = []
    opening.opened.connect(opened.append)
    with qtbot.waitSignal(opening.ended):
        opening.start(folder)
        opening.stop()
    opening.close()
    QCoreApplication.processEvents()
    assert opened == []


def test_a_journal_that_cannot_be_shown_says_why(opening, tmp_path, qtbot):
    (tmp_path / JOURNAL).write_text("nonsense\n", "utf-8")
    with qtbot.waitSignal(opening.ended), qtbot.waitSignal(opening.broken) as said:
        opening.start(tmp_path)
    assert "says what was run" in said.args[0]


def test_the_bar_is_there_as_long_as_it_takes(opening, folder, qtbot):
    bar = OpeningBar(opening)
    qtbot.addWidget(bar)
    opening.folder = folder
    opening.progressed.emit(50 * 2**20, 100 * 2**20)
    assert not bar.isHidden()
    assert bar.text.text() == "Opening a-run: 50.0 MiB of 100 MiB"
    assert bar.meter.value() == 500
    opening.ended.emit()
    assert bar.isHidden()


class Shown(QObject):
    """As much of a session as file actions need."""

    notice = Signal(str, str)
    run_started = Signal()
    results_changed = Signal()
    running = False
    runs_folder = None
    margin = 0.03

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Results] = []

    def is_free(self) -> bool:
        return True

    def show_results(self, folder, results, curves) -> None:
        self.shown.append(results)


@pytest.fixture
def files(qtbot, opening, monkeypatch):
    from PySide6.QtWidgets import QWidget

    monkeypatch.setattr(module, "SMALL", 0)
    window = QWidget()
    qtbot.addWidget(window)
    found = FileActions(Shown(), Settings(), window)
    yield found
    found.opening.close()


def test_a_large_journal_is_shown_twice_and_kept_in_recent_once(files, folder, qtbot):
    opened = []
    files.results_opened.connect(lambda: opened.append(1))
    with qtbot.waitSignal(files.opening.ended):
        files.open_folder_of_results(str(folder))
    part, whole = files.session.shown
    assert part.finished is None
    assert whole.finished is not None
    assert opened == [1]
    assert files.settings.recent() == [str(folder)]


def test_stopped_after_the_first_rounds_it_says_that_they_are_not_all(files, folder):
    said = []
    files.session.notice.connect(lambda level, text: said.append((level, text)))
    found = Results("a-run")
    files.opening.opened.emit(Opened(folder, found, LiveData(), whole=False))
    assert said == []
    assert not found.interrupted
    files.opening.ended.emit()
    assert found.interrupted
    assert said[0][0] == "warning"
    assert "a-run" in said[0][1]
