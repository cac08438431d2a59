"""Asks once before the window closes during a run; a thread is never killed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from app.session.session import Session


class CloseGuard(QObject):
    """Offers to keep running and close at the end, to stop and save, or to stay."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self.session, self.window = session, window
        self.question: QMessageBox | None = None
        self._after_run = False
        session.run_finished.connect(self._run_finished)
        session.run_refused.connect(self._run_finished)

    def ask(self) -> None:
        if self.question is not None:
            self.question.raise_()
            return
        box = QMessageBox(self.window)
        self.question = box
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setText(self.tr("A run is in progress."))
        box.setInformativeText(
            self.tr(
                "Keep running: the window closes when the run ends. Stop and save: the run ends now; every finished "
                "trial is kept."
            )
        )
        self.keep = box.addButton(self.tr("Keep running"), QMessageBox.ButtonRole.AcceptRole)
        self.stop = box.addButton(self.tr("Stop and save"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.finished.connect(self._answered)
        box.open()

    @Slot()
    def at_once(self) -> None:
        """Close without asking, as the system demands; the run is stopped, and its measurements are kept."""
        if self.session.running:
            self._after_run = True
            self.session.cancel()
        else:
            self.window.close()

    @Slot()
    def _answered(self) -> None:
        box, self.question = self.question, None
        chosen = box.clickedButton() if box is not None else None
        if chosen is self.keep:
            self._after_run = True
            if self.session.pausing:  # a run that waits would never end
                self.session.pause()
            self.window.showMinimized()
        elif chosen is self.stop:
            self._after_run = True
            self.session.cancel()
        else:  # cancelled, and so is an earlier answer
            self._after_run = False

    @Slot()
    def _run_finished(self) -> None:
        after_run = self._after_run
        if self.question is not None:
            self.question.close()
        if after_run:
            self.window.close()
