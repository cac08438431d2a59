"""The file of experiments that wait, which all windows of a user share.

A change reads the file anew and holds it meanwhile: what another window has added, moved or taken stays so, and what a
newer version wrote stays as it is.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.base.files import held, parse_json, read_whole, write_whole

PATIENCE_S = 2.0  # with another window that changes it


class QueueFile:
    """`items` is what was read last, or what would be there if it could be written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.items: list[Any] = []
        self._unwritten = False  # then the file knows less than `items`
        with contextlib.suppress(OSError):
            self.read()

    def read(self) -> None:
        """What is there now; nothing of what is no list. Raises OSError."""
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
        """Have `edit` change the list, once, and write it. Raises OSError where that cannot be kept."""
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
    """Return where the `number`-th of those that are equal to `one` stands, or the last of fewer."""
    places = [place for place, item in enumerate(items) if item == one]
    return places[min(number, len(places) - 1)] if places else None
