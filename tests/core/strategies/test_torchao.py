"""torchao's formats: on a CPU where they work there, and what stands against them elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from core.kernels.base import surgery
from core.kernels.pruning.masks import mask_, sparsity, zeros
from core.kernels.weights.linears import CannotQuantize
from core.machine.environment import Device, Environment
from core.spec.variant import REGISTRY, Variant
from tests.core.tiny import save_tiny
from tests.core.transformed import conflicts, load, receipt, transformed

torchao = pytest.importorskip("torchao")

KEYS = ("int8_dynamic", "fp8_weight_only", "fp8_dynamic")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"))


def error(found: torch.Tensor, wanted: torch.Tensor) -> float:
    return float((found.detach().double() - wanted.detach().double()).norm() / wanted.detach().double().norm())


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_layers_approximate_their_source_and_leave_it_alone(dtype: torch.dtype, bias: bool) -> None:
    from core.kernels.weights.torchao_linears import fp8_weight_only, int8_dynamic, quantizes_activations

    torch.manual_seed(0)
    source = nn.Linear(128, 64, bias=bias).to(dtype)
    before, x = source.weight.detach().clone(), torch.randn(5, 128).to(dtype)
    for make, bound, dynamic in ((int8_dynamic, 0.02, True), (fp8_weight_only, 0.06, False)):
        new = make(source)
        with torch.inference_mode():
            out = new(x)
        assert (out.dtype, out.shape) == (dtype, (5, 64))
        assert 0 < error(out, source(x)) < bound
        assert quantizes_activations(new) == dynamic
        assert torch.equal(source.weight, before)
        assert type(source.weight) is nn.Parameter


def test_activations_really_become_int8() -> None:
    """One huge channel per token leaves the others a coarse step: weights alone would not show that."""
    from core.kernels.weights.torchao_linears import int8_dynamic

    torch.manual_seed(0)
    source = nn.Linear(128, 64, bias=False)
    x = torch.randn(4, 128)
    x[:, 0] = 200
    with torch.no_grad():
        source.weight[:, 0] = 0
    with torch.inference_mode():
        assert error(int8_dynamic(source)(x), source(x)) > 0.1


def test_what_does_not_fit_is_named() -> None:
    from core.kernels.weights.torchao_linears import fp8_dynamic

    with pytest.raises(CannotQuantize, match="K = 40"):
        fp8_dynamic(nn.Linear(40, 64, dtype=torch.bfloat16))
    with pytest.raises(CannotQuantize, match="float32"):
        fp8_dynamic(nn.Linear(64, 64))
    if not torch.cuda.is_available():
        with pytest.raises(CannotQuantize, match="torchao: "):
            fp8_dynamic(nn.Linear(64, 64, dtype=torch.bfloat16))


def test_the_strategy_and_its_receipt(folder: Path) -> None:
    runtime = transformed(folder, quantization={"method": "int8_dynamic", "skip_first": 1})
    proof = receipt(runtime, "quantization")
    assert proof.matches, proof
    assert "int8 activations and weights: 21 of 28 Linear layers; 7 left alone, as asked for" in proof.effective
    classes = proof.detail["classes"]
    assert isinstance(classes, list)
    assert "Int8Tensor: 21" in classes
    ids = torch.arange(50)[None]
    with torch.inference_mode():
        assert error(runtime.model(ids).logits, load(folder).model(ids).logits) < 0.2
    assert receipt(runtime, "quantization").matches  # still, after the first pass
    body = sum(n * k for n, k in map(surgery.shape, surgery.linear_like(runtime.model.model.layers[1:]).values()))
    saved = runtime.weights_bytes_before - proof.detail["weights_bytes"]  # type: ignore[operator]
    head = 320 * 64  # bytes that were shared with the embedding before
    assert 2.9 * body < saved + head < 3 * body


@pytest.mark.parametrize("head", ["keep", "same"])
def test_heads(folder: Path, head: str) -> None:
    proof = receipt(transformed(folder, quantization={"method": "int8_dynamic", "head": head}), "quantization")
    assert proof.matches
    words = {"keep": "lm_head not quantized", "same": "lm_head int8 activations and weights"}[head]
    assert words in proof.effective


def test_a_quantization_that_was_not_applied_is_seen(folder: Path) -> None:
    for key in KEYS:
        proof = receipt(load(folder, quantization=key), "quantization")
        assert not proof.matches
        assert "0 of 28" in proof.effective


def test_weights_alone_do_not_pass_for_both(folder: Path) -> None:
    from torchao.quantization import Int8WeightOnlyConfig, quantize_

    runtime = transformed(folder, quantization="int8_dynamic")
    layer = load(folder).model.model.layers[0].mlp.up_proj
    quantize_(layer, Int8WeightOnlyConfig(version=2))
    runtime.model.model.layers[0].mlp.up_proj = layer
    assert type(layer.weight).__name__ == "Int8Tensor"
    proof = receipt(runtime, "quantization")
    assert not proof.matches
    assert "27 of 28" in proof.effective


def test_a_mask_survives(folder: Path) -> None:
    runtime = transformed(folder, pruning={"method": "magnitude", "pattern": "2:4"}, quantization="int8_dynamic")
    assert receipt(runtime, "pruning").matches
    from core.kernels.weights.torchao_linears import fp8_weight_only

    linear = nn.Linear(128, 64)
    mask_(linear, sparsity(0.5, "2:4"))
    found = zeros(fp8_weight_only(linear))
    assert found is not None
    assert bool((found >= (linear.weight == 0)).all())


def test_bytes_are_those_of_the_inner_tensors() -> None:
    from core.kernels.weights.torchao_linears import fp8_weight_only, int8_dynamic

    source = nn.Linear(128, 64, bias=False)
    assert surgery.storage_bytes(fp8_weight_only(source)) == 128 * 64 + 64 * 4
    assert surgery.storage_bytes(int8_dynamic(source)) == 128 * 64 + 64 * 4 + 64  # codes, scales, zero points


def test_bytes_of_wrappers_within_wrappers() -> None:
    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, inner: torch.Tensor) -> Any:
            return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=torch.float64)

        def __init__(self, inner: torch.Tensor) -> None:
            self.inner = inner

        def __tensor_flatten__(self) -> tuple[list[str], None]:
            return ["inner"], None

        @classmethod
        def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func is torch.ops.aten.detach.default:
                return args[0]
            raise NotImplementedError(func)

    layer = nn.Module()
    layer.weight = nn.Parameter(Wrapper(Wrapper(torch.zeros(10, 3, dtype=torch.int8))), requires_grad=False)
    assert surgery.storage_bytes(layer) == 30


def test_what_a_machine_lacks_is_a_reason() -> None:
    kinds = REGISTRY["quantization"]
    installed = {"torchao": "0.18"}
    ada = Device(name="4090", uuid="", memory_bytes=0, capability="8.9")
    ampere = ada.model_copy(update={"name": "A100", "capability": "8.0"})
    for key in KEYS:
        assert "pip install torchao" in kinds[key].unavailable(Environment(devices=[ada]))
        assert kinds[key].unavailable(Environment(devices=[ada], versions=installed)) == ""
    assert kinds["int8_dynamic"].unavailable(Environment(versions=installed)) == ""
    for key in KEYS[1:]:
        assert "this machine has none" in kinds[key].unavailable(Environment(versions=installed))
        assert "A100 has 8.0" in kinds[key].unavailable(Environment(devices=[ampere], versions=installed))
    assert "needs bf16, not fp32" in conflicts("quantization", quantization="fp8_dynamic", precision="fp32")[0]
    assert conflicts("quantization", quantization="fp8_dynamic", precision="bf16") == []
    for key in KEYS:
        assert conflicts("fusion", fusion="fused_projections", quantization=key)


@pytest.mark.gpu
@pytest.mark.parametrize("key", KEYS)
def test_on_a_gpu(tmp_path: Path, key: str) -> None:
    if key != "int8_dynamic" and torch.cuda.get_device_capability() < (8, 9):
        pytest.skip("needs a GPU of compute capability 8.9")
    folder = save_tiny(tmp_path)
    plain = load(folder, "cuda", torch.bfloat16)
    runtime = transformed(folder, "cuda", torch.bfloat16, quantization={"method": key, "head": "keep"})
    assert receipt(runtime, "quantization").matches
    for length in (1, 50):  # the kernels differ for one token and for many
        ids = torch.arange(length, device="cuda")[None]
        with torch.inference_mode():
            assert error(runtime.model(ids).logits, plain.model(ids).logits) < 0.3
    assert receipt(runtime, "quantization").matches
    runtime.variant = Variant.model_validate({"name": "v", "quantization": {"method": "int8_weight_only"}})
    assert not receipt(runtime, "quantization").matches
