"""Continuous batching: a scheduler over slots, each a row of one static KV cache.

A step is one forward pass over a flat line of tokens: first the newest token of every decoding request, then parts of
the prompts still to be read, as many as the token budget leaves room for. A new request starts as soon as a slot is
free, a long prompt never delays decoding requests, and the weights are read once for all of them.

Only attention tells rows apart. It is replaced by `attend`, which splits the line by rows and calls the model's own
attention for each part with an explicit mask.

Sources: Orca, Yu et al. 2022; chunked prefill, Agrawal et al. 2023 (Sarathi).
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from transformers import Cache
from transformers.cache_utils import StaticLayer
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from core.kernels.batching.serving import Counts, ServedRequest, Yield, pick_rows
from core.kernels.caches import caches
from core.kernels.checks import agreement
from core.kernels.decoding.sampling import Sampler

ATTENTION = "dyno_slots"
INNER = ("sdpa", "eager")  # whose masks are plain tensors


@dataclass
class Chunk:
    """Positions `start` to `stop` of one row; in the line they begin at `at`."""

    row: int
    start: int
    stop: int
    at: int


@dataclass
class BatchPlan:
    """The layout of one pass: first one token for each of `rows`, whose contexts have `lengths` positions including it,
    then the chunks."""

    inner: str  # the model's own attention
    rows: list[int]
    lengths: list[int]
    chunks: list[Chunk]
    device: torch.device
    _masks: dict[Any, Tensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.highest = max(self.rows, default=-1) + 1
        self.reach = max(self.lengths, default=0)
        self.dense = self.rows == list(range(self.highest))
        self.row_index = torch.tensor(self.rows, dtype=torch.long, device=self.device)
        self.places = torch.tensor(self.lengths, dtype=torch.long, device=self.device) - 1

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
        key = (chunk.row, window)
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
                kept[c.row, :, c.start : c.stop] = new[:, c.at : c.at + c.stop - c.start]
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
        keys, values = (x[c.row : c.row + 1, :, : c.stop] for x in (key, value))
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


def unsuitable(model: Any) -> str:
    """Return why the scheduler cannot run this model, or an empty string."""
    config = model.config.get_text_config(decoder=True)
    kinds = set(getattr(config, "layer_types", None) or ["full_attention"])
    other = kinds - {"full_attention", "sliding_attention"}
    if not getattr(model, "_supports_attention_backend", False):
        return f"{type(model).__name__} computes attention in a way of its own, which cannot be split by rows"
    if other:
        return f"its layers of {', '.join(sorted(other))} keep a state that is not a row of keys and values"
    if {"dynamic", "longrope"} & caches.rope_types(model):
        return "its rotary embedding depends on the longest context in a pass, which would be another request's"
    if getattr(config, "num_kv_shared_layers", 0):
        return "its layers share keys and values"
    if config._attn_implementation not in INNER:
        return f"it works with {' and '.join(INNER)} attention, this model runs {config._attn_implementation}"
    return _misses(model)


def _misses(model: Any) -> str:
    """Return the fault that shows when two short requests are served, or an empty string."""
    try:
        if agreement.agree(
            model, lambda ids: _beside(model, ids), lambda ids: agreement.in_parts(model, ids, [3, 1])[2:]
        ):
            return ""
    except KeyError:
        return f"{type(model).__name__} hands nothing on to its attention, so that cannot be told whose a token is"
    except (RuntimeError, ValueError, LookupError, AttributeError, TypeError) as error:
        if agreement.says_nothing(error):
            raise
    return f"{type(model).__name__} does not compute a request beside another as it does alone"


@torch.inference_mode()
def _beside(model: Any, ids: list[int]) -> Tensor:
    """Return logits [2, V] after the third and the fourth token, beside another request."""
    server = SlotServer(model, 2, 16)
    server.prepare(len(ids) + 1)
    return server.told([ids[:3], ids[::-1]], [ids[3], ids[0]])


@dataclass
class _Seat:
    job: ServedRequest
    read: int = 0  # positions of its prompt that are in the cache
    got: int = 0  # tokens of its answer
    last: int = 0

    @property
    def decodes(self) -> bool:
        return self.got > 0


class SlotServer:
    """The continuous batching server. `token_budget` is the most tokens of one pass; it must exceed the slots, or
    prompts could starve."""

    def __init__(self, model: Any, slots: int, token_budget: int) -> None:
        if token_budget <= slots:
            raise ValueError(f"a token budget of {token_budget} leaves no room for prompts beside {slots} slots")
        self.slots = slots
        self.token_budget = token_budget
        self._model = model
        self._configs = list({id(m.config): m.config for m in model.modules() if hasattr(m, "config")}.values())
        self._inner = model.config.get_text_config(decoder=True)._attn_implementation
        self._layers = model.config.get_text_config(decoder=True).num_hidden_layers
        self._cache_name, self._keeps_logits = caches.forward_arguments(model)
        self._device = next(model.parameters()).device
        self.cache: SlotCache | None = None
        self.prepare(0)

    def prepare(self, length: int) -> None:
        if self.cache is not None and self.cache.length < length:
            self.cache = None
        if self.cache is None and length:
            self.cache = SlotCache(self._layers, self.slots, length)
        self._waiting: deque[ServedRequest] = deque()
        self._seats: list[_Seat | None] = [None] * self.slots
        self._order: list[int] = []  # rows whose prompts are being read, first come first
        self.begun: list[int] = []
        self.counts = Counts()

    def admit(self, job: ServedRequest) -> None:
        self._waiting.append(job)

    def ready(self) -> bool:
        return bool(self._waiting) or any(self._seats)

    def start_anyway(self) -> None:
        pass

    def step(self) -> Yield:
        self._fill()
        rows = [row for row, seat in enumerate(self._seats) if seat is not None and seat.decodes]
        plan, ids, positions = self._plan(rows)
        ends = [*range(len(rows)), *(c.at + c.stop - c.start - 1 for c in plan.chunks if self._completes(c))]
        served = [*rows, *(c.row for c in plan.chunks if self._completes(c))]
        seats = [self._seat(row) for row in served]
        with torch.inference_mode():
            logits = self._forward(plan, ids, positions, ends)
            picked = pick_rows([seat.job.sampler for seat in seats], logits) if seats else []
            if not seats and self._device.type == "cuda":  # nothing was read from the device: wait for it
                torch.cuda.synchronize(self._device)
        self._count(plan, len(ids))
        for c in plan.chunks:
            self._seat(c.row).read = c.stop
        new: Yield = []
        for row, seat, token in zip(served, seats, picked, strict=True):
            seat.last = token
            seat.got += 1
            new.append((seat.job.number, [token]))
            if row in self._order:
                self._order.remove(row)
            if seat.got >= seat.job.new_tokens:
                self._seats[row] = None
        return new

    def told(self, prompts: list[list[int]], following: list[int]) -> Tensor:
        """Return logits [2, V] of the first prompt: after it, and after the first token of `following`."""
        for number, prompt in enumerate(prompts):
            self.admit(ServedRequest(number, prompt, 2, Sampler()))
        self._fill()
        plan, ids, positions = self._plan([])
        first = self._forward(plan, ids, positions, [c.at + c.stop - c.start - 1 for c in plan.chunks])
        for row, token in enumerate(following):
            seat = self._seat(row)
            seat.read, seat.got, seat.last = len(seat.job.prompt), 1, token
        self._order = []
        plan, ids, positions = self._plan(list(range(len(prompts))))
        return torch.stack([first[0], self._forward(plan, ids, positions, [0])[0]])

    def _fill(self) -> None:
        """Give free slots to waiting requests, the lowest first: a pass reaches up to the highest slot in use."""
        self.begun = []
        for row, seat in enumerate(self._seats):
            if seat is None and self._waiting:
                job = self._waiting.popleft()
                self._seats[row] = _Seat(job)
                self._order.append(row)
                self.begun.append(job.number)

    def _plan(self, rows: list[int]) -> tuple[BatchPlan, list[int], list[int]]:
        """Return the layout, ids and positions of the next pass: decode tokens first, then prompts in order of arrival
        within the budget."""
        ids, positions, chunks = [], [], []
        for row in rows:
            seat = self._seat(row)
            ids.append(seat.last)
            positions.append(len(seat.job.prompt) + seat.got - 1)
        lengths = [p + 1 for p in positions]
        for row in self._order:
            seat = self._seat(row)
            count = min(self.token_budget - len(ids), len(seat.job.prompt) - seat.read)
            if count <= 0:
                break
            chunks.append(Chunk(row, seat.read, seat.read + count, len(ids)))
            ids.extend(seat.job.prompt[seat.read : seat.read + count])
            positions.extend(range(seat.read, seat.read + count))
        return BatchPlan(self._inner, rows, lengths, chunks, self._device), ids, positions

    def _forward(self, plan: BatchPlan, ids: list[int], positions: list[int], ends: list[int]) -> Tensor:
        """Return the logits [n, V] at the positions `ends` of the line."""
        assert self.cache is not None
        self.cache.plan = plan
        keep = torch.tensor(ends, dtype=torch.long, device=self._device)
        options: dict[str, Any] = {self._cache_name: self.cache, "use_cache": True, "slots_plan": plan}
        if self._keeps_logits:
            options["logits_to_keep"] = keep
        line, places = (torch.tensor([x], device=self._device) for x in (ids, positions))
        with self._attention_by_rows():
            logits = self._model(line, position_ids=places, **options).logits[0]
        return logits if self._keeps_logits else logits[keep]

    @contextmanager
    def _attention_by_rows(self) -> Iterator[None]:
        for config in self._configs:
            config._attn_implementation = ATTENTION
        try:
            yield
        finally:
            for config in self._configs:
                config._attn_implementation = self._inner

    def _count(self, plan: BatchPlan, tokens: int) -> None:
        counts = self.counts
        counts.steps += 1
        counts.served += sum(seat is not None for seat in self._seats)
        counts.chunks += len(plan.chunks)
        counts.widest = max(counts.widest, tokens)

    def _completes(self, chunk: Chunk) -> bool:
        return chunk.stop == len(self._seat(chunk.row).job.prompt)

    def _seat(self, row: int) -> _Seat:
        seat = self._seats[row]
        assert seat is not None
        return seat

    def kv_bytes(self) -> int:
        return caches.cache_bytes(self.cache) if self.cache is not None else 0

    def cache_class(self) -> str:
        return caches.describe(self.cache if self.cache is not None else SlotCache(self._layers, self.slots, 1))
