"""Precision: the data type of weights and activations."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from core.model.receipt import JsonValue, Receipt
from core.spec.script_builder import Code, call
from core.spec.variant import Strategy

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.workload import Workload

_SHORT = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}


def default_precision(environment: Environment) -> str:
    """Return the key of the machine's default precision: bf16 where the device computes in it, fp16 on an older card,
    whose tensor cores have that, else fp32."""
    if environment.native_bf16:
        return "bf16"
    return "fp16" if environment.devices else "fp32"


class _Precision(Strategy):
    slot: ClassVar[str] = "precision"
    dtype_name: ClassVar[str] = ""  # torch's name

    def load(self, options: dict[str, Any]) -> None:
        import torch

        options["dtype"] = getattr(torch, self.dtype_name)

    def script(self, out: Script) -> None:
        out.load["dtype"] = Code(f"torch.{self.dtype_name}")

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        wide = self.dtype_name == "float32"
        return size.model_copy(update={"element": 4 if wide else 2, "bf16": self.dtype_name == "bfloat16"})

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt from the floating-point parameters; quantized weights are buffers or integers and not
        among them. Parameters that a kind of model keeps in fp32 in any case (routers of DeepSeek and others) are no
        mismatch."""
        from core.kernels.base.surgery import storage_bytes

        kept = _kept_in_fp32(runtime.model, self.dtype_name)
        found = Counter(
            str(p.dtype).removeprefix("torch.")
            for name, p in runtime.model.named_parameters()
            if p.is_floating_point() and name not in kept
        )
        total = sum(found.values())
        counts = ", ".join(f"{_SHORT.get(d, d)}: {n}" for d, n in found.most_common())
        detail: dict[str, JsonValue] = {_SHORT.get(d, d): n for d, n in found.items()}
        return Receipt(
            slot=self.slot,
            requested=self.key,
            effective=f"{counts} of {total} floating-point tensors"
            + (f"; {len(kept)} more are fp32 in every model of this kind" if kept else ""),
            matches=total > 0 and found[self.dtype_name] == total,
            detail=detail | {"weights_bytes": storage_bytes(runtime.model)},
        )


def _kept_in_fp32(model: Any, dtype_name: str) -> set[str]:
    """Return the parameters that stay in fp32 for a model of this class: by transformers' plan of types, or because the
    class makes them so (routers of Hunyuan, decays of linear attention)."""
    import torch

    from core.kernels.base.outline import made_in

    wanted = getattr(torch, dtype_name)
    plan = model._get_dtype_plan(wanted) if hasattr(model, "_get_dtype_plan") else {}
    parts = [re.compile(rf"(^|\.){part}($|\.)") for part, dtype in plan.items() if dtype == torch.float32 != wanted]
    wide = {name for name, p in model.named_parameters() if p.dtype == torch.float32 != wanted}
    kept = {name for name in wide if any(part.search(name) for part in parts)}
    return kept | (wide & made_in(model, wanted, torch.float32)) if wide - kept else kept


class Fp32(_Precision):
    key: ClassVar[str] = "fp32"
    title: ClassVar[str] = "fp32"
    summary: ClassVar[str] = (
        "Full precision: the reference for exactness. Twice the bytes of bf16, so decoding is slower wherever "
        "memory bandwidth is the limit."
    )
    pays: ClassVar[str] = (
        "As the reference: greedy answers of exact strategies are compared in it. Also on CPUs where the overhead "
        "of each call makes bf16 products at batch 1 slower."
    )
    pays_not: ClassVar[str] = "Wherever reading the weights is the limit: it moves twice the bytes of bf16."
    source: ClassVar[str] = "IEEE 754 binary32"
    exact: ClassVar[bool] = True
    dtype_name: ClassVar[str] = "float32"


class Bf16(_Precision):
    key: ClassVar[str] = "bf16"
    title: ClassVar[str] = "bf16"
    summary: ClassVar[str] = (
        "Half the bytes with fp32's range. Pays on GPUs and on CPUs with AMX or AVX-512-BF16; without them, and "
        "on small layers at batch 1, it can be slower than fp32."
    )
    pays: ClassVar[str] = (
        "On GPUs from compute capability 8.0 and on CPUs with AMX or AVX-512-BF16: decoding reads half the bytes, "
        "and with AMX large products reach about 12 times the rate of fp32."
    )
    pays_not: ClassVar[str] = (
        "On other CPUs, and for small layers at batch 1, where the overhead of each call can make it slower than fp32."
    )
    source: ClassVar[str] = "bfloat16, Kalamkar et al. 2019"
    dtype_name: ClassVar[str] = "bfloat16"

    @classmethod
    def caveat(cls, environment: Environment) -> str:
        if environment.native_bf16:
            return ""
        where = "this GPU" if environment.devices else "this CPU (AVX-512-BF16 or AMX)"
        return f"no bf16 arithmetic on {where}: products go by way of fp32, often slower than it"


