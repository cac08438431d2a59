"""What was done is said over the view: nothing moves, and the file is a press away."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMenu

from app.files import export_menu
from core.results.journal import Journal
from tests.app.streams import Stream


@pytest.fixture
def window(still_window, tmp_path):
    """With a finished comparison in sight."""
    journal = Journal(tmp_path / "run")
    for event in Stream(rounds=4):
        journal.write(event)
    journal.close()
    still_window.session.open_results(tmp_path / "run")
    still_window.centre.show_view("compare")
    still_window.centre.notice.hide()
    yield still_window
    still_window.centre.toast.hide()


def test_an_export_moves_nothing_and_shows_where_the_file_is(window, tmp_path, monkeypatch, qapp):
    centre, opened = window.centre, []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    qapp.processEvents()
    parts = (centre.export, centre.tabs, centre.views["compare"].bar)
    before = [part.mapTo(window, QPoint(0, 0)) for part in parts]
    assert export_menu.write(window.session, "comparison", tmp_path / "out" / "a.csv") is False  # there is no folder
    assert centre.toast.isHidden()
    assert not centre.notice.isHidden()  # a fault stays, above the view
    centre.notice.hide()
    path = tmp_path / "a.csv"
    assert export_menu.write(window.session, "comparison", path)
    qapp.processEvents()
    toast = centre.toast
    assert not toast.isHidden()
    assert str(path) in toast.text.text().replace("\u2060", "")
    assert [part.mapTo(window, QPoint(0, 0)) for part in parts] == before
    assert centre.rect().contains(toast.geometry())
    toast.folder.click()
    assert opened == [QUrl.fromLocalFile(str(tmp_path))]
    toast.copy.click()
    assert Path(QGuiApplication.clipboard().text()) == path
    toast._gone.timeout.emit()
    assert toast.isHidden()


def test_what_wrote_no_file_offers_no_folder(window, tmp_path):
    toast = window.centre.toast
    assert export_menu.write(window.session, "json", tmp_path / "a.json")
    assert not toast.folder.isHidden()
    window.session.notice.emit("info", "The picture is on the clipboard.")
    assert not toast.isHidden()
    assert toast.folder.isHidden()
    assert toast.copy.isHidden()


def test_the_menu_of_a_row_holds_what_can_be_done_with_its_variant(window, qapp):
    view = window.centre.views["compare"]
    window.session.select("int8 weights")
    qapp.processEvents()
    menu = QMenu(view)
    view.table.fill_menu(menu, view.table.visualRect(view.model.index(1, 0)).center())
    actions = {action.objectName() or str(action.data()): action for action in menu.actions()}
    assert window.menus.save_preset in actions.values()
    assert window.doing.runs.again in actions.values()
    assert window.variants.variant_actions.exclude in actions.values()
    window.menus.views["timeline"].trigger()
    assert window.centre.current == "timeline"
    assert window.menus.views["timeline"] in menu.actions()
    assert window.menus.views["try"] in menu.actions()
    menu.deleteLater()
