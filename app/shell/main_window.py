"""The main window: menus, top bar, two docks, the centre and the status bar, connected to one Session."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QHideEvent, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QToolBar, QWidget

from app.base.core_text import said
from app.base.focus_ring import FocusRing
from app.base.theme import theme
from app.editor.variants_dock import VariantsDock
from app.files.drop_target import DropFrame
from app.files.file_actions import FileActions
from app.files.interrupted_bar import InterruptedBar
from app.files.run_loader import OpeningBar
from app.inspector.inspector import Inspector
from app.inspector.machine_dock import MachineDock
from app.session.session import Session
from app.settings.settings import Settings
from app.shell import window_restore
from app.shell.central_area import CentralArea
from app.shell.close_guard import CloseGuard
from app.shell.docks import Grip, Overlay, make_dock, swap
from app.shell.menus import Menus
from app.shell.prewarm import Prewarm
from app.shell.run_notifier import RunNotifier
from app.shell.status_bar import StatusBar
from app.shell.top_bar import TopBar
from app.shell.view_registry import KEYS, import_ahead
from app.shell.whats_this import explain, say
from app.shell.window_actions import WindowActions
from app.widgets.basics import redress
from app.widgets.pane_navigation import Panes
from app.widgets.view import View
from core.base.files import check_writable
from core.base.folders import data_folder

DEFAULT_SIZE = (1440, 900)
FRAME = 48  # what a window manager may add to a window's height, and more than it adds to its width
MINIMUM_SIZE = (1120, 720)
LEAST_HEIGHT = 600  # px, on the lowest screen
LEFT, RIGHT = 288, 304
LEAST, MOST = 264, 400  # what a dock can be drawn to
NARROW = 1280  # below it the right dock gives its place to the centre
LAYOUT_VERSION = 2


class MainWindow(QMainWindow):
    language_chosen = Signal()  # the settings know which; whoever holds the window makes another

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.settings = session, settings
        self._painted = False
        self._narrow: bool | None = None
        self._folded = False
        self._retired = False
        self.setMinimumSize(least_size(self.screen().availableSize()))
        self.resize(*DEFAULT_SIZE)
        session.runs_folder, session.margin = settings.runs_folder, settings.margin_pct / 100
        self.closing = CloseGuard(session, self)
        self.notifier = RunNotifier(session, settings, self)
        self._rehearsal = Prewarm(self)
        self.again = window_restore.Again(session, self)
        self._build()
        self._default_layout = self.saveState(LAYOUT_VERSION)
        self._default_parts: dict[str, QByteArray] = {}
        self.centre.views.then(self._view_made)
        self._restore_layout()
        self.refresh()

    # -- parts ---------------------------------------------------------------------------------------------
    def _build(self) -> None:
        session = self.session
        brings = session.results is not None or self.again.brings(self.settings.results)
        self.centre = CentralArea(session, self._last_view() if brings else KEYS[0])
        self.panes, self.focus_ring = Panes(self, self._panes_in_order), FocusRing(self)
        self.doing = WindowActions(
            session,
            self.settings,
            self,
            self.centre,
            {
                "toggle_left": self.toggle_left,
                "toggle_right": self.toggle_right,
                "reset_layout": self.reset_layout,
                "swap_docks": self.swap_docks,
                "next_pane": self.panes.next,
                "previous_pane": self.panes.previous,
                "quit": self.close,
            },
        )
        self.status = StatusBar(session, self.menus.languages)
        self.menus.languages.chosen.connect(self.language_chosen)
        self.status.put(self.doing.runs.queue_button)
        self.setStatusBar(self.status)  # first, which is after the last: what the right dock makes later joins before
        self.top_bar = TopBar(session)
        bar = QToolBar(self.tr("Top bar"))
        bar.setObjectName("top_bar")
        bar.setMovable(False)
        bar.setFloatable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.addWidget(self.top_bar)
        self.addToolBar(bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.variants = VariantsDock(session)
        self.variants.variant_actions.fill(self.menus.edit, whole=True)
        self.variants.measured_actions = [self.doing.runs.again]
        self.left = self._dock("left", self.variants, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCentralWidget(self.centre)  # here, since Tab goes by the order in which parts join the window
        self.inspector = Inspector(session)
        self.inspector.more.wanted.connect(self.doing.runs.ask_for_more)
        self.machine = MachineDock(session, self.settings)
        self._right_pages = QStackedWidget()
        self._right_pages.addWidget(self.machine)
        self._right_pages.addWidget(self.inspector)
        self.right = self._dock("right", self._right_pages, Qt.DockWidgetArea.RightDockWidgetArea)
        self.resizeDocks([self.left, self.right], [LEFT, RIGHT], Qt.Orientation.Horizontal)
        self.overlay = Overlay(self, self.right, self.centre, RIGHT)
        self.overlay.changed.connect(self._docks_changed)
        self.drop = DropFrame(session, self)
        self.doing.connect_parts(self.top_bar, self.machine, self.drop)
        self.doing.help.targets = [self.top_bar, self.variants, self.centre]
        self.centre.bars.addWidget(OpeningBar(self.again.opening))
        self.interrupted = InterruptedBar(session, self.settings, self.files)
        self.centre.bars.insertWidget(0, self.interrupted)
        explain(self.top_bar, self.variants, self.centre, self.inspector, self.machine, self.status)
        session.experiment_changed.connect(self.refresh)
        session.results_changed.connect(self.refresh)
        session.run_started.connect(self._run_started)
        session.run_finished.connect(self._run_finished)
        theme.changed.connect(self._theme_changed)
        self.left.visibilityChanged.connect(self._docks_changed)
        self.right.visibilityChanged.connect(self._docks_changed)

    @property
    def menus(self) -> Menus:
        return self.doing.menus

    @property
    def files(self) -> FileActions:
        return self.doing.files

    def _panes_in_order(self) -> tuple[QWidget, ...]:
        right = self.right if self.overlay.isHidden() else self.overlay
        middle = sorted((self.left, self.centre, right), key=lambda pane: pane.x())
        return self.top_bar, *middle, self.status

    @Slot()
    def swap_docks(self) -> None:
        swap(self, self.left, self.right)

    def _dock(self, name: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        menus = self.menus
        hides, titles = (menus.left, menus.right), (self.tr("Variants"), self.tr("Inspector"))
        place = 0 if area == Qt.DockWidgetArea.LeftDockWidgetArea else 1
        content.setMinimumWidth(LEAST)
        content.setMaximumWidth(MOST)
        dock = make_dock(self, name, titles[place], content, area)
        dock.setTitleBarWidget(Grip(dock, [menus.swap, hides[place]]))
        return dock

    # -- showing -------------------------------------------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        """Update the right dock's page and the title."""
        session = self.session
        self._right_pages.setCurrentIndex(1 if session.experiment is not None or session.begun else 0)
        model = session.facts.name if session.facts else session.experiment.model.source if session.experiment else ""
        self.setWindowTitle(f"{model} · Dyno" if model else "Dyno")

    @Slot()
    def _theme_changed(self) -> None:
        redress(self)

    # -- layout --------------------------------------------------------------------------------------------
    @Slot()
    def _docks_changed(self) -> None:
        self.menus.left.setChecked(not self.left.isHidden())
        self.menus.right.setChecked(not self.right.isHidden() or not self.overlay.isHidden())

    @Slot()
    def toggle_left(self) -> None:
        self.left.setVisible(self.left.isHidden())

    @Slot()
    def toggle_right(self) -> None:
        """Show or hide the right dock; in a narrow window it lies over the centre, whose tabs and charts need their
        width."""
        if not self._narrow:
            self.right.setVisible(self.right.isHidden())
        elif self.overlay.isHidden():
            self.right.hide()
            self.overlay.open_pane()
        else:
            self.overlay.close_pane()

    def _restore_layout(self) -> None:
        geometry, state = self.settings.layout("geometry"), self.settings.layout("state")
        if geometry is not None:
            self.restoreGeometry(geometry)
        if state is not None:
            self.restoreState(state, LAYOUT_VERSION)

    def fit(self) -> None:
        """Fit the window to a small screen, so that its foot stays visible."""
        room = self.screen().availableSize()
        usual, most = self.size(), QSize(room.width() - FRAME, room.height() - FRAME)
        if usual.boundedTo(most) != usual:
            self.resize(usual.boundedTo(most))  # when it is no longer maximized
            self.setWindowState(Qt.WindowState.WindowMaximized)

    def _view_made(self, name: str, view: View) -> None:
        """Restore a new view's columns and splitters."""
        say(view, next(spec.tip for spec in self.centre.specs if spec.key == name))
        if name == "compare":
            from app.compare.compare_view import CompareView

            assert isinstance(view, CompareView)
            menus, variants = self.menus, self.variants.variant_actions
            view.table.row_actions = [
                menus.save_preset, self.doing.runs.again, menus.views["try"], menus.views["timeline"],
                variants.exclude,
            ]  # fmt: skip
        self._default_parts |= window_restore.states({name: view})
        window_restore.restore({name: view}, window_restore.kept({name: view}, self.settings))

    @Slot()
    def reset_layout(self) -> None:
        views = dict(self.centre.views)  # all of them: what is not made yet is remembered too
        self.settings.forget_layout(("geometry", "state", *self._default_parts))
        window_restore.restore(views, self._default_parts)
        for view in views.values():
            view.mark()  # a table gives what its columns leave to one of them
        self.restoreState(self._default_layout, LAYOUT_VERSION)
        self.overlay.close_pane()
        self.left.show()
        self.right.setVisible(not self._narrow)
        self._folded = bool(self._narrow)
        self.resizeDocks([self.left, self.right], [LEFT, RIGHT], Qt.Orientation.Horizontal)

    def _keep(self) -> None:
        if self._folded:  # the next window may be wide
            self.right.show()
        self.settings.keep_layout(
            geometry=QByteArray(self.saveGeometry()), state=QByteArray(self.saveState(LAYOUT_VERSION))
        )
        self.settings.keep_layout(**window_restore.states(self.centre.views.made))
        self.settings.view = self.centre.current
        self._keep_work()

    def _keep_work(self) -> None:
        """Save the variants and the folder of their results; a guest's are not saved."""
        session = self.session
        before = next((f.folder for f in session.former if not f.guest), None)
        shown = before if session.guest else session.results_folder
        self.settings.results = shown or self.again.folder  # which may still be read
        self.settings.keep_experiment(session.experiment, session.excluded, session.letters.kept())
        self.settings.save()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        """Hide the right dock in a narrow window; it returns with the room if it was open before, or was opened over
        the centre."""
        narrow = self.width() < NARROW
        if narrow == self._narrow or not self.isVisible():
            return
        self._narrow = narrow
        if narrow:
            self._folded = not self.right.isHidden()
            self.right.hide()
            return
        if self._folded or not self.overlay.isHidden():
            self.overlay.close_pane()
            self._folded = False
            self.right.show()
        if self.variants.width() < LEFT:  # squeezed by the narrow window, this one or the last
            self.resizeDocks([self.left, self.right], [LEFT, RIGHT], Qt.Orientation.Horizontal)

    # -- another window in its place -----------------------------------------------------------------------
    def retire(self) -> None:
        """Save what a new window restores, and stop this window's work; the session goes on."""
        self._retired = True
        self._rehearsal.stop()
        self.files.opening.close()
        self.again.opening.close()
        self.interrupted.close_down()
        self.doing.presets.work.writing.close()
        self.centre.beside.opening.close()
        self.doing.runs.queue.hold()
        self.session.jobs.close()
        self._keep()

    def take_over(self, before: MainWindow) -> None:
        """Show what another window over the same session showed: view, compared runs, options."""
        self.centre.beside.others = before.centre.beside.others
        self.centre.looking.take_over(before.centre.looking)
        self.session.results_changed.emit()
        self.centre.show_view(before.centre.current)

    # -- the window's life ---------------------------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fold()
        self.session.pace.set_visible(True)
        if self.session.experiment is None:
            self.centre.first_start.demo.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not self._retired:  # the window in its place is seen, and has set the pace already
            self.session.pace.set_visible(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self._first_painted)

    @Slot()
    def _first_painted(self) -> None:
        """Start what may wait until the first paint."""
        if os.environ.get("DYNO_FIRST_PAINT"):
            print(f"first paint {time.time():.3f}", flush=True)  # whoever started the process knows when
            self.close()
        if not self.isVisible():
            return  # closed as soon as it was painted
        self._check_folder()
        if self.again.start(self.settings.results):
            self.centre.show_view(self._last_view())
        if not self.session.running:
            self.interrupted.look()
        if self.session.environment is None:  # else this window stands in another's place
            self.session.ask_environment()
        self._rehearsal.start(self._unseen())

    def _unseen(self) -> Iterator[QWidget | None]:
        """Yield what the user may see next, made one by one."""
        yield from import_ahead()
        for name in self.centre.views:
            yield self.centre.views[name]
        yield from self.inspector.sections

    def _last_view(self) -> str:
        """Return the key of the last tab."""
        return self.settings.view if self.settings.view in KEYS else "compare"

    def _check_folder(self) -> None:
        """Warn at once if nothing can be saved; otherwise it would show only when the window closes."""
        folder = data_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            check_writable(folder / "settings.ini")
        except OSError as error:
            text = self.tr("{folder} cannot be written: {why}. Settings and queue are not kept: set DYNO_DATA.")
            why = said(error.strerror or str(error))
            self.session.notice.emit("warning", text.format(folder=folder, why=why))

    @Slot()
    def _run_started(self) -> None:
        """Save the run's folder, so that its measurements are found again, whatever becomes of this process."""
        if self.session.results_folder is not None:
            self.settings.add_recent(self.session.results_folder)
        self._keep_work()

    @Slot()
    def _run_finished(self) -> None:
        if self.session.results_folder is not None:
            self.settings.add_recent(self.session.results_folder)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.session.running:
            event.ignore()
            self.closing.ask()
            return
        self.retire()
        self.session.close()
        event.accept()


def least_size(screen: QSize) -> QSize:
    """Return the minimum window size on such a screen; on a low one, title bar and foot must both be visible."""
    wide, high = MINIMUM_SIZE
    return QSize(wide, max(LEAST_HEIGHT, min(high, screen.height() - FRAME)))
