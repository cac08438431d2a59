"""The actions of the Help menu: documentation, tour, about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMainWindow, QWhatsThis, QWidget
from shiboken6 import isValid

from app.help.tour import Tour
from app.session.session import Session
from app.settings.settings import Settings

if TYPE_CHECKING:
    from app.help.help_view import HelpWindow

TOUR = "tour_done"
#: The manual's page for the first start.
FIRST_PAGE = "first-comparison"


class HelpActions(QObject):
    def __init__(self, session: Session, settings: Settings, window: QMainWindow) -> None:
        super().__init__(window)
        self.session, self.settings, self._window = session, settings, window
        self.help: HelpWindow | None = None
        self._knows_machine = False  # the help that there is
        self.tour: Tour | None = None
        self.targets: list[QWidget] = []
        self._words: list[tuple[str, str, str]] = []

    # -- documentation -------------------------------------------------------------------------------------
    def show_page(self, page: str = FIRST_PAGE) -> None:
        """Open a page of the guide."""
        self.show_entry(f"guide:{page}")

    @Slot()
    def show_reference(self) -> None:
        """Show the reference: strategies and metrics."""
        self.show_entry(next(key for key, _, _ in self.words() if not key.startswith("guide:")))

    def show_entry(self, key: str) -> None:
        """Show the documentation at an entry, rebuilt once the machine is known."""
        from app.help.help_view import HelpWindow

        known = self.session.environment is not None
        if self.help is not None and isValid(self.help) and known != self._knows_machine:
            self.help.close()
            self.help.deleteLater()
            self.help = None
        if self.help is None or not isValid(self.help):
            self.help, self._knows_machine = HelpWindow(self.session.environment, self._window), known
        self.help.show_entry(key)

    def words(self) -> list[tuple[str, str, str]]:
        """Return (key, title, group) of every entry."""
        from app.text.reference_entries import entries

        if not self._words:
            self._words = [(entry.key, entry.title, entry.group) for entry in entries()]
        return self._words

    @Slot()
    def whats_this(self) -> None:
        QWhatsThis.enterWhatsThisMode()

    # -- the tour ------------------------------------------------------------------------------------------
    @Slot()
    def first_time(self) -> None:
        """Show the tour, unless it was seen or skipped before."""
        if not self.settings.flag(TOUR):
            self.show_tour()

    @Slot()
    def show_tour(self) -> None:
        if self.tour is not None and isValid(self.tour):
            self.tour.end()
        self.tour = Tour(self._window, self.targets)
        self.tour.over.connect(self._toured)

    @Slot()
    def _toured(self) -> None:
        self.tour = None
        self.settings.set_flag(TOUR, True)

    # -- the machine, about --------------------------------------------------------------------------------
    @Slot()
    def show_environment(self) -> None:
        from app.inspector.environment_dialog import EnvironmentDialog

        EnvironmentDialog(self.session, self._window).open()

    @Slot()
    def show_about(self) -> None:
        from app.help.about_dialog import AboutDialog

        AboutDialog(self.session, self._window).open()
