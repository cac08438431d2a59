"""Dyno's quantized Linears on torch's weight-only kernels. Both cast activations to bf16 inside (with fp32 activations
the same kernels are 5–20 times slower) and cast the result back. Weights, scales and zeros are buffers and cannot be
trained."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from core.kernels.base.surgery import replace_linears, storage_bytes, untie_head

__all__ = [
    "GROUP_SIZES",
    "CannotQuantize",
    "Int4Linear",
    "Int8Linear",
    "dequantize_int4",
    "int4_codes",
    "int4_fault",
    "int4_grid",
    "quantize_int4",
    "replace_linears",
    "storage_bytes",
    "untie_head",
]

GROUP_SIZES = (32, 64, 128, 256)


class CannotQuantize(ValueError):
    """The kernel does not take a layer of this shape; the message says why."""


class Int8Linear(nn.Module):
    """int8 per output channel, symmetric: w[N, K] = q · scale[N], through `torch._weight_int8pack_mm`."""

    weight: Tensor  # int8 [N, K]
    scale: Tensor  # bf16 [N]
    bias: Tensor | None

    def __init__(self, q: Tensor, scale: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.out_features, self.in_features = q.shape
        self.register_buffer("weight", q)
        self.register_buffer("scale", scale)
        self.register_buffer("bias", bias)

    @classmethod
    def from_linear(cls, linear: nn.Linear) -> Int8Linear:
        """Return the layer rounded to nearest. Raises CannotQuantize."""
        k = linear.in_features
        if k % 16:  # measured, torch 2.13: the CPU kernel then reads past the row (NaN, or a crash)
            raise CannotQuantize(f"K = {k} is not a multiple of 16")
        weight = linear.weight.detach()
        q = torch.empty(weight.shape, dtype=torch.int8, device=weight.device)
        scale = torch.empty(len(weight), dtype=torch.bfloat16, device=weight.device)
        size = max(1, 2**24 // k)  # rows at a time: an output head of 8B would take 6 GB more
        for i in range(0, len(weight), size):
            part = slice(i, i + size)
            scale[part] = (weight[part].float().abs().amax(1) / 127).clamp_min(1e-12)
            q[part] = (weight[part].float() / scale[part].float()[:, None]).round_().clamp_(-128, 127)
        return cls(q, scale, _bias(linear))

    def forward(self, x: Tensor) -> Tensor:
        """Return […, N] in x's dtype for […, K]."""
        rows = x.reshape(-1, self.in_features).to(torch.bfloat16).contiguous()  # x may be a transposed view
        if rows.device.type == "cpu":
            return _finish(torch._weight_int8pack_mm(rows, self.weight, self.scale), x, self.bias)
        # CUDA's int8 kernel has one thread for an output and no tensor cores (int8mm.cu, torch 2.13). torch.compile
        # fuses this product into one that reads int8; a scale in bf16 would make it that kernel again.
        product = nn.functional.linear(rows, self.weight.to(torch.bfloat16)) * self.scale.float()
        return _finish(product, x, self.bias)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


class Int4Linear(nn.Module):
    """4-bit affine in groups along K: w = (q − 8)·scale + zero, through torch's int4pack kernels (on CUDA tinygemm's).
    `how` tells how the codes were found: "rounded" to nearest, or by a calibration."""

    packed: Tensor  # the kernel's own layout, half a byte a weight
    scale_zero: Tensor  # bf16 [K/group, N, 2]
    bias: Tensor | None

    def __init__(
        self, q: Tensor, scale_zero: Tensor, group_size: int, bias: Tensor | None, how: str = "rounded"
    ) -> None:
        super().__init__()
        self.out_features, self.in_features = q.shape
        self.group_size = group_size
        self.how = how
        self.register_buffer("packed", _pack_int4(q))
        self.register_buffer("scale_zero", scale_zero)
        self.register_buffer("bias", bias)

    @classmethod
    def from_linear(cls, linear: nn.Linear, group_size: int) -> Int4Linear:
        """Return the layer rounded to nearest. Raises CannotQuantize."""
        reason = int4_fault(linear.in_features, linear.out_features, group_size, linear.weight.device.type)
        if reason:
            raise CannotQuantize(reason)
        return cls.from_codes(*quantize_int4(linear.weight.detach(), group_size), linear.bias)

    @classmethod
    def from_codes(
        cls, q: Tensor, scale: Tensor, zero: Tensor, bias: Tensor | None, how: str = "rounded"
    ) -> Int4Linear:
        """Return the layer from what `quantize_int4` returned."""
        group_size = q.shape[1] // scale.shape[1]
        scale_zero = torch.stack([scale.T, zero.T], dim=-1).contiguous()
        return cls(q, scale_zero, group_size, None if bias is None else bias.detach().clone(), how)

    def forward(self, x: Tensor) -> Tensor:
        """Return […, N] in x's dtype for […, K]."""
        rows = x.reshape(-1, self.in_features).to(torch.bfloat16).contiguous()  # x may be a transposed view
        multiply = (
            torch.ops.aten._weight_int4pack_mm_for_cpu
            if rows.device.type == "cpu"
            else torch.ops.aten._weight_int4pack_mm
        )
        return _finish(multiply(rows, self.packed, self.group_size, self.scale_zero), x, self.bias)

    def extra_repr(self) -> str:
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, group_size={self.group_size}"


