"""Runs against real child processes that speak the protocol and misbehave when told to."""

import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from core.analysis.compare import compare
from core.protocol import commands, events
from core.protocol.engine_pool import EnginePool
from core.protocol.engine_process import EngineError, exit_words
from core.results.journal import JOURNAL, open_results
from core.results.results import Results
from core.run.answers_phase import AnswersPhase
from core.run.round_plan import Rounds, first_plan
from core.run.run import Run, RunError
from core.run.stopping_rule import remaining_s
from core.spec import experiment as spec
from tests.process.fakes import ENGINE, experiment, pool


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def engines():
    opened: list[EnginePool] = []

    def make(*arguments: str) -> EnginePool:
        opened.append(pool(*arguments))
        return opened[-1]

    yield make
    for one in opened:
        pids = [pid for _, pid, _ in one.processes()]
        one.close()
        assert not any(psutil.pid_exists(pid) for pid in pids)


def collect(run: Run, until=None) -> tuple[Results, list[events.Event]]:
    results, seen = Results(run.folder.name), []
    for event in run:
        results.fold(event)
        seen.append(event)
        if until is not None:
            until(run, event)
    return results, seen


def test_a_run_interleaves_rounds_and_ends_once(engines):
    run = Run(experiment("a", "b", "c"), engines())
    results, seen = collect(run)
    assert [type(e) for e in seen].count(events.Finished) == 1
    assert isinstance(seen[-1], events.Finished)
    assert seen[-1].status == "ok"
    order = [e.variant for e in seen if isinstance(e, events.TrialDone)]
    assert order == [name for names in run.schedule for name in names]
    assert len({tuple(names) for names in run.schedule}) > 1  # not the same order every time
    assert [r.trials for r in compare(results).variants] == [4, 4, 4]
    assert results.environment.cpu == "Fake CPU"
    assert compare(open_results(run.folder)) == compare(results)


def test_the_schedule_is_reproducible(tmp_path, engines):
    first = Run(experiment(), engines(), tmp_path / "1").schedule
    assert Run(experiment(), engines(), tmp_path / "2").schedule == first


def test_every_variant_has_a_process_of_its_own(engines):
    _, seen = collect(Run(experiment("a", "b"), engines()))
    pids = {e.variant: e.pid for e in seen if isinstance(e, events.Hello)}
    assert len(set(pids.values())) == 2
    assert os.getpid() not in pids.values()


@pytest.mark.parametrize("phase", ["load", "warm", "trial"])
def test_an_engine_that_is_killed_takes_only_its_variant_down(engines, phase):
    results, _ = collect(Run(experiment("a", "b"), engines("dies", "--at", phase, "--only", "b")))
    good, bad = compare(results).variants
    assert (good.status, good.trials) == ("ok", 4)
    assert bad.status == "failed"
    assert "SIGKILL" in bad.error
    assert results.finished.status == "ok"


def test_what_a_killed_engine_had_started_ends_too(tmp_path):
    """Also where the system killed it: its compiler has nobody to work for."""
    note = tmp_path / "pid"
    started = f"sleep 60 >/dev/null & echo $! > {note}; exec {sys.executable} {ENGINE} dies --at load"
    pool = EnginePool(["sh", "-c", started])
    try:
        results, _ = collect(Run(experiment("a"), pool))
        assert results.variants["a"].failed.kind == "died"
        compiler = int(note.read_text())
        deadline = time.monotonic() + 20
        while psutil.pid_exists(compiler) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not psutil.pid_exists(compiler)
    finally:
        pool.close()


@pytest.mark.parametrize("phase", ["load", "warm", "trial"])
def test_out_of_memory_is_a_row_and_the_others_finish(engines, phase):
    results, _ = collect(Run(experiment("a", "b"), engines("runs_out_of_memory", "--at", phase, "--only", "b")))
    good, bad = compare(results).variants
    assert (good.status, good.trials) == ("ok", 4)
    assert bad.status == "out_of_memory"
    assert "0.71 GB are free" in bad.error


def test_a_baseline_that_fails_leaves_the_others_measured(engines):
    results, _ = collect(Run(experiment("a", "b"), engines("refuses", "--at", "load", "--only", "a")))
    base, other = compare(results).variants
    assert base.status == "refused"
    assert (other.status, other.trials, other.speed_ratio) == ("ok", 4, None)


