"""2:4 sparse weights in torch's compressed form, which its CUDA kernels multiply without the zeros."""

from __future__ import annotations

import torch
from torch import nn
from torch.sparse import to_sparse_semi_structured

#: What the class of a weight in that form begins with; two libraries have one each.
CLASS = "SparseSemiStructured"


@torch.no_grad()
def compress_(linear: nn.Module) -> None:
    """Replace the layer's weight, with two zeros in every four inputs, by its compressed form. Raises ValueError if the
    kernel does not take its shape, type or device."""
    if type(linear) is not nn.Linear:
        raise ValueError(f"a {type(linear).__name__} cannot be compressed")
    try:
        weight = to_sparse_semi_structured(linear.weight.detach().contiguous())
    except RuntimeError as error:
        raise ValueError(str(error).splitlines()[0]) from error
    linear.weight = nn.Parameter(weight, requires_grad=False)


def is_compressed(module: nn.Module) -> bool:
    return type(getattr(module, "weight", None)).__name__.startswith(CLASS)
