"""metrics.csv, and what makes each exported table stand alone."""

from __future__ import annotations

import csv
import json
import math

import pytest

from core.analysis.compare import compare
from core.machine.environment import Device, Environment
from core.protocol import events
from core.report import table_export
from core.results.ratio_statistics import MARGIN
from core.results.results import Results
from core.spec import experiment as spec
from tests.core import build

ENVIRONMENT = Environment(
    hostname="bench-1",
    platform="Linux 6.1",
    cpu="Some CPU",
    cores=2,
    threads=2,
    python="3.11.7",
    versions={"torch": "2.13.0", "transformers": "5.24.0"},
    devices=[Device(name="Some GPU", uuid="GPU-1", memory_bytes=1 << 30)],
)


@pytest.fixture
def results() -> Results:
    found = Results("run-1")
    stream = list(build.run([1.4, 1.5, 1.6, 1.5], names=("base", "int4")))
    experiment = {
        "variant": [
            {"name": "base"},
            {"name": "int4", "quantization": {"method": "int4_weight_only", "group_size": 64}},
        ],
        "workload": {"prompts": "chat", "prompt_tokens": 128, "new_tokens": 64, "temperature": 0.7, "seed": 9},
    }
    stream[0] = stream[0].model_copy(update={"experiment": spec.parse(experiment).dump(), "t_ns": 0})
    for event in [*stream[:1], events.Env(environment=ENVIRONMENT), *stream[1:]]:
        found.fold(event)
    return found


def read(path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.open(encoding="utf-8")))


def test_a_comparison_says_what_it_was_measured_with(tmp_path, results) -> None:
    table_export.write_comparison(compare(results), tmp_path / "c.csv")
    first, second = read(tmp_path / "c.csv")
    assert (first["letter"], second["letter"]) == ("A", "B")
    assert (second["prompt_set"], second["input_tokens"], second["output_tokens"]) == ("chat", "128", "64")
    assert (second["temperature"], second["seed"], second["created"]) == ("0.7", "9", "2026-01-01T00:00:00+00:00")
    assert (second["host"], second["cpu"], second["gpu"]) == ("bench-1", "Some CPU", "Some GPU")
    assert (second["torch_version"], second["transformers_version"]) == ("2.13.0", "5.24.0")
    assert second["torchao_version"] == ""
    settings = json.loads(second["settings"])
    assert settings["quantization"] == spec.parse({"variant": [settings]}).variants[0].quantization.dump()
    assert settings["quantization"]["group_size"] == 64
    assert second["verdict_text"] == "1.50× faster"


def test_the_long_form_has_estimate_ratio_and_both_intervals(tmp_path, results) -> None:
    comparison = compare(results)
    table_export.write_metrics(results, comparison, tmp_path / "m.csv")
    rows = {(r["variant"], r["metric"]): r for r in read(tmp_path / "m.csv")}
    assert list(rows["base", "decode_tok_s"]) == table_export.METRIC_COLUMNS
    speed = rows["int4", "decode_tok_s"]
    mean = math.prod((1.4, 1.5, 1.6, 1.5)) ** 0.25
    assert float(speed["estimate"]) == pytest.approx(100 * mean, rel=1e-3)
    assert float(speed["low"]) < float(speed["estimate"]) < float(speed["high"])
    assert float(speed["ratio"]) == pytest.approx(mean, rel=1e-3)
    assert float(speed["ratio_low"]) < float(speed["ratio"]) < float(speed["ratio_high"])
    assert (speed["unit"], speed["better"], speed["verdict"]) == ("tok/s", "higher", "faster")
    latency = rows["int4", "itl_ms_p50"]
    assert float(latency["ratio"]) == pytest.approx(1 / mean, rel=1e-3)
    assert (latency["unit"], latency["better"], latency["verdict"]) == ("ms", "lower", "lower")
    weights = rows["int4", "weights_bytes"]
    assert (weights["estimate"], weights["ratio"], weights["low"], weights["ratio_low"]) == ("1000", "1.0", "", "")
    assert rows["base", "decode_tok_s"]["verdict"] == "baseline"
    assert ("int4", "kld_mean") not in rows  # nobody judged it


def test_several_requests_are_compared_by_their_common_rate(results) -> None:
    found = Results("run-2")
    for event in build.run([1.5] * 4, concurrency=2):
        if isinstance(event, events.Started):
            event = build.started(["a", "b"], 4, concurrency=2)
        found.fold(event)
    metrics = {row["metric"] for row in table_export.metrics_table(found, compare(found))}
    assert "aggregate_tok_s" in metrics
    assert "decode_tok_s" not in metrics


def test_a_trial_says_when_it_ran_and_on_what(tmp_path) -> None:
    found = Results("run-1", MARGIN)
    found.fold(build.started(["a", "b"], 2).model_copy(update={"t_ns": 0}))
    second = 1_000_000_000
    for number, name, at in ((0, "a", 1), (0, "b", 2), (1, "a", 3), (1, "b", 4)):
        for event in build.trial(name, number, 10, prompt_ids=[number] * 10):
            end = at * second
            if isinstance(event, events.TrialDone):
                found.fold(events.Sample(variant=name, phase="trial", process_bytes=100 * at, t_ns=end - 50_000_000))
            found.fold(event.model_copy(update={"t_ns": end}))
    table_export.write_trials(found, tmp_path / "t.csv")
    rows = read(tmp_path / "t.csv")
    assert [r["place"] for r in rows] == ["1", "2", "1", "2"]
    assert [r["peak_process_bytes"] for r in rows] == ["100", "200", "300", "400"]
    assert [float(r["start_s"]) for r in rows] == [pytest.approx(at - 0.13, abs=1e-6) for at in (1, 2, 3, 4)]
    prompts = [r["prompt_id"] for r in rows]
    assert prompts[0] == prompts[1] != prompts[2] == prompts[3]


def test_trials_of_two_runs_can_be_told_apart_in_one_table(tmp_path) -> None:
    """Also where their folders have the same name."""
    told = set()
    for created in ("2026-01-01T10:00:00+00:00", "2026-01-02T10:00:00+00:00"):
        found = Results("run-1", MARGIN)
        found.fold(build.started(["a"], 1).model_copy(update={"created": created}))
        for event in build.trial("a", 0, 10):
            found.fold(event)
        table_export.write_trials(found, tmp_path / "t.csv")
        (row,) = read(tmp_path / "t.csv")
        assert (row["experiment"], row["model"]) == ("run-1", "demo")
        told.add(row["created"])
    assert len(told) == 2


def test_a_variant_keeps_the_letter_of_its_run() -> None:
    found = Results("run-1")
    found.fold(build.started(["a", "b", "c"], 1).model_copy(update={"settings": {"letters": [0, 4, 2]}}))
    assert [row.letter for row in compare(found).variants] == ["A", "E", "C"]
