"""Fuses several Linears with the same input into one: q, k and v; gate and up. The model's own code stays and goes on
calling q_proj, k_proj, …"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from core.kernels.weights.linears import Int4Linear, Int8Linear

GROUPS = (("q_proj", "k_proj", "v_proj"), ("gate_proj", "up_proj"))


class CannotFuse(ValueError):
    """These layers cannot be fused; the message says why."""


class Fused(nn.Module):
    """One Linear for a group. The first call with an input computes all outputs; the other parts read theirs."""

    def __init__(self, linear: nn.Module, sizes: list[int]) -> None:
        super().__init__()
        self.linear = linear
        self.sizes = sizes
        self._input: Tensor | None = None
        self._outputs: tuple[Tensor, ...] = ()

    def part(self, index: int, x: Tensor) -> Tensor:
        if x is not self._input:
            self._input = x
            self._outputs = self.linear(x).split(self.sizes, dim=-1)
        out = self._outputs[index]
        if index == len(self.sizes) - 1:
            self._input, self._outputs = None, ()  # hold no activation longer than it is needed
        return out


class FusedPart(nn.Module):
    """Takes the place of one Linear of a group. Only the first part registers the fused Linear as a child, so that its
    weights are counted once."""

    def __init__(self, fused: Fused, index: int) -> None:
        super().__init__()
        if index == 0:
            self.fused = fused
        self._shared = [fused]  # in a list: not a child
        self.index = index

    def forward(self, x: Tensor) -> Tensor:
        return self._shared[0].part(self.index, x)


@torch.no_grad()
def fuse_projections(model: Any) -> tuple[int, dict[str, str]]:
    """Fuse every group of the model in place. Returns the number of fused groups, and the reason of each other group by
    name."""
    joined, left_out = 0, {}
    for name, module in list(model.named_modules()):
        for group in GROUPS:
            parts = [getattr(module, member, None) for member in group]
            if not all(isinstance(part, nn.Module) for part in parts):
                continue
            try:
                fused = Fused(
                    join([p for p in parts if p is not None]), [p.out_features for p in parts if p is not None]
                )
            except CannotFuse as error:
                left_out[f"{name}.{'/'.join(group)}"] = str(error)
                continue
            for index, member in enumerate(group):
                setattr(module, member, FusedPart(fused, index))
            joined += 1
    return joined, left_out


def join(parts: list[Any]) -> nn.Module:
    """Return one Linear with the outputs of all parts, checked on random input. Raises CannotFuse."""
    kinds = {type(part) for part in parts}
    if len(kinds) > 1:
        raise CannotFuse(f"of different kinds: {', '.join(sorted(kind.__name__ for kind in kinds))}")
    if len({part.in_features for part in parts}) > 1:
        raise CannotFuse("of different inputs")
    kind = kinds.pop()
    if kind is nn.Linear:
        joined: nn.Module = _linear(parts)
    elif kind is Int8Linear:
        joined = Int8Linear(_cat([p.weight for p in parts]), _cat([p.scale for p in parts]), _bias(parts))
    elif kind is Int4Linear:
        joined = _int4(parts)
    else:
        raise CannotFuse(f"{kind.__name__} keeps its weights in a form that cannot be joined")
    _check(parts, joined)
    return joined


def _linear(parts: list[nn.Linear]) -> nn.Linear:
    weight = _cat([p.weight for p in parts])
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False, device="meta")
    linear.weight = nn.Parameter(weight, requires_grad=False)
    bias = _bias(parts)
    if bias is not None:
        linear.bias = nn.Parameter(bias, requires_grad=False)
    return linear


def _int4(parts: list[Int4Linear]) -> Int4Linear:
    if len({p.group_size for p in parts}) > 1:
        raise CannotFuse("of different group sizes")
    if len({p.how for p in parts}) > 1:
        raise CannotFuse("some calibrated and some rounded")
    first = parts[0]
    joined = Int4Linear.__new__(Int4Linear)
    nn.Module.__init__(joined)
    joined.in_features, joined.group_size, joined.how = first.in_features, first.group_size, first.how
    joined.out_features = sum(p.out_features for p in parts)
    joined.register_buffer("packed", _cat([p.packed for p in parts]))
    joined.register_buffer("scale_zero", torch.cat([p.scale_zero for p in parts], dim=1))
    joined.register_buffer("bias", _bias(parts))
    return joined


def _check(parts: list[Any], joined: nn.Module) -> None:
    """Compare outputs: the layout of packed weights is private to the kernel. Raises CannotFuse."""
    tensor = next(t for t in [*joined.parameters(), *joined.buffers()] if t is not None)
    dtype = tensor.dtype if tensor.is_floating_point() else torch.bfloat16
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(3, parts[0].in_features, generator=generator).to(tensor.device, dtype)
    apart, together = torch.cat([p(x) for p in parts], dim=-1).float(), joined(x).float()
    if not torch.allclose(apart, together, rtol=1e-2, atol=1e-2 * float(apart.abs().max())):
        raise CannotFuse("the kernel's packed layout cannot be joined at these sizes")


def _cat(tensors: list[Tensor]) -> Tensor:
    return torch.cat([t.detach() for t in tensors]).contiguous()


def _bias(parts: list[Any]) -> Tensor | None:
    if all(p.bias is None for p in parts):
        return None
    if any(p.bias is None for p in parts):
        raise CannotFuse("some have a bias and some have none")
    return _cat([p.bias for p in parts])
