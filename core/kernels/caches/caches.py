"""KV caches of transformers: how forward takes one, how one is made and measured. `core.kernels.caches.rollback` takes
positions back."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Container, Iterable
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers import Cache, DynamicCache, StaticCache
from transformers.cache_utils import (
    DummyLayer,
    DynamicLayer,
    DynamicSlidingWindowLayer,
    LinearAttentionCacheLayerMixin,
)


class MakeCache(Protocol):
    def __call__(self, length: int, rows: int = 1) -> Cache:
        """Return a cache for `length` positions and `rows` requests."""


def forward_arguments(model: Any) -> tuple[str, bool]:
    """Return the name of forward's cache argument (`cache` since transformers 5.2x, `past_key_values` before) and
    whether forward takes `logits_to_keep`."""
    names = inspect.signature(model.forward).parameters
    return "cache" if "cache" in names else "past_key_values", "logits_to_keep" in names


def takes_cache(model: Any) -> bool:
    """Return whether forward names a cache argument; a forward that swallows unknown arguments would see one token per
    step."""
    return bool({"cache", "past_key_values"} & set(inspect.signature(model.forward).parameters))


def takes_positions(model: Any) -> bool:
    """Return whether forward takes `position_ids`. Without them it asks the cache for its length, and some models ask a
    layer that does not know it."""
    return "position_ids" in inspect.signature(model.forward).parameters


def keeper(model: Any) -> Callable[[Tensor, int], dict[str, Any]]:
    """Return a function that makes forward's arguments for the logits of the last `keep` of `ids` [rows, T]; it returns
    none if forward cannot limit them.

    The arguments are positions and not a number. transformers turns a number into a slice, a view with gaps between its
    rows, for whose product in bf16 torch copies the whole head. Measured, torch 2.13, SmolLM2-135M on 2 cores with
    AVX-512-BF16: 54 MiB and 150 ms for a slice of the last of 128 positions, 0 MiB and 8 ms for its position; a prompt
    of 128 tokens then takes half to two thirds of the time.
    """
    parameter = inspect.signature(model.forward).parameters.get("logits_to_keep")
    takes_places = parameter is not None and "Tensor" in str(parameter.annotation)

    def options(ids: Tensor, keep: int) -> dict[str, Any]:
        if parameter is None:
            return {}
        fed = ids.shape[1]
        places = takes_places and keep < fed
        return {"logits_to_keep": torch.arange(fed - keep, fed, device=ids.device) if places else keep}

    return options


def dynamic(model: Any) -> MakeCache:
    """Return a maker of caches that grow by concatenation; sliding layers keep their window only."""
    return lambda length, rows=1: DynamicCache(config=model.config)


def static(model: Any, bucket: int = 1) -> MakeCache:
    """Return a maker of caches that are allocated for `length` positions, rounded up to a multiple of `bucket`;
    attention reads all of them.

    A request of the same size gets the same cache, emptied: compiled code and graphs hold its addresses.
    """
    kept: list[tuple[tuple[int, int], Cache]] = []

    def make(length: int, rows: int = 1) -> Cache:
        size = -(-length // bucket) * bucket
        if kept and kept[0][0] == (size, rows):
            kept[0][1].reset()
        else:
            kept[:] = []  # before the new one is made
            kept.append(((size, rows), StaticCache(config=model.config, max_cache_len=size)))
        return kept[0][1]

    return make


def offloaded(model: Any) -> MakeCache:
    """Return a maker of dynamic caches that keep all layers but the active one in host memory."""
    return lambda length, rows=1: DynamicCache(config=model.config, offloading=True)


def with_layers(model: Any, make_layer: Callable[[], Any]) -> MakeCache:
    """Return a maker of dynamic caches with another class for layers of full attention; sliding layers are
    unchanged."""

    def make(length: int, rows: int = 1) -> Cache:
        cache = DynamicCache(config=model.config)
        cache.layers = [make_layer() if keeps_all(layer) else layer for layer in cache.layers]
        return cache

    return make


def slides(model: Any) -> bool:
    """Return whether any layer keeps a window only, so that earlier positions are lost."""
    return any(DynamicCache(config=model.config).is_sliding)


def more_than_rows(model: Any) -> str:
    """Return which layers keep more than rows and states, in words, or an empty string."""
    known = {DynamicLayer, DynamicSlidingWindowLayer, DummyLayer}
    for layer in DynamicCache(config=model.config).layers:
        if type(layer) not in known and not isinstance(layer, LinearAttentionCacheLayerMixin):
            return f"its layers keep more than keys and values ({type(layer).__name__})"
    return ""


def rotary_switch(model: Any) -> int | None:
    """Return the most positions that a longrope model computes with its short factors; None without longrope. Keys of
    one set of factors are meaningless to queries of the other."""
    text = model.config.get_text_config(decoder=True)
    return min(rotary_reaches(text, ("longrope",)), default=None)


def rotary_reaches(text: Any, kinds: Container[str]) -> list[int]:
    """Return the original positions of each rotary embedding of these kinds in a text config, before scaling."""
    found = [
        rope.get("original_max_position_embeddings") or getattr(text, "original_max_position_embeddings", None)
        for rope in _ropes(getattr(text, "rope_parameters", None))
        if rope["rope_type"] in kinds
    ]
    return [n for n in found if n]


def rope_types(model: Any) -> set[str]:
    """Return the kinds of rotary embedding in any of the model's layers."""
    text = model.config.get_text_config(decoder=True)
    return {str(rope["rope_type"]) for rope in _ropes(getattr(text, "rope_parameters", None))}


