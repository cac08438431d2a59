"""The formats of bitsandbytes."""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model.memory_footprint import KERNEL_BYTES, Allowance
from core.spec.script_builder import Code, call
from core.spec.variant import Need
from core.strategies.quantization.base import Head, Quantization, head_field

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class _BitsAndBytes(Quantization):
    needs: ClassVar[tuple[Need, ...]] = (
        Need(
            package="bitsandbytes",
            least="0.50",
            source="pyproject.toml: its CPU kernels are tested from here on; transformers 5.24 itself asks for 0.46.1",
        ),
    )
    loaded_with: ClassVar[str] = "bitsandbytes"
    head: Head = head_field("keep")

    #: Of importing it: 40 MiB were measured by itself, 39 to 46 in engines with models of 4, 8 and 30 layers.
    allowance: ClassVar[Allowance] = Allowance.mib(39, 42, 46)

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        return super().footprint(size, workload).allowing("bitsandbytes", self.allowance)

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        if "bitsandbytes" not in environment.versions:
            return "bitsandbytes is not installed in the engine's Python: pip install bitsandbytes"
        return ""

    def settings(self, out: Script) -> dict[str, Any]:
        """Return the arguments of BitsAndBytesConfig."""
        raise NotImplementedError

    def script(self, out: Script) -> None:
        out.use("from transformers import BitsAndBytesConfig")
        alone = [fnmatch.translate(pattern) for pattern in self.patterns(out)]
        settings = self.settings(out) | ({"llm_int8_skip_modules": ["lm_head", *alone]} if alone else {})
        out.load["quantization_config"] = call("BitsAndBytesConfig", **settings)
        self.script_head(out, [])
        if self.head == "same":
            out.cannot(self, "transformers leaves the output head as it is; the rest is quantized")

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = super().conflicts(variant, facts, workload)
        if variant.compilation is not None:
            reasons.append("bitsandbytes layers cannot be compiled")
        return reasons


class _FourBit(_BitsAndBytes):
    becomes: ClassVar[str] = "Linear4bit"
    source: ClassVar[str] = "QLoRA, Dettmers et al. 2023; bitsandbytes"
    kind: ClassVar[Literal["nf4", "fp4"]]

    double_quant: bool = Field(
        True, title="Double quantization", description="quantize the scales too: 0.4 bits per weight less"
    )

    @classmethod
    def caveat(cls, environment: Environment) -> str:
        if environment.devices or "avx512_bf16" in environment.cpu_features:
            return ""
        return "no AVX-512-BF16 on this CPU: every pass unpacks the weights, so it saves memory and seldom time"

    def quantize(self, runtime: LoadedModel, linear: Any) -> Any:
        from core.kernels.weights.bits_and_bytes import four_bit

        return four_bit(linear, self.kind, runtime.dtype, self.double_quant)

    def settings(self, out: Script) -> dict[str, Any]:
        return {
            "load_in_4bit": True,
            "bnb_4bit_quant_type": self.kind,
            "bnb_4bit_use_double_quant": self.double_quant,
            "bnb_4bit_compute_dtype": Code(f"torch.{out.dtype}"),
        }

    def bits(self) -> float:
        return 4 + (8 / 64 if self.double_quant else 32 / 64)

    def is_done(self, module: Any) -> bool:
        state = getattr(module.weight, "quant_state", None)
        if not super().is_done(module) or state is None:
            return False
        # Some CPUs' own packing, at the first pass, dissolves the double quantization that was there.
        nested = getattr(state, "original_nested", False) or state.nested
        return (state.quant_type, nested) == (self.kind, self.double_quant)

    def words(self, modules: list[Any]) -> str:
        return " and ".join(sorted({m.weight.quant_state.quant_type for m in modules})) or self.kind


