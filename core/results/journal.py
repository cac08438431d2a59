"""The journal: the event stream on disk, append-only, one JSON line per event. A journal cut at any byte opens: an
unfinished last line is dropped, and the `Started` event is also in a file of its own, written first."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from core.base.files import parse_json, read_whole, write_whole
from core.base.visible_text import visible
from core.protocol import events
from core.results.results import Results
from core.spec import experiment

JOURNAL = "journal.jsonl"
EXPERIMENT = "experiment.json"
_DURABLE = (
    events.Started, events.Resumed, events.Loaded, events.Receipts, events.TrialDone, events.Quality, events.Answers,
    events.SuiteDone, events.Failed, events.Finished,
)  # fmt: skip


class JournalError(ValueError):
    """The folder holds no run that can be shown."""


class Journal:
    """Appends events to `folder/journal.jsonl`, flushed to disk after each trial. Raises OSError. With `goes_on` it
    appends to an existing journal, locked against a second writer and unchanged before the first event; otherwise there
    must be none."""

    def __init__(self, folder: Path, goes_on: bool = False) -> None:
        if not goes_on:
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / JOURNAL).exists():
                raise FileExistsError(17, "there is a run in it already", str(folder))
        self.folder = folder
        self._cut = goes_on and _is_cut(folder / JOURNAL)
        self._file = (folder / JOURNAL).open("a+" if goes_on else "x+", encoding="utf-8")
        if not _held(self._file):
            self._file.close()
            raise BlockingIOError(11, "another run writes there", str(folder))

    def write(self, event: events.Event) -> bool:
        """Write one event; return whether the folder had been deleted and was made again with the whole journal."""
        line = event.line() + "\n"
        if self._cut:  # the partial last line of an interrupted session stays a line of its own
            line, self._cut = "\n" + line, False
        if isinstance(event, events.Started):
            write_whole(self.folder / EXPERIMENT, line)
        self._file.write(line)
        if isinstance(event, _DURABLE):
            self._file.flush()
            os.fsync(self._file.fileno())
            if os.fstat(self._file.fileno()).st_nlink == 0:  # no name leads to it any more
                self._make_again()
                return True
        return False

    def _make_again(self) -> None:
        """Recreate the folder from the open file, which keeps its content."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = (self.folder / JOURNAL).open("x+", encoding="utf-8")
        self._file.seek(0)
        if (first := self._file.readline()).endswith("\n"):
            write_whole(self.folder / EXPERIMENT, first)
        self._file.seek(0)
        shutil.copyfileobj(self._file, file)
        file.flush()
        os.fsync(file.fileno())
        _held(file)
        self._file.close()
        self._file = file

    def close(self) -> None:
        self._file.close()

    def discard(self) -> None:
        """Remove the begun journal, if not even the first event could be written."""
        with contextlib.suppress(OSError):
            self._file.close()
        for name in (JOURNAL, EXPERIMENT):
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()


def _is_cut(path: Path) -> bool:
    """Return whether the last line is incomplete. Raises OSError."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return size > 0 and file.read() != b"\n"


def is_held(folder: Path) -> bool:
    """Return whether a run of any process writes there now; False on a system without locks, where it is unknown."""
    try:
        import fcntl

        with (folder / JOURNAL).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
    except (ImportError, OSError):
        return False
    return False


def _held(file: IO[str]) -> bool:
    """Lock a file while it is open; return whether that worked. On a system without such locks it always does."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def replay(folder: Path, read: Callable[[int], None] = lambda count: None) -> Iterator[events.Event]:
    """Yield the events of a run in order. Lines that are cut, garbled or of an unknown kind are left out, and so are
    unknown keys; a final `Log` says what was left out. `read` receives the number of bytes read, at each line; an error
    that it raises ends the replay. Raises JournalError."""
    path = folder / JOURNAL
    if not _is_file(path):
        raise JournalError(f"{folder}: there is no {JOURNAL} in it; choose a folder that a run has written")
    loss = _Loss()
    last: events.Event | None = None
    for line in _lines(path, read):
        event = loss.decode(line)
        if event is None:
            continue
        if last is None and not isinstance(event, events.Started):
            yield loss.checked(_started(folder, loss), folder / EXPERIMENT)
        last = loss.checked(event, path) if isinstance(event, events.Started | events.Resumed) else event
        yield last
    if last is None:
        last = loss.checked(_started(folder, loss), folder / EXPERIMENT)
        yield last
    if loss.words:
        yield events.Log(t_ns=last.t_ns, level="warning", text=f"{path}: {loss.words}")


