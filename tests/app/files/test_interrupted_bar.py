"""The bar that says which runs were cut off: what it says of each, and what it offers."""

import pytest
from PySide6.QtWidgets import QWidget

from app.files.file_actions import FileActions
from app.files.interrupted_bar import InterruptedBar
from app.session.session import Session
from app.settings.settings import Settings
from core.protocol import events
from tests.app.conftest import Answering, engine_command, light
from tests.app.session.test_showing import written
from tests.app.streams import Stream

pytestmark = pytest.mark.demo


@pytest.fixture
def session(qapp, tmp_path):
    light(qapp)
    session = Session(Answering(engine_command()))
    session.runs_folder = tmp_path / "runs"
    yield session
    session.close()


@pytest.fixture
def look(session, qtbot, tmp_path):
    """A bar that has looked."""

    def look() -> InterruptedBar:
        window = QWidget()
        qtbot.addWidget(window)
        settings = Settings(tmp_path / "settings.ini")
        bar = InterruptedBar(session, settings, FileActions(session, settings, window), window)
        bar.look()
        assert bar._thread is not None
        with qtbot.waitSignal(bar._thread.came):
            pass
        bar.close_down()
        return bar

    return look


def cut(folder, until=(2, 0, 3), model=None):
    def stream():
        for event in Stream(rounds=5, until=until):
            if isinstance(event, events.Started) and model is not None:
                event = event.model_copy(update={"experiment": {**event.experiment, "model": {"source": str(model)}}})
            yield event

    return written(folder, stream())


def test_each_is_told_once_and_again_when_it_was_cut_off_anew(session, look, tmp_path):
    first = cut(tmp_path / "runs" / "1")
    cut(tmp_path / "runs" / "2", until=(0, 1, 2))
    bar = look()
    assert not bar.isHidden()
    assert len(bar.runs) == 2
    assert "And 1 more." in bar.text.text()
    bar.dismiss.click()
    assert "And 1 more." not in bar.text.text()
    bar.dismiss.click()
    assert bar.isHidden()
    assert look().isHidden()
    with (first / "journal.jsonl").open("a") as journal:
        journal.write("cut off aga")
    again = look()
    assert [run.folder for run in again.runs] == [first]
    assert again.text.text().startswith("A run was interrupted after round 2 of 5: Demo model, 3 variants, ")


def test_a_run_without_a_whole_round_is_opened(session, look, tmp_path):
    folder = cut(tmp_path / "runs" / "1", until=(0, 1, 2))
    bar = look()
    assert bar.text.text().startswith("A run was interrupted before its first round was whole")
    bar.open.click()
    assert session.results_folder == folder
    assert session.results.interrupted
    assert bar.isHidden()


def test_a_run_whose_model_is_gone_can_be_looked_at_and_not_gone_on_with(session, look, tmp_path):
    cut(tmp_path / "runs" / "1", model=tmp_path / "gone")
    bar = look()
    assert not bar.go_on.isEnabled()
    assert "put it back" in bar.go_on.toolTip()
    bar.open.click()
    assert session.results.interrupted
    assert len(session.results.variants) == 3


def test_nothing_is_offered_while_a_run_goes_on(session, look, tmp_path):
    cut(tmp_path / "runs" / "1")
    bar = look()
    session.running = True
    session.results_changed.emit()
    assert bar.isHidden()
    bar.dismiss.click()
    assert len(bar.runs) == 1  # it would be lost
    session.running = False
    session.results_changed.emit()
    assert not bar.isHidden()
