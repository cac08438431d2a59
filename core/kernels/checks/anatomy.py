"""Reads from a loaded model what a decode step reads and computes. The config says how many experts of a mixture a
token meets."""

from __future__ import annotations

import contextlib
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from transformers import DynamicCache

from core.kernels.base import dtypes, surgery
from core.kernels.caches import caches
from core.kernels.experts import experts
from core.model.config_sizes import EXPERTS, EXPERTS_PER_TOKEN
from core.model.step_anatomy import Anatomy


def anatomy(model: Any, dtype: torch.dtype, eager: bool = True, draft: Any = None) -> Anatomy | None:
    """Return the sizes of a causal LM as it is now. `eager` steps run operation by operation, so that operations are
    counted. None for a model whose parts transformers does not name. Raises ValueError for a mixture whose experts
    cannot be told from the rest."""
    config = model.config.get_text_config(decoder=True)
    head, inputs = model.get_output_embeddings(), model.get_input_embeddings()
    if head is None or inputs is None:
        return None
    mixture = _mixture(model, config)
    tables = [m for m in model.modules() if isinstance(m, nn.Embedding)]
    table_bytes = sum(surgery.storage_bytes(t) for t in tables)
    head_bytes = surgery.storage_bytes(head)
    tied = any(getattr(head, "weight", None) is t.weight for t in tables)
    weights = sum(_weights(m) for m in surgery.linear_like(model).values())
    heads = config.num_attention_heads
    return Anatomy(
        layers=config.num_hidden_layers,
        hidden=config.hidden_size,
        heads=heads,
        kv_heads=getattr(config, "num_key_value_heads", None) or heads,
        head_dim=getattr(config, "head_dim", None) or config.hidden_size // heads,
        element_bytes=dtype.itemsize,
        body_bytes=surgery.storage_bytes(model) - table_bytes - (0 if tied else head_bytes),
        head_bytes=head_bytes,
        embedding_bytes=table_bytes,
        embedding_row_bytes=sum(surgery.storage_bytes(t) // t.num_embeddings for t in tables),
        matrix_weights=weights + mixture.pop("met", 0),
        head_weights=_weights(head),
        windows=_windows(model),
        computes_in=_computes_in(model, dtype),
        operations=operations(model) if eager else None,
        draft=None if draft is None else anatomy(draft, next(draft.parameters()).dtype, eager=False),
        **mixture,
    )


def _mixture(model: Any, config: Any) -> dict[str, int]:
    """Return the fields of a mixture of experts, and `met`: the weights that a token is multiplied with beside the
    model's linear layers, routers included. Empty without a mixture. Raises ValueError."""
    stacks = experts.stacks(model)
    count = max((s.experts for s in stacks), default=0) or max(_whole(getattr(config, name, 0)) for name in EXPERTS)
    if count <= 1:
        return {}
    blocks = list({id(s.module): s.module for s in stacks}.values()) or [
        module for name, module in model.named_modules() if name.rpartition(".")[2] == "experts"
    ]
    chosen = next((n for name in EXPERTS_PER_TOKEN if (n := _whole(getattr(config, name, None)))), None)
    if chosen is None or not blocks:
        raise ValueError(f"which of its {count} experts a token meets is not said where it is looked for")
    total = sum(_of_experts(block, count) for block in blocks)
    layers = surgery.linear_like(model)
    routers = [
        w.numel()
        for module in model.modules()
        if isinstance(w := getattr(module, "weight", None), Tensor)
        and w.dim() == 2
        and w.shape[0] == count
        and module not in layers.values()
        and not isinstance(module, nn.Embedding)
    ]
    linear = sum(_weights(m) for block in blocks for m in surgery.linear_like(block).values())
    return {
        "experts": count,
        "experts_per_token": chosen,
        "expert_bytes": sum(surgery.storage_bytes(block) for block in blocks),
        "expert_weights": total,
        "met": round(total * min(1.0, chosen / count)) - linear + sum(routers),
    }


def _whole(value: Any) -> int:
    """Return the number of experts; the first one of a config with a number per layer."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    return first if isinstance(first, int) else 0


def _of_experts(block: nn.Module, count: int) -> int:
    """Return the number of weights of all experts in a layer: a tensor or a list of Linears per projection, or a module
    per expert. Raises ValueError."""
    if isinstance(block, nn.ModuleList):
        if len(block) != count:
            raise ValueError(f"a layer has {type(block).__name__} in the place of its {count} experts")
        return sum(_weights(m) for m in surgery.linear_like(block).values())
    tensors = [*block.parameters(recurse=False), *block.buffers(recurse=False)]
    split = [child for child in block.children() if isinstance(child, experts.ExpertLinears)]
    counts = [*map(len, tensors), *map(len, split)]
    if not counts or any(found != count for found in counts):
        raise ValueError(f"the tensors of {type(block).__name__} are not those of {count} experts")
    total = sum(t.numel() for t in tensors if t.dim() == 3)
    return total + sum(_weights(m) for child in split for m in child.linears())


def _weights(layer: Any) -> int:
    n, k = surgery.shape(layer)
    return n * k


def _windows(model: Any) -> list[int]:
    """Return the positions that each layer of the cache keeps; 0 for all."""
    layers = DynamicCache(config=model.config).layers
    if not layers:  # an older configuration: the cache makes its layers as they come
        return [0] * model.config.get_text_config(decoder=True).num_hidden_layers
    return [getattr(layer, "sliding_window", 0) or 0 for layer in layers]


def _computes_in(model: Any, dtype: torch.dtype) -> str:
    """Return the data type of most products: the activations', or a narrower one if they are quantized for the
    product."""
    kinds = [_product_type(m) for m in surgery.linear_like(model).values()]
    narrow = [kind for kind in kinds if kind]
    if 2 * len(narrow) > len(kinds):
        return max(set(narrow), key=narrow.count)
    reduced = torch.get_float32_matmul_precision()
    if dtype == torch.float32 and reduced != "highest":
        on_cpu = next(model.parameters()).device.type == "cpu"
        if not on_cpu:
            return "tf32"
        return "bf16" if reduced == "medium" else "fp32"
    return dtypes.name(dtype)


def _product_type(layer: Any) -> str:
    weight = getattr(layer, "weight", None)
    if type(layer).__name__ == "Linear8bitLt":
        return "int8"
    if type(layer).__name__ in ("Int8Linear", "Int4Linear"):
        return "bf16"
    if getattr(weight, "act_quant_kwargs", None) is not None:
        return "fp8" if type(weight).__name__ == "Float8Tensor" else "int8"
    return ""


class _Counter(TorchDispatchMode):
    """Counts operations. Views move no data and start no kernel, but they pass through Python too, so they count."""

    count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += 1
        return func(*args, **(kwargs or {}))


def operations(model: Any) -> int | None:
    """Return the number of operations that torch dispatches in a step of one token; None if they cannot be counted."""
    name, _ = caches.forward_arguments(model)
    device = next(model.parameters()).device
    one: Tensor = torch.zeros((1, 1), dtype=torch.long, device=device)
    with contextlib.suppress(Exception), torch.inference_mode():
        cache = DynamicCache(config=model.config)
        model(one, use_cache=True, **{name: cache})  # the first token of a cache makes its layers
        with _Counter() as counter:
            model(one, use_cache=True, **{name: cache})
        return counter.count
    return None
