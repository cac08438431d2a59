"""The receipts: what is in effect, cell by cell, and the whole of one."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication

from app.receipts.layer_map import LEFT, ROW
from app.receipts.receipts_table import RECEIPT_ROLE
from app.receipts.receipts_view import ReceiptsView
from core.model.receipt import Receipt
from core.protocol import events
from tests.app.streams import FAILED, MISMATCH, THREE, Made, Stream, fresh


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def view(qtbot, session):
    view = ReceiptsView(session)
    qtbot.addWidget(view)
    view.resize(860, 700)
    view.show()
    return view


def cell(view, slot: str, name: str):
    return view.model.index(view.model.slots_used.index(slot), view.model.names.index(name))


def test_cells_hold_effective_values(view, session):
    session.feed(Stream(rounds=1))
    session.tick.emit()
    assert cell(view, "quantization", "int8 weights").data() == "int8: 210 of 210"
    assert cell(view, "quantization", "bf16 baseline").data() == "off"
    assert view.answer.text() == "Every strategy took effect as requested."


def test_a_mismatch_is_named_chosen_and_shown_whole(view, session):
    session.feed(Stream(variants=MISMATCH, rounds=1))
    session.tick.emit()
    assert view.answer.text() == "int4 weights: quantization did not take effect as requested."
    assert view.table.currentIndex() == cell(view, "quantization", "int4 weights")
    assert view.requested.text() == "int4, all Linear layers"
    assert view.effective.text() == "unchanged: 0 of 210"
    assert ("Left out", "lm_head") in view.facts.shown
    assert ("Weights", "0.250 GiB") in view.facts.shown
    said = view.table.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert "not as requested" in said


def test_exactness_has_a_row_of_its_own(view, session):
    stream = Stream(rounds=1)
    session.feed(stream)
    name = "int8 weights"
    found = Receipt(
        slot=events.EXACTNESS,
        requested="the tokens of the plain decoder",
        effective="differs at token 5 of prompt 2: margin 0.43, rounding allows 0.02",
        matches=False,
        detail={"tokens": [8, 5], "prompt": 2, "token": 5, "margin": 0.43, "allowed": 0.02, "seconds": 0.4},
    )
    others = session.results.variants[name].receipts
    session.feed([events.Receipts(t_ns=stream.ns, variant=name, receipts=[*others, found])])
    session.tick.emit()
    assert cell(view, events.EXACTNESS, name).data() == found.effective
    assert cell(view, events.EXACTNESS, "bf16 baseline").data() == "—"
    assert view.answer.text() == f"{name}: called exact, and not as the plain decoder."
    assert view.model.headerData(len(view.model.slots_used) - 1, Qt.Orientation.Vertical) == "Exactness"
    assert ("Margin", "0.430") in view.facts.shown


def test_the_map_shows_which_class_every_layer_has(view, session):
    session.feed(Stream(rounds=1))
    session.tick.emit()
    view.table.setCurrentIndex(cell(view, "quantization", "int8 weights"))
    drawn = view.map
    assert not view.map_panel.isHidden()
    assert not any("Layer map" in name for name, _ in view.facts.shown)
    assert len(drawn.chart_data()) == 7 * 30 + 1
    wide = drawn._cell()
    assert drawn.read(QPointF(LEFT + 12.5 * wide, ROW * 1.5)) == "layer 12: self_attn.k_proj is Int8Linear"
    assert drawn.read(QPointF(LEFT + 30 * wide + 20, ROW)) == "lm_head: Linear"
    assert drawn._colour("Linear") is None  # as it was loaded
    assert drawn._colour("Int8Linear") is not None
    view.table.setCurrentIndex(cell(view, "precision", "int8 weights"))
    assert view.map_panel.isHidden()


def test_a_strategy_that_was_never_reached(view, session):
    lost = replace(FAILED[3], recipe={"quantization": {"method": "nf4"}}, fails="load")
    session.feed(Stream(variants=(*FAILED[:3], lost), rounds=1))
    session.tick.emit()
    assert cell(view, "quantization", lost.name).data() == "not reached"


def test_the_chosen_cell_stays_chosen(view, session):
    session.feed(Stream(rounds=2))
    session.tick.emit()
    view.table.setCurrentIndex(cell(view, "precision", "bf16 baseline"))
    session.results_changed.emit()
    session.tick.emit()
    assert view.table.currentIndex() == cell(view, "precision", "bf16 baseline")
    assert view.effective.text() == "bf16"


def test_the_chosen_cell_is_kept_by_its_strategy_and_is_never_one_that_is_off(view, session):
    session.feed(Stream(rounds=1))
    session.tick.emit()
    view.table.setCurrentIndex(cell(view, "quantization", "int8 weights"))
    pruned = Made("pruned", 30.0, 1 << 28, {"pruning": {"method": "wanda"}})
    session.feed(Stream(variants=(*THREE, pruned), rounds=1))  # a row above
    session.tick.emit()
    assert view.model.slots_used.index("pruning") < view.model.slots_used.index("quantization")
    assert view.table.currentIndex() == cell(view, "quantization", "int8 weights")
    assert not view.detail.isHidden()
    view.table.setCurrentIndex(cell(view, "pruning", "int8 weights"))
    assert view.table.currentIndex().data() == "off"
    session.results_changed.emit()
    session.tick.emit()
    assert view.table.currentIndex().data(RECEIPT_ROLE) is not None
    assert not view.detail.isHidden()


def test_the_head_keeps_its_height_without_a_receipt_to_show(view, session):
    session.feed(Stream(rounds=1))
    session.tick.emit()
    view.layout().activate()
    top = view.table.y()
    view.detail.hide()
    view.layout().activate()
    assert view.table.y() == top


def test_copy_is_the_receipt_as_json(view, session):
    session.feed(Stream(variants=MISMATCH, rounds=1))
    session.tick.emit()
    view.copy()
    assert json.loads(QGuiApplication.clipboard().text())["matches"] is False


def test_nothing_yet(view, session):
    session.tick.emit()
    assert view.answer.text() == "Receipts appear here once a variant is loaded."
    assert view.detail.isHidden()
