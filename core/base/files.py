"""Reads and writes files that a user chose: written whole or not at all, checked before the work begins; JSON of any
shape."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Characters or bytes: files written by hand or collected are smaller, and an endless file is not read further.
LARGEST = 64 << 20


def is_folder(path: Path) -> bool:
    """Return whether the path is a readable folder. An impossible name or a place without permission counts as no
    folder."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Return whether the path is a readable file. An impossible name or a place without permission counts as no
    file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a temporary file and rename it, so that a full disk never leaves a partial file. A link, a pipe or a device
    (/dev/stdout) is written to and not replaced. Raises OSError."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if _is_kept(path):
        path.write_bytes(data)
        return
    partial = path.with_name(f".{path.name[:40]}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


@contextlib.contextmanager
def held(lock: Path, patience_s: float = 10.0) -> Iterator[None]:
    """Hold an exclusive lock on the file `lock`, created if missing, against all processes and threads that ask for it.
    Raises OSError, or TimeoutError after `patience_s` seconds."""
    from filelock import FileLock  # takes 50 ms: a window starts without

    lock.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(lock, timeout=patience_s):
        yield


def check_writable(path: Path) -> None:
    """Raise the OSError that `write_whole` would raise, as far as it can be known beforehand."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    if not _is_kept(path):
        with tempfile.TemporaryFile(dir=path.parent):
            return
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def check_ends(path: Path) -> None:
    """Raise ValueError for a path that may never end or never begin, such as a pipe, and OSError if nothing is
    there."""
    if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():  # opening a folder says what it is
        raise ValueError("it is no file, but a pipe or a device")


def read_text(path: Path, most: int = -1) -> str:
    """Return a text file, at most its first `most` characters, without its byte order mark. Raises ValueError with a
    reason that can follow the file's name."""
    try:
        check_ends(path)
        with path.open(encoding="utf-8-sig") as file:
            found = file.read(most if most >= 0 else LARGEST)
            if most < 0 and file.read(1):
                raise ValueError(f"it is larger than {LARGEST >> 20} MiB")
            return found
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None
    except (OSError, ValueError) as error:  # ValueError: no path can hold the character 0
        raise ValueError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None


def read_whole(path: Path) -> bytes:
    """Return the content of a file that should be small. Raises OSError, and ValueError if the file is too large to be
    what it is taken for or may never end."""
    check_ends(path)
    with path.open("rb") as file:
        found = file.read(LARGEST + 1)
    if len(found) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST >> 20} MiB")
    return found


def parse_json(text: str | bytes) -> Any:
    """Return any JSON value; a byte order mark is allowed. Raises ValueError with a reason in plain words."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text.removeprefix("\ufeff"))
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in error.doc else ""
        raise ValueError(f"not JSON: {error.msg} ({line}column {error.colno})") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # Python reads no integer of more than some thousand digits
        raise ValueError("it holds a number that is too long") from None


def _is_kept(path: Path) -> bool:
    return path.is_symlink() or (path.exists() and not path.is_file())