Beginning = events.Started | events.Resumed


class _Loss:
    """Counts what this version cannot show of a journal. A trial is kept even if a newer version recorded more
    of it."""

    def __init__(self) -> None:
        self.lines = 0
        self.keys: dict[str, None] = {}  # in order, each once
        self.version = ""

    def decode(self, line: bytes) -> events.Event | None:
        try:
            return events.decode(line)
        except ValidationError as error:
            unknown = _unknown(error)
        if unknown:
            with contextlib.suppress(ValueError):
                data = _without(parse_json(line), [keys[1:] for keys in unknown])  # the first is the kind of event
                event = events.decode(json.dumps(data))
                self.keys.update(dict.fromkeys(_path(keys) for keys in unknown))
                return event
        self.lines += 1
        return None

    def checked(self, event: Beginning, path: Path) -> Beginning:
        """Return the beginning of a session if its experiment can be shown. Raises JournalError."""
        format_ = event.schema_version if isinstance(event, events.Started) else 0
        newer = bool(self.version) or format_ > experiment.SCHEMA_VERSION
        if newer and not self.version:
            self.version = f"Dyno {event.dyno_version} (format {format_})"
        try:
            experiment.Experiment.model_validate(event.experiment, context={"lenient": True})
            return event
        except ValidationError as error:
            unknown = _unknown(error)
            if not (newer and unknown):
                reasons = "; ".join(experiment.describe(error).splitlines())
                raise JournalError(f"{path}: the experiment in it cannot be shown: {reasons}") from None
        self.keys.update(dict.fromkeys("experiment." + _path(keys) for keys in unknown))
        return self.checked(event.model_copy(update={"experiment": _without(event.experiment, unknown)}), path)

    @property
    def words(self) -> str:
        parts = []
        if self.version:
            parts.append(f"was written by {self.version}, which is newer than this one: not all of it may be shown")
        if self.keys:
            parts.append(f"keys that this version does not know are left out: {', '.join(self.keys)}")
        if self.lines:
            parts.append(f"lines that cannot be read are left out: {self.lines}")
        return "; ".join(parts)


_Keys = tuple[int | str, ...]


def _unknown(error: ValidationError) -> list[_Keys]:
    """Return the places of unknown keys if nothing else is wrong; else none."""
    faults = error.errors()
    return [f["loc"] for f in faults] if all(f["type"] == "extra_forbidden" for f in faults) else []


def _without(data: Any, places: list[_Keys]) -> Any:
    """Return a copy of JSON data without the keys at those places."""
    data = copy.deepcopy(data)
    for *way, key in places:
        inner = data
        for step in way:
            inner = inner[step]
        del inner[key]
    return data


def _path(keys: _Keys) -> str:
    return ".".join(visible(str(k), keep="") for k in keys if isinstance(k, str))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror or error}") from None


def _lines(path: Path, read: Callable[[int], None]) -> Iterator[bytes]:
    count = 0
    try:
        with path.open("rb") as file:
            for line in file:
                count += len(line)
                read(count)
                if line.endswith(b"\n"):
                    yield line
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror or error}") from None


def _started(folder: Path, loss: _Loss) -> events.Started:
    """Return the first event, from its own file."""
    with contextlib.suppress(OSError, ValueError):
        event = loss.decode(read_whole(folder / EXPERIMENT))
        if isinstance(event, events.Started):
            return event
    raise JournalError(f"{folder}: neither {JOURNAL} nor {EXPERIMENT} says what was run")


def open_results(
    folder: Path, also: Callable[[events.Event], None] = lambda event: None, into: Results | None = None
) -> Results:
    """Return the results of a run, replayed through the code of a live one; `also` receives every event, and `into`
    folds them. Raises JournalError."""
    results = into if into is not None else Results(run_id=folder.resolve().name)
    for event in replay(folder):
        results.fold(event)
        also(event)
    results.interrupted = results.finished is None
    return results
