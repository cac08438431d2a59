"""Brings weights from the disk before they are mapped."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import RawIOBase
from pathlib import Path

_CHUNK = 32 << 20
_STEP = 1 << 20  # between two places of a chunk that are looked at


def read_ahead(folder: Path, size: int, report: Callable[[float, float], None]) -> None:
    """Read the weights in a folder once, sequentially, so that a cold disk delivers its full rate and `report(done,
    total)` can tell progress; transformers then maps the files from the page cache. What is there already is not read
    again, where the system tells (preadv2, Linux 4.14)."""
    done, buffer = 0, bytearray(_CHUNK)
    for file in sorted(folder.glob("*.safetensors")):
        length = file.stat().st_size
        with file.open("rb", buffering=0) as stream:
            for start in range(0, length, _CHUNK):
                count = min(_CHUNK, length - start)
                if not is_cached(stream.fileno(), start, count):
                    read_chunk(stream, start, buffer)
                done += count
                report(done, max(done, size))


def read_chunk(stream: RawIOBase, start: int, buffer: bytearray) -> int:
    """Read a part of a file into the buffer, and return the number of bytes."""
    stream.seek(start)
    return stream.readinto(buffer) or 0


def is_cached(file: int, start: int, count: int) -> bool:
    """Return whether the bytes of a file are in the page cache, as far as one page a MiB tells. False where the system
    does not say."""
    if not hasattr(os, "RWF_NOWAIT"):
        return False
    one = [bytearray(1)]
    try:
        return all(
            os.preadv(file, one, place, os.RWF_NOWAIT) == 1
            for place in [*range(start, start + count, _STEP), start + count - 1]
        )
    except OSError:  # not there (EAGAIN), or a file system that cannot tell
        return False
