"""How keys and values of past tokens are kept. Knows which decoder to make; the caches are transformers'."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from core.events import Receipt
from core.strategies.base import Strategy

if TYPE_CHECKING:
    from core.engine.runtime import Runtime
    from core.kernels.decoders import Decoder


class _KvCache(Strategy):
    slot: ClassVar[str] = "kv_cache"
    exact: ClassVar[bool] = True
    cache_class: ClassVar[str] = ""  # what the decoder must report

    def receipt(self, runtime: Runtime) -> Receipt:
        """The class that the decoder really holds and, after a trial, the bytes that were seen in it."""
        found = runtime.decoder.cache_class() if runtime.decoder else "no decoder"
        trial = runtime.last_trial
        matches = found.split(":")[0] == self.cache_class
        seen = "not used yet"
        if trial is not None:
            seen = f"{(trial.kv_bytes or 0) / 1e6:.2f} MB at the end of the trial"
            matches = matches and bool(trial.kv_bytes) == (self.cache_class != "none")
        return Receipt(
            slot=self.slot,
            requested=self.key,
            effective=f"{found}; {seen}",
            matches=matches,
            detail={"cache": found, "kv_bytes": trial.kv_bytes if trial else None},
        )


class NoCache(_KvCache):
    key: ClassVar[str] = "none"
    title: ClassVar[str] = "None (recompute)"
    summary: ClassVar[str] = (
        "Computes the whole context again for every token: the lower bound that shows what a cache is worth."
    )
    cache_class: ClassVar[str] = "none"

    def decoder(self, inner: Decoder) -> Decoder:
        from core.kernels.decoders import Plain, Recompute

        assert isinstance(inner, Plain)
        return Recompute(inner.model, inner.make_cache)


class Dynamic(_KvCache):
    key: ClassVar[str] = "dynamic"
    title: ClassVar[str] = "Dynamic"
    summary: ClassVar[str] = (
        "Grows with the context, copying itself at every token: no memory ahead of need. The default, and hard to "
        "beat for short contexts."
    )
    source: ClassVar[str] = "transformers.DynamicCache"
    cache_class: ClassVar[str] = "DynamicCache"

    def decoder(self, inner: Decoder) -> Decoder:
        from core.kernels.decoders import Plain, base_decoder

        assert isinstance(inner, Plain)
        return base_decoder(inner.model)


class Static(_KvCache):
    key: ClassVar[str] = "static"
    title: ClassVar[str] = "Static"
    summary: ClassVar[str] = (
        "Allocated once for prompt and output: no copies, fixed shapes for a compiler. Attention reads all of it "
        "from the first token on, so it pays with compilation and long outputs, seldom alone."
    )
    source: ClassVar[str] = "transformers.StaticCache"
    cache_class: ClassVar[str] = "StaticCache"

    def decoder(self, inner: Decoder) -> Decoder:
        from core.kernels.caches import static
        from core.kernels.decoders import Plain

        assert isinstance(inner, Plain)
        return Plain(inner.model, static(inner.model))
