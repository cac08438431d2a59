"""When Python looks for cycles that nobody uses any more. It walks all objects there are: with the events of a long run
that takes tenths of a second, in which the window stands still.
"""

from __future__ import annotations

import gc

NEVER = 1_000_000


class Collecting:
    """Between `hold` and `release`, old objects are left alone; what has come by then is left alone for ever. Events
    have no cycles, so they go as soon as nobody holds them."""

    def __init__(self) -> None:
        self._holders = 0
        self._usual = gc.get_threshold()

    def hold(self) -> None:
        """Much is about to come: a run, a journal."""
        if not self._holders:
            self._usual = gc.get_threshold()
            gc.set_threshold(*self._usual[:2], NEVER)
        self._holders += 1

    def release(self) -> None:
        """Once for each `hold`."""
        self._holders -= 1
        if not self._holders:
            gc.freeze()
            gc.set_threshold(*self._usual)


collecting = Collecting()
