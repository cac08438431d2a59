"""Cache layers that keep less than all keys and values: quantized, and a window with sinks. Neither can drop positions,
so neither can serve speculation."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor
from transformers.cache_utils import DynamicLayer

Format = Literal["fp8", "int8", "int4"]


class QuantizedKvLayer(DynamicLayer):
    """Keys and values in 8 or 4 bits, the newest `window` positions in full precision. Positions leave the window in
    blocks of `block`. int8 and int4 are affine: keys share a scale per channel over the block (their outliers sit in
    fixed channels), values per token and head. fp8 is e4m3 with one scale per token and head for both. The whole past
    is dequantized at every step: this saves memory, never time. Source: KIVI, Liu et al. 2024."""

    is_croppable = False
    keys: Tensor  # of the window, [B, H, n, D]
    values: Tensor

    def __init__(self, fmt: Format, window: int, block: int) -> None:
        super().__init__()
        self.fmt, self.window, self.block = fmt, window, block
        self.stored: dict[str, Tensor] = {}  # codes, scales and zeros of the positions outside the window
        self.count = 0  # of them

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Append [B, H, n, D] and return all keys and values, dequantized, [B, H, count + rest, D]."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        keys = torch.cat([*self._past("k", key_states.dtype), self.keys, key_states], dim=-2)
        values = torch.cat([*self._past("v", value_states.dtype), self.values, value_states], dim=-2)
        self.keys, self.values = keys[..., self.count :, :], values[..., self.count :, :]
        ready = (self.keys.shape[-2] - self.window) // self.block * self.block
        if ready > 0:
            self._store("k", self.keys[..., :ready, :], per_channel=True)
            self._store("v", self.values[..., :ready, :], per_channel=False)
            self.count += ready
            self.keys, self.values = self.keys[..., ready:, :], self.values[..., ready:, :]
        # A view would keep the dequantized past alive, which is what this class exists to avoid.
        self.keys, self.values = self.keys.clone(), self.values.clone()
        return keys, values

    def get_seq_length(self) -> int:
        return self.count + super().get_seq_length()

    def _past(self, name: str, dtype: torch.dtype) -> list[Tensor]:
        """Return the positions that left the window, dequantized: one tensor [B, H, count, D], or none."""
        if not self.count:
            return []
        codes, scale = self.stored[f"{name}_codes"], self.stored[f"{name}_scale"]
        if self.fmt == "fp8":
            return [codes.to(dtype) * scale]
        zero = self.stored[f"{name}_zero"]
        if self.fmt == "int4":
            codes = torch.stack([codes & 0xF, codes >> 4], dim=-1).flatten(-2)
        if name == "k":  # one scale a block and channel
            scale, zero = scale.repeat_interleave(self.block, -2), zero.repeat_interleave(self.block, -2)
        return [codes.to(dtype) * scale + zero]

    def _store(self, name: str, full: Tensor, per_channel: bool) -> None:
        """Quantize [B, H, n, D] and append it to the stored codes."""
        if self.fmt == "fp8":
            scale = full.abs().amax(-1, keepdim=True).clamp_min(1e-6) / 448  # the largest e4m3 number
            new = {"codes": (full / scale).to(torch.float8_e4m3fn), "scale": scale}
        else:
            levels = 255 if self.fmt == "int8" else 15
            blocks = full.unflatten(-2, (-1, self.block)) if per_channel else full
            dim = -2 if per_channel else -1
            low, high = blocks.amin(dim, keepdim=True), blocks.amax(dim, keepdim=True)
            scale = ((high - low) / levels).clamp_min(1e-6)
            codes = ((blocks - low) / scale).round().clamp(0, levels).to(torch.uint8)
            if per_channel:
                codes, scale, low = codes.flatten(-3, -2), scale.squeeze(-2), low.squeeze(-2)
            if self.fmt == "int4":
                codes = codes[..., ::2] | codes[..., 1::2] << 4
            new = {"codes": codes, "scale": scale, "zero": low}
        for part, tensor in new.items():
            key = f"{name}_{part}"
            old = self.stored.get(key)
            self.stored[key] = tensor.contiguous() if old is None else _append(old, tensor)


class SinkWindowLayer(DynamicLayer):
    """Keeps the first `sinks` positions and the last `window`; positions between them are dropped after each pass. A
    pass of several tokens (the prompt) still attends to all of itself. Keys keep the positions at which they were
    computed. Source: StreamingLLM, Xiao et al. 2023."""

    is_croppable = False

    def __init__(self, window: int, sinks: int) -> None:
        super().__init__()
        self.window, self.sinks = window, sinks
        self.seen = 0

    def update(self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        """Append [B, H, n, D] and return the kept keys and values with the new ones."""
        keys, values = super().update(key_states, value_states)
        self.seen += key_states.shape[-2]
        if keys.shape[-2] > self.sinks + self.window:
            self.keys, self.values = self._kept(keys), self._kept(values)
        return keys, values

    def _kept(self, full: Tensor) -> Tensor:
        return torch.cat([full[..., : self.sinks, :], full[..., -self.window :, :]], dim=-2)

    def get_seq_length(self) -> int:
        return self.seen

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Return the sizes as if the kept positions lay directly before the new tokens: all of them are visible."""
        kept = super().get_seq_length()
        return kept + query_length, self.seen - kept


def _append(old: Tensor, new: Tensor) -> Tensor:
    if old.dtype == torch.float8_e4m3fn:  # not every build concatenates fp8
        return torch.cat([old.view(torch.uint8), new.view(torch.uint8)], dim=-2).view(torch.float8_e4m3fn)
    return torch.cat([old, new], dim=-2)
