"""Setting weights of a model to zero. Knows magnitudes; knows no strategy.

Source: magnitude pruning, Han et al. 2015, compared per row as in Wanda.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from core.kernels import surgery
from core.kernels.linears import Int4Linear


def mask_smallest_(weight: Tensor, ratio: float) -> int:
    """Set the ⌊K·ratio⌋ smallest |w| of every row of weight [N, K] to zero, in place; how many those are."""
    count = int(weight.shape[1] * ratio)
    if count:
        smallest = weight.abs().topk(count, dim=1, largest=False, sorted=False).indices
        weight.scatter_(1, smallest, 0.0)
    return count * weight.shape[0]


@torch.no_grad()
def prune_magnitude(model: Any, ratio: float) -> list[str]:
    """Mask every Linear but the head; the names of the masked layers."""
    head = surgery.head_name(model)
    names = []
    for name, module in surgery.linears(model):
        if name != head:
            mask_smallest_(surgery.as_linear(module).weight, ratio)  # a Conv1D's is a view of its weight
            names.append(name)
    return names


def zeros(module: nn.Module) -> int | None:
    """Weights of a layer that are exactly zero, quantized or not; None where its format hides them."""
    if isinstance(module, Int4Linear):
        return None  # its grid has no exact zero in general
    weight: Any = getattr(module, "weight", None)
    if weight is None:
        return None
    state = getattr(weight, "quant_state", None)
    if state is None:
        return int((weight == 0).sum())  # int8 formats included: a zero is a zero, whatever the scale
    # bitsandbytes keeps two codes a byte, in an order that depends on the processor; their count does not.
    zero = int((state.code == 0).nonzero()[0])
    return int(((weight.data & 0xF) == zero).sum() + ((weight.data >> 4) == zero).sum())
