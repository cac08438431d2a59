"""Keeps a number and its unit on one line. For wrapped texts, as in the window; files and the terminal keep plain
spaces."""

from __future__ import annotations

import re

UNITS = (
    "%", "ms", "µs", "s", "min", "h", "GiB", "MiB", "KiB", "GB/s", "MB/s", "GB", "MB", "kB", "tok/s", "req/s",
    "TFLOP/s", "GFLOP/s", "FLOP/s", "FLOP", "nats", "Hz", "MHz", "GHz", "W", "J", "°C", "M", "B",
)  # fmt: skip
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_SPACE = re.compile(
    rf"(?<=\d) (?=(?:{_UNIT})(?!\w))"  # 69 %, 3.17 GiB
    r"|(?<=\d) (?=[\u3400-\u9fff])"  # 4 轮
    r"|(?<=[≤≥<>≈±=→]) (?=[−±]?\d)"  # ≥ 97, → 73
    r"|(?<=\w) (?=[=→] [−±]?\d)"  # k = 4, 69 →
    r"|(?<=\d,) (?=[−-]?\d[\d.]*\])"  # [2.27, 2.36]
)


def tied(text: str) -> str:
    """Return the text with no-break spaces between figures and their units."""
    return _SPACE.sub("\u00a0", text).replace("\u2009", "\u202f")
