"""The session over a scripted engine: runs end, failures become notices, the timer paces, undo undoes."""

import os
import threading
from datetime import datetime

import pytest
from PySide6.QtCore import QObject, Slot

from app.session.comparison_cache import comparison_of
from app.session.live_data import LiveData
from app.session.variant_letters import VariantLetters
from core.analysis.compare import compare
from core.machine.environment import Environment
from core.model.source import ModelSource
from core.protocol import events
from core.results.results import Results
from core.run.run import Run
from tests.app.conftest import engine_command, experiment

pytestmark = pytest.mark.demo
LONG = 60_000
STEADY = ("normal", "--pace", "20")  # so long a token that a busy machine changes no verdict


class Heard(QObject):
    """Notes what a signal carried."""

    def __init__(self):
        super().__init__()
        self.items = []

    @Slot(object)
    def event(self, event):
        self.items.append(event)

    @Slot(str, str)
    def notice(self, level, text):
        self.items.append((level, text))


class Ticks(QObject):
    """Counts ticks, and events after which a view waited for its next tick."""

    view = None

    def __init__(self):
        super().__init__()
        self.count = self.dirty_after_event = 0

    @Slot()
    def tick(self):
        self.count += 1

    @Slot(object)
    def event(self, event):
        self.dirty_after_event += self.view._dirty


def finish(qtbot, session):
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.run()


def test_a_run_ends_with_one_finished_and_a_verdict(qtbot, make_session):
    session = make_session(*STEADY)
    session.open_experiment(experiment())
    heard = Heard()
    session.event_received.connect(heard.event)
    finish(qtbot, session)
    assert [e.event for e in heard.items].count("finished") == 1
    assert heard.items[-1].status == "ok"
    assert not session.running
    assert session.results.rounds_done == 4
    row = compare(session.results).variants[2]
    assert row.verdict == "faster"  # the fake engine sleeps half as long for int4
    assert (session.results_folder / "journal.jsonl").is_file()
    again = compare(session.results)
    session.results = None
    assert session.open_results(session.results_folder)
    assert compare(session.results).variants == again.variants


def test_an_opened_run_shows_the_curves_that_it_had(qtbot, session, make_window):
    window = make_window(session)
    session.open_experiment(experiment("a", "b"))
    finish(qtbot, session)
    plots, folder = window.centre.views["live"].plots, session.results_folder
    live = plots.data
    session.results = None
    assert session.open_results(folder)
    again = plots.data
    assert again is session.curves is not live
    for name in ("a", "b"):
        for series in ("itl", "ttft", "process", "warm_itl"):
            (t, y), (was_t, was_y) = (getattr(d.tracks[name], series).view() for d in (again, live))
            assert len(t) > 0
            assert (t == was_t).all()
            assert (y == was_y).all()
    assert [b.end for b in again.bands] == [b.end for b in live.bands]
    assert None not in [b.end for b in again.bands]


def test_a_second_run_reuses_the_engines(qtbot, session):
    session.open_experiment(experiment("a", "b"))
    finish(qtbot, session)
    pids = {pid for _, pid, _ in session.pool.processes()}
    finish(qtbot, session)
    assert {pid for _, pid, _ in session.pool.processes()} == pids


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [(("dies", "--at", "load"), "died"), (("runs_out_of_memory", "--at", "warm"), "out_of_memory")],
)
def test_one_variant_fails_and_the_others_go_on(qtbot, make_session, arguments, kind):
    session = make_session(*arguments, "--only", "int8")
    session.open_experiment(experiment())
    finish(qtbot, session)
    assert session.results.variants["int8"].failed.kind == kind
    assert session.results.finished.status == "ok"
    assert len(session.results.variants["int4"].trials) == 4


def test_cancel_while_loading_keeps_the_window_and_ends_the_run(qtbot, make_session):
    session = make_session("slow")
    session.open_experiment(experiment())
    with qtbot.waitSignal(
        session.event_received, timeout=LONG, check_params_cb=lambda e: e.event == "phase" and e.phase == "load"
    ):
        session.run()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.cancel()
    assert session.results.finished.status == "cancelled"


def test_stop_after_round_keeps_whole_rounds(qtbot, session):
    session.open_experiment(experiment(trials=200))
    with qtbot.waitSignal(session.event_received, timeout=LONG, check_params_cb=lambda e: e.event == "trial_done"):
        session.run()
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.stop_after_round()
    assert session.results.finished.status == "stopped"
    counts = {len(v.trials) for v in session.results.variants.values()}
    assert len(counts) == 1
    assert counts.pop() < 200


