"""Continuous batching: serves requests in slots, each a row of one static KV cache.

A step is one forward pass over a flat line of tokens (`core.kernels.batching.scheduler`). A new request starts as soon
as a slot is free, a long prompt never delays decoding requests, and the weights are read once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from core.kernels.batching.scheduler import Schedule, Scheduler
from core.kernels.batching.serving import Counts, ServedRequest, Yield, pick_rows
from core.kernels.batching.slot_cache import ATTENTION, INNER, BatchPlan, SlotCache
from core.kernels.caches import caches
from core.kernels.checks import agreement
from core.kernels.decoding.sampling import Sampler


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
    server = ContinuousBatchServer(model, 2, 16)
    server.prepare(len(ids) + 1)
    return server.told([ids[:3], ids[::-1]], [ids[3], ids[0]])


class ContinuousBatchServer:
    """The server of continuous batching. `token_budget` is the most tokens of one pass; it must exceed the slots."""

    def __init__(self, model: Any, slots: int, token_budget: int) -> None:
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
        self.scheduler = Scheduler(self.slots, self.token_budget)
        self.counts = Counts()

    @property
    def begun(self) -> list[int]:
        return self.scheduler.begun

    def admit(self, job: ServedRequest) -> None:
        self.scheduler.admit(job)

    def ready(self) -> bool:
        return self.scheduler.ready

    def start_anyway(self) -> None:
        pass

    def step(self) -> Yield:
        scheduled = self.scheduler.schedule()
        samplers = [self.scheduler.sequence(slot).request.sampler for slot in scheduled.served]
        with torch.inference_mode():
            logits = self._forward(scheduled)
            picked = pick_rows(samplers, logits) if samplers else []
            if not samplers and self._device.type == "cuda":  # nothing was read from the device: wait for it
                torch.cuda.synchronize(self._device)
        self._count(scheduled)
        return self.scheduler.update(scheduled, picked)

    def told(self, prompts: list[list[int]], following: list[int]) -> Tensor:
        """Return logits [2, V] of the first prompt: after it, and after the first token of `following`."""
        for number, prompt in enumerate(prompts):
            self.admit(ServedRequest(number, prompt, 3, Sampler()))
        scheduled = self.scheduler.schedule()
        first = self._forward(scheduled)
        self.scheduler.update(scheduled, following)
        return torch.stack([first[0], self._forward(self.scheduler.schedule())[0]])

    def _forward(self, scheduled: Schedule) -> Tensor:
        """Return the logits [n, V] at the places `ends` of a pass."""
        assert self.cache is not None
        plan = self.cache.plan = BatchPlan(scheduled, self._inner, self._device)
        options: dict[str, Any] = {self._cache_name: self.cache, "use_cache": True, "slots_plan": plan}
        if self._keeps_logits:
            options["logits_to_keep"] = plan.ends
        with self._attention_by_rows():
            logits = self._model(plan.ids, position_ids=plan.positions, **options).logits[0]
        return logits if self._keeps_logits else logits[plan.ends]

    @contextmanager
    def _attention_by_rows(self) -> Iterator[None]:
        for config in self._configs:
            config._attn_implementation = ATTENTION
        try:
            yield
        finally:
            for config in self._configs:
                config._attn_implementation = self._inner

    def _count(self, scheduled: Schedule) -> None:
        counts = self.counts
        counts.steps += 1
        counts.served += self.scheduler.running
        counts.chunks += len(scheduled.chunks)
        counts.widest = max(counts.widest, len(scheduled.ids))

    def kv_bytes(self) -> int:
        return caches.cache_bytes(self.cache) if self.cache is not None else 0

    def cache_class(self) -> str:
        return caches.describe(self.cache if self.cache is not None else SlotCache(self._layers, self.slots, 1))
