"""What is made of a run's events, one after the other."""

from __future__ import annotations

from typing import Protocol

from core.protocol.events import Event


class Fold(Protocol):
    """Takes the events of a run in the order of its journal, live or from a file, and has the outcome so far."""

    def fold(self, event: Event) -> None:
        """Take in the next event. Cheap: what is costly is worked out when it is asked for."""
