"""Names and values inside sentences."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said
from core.base import formatting

SENTENCE = 32  # characters: parts of a list that are longer have a line each


def value_text(key: str, value: Any) -> str:
    """Return a receipt's value in words: bytes as GiB, lists joined, None as `—`."""
    if value is None or value == "" or value == []:
        return "—"
    if isinstance(value, bool):
        return QCoreApplication.translate("Facts", "yes") if value else QCoreApplication.translate("Facts", "no")
    if isinstance(value, list):
        parts = [said(str(v)) for v in value]
        return ("\n" if any(len(part) > SENTENCE for part in parts) else ", ").join(parts)
    if isinstance(value, int) and "bytes" in key:
        return formatting.size(value)
    if isinstance(value, float):
        return formatting.number(value)
    return said(str(value))


def name_text(key: str) -> str:
    """Return the title of a receipt's value: `weights_bytes` is "Weights"."""
    return said(key.replace("_bytes", "").replace("_", " ").capitalize().replace("Kv", "KV"))


def named(name: str, value: str) -> str:
    """Return a name and its value on one line."""
    return QCoreApplication.translate("Facts", "{name}: {value}").format(name=name, value=value)
