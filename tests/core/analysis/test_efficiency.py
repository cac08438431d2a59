"""The step that is worked out from a trial and its receipts, against the cache and the weights of the real decoder."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest
import torch

from core.analysis.roofline import bytes_per_step
from core.analysis.roofline_placement import cache_of, step_of
from core.engine.base.runtime import Runtime
from core.kernels.base import surgery
from core.kernels.checks.anatomy import anatomy
from core.kernels.decoding.sampling import Sampler
from core.model.receipt import Receipt
from core.model.step_anatomy import Anatomy
from core.results.trials import Trial
from tests.core import build
from tests.core.kernels.test_strategies import PROMPT, load, receipt
from tests.core.tiny import EOS, save_tiny

NEW = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


def measured(runtime: Runtime) -> tuple[Trial, float]:
    """A pass as a trial, and the bytes of the cache, mean over its steps."""
    decoder: Any = runtime.decoder
    tokens = [decoder.start(PROMPT, NEW, Sampler(forbidden=[EOS]))]
    counts, held = [1], []
    while len(tokens) < NEW:
        new = decoder.step()
        tokens += new
        counts.append(len(new))
        held.append(decoder.kv_bytes())
    request = build.request([10.0 * (i + 1) for i in range(len(counts))], counts, prompt_tokens=len(PROMPT))
    *_, done = build.trial("v", 0, 10, tokens=len(counts))
    done = done.model_copy(
        update={
            "kv_bytes": held[-1],
            "drafted": decoder.drafted,
            "accepted": decoder.accepted,
            "verify_steps": decoder.verify_steps,
        }
    )
    return Trial(variant="v", round=0, requests=(request,), done=done), statistics.fmean(held)


def sizes(runtime: Runtime) -> Anatomy:
    drafter: Any = getattr(runtime.decoder, "drafter", None)
    found = anatomy(runtime.model, torch.float32, draft=getattr(drafter, "model", None))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("cache", "tolerance"),
    [
        ({"method": "dynamic"}, 0.02),
        ({"method": "static"}, 0.001),
        ({"method": "sliding_window", "window": 16, "sinks": 2}, 0.02),
        ({"method": "quantized", "format": "int8", "window": 8, "block": 8}, 0.1),
        ({"method": "quantized", "format": "int4", "window": 8, "block": 8}, 0.15),
    ],
    ids=lambda value: value.get("format", value["method"]) if isinstance(value, dict) else "",
)
def test_bytes_of_each_kind_of_cache(folder: Path, cache: dict[str, Any], tolerance: float) -> None:
    runtime = load(folder, kv_cache=cache)
    trial, held = measured(runtime)
    runtime.last_trial = trial.done
    step = step_of(sizes(runtime), [trial], cache_of([receipt(runtime)]))
    assert step is not None
    assert step.kv_read == pytest.approx(held, rel=tolerance)
    assert (step.seconds, step.tokens_out, step.tokens_in) == (pytest.approx(0.010), 1, 1)


def test_without_a_cache_the_context_is_fed_again(folder: Path) -> None:
    runtime = load(folder, kv_cache={"method": "none"})
    trial, _ = measured(runtime)
    step = step_of(sizes(runtime), [trial], cache_of([receipt(runtime)]))
    assert step is not None
    assert (step.kv_read, step.logits) == (0, 1)
    assert step.tokens_in == len(PROMPT) + NEW / 2


def test_guesses_are_fed_and_a_draft_is_read(folder: Path) -> None:
    slots = {"method": "self_draft", "draft_tokens": 3, "adaptive": False, "quantization": "none", "drop": 0.5}
    runtime = load(folder, speculation=slots)
    trial, _ = measured(runtime)
    found = sizes(runtime)
    assert found.draft is not None
    assert found.draft.layers == 2
    step = step_of(found, [trial], cache_of([receipt(runtime)]))
    assert step is not None
    done = trial.done
    assert step.tokens_in == pytest.approx(1 + done.drafted / done.verify_steps)
    assert step.drafts == pytest.approx(done.drafted / done.verify_steps)
    assert step.tokens_out == pytest.approx(1 + done.accepted / done.verify_steps)
    alone = bytes_per_step(found.model_copy(update={"draft": None}), step)
    assert bytes_per_step(found, step) > alone + step.drafts * found.draft.weights_read


@pytest.mark.parametrize(
    "slots",
    [
        {"quantization": {"method": "int8_weight_only"}},
        {"quantization": {"method": "int4_weight_only", "group_size": 32}},
        {"quantization": {"method": "int8_weight_only"}, "fusion": {"method": "fused_projections"}},
        {"pruning": {"method": "layer_drop", "layers": 1}},
    ],
    ids=["int8", "int4", "int8 fused", "layer drop"],
)
def test_every_byte_of_a_changed_model_is_read_or_a_table(folder: Path, slots: dict[str, Any]) -> None:
    runtime = load(folder, **slots)
    found = sizes(runtime)
    tied = runtime.model.get_output_embeddings().weight is runtime.model.get_input_embeddings().weight
    held = surgery.storage_bytes(runtime.model)
    assert found.body_bytes + found.embedding_bytes + (0 if tied else found.head_bytes) == held
    before = sizes(load(folder))
    assert found.weights_read < before.weights_read
    if "quantization" in slots:
        assert found.matrix_weights == before.matrix_weights


def test_a_mask_changes_neither_bytes_nor_products(folder: Path) -> None:
    masked, plain = sizes(load(folder, pruning={"method": "magnitude"})), sizes(load(folder))
    assert masked == plain


def test_a_fused_model_has_fewer_operations_and_as_many_bytes(folder: Path) -> None:
    fused, plain = sizes(load(folder, fusion={"method": "fused_projections"})), sizes(load(folder))
    assert (fused.weights_read, fused.matrix_weights) == (plain.weights_read, plain.matrix_weights)
    assert fused.operations is not None
    assert plain.operations is not None
    assert fused.operations < plain.operations


def test_the_cache_is_named_by_the_receipt_that_knows_it() -> None:
    def one(slot: str, **detail: Any) -> Receipt:
        return Receipt(slot=slot, requested="", effective="", matches=True, detail=detail)

    assert cache_of([]) == ""
    assert cache_of([one("quantization", cache="x")]) == ""
    both = [one("kv_cache", cache="DynamicCache: 4 DynamicLayer"), one("batching", cache="slots")]
    assert cache_of(both) == "slots"
    assert cache_of(both[:1]) == "DynamicCache: 4 DynamicLayer"


def test_a_trial_of_one_token_has_no_step() -> None:
    *_, done = build.trial("v", 0, 10, tokens=1)
    one = Trial(variant="v", round=0, requests=(build.request([10.0]),), done=done)
    assert step_of(Anatomy.model_construct(windows=[], draft=None), [one], "") is None
