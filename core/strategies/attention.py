"""Attention: which kernel computes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model.memory_footprint import Allowance
from core.model.receipt import Receipt
from core.spec.script_builder import call
from core.spec.variant import Need, Strategy, Unsuitable

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import Decoder, LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class _Attention(Strategy):
    slot: ClassVar[str] = "attention"
    implementation: ClassVar[str] = ""  # transformers' name
    support: ClassVar[str] = ""  # transformers' flag of a model class that has it; all have eager attention

    def misfits(self, outline: Any) -> list[str]:
        if not self.support or getattr(outline, self.support, False):
            return []
        kinds = {kind.support: kind.implementation for kind in (Sdpa, FlexAttention, FlashAttention2)}
        has = ["eager", *(name for flag, name in kinds.items() if getattr(outline, flag, False))]
        return [
            f"it has no {self.implementation} attention (it has {', '.join(has)}): the model is fine, the choice is not"
        ]

    def load(self, options: dict[str, Any]) -> None:
        options["attn_implementation"] = self.implementation

    def script(self, out: Script) -> None:
        out.load["attn_implementation"] = self.implementation

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt: the config's setting, and the attention operators that a prefill and a step
        really call."""
        from core.kernels.checks import operator_trace

        config = runtime.model.config.get_text_config(decoder=True)
        found = str(getattr(config, "_attn_implementation", "unknown"))
        kernels = operator_trace.attention_kernels(operator_trace.operators(runtime.model))
        return Receipt(
            slot=self.slot,
            requested=self.label(),
            effective=f"{found}: {', '.join(kernels) or 'matrix products and softmax'}",
            matches=found == self.implementation and self.ran(kernels),
            detail={"implementation": found, "operators": kernels},
        )

    def ran(self, kernels: list[str]) -> bool:
        """Return whether these fused operators are the requested ones."""
        raise NotImplementedError


class Eager(_Attention):
    key: ClassVar[str] = "eager"
    title: ClassVar[str] = "Eager"
    summary: ClassVar[str] = (
        "Matrix products and a softmax, one after the other: the reference. It writes the whole score matrix, so "
        "long prompts cost memory and time; a single decode step hardly notices."
    )
    pays: ClassVar[str] = "As the reference, and where the attention weights themselves are wanted."
    pays_not: ClassVar[str] = (
        "For long prompts: the score matrix grows with the square of their length, in memory and in time."
    )
    source: ClassVar[str] = "transformers attn_implementation"
    exact: ClassVar[bool] = True
    implementation: ClassVar[str] = "eager"

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        """Return the sizes with scores and masked scores in the model's type, the softmax in fp32 and back; each step
        has two products of the cache's present length."""
        scores = round(size.heads * size.prompt_tokens**2 * (4 + 3 * size.element))
        return size.model_copy(update={"scratch": size.scratch + scores, "growing": size.growing + 2})

    def ran(self, kernels: list[str]) -> bool:
        return not kernels

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.checks import agreement

        if not agreement.eager_is_sdpa(runtime.model):
            name = type(runtime.model).__name__
            raise Unsuitable(
                f"attention: {name} computes other logits with eager attention than with sdpa, its default"
            )
        return inner


class Sdpa(_Attention):
    key: ClassVar[str] = "sdpa"
    title: ClassVar[str] = "SDPA"
    summary: ClassVar[str] = (
        "torch's scaled_dot_product_attention, which picks a fused kernel: the default of transformers. Pays on "
        "long prompts; the backend can be forced to see what it is worth."
    )
    pays: ClassVar[str] = "For long prompts, on every device; it is the default."
    pays_not: ClassVar[str] = "In a single decode step over a short context, which is bound by the weights."
    source: ClassVar[str] = "torch.nn.functional.scaled_dot_product_attention"
    exact: ClassVar[bool] = True
    implementation: ClassVar[str] = "sdpa"
    support: ClassVar[str] = "_supports_sdpa"

    backend: Literal["auto", "math", "flash", "efficient", "cudnn"] = Field(
        "auto", title="Backend", description="auto lets torch choose; efficient and cudnn need CUDA"
    )

    def load(self, options: dict[str, Any]) -> None:
        import torch

        super().load(options)
        if self.backend in ("efficient", "cudnn") and not torch.cuda.is_available():
            raise Unsuitable(f"attention: the {self.backend} backend of sdpa needs CUDA; a CPU has flash and math")
        # An engine serves one variant, so the process-wide switches are this variant's own. The names say cuda;
        # the CPU's choice of kernel obeys them too.
        for name in ("flash", "math", "mem_efficient", "cudnn"):
            asked = {"efficient": "mem_efficient"}.get(self.backend, self.backend)
            getattr(torch.backends.cuda, f"enable_{name}_sdp")(asked in ("auto", name))

    def script(self, out: Script) -> None:
        super().script(out)
        if self.backend != "auto":
            asked = {"efficient": "mem_efficient"}.get(self.backend, self.backend)
            for name in ("flash", "math", "mem_efficient", "cudnn"):  # a CPU obeys these switches too
                out.before.append(call(f"torch.backends.cuda.enable_{name}_sdp", name == asked))

    def runs_on_host(self) -> bool:
        return self.backend not in ("efficient", "cudnn")

    def ran(self, kernels: list[str]) -> bool:
        if self.backend == "auto":
            return True
        if self.backend == "math":
            return not kernels
        return any(self.backend in k for k in kernels)


