"""What a new session of a run may do, and what it leaves as it is."""

import pytest

from core import __version__
from core.analysis import verdict_text
from core.analysis.compare import compare
from core.machine.environment import Environment
from core.protocol import events
from core.results.journal import EXPERIMENT, JOURNAL, Journal, open_results
from core.results.pairing import confidence
from core.results.results import Results
from core.run import continuation, stopping_rule
from core.run.engine_sharing import orders
from core.run.run_control import RunError
from core.spec import experiment as spec
from tests.core import build

NAMES = ["a", "b", "c"]


def run(folder, rounds: int = 5, measured: int = 5, cut: int = 0, failed: str = "", finished: str = "ok", **workload):
    """A run of three variants, of which some rounds are measured; in one more, so many variants have a trial."""
    began = build.started(NAMES, rounds, **workload).model_copy(update={"dyno_version": __version__})
    stream = [began, events.Env(environment=Environment(cpu="x"))]
    stream += [build.loaded(name) for name in NAMES]
    if failed:
        stream.append(events.Failed(variant=failed, message="it died"))
    alive = [name for name in NAMES if name != failed]
    for number in range(measured):
        stream += [e for name in alive for e in build.trial(name, number, 10)]
    stream += [e for name in alive[:cut] for e in build.trial(name, measured, 10)]
    if finished:
        stream.append(events.Finished(status=finished, rounds=measured))
    write(folder, stream)
    return open_results(folder)


def write(folder, stream, goes_on: bool = False) -> None:
    journal = Journal(folder, goes_on)
    for event in stream:
        journal.write(event)
    journal.close()


def session(before: continuation.Continuation, rounds: int | None = None, finished: bool = True):
    """What a new session writes."""
    yield before.event({})
    yield events.Env(environment=Environment(cpu="x"))
    for name in before.plan.names:
        yield build.loaded(name)
    first = before.plan.first_round
    for number in range(first, first + (before.plan.rounds if rounds is None else rounds)):
        for name in before.plan.schedule[number]:
            yield from build.trial(name, number, 10)
    if finished:
        yield events.Finished(status="ok", rounds=before.plan.rounds)


def test_more_rounds_go_on_with_the_seed_sequence_and_fresh_prompts(tmp_path):
    before = continuation.plan(run(tmp_path), tmp_path, 3)
    assert before.plan.names == tuple(NAMES)
    assert (before.plan.first_round, before.plan.rounds) == (5, 3)
    assert before.plan.schedule[5:] == orders(NAMES, 8, 7)[5:]
    assert before.plan.first_prompt >= 5 + 2  # the rounds before and their warm-up
    assert before.experiment.workload.trials == 8


def test_an_interrupted_run_gets_what_is_missing_in_whole_rounds(tmp_path):
    results = run(tmp_path, measured=2, cut=1, finished="")
    assert continuation.unfinished_rounds(results) == 3
    before = continuation.plan(results, tmp_path)
    assert (before.plan.first_round, before.plan.rounds) == (3, 3)  # the round that was cut off is not gone on with
    write(tmp_path, session(before), goes_on=True)
    after = open_results(tmp_path)
    assert not after.interrupted
    assert [len(s.trials) for s in after.variants.values()] == [6, 5, 5]
    assert compare(after).variants[1].rounds_paired == 5
    assert compare(after).rounds == 5
    assert "5 rounds in 2 sessions" in verdict_text.method(compare(after))
    assert [r.status for r in compare(after).variants] == ["ok"] * 3
    assert after.cut_off == {2}
    assert [after.round_number(place) for place in range(6)] == [1, 2, None, 3, 4, 5]
    assert continuation.whole_rounds_begun(after) == 5


def test_a_run_until_it_is_precise_goes_on_until_it_is(tmp_path):
    before = continuation.plan(run(tmp_path, measured=3, finished="cancelled", until_pct=2, max_trials=50), tmp_path)
    assert before.experiment.workload.until_pct == 2
    assert before.plan.rounds == 47
    exact = continuation.plan(open_results(tmp_path), tmp_path, 4)
    assert (exact.experiment.workload.until_pct, exact.plan.rounds) == (0, 4)