def int4_fault(k: int, n: int, group_size: int, device: str = "cpu") -> str:
    """Return why a Linear of K inputs and N outputs cannot be int4, or an empty string."""
    if k % group_size:
        return f"K = {k} is not a multiple of the group of {group_size}"
    n_multiple = 16 if device == "cpu" else 8
    if n % n_multiple:
        return f"N = {n} is not a multiple of {n_multiple}"
    return ""


def quantize_int4(weight: Tensor, group_size: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return weight [N, K] rounded to nearest: q int32 [N, K] in 0…15, and bf16 scale and zero, both [N, K/group]. q is
    chosen for the stored scale and zero, so that rounding those to bf16 costs as little as possible."""
    n, k = weight.shape
    weight = weight.detach()
    q = torch.empty(n, k, dtype=torch.int32, device=weight.device)
    scale, zero = torch.empty(2, n, k // group_size, dtype=torch.bfloat16, device=weight.device)
    size = max(1, 2**24 // k)  # rows at a time, as above
    for i in range(0, n, size):
        part = slice(i, i + size)
        groups = weight[part].float().reshape(-1, k // group_size, group_size)
        scale[part], zero[part] = int4_grid(groups)
        codes = int4_codes(groups, scale[part, :, None].float(), zero[part, :, None].float())
        q[part] = codes.reshape(-1, k).add_(8)
    return q, scale, zero


def int4_grid(groups: Tensor) -> tuple[Tensor, Tensor]:
    """Return bf16 scale and zero of groups […, group], from their least and greatest value. The zero is an integral
    code (8 − code times the scale), as other programs' formats require. A grid through the least value itself errs by
    less (measured on normal weights: 6 % of the squared error in groups of 32, 2 % in groups of 128), and no other
    program could load it."""
    low, high = groups.amin(-1).clamp_max(0), groups.amax(-1).clamp_min(0)
    scale = ((high - low) / 15).clamp_min(1e-9).bfloat16()
    point = (-low / scale.float()).round().clamp(0, 15)
    return scale, ((8 - point) * scale.float()).bfloat16()


def int4_codes(values: Tensor, scale: Tensor, zero: Tensor) -> Tensor:
    """Return the nearest codes q − 8, −8…7, as floats: value ≈ code·scale + zero."""
    return ((values - zero) / scale).round_().clamp_(-8, 7)


def dequantize_int4(q: Tensor, scale: Tensor, zero: Tensor) -> Tensor:
    """Return fp32 [N, K] from what `quantize_int4` returned."""
    n, k = q.shape
    groups = (q.reshape(n, scale.shape[1], -1) - 8) * scale.float()[..., None] + zero.float()[..., None]
    return groups.reshape(n, k)


def _pack_int4(q: Tensor) -> Tensor:
    """Return int32 [N, K] in 0…15 in the layout of the device's kernel."""
    if q.device.type == "cpu":
        return torch.ops.aten._convert_weight_to_int4pack_for_cpu(q.contiguous(), 1)
    k = q.shape[1]
    inner = next((tiles for tiles in (8, 4, 2) if k % (tiles * 16) == 0), 0)
    if not inner:
        raise CannotQuantize(f"K = {k} is not a multiple of 32")
    pairs = (q[:, ::2] << 4 | q[:, 1::2]).to(torch.uint8).contiguous()
    return torch.ops.aten._convert_weight_to_int4pack(pairs, inner)


def _finish(rows: Tensor, x: Tensor, bias: Tensor | None) -> Tensor:
    out = rows.to(x.dtype).reshape(*x.shape[:-1], rows.shape[-1])
    return out if bias is None else out + bias


def _bias(linear: nn.Linear) -> Tensor | None:
    return None if linear.bias is None else linear.bias.detach().clone()
