"""What a window shows again when it is opened the next time: the results, the tab, columns and splitters. Knows where
they are kept; lays nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QHeaderView, QSplitter, QTableView, QWidget

from app.live_data import LiveData
from app.opening import journal_bytes
from app.session import Session
from app.settings import Settings
from core.journal import JournalError, open_results

MOST_BYTES = 16 * 2**20  # of a journal: a larger one takes longer to read than a start may


def _parts(views: Mapping[str, QWidget]) -> Iterator[tuple[str, QHeaderView | QSplitter]]:
    """Each under a name that changes with what it is made of, so that no state is given to another part."""
    for name, view in views.items():
        for place, table in enumerate(view.findChildren(QTableView)):
            yield f"{name}/table{place}-{table.model().columnCount()}", table.horizontalHeader()
        for place, splitter in enumerate(view.findChildren(QSplitter)):
            yield f"{name}/splitter{place}-{splitter.count()}", splitter


def states(views: Mapping[str, QWidget]) -> dict[str, QByteArray]:
    """Columns and splitters as they are now, by name."""
    return {name: part.saveState() for name, part in _parts(views)}


def restore(views: Mapping[str, QWidget], kept: Mapping[str, QByteArray]) -> None:
    """Columns and splitters as they were; what is not there any more is passed over."""
    for name, part in _parts(views):
        if name in kept:
            part.restoreState(kept[name])


def kept(views: Mapping[str, QWidget], settings: Settings) -> dict[str, QByteArray]:
    found = {name: settings.layout(name) for name, _ in _parts(views)}
    return {name: state for name, state in found.items() if state is not None}


def bring_back_results(session: Session, folder: Path | None) -> bool:
    """Show the results of the last time beside the experiment of the last time, which may have been edited since."""
    if folder is None or session.running or session.results is not None or journal_bytes(folder) > MOST_BYTES:
        return False
    try:
        curves = LiveData()
        results = open_results(folder, also=curves.add)
    except JournalError:
        return False  # it was not asked for: nothing is said
    curves.end()
    results.margin = session.margin
    session.results, session.results_folder, session.replayed = results, folder, curves
    now = session.experiment or results.experiment
    session.letters.assign([v.name for v in now.variants] if now else [], session.shown())
    session.results_changed.emit()
    return True