class FlexAttention(_Attention):
    key: ClassVar[str] = "flex_attention"
    title: ClassVar[str] = "FlexAttention"
    summary: ClassVar[str] = (
        "A compiled kernel from torch that follows any mask. Made for unusual masks on GPUs; on a CPU compiling "
        "takes about a minute and seldom pays."
    )
    pays: ClassVar[str] = "For unusual masks over long contexts on GPUs."
    pays_not: ClassVar[str] = (
        "On CPUs, where compiling takes about a minute and seldom pays; for masks that a ready kernel covers."
    )
    source: ClassVar[str] = "torch.nn.attention.flex_attention"
    implementation: ClassVar[str] = "flex_attention"
    support: ClassVar[str] = "_supports_flex_attn"
    #: Of the compiler; measured on a CPU with models of 4 and 30 layers, in fp32 and bf16.
    allowance: ClassVar[Allowance] = Allowance.mib(79, 83, 87)

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        return size.allowing("torch.compile", self.allowance)

    def runs_on_host(self) -> bool:
        return False  # there, compiling its kernel takes a minute

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        if environment.devices or environment.compiler:
            return ""
        return "needs a C++ compiler on a CPU: install g++ or clang"

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt from the config alone: the kernel is compiled, so the dispatcher does not see it."""
        config = runtime.model.config.get_text_config(decoder=True)
        found = str(getattr(config, "_attn_implementation", "unknown"))
        return Receipt(
            slot=self.slot,
            requested=self.label(),
            effective=f"{found}; the kernel itself is compiled and cannot be observed",
            matches=found == self.implementation,
            detail={"implementation": found},
        )


class _FlashAttention(_Attention):
    package: ClassVar[str] = ""
    support: ClassVar[str] = "_supports_flash_attn"
    capability: ClassVar[float] = 8.0

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        device = environment.devices[0] if environment.devices else None
        if device is None:
            return "needs a CUDA GPU"
        if float(device.capability or 0) < cls.capability:
            return (
                f"needs compute capability {cls.capability}; {device.name} has {device.capability or 'an unknown one'}"
            )
        if cls.package not in environment.versions:
            return f"the package {cls.package} is not installed in the engine's Python"
        return ""

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = []
        if variant.precision is not None and variant.precision.key in ("fp32", "tf32"):
            reasons.append("flash attention computes in bf16 or fp16 only: choose one of them as the precision")
        if variant.kv_cache is not None and variant.kv_cache.key == "static":
            reasons.append(
                "without a mask it attends to all of a static KV cache, also to what was never written: use a dynamic "
                "one"
            )
        return reasons

    def runs_on_host(self) -> bool:
        return False

    def ran(self, kernels: list[str]) -> bool:
        return any("flash" in k for k in kernels)


class FlashAttention2(_FlashAttention):
    key: ClassVar[str] = "flash_attention_2"
    title: ClassVar[str] = "FlashAttention-2"
    summary: ClassVar[str] = (
        "Tiled exact attention that never writes the score matrix. Pays on long contexts and batches on GPUs; a "
        "short decode step is bound by the weights, not by attention."
    )
    pays: ClassVar[str] = "For long contexts and batches on NVIDIA GPUs since Ampere."
    pays_not: ClassVar[str] = (
        "In short decode steps, which are bound by the weights; on CPUs, which have no such kernel."
    )
    source: ClassVar[str] = "Dao 2023; package flash-attn"
    implementation: ClassVar[str] = "flash_attention_2"
    package: ClassVar[str] = "flash-attn"
    needs: ClassVar[tuple[Need, ...]] = (
        Need(package="flash-attn", least="2.3.3", source="transformers 5.24, is_flash_attn_2_available"),
    )


class FlashAttention3(_FlashAttention):
    key: ClassVar[str] = "flash_attention_3"
    title: ClassVar[str] = "FlashAttention-3"
    summary: ClassVar[str] = (
        "FlashAttention for Hopper GPUs, overlapping loads with tensor cores. Pays on long contexts on H100 and H200."
    )
    pays: ClassVar[str] = "For long contexts on Hopper GPUs (H100, H200)."
    pays_not: ClassVar[str] = "On any other GPU; in short decode steps."
    source: ClassVar[str] = "Shah et al. 2024; package flash-attn-3"
    implementation: ClassVar[str] = "flash_attention_3"
    package: ClassVar[str] = "flash-attn-3"
    needs: ClassVar[tuple[Need, ...]] = (
        Need(package="flash-attn-3", least="", source="transformers 5.24, is_flash_attn_3_available"),
    )
    capability: ClassVar[float] = 9.0
