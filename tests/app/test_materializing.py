"""Writing the model of a preset from the window: shown as a job, cancelled as one, and told how it ended."""

import threading

import pytest

from app import materializing as module
from app.materializing import Materializing
from app.work_bar import WorkBar
from core import events, presets
from core.results import Results
from tests.app.conftest import experiment
from tests.app.streams import THREE, Stream

pytestmark = pytest.mark.demo


class Work:
    """Stands in for the engine's work: half of it, then what it was told to end with, or the cancel."""

    ending: events.Event = events.Done(command="materialize")
    waits = False

    def __init__(self, preset, out, pool):
        self.out, self._cancelled = out, threading.Event()

    def cancel(self):
        self._cancelled.set()

    def __iter__(self):
        yield events.Phase(phase="transform")
        yield events.Progress(done=1 << 20, total=2 << 20, unit="bytes", detail="writing")
        if self.waits:
            assert self._cancelled.wait(20)
            yield events.Failed(kind="cancelled", message="cancelled: nothing was written")
        else:
            yield self.ending


@pytest.fixture
def preset():
    results = Results("x")
    for event in Stream(THREE[:2], rounds=4):
        results.add(event)
    return presets.from_results(results, "int8 weights")


@pytest.fixture
def writing(session, monkeypatch):
    monkeypatch.setattr(module, "Materialize", Work)
    monkeypatch.setattr(Work, "waits", False)
    monkeypatch.setattr(Work, "ending", events.Done(command="materialize"))
    return Materializing(session, None)


def test_it_is_a_job_that_can_be_cancelled_and_stands_in_the_way_of_a_run(
    qtbot, session, writing, preset, tmp_path, monkeypatch
):
    monkeypatch.setattr(Work, "waits", True)
    session.open_experiment(experiment("a"))
    bar = WorkBar(session)
    qtbot.addWidget(bar)
    writing.start(preset, tmp_path / "out")
    qtbot.waitUntil(lambda: bar.words.text() == "writing · 1.00 MiB / 2.00 MiB", timeout=20_000)
    assert bar.meter.value() == 500
    assert session.jobs.current.words == "Writing the model of int8 weights"
    with qtbot.waitSignal(session.notice) as said:
        session.run()
    assert "measure when it is done" in said.args[1]
    assert not session.running
    with qtbot.waitSignal(session.notice, timeout=20_000) as said:
        bar.stop.click()
    assert said.args == ["info", "Cancelled: nothing was written."]
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=20_000)


@pytest.mark.parametrize(
    ("ending", "level", "words"),
    [
        (events.Done(command="materialize"), "info", "Written: "),
        (events.Failed(message="no space left", hint="Free some."), "error", "No space left\nFree some."),
    ],
)
def test_how_it_ended_is_a_notice(qtbot, session, writing, preset, tmp_path, monkeypatch, ending, level, words):
    monkeypatch.setattr(Work, "ending", ending)
    with qtbot.waitSignal(session.notice, timeout=20_000) as said:
        writing.start(preset, tmp_path / "out")
    assert said.args[0] == level
    assert words in said.args[1]
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=20_000)


def test_a_folder_that_is_there_is_refused(qtbot, session, preset, tmp_path):
    writing = Materializing(session, None)
    with qtbot.waitSignal(session.notice) as said:
        writing.start(preset, tmp_path)
    assert "is there already" in said.args[1]
    assert session.jobs.current is None
