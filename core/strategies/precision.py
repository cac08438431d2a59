"""The data type of the weights and activations. Knows what it asks of the loader; nothing of quantization."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from core.events import JsonValue, Receipt
from core.strategies.base import Strategy

if TYPE_CHECKING:
    from core.engine.runtime import Runtime
    from core.environment import Environment

_SHORT = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}


def default_precision(environment: Environment) -> str:
    """The key of the precision to use where a variant names none."""
    return "bf16" if environment.native_bf16 else "fp32"


class _Precision(Strategy):
    slot: ClassVar[str] = "precision"
    dtype_name: ClassVar[str] = ""  # torch's name

    def load(self, options: dict[str, Any]) -> None:
        import torch

        options["dtype"] = getattr(torch, self.dtype_name)

    def receipt(self, runtime: Runtime) -> Receipt:
        """From the floating-point parameters; quantized weights are buffers or integers, and not among them."""
        from core.kernels.surgery import storage_bytes

        found = Counter(
            str(p.dtype).removeprefix("torch.") for p in runtime.model.parameters() if p.is_floating_point()
        )
        total = sum(found.values())
        counts = ", ".join(f"{_SHORT.get(d, d)}: {n}" for d, n in found.most_common())
        detail: dict[str, JsonValue] = {_SHORT.get(d, d): n for d, n in found.items()}
        return Receipt(
            slot=self.slot,
            requested=self.key,
            effective=f"{counts} of {total} floating-point tensors",
            matches=total > 0 and found[self.dtype_name] == total,
            detail=detail | {"weights_bytes": storage_bytes(runtime.model)},
        )


class Fp32(_Precision):
    key: ClassVar[str] = "fp32"
    title: ClassVar[str] = "fp32"
    summary: ClassVar[str] = (
        "Full precision: the reference for exactness. Twice the bytes of bf16, so decoding is slower wherever "
        "memory bandwidth is the limit."
    )
    exact: ClassVar[bool] = True
    dtype_name: ClassVar[str] = "float32"


class Bf16(_Precision):
    key: ClassVar[str] = "bf16"
    title: ClassVar[str] = "bf16"
    summary: ClassVar[str] = (
        "Half the bytes with fp32's range. Pays on GPUs and on CPUs with AMX or AVX-512-BF16; without them, and "
        "on small layers at batch 1, it can be slower than fp32."
    )
    dtype_name: ClassVar[str] = "bfloat16"


class Fp16(_Precision):
    key: ClassVar[str] = "fp16"
    title: ClassVar[str] = "fp16"
    summary: ClassVar[str] = (
        "Half the bytes, finer than bf16 but easily out of range. Pays on GPUs, older ones included; few CPUs "
        "compute it natively."
    )
    dtype_name: ClassVar[str] = "float16"
