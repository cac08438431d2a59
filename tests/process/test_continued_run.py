"""Runs that pause, and runs that go on in a new session, over engines that are real processes."""

import os
import shlex
import time

import pytest

from core.analysis.compare import compare
from core.cli.main import main
from core.model.source import ModelSource
from core.protocol import events
from core.results.journal import JOURNAL, open_results
from core.results.results import Results
from core.run import continuation
from core.run.continuation import MOVED, is_gone
from core.run.run import Run, RunError
from core.spec import experiment as spec
from tests.core.tiny import save_tiny
from tests.process.fakes import experiment, pool


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def shared():
    """Engines that do as they are told, warm from test to test."""
    made = pool()
    yield made
    made.close()


@pytest.fixture
def engines():
    """Others."""
    opened = []

    def make(*arguments):
        opened.append(pool(*arguments))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def follow(run: Run, results: Results | None = None, until=lambda event: None) -> list[events.Event]:
    seen = []
    for event in run:
        if results is not None:
            results.fold(event)
        seen.append(event)
        until(event)
    return seen


def test_more_rounds_and_one_variant_again_in_the_same_journal(shared, tmp_path):
    folder = tmp_path / "run"
    quality = {"tokens": 64, "window": 8, "prompts": 0, "suite": "none"}
    follow(Run(experiment("a", "b", trials=2, quality=quality), shared, folder))
    first = (folder / JOURNAL).read_bytes()
    results = open_results(folder)
    more = Run.more(continuation.plan(results, folder, 2), shared)
    told = follow(more, results)
    assert isinstance(told[0], events.Resumed)
    assert not [e for e in told if isinstance(e, events.Quality)]  # judged already
    assert compare(results) == compare(open_results(folder))
    assert (folder / JOURNAL).read_bytes().startswith(first)
    row = compare(results).variants[1]
    assert (row.status, row.trials, row.rounds_paired) == ("ok", 4, 4)
    before = continuation.plan(results, folder, 2, only=["b"])
    follow(Run.more(before, shared), results)
    assert compare(results).rounds_planned == 4
    texts = [more._rounds.trial(n).prompt.text for n in (2, 3)]
    texts += [Run.more(before, shared)._rounds.trial(n).prompt.text for n in (4, 5)]
    texts += [p.text for p in more._rounds.warm_up().prompts]
    assert len(set(texts)) == 6  # no session measures what another one has seen


def test_what_was_measured_is_judged_without_another_round(shared, tmp_path):
    folder = tmp_path / "run"
    follow(Run(experiment("a", "b", trials=4), shared, folder))
    results = open_results(folder)
    before = compare(results).variants[1]
    asked = spec.QualitySettings.model_validate({"tokens": 64, "window": 8, "prompts": 1, "suite": "none"})
    told = follow(Run.more(continuation.judgement(results, folder, asked), shared), results)
    assert not [e for e in told if isinstance(e, events.TrialDone | events.Warm) and e.t_ns > told[0].t_ns]
    assert [e.variant for e in told if isinstance(e, events.Quality)] == ["a", "b"]
    after = compare(results).variants[1]
    assert (after.quality_status, after.trials, after.status) == ("ok", 4, "ok")
    assert (after.speed_ratio, after.verdict) == (before.speed_ratio, before.verdict)
    assert compare(results) == compare(open_results(folder))
    longer = asked.model_copy(update={"tokens": 128})
    follow(Run.more(continuation.judgement(results, folder, longer), shared), results)  # and anew, by other settings
    assert compare(results).variants[1].quality_tokens == 128
    more = Run.more(continuation.plan(results, folder, 2), shared)
    asked_before = {e.prompts[0] for state in results.variants.values() for e in state.answers.values()}
    assert not asked_before & {more._rounds.trial(n).prompt.text for n in (4, 5)}
    more.abandon()


def test_the_command_line_judges_what_was_measured(tmp_path, capsys):
    folder = tmp_path / "run"
    with_ = ["--engine", shlex.join(pool().engine_command())]
    toml = tmp_path / "e.toml"
    toml.write_text('[workload]\ntrials = 2\n[[variant]]\nname = "a"\n[[variant]]\nname = "b"\n')
    main(["run", str(toml), "--out", str(folder), *with_])
    assert main(["run", "--resume", str(folder), "--quality", *with_]) == 0
    results = open_results(folder)
    assert all(state.quality is not None for state in results.variants.values())
    assert [len(state.trials) for state in results.variants.values()] == [2, 2]
    assert main(["run", "--resume", str(folder), "--quality", "--rounds", "2", *with_]) == 2
    assert "leave --rounds and --only out" in capsys.readouterr().err


def test_a_cancelled_run_goes_on_with_new_engines(engines, tmp_path):
    folder, first = tmp_path / "run", engines("normal", "--pace", "3")
    run = Run(experiment("a", trials=4), first, folder)

    def cancel(event):
        if isinstance(event, events.Phase) and event.phase == "trial" and event.round == 1:
            run.cancel()

    follow(run, until=cancel)
    first.close()
    results = open_results(folder)
    assert results.finished.status == "cancelled"
    told = follow(Run.more(continuation.plan(results, folder), engines()), results)
    pids = {e.pid for e in told if isinstance(e, events.Hello)}
    assert len(pids) == 1
    assert os.getpid() not in pids
    assert results.finished.status == "ok"
    assert results.rounds_done == 4


