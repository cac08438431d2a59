"""Scores whole decoder layers. Sources: block influence, ShortGPT, Men et al. 2024; greedy removal by perplexity, SLEB,
Song et al. 2024."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.kernels.base import surgery

CHUNK = 128  # calibration tokens per pass: bounds the memory of logits and attention

Report = Callable[[int, int], None]  # done, in all


def chunks(model: Any, ids: Sequence[int]) -> Iterator[Tensor]:
    """Yield the ids as batches of one, at most CHUNK tokens each, on the model's device."""
    device = next(model.parameters()).device
    for start in range(0, len(ids), CHUNK):
        yield torch.tensor([list(ids[start : start + CHUNK])], device=device)


@torch.inference_mode()
def perplexity(model: Any, ids: Sequence[int]) -> float:
    """Return the perplexity of every token but a chunk's first, given those before it in the chunk; infinite on
    overflow."""
    return _perplexity([_surprise(model, chunk) for chunk in chunks(model, ids)], len(ids))


def _perplexity(surprises: Sequence[float], tokens: int) -> float:
    mean = sum(surprises) / (tokens - len(surprises))  # one token of every chunk cannot be predicted
    return math.exp(mean) if mean < 700 else math.inf  # a comparison with NaN is false, so it is infinite too


def _surprise(model: Any, chunk: Tensor) -> float:
    """Return −Σ ln p of a chunk's tokens after the first."""
    logits = model(chunk, use_cache=False).logits[0, :-1].float()
    return float(F.cross_entropy(logits, chunk[0, 1:], reduction="sum"))


@torch.inference_mode()
def block_influence(model: Any, ids: Sequence[int]) -> list[float]:
    """Return 1 − E[cos(X_i, X_{i+1})] of every layer i over the tokens: how much the layer turns the residual."""
    _, layers = surgery.decoder_layers(model)
    similarity = [0.0] * len(layers)

    def hook(i: int) -> Any:
        def after(_module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
            out = output if isinstance(output, Tensor) else output[0]
            similarity[i] += float(F.cosine_similarity(_hidden(args, kwargs).float(), out.float(), dim=-1).sum())

        return after

    handles = [layer.register_forward_hook(hook(i), with_kwargs=True) for i, layer in enumerate(layers)]
    try:
        for chunk in chunks(model, ids):
            model(chunk, use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    return [1 - total / len(ids) for total in similarity]


@torch.inference_mode()
def least_missed(
    model: Any,
    ids: Sequence[int],
    count: int,
    report: Report,
    fits: Callable[[list[int]], bool] = lambda removed: True,
) -> list[tuple[int, float]]:
    """Return `count` times the layer without which the perplexity is lowest, given the earlier removals: (index,
    perplexity without it) in the order of removal. Fewer are returned if no other layer `fits` the earlier ones. The
    model is unchanged. Layers before layer i compute the same without it, so they only pass on the hidden states that
    layer i received in one full pass."""
    layers = list(surgery.decoder_layers(model)[1])
    own = [vars(layer).get("forward") for layer in layers]  # a library's hook, where the model is on several devices
    left, done = set(range(len(layers))), 0
    passes = [len(layers) - n for n in range(count)]
    parts = list(chunks(model, ids))
    outputs = _outputs(model, layers[0])
    removed: list[tuple[int, float]] = []
    try:
        for _ in range(count):
            gone = [i for i, _ in removed]
            tried = sorted(i for i in left if fits([*gone, i]))
            if not tried:
                break
            done += len(parts) * (len(left) - len(tried))
            surprises: dict[int, list[float]] = {i: [] for i in tried}
            for chunk in parts:
                fed = _fed(model, {i: layers[i] for i in tried}, chunk)
                for i in tried:
                    _replace(layers[i], outputs, fed.pop(i))
                    surprises[i].append(_surprise(model, chunk))
                    _replace(layers[i], outputs)
                    done += 1
                    report(done, len(parts) * sum(passes))
                for i in tried:
                    _restore(layers[i], own[i])
            found = {i: _perplexity(s, len(ids)) for i, s in surprises.items()}
            best = min(found, key=lambda i: (found[i], i))
            _replace(layers[best], outputs)
            left.remove(best)
            removed.append((best, found[best]))
    finally:
        for layer, forward in zip(layers, own, strict=True):
            _restore(layer, forward)
    return removed


def _restore(layer: Any, forward: Any) -> None:
    """Undo `_replace`: put the instance's own forward back, or none."""
    vars(layer).pop("forward", None)
    if forward is not None:
        layer.forward = forward


def _fed(model: Any, layers: dict[int, nn.Module], chunk: Tensor) -> dict[int, Tensor]:
    """Return the hidden states that each of these layers receives."""
    found: dict[int, Tensor] = {}

    def watch(i: int) -> Any:
        def hook(_module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            found[i] = _hidden(args, kwargs)

        return hook

    handles = [layer.register_forward_pre_hook(watch(i), with_kwargs=True) for i, layer in layers.items()]
    try:
        model(chunk, use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    return found


def _replace(layer: Any, outputs: int, output: Tensor | None = None) -> None:
    """Make a layer return this output, or its input, until its attribute `forward` is deleted. The return value has the
    layer's number of items (0: the tensor alone)."""

    def forward(*args: Any, **kwargs: Any) -> Any:
        hidden = _hidden(args, kwargs) if output is None else output
        return (hidden, *[None] * (outputs - 1)) if outputs else hidden

    layer.forward = forward


def _hidden(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    return args[0] if args else kwargs["hidden_states"]


@torch.inference_mode()
def _outputs(model: Any, layer: nn.Module) -> int:
    """Return the number of items that a layer returns, the hidden states first; 0 if it returns them alone."""
    found: list[int] = []
    handle = layer.register_forward_hook(
        lambda _module, _args, output: found.append(0 if isinstance(output, Tensor) else len(output))
    )
    try:
        model(next(chunks(model, [0, 0])), use_cache=False)
    finally:
        handle.remove()
    return found[0]
