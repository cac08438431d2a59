"""The comparison: contents, order, failures, verdicts, copy and export."""

import errno
import itertools
import math
import os

import pytest
from PySide6.QtCore import QCoreApplication, QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QMenu

from app.base.theme import theme
from app.charts.forest_plot import Scale, accessible
from app.compare import columns, compare_rows, trials_model
from app.compare.compare_table import FOREST, ITL, PEAK, RATE, SPEED, VARIANT, column_of
from app.compare.compare_view import CompareView
from app.files import export_menu
from app.inspector.inspector import measured_facts
from app.session.comparison_cache import comparison_of, remember
from app.widgets.sortable_model import LINE_ROLE
from core.analysis.compare import compare
from core.analysis.contrast import of_row
from core.analysis.measures import latencies_ms
from core.analysis.memory_split import split
from core.base import formatting
from core.report import table_export
from core.results import metrics
from core.wording import contrast_text
from core.wording.column_meanings import MEANING
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
    return [view.model.index(i, VARIANT).data() for i in range(view.model.rowCount())]


def show(view, session, rows) -> None:
    """Other rows of the session's results."""
    remember(session.results, compare(session.results).model_copy(update={"variants": rows}))
    view.refresh()


def test_before_a_run_it_teaches(view, session):
    assert view._pages.currentWidget() is view._empty


