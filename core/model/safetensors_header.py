"""Reads the header of a safetensors file: names, types and shapes, without torch and without the data.

Format: 8 bytes of length (little endian), JSON, data. https://github.com/huggingface/safetensors#format
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path

_BITS = {
    "F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "F16": 16, "BF16": 16,
    "I16": 16, "U16": 16, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "I8": 8, "U8": 8, "BOOL": 8,
    "C64": 64, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
}  # fmt: skip


class SafetensorsError(ValueError):
    """The file is truncated or corrupt."""


@dataclass(frozen=True)
class SafetensorsTensor:
    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def elements(self) -> int:
        return prod(self.shape)


def read_tensors(path: Path) -> list[SafetensorsTensor]:
    """Return the tensors in the header of `path`, checked against each other and the file's length. Raises
    SafetensorsError and OSError."""
    size = path.stat().st_size
    with path.open("rb") as file:
        first = file.read(8)
        if len(first) < 8:
            raise SafetensorsError(f"truncated: the file has only {size} bytes")
        (length,) = struct.unpack("<Q", first)
        if length > 100_000_000:  # the limit of the format: so this is not a header at all
            raise SafetensorsError("corrupt: the file does not begin with a safetensors header")
        if 8 + length > size:
            raise SafetensorsError(f"truncated: the header needs {8 + length:,} bytes, the file has {size:,}")
        try:
            header = json.loads(file.read(length))
            tensors, places = [], []
            for name, entry in header.items():
                if name == "__metadata__":
                    continue
                tensor = SafetensorsTensor(name, entry["dtype"], tuple(entry["shape"]))
                begin, stop = entry["data_offsets"]
                if any(type(n) is not int or n < 0 for n in (*tensor.shape, begin, stop - begin)):
                    raise SafetensorsError(f"corrupt: the shape or the place of tensor {name} is no whole number")
                bits = _BITS.get(tensor.dtype)
                if bits is None:
                    raise SafetensorsError(
                        f"tensor {name} has the type {tensor.dtype!r}, which the format does not have"
                    )
                if (stop - begin) * 8 != tensor.elements * bits:
                    raise SafetensorsError(f"corrupt: the size of tensor {name} does not fit its shape")
                tensors.append(tensor)
                places.append((begin, stop))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, SafetensorsError):
                raise
            raise SafetensorsError("corrupt: the header is not valid JSON of tensors") from None
    end = max((stop for _, stop in places), default=0)
    if 8 + length + end != size:
        kind = "truncated" if 8 + length + end > size else "corrupt"
        raise SafetensorsError(f"{kind}: the file has {size:,} bytes, its header promises {8 + length + end:,}")
    places.sort()
    if any(stop != begin for (_, stop), (begin, _) in zip([(0, 0), *places], places, strict=False)):
        raise SafetensorsError("corrupt: tensors overlap, or there are gaps between them")
    return tensors
