"""Prefix cache: reuse of keys, values and states of a shared prefix."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from core.model.receipt import Receipt
from core.spec.variant import Strategy, Unsuitable

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.spec.loaded_model import Decoder, LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class PrefixReuse(Strategy):
    slot: ClassVar[str] = "prefix_cache"
    key: ClassVar[str] = "prefix_reuse"
    title: ClassVar[str] = "Prefix reuse"
    summary: ClassVar[str] = (
        "Keeps the keys and values of earlier prompts and computes only what is new in the next one. Cuts the time "
        "to the first token where prompts share a long beginning (system prompts, documents); decoding is not touched."
    )
    pays: ClassVar[str] = (
        "For prompts that share a long beginning (system prompts, documents, examples): the time to the first "
        "token falls with the share."
    )
    pays_not: ClassVar[str] = (
        "For prompts that share nothing, and for decoding, which is not touched. What is kept takes memory: "
        "23,040 bytes a token for the demo model."
    )
    source: ClassVar[str] = "Prompt Cache, Gim et al. 2023; automatic prefix caching of vLLM"
    exact: ClassVar[bool] = True

    capacity: int = Field(
        16384, ge=1, le=10_000_000, title="Capacity", description="prompt tokens that are kept, at most"
    )
    least: int = Field(
        16, ge=1, le=100_000, title="Shortest prefix", description="a shorter common beginning is computed again"
    )

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        cache = variant.kv_cache.key if variant.kv_cache is not None else "dynamic"
        if cache not in ("dynamic", "static"):
            return [f'a cache of kind "{cache}" does not keep a prompt as it was computed: use dynamic or static']
        return []

    def script(self, out: Script) -> None:
        out.cannot(self, "generate() keeps nothing from one call to the next; a server such as vLLM does")

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.caches import caches
        from core.kernels.caches.prefix_store import PrefixStore
        from core.kernels.decoding.decoders import Plain

        assert isinstance(inner, Plain)
        tokens = runtime.workload.prompt_tokens + runtime.workload.new_tokens
        if reason := caches.more_than_rows(runtime.model) or caches.depends_on_shape(runtime.model, tokens):
            raise Unsuitable(f"prefix reuse: {reason}")
        if caches.slides(runtime.model):
            raise Unsuitable(
                "prefix reuse: this model has layers with a sliding window, which do not keep the beginning of a prompt"
            )
        if reason := inner.cannot_go_on():
            raise Unsuitable(f"prefix reuse: a prompt cannot go on from the state of an earlier one: {reason}")
        inner.prefixes = PrefixStore(self.capacity, self.least, caches.rotary_switch(runtime.model))
        return inner

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt: whether the decode loop asks the store, and its hit rate. Prompts without a shared prefix
        are no mismatch: the hit rate is 0."""
        from core.kernels.caches.prefix_store import PrefixStore

        store = runtime.plain.prefixes if runtime.plain is not None else None
        requested = f"prefixes of {self.least} tokens or more, up to {self.capacity} tokens kept"
        if not isinstance(store, PrefixStore):
            return Receipt(slot=self.slot, requested=requested, effective="not in the decode loop", matches=False)
        asked = store.requests > 0 or runtime.last_trial is None
        rate = f"{store.hit_rate:.0%} of prompt tokens reused" if store.hit_rate is not None else "not used yet"
        return Receipt(
            slot=self.slot,
            requested=requested,
            effective=f"{rate}; {store.hits} of {store.requests} prompts; {store.bytes() / 1e6:.1f} MB kept",
            matches=asked and (store.capacity, store.least) == (self.capacity, self.least),
            detail={
                "hit_rate": store.hit_rate,
                "hits": store.hits,
                "requests": store.requests,
                "reused_tokens": store.reused_tokens,
                "prompt_tokens": store.prompt_tokens,
                "kept_bytes": store.bytes(),
            },
        )
