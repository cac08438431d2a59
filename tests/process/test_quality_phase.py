"""The quality phase of a run, with engines that have no model and misbehave when told to: speed results stay."""

from __future__ import annotations

import pytest

from core.analysis.compare import compare
from core.base.folders import cache_folder
from core.protocol import events
from core.results.journal import open_results
from core.run.run import Run, RunError
from tests.process import test_run
from tests.process.fakes import experiment
from tests.process.test_run import collect

folders, engines = test_run.folders, test_run.engines  # fixtures

QUALITY = {"tokens": 2048, "window": 128, "prompts": 0, "suite": "none"}


def phases(seen):
    return [e.variant for e in seen if isinstance(e, events.Phase) and e.phase == "quality"]


def test_quality_comes_after_the_rounds_and_the_baseline_first(engines):
    run = Run(experiment("a", "b", "c", trials=2, quality=QUALITY), engines())
    results, seen = collect(run)
    last_trial = max(i for i, e in enumerate(seen) if isinstance(e, events.TrialDone))
    assert min(i for i, e in enumerate(seen) if isinstance(e, events.Quality)) > last_trial
    assert phases(seen) == ["a", "b", "c"]
    assert results.finished.status == "ok"
    base, b, _ = compare(results).variants
    assert (base.quality_status, base.ppl_ratio, base.kld_mean, base.gate) == ("reference", 1.0, None, "")
    assert (b.quality_status, b.quality_tokens, b.gate) == ("ok", 2048, "green")
    assert b.kld_mean == pytest.approx(0.004)
    assert b.ppl_ratio_low <= b.ppl_ratio <= b.ppl_ratio_high
    assert compare(open_results(run.folder)) == compare(results)


def test_without_a_table_there_is_no_quality_phase(engines):
    results, seen = collect(Run(experiment("a", "b", trials=1), engines()))
    assert phases(seen) == []
    assert {r.quality_status for r in compare(results).variants} == {""}


@pytest.mark.parametrize("mode", ["dies", "runs_out_of_memory", "refuses"])
def test_who_fails_in_it_keeps_its_speed(engines, mode):
    results, seen = collect(
        Run(experiment("a", "b", "c", trials=2, quality=QUALITY), engines(mode, "--at", "quality", "--only", "b"))
    )
    _, bad, good = compare(results).variants
    assert (bad.status, bad.trials, bad.error) == ("ok", 2, "")
    assert bad.speed_ratio is not None
    assert bad.quality_status == {"dies": "failed", "runs_out_of_memory": "out_of_memory", "refuses": "refused"}[mode]
    assert bad.quality_error
    assert (bad.kld_mean, bad.gate) == (None, "")
    assert (good.quality_status, good.gate) == ("ok", "green")
    assert results.finished.status == "ok"
    assert all(e.phase == "quality" for e in seen if isinstance(e, events.Failed))


def test_without_a_reference_nobody_is_judged(engines):
    results, seen = collect(
        Run(experiment("a", "b", trials=2, quality=QUALITY), engines("refuses", "--at", "quality", "--only", "a"))
    )
    base, other = compare(results).variants
    assert phases(seen) == ["a"]
    assert (base.status, base.quality_status) == ("ok", "refused")
    assert (other.status, other.quality_status) == ("ok", "failed")
    assert "baseline" in other.quality_error


def test_a_baseline_that_was_never_loaded_is_no_reference(engines):
    results, seen = collect(
        Run(experiment("a", "b", trials=1, quality=QUALITY), engines("refuses", "--at", "load", "--only", "a"))
    )
    base, other = compare(results).variants
    assert phases(seen) == []
    assert (base.status, base.quality_status) == ("refused", "")
    assert (other.status, other.quality_status) == ("ok", "failed")


@pytest.mark.parametrize(("how", "status"), [("cancel", "cancelled"), ("stop_after_round", "stopped")])
def test_cancel_and_stop_skip_the_rest_and_keep_the_rounds(engines, how, status):
    def act(run, event):
        if isinstance(event, events.Phase) and event.phase == "quality" and event.variant == "b":
            left = cache_folder() / "quality" / f"{run._quality._reference}-1.logprobs"
            left.parent.mkdir(parents=True, exist_ok=True)
            left.write_bytes(b"x")  # what a killed writer leaves
            getattr(run, how)()

    run = Run(experiment("a", "b", "c", trials=2, quality=QUALITY), engines("normal", "--pace", "3"))
    results, seen = collect(run, act)
    assert results.finished.status == status
    assert phases(seen) == ["a", "b"]
    rows = compare(results).variants
    assert [(r.status, r.trials) for r in rows] == [("ok", 2)] * 3
    assert [r.quality_status for r in rows] == ["reference", "cancelled", "cancelled"]
    assert list((cache_folder() / "quality").iterdir()) == []


def test_stop_in_the_rounds_leaves_quality_out(engines):
    def stop(run, event):
        if isinstance(event, events.TrialDone) and event.round == 1:
            run.stop_after_round()

    results, seen = collect(Run(experiment("a", "b", trials=2, quality=True), engines()), stop)
    assert (results.finished.status, results.rounds_done) == ("stopped", 2)
    assert phases(seen) == []


def test_too_few_chunks_are_said(engines):
    results, _ = collect(Run(experiment("a", "b", trials=1, quality={"tokens": 640}), engines()))
    row = compare(results).variants[1]
    assert (row.quality_status, row.kld_se, row.ppl_ratio_high, row.gate) == ("ok", None, None, "")
    assert row.kld_mean is not None
    said = [e.text for e in results.log if isinstance(e, events.Log)]
    assert any("10 chunks" in text and "1920" in text for text in said)


def test_a_text_that_cannot_be_read_is_known_before_the_run(engines, tmp_path):
    with pytest.raises(RunError, match=r"quality\.text"):
        Run(experiment("a", quality={"text": str(tmp_path / "none.txt")}), engines(), tmp_path / "run")
    assert not (tmp_path / "run").exists()
