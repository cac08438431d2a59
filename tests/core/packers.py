"""Checkpoints as the makers of quantized models pack them, written here from the formats' public definitions, bit by
bit and slowly."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from tests.core.tiny import tiny_model, tiny_tokenizer

Parts = dict[str, Tensor]


@dataclass
class Grid:
    """Codes [N, K], and of each group along K a scale and a zero point: w = (q − zero)·scale."""

    q: Tensor
    scale: Tensor  # [N, G]
    zero: Tensor
    groups: Tensor  # of each input, [K]

    @property
    def weight(self) -> Tensor:
        return (self.q - self.zero[:, self.groups]).float() * self.scale[:, self.groups].float()


def grid(weight: Tensor, bits: int, group: int, symmetric: bool, shuffled: bool = False) -> Grid:
    """Rounded to nearest, with scales of fp16; the groups' members are strewn about where `shuffled`."""
    n, k = weight.shape
    group = group if group > 0 else k
    groups = torch.arange(k) // group
    if shuffled:
        groups = groups[torch.randperm(k, generator=torch.Generator().manual_seed(3))]
    top = 2**bits - 1
    scale, zero = torch.empty(n, k // group), torch.empty(n, k // group, dtype=torch.int32)
    for g in range(k // group):
        members = weight[:, groups == g]
        low, high = members.amin(1).clamp(max=0), members.amax(1).clamp(min=0)
        if symmetric:
            high = torch.maximum(-low, high)
            low = -high
        scale[:, g] = ((high - low) / top).half().float().clamp_min(1e-4)
        zero[:, g] = (-low / scale[:, g]).round().int() if not symmetric else 2 ** (bits - 1)
    q = (weight / scale[:, groups] + zero[:, groups]).round().clamp(0, top).int()
    return Grid(q, scale, zero.clamp(0, top), groups)


def stream(values: list[int], bits: int) -> list[int]:
    """Words of 32 bits, signed, that hold the values one behind the other, the first in the lowest bits."""
    number = sum(v << (i * bits) for i, v in enumerate(values))
    words = [number >> (32 * i) & 0xFFFFFFFF for i in range(-(-len(values) * bits // 32))]
    return [w - (1 << 32) if w >= 1 << 31 else w for w in words]


def gptq(g: Grid, bits: int, version: int = 1, with_index: bool = True) -> Parts:
    """AutoGPTQ: codes along K, zero points along N; the first version takes one off the zero points."""
    zero = (g.zero - (1 if version == 1 else 0)) % 2**bits
    parts = {
        "qweight": torch.tensor([stream(row.tolist(), bits) for row in g.q], dtype=torch.int32).T.contiguous(),
        "qzeros": torch.tensor([stream(column.tolist(), bits) for column in zero.T], dtype=torch.int32),
        "scales": g.scale.T.half().contiguous(),
    }
    return {**parts, "g_idx": g.groups.int()} if with_index else parts


def awq(g: Grid) -> Parts:
    """AutoAWQ's GEMM: of eight neighbours along N, in this order, from the lowest bits on."""
    order = [0, 2, 4, 6, 1, 3, 5, 7]

    def words(rows: Tensor) -> Tensor:
        found = [[stream([r[i + o] for o in order], 4)[0] for i in range(0, len(r), 8)] for r in rows.tolist()]
        return torch.tensor(found, dtype=torch.int32)

    return {"qweight": words(g.q.T), "qzeros": words(g.zero.T), "scales": g.scale.T.half().contiguous()}


def compressed(g: Grid, bits: int, symmetric: bool, ordered: bool = False) -> Parts:
    """compressed-tensors' pack-quantized: signed codes plus half their range, none across two words."""
    per_word = 32 // bits

    def words(rows: Tensor) -> Tensor:
        found = [[stream(r[i : i + per_word], bits)[0] for i in range(0, len(r), per_word)] for r in rows.tolist()]
        return torch.tensor(found, dtype=torch.int32)

    parts = {"weight_packed": words(g.q), "weight_scale": g.scale.bfloat16(), "weight_shape": torch.tensor(g.q.shape)}
    if not symmetric:
        parts["weight_zero_point"] = words(g.zero.T).T.contiguous()
    return {**parts, "weight_g_idx": g.groups.int()} if ordered else parts


def save_packed(
    folder: Path, kind: str, pack: Callable[[str, Tensor], tuple[Parts, Tensor]], quantization: dict[str, Any] | None,
    hidden: int = 128, skip: tuple[str, ...] = ("lm_head",), **changes: Any,
) -> Any:  # fmt: skip
    """Write a tiny model whose Linears are packed by `pack(name, weight)`, which returns the parts and the weight that
    they stand for; returns the model with those weights."""
    model = tiny_model(kind, hidden_size=hidden, intermediate_size=256, tie_word_embeddings=False, **changes)
    state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    for name, module in model.named_modules():
        if not isinstance(module, torch.nn.Linear) or name in skip:
            continue
        parts, weight = pack(name, module.weight.detach())
        state.pop(f"{name}.weight")
        state.update({f"{name}.{part}": tensor.contiguous() for part, tensor in parts.items()})
        with torch.no_grad():
            module.weight.copy_(weight)
    folder.mkdir(parents=True, exist_ok=True)
    model.config.save_pretrained(folder)
    if quantization is not None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "quantization_config": quantization}))
    save_file(state, folder / "model.safetensors", {"format": "pt"})
    tiny_tokenizer().save_pretrained(folder)
    return model
