"""KV caches of transformers: how forward takes one, how one is made and measured. Knows no decode loop; taking
positions back is in `core.kernels.rollback`."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers import Cache, DynamicCache, StaticCache
from transformers.cache_utils import DynamicLayer


class MakeCache(Protocol):
    def __call__(self, length: int, rows: int = 1) -> Cache:
        """A cache for a number of positions and of requests."""


def forward_arguments(model: Any) -> tuple[str, bool]:
    """The name of forward's cache argument (`cache` since transformers 5.2x, `past_key_values` before) and
    whether forward takes `logits_to_keep`."""
    names = inspect.signature(model.forward).parameters
    return "cache" if "cache" in names else "past_key_values", "logits_to_keep" in names


def takes_cache(model: Any) -> bool:
    """Whether forward takes a cache by name; what it does not know it may swallow, and then see one token a step."""
    return bool({"cache", "past_key_values"} & set(inspect.signature(model.forward).parameters))


def takes_positions(model: Any) -> bool:
    """Whether forward takes `position_ids`. Without them it asks the cache how far it is, and some models ask a layer
    that cannot say."""
    return "position_ids" in inspect.signature(model.forward).parameters


def keeper(model: Any) -> Callable[[Tensor, int], dict[str, Any]]:
    """What asks forward for the logits of the last `keep` of its positions `ids` [rows, T]; nothing where it cannot be
    asked. As places, not as a number, of which transformers makes a slice: that is a view with gaps between its rows,
    and for its product in bf16 torch copies the whole head first. Measured, torch 2.13, SmolLM2-135M on 2 cores with
    AVX-512-BF16: 54 MiB and 150 ms for a slice of the last of 128 positions, 0 MiB and 8 ms for its place; with the
    place a prompt of 128 tokens takes half to two thirds of the time."""
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
    """Grows by concatenation; sliding layers keep their window only."""
    return lambda length, rows=1: DynamicCache(config=model.config)


def static(model: Any, bucket: int = 1) -> MakeCache:
    """Allocated for `length` positions, rounded up to a multiple of `bucket`; attention reads all of them.

    A request of the same size gets the same cache, emptied: compiled code and graphs hold on to its addresses."""
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
    """Dynamic, with every layer but the one at work in the host's memory."""
    return lambda length, rows=1: DynamicCache(config=model.config, offloading=True)


def with_layers(model: Any, make_layer: Callable[[], Any]) -> MakeCache:
    """A dynamic cache whose layers of full attention are of another class; sliding layers stay as they are."""

    def make(length: int, rows: int = 1) -> Cache:
        cache = DynamicCache(config=model.config)
        cache.layers = [make_layer() if keeps_all(layer) else layer for layer in cache.layers]
        return cache

    return make


def slides(model: Any) -> bool:
    """Whether any layer keeps a window only, so that earlier positions cannot be had back."""
    return any(DynamicCache(config=model.config).is_sliding)


def describe(cache: Any) -> str:
    """`DynamicCache: 30 DynamicLayer`."""
    return f"{type(cache).__name__}: {layer_counts(cache.layers)}"


def layer_counts(layers: Iterable[Any]) -> str:
    """`30 DynamicLayer`."""
    return ", ".join(f"{n} {name}" for name, n in Counter(type(layer).__name__ for layer in layers).items())


def keeps_all(layer: Any) -> bool:
    """Whether a layer keeps the keys and values of every position, and nothing else: what `with_layers` replaces."""
    return type(layer) is DynamicLayer


def cache_bytes(cache: Any) -> int:
    """Bytes of the storage behind a cache's key and value tensors; a view counts what it keeps alive."""
    storages: dict[int, int] = {}
    for layer in cache.layers:
        for value in vars(layer).values():
            for tensor in parts(value):
                if isinstance(tensor, Tensor) and tensor.ndim >= 2:
                    storage: torch.UntypedStorage = tensor.untyped_storage()
                    storages[storage.data_ptr()] = storage.nbytes()
    return sum(storages.values())


def parts(value: Any) -> Iterable[Any]:
    """The tensors, or whatever else, of an attribute of a layer: some keep theirs in a table."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list | tuple) else (value,)
