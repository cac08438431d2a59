"""The KV cache of continuous batching, a row per slot, and the attention that tells rows apart.

`attend` replaces the model's attention. It splits the line of tokens by rows and calls the model's own attention for
each part with an explicit mask.
"""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch import Tensor
from transformers import Cache
from transformers.cache_utils import StaticLayer
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from core.kernels.batching.scheduler import Chunk, Schedule

ATTENTION = "dyno_slots"
INNER = ("sdpa", "eager")  # whose masks are plain tensors


class BatchPlan:
    """A scheduled pass on a device: its index tensors, sent there in one copy, and the masks of its parts. `inner`
    names the model's own attention. `ids` and `positions` are the line, [1, tokens]; `ends` are the places whose logits
    are needed."""

    def __init__(self, schedule: Schedule, inner: str, device: torch.device) -> None:
        parts = [schedule.slots, [n - 1 for n in schedule.lengths], schedule.ids, schedule.positions, schedule.ends]
        sent = _sent([number for part in parts for number in part], device)
        self.row_index, self.places, ids, positions, self.ends = sent.split([len(part) for part in parts])
        self.ids, self.positions = ids[None], positions[None]
        self.rows, self.lengths, self.chunks = schedule.slots, schedule.lengths, schedule.chunks
        self.inner, self.device = inner, device
        self._masks: dict[Any, Tensor] = {}
        self.highest = max(self.rows, default=-1) + 1
        self.reach = max(self.lengths, default=0)
        self.dense = self.rows == list(range(self.highest))

    def decode_mask(self, window: int | None, like: Tensor) -> Tensor | None:
        """Return the mask [rows, 1, 1, positions]; None if every row sees all positions."""
        if self.dense and min(self.lengths) == self.reach and (window is None or self.reach <= window):
            return None
        if ("decode", window) not in self._masks:
            lengths = torch.ones(self.highest, dtype=torch.long, device=self.device)
            lengths[self.row_index] = self.places + 1
            positions = torch.arange(self.reach, device=self.device)
            seen = positions < lengths[:, None]
            if window is not None:
                seen &= positions >= lengths[:, None] - window
            self._masks["decode", window] = self._finished(seen[:, None, None], like)
        return self._masks["decode", window]

    def chunk_mask(self, chunk: Chunk, window: int | None, like: Tensor) -> Tensor | None:
        """Return the mask [1, 1, tokens, positions]; None if attention's causal rule is equivalent."""
        if chunk.start == 0 and window is None and self.inner == "sdpa":
            return None
        key = (chunk.slot, window)
        if key not in self._masks:
            positions = torch.arange(chunk.stop, device=self.device)
            of_query = torch.arange(chunk.start, chunk.stop, device=self.device)[:, None]
            seen = positions <= of_query
            if window is not None:
                seen &= positions > of_query - window
            self._masks[key] = self._finished(seen[None, None], like)
        return self._masks[key]

    def _finished(self, seen: Tensor, like: Tensor) -> Tensor:
        if self.inner == "sdpa":
            return seen
        return torch.where(seen, 0.0, torch.finfo(like.dtype).min).to(like.dtype)


def _sent(numbers: list[int], device: torch.device) -> Tensor:
    """Return numbers [n] on a device; from pinned memory the copy waits for nothing."""
    on_host = torch.tensor(numbers, dtype=torch.long)
    if device.type == "cuda" and torch.cuda.is_available():
        on_host = on_host.pin_memory()
    return on_host.to(device, non_blocking=True)


class SlotLayer(StaticLayer):
    """Keys and values [slots, heads, positions, head size], written as the plan says and read by `attend`."""

    is_initialized: bool

    def __init__(self, slots: int, length: int) -> None:
        super().__init__(max_cache_len=length)
        self.slots = slots

    def put(self, keys: Tensor, values: Tensor, plan: BatchPlan) -> tuple[Tensor, Tensor]:
        if not self.is_initialized:
            shape = (self.slots, keys.shape[1], self.max_cache_len)
            # Zeros: what was never written is masked, but a NaN would shine through.
            self.keys = keys.new_zeros(*shape, keys.shape[-1])
            self.values = values.new_zeros(*shape, values.shape[-1])
            self.is_initialized = True
        for kept, new in ((self.keys, keys[0]), (self.values, values[0])):
            assert kept is not None
            if plan.rows:
                kept[plan.row_index, :, plan.places] = new[:, : len(plan.rows)].transpose(0, 1)
            for c in plan.chunks:
                kept[c.slot, :, c.start : c.stop] = new[:, c.at : c.at + c.stop - c.start]
        assert self.keys is not None
        assert self.values is not None
        return self.keys, self.values


class SlotCache(Cache):
    """A cache with one row per slot, each of its own length; `plan` is the layout of the current pass."""

    def __init__(self, layers: int, slots: int, length: int) -> None:
        super().__init__(layers=[SlotLayer(slots, length) for _ in range(layers)])
        self.length = length
        self.plan: BatchPlan | None = None

    def update(
        self, key_states: Tensor, value_states: Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        assert self.plan is not None
        return self.layers[layer_idx].put(key_states, value_states, self.plan)


def attend(
    module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: None, **options: Any
) -> tuple[Tensor, None]:
    """Return the model's own attention, computed row by row: query [1, heads, tokens, size], key and value the whole
    cache."""
    plan: BatchPlan = options.pop("slots_plan")
    window = options.get("sliding_window")
    inner = ALL_ATTENTION_FUNCTIONS.get_interface(plan.inner, _eager_of(module))
    count, parts = len(plan.rows), []
    if count:
        own = query[0, :, :count].transpose(0, 1).unsqueeze(2)  # [rows, heads, 1, size]
        if not plan.dense:  # rows in between are idle: what is computed for them is dropped
            wide = own.new_zeros(plan.highest, *own.shape[1:])
            wide[plan.row_index] = own
            own = wide
        keys, values = (x[: plan.highest, :, : plan.reach] for x in (key, value))
        out = inner(module, own, keys, values, plan.decode_mask(window, query), **options)[0]
        parts.append((out if plan.dense else out[plan.row_index]).transpose(0, 1))
    for c in plan.chunks:
        own = query[:, :, c.at : c.at + c.stop - c.start]
        keys, values = (x[c.slot : c.slot + 1, :, : c.stop] for x in (key, value))
        parts.append(inner(module, own, keys, values, plan.chunk_mask(c, window, query), **options)[0])
    return parts[0] if len(parts) == 1 else torch.cat(parts, 1), None


ALL_ATTENTION_FUNCTIONS.register(ATTENTION, attend)


def _eager_of(module: Any) -> Any:
    """Return the eager attention of the model's own file, which is not in transformers' registry."""
    for base in type(module).__mro__:
        found = getattr(sys.modules[base.__module__], "eager_attention_forward", None)
        if found is not None:
            return found
    raise RuntimeError(f"{type(module).__name__} comes without an eager attention")
