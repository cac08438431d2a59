"""Masks and calibrated int4 on the experts of mixtures: each by its own inputs, and those that saw none named."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch

from core.kernels.base import surgery
from core.kernels.experts import experts
from core.model.facts import ModelFacts
from tests.core.kernels.test_experts import MIXTURES
from tests.core.tiny import tiny_tokenizer
from tests.core.transformed import receipt, runtime_of
from tests.zoo.models import make

PROMPT = torch.tensor([[5, 17, 42, 99, 7, 130, 61, 12]])
#: In these tiny models some ranks are no multiple of 4 or 8: a pattern cannot be had there.
SHORT = {"calibration_tokens": 64, "sequence": 32}


def changed(kind: str, slot: str, choice: dict[str, Any]) -> tuple[Any, Any, Any]:
    """The original, the runtime after the strategy's transform, and its receipt."""
    original = make(kind)
    model = copy.deepcopy(original)
    facts = ModelFacts(name=kind, kind="folder", path="")
    runtime = runtime_of(model, tiny_tokenizer(), facts, **{slot: choice})
    strategy = getattr(runtime.variant, slot)
    with torch.no_grad():
        strategy.transform(runtime)
    return original, runtime, receipt(runtime, slot)


@pytest.mark.parametrize("kind", MIXTURES)
def test_magnitude_masks_every_expert_and_no_router(kind: str) -> None:
    original, runtime, proof = changed(kind, "pruning", {"method": "magnitude", "ratio": 0.5})
    model = runtime.model
    assert proof.matches, proof.detail["left_out"]
    assert "matrices of experts" in proof.effective
    stacks = experts.stacks(model)
    assert all(isinstance(stack.tensor, torch.Tensor) for stack in stacks)  # one tensor again
    for stack in stacks:
        share = (stack.tensor == 0).float().mean().item()
        assert share == pytest.approx(0.5, abs=0.02)
    before = dict(original.named_parameters())
    for router in {stack.router for stack in stacks}:
        assert torch.equal(model.get_submodule(router).weight, before[f"{router}.weight"])
    assert torch.isfinite(model(PROMPT, use_cache=False).logits).all()


@pytest.mark.parametrize("method", ["wanda", "sparsegpt"])
@pytest.mark.parametrize("kind", ["mixtral", "gpt_oss", "jetmoe", "deepseek_v3"])
def test_experts_are_masked_by_their_own_inputs(kind: str, method: str) -> None:
    _, runtime, proof = changed(kind, "pruning", {"method": method, "ratio": 0.5, **SHORT})
    assert proof.matches, proof.detail["left_out"]
    by_magnitude = changed(kind, "pruning", {"method": "magnitude", "ratio": 0.5})[1].model
    mine, plain = experts.stacks(runtime.model), experts.stacks(by_magnitude)
    differs = [not torch.equal(a.tensor == 0, b.tensor == 0) for a, b in zip(mine, plain, strict=True)]
    assert all(differs)  # what is fed to an expert decides, and not its weights alone


def test_an_expert_that_saw_no_token_is_named() -> None:
    short = {"calibration_tokens": 32, "sequence": 32}
    _, runtime, proof = changed("olmoe", "pruning", {"method": "wanda", **short})
    unmet = runtime.work["pruning"]["unmet"]
    assert unmet
    assert f"{len(unmet)} matrices of experts that no calibration token reached: by magnitude" in proof.effective
    assert proof.matches
    assert proof.detail["unmet"] == unmet
    _, runtime, proof = changed("olmoe", "quantization", {"method": "gptq", "head": "keep", **short})
    assert sorted(runtime.work["quantization"]["unmet"]) == unmet
    assert "that no calibration token reached: rounded to nearest" in proof.effective
    parts = {name: m for stack in experts.stacks(runtime.model) for name, m in stack.parts.items()}
    assert {name for name, m in parts.items() if m.how == "rounded_unmet"} == {*unmet}


@pytest.mark.parametrize("kind", ["mixtral", "qwen3_moe", "gpt_oss"])
def test_gptq_calibrates_experts(kind: str) -> None:
    original, runtime, proof = changed(
        kind, "quantization", {"method": "gptq", "head": "keep", "calibration_tokens": 512, "sequence": 64}
    )
    parts = [m for stack in experts.stacks(runtime.model) for m in stack.parts.values()]
    assert parts
    assert {m.how for m in parts} <= {"gptq", "rounded_unmet"}
    assert sum(m.how == "gptq" for m in parts) > len(parts) / 2
    assert proof.detail["output_error_ratio"] < 1  # better than round to nearest
    assert surgery.storage_bytes(runtime.model) < surgery.storage_bytes(original)
