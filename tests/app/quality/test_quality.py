"""Quality in the window: the tab, the plots, the column beside speed, the strip."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from app.base.theme import theme
from app.compare.compare_rows import entries_of
from app.compare.compare_table import QUALITY
from app.compare.compare_view import CompareView
from app.compare.tradeoff_plot import TradeoffPlot
from app.compare.tradeoff_points import TradeoffPoint, spot
from app.inspector.inspector import measured_facts
from app.live.live_view import LiveView
from app.live.round_schedule import blocks
from app.quality.answers_data import parting
from app.quality.answers_pane import ROOMY
from app.quality.quality_table import DIVERGENCE, GATE, KLD, RATIO, SAME_TOP
from app.quality.quality_view import QualityView
from app.text.event_text import line
from core.analysis.compare import compare
from core.analysis.measures import SPEED, measure
from core.protocol import events
from core.spec.gate import Gate
from core.wording import quality_text
from core.wording.column_meanings import MEANING
from tests.app.streams import FAILED, QUESTIONS, Stream, fresh


@pytest.fixture
def session(qapp):
    return fresh(qapp)


@pytest.fixture
def view(qtbot, session):
    view = QualityView(session)
    qtbot.addWidget(view)
    view.resize(860, 700)
    view.show()
    return view


# -- the tab ---------------------------------------------------------------------------------------------
def test_before_a_check_it_teaches_and_offers_one(view, session, qtbot):
    session.feed(Stream(rounds=1))
    session.tick.emit()
    assert view._pages.currentWidget() is view.ghost
    assert view.ghost.teach.text() == "Quality has not been checked."
    qtbot.mouseClick(view.ghost.check, Qt.MouseButton.LeftButton)
    assert session.checks == 1


def test_during_a_run_it_says_when_its_turn_comes(view, session):
    session.feed(Stream(until=(0, 1, 5), quality=True))
    session.tick.emit()
    assert view.ghost.teach.text() == "Quality is judged after the rounds."
    assert view.ghost.check.isHidden()


def test_a_run_for_speed_alone_says_where_quality_is_switched_on(view, session):
    session.feed(Stream(until=(0, 1, 5)))
    session.tick.emit()
    assert "Protocol" in view.ghost.why.text()


def test_rows_hold_the_figures_of_the_comparison(view, session):
    session.feed(Stream(quality=True))
    session.tick.emit()
    rows = compare(session.results).variants
    shown = [[view.model.index(r, c).data() for c in range(6)] for r in range(3)]
    assert shown[0][KLD] == "—"
    assert shown[0][GATE] == "reference"
    assert shown[2][KLD] == quality_text.divergence(rows[2])
    assert shown[2][SAME_TOP] == f"{rows[2].same_top_pct:.1f} %"
    assert shown[2][RATIO] == f"{rows[2].ppl_ratio:.4f}"
    assert view.model.lines(rows[2], RATIO)[1] == quality_text.ratio_interval(rows[2])
    assert view.model.lines(rows[2], KLD)[1] == f"± {rows[2].kld_se:.4f}"
    assert [r.gate for r in rows] == ["", "green", "amber"]
    assert [shown[i][GATE] for i in (1, 2)] == ["within limits", "some loss"]


def test_the_gate_is_said_in_words_to_whoever_does_not_see_it(view, session):
    session.feed(Stream(quality=True))
    session.tick.emit()
    said = view.model.index(2, GATE).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Gate, some loss, gate amber"


def test_headers_explain_their_formula(view):
    tip = view.model.headerData(KLD, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert MEANING["kld_mean"].formula in tip


def test_the_sentence_is_about_the_selected_variant(view, session):
    session.feed(Stream(quality=True))
    session.select("int8 weights")
    session.tick.emit()
    assert view.answer.text().startswith("int8 weights puts another token first once in ")
    assert view.answer.text().endswith("; it stays within the limits.")
    session.select("bf16 baseline")  # of which nothing can be said: then of the one that lost most
    session.tick.emit()
    assert view.answer.text().startswith("int4 weights puts another token first once in 1")
    assert "1\u2009024 tokens" in view.method.text()


def test_what_losses_are_relative_to_stands_beside_them(view, session):
    session.feed(Stream(quality=True))
    rows = compare(session.results).variants
    assert "dequantized" not in quality_text.method(rows, 512)
    rows = [row.model_copy(update={"source_type": "Q4_1"}) for row in rows]
    words = "bf16 baseline is dequantized from Q4_1, so losses are relative to that"
    assert words in quality_text.method(rows, 512)
    assert dict(measured_facts(view, rows[0], None))["Dequantized from"] == "Q4_1: losses are relative to that"


def test_a_row_click_selects_the_variant(view, session):
    session.feed(Stream(quality=True))
    session.tick.emit()
    view.table.selectRow(1)
    assert session.selected == "int8 weights"
    session.tick.emit()
    assert view.limits.rows.shown[0][1] == quality_text.divergence(compare(session.results).variants[1])


def test_while_it_is_judged_it_says_how_far_it_is(view, session):
    session.feed(Stream(judged=2))
    session.tick.emit()
    assert view.model.index(2, KLD).data() == "being judged · 25 %"
    assert view.table.columnSpan(2, KLD) == GATE - KLD + 1
    assert view.table.columnSpan(1, KLD) == 1


def test_a_variant_that_failed_before_says_why_it_was_not_judged(view, session):
    session.feed(Stream(variants=FAILED, quality=True))
    session.tick.emit()
    assert view.model.index(3, KLD).data().startswith("not judged: Out of memory in warm-up")


def test_a_failure_while_it_is_judged_is_a_row_with_its_cause_and_costs_no_speed(view, session):
    session.feed(Stream(rounds=5, judged=1))
    failed = events.Failed(
        variant="int8 weights",
        phase="quality",
        kind="out_of_memory",
        message="Out of memory while judging: needed 1.16 GiB",
        hint="Use a shorter window",
    )
    session.feed([failed, events.Finished(status="ok", rounds=5)])
    session.tick.emit()
    row = compare(session.results).variants[1]
    assert view.model.lines(row, KLD) == ("out of memory", row.quality_error)
    assert "Use a shorter window" in row.quality_error
    assert view.table.columnSpan(1, KLD) == GATE - KLD + 1
    assert view.answer.text() == "Only the baseline was judged."
    assert row.speed_ratio is not None
    assert [b.state for b in blocks(session.results)[-1]] == ["done", "failed", "left out"]


def test_no_answers_no_column_of_divergence(view, session):
    session.feed(Stream(judged=2))
    session.tick.emit()
    assert view.table.isColumnHidden(DIVERGENCE)
    assert view.answers.isHidden()


# -- answers -----------------------------------------------------------------------------------------------
def shown(view) -> list[tuple[str, str]]:
    """What is dimmed and what is marked in the variant's answer."""
    pane = view.answers.texts[1]
    block, found = pane.document().firstBlock(), []
    it = block.begin()
    while not it.atEnd():
        part = it.fragment()
        found.append((part.charFormat().foreground().color().name(), part.text()))
        it += 1
    return found


