"""The window: menus, top bar, two docks, the centre and the status bar, joined to one Session. Knows which action
does what; draws nothing and measures nothing.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer, Slot
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QHideEvent,
    QIcon,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QStackedWidget,
    QToolBar,
    QWidget,
)

from app.centre import Centre, DropFrame
from app.closing import Closing
from app.dialogs import AboutDialog, FormulasDialog, SettingsDialog
from app.file_actions import FileActions
from app.inspector import Inspector
from app.machine import MachineDock
from app.menus import TABS, Menus
from app.preset_actions import PresetActions
from app.session import Session
from app.settings import Settings
from app.status_bar import StatusBar
from app.theme import RESOURCES, theme
from app.top_bar import TopBar
from app.variants_dock import VariantsDock
from app.widgets import redress
from core.engines import EnginePool
from core.folders import data_folder

DEFAULT_SIZE = (1440, 900)
MINIMUM_SIZE = (1120, 720)
LEFT, RIGHT = 288, 304
LEAST, MOST = 264, 400  # what a dock can be drawn to
NARROW = 1280  # below it the right dock gives its place to the centre
LAYOUT_VERSION = 1


class MainWindow(QMainWindow):
    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.settings = session, settings
        self._painted = False
        self._was_narrow = False
        self._unseen: list[QWidget] = []
        self._rehearsal = QTimer(self, interval=0)
        self._rehearsal.timeout.connect(self._rehearse)
        self.setWindowTitle("Dyno")
        self.setMinimumSize(*MINIMUM_SIZE)
        self.resize(*DEFAULT_SIZE)
        self.setAcceptDrops(True)
        session.runs_folder = settings.runs_folder
        self.files = FileActions(session, settings, self)
        self.presets = PresetActions(session, self)
        self.closing = Closing(session, self)
        self.menus = Menus(self, self._actions())
        self._build()
        self._connect()
        self._default_layout = self.saveState(LAYOUT_VERSION)
        self._restore_layout()
        self.refresh()

    # -- parts ---------------------------------------------------------------------------------------------
    def _actions(self) -> dict:
        return {
            "open_demo": self.files.open_demo,
            "open_folder": self.files.open_folder,
            "open_gguf": self.files.open_gguf,
            "open_hub": self.files.open_hub,
            "open_results": self.files.open_results,
            "fill_recent": self.files.fill_recent,
            "open_experiment": self.files.open_experiment,
            "save_experiment": self.files.save_experiment,
            "export_comparison": self.files.export_comparison,
            "export_trials": self.files.export_trials,
            "export_json": self.files.export_json,
            "export_copy": self.files.export_copy,
            "settings": self.show_settings,
            "quit": self.close,
            "undo": self.session.undo,
            "redo": self.session.redo,
            "show_live": self.show_live,
            "show_compare": self.show_compare,
            "show_receipts": self.show_receipts,
            "show_log": self.show_log,
            "toggle_left": self.toggle_left,
            "toggle_right": self.toggle_right,
            "set_theme": self.set_theme,
            "reset_layout": self.reset_layout,
            "run": self.session.run,
            "stop_after_round": self.session.stop_after_round,
            "cancel": self.session.cancel,
            "save_preset": self.presets.save_preset,
            "load_preset": self.presets.load_preset,
            "formulas": self.show_formulas,
            "about": self.show_about,
        }

    def _build(self) -> None:
        self.top_bar = TopBar(self.session)
        bar = QToolBar(self.tr("Top bar"))
        bar.setObjectName("top_bar")
        bar.setMovable(False)
        bar.setFloatable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.addWidget(self.top_bar)
        self.addToolBar(bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.centre = Centre(self.session)
        self.centre.export.setMenu(self.menus.export)
        self.setCentralWidget(self.centre)
        self.variants = VariantsDock(self.session)
        self.left = self._dock("left", self.variants, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.inspector = Inspector(self.session)
        self.machine = MachineDock(self.session, self.settings)
        self._right_pages = QStackedWidget()
        self._right_pages.addWidget(self.machine)
        self._right_pages.addWidget(self.inspector)
        self.right = self._dock("right", self._right_pages, Qt.DockWidgetArea.RightDockWidgetArea)
        self.resizeDocks([self.left, self.right], [LEFT, RIGHT], Qt.Orientation.Horizontal)
        self.status = StatusBar(self.session)
        self.setStatusBar(self.status)
        self.variants.variant_actions.fill(self.menus.edit, whole=True)
        self._drop = DropFrame(self)

    def _dock(self, name: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(self)
        dock.setObjectName(f"{name}_dock")
        dock.setTitleBarWidget(QWidget())  # a pane, not a floating box
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        content.setMinimumWidth(LEAST)
        content.setMaximumWidth(MOST)
        dock.setWidget(content)
        self.addDockWidget(area, dock)
        return dock

    def _connect(self) -> None:
        session, top, first = self.session, self.top_bar, self.centre.first_start
        for source in (top, first):
            source.open_demo.connect(self.files.open_demo)
            source.open_folder.connect(self.files.open_folder)
            source.open_gguf.connect(self.files.open_gguf)
            source.open_hub.connect(self.files.open_hub)
        self.files.opened.connect(self._opened)
        self.files.refused.connect(self._offer_options)
        self.files.results_opened.connect(self._results_opened)
        self.files.preset_dropped.connect(self.presets.show_file)
        self.machine.open_recent.connect(self.files.open_folder_of_results)
        self.centre.notice.acted.connect(self.files.open_with_options)
        for signal in (session.experiment_changed, session.results_changed, session.selection_changed):
            signal.connect(self.refresh)
        session.run_started.connect(self.refresh)
        session.run_finished.connect(self._run_finished)
        theme.changed.connect(self._theme_changed)
        self.left.visibilityChanged.connect(self._docks_changed)
        self.right.visibilityChanged.connect(self._docks_changed)
        QShortcut(QKeySequence("Ctrl+E"), self).activated.connect(self.centre.export.showMenu)

    # -- showing -------------------------------------------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        """Which actions make sense now."""
        session, menus = self.session, self.menus
        free = not session.running
        known = session.experiment is not None
        measured = session.results is not None and session.results.started is not None
        menus.run.setEnabled(known and free)
        menus.stop.setEnabled(session.running and not session.stopping)
        menus.cancel.setEnabled(session.running and not session.cancelling)
        menus.undo.setEnabled(session.can_undo)
        menus.redo.setEnabled(session.can_redo)
        menus.save_experiment.setEnabled(known)
        menus.export.setEnabled(measured)
        menus.save_preset.setEnabled(measured and free)
        menus.load_preset.setEnabled(free)
        for mode, action in menus.themes.items():
            action.setChecked(mode == self.settings.theme)
        self._right_pages.setCurrentIndex(1 if known or measured else 0)
        model = session.facts.name if session.facts else session.experiment.model.source if session.experiment else ""
        self.setWindowTitle(f"{model} · Dyno" if model else "Dyno")

    @Slot()
    def _theme_changed(self) -> None:
        redress(self)

    @Slot()
    def _docks_changed(self) -> None:
        self.menus.left.setChecked(not self.left.isHidden())
        self.menus.right.setChecked(not self.right.isHidden())

    @Slot()
    def show_live(self) -> None:
        self.centre.show_view(TABS[0], by_user=True)

    @Slot()
    def show_compare(self) -> None:
        self.centre.show_view(TABS[1], by_user=True)

    @Slot()
    def show_receipts(self) -> None:
        self.centre.show_view(TABS[2], by_user=True)

    @Slot()
    def show_log(self) -> None:
        self.centre.show_view(TABS[3], by_user=True)

    @Slot()
    def toggle_left(self) -> None:
        self.left.setVisible(self.left.isHidden())

    @Slot()
    def toggle_right(self) -> None:
        self.right.setVisible(self.right.isHidden())

    @Slot()
    def set_theme(self) -> None:
        action, app = self.sender(), QApplication.instance()
        if isinstance(action, QAction) and isinstance(app, QApplication):
            self.settings.theme = action.data()
            theme.apply(app, action.data())

    @Slot()
    def _opened(self) -> None:
        self.centre.notice.hide()
        self.top_bar.controls.primary.setFocus()

    @Slot()
    def _offer_options(self) -> None:
        self.centre.notice.offer(self.tr("Open with options…"))

    @Slot()
    def _results_opened(self) -> None:
        self.centre.notice.hide()
        self.centre.show_view("compare")

    # -- dropping ------------------------------------------------------------------------------------------
    @staticmethod
    def _dropped_path(event: QDragEnterEvent | QDropEvent) -> Path | None:
        urls = event.mimeData().urls()
        path = Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
        return path if path is not None and (path.is_dir() or path.suffix in (".gguf", ".toml", ".json")) else None

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._dropped_path(event) is not None and not self.session.running:
            event.acceptProposedAction()
            self._drop.raise_()
            self._drop.show()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop.hide()
        path = self._dropped_path(event)
        if path is not None:
            event.acceptProposedAction()
            self.files.open_path(path)

    # -- dialogs -------------------------------------------------------------------------------------------
    @Slot()
    def show_settings(self) -> None:
        dialog = SettingsDialog(self.settings, self)
        dialog.applied.connect(self.apply_settings)
        dialog.open()

    @Slot()
    def apply_settings(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, self.settings.theme)
        self.session.runs_folder = self.settings.runs_folder
        self.session.set_engine_command(self.settings.engine_command or None)
        self.refresh()

    @Slot()
    def show_formulas(self) -> None:
        FormulasDialog(self).open()

    @Slot()
    def show_about(self) -> None:
        AboutDialog(self).open()

    # -- layout --------------------------------------------------------------------------------------------
    def _restore_layout(self) -> None:
        geometry, state = self.settings.layout("geometry"), self.settings.layout("state")
        if geometry is not None:
            self.restoreGeometry(geometry)
        if state is not None:
            self.restoreState(state, LAYOUT_VERSION)

    @Slot()
    def reset_layout(self) -> None:
        self.settings.forget_layout(("geometry", "state"))
        self.restoreState(self._default_layout, LAYOUT_VERSION)
        self.left.show()
        self.right.show()
        self.resizeDocks([self.left, self.right], [LEFT, RIGHT], Qt.Orientation.Horizontal)

    def _keep(self) -> None:
        self.settings.keep_layout(
            geometry=QByteArray(self.saveGeometry()), state=QByteArray(self.saveState(LAYOUT_VERSION))
        )
        self.settings.keep_experiment(self.session.experiment, self.session.excluded)
        self.settings.save()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        if narrow != self._was_narrow and self.isVisible():
            self.right.setVisible(not narrow)
        self._was_narrow = narrow

    # -- the window's life ---------------------------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.session.pace.set_visible(True)
        if self.session.experiment is None:
            self.centre.first_start.demo.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.session.pace.set_visible(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self._first_painted)

    @Slot()
    def _first_painted(self) -> None:
        """What may wait until there is something to see."""
        if os.environ.get("DYNO_FIRST_PAINT"):
            print(f"first paint {time.time():.3f}", flush=True)  # whoever started the process knows when
            self.close()
        if not self.isVisible():
            return  # closed as soon as it was painted
        self.session.ask_environment()
        self._unseen = [*self.centre.views.values(), *self.inspector.sections]
        self._rehearsal.start()

    @Slot()
    def _rehearse(self) -> None:
        """Style and paint what is hidden, one part a turn: when it appears in a run there is no time for that."""
        part = self._unseen.pop()
        if not part.isVisible():
            part.grab()
        if not self._unseen:
            self._rehearsal.stop()

    @Slot()
    def _run_finished(self) -> None:
        if self.session.results_folder is not None:
            self.settings.add_recent(self.session.results_folder)
        self.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.session.running:
            event.ignore()
            self.closing.ask()
            return
        self._rehearsal.stop()
        self._keep()
        self.session.close()
        event.accept()


def open_window() -> int:
    """Open the window and stay until it is closed; returns the exit status."""
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(data_folder()))
    app = QApplication(sys.argv[:1])
    app.setApplicationName("dyno")
    app.setApplicationDisplayName("Dyno")
    app.setOrganizationName("dyno")
    app.setDesktopFileName("dyno")  # Wayland finds the icon by this name
    app.setWindowIcon(QIcon(str(RESOURCES / "icons" / "dyno.svg")))
    settings = Settings()
    theme.apply(app, settings.theme)
    session = Session(EnginePool(settings.engine_command or None))
    session.restore(settings.experiment(), settings.excluded())
    window = MainWindow(session, settings)
    window.show()
    gc.freeze()  # a full collection over all of Qt's and pydantic's objects would stall the window
    try:
        return app.exec()
    finally:
        session.close()
