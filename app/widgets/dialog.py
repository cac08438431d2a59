"""The base of small modeless dialogs, and the dialog that opens a model by name with its opt-ins."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from app.widgets.basics import caption, label
from app.widgets.buttons import PrimaryButton, button
from app.widgets.model_form import Form
from core.model.source import ModelSource


class Dialog(QDialog):
    """A title, a body and a row of buttons; it deletes itself."""

    def __init__(self, title: str, parent: QWidget | None, width: int = 520) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(width, 10)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(24, 20, 24, 20)
        outer.setSpacing(16)
        outer.addWidget(label(title, 20, 600))
        self.body = QVBoxLayout()
        self.body.setSpacing(10)
        outer.addLayout(self.body, 1)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch(1)
        outer.addLayout(self._buttons)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        layout = self.layout()
        if layout is not None and layout.hasHeightForWidth():  # wrapped text knows its height only now
            self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    def add_buttons(self, accept: str, cancel: str) -> PrimaryButton:
        """Return the default button on the right, after Cancel."""
        if cancel:
            no = button(cancel)
            no.setMinimumHeight(32)
            no.clicked.connect(self.reject)
            no.setAutoDefault(False)
            self._buttons.addWidget(no)
        yes = PrimaryButton(accept)
        yes.setDefault(True)
        yes.clicked.connect(self.accept)
        self._buttons.addWidget(yes)
        return yes


class OpenModelDialog(Dialog):
    """Asks for a model's path or hub id, with the opt-ins for this model."""

    chosen = Signal(object)  # ModelSource

    def __init__(self, source: ModelSource, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("OpenModelDialog", "Open a model"), parent)
        self.form: Form[ModelSource] = Form(source, label_width=140)
        self.body.addWidget(self.form)
        note = self.tr(
            "A hub id is looked up in this machine's cache; Dyno downloads nothing. Pickled weights and remote code "
            "can run programs: allow them only for a model whose author you trust."
        )
        self.body.addWidget(caption(note, wrap=True))
        self.add_buttons(self.tr("Open model"), self.tr("Cancel"))
        self.accepted.connect(self._accepted)
        self.form.editors["source"].widget.setFocus()

    @Slot()
    def _accepted(self) -> None:
        self.chosen.emit(self.form.value)
