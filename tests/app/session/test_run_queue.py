"""Experiments in a queue: one after the other, a failed one stops none, and a restart keeps them."""

import json

import pytest
from PySide6.QtWidgets import QMenu, QWidget

from app.run.queue_dialog import QueueDialog
from app.run.run_actions import RunActions
from app.session.run_queue import FILE, MOST, RunQueue
from app.widgets.two_line_list import NOTE_ROLE
from core.base.folders import data_folder
from core.model.source import ModelSource
from tests.app.conftest import experiment

pytestmark = pytest.mark.demo
LONG = 60_000


def rows(dialog):
    return [dialog.list.item(i).text() for i in range(dialog.list.count())]


def test_they_run_one_after_the_other_and_what_cannot_start_stays_with_its_reason(qtbot, session):
    window, finished = QWidget(), []
    qtbot.addWidget(window)
    runs = RunActions(session, window, QMenu(window))
    queue = runs.queue
    assert not runs.enqueue.isEnabled()
    for name, trials in (("first", 1), ("missing", 1), ("second", 2)):
        session.open_experiment(experiment(name, trials=trials))
        if name == "missing":
            session.edit(session.experiment.model_copy(update={"model": ModelSource(source="/no/such/model")}))
        runs.enqueue.trigger()
    assert not runs.queue_button.isHidden()
    assert runs.queue_button.text() == "3 in queue"
    assert not session.running  # nothing starts by itself
    session.run_finished.connect(lambda: finished.append(list(session.results.variants)))
    runs.open_queue()
    runs._dialog.start.click()
    assert not runs._dialog.isVisible()  # it would cover what it has started, and keep Shift+F5 from it
    qtbot.waitUntil(lambda: len(finished) == 2 and not session.running, timeout=LONG)
    assert finished == [["first"], ["second"]]
    assert [e.experiment.model.source for e in queue.entries] == ["/no/such/model"]
    assert "/no/such/model" in queue.entries[0].fault
    dialog = QueueDialog(queue)
    qtbot.addWidget(dialog)
    assert "/no/such/model" in dialog.fault.text()  # in full, which a row has no room for
    assert not queue.active
    assert runs.queue_button.isHidden()


def test_a_run_that_is_cancelled_leaves_the_queue_waiting(qtbot, make_session):
    session = make_session("slow")
    queue = RunQueue(session)
    session.open_experiment(experiment("a"))
    queue.add()
    with qtbot.waitSignal(session.run_started, timeout=LONG):
        session.run()
    assert queue.waiting == 1
    queue.start()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.cancel()
    assert not queue.active
    assert not session.running
    assert queue.waiting == 1


def test_the_list_is_kept_reordered_and_emptied(qtbot, session):
    queue = RunQueue(session)
    for name in ("a", "b", "c"):
        session.open_experiment(experiment(name))
        queue.add()
    dialog = QueueDialog(queue)
    qtbot.addWidget(dialog)
    assert rows(dialog)[0] == "Demo model · a"
    assert dialog.list.item(0).data(NOTE_ROLE) == "4 rounds · Chat, 16 tokens in, 8 out"
    dialog.list.setCurrentRow(2)
    dialog.up.click()
    assert [e.experiment.baseline.name for e in queue.entries] == ["a", "c", "b"]
    assert dialog.list.currentRow() == 1
    dialog.remove.click()
    again = RunQueue(session)  # after a restart
    assert [e.experiment.baseline.name for e in again.entries] == ["a", "b"]
    assert not again.active
    dialog.remove.click()
    dialog.remove.click()
    assert not dialog.start.isEnabled()
    assert "Add to queue" in dialog.note.text()


@pytest.mark.parametrize("text", ["", "{", "{}", json.dumps([1, {"variant": 3}, experiment("ok").dump()])])
def test_a_file_that_cannot_be_read_costs_only_what_is_wrong_in_it(session, text):
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE).write_text(text)
    assert len(RunQueue(session).entries) == ("ok" in text)


def names(queue):
    return [e.experiment.baseline.name for e in queue.entries]


def add(queue, *wanted, **changes):
    for name in wanted:
        queue.session.open_experiment(experiment(name, **changes))
        queue.add()


def test_two_windows_lose_nothing_of_each_other(qtbot, make_session):
    """Each has read the file before the other one wrote."""
    here, there = RunQueue(make_session()), RunQueue(make_session())
    add(here, "a", "b")
    add(there, "c", "a")
    assert names(there) == ["a", "b", "c", "a"]
    qtbot.waitUntil(lambda: names(here) == names(there))  # without anybody asking
    here.blockSignals(True)  # what follows is read late
    there.move(2, -1)
    there.remove(3)
    here.remove(0)
    assert names(here) == ["c", "b"]
    assert names(RunQueue(make_session())) == ["c", "b"]


def test_what_another_window_has_taken_is_not_measured_again(qtbot, make_session):
    here, there = RunQueue(make_session()), RunQueue(make_session())
    add(here, "a", "b", trials=1)
    there._look()
    measured = []
    for queue in (here, there):
        queue.session.run_finished.connect(lambda queue=queue: measured.append(*queue.session.results.variants))
        queue.start()
    qtbot.waitUntil(lambda: len(measured) == 2 and not here.active and not there.active, timeout=LONG)
    assert sorted(measured) == ["a", "b"]
    assert json.loads((data_folder() / FILE).read_text()) == []


def test_what_a_newer_version_wrote_stays_in_the_file(session):
    newer = {**experiment("new").dump(), "from_the_future": True}
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE).write_text(json.dumps([newer]))
    queue = RunQueue(session)
    add(queue, "a", "b")
    queue.move(1, -1)
    queue.remove(0)
    assert names(queue) == ["a"]
    kept = json.loads((data_folder() / FILE).read_text())
    assert newer in kept
    assert len(kept) == 2


def test_a_queue_that_cannot_be_written_is_gone_through_once(qtbot, session, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device")

    queue, measured, heard = RunQueue(session), [], []
    add(queue, "a", trials=1)
    monkeypatch.setattr("app.session.run_queue_file.write_whole", full)
    session.notice.connect(lambda level, text: heard.append(text))
    add(queue, "b", trials=1)
    assert "No space left" in heard[-1]
    session.run_finished.connect(lambda: measured.append(*session.results.variants))
    queue.start()
    qtbot.waitUntil(lambda: len(measured) == 2 and not queue.active, timeout=LONG)
    assert measured == ["a", "b"]
    assert queue.entries == []


def test_a_full_queue_says_so(qtbot, session):
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE).write_text(json.dumps([experiment("a").dump()] * MOST))
    queue = RunQueue(session)
    with qtbot.waitSignal(session.notice) as caught:
        add(queue, "b")
    assert str(MOST) in caught.args[1]
    assert len(queue.entries) == MOST


def test_one_whose_prompts_cannot_be_read_comes_back_with_the_reason(qtbot, session, tmp_path):
    queue, measured = RunQueue(session), []
    session.run_finished.connect(lambda: measured.append(*session.results.variants))
    missing = tmp_path / "none.txt"
    for name, changes in (("a", {"prompts": str(missing)}), ("b", {})):
        session.open_experiment(experiment(name, trials=1))
        work = session.experiment.workload.model_copy(update=changes)
        session.edit(session.experiment.model_copy(update={"workload": work}))
        queue.add()
    queue.start()
    qtbot.waitUntil(lambda: measured == ["b"] and not queue.active, timeout=LONG)
    assert names(queue) == ["a"]
    assert str(missing) in queue.entries[0].fault
    assert names(RunQueue(session)) == ["a"]  # in the file as well
