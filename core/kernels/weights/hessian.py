"""The factor of a layer's inverse Hessian that GPTQ and SparseGPT use."""

from __future__ import annotations

import torch
from torch import Tensor

_TRIES = 5  # each with ten times the damping of the one before


def inverse_factor(hessian: Tensor, damp: float) -> tuple[Tensor, float]:
    """Return the upper triangular U with UᵀU = (H + λI)⁻¹, λ = damp · the mean of H's diagonal, and the damping used:
    few tokens can make H so nearly singular that fp32 needs more. U[j, j]² is the j-th diagonal element of the inverse
    over the columns j, j + 1, … still to come. Channels without input are isolated, so that no error spreads to or from
    them. Raises ValueError."""
    # Backwards, H is MMᵀ with a lower M, so forwards it is RRᵀ with an upper R, and U is R's inverse: half the work of
    # inverting H and factoring that, and nothing is squared. At most four matrices of H's size exist, H included:
    # 0.8 GB each for the 14336 inputs of an 8B model's down_proj.
    backwards = hessian.float().flip(0, 1)
    diagonal = backwards.diagonal()
    fed = diagonal > 0
    mean = diagonal[fed].flip(0).mean() if fed.any() else torch.ones((), device=hessian.device)
    diagonal[~fed] = mean
    for _ in range(_TRIES):
        diagonal += damp * mean
        factor, fault = torch.linalg.cholesky_ex(backwards)
        if not fault:
            factor = factor.flip(0, 1)
            factor = torch.linalg.solve_triangular(factor, torch.eye(len(factor), device=factor.device), upper=True)
            if torch.isfinite(factor).all():
                return factor, damp
        diagonal -= damp * mean
        damp *= 10
    raise ValueError("the Hessian of its inputs cannot be inverted, whatever the damping")
