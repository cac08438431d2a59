"""What a window restores at its next start: results, tab, columns and splitters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast
from zlib import crc32

from PySide6.QtCore import QByteArray, QObject, Slot
from PySide6.QtWidgets import QHeaderView, QSplitter, QTableView, QWidget

from app.files.run_loader import Opened, Opening, is_large, journal_bytes
from app.session.live_data import LiveData
from app.session.session import Session
from app.session.shown_results import Shown
from app.settings.settings import Settings
from core.results.journal import JournalError, is_held, open_results

MOST_BYTES = 16 * 2**20  # of a journal: some seconds of a core; a larger one is read when somebody asks for it


def _parts(views: Mapping[str, QWidget]) -> Iterator[tuple[str, QHeaderView | QSplitter]]:
    """Yield each header and splitter under a name that changes with its content, so that no state is restored into
    another part."""
    for name, view in views.items():
        for place, table in enumerate(view.findChildren(QTableView)):
            keys = " ".join(getattr(table.model(), "column_keys", ()))
            which = f"{table.model().columnCount()}-{crc32(keys.encode()):x}" if keys else table.model().columnCount()
            yield f"{name}/table{place}-{which}", table.horizontalHeader()
        for place, splitter in enumerate(view.findChildren(QSplitter)):
            yield f"{name}/splitter{place}-{splitter.count()}", splitter


def states(views: Mapping[str, QWidget]) -> dict[str, QByteArray]:
    """Return the states of columns and splitters by name."""
    return {name: part.saveState() for name, part in _parts(views)}


def restore(views: Mapping[str, QWidget], kept: Mapping[str, QByteArray]) -> None:
    """Restore columns and splitters; unknown ones are skipped. Which columns are visible depends on the results and the
    user's choice for all comparisons, and not on the last table."""
    for name, part in _parts(views):
        if name not in kept:
            continue
        hidden = [part.isSectionHidden(i) for i in range(part.count())] if isinstance(part, QHeaderView) else []
        part.restoreState(kept[name])
        for place, was in enumerate(hidden):
            cast(QHeaderView, part).setSectionHidden(place, was)


def kept(views: Mapping[str, QWidget], settings: Settings) -> dict[str, QByteArray]:
    found = {name: settings.layout(name) for name, _ in _parts(views)}
    return {name: state for name, state in found.items() if state is not None}


class Again(QObject):
    """Restores the last results beside the last experiment, which may have been edited since. Errors are silent, since
    the user did not ask."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.folder: Path | None = None  # that a thread reads, or has read
        self.opening = Opening(self)
        self.opening.opened.connect(self._opened)
        session.run_started.connect(self.opening.stop)

    def brings(self, folder: Path | None) -> bool:
        """Return whether a folder may hold results to restore; its content is not read yet."""
        session = self._session
        free = not session.running and session.results is None
        if not free or folder is None or not 0 < journal_bytes(folder) <= MOST_BYTES:
            return False
        return not is_held(folder)  # another window's run is not over

    def start(self, folder: Path | None) -> bool:
        """Restore a small journal at once and a large one in a thread; return False if nothing is restored."""
        session = self._session
        if folder is None or not self.brings(folder):
            return False
        if is_large(folder):
            self.folder = folder
            self.opening.start(folder, session.margin)
            return True
        try:
            curves = LiveData()
            results = open_results(folder, also=curves.fold)
        except JournalError:
            return False
        curves.end()
        results.margin = session.margin
        self._opened(Opened(folder, results, curves, whole=True))
        return True

    @Slot(object)
    def _opened(self, found: Opened) -> None:
        session = self._session
        if not found.whole or session.running or session.results is not None:
            return
        session.remember(Shown(found.results, found.folder, found.curves))
