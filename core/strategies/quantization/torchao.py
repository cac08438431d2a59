"""The formats of torchao."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from core.model.memory_footprint import Allowance
from core.spec.script_builder import Code, call, expression
from core.spec.variant import Need
from core.strategies.quantization.base import Quantization

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload

_FP8 = 8.9  # compute capability


class _TorchAo(Quantization):
    dynamic: ClassVar[bool]  # activations are quantized too
    format: ClassVar[str]
    needs: ClassVar[tuple[Need, ...]] = (
        Need(package="torchao", least="0.15.0", source="transformers 5.24, TORCHAO_MIN_VERSION"),
    )

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        if "torchao" not in environment.versions:
            return "torchao is not installed in the engine's Python: pip install torchao"
        return ""

    config: ClassVar[str]  # torchao's class
    settings: ClassVar[dict[str, str]] = {}  # its arguments, as code

    def script(self, out: Script) -> None:
        out.use(
            f"from torchao.quantization import {', '.join(sorted(['quantize_', self.config, *self.settings_used()]))}"
        )
        out.every_linear()
        arguments: dict[str, Any] = {**{k: Code(v) for k, v in self.settings.items()}, "set_inductor_config": False}
        out.after += [
            f"config = {call(self.config, **arguments)}",
            f"for name, linear in linears({out.model}, {expression(self.patterns(out))}):",
            "    try:",
            "        quantize_(linear, config)",
            f"        {out.model}.set_submodule(name, linear)",
            "    except (AssertionError, NotImplementedError, RuntimeError, ValueError):",
            "        pass  # its kernel takes no layer of this shape; Dyno leaves it as it is too",
        ]
        self.script_head(
            out,
            [
                f"head = {out.model}.get_output_embeddings()",
                "head.weight = nn.Parameter(head.weight.detach().clone(), requires_grad=False)",
                "quantize_(head, config)",
            ],
        )

    @classmethod
    def settings_used(cls) -> list[str]:
        """Return the names to import for the settings."""
        return [v.removesuffix("()") for v in cls.settings.values()]

    #: Measured on a CPU with int8_dynamic and models of 4, 8 and 30 layers.
    allowance: ClassVar[Allowance] = Allowance.mib(12, 20, 38)

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        return super().footprint(size, workload).allowing("torchao", self.allowance)

    def is_done(self, module: Any) -> bool:
        from core.kernels.weights.torchao_linears import quantizes_activations

        return super().is_done(module) and quantizes_activations(module) == self.dynamic

    def words(self, modules: list[Any]) -> str:
        from core.kernels.weights.torchao_linears import quantizes_activations

        found = {" activations and weights" if quantizes_activations(m) else " weights" for m in modules}
        return self.format + (" and".join(sorted(found)))


class Int8Dynamic(_TorchAo):
    key: ClassVar[str] = "int8_dynamic"
    title: ClassVar[str] = "int8 weights and activations (torchao)"
    summary: ClassVar[str] = (
        "int8 weights per output channel, and activations that become int8 per token, multiplied as integers. Pays for "
        "long prompts and batches, where arithmetic is the limit; at batch 1 it is slower than int8 weights alone."
    )
    pays: ClassVar[str] = "For long prompts and batches, where arithmetic is the limit."
    pays_not: ClassVar[str] = (
        "At batch 1, where the weights are read all the same and converting the activations is added."
    )
    source: ClassVar[str] = "torchao Int8DynamicActivationInt8Weight"
    becomes: ClassVar[str] = "Int8Tensor"
    dynamic: ClassVar[bool] = True
    format: ClassVar[str] = "int8"
    config: ClassVar[str] = "Int8DynamicActivationInt8WeightConfig"

    @classmethod
    def caveat(cls, environment: Environment) -> str:
        if environment.devices or {"avx512_vnni", "avx_vnni", "amx_int8", "i8mm"} & set(environment.cpu_features):
            return ""
        return "no integer dot products on this CPU (VNNI, AMX or i8mm): int8 products are seldom faster than fp32 here"

    def quantize(self, runtime: LoadedModel, linear: Any) -> Any:
        from core.kernels.weights.torchao_linears import int8_dynamic

        return int8_dynamic(linear)


class _Fp8(_TorchAo):
    becomes: ClassVar[str] = "Float8Tensor"
    format: ClassVar[str] = "fp8"

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        if not environment.devices:
            return "needs an NVIDIA GPU of compute capability 8.9; this machine has none"
        device = environment.devices[0]
        if float(device.capability or 0) < _FP8:
            return f"needs a GPU of compute capability 8.9; {device.name} has {device.capability or 'an unknown one'}"
        return super().unavailable(environment)


class Fp8WeightOnly(_Fp8):
    key: ClassVar[str] = "fp8_weight_only"
    title: ClassVar[str] = "fp8 weights (torchao)"
    summary: ClassVar[str] = (
        "float8 e4m3 weights per output channel, multiplied in 16 bits. Half the bytes of bf16 at better quality than "
        "int4; it pays at batch 1 when compiled, and little without."
    )
    pays: ClassVar[str] = "On GPUs at batch 1, compiled: half the bytes of bf16 at a smaller loss than int4."
    pays_not: ClassVar[str] = "Without compilation, where every product converts its weights first; on CPUs."
    source: ClassVar[str] = "torchao Float8WeightOnly"
    dynamic: ClassVar[bool] = False
    config: ClassVar[str] = "Float8WeightOnlyConfig"

    def quantize(self, runtime: LoadedModel, linear: Any) -> Any:
        from core.kernels.weights.torchao_linears import fp8_weight_only

        return fp8_weight_only(linear)


class Fp8Dynamic(_Fp8):
    key: ClassVar[str] = "fp8_dynamic"
    title: ClassVar[str] = "fp8 weights and activations (torchao)"
    summary: ClassVar[str] = (
        "float8 e4m3 weights per output channel and activations per token, multiplied in the GPU's fp8 units. Pays for "
        "long prompts and batches; at batch 1 it saves memory more than time."
    )
    pays: ClassVar[str] = "For long prompts and batches on GPUs with fp8 units."
    pays_not: ClassVar[str] = "At batch 1, where it saves memory more than time; on CPUs and older GPUs."
    source: ClassVar[str] = "torchao Float8DynamicActivationFloat8Weight"
    dynamic: ClassVar[bool] = True
    config: ClassVar[str] = "Float8DynamicActivationFloat8WeightConfig"
    settings: ClassVar[dict[str, str]] = {"granularity": "PerRow()"}

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = super().conflicts(variant, facts, workload)
        if variant.precision is not None and variant.precision.key != "bf16":
            reasons.append(f"a scale per row needs bf16, not {variant.precision.key}")
        return reasons

    def quantize(self, runtime: LoadedModel, linear: Any) -> Any:
        from core.kernels.weights.torchao_linears import fp8_dynamic

        return fp8_dynamic(linear)
