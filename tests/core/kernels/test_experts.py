"""Experts that are slices of one tensor: found by what they are, and worked on as Linears, in every mixture."""

import pytest
import torch
from torch import nn
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from core.kernels.base import surgery
from core.kernels.experts import experts
from core.kernels.weights.layer_inputs import layer_by_layer
from tests.zoo.models import KINDS, config, make

PROMPT = torch.randint(0, 256, (1, 24), generator=torch.Generator().manual_seed(1))
MIXTURES = (
    "mixtral",
    "qwen2_moe",
    "qwen3_moe",
    "phimoe",
    "olmoe",
    "deepseek_v2",
    "deepseek_v3",
    "deepseek_v32",
    "glm4_moe",
    "glm4_moe_lite",
    "granitemoe",
    "granitemoeshared",
    "gemma4_moe",
    "gpt_oss",
    "llama4_text",
    "ernie4_5_moe",
    "hunyuan_moe",
    "minimax_m2",
    "dots1",
    "jetmoe",
    "qwen3_next",
    "qwen3_5_moe_text",
    "granitemoehybrid",
    "lfm2_moe",
    "jamba",
    "nemotron_h",
    "minimax",
)


@torch.no_grad()
def logits(model):
    return model(PROMPT, use_cache=False).logits


def test_no_model_without_a_mixture_has_stacks_of_experts():
    others = [kind for kind in KINDS if kind not in MIXTURES]
    assert len(others) > 70
    with torch.device("meta"):
        models = {kind: AutoModelForCausalLM.from_config(config(kind)) for kind in others}
    found = {kind: [s.name for s in experts.stacks(model)] for kind, model in models.items()}
    assert not {kind: names for kind, names in found.items() if names}


@pytest.mark.parametrize("kind", MIXTURES)
def test_experts_are_found_split_and_joined_without_a_change(kind):
    model = make(kind)
    stacks = experts.stacks(model)
    named = dict(model.named_parameters())
    assert [s.name for s in stacks] == [name for name, p in named.items() if p.dim() == 3 and "conv" not in name]
    assert sum(stack.weights() for stack in stacks) > 0.2 * sum(p.numel() for p in model.parameters())
    assert all(named[stack.name] is stack.tensor for stack in stacks)
    before, addresses = logits(model), {name: p.data_ptr() for name, p in named.items()}
    linears, bytes_before = len(surgery.linear_like(model)), surgery.storage_bytes(model)

    assert experts.split(model) == {}
    assert len(surgery.linear_like(model)) == linears + sum(stack.experts for stack in stacks)
    assert surgery.storage_bytes(model) == bytes_before
    assert [(s.name, s.weights()) for s in experts.stacks(model)] == [(s.name, s.weights()) for s in stacks]
    calls = []
    for stack in stacks:
        for linear in stack.tensor.linears():
            linear.register_forward_pre_hook(lambda module, args: calls.append(args[0].shape[-1] == module.in_features))
    torch.testing.assert_close(logits(model), before, rtol=1e-5, atol=1e-5)
    assert len(calls) >= 2 * len(stacks)
    assert all(calls)

    experts.join(model)
    assert {name: p.data_ptr() for name, p in model.named_parameters()} == addresses
    assert torch.equal(logits(model), before)


@pytest.mark.parametrize("implementation", ["eager", "batched_mm", "grouped_mm"])
@pytest.mark.parametrize("kind", ["mixtral", "gpt_oss", "nemotron_h"])
def test_every_way_in_which_transformers_multiplies_experts_meets_the_linears(kind, implementation):
    model = make(kind)
    model.set_experts_implementation(implementation)
    before = logits(model)
    experts.split(model)
    stack = experts.stacks(model)[-1]
    called = []
    for linear in stack.tensor.linears():
        linear.register_forward_pre_hook(lambda *_: called.append(True))
    torch.testing.assert_close(logits(model), before, rtol=1e-5, atol=1e-5)
    assert called


