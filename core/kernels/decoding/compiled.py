"""The decode step as a compiled function or a replayed CUDA graph, for a single token on a static cache."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._dynamo.utils import counters

from core.kernels.caches import caches, rollback


class CompiledStep:
    """`torch.compile` of one token's forward. The first call compiles, as does every call with new shapes or types.
    `compile_s` sums the seconds of compiling calls; `graphs` and `breaks` are dynamo's own counts."""

    def __init__(self, model: Any, mode: str, dynamic: bool) -> None:
        name, keeps_logits = caches.forward_arguments(model)
        options = {"use_cache": True} | ({"logits_to_keep": 1} if keeps_logits else {})
        positions = _positions(model)

        def one(ids: Tensor, places: Tensor, cache: Any) -> Tensor:
            return model(ids, **{name: cache}, **positions(places), **options).logits[0, -1:]

        # Beyond its limit of 8 shapes dynamo would go on uncompiled, without a word.
        torch._dynamo.config.recompile_limit = max(64, torch._dynamo.config.recompile_limit)
        self._compiled = torch.compile(one, dynamic=dynamic, **_settings(model, mode))
        self._graphs_before, self._breaks_before = _graphs(), _breaks()
        self.calls = self.compiling_calls = 0
        self.compile_s = 0.0
        self.last_compile_call = 0  # number of the call in which something was compiled last

    def __call__(self, ids: Tensor, places: Tensor, cache: Any) -> Tensor:
        before, begin = _graphs(), time.perf_counter()
        if ids.device.type == "cuda":
            torch.compiler.cudagraph_mark_step_begin()
        logits = self._compiled(ids, places, cache)
        self.calls += 1
        if _graphs() != before:
            self.compiling_calls += 1
            self.last_compile_call = self.calls
            self.compile_s += time.perf_counter() - begin
        return logits

    @property
    def graphs(self) -> int:
        """The number of graphs compiled since this step was made; more than one per graph break means
        recompilations."""
        return _graphs() - self._graphs_before

    @property
    def breaks(self) -> int:
        return _breaks() - self._breaks_before


class GraphedStep:
    """One token's forward, captured once as a CUDA graph and replayed: one launch instead of hundreds. The cache must
    be the same object at the same addresses for every request. CUDA only."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._name, keeps_logits = caches.forward_arguments(model)
        self._options = {"use_cache": True} | ({"logits_to_keep": 1} if keeps_logits else {})
        self._graph: torch.cuda.CUDAGraph | None = None
        self._cache: Any = None
        self._positions = _positions(model)
        self._ids: Tensor | None = None
        self._places: Tensor | None = None
        self._logits: Tensor | None = None
        self.captures = self.replays = 0
        self.capture_s = 0.0

    def __call__(self, ids: Tensor, places: Tensor, cache: Any) -> Tensor:
        if self._graph is None or cache is not self._cache:
            self._capture(ids, places, cache)
        assert self._graph is not None
        assert self._ids is not None
        assert self._places is not None
        assert self._logits is not None
        self._ids.copy_(ids)
        self._places.copy_(places)
        self._graph.replay()
        self.replays += 1
        return self._logits.clone()

    def _capture(self, ids: Tensor, places: Tensor, cache: Any) -> None:
        begin = time.perf_counter()
        self._cache, self._ids, self._places = cache, ids.clone(), places.clone()
        saved = rollback.save(cache)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):  # warm up: allocations and lazy set-up must not be captured
            for _ in range(2):
                self._forward(self._ids, self._places, cache)
                rollback.drop_rows(cache, 1)
                rollback.restore(cache, saved)
        torch.cuda.current_stream().wait_stream(stream)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._logits = self._forward(self._ids, self._places, cache)
        # Capturing runs nothing, so the cache stands where it stood.
        self.captures += 1
        self.capture_s += time.perf_counter() - begin

    def _forward(self, ids: Tensor, places: Tensor, cache: Any) -> Tensor:
        return self._model(ids, **{self._name: cache}, **self._positions(places), **self._options).logits[0, -1:]


def _settings(model: Any, mode: str) -> dict[str, Any]:
    """Return the arguments of torch.compile for a mode. On a card, products of one token are tuned too: without that
    they stay library calls, for which weights of 8 bits are written out in bf16 at every step
    (torch._inductor.decomposition, torch 2.13)."""
    if next(model.parameters()).device.type != "cuda":
        return {"mode": mode}
    from torch._inductor import list_mode_options

    tuned = {"coordinate_descent_tuning": True, "coordinate_descent_check_all_directions": True}
    return {"options": {**list_mode_options(mode), **tuned}}


def _positions(model: Any) -> Callable[[Tensor], dict[str, Tensor]]:
    """Return a function that makes forward's position arguments."""
    takes = caches.takes_positions(model)
    return lambda places: {"position_ids": places} if takes else {}


def _graphs() -> int:
    return counters["stats"].get("unique_graphs", 0)


def _breaks() -> int:
    return sum(counters["graph_break"].values())