def test_what_is_not_the_same_any_more_is_refused_and_nothing_is_written(engines, shared, tmp_path):
    folder = tmp_path / "run"
    follow(Run(experiment("a", trials=1), shared, folder))
    whole = (folder / JOURNAL).read_bytes()
    results = open_results(folder)
    results.environment = results.environment.model_copy(update={"cpu": "another"})
    run = Run.more(continuation.plan(results, folder, 1), shared)
    told = follow(run, results)
    assert "cpu: another → Fake CPU" in results.failed.message
    assert isinstance(told[-1], events.Finished)
    assert not run.recorded
    assert (folder / JOURNAL).read_bytes() == whole
    broken = Run.more(continuation.plan(open_results(folder), folder, 1), engines("refuses", "--at", "load"))
    told = follow(broken)
    why = next(e for e in told if isinstance(e, events.Failed) and e.variant is None)
    assert why.message == f"{folder}: this run cannot go on: this recipe cannot run"
    assert why.hint == "Leave it out"
    assert (folder / JOURNAL).read_bytes() == whole  # no engine could be loaded: there is no session


def test_a_model_that_was_moved_is_explained(shared, tmp_path, capfd):
    folder, model = tmp_path / "run", save_tiny(tmp_path / "model")
    asked = experiment("a", trials=1)
    follow(Run(asked.model_copy(update={"model": ModelSource(source=str(model))}), shared, folder))
    whole = (folder / JOURNAL).read_bytes()
    model.rename(tmp_path / "elsewhere")
    assert main(["run", "--resume", str(folder), "--rounds", "1"]) == 2
    said = " ".join(capfd.readouterr().err.split())
    assert "there is no such folder" in said
    assert MOVED in said
    assert (folder / JOURNAL).read_bytes() == whole
    model.symlink_to(tmp_path / "elsewhere")
    assert not is_gone(ModelSource(source=str(model)))
    assert not is_gone(ModelSource(source="demo"))


def test_two_writers_of_one_journal(shared, tmp_path):
    pytest.importorskip("fcntl")
    folder = tmp_path / "run"
    follow(Run(experiment("a", trials=1), shared, folder))
    before = continuation.plan(open_results(folder), folder, 1)
    one = Run.more(before, shared)
    with pytest.raises(RunError, match="another run writes there"):
        Run.more(before, shared)
    one.cancel()
    follow(one)
    assert not one.recorded
    follow(Run.more(before, shared))
    late = Run.more(before, shared)  # planned before that session was written
    with pytest.raises(RunError, match="other rounds by now"):
        late.check(open_results(folder))


def test_more_rounds_in_the_terminal(shared, tmp_path, capsys):
    folder = tmp_path / "run"
    follow(Run(experiment("a", trials=1), shared, folder))
    command = ["--engine", shlex.join(shared.command)]
    assert main(["run", "--resume", str(folder), "--rounds", "2", *command]) == 0
    assert "Results: " in capsys.readouterr().out
    assert [r.trials for r in compare(open_results(folder)).variants] == [3]
    assert (folder / "comparison.csv").is_file()
    assert main(["run", "--resume", str(folder), *command]) == 2
    assert "say how many more" in capsys.readouterr().err
    assert main(["run", "x.toml", "--resume", str(folder)]) == 2
    assert "FILE.toml" in capsys.readouterr().err
    assert main(["run"]) == 2


def test_a_pause_waits_for_the_round_and_keeps_the_engines(shared, tmp_path):
    results = Results("x")
    run = Run(experiment("a", "b", trials=3), shared, tmp_path / "run")
    at = []

    def pause(event):
        if isinstance(event, events.Phase) and event.phase == "trial" and event.round == 0:
            run.pause()
        if isinstance(event, events.Paused) and not event.over:
            at.append((results.paused, results.rounds_done, len(shared.processes())))
            run.go_on()

    follow(run, results, pause)
    assert at == [(True, 1, 2)]
    assert results.finished.status == "ok"
    assert results.rounds_done == 3
    assert len(results.stretches) == 2
    assert open_results(tmp_path / "run").stretches == results.stretches


@pytest.mark.parametrize(("end", "status"), [("stop_after_round", "stopped"), ("cancel", "cancelled")])
def test_a_pause_ends_by_stop_and_by_cancel(shared, tmp_path, end, status):
    results, run = Results("x"), Run(experiment("a", trials=3), shared, tmp_path / "run")
    run.pause()  # while it loads: before the first round

    def on(event):
        if isinstance(event, events.Paused) and not event.over:
            getattr(run, end)()

    follow(run, results, on)
    assert results.finished.status == status
    assert results.rounds_done == 0


@pytest.mark.parametrize("phase", ["measure", "quality"])
def test_cancel_ends_every_phase_within_a_second(engines, tmp_path, phase):
    quality = {"tokens": 64, "window": 8, "prompts": 1, "suite": "none"}
    run = Run(experiment("a", trials=1, quality=quality), engines("normal", "--stall", phase), tmp_path / "run")
    asked = []

    def cancel(event):
        if isinstance(event, events.Progress) and event.detail == f"stalls in {phase}":
            asked.append(time.monotonic())
            run.cancel()

    results = Results("x")
    follow(run, results, cancel)
    assert time.monotonic() - asked[0] < 1  # a promise to the user, not a speed: ask, terminate, kill have fixed times
    assert results.finished.status == "cancelled"
    assert run.pool.processes() == []