def test_an_engine_command_that_is_not_there_is_a_notice(qtbot, make_session):
    session = make_session(command=["/nowhere/python", "-m", "core.engine"])
    heard = Heard()
    session.notice.connect(heard.notice)
    with qtbot.waitSignal(session.notice, timeout=LONG):
        session.ask_environment()
    level, text = heard.items[0]
    assert level == "error"
    assert "/nowhere/python" in text
    assert "Settings" in text
    session.open_experiment(experiment("a"))
    finish(qtbot, session)
    assert session.results.finished.status == "failed"
    assert "/nowhere/python" in session.results.variants["a"].failed.message


def test_two_runs_of_one_second_have_a_folder_each_also_in_a_place_of_ones_own(qtbot, session, tmp_path, monkeypatch):
    class Still(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2026, 1, 2, 3, 4, 5, tzinfo=tz)

    monkeypatch.setattr("core.run.run.datetime", Still)
    session.runs_folder = tmp_path / "mine"
    session.open_experiment(experiment("a", trials=1))
    finish(qtbot, session)
    first = session.results_folder
    finish(qtbot, session)
    assert [first.name, session.results_folder.name] == ["20260102-030405-demo", "20260102-030405-demo-2"]
    assert first.parent == session.results_folder.parent == tmp_path / "mine"
    assert session.results.finished.status == "ok"


def test_a_folder_that_cannot_be_written_is_a_notice(qtbot, session, tmp_path):
    session.open_experiment(experiment("a"))
    (tmp_path / "file").write_text("in the way")
    session.runs_folder = tmp_path / "file"
    with qtbot.waitSignal(session.notice) as caught:
        session.run()
    assert caught.args[0] == "error"
    assert str(tmp_path / "file") in caught.args[1]
    assert not session.running


class Held:
    """A run whose prompts are being read until `free` is set; `threads` says which thread reads."""

    def __init__(self, monkeypatch):
        self.free, self.threads, self._init = threading.Event(), [], Run.__init__
        monkeypatch.setattr(Run, "__init__", lambda run, *args, **kwargs: self.read(run, *args, **kwargs))

    def read(self, run, *args, **kwargs):
        self.threads.append(threading.current_thread())
        assert self.free.wait(60)
        self._init(run, *args, **kwargs)


def test_prompts_are_read_while_the_window_lives_and_nothing_changes_before(qtbot, session, monkeypatch):
    session.open_experiment(experiment("a", trials=1))
    finish(qtbot, session)
    before = session.results
    held = Held(monkeypatch)
    session.run()
    assert session.running
    assert session.jobs.current.words == "Reading the prompts"
    with qtbot.waitSignal(session.tick, timeout=LONG):  # the event loop turns
        pass
    assert session.results is before
    assert not session.judging
    assert not session.can_pause  # there is no run yet
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        held.free.set()
    assert session.results is not before
    assert session.results.finished.status == "ok"
    assert threading.main_thread() not in held.threads
    assert session.jobs.current is None


@pytest.mark.parametrize("how", ["cancel", "job", "close"])
def test_a_run_that_is_called_back_before_it_begins_leaves_nothing(qtbot, session, monkeypatch, how, tmp_path):
    session.open_experiment(experiment("a", trials=1))
    session.runs_folder, held, heard = tmp_path / "runs", Held(monkeypatch), Heard()
    session.notice.connect(heard.notice)
    session.run()
    if how == "close":
        held.free.set()
        session._making.wait()  # the run is there, and nobody has heard of it
        session.close()
    else:
        with qtbot.waitSignal(session.run_refused) as refused:
            session.cancel() if how == "cancel" else session.jobs.cancel()
        assert refused.args == [""]
        held.free.set()
    assert not session.running
    assert session.results is None
    assert heard.items == []
    if how == "close":
        assert list(session.runs_folder.iterdir()) == []
    else:
        finish(qtbot, session)
        assert session.results.finished.status == "ok"
        qtbot.waitUntil(lambda: len(list(session.runs_folder.iterdir())) == 1, timeout=LONG)


def test_prompts_that_cannot_be_read_are_a_notice_and_keep_what_was_there(qtbot, session, tmp_path):
    session.open_experiment(experiment("a", trials=1))
    finish(qtbot, session)
    before, folder = session.results, session.results_folder
    pipe = tmp_path / "pipe.txt"  # which would be waited for without end
    os.mkfifo(pipe)
    work = session.experiment.workload.model_copy(update={"prompts": str(pipe)})
    session.edit(session.experiment.model_copy(update={"workload": work}))
    with qtbot.waitSignal(session.run_refused, timeout=LONG), qtbot.waitSignal(session.notice) as caught:
        session.run()
    assert caught.args[0] == "error"
    assert f"{pipe} cannot be read: it is no file, but a pipe or a device" in caught.args[1]
    assert (session.results, session.results_folder, session.running) == (before, folder, False)
    assert [p.name for p in folder.parent.iterdir()] == [folder.name]


