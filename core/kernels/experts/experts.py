"""Finds the matrices of experts that are slices of one tensor, and replaces each by a Linear if something must see or
replace it.

In transformers the experts of a layer are parameters of three dimensions, [experts, out, in] or [experts, in, out],
which a forward indexes, multiplies as a batch, or passes to a grouped product. `split` replaces such a parameter by
`ExpertLinears`: a Linear per expert on the same memory, and an object that takes the tensor's place in those products.
Everything that works on Linears (a format, a mask, a hook on inputs) then works on experts, and the model's own forward
keeps its routing, biases and clamps. `join` turns plain Linears back into one tensor.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.modules.conv import _ConvNd
from torch.overrides import TorchFunctionMode

from core.kernels.base import surgery
from core.kernels.experts.expert_products import MATMULS, ExpertLinears, is_grouped, is_plain

#: Of all weights but embeddings and head, what may be in tensors that are neither Linears nor experts.
ODD = 0.1
_PROBE = 8  # tokens on which it is seen how a parameter is multiplied


@dataclass(frozen=True)
class Stack:
    """The matrices of all experts of one projection, and their place."""

    name: str  # of the parameter, or of the ExpertLinears in its place: model.layers.0.mlp.experts.down_proj
    module: nn.Module  # that owns it
    attribute: str
    router: str  # name of the module whose weight has a row for each expert

    @property
    def tensor(self) -> Tensor | ExpertLinears:
        return getattr(self.module, self.attribute)

    @property
    def experts(self) -> int:
        return len(self.tensor)

    @property
    def parts(self) -> dict[str, Any]:
        """The Linears of the experts, or their replacements, by name; empty while the stack is one tensor."""
        tensor = self.tensor
        return {f"{self.name}.{i}": m for i, m in tensor.named_children()} if isinstance(tensor, ExpertLinears) else {}

    @property
    def transposed(self) -> bool | None:
        """Whether the stack is [experts, in, out]; known once it is split."""
        return self.tensor.transposed if isinstance(self.tensor, ExpertLinears) else None

    def weights(self) -> int:
        """Return the number of weights of all its experts."""
        _, rows, columns = self.tensor.shape
        return self.experts * rows * columns


def stacks(model: nn.Module) -> list[Stack]:
    """Return every parameter that holds the matrices of experts, split or not, in the model's order. Such a parameter
    has three dimensions, belongs to no convolution, and a router in the same transformer layer has as many outputs as
    it has matrices (or as its owner's largest one: some experts may do nothing)."""
    modules = dict(model.named_modules())
    found = []
    for name, module in modules.items():
        if isinstance(module, _ConvNd | ExpertLinears):
            continue
        own = {attribute: len(t) for attribute, t in _candidates(module)}
        router = _router(modules, name, max(own.values())) if own else ""
        if router:
            found += [Stack(f"{name}.{a}".removeprefix("."), module, a, router) for a in own]
    return found


def _candidates(module: nn.Module) -> Iterator[tuple[str, Tensor | ExpertLinears]]:
    for name, p in module.named_parameters(recurse=False):
        if p.dim() == 3 and min(p.shape) > 1 and p.is_floating_point() and p.element_size() > 1:
            yield name, p
    for name, child in module.named_children():
        if isinstance(child, ExpertLinears):
            yield name, child


def _router(modules: dict[str, nn.Module], name: str, experts: int) -> str:
    """Return the nearest module within the same transformer layer whose weight has a row per expert. If transformers
    marks a module as multiplying experts, the router may have more rows: for shared experts that are elsewhere."""
    said = isinstance(getattr(modules[name], "is_transposed", None), bool)
    for most in (experts, 2 * experts) if said else (experts,):
        above = name
        while above := above.rpartition(".")[0]:
            if isinstance(modules[above], nn.ModuleList):
                break
            for other, module in modules[above].named_modules(prefix=above):
                if other == name or other.startswith(name + "."):
                    continue
                weight = getattr(module, "weight", None)
                if isinstance(weight, Tensor) and weight.dim() == 2 and experts <= weight.shape[0] <= most:
                    return other
    return ""


def layers(model: nn.Module) -> dict[str, dict[str, Any]]:
    """Return every layer that maps K inputs to N outputs by a weight, by name, as in `surgery.linear_like`, and every
    stack of experts as one layer with its parts by name (none while it is one tensor)."""
    held = stacks(model)
    parts = {part for stack in held for part in stack.parts}
    plain = {name: {name: module} for name, module in surgery.linear_like(model).items() if name not in parts}
    return plain | {stack.name: stack.parts for stack in held}


def odd_fault(model: Any) -> str:
    """Return a sentence if more than `ODD` of the weights are in tensors that are no layer of `layers`; else an empty
    string."""
    odd, largest = odd_share(model)
    if odd <= ODD:
        return ""
    return f"{odd:.0%} of the weights are neither in Linear layers nor experts of a kind, as in {largest}"


def odd_share(model: Any) -> tuple[float, str]:
    """Return the share of weights, without embeddings and head, in tensors of two and more dimensions that are no layer
    of `layers`, and the name of the largest such tensor."""
    known = layers(model)
    held = {part for parts in known.values() for part in parts}
    weights = sum(n * k for parts in known.values() for n, k in map(surgery.shape, parts.values()))
    weights += sum(stack.weights() for stack in stacks(model) if not stack.parts)
    head = model.get_output_embeddings()
    weights -= head.in_features * head.out_features if hasattr(head, "in_features") else 0
    odd = {
        f"{name}.{attribute}".removeprefix("."): p.numel()
        for name, module in model.named_modules()
        if name not in held and not isinstance(module, nn.Embedding)
        for attribute, p in module.named_parameters(recurse=False)
        if p.dim() > 1 and f"{name}.{attribute}".removeprefix(".") not in known
    }
    total = weights + sum(odd.values())
    return (sum(odd.values()) / total, max(odd, key=lambda name: odd[name])) if odd and total else (0.0, "")


# -- split and join ---------------------------------------------------------------------------------------------------
def split(model: nn.Module, leave: Collection[str] = (), ways: Mapping[str, bool] | None = None) -> dict[str, str]:
    """Replace every stack that is one tensor by a Linear per expert on the same memory, so that changing a weight in
    place changes the tensor. `leave` names stacks that stay; returns the reasons of other stacks that stay, by name.
    `ways` holds known orientations of the stacks to split, so that no model has to run for them."""
    left: dict[str, str] = {}
    whole = [stack for stack in stacks(model) if isinstance(stack.tensor, Tensor) and stack.name not in leave]
    if ways is None:
        ways = orientations(model, whole)
    else:
        whole = [stack for stack in whole if stack.name in ways]
    for stack in whole:
        tensor, transposed = stack.tensor, ways.get(stack.name)
        assert isinstance(tensor, Tensor)
        if transposed is None:
            left[stack.name] = "its experts are one tensor, and no product with it was seen in a pass of the model"
            continue
        parts = ExpertLinears([_linear(t.T if transposed else t) for t in tensor.detach()], transposed, tensor.dtype)
        delattr(stack.module, stack.attribute)
        setattr(stack.module, stack.attribute, parts.eval())
    return left


def join(model: nn.Module) -> None:
    """Turn every stack whose experts are all plain Linears into one tensor. If only some are plain, those get memory of
    their own, so that the original tensor can be freed."""
    for stack in stacks(model):
        parts = stack.tensor
        if not isinstance(parts, ExpertLinears):
            continue
        plain = {i: m for i, m in enumerate(parts.linears()) if is_plain(m)}
        if len(plain) == len(parts):
            tensor = _whole([m.weight.detach() for m in plain.values()], parts.transposed)
            delattr(stack.module, stack.attribute)
            setattr(stack.module, stack.attribute, nn.Parameter(tensor, requires_grad=False))
            continue
        for linear in plain.values():
            if linear.weight.untyped_storage().nbytes() > linear.weight.nbytes:
                linear.weight = nn.Parameter(linear.weight.detach().clone(), requires_grad=False)


def _linear(weight: Tensor) -> nn.Linear:
    """Return a Linear on that memory."""
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False, device="meta")
    linear.weight = nn.Parameter(weight, requires_grad=False)
    return linear


