"""KV cache: how keys and values of past tokens are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model.receipt import Receipt
from core.spec.variant import Strategy, Unsuitable

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import Decoder, LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class _KvCache(Strategy):
    slot: ClassVar[str] = "kv_cache"
    cache_class: ClassVar[str] = ""  # the class that the decoder must report
    layer_class: ClassVar[str] = ""  # the same of the cache's layers, where it matters
    implementation: ClassVar[str] = ""  # generate()'s name for it

    def make_cache(self, model: Any) -> Any:
        """Return the function that makes the cache."""
        raise NotImplementedError

    def script(self, out: Script) -> None:
        if not self.implementation:
            out.cannot(self, "its layers are Dyno's own: generate() has no cache that stores or forgets the same way")
            return
        out.generate["cache_implementation"] = self.implementation

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.decoding.decoders import Plain

        assert isinstance(inner, Plain)
        inner.make_cache = self.make_cache(inner.model)
        return inner

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt: the class of the decoder's cache and, after a trial, its observed bytes."""
        source = runtime.server or runtime.decoder
        found = source.cache_class() if source else "no decoder"
        trial = runtime.last_trial
        matches = found.split(":")[0] == self.cache_class and self.layer_class in found
        seen = "not used yet"
        if trial is not None:
            seen = f"{(trial.kv_bytes or 0) / 1e6:.2f} MB at the end of the trial"
            if self.cache_class != "none":  # without a cache, bytes can only be a draft's
                matches = matches and bool(trial.kv_bytes)
        return Receipt(
            slot=self.slot,
            requested=self.label(),
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
    pays: ClassVar[str] = "As the lower bound that shows what a cache is worth."
    pays_not: ClassVar[str] = "For anything else: every token costs the whole context again."
    source: ClassVar[str] = "decoding as defined by Vaswani et al. 2017, nothing kept"
    exact: ClassVar[bool] = True
    cache_class: ClassVar[str] = "none"

    def script(self, out: Script) -> None:
        out.generate["use_cache"] = False

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        every_length = size.linears * size.new_tokens  # each pass feeds one token more than the one before
        return size.with_kernels(every_length).model_copy(update={"tokens": 0})

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.caches import caches
        from core.kernels.checks import agreement
        from core.kernels.decoding.decoders import Plain, Recompute

        assert isinstance(inner, Plain)
        if reason := caches.depends_on_shape(runtime.model, _tokens(runtime)):
            raise Unsuitable(f"KV cache: computing all of a context again would not give the same: {reason}")
        if not agreement.computes_alike(inner.model):
            raise Unsuitable(
                "KV cache: computing all of a context again would not give the same: the kernels of this model for "
                "several tokens compute otherwise than those for one"
            )
        return Recompute(inner.model, inner.make_cache)


class Dynamic(_KvCache):
    key: ClassVar[str] = "dynamic"
    title: ClassVar[str] = "Dynamic"
    summary: ClassVar[str] = (
        "Grows with the context, copying itself at every token: no memory ahead of need. The default, and hard to "
        "beat for short contexts."
    )
    pays: ClassVar[str] = (
        "For short contexts and lengths that nobody knows beforehand: no memory is taken ahead of need."
    )
    pays_not: ClassVar[str] = "For long contexts: growing copies the cache of every layer at every token."
    source: ClassVar[str] = "transformers.DynamicCache"
    exact: ClassVar[bool] = True
    cache_class: ClassVar[str] = "DynamicCache"
    implementation: ClassVar[str] = "dynamic"

    def make_cache(self, model: Any) -> Any:
        from core.kernels.caches import caches

        return caches.dynamic(model)


class StaticKvCache(_KvCache):
    key: ClassVar[str] = "static"
    title: ClassVar[str] = "Static"
    summary: ClassVar[str] = (
        "Allocated once for prompt and output: no copies, fixed shapes for a compiler. Attention reads all of it "
        "from the first token on, so it pays with compilation and long outputs, seldom alone."
    )
    pays: ClassVar[str] = "With compilation, which needs fixed shapes, and for long outputs."
    pays_not: ClassVar[str] = (
        "Alone: attention reads its whole length from the first token on, so a cache that is much too long is slow."
    )
    source: ClassVar[str] = "transformers.StaticCache"
    exact: ClassVar[bool] = True
    cache_class: ClassVar[str] = "StaticCache"
    implementation: ClassVar[str] = "static"

    bucket: int = Field(
        1,
        ge=1,
        le=4096,
        title="Bucket",
        description="positions are rounded up to a multiple of this, so that requests of similar length share a shape",
    )

    def script(self, out: Script) -> None:
        super().script(out)
        out.generate["disable_compile"] = True  # else generate() compiles by itself as soon as a cache is static
        if self.bucket > 1:
            out.note(
                f"Dyno rounds the cache up to a multiple of {self.bucket} positions; generate() takes what it needs"
            )

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        return size.model_copy(update={"bucket": self.bucket})

    def make_cache(self, model: Any) -> Any:
        from core.kernels.caches import caches

        return caches.static(model, self.bucket)

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        """Return the decoder with static caches; a short comparison finds models that make masks of their own from the
        cache's length."""
        from core.kernels.caches import caches
        from core.kernels.checks.exactness import cache_fault

        if runtime.device.type == "cuda" and _flash_alone():
            raise Unsuitable(
                "KV cache: a static cache needs a mask, which the flash backend of sdpa does not take on CUDA: choose "
                "the backend auto, or a dynamic cache"
            )
        length = _tokens(runtime)
        if reason := caches.equal_scores(runtime.model, length):
            raise Unsuitable(f"KV cache: a cache of another size would not give the same: {reason}")
        if fault := cache_fault(runtime.model, self.make_cache(runtime.model), runtime.rounding, length):
            raise Unsuitable(f"KV cache: {type(runtime.model).__name__} cannot use a static cache: {fault}")
        return super().decoder(inner, runtime)


class Quantized(_KvCache):
    key: ClassVar[str] = "quantized"
    title: ClassVar[str] = "Quantized"
    summary: ClassVar[str] = (
        "Past keys and values in 8 or 4 bits, the newest in full. Saves memory with long contexts; every step "
        "dequantizes all of it, so it never saves time here."
    )
    pays: ClassVar[str] = "For long contexts or many users that would not fit otherwise."
    pays_not: ClassVar[str] = (
        "For time: every step dequantizes the whole cache. With speculation, since it cannot be cropped."
    )
    source: ClassVar[str] = "KIVI, Liu et al. 2024"
    cache_class: ClassVar[str] = "DynamicCache"
    layer_class: ClassVar[str] = "QuantizedKvLayer"

    format: Literal["fp8", "int8", "int4"] = Field(
        "int8",
        title="Format",
        description="fp8 e4m3 with a scale per token, or affine integers: keys per channel, values per token",
    )
    window: int = Field(
        32, ge=0, le=4096, title="Full-precision window", description="newest positions that stay in full precision"
    )
    block: int = Field(
        32, ge=1, le=512, title="Block", description="positions that leave the window together and share key scales"
    )

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        if not size.grown:
            return size
        stored = max(0, size.grown - self.window) // self.block * self.block / size.grown
        full = 8 * size.element
        per_head = full / size.head_dim if size.head_dim else 0.0  # a scale for each token and head
        if self.format == "fp8":
            bits = 8 + per_head
        else:  # keys have a scale and a zero per channel and block, values per token and head
            bits = (4 if self.format == "int4" else 8) + full / self.block + per_head
        return size.model_copy(update={"kv_bits": stored * bits + (1 - stored) * full})

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        return _cannot_roll_back(variant, "a quantized cache")

    def misfits(self, outline: Any) -> list[str]:
        return _keeps_no_past(outline)

    def make_cache(self, model: Any) -> Any:
        from core.kernels.caches import caches
        from core.kernels.caches.cache_layers import QuantizedKvLayer

        return caches.with_layers(model, lambda: QuantizedKvLayer(self.format, self.window, self.block))


class SlidingWindow(_KvCache):
    key: ClassVar[str] = "sliding_window"
    title: ClassVar[str] = "Sliding window"
    summary: ClassVar[str] = (
        "Keeps the first few and the newest positions and forgets the rest: bounded memory and step time for any "
        "length. What was forgotten cannot be quoted, so long documents suffer."
    )
    pays: ClassVar[str] = "For conversations without end: memory and step time stay bounded."
    pays_not: ClassVar[str] = "Where what was forgotten is asked for: long documents, summaries, looking things up."
    source: ClassVar[str] = "StreamingLLM, Xiao et al. 2023"
    cache_class: ClassVar[str] = "DynamicCache"
    layer_class: ClassVar[str] = "SinkWindowLayer"

    window: int = Field(256, ge=1, le=1_000_000, title="Window", description="newest positions that are kept")
    sinks: int = Field(
        4, ge=0, le=1024, title="Sinks", description="first positions that are kept: attention leans on them"
    )

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        return size.model_copy(update={"tokens": min(size.tokens, self.window + self.sinks + 1)})

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        return _cannot_roll_back(variant, "a window")

    def misfits(self, outline: Any) -> list[str]:
        return _keeps_no_past(outline)

    def make_cache(self, model: Any) -> Any:
        return self._cache(model, self.window, self.sinks)

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        """Return the decoder with window caches; a few tokens in a window of two show whether a model needs every
        position."""
        from core.kernels.checks.exactness import runs_on

        if not runs_on(runtime.model, self._cache(runtime.model, 2, 1)):
            raise Unsuitable(
                f"KV cache: {type(runtime.model).__name__} cannot use a window: its forward pass fails where positions "
                "were forgotten"
            )
        return super().decoder(inner, runtime)

    @staticmethod
    def _cache(model: Any, window: int, sinks: int) -> Any:
        from core.kernels.caches import caches
        from core.kernels.caches.cache_layers import SinkWindowLayer

        return caches.with_layers(model, lambda: SinkWindowLayer(window, sinks))


class Offloaded(_KvCache):
    key: ClassVar[str] = "offloaded"
    title: ClassVar[str] = "Offloaded"
    summary: ClassVar[str] = (
        "Keeps the cache in the host's memory and brings each layer to the GPU in time. For contexts that do not "
        "fit otherwise; slower by what the bus costs."
    )
    pays: ClassVar[str] = "For contexts that do not fit into the GPU's memory otherwise."
    pays_not: ClassVar[str] = (
        "Where they fit, since every step waits for the bus; on CPUs, which have nowhere to put it."
    )
    source: ClassVar[str] = "transformers.DynamicCache(offloading=True)"
    exact: ClassVar[bool] = True
    cache_class: ClassVar[str] = "DynamicCache"
    implementation: ClassVar[str] = "offloaded"

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        return "" if environment.devices else "needs a GPU: on a CPU the cache is in the host's memory already"

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        return _cannot_roll_back(variant, "an offloaded cache")

    def make_cache(self, model: Any) -> Any:
        from core.kernels.caches import caches

        return caches.offloaded(model)

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt, with whether the cache in use says that it is offloaded."""
        proof = super().receipt(runtime)
        cache = getattr(runtime.decoder, "cache", None)
        if runtime.last_trial is None or cache is None:
            return proof
        on = bool(getattr(cache, "offloading", False))
        words = "layers rest in host memory" if on else "not offloaded"
        return proof.model_copy(update={"effective": f"{proof.effective}; {words}", "matches": proof.matches and on})


def _flash_alone() -> bool:
    """Return whether sdpa may use its flash kernel only."""
    from torch.backends import cuda

    others = cuda.math_sdp_enabled() or cuda.mem_efficient_sdp_enabled() or cuda.cudnn_sdp_enabled()
    return cuda.flash_sdp_enabled() and not others


def _tokens(runtime: LoadedModel) -> int:
    """Return the tokens of a request, answer included."""
    return runtime.workload.prompt_tokens + runtime.workload.new_tokens


def _cannot_roll_back(variant: Variant, what: str) -> list[str]:
    if variant.speculation is None:
        return []
    return [f"{what} cannot drop positions again, which speculation needs: use a dynamic or static cache"]


def _keeps_no_past(outline: Any) -> list[str]:
    """Return why a model's cache has nothing to quantize or to drop; empty if a layer keeps every position."""
    from core.kernels.caches import caches

    layers = caches.dynamic(outline)(1).layers
    if any(caches.keeps_all(layer) for layer in layers):
        return []
    if all(getattr(layer, "is_sliding", False) for layer in layers):
        return ["every layer keeps a window of its own already, so there is nothing to gain"]
    return [f"no layer keeps the keys and values of all positions and nothing else ({caches.layer_counts(layers)})"]