def test_a_model_that_is_not_there_is_a_notice_and_changes_nothing(qtbot, session, tmp_path):
    session.open_experiment(experiment())
    before = session.experiment
    with qtbot.waitSignal(session.notice) as caught:
        assert not session.open_model(ModelSource(source=str(tmp_path / "missing")))
    assert "missing" in caught.args[1]
    assert session.experiment is before


def test_undo_gives_back_variants_and_letters(session):
    session.open_experiment(experiment())
    full = session.experiment
    session.select("int8")
    letters = {v.name: session.index_of(v.name) for v in full.variants}
    session.edit(full.model_copy(update={"variants": (full.variants[0], full.variants[2])}))
    assert session.index_of("int4") == letters["int4"] == 2
    assert session.selected == "int4"
    session.undo()
    assert session.experiment == full
    assert {v.name: session.index_of(v.name) for v in full.variants} == letters
    session.redo()
    assert len(session.experiment.variants) == 2


def test_what_is_opened_takes_part_and_nothing_in_it_is_a_renamed_variant(qtbot, session):
    """Also where it has as many variants as the one before, or variants of the same names."""
    session.open_experiment(experiment())
    finish(qtbot, session)
    folder = session.results_folder
    session.open_experiment(experiment("a", "x", "y"))
    session.select("x")
    session.set_excluded("x", True)
    session.open_demo()
    assert session.excluded == set()
    assert session.to_run == session.experiment
    session.undo()
    assert session.excluded == {"x"}
    assert session.open_results(folder)
    assert session.excluded == set()
    session.set_excluded("int8", True)
    assert session.open_results(folder)
    assert session.excluded == set()


def test_a_rename_is_undone_with_its_letter_and_its_exclusion(session):
    session.open_experiment(experiment("a", "b", "c"))
    session.edit(session.experiment.model_copy(update={"variants": (*session.experiment.variants[::2],)}))
    session.select("c")
    session.set_excluded("c", True)
    session.edit_variant("c", session.variant("c").model_copy(update={"name": "d"}))
    assert (session.index_of("d"), session.selected, session.excluded) == (2, "d", {"d"})
    session.undo()
    assert (session.index_of("c"), session.selected, session.excluded) == (2, "c", {"c"})
    session.redo()
    assert (session.index_of("d"), session.selected, session.excluded) == (2, "d", {"d"})


@pytest.mark.parametrize("edited", [False, True])
def test_first_rounds_and_then_all_of_a_journal_are_one_step(session, tmp_path, edited):
    """Also where all of them were asked for more rounds than the first, and what was edited meanwhile stays."""
    session.open_experiment(experiment())
    before = session.experiment
    part, whole = Results("r"), Results("r")
    part.experiment, whole.experiment = experiment("a", "b", trials=4), experiment("a", "b", trials=9)
    part.partial = True
    session.show_results(tmp_path, part, LiveData())
    assert session.experiment == part.experiment
    if edited:
        session.edit_variant("b", session.variant("b").model_copy(update={"name": "c"}))
        draft = session.experiment
    session.show_results(tmp_path, whole, LiveData())
    assert session.results is whole
    assert session.experiment == (draft if edited else whole.experiment)
    if edited:
        session.undo()
    session.undo()
    assert session.experiment == before


def test_history_is_a_hundred_steps(session):
    session.open_experiment(experiment())
    for seed in range(120):
        work = session.experiment.workload.model_copy(update={"seed": 1000 + seed})
        session.edit(session.experiment.model_copy(update={"workload": work}))
    steps = 0
    while session.can_undo:
        session.undo()
        steps += 1
    assert steps == 100


def test_nothing_is_edited_during_a_run(qtbot, session):
    session.open_experiment(experiment("a", "b"))
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        session.run()
        before = session.experiment
        session.edit(experiment("c"))
        assert session.experiment is before


def test_an_edited_variant_is_not_measured(qtbot, session):
    session.open_experiment(experiment())
    finish(qtbot, session)
    assert session.is_measured("int8")
    variant = session.variant("int8")
    session.edit_variant("int8", variant.model_copy(update={"quantization": None}))
    assert not session.is_measured("int8")
    assert session.is_measured("int4")
    session.undo()
    assert session.is_measured("int8")


