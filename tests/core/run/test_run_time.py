"""How long a run will take: from what was measured, else from bytes and bandwidth; never a figure without a range."""

from __future__ import annotations

import pytest

from core.machine.machine_roof import MachineRoof, RoofReading
from core.model.facts import ModelFacts
from core.protocol import events
from core.results.results import Results
from core.run.run_time import PASSES, ROOF_SHARE, START_S, TimeRange, predicted, until_first_round_s
from core.spec import experiment as spec
from tests.core import build

FACTS = ModelFacts(
    name="m", kind="folder", path="/m", parameters=100_000_000, dtype="bf16", file_bytes=200_000_000, layers=10,
    hidden=512, intermediate=2048, heads=8, kv_heads=8, head_dim=64, vocab=32_000, tied=True,
)  # fmt: skip
MACHINE = MachineRoof(device="cpu", readings=[RoofReading(bytes=1 << 30, sum=20e9, gemv=18e9)], peaks={"fp32": 100e9})


def experiment(rounds: int = 5, **workload) -> spec.Experiment:
    work = {"trials": rounds, "prompt_tokens": 10, "new_tokens": 9, **workload}
    return spec.parse({"workload": work, "variant": [{"name": "a"}, {"name": "b", "quantization": "int8_weight_only"}]})


def test_without_a_measurement_it_is_a_range_about_the_roofline() -> None:
    span = predicted(experiment(), FACTS, "bf16", MACHINE)
    ideal = 9 * 200e6 / 20e9 + 2 * 100e6 * 10 / 100e9  # a trial of the baseline, at the roof
    assert span.least >= 5 * ideal / ROOF_SHARE[0]
    assert span.most > 4 * span.least > 0
    longer = predicted(experiment(rounds=50), FACTS, "bf16", MACHINE)
    shorter = predicted(experiment(rounds=1), FACTS, "bf16", MACHINE)
    assert (longer.most - span.most) / 45 == pytest.approx((span.most - shorter.most) / 4)
    fp32 = predicted(experiment(), FACTS, "fp32", MACHINE)
    assert fp32.most > span.most  # twice the bytes
    assert predicted(experiment(), FACTS, "bf16").most > 0  # of a machine that was never measured


def test_what_was_measured_is_taken_as_it_was() -> None:
    asked = experiment(rounds=4)
    results = Results("run")
    for event in build.run([1.0] * 4):
        if isinstance(event, events.Started):
            event = event.model_copy(update={"experiment": asked.dump()})
        results.fold(event)
    span = predicted(experiment(rounds=100), FACTS, "bf16", MACHINE, results)
    trial = 0.05 + 8 * 0.010
    assert span.least == pytest.approx(2 * (1.5 + START_S[0] + (PASSES[0] + 100) * trial), rel=0.01)
    assert span.most == pytest.approx(2 * (1.5 + START_S[1] + (PASSES[1] + 100) * trial), rel=0.01)
    other = predicted(experiment(rounds=100, new_tokens=90), FACTS, "bf16", MACHINE, results)
    assert other.most > 2 * span.most  # the trials were others


def test_a_budget_ends_the_rounds_and_not_the_loads() -> None:
    span = predicted(experiment(rounds=5000, budget_s=10), FACTS, "bf16", MACHINE)
    assert span.least < 10 + 2 * START_S[1] + 20
    assert span.most < predicted(experiment(rounds=5000), FACTS, "bf16", MACHINE).most


def test_in_words() -> None:
    assert TimeRange(100, 120).words() == "about 1 min 50 s"
    assert TimeRange(30, 240).words() == "30 s – 4 min 0 s"


def test_until_the_first_round() -> None:
    results = Results("run")
    results.fold(build.started(["a", "b", "c"], 5))
    assert until_first_round_s(results) is None
    results.fold(build.loaded("a", load_s=6.0))
    assert until_first_round_s(results) is None  # nothing is known of a warm-up
    results.fold(events.Machine(machine=MACHINE))
    guessed = until_first_round_s(results)
    assert guessed is not None
    assert guessed >= 2 * (6.0 + START_S[0])
    for name in "bc":
        results.fold(build.loaded(name, load_s=6.0))
    results.fold(events.Warm(variant="a", warmup_s=3.0, passes=2, steady=True))
    assert until_first_round_s(results) == pytest.approx(6.0)
