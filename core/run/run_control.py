"""What a run is asked from outside, by any thread: to end after the round, to pause there, or to end at once.

A blocked iterator cannot be stopped from outside, so a run waits on one inbox: engines put their events there, and who
asks puts an empty word there that wakes it.
"""

from __future__ import annotations

import queue
from typing import Literal

from core.protocol import events
from core.protocol.engine_pool import Inbox


class RunError(RuntimeError):
    """The run cannot begin: its folder cannot be written, its prompts cannot be read."""


class Cancelled(Exception):
    """The run ends here."""


class Control:
    """`measuring` is set by the run: the rounds have begun, and are not over."""

    def __init__(self) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.measuring = False
        self.stopping = False
        self.cancelling = False
        self.pausing = False

    def stop_after_round(self) -> None:
        """One that pauses has its round behind it."""
        self.stopping = True
        self._wake()

    def pause(self) -> None:
        """Wait after the present round, or before the first, until it is told to go on."""
        self.pausing = True

    def go_on(self) -> None:
        self.pausing = False
        self._wake()

    def cancel(self) -> None:
        self.cancelling = True
        self._wake()

    def note(self, text: str, level: Literal["info", "warning"] = "info") -> None:
        """A line for the journal, from who watches the run."""
        self.inbox.put((None, events.Log(level=level, text=text)))

    @property
    def waits(self) -> bool:
        """Whether the run is to wait where it may."""
        return self.pausing and not self.stopping

    def check(self) -> None:
        """Raises Cancelled if the run is to end now: a stop waits for a round only where there is one."""
        if self.cancelling or (self.stopping and not self.measuring):
            raise Cancelled

    def _wake(self) -> None:
        self.inbox.put((None, None))
