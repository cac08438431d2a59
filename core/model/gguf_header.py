"""Reads the header of a GGUF file, metadata and tensor list, in milliseconds and without torch. The `gguf` package's
reader takes seconds, since it turns every token of the vocabulary into arrays; long arrays are skipped here. Format:
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

# Value types of the metadata: struct code of each scalar.
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_length = struct.Struct("<Q").unpack_from
# No file has more; one that says so would keep the reader busy for ever.
_MOST, _MOST_DIMENSIONS, _DEEPEST = 10_000_000, 16, 4

# Tensor types: name, elements per block, bytes per block.
_TENSOR_TYPES = {
    0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 36), 10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110), 12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210),
    15: ("Q8_K", 256, 292),
    16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74), 18: ("IQ3_XXS", 256, 98), 19: ("IQ1_S", 256, 50),
    20: ("IQ4_NL", 32, 18), 21: ("IQ3_S", 256, 110), 22: ("IQ2_S", 256, 82), 23: ("IQ4_XS", 256, 136),
    24: ("I8", 1, 1), 25: ("I16", 1, 2), 26: ("I32", 1, 4), 27: ("I64", 1, 8), 28: ("F64", 1, 8),
    29: ("IQ1_M", 256, 56), 30: ("BF16", 1, 2), 34: ("TQ1_0", 256, 54), 35: ("TQ2_0", 256, 66),
    39: ("MXFP4", 32, 17),
}  # fmt: skip


_NUMBERS = {name: number for number, (name, _, _) in _TENSOR_TYPES.items()}


def type_number(name: str) -> int:
    """Return the number of a tensor type in GGUF files: `Q4_1` → 3."""
    return _NUMBERS[name]


class GgufError(ValueError):
    """The file is no GGUF file, is truncated, or has an impossible header."""


@dataclass(frozen=True)
class GgufTensor:
    name: str
    shape: tuple[int, ...]
    type: str
    offset: int = 0  # from the begin of the data
    bytes: int = 0

    @property
    def elements(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class Header:
    """`metadata` holds scalars, strings and arrays of up to 1,024 scalars; a longer array is replaced by its length.
    Its key-value pairs end at the offset `pairs_end`; the tensors' data begin at `data_start`."""

    metadata: dict[str, Any]
    tensors: tuple[GgufTensor, ...]
    pairs: int = 0
    pairs_end: int = 0
    data_start: int = 0
    alignment: int = 32


class _Cursor:
    def __init__(self, data: mmap.mmap) -> None:
        self.data, self.at = data, 0

    def scalar(self, code: str) -> Any:
        value = struct.unpack_from("<" + code, self.data, self.at)[0]
        self.at += struct.calcsize("<" + code)
        return value

    def raw(self) -> bytes:
        length = self.scalar("Q")
        if length > len(self.data) - self.at:
            raise GgufError("the file ends inside its header")
        value = self.data[self.at : self.at + length]
        self.at += length
        return value

    def value(self, kind: int, depth: int = 0) -> Any:
        if kind in _SCALARS:
            return self.scalar(_SCALARS[kind])
        if kind == _STRING:
            return self.raw().decode("utf-8", "replace")
        if kind == _ARRAY:
            if depth == _DEEPEST:
                raise GgufError("the header holds arrays that are nested too deeply")
            return self.array(self.scalar("I"), self.scalar("Q"), depth + 1)
        raise GgufError(f"the header holds a value of the unknown type {kind}")

    def array(self, kind: int, length: int, depth: int) -> Any:
        if kind in _SCALARS and length > 1024:
            self.at += length * struct.calcsize("<" + _SCALARS[kind])
            return length
        if kind == _STRING and length > 1024:
            data, at = self.data, self.at
            for _ in range(length):  # strings have no fixed width: hop from length to length
                at += 8 + _length(data, at)[0]
            self.at = at
            return length
        return [self.value(kind, depth) for _ in range(length)]


def read_header(path: Path) -> Header:
    """Return the header of `path`, checked against the file's length; cached while the file does not change. Raises
    GgufError and OSError."""
    stat = path.stat()
    return _read(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=16)
def _read(path: Path, size: int, _changed_ns: int) -> Header:
    if size < 24:
        raise GgufError("the file is too short to be a GGUF file" if size else "the file is empty")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[:4] != b"GGUF":
            raise GgufError("the file does not begin with the letters GGUF")
        try:
            return _parse(_Cursor(data), size)
        except (struct.error, OverflowError, MemoryError):
            raise GgufError("the file ends inside its header") from None


def _parse(cursor: _Cursor, size: int) -> Header:
    cursor.at = 4
    version = cursor.scalar("I")
    if version not in (2, 3):
        raise GgufError(f"GGUF version {version} is not supported (2 and 3 are)")
    tensor_count, pair_count = cursor.scalar("Q"), cursor.scalar("Q")
    if max(tensor_count, pair_count) > _MOST:
        raise GgufError(f"its header cannot be: it promises {tensor_count:,} tensors and {pair_count:,} values")
    metadata: dict[str, Any] = {}
    for _ in range(pair_count):
        key = cursor.raw().decode("utf-8", "replace")
        metadata[key] = cursor.value(cursor.scalar("I"))
    pairs_end, tensors, data_bytes = cursor.at, [], 0
    for _ in range(tensor_count):
        name = cursor.raw().decode("utf-8", "replace")
        dimensions = cursor.scalar("I")
        if dimensions > _MOST_DIMENSIONS:
            raise GgufError(f"tensor {name} has {dimensions:,} dimensions")
        shape = tuple(cursor.scalar("Q") for _ in range(dimensions))
        kind, offset = cursor.scalar("I"), cursor.scalar("Q")
        if kind not in _TENSOR_TYPES:
            raise GgufError(f"tensor {name} has the unknown type {kind}")
        type_name, block, block_bytes = _TENSOR_TYPES[kind]
        tensors.append(GgufTensor(name, shape, type_name, offset, prod(shape) // block * block_bytes))
        data_bytes = max(data_bytes, offset + tensors[-1].bytes)
    alignment = metadata.get("general.alignment", 32)
    if type(alignment) is not int or alignment < 1:
        raise GgufError(f"general.alignment must be a whole number above 0 (it is {alignment!r})")
    data_start = -(-cursor.at // alignment) * alignment
    if size < data_start + data_bytes:
        raise GgufError(f"the file has {size:,} bytes where its header promises {data_start + data_bytes:,}")
    return Header(metadata, tuple(tensors), pair_count, pairs_end, data_start, alignment)
