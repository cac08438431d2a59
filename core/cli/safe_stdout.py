"""Wraps standard output and error, which may fail before a run ends. A closed pipe (`dyno run … | head`), a full device
or a missing character must not end a run: the rest is discarded, and the fault is reported at the end."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO


class Outlet:
    """A text stream that never raises: after the first fault it discards its input."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.fault: OSError | None = None

    def write(self, text: str) -> int:
        if self.fault is None:
            try:
                return self._stream.write(text)
            except OSError as error:
                self._end(error)
        return len(text)

    def flush(self) -> None:
        if self.fault is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._end(error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def complaint(self) -> str:
        """The fault in words; empty if only the reader has gone."""
        if self.fault is None or isinstance(self.fault, BrokenPipeError):
            return ""
        return self.fault.strerror or str(self.fault)

    def _end(self, error: OSError) -> None:
        self.fault = error
        with contextlib.suppress(OSError, ValueError):  # buffered text still goes somewhere when Python ends
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


@contextlib.contextmanager
def steady() -> Iterator[Outlet | None]:
    """Replace `sys.stdout` and `sys.stderr` by outlets and yield the outlet of the output, if there is one. A character
    that the encoding lacks is written as a question mark."""
    before = sys.stdout, sys.stderr
    for stream in before:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    out, err = (Outlet(stream) if stream is not None else None for stream in before)  # closed: Python gives None
    sys.stdout, sys.stderr = out, err
    try:
        yield out
    finally:
        for outlet in (out, err):
            if outlet is not None:
                outlet.flush()
        sys.stdout, sys.stderr = before
