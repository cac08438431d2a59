"""Announces the end of a long run to a user who is elsewhere: by a system notification, or by the window's mark in the
task bar."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.base.core_text import said, stated
from app.session.comparison_cache import comparison_of
from app.session.session import Session
from app.settings.settings import Settings
from core.analysis import verdict_text

LONG_S = 30.0
SHOWN_MS = 15_000  # afterwards the icon leaves the tray again


class RunNotifier(QObject):
    """One notification per run, and none while the window has the focus."""

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self.session, self.settings, self._window = session, settings, window
        self._since = QElapsedTimer()
        self._tray: QSystemTrayIcon | None = None
        session.run_started.connect(self._started)
        session.run_finished.connect(self._finished)

    @Slot()
    def _started(self) -> None:
        self._since.start()

    @Slot()
    def _finished(self) -> None:
        lasted_s = self._since.elapsed() / 1000 if self._since.isValid() else 0.0
        if self.settings.notify and not self._window.isActiveWindow() and lasted_s > LONG_S:
            self.tell(self.title(), self.answer())

    def title(self) -> str:
        """Return the run's final status in words."""
        results = self.session.results
        status = results.finished.status if results is not None and results.finished is not None else "failed"
        return {
            "ok": self.tr("The run is finished"),
            "stopped": self.tr("The run was stopped"),
            "cancelled": self.tr("The run was cancelled"),
            "failed": self.tr("The run failed"),
        }[status]

    def answer(self) -> str:
        """Return the comparison's answer, or why there is none."""
        results = self.session.results
        if results is not None and results.failed is not None:
            return stated(results.failed.message)
        comparison = comparison_of(results)
        return said(verdict_text.answer(comparison)) if comparison is not None else ""

    def tell(self, title: str, text: str) -> None:
        if not QSystemTrayIcon.isSystemTrayAvailable():
            QApplication.alert(self._window)
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.messageClicked.connect(self._come)
        self._tray.show()
        self._tray.showMessage(title, text, QSystemTrayIcon.MessageIcon.Information, SHOWN_MS)
        QTimer.singleShot(SHOWN_MS, self._tray.hide)

    @Slot()
    def _come(self) -> None:
        """Raise the window after a click on the notification."""
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()
