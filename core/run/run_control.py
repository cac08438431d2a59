"""The requests to a run from any thread: end after the round, pause there, or end at once. A blocked iterator cannot be
stopped from outside, so a run waits on one inbox: engines put their events there, and a request wakes it with an empty
item."""

from __future__ import annotations

import queue
from typing import Literal

from core.protocol import events
from core.protocol.engine_process import Inbox


class RunError(RuntimeError):
    """The run cannot begin: its folder cannot be written, or its prompts cannot be read."""


class Cancelled(Exception):
    """Raised to end the run."""


class Control:
    """The requests to one run. `measuring` is set by the run while its rounds last."""

    def __init__(self) -> None:
        self.inbox: Inbox = queue.SimpleQueue()
        self.measuring = False
        self.stopping = False
        self.cancelling = False
        self.pausing = False

    def stop_after_round(self) -> None:
        """End after the present round; a paused run ends now."""
        self.stopping = True
        self._wake()

    def pause(self) -> None:
        """Wait after the present round, or before the first, until told to go on."""
        self.pausing = True

    def go_on(self) -> None:
        self.pausing = False
        self._wake()

    def cancel(self) -> None:
        self.cancelling = True
        self._wake()

    def note(self, text: str, level: Literal["info", "warning"] = "info") -> None:
        """Add a line to the journal on behalf of the run's observer."""
        self.inbox.put((None, events.Log(level=level, text=text)))

    @property
    def waits(self) -> bool:
        """Whether the run should pause at its next opportunity."""
        return self.pausing and not self.stopping

    def check(self) -> None:
        """Raise Cancelled if the run should end now; a stop request waits for the round in progress."""
        if self.cancelling or (self.stopping and not self.measuring):
            raise Cancelled

    def _wake(self) -> None:
        self.inbox.put((None, None))
