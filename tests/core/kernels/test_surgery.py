"""Which layers are Linears and nothing more, in whatever class, and which of them a model goes round."""

import pytest
import torch
from torch import nn

from core.kernels.base.surgery import bypassed, is_linear, linear_like, linears
from core.kernels.weights.linears import Int4Linear, Int8Linear
from tests.zoo.models import make


class SameMaths(nn.Linear):
    def forward(self, x):
        out = x @ self.weight.T
        return out if self.bias is None else out + self.bias


class Adapted(SameMaths):
    """As adapters are: another pair of weights beside."""

    def __init__(self, k, n):
        super().__init__(k, n)
        self.a, self.b = nn.Parameter(torch.randn(2, k)), nn.Parameter(torch.zeros(n, 2))


class Clipped(nn.Linear):
    def forward(self, x):
        return super().forward(x.clamp(-4, 4))


class Routed(nn.Linear):
    def forward(self, x):
        return super().forward(x).topk(2)


class Embedded(nn.Linear):
    def forward(self, ids: torch.Tensor):
        return self.weight[ids]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    ("kind", "linear"), [(nn.Linear, True), (SameMaths, True), (Adapted, False), (Clipped, False), (Routed, False)]
)
def test_a_class_of_its_own_is_a_linear_if_it_computes_what_one_does(kind, linear, dtype):
    assert is_linear(kind(32, 16).to(dtype)) is linear


def test_what_takes_something_else_or_stores_something_else_is_none():
    packed = SameMaths(32, 16)
    packed.weight = nn.Parameter(torch.zeros(256, 1, dtype=torch.uint8), requires_grad=False)
    assert not is_linear(Embedded(8, 4))
    assert not is_linear(packed)
    assert list(linear_like(nn.ModuleList([packed, Routed(4, 4)]))) == ["0"]  # a quantized layer, and no layer


def test_falcons_linears_are_seen():
    model = make("falcon")
    assert len([name for name, _ in linears(model) if name.startswith("transformer.h.")]) == 16


@pytest.mark.parametrize("kind", ["llama4_text", "phimoe"])
def test_routers_are_no_linears(kind):
    model = make(kind)
    routers = [name for name, module in model.named_modules() if "Router" in type(module).__name__]
    assert routers
    assert not set(routers) & set(linear_like(model))


def test_a_linear_whose_weight_its_module_reads_is_named():
    found = bypassed(make("mamba"))
    assert set(found) == {f"backbone.layers.{i}.mixer.dt_proj" for i in range(4)}
    assert set(found.values()) == {"MambaMixer reads its weight by itself, so nothing can take its place"}


@pytest.mark.parametrize("kind", ["llama", "gpt2", "qwen3_moe", "gemma3n_text", "jetmoe", "zamba2"])
def test_no_model_that_calls_its_layers_goes_round_any(kind):
    assert bypassed(make(kind)) == {}


@pytest.mark.parametrize("make_layer", [Int8Linear.from_linear, lambda linear: Int4Linear.from_linear(linear, 32)])
def test_quantized_layers_take_a_transposed_view(make_layer):
    layer = make_layer(nn.Linear(64, 32))
    x = torch.randn(2, 64, 5, dtype=torch.bfloat16).transpose(1, 2)
    assert torch.equal(layer(x), layer(x.contiguous()))
    assert torch.equal(layer(x[:1]), layer(x[:1].contiguous()))
