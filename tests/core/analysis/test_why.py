"""The why of a result: every rule from a stream of events that carries its measurement, and none without."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.case import cases
from core.analysis.compare import compare
from core.analysis.comparison_row import Row
from core.analysis.explanation import RULES, UNKNOWN
from core.analysis.roofline_placement import placed
from core.machine.machine_roof import MachineRoof
from core.model.receipt import Receipt
from core.protocol import events
from core.results.results import Results
from tests.core import build
from tests.core.analysis.test_roofline import BODY, HEAD, machine, smollm

FP32 = smollm(BODY * 4, HEAD * 4, 4, operations=200)
INT8 = smollm(BODY, HEAD, 4, computes_in="bf16", operations=200)
TWO_WIDE = {"concurrency": 2}


def receipt(slot: str, effective: str = "x", **detail: Any) -> Receipt:
    return Receipt(slot=slot, requested="x", effective=effective, matches=True, detail=detail)


def run(
    ratio: float,
    base_ms: float = 33,
    base: dict | None = None,
    other: dict | None = None,
    receipts: list[Receipt] | None = None,
    found: MachineRoof | None = None,
    rounds: int = 4,
    **trial: Any,
) -> Results:
    """A baseline in fp32 of `base_ms` a step, and a variant `ratio` times as fast; on the machine of the roofline's
    tests, or on none if `found` has no readings."""
    stream: Iterator[events.Event] = build.run([ratio] * rounds, step_ms=base_ms)
    results = Results("run")
    for event in stream:
        if isinstance(event, events.Loaded):
            values = {"anatomy": FP32, **((base if event.variant == "a" else other) or {})}
            event = event.model_copy(update=values)
        elif isinstance(event, events.Receipts) and event.variant == "b" and receipts is not None:
            event = event.model_copy(update={"receipts": receipts})
        elif isinstance(event, events.TrialDone) and event.variant == "b":
            event = event.model_copy(update=trial)
        results.fold(event)
        if isinstance(event, events.Started):
            results.fold(events.Machine(variant="a", machine=found or machine()))
    return results


def rows(results: Results) -> tuple[Row, Row]:
    base, other = compare(results).variants
    return base, other


def test_the_baseline_says_where_it_stands() -> None:
    base, _ = rows(run(1.0))
    assert base.why == "Bandwidth-bound: a step reads 539 MB, 82 % of the measured 20.0 GB/s."
    assert base.mbu_pct == pytest.approx(81.6, abs=0.1)
    assert base.bound == "bandwidth"
    assert base.ceiling_tok_s == pytest.approx(37.1, abs=0.1)
    assert base.flags == ""


def test_columns_agree_with_the_place() -> None:
    results = run(2.0, other={"anatomy": INT8})
    place = placed(results.variants["b"], results.machine)
    _, row = rows(results)
    assert place is not None
    assert row.bytes_per_token == pytest.approx(INT8.weights_read + 576 * 4 + INT8.kv_read(10 + 9 / 2))
    assert row.decode_tok_s == pytest.approx(place.rate)
    assert row.mfu_pct == pytest.approx(100 * place.flops_per_token * place.rate / 100e9)
    assert row.intensity == pytest.approx(place.flops_per_token / place.bytes_per_token)


def test_nothing_is_explained_without_a_measured_bandwidth() -> None:
    results = Results("run")
    for event in build.run([0.5] * 4):
        results.fold(event)
    base, other = rows(results)
    assert (base.why, base.mbu_pct, base.bound) == ("", None, "")
    assert other.why == UNKNOWN


def test_a_slower_variant_of_which_nothing_is_known_says_so() -> None:
    _, row = rows(run(0.5))
    assert row.verdict == "slower"
    assert row.why == UNKNOWN


def test_fewer_bytes_in_less_time() -> None:
    _, row = rows(run(3.5, other={"anatomy": INT8}, receipts=[receipt("quantization", classes=["Int8Linear: 211"])]))
    assert row.why == "Reads 0.25 times the baseline's bytes, and a step takes 0.29 times as long (MBU 82 → 72 %)."


def test_fewer_bytes_and_more_of_all_else_is_dequantization() -> None:
    proof = [receipt("quantization", classes=["Int8Linear: 211"])]
    _, row = rows(run(1.2, other={"anatomy": INT8}, receipts=proof))
    assert row.why == (
        "Dequantization-bound (Int8Linear): reads 0.25 times the baseline's bytes, but all else in a step takes "
        "20.7 ms instead of 6.1; MBU fell from 82 to 25 %."
    )
    _, slower = rows(run(0.4, other={"anatomy": INT8}, receipts=proof))
    assert slower.why.startswith("Dequantization-bound")
    plain = INT8.model_copy(update={"computes_in": "fp32"})
    _, without = rows(run(0.4, other={"anatomy": plain}, receipts=[]))
    assert "equant" not in without.why


def test_what_does_not_shrink_with_the_bytes() -> None:
    proof = [receipt("quantization", classes=["Int8Linear: 211"])]
    _, row = rows(run(1.5, base_ms=60, other={"anatomy": INT8}, receipts=proof))
    assert row.why == (
        "Reads 0.25 times the baseline's bytes, and a step takes 0.67 times as long: all but reading still takes "
        "33.2 ms (baseline: 33.1), at least 0.4 ms of it launching; MBU 45 → 17 %."
    )


def test_launching_more_than_reading() -> None:
    tiny = smollm(1e6, 1e6, 4, matrix_weights=1_000_000, head_weights=500_000)
    base, row = rows(run(1.0, base_ms=3, base={"anatomy": tiny}, other={"anatomy": tiny}))
    assert base.why.startswith("Launch-bound: to start 1000 operations from Python takes 2.0 of the 3.0 ms of a step.")
    assert row.why.startswith("Launch-bound")
    unknown = tiny.model_copy(update={"operations": None})
    base, _ = rows(run(1.0, base_ms=3, base={"anatomy": unknown}))
    assert "aunch" not in base.why


def test_less_beside_reading() -> None:
    _, row = rows(run(1.2, base_ms=40))
    assert (
        row.why == "Reads as much as the baseline in 0.83 times the time: less is done beside reading (MBU 67 → 81 %)."
    )


def test_a_cache_that_is_not_there() -> None:
    nothing = receipt("kv_cache", cache="none")
    _, row = rows(run(0.1, receipts=[nothing]))
    assert row.why.startswith("Without a cache every token computes the whole context again: 12 times the FLOPs")
    assert row.flops_per_token == pytest.approx(FP32.flops(14.5, 1, 7.25))
    assert row.bytes_per_token == pytest.approx(FP32.weights_read + 576 * 4 * 14.5)


@pytest.mark.parametrize(
    ("ratio", "counts", "share", "words"),
    [
        (1.6, {"drafted": 32, "accepted": 24, "verify_steps": 8}, 0.1, "75 % of the guesses are right, so a pass"),
        (0.4, {"drafted": 32, "accepted": 24, "verify_steps": 8}, 0.8, "The draft is too slow: guessing takes 80 %"),
        (0.4, {"drafted": 32, "accepted": 2, "verify_steps": 8}, 0.1, "Acceptance is too low: 6 % of the guesses"),
        (0.1, {"drafted": 8, "accepted": 1, "verify_steps": 8}, 0.1, "Verifying is too dear: a pass over 2.0 tokens"),
        (0.9, {"drafted": 0, "accepted": 0, "verify_steps": 8}, None, "Nothing was guessed"),
    ],
)  # fmt: skip
def test_speculation(ratio: float, counts: dict[str, int], share: float | None, words: str) -> None:
    proof = receipt("speculation", drafted=counts["drafted"], draft_share=share)
    _, row = rows(run(ratio, receipts=[proof], **counts))
    assert row.why.startswith(words)
    _, without = rows(run(ratio))  # no counts: nothing to explain it with
    assert "guess" not in without.why


def test_a_mask_without_a_kernel() -> None:
    mask = receipt("pruning", badge="masked", zeros=50, weights=100)
    _, row = rows(run(1.0, receipts=[mask]))
    assert row.why.startswith("A mask without a kernel for it: 50 % of the weights are zero, stored and multiplied")
    _, smaller = rows(run(3.5, other={"anatomy": INT8}, receipts=[mask]))
    assert "mask" not in smaller.why


def test_the_sparse_kernel() -> None:
    _, row = rows(run(0.9, receipts=[receipt("pruning", badge="2:4 kernel active")]))
    assert row.why.startswith("The 2:4 kernel saves multiplications, and these take 7 % of a step")


def test_compilations_while_measuring() -> None:
    _, row = rows(run(0.5, flags=["3 compilations"]))
    assert row.why.startswith("Compiled again while it was measured: 3 compilations (4 of 4 trials)")


def test_a_type_that_the_processor_widens() -> None:
    half = smollm(BODY * 2, HEAD * 2, 2)
    _, row = rows(run(0.8, other={"anatomy": half}))
    assert row.why.startswith("This processor multiplies bf16 more slowly than fp32: 10 against 100 GFLOP/s measured")
    fast = machine(peaks={"fp32": 100e9, "bf16": 900e9})
    _, native = rows(run(0.8, other={"anatomy": half}, found=fast))
    assert native.why == UNKNOWN


def test_a_quantized_cache() -> None:
    proof = receipt("kv_cache", cache="DynamicCache: 30 QuantizedKvLayer")
    base = 46_080 * 19
    _, row = rows(run(0.7, receipts=[proof], kv_bytes=base // 4))
    assert row.why == UNKNOWN  # the baseline's own cache was not told
    results = run(0.7, receipts=[proof], kv_bytes=base // 4)
    for trial in results.variants["a"].trials:
        object.__setattr__(trial, "done", trial.done.model_copy(update={"kv_bytes": base}))
    _, row = rows(results)
    assert row.why.startswith("Every step dequantizes the whole cache: 0.25 times the bytes")
    assert row.bytes_per_token == pytest.approx(FP32.weights_read + 576 * 4 + (base // 4) * 14.5 / 19)


def test_fewer_bytes_in_a_type_that_is_widened() -> None:
    half = smollm(BODY * 2, HEAD * 2, 2)
    _, row = rows(run(1.1, other={"anatomy": half}))
    assert row.why.endswith("fp32: 10 against 100 GFLOP/s measured, so 0.50 times the bytes take 0.91 times as long.")


def test_a_difference_that_may_be_noise_is_not_explained() -> None:
    results = Results("run")
    for event in build.run([1.0, 3.0, 0.8, 1.2], step_ms=33):
        if isinstance(event, events.Loaded):
            event = event.model_copy(update={"anatomy": FP32 if event.variant == "a" else INT8})
        results.fold(event)
    results.fold(events.Machine(variant="a", machine=machine()))
    _, row = rows(results)
    assert row.verdict == "undecided"
    assert row.why.startswith("Kernel-bound: reading 135 MB")


def test_who_was_disturbed_is_not_judged() -> None:
    _, row = rows(run(1.0, base_ms=80, flags=["swap in use", "foreign CPU 160 %"]))
    assert row.why == (
        "What binds cannot be told: reading 539 MB accounts for 34 % of a step. "
        "Disturbed meanwhile: swap in use (4 of 4 trials)."
    )
    _, explained = rows(run(0.8, other={"anatomy": smollm(BODY * 2, HEAD * 2, 2)}, flags=["foreign CPU 160 %"]))
    assert explained.why.endswith(
        "GFLOP/s measured, so 0.50 times the bytes take 1.25 times as long. "
        "Disturbed meanwhile: foreign CPU 160 % (4 of 4 trials)."
    )


def test_what_a_cache_holds_is_said() -> None:
    small = smollm(1e6, 1e6, 4, matrix_weights=1_000_000, head_weights=500_000, operations=None)
    base, _ = rows(run(1.0, base_ms=0.05, base={"anatomy": small}, other={"anatomy": small}))
    assert base.mbu_pct is not None
    assert base.mbu_pct > 100
    assert "Cache-resident: its 2.8 MB fit the last-level cache of 34 MB, so MBU may exceed 100 %." in base.why
    assert base.flags == ""


def test_a_rate_that_cannot_be_is_flagged() -> None:
    base, _ = rows(run(1.0, base_ms=10))
    assert base.flags == "implausible: 169 % above what the measured bandwidth and peak allow"
    base, _ = rows(run(1.0, base_ms=10, found=machine(foreign_cpu_pct=150.0)))
    assert base.flags.endswith("allow, measured beside a busy neighbour: dyno env --measure")


def together(ratio: float, rounds: int = 4) -> Results:
    """Two requests at once: the baseline serves one after the other, the variant both in every step."""
    results = Results("run")
    results.fold(build.started(["a", "b"], rounds, concurrency=2, requests=2))
    results.fold(events.Machine(variant="a", machine=machine()))
    for name in ("a", "b"):
        results.fold(build.loaded(name, anatomy=FP32))
    for number in range(rounds):
        for name in ("a", "b"):
            results.fold(events.Phase(variant=name, phase="trial", round=number))
            ms = [33, 33] if name == "a" else [33 * 2 / ratio] * 2
            end = 0
            times = []
            for request in (0, 1):
                start = end if name == "a" else 0
                stamps = [round((start / 1e6 + ms[request] * i) * 1e6) for i in range(1, 10)]
                end = stamps[-1]
                results.fold(events.Steps(variant=name, round=number, request=request, at_ns=stamps, tokens=[1] * 9))
                times.append(
                    events.RequestTimes(
                        request=request, arrival_ns=0, dispatch_ns=start, end_ns=end, prompt_tokens=10, new_tokens=9
                    )
                )
            results.fold(
                events.TrialDone(
                    variant=name, round=number, requests=times, requested_tokens=18, prompt_ids=[1] * 10,
                    token_ids=[1] * 9, text="", concurrency=2,
                )
            )  # fmt: skip
    results.fold(events.Finished(status="ok", rounds=rounds))
    return results


def test_batching() -> None:
    base, other = rows(together(1.6))
    assert base.why.startswith("One request after the other: every step reads the weights for one token; half of the")
    assert other.why == (
        "A step reads the weights once for 2.0 requests (1.0 in the baseline) and takes 1.25 times as long."
    )
    assert other.bytes_per_token == pytest.approx(FP32.weights_read / 2 + 576 * 4 + FP32.kv_read(14.5))


def test_no_rule_fires_on_a_variant_that_was_not_measured() -> None:
    results = Results("run")
    results.fold(build.started(["a", "b"], 4))
    results.fold(events.Machine(variant="a", machine=machine()))
    base, other = rows(results)
    assert (base.why, other.why) == ("", "")
    for case in cases(results, [base, other], [None, None]):
        assert [rule.name for rule in RULES if rule.sentence(case)] == []


WORDS = st.sampled_from(["", "none", "StaticCache: 4 StaticLayer", "DynamicCache: 4 QuantizedKvLayer", "masked"])
NUMBERS = st.one_of(st.none(), st.integers(-5, 10**6), st.floats(0, 1))
DETAIL = st.dictionaries(
    st.sampled_from(["cache", "badge", "zeros", "weights", "drafted", "draft_share", "classes"]),
    st.one_of(WORDS, NUMBERS),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    steps=st.lists(st.tuples(st.integers(0, 5 * build.MS), st.integers(0, 9)), min_size=1, max_size=6),
    counts=st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)),
    kv_bytes=st.one_of(st.none(), st.integers(0, 10**9)),
    receipts=st.dictionaries(st.sampled_from(["kv_cache", "speculation", "pruning", "quantization"]), DETAIL),
    known=st.booleans(),
)
def test_whatever_a_journal_holds_there_is_a_comparison(
    steps: list[tuple[int, int]],
    counts: tuple[int, int, int],
    kv_bytes: int | None,
    receipts: dict[str, dict],
    known: bool,
) -> None:
    """No figure is negative or no number, and nothing is divided by zero."""
    results = Results("run")
    results.fold(build.started(["a", "b"], 4))
    if known:
        results.fold(events.Machine(variant="a", machine=machine()))
    total = sum(n for _, n in steps)
    for name in ("a", "b"):
        results.fold(build.loaded(name, anatomy=FP32))
        results.fold(
            events.Receipts(variant=name, receipts=[receipt(slot, **detail) for slot, detail in receipts.items()])
        )
        for number in range(4):
            at = list(accumulate(gap for gap, _ in steps))
            results.fold(events.Phase(variant=name, phase="trial", round=number))
            results.fold(events.Steps(variant=name, round=number, at_ns=at, tokens=[n for _, n in steps]))
            times = events.RequestTimes(
                arrival_ns=0, dispatch_ns=0, end_ns=at[-1], prompt_tokens=10, new_tokens=total
            )  # fmt: skip
            results.fold(
                events.TrialDone(
                    variant=name, round=number, requests=[times], requested_tokens=total, prompt_ids=[1], token_ids=[1],
                    text="", kv_bytes=kv_bytes, drafted=counts[0], accepted=counts[1], verify_steps=counts[2],
                )
            )  # fmt: skip
    results.fold(events.Finished(status="ok", rounds=4))
    for row in rows(results):
        for name in ("mbu_pct", "mfu_pct", "ceiling_tok_s", "bytes_per_token", "flops_per_token", "intensity"):
            value = getattr(row, name)
            assert value is None or (value > 0 and math.isfinite(value)), name
        assert (row.mbu_pct is not None) <= known
        assert isinstance(row.why, str)
