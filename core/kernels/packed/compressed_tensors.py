"""Writes Dyno's layers in compressed-tensors' format (`pack-quantized`), which transformers and vLLM load.
`packed_codes` reads it. Source: github.com/vllm-project/compressed-tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from core.kernels.packed.layer_storage import codes
from core.kernels.weights.linears import Int4Linear, Int8Linear, dequantize_int4


class CannotPack(ValueError):
    """The format has no place for such a layer; the message says why."""


def pack(layer: nn.Module) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return a layer's tensors by the last parts of their names, and the config's settings for its weights. Raises
    CannotPack."""
    arguments: dict[str, Any]
    if isinstance(layer, Int8Linear):
        q, scale, zero = layer.weight.to(torch.int32) + 128, layer.scale[:, None], None
        arguments = {"num_bits": 8, "strategy": "channel", "group_size": None, "symmetric": True}
    elif isinstance(layer, Int4Linear):
        scale, float_zero = (part.T.contiguous() for part in layer.scale_zero.unbind(-1))
        zero = (8 - float_zero.float() / scale.float()).round()
        if not torch.equal(((8 - zero) * scale.float()).bfloat16(), float_zero) or zero.min() < 0 or zero.max() > 15:
            raise CannotPack("its zeros lie between codes")
        q, zero = codes(layer), zero.to(torch.int32)
        arguments = {"num_bits": 4, "strategy": "group", "group_size": layer.group_size, "symmetric": False}
    else:
        raise CannotPack(f"compressed-tensors has no {type(layer).__name__}")
    bits = arguments["num_bits"]
    if q.shape[0] % 8 or q.shape[1] % 8:
        raise CannotPack(f"{list(q.shape)} codes do not fill words of 32 bits")
    parts = {
        "weight_packed": _words(q, bits),
        "weight_scale": scale.contiguous(),
        "weight_shape": torch.tensor(q.shape, dtype=torch.int64),
    }
    if zero is not None:
        parts["weight_zero_point"] = _words(zero.T, bits).T.contiguous()
    if layer.bias is not None:
        parts["bias"] = layer.bias
    return parts, arguments


def plain(layer: nn.Module) -> Tensor:
    """Return the fp32 weight [N, K] that a layer encodes."""
    if isinstance(layer, Int8Linear):
        return layer.weight.float() * layer.scale.float()[:, None]
    assert isinstance(layer, Int4Linear)
    scale, zero = (part.T.contiguous() for part in layer.scale_zero.unbind(-1))
    return dequantize_int4(codes(layer), scale, zero)


def configuration(arguments: Mapping[str, Any], ignore: Sequence[str]) -> dict[str, Any]:
    """Return the `quantization_config` of a model whose Linears are packed with these arguments, except the names in
    `ignore`. `dequantize` is set because transformers 5.24 with compressed-tensors 0.20 finds no place for zero points
    in layers that stay packed, and dequantizes them while loading; vLLM ignores it."""
    common = {"type": "int", "dynamic": False, "actorder": None, "block_structure": None, "observer": "minmax"}
    group = {
        "targets": ["Linear"],
        "weights": {**common, **arguments, "observer_kwargs": {}},
        "input_activations": None,
        "output_activations": None,
        "format": "pack-quantized",
    }
    return {
        "quant_method": "compressed-tensors",
        "format": "pack-quantized",
        "quantization_status": "compressed",
        "kv_cache_scheme": None,
        "global_compression_ratio": None,
        "ignore": list(ignore),
        "config_groups": {"group_0": group},
        **({} if arguments["symmetric"] else {"dequantize": True}),
    }


def _words(values: Tensor, bits: int) -> Tensor:
    """Return int32 [R, C·bits/32] of int32 [R, C], the first value in the lowest bits."""
    shifts = torch.arange(0, 32, bits, device=values.device)
    wide = (values.long().unflatten(1, (-1, 32 // bits)) << shifts).sum(-1)
    return torch.where(wide >= 1 << 31, wide - (1 << 32), wide).to(torch.int32)
