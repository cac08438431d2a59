"""A button for an undecided verdict: how many more rounds would likely settle it, and a request for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal, Slot

from app.session.session import Session
from app.widgets.basics import dress
from app.widgets.buttons import Button
from core.analysis.contrast import Contrast

FEWEST = 5  # rounds that are worth loading the engines for


def missing_rounds(found: Sequence[Contrast]) -> dict[str, int]:
    """Return by undecided variant the further rounds after which its interval would likely decide."""
    return {c.variant: max(1, c.rounds_to_settle - c.rounds) for c in found if c.rounds_to_settle}


def proposed(missing: Mapping[str, int]) -> int:
    """Return the number of rounds to propose: enough for all of them."""
    return max([FEWEST, *missing.values()])


class MoreRoundsButton(Button):
    """Hidden if nothing is undecided, or during a run."""

    wanted = Signal(object)  # missing rounds by variant

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._missing: dict[str, int] = {}
        dress(self, "plus")
        self.setWhatsThis(self.tr("Asks how many rounds to add to these results, and how long they take."))
        self.clicked.connect(self._clicked)
        self.hide()

    def show_missing(self, missing: Mapping[str, int]) -> None:
        self._missing = dict(missing)
        self.setText(self.tr("Run {n} more rounds…").format(n=proposed(missing)))
        self.setAccessibleName(self.text())
        self.setToolTip(self.tr("Would likely settle {names}.").format(names=", ".join(missing)))
        self.setVisible(bool(missing) and self._session.begun and not self._session.running)

    @Slot()
    def _clicked(self) -> None:
        self.wanted.emit(self._missing)
