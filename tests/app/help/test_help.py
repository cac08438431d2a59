"""The documentation has every metric and strategy, its links lead somewhere; every control can be asked what it is; the
tour ends and is remembered."""

import re

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from app.help.help_actions import HelpActions
from app.help.help_view import KEY, HelpWindow
from app.settings.settings import Settings
from app.shell.view_registry import KEYS as TABS
from app.shell.whats_this import found
from app.text.reference_entries import entries
from core.report import column_dictionary
from core.spec.variant import REGISTRY
from tests.app.conftest import experiment
from tests.app.help.test_keyboard import CONTROLS, called, is_part
from tests.app.streams import ENVIRONMENT


def test_everything_that_is_declared_has_an_entry_and_every_link_an_end(qapp):
    known = {e.key: e for e in entries(ENVIRONMENT)}
    assert len(known) == len(entries(ENVIRONMENT))
    for kinds in REGISTRY.values():
        for kind in kinds.values():
            entry = known[f"strategy:{kind.slot}.{kind.key}"]
            assert kind.title in entry.title
            assert "On this machine" in entry.body
            assert all(part.casefold() in entry.words for part in (kind.pays, kind.pays_not, kind.source))
    assert all(f"metric:{column.name}" in known for column in column_dictionary.columns())
    links = {link for e in known.values() for link in re.findall(r'href="([^"]+)"', e.body)}
    assert len(links) > 50
    assert links <= set(known)


def test_a_search_a_link_and_the_way_back(qtbot):
    window = HelpWindow(ENVIRONMENT)
    qtbot.addWidget(window)
    window.show_entry("metric:speed_ratio")
    assert window.list.currentItem().text() == "Speed"
    window.search.setText("int4 weights")
    assert window.list.currentItem().data(KEY) == "strategy:quantization.int4_weight_only"
    window.show_entry("strategy:quantization.int4_weight_only")
    assert "When it pays" in window.text.toPlainText()
    assert "196.8 tok/s" in window.text.toPlainText()
    window.text.anchorClicked.emit(QUrl("strategy:attention.eager"))  # which the search had hidden
    assert window.list.currentItem().text() == "Eager"
    assert window.search.text() == ""
    window.back()
    assert window.list.currentItem().data(KEY) == "strategy:quantization.int4_weight_only"
    window.search.setText("nothing has these words")
    assert window.list.count() == 0
    assert not window.none.isHidden()


@pytest.mark.demo
def test_every_control_can_be_asked_what_it_is(still_window):
    window = still_window
    window.session.open_experiment(experiment())
    window.session.select("int4")
    made = [window.centre.views[name] for name in TABS]  # each is made when it is first asked for
    assert all(view.window() is window for view in made)
    said = {}
    parts = (window.top_bar, window.left, window.centre, window.right, window.status)
    for widget in [w for part in parts for w in part.findChildren(QWidget)]:
        mine = widget.window() is window and not isinstance(widget.parentWidget(), QDockWidget)
        if mine and isinstance(widget, CONTROLS) and not is_part(widget):
            said.setdefault(widget.whatsThis(), []).append(called(widget))
    assert "" not in said  # the words of the part around it do not do
    same = {words: who for words, who in said.items() if len(set(who)) > 1}
    assert not same  # each has its own
    rows = window.variants.editor.rows
    assert "tok/s" in rows["quantization"].combo.whatsThis()  # of the strategy that is on
    assert "verifies" in rows["speculation"].combo.whatsThis()  # of the slot
    assert "slot" in found(rows["speculation"])  # of the part around it
    assert rows["quantization"].form.editors["group_size"].widget.whatsThis()


def test_the_tour_has_three_steps_and_is_remembered(still_window):
    window, help_ = still_window, still_window.doing.help
    window.settings.set_flag("tour_done", False)
    help_.first_time()
    tour = help_.tour
    seen = []
    while help_.tour is not None:
        assert tour.isVisible()
        assert window.rect().contains(tour.geometry())
        seen.append(tour._ring.parentWidget())
        tour.next.click()
    assert seen == [window.top_bar, window.variants, window.centre]
    help_.first_time()
    assert help_.tour is None
    help_.show_tour()  # from the menu, again
    help_.tour.skip.click()
    assert help_.tour is None


def test_the_documentation_is_made_anew_where_the_machine_has_become_known(qtbot, session, tmp_path):
    owner = QMainWindow()
    qtbot.addWidget(owner)
    help_ = HelpActions(session, Settings(tmp_path / "settings.ini"), owner)
    help_.show_entry("strategy:attention.eager")
    assert "On this machine" not in help_.help.text.toPlainText()
    session.machine.know(ENVIRONMENT)
    help_.show_entry("strategy:attention.eager")
    assert "On this machine" in help_.help.text.toPlainText()
