"""The inspector and the log: what they say while a run goes on, and after."""

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from app.inspector.inspector import Inspector, widest_half_pct
from app.inspector.machine_dock import MachineDock, machine_facts
from app.log.log_view import LogView
from app.session.comparison_cache import comparison_of
from app.settings.settings import Settings
from app.widgets.buttons import Button
from core.analysis.comparison_row import Advice
from core.spec.variant import Variant
from tests.app.streams import ENVIRONMENT, FAILED, MISMATCH, THREE, Stream, fresh


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def view(qtbot, session):
    view = Inspector(session)
    qtbot.addWidget(view)
    view.resize(304, 760)
    view.show()
    return view


@pytest.fixture
def log(qtbot, session):
    log = LogView(session)
    qtbot.addWidget(log)
    log.resize(700, 400)
    log.show()
    return log


def test_before_anything_it_shows_the_machine(view, session):
    assert view.machine.shown == machine_facts(ENVIRONMENT)  # as in the panel of the top bar
    assert ("CPU", "Synthetic CPU") in view.machine.shown
    assert ("RAM", "8.00 GiB, 5.00 GiB free") in view.machine.shown
    assert ("Instructions", "AVX-512, AVX2") in view.machine.shown
    assert view.measured.isHidden()
    assert view.provisional.isHidden()


def test_no_strategy_is_said_to_work_before_an_engine_has_said_so(qtbot, session):
    environment, session.environment = session.environment, None
    dock = MachineDock(session, Settings())
    qtbot.addWidget(dock)
    dock.show()
    assert len(dock._available.findChildren(QLabel)) == 1
    session.environment = environment
    session.environment_changed.emit()
    texts = [part.text() for part in dock._available.findChildren(QLabel)]
    assert "CUDA graphs: needs a CUDA GPU" in texts
    dock.hide()


def test_while_running_it_is_provisional(view, session):
    session.feed(Stream(variants=FAILED, until=(2, 1, 10)))
    session.tick.emit()
    assert not view.provisional.isHidden()
    assert view.measured.isHidden()
    assert view.forest_note.text() == "2 full rounds so far. No verdict is shown before round 4."
    said = view.forest.accessibleDescription().splitlines()
    assert said[0].startswith("B, int8 weights, provisional 1.")
    assert ("Other processes", "3 % CPU") in view.conditions.shown
    assert view.notes.shown[0][:2] == ("warning", "err")
    assert "Out of memory" in view.notes.shown[0][2]


def test_precision_is_the_widest_interval(session):
    session.feed(Stream(rounds=5))
    rows = comparison_of(session.results).variants[1:]
    widest = max(100 * ((r.speed_ratio_high / r.speed_ratio_low) ** 0.5 - 1) for r in rows)
    assert widest_half_pct(comparison_of(session.results)) == pytest.approx(widest)
    assert widest_half_pct(None) is None


def test_an_interval_that_says_nothing_is_not_given_to_a_digit(view, session):
    session.feed(Stream(until=(2, 0, 10), noise=0.9, seed=3))
    assert widest_half_pct(comparison_of(session.results)) > 100
    session.tick.emit()
    assert dict(view.widest.shown)["Widest interval"] == "over ±100 %, margin ±3 %"


def test_afterwards_it_proves_the_selected_variant(view, session):
    session.feed(Stream(variants=MISMATCH))
    session.select("int4 weights")
    session.tick.emit()
    assert view.name.text() == "int4 weights"
    assert [r[0] for r in view.receipts.shown] == ["check", "warning"]
    assert view.receipts.shown[1][3] == "requested: int4, all Linear layers"
    figures = dict(view.figures.shown)
    assert figures["Weights"] == "0.250 GiB"
    assert figures["Load"] == "1.90 s"
    assert figures["Warm-up"] == "1.40 s"
    assert "Draft accepted" not in figures
    assert ("torch", "2.13.0") in view.machine.shown


