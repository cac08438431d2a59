"""The centre of the window: notices, tabs with views, or the welcome page without a model. A view is made when first
shown, or earlier by `Prewarm`."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QStyle, QStyleOptionTab, QTabBar, QVBoxLayout, QWidget

from app.base.lazy_parts import LazyParts
from app.base.theme import theme
from app.compare.compare_options import CompareOptions
from app.compare.other_runs import OtherRuns
from app.files.whose_bar import WhoseBar
from app.log.log_model import LogModel
from app.session.session import Session
from app.shell.toast import Toast
from app.shell.view_registry import KEYS, ViewParts, ViewSpec, makers, views
from app.shell.welcome_page import WelcomePage
from app.widgets.basics import hairline, pixmap
from app.widgets.buttons import button
from app.widgets.notice_bar import NoticeBar
from app.widgets.pane_navigation import let_follow
from app.widgets.view import View

HANDS_OFF_S = 5.0  # no view changes by itself so soon after the user chose one
HEADER = 42


class Tabs(QTabBar):
    """Tabs as words with an accent line below the current one; their width follows the text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setFont(theme.font(13))
        self.setUsesScrollButtons(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # the accent shows where the keyboard is, not the mouse
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def initStyleOption(self, option: QStyleOptionTab, index: int) -> None:
        """Remove the style's focus frame; the window's focus ring replaces it."""
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus


class CentralArea(QWidget):
    def __init__(self, session: Session, view: str = KEYS[0], parent: QWidget | None = None) -> None:
        """`view` is the initial view."""
        super().__init__(parent)
        self.session = session
        self._chosen_at = float("-inf")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.first_start = WelcomePage()
        self.notice = NoticeBar()
        self.looking, self.beside, log = CompareOptions(self), OtherRuns(self), LogModel(session, self)
        self.views: LazyParts[View] = LazyParts(makers(ViewParts(session, self.looking, self.beside, log)))
        self.tabs = Tabs()
        self.specs = views()
        for one in self.specs:
            self.tabs.addTab(one.title)
        self.stack = QStackedWidget()
        self.export = button(self.tr("Export"), "upload", hint="Ctrl+E")
        self.export.setAccessibleName(self.tr("Export"))
        self._build()
        self.toast = Toast(self)
        self.views.then(self._view_made)
        self.tabs.setCurrentIndex(KEYS.index(view))
        self.tabs.currentChanged.connect(self._show_tab)
        self.tabs.tabBarClicked.connect(self._clicked)
        session.notice.connect(self._told)
        session.wrote.connect(self.toast.offer_file)
        session.experiment_changed.connect(self.refresh)
        session.results_changed.connect(self.refresh)
        session.run_started.connect(self._run_started)
        session.run_finished.connect(self._run_finished)
        self._show_tab(self.tabs.currentIndex())

    def _build(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(12, 0, 16, 0)  # the first word stands at 20
        header.addWidget(self.tabs)
        header.addStretch(1)
        header.addWidget(self.export)
        self._header = QWidget()
        self._header.setFixedHeight(HEADER)
        self._header.setLayout(header)
        self._line = hairline()
        work = QWidget()
        column = QVBoxLayout(work)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self._header, self._line, self.stack):
            column.addWidget(part)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.first_start)
        self._pages.addWidget(work)
        self.bars = QVBoxLayout()  # above whatever is shown
        self.bars.setContentsMargins(16, 0, 16, 0)
        self.bars.addWidget(self.notice)
        self.whose = WhoseBar(self.session)
        self.bars.addWidget(self.whose)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(self.bars)
        outer.addWidget(self._pages, 1)

    def _view_made(self, _name: str, view: View) -> None:
        self.stack.addWidget(view)
        let_follow(self.export, view)  # Tab would come to it last, as the last to join the window

    @Slot(str, str)
    def _told(self, level: str, text: str) -> None:
        """Show a notice: a success over the view for a while, a fault above it until dismissed."""
        if level == "info":
            self.toast.say(text)
        else:
            self.notice.show_notice(level, text)

    @Slot()
    def refresh(self) -> None:
        empty = self.session.experiment is None and self.session.results is None
        if not empty:
            self.stack.setCurrentWidget(self.views[self.current])
        self._pages.setCurrentIndex(0 if empty else 1)
        self.export.setEnabled(self.session.begun)

    # -- tabs ----------------------------------------------------------------------------------------------
    @property
    def spec(self) -> ViewSpec:
        """The shown view."""
        return self.specs[self.tabs.currentIndex()]

    @property
    def current(self) -> str:
        return KEYS[self.tabs.currentIndex()]

    def show_view(self, name: str, by_user: bool = False) -> None:
        if by_user:
            self._chosen_at = time.monotonic()
        self.tabs.setCurrentIndex(KEYS.index(name))

    @Slot(int)
    def _clicked(self, index: int) -> None:
        self._chosen_at = time.monotonic()

    @Slot(int)
    def _show_tab(self, index: int) -> None:
        self.refresh()
        self.tabs.setTabIcon(index, QIcon())  # the news has been seen
        self.export.setVisible(self.specs[index].exports)

    @Slot()
    def _run_started(self) -> None:
        self.notice.hide()
        self._chosen_at = float("-inf")
        self.show_view("live")
        self.views["live"].setFocus()  # so that Space freezes the plots: the button that had it says Stop now

    @Slot()
    def _run_finished(self) -> None:
        """Open Compare, unless the user has just chosen a view; then its tab gets a dot."""
        results = self.session.results
        if results is None or not any(v.trials for v in results.variants.values()):
            return
        if time.monotonic() - self._chosen_at > HANDS_OFF_S:
            self.show_view("compare")
        elif self.current != "compare":
            self.tabs.setTabIcon(KEYS.index("compare"), pixmap("dot", "accent", 8))
