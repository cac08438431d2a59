"""The choice of the language: a menu in View and in the status bar, and a list in the settings."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QComboBox, QMenu, QToolButton, QWidget

from app.base.language import CHOICES, NAMES, language
from app.base.theme import theme
from app.session.session import Session
from app.settings.settings import Settings


def choice_text(choice: str) -> str:
    """Return a language's own name; "system" in the window's language."""
    return NAMES.get(choice) or QCoreApplication.translate("Language", "As the system")


def why_not(session: Session) -> str:
    """Return why the language cannot be switched now, or an empty string."""
    if session.running:
        return QCoreApplication.translate("Language", "The language can be switched once the run has ended.")
    return ""


class LanguageMenu(QMenu):
    """The menu of languages; `chosen` follows after the settings have changed."""

    chosen = Signal()

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.settings = session, settings
        self.setTitle(self.tr("Language"))
        self.setToolTipsVisible(True)
        self.choices: dict[str, QAction] = {}
        group = QActionGroup(self)
        for choice in CHOICES:
            action = QAction(choice_text(choice), self)
            action.setObjectName("set_language")
            action.setCheckable(True)
            action.setData(choice)
            group.addAction(action)
            action.triggered.connect(self._choose)
            self.addAction(action)
            self.choices[choice] = action
        self.choices[language.choice].setChecked(True)
        for signal in (session.run_started, session.run_finished):
            signal.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        reason = why_not(self.session)
        for action in self.choices.values():
            action.setEnabled(not reason)
            action.setToolTip(reason or action.text())

    @Slot()
    def _choose(self) -> None:
        action = self.sender()
        if isinstance(action, QAction) and action.data() != language.choice:
            self.settings.language = action.data()
            self.chosen.emit()


class LanguageButton(QToolButton):
    """The present language in the status bar; a click opens the menu."""

    def __init__(self, menu: LanguageMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFixedHeight(22)  # the bar's own height would push the words down
        self.setFont(theme.font(12))
        self.setText(NAMES[language.code])
        self.setToolTip(self.tr("Language of the window"))
        self.setWhatsThis(self.tr("Switches the language of the window; not during a run."))
        self.setAccessibleName(self.tr("Language of the window"))


class LanguageBox(QComboBox):
    """The list of languages in the settings; disabled while the language cannot be switched."""

    def __init__(self, settings: Settings, reason: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for choice in CHOICES:
            self.addItem(choice_text(choice), choice)
        self.setCurrentIndex(self.findData(settings.language))
        self.setEnabled(not reason)
        self.setToolTip(reason)