def test_rows_hold_the_measured_figures(view, session):
    session.feed(Stream())
    session.tick.emit()
    row = compare(session.results).variants[2]
    shown = [view.model.index(2, c).data() for c in range(PEAK + 1)]
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
    found = compare(session.results)
    rows = [r.model_copy(update={"concurrency": 4, "aggregate_tok_s": 80.0 + i}) for i, r in enumerate(found.variants)]
    show(view, session, rows)
    assert view.model.index(1, RATE).data() == "81.0"
    assert "per request" in view.model.index(1, RATE).data(Qt.ItemDataRole.ToolTipRole)
    heads = [view.model.headerData(c, Qt.Orientation.Horizontal) for c in (SPEED, RATE)]
    assert heads == ["Aggregate speed vs. A", "aggregate tok/s"]
    tip = view.model.headerData(RATE, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert MEANING["aggregate_tok_s"].formula in tip
    facts = dict(measured_facts(view, rows[1], None))
    assert facts["All requests"] == "81.0 tok/s"
    assert facts["Per request"] == f"{formatting.number(rows[1].per_user_tok_s)} tok/s"


def test_requests_that_arrive_at_random_are_compared_by_their_wait(view, session):
    session.feed(Stream())
    found = compare(session.results)
    rows = [r.model_copy(update={"arrival": "poisson", "e2e_ms_p50": 500.0}) for r in found.variants]
    show(view, session, rows)
    assert view.model.index(0, RATE).data() == "2.00"
    assert view.model.headerData(SPEED, Qt.Orientation.Horizontal) == "Speed vs. A"
    tip = view.model.headerData(RATE, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert MEANING["e2e_ms_p50"].formula in tip


def test_headers_explain_their_formula(view):
    tip = view.model.headerData(ITL, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert MEANING["itl_ms_p50"].formula in tip


def test_clicks_on_a_header_sort_and_what_is_missing_comes_last(view, session):
    session.feed(Stream(variants=FAILED))
    session.tick.emit()
    assert names(view) == ["bf16 baseline", "int8 weights", "int4 weights", "16k prompt"]
    view.table.sortByColumn(RATE, Qt.SortOrder.DescendingOrder)
    assert names(view) == ["int4 weights", "int8 weights", "bf16 baseline", "16k prompt"]
    view.table.sortByColumn(RATE, Qt.SortOrder.AscendingOrder)
    assert names(view) == ["bf16 baseline", "int8 weights", "int4 weights", "16k prompt"]


def test_the_columns_in_sight_and_the_direction_are_chosen_by_menu_and_said(view, session, qtbot):
    session.feed(Stream())
    session.tick.emit()
    menu = QMenu(view)
    view.table.fill_sort_menu(menu)
    offered = [action.text() for action in menu.actions() if action.text()]
    header = [view.model.headerData(c, Qt.Orientation.Horizontal) for c in (VARIANT, SPEED, RATE)]
    assert offered[:3] == header  # the forest is in the order of the verdicts
    assert offered[-2:] == ["Ascending", "Descending"]
    assert len(offered) == 2 + 4 + 2  # quality has no column yet
    assert [action.text() for action in menu.actions() if action.isChecked()] == [header[0], "Ascending"]
    next(action for action in menu.actions() if action.text() == header[2]).trigger()
    assert names(view) == ["bf16 baseline", "int8 weights", "int4 weights"]  # 24, 38, 55 tok/s
    menu.clear()
    view.table.fill_sort_menu(menu)
    next(action for action in menu.actions() if action.text() == "Descending").trigger()
    assert names(view) == ["int4 weights", "int8 weights", "bf16 baseline"]
    role = Qt.ItemDataRole.AccessibleTextRole
    assert view.model.headerData(RATE, Qt.Orientation.Horizontal, role) == f"{header[2]}, sorted descending"
    assert view.model.headerData(SPEED, Qt.Orientation.Horizontal, role) == header[1]
    assert view.trials_model.headerData(1, Qt.Orientation.Horizontal, role) == "Variant, sorted ascending"


def test_a_failed_row_spends_its_forest_on_cause_and_way_out(view, session):
    session.feed(Stream(variants=FAILED))
    session.tick.emit()
    assert view.model.index(3, SPEED).data().startswith("Out of memory in warm-up: needed 1.16 GiB")
    assert "int8 weights" in view.model.index(3, SPEED).data(Qt.ItemDataRole.ToolTipRole)
    assert view.table.columnSpan(3, SPEED) == view.model.columnCount() - SPEED
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
    assert view.model.index(2, SPEED).data() == "no verdict: receipt mismatch"


def test_fills_as_trials_end_and_is_provisional_before_round_four(view, session):
    session.feed(Stream(until=(2, 0, 5)))
    session.tick.emit()
    assert view.model.index(1, SPEED).data().startswith("provisional ")
    assert view.answer.text().startswith("No verdict yet")


def test_a_row_for_a_screen_reader(view, session):
    session.feed(Stream())
    session.tick.emit()
    said = view.model.index(1, SPEED).data(Qt.ItemDataRole.AccessibleTextRole)
    row = view.model.index(1, SPEED).data(LINE_ROLE).row
    assert said == (
        f"B, int8 weights, {row.speed_ratio:.2f} times faster, {row.speed_ratio_low:.2f} to {row.speed_ratio_high:.2f}"
    )
    assert accessible(row, of_row(row, ""), 1, 0.03) == said
    alike = row.model_copy(update={"verdict": "within_margin"})
    assert "within ±5 %" in accessible(alike, of_row(alike, ""), 1, 0.05)


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
    assert view.table.currentIndex().data(LINE_ROLE).row.variant == "int8 weights"


def test_copy_is_the_table_as_it_is_seen_with_plain_numbers(view, session, qtbot):
    session.feed(Stream())
    session.tick.emit()
    view.bar.panel.choose(["weights_bytes"])
    view.bar.filter.setText("int8")
    view.copy()
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert len(lines) == 2
    copied = dict(zip(*lines, strict=True))
    row = compare(session.results).variants[1]
    assert (copied["variant"], copied["verdict"], copied["reference"]) == ("int8 weights", "faster", "bf16 baseline")
    assert float(copied["ratio"]) == pytest.approx(row.speed_ratio)
    assert copied["weights_bytes"] == str(row.weights_bytes)


def test_curves_are_drawn_per_variant_from_the_measured_gaps(view, session):
    session.feed(Stream(rounds=2))
    session.tick.emit()
    assert set(view.latency.curves) == {"bf16 baseline", "int8 weights", "int4 weights"}
    for state in session.results.variants.values():
        for trial in state.trials:
            expected = [x for r in trial.requests for x in metrics.itl_ms(r)]
            assert latencies_ms(trial).tolist() == pytest.approx(expected)


def test_a_curve_is_made_anew_only_for_other_trials_and_dressed_anew_for_other_patterns(view, session, monkeypatch):
    session.feed(Stream(rounds=3, until=(2, 0, 5)))
    session.tick.emit()
    curve = view.latency.curves["int4 weights"]
    made = []
    monkeypatch.setattr(curve, "setData", lambda *args: made.append(args))
    view.refresh()
    assert made == []
    session.feed(Stream(rounds=3))
    session.tick.emit()
    assert len(made) == 3  # as each of its trials ended, and not again when all was shown
    monkeypatch.setattr(theme, "patterns", not theme.patterns)
    before = curve.opts["pen"].style()
    view.latency.recolour()
    assert curve.opts["pen"].style() != before


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
    rows = compare(session.results).variants
    scale = Scale.of(of_row(row, "") for row in rows)
    assert scale.low < 1 < max(r.speed_ratio_high or 1 for r in rows) < scale.high
    assert math.isfinite(scale.low)


# -- export ------------------------------------------------------------------------------------------------
def test_proposed_name_holds_model_prompts_and_day(session):
    session.feed(Stream(rounds=1))
    assert export_menu.proposed_name(session.results) == "demo_chat_2026-11-30.csv"
    assert export_menu.proposed_name(session.results, "json") == "demo_chat_2026-11-30.json"


@pytest.mark.parametrize("kind", ["comparison", "tsv", "trials", "json", "html"])
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

    monkeypatch.setattr(table_export, "write_json", full)
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


# -- by what, against what ---------------------------------------------------------------------------------
def test_the_measure_changes_verdicts_forest_and_sentence_together(view, session):
    session.feed(Stream())
    session.tick.emit()
    before = view.axis.scale
    view.bar.measure.setCurrentIndex(view.bar.measure.findData("ttft"))
    view.bar.measure.activated.emit(view.bar.measure.currentIndex())
    found = {e.row.variant: e.contrast for e in view.model.shown}
    assert found["int4 weights"].verdict == "lower"
    assert view.model.index(2, SPEED).data() == contrast_text.times(found["int4 weights"].ratio)
    assert view.answer.text().startswith("TTFT with int4 weights: ")
    assert "lower is better" in view.method.text()
    assert view.axis.scale != before
    heads = [view.model.headerData(c, Qt.Orientation.Horizontal) for c in (SPEED, FOREST)]
    assert heads == ["TTFT vs. A", "◂ better   worse ▸"]


def test_a_measure_without_rounds_says_so_in_its_row(view, session):
    session.feed(Stream())
    session.tick.emit()
    view.looking.set_measure("peak_memory")
    entry = view.model.shown[2]
    assert entry.contrast.low is None
    assert compare_rows.said(entry, view.model.by, 0.03)[1] == "one figure, no rounds: no interval"


def test_what_was_not_measured_stays_in_the_list_and_says_so(view, session):
    session.feed(Stream())
    session.tick.emit()
    place = view.bar.measure.findData("energy")
    assert not view.bar.measure.model().item(place).isEnabled()
    assert view.bar.measure.itemText(place).endswith("(not measured)")
    assert view.bar.measure.model().item(view.bar.measure.findData("ttft")).isEnabled()


def test_any_variant_can_be_the_reference(view, session):
    session.feed(Stream())
    session.tick.emit()
    view.bar.reference.setCurrentIndex(1)
    view.bar.reference.activated.emit(1)
    first = view.model.shown[0].contrast
    assert (first.reference, first.verdict) == ("int8 weights", "slower")
    assert view.model.index(1, SPEED).data() == "reference"
    assert view.model.headerData(SPEED, Qt.Orientation.Horizontal).endswith("vs. B")
    assert "int4 weights is" in view.answer.text()
    assert "than int8 weights" in view.answer.text()
    assert view.model.delta(view.model.shown[0], PEAK).startswith("+")


def test_two_chosen_rows_are_compared_with_each_other(view, session):
    session.feed(Stream())
    session.tick.emit()
    assert view.pair.isHidden()
    choose = view.table.selectionModel()
    flags = QItemSelectionModel.SelectionFlag
    choose.setCurrentIndex(view.model.index(1, 0), flags.ClearAndSelect | flags.Rows)
    choose.setCurrentIndex(view.model.index(2, 0), flags.Select | flags.Rows)
    assert not view.pair.isHidden()
    assert view.pair.said.text().startswith("int4 weights is ")
    assert "than int8 weights [" in view.pair.said.text()
    assert "8 paired rounds" in view.pair.how.text()
    session.tick.emit()
    assert len(view.table.chosen()) == 2  # a refresh leaves them chosen
    view.pair.use.click()
    assert view.looking.reference == "int8 weights"
    choose.setCurrentIndex(view.model.index(0, 0), flags.ClearAndSelect | flags.Rows)
    assert view.pair.isHidden()


def test_the_filter_looks_at_name_recipe_verdict_and_status(view, session):
    session.feed(Stream(variants=FAILED))
    session.tick.emit()
    for text, left in (
        ("int4", ["int4 weights"]),
        ("INT8_weight_only", ["int8 weights"]),
        ("faster", ["int8 weights", "int4 weights"]),
        ("out of memory", ["16k prompt"]),
        ("weights int", ["int8 weights", "int4 weights"]),
        ("nothing like it", []),
    ):
        view.bar.filter.setText(text)
        assert names(view) == left
        assert view.bar.count.text() == f"{len(left)} of 4"
    view.bar.filter.setText("16k")
    assert view.table.columnSpan(0, SPEED) > 1
    view.bar.filter.clear()
    assert len(names(view)) == 4


def test_every_column_of_the_export_can_be_chosen_with_its_definition(view, session):
    session.feed(Stream())
    session.tick.emit()
    panel = view.bar.panel
    offered = [panel.list.item(i).data(Qt.ItemDataRole.UserRole) for i in range(panel.list.count())]
    assert set(table_export.COMPARISON_COLUMNS) - {"variant", "recipe"} <= set(offered)
    for key in offered:
        column = column_of(key)
        tip = view.model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert MEANING[columns.meaning_of(key, view.model.sheet.first)].formula in tip
        assert view.model.index(1, column).data()
    panel.choose(["load_s", "status"])
    shown = [k for k in columns.KEYS if not view.table.isColumnHidden(column_of(k))]
    assert shown == ["status", "load_s"]
    again = CompareView(session)
    assert again.bar.panel.chosen == ["status", "load_s"]
    again.deleteLater()
    panel.reset()
    assert panel.chosen == list(columns.FIRST)


def test_differences_are_those_from_the_reference(view, session):
    session.feed(Stream())
    session.tick.emit()
    base, _, row = (view.model.shown[i].row for i in range(3))
    expected = 100 * (row.peak_process_bytes / base.peak_process_bytes - 1)
    assert view.model.delta(view.model.shown[2], PEAK) == f"−{abs(expected):.0f} %"
    assert view.model.delta(view.model.shown[0], PEAK) == ""
    assert view.model.delta(view.model.shown[2], column_of("speed_ratio")) == ""
    view.bar.panel.deltas.setChecked(False)
    assert view.model.delta(view.model.shown[2], PEAK) == ""
    view.bar.panel.deltas.setChecked(True)


# -- trials ------------------------------------------------------------------------------------------------
@pytest.fixture
def trials(view, session):
    session.feed(Stream())
    session.tick.emit()
    view.bar.trials.setChecked(True)
    while view.trials_model.work(1.0):
        pass
    view.trials_model.settle()
    return view.trials


def test_every_trial_has_a_line_with_its_figures(trials, session):
    assert trials.model().rowCount() == 24
    line = trials.model().shown[0]
    rate = 3 + trials_model.KEYS.index("decode_tok_s")
    assert trials.model().index(0, rate).data() == formatting.number(metrics.trial_decode_tok_s(line.trial))
    trials.sortByColumn(rate, Qt.SortOrder.DescendingOrder)
    found = [metrics.trial_decode_tok_s(x.trial) for x in trials.model().shown]
    assert found == sorted(found, reverse=True)
    assert trials.model().index(0, rate).data(Qt.ItemDataRole.CheckStateRole) is None  # only the first column has a box


def test_copy_of_the_trials_is_the_lines_that_are_seen(trials, view, session):
    view.bar.filter.setText("int4")
    view.copy()
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    copied = [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert [c["variant"] for c in copied] == ["int4 weights"] * 8
    assert [int(c["round"]) for c in copied] == [x.trial.round for x in trials.model().shown]


def test_a_trial_that_is_left_out_is_said_and_can_be_taken_back(trials, view, session, qtbot):
    whole = compare(session.results)
    assert view.left_out.isHidden()
    place = next(i for i, x in enumerate(trials.model().shown) if x.key == ("int4 weights", 2))
    assert trials.model().setData(
        trials.model().index(place, 0), Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole
    )
    entry = view.model.shown[2]
    assert entry.row.trials == 7
    assert entry.contrast.rounds == 7
    assert "int4 weights, round 3" in view.left_out.text.text()
    assert not view.left_out.isHidden()
    assert trials.model().index(place, 0).data() == "left out"
    assert compare(session.results) == whole  # and so are exports
    view.left_out.take_back.emit()
    assert view.model.shown[2].row.trials == 8
    assert view.left_out.isHidden()


def test_space_leaves_out_and_takes_back_what_is_chosen(trials, view, qtbot):
    trials.selectRow(1)
    qtbot.keyClick(trials, Qt.Key.Key_Space)
    assert [x.counts for x in trials.model().shown[:3]] == [True, False, True]
    trials.selectRow(1)
    qtbot.keyClick(trials, Qt.Key.Key_Space)
    assert all(x.counts for x in trials.model().shown)


def test_a_variant_keeps_its_last_trial(view, session, qtbot):
    session.feed(Stream(rounds=2))
    session.tick.emit()
    assert view.looking.leave_out(session.results, ("int8 weights", 0))
    with qtbot.waitSignal(session.notice) as said:
        assert not view.looking.leave_out(session.results, ("int8 weights", 1))
    assert "int8 weights keeps its last trial" in said.args[1]
    assert view.model.shown[1].row.trials == 1


def test_the_tool_row_stays_where_it_is_however_long_the_answer(view, session):
    session.feed(Stream())
    session.tick.emit()
    before = view.bar.mapTo(view, QPoint(0, 0))
    view.answer.setText(60 * "a long answer ")
    view.method.setText(60 * "and how it was found ")
    QCoreApplication.processEvents()
    assert view.answer.height() > 100
    assert view.bar.mapTo(view, QPoint(0, 0)) == before
    looked = view.looking.by
    view.looking.set_measure("ttft")
    QCoreApplication.processEvents()
    assert view.looking.by is not looked
    assert view.bar.mapTo(view, QPoint(0, 0)) == before


def test_one_peak_reads_alike_in_the_table_the_inspector_and_the_answer(view, session):
    session.feed(Stream())
    session.tick.emit()
    found = compare(session.results)
    shown = view.model.index(2, PEAK).data()
    facts = dict(measured_facts(view, found.variants[2], found))
    assert facts["Peak"].startswith(f"{shown} GiB / ")
    view.looking.set_measure("peak_memory")
    assert f"{shown} GiB" in view.answer.text()


SHOWN_OF_SEVERAL = [
    "rate", "per_user_tok_s", "ttft_ms_p50", "ttft_ms_p95", "e2e_ms_p50", "e2e_ms_p95", "queue_ms_p50", "request_rate",
    "peak",
]  # fmt: skip


def shown_keys(view) -> list[str]:
    return [key for key in columns.KEYS if not view.table.isColumnHidden(column_of(key))]


def titles(view) -> list[str]:
    return [view.model.headerData(column_of(key), Qt.Orientation.Horizontal) for key in shown_keys(view)]


def test_of_several_requests_what_all_get_what_each_gets_and_the_waiting_is_there_at_once(view, session):
    session.feed(Stream())
    session.tick.emit()
    found = view.model.shown
    assert shown_keys(view) == ["rate", "ttft_ms_p50", "itl_ms_p50", "peak"]
    several = {"concurrency": 4, "requests": 8, "aggregate_tok_s": 80.0, "per_user_tok_s": 21.0, "e2e_ms_p50": 900.0}
    rows = [entry.row.model_copy(update=several) for entry in found]
    show(view, session, rows)
    assert shown_keys(view) == SHOWN_OF_SEVERAL
    assert titles(view)[:4] == ["aggregate tok/s", "User tok/s", "TTFT ms", "TTFT p95 ms"]
    for key in shown_keys(view):  # no head is cut
        text = view.model.headerData(column_of(key), Qt.Orientation.Horizontal)
        wide = QFontMetrics(theme.font(11)).horizontalAdvance(text)
        assert view.table.columnWidth(column_of(key)) >= wide + 18, key
    assert view.model.index(0, column_of("per_user_tok_s")).data() == "21.0"
    assert view.model.index(0, column_of("ttft_ms_p95")).data() == "—"  # of too few requests
    show(view, session, [row.model_copy(update={"arrival": "poisson"}) for row in rows])
    assert shown_keys(view) == ["rate", "aggregate_tok_s", *SHOWN_OF_SEVERAL[1:]]


def test_columns_that_were_chosen_stay_whatever_the_workload(view, session):
    session.feed(Stream())
    session.tick.emit()
    rows = [entry.row.model_copy(update={"concurrency": 4, "requests": 4}) for entry in view.model.shown]
    view.bar.panel.deltas.setChecked(False)  # is no choice of columns
    view.bar.panel.choose(["rate", "load_s"])
    show(view, session, rows)
    assert shown_keys(view) == ["rate", "load_s"]
    view.bar.panel.reset()
    assert shown_keys(view) == SHOWN_OF_SEVERAL
    again = CompareView(session)
    again.bar.panel.propose(columns.FIRST)
    assert again.bar.panel.chosen == list(columns.FIRST)
    assert not again.bar.panel.deltas.isChecked()
    again.deleteLater()
