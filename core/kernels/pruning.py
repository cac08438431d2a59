"""Taking weights or whole layers out of a model. Knows magnitudes and block influence; knows no strategy.

Sources: magnitude pruning, Han et al. 2015, compared per row as in Wanda; block influence, ShortGPT 2024.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.kernels import surgery
from core.kernels.linears import Int4Linear

CHUNK = 128  # calibration tokens per pass: bounds the memory of logits and attention


def mask_smallest_(weight: Tensor, ratio: float) -> int:
    """Set the ⌊K·ratio⌋ smallest |w| of every row of weight [N, K] to zero, in place; how many those are."""
    count = int(weight.shape[1] * ratio)
    if count:
        smallest = weight.abs().topk(count, dim=1, largest=False, sorted=False).indices
        weight.scatter_(1, smallest, 0.0)
    return count * weight.shape[0]


@torch.no_grad()
def prune_magnitude(model: Any, ratio: float) -> list[str]:
    """Mask every Linear but the head; the names of the masked layers."""
    head = surgery.head_name(model)
    names = []
    for name, module in surgery.linears(model):
        if name != head:
            mask_smallest_(surgery.as_linear(module).weight, ratio)  # a Conv1D's is a view of its weight
            names.append(name)
    return names


def zeros(module: nn.Module) -> int | None:
    """Weights of a layer that are exactly zero, quantized or not; None where its format hides them."""
    if isinstance(module, Int4Linear):
        return None  # its grid has no exact zero in general
    weight: Any = getattr(module, "weight", None)
    if weight is None:
        return None
    state = getattr(weight, "quant_state", None)
    if state is None:
        return int((weight == 0).sum())  # int8 formats included: a zero is a zero, whatever the scale
    # bitsandbytes keeps two codes a byte, in an order that depends on the processor; their count does not.
    zero = int((state.code == 0).nonzero()[0])
    return int(((weight.data & 0xF) == zero).sum() + ((weight.data >> 4) == zero).sum())


@torch.inference_mode()
def block_influence(model: Any, ids: Sequence[int]) -> list[float]:
    """1 − E[cos(X_i, X_{i+1})] of every layer i over the tokens: how much the layer turns the residual."""
    _, layers = surgery.decoder_layers(model)
    similarity = [0.0] * len(layers)
    inputs: list[Tensor | None] = [None] * len(layers)

    def before(i: int) -> Any:
        def hook(_module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            inputs[i] = args[0] if args else kwargs["hidden_states"]

        return hook

    def after(i: int) -> Any:
        def hook(_module: nn.Module, _args: tuple[Any, ...], output: Any) -> None:
            out = output if isinstance(output, Tensor) else output[0]
            x = inputs[i]
            assert x is not None
            similarity[i] += float(F.cosine_similarity(x.float(), out.float(), dim=-1).sum())
            inputs[i] = None

        return hook

    handles = []
    for i, layer in enumerate(layers):
        handles.append(layer.register_forward_pre_hook(before(i), with_kwargs=True))
        handles.append(layer.register_forward_hook(after(i)))
    try:
        device = next(model.parameters()).device
        for start in range(0, len(ids), CHUNK):
            model(torch.tensor([list(ids[start : start + CHUNK])], device=device), use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    return [1 - total / len(ids) for total in similarity]


def drop_layers(model: Any, drop: Sequence[int]) -> None:
    """Remove the layers with these indices and make the rest consistent: their number, each layer's index
    (the cache is addressed by it) and the per-layer lists of the configuration."""
    name, layers = surgery.decoder_layers(model)
    keep = [i for i in range(len(layers)) if i not in set(drop)]
    if not keep:
        raise ValueError("at least one layer must stay")
    config = model.config.get_text_config(decoder=True)
    per_layer = {
        key: [value[i] for i in keep]
        for key, value in vars(config).items()
        if isinstance(value, list) and len(value) == len(layers) and "layer" in key
    }
    config.num_hidden_layers = len(keep)
    for key, value in per_layer.items():
        setattr(config, key, value)
    rest = nn.ModuleList(layers[i] for i in keep)
    for index, layer in enumerate(rest):
        for module in layer.modules():
            if "layer_idx" in vars(module):
                vars(module)["layer_idx"] = index
    model.set_submodule(name, rest)
