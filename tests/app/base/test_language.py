"""The language: which one, and another window in it over the same session."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QMenu, QWidget
from shiboken6 import isValid

from app.base.language import language, system_code
from app.base.theme import theme
from app.session.live_data import LiveData
from app.settings.language_menu import LanguageMenu
from app.settings.settings import Settings
from app.settings.settings_dialog import SettingsDialog
from app.shell.main_window import MainWindow
from app.shell.window_switcher import WindowSwitcher
from core.results.results import Results
from tests.app.streams import Stream


@pytest.fixture(autouse=True)
def back_to_english(qapp):
    yield
    language.apply(qapp, "en")


@pytest.fixture
def desk(qapp, session):
    settings = Settings()
    settings.language = "en"
    made = WindowSwitcher(MainWindow, session, settings)
    yield made
    made.window.hide()
    made.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def let_go():
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_the_system_s_first_language_decides():
    assert system_code(["zh-Hans-CN", "en-US"]) == "zh_CN"
    assert system_code(["zh_CN"]) == "zh_CN"
    assert system_code(["zh-TW"]) == "en"
    assert system_code(["de-DE", "zh-CN"]) == "en"


def test_small_print_is_larger_in_chinese(qapp):
    language.apply(qapp, "zh_CN")
    assert [theme.font(n).pixelSize() for n in (10, 11, 12, 13)] == [10, 12, 12, 13]
    language.apply(qapp, "en")
    assert theme.font(11).pixelSize() == 11


def test_qt_s_own_buttons_are_translated_too(qapp, qtbot):
    language.apply(qapp, "zh_CN")
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "取消"


def test_another_window_takes_the_place_of_the_first(desk, session, qtbot):
    session.open_demo()
    session.select("int4 weights")
    session.results, session.curves = Results("synthetic"), LiveData()
    session.results_changed.emit()
    for event in Stream(rounds=5):
        session.results.fold(event)
        session.event_received.emit(event)
    before, listening = desk.window, session.receivers("2tick()")
    before.show()
    curves = before.centre.views["live"].plots.data
    assert curves.tracks
    before.centre.show_view("receipts", by_user=True)
    before.toggle_left()
    before.doing.show_settings()
    (dialog,) = before.findChildren(SettingsDialog)
    dialog.language.setCurrentIndex(dialog.language.findData("zh_CN"))
    dialog.accept()
    let_go()
    assert not isValid(before)
    assert session.receivers("2tick()") == listening  # nothing of the first window listens still
    after = desk.window
    assert after.isVisible()
    with qtbot.waitSignal(session.tick):  # the first window has gone after this one came; it is drawn still
        pass
    assert after.centre.current == "receipts"
    assert after.left.isHidden()
    assert session.selected == "int4 weights"
    assert after.centre.tabs.tabText(1) == "对比"
    assert after.menus.run.text() == "运行"
    assert after.status.language.text() == "简体中文"
    assert {menu.title() for menu in after.findChildren(QMenu)} >= {"文件(&F)", "语言"}
    assert any(part.text() == "变体" for part in after.variants.findChildren(QLabel))
    assert Settings().language == "zh_CN"
    # what was measured stays, and is said anew
    assert after.centre.views["live"].plots.data is curves
    assert any(line.text.startswith("运行开始") for line in after.centre.views["log"].model._waiting)


class Plain(QWidget):
    """A window for the desk that costs nothing."""

    language_chosen = Signal()

    def __init__(self, session, settings):
        super().__init__()
        self.menu = LanguageMenu(session, settings)
        self.menu.chosen.connect(self.language_chosen)

    def retire(self):
        pass

    def take_over(self, before):
        pass


def test_the_menu_switches_it_but_not_during_a_run_and_says_why(session, qtbot):
    settings = Settings()
    desk = WindowSwitcher(Plain, session, settings)
    first, action = desk.window, desk.window.menu.choices["zh_CN"]
    session.running = True
    session.run_started.emit()
    assert not action.isEnabled()
    assert action.toolTip() == "The language can be switched once the run has ended."
    settings.language = "zh_CN"
    first.language_chosen.emit()
    let_go()
    assert desk.window is first
    settings.language = "system"
    session.running = False
    session.run_finished.emit()
    assert action.isEnabled()
    job = session.jobs.begin("Writing")
    with qtbot.waitSignal(session.notice) as said:
        action.trigger()
        let_go()
    assert said.args == ["info", "Writing: the language changes at the next start."]
    assert desk.window is first
    job.end()
    first.menu.chosen.emit()
    let_go()
    assert desk.window is not first
    assert desk.window.menu.title() == "语言"
