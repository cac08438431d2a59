"""A run that was written to disk, read back for the views: its results and its curves, from the same events.

Knows the journal and what folds it; draws nothing.
"""

from __future__ import annotations

from pathlib import Path

from app.live_data import LiveData
from core.journal import replay
from core.results import Results


def open_run(folder: Path) -> tuple[Results, LiveData]:
    """The results and the curves of a finished or interrupted run. Raises JournalError."""
    results, data = Results(run_id=folder.resolve().name), LiveData()
    for event in replay(folder):
        results.add(event)
        data.add(event)
    results.interrupted = results.finished is None
    data.end()
    return results, data
