"""The roofline in the window, and what the inspector makes of it: why, and what to try next."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.inspector.inspector import Inspector
from app.roofline.roofline_view import BOUND, BYTES, CEILING, MBU, RATE, RooflineView
from core.analysis.compare import compare
from core.analysis.roofline_points import points, roofs
from core.base import formatting
from core.wording.column_meanings import MEANING
from tests.app.streams import MACHINE, Stream, fresh


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def view(qtbot, session):
    view = RooflineView(session)
    qtbot.addWidget(view)
    view.resize(860, 700)
    view.show()
    return view


def test_before_a_run_it_teaches_and_offers_one(view, session, qtbot):
    session.feed(Stream(rounds=1), live=False)  # of a journal without a roof
    session.tick.emit()
    assert view._pages.currentWidget() is view._empty
    assert view.teach.text() == "This run did not measure what the machine can do."
    qtbot.mouseClick(view.measure, Qt.MouseButton.LeftButton)
    assert session.runs == 1


def test_until_a_trial_ends_it_says_what_is_measured(view, session):
    session.feed(Stream(until=(0, 0, 5), roof=True))
    session.tick.emit()
    assert view.teach.text().startswith("The roof is measured; marks appear")
    assert "9.00 GB/s" in view.teach_why.text()


def test_points_are_shares_of_the_measured_roof(session):
    session.feed(Stream(rounds=2, roof=True))
    (roof,) = roofs(session.results)
    assert (roof.kind, roof.bandwidth, roof.peak) == ("bf16", MACHINE.bandwidth, 900e9)
    row = compare(session.results).variants[1]
    decode, prompt = (p for p in points(session.results) if p.variant == row.variant)
    assert (decode.phase, prompt.phase) == ("decode", "prefill")
    assert 100 * decode.share == pytest.approx(row.mbu_pct)
    assert decode.attained == pytest.approx(decode.share * roof.at(decode.intensity))
    assert decode.intensity == pytest.approx(row.intensity)
    assert prompt.intensity > roof.ridge > decode.intensity
    # The prompt's 128 tokens, and the head for the last of them.
    flops = 2 * ((134_479_872 - 28_311_552) * 128 + 28_311_552) + 4 * 9 * 64 * 30 * 64 * 128
    assert prompt.attained == pytest.approx(flops / 128 * row.prefill_tok_s)


def test_the_table_holds_the_figures_of_the_comparison(view, session):
    session.feed(Stream(rounds=2, roof=True))
    session.tick.emit()
    row = compare(session.results).variants[2]
    shown = [view.model.index(2, c).data() for c in range(7)]
    assert shown[BYTES] == formatting.number(row.bytes_per_token / 1e6)
    assert shown[CEILING] == formatting.number(row.ceiling_tok_s)
    assert shown[RATE] == formatting.number(row.decode_tok_s)
    assert shown[MBU] == formatting.number(row.mbu_pct, 2)
    assert shown[BOUND] == "bandwidth"
    tip = view.model.headerData(MBU, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert MEANING["mbu_pct"].formula in tip
    assert view.answer.text() == (
        f"int4 weights is bound by memory: it uses {formatting.number(row.mbu_pct, 2)} % of the measured bandwidth."
    )


def test_marks_are_labelled_and_said(view, session):
    session.feed(Stream(rounds=2, roof=True))
    session.tick.emit()
    view.plot.grab()
    assert any(text.startswith("A decode · ") for text in view.plot.layer.labels)
    assert any(text.startswith("A prompt") for text in view.plot.layer.labels)
    assert "int4 weights, decode: " in view.plot.accessibleDescription()
    view.table.selectRow(0)
    assert session.selected == "bf16 baseline"


# -- the inspector -----------------------------------------------------------------------------------------
def test_why_and_next_are_those_of_the_comparison(qtbot, session):
    view = Inspector(session)
    qtbot.addWidget(view)
    view.resize(304, 900)
    view.show()
    assert view.reason.isHidden()
    assert view.advised.isHidden()
    session.feed(Stream(rounds=5, roof=True))
    session.tick.emit()
    comparison = compare(session.results)
    assert view.why.text() == comparison.variants[2].why != ""
    assert [piece for piece, _ in view.next.shown] == comparison.advice[:2]


def test_add_creates_the_variant_and_runs_nothing(qtbot, session):
    view = Inspector(session)
    qtbot.addWidget(view)
    view.show()
    session.feed(Stream(rounds=5, roof=True))
    session.tick.emit()
    (add,) = (b for b in view.next.findChildren(QPushButton) if b.text() == "Add prompt lookup")
    add.click()
    added = session.experiment.variants[-1]
    assert added.name == "prompt lookup"
    assert added.speculation.key == "prompt_lookup"
    assert session.selected == "prompt lookup"
    assert session.runs == 0
    session.tick.emit()  # what is there already is not offered again
    assert all(variant is None for _, variant in view.next.shown)
