"""The comparison: contents, order, failures, verdicts, copy and export."""

import errno
import itertools
import math
import os

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from app import export_menu
from app.compare_plots import latencies_ms, split
from app.compare_table import FOREST, ITL, PEAK, QUALITY, RATE, ROW_ROLE, SPEED, VARIANT
from app.compare_view import CompareView
from app.forest import Scale, accessible
from app.inspector import measured_facts
from app.measured import comparison_of
from app.theme import theme
from core import export, metrics, words
from tests.app.streams import FAILED, MISMATCH, Stream, fresh


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def view(qtbot, session):
    view = CompareView(session)
    qtbot.addWidget(view)
    view.resize(860, 760)
    view.show()
    return view


def names(view) -> list[str]:
    return [view.order.index(i, VARIANT).data() for i in range(view.order.rowCount())]


def test_before_a_run_it_teaches(view, session):
    assert view._pages.currentWidget() is view._empty


def test_rows_hold_the_measured_figures(view, session):
    session.feed(Stream())
    session.tick.emit()
    row = session.results.comparison().variants[2]
    shown = [view.order.index(2, c).data() for c in range(PEAK + 1)]
    assert shown[VARIANT] == "int4 weights"
    assert shown[SPEED] == f"{row.speed_ratio:.2f}× faster"
    assert shown[FOREST] == f"[{row.speed_ratio_low:.2f}, {row.speed_ratio_high:.2f}]"
    assert shown[RATE] == f"{row.decode_tok_s:.1f}"
    assert shown[ITL] == f"{row.itl_ms_p50:.1f}"
    assert shown[PEAK] == "0.560"
    assert "int4 weights" in view.answer.text()
    assert "8 rounds" in view.method.text()


