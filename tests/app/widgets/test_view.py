"""The base of the views, and the words they share."""

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.base.draw_queue import turns
from app.shell.prewarm import paint_ahead
from app.text.phrases import name_text
from app.text.recipe_text import slot_title, slot_word
from app.widgets.basics import Meter
from app.widgets.buttons import button
from app.widgets.view import View
from core.base.formatting import plain
from core.spec.variant import SLOTS
from tests.app.streams import fresh


class Counting(View):
    drawn = 0

    def _draw(self):
        self.drawn += 1


@pytest.fixture
def view(qtbot, qapp):
    view = Counting(fresh(qapp))
    qtbot.addWidget(view)
    return view


def test_a_view_draws_when_shown_and_then_once_a_mark(view):
    view.session.tick.emit()
    assert view.drawn == 0  # nobody sees it
    view.show()
    assert view.drawn == 1
    view.mark()
    view.mark()
    assert view.drawn == 1
    view.session.tick.emit()
    view.session.tick.emit()
    assert view.drawn == 2
    view.hide()
    view.mark()
    view.session.tick.emit()
    assert view.drawn == 2
    view.show()
    assert view.drawn == 3


class InParts(View):
    def __init__(self, session):
        super().__init__(session)
        self.drawn = []

    def _draw(self):
        for part in "abc":
            self.drawn.append(part)
            yield


@pytest.mark.in_parts
def test_a_view_may_draw_each_part_in_a_turn_of_its_own(qtbot, qapp):
    view = InParts(fresh(qapp))
    qtbot.addWidget(view)
    view.show()
    view.mark()
    view.session.tick.emit()
    assert view.drawn == []
    qtbot.waitUntil(lambda: view._parts is None)
    assert view.drawn == ["a", "b", "c"]  # what has begun comes to its end first
    view.session.tick.emit()
    view.refresh()  # at once, and none of it twice
    assert "".join(view.drawn) == "abcabc"
    qtbot.waitUntil(lambda: not turns._waiting)
    assert len(view.drawn) == 6


@pytest.mark.in_parts
def test_what_a_part_draws_anew_takes_the_place_of_the_rest(qtbot, qapp):
    class Choosing(InParts):
        """Its first part chooses something, which draws all of it again."""

        def _draw(self):
            first = not self.drawn
            self.drawn.append("a")
            if first:
                self.refresh()
            for part in "bc":
                yield
                self.drawn.append(part)

    view = Choosing(fresh(qapp))
    qtbot.addWidget(view)
    view.show()
    qtbot.waitUntil(lambda: view._parts is None and not turns._waiting)
    assert "".join(view.drawn) == "aabc"


@pytest.mark.in_parts
def test_views_share_the_turns_and_a_fault_stops_no_other(qtbot, qapp):
    class Broken(InParts):
        def _draw(self):
            yield from ()
            raise ValueError("broken")

    session, order = fresh(qapp), []
    views = [kind(session) for kind in (InParts, Broken, InParts)]
    for number, view in enumerate(views):
        qtbot.addWidget(view)
        view.drawn = type("", (list,), {"append": lambda _self, part, n=number: order.append(f"{part}{n}")})()
    with qtbot.captureExceptions() as faults:
        for view in views:
            view.show()
        qtbot.waitUntil(lambda: all(view._parts is None for view in views))
    assert order == ["a0", "a2", "b0", "b2", "c0", "c2"]
    assert [str(fault[1]) for fault in faults] == ["broken"]


def test_every_slot_has_a_title_and_an_unknown_one_is_shown_as_it_is():
    assert len({slot_title(slot) for slot in SLOTS}) == len(SLOTS)
    assert slot_title("magic") == "magic"
    assert (slot_word("quantization"), slot_word("kv_cache")) == ("quantization", "KV cache")
    assert (name_text("weights_bytes_before"), name_text("kv_dtype")) == ("Weights before", "KV dtype")


class PaintCounter(Meter):
    painted = 0

    def paintEvent(self, event):
        self.painted += 1


def test_a_meter_waits_for_the_event_loop_with_its_painting(qtbot, qapp):
    meter = PaintCounter("Precision reached", of=100)
    qtbot.addWidget(meter)
    with qtbot.waitExposed(meter):
        meter.show()
    qapp.processEvents()
    before = meter.painted
    meter.setValue(70)
    meter.setValue(80)
    assert meter.painted == before
    qapp.processEvents()
    assert meter.painted == before + 1


def test_a_button_sets_its_key_apart_and_is_wide_enough(qtbot, qapp):
    plain, keyed = button("Export", "upload"), button("Export", "upload", hint="Ctrl+E")
    for one in (plain, keyed):
        qtbot.addWidget(one)
        one.show()
        assert one.sizeHint().width() >= sum(one._parts()) + 16
    assert keyed.text() == "Export"  # what a screen reader says
    assert keyed.sizeHint().width() > plain.sizeHint().width() + 20
    keyed.set_hint("")
    assert keyed.sizeHint() == plain.sizeHint()


def test_figures_on_an_axis_are_plain():
    assert [plain(v) for v in (0, 0.05, 0.001, 2.5, 100, 2000, -20)] == [
        "0", "0.05", "0.001", "2.5", "100", "2\u2009000", "−20",
    ]  # fmt: skip


def test_what_is_painted_ahead_moves_nothing(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    parts = [QLabel(text) for text in ("hidden", "there", "hidden too")]
    for part in parts:
        column.addWidget(part)
        part.setHidden(part.text() != "there")
    column.addStretch(1)
    window.resize(300, 300)
    with qtbot.waitExposed(window):
        window.show()
    place = parts[1].geometry()
    paint_ahead(parts[0])
    assert parts[1].geometry() == place
