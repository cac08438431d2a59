"""Finds interrupted runs, whose process was killed or whose machine went down, by the ends of their journals. Rounds
are counted for the found runs only."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.base.files import parse_json
from core.model.source import ModelSource
from core.protocol import events
from core.results.journal import JOURNAL, JournalError, is_held, replay
from core.results.results import Results
from core.run.continuation import is_gone

NEWEST = 40  # folders of runs that are looked at
NEWS_S = 14 * 24 * 3600  # seconds; older interrupted runs are only listed among all results
TAIL = 65_536  # bytes; the event that ends a run is far shorter
_TOLD = ("started", "resumed", "trial_done", "failed")  # enough to count rounds by


@dataclass(frozen=True)
class Interrupted:
    """An interrupted run: `rounds` of `planned` are complete; `planned` is 0 for a run until precise. `size` is the
    journal's bytes, which tell whether it went on meanwhile."""

    folder: Path
    size: int
    created: str  # ISO 8601, UTC
    model: ModelSource
    variants: int
    rounds: int
    planned: int

    @property
    def model_is_gone(self) -> bool:
        return is_gone(self.model)


def find(runs: Path, others: Iterable[Path] = ()) -> list[Interrupted]:
    """Return the interrupted runs among a folder's newest and `others`, which nobody continues, the newest first.
    Unreadable runs and runs untouched for two weeks are skipped."""
    found, since = [], time.time() - NEWS_S
    for folder in dict.fromkeys([*_newest(runs), *others]):
        with contextlib.suppress(OSError, JournalError, ValueError):
            recent = (folder / JOURNAL).stat().st_mtime > since
            if recent and not _ended(folder / JOURNAL) and not is_held(folder):
                found.append(_counted(folder))
    return sorted((f for f in found if f is not None), key=lambda f: f.created, reverse=True)


def _newest(runs: Path) -> list[Path]:
    try:
        folders = [Path(entry) for entry in os.scandir(runs) if entry.is_dir()]
    except OSError:
        return []
    return sorted(folders, key=lambda folder: folder.name, reverse=True)[:NEWEST]  # they are named by the time


def _ended(journal: Path) -> bool:
    """Return whether the last line is complete and ends the run. Raises OSError without a journal."""
    with journal.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL))
        tail = file.read()
    if not tail.endswith(b"\n"):
        return False
    try:
        last = parse_json(tail.rstrip(b"\n").rsplit(b"\n", 1)[-1])
    except ValueError:
        return False
    return isinstance(last, dict) and last.get("event") == "finished"


def _counted(folder: Path) -> Interrupted | None:
    """Return the run with its rounds counted; None if it had not begun. Raises JournalError."""
    results = Results(folder.name)
    for event in _few(folder):
        results.fold(event)
    if results.started is None or results.experiment is None:
        return None
    work = results.experiment.workload
    return Interrupted(
        folder=folder,
        size=(folder / JOURNAL).stat().st_size,
        created=results.started.created,
        model=results.experiment.model,
        variants=len(results.variants),
        rounds=results.rounds_done,
        planned=0 if work.until_pct else work.trials,
    )


def _few(folder: Path) -> Iterator[events.Event]:
    """Yield the events that count rounds; for a journal without a readable beginning, its replay."""
    kinds = tuple(f'"{kind}"'.encode() for kind in _TOLD)
    first = True
    with (folder / JOURNAL).open("rb") as file:
        for line in file:
            if not line.endswith(b"\n") or not any(kind in line[:400] for kind in kinds):
                continue
            try:
                event = events.decode(line)
            except ValueError:
                continue
            if first and not isinstance(event, events.Started):
                yield from replay(folder)
                return
            first = False
            yield event
    if first:
        yield from replay(folder)
