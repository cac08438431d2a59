"""The smallest window, in the language with the tallest type: what there is no room for scrolls, and hides nothing."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.quality.quality_table import ROW_HEIGHT
from app.quality.quality_view import QualityView
from app.widgets.basics import caption, label
from app.widgets.dropdown_field import Panel
from tests.app.streams import Stream, fresh


def test_a_panel_is_as_high_as_its_text_at_its_own_width(qtbot):
    field = QWidget()
    qtbot.addWidget(field)
    panel = Panel(320, field)
    panel.column.addWidget(caption("wide " * 40, wrap=True))
    panel.column.addWidget(label("a line that cannot be wrapped, and is wider than the panel", 13))
    panel.open_below(field)
    assert panel.height() >= panel.column.totalHeightForWidth(320)
    panel.close()


def test_the_table_of_quality_scrolls_before_anything_lies_on_it(qtbot, qapp):
    session = fresh(qapp)
    session.feed(Stream(rounds=2, quality=True), live=False)
    view = QualityView(session)
    qtbot.addWidget(view)
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.resize(840, 900)
    view.show()
    qapp.processEvents()
    assert view.table.height() > 3 * ROW_HEIGHT
    view.resize(840, 440)
    qapp.processEvents()
    assert 2 * ROW_HEIGHT < view.table.height() < 3 * ROW_HEIGHT


def test_the_limits_of_quality_leave_out_their_small_print_before_it_lies_on_the_figures(qtbot, qapp):
    session = fresh(qapp)
    session.feed(Stream(rounds=2, quality=True), live=False)
    window = QWidget()
    qtbot.addWidget(window)
    view = QualityView(session, window)
    view.resize(840, 900)
    window.show()
    name, _, small = view.limits.rows._rows[0]
    assert small.isVisible()
    view.resize(840, 480)
    assert small.isHidden()
    assert name.toolTip() == small.text()
    assert view.table.viewport().rect().intersects(view.table.visualRect(view.table.currentIndex()))