def test_a_failed_variant_is_measured_again_beside_the_baseline(tmp_path):
    results = run(tmp_path, failed="c")
    before = continuation.plan(results, tmp_path, only=["c"])
    assert before.plan.names == ("a", "c")
    assert before.plan.rounds == 5
    assert all(sorted(order) == ["a", "c"] for order in before.plan.schedule[5:])
    live = open_results(tmp_path)
    told = session(before, rounds=2, finished=False)
    for event in told:
        live.fold(event)
    assert [stopping_rule.trials_left(live, s) for s in live.variants.values()] == [3, 0, 3]
    write(tmp_path, session(before), goes_on=True)
    rows = {r.variant: r for r in compare(open_results(tmp_path)).variants}
    assert [(r.status, r.trials, r.rounds_paired) for r in rows.values()][1:] == [("ok", 5, 5), ("ok", 5, 5)]
    assert rows["a"].trials == 10
    assert not open_results(tmp_path).cut_off  # the rounds that it was not there for are whole


def test_rounds_that_are_added_after_looking_share_the_error(tmp_path):
    """What was planned is no look; each addition is one, of those that it measures."""
    results = run(tmp_path, rounds=6, measured=4, cut=2, finished="")

    def looks(results):
        return [state.looks for state in results.variants.values()]

    write(tmp_path, session(continuation.plan(results, tmp_path)), goes_on=True)
    assert looks(open_results(tmp_path)) == [0, 0, 0]
    write(tmp_path, session(continuation.plan(open_results(tmp_path), tmp_path, 5)), goes_on=True)
    assert looks(open_results(tmp_path)) == [1, 1, 1]
    write(tmp_path, session(continuation.plan(open_results(tmp_path), tmp_path, only=["b"])), goes_on=True)
    after = open_results(tmp_path)
    assert looks(after) == [2, 2, 1]
    a, b, c = after.variants.values()
    assert [confidence(b, a), confidence(c, a), confidence(c, b)] == pytest.approx([1 - 0.05 / 3, 0.975, 0.975])
    judging = continuation.plan(after, tmp_path, 1).event({}).model_copy(update={"rounds": 0})
    after.fold(judging)  # no rounds, no look
    assert looks(after) == [2, 2, 1]


def test_a_failed_variant_that_is_measured_again_was_not_looked_at(tmp_path):
    before = continuation.plan(run(tmp_path, failed="c"), tmp_path, only=["c"])
    write(tmp_path, session(before), goes_on=True)
    a, _, c = open_results(tmp_path).variants.values()
    assert (c.looks, confidence(c, a)) == (0, 0.95)


def test_what_cannot_go_on_says_why(tmp_path):
    results = run(tmp_path)
    with pytest.raises(RunError, match="say how many more"):
        continuation.plan(results, tmp_path)
    with pytest.raises(RunError, match="0 more rounds"):
        continuation.plan(results, tmp_path, 0)
    with pytest.raises(RunError, match="no variant z"):
        continuation.plan(results, tmp_path, 2, only=["z"])
    results.partial = True
    with pytest.raises(RunError, match="only its first rounds"):
        continuation.plan(results, tmp_path, 2)
    assert not continuation.is_unfinished(results)
    results.partial = False
    results.fold(events.Turns(mode="sequence"))
    with pytest.raises(RunError, match="before and after all others"):
        continuation.plan(results, tmp_path, 2)
    with pytest.raises(RunError, match="no run has begun"):
        continuation.plan(Results("x"), tmp_path, 2)


