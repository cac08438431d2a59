"""Sets weights to zero and lets the rest of each row compensate: SparseGPT, Frantar and Alistarh 2023."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from core.kernels.base.threads import one_thread
from core.kernels.pruning.masks import Sparsity, lowest
from core.kernels.weights.hessian import inverse_factor

BLOCK = 128  # columns between two updates of all that follow, and among which an unstructured mask is chosen


@torch.no_grad()
def prune_(linear: nn.Linear, hessian: Tensor, wanted: Sparsity, damp: float) -> float:
    """Prune the layer's weights in place and return the damping used. Raises ValueError."""
    weight, damp = sparsegpt(linear.weight.detach(), hessian, wanted, damp)
    linear.weight.copy_(weight)
    return damp


def sparsegpt(weight: Tensor, hessian: Tensor, wanted: Sparsity, damp: float) -> tuple[Tensor, float]:
    """Return the pruned weight [N, K] in fp32, and the damping used. A weight's score is w²/[H⁻¹]²_jj over the columns
    still to come. Unstructured, the lowest of each block of columns are removed, whatever their row; N:M, the lowest of
    each group of a row, at the group's turn."""
    k = weight.shape[1]
    if wanted.group and k % wanted.group:
        raise ValueError(f"K = {k} is not a multiple of {wanted.group}")
    factor, damp = inverse_factor(hessian, damp)
    columns = weight.float().T.clone(memory_format=torch.contiguous_format)  # [K, N]: a weight's column is a row
    for start in range(0, k, BLOCK):
        stop = min(start + BLOCK, k)
        block, within = columns[start:stop], factor[start:stop, start:stop]
        pivots = within.diagonal()
        mask = torch.zeros_like(block, dtype=torch.bool)
        if not wanted.group:
            scores = (block / pivots[:, None]).square().flatten()
            gone = scores.topk(math.ceil(scores.numel() * wanted.ratio), largest=False, sorted=False).indices
            mask.view(-1)[gone] = True
        errors = torch.empty_like(block)
        with one_thread():
            for i, pivot in enumerate(pivots.tolist()):
                if wanted.group and i % wanted.group == 0:
                    part = slice(i, i + wanted.group)
                    mask[part] = lowest((block[part] / pivots[part, None]).square().T, wanted).T
                errors[i] = block[i] * mask[i] / pivot
                block[i + 1 :].addr_(within[i, i + 1 :], errors[i], alpha=-1)
        block.masked_fill_(mask, 0.0)
        columns[stop:].addmm_(factor[start:stop, stop:].T, errors, alpha=-1)
    return columns.T.contiguous(), damp
