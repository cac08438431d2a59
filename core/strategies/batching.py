"""Batching: how several requests share the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from core.model.receipt import Receipt
from core.spec.variant import Strategy, Unsuitable

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import Decoder, LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class _Batching(Strategy):
    slot: ClassVar[str] = "batching"
    exact: ClassVar[bool] = True

    def wanted(self) -> str:
        """Return the requested server in words, for the receipt."""
        raise NotImplementedError

    def is_mine(self, runtime: LoadedModel) -> bool:
        """Return whether the server has the requested kind and size."""
        raise NotImplementedError

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt: the server and, after a trial, its counts; without a step of its own there is no
        proof."""
        matches, trial, server = self.is_mine(runtime), runtime.last_trial, runtime.server
        source = server or runtime.decoder
        cache = source.cache_class() if source is not None else "none"
        slots = server.slots if server is not None else 1
        words = f"1 slot on {cache}" if slots == 1 else f"{slots} slots on {cache}"
        if getattr(server, "even", False):
            words += ", prompts of one length at a time: padding would change them"
        if trial is None:
            return Receipt(
                slot=self.slot,
                requested=self.wanted(),
                effective=f"{words}; not used yet",
                matches=matches,
                detail={"slots": slots, "cache": cache},
            )
        done = trial.batching
        if done is None:
            return Receipt(
                slot=self.slot,
                requested=self.wanted(),
                effective=f"{words}; the only request had the decoder for itself",
                matches=matches and server is None and len(trial.requests) == 1,
                detail={"slots": slots, "cache": cache, "cache_bytes": trial.kv_bytes},
            )
        return Receipt(
            slot=self.slot,
            requested=self.wanted(),
            effective=f"{words}, {(trial.kv_bytes or 0) / 1e6:.2f} MB; {done.steps} steps with "
            f"{done.mean_occupancy:.1f} requests each, {done.prefill_chunks} prefill chunks, longest step "
            f"{done.longest_step_ms:.0f} ms",
            matches=matches and done.slots == slots and done.steps > 0 and done.prefill_chunks > 0,
            detail={
                "slots": done.slots,
                "cache": cache,
                "cache_bytes": trial.kv_bytes,
                "steps": done.steps,
                "mean_occupancy": round(done.mean_occupancy, 3),
                "prefill_chunks": done.prefill_chunks,
                "widest_step": done.widest_step,
                "longest_step_ms": round(done.longest_step_ms, 3),
            },
        )


class Single(_Batching):
    key: ClassVar[str] = "single"
    title: ClassVar[str] = "One by one"
    summary: ClassVar[str] = (
        "Serves one request after the other at full speed, the rest wait. The default, and the reference that "
        "batching is compared with."
    )
    pays: ClassVar[str] = "For one user at a time: every request has the whole machine."
    pays_not: ClassVar[str] = "For several users: the weights are read anew for each of them."
    source: ClassVar[str] = "first come, first served"

    def script(self, out: Script) -> None:
        """Add nothing: generate() does this anyway."""

    def wanted(self) -> str:
        return "one request at a time"

    def is_mine(self, runtime: LoadedModel) -> bool:
        from core.kernels.batching.serving import OneByOne

        return runtime.server is None or isinstance(runtime.server, OneByOne)


class StaticBatching(_Batching):
    key: ClassVar[str] = "static"
    title: ClassVar[str] = "Static batches"
    summary: ClassVar[str] = (
        "Waits until a batch is full and runs it until its longest answer is done. Reads the weights once for all of "
        "them; pays where requests come together and are alike, as in offline jobs."
    )
    pays: ClassVar[str] = "For requests that come together and are alike, as in offline jobs."
    pays_not: ClassVar[str] = (
        "Where requests come and go or differ in length: slots stay empty until the longest is done."
    )
    source: ClassVar[str] = "the usual padded batch of transformers' generate"

    batch_size: int = Field(
        0,
        ge=0,
        le=256,
        title="Batch size",
        description="requests per batch; 0 is as many as the concurrency",
        json_schema_extra={"zero": "as many as at once"},
    )

    def size(self, workload: Workload) -> int:
        return self.batch_size or workload.concurrency

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        rows = self.size(workload)
        return size.model_copy(update={"requests": rows, "prompt_tokens": rows * size.prompt_tokens})

    def script(self, out: Script) -> None:
        out.cannot(self, "this script has one request at a time; give generate() several rows, padded on the left")

    def wanted(self) -> str:
        return f"batches of {self.batch_size or 'all that come at once'}"

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = _needs_the_whole_loop(variant, "a static batch")
        if variant.kv_cache is not None and variant.kv_cache.key not in ("dynamic", "static"):
            kind = variant.kv_cache
            reasons.append(f"{kind.title}: this KV cache has no rows for a batch; use a dynamic or a static one")
        return reasons

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.batching.static_batch import StaticBatch
        from core.kernels.caches import caches
        from core.kernels.decoding.decoders import Plain

        assert isinstance(inner, Plain)
        tokens = runtime.workload.prompt_tokens + runtime.workload.new_tokens
        switch = caches.rotary_switch(runtime.model)
        reason = caches.depends_on_shape(runtime.model, tokens)
        if switch is not None and tokens > switch:
            reason = (
                f"past {switch} tokens its rotary embedding has other factors, and one row would change them for all"
            )
        server = StaticBatch(runtime.model, inner.make_cache, self.size(runtime.workload))
        if reason := reason or server.obstacle():
            raise Unsuitable(f"batching: static batches cannot serve this model: {reason}")
        runtime.server = server
        return inner

    def is_mine(self, runtime: LoadedModel) -> bool:
        from core.kernels.batching.static_batch import StaticBatch

        return isinstance(runtime.server, StaticBatch) and runtime.server.slots == self.size(runtime.workload)


