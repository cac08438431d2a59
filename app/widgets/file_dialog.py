"""Asks where to write a file."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QDir, QSettings
from PySide6.QtWidgets import QFileDialog, QWidget

from core.results.results import Results


def stem(results: Results) -> str:
    """Return a file name's stem, `demo_chat_2026-11-30`: model, prompts and day, valid on every platform."""
    if results.experiment is None or results.started is None:
        return "comparison"
    model = Path(results.experiment.model.source).name
    prompts = Path(results.experiment.workload.prompts).stem
    return re.sub(r"[^\w.\-]+", "-", "_".join((model, prompts, results.started.created[:10])))


def ask_for_file(parent: QWidget | None, title: str, name: str, filters: str) -> Path | None:
    """Return the chosen path, starting in the last folder; None if the user cancels."""
    settings = QSettings()
    folder = Path(str(settings.value("export/folder", QDir.homePath())))
    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(folder / name), filters)
    if not chosen:
        return None
    settings.setValue("export/folder", str(Path(chosen).parent))
    return Path(chosen)
