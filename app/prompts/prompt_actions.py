"""Opens the dialog of prompts, from the workload's panel, a menu or a dropped file, and uses the chosen set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, SignalInstance, Slot
from PySide6.QtWidgets import QMainWindow, QWidget

from app.prompts.prompt_drop_target import PromptDrop
from app.session.session import Session

if TYPE_CHECKING:
    from app.prompts.prompts_dialog import PromptsDialog


class PromptActions(QObject):
    def __init__(self, session: Session, window: QMainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window

    def connect_to(self, asked_for: SignalInstance, workload: QWidget) -> None:
        """Open the dialog on request, and for a file dropped on the workload."""
        asked_for.connect(self.show)
        PromptDrop(workload).dropped.connect(self.show_file)

    @Slot()
    def show(self) -> None:
        self._open()

    @Slot(str)
    def show_file(self, path: str) -> None:
        """Show a file's prompts in the dialog, or what is wrong with it."""
        self._open().select(path)

    def _open(self) -> PromptsDialog:
        from app.prompts.prompts_dialog import PromptsDialog

        dialog = PromptsDialog(self._session, self._window)
        dialog.chosen.connect(self._use)
        dialog.open()
        return dialog

    @Slot(str)
    def _use(self, name: str) -> None:
        experiment = self._session.experiment
        if experiment is not None:
            workload = experiment.workload.model_copy(update={"prompts": name})
            self._session.edit(experiment.model_copy(update={"workload": workload}))
