"""The drop target for a file of prompts: the workload's field."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.files.drop_target import accept_copy, one_path
from core.base.files import is_file
from core.prompts.prompt_files import SUFFIXES


class PromptDrop(QObject):
    """Filters the field's events; `dropped` emits the path."""

    dropped = Signal(str)

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        field.setAcceptDrops(True)
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent) and _file(event) is not None:
            accept_copy(event)
            return True
        if event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            path = _file(event)
            if path is not None:
                accept_copy(event)
                self.dropped.emit(str(path))
                return True
        return False


def _file(event: QDropEvent) -> Path | None:
    path = one_path(event)
    return path if path is not None and path.suffix.lower() in SUFFIXES and is_file(path) else None
