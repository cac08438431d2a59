"""The window's language: the current one, its translators, and its font sizes.

Texts are translated when a widget is made or drawn, so another language needs a new window, which
`app.shell.window_switcher` makes.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.base.theme import RESOURCES, theme
from core.wording.translation import CHINESE, CODES

TRANSLATIONS = RESOURCES / "translations"
CHOICES = ("system", *CODES)
NAMES = {"en": "English", CHINESE: "简体中文"}  # each language in its own words, so that its speakers find it


def system_code(wanted: list[str] | None = None) -> str:
    """Return the supported language for the system's first: Simplified Chinese, else English."""
    first = (wanted or QLocale.system().uiLanguages() or ["en"])[0]
    locale = QLocale(first)
    simplified = locale.script() == QLocale.Script.SimplifiedHanScript
    return CHINESE if locale.language() == QLocale.Language.Chinese and simplified else "en"


class WindowLanguage:
    """The language of the application. English needs no translator, since the texts in the code are English."""

    def __init__(self) -> None:
        self.choice = "system"
        self.code = "en"
        self._installed: list[QTranslator] = []

    def apply(self, app: QCoreApplication, choice: str) -> None:
        """Translate texts from now on into "en", "zh_CN" or the system's language."""
        self.choice = choice if choice in CHOICES else "system"
        self.code = system_code() if self.choice == "system" else self.choice
        for translator in self._installed:
            app.removeTranslator(translator)
        self._installed = []
        theme.set_chinese(self.code == CHINESE)
        for file in self.files():
            translator = QTranslator(app)
            if translator.load(str(file)):
                app.installTranslator(translator)
                self._installed.append(translator)

    def files(self) -> list[Path]:
        """Return the compiled translations of this language: Qt's own for its dialogs if they exist, then Dyno's."""
        if self.code == "en":
            return []
        qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)) / f"qtbase_{self.code}.qm"
        return [*([qt] if qt.exists() else []), *sorted(TRANSLATIONS.glob(f"*_{self.code}.qm"))]


language = WindowLanguage()