def test_when_nothing_can_be_measured_the_run_has_failed(engines):
    results, _ = collect(Run(experiment("a", "b"), engines("refuses", "--at", "load")))
    assert results.finished.status == "failed"


def test_when_all_have_died_it_says_how_many_rounds_are_kept(engines):
    ours = engines("normal", "--pace", "5")

    def kill(run, event):
        if isinstance(event, events.TrialDone) and event.round == 2 and run.schedule[2][-1] == event.variant:
            for _, pid, _ in ours.processes():
                os.kill(pid, signal.SIGKILL)

    run = Run(experiment("a", "b"), ours)
    results, seen = collect(run, kill)
    assert (seen[-1].status, seen[-1].rounds, results.rounds_done) == ("failed", 3, 3)
    assert seen[-1].message == "every variant failed; finished trials are kept"
    assert compare(results).rounds == open_results(run.folder).rounds_done == 3
    first, last = (e.hint for e in seen if isinstance(e, events.Failed))
    assert "go on" in first
    assert "go on" not in last


def test_results_whose_folder_is_deleted_meanwhile_are_kept(engines):
    """The journal went on into a file without a name, and the run ended as if all were well."""
    run = Run(experiment("a", "b"), engines("normal", "--pace", "3"))

    def delete(run, event):
        if isinstance(event, events.TrialDone) and event.round == 1:
            shutil.rmtree(run.folder, ignore_errors=True)

    results, seen = collect(run, delete)
    assert seen[-1].status == "ok"
    again = open_results(run.folder)
    assert again.rounds_done == results.rounds_done == 4
    assert compare(again) == compare(results)
    assert any(isinstance(e, events.Log) and e.level == "warning" and "was deleted" in e.text for e in seen)
    assert (run.folder / "experiment.json").is_file()


def test_a_disk_that_is_full_keeps_what_was_measured_until_then(engines):
    resource = pytest.importorskip("resource")
    before, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    run = Run(experiment("a", "b", trials=8), engines("normal", "--pace", "3"))

    def fill(run, event):
        if isinstance(event, events.TrialDone) and event.round == 2 and event.variant == run.schedule[2][-1]:
            size = (run.folder / JOURNAL).stat().st_size
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, before[1]))

    try:
        results, seen = collect(run, fill)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert seen[-1].status == "failed"
    assert "cannot be written" in results.failed.message
    assert "finished trials are kept" in results.failed.hint
    assert open_results(run.folder).rounds_done == 3


def test_stop_finishes_the_round(engines):
    def stop(run, event):
        if isinstance(event, events.TrialDone) and event.round == 1:
            run.stop_after_round()

    results, _ = collect(Run(experiment("a", "b"), engines()), stop)
    assert results.finished.status == "stopped"
    assert [r.trials for r in compare(results).variants] == [2, 2]
    assert [r.status for r in compare(results).variants] == ["ok", "ok"]


@pytest.mark.parametrize("mode", ["slow", "stubborn", "silent"])
def test_cancel_ends_any_engine_within_a_second(engines, mode):
    run = Run(experiment("a"), engines(mode))
    pids = []

    def cancel():
        while not run.pool.processes():
            time.sleep(0.02)
        time.sleep(0.4)
        pids.extend(pid for _, pid, _ in run.pool.processes())
        cancel.at = time.monotonic()
        run.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    results, seen = collect(run)
    took = time.monotonic() - cancel.at
    thread.join()
    assert results.finished.status == "cancelled"
    assert isinstance(seen[-1], events.Finished)
    assert took < 1  # a promise to the user, not a speed: ask, terminate and kill have fixed times
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_cancel_in_a_trial_keeps_finished_rounds(engines):
    def cancel(run, event):
        if isinstance(event, events.Phase) and event.phase == "trial" and event.round == 2:
            run.cancel()

    run = Run(experiment("a", "b"), engines("normal", "--pace", "5"))
    results, _ = collect(run, cancel)
    assert results.finished.status == "cancelled"
    assert all(r.trials == 2 for r in compare(results).variants)
    assert compare(open_results(run.folder)).rounds == 2


