"""Answers and suites in the quality phase, with engines that have no model and misbehave when told to: flips are
counted, and whoever fails keeps what was measured before."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from core.analysis.compare import compare
from core.cli import run_display
from core.protocol import events
from core.results.journal import open_results
from core.run.answers_phase import SHOWN
from core.run.run import Run, RunError
from core.spec import experiment as spec
from tests.process import test_run
from tests.process.fakes import pool
from tests.process.test_run import collect

folders, engines = test_run.folders, test_run.engines  # fixtures

SUITE = [
    {"name": "kept", "prompt": "one two three", "contains": "one"},
    {"name": "lost", "prompt": "one two three", "regex": "THREE$"},
    {"name": "gained", "prompt": "one two three", "exact": "ONE TWO"},
    {"name": "never", "prompt": "one two three", "numeric": 3},
]


@pytest.fixture
def suite(tmp_path: Path) -> str:
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(map(json.dumps, SUITE)))
    return str(file)


def experiment(suite: str, **quality: object) -> spec.Experiment:
    """`int8` leaves out the last word of every answer."""
    return spec.parse(
        {
            "quality": {"prompts": 3, "answer_tokens": 500, "suite": suite, **quality},
            "workload": {"trials": 2, "new_tokens": 8, "prompt_tokens": 16},
            "variant": [{"name": "base"}, {"name": "int8", "quantization": "int8_weight_only"}, {"name": "same"}],
        }
    )


def test_flips_and_divergence_are_counted(engines, suite):
    run = Run(experiment(suite), engines())
    results, seen = collect(run)
    assert results.finished.status == "ok"
    base, int8, same = compare(results).variants
    assert (base.suite_passed, base.suite_total, base.suite_lost, base.exact_match_pct) == (2, 4, None, None)
    assert (int8.suite_passed, int8.suite_total, int8.suite_lost, int8.suite_gained) == (2, 4, 1, 1)
    assert (same.suite_lost, same.suite_gained, same.exact_match_pct, same.first_divergence) == (0, 0, 100, None)
    assert int8.exact_match_pct == 0
    lengths = [len(a.token_ids) for a in results.variants["int8"].answers["divergence"].answers]
    assert int8.first_divergence == min(lengths)
    assert (int8.divergence_margin, int8.divergence_margin_base) == (None, 0.5)  # it had ended there
    assert int8.flags == ""  # nobody called it exact
    divergence, of_suite = run._answers._commands()  # type: ignore[union-attr]
    for state in results.variants.values():  # the journal says what was asked
        assert state.answers["divergence"].prompts == [text[:SHOWN] for text in divergence.prompts]
        assert state.answers["suite"].prompts == of_suite.prompts
    last_trial = max(i for i, e in enumerate(seen) if isinstance(e, events.TrialDone))
    assert min(i for i, e in enumerate(seen) if isinstance(e, events.Answers)) > last_trial
    assert compare(open_results(run.folder)) == compare(results)


def test_the_terminal_names_what_flipped(engines, suite):
    run = Run(experiment(suite), engines())
    results, _ = collect(run)
    out = io.StringIO()
    run_display.report(results, run.folder, Console(file=out, width=200))
    text = out.getvalue()
    assert "int8: 2 of 4 prompts of the suite pass; lost: 1 (lost); gained: 1 (gained)" in text
    assert "int8: 0 % of the answers equal the baseline's" in text
    assert "same: every answer equals the baseline's, token for token" in text


def test_prompts_are_none_of_those_that_were_measured(engines, suite):
    run = Run(experiment(suite), engines())
    collect(run)
    divergence, _ = run._answers._commands()  # type: ignore[union-attr]
    asked = set(divergence.prompts)
    measured = {run._rounds.trial(n).prompt.text for n in range(2)} | {p.text for p in run._rounds.warm_up().prompts}
    assert len(asked) == 3
    assert not asked & measured


def test_none_of_it_is_asked_where_it_is_off(engines):
    results, seen = collect(Run(experiment("none", prompts=0), engines()))
    assert not any(isinstance(e, events.Answers | events.SuiteDone) for e in seen)
    assert {r.suite_total for r in compare(results).variants} == {None}


@pytest.mark.parametrize("mode", ["dies", "runs_out_of_memory", "refuses"])
def test_who_fails_in_it_keeps_what_was_measured(engines, suite, mode):
    results, _ = collect(Run(experiment(suite), engines(mode, "--at", "answers", "--only", "int8")))
    _, bad, same = compare(results).variants
    assert (bad.status, bad.trials, bad.quality_status) == ("ok", 2, "ok")
    assert bad.kld_mean is not None
    assert bad.quality_error
    assert (bad.exact_match_pct, bad.suite_total, bad.suite_lost) == (None, None, None)
    assert (same.exact_match_pct, same.suite_lost) == (100, 0)
    assert results.finished.status == "ok"


def test_without_the_baselines_answers_nothing_is_compared(engines, suite):
    results, _ = collect(Run(experiment(suite), engines("refuses", "--at", "answers", "--only", "base")))
    _, int8, same = compare(results).variants
    assert (int8.exact_match_pct, int8.suite_lost) == (None, None)
    assert (int8.suite_passed, same.suite_passed) == (2, 2)


def test_a_suite_that_cannot_be_used_is_said_before_anything_runs(tmp_path):
    file = tmp_path / "bad.jsonl"
    file.write_text('{"prompt": "p"}\n')
    with pytest.raises(RunError, match=r"quality\.suite: .*bad\.jsonl, line 1"):
        Run(experiment(str(file)), pool())


def test_a_suite_beside_the_experiment_is_found(tmp_path, suite):
    file = tmp_path / "experiment.toml"
    file.write_text('quality = { suite = "mine.jsonl" }\n[[variant]]\nname = "a"\n')
    assert spec.read_toml(file).quality.suite == str(Path(suite).resolve())
