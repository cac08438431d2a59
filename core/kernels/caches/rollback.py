"""Removes the newest positions from a cache, whatever its layers keep: rows of keys and values are cut off, a recurrent
state is saved beforehand and restored.

A state sums up all tokens fed, so nothing can be cut off it. Accepted tokens fed since the state was saved are fed
again after it was restored. The next pass feeds them along with its own tokens, since a pass of their own would read
all weights once more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor
from transformers.cache_utils import (
    DynamicLayer,
    DynamicSlidingWindowLayer,
    LinearAttentionAndFullAttentionLayer,
    LinearAttentionAndSlidingWindowAttentionLayer,
    LinearAttentionAndStaticFullAttentionLayer,
    LinearAttentionAndStaticSlidingWindowAttentionLayer,
    LinearAttentionCacheLayerMixin,
    StaticLayer,
    StaticSlidingWindowLayer,
)

#: Tokens that may wait for the next pass; more get a pass of their own. Each of the passes that follow a rejection
#: carries them until a whole draft was right, so that they cost t₁ a token and pass, and a pass of their own t₀ once:
#: with t₀ some 10 t₁, as where reading the weights is what takes the time, the two are equal about here.
MOST_PENDING = 8

_KINDS = ("conv_states", "recurrent_states")
_ROWS: tuple[Any, ...] = (StaticSlidingWindowLayer, StaticLayer, DynamicSlidingWindowLayer, DynamicLayer)

_LIMIT = "time_step_limit"

State = list[dict[Any, Any]]  # of each layer that keeps one: its tensors by kind and number


def stateful(cache: Any) -> list[Any]:
    """Return the layers that keep a recurrent or convolution state, alone or beside rows."""
    return [layer for layer in getattr(cache, "layers", ()) if isinstance(layer, LinearAttentionCacheLayerMixin)]


def prepare(cache: Any, length: int) -> None:
    """Make the layers of a fresh cache keep what a rollback needs."""
    length = _allocated(cache, length)
    for i, layer in enumerate(cache.layers):
        state = isinstance(layer, LinearAttentionCacheLayerMixin)
        if state:
            layer.record_past = False  # a cache that is used again may have recorded for the last request
        # A static sliding layer overwrites what leaves its window, and a growing one with a state has one switch for
        # recording both. A full one under the same sliding mask gives the same attention, costs more memory, and
        # forgets nothing.
        if isinstance(layer, LinearAttentionAndStaticSlidingWindowAttentionLayer):
            cache.layers[i] = LinearAttentionAndStaticFullAttentionLayer(length, layer.number_of_states)
        elif isinstance(layer, LinearAttentionAndSlidingWindowAttentionLayer):
            cache.layers[i] = LinearAttentionAndFullAttentionLayer(layer.number_of_states)
        elif isinstance(layer, StaticSlidingWindowLayer) and not layer.is_croppable:
            cache.layers[i] = StaticLayer(length)
        elif not state and hasattr(layer, "activate_past_recording"):
            layer.activate_past_recording()


def keep_whole(cache: Any, length: int) -> None:
    """Replace the static sliding layers of a fresh cache by full ones. A sliding layer counts its positions in a Python
    number and branches on it, so a captured step would repeat the position of its capture, and a compiled one would be
    compiled anew for every token (transformers 5.24). A full layer under the same sliding mask gives the same
    attention, and costs the memory of all positions."""
    length = _allocated(cache, length)
    for i, layer in enumerate(cache.layers):
        if isinstance(layer, LinearAttentionAndStaticSlidingWindowAttentionLayer):
            cache.layers[i] = LinearAttentionAndStaticFullAttentionLayer(length, layer.number_of_states)
        elif isinstance(layer, StaticSlidingWindowLayer):
            cache.layers[i] = StaticLayer(length)


def _allocated(cache: Any, length: int) -> int:
    """Return the positions of the cache's full static layers, which a bucket may have rounded up; else `length`."""
    sliding = StaticSlidingWindowLayer, LinearAttentionAndStaticSlidingWindowAttentionLayer
    whole = [x.max_cache_len for x in cache.layers if isinstance(x, StaticLayer) and not isinstance(x, sliding)]
    return max([length, *whole])


def obstacle(cache: Any) -> str:
    """Return why positions of a prepared cache cannot be removed, or an empty string."""
    for layer in cache.layers:
        if not isinstance(layer, LinearAttentionCacheLayerMixin) and not layer.is_croppable:
            return f"this cache ({type(layer).__name__}) keeps nothing of its earlier positions"
    return ""


