"""Sweeps over the load: the experiments that values make, those that cannot be, the runs that belong together, and the
curve that they make."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from core.cli.load import table as printed
from core.loadtest.load_curve import COLUMNS, available, lines, load_curve, load_table
from core.loadtest.load_sweep import SweepMark, asked, fellows, load_sweep, mark, mark_of, sweep_in
from core.model.facts import ModelFacts
from core.protocol import events
from core.report import table_export
from core.results import metrics
from core.results.journal import Journal
from core.results.results import Results
from core.spec.experiment import SpecError, parse
from core.spec.value_ranges import RangeError
from tests.core.build import MS, loaded, started


def begun(names: list[str], rounds: int, of: SweepMark, **workload) -> events.Started:
    """The beginning of a run of a sweep."""
    return started(names, rounds, **workload).model_copy(update={"settings": of.settings()})


def experiment(**workload):
    return parse({"workload": {"prompt_tokens": 16, "new_tokens": 8, **workload}, "variant": [{"name": "a"}]})


def test_the_command_line_says_a_field_and_its_values() -> None:
    assert asked("concurrency=1,2,4,8") == ("concurrency", [1, 2, 4, 8])
    assert asked("rate = 0.5..2 step 0.5") == ("rate", [0.5, 1.0, 1.5, 2.0])
    with pytest.raises(SpecError, match="one of concurrency, rate, prompt_tokens"):
        asked("trials=1,2")
    with pytest.raises(RangeError, match="no value is given"):
        asked("concurrency")


def test_each_value_makes_an_experiment_that_differs_in_it_alone() -> None:
    base = experiment(requests=0)
    made = load_sweep(base, "concurrency", [1, 2, 8])
    assert [one.experiment.workload.concurrency for one in made] == [1, 2, 8]
    assert [one.experiment.workload.request_count for one in made] == [1, 2, 8]
    for one in made:
        back = one.experiment.workload.model_copy(update={"concurrency": base.workload.concurrency})
        assert one.experiment.model_copy(update={"workload": back}) == base


@pytest.mark.parametrize(
    ("field", "value", "workload", "words"),
    [
        ("concurrency", 0, {}, "greater than or equal to 1"),
        ("concurrency", 512, {}, "less than or equal to 256"),
        ("concurrency", 1.5, {}, "integer"),
        ("concurrency", True, {}, "integer"),
        ("concurrency", "many", {}, "integer"),
        ("concurrency", 8, {"requests": 4}, "fewer than 8 at once"),
        ("concurrency", 8, {"arrival": "poisson"}, "sweep the rate"),
        ("rate", 2.0, {}, "only where arrivals are poisson"),
        ("rate", 0, {"arrival": "poisson"}, "greater than 0"),
        ("prompt_tokens", 0, {}, "greater than or equal to 1"),
    ],
)
def test_a_value_that_measures_nothing_new_or_cannot_be_says_why(field, value, workload, words) -> None:
    (one,) = load_sweep(experiment(**workload), field, [value])
    assert one.experiment is None
    assert words in one.refusal


def test_a_prompt_beyond_the_context_is_refused_and_one_within_is_not() -> None:
    facts = ModelFacts(name="tiny", kind="folder", path="tiny", context=256)
    made = load_sweep(experiment(), "prompt_tokens", [16, facts.context, 2 * facts.context], facts)
    assert made[0].experiment is not None
    assert [f"context of {facts.context} tokens" in one.refusal for one in made] == [False, True, True]


def test_a_run_keeps_which_sweep_it_is_of() -> None:
    own = SweepMark("abc", "rate", 0.5, 4)
    event = started(["a"], 1).model_copy(update={"settings": {"live_hz": 2.0, **own.settings()}})
    results = Results("run")
    results.fold(events.decode(event.line()))
    assert mark_of(results) == own
    assert mark_of(Results("none")) is None
    for broken in ({}, {**own.settings(), "sweep_field": "seed"}, {**own.settings(), "sweep_value": "x"},
                   {**own.settings(), "sweep": ""}, {**own.settings(), "sweep_count": True}):  # fmt: skip
        assert mark(broken) is None


def test_the_runs_of_a_sweep_are_found_beside_each_other(tmp_path) -> None:
    for name, sweep in (("1", "abc"), ("2", "abc"), ("other", "abcd"), ("none", "")):
        settings = SweepMark(sweep, "concurrency", 1, 2).settings() if sweep else {}
        journal = Journal(tmp_path / name)
        journal.write(started(["a"], 1).model_copy(update={"settings": settings}))
        journal.close()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "experiment.json").write_text('{"sweep": "abc"')
    (tmp_path / "file").write_text("abc")
    assert fellows(tmp_path / "1", "abc") == [tmp_path / "1", tmp_path / "2"]
    assert fellows(tmp_path / "gone" / "1", "abc") == []
    assert sweep_in(tmp_path) == []  # there are others
    (tmp_path / "load").mkdir()
    for name in ("1", "2"):
        (tmp_path / name).rename(tmp_path / "load" / name)
    assert sweep_in(tmp_path / "load") == [tmp_path / "load" / "1", tmp_path / "load" / "2"]
    assert sweep_in(tmp_path / "gone") == []


# -- the curve --------------------------------------------------------------------------------------------
def serving(name: str, number: int, at_once: int, step_ms: float, tokens: int = 5):
    """One trial of so many requests at once: each token takes `step_ms`, the first one twice that."""
    stamps = [int((2 + i) * step_ms * MS) for i in range(tokens)]
    yield events.Phase(variant=name, phase="trial", round=number)
    for request in range(at_once):
        yield events.Steps(variant=name, round=number, request=request, at_ns=stamps, tokens=[1] * tokens)
    times = [
        events.RequestTimes(
            request=n, arrival_ns=0, dispatch_ns=0, end_ns=stamps[-1], prompt_tokens=10, new_tokens=tokens
        )
        for n in range(at_once)
    ]
    yield events.TrialDone(
        variant=name, round=number, requests=times, requested_tokens=tokens, prompt_ids=[1], token_ids=[], text="",
        concurrency=at_once,
    )  # fmt: skip


def swept(value: int, steps_ms: dict[str, list[float]], created: str = "", count: int = 3) -> Results:
    results, rounds = Results(f"run {value}"), len(next(iter(steps_ms.values())))
    begin = started(list(steps_ms), rounds, concurrency=value)
    update = {"settings": SweepMark("abc", "concurrency", value, count).settings()}
    results.fold(begin.model_copy(update=update | ({"created": created} if created else {})))
    for name in steps_ms:
        results.fold(loaded(name))
    for number in range(rounds):
        for name, steps in steps_ms.items():
            for event in serving(name, number, value, steps[number]):
                results.fold(event)
    return results


def test_a_point_has_throughput_and_latency_with_intervals_over_the_rounds() -> None:
    (point,) = load_curve([swept(4, {"a": [10, 20]})])
    assert (point.variant, point.value, point.label, point.trials) == ("a", 4, "4", 2)
    # 20 tokens in 60 and in 120 ms: the geometric mean over the rounds.
    assert point.figures["aggregate_tok_s"].value == pytest.approx(20 / 0.06 / 2**0.5, rel=1e-3)
    assert point.figures["request_rate"].value == pytest.approx(4 / 0.06 / 2**0.5, rel=1e-3)
    assert point.figures["ttft_ms_p50"].value == pytest.approx(20 * 2**0.5)
    assert point.figures["itl_ms_p50"].value == pytest.approx(10 * 2**0.5)
    assert point.figures["e2e_ms_p50"].value == pytest.approx(60 * 2**0.5)
    for figure in point.figures.values():
        assert figure.low < figure.value < figure.high
    assert "ttft_ms_p95" not in point.figures  # of 8 requests


def test_a_tail_needs_as_many_requests_as_in_the_comparison() -> None:
    enough = metrics.NEEDED[95]
    (few,) = load_curve([swept(enough // 2 - 1, {"a": [10, 20]})])
    (many,) = load_curve([swept(enough // 2, {"a": [10, 20]})])
    assert "e2e_ms_p95" not in few.figures
    assert many.figures["e2e_ms_p95"].value == pytest.approx(120)
    assert many.figures["e2e_ms_p95"].low is None


def test_curves_go_by_load_and_a_later_run_of_a_load_counts() -> None:
    runs = [
        swept(4, {"a": [10, 10], "b": [30, 30]}, "2026-01-02"),
        swept(1, {"a": [10, 10], "b": [20, 20]}, "2026-01-03"),
        swept(4, {"a": [40, 40], "b": [30, 30]}, "2026-01-04"),
        Results("without a beginning"),
    ]
    points = load_curve(runs)
    found = lines(points, "aggregate_tok_s", "ttft_ms_p50")
    assert {name: [p.value for p in curve] for name, curve in found.items()} == {"a": [1, 4], "b": [1, 4]}
    assert [p.figures["ttft_ms_p50"].value for p in found["a"]] == pytest.approx([20, 80])
    assert [p.place for p in points] == [0, 0, 1, 1]
    assert lines(points, "aggregate_tok_s", "ttft_ms_p95") == {}
    assert available(points)[:2] == ["aggregate_tok_s", "request_rate"]


def test_what_was_not_measured_is_no_point() -> None:
    results = swept(2, {"a": [10, 10]})
    cut = Results("cut")
    cut.fold(started(["a"], 2).model_copy(update={"settings": SweepMark("abc", "concurrency", 8, 3).settings()}))
    assert [p.value for p in load_curve([results, cut])] == [2]
    assert load_curve([]) == []


def test_the_file_has_each_figure_with_its_interval(tmp_path) -> None:
    points = load_curve([swept(2, {"a": [10, 20], "b": [10, 20]})])
    rows = load_table(points)
    assert all(list(row) == COLUMNS for row in rows)
    assert [(r["variant"], r["letter"], r["field"], r["value"]) for r in rows] == [
        ("a", "A", "concurrency", 2), ("b", "B", "concurrency", 2),
    ]  # fmt: skip
    assert rows[0]["ttft_ms_p95"] is None
    table_export.write_load_curve(points, tmp_path / "load_curve.csv")
    head, first, *_ = (tmp_path / "load_curve.csv").read_text().splitlines()
    assert head == ",".join(COLUMNS)
    assert first.startswith("1,abc,concurrency,2,run 2,")
    assert json.loads(json.dumps(rows))


@pytest.mark.parametrize(("width", "intervals"), [(140, True), (80, False)])
def test_the_terminal_shows_a_row_for_each_load(width, intervals) -> None:
    points = load_curve([swept(2, {"a": [10, 20], "b": [10, 20]}), swept(4, {"a": [10, 20], "b": [10, 20]})])
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(printed(points, "concurrency", width))
    text = console.export_text()
    assert len(text.splitlines()) == 6
    assert ("[" in text) is intervals
    assert "concurrency" in text