class Continuous(_Batching):
    key: ClassVar[str] = "continuous"
    title: ClassVar[str] = "Continuous batching"
    summary: ClassVar[str] = (
        "Every step serves whoever is there: a free slot is given away at once, and prompts are read in parts beside "
        "the requests that decode. Pays wherever requests come and go; each user is slower than alone."
    )
    pays: ClassVar[str] = (
        "Where requests come and go: 32 at once gave 11.2 times the tokens of one (llama.cpp, issue 3545)."
    )
    pays_not: ClassVar[str] = (
        "For one user; and for the speed of each: it fell from 41.6 to 14.5 tok/s in the same measurement."
    )
    source: ClassVar[str] = "Orca, Yu et al. 2022; chunked prefill as in Sarathi, Agrawal et al. 2023"

    slots: int = Field(
        0,
        ge=0,
        le=256,
        title="Slots",
        description="requests that are served at once; 0 is as many as the concurrency",
        json_schema_extra={"zero": "as many as at once"},
    )
    token_budget: int = Field(
        128,
        ge=2,
        le=65_536,
        title="Token budget",
        description="most tokens of one step: one for each request that decodes, the rest for prompts; more is "
        "sooner to the first token, less is steadier for those who have theirs",
    )

    def size(self, workload: Workload) -> int:
        return self.slots or workload.concurrency

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        # Allocated at once, a row a slot, of every layer: a window is a mask here.
        fed = min(self.token_budget, self.size(workload) * size.prompt_tokens)
        more = {"requests": self.size(workload), "sliding": 0, "bucket": 1, "prompt_tokens": fed}
        return size.model_copy(update=more)

    def script(self, out: Script) -> None:
        out.cannot(self, "it is a server's work: model.generate_batch() of transformers and vLLM have one of their own")

    def wanted(self) -> str:
        return f"{self.slots or 'as many slots as requests at once'}, up to {self.token_budget} tokens a step"

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = _needs_the_whole_loop(variant, "continuous batching")
        if variant.kv_cache is not None:
            reasons.append(
                "continuous batching keeps a static cache of its own, a row a slot: leave the KV cache at its default"
            )
        if variant.attention is not None and variant.attention.key not in ("sdpa", "eager"):
            reasons.append(f"it gives attention a mask of its own, which {variant.attention.title} does not take")
        if getattr(variant.attention, "backend", "auto") in ("flash", "cudnn"):
            reasons.append("that backend of sdpa takes no mask, which tells the requests apart: use auto")
        if variant.parallelism is not None:
            reasons.append("its cache is on one device: leave parallelism out")
        if self.token_budget <= self.size(workload):
            reasons.append(
                f"a token budget of {self.token_budget} leaves no room for prompts beside {self.size(workload)} "
                f"slots: it must be more than {self.size(workload)}"
            )
        return reasons

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.batching.continuous_batching import ContinuousBatchServer, unsuitable

        reason = unsuitable(runtime.model)
        if reason:
            raise Unsuitable(f"batching: continuous cannot serve this model: {reason}")
        runtime.server = ContinuousBatchServer(runtime.model, self.size(runtime.workload), self.token_budget)
        return inner

    def is_mine(self, runtime: LoadedModel) -> bool:
        from core.kernels.batching.continuous_batching import ContinuousBatchServer

        server: Any = runtime.server
        asked = (self.size(runtime.workload), self.token_budget)
        if not isinstance(server, ContinuousBatchServer) or (server.slots, server.token_budget) != asked:
            return False
        trial = runtime.last_trial
        return trial is None or (trial.batching is not None and trial.batching.widest_step <= self.token_budget)


def _needs_the_whole_loop(variant: Variant, what: str) -> list[str]:
    """Return conflicts with strategies that are parts of the single-request decode loop."""
    reasons = []
    if variant.speculation is not None:
        reasons.append(f"{what} yields one token a step for each request, so it cannot speculate: leave it out")
    if variant.prefix_cache is not None:
        reasons.append(f"{what} reads every prompt itself: leave prefix reuse out")
    if variant.compilation is not None:
        reasons.append(f"the compiled step is for one request, {what} has several: leave compilation out")
    return reasons
