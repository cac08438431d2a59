"""The window over the session, and its replacement when the language is switched. Only a new window makes every text
anew. The results are the session's and stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Slot

from app.base.language import language
from app.session.session import Session
from app.settings.settings import Settings

if TYPE_CHECKING:
    from app.shell.main_window import MainWindow


class WindowSwitcher(QObject):
    """Holds the one window; `kind` is its class."""

    def __init__(
        self, kind: type[MainWindow], session: Session, settings: Settings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.kind, self.session, self.settings = kind, session, settings
        self.window = self._make()

    def _make(self) -> MainWindow:
        window = self.kind(self.session, self.settings)
        # Queued: the menu that was clicked goes with its window.
        window.language_chosen.connect(self.switch, Qt.ConnectionType.QueuedConnection)
        return window

    @Slot()
    def end(self) -> None:
        """Close the window."""
        self.window.closing.at_once()

    @Slot()
    def switch(self) -> None:
        """Replace the window by one in the chosen language; not during a run, whose curves the window holds."""
        app = QCoreApplication.instance()
        if self.session.running or app is None or self.settings.language == language.choice:
            return
        job = self.session.jobs.current
        if job is not None:
            said = self.tr("{work}: the language changes at the next start.").format(work=job.words)
            self.session.notice.emit("info", said)
            return
        before = self.window
        before.retire()
        language.apply(app, self.settings.language)
        self.window = self._make()
        self.window.take_over(before)
        self.window.show()  # before the other goes: the application ends with its last window
        self.window.activateWindow()  # the keyboard was in the other one
        before.hide()
        before.deleteLater()
        QTimer.singleShot(0, self.session.collecting.everything)  # also frozen objects: the old window
