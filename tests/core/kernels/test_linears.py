"""Quantized Linears against a matmul with their dequantized weights, and the counting of real bytes."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from core.kernels.base import surgery
from core.kernels.weights.bits_and_bytes import four_bit, llm_int8
from core.kernels.weights.linears import CannotQuantize, Int4Linear, Int8Linear, quantize_int4
from tests.core.tiny import tiny_model

DTYPES = [torch.float32, torch.bfloat16, torch.float16]


def linear(k: int, n: int, bias: bool = True, dtype: torch.dtype = torch.float32) -> nn.Linear:
    torch.manual_seed(k + n)
    return nn.Linear(k, n, bias=bias).to(dtype)


def reference(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    """What the layer must compute: bf16 activations, exact arithmetic."""
    out = x.to(torch.bfloat16).double() @ weight.double().T
    return out if bias is None else out + bias.double()


def error(out: torch.Tensor, wanted: torch.Tensor) -> float:
    return float((out.detach().double() - wanted.detach()).norm() / wanted.detach().norm())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bias", [True, False])
def test_int8_is_the_matmul_of_its_weights(dtype: torch.dtype, bias: bool) -> None:
    source = linear(96, 50, bias, dtype)
    quantized = Int8Linear.from_linear(source)
    x = torch.randn(2, 3, 96).to(dtype)
    out = quantized(x)
    assert (out.shape, out.dtype) == ((2, 3, 50), dtype)
    weight = quantized.weight.double() * quantized.scale.double()[:, None]
    assert error(out, reference(x, weight, source.bias)) < 0.006  # bf16 has 8 bits
    assert error(weight, source.weight.double()) < 0.01
    assert (weight - source.weight.double()).abs().max() <= quantized.scale.double().max()


@pytest.mark.parametrize("group", [32, 64, 128, 256])
@pytest.mark.parametrize("dtype", DTYPES)
def test_int4_is_the_matmul_of_its_weights(dtype: torch.dtype, group: int) -> None:
    source = linear(256, 48, True, dtype)
    q, scale, zero = quantize_int4(source.weight.detach(), group)
    assert int(q.min()) >= 0
    assert int(q.max()) <= 15
    grid = (q.double() - 8).reshape(48, -1, group) * scale.double()[..., None] + zero.double()[..., None]
    weight = grid.reshape(48, 256)
    # Half a step, and what bf16 takes from scale and zero.
    assert (weight - source.weight.double()).abs().max() <= 0.6 * scale.double().max()
    quantized = Int4Linear.from_linear(source, group)
    x = torch.randn(5, 256).to(dtype)
    out = quantized(x)
    assert (out.shape, out.dtype) == ((5, 48), dtype)
    assert error(out, reference(x, weight, source.bias)) < 0.006


def test_int4_reproduces_weights_that_lie_on_its_grid() -> None:
    source = linear(64, 32, bias=False)
    step, low = torch.tensor(0.0625), torch.tensor(-0.5)
    with torch.no_grad():
        codes = torch.randint(0, 16, (32, 64))
        codes[:, 0::32], codes[:, 1::32] = 0, 15
        source.weight.copy_(codes * step + low)
    q, scale, zero = quantize_int4(source.weight, 32)
    weight = (q.reshape(32, 2, 32) - 8) * scale.float()[..., None] + zero.float()[..., None]
    assert torch.equal(weight.reshape(32, 64), source.weight)


def test_a_constant_group_and_a_zero_row_survive() -> None:
    source = linear(64, 16, bias=False)
    with torch.no_grad():
        source.weight[0] = 0
        source.weight[1] = 0.25
    x = torch.randn(3, 64)
    for quantized in (Int8Linear.from_linear(source), Int4Linear.from_linear(source, 32)):
        out = quantized(x)
        assert torch.isfinite(out).all()
        assert out[:, 0].abs().max() < 1e-3
        torch.testing.assert_close(out[:, 1], x.sum(1) * 0.25, rtol=0.02, atol=0.05)


@pytest.mark.parametrize(("k", "n", "group", "why"), [(96, 32, 64, "K = 96"), (64, 20, 32, "N = 20")])
def test_int4_names_what_does_not_fit(k: int, n: int, group: int, why: str) -> None:
    with pytest.raises(CannotQuantize, match=why):
        Int4Linear.from_linear(linear(k, n), group)


def test_int8_refuses_what_crashes_the_kernel() -> None:
    with pytest.raises(CannotQuantize, match="K = 40"):
        Int8Linear.from_linear(linear(40, 64))


def test_bytes_count_every_inner_tensor_and_shared_storage_once() -> None:
    plain = nn.Sequential(linear(64, 64), linear(64, 64))
    assert surgery.storage_bytes(plain) == 2 * (64 * 64 + 64) * 4
    plain[1].weight = plain[0].weight
    assert surgery.storage_bytes(plain) == (64 * 64 + 2 * 64) * 4

    source = linear(128, 64, bias=False)
    assert surgery.storage_bytes(Int8Linear.from_linear(source)) == 128 * 64 + 64 * 2
    assert surgery.storage_bytes(Int4Linear.from_linear(source, 32)) == 128 * 64 // 2 + 128 // 32 * 64 * 2 * 2
    # bitsandbytes: int8 codes and a fp32 scale per row; before and after the first pass moves them.
    eight = llm_int8(source, 6.0).eval()
    for _ in range(2):
        assert surgery.storage_bytes(eight) == 128 * 64 + 64 * 4
        with torch.inference_mode():
            eight(torch.randn(1, 128))
    four = four_bit(source, "nf4", torch.float32, double_quant=False).eval()
    assert surgery.storage_bytes(four) == 128 * 64 // 2 + 128 * 64 // 64 * 4 + 16 * 4  # codes, scales, the code table


@pytest.mark.parametrize("bias", [True, False])
def test_bitsandbytes_layers_approximate_their_source(bias: bool) -> None:
    source = linear(128, 64, bias)
    x = torch.randn(4, 128)
    with torch.inference_mode():
        wanted = source(x).double()
        assert error(four_bit(source, "nf4", torch.float32, True).eval()(x), wanted) < 0.15
        assert error(four_bit(source, "fp4", torch.float32, True).eval()(x), wanted) < 0.2
        assert error(llm_int8(source, 6.0).eval()(x), wanted) < 0.02


def test_replacing_names_what_was_left_out() -> None:
    model = tiny_model("llama")
    replaced, left_out = surgery.replace_linears(
        model,
        lambda name, layer: Int4Linear.from_linear(layer, 128),  # K = 64 of most layers does not fit
        {"lm_head": "kept"},
    )
    assert replaced == [f"model.layers.{i}.mlp.down_proj" for i in range(4)]
    assert left_out.pop("lm_head") == "kept"
    assert len(left_out) == 4 * 6
    assert all("K = 64" in reason for reason in left_out.values())


def test_untying_gives_the_head_a_copy() -> None:
    model = tiny_model("llama")
    ids = torch.arange(20)[None]
    with torch.inference_mode():
        before = model(ids).logits
    size = surgery.storage_bytes(model)
    assert surgery.untie_head(model)
    assert not surgery.untie_head(model)
    assert surgery.storage_bytes(model) - size == model.lm_head.weight.numel() * 4
    with torch.inference_mode():
        assert torch.equal(model(ids).logits, before)


def test_gpt2s_transposed_layers_are_linears_too() -> None:
    model = tiny_model("gpt2")
    ids = torch.arange(20)[None]
    with torch.inference_mode():
        before = model(ids).logits
        replaced, left_out = surgery.replace_linears(
            model, lambda name, layer: Int8Linear.from_linear(layer), {"lm_head": "kept"}
        )
        assert (len(replaced), list(left_out)) == (16, ["lm_head"])
        assert error(model(ids).logits, before.double()) < 0.05