def test_engines_stay_warm_between_runs(engines, tmp_path):
    shared = engines()
    _, first = collect(Run(experiment("a", "b"), shared, tmp_path / "1"))
    results, second = collect(Run(experiment("a", "b", seed=8, trials=3), shared, tmp_path / "2"))  # told by trial
    pids = [{e.pid for e in seen if isinstance(e, events.Hello)} for seen in (first, second)]
    assert pids[0] == pids[1]
    assert [r.trials for r in compare(results).variants] == [3, 3]
    assert all(r.load_s is not None and r.warmup_s is not None for r in compare(results).variants)
    collect(Run(experiment("c", trials=1, new_tokens=4), shared, tmp_path / "3"))
    assert len(shared.processes()) == 1  # what another experiment left is evicted


def test_the_environment_probe_leaves_a_spare_engine(engines, tmp_path):
    shared = engines()
    assert shared.environment().cpu == "Fake CPU"
    spare = shared.processes()[0][1]
    _, seen = collect(Run(experiment("a"), shared, tmp_path / "1"))
    assert [e.pid for e in seen if isinstance(e, events.Hello)] == [spare]


def test_an_engine_command_that_does_not_exist():
    run = Run(experiment("a"), EnginePool(["/no/such/python", "-m", "core.engine"]))
    results, _ = collect(run)
    row = compare(results).variants[0]
    assert row.status == "failed"
    assert "/no/such/python" in row.error
    assert "No such file" in row.error
    assert "engine command" in row.hint
    with pytest.raises(EngineError, match="/no/such/python"):
        EnginePool(["/no/such/python"]).environment()


def test_an_engine_that_is_no_engine(tmp_path):
    results, _ = collect(Run(experiment("a"), EnginePool(["/bin/echo", "hello"])))
    assert compare(results).variants[0].status == "failed"
    with pytest.raises(EngineError, match="ended before it answered"):
        EnginePool(["/bin/echo", "hello"]).environment()


def test_a_results_folder_that_cannot_be_written(tmp_path, engines):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(RunError, match="cannot be written"):
        Run(experiment("a"), engines(), blocked / "run")
    used = tmp_path / "used"
    collect(Run(experiment("a", trials=1), engines(), used))
    with pytest.raises(RunError, match="a run in it already"):
        Run(experiment("a"), engines(), used)


def test_runs_that_begin_in_one_second_have_folders_of_their_own(tmp_path, engines, monkeypatch):
    """Even if another process makes the same one between the look and the making."""
    monkeypatch.setattr("core.run.run.os.path.exists", lambda path: False, raising=False)
    runs = [Run(experiment("a"), engines(), runs=tmp_path / "runs") for _ in range(3)]
    assert len({run.folder for run in runs}) == 3
    long = experiment("a")
    long = long.model_copy(update={"model": long.model.model_copy(update={"source": "模" * 300})})
    assert Run(long, engines(), runs=tmp_path / "runs").folder.is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"file/.*results cannot be written there: Not a directory"):
        Run(experiment("a"), engines(), runs=tmp_path / "file")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs the device /dev/full")
def test_a_full_disk_ends_the_run_and_keeps_what_was_written(tmp_path, engines):
    run = Run(experiment("a", trials=8), engines(), tmp_path / "run")

    def fill(run, event):
        if isinstance(event, events.TrialDone) and event.round == 2:
            run._journal._file.close()
            run._journal._file = open("/dev/full", "w")  # noqa: SIM115

    results, seen = collect(run, fill)
    assert results.finished.status == "failed"
    assert "No space left" in results.failed.message
    assert isinstance(seen[-1], events.Finished)
    assert compare(open_results(tmp_path / "run")).variants[0].trials == 3


def test_prompts_that_cannot_be_used(engines, tmp_path):
    wrong = experiment("a").model_copy(
        update={"workload": experiment("a").workload.model_copy(update={"prompts": "x"})}
    )
    with pytest.raises(RunError, match=r"workload\.prompts"):
        Run(wrong, engines(), tmp_path / "run")
    assert not (tmp_path / "run" / JOURNAL).exists()


def test_requests_at_once_are_compared_by_the_aggregate_rate(engines):
    results, seen = collect(Run(experiment("a", "b", concurrency=3, requests=5), engines()))
    trials = [e for e in seen if isinstance(e, events.TrialDone)]
    assert {len(t.requests) for t in trials} == {5}
    row = compare(results).variants[1]
    assert (row.concurrency, row.requests, row.trials) == (3, 5, 4)
    assert row.aggregate_tok_s > row.per_user_tok_s  # five step together
    assert row.request_rate > 0
    assert remaining_s(results) == 0


