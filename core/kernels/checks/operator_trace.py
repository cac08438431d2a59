"""Lists the operators that a model really runs: the proof that a kernel is in use."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from core.kernels.caches import caches


class _Recorder(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.add(func.name().removeprefix("aten::").split(".")[0])
        return func(*args, **(kwargs or {}))


@torch.no_grad()  # under inference_mode, composite operators would be recorded instead of their kernels
def operators(model: Any, tokens: int = 8) -> set[str]:
    """Return the names of the ATen operators of a short prefill and one decode step on a dynamic cache."""
    device = next(model.parameters()).device
    name, _ = caches.forward_arguments(model)
    cache = caches.dynamic(model)(tokens + 1)
    with _Recorder() as recorder:
        for count in (tokens, 1):
            ids = torch.arange(1, count + 1, device=device)[None]
            model(ids, **{name: cache, "use_cache": True})
    return recorder.names


def attention_kernels(names: set[str]) -> list[str]:
    """Return the fused attention operators among names; none means plain matrix products and a softmax."""
    return sorted(n for n in names if n.startswith("_scaled_dot_product") or "flash" in n or "flex_attention" in n)
