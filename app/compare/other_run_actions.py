"""Adds another run to the comparison: by dialog, from the recent ones, or by dropping its folder."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from app.compare.other_runs import OtherRuns
from app.files.drop_target import DropFrame, kind_of
from app.files.recent_results import RecentResults
from app.session.session import Session
from app.settings.settings import Settings
from core.base.folders import data_folder


class OtherRunActions(QObject):
    added = Signal()  # one is being opened

    def __init__(self, session: Session, settings: Settings, beside: OtherRuns, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._settings, self._beside, self._window = session, settings, beside, window
        beside.refused.connect(self._refused)
        self.recent = RecentResults(
            settings, self.add, self.tr("Other results appear here"), self, lambda: session.results_folder
        )

    @Slot()
    def ask(self) -> None:
        start = self._session.runs_folder or data_folder() / "runs"
        folder = QFileDialog.getExistingDirectory(self._window, self.tr("Compare with results"), str(start))
        if folder:
            self.add(Path(folder))

    @Slot(object)
    def add(self, folder: Path) -> None:
        if self._session.results is None:
            self._refused(self.tr("Open results first, or run: there is nothing yet to compare others with."))
            return
        self._beside.add(folder, self._session.results_folder, self._session.margin)
        self.added.emit()

    @Slot(str)
    def _refused(self, text: str) -> None:
        self._session.notice.emit("warning", text)


class OtherRunDrop(DropFrame):
    """The drop target of the comparison: a folder of results is added, anything else is opened."""

    beside = Signal(object)  # Path
    other = Signal(object)  # Path

    def __init__(self, session: Session, view: QWidget) -> None:
        super().__init__(session, view)
        self.dropped.connect(self._dropped)

    def _comes_beside(self, path: Path) -> bool:
        return kind_of(path) == "results" and self._session.results is not None

    def _what(self, path: Path) -> str:
        return self.tr("Compare with these results") if self._comes_beside(path) else super()._what(path)

    @Slot(object)
    def _dropped(self, path: Path) -> None:
        (self.beside if self._comes_beside(path) else self.other).emit(path)