def test_no_prompt_is_measured_twice_or_warmed_up_on(tmp_path, engines):
    run = Run(experiment("a", trials=5, concurrency=4, requests=6), engines(), tmp_path / "run")
    rounds = [run._rounds.trial(r) for r in range(5)]
    measured = [p.text for trial in rounds for p in (trial.prompt, *trial.others)]
    assert len(set(measured)) == 30
    warm = run._rounds.warm_up().prompts
    assert len(warm) == 8
    assert not {p.text for p in warm} & set(measured)
    work = run.experiment.workload
    for until in (work, work.model_copy(update={"until_pct": 3.0, "max_trials": 12})):
        rounds = Rounds(until, first_plan(experiment("a", **until.model_dump())))
        timed = {p.text for r in range(until.most_rounds) for p in (rounds.trial(r).prompt, *rounds.trial(r).others)}
        asked = AnswersPhase(spec.QualitySettings(prompts=9), rounds.deck, until)._prompts
        assert not set(asked) & (timed | {p.text for p in rounds.warm_up().prompts})


@pytest.mark.parametrize(("requests", "level"), [(4, None), (20, "info"), (40, "warning")])
def test_a_prompt_set_that_is_too_small_is_said(tmp_path, engines, requests, level):
    run = Run(experiment("a", trials=2, requests=requests), engines(), tmp_path / "run")
    said = list(run._rounds.too_few())
    assert [e.level for e in said] == ([level] if level else [])
    assert all(f"{2 * requests} are needed" in e.text for e in said)


def test_killing_the_driver_leaves_every_finished_trial(tmp_path):
    """The process that drives the run is killed: the journal opens, and its engines end by themselves."""
    import subprocess
    import sys

    script = (
        "import sys; from pathlib import Path\n"
        "from core.run.run import Run\nfrom tests.process.fakes import experiment, pool\n"
        "for e in Run(experiment('a', 'b', trials=100), pool('normal', '--pace', '2'), Path(sys.argv[1])):\n"
        "    print(e.event, getattr(e, 'pid', ''), flush=True)\n"
    )
    root = Path(__file__).parents[2]
    driver = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "run")], stdout=subprocess.PIPE, text=True, cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip
    pids, trials = [], 0
    for line in driver.stdout:
        word, _, rest = line.strip().partition(" ")
        pids += [int(rest)] if word == "hello" else []
        trials += word == "trial_done"
        if trials == 7:
            driver.send_signal(signal.SIGKILL)
            break
    driver.wait()
    driver.stdout.close()
    results = open_results(tmp_path / "run")
    assert results.interrupted
    assert sum(r.trials for r in compare(results).variants) >= 7
    _, alive = psutil.wait_procs([psutil.Process(p) for p in pids if psutil.pid_exists(p)], timeout=5)
    assert alive == []


def test_time_left_is_estimated_from_the_trials(engines):
    estimates = []
    results = Results("x")
    for event in Run(experiment("a", trials=3), engines()):
        results.fold(event)
        if isinstance(event, events.TrialDone):
            estimates.append(remaining_s(results))
    assert estimates[0] > estimates[1] > estimates[2] == 0


def shell(text: str) -> EnginePool:
    return EnginePool(["/bin/sh", "-c", text])


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("yes", "lines in a row that are no events"),
        ("exec 1>&-; exec sleep 100", "closed its output and did not end"),
        ("echo warming; echo 'ImportError: no torch' >&2; exit 3", "exit 3): ImportError: no torch"),
        ("head -c 3000000 /dev/zero; exec sleep 100", "a line of more than 2 MiB"),
        ("cat", "did not answer within 2 s"),
        ("exec sleep 100", "did not answer within 2 s"),
    ],
)
def test_what_is_no_engine_is_ended_and_said(monkeypatch, script, words):
    monkeypatch.setattr("core.run.run_engines.HELLO_S", 2.0)
    monkeypatch.setattr("core.protocol.engine_process.CLOSED_S", 0.2)
    monkeypatch.setattr("core.protocol.engine_process.LONGEST_LINE", 2 << 20)
    run = Run(experiment("a"), shell(script))
    began = time.monotonic()
    results, seen = collect(run)
    assert time.monotonic() - began < 20
    row = compare(results).variants[0]
    assert row.status == "failed"
    assert words in row.error
    assert "Nothing was measured" in row.hint or "engine command" in row.hint
    assert "kept" not in row.hint
    assert len(seen) < 1000
    assert run.pool.processes() == []


