"""A notice above the view: what happened and the way out, until it is dismissed. It is never a modal dialog."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import stated
from app.text.event_text import LEVEL_ICONS
from app.widgets.basics import IconLabel, label, restyle
from app.widgets.buttons import button


class NoticeBar(QFrame):
    """One notice at a time; a new one replaces it."""

    acted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "warning")
        self.level = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 4, 4)
        row.setSpacing(10)
        self._icon = IconLabel("warning", "warn")
        self.text = label("", 13, wrap=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.text.setContentsMargins(0, 6, 0, 6)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.action = button("")
        self.action.clicked.connect(self.acted)
        self.action.setWhatsThis(self.tr("The way out that the message names."))
        self.copy = button("", "copy", "flat")
        self.copy.setAccessibleName(self.tr("Copy the message"))
        self.copy.setToolTip(self.tr("Copy the message"))
        self.copy.setWhatsThis(self.tr("Copies the message as text."))
        self.copy.clicked.connect(self._copy)
        close = button("", "cross", "flat")
        close.setAccessibleName(self.tr("Dismiss"))
        close.setWhatsThis(self.tr("Hides the message; the log keeps it."))
        close.clicked.connect(self.hide)
        beside = QVBoxLayout()
        beside.setContentsMargins(0, 7, 0, 0)  # level with the first line, which is level with the buttons
        beside.addWidget(self._icon)
        beside.addStretch(1)
        row.addLayout(beside)
        row.addWidget(self.text, 1)
        row.addWidget(self.action, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    @Slot(str, str)
    def show_notice(self, level: str, text: str) -> None:
        """Show a notice; `level` is "warning" or "error"."""
        self.level = level
        restyle(self, surface="error" if level == "error" else "warning")
        self._icon.set(*LEVEL_ICONS.get(level, LEVEL_ICONS["error"]))
        self.text.setText(text := stated(text))
        self.setAccessibleName(text)
        self.action.hide()
        self.show()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.text())

    def offer(self, text: str) -> None:
        """Add a button to the present notice; `acted` follows when it is pressed."""
        self.action.setText(text)
        self.action.show()
