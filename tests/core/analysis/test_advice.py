"""Advice: every rule from a run that carries its measurement, and silence without it."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from core.analysis.advice import Situation, advised
from core.analysis.advice_rules import RULES
from core.analysis.case import Case, cases
from core.analysis.compare import compare
from core.analysis.comparison_row import Advice, Row
from core.analysis.roofline_placement import placed
from core.cli.roofline_display import advised as printed
from core.machine.environment import Device, Environment
from core.machine.machine_roof import MachineRoof
from core.results.results import Results
from core.spec.variant import Variant
from core.spec.workload import Workload
from tests.core.analysis.test_roofline import BODY, HEAD, machine, smollm
from tests.core.analysis.test_why import INT8, receipt, rows, run, together

ROOMY = Environment(ram_bytes=64 << 30)
COMPILED = {"compilation": {"method": "torch_compile"}, "kv_cache": {"method": "static"}}


def situation(
    results: Results,
    other: dict[str, Any] | None = None,
    base: dict[str, Any] | None = None,
    row: dict[str, Any] | None = None,
    environment: Environment | None = ROOMY,
    found: MachineRoof | None = None,
    **base_row: Any,
) -> Situation:
    """What was measured, with the recipes and the figures that a rule looks at."""
    assert results.experiment is not None
    first, second = rows(results)
    places = [placed(results.variants[name], results.machine) for name in ("a", "b")]
    changed = [first.model_copy(update=base_row), second.model_copy(update=row or {})]
    mine = [dataclasses.replace(case, base=changed[0]) for case in cases(results, changed, places)]
    variants = [Variant.model_validate({"name": n, **(s or {})}) for n, s in (("a", base), ("b", other))]
    return Situation(mine, variants, results.experiment.workload, environment, found or results.machine)


def said(now: Situation) -> dict[str, Advice]:
    return {piece.rule: piece for piece in advised(now, RULES)}


def test_no_rule_speaks_without_a_measurement() -> None:
    results = Results("run")
    from tests.core import build

    results.fold(build.started(["a", "b"], 4))
    assert compare(results).advice == []
    empty = Row(experiment="", model="", variant="a", status="queued", recipe="", trials=0)
    for other in (
        {"quantization": {"method": "int8_weight_only"}},
        {"speculation": {"method": "prompt_lookup"}},
        COMPILED,
    ):
        variants = [Variant(name="a"), Variant.model_validate({"name": "b", **other})]
        bare = Situation([Case(empty, empty), Case(empty, empty)], variants, Workload(concurrency=4, requests=4))
        assert advised(bare, RULES) == []


def test_reading_binds_a_baseline_alone() -> None:
    now = situation(run(1.0))
    found = said(now)
    assert found["fewer bytes"].because == "a step reads 539 MB at 82 % of the measured bandwidth"
    bytes_of_int8 = BODY + HEAD + 576 * 4 + 46_080 * 14.5
    assert found["fewer bytes"].ceiling_tok_s == pytest.approx(20e9 / bytes_of_int8)
    assert "0.501 FLOP a byte, and this machine could do 5" in found["speculate"].because
    assert all(piece.binds for piece in found.values())
    tried = situation(
        run(1.0), {"quantization": {"method": "int8_weight_only"}, "speculation": {"method": "prompt_lookup"}}
    )
    assert not {"fewer bytes", "speculate"} & set(said(tried))


def test_speculation_needs_computing_to_spare() -> None:
    slow = machine(peaks={"fp32": 15e9})
    assert "speculate" not in said(situation(run(1.0, found=slow), found=slow))


def test_memory_binds() -> None:
    small = Environment(ram_bytes=1 << 30)
    now = situation(run(1.0), environment=small, peak_process_bytes=700 << 20)
    found = said(now)
    assert found["compress"].because == "the baseline's peak is 68 % of 1.0 GiB"
    assert next(iter(found)) == "compress"
    assert (found["compress"].binds, found["fewer bytes"].binds) == (True, False)
    assert "compress" not in said(situation(run(1.0), peak_process_bytes=700 << 20))
    assert "compress" not in said(situation(run(1.0), environment=small))  # its peak was not read
    out = said(situation(run(1.0), row={"status": "out_of_memory"}))
    assert out["compress"].because == "b ran out of memory"


def test_memory_of_a_card_is_the_cards() -> None:
    card = Environment(ram_bytes=1 << 40, devices=[Device(name="G", uuid="1", memory_bytes=1 << 30)])
    found = said(situation(run(1.0), environment=card, peak_allocated_bytes=900 << 20, peak_process_bytes=1 << 20))
    assert found["compress"].because == "the baseline's peak is 88 % of 1.0 GiB"


def test_compression_that_is_not_needed() -> None:
    quantized = {"quantization": {"method": "int8_weight_only"}}
    now = situation(run(0.5, other={"anatomy": INT8}), quantized, peak_process_bytes=1 << 30)
    assert said(now)["memory is enough"].because == (
        "the baseline's peak is 2 % of the memory; b is at 0.50× the baseline's speed"
    )
    assert "memory is enough" not in said(situation(run(1.5, other={"anatomy": INT8}), quantized, peak_process_bytes=1))


def test_many_users() -> None:
    now = situation(together(1.6), decode_ms=100.0)
    found = said(now)
    assert found["batch"].binds
    assert found["batch"].what.startswith("2 users ask at once: serve them together")
    base = now.base.place
    assert base is not None
    both = 2 * 20e9 / (2 * base.bytes_per_step - now.base.anatomy.weights_read)  # type: ignore[union-attr]
    assert found["batch"].ceiling_tok_s == pytest.approx(both)
    assert "batch" not in said(situation(run(1.0)))
    served = {"batching": {"method": "continuous"}}
    found = said(
        situation(together(1.6), served, row={"verdict": "faster", "per_user_tok_s": 9.0}, per_user_tok_s=30.0)
    )
    assert "batch" not in found
    assert "each of them 9.00 tok/s instead of 30.0" in found["batching costs each user"].because


def test_both_bottlenecks() -> None:
    small = Environment(ram_bytes=1 << 30)
    found = said(situation(together(1.6), environment=small, peak_process_bytes=700 << 20, decode_ms=100.0))
    assert next(iter(found)) == "compress, then schedule"
    assert "memory is 68 % full" in found["compress, then schedule"].because
    assert "compress, then schedule" not in said(situation(together(1.6), decode_ms=100.0, peak_process_bytes=1))


def test_speculation_under_load() -> None:
    guessing = {"speculation": {"method": "prompt_lookup"}}
    found = said(situation(together(0.8), guessing, row={"verdict": "slower", "speed_ratio": 0.8}))
    assert found["speculation under load"].because == (
        "with 2 requests at once b is at 0.80× the baseline's speed"
    )  # fmt: skip
    assert "speculation under load" not in said(situation(together(1.6), guessing))


def test_quality() -> None:
    judged = {"gate": "red", "kld_mean": 0.3, "same_top_pct": 72.0}
    found = said(situation(run(2.0), {"quantization": {"method": "int4_weight_only"}}, row=judged))
    assert next(iter(found)) == "conservative"
    assert found["conservative"].because == (
        "b has a KL divergence of 0.300 nats a token and the same top token at 72 % of the positions (gate red)"
    )
    green = {**judged, "gate": "green"}
    assert "conservative" not in said(situation(run(2.0), row=green))


def test_exact_strategies_first() -> None:
    lookup = {"speculation": {"method": "prompt_lookup"}}
    found = said(situation(run(1.5, drafted=8, accepted=4, verify_steps=8), lookup))
    assert found["exact first"].because == "it is 1.50 times as fast, and all of it is exact"
    assert "50 % of its guesses are right, 1.50 tokens a step" in found["speculation stays"].because
    assert "exact first" not in said(situation(run(1.5), {"quantization": {"method": "int8_weight_only"}}))
    slower = said(situation(run(0.5, drafted=8, accepted=1, verify_steps=8), lookup))
    assert "12 % of its guesses" in slower["speculation goes"].because
    assert not {"exact first", "speculation stays"} & set(slower)


def test_two_that_help_alone() -> None:
    results = run(2.0, other={"anatomy": INT8})
    now = situation(results, {"quantization": {"method": "int8_weight_only"}})
    third = dataclasses.replace(
        now.cases[1], row=now.cases[1].row.model_copy(update={"variant": "c", "speed_ratio": 1.5})
    )
    lookup = Variant.model_validate({"name": "c", "speculation": {"method": "prompt_lookup"}})
    three = dataclasses.replace(now, cases=[*now.cases, third], variants=[*now.variants, lookup])
    assert said(three)["combine"].what == "Try b and c in one variant."
    assert "3.00 at most" in said(three)["combine"].because
    assert said(three)["combine"].joins == ["b", "c"]
    fp32 = Variant.model_validate({"name": "x", "precision": "fp32"}).precision  # of all: no difference
    same = [v.model_copy(update={"precision": fp32}) for v in three.variants]
    assert said(dataclasses.replace(three, variants=same))["combine"].joins == ["b", "c"]
    both = lookup.model_copy(update={"name": "d", "quantization": now.variants[1].quantization})
    four = dataclasses.replace(three, cases=[*three.cases, third], variants=[*three.variants, both])
    assert "combine" not in said(four)
    assert "combine" not in said(now)


def test_launches_and_fixed_shapes() -> None:
    tiny = smollm(1e6, 1e6, 4, matrix_weights=1_000_000, head_weights=500_000)
    results = run(1.0, base_ms=3, base={"anatomy": tiny}, other={"anatomy": tiny})
    found = said(situation(results))
    assert found["launches"].because == "1000 operations take 67 % of a step"
    assert "torch.compile on a static cache (shapes must be fixed" in found["launches"].what
    on_card = said(situation(results, device="cuda:0"))
    assert "CUDA graphs" in on_card["launches"].what
    assert "launches" not in said(situation(results, COMPILED))
    again = said(situation(results, COMPILED, row={"flags": "swap in use; 3 compilations (4 of 4 trials)"}))
    assert again["fixed shapes"].because == "3 compilations (4 of 4 trials)"


def test_kernels_that_are_slow_themselves() -> None:
    found = said(situation(run(1.0, base_ms=80)))
    assert found["kernels"].because == "reading accounts for 34 % of a step, multiplying for 3 %"
    assert found["kernels"].ceiling_tok_s == pytest.approx(37.1, abs=0.1)
    tried = {**COMPILED, "fusion": {"method": "fused_projections"}}
    assert "kernels" not in said(situation(run(1.0, base_ms=80), tried))
    assert "kernels" not in said(situation(run(1.0)))


def test_computing_binds() -> None:
    slow = machine(peaks={"fp32": 5e9, "bf16": 50e9})
    results = run(1.0, base_ms=80, found=slow)
    found = said(situation(results, found=slow))
    assert found["computing"].because.endswith("bf16 reaches 10.0 times as much here")
    assert "computing" not in said(situation(run(1.0)))


def test_quantization() -> None:
    quantized = {"quantization": {"method": "int8_weight_only"}}
    waits = said(situation(run(1.2, other={"anatomy": INT8}), quantized))
    assert waits["dequantization"].because == "it reads 0.25 times the bytes, and its MBU is 25 % against 82 %"
    pays = said(situation(run(3.5, other={"anatomy": INT8}), quantized))
    assert "dequantization" not in pays
    ridge = 100e9 * INT8.weights_read / INT8.matrix_weights / (2 * 20e9)
    assert f"about {ridge:.0f} tokens a step" in pays["quantized batches"].because
    assert "quantized batches" not in said(situation(run(0.5, other={"anatomy": INT8}), quantized))


def test_masks() -> None:
    mask = receipt("pruning", badge="masked", zeros=50, weights=100)
    found = said(situation(run(1.0, receipts=[mask]), {"pruning": {"method": "magnitude"}}))
    assert found["masks"].because == "b reads 1.00 times the baseline's bytes"
    assert "masks" not in said(situation(run(1.0), {"pruning": {"method": "layer_drop"}}))


def test_the_class_of_the_processor() -> None:
    half = smollm(BODY * 2, HEAD * 2, 2)
    results = run(0.8, other={"anatomy": half})
    found = said(situation(results, {"precision": {"method": "bf16"}}))
    assert found["processor class"].because == "measured: 10.0 GFLOP/s in bf16, 100 in fp32; b is at 0.80× the speed"
    native = machine(peaks={"fp32": 100e9, "bf16": 900e9})
    assert "processor class" not in said(situation(results, {"precision": {"method": "bf16"}}, found=native))


def test_a_machine_that_is_not_ones_own() -> None:
    results = run(1.0, base_ms=80, flags=["foreign CPU 160 %"])
    found = said(situation(results))
    assert found["quiet machine"].because == "1 of 2 variants were disturbed, b: foreign CPU 160 % (4 of 4 trials)"
    assert "kernels" in found  # the baseline was not disturbed
    now = situation(results, flags="CPU steal 9.0 % (4 of 4 trials)")
    assert "kernels" not in said(now)
    assert "quiet machine" not in said(situation(run(1.0), row={"flags": "not steady after warm-up"}))


def test_more_rounds() -> None:
    open_ = {"verdict": "undecided", "rounds_to_settle": 12, "smallest_detectable_pct": 7.25, "rounds_paired": 4}
    found = said(situation(run(1.0), row=open_))
    assert found["more rounds"].what == "Measure more rounds before choosing: about 12 would settle b."
    assert found["more rounds"].because == "after 4 rounds a change below 7.25 % cannot be seen"
    assert "more rounds" not in said(situation(run(2.0)))


def test_every_rule_is_tested_here() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [rule.name for rule in RULES if f'"{rule.name}"' not in text] == []
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_how_it_is_printed() -> None:
    out = io.StringIO()
    pieces = compare(run(1.0)).advice
    for line in printed(pieces, 1):
        Console(file=out, width=400).print(line)
    assert out.getvalue() == (
        "1. Reading the weights binds: try int8 weights, then int4 weights. (speed: a step reads 539 MB at "
        '82 % of the measured bandwidth; at most 148 tok/s; quantization = "int8_weight_only")\n'
    )
