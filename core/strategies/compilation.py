"""Compilation of the decode step: requirements and proof. `core.kernels.decoding.compiled` has the step itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model.memory_footprint import Allowance
from core.model.receipt import Receipt
from core.spec.script_builder import Code, call
from core.spec.variant import Strategy

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import Decoder, LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class _Compilation(Strategy):
    slot: ClassVar[str] = "compilation"

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = []
        if variant.kv_cache is None or variant.kv_cache.key != "static":
            reasons.append("the compiled step needs fixed shapes: use a static KV cache")
        if variant.attention is not None and variant.attention.key == "flex_attention":
            reasons.append("FlexAttention brings a compiled kernel of its own: use SDPA or eager")
        if facts and facts.quantized == "bitsandbytes":
            reasons.append("bitsandbytes layers cannot be compiled")
        return reasons

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        """Return the sizes with all positions in every layer's cache: a fixed step has no sliding layers
        (`core.kernels.caches.rollback.keep_whole`)."""
        return size.model_copy(update={"sliding": 0})


class TorchCompile(_Compilation):
    key: ClassVar[str] = "torch_compile"
    title: ClassVar[str] = "torch.compile"
    summary: ClassVar[str] = (
        "Compiles the step of one token into fused kernels. Pays where many small operations cost more than the "
        "weights; the first compilation takes a minute or more, later ones come from a cache."
    )
    pays: ClassVar[str] = (
        "Where many small operations cost more than the weights: small models at batch 1 on a static cache, and "
        "formats whose kernels are fast only when compiled."
    )
    pays_not: ClassVar[str] = (
        "In short experiments, since the first compilation takes a minute or more; where lengths or batches "
        "change, which compiles again; with bitsandbytes, whose layers cannot be compiled."
    )
    source: ClassVar[str] = "torch.compile, Ansel et al. 2024"
    exact: ClassVar[bool] = True

    mode: Literal["default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"] = Field(
        "default",
        title="Mode",
        description=(
            "reduce-overhead and max-autotune add CUDA graphs; max-autotune tries more kernels and compiles longer"
        ),
    )
    dynamic: bool = Field(
        False, title="Dynamic shapes", description="compile once for cache lengths of any size, at some loss of speed"
    )

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        if environment.devices:
            return "" if "triton" in environment.versions else "needs the package triton in the engine's Python"
        return "" if environment.compiler else "needs a C++ compiler: install g++ or clang"

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        """Return the sizes with the compiler's own code and the traced graph of each layer. Measured on a CPU with
        models of 4, 8 and 30 layers, MiB: 87, 87, 133 to 153 with the graph from the cache; 114, 124, 227 to 254 if it
        was compiled, which cannot be known beforehand."""
        cached, compiled = 80 + 2.0 * size.layers, 96 + 4.8 * size.layers
        own = Allowance.mib(cached, (cached + compiled) / 2, compiled)
        return super().footprint(size, workload).allowing("torch.compile", own)

    def script(self, out: Script) -> None:
        options = {"mode": self.mode, "dynamic": self.dynamic}
        out.after.append(f"{out.model}.forward = {call('torch.compile', Code(f'{out.model}.forward'), **options)}")
        out.note("Dyno compiles the step of one token only; here the prefill is compiled too, once for each length")

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.decoding.compiled import CompiledStep
        from core.kernels.decoding.decoders import Plain

        assert isinstance(inner, Plain)
        inner.forward_one = CompiledStep(runtime.model, self.mode, self.dynamic)
        return inner

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with dynamo's own counts. A graph break is a mismatch: part of the step then runs
        uncompiled."""
        from core.kernels.decoding.compiled import CompiledStep

        step = runtime.plain.forward_one if runtime.plain is not None else None
        requested = f"decode step compiled, mode {self.mode}{', dynamic' if self.dynamic else ''}"
        if not isinstance(step, CompiledStep):
            return Receipt(slot=self.slot, requested=requested, effective="not in the decode loop", matches=False)
        if runtime.last_trial is None and not step.calls:
            return Receipt(
                slot=self.slot, requested=requested, effective="compiles at the first step of the warm-up", matches=True
            )
        breaks = f"{step.breaks} graph breaks" if step.breaks else "no graph break"
        again = max(0, step.compiling_calls - 1)
        return Receipt(
            slot=self.slot,
            requested=requested,
            effective=f"{step.graphs} graphs, {breaks}, {again} recompilations, {step.compile_s:.1f} s compiling; "
            f"{step.calls} steps ran through it",
            matches=step.graphs > 0 and not step.breaks and step.calls > 0,
            detail={
                "graphs": step.graphs,
                "graph_breaks": step.breaks,
                "recompilations": again,
                "compile_s": round(step.compile_s, 3),
                "steps": step.calls,
            },
        )


class CudaGraphs(_Compilation):
    key: ClassVar[str] = "cuda_graphs"
    title: ClassVar[str] = "CUDA graphs"
    summary: ClassVar[str] = (
        "Captures the step of one token once and replays it with a single launch. Pays where launching hundreds of "
        "small kernels is the limit: small models at batch 1."
    )
    pays: ClassVar[str] = (
        "For small models at batch 1 on NVIDIA GPUs, where launching hundreds of kernels is the limit."
    )
    pays_not: ClassVar[str] = "Where steps are long and hide the launches, or shapes change."
    source: ClassVar[str] = "torch.cuda.CUDAGraph"
    exact: ClassVar[bool] = True

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        return "" if environment.devices else "needs a CUDA GPU"

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = super().conflicts(variant, facts, workload)
        if variant.quantization is not None and variant.quantization.key == "llm_int8":
            reasons.append("LLM.int8() looks for outliers on the host at every step, which a graph cannot hold")
        elif variant.quantization is not None and facts is not None and facts.expert_parameters:
            reasons.append(
                "which quantized experts a token meets is looked up on the host at every step, which a graph cannot "
                "hold: use torch.compile, or leave the quantization out"
            )
        return reasons

    def misfits(self, outline: Any) -> list[str]:
        from core.kernels.caches import caches

        if "dynamic" in caches.rope_types(outline):
            return ["its rotary embedding looks at the length on the host at every step, which a graph cannot hold"]
        return []

    def script(self, out: Script) -> None:
        out.cannot(self, 'generate() replays no graph of its own; torch.compile(mode="reduce-overhead") comes closest')

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.decoding.compiled import GraphedStep
        from core.kernels.decoding.decoders import Plain

        assert isinstance(inner, Plain)
        inner.forward_one = GraphedStep(runtime.model)
        return inner

    def receipt(self, runtime: LoadedModel) -> Receipt:
        from core.kernels.decoding.compiled import GraphedStep

        step = runtime.plain.forward_one if runtime.plain is not None else None
        requested = "decode step as a CUDA graph"
        if not isinstance(step, GraphedStep):
            return Receipt(slot=self.slot, requested=requested, effective="not in the decode loop", matches=False)
        used = runtime.last_trial is None or step.replays > 0
        return Receipt(
            slot=self.slot,
            requested=requested,
            effective=f"{step.captures} captures in {step.capture_s:.2f} s, {step.replays} replays",
            matches=used,
            detail={"captures": step.captures, "replays": step.replays, "capture_s": round(step.capture_s, 3)},
        )