def test_letters_follow_the_baseline_and_never_collide():
    letters = VariantLetters()
    letters.assign(["a", "b", "c"])
    assert [letters.of(n) for n in "abc"] == [0, 1, 2]
    letters.assign(["c", "a", "b"])  # c became the baseline: it swaps with a
    assert [letters.of(n) for n in "cab"] == [0, 2, 1]
    letters.assign(["c", "b"])
    letters.assign(["c", "b", "d"])  # a's letter is free now
    assert letters.of("d") == 2
    letters.assign(["c", "b", "d", "a"])  # a comes back, and d keeps its letter
    assert [letters.of(n) for n in "cbda"] == [0, 1, 2, 3]
    letters.rename("b", "B")
    assert letters.of("B") == 1


def test_the_timer_is_sparing_while_a_trial_runs_on_few_cores(qtbot, session):
    session.open_experiment(experiment("a"))
    rates = {}

    class Watch(QObject):
        @Slot(object)
        def event(self, event):
            if event.event == "phase":
                rates[event.phase] = session.live_hz

    watch = Watch()
    session.event_received.connect(watch.event)
    finish(qtbot, session)
    assert session.environment.cores == 2
    assert rates["load"] == 10.0
    assert rates["trial"] == 2.0
    assert session.live_hz == 10.0
    assert session.results.started.settings["live_hz"] == 2.0


def test_the_results_say_how_often_the_live_view_was_drawn(qtbot, session):
    session.open_experiment(experiment("a"))
    session.pace.pause_live(True)
    said = []

    class Watch(QObject):
        @Slot(object)
        def event(self, event):
            if event.event == "trial_done" and session.pace.live_paused:
                assert session.live_hz == 0
                session.pace.pause_live(False)
            elif event.event == "log" and "live view" in event.text:
                said.append(event.text)

    watch = Watch()
    session.event_received.connect(watch.event)
    finish(qtbot, session)
    assert session.results.started.settings["live_hz"] == 0
    assert said == ["the window draws the live view 2 times a second from now on"]
    assert said[0] in (session.results_folder / "journal.jsonl").read_text("utf-8")


def test_no_ticks_while_hidden(qtbot, session):
    with qtbot.waitSignal(session.tick, timeout=5000):
        pass
    session.pace.set_visible(False)
    with qtbot.assertNotEmitted(session.tick, wait=250):
        pass
    session.pace.set_visible(True)
    with qtbot.waitSignal(session.tick, timeout=5000):
        pass


def test_a_flood_of_tokens_arrives_in_batches_and_leaves_the_window_free(qtbot, make_session, make_window):
    """Far fewer events than tokens, every token counted, and views that repaint on ticks only."""
    session = make_session("floods")
    window = make_window(session)
    session.open_experiment(experiment("a", trials=4, new_tokens=2500))
    heard = Heard()
    session.event_received.connect(heard.event)
    live, ticks = window.centre.views["live"], Ticks()
    session.tick.connect(ticks.tick)
    session.event_received.connect(ticks.event)  # after the views' own slots
    ticks.view = live
    finish(qtbot, session)
    steps = [e for e in heard.items if isinstance(e, events.Steps) and e.round is not None]
    assert sum(sum(s.tokens) for s in steps) == 4 * 2500
    assert len(steps) < 4 * 2500 / 2  # batches, not tokens
    assert ticks.dirty_after_event > 0  # the view only marked itself: it was still to be painted
    assert ticks.count < len(heard.items)


def test_the_window_never_compares_while_a_run_goes_on(qtbot, session, make_window, monkeypatch):
    """With many tokens that takes tenths of a second: the thread of the run does it, and hands the answer over."""
    window, by = make_window(session), []

    def compared(results):
        by.append(threading.current_thread() is threading.main_thread())
        return compare(results)

    monkeypatch.setattr("app.session.comparison_cache.compare", compared)
    session.open_experiment(experiment())
    finish(qtbot, session)
    assert window.centre.current == "compare"
    assert window.centre.views["compare"].answer.text()
    assert by
    assert not any(by)
    assert comparison_of(session.results) == compare(session.results)  # the same events, the same answer


def test_only_another_environment_is_news(session):
    heard = []
    session.environment_changed.connect(lambda: heard.append(session.environment))
    machine = Environment(cpu="a", ram_available_bytes=5)
    session.machine.know(machine)
    session.machine.know(machine.model_copy(update={"ram_available_bytes": 4}))
    assert len(heard) == 1
    assert session.environment.ram_available_bytes == 4
    session.machine.know(machine.model_copy(update={"cpu": "b"}))
    assert len(heard) == 2


def test_the_engine_command_can_be_changed(qtbot, session):
    with qtbot.waitSignal(session.environment_changed, timeout=LONG):
        session.ask_environment()
    first = session.pool
    session.set_engine_command(engine_command("normal", "--pace", "2"))
    assert session.pool is not first
    assert first.processes() == []
    qtbot.waitUntil(lambda: session.environment is not None, timeout=LONG)
    assert session.environment.cpu == "Fake CPU"
