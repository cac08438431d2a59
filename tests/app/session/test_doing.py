"""Long work is shown with its phase, how far it is and its time left, and can be ended from the status bar."""

import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.presets.materialize_job import WritingJob
from app.presets.materialize_task import Writing
from app.session.jobs import Jobs
from app.session.run_progress import PhaseClock, doing
from app.shell.job_bar import JobBar
from core.protocol import events
from core.results.results import Results
from tests.app.conftest import experiment
from tests.app.streams import THREE, Stream

LONG = 60_000


class HalfWritten:
    """Stands in for an engine that has written half of a folder, and is cancelled."""

    out = Path("/somewhere/out")

    def __init__(self):
        self._cancelled = threading.Event()

    def cancel(self):
        self._cancelled.set()

    def __iter__(self):
        yield events.Phase(phase="transform")
        yield events.Progress(done=1 << 20, total=2 << 20, unit="bytes", detail="writing")
        assert self._cancelled.wait(20)
        yield events.Failed(kind="cancelled", message="cancelled: nothing was written")


S = 1_000_000_000


def state_at(progress, phase="load"):
    """A run whose engine has told two steps of progress in a phase."""
    results, clock = Results("x"), PhaseClock()
    stream = [next(iter(Stream(THREE[:2], rounds=4))), events.Phase(t_ns=0, variant="bf16 baseline", phase=phase)]
    stream += [events.Progress(t_ns=t, variant="bf16 baseline", **p) for t, p in progress]
    for event in stream:
        results.fold(event)
        clock.fold(event)
    return doing(results, clock)


def test_bytes_share_and_time_left_of_a_load():
    now = state_at(
        [
            (S, {"done": 0, "total": 4 << 30, "unit": "bytes"}),
            (3 * S, {"done": 1 << 30, "total": 4 << 30, "unit": "bytes"}),
        ]
    )
    assert now.share == pytest.approx(0.25)
    assert now.detail == "1 of 2 · 1.00 GiB / 4.00 GiB"
    assert now.left == "about 6 s left of this step"  # and nothing of those that follow


def test_a_warm_up_ends_when_it_is_steady_so_its_share_is_not_known():
    of = {"total": 10, "unit": "passes"}
    now = state_at([(S, {"done": 1, **of}), (9 * S, {"done": 3, **of})], "warmup")
    assert (now.share, now.detail, now.left) == (None, "1 of 2 · pass 3", "")


@pytest.mark.parametrize(
    ("bar", "words"),
    [
        ({"done": 512, "total": 2048, "unit": "tokens"}, "512 of 2048 tokens"),
        ({"done": 2, "total": 8, "unit": "answers"}, "2 of 8 answers"),
        ({"done": 0, "detail": "measuring what the machine can do"}, "measuring what the machine can do"),
    ],
)
def test_other_phases_say_what_they_count(bar, words):
    assert state_at([(S, bar)], "quality").detail == words


def test_the_rounds_are_counted_with_the_tokens_of_the_present_one():
    results, clock = Results("x"), PhaseClock()
    for event in Stream(THREE[:2], rounds=4, until=(2, 0, 32)):
        results.fold(event)
        clock.fold(event)
    now = doing(results, clock)
    assert now.share == pytest.approx((4 + 0.5) / 8, abs=0.05)
    assert "left" in now.left


def test_the_newest_job_is_shown_and_cancelled_once(qapp):
    jobs, asked = Jobs(), []
    first = jobs.begin("Writing", lambda: asked.append(1))
    second = jobs.begin("Reading")
    assert jobs.current is second
    second.end()
    first.tell("half", 0.5)
    jobs.cancel()
    jobs.cancel()
    assert asked == [1]
    first.end()
    first.end()
    assert jobs.current is None


def test_a_model_that_is_written_is_a_job_and_stands_in_the_way_of_a_run(qtbot, session):
    writing = Writing()
    WritingJob(session.jobs, writing, session)
    bar = JobBar(session)
    qtbot.addWidget(bar)
    session.open_experiment(experiment("a"))
    work = HalfWritten()
    writing.start(work)
    qtbot.waitUntil(lambda: bar.words.text() == "transform · 1.00 MiB / 2.00 MiB", timeout=20_000)
    assert bar.meter.value() == 500
    assert session.jobs.current.words == "Writing out"
    with qtbot.waitSignal(session.notice) as said:
        session.run()
    assert "measure when it is done" in said.args[1]
    assert not session.running
    with qtbot.waitSignal(writing.broken, timeout=20_000):
        bar.stop.click()
    assert session.jobs.current is None


@pytest.mark.demo
def test_the_measurement_of_the_machine_is_cancelled_at_once(qtbot, make_session):
    session, said = make_session("normal", "--stall", "measure"), []
    session.notice.connect(lambda *words: said.append(words))
    session.machine.measure()
    assert session.jobs.current.words == "Measuring the machine"
    qtbot.waitUntil(lambda: bool(session.pool.processes()), timeout=LONG)
    asked = time.monotonic()
    session.jobs.cancel()
    qtbot.waitUntil(lambda: session.jobs.current is None, timeout=LONG)
    assert time.monotonic() - asked < 1  # a promise to the user: it does not wait for the half minute
    assert not said


@pytest.mark.demo
def test_the_status_bar_ends_what_has_no_other_end_in_sight(qtbot, make_session):
    session = make_session("slow")
    bar = JobBar(session)
    qtbot.addWidget(bar)
    assert bar.isHidden()
    session.open_experiment(experiment("a"))
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=lambda e: e.event == "progress"):
        session.run()
    qtbot.waitUntil(lambda: "MiB" in bar.words.text(), timeout=LONG)
    assert bar.meter.value() == 100
    assert bar.stop.isHidden()  # the top bar has it
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.cancel()
    assert session.results.finished.status == "cancelled"
    assert bar.isHidden()
    done = []
    session.jobs.begin("Writing the model", lambda: done.append(1)).tell("1 of 2 files", 0.5)
    assert bar.isVisible()
    qtbot.mouseClick(bar.stop, Qt.MouseButton.LeftButton)
    assert done == [1]


def test_it_says_which_of_how_many_is_loading_and_when_rounds_begin(monkeypatch):
    """Time left falls between two events."""
    results, clock = Results("x"), PhaseClock()
    first, *others = [v.name for v in THREE]
    stream = [
        next(iter(Stream(THREE, rounds=4))),
        *(events.Loaded(t_ns=0, variant=n, load_s=5, weights_bytes=1, weights_bytes_before=1, parameters=1,
                        device="cpu", dtype="bf16", fingerprint="f") for n in (first, *others)),
        events.Warm(t_ns=0, variant=first, warmup_s=8, passes=2, steady=True),
        events.Phase(t_ns=10 * S, variant=others[0], phase="warmup"),
        events.Progress(t_ns=11 * S, variant=others[0], done=1, total=10, unit="passes"),
    ]  # fmt: skip
    for event in stream:
        results.fold(event)
        clock.fold(event)
    for now, words in ((10, "about 16 s until the first round"), (13, "about 13 s until the first round")):
        monkeypatch.setattr("app.session.run_progress.time.perf_counter_ns", lambda now=now: now * S)
        shown = doing(results, clock)
        assert (shown.detail, shown.left) == ("2 of 3 · pass 1", words)
