"""Linears whose weight is one of torchao's quantized tensors."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from core.kernels.weights.linears import CannotQuantize


def int8_dynamic(linear: nn.Linear) -> nn.Module:
    """Return a layer with int8 weights per output channel, whose activations are quantized to int8 per token. Raises
    CannotQuantize."""
    from torchao.quantization import Int8DynamicActivationInt8WeightConfig

    return _quantized(linear, Int8DynamicActivationInt8WeightConfig(set_inductor_config=False), "Int8Tensor")


def fp8_weight_only(linear: nn.Linear) -> nn.Module:
    """Return a layer with float8 e4m3 weights per output channel and unquantized activations. Raises CannotQuantize."""
    from torchao.quantization import Float8WeightOnlyConfig

    return _quantized(linear, Float8WeightOnlyConfig(set_inductor_config=False), "Float8Tensor")


def fp8_dynamic(linear: nn.Linear) -> nn.Module:
    """Return a layer with float8 e4m3 weights per output channel and activations per token. Raises CannotQuantize."""
    from torchao.quantization import Float8DynamicActivationFloat8WeightConfig, PerRow

    n, k = linear.out_features, linear.in_features
    if n % 16 or k % 16:
        raise CannotQuantize(f"N = {n}, K = {k}: torch._scaled_mm needs multiples of 16")
    if linear.weight.dtype != torch.bfloat16:
        raise CannotQuantize(f"a scale per row needs bf16 weights, these are {linear.weight.dtype}")
    config = Float8DynamicActivationFloat8WeightConfig(granularity=PerRow(), set_inductor_config=False)
    return _quantized(linear, config, "Float8Tensor")


def _quantized(linear: nn.Linear, config: Any, becomes: str) -> nn.Module:
    """Return a Linear on the quantized weight. torch's compiler settings stay as they are: torchao would change them
    for every model in the process."""
    from torchao.quantization import quantize_

    new = nn.Linear(linear.in_features, linear.out_features, bias=False, device="meta")
    new.weight = nn.Parameter(linear.weight.detach().contiguous(), requires_grad=False)
    if linear.bias is not None:
        new.bias = nn.Parameter(linear.bias.detach().clone(), requires_grad=False)
    try:
        quantize_(new, config)
    except (AssertionError, NotImplementedError, RuntimeError, ValueError) as error:
        raise CannotQuantize(f"torchao: {(str(error) or type(error).__name__).splitlines()[0]}") from error
    if type(new.weight).__name__ != becomes:  # it silently skips layers that do not fit
        raise CannotQuantize("torchao left this layer as it was")
    return new


def quantizes_activations(linear: Any) -> bool:
    """Return whether the layer quantizes its activations too."""
    return getattr(linear.weight, "act_quant_kwargs", None) is not None
