"""Bytes and FLOPs of a step against figures worked out by hand, and where a step stands."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from core.analysis.roofline import Step, bytes_per_step, flops_per_step, place, ridge_batch
from core.cli.roofline_display import machine as report
from core.machine.environment import Device, Environment
from core.machine.machine_roof import MachineRoof, RoofReading, machine_key
from core.model.step_anatomy import Anatomy

#: SmolLM2-135M: 30 layers, 576 wide, 9 heads on 3 KV heads of 64, MLP 1,536, 49,152 ids, head tied.
HEAD = 49_152 * 576
BODY = 30 * (576 * (576 + 192 + 192) + 576 * 576 + 3 * 576 * 1536)
NORMS = 61 * 576


def smollm(body_bytes: float, head_bytes: float, element: float = 2, **changes) -> Anatomy:
    values = {
        "layers": 30,
        "hidden": 576,
        "heads": 9,
        "kv_heads": 3,
        "head_dim": 64,
        "element_bytes": element,
        "body_bytes": round(body_bytes + NORMS * element),
        "head_bytes": round(head_bytes),
        "embedding_bytes": round(HEAD * element),
        "embedding_row_bytes": round(576 * element),
        "matrix_weights": BODY + HEAD,
        "head_weights": HEAD,
        "windows": [0] * 30,
        "computes_in": "fp32" if element == 4 else "bf16",
        "operations": 1000,
        **changes,
    }
    return Anatomy(**values)


def machine(**changes) -> MachineRoof:
    """20 GB/s from memory, 100 from the cache; 100 GFLOP/s in fp32 and 10 in bf16, which it emulates."""
    values = {
        "device": "cpu",
        "readings": [RoofReading(bytes=1 << 20, sum=100e9, gemv=90e9), RoofReading(bytes=1 << 28, sum=18e9, gemv=20e9)],
        "peaks": {"fp32": 100e9, "bf16": 10e9},
        "operation_s": 2e-6,
        "llc_bytes": 32 << 20,
        **changes,
    }
    return MachineRoof(**values)


def step(seconds: float = 0.03, **changes) -> Step:
    values = {"tokens_out": 1, "tokens_in": 1, "logits": 1, "context": 0, "kv_read": 0, **changes}
    return Step(seconds=seconds, **values)


def int4(group: int) -> float:
    return BODY * (0.5 + 4 / group)  # half a byte a weight; a scale and a zero in bf16 for each group


@pytest.mark.parametrize(
    ("anatomy", "megabytes"),
    [
        (smollm(BODY * 4, HEAD * 4, 4), 538),
        (smollm(BODY * 2, HEAD * 2), 269),
        (smollm(BODY, HEAD * 2), 163),
        (smollm(BODY, HEAD), 135),
        (smollm(int4(32), HEAD * 2), 123),
        (smollm(int4(64), HEAD * 2), 116),
    ],
    ids=["fp32", "bf16", "int8, bf16 head", "int8", "int4 g32", "int4 g64"],
)
def test_bytes_per_token_of_the_demo_model(anatomy: Anatomy, megabytes: int) -> None:
    assert round(bytes_per_step(anatomy, step()) / 1e6) == megabytes


def test_keys_and_values_of_grouped_heads() -> None:
    anatomy = smollm(BODY * 2, HEAD * 2)
    assert anatomy.kv_bytes_per_token() == 23_040
    assert anatomy.kv_read(100) == 2_304_000
    assert bytes_per_step(anatomy, step(kv_read=2_304_000)) - bytes_per_step(anatomy, step()) == 2_304_000
    halves = smollm(BODY * 2, HEAD * 2, windows=[0, 16] * 15)
    assert halves.kv_read(100) == 15 * (100 + 16) * 768
    assert halves.kv_read(10) == 230_400


def test_flops_of_a_token() -> None:
    """2·P + 4·L·h_q·d_h·S."""
    anatomy = smollm(BODY * 2, HEAD * 2)
    expected = 2 * (BODY + HEAD) + 4 * 30 * 9 * 64 * 100
    assert flops_per_step(anatomy, step(context=100)) == expected
    assert flops_per_step(anatomy, step(context=100, tokens_in=8, logits=8)) == 8 * expected
    # of a context that is computed again, only the last token meets the head
    assert flops_per_step(anatomy, step(tokens_in=200, logits=1)) == 2 * (200 * BODY + HEAD)


def test_a_draft_reads_its_weights_at_every_guess() -> None:
    alone = smollm(BODY * 2, HEAD * 2)
    both = smollm(BODY * 2, HEAD * 2, draft=smollm(BODY, HEAD))
    guessing = step(tokens_in=5, logits=5, tokens_out=3, drafts=4)
    draft = bytes_per_step(smollm(BODY, HEAD), step())
    assert bytes_per_step(both, guessing) == bytes_per_step(alone, guessing) + 4 * draft
    found = place(both, guessing, None)
    assert found.bytes_per_token == pytest.approx(bytes_per_step(both, guessing) / 3)


def test_a_bandwidth_bound_step() -> None:
    found = place(smollm(BODY * 4, HEAD * 4, 4), step(0.03), machine())
    assert found.mbu_pct == pytest.approx(100 * 538.1 / 20e3 / 0.03, rel=1e-3)
    assert found.mfu_pct == pytest.approx(100 * 2 * (BODY + HEAD) / 100e9 / 0.03)
    assert found.bound == "bandwidth"
    assert found.ceiling_tok_s == pytest.approx(20e9 / 538.1e6, rel=1e-3)
    assert found.intensity == pytest.approx(0.5, rel=1e-3)
    assert found.ridge == 5
    assert not found.cache_resident
    assert not found.implausible


def test_a_step_of_many_tokens_is_bound_by_computing() -> None:
    wide = step(0.1, tokens_in=32, logits=32, tokens_out=32)
    found = place(smollm(BODY * 4, HEAD * 4, 4), wide, machine())
    assert found.bound == "compute"
    assert found.ceiling_tok_s == pytest.approx(100e9 / (2 * (BODY + HEAD)))
    assert found.mfu_pct == pytest.approx(100 * 32 * 2 * (BODY + HEAD) / 100e9 / 0.1)


def test_a_small_model_is_bound_by_launching_and_a_compiled_one_is_not() -> None:
    small = smollm(1e6, 1e6, matrix_weights=1_000_000, head_weights=500_000)
    assert place(small, step(0.003), machine()).bound == "launch"
    assert place(small, step(0.003), machine()).launch_pct == pytest.approx(100 * 2 / 3)
    compiled = small.model_copy(update={"operations": None})
    assert place(compiled, step(0.003), machine()).bound == "kernel"
    assert place(compiled, step(0.003), machine()).launch_pct is None


def test_what_is_not_measured_is_not_available() -> None:
    found = place(smollm(BODY * 2, HEAD * 2), step(), None)
    assert (found.mbu_pct, found.mfu_pct, found.ceiling_tok_s, found.bound) == (None, None, None, "")
    assert found.bytes_per_token > 0
    bare = place(smollm(BODY * 2, HEAD * 2), step(), machine(peaks={}, operation_s=None))
    assert (bare.mfu_pct, bare.ridge, bare.launch_pct) == (None, None, None)
    assert bare.mbu_pct is not None


def test_a_rate_above_the_roofline_is_implausible_unless_a_cache_explains_it() -> None:
    large = smollm(BODY * 2, HEAD * 2)  # 269 MB: 13.5 ms at least
    assert not place(large, step(0.0130), machine()).implausible
    assert place(large, step(0.0110), machine()).implausible
    small = smollm(2e6, 2e6)
    fast = place(small, step(0.0001), machine(peaks={}))
    assert fast.mbu_pct is not None
    assert fast.mbu_pct > 100
    assert fast.cache_resident
    assert not fast.implausible
    assert place(small, step(0.00001), machine(peaks={})).implausible


def test_a_narrow_type_reaches_what_a_wider_one_does() -> None:
    """A kernel can widen what it reads; only what was measured counts."""
    assert machine().peak("bf16") == 100e9
    assert machine(peaks={"fp32": 1.0, "bf16": 8.0, "int8": 16.0}).peak("bf16") == 8
    assert machine(peaks={"fp32": 1.0, "bf16": 8.0, "int8": 16.0}).peak("int8") == 16
    assert machine(peaks={"bf16": 8.0}).peak("fp32") is None


def test_the_batch_at_which_computing_takes_over() -> None:
    assert ridge_batch(machine(), "fp32", 4) == 100e9 * 4 / (2 * 20e9)
    assert ridge_batch(machine(peaks={}), "fp32", 4) is None


@given(st.floats(1, 1e12))
def test_the_bandwidth_at_a_size_lies_between_cache_and_memory(size: float) -> None:
    assert 20e9 <= machine().bandwidth_at(size) <= 100e9


def test_the_bandwidth_at_a_size_falls_with_it() -> None:
    sizes = [machine().bandwidth_at(1 << shift) for shift in range(18, 30)]
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (100e9, 20e9)


def test_a_measurement_holds_for_one_machine_and_one_torch() -> None:
    here = Environment(cpu="A", threads=2, cores=2, versions={"torch": "2.13.0", "numpy": "2"})
    device = Device(name="G", uuid="1", memory_bytes=1)
    same = here.model_copy(update={"hostname": "other", "versions": {"torch": "2.13.0", "numpy": "3"}})
    assert machine_key(same) == machine_key(here)
    changes: list[dict] = [{"cpu": "B"}, {"threads": 1}, {"versions": {"torch": "2.14.0"}}, {"devices": [device]}]
    assert len({machine_key(here.model_copy(update=change)) for change in changes} | {machine_key(here)}) == 5


@given(
    st.floats(1e-5, 10), st.floats(1, 64), st.floats(0, 4096), st.floats(1e8, 1e13), st.floats(1e8, 1e15)
)  # fmt: skip
def test_a_plausible_step_stays_below_its_ceiling(
    seconds: float, rows: float, context: float, bandwidth: float, peak: float
) -> None:
    reading = RoofReading(bytes=1 << 30, sum=bandwidth, gemv=bandwidth / 2)
    one = step(seconds, tokens_in=rows, logits=rows, tokens_out=rows, context=context, kv_read=rows * context * 23_040)
    found = place(smollm(BODY * 2, HEAD * 2), one, machine(readings=[reading], peaks={"fp32": peak}))
    assert found.mbu_pct is not None
    assert found.mfu_pct is not None
    assert found.ceiling_tok_s is not None
    assert found.implausible == (max(found.mbu_pct, found.mfu_pct) > 110)
    assert found.rate / found.ceiling_tok_s == pytest.approx(max(found.mbu_pct, found.mfu_pct) / 100)


def test_a_machine_is_printed_with_its_ridge() -> None:
    out = io.StringIO()
    Console(file=out, width=100).print(report(machine(foreign_cpu_pct=140.0, seconds=5.25)))
    said = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert "read 0.250 GiB 18.0 GB/s sum; matrix × vector 20.0 GB/s" in said
    assert "product fp32 100 GFLOP/s ridge 5 FLOP/B" in said
    assert "last-level cache 32.0 MiB" in said
    assert "measured in 5.2 s others used 140 % of a core: too low, measure it again" in said
    out = io.StringIO()
    Console(file=out, width=100).print(report(machine(llc_bytes=None, operation_s=None)))
    assert "n/a" in out.getvalue()
    assert "small operation" not in out.getvalue()
