"""The interface of everything that is computed from a run's events one by one."""

from __future__ import annotations

from typing import Protocol

from core.protocol.events import Event


class Fold(Protocol):
    """Folds the events of a run, live or from a journal, in their order, and holds the outcome so far."""

    def fold(self, event: Event) -> None:
        """Take in the next event. Cheap: costly figures are computed on request."""
