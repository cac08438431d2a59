"""The caches that can be made again: their sizes, and clearing them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal

from core.base.folders import cache_folder

#: Names of the caches, and the folders that each is made of.
CACHES: dict[str, tuple[str, ...]] = {
    "models": ("models",),
    "quality": ("quality",),
    "kernels": ("inductor",),
}


def folders(cache: str) -> list[Path]:
    return [cache_folder() / name for name in CACHES[cache]]


def size_of(folder: Path, stop: Callable[[], bool] = lambda: False) -> int:
    """Return the bytes of all files below a folder, or of some if `stop` is true; vanishing files count 0."""
    total = 0
    for file in folder.rglob("*"):
        if stop():
            break
        try:
            total += file.lstat().st_size if file.is_file() else 0
        except OSError:
            continue
    return total


class CacheThread(QThread):
    """Clears some caches, then emits the size of each; `failed` emits the reason if one could not be cleared."""

    sized = Signal(str, float)  # name, bytes (a float: Qt's integers end at 2 GiB)
    failed = Signal(str)

    def __init__(self, clear: Sequence[str] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clear = clear

    def run(self) -> None:
        for cache in self._clear:
            for folder in folders(cache):
                try:
                    shutil.rmtree(folder)
                except FileNotFoundError:
                    continue
                except OSError as error:
                    self.failed.emit(f"{folder}: {error.strerror or error}")
        for cache in CACHES:
            total = sum(size_of(folder, self.isInterruptionRequested) for folder in folders(cache))
            if self.isInterruptionRequested():
                return
            self.sized.emit(cache, float(total))
