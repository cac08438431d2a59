"""bitsandbytes layers made from loaded Linears."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import torch
from torch import nn

from core.kernels.weights.linears import CannotQuantize

_BLOCK = 64


def four_bit(
    linear: nn.Linear, kind: Literal["nf4", "fp4"], compute_dtype: torch.dtype, double_quant: bool
) -> nn.Module:
    """Return a Linear4bit on the linear's device. Raises CannotQuantize."""
    from bitsandbytes.nn import Linear4bit, Params4bit

    n, k = linear.out_features, linear.in_features
    device = linear.weight.device
    new: Any = Linear4bit(
        k, n, bias=False, compute_dtype=compute_dtype, compress_statistics=double_quant, quant_type=kind, device="meta"
    )
    # With AVX-512-BF16 the weights are repacked at the first pass, which asserts these.
    if device.type == "cpu" and getattr(new, "support_avx512bf16_for_cpu", False) and (n % 32 or k % _BLOCK):
        raise CannotQuantize(f"N = {n}, K = {k}: the CPU kernel needs multiples of 32 and {_BLOCK}")
    new.weight = Params4bit(
        linear.weight.detach().contiguous(),
        requires_grad=False,
        compress_statistics=double_quant,
        quant_type=kind,
        blocksize=_BLOCK,
        module=new,
    ).to(device)
    return _with_bias(new, linear)


def llm_int8(linear: nn.Linear, threshold: float) -> nn.Module:
    """Return a Linear8bitLt on the linear's device."""
    from bitsandbytes.functional import int8_vectorwise_quant
    from bitsandbytes.nn import Int8Params

    new: Any = _of_rows()(
        linear.in_features,
        linear.out_features,
        bias=False,
        has_fp16_weights=False,
        threshold=threshold,
        device="meta",
    )
    # Where the weight is: moving it from the host to a device, which is when Int8Params quantizes, costs two copies.
    codes, scales, _ = int8_vectorwise_quant(linear.weight.detach().half().contiguous())
    new.weight = Int8Params(codes, requires_grad=False, has_fp16_weights=False, CB=codes, SCB=scales)
    return _with_bias(new, linear)


@cache
def _of_rows() -> Any:
    """Return a class of bitsandbytes' Linear8bitLt for inputs of any number of dimensions; its own takes two or
    three."""
    from bitsandbytes import nn as theirs

    class Linear8bitLt(theirs.Linear8bitLt):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            out = super().forward(x.reshape(-1, x.shape[-1]))
            return out.reshape(*x.shape[:-1], out.shape[-1])

    return Linear8bitLt


def _with_bias(new: Any, linear: nn.Linear) -> nn.Module:
    if linear.bias is not None:
        new.bias = nn.Parameter(linear.bias.detach().clone(), requires_grad=False)
    return new
