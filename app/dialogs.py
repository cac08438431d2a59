"""Small dialogs: settings, opening a model by name with its opt-ins, about. None of them blocks."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.buttons import PrimaryButton, button
from app.forms import Form
from app.language_menu import LanguageBox
from app.settings import Settings
from app.theme import MODES, theme
from app.widgets import caption, label
from core import __version__, pythons
from core.folders import data_folder
from core.spec import ModelSource


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
        """The default button on the right, Cancel before it."""
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


class SettingsDialog(Dialog):
    """Engine command, theme, language, results folder. `applied` follows after they were stored.

    `fixed_language` says why the language cannot be switched now; empty where it can."""

    applied = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None, fixed_language: str = "") -> None:
        super().__init__(QCoreApplication.translate("SettingsDialog", "Settings"), parent)
        self.settings = settings
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        self.theme = QComboBox()
        for mode, text in zip(MODES, (self.tr("Light"), self.tr("Dark"), self.tr("As the system")), strict=True):
            self.theme.addItem(text, mode)
        self.theme.setCurrentIndex(self.theme.findData(settings.theme))
        self.language = LanguageBox(settings, fixed_language)
        self.engine = QLineEdit(settings.engine_text)
        own = self.tr("this Python: python -m core.engine")
        self.engine.setPlaceholderText(
            self.tr("the first with torch of .venv here and python3") if pythons.is_standalone() else own
        )
        self.engine.setFont(theme.font(12, mono=True))
        self.runs = QLineEdit(str(settings.runs_folder or ""))
        self.runs.setPlaceholderText(str(data_folder() / "runs"))
        browse = button(self.tr("Browse…"))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        rows: tuple[tuple[str, QWidget, str], ...] = (
            (self.tr("Theme"), self.theme, ""),
            (self.tr("Language"), self.language, fixed_language),
            (
                self.tr("Engine command"),
                self.engine,
                self.tr("Another interpreter, a container, or `ssh host python -m core.engine`."),
            ),
            (self.tr("Results folder"), self.runs, self.tr("Every run gets a folder of its own in it.")),
        )
        for row, (name, widget, note) in enumerate(rows):
            title = label(name, 13, role="secondary")
            title.setBuddy(widget)
            widget.setAccessibleName(name)
            grid.addWidget(title, 2 * row, 0)
            grid.addWidget(widget, 2 * row, 1, 1, 1 if widget is self.runs else 2)
            if note:
                grid.addWidget(caption(note, wrap=True), 2 * row + 1, 1, 1, 2)
        grid.addWidget(browse, 2 * (len(rows) - 1), 2)
        self.body.addLayout(grid)
        self.body.addStretch(1)
        self.add_buttons(self.tr("Save settings"), self.tr("Cancel"))
        self.accepted.connect(self._store)

    @Slot()
    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Results folder"), self.runs.text())
        if folder:
            self.runs.setText(folder)

    @Slot()
    def _store(self) -> None:
        self.settings.theme = self.theme.currentData()
        self.settings.language = self.language.currentData()
        self.settings.engine_text = self.engine.text()
        text = self.runs.text().strip()
        self.settings.runs_folder = Path(text).expanduser() if text else None
        self.applied.emit()


class OpenModelDialog(Dialog):
    """A model by path or hub id, with the opt-ins that hold for this one model."""

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


class AboutDialog(Dialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Dyno", parent, 440)
        for text in (
            self.tr("Version {version}. A dynamometer for language-model inference.").format(version=__version__),
            self.tr("It runs variants of one model side by side, and tells which differences are real."),
            self.tr("Results and presets: {folder}").format(folder=data_folder()),
            self.tr("Apache-2.0. Type: Inter and JetBrains Mono, SIL Open Font License."),
        ):
            self.body.addWidget(label(text, 13, role="secondary", wrap=True))
        self.add_buttons(self.tr("Close"), "")
