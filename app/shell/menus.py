"""The menu bar."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from app.base.theme import MODES
from app.files import export_menu
from app.session.session import Session
from app.settings.language_menu import LanguageMenu
from app.settings.settings import Settings
from app.shell.view_registry import views
from app.widgets.basics import dress


class Menus:
    """Builds the menus, and keeps the actions that change with the window's state."""

    def __init__(
        self, window: QMainWindow, session: Session, settings: Settings, do: dict[str, Callable[..., object]]
    ) -> None:
        self._window = window
        self._do = do
        tr = window.tr
        bar = window.menuBar()

        file = bar.addMenu(tr("&File"))
        self.add(file, tr("Open demo model"), "open_demo", icon="play")
        self.add(file, tr("Open folder…"), "open_folder", "Ctrl+O", "folder")
        self.add(file, tr("Open GGUF…"), "open_gguf", "Ctrl+Shift+O", "file")
        self.add(file, tr("Open from hub…"), "open_hub", icon="globe")
        self.recent_models = file.addMenu(tr("Recent models"))
        self.recent_models.aboutToShow.connect(do["fill_recent_models"])
        file.addSeparator()
        self.add(file, tr("Open results…"), "open_results", icon="table")
        self.recent = file.addMenu(tr("Recent results"))
        self.recent.aboutToShow.connect(do["fill_recent"])
        self.compare_with = self.add(file, tr("Compare with results…"), "compare_with")
        self.beside = file.addMenu(tr("Compare with recent"))
        self.beside.aboutToShow.connect(do["fill_beside"])
        file.addSeparator()
        self.add(file, tr("Open experiment…"), "open_experiment")
        self.save_experiment = self.add(file, tr("Save experiment…"), "save_experiment", "Ctrl+S", "save")
        self.export = file.addMenu(tr("Export"))
        self.export.setObjectName("export")
        export_menu.fill_menu(self.export, {k: do[f"export_{k}"] for k in export_menu.ENTRIES})
        file.addSeparator()
        self.add(file, tr("Settings…"), "settings", "Ctrl+,", "gear")
        file.addSeparator()
        self.add(file, tr("Quit"), "quit", "Ctrl+Q")

        edit = bar.addMenu(tr("&Edit"))
        self.undo = self.add(edit, tr("Undo"), "undo", "Ctrl+Z", "undo")
        self.redo = self.add(edit, tr("Redo"), "redo", "Ctrl+Shift+Z", "redo")
        edit.addSeparator()
        self.add(edit, tr("Prompts…"), "prompts", icon="lines")
        self.add(edit, tr("Find a command…"), "find_command", "Ctrl+K", "search")
        edit.addSeparator()
        self.edit = edit  # the variants' own actions follow

        view = bar.addMenu(tr("&View"))
        self.views: dict[str, QAction] = {}
        for number, one in enumerate(views(), 1):
            self.views[one.key] = self.add(view, one.title, "show_view", f"Ctrl+{number}")
            self.views[one.key].setData(one.key)
        view.addSeparator()
        self.pause_live = self.add(view, tr("Pause live view"), "pause_live", "Ctrl+Shift+P", checkable=True)
        self.add(view, tr("View chart as table"), "chart_table", "Ctrl+Shift+T", "table")
        self.sort = view.addMenu(tr("Sort by"))
        self.sort.aboutToShow.connect(do["fill_sort"])
        view.addSeparator()
        self.left = self.add(view, tr("Variants dock"), "toggle_left", "F7", checkable=True)
        self.right = self.add(view, tr("Inspector dock"), "toggle_right", "F8", checkable=True)
        self.swap = self.add(view, tr("Swap docks"), "swap_docks")
        self.add(view, tr("Next pane"), "next_pane", "F6")
        self.add(view, tr("Previous pane"), "previous_pane", "Shift+F6")
        view.addSeparator()
        themes = view.addMenu(tr("Theme"))
        group = QActionGroup(window)
        self.themes: dict[str, QAction] = {}
        for mode, text in zip(MODES, (tr("Light"), tr("Dark"), tr("As the system")), strict=True):
            action = self.add(themes, text, "set_theme", checkable=True)
            action.setData(mode)
            group.addAction(action)
            self.themes[mode] = action
        self.patterns = self.add(view, tr("Line patterns"), "line_patterns", checkable=True)
        self.languages = LanguageMenu(session, settings, window)
        view.addMenu(self.languages)
        self.add(view, tr("Reset layout"), "reset_layout")

        run = self.runs = bar.addMenu(tr("&Run"))  # what can be done with a run on screen follows
        self.run = self.add(run, tr("Run"), "run", "F5", "play")
        self.stop = self.add(run, tr("Stop after round"), "stop_after_round", "Shift+F5", "stop")
        self.cancel = self.add(run, tr("Cancel run"), "cancel", "Ctrl+.", "cross")

        presets = bar.addMenu(tr("&Presets"))
        self.save_preset = self.add(presets, tr("Save preset"), "save_preset", "Ctrl+Shift+S", "bookmark")
        self.load_preset = self.add(presets, tr("Load preset…"), "load_preset", "Ctrl+L")

        help_ = bar.addMenu(tr("&Help"))
        self.add(help_, tr("Guide"), "show_help", "F1", "info")
        self.add(help_, tr("Metrics and strategies"), "show_reference")
        self.add(help_, tr("What's this?"), "whats_this", "Shift+F1")
        self.add(help_, tr("Tour"), "show_tour")
        help_.addSeparator()
        self.add(help_, tr("Environment…"), "environment", icon="chip")
        self.add(help_, tr("What the numbers mean"), "formulas")
        self.add(help_, tr("About Dyno"), "about")

    def add(self, menu: QMenu, text: str, does: str, key: str = "", icon: str = "", checkable: bool = False) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(does)
        action.setCheckable(checkable)
        if key:
            action.setShortcut(QKeySequence(key))
        if icon:
            dress(action, icon)
        action.triggered.connect(self._do[does])
        menu.addAction(action)
        return action
