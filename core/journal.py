"""The journal: the event stream on disk, append-only, one JSON line an event. Knows nothing of what events mean,
except which ones must be on disk before the run goes on.

A journal that was cut at any byte opens: an unfinished last line is dropped, and the `Started` event is also in
a file of its own, written first.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from core import events
from core.results import Results

JOURNAL = "journal.jsonl"
EXPERIMENT = "experiment.json"
_DURABLE = (
    events.Started, events.Loaded, events.Receipts, events.TrialDone, events.Failed, events.Finished,
)  # fmt: skip


class JournalError(ValueError):
    """The folder holds no run that can be shown."""


class Journal:
    """Appends events to `folder/journal.jsonl`; flushed to the disk after each trial. Raises OSError."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / JOURNAL).exists():
            raise FileExistsError(17, "there is a run in it already", str(folder))
        self.folder = folder
        self._file = (folder / JOURNAL).open("x", encoding="utf-8")

    def write(self, event: events.Event) -> None:
        line = event.line() + "\n"
        if isinstance(event, events.Started):
            (self.folder / EXPERIMENT).write_text(line, encoding="utf-8")
        self._file.write(line)
        if isinstance(event, _DURABLE):
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def discard(self) -> None:
        """Remove what was begun, where not even the first event could be written."""
        with contextlib.suppress(OSError):
            self._file.close()
        for name in (JOURNAL, EXPERIMENT):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()


def replay(folder: Path) -> Iterator[events.Event]:
    """The events of a run, in order; lines that are cut or unknown to this version are left out.

    Raises JournalError."""
    if not (folder / JOURNAL).is_file():
        raise JournalError(f"{folder}: there is no {JOURNAL} in it; choose a folder that a run has written")
    started = False
    for line in _lines(folder / JOURNAL):
        try:
            event = events.decode(line)
        except ValidationError:
            continue
        if not started and not isinstance(event, events.Started):
            yield _started(folder)
        started = True
        yield event
    if not started:
        yield _started(folder)


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from (line for line in file if line.endswith(b"\n"))
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror or error}") from None


def _started(folder: Path) -> events.Event:
    """The first event, from its own file."""
    try:
        return events.decode((folder / EXPERIMENT).read_bytes())
    except (OSError, ValidationError):
        raise JournalError(f"{folder}: neither {JOURNAL} nor {EXPERIMENT} says what was run") from None


def open_results(folder: Path) -> Results:
    """Replay a run through the code of a live one. Raises JournalError."""
    results = Results(run_id=folder.resolve().name)
    for event in replay(folder):
        results.add(event)
    results.interrupted = results.finished is None
    return results