@pytest.mark.parametrize("kind", ["mixtral", "gpt_oss", "llama4_text", "jetmoe"])
def test_operations_that_know_no_experts_get_the_tensor(kind):
    model = make(kind)
    stack = experts.stacks(model)[0]
    tensor = stack.tensor.detach().clone()
    experts.split(model)
    parts = stack.tensor
    assert (parts.shape, parts.dim(), len(parts), parts.dtype) == (tensor.shape, 3, len(tensor), tensor.dtype)
    assert torch.equal(torch.einsum("eij->eji", parts), tensor.mT)
    assert torch.equal(torch.abs(parts[1]), tensor[1].abs())
    assert torch.equal(torch.add(parts[torch.tensor([2, 0])], 1), tensor[[2, 0]] + 1)
    assert torch.equal(parts.transpose(1, 2)[0].T.dense(), tensor[0])


def test_changing_an_experts_weight_in_place_changes_the_tensor():
    for kind in ("mixtral", "gpt_oss"):
        model = make(kind)
        stack = experts.stacks(model)[0]
        tensor = stack.tensor
        experts.split(model)
        stack.tensor.linears()[2].weight.data.zero_()
        experts.join(model)
        assert stack.tensor.data_ptr() == tensor.data_ptr()
        assert [bool(m.any()) for m in stack.tensor] == [True, True, False, True]


def test_a_stack_that_is_partly_replaced_stays_split_and_gives_up_the_tensor():
    model = make("mixtral")
    experts.split(model)
    stack = experts.stacks(model)[0]
    replaced = surgery.as_linear(stack.tensor.linears()[1])
    stack.tensor.add_module("1", type("Other", (nn.Linear,), {})(replaced.in_features, replaced.out_features))
    experts.join(model)
    assert isinstance(stack.tensor, experts.ExpertLinears)
    assert all(m.weight.untyped_storage().nbytes() == m.weight.nbytes for m in stack.tensor.linears())
    assert logits(model).isfinite().all()


def test_which_way_round_a_square_matrix_is_comes_from_a_pass_of_the_model():
    """JetMoE's experts of attention are square where its widths are: shapes alone do not tell."""
    changed = config("jetmoe")
    changed.kv_channels = 32
    model = AutoModelForCausalLM.from_config(changed).eval()
    before = logits(model)
    whole = experts.stacks(model)
    assert sum(stack.tensor.shape[1] == stack.tensor.shape[2] for stack in whole) == 8
    assert set(experts.orientations(model, whole).values()) == {False}
    for stack in whole:  # as if its class had them the other way round
        stack.module.weight = nn.Parameter(stack.module.weight.mT.contiguous(), requires_grad=False)
        stack.module.forward = _multiplies_from_the_right.__get__(stack.module)
    assert set(experts.orientations(model, whole).values()) == {True}
    experts.split(model)
    torch.testing.assert_close(logits(model), before, rtol=1e-5, atol=1e-5)


def _multiplies_from_the_right(self, inputs, expert_size):
    return torch.cat([x @ self.weight[i] for i, x in enumerate(inputs.split(expert_size))])


def test_a_router_may_score_experts_that_are_elsewhere_too():
    """As Inkling's does: those that all tokens meet. Only of modules that transformers calls experts."""
    model = make("mixtral")
    for layer in model.model.layers:
        gate = layer.mlp.gate
        gate.weight = nn.Parameter(torch.cat([gate.weight, gate.weight[:1]]))
    assert len(experts.stacks(model)) == 8
    for layer in model.model.layers:
        del layer.mlp.experts.is_transposed
    assert experts.stacks(model) == []


def test_a_calibration_sees_what_each_expert_is_fed():
    model = make("mixtral")
    experts.split(model)
    tokens = [
        {name.split("experts.")[1]: fed.inputs.tokens for name, fed in layer.items() if "experts" in name}
        for layer in layer_by_layer(model, PROMPT.tolist(), hessian=False)
    ]
    for layer in tokens:
        assert sum(n for name, n in layer.items() if name.startswith("gate_up")) == 2 * PROMPT.numel()
        assert {name: n for name, n in layer.items() if "down" in name} == {
            name.replace("gate_up", "down"): n for name, n in layer.items() if "gate_up" in name
        }
