"""int4 weights calibrated on a layer's inputs: GPTQ, Frantar et al. 2022."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.kernels.base.threads import one_thread
from core.kernels.weights.hessian import inverse_factor
from core.kernels.weights.linears import (
    CannotQuantize,
    Int4Linear,
    dequantize_int4,
    int4_codes,
    int4_fault,
    int4_grid,
    quantize_int4,
)

BLOCK = 128  # columns between two updates of all that follow


@dataclass(frozen=True)
class GptqResult:
    """A layer's calibrated replacement. Errors are ‖WX − ŴX‖² over the calibration tokens."""

    linear: Int4Linear
    error: float
    rounded_error: float  # of round-to-nearest in the same format
    damp: float


@torch.no_grad()
def calibrate_(linear: nn.Linear, hessian: Tensor, group_size: int, damp: float) -> GptqResult:
    """Return the quantized layer, and write the dequantized weights into `linear`, so that later layers are fed by
    them. Raises CannotQuantize."""
    n, k = linear.weight.shape
    reason = int4_fault(k, n, group_size, linear.weight.device.type)
    if reason:
        raise CannotQuantize(reason)
    weight = linear.weight.detach().float()
    q, scale, zero, took = gptq_int4(weight, hessian, group_size, damp)
    found = dequantize_int4(q, scale, zero)
    rounded = dequantize_int4(*quantize_int4(weight, group_size))
    done = GptqResult(
        linear=Int4Linear.from_codes(q, scale, zero, linear.bias, how="gptq"),
        error=output_error(found - weight, hessian),
        rounded_error=output_error(rounded - weight, hessian),
        damp=took,
    )
    linear.weight.copy_(found)
    return done


def gptq_int4(weight: Tensor, hessian: Tensor, group_size: int, damp: float) -> tuple[Tensor, Tensor, Tensor, float]:
    """Return codes, scales and zeros as `quantize_int4` does, and the damping used. Columns are quantized one by one,
    and later columns compensate each error as far as the Hessian allows. A group's scale and zero are computed from its
    weights at the group's turn."""
    factor, damp = inverse_factor(hessian, damp)
    n, k = weight.shape
    columns = weight.float().T.clone(memory_format=torch.contiguous_format)  # [K, N]: a weight's column is a row
    codes = torch.empty_like(columns)
    scale, zero = (torch.empty(k // group_size, n, dtype=torch.bfloat16, device=weight.device) for _ in range(2))
    step = max(BLOCK, group_size)  # a multiple of the group, so that a group never reaches beyond its block
    for start in range(0, k, step):
        stop = min(start + step, k)
        block, within = columns[start:stop], factor[start:stop, start:stop]
        errors = torch.empty_like(block)
        pivots = within.diagonal().tolist()
        with one_thread():
            for i, pivot in enumerate(pivots):
                if i % group_size == 0:
                    group = (start + i) // group_size
                    scale[group], zero[group] = int4_grid(block[i : i + group_size].T)
                    s, z = scale[group].float(), zero[group].float()
                code = int4_codes(block[i], s, z)
                codes[start + i] = code
                errors[i] = (block[i] - (code * s + z)) / pivot
                block[i + 1 :].addr_(within[i, i + 1 :], errors[i], alpha=-1)
        columns[stop:].addmm_(factor[start:stop, stop:].T, errors, alpha=-1)
    q = (codes + 8).to(torch.int32).T.contiguous()
    return q, scale.T.contiguous(), zero.T.contiguous(), damp


def output_error(difference: Tensor, hessian: Tensor) -> float:
    """Return ‖D·X‖² of a weight difference D, from H = 2·XXᵀ: tr(D H Dᵀ) / 2."""
    return float((difference @ hessian * difference).sum(dtype=torch.float64) / 2)