def test_several_requests_at_once_show_the_rate_that_the_verdict_compares(view, session):
    session.feed(Stream())
    found = session.results.comparison()
    rows = [r.model_copy(update={"concurrency": 4, "aggregate_tok_s": 80.0 + i}) for i, r in enumerate(found.variants)]
    view.model.set_comparison(found.model_copy(update={"variants": rows}))
    assert view.model.index(1, RATE).data() == "81.0"
    assert "per request" in view.model.index(1, RATE).data(Qt.ItemDataRole.ToolTipRole)
    heads = [view.model.headerData(c, Qt.Orientation.Horizontal) for c in (SPEED, RATE)]
    assert heads == ["Aggregate speed vs. A", "aggregate tok/s"]
    tip = view.model.headerData(RATE, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert metrics.MEANING["aggregate_tok_s"].formula in tip
    facts = dict(measured_facts(view, rows[1], None))
    assert facts["All requests"] == "81.0 tok/s"
    assert facts["Per request"] == f"{words.number(rows[1].per_user_tok_s)} tok/s"


def test_requests_that_arrive_at_random_are_compared_by_their_wait(view, session):
    session.feed(Stream())
    found = session.results.comparison()
    rows = [r.model_copy(update={"arrival": "poisson", "e2e_ms_p50": 500.0}) for r in found.variants]
    view.model.set_comparison(found.model_copy(update={"variants": rows}))
    assert view.model.index(0, RATE).data() == "2.00"
    assert view.model.headerData(SPEED, Qt.Orientation.Horizontal) == "Speed vs. A"
    tip = view.model.headerData(RATE, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert metrics.MEANING["e2e_ms_p50"].formula in tip


def test_headers_explain_their_formula(view):
    tip = view.model.headerData(ITL, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert metrics.MEANING["itl_ms_p50"].formula in tip


def test_clicks_on_a_header_sort_and_what_is_missing_comes_last(view, session):
    session.feed(Stream(variants=FAILED))
    session.tick.emit()
    assert names(view) == ["bf16 baseline", "int8 weights", "int4 weights", "16k prompt"]
    view.table.sortByColumn(RATE, Qt.SortOrder.DescendingOrder)
    assert names(view) == ["int4 weights", "int8 weights", "bf16 baseline", "16k prompt"]
    view.table.sortByColumn(RATE, Qt.SortOrder.AscendingOrder)
    assert names(view) == ["bf16 baseline", "int8 weights", "int4 weights", "16k prompt"]


def test_a_failed_row_spends_its_forest_on_cause_and_way_out(view, session):
    session.feed(Stream(variants=FAILED))
    session.tick.emit()
    assert view.order.index(3, SPEED).data().startswith("Out of memory in warm-up: needed 1.16 GiB")
    assert "int8 weights" in view.order.index(3, SPEED).data(Qt.ItemDataRole.ToolTipRole)
    assert view.table.columnSpan(3, SPEED) == QUALITY - SPEED + 1
    assert view.table.columnSpan(1, SPEED) == 1
    view.table.sortByColumn(RATE, Qt.SortOrder.DescendingOrder)
    view.table.sortByColumn(VARIANT, Qt.SortOrder.DescendingOrder)
    failed = names(view).index("16k prompt")
    assert [view.table.columnSpan(i, SPEED) > 1 for i in range(4)] == [i == failed for i in range(4)]


def test_a_failed_row_is_painted_on_errbg(view, session, qapp):
    session.feed(Stream(variants=FAILED))
    session.select("bf16 baseline")
    session.tick.emit()
    qapp.processEvents()
    y = view.table.rowViewportPosition(3) + 4
    image = view.table.viewport().grab().toImage()
    assert image.pixelColor(QPoint(300, y)) == theme.color("errbg")


def test_a_receipt_that_does_not_match_withholds_the_verdict(view, session):
    session.feed(Stream(variants=MISMATCH))
    session.tick.emit()
    assert view.order.index(2, SPEED).data() == "no verdict: receipt mismatch"


def test_fills_as_trials_end_and_is_provisional_before_round_four(view, session):
    session.feed(Stream(until=(2, 0, 5)))
    session.tick.emit()
    assert view.order.index(1, SPEED).data().startswith("provisional ")
    assert view.answer.text().startswith("No verdict yet")


def test_a_row_for_a_screen_reader(view, session):
    session.feed(Stream())
    session.tick.emit()
    said = view.order.index(1, SPEED).data(Qt.ItemDataRole.AccessibleTextRole)
    row = view.order.index(1, SPEED).data(ROW_ROLE)
    assert said == (
        f"B, int8 weights, {row.speed_ratio:.2f} times faster, {row.speed_ratio_low:.2f} to {row.speed_ratio_high:.2f}"
    )
    assert accessible(row, 1) == said


def test_row_click_selects_the_variant(view, session):
    session.feed(Stream())
    session.tick.emit()
    view.table.selectRow(1)
    assert session.selected == "int8 weights"


def test_selection_survives_a_refresh(view, session):
    session.feed(Stream())
    session.select("int8 weights")
    session.tick.emit()
    session.results_changed.emit()
    session.tick.emit()
    assert view.table.currentIndex().data(ROW_ROLE).variant == "int8 weights"


def test_copy_is_the_exported_tsv(view, session, qtbot):
    session.feed(Stream())
    session.tick.emit()
    view.copy()
    assert QGuiApplication.clipboard().text() == export.tsv(session.results.comparison())


def test_curves_are_drawn_per_variant_from_the_measured_gaps(view, session):
    session.feed(Stream(rounds=2))
    session.tick.emit()
    assert set(view.latency.curves) == {"bf16 baseline", "int8 weights", "int4 weights"}
    for state in session.results.variants.values():
        for trial in state.trials:
            expected = [x for r in trial.requests for x in metrics.itl_ms(r)]
            assert latencies_ms(trial).tolist() == pytest.approx(expected)


def test_memory_parts_add_up_to_the_peak(view, session):
    session.feed(Stream(rounds=2))
    session.tick.emit()
    row = comparison_of(session.results).variants[1]
    assert sum(split(row)) == row.peak_process_bytes
    assert split(row)[0] == row.weights_bytes


def test_the_comparison_is_computed_once_for_all_views(session):
    session.feed(Stream(rounds=2))
    assert comparison_of(session.results) is comparison_of(session.results)
    before = comparison_of(session.results)
    session.feed(Stream(rounds=3))
    assert comparison_of(session.results) is not before


def test_ratios_are_equally_far_on_both_sides():
    from PySide6.QtCore import QRectF

    scale, rect = Scale(0.4, 2.5), QRectF(0, 0, 200, 10)
    assert scale.x(2.0, rect) - scale.x(1.0, rect) == pytest.approx(scale.x(1.0, rect) - scale.x(0.5, rect))
    ticks = scale.ticks(200)
    assert 1.0 in ticks
    gaps = [scale.x(b, rect) - scale.x(a, rect) for a, b in itertools.pairwise(ticks)]
    assert all(g >= 38 - 1e-9 for g in gaps)


def test_a_scale_holds_every_interval(session):
    session.feed(Stream())
    rows = session.results.comparison().variants
    scale = Scale.of(rows)
    assert scale.low < 1 < max(r.speed_ratio_high or 1 for r in rows) < scale.high
    assert math.isfinite(scale.low)


# -- export ------------------------------------------------------------------------------------------------
def test_proposed_name_holds_model_prompts_and_day(session):
    session.feed(Stream(rounds=1))
    assert export_menu.proposed_name(session.results) == "demo_chat_2026-11-30.csv"
    assert export_menu.proposed_name(session.results, "json") == "demo_chat_2026-11-30.json"


@pytest.mark.parametrize("kind", ["comparison", "trials", "json"])
def test_export_writes_and_says_so(session, tmp_path, qtbot, kind):
    session.feed(Stream(rounds=1))
    with qtbot.waitSignal(session.notice) as said:
        assert export_menu.write(session, kind, tmp_path / "out")
    assert said.args[0] == "info"
    assert "int8 weights" in (tmp_path / "out").read_text("utf-8")


def test_a_file_that_cannot_be_written_is_a_notice(session, tmp_path, qtbot):
    session.feed(Stream(rounds=1))
    with qtbot.waitSignal(session.notice) as said:
        assert not export_menu.write(session, "comparison", tmp_path / "missing" / "out.csv")
    assert said.args[0] == "error"
    assert "missing" in said.args[1]
    assert session.results.rounds_done == 1


def test_a_full_disk_is_a_notice(session, tmp_path, qtbot, monkeypatch):
    def full(*_args) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(export, "write_json", full)
    session.feed(Stream(rounds=1))
    with qtbot.waitSignal(session.notice) as said:
        assert not export_menu.write(session, "json", tmp_path / "out.json")
    assert said.args[0] == "error"
    assert os.strerror(errno.ENOSPC) in said.args[1]


def test_nothing_to_export_is_a_notice(session, tmp_path, qtbot):
    with qtbot.waitSignal(session.notice) as said:
        assert not export_menu.write(session, "comparison", tmp_path / "out.csv")
    assert said.args[0] == "warning"
    assert not (tmp_path / "out.csv").exists()