class Nf4(_FourBit):
    key: ClassVar[str] = "nf4"
    title: ClassVar[str] = "NF4 (bitsandbytes)"
    summary: ClassVar[str] = (
        "4-bit weights in blocks of 64, on levels that suit normally distributed values. Saves memory, and time on "
        "GPUs and on CPUs with AVX-512-BF16; on other CPUs every pass unpacks the weights, and nothing can be compiled."
    )
    pays: ClassVar[str] = (
        "To fit a model into less memory; on some GPUs in time too: Llama-3.1-8B decoded at 67.7 tok/s, against "
        "47.5 in bf16, on an RTX 4090."
    )
    pays_not: ClassVar[str] = (
        "On CPUs without AVX-512-BF16, where every pass unpacks the weights; with compilation; on an H100, where "
        "it was slower than bf16 (30.1 against 41.0 tok/s)."
    )
    kind: ClassVar[Literal["nf4", "fp4"]] = "nf4"


class Fp4(_FourBit):
    key: ClassVar[str] = "fp4"
    title: ClassVar[str] = "FP4 (bitsandbytes)"
    summary: ClassVar[str] = (
        "4-bit floating-point weights in blocks of 64: the bytes and the speed of NF4, with levels that suit normally "
        "distributed weights less well. It pays only as a comparison with NF4."
    )
    pays: ClassVar[str] = "As a comparison with NF4: the bytes and the speed are the same."
    pays_not: ClassVar[str] = "Anywhere else: its levels suit normally distributed weights less well."
    kind: ClassVar[Literal["nf4", "fp4"]] = "fp4"


class LlmInt8(_BitsAndBytes):
    key: ClassVar[str] = "llm_int8"
    title: ClassVar[str] = "LLM.int8() (bitsandbytes)"
    summary: ClassVar[str] = (
        "int8 weights and activations, with outlier channels in 16 bits. Saves memory, not time: on GPUs 0.2–0.5 "
        "times the speed of 16-bit at batch 1, and no fast CPU kernel."
    )
    pays: ClassVar[str] = "To fit a model with outlier channels into half the memory at little loss."
    pays_not: ClassVar[str] = (
        "For speed: 22.3 tok/s against 47.5 in bf16 on an RTX 4090, 12.2 against 41.0 on an H100 (Llama-3.1-8B). "
        "CPUs have no fast kernel for it."
    )
    source: ClassVar[str] = "LLM.int8(), Dettmers et al. 2022; bitsandbytes"
    becomes: ClassVar[str] = "Linear8bitLt"

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        """Return the sizes with LLM.int8()'s temporaries on a CPU. A product is int32 [T, N], then fp32 twice and once
        more while it is scaled (`int8_mm_dequant` in bitsandbytes/backends/default/ops.py). Outliers are added by a
        product of as many columns as there are outliers; each number of columns has compiled code of its own, which is
        kept and holds a temporary's place in the heap. The number depends on the text, and a layer has five different
        inputs. Measured, MiB beside bitsandbytes itself: 6 and 9 with random weights, which have no outliers, 44 to 80
        with SmolLM2-135M after 3 and 7 prompts of 128 tokens, 262 and 430 after 2 and 7 of 512."""
        size = super().footprint(size, workload)
        widest = size.prompt_tokens * max(size.hidden, size.intermediate)
        most = 5 * size.layers * (KERNEL_BYTES + 4 * widest) if self.threshold else 0
        outliers = Allowance(least=0, likely=most // 3, most=most)
        return size.allowing("outliers", outliers).model_copy(update={"scratch": size.scratch + 16 * widest})

    threshold: float = Field(
        6.0, ge=0, le=100, title="Outlier threshold", description="activations above it stay in 16 bits; 0 is off"
    )

    def settings(self, out: Script) -> dict[str, Any]:
        return {"load_in_8bit": True, "llm_int8_threshold": self.threshold}

    @classmethod
    def caveat(cls, environment: Environment) -> str:
        return "" if environment.devices else "bitsandbytes has no fast int8 kernel for CPUs: it saves memory only"

    def quantize(self, runtime: LoadedModel, linear: Any) -> Any:
        from core.kernels.weights.bits_and_bytes import llm_int8

        return llm_int8(linear, self.threshold)
