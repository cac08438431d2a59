"""Short names of models."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core.model.source import ModelSource


def named(source: ModelSource) -> str:
    """Return a model's short name: its id, or the name of its file or folder."""
    if source.source == "demo":
        return QCoreApplication.translate("RecentModels", "Demo model")
    path = source.source.replace("\\", "/").rstrip("/")
    local = path.startswith(("/", "~", ".")) or path[1:2] == ":"
    name = path.rsplit("/", 1)[-1] if local else path
    return f"{name} · {source.revision[:8]}" if source.revision else name