def _whole(weights: list[Tensor], transposed: bool) -> Tensor:
    """Return the tensor [experts, …] of weights [out, in]: the memory that they are slices of, or a new one."""
    slices = [w.T if transposed else w for w in weights]
    first = slices[0]
    shape, step = (len(slices), *first.shape), first.numel()
    starts = [s.storage_offset() - first.storage_offset() for s in slices]
    shared = len({s.untyped_storage().data_ptr() for s in slices}) == 1
    if shared and all(s.is_contiguous() for s in slices) and starts == [i * step for i in range(len(slices))]:
        return first.as_strided(shape, (step, first.shape[1], 1))
    return torch.stack(slices)


@contextmanager
def opened(model: nn.Module) -> Iterator[dict[str, str]]:
    """Split all stacks within the context and join plain ones afterwards; yields the reasons of stacks that stay one
    tensor, by name."""
    left = split(model)
    try:
        yield left
    finally:
        join(model)


# -- which way round --------------------------------------------------------------------------------------------------
def orientations(model: nn.Module, whole: list[Stack]) -> dict[str, bool]:
    """Return whether each stack is [experts, in, out]. Its module tells if transformers offers it a choice of products;
    otherwise a pass of the model shows it. Undetermined stacks are absent."""
    said = {stack.name: getattr(stack.module, "is_transposed", None) for stack in whole}
    known = {name: way for name, way in said.items() if isinstance(way, bool)}
    unknown = [stack for stack in whole if stack.name not in known]
    if not unknown:
        return known
    with _Products(unknown) as seen, torch.inference_mode():
        model(torch.arange(_PROBE, device=next(model.parameters()).device)[None], use_cache=False)
    # An expert that no token met says nothing; those of the other layers do.
    kinds = {(type(s.module), s.attribute): seen.transposed[s.name] for s in unknown if s.name in seen.transposed}
    for stack in unknown:
        kind = (type(stack.module), stack.attribute)
        if kind in kinds:
            known[stack.name] = seen.transposed.get(stack.name, kinds[kind])
    return known


class _Products(TorchFunctionMode):
    """Observes how stacks are multiplied: along which dimension of a matrix, recognized by its strides."""

    def __init__(self, of: list[Stack]) -> None:
        super().__init__()
        self.transposed: dict[str, bool] = {}
        self._names = {s.tensor.untyped_storage().data_ptr(): s.name for s in of if isinstance(s.tensor, Tensor)}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        factors = [a for a in args[:2] if isinstance(a, Tensor)]
        if len(factors) == 2 and (func is F.linear or func in MATMULS or is_grouped(func)):
            for place, inner in ((0, -1), (1, -1 if func is F.linear else -2)):
                factor = factors[place]
                name = self._names.get(factor.untyped_storage().data_ptr())
                if name is not None and factor.dim() > 1:
                    self.transposed[name] = factor.stride(inner) != 1
        return func(*args, **(kwargs or {}))