def test_answers_stand_side_by_side_with_the_parting_word_marked(view, session):
    session.feed(Stream(quality=True))
    session.tick.emit()
    assert view.answers.title.text() == "Prompt 1: differs from token 6 on"
    assert view.answers.texts[0].toPlainText().startswith("Sunlight looks white, but it is a mix")
    assert shown(view) == [
        (theme.color("text3").name(), "Sunlight looks white, but it "),
        (theme.color("warn").name(), "smaller"),
        (theme.color("text").name(), " ones bounce off the air, and so the sky looks blue by day and red at dusk"),
    ]
    assert view.answers.margins.text() == "logit margin there: 0.90 and 0.90"
    assert view.model.lines(compare(session.results).variants[2], DIVERGENCE) == ("token 6", "0 % equal")


def test_prompts_come_by_how_early_they_part_then_the_suite_with_its_flips_first(view, session):
    session.feed(Stream(quality=True))
    session.tick.emit()
    names = [e.title for e in view.answers.model.entries]
    assert names == [
        "Answers: 0 of 4 identical", "Prompt 1", "Prompt 2", "Prompt 3", "Prompt 4",
        "Suite: 1 of 3 pass, A 2", "colours", "a number", "the sky",
    ]  # fmt: skip
    assert view.answers.model.entries[6].note == "lost: does not contain 'colours'"
    session.select("int8 weights")
    session.tick.emit()
    assert view.answers.model.entries[0].title == "Answers: 4 of 4 identical"
    assert view.answers.model.entries[1].note == "identical, 17 tokens"
    assert view.answers.title.text() == "Prompt 1: identical, 17 tokens"


def test_the_prompt_stands_above_its_answers_where_the_journal_has_it(view, session):
    session.feed(Stream(quality=True))
    session.tick.emit()
    index = view.answers.model.index(3)
    assert index.data() == "3 · Which colours does white light consist of? Name them in order."
    assert index.data(Qt.ItemDataRole.ToolTipRole).endswith("\n\n" + QUESTIONS[2])
    view.answers.resize(700, ROOMY)
    view.answers.list.setCurrentIndex(index)
    assert not view.answers.prompt.isHidden()
    assert view.answers.prompt.text() == " ".join(QUESTIONS[2].split())
    session.feed(Stream(quality=True, prompts=False))
    session.tick.emit()
    assert view.answers.model.index(3).data() == "Prompt 3"
    assert view.answers.prompt.isHidden()


def test_next_and_previous_pass_over_headings(view, session):
    session.feed(Stream(quality=True))
    session.tick.emit()
    for _ in range(4):
        view.answers.next()
    assert view.answers.title.text() == "colours: lost: does not contain 'colours'"
    view.answers.previous()
    assert view.answers.title.text() == "Prompt 4: differs from token 15 on"
    for _ in range(9):
        view.answers.previous()
    assert view.answers.title.text().startswith("Prompt 1")