def test_another_machine_or_model_is_refused(tmp_path):
    before = continuation.plan(run(tmp_path), tmp_path, 3)
    door = continuation.Admission(before)
    assert "cpu: x → y" in door.refusal(events.Env(environment=Environment(cpu="y")))
    door = continuation.Admission(before)
    assert not door.refusal(build.loaded("a"))
    assert not door.granted  # the environment is not known yet
    assert not door.refusal(events.Env(environment=Environment(cpu="x")))
    assert door.granted  # of an engine that was warm
    silent = continuation.Admission(before)
    assert not silent.refusal(build.loaded("a"))
    assert "does not say" in silent.refusal(events.Phase(variant="a", phase="trial", round=5))
    door = continuation.Admission(before)
    assert not door.refusal(events.Env(environment=Environment(cpu="x")))
    assert "fingerprint ffffffffffff…" in door.refusal(build.loaded("a", fingerprint="0" * 64))
    assert not door.refusal(build.loaded("a"))
    assert door.granted


def test_a_second_session_cut_at_any_byte_opens(tmp_path):
    results = run(tmp_path, measured=2, cut=1, finished="")
    first = (tmp_path / JOURNAL).read_bytes()
    torn = first + b'{"event":"steps","round"'
    (tmp_path / JOURNAL).write_bytes(torn)
    write(tmp_path, session(continuation.plan(results, tmp_path)), goes_on=True)
    whole = (tmp_path / JOURNAL).read_bytes()
    assert whole.startswith(torn + b"\n")  # appended, and nothing glued to the line that was cut
    experiment = (tmp_path / EXPERIMENT).read_bytes()
    told = open_results(tmp_path)
    assert [len(s.trials) for s in told.variants.values()] == [6, 5, 5]
    step = (len(whole) - len(torn)) // 50
    for cut in [*range(len(torn), len(whole), step), len(whole) - 1]:
        (tmp_path / JOURNAL).write_bytes(whole[:cut])
        opened = open_results(tmp_path)
        finished = whole[:cut].rpartition(b"\n")[0].count(b'"trial_done"')
        assert sum(len(s.trials) for s in opened.variants.values()) == finished
        assert opened.interrupted
        missing = opened.experiment.workload.trials - min(len(s.trials) for s in opened.variants.values())
        assert continuation.unfinished_rounds(opened) == missing  # and may go on once more
    assert (tmp_path / EXPERIMENT).read_bytes() == experiment


def test_time_between_sessions_and_in_pauses_is_no_time_of_measuring(tmp_path):
    found = Results("x")
    found.fold(build.started(["a"], 4))

    def trial(number: int, at_ms: int) -> None:
        for event in build.trial("a", number, 10, ttft_ms=at_ms + 50):
            if isinstance(event, events.TrialDone):
                times = [t.model_copy(update={"arrival_ns": at_ms * build.MS}) for t in event.requests]
                event = event.model_copy(update={"requests": times})
            found.fold(event)

    trial(0, 0)
    trial(1, 200)
    assert stopping_rule.elapsed_s(found) == pytest.approx(0.33)
    found.fold(events.Paused())
    assert found.paused
    found.fold(events.Paused(over=True))
    assert not found.paused
    trial(2, 60_000)
    assert stopping_rule.elapsed_s(found) == pytest.approx(0.33 + 0.13)


def test_a_clock_that_began_anew_puts_nothing_before_what_was(tmp_path):
    results = run(tmp_path)
    before = continuation.plan(results, tmp_path, 2)
    last = max(t.done.t_ns for s in results.variants.values() for t in s.trials)
    for number, event in enumerate(session(before)):
        results.fold(event.model_copy(update={"t_ns": 1000 + number}))
    later = [t.done.t_ns for s in results.variants.values() for t in s.trials if t.round >= 5]
    assert len(later) == 6
    assert min(later) > last


def test_a_strategy_of_another_version_is_not_run(tmp_path):
    results = run(tmp_path)
    data = results.experiment.dump()
    data["variant"][1]["quantization"] = {"method": "from_the_future"}
    results.experiment = spec.parse(data, lenient=True)
    with pytest.raises(RunError, match="cannot run its strategies"):
        continuation.plan(results, tmp_path, 2)
