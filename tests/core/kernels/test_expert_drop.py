"""Fewer experts: the least used go, what is left computes what the whole model computes without them, and loads."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from core.kernels.base import surgery
from core.kernels.experts import expert_drop, experts
from core.model.facts import ModelFacts
from core.spec.variant import Variant
from core.spec.workload import Workload
from tests.core.kernels.test_expert_masks import changed
from tests.core.kernels.test_experts import MIXTURES
from tests.zoo.models import make

PROMPT = torch.tensor([[5, 17, 42, 99, 7, 130, 61, 12]])
FEWER = {"method": "expert_drop", "ratio": 0.25, "calibration_tokens": 64}


@pytest.mark.parametrize("kind", MIXTURES)
def test_every_mixture_can_do_with_fewer_experts(kind: str, tmp_path) -> None:
    original, runtime, proof = changed(kind, "pruning", FEWER)
    model = runtime.model
    assert proof.matches, proof.effective
    assert "3 of 4 experts left" in proof.effective
    assert {stack.experts for stack in experts.stacks(model)} == {3}
    parts = sum(stack.weights() for stack in experts.stacks(original))
    routers = sum(original.get_submodule(s).weight.numel() for s in {x.router for x in experts.stacks(original)})
    gone = surgery.parameter_count(original) - surgery.parameter_count(model)
    assert gone >= 0.25 * (parts + routers)
    model.save_pretrained(tmp_path)  # as `dyno preset materialize` writes it
    again = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32).eval()
    with torch.inference_mode():
        assert torch.allclose(again(PROMPT, use_cache=False).logits, model(PROMPT, use_cache=False).logits, atol=1e-5)


def test_usage_counts_every_token_as_often_as_it_meets_an_expert() -> None:
    model = make("mixtral")
    ids = list(range(1, 65))
    found = expert_drop.mixture(model)
    counts = expert_drop.usage(model, ids)
    assert [sum(c) for c in counts] == [len(ids) * found.chosen] * len(found.routers)
    assert all(isinstance(stack.tensor, torch.Tensor) for stack in experts.stacks(model))


def test_an_expert_that_no_token_meets_can_go_without_a_change() -> None:
    """One token meets two of four experts in each layer; Mixtral's weights of these two do not depend on the others."""
    model, one = make("mixtral"), PROMPT[:, :1]
    with torch.inference_mode():
        before = model(one, use_cache=False).logits
    counts = expert_drop.usage(model, one[0].tolist())
    assert all(sorted(c) == [0, 0, 1, 1] for c in counts)
    expert_drop.keep(model, [[i for i in range(4) if i != c.index(0)] for c in counts])
    with torch.inference_mode():
        assert torch.allclose(model(one, use_cache=False).logits, before, atol=1e-5)


def test_the_same_number_stays_in_every_group() -> None:
    assert expert_drop.most_used([9, 1, 8, 2, 7, 3, 6, 4], 4) == [0, 2, 4, 6]
    assert expert_drop.most_used([9, 8, 7, 6, 1, 2, 3, 4], 4, groups=2) == [0, 1, 6, 7]
    found = expert_drop.Mixture("n_routed_experts", count=8, chosen=3, groups=2, routers=["r"])
    assert [found.kept(ratio) for ratio in (0.1, 0.25, 0.5, 0.9)] == [8, 6, 4, 4]


def facts(**known: Any) -> ModelFacts:
    return ModelFacts(name="m", kind="folder", path="/m", **known)


def test_it_is_refused_where_there_is_no_mixture_and_where_a_token_meets_all() -> None:
    variant = Variant.model_validate({"name": "v", "pruning": FEWER})
    assert variant.pruning is not None
    dense = variant.pruning.conflicts(variant, facts(parameters=1000), Workload())
    assert dense == ["the model is no mixture of experts: every token meets all of its weights"]
    assert variant.pruning.conflicts(variant, facts(parameters=1000, expert_parameters=500), Workload()) == []
    assert variant.pruning.misfits(make("llama")) == ["it has no experts that are slices of one tensor"]
    model = copy.deepcopy(make("mixtral"))
    model.config.num_experts_per_tok = 4
    assert variant.pruning.misfits(model) == ["a token meets all of its 4 experts: none can go"]
    little = variant.pruning.model_copy(update={"ratio": 0.05})
    assert little.misfits(make("mixtral")) == ["so small a share of 4 experts in 1 groups is none: raise the ratio"]