@pytest.mark.parametrize(
    ("base", "mine", "expected"),
    [
        ("the same", "the same", (8, 8, 8)),
        ("a short wave", "a shorter wave", (2, 7, 9)),
        ("one", "one two", (0, 3, 3)),
        ("one ", "one two", (4, 4, 7)),
        ("", "word", (0, 0, 4)),
    ],
)
def test_where_two_texts_part(base, mine, expected):
    assert parting(base, mine) == expected


def test_curves_are_the_shares_of_the_histogram(view, session):
    session.feed(Stream(quality=True))
    session.tick.emit()
    assert set(view.plot.curves) == {"int8 weights", "int4 weights"}
    _, shares = view.plot.curves["int4 weights"].getData()
    counts = session.results.variants["int4 weights"].quality.kld_histogram
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares[20] == pytest.approx(sum(counts[:20]) / sum(counts))


def test_an_opened_run_shows_it_too(view, session):
    session.feed(Stream(quality=True), live=False)
    session.tick.emit()
    assert view._pages.currentWidget() is view._full
    assert view.model.index(1, GATE).data() == "within limits"


def test_limits_are_edited_for_the_next_run(view, session, qtbot):
    session.feed(Stream(quality=True))
    session.tick.emit()
    qtbot.mouseClick(view.limits.edit, Qt.MouseButton.LeftButton)
    assert view.limits.panel.isVisible()
    view.limits.gate.editors["kld_amber"].widget.setValue(0.02)
    view.limits.panel.close()
    assert session.experiment.quality.gate.kld_amber == 0.02
    assert session.experiment.quality.tokens == 1024
    session.tick.emit()
    assert view.model.index(2, GATE).data() == "some loss"  # the run keeps the limits that it was judged by


# -- beside speed ------------------------------------------------------------------------------------------
def test_compare_gains_a_column_and_a_plot(qtbot, session):
    view = CompareView(session)
    qtbot.addWidget(view)
    view.resize(860, 760)
    view.show()
    session.feed(Stream(rounds=5))
    session.tick.emit()
    assert view.table.isColumnHidden(QUALITY)
    assert view.charts.of_x.by.key == "peak_memory"
    session.feed(Stream(rounds=5, quality=True))
    session.tick.emit()
    assert not view.table.isColumnHidden(QUALITY)
    assert view.charts.of_x.by.key == "kld"
    row = compare(session.results).variants[2]
    assert view.model.index(2, QUALITY).data() == quality_text.divergence(row)
    assert view.model.index(2, QUALITY).data(Qt.ItemDataRole.AccessibleTextRole).endswith(", some loss")
    assert view.answer.text().endswith(f"KL divergence {quality_text.divergence(row)}, some loss.")


def test_marks_that_lie_on_each_other_share_a_label(qtbot, session):
    session.feed(Stream(rounds=5, quality=True))
    comparison = compare(session.results)
    plot, kld = TradeoffPlot(), measure("kld")
    qtbot.addWidget(plot)
    plot.resize(280, 260)
    entries = [entries_of(session.results, comparison, by, session.index_of) for by in (kld, SPEED)]
    points = [TradeoffPoint(a, spot(kld, a.contrast), spot(SPEED, b.contrast)) for a, b in zip(*entries, strict=True)]
    points[1] = replace(points[1], x=points[0].x, y=points[0].y)
    plot.show_points(points, kld, SPEED, Gate())
    plot.grab()
    assert plot.layer.labels == ["A, B", "C"]
    assert "int4 weights" in plot.accessibleDescription()


# -- while a run goes on -----------------------------------------------------------------------------------
def test_the_strip_and_the_live_view_show_the_phase(qtbot, session):
    view = LiveView(session)
    qtbot.addWidget(view)
    view.show()
    session.feed(Stream(rounds=2, judged=1))
    session.tick.emit()
    assert [(b.variant, b.state) for b in blocks(session.results)[-1]] == [
        ("bf16 baseline", "done"), ("int8 weights", "now"), ("int4 weights", "to come"),
    ]  # fmt: skip
    assert "quality: A done, B now, C to come" in view.strip.accessibleDescription()
    assert view.title.text() == "Judging the quality of int8 weights"
    assert view.subtitle.text().startswith("quality of 1 of 3 variants")


def test_the_log_says_what_was_judged(session):
    said = [text for event in Stream(rounds=1, quality=True, roof=True) if (text := line(event)) is not None]
    texts = [text for _, text in said]
    assert "The machine reads 9.00 GB/s; the roof was measured in 6.20 s" in texts
    assert texts.count("Quality judged on 1\u2009024 tokens") == 2
    assert "4 answers, to be compared with the baseline's" in texts
    assert "Suite basic: 1 of 3 pass" in texts


def test_a_cut_run_leaves_quality_out(session):
    session.feed(Stream(rounds=2, judged=1))
    session.results.interrupted = True
    assert [b.state for b in blocks(session.results)[-1]] == ["done", "left out", "left out"]
