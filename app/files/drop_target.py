"""Drag and drop of a model, results, an experiment, a preset or prompts onto the window."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.base.theme import theme
from app.session.session import Session
from core.base.files import is_file, is_folder
from core.results.journal import JOURNAL

Kind = Literal["results", "experiment", "preset", "prompts", "model"]
PRESETS = (".json", ".dyno-preset")
SUFFIXES = (".gguf", ".toml", ".jsonl", ".txt", *PRESETS)


class DropFrame(QWidget):
    """An accent frame over the window while something that can be opened is dragged over it."""

    dropped = Signal(object)  # Path

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self.words = ""
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        elif isinstance(event, QDragEnterEvent):
            path = _path(event)
            event.ignore()
            if path is not None and not self._session.running:
                accept_copy(event)
                self.words = self._what(path)
                self.raise_()
                self.show()
        elif event.type() == QEvent.Type.DragLeave:
            self.hide()
        elif event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.hide()
            path = _path(event)
            if path is not None:
                accept_copy(event)
                self.dropped.emit(path)
        else:
            return False
        return event.type() != QEvent.Type.Resize

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(theme.color("accent"), 4))
        painter.drawRect(self.rect().adjusted(2, 2, -2, -2))
        painter.setFont(theme.font(15, 600))
        width = painter.fontMetrics().horizontalAdvance(self.words) + 48
        box = QRect(0, 0, width, 44)
        box.moveCenter(self.rect().center())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(box, 8, 8)
        painter.setPen(theme.color("on_accent"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.words)

    def _what(self, path: Path) -> str:
        return {
            "results": self.tr("Open as results"),
            "experiment": self.tr("Open as experiment"),
            "preset": self.tr("Open as preset"),
            "prompts": self.tr("Look at as prompts"),
            "model": self.tr("Open as model"),
        }[kind_of(path)]


def kind_of(path: Path) -> Kind:
    """Return what a path is opened as."""
    if is_folder(path) and is_file(path / JOURNAL):
        return "results"
    if path.suffix.lower() == ".json":
        return "prompts" if _is_list(path) else "preset"
    kinds: dict[str, Kind] = {
        ".toml": "experiment", ".jsonl": "prompts", ".txt": "prompts", ".dyno-preset": "preset",
    }  # fmt: skip
    return kinds.get(path.suffix.lower(), "model")


def _is_list(path: Path) -> bool:
    """Return whether a JSON file begins as a list, which ShareGPT's files do and presets do not."""
    if not is_file(path):  # a pipe has no beginning until somebody writes
        return False
    try:
        with path.open("rb") as file:
            return file.read(100).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
    except OSError:
        return False


def accept_copy(event: QDropEvent) -> None:
    """Accept a drop as a copy, whatever was proposed: the source of a move would delete it."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def preset_in(event: QDropEvent) -> Path | None:
    """Return the dragged file if it is a single preset."""
    path = _path(event)
    return path if path is not None and is_file(path) and kind_of(path) == "preset" else None


def one_path(event: QDropEvent) -> Path | None:
    """Return the dragged path if it is a single local file or folder."""
    urls = event.mimeData().urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None


def _path(event: QDropEvent) -> Path | None:
    path = one_path(event)
    return path if path is not None and (is_folder(path) or path.suffix.lower() in SUFFIXES) else None
