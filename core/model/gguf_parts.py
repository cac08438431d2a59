"""Finds and joins the parts of a split GGUF model, NAME-00001-of-00003.gguf, by the keys `split.no`, `split.count` and
`split.tensors.count` and the names that llama.cpp's gguf-split writes:
https://github.com/ggml-org/llama.cpp/tree/master/tools/gguf-split"""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from core.model.gguf_header import GgufError, Header, read_header, type_number

_NAME = re.compile(r"(?P<stem>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.IGNORECASE | re.DOTALL)
#: No model has more: a header that says so is wrong.
_MOST = 10_000
_CHUNK = 8 << 20


class PartMissing(GgufError):
    """Parts of a split model are missing or do not belong together."""


def parts(path: Path) -> list[Path]:
    """Return all parts of the model of `path` in order; `[path]` for an unsplit file. Raises GgufError and OSError,
    PartMissing if a part is missing."""
    header = read_header(path)
    count = header.metadata.get("split.count", 0)
    if type(count) is not int or not 0 <= count <= _MOST:
        raise GgufError(f"split.count must be a whole number up to {_MOST:,} (it is {count!r})")
    if count < 2:
        return [path]
    found = _NAME.fullmatch(path.name)
    if found is None or int(found["count"]) != count:
        number = header.metadata.get("split.no", 0)
        raise PartMissing(
            f"is part {number + 1 if type(number) is int else '?'} of {count}, and its name does not say where the "
            f"others are (NAME-00001-of-{count:05d}.gguf)"
        )
    files = [path.with_name(f"{found['stem']}-{i:05d}-of-{count:05d}{path.suffix}") for i in range(1, count + 1)]
    number, lacking = int(found["number"]), [i for i, file in enumerate(files, 1) if not file.is_file()]
    if len(lacking) == 1:
        raise PartMissing(f"is part {number} of {count}, part {lacking[0]} is missing beside it")
    if lacking:
        shown = ", ".join(map(str, lacking[:10])) + (", …" if len(lacking) > 10 else "")
        raise PartMissing(f"is part {number} of {count}, parts {shown} are missing beside it")
    return files


def number(path: Path) -> int:
    """Return a file's part number by its name, from 1; 1 for an unsplit file."""
    found = _NAME.fullmatch(path.name)
    return int(found["number"]) if found else 1


def first(path: Path) -> Path:
    """Return the path of the first part by the file's name, whether or not it exists."""
    found = _NAME.fullmatch(path.name)
    return path.with_name(f"{found['stem']}-00001-of-{found['count']}{path.suffix}") if found else path


def read_whole_header(path: Path) -> Header:
    """Return the header of the whole model: the first part's metadata and all parts' tensors. Raises GgufError and
    OSError, PartMissing if the parts lack tensors."""
    files = parts(path)
    headers = [read_header(file) for file in files]
    if len(files) == 1:
        return headers[0]
    for number, (file, header) in enumerate(zip(files, headers, strict=True)):
        if header.metadata.get("split.no") != number or header.metadata.get("split.count") != len(files):
            raise PartMissing(f"{file.name} is not part {number + 1} of {len(files)} of this model")
    tensors = tuple(t for header in headers for t in header.tensors)
    wanted = headers[0].metadata.get("split.tensors.count", len(tensors))
    if len(tensors) != wanted or len({t.name for t in tensors}) != len(tensors):
        raise PartMissing(f"its {len(files)} parts hold {len(tensors):,} tensors, and it should have {wanted:,}")
    return replace(headers[0], tensors=tensors)


def join(path: Path, target: Path) -> None:
    """Write the parts of the model of `path` as one file. Raises GgufError and OSError."""
    files, whole = parts(path), read_whole_header(path)
    alignment, places, at = whole.alignment, [], 0
    for tensor in whole.tensors:
        places.append(at)
        at += -(-tensor.bytes // alignment) * alignment
    with files[0].open("rb") as first:
        version = first.read(8)[4:]
        first.seek(24)
        pairs = first.read(whole.pairs_end - 24)
    with target.open("wb") as out:
        out.write(b"GGUF" + version + struct.pack("<QQ", len(whole.tensors), whole.pairs) + pairs)
        for tensor, place in zip(whole.tensors, places, strict=True):
            name = tensor.name.encode()
            out.write(struct.pack("<Q", len(name)) + name + struct.pack("<I", len(tensor.shape)))
            out.write(struct.pack(f"<{len(tensor.shape)}QIQ", *tensor.shape, type_number(tensor.type), place))
        start, numbers = -(-out.tell() // alignment) * alignment, iter(places)
        for file in files:
            header = read_header(file)
            with file.open("rb") as source:
                for tensor in header.tensors:
                    source.seek(header.data_start + tensor.offset)
                    out.seek(start + next(numbers))
                    _copy(source, out, tensor.bytes)
        out.truncate(start + at)  # the last tensor is padded too


def _copy(source: BinaryIO, out: BinaryIO, count: int) -> None:
    while count:
        chunk = source.read(min(count, _CHUNK))
        if not chunk:
            raise GgufError("the file became shorter while it was read")
        out.write(chunk)
        count -= len(chunk)
