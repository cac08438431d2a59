"""What hands and eyes meet first: the ring on a tab, the top of a page of the guide, flags of trials, a low screen."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QStyle, QStyleOptionTab

from app.base.focus_ring import TAB_GAP, Ring
from app.compare.trials_model import FLAGS, ROUND, TrialsModel
from app.compare.trials_table import TrialsTable
from app.shell.main_window import FRAME, MINIMUM_SIZE, least_size


def test_the_ring_of_a_tab_is_around_its_words_and_the_only_frame(still_window, qapp):
    tabs = still_window.centre.tabs
    still_window.centre.show_view("compare")
    tabs.setFocus(Qt.FocusReason.TabFocusReason)
    ring = Ring(tabs)
    words = tabs.fontMetrics().horizontalAdvance(tabs.tabText(tabs.currentIndex()))
    place = tabs.tabRect(tabs.currentIndex())
    left, right = ring.x() - place.left(), place.right() - TAB_GAP - ring.geometry().right()
    assert abs(left - right) <= 1  # as far from the words on both sides
    assert ring.width() >= words + 8
    option = QStyleOptionTab()
    tabs.initStyleOption(option, tabs.currentIndex())
    assert not option.state & QStyle.StateFlag.State_HasFocus
    ring.deleteLater()


def test_a_page_of_the_guide_opens_at_its_top(still_window, qapp):
    for page in ("reading", "running", "roofline"):
        still_window.doing.help.show_page(page)
        dialog = still_window.doing.help.help
        dialog.resize(760, 420)
        qapp.processEvents()
        dialog.text.ensureCursorVisible()  # as Qt does when it lays a page out
        assert dialog.text.verticalScrollBar().value() == 0
    dialog.reject()


def test_flags_of_a_trial_stand_before_its_figures(qtbot):
    from app.compare.compare_options import CompareOptions

    table = TrialsTable(TrialsModel(), CompareOptions())
    qtbot.addWidget(table)
    header = table.horizontalHeader()
    assert header.visualIndex(FLAGS) == ROUND + 1
    assert header.sectionViewportPosition(FLAGS) + header.sectionSize(FLAGS) < 800


def test_on_a_low_screen_the_window_leaves_room_for_its_title_bar():
    assert least_size(QSize(1280, 720)).height() <= 720 - FRAME
    assert least_size(QSize(1920, 1080)) == QSize(*MINIMUM_SIZE)
