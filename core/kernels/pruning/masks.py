"""Sets weights to zero by scores, and finds them again. Sources: magnitude, Han et al. 2015; weights and activations
compared within each output row, Sun et al. 2023 (Wanda)."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from core.kernels.weights.linears import Int4Linear


@dataclass(frozen=True)
class Sparsity:
    """The share of weights to remove, or `of_each` in every group of `group` inputs (2 of 4)."""

    ratio: float
    of_each: int = 0
    group: int = 0  # 0: unstructured

    def __str__(self) -> str:
        return f"{self.of_each}:{self.group}" if self.group else f"{self.ratio:.0%}"

    def least(self, n: int, k: int) -> int:
        """Return the zeros that a layer of N outputs and K inputs must have at least."""
        return n * (k // self.group) * self.of_each if self.group else n * int(k * self.ratio)


def sparsity(ratio: float, pattern: str) -> Sparsity:
    """Return the sparsity of a strategy's parameters; "2:4" removes two of every four inputs."""
    if pattern == "unstructured":
        return Sparsity(ratio)
    of_each, group = map(int, pattern.split(":"))
    return Sparsity(of_each / group, of_each, group)


def lowest(scores: Tensor, wanted: Sparsity) -> Tensor:
    """Return the mask of the lowest scores in every row of [N, K], or in every group of it. Raises ValueError."""
    n, k = scores.shape
    if not wanted.group:
        return _lowest(scores, int(k * wanted.ratio))
    if k % wanted.group:
        raise ValueError(f"K = {k} is not a multiple of {wanted.group}")
    return _lowest(scores.reshape(n, -1, wanted.group), wanted.of_each).reshape(n, k)


def _lowest(scores: Tensor, count: int) -> Tensor:
    """Return the mask of the `count` lowest along the last dimension."""
    mask = torch.zeros_like(scores, dtype=torch.bool)
    return mask.scatter_(-1, scores.topk(count, dim=-1, largest=False, sorted=False).indices, True)


@torch.no_grad()
def mask_(linear: nn.Linear, wanted: Sparsity, norms: Tensor | None = None) -> None:
    """Set the lowest |w| to zero, or the lowest |w|·‖x‖ if the norms of the inputs are given (Wanda). Raises
    ValueError."""
    scores = linear.weight.abs().float()
    linear.weight.masked_fill_(lowest(scores if norms is None else scores * norms, wanted), 0.0)


# -- reading ------------------------------------------------------------------------------------------------


@torch.no_grad()
def zeros(module: nn.Module) -> Tensor | None:
    """Return where a layer's weights are exactly zero, [N, K], quantized or not; None if its format hides them."""
    weight: Any = getattr(module, "weight", None)
    if weight is None or isinstance(module, Int4Linear):
        return None  # int4: its grid has no exact zero in general
    state = getattr(weight, "quant_state", None)
    if state is not None:
        return _four_bit_zeros(weight.data, state)
    if type(weight).__name__.startswith("SparseSemiStructured"):
        weight = weight.to_dense()
    elif hasattr(weight, "__tensor_flatten__"):
        weight = weight.dequantize()
    found: Tensor = weight == 0  # int8 formats included: a zero is a zero, whatever the scale
    return found.T if isinstance(module, Conv1D) else found


def _four_bit_zeros(data: Tensor, state: Any) -> Tensor:
    """Return where bitsandbytes' 4-bit weights are zero. It stores two codes per byte, the first in the high half, and
    on some CPUs in its own order."""
    if getattr(state, "packing_format_for_cpu", False):
        from bitsandbytes.functional import _convert_weight_packed_for_cpu_inverse

        data, _ = _convert_weight_packed_for_cpu_inverse(data, copy.copy(state))
    data = data.view(torch.uint8).flatten()
    codes = torch.stack([data >> 4, data & 0xF], dim=-1).flatten()[: state.shape.numel()]
    return (state.code == 0)[codes.int()].reshape(state.shape)


def overfull_groups(mask: Tensor, wanted: Sparsity) -> int:
    """Return the number of groups with fewer zeros than the pattern requires."""
    n, k = mask.shape
    if not wanted.group or k % wanted.group:
        return 0
    return int((mask.reshape(n, -1, wanted.group).sum(-1) < wanted.of_each).sum())