def test_an_engine_cannot_begin_or_end_a_run(tmp_path):
    """What only the run may say, and trials that nobody asked for, are not believed."""
    started = events.Started(schema_version=9, dyno_version="x", created="x", experiment={}, schedule=[]).line()
    finished = events.Finished(status="ok", rounds=3).line()
    trial = events.TrialDone(round=0, requests=[], requested_tokens=1, prompt_ids=[], token_ids=[], text="").line()
    script = tmp_path / "engine"
    script.write_text(f"read hello\ncat <<'END'\n{started}\n{finished}\n{trial}\nEND\nexit 3\n")
    results, _ = collect(Run(experiment("a"), EnginePool(["/bin/sh", str(script)])))
    assert results.started.schema_version == 1
    assert results.finished.status == "failed"
    assert results.variants["a"].trials == []
    warnings = [e.text for e in results.log if isinstance(e, events.Log)]
    assert [w for w in warnings if "`started`" in w]
    assert [w for w in warnings if "`finished`" in w]
    assert [w for w in warnings if "round 1, which it was not asked for" in w]


def test_a_command_that_no_line_can_hold_is_a_failure_and_no_silence(engines, tmp_path, monkeypatch):
    run = Run(experiment("a", "b"), engines(), tmp_path / "run")
    monkeypatch.setattr(run._rounds, "deck", {i: commands.Prompt.model_construct(text="a\ud800b") for i in range(100)})
    results, _ = collect(run)
    assert results.finished.status == "failed"
    assert all("cannot be written as UTF-8" in r.error for r in compare(results).variants)


def test_stop_before_the_first_round_ends_the_run_now(engines):
    def stop(run, event):
        if isinstance(event, events.Phase) and event.phase == "load":
            run.stop_after_round()

    began = time.monotonic()
    results, seen = collect(Run(experiment("a", "b"), engines("slow")), stop)
    assert time.monotonic() - began < 10  # it would load for a minute
    assert results.finished.status == "stopped"
    assert isinstance(seen[-1], events.Finished)


def test_a_trial_that_the_full_disk_lost_is_still_shown(engines, tmp_path, monkeypatch):
    run = Run(experiment("a", trials=4), engines(), tmp_path / "run")
    write = run._journal.write

    def full(event):
        if isinstance(event, events.TrialDone) and event.round == 2:
            raise OSError(28, "No space left on device")
        write(event)

    monkeypatch.setattr(run._journal, "write", full)
    results, seen = collect(run)
    assert len(results.variants["a"].trials) == 3
    assert [type(e) for e in seen[-3:]] == [events.TrialDone, events.Failed, events.Finished]


@pytest.mark.parametrize(
    ("code", "text"), [(3, "exit 3"), (-9, "killed by SIGKILL, likely out of memory"), (-11, "killed by SIGSEGV")]
)
def test_exit_words(code, text):
    assert exit_words(code) == text


def test_a_run_goes_on_until_it_is_precise(tmp_path, engines):
    run = Run(experiment(until_pct=10, max_trials=60), engines("normal", "--pace", "2"), tmp_path / "run")
    results, seen = collect(run)
    finished = seen[-1]
    assert (finished.status, finished.reason) == ("ok", "precise")
    assert finished.rounds == results.rounds_done >= 16
    assert "every interval is within ±10 %" in finished.message
    assert compare(results).variants[1].half_width_pct <= 10
    assert len(run.schedule) == 60
    texts = {run._rounds.trial(r).prompt.text for r in range(60)}
    assert len(texts) == 60
    assert not texts & {p.text for p in run._rounds.warm_up().prompts}
    assert open_results(run.folder).finished == finished


def test_a_run_ends_at_its_cap_and_at_its_budget(tmp_path, engines):
    shared = engines()
    _, seen = collect(Run(experiment(until_pct=0.001, max_trials=12), shared, tmp_path / "1"))
    assert (seen[-1].status, seen[-1].reason, seen[-1].rounds) == ("ok", "cap", 12)
    results, seen = collect(Run(experiment(trials=1000, budget_s=1), shared, tmp_path / "2"))
    assert (seen[-1].status, seen[-1].reason) == ("ok", "budget")
    assert 0 < seen[-1].rounds < 1000
    assert compare(results).variants[1].status == "ok"