def save(cache: Any, into: State | None = None) -> State:
    """Return a copy of all states, in the memory of the earlier copy `into` if given."""
    layers = stateful(cache)
    into = into or [{} for _ in layers]
    for layer, saved in zip(layers, into, strict=True):
        saved["previous"] = dict(layer.has_previous_state)
        saved["kernel"] = dict(layer.conv_kernel_size)
        for kind in _KINDS:
            for number, tensor in getattr(layer, kind).items():
                saved[kind, number] = _copied(tensor, saved.get((kind, number)))
    return into


def restore(cache: Any, saved: State) -> None:
    """Restore saved states, also into a cache without states yet. Tensors keep their addresses."""
    for layer, state in zip(stateful(cache), saved, strict=True):
        for kind in _KINDS:
            for number, present in getattr(layer, kind).items():
                old = state[kind, number]
                if old is None:
                    if present is not None:
                        present.zero_()
                elif present is not None and present.shape == old.shape:
                    present.copy_(old)
                else:
                    _fill(layer, kind, number, old, state["kernel"][number])
        layer.has_previous_state.update(state["previous"])


def state_bytes(saved: State) -> int:
    """Return the bytes of saved states."""
    tensors = [t for layer in saved for t in layer.values() if isinstance(t, Tensor)]
    return sum(t.numel() * t.element_size() for t in tensors)


def drop_rows(cache: Any, count: int) -> None:
    """Cut the newest `count` positions off all keys and values; with 0, drop the positions that left a sliding
    window."""
    for layer in cache.layers:
        if not isinstance(layer, LinearAttentionCacheLayerMixin):
            layer.crop(-count)
        else:
            kind = next((kind for kind in _ROWS if isinstance(layer, kind)), None)
            if kind is not None:
                kind.crop(layer, -count)


def records(cache: Any) -> bool:
    """Let convolution states without a recurrent state record their inputs, so that they can be cut like rows. Return
    whether all states of a cache that was fed once are of that kind. Static rows exclude it: with a recording layer
    transformers omits the mask that hides their unused end."""
    layers = stateful(cache)
    if any(isinstance(layer, StaticLayer) for layer in cache.layers) or not all(x.is_croppable for x in layers):
        return False
    for layer in layers:
        layer.activate_past_recording()
    return True


def limited(model: Any) -> list[Any]:
    """Return the modules that `as_steps` applies to. Mamba 2's kernel for several tokens limits the time step, and its
    kernel for a single token does not (transformers 5.24). In models that set limits (Nemotron-H, Zamba2) the result
    would depend on how a text was cut into passes."""
    return [m for m in model.modules() if getattr(m, _LIMIT, None) is not None]


@contextmanager
def as_steps(modules: list[Any]) -> Iterator[None]:
    """Let these modules compute several tokens as they compute them one by one, within the context."""
    limits = [getattr(m, _LIMIT) for m in modules]
    try:
        for m in modules:
            setattr(m, _LIMIT, (0.0, math.inf))
        yield
    finally:
        for m, limit in zip(modules, limits, strict=True):
            setattr(m, _LIMIT, limit)


class SavedState:
    """Rolls back a cache with states. `pending` holds tokens of the context that the restored state has not seen; the
    next pass must begin with them."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache
        self._saved: State | None = None
        self._valid = False
        self._since: list[int] = []  # fed since the state was saved
        self.pending: list[int] = []

    @property
    def reach(self) -> int:
        """The number of newest positions that can be removed."""
        return len(self._since)

    def feeding(self, tokens: list[int]) -> list[int]:
        """Return the tokens to feed so that `tokens` follow the context."""
        if not self._valid:
            self._saved = save(self._cache, self._saved)
            self._valid = True
        tokens, self.pending = self.pending + tokens, []
        self._since += tokens
        return tokens

    def take_back(self, count: int) -> int:
        """Reject the newest `count` positions, accept all others, and return how many positions left the cache."""
        if not count:
            self._since, self._valid = [], False
            drop_rows(self._cache, 0)
            return 0
        assert self._saved is not None
        fed, self._since = self._since, []
        drop_rows(self._cache, len(fed))
        restore(self._cache, self._saved)
        self.pending = fed[:-count]
        return len(fed)

    def bytes(self) -> int:
        """Return the bytes of the saved state."""
        return state_bytes(self._saved or [])


def _copied(tensor: Tensor | None, into: Tensor | None) -> Tensor | None:
    if tensor is None:
        return None
    return into.copy_(tensor) if into is not None and into.shape == tensor.shape else tensor.clone()


def _fill(layer: Any, kind: str, number: int, old: Tensor, kernel: int | None) -> None:
    """Allocate a layer's state and fill it with a saved one."""
    if kind == "conv_states":
        layer.lazy_initialization(conv_states=old, state_idx=number, conv_kernel_size=kernel)
    else:
        layer.lazy_initialization(recurrent_states=old, state_idx=number)
    getattr(layer, kind)[number].copy_(old)