class Fp16(_Precision):
    key: ClassVar[str] = "fp16"
    title: ClassVar[str] = "fp16"
    summary: ClassVar[str] = (
        "Half the bytes, finer than bf16 but easily out of range. Pays on GPUs, older ones included; few CPUs "
        "compute it natively."
    )
    pays: ClassVar[str] = "On GPUs without bf16, and where its finer steps matter."
    pays_not: ClassVar[str] = (
        "On CPUs, few of which compute it natively; in models whose activations exceed 65,504, which becomes infinity."
    )
    source: ClassVar[str] = "IEEE 754 binary16; Micikevicius et al. 2018"
    dtype_name: ClassVar[str] = "float16"

    @classmethod
    def caveat(cls, environment: Environment) -> str:
        if environment.devices or {"avx512_fp16", "asimdhp", "fphp"} & set(environment.cpu_features):
            return ""
        return "no fp16 arithmetic on this CPU (AVX-512-FP16): products go by way of fp32, often slower than it"


class _ReducedMatmul(_Precision):
    """fp32 tensors whose products are computed with fewer bits of mantissa."""

    dtype_name: ClassVar[str] = "float32"
    setting: ClassVar[str] = ""  # torch.set_float32_matmul_precision
    #: Relative error of a product of random matrices: what the arithmetic really is cannot be read, only measured.
    error_between: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def load(self, options: dict[str, Any]) -> None:
        import torch

        super().load(options)
        torch.set_float32_matmul_precision(self.setting)  # an engine serves one variant: this is its own switch

    def script(self, out: Script) -> None:
        super().script(out)
        out.before.append(call("torch.set_float32_matmul_precision", self.setting))

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt: the tensors' data type, and the error of a product on this processor."""
        import torch

        proof = super().receipt(runtime)
        generator = torch.Generator().manual_seed(0)
        a, b = (torch.randn(512, 512, generator=generator).to(runtime.device) for _ in range(2))
        exact = a.double() @ b.double()
        error = float(((a @ b).double() - exact).norm() / exact.norm())
        low, high = self.error_between
        return proof.model_copy(
            update={
                "effective": f"{proof.effective}; relative error of a product {error:.1e}",
                "matches": proof.matches and low < error < high,
                "detail": {**proof.detail, "product_error": error},
            }
        )


class Tf32(_ReducedMatmul):
    key: ClassVar[str] = "tf32"
    title: ClassVar[str] = "tf32"
    summary: ClassVar[str] = (
        "fp32 weights, products with 10 bits of mantissa on tensor cores. Pays on prefill and batches, which "
        "arithmetic limits; the bytes stay those of fp32, so decoding at batch 1 gains little."
    )
    pays: ClassVar[str] = "For prefill and batches on NVIDIA GPUs since Ampere, where arithmetic is the limit."
    pays_not: ClassVar[str] = "At batch 1: the weights stay fp32, so every token still reads four bytes a weight."
    source: ClassVar[str] = "torch.set_float32_matmul_precision"
    setting: ClassVar[str] = "high"
    error_between: ClassVar[tuple[float, float]] = (5e-5, 2e-3)

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        device = environment.devices[0] if environment.devices else None
        if device is None:
            return "needs a CUDA GPU of compute capability 8.0"
        if float(device.capability or 0) < 8.0:
            return f"needs a GPU of compute capability 8.0; {device.name} has {device.capability or 'an unknown one'}"
        return ""


class Fp32Bf16Matmul(_ReducedMatmul):
    key: ClassVar[str] = "fp32_bf16_matmul"
    title: ClassVar[str] = "fp32, bf16 products"
    summary: ClassVar[str] = (
        "fp32 weights, products computed in bf16 by AMX. Pays on long prompts; the bytes stay those of fp32, so "
        "decoding at batch 1 gains nothing."
    )
    pays: ClassVar[str] = "For long prompts on CPUs with AMX, without converting the model."
    pays_not: ClassVar[str] = "At batch 1, since the bytes stay those of fp32; on CPUs without AMX."
    source: ClassVar[str] = "torch.set_float32_matmul_precision('medium'), oneDNN"
    setting: ClassVar[str] = "medium"
    error_between: ClassVar[tuple[float, float]] = (5e-4, 2e-2)

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        if environment.devices:
            return "is for CPUs: on this GPU choose tf32 or bf16"
        return "" if "amx_bf16" in environment.cpu_features else "needs a CPU with AMX (amx_bf16)"
