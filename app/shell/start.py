"""The composition root: puts a window together with all that it needs, and runs it until it is closed."""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QSettings
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app.base.language import language
from app.base.theme import RESOURCES, theme
from app.session.session import Session
from app.settings import engine_environment
from app.settings.settings import Settings
from app.shell.main_window import MainWindow
from app.shell.os_signals import OsSignals
from app.shell.window_switcher import WindowSwitcher
from core.base.folders import cache_folder, data_folder, presets_folder
from core.protocol.engine_pool import EnginePool


def open_window() -> int:
    """Open the window, run it until it is closed, and return the exit status. Raises FolderError."""
    cache_folder(), presets_folder()  # a wrong folder in the environment is reported now, where it can be read
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(data_folder()))
    app = QApplication(sys.argv[:1])
    app.setApplicationName("dyno")
    app.setApplicationDisplayName("Dyno")
    app.setOrganizationName("dyno")
    app.setDesktopFileName("dyno")  # Wayland finds the icon by this name
    app.setWindowIcon(QIcon(str(RESOURCES / "icons" / "dyno.svg")))
    settings = Settings()
    language.apply(app, settings.language)
    engine_environment.apply(settings)
    theme.patterns = settings.line_patterns
    theme.apply(app, settings.theme)
    session = Session(EnginePool(settings.engine_command or None))
    session.restore(settings.experiment(), settings.excluded(), settings.letters())
    desk = WindowSwitcher(MainWindow, session, settings)
    signals = OsSignals()
    signals.told_to_end.connect(desk.end)
    if settings.layout("geometry") is None:
        desk.window.fit()
    desk.window.show()
    desk.window.doing.help.first_time()
    gc.freeze()  # a full collection over all of Qt's and pydantic's objects would stall the window
    try:
        return app.exec()
    finally:
        session.close()
        signals.close()
