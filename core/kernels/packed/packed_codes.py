"""Decodes weights as makers of quantized checkpoints pack them. Sources: AutoGPTQ's `qlinear`, AutoAWQ's
`WQLinear_GEMM`, compressed-tensors' `pack_quantized`. Shapes are N outputs by K inputs; G groups along K share a scale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.kernels.weights.linears import GROUP_SIZES, CannotQuantize, Int4Linear, Int8Linear, int4_fault

#: Where AWQ's GEMM kernel wants the eight columns of a word, from the lowest four bits on.
_AWQ_ORDER = (0, 2, 4, 6, 1, 3, 5, 7)
_USUAL_BLOCK = 128
#: The values of e2m1's sixteen codes: a sign, two bits of exponent, one of mantissa.
_E2M1 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0)
MAKER = "maker"  # `how` of the layers that are made here


@dataclass(frozen=True)
class Codes:
    """The codes of a weight: w[n, k] = (q[n, k] − zero[n, g])·scale[n, g], where g is groups[k], or k's group by
    position."""

    q: Tensor  # int32 [N, K], 0 … 2^bits − 1
    scale: Tensor  # fp32 [N, G]
    zero: Tensor  # int32 [N, G]
    bits: int
    groups: Tensor | None = None  # int64 [K], only where inputs of a group are not neighbours

    def weight(self) -> Tensor:
        """Return the fp32 weight [N, K]."""
        n, k = self.q.shape
        if self.groups is not None:
            return (self.q - self.zero[:, self.groups]) * self.scale[:, self.groups]
        grouped = self.q.reshape(n, self.scale.shape[1], -1) - self.zero[..., None]
        return (grouped * self.scale[..., None]).reshape(n, k)

    def linear(self, bias: Tensor | None) -> nn.Module:
        """Return a Linear of Dyno's with exactly these codes; its scales are rounded to bf16. Raises CannotQuantize."""
        n, k = self.q.shape
        if self.groups is not None:
            raise CannotQuantize("the inputs of a group are not neighbours (desc_act)")
        if self.bits == 8:
            return self._int8(bias)
        if self.bits > 4:
            raise CannotQuantize(f"no kernel takes codes of {self.bits} bits")
        group = k // self.scale.shape[1]
        fits = [g for g in GROUP_SIZES if group % g == 0]
        if not fits:
            raise CannotQuantize(f"groups of {group} are no multiple of {GROUP_SIZES[0]}")
        if reason := int4_fault(k, n, fits[-1], self.q.device.type):
            raise CannotQuantize(reason)
        scale = self.scale.bfloat16().repeat_interleave(group // fits[-1], 1)
        middle = 1 << self.bits - 1  # becomes the kernel's 8, so that zeros stay small and are rounded by little
        zero = (middle - self.zero).repeat_interleave(group // fits[-1], 1) * scale.float()
        return Int4Linear.from_codes(self.q + (8 - middle), scale, zero.bfloat16(), bias, how=MAKER)

    def _int8(self, bias: Tensor | None) -> nn.Module:
        if self.scale.shape[1] > 1 or not bool((self.zero == 128).all()):
            raise CannotQuantize("int8 codes run with one scale per output and no zero point")
        if self.q.shape[1] % 16:
            raise CannotQuantize(f"K = {self.q.shape[1]} is not a multiple of 16")
        return Int8Linear((self.q - 128).to(torch.int8), self.scale[:, 0].bfloat16().contiguous(), bias)


def gptq(parts: Mapping[str, Tensor], zero_offset: int) -> Codes:
    """Return the codes of qweight int32 [K·bits/32, N], qzeros [G, N·bits/32], scales [G, N] and perhaps g_idx [K].
    Codes are a bit stream along K, zero points along N; `zero_offset` was subtracted from the zero points. Raises
    ValueError."""
    scale = parts["scales"].float().T.contiguous()
    n, groups = scale.shape
    bits = 32 * parts["qzeros"].shape[1] // n
    if not 2 <= bits <= 8:
        raise ValueError(f"codes of {bits} bits are none of GPTQ's")
    k = parts["qweight"].shape[0] * 32 // bits
    q = unpack(parts["qweight"].T, bits, k)
    zero = (unpack(parts["qzeros"], bits, n) + zero_offset & (1 << bits) - 1).T.contiguous()
    where = parts.get("g_idx")
    if where is not None:
        where = where.long()
        if where.numel() != k or int(where.min()) < 0 or int(where.max()) >= groups:
            raise ValueError("g_idx names groups that have no scale")
    return _codes(q, scale, zero, bits, where)


def awq(parts: Mapping[str, Tensor]) -> Codes:
    """Return the codes of qweight int32 [K, N/8], qzeros [G, N/8], scales [G, N], four bits in the order of AWQ's
    kernel."""
    scale = parts["scales"].float().T.contiguous()
    order = torch.tensor(_AWQ_ORDER).argsort()

    def columns(words: Tensor) -> Tensor:
        nibbles = unpack(words, 4, words.shape[1] * 8)
        return nibbles.reshape(len(words), -1, 8)[..., order].flatten(1).T.contiguous()

    return _codes(columns(parts["qweight"]), scale, columns(parts["qzeros"]), 4, None)


def compressed(parts: Mapping[str, Tensor], stated: int = 0) -> Codes:
    """Return the codes of weight_packed int32 [N, K·bits/32] (codes plus 2^(bits−1)), weight_scale [N, G], weight_shape
    [2], perhaps weight_zero_point (packed along N, or int8 [N, G]) and weight_g_idx. `stated` is the config's number of
    bits, if it has one. Codes are a bit stream; earlier versions left the rest of a word empty. Raises ValueError."""
    n, k = (int(size) for size in parts["weight_shape"])
    words = parts["weight_packed"].shape[1]
    widths = [b for b in (stated, 8, 4, 2, 3, 5, 6, 7) if b and words in (-(-k * b // 32), -(-k // (32 // b)))]
    if not widths:
        raise ValueError(f"{words} words of 32 bits do not hold {k} codes")
    bits = widths[0]
    read = unpack if words == -(-k * bits // 32) else _words
    scale = parts["weight_scale"].float()
    scale = scale if scale.dim() == 2 else scale.reshape(-1, 1)
    if len(parts["weight_packed"]) != n or len(scale) not in (1, n):
        raise ValueError(f"codes of {len(parts['weight_packed'])} outputs and scales of {len(scale)} are not {n} each")
    scale = scale.expand(n, -1).contiguous()
    found = parts.get("weight_zero_point")
    if found is None:
        zero = torch.full(scale.shape, 1 << bits - 1, dtype=torch.int32, device=scale.device)
    elif found.dtype == torch.int32:
        zero = read(found.T, bits, n).T.contiguous()
    else:
        zero = found.to(torch.int32).reshape(len(found), -1).expand(scale.shape) + (1 << bits - 1)
    where = parts.get("weight_g_idx")
    return _codes(read(parts["weight_packed"], bits, k), scale, zero, bits, None if where is None else where.long())


def scaled(parts: Mapping[str, Tensor], block: tuple[int, int] | None = None) -> Tensor | Codes:
    """Return the weight of fp8 or int8 `weight` [N, K] (or more dimensions before) times `weight_scale` or
    `weight_scale_inv`: one for all, [N], [N, 1], or one per `block`. An int8 layer with at most one scale per output
    and no zero point gives codes, others fp32 [N, K]. Raises ValueError."""
    weight = parts["weight"]
    scale = (parts["weight_scale"] if "weight_scale" in parts else parts["weight_scale_inv"]).float()
    zero = parts.get("weight_zero_point")
    n, k = weight.shape[-2:]
    if scale.numel() == 1:
        scale = scale.reshape(1, 1)
    elif scale.dim() == 1 and len(scale) == n:
        scale = scale[:, None]
    if scale.dim() != weight.dim() and scale.numel() > 1:
        raise ValueError(f"a scale of shape {list(scale.shape)} fits no weight of {list(weight.shape)}")
    if weight.dtype == torch.int8 and weight.dim() == 2 and scale.shape[-1] == 1 and (zero is None or not zero.any()):
        whole = scale.expand(n, 1).contiguous()
        return Codes(weight.to(torch.int32) + 128, whole, torch.full_like(whole, 128, dtype=torch.int32), 8)
    values = weight.float()
    if zero is not None:
        values = values - _spread(zero.float().reshape(scale.shape), n, k, block)
    return values * _spread(scale, n, k, block)


def nvfp4(parts: Mapping[str, Tensor]) -> Tensor:
    """Return fp32 [N, K] from `weight` or `weight_packed` uint8 [N, K/2] (two e2m1 numbers per byte, the first in the
    lower half), `weight_scale` fp8 [N, K/16], and a global scale: `weight_scale_2`, a factor (ModelOpt), or
    `weight_global_scale`, a divisor (compressed-tensors)."""
    codes = parts["weight_packed"] if "weight_packed" in parts else parts["weight"]
    values = torch.tensor(_E2M1, device=codes.device)
    numbers = torch.stack([values[(codes & 0xF).long()], values[(codes >> 4).long()]], dim=-1).flatten(-2)
    whole = parts["weight_scale_2"].float() if "weight_scale_2" in parts else 1 / parts["weight_global_scale"].float()
    scale = parts["weight_scale"].float() * whole
    return numbers * _spread(scale, numbers.shape[-2], numbers.shape[-1], (1, 16))


def unpack(words: Tensor, bits: int, count: int) -> Tensor:
    """Return int32 […, count] from a bit stream in int32 words […, count·bits/32], the lowest bits first."""
    if 32 % bits == 0:
        return _words(words, bits, count)
    first = torch.arange(count, device=words.device) * bits
    wide = torch.nn.functional.pad(words.long() & 0xFFFFFFFF, (0, 1))
    low, high = wide[..., first // 32], wide[..., first // 32 + 1]
    return ((low | high << 32) >> first % 32 & (1 << bits) - 1).to(torch.int32)


def _words(words: Tensor, bits: int, count: int) -> Tensor:
    """Return int32 […, count] from words of 32//bits codes each, none of which spans two words."""
    shifts = torch.arange(0, 32 // bits * bits, bits, device=words.device, dtype=torch.int32)
    return (words[..., None] >> shifts & (1 << bits) - 1).flatten(-2)[..., :count].contiguous()


def _codes(q: Tensor, scale: Tensor, zero: Tensor, bits: int, where: Tensor | None) -> Codes:
    k, groups = q.shape[1], scale.shape[1]
    if where is not None and k % groups == 0 and torch.equal(where, torch.arange(k, device=q.device) // (k // groups)):
        where = None
    if where is None and k % groups:
        raise ValueError(f"{k} inputs are no multiple of {groups} groups")
    if zero.shape != scale.shape or q.shape[0] != scale.shape[0]:
        raise ValueError(f"zero points {list(zero.shape)} and scales {list(scale.shape)} do not belong together")
    return Codes(q, scale, zero, bits, where)


def _spread(scale: Tensor, n: int, k: int, block: tuple[int, int] | None) -> Tensor:
    """Return a scale per element from one per block [.., N/bn, K/bk]; blocks at the edges may be smaller."""
    rows = _size(n, scale.shape[-2], block[0] if block else 0)
    columns = _size(k, scale.shape[-1], block[1] if block else 0)
    return scale.repeat_interleave(rows, -2)[..., :n, :].repeat_interleave(columns, -1)[..., :k]


def _size(length: int, blocks: int, stated: int) -> int:
    """Return the length of a block: as stated, else the usual 128, else what divides. Raises ValueError."""
    for size in (stated, _USUAL_BLOCK):
        if blocks > 1 and size > 0 and -(-length // size) == blocks:
            return size
    if length % blocks:
        raise ValueError(f"{blocks} scales along {length} weights: how long a block is, nothing says")
    return length // blocks
