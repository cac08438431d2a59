"""Try it: one prompt to every variant, over engines without a model."""

import pytest
from PySide6.QtCore import Qt

from app.tryit.try_view import TryView
from tests.app.conftest import experiment

PROMPT = "Why does the moon seem larger near the horizon?"


@pytest.fixture
def make_view(make_session, qtbot):
    def make(*arguments, names=("baseline", "int8", "int4")):
        session = make_session(*arguments)
        session.edit(experiment(*names))
        view = TryView(session)
        qtbot.addWidget(view)
        view.show()
        view.prompt.setPlainText(PROMPT)
        view.refresh()
        return session, view

    return make


def answered(qtbot, session, view):
    qtbot.waitUntil(lambda: not session.trying.running, timeout=30_000)
    view.refresh()


def shown(view, place):
    column = view.columns[place]
    return column.text.toPlainText(), dict(column.facts.shown), column.parting.text()


def marked(pane):
    """The words on a coloured ground."""
    cursor, found = pane.textCursor(), ""
    for place in range(len(pane.toPlainText())):
        cursor.setPosition(place)
        cursor.setPosition(place + 1, cursor.MoveMode.KeepAnchor)
        if cursor.charFormat().background().style() != Qt.BrushStyle.NoBrush:
            found += cursor.selectedText()
    return found


def test_every_variant_answers_and_the_place_is_marked_where_it_parts_from_the_baseline(make_view, qtbot):
    session, view = make_view()
    assert not view.act.text().startswith("Stop")
    qtbot.mouseClick(view.act, Qt.MouseButton.LeftButton)
    assert session.trying.running
    view.refresh()
    assert view.act.text() == "Stop"
    answered(qtbot, session, view)
    base, facts, parting = shown(view, 0)
    assert base.startswith("the belt turns and every second round is")
    assert parting == ""
    assert facts["Tokens"] == "40"
    assert facts["Decode rate"].endswith("tok/s")
    assert facts["Accepted drafts"] == "—"
    assert marked(view.columns[0].text) == ""
    text, _, parting = shown(view, 1)
    assert text.startswith("the belt turns and every second is")
    assert parting == "differs from A from token 7 on"
    assert marked(view.columns[1].text) == "is"
    assert view.answer.text() == "2 of 2 answers part from A's."
    assert session.results is None  # nothing of it is a result

    session.edit_variant("int8", session.variant("int8").model_copy(update={"quantization": None}))
    view.refresh()
    assert shown(view, 1)[0] == ""  # another variant now, which was not asked
    assert view.columns[1].state.text() == "not asked yet"


def test_an_answer_can_be_stopped_and_a_run_stops_it_by_itself(make_view, qtbot):
    session, view = make_view("normal", "--pace", "20", names=("baseline", "int8"))
    view.editors["max_tokens"].fill(400)
    qtbot.keyClick(view.prompt, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert view.prompt.toPlainText() == PROMPT
    qtbot.waitUntil(lambda: session.trying.attempts["baseline"].tokens > 2, timeout=20_000)
    session.tick.emit()
    assert session.jobs.current.words == "Answering a prompt"
    assert session.jobs.current.detail.startswith("baseline: writes · token")
    qtbot.mouseClick(view.act, Qt.MouseButton.LeftButton)
    answered(qtbot, session, view)
    assert 0 < len(shown(view, 0)[0].split()) < 40
    assert [c.state.text() for c in view.columns] == ["stopped", "not asked"]
    assert view.answer.text() == "1 of 2 variants have answered."
    view.ask()
    with qtbot.waitSignal(session.run_started, timeout=20_000):
        session.run()
    assert not session.trying.running
    assert session.jobs.current is None
    view.refresh()
    assert not view.act.isEnabled()
    assert view.reason.text().startswith("Not during a run")
    session.cancel()
    qtbot.waitUntil(lambda: not session.running, timeout=20_000)
    view.refresh()
    assert view.act.isEnabled()


def test_a_variant_that_fails_says_why_in_its_place(make_view, qtbot):
    session, view = make_view("refuses", "--at", "ask", "--only", "int8", names=("baseline", "int8"))
    view.ask()
    answered(qtbot, session, view)
    assert view.columns[1].why.isVisible()
    assert view.columns[1].why.text() == "This recipe cannot run."
    assert [bool(shown(view, i)[0]) for i in range(2)] == [True, False]


def test_no_more_variants_are_asked_than_can_be_read(make_view, qtbot):
    session, view = make_view()
    session.edit(experiment(*(f"v{i}" for i in range(14))))
    view.refresh()
    assert view.act.text() == "Ask 12 variants"
    assert view.act.isEnabled()
    assert view.reason.text() == "The first 12 of 14 variants are asked; untick some to ask others."
    session.set_excluded("v3", True)
    session.set_excluded("v4", True)
    view.refresh()
    assert view.reason.text() == ""
    assert [c.name.text() for c in view.columns if not c.isHidden()][-1] == "v13"


def test_a_prompt_is_picked_out_of_the_set(make_view, qtbot):
    session, view = make_view()
    view.picker.fill()
    assert view.picker.count() == 24
    view.picker.setCurrentIndex(3)
    view.picker.activated.emit(3)
    assert view.prompt.toPlainText().startswith("We have a team of six engineers")
    session.jobs.begin("Measuring the machine", disturbs=True)
    view.refresh()
    assert view.reason.text() == "Not now: Measuring the machine. It would disturb the answers."
    assert not view.act.isEnabled()
    session.jobs.current.end()
    view.prompt.clear()
    view.refresh()
    assert view.reason.text() == ""
    assert not view.act.isEnabled()  # nothing to ask
