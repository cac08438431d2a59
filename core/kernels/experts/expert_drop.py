"""Removes the experts that the calibration text uses least. An expert is judged by the tokens that its router sends to
it: the heavy hitters stay (SEER-MoE, Muzio et al. 2024). The same number is removed from every layer, so that one
number in the config describes the model. The removal is verified: the smaller model must compute what the whole one
computes with those experts disabled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from core.kernels.base.outline import Cut, cuts, runs, settings, twin
from core.kernels.experts import experts
from core.kernels.pruning import narrowing
from core.kernels.pruning.layer_drop import chunks
from core.model.config_sizes import EXPERTS, EXPERTS_PER_TOKEN

_GROUPS = ("n_group", "num_expert_group")  # experts are chosen within the best of these groups


@dataclass(frozen=True)
class Mixture:
    """The experts of a model: `count` per layer with experts, of which a token meets `chosen`. They are removed in
    equal numbers from each of `groups` consecutive groups. `routers` are the choosing modules in the model's order."""

    key: str  # of the configuration
    count: int
    chosen: int
    groups: int
    routers: list[str]

    def kept(self, ratio: float) -> int:
        """Return how many experts stay if this share is removed: a multiple of the groups, and at least as many as a
        token meets."""
        each = max(1, round(self.count * (1 - ratio) / self.groups))
        least = -(-self.chosen // self.groups)
        return max(each, least) * self.groups


def mixture(model: Any) -> Mixture:
    """Return the mixture of a loaded model or an outline. Raises ValueError if there is none, or if layers differ."""
    text = model.config.get_text_config(decoder=True)
    key = next((k for k in EXPERTS if _number(getattr(text, k, None)) > 1), None)
    stacks = experts.stacks(model)
    if key is None or not stacks:
        raise ValueError("it has no experts that are slices of one tensor")
    count = _number(getattr(text, key))
    if {stack.experts for stack in stacks} != {count}:
        raise ValueError(f"its layers have {sorted({s.experts for s in stacks})} experts, its configuration {count}")
    chosen = next((n for k in EXPERTS_PER_TOKEN if (n := _number(getattr(text, k, None)))), 0)
    if not chosen:
        raise ValueError("how many experts a token meets is not said where it is looked for")
    groups = next((n for k in _GROUPS if (n := _number(getattr(text, k, None)))), 1)
    return Mixture(key, count, chosen, groups, list(dict.fromkeys(stack.router for stack in stacks)))


def _number(value: Any) -> int:
    """Return the config's number for all layers; 0 if it has several."""
    values = set(value) if isinstance(value, list | tuple) else {value}
    only = values.pop() if len(values) == 1 else None
    return only if isinstance(only, int) and not isinstance(only, bool) else 0


def check(model: Any, found: Mixture, kept: int) -> tuple[list[Cut], list[tuple[str, str, Any]]]:
    """Return the cuts that fewer experts make, and the values that modules then have: module, name, value. Raises
    ValueError with the reason if experts cannot be removed."""
    if found.chosen >= found.count:
        raise ValueError(f"a token meets all of its {found.count} experts: none can go")
    if kept >= found.count:
        raise ValueError(f"so small a share of {found.count} experts in {found.groups} groups is none: raise the ratio")
    if kept < found.chosen:
        raise ValueError(
            f"a token meets {found.chosen} of {found.count} experts: {kept} of them cannot be what is left"
        )
    whole, other = twin(model, {}), twin(model, _changes(model, found, kept))
    gone = [*cuts(whole, other), *_of_buffers(whole, other)]
    for cut in gone:
        if (cut.before, cut.after) != (found.count, kept):
            raise ValueError(f"{cut.parameter} would be {cut.after} long, not {cut.before}: not one for each expert")
    if runs(whole) and not runs(other):
        raise ValueError("with fewer experts, its layers do not fit each other")
    return gone, [(name, key, theirs) for name, key, _, theirs in settings(whole, other)]


def _changes(model: Any, found: Mixture, kept: int) -> dict[str, Any]:
    value = getattr(model.config.get_text_config(decoder=True), found.key)
    return {found.key: [kept] * len(value) if isinstance(value, list | tuple) else kept}


def _of_buffers(model: Any, other: Any) -> list[Cut]:
    """Return the cuts of buffers, as `cuts` does of parameters: a router's correction for its load."""
    theirs = dict(other.named_buffers())
    return [
        Cut(name, dim, before, after)
        for name, buffer in model.named_buffers()
        if name in theirs
        for dim, (before, after) in enumerate(zip(buffer.shape, theirs[name].shape, strict=False))
        if before != after
    ]


@torch.inference_mode()
def usage(model: Any, ids: Sequence[int]) -> list[list[int]]:
    """Return the tokens that met each expert, by router and expert, over passes of the text."""
    found = mixture(model)
    counts = {router: [0] * found.count for router in found.routers}
    with experts.opened(model) as whole:
        if whole:
            raise ValueError(next(iter(f"{name}: {why}" for name, why in whole.items())))
        first = {stack.router: stack for stack in reversed(experts.stacks(model))}
        handles = [
            part.register_forward_pre_hook(_counter(counts[router], i))
            for router, stack in first.items()
            for i, part in enumerate(stack.parts.values())
        ]
        try:
            for chunk in chunks(model, ids):
                model(chunk, use_cache=False)
        finally:
            for handle in handles:
                handle.remove()
    return [counts[router] for router in found.routers]


def _counter(counts: list[int], expert: int) -> Any:
    def hook(module: nn.Module, args: tuple[Any, ...]) -> None:
        counts[expert] += args[0].numel() // args[0].shape[-1]

    return hook


def most_used(counts: Sequence[int], kept: int, groups: int = 1) -> list[int]:
    """Return the `kept` most used experts in their order, as many from each group."""
    size, each = len(counts) // groups, kept // groups
    found = []
    for start in range(0, len(counts), size):
        ranked = sorted(range(start, start + size), key=lambda i: (-counts[i], i))
        found += sorted(ranked[:each])
    return found


@torch.no_grad()
def keep(model: Any, chosen: Sequence[Sequence[int]]) -> None:
    """Leave only these experts, by router; the same number for each. Raises ValueError, before any change if that can
    be known."""
    found = mixture(model)
    gone, values = check(model, found, len(chosen[0]))
    device = next(model.parameters()).device
    places = dict(zip(found.routers, (torch.tensor(c, device=device) for c in chosen), strict=True))
    with _Silent(model, places, gone, found.count) as silent:
        wanted = narrowing.probe(model)
    for cut in gone:
        narrowing.select(model, cut, places[_router_of(cut.parameter, found.routers)])
    narrowing.settle(model, values, _changes(model, found, len(chosen[0])))
    same = narrowing.is_same(model, narrowing.probe(model), wanted)
    if silent.seen == len(found.routers) and not same:
        raise ValueError("without these experts it computes something else than with routers that do not choose them")


def _router_of(parameter: str, routers: list[str]) -> str:
    """Return the router of the mixture that a parameter belongs to: the one with the longest common path."""

    def common(router: str) -> int:
        pairs = zip(parameter.split("."), router.split("."), strict=False)
        return next((n for n, (a, b) in enumerate(pairs) if a != b), min(parameter.count("."), router.count(".")) + 1)

    return max(routers, key=common)


class _Silent(TorchFunctionMode):
    """Keeps routers from choosing the removed experts within the context. `seen` counts the routers whose product was
    met."""

    def __init__(self, model: Any, kept: dict[str, Tensor], cut: list[Cut], count: int) -> None:
        super().__init__()
        self._met: set[str] = set()
        self._weights = {name: model.get_submodule(name).weight.detach() for name in kept}
        self._gone = {}
        for name, index in kept.items():
            gone = torch.ones(count, dtype=torch.bool, device=index.device)
            gone[index] = False
            self._gone[name] = gone
        buffers = dict(model.named_buffers())
        self._biases = [  # a correction of the scores by which experts are chosen
            (buffers[c.parameter], self._gone[_router_of(c.parameter, list(kept))])
            for c in cut
            if c.parameter in buffers and buffers[c.parameter].dim() == 1
        ]
        self._before = [buffer.clone() for buffer, _ in self._biases]

    @property
    def seen(self) -> int:
        return len(self._met)

    def __enter__(self) -> Any:
        for buffer, gone in self._biases:
            buffer.masked_fill_(gone.to(buffer.device), float("-inf"))
        return super().__enter__()

    def __exit__(self, *error: Any) -> Any:
        for (buffer, _), before in zip(self._biases, self._before, strict=True):
            buffer.copy_(before)
        return super().__exit__(*error)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        if func is not F.linear or not isinstance(args[1], Tensor):
            return out
        for name, weight in self._weights.items():
            if args[1].shape == weight.shape and (args[1] is weight or torch.equal(args[1].float(), weight.float())):
                self._met.add(name)
                return out.masked_fill(self._gone[name].to(out.device), float("-inf"))
        return out