def test_speculation_shows_its_acceptance(view, session):
    from dataclasses import replace

    session.feed(Stream(variants=(THREE[0], replace(THREE[1], drafts=True)), rounds=2))
    session.tick.emit()
    figures = dict(view.figures.shown)
    assert figures["Draft accepted"] == "41.0 %"
    assert figures["Tokens per step"] == "3.05"


def test_a_failed_variant_says_why(view, session):
    session.feed(Stream(variants=FAILED))
    session.select("16k prompt")
    session.tick.emit()
    assert view.receipts.shown[0][2].startswith("Out of memory in warm-up")
    assert view.receipts.shown[0][3] == "Use int8 weights, or fewer prompt tokens"


# -- the log -----------------------------------------------------------------------------------------------
def test_lines_are_added_on_the_tick_only(log, session):
    session.feed(Stream(rounds=1))
    assert log.model.rowCount() == 0
    session.tick.emit()
    assert log.model.rowCount() > 10
    assert log.model.lines[0].text == "Run started: 1 round"


def test_the_filter_leaves_warnings_and_errors(log, session):
    session.feed(Stream(variants=FAILED, rounds=1))
    session.tick.emit()
    log.level.setCurrentIndex(2)
    assert log.filter.rowCount() == 1
    log.level.setCurrentIndex(0)
    log.search.setText("ROUND 1 measured")
    assert log.filter.rowCount() == 3


def test_the_traceback_is_here_and_only_on_demand(log, session):
    session.feed(Stream(variants=FAILED, rounds=1))
    session.tick.emit()
    assert log.detail.isHidden()
    log.level.setCurrentIndex(2)
    log.table.selectRow(0)
    assert "Traceback" in log.detail.toPlainText()
    log.copy()
    assert "Traceback" in QGuiApplication.clipboard().text()


def test_opened_results_bring_their_log(log, session):
    session.feed(Stream(variants=FAILED, rounds=1), live=False)
    session.tick.emit()
    texts = [line.text for line in log.model.lines]
    assert texts[0].startswith("Run started")
    assert any(t.startswith("Out of memory") for t in texts)
    assert texts[-1].startswith("Run ended")


def test_notices_are_kept(log, session):
    session.notice.emit("warning", "the disk is nearly full")
    session.tick.emit()
    assert log.model.lines[-1].text == "the disk is nearly full"


def test_a_run_that_is_opened_again_tells_its_phases_and_what_was_judged(log, session):
    session.feed(Stream(rounds=4, quality=True), live=False)
    session.results_changed.emit()
    session.tick.emit()
    said = [line.text for line in log.model.lines]
    assert said[0].startswith("Run started")
    assert said[-1].startswith("Run ended")
    assert said.count("Warming up, not counted") == 3
    assert said.count("Judging quality") >= 3
    assert any(text.startswith("Quality judged on") for text in said)
    assert any(text.startswith("4 answers") for text in said)
    assert any(text.startswith("Suite") for text in said)


def test_a_variant_with_a_long_name_is_added_by_a_button_as_wide_as_the_dock(view, session):
    """Its words are cut, and nothing else is pushed out of sight."""
    session.feed(Stream(until=None, rounds=5))
    session.tick.emit()
    variant = Variant(name="int4 weight only with prompt lookup and an int8 cache of keys and values")
    piece = Advice(
        rule="r",
        bottleneck="speed",
        binds=True,
        what="Try both in one variant",
        because="alone they are 3.08 and 2.75 times as fast",
    )
    view.next.shown = [(piece, variant)]
    view.next._column.addWidget(view.next._row(0, piece, variant))
    view.advised.setVisible(True)
    QCoreApplication.processEvents()
    add = view.next.findChildren(Button)[-1]
    assert add.mapTo(view, add.rect().topRight()).x() < view.width()
    assert "…" in add.shown()
    add.grab()
    assert variant.name in add.toolTip()
    assert add.minimumSizeHint().width() < add.sizeHint().width()
