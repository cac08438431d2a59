"""Short names of torch's data types."""

from __future__ import annotations

import torch

BY_NAME = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16, "fp64": torch.float64}
_NAMES = {dtype: name for name, dtype in BY_NAME.items()}


def name(dtype: torch.dtype) -> str:
    """Return the short name, `fp32`; torch's own name for other types."""
    return _NAMES.get(dtype, str(dtype).removeprefix("torch."))
