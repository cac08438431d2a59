"""The queue's file, which all windows of a user share. A change reads the file and locks it meanwhile, so that other
windows' changes and a newer version's entries are kept."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.base.files import held, parse_json, read_whole, write_whole

PATIENCE_S = 2.0  # with another window that changes it


class QueueFile:
    """`items` is what was read last, or what should be there if it could not be written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.items: list[Any] = []
        self._unwritten = False  # then the file knows less than `items`
        with contextlib.suppress(OSError):
            self.read()

    def read(self) -> None:
        """Read the items; none if the file holds no list. Raises OSError."""
        if self._unwritten:
            return
        try:
            told = parse_json(read_whole(self.path))
        except FileNotFoundError:
            told = []
        except ValueError:
            told = None
        self.items = told if isinstance(told, list) else []

    def change(self, edit: Callable[[list[Any]], None]) -> None:
        """Let `edit` change the list once, and write it. Raises OSError if it cannot be written."""
        with contextlib.ExitStack() as stack:
            fault: OSError | None = None
            try:
                stack.enter_context(held(self.path.with_name(f".{self.path.name}.lock"), PATIENCE_S))
                self.read()
            except OSError as error:
                fault = error
            edit(self.items)
            self._unwritten = True
            if fault is not None:
                raise fault
            write_whole(self.path, json.dumps(self.items))
            self._unwritten = False


def place_of(items: list[Any], one: Any, number: int) -> int | None:
    """Return the position of the `number`-th item equal to `one`, or the last if there are fewer."""
    places = [place for place, item in enumerate(items) if item == one]
    return places[min(number, len(places) - 1)] if places else None