def depends_on_shape(model: Any, tokens: int) -> str:
    """Return why a context of that many tokens depends on how many are computed at once, beyond rounding; else an empty
    string."""
    text = model.config.get_text_config(decoder=True)
    if "dynamic" in rope_types(model) and tokens > text.max_position_embeddings:
        return (
            f"past {text.max_position_embeddings} tokens its rotary embedding is that of the longest context in a "
            "pass, so keys depend on how many tokens were computed at once"
        )
    return equal_scores(model, tokens)


def equal_scores(model: Any, tokens: int) -> str:
    """Return why an index that selects positions meets equal scores, or an empty string. A score is a sum over heads of
    terms that are 0 for half of all keys, so about one key in 2^heads scores 0: with the 64 heads of DeepSeek-V3.2
    none, with a few heads many, and which of the equal keys are selected depends on the shape of the pass."""
    text = model.config.get_text_config(decoder=True)
    most, heads = getattr(text, "index_topk", None), getattr(text, "index_n_heads", None)
    if not most or not heads or tokens <= most or tokens * 2.0**-heads < 1e-3:
        return ""
    return (
        f"past {most} tokens its attention picks those that an index of {heads} heads scores highest, and so few heads "
        "score many of them alike, so that which are picked depends on how many are computed at once"
    )


def _ropes(parameters: Any) -> Iterable[dict[str, Any]]:
    """Return the parameters of every rotary embedding in a config, per layer type or for all."""
    if not isinstance(parameters, dict):
        return
    if "rope_type" in parameters:
        yield parameters
    for value in parameters.values():
        yield from _ropes(value)


def describe(cache: Any) -> str:
    """Return the cache's classes, `DynamicCache: 30 DynamicLayer`."""
    return f"{type(cache).__name__}: {layer_counts(cache.layers)}"


def layer_counts(layers: Iterable[Any]) -> str:
    """Return the layers' classes with counts, `30 DynamicLayer`."""
    return ", ".join(f"{n} {name}" for name, n in Counter(type(layer).__name__ for layer in layers).items())


def keeps_all(layer: Any) -> bool:
    """Return whether a layer keeps the keys and values of every position and nothing else; `with_layers` replaces such
    layers."""
    return type(layer) is DynamicLayer


def cache_bytes(cache: Any, device: str = "") -> int:
    """Return the bytes of the storage behind a cache's keys and values; a view counts the storage that it keeps
    alive. `device` is a type ("cpu") to count alone."""
    storages: dict[int, int] = {}
    for layer in cache.layers:
        for value in vars(layer).values():
            for tensor in parts(value):
                if isinstance(tensor, Tensor) and tensor.ndim >= 2 and device in ("", tensor.device.type):
                    storage: torch.UntypedStorage = tensor.untyped_storage()
                    storages[storage.data_ptr()] = storage.nbytes()
    return sum(storages.values())


def parts(value: Any) -> Iterable[Any]:
    """Return the tensors of a layer's attribute, which may be one, a list or a dict."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list | tuple) else (value,)
