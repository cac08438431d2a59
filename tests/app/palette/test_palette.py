"""The command palette finds what is meant, does it by keyboard alone, and says why something cannot be done."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.palette.command_palette import Command, match, ranked
from tests.app.conftest import experiment


def titles(*names):
    return [Command(name, "", lambda: None) for name in names]


def best(wanted, *names):
    return [c.title for c in ranked(titles(*names), wanted)]


def test_letters_in_order_find_a_command():
    names = ("Open results", "Open GGUF", "Reset layout", "Run", "Roofline", "Stop after round")
    assert best("ro", *names)[0] == "Roofline"
    assert best("run", *names)[0] == "Run"
    assert best("rl", *names)[0] == "Reset layout"  # the first letters of its words
    assert best("results op", *names) == ["Open results"]  # words in any order
    assert best("zebra", *names) == []
    assert best("", *names) == list(names)
    assert match("stop", "Stop after round") > match("stop", "Run, and do not stop")


def test_letters_strewn_over_a_text_find_nothing():
    names = ("Static batches", "CUDA graphs, compiled currency of runs", "Variants dock: its foot", "Language")
    assert best("chinese", *names) == []
    assert best("concurrency", *names) == []
    assert best("ttft", *names) == []
    assert best("relay", "Reset layout", "Regular delay") == ["Reset layout"]  # beginnings of words
    assert best("atc", *names) == ["Static batches"] or best("atch", *names) == ["Static batches"]


def test_the_name_in_the_code_finds_a_command_in_every_language():
    commands = [Command("导出报告", "文件", lambda: None, also="export report"), *titles("Reset layout")]
    assert [c.title for c in ranked(commands, "export")] == ["导出报告"]


def test_what_can_be_done_comes_before_what_cannot():
    commands = [Command("Run", "", lambda: None, reason="no model"), Command("Run again", "", lambda: None)]
    assert [c.title for c in ranked(commands, "run")] == ["Run again", "Run"]


@pytest.mark.demo
def test_a_command_by_keyboard(still_window, qtbot):
    window = still_window
    window.doing.find_command()
    palette = window.doing.palette
    assert [c.reason for c in palette.model.commands if c.title == "Run"] == ["open a model first"]
    palette.close()
    window.session.open_experiment(experiment())

    window.doing.find_command()
    shown = {c.title: c for c in palette.model.commands}
    assert shown["Run"].key == "F5"
    assert shown["Run"].reason == ""
    assert shown["Cancel run"].reason == "no run is going on"
    assert shown["Exclude from run"].reason == "the selected variant is the baseline"
    assert shown["Trials as CSV"].reason == "nothing has been measured yet"
    assert "export" in shown["Trials as CSV"].also  # also where the menu has another name
    assert "Results appear here" not in shown
    assert shown["Dark"].place == "View ▸ Theme"
    QTest.keyClicks(palette.line, "cancel run")
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.isVisible()  # nothing was done, and the reason stands there
    palette.line.clear()
    QTest.keyClicks(palette.line, "C int4")
    with qtbot.waitSignal(window.session.selection_changed):
        QTest.keyClick(palette.line, Qt.Key.Key_Return)
    assert window.session.selected == "int4"
    assert not palette.isVisible()


def test_fields_of_the_panels_are_entries_and_other_words_find_them(still_window, qapp):
    window = still_window
    window.session.open_experiment(experiment())
    commands = window.doing._commands()

    def first(wanted):
        return ranked(commands, wanted)[0]

    assert (first("concurrency").title, first("concurrency").place) == ("Concurrency", "Workload")
    assert first("chinese").title == "Language" or "中文" in first("chinese").title
    assert "first token" in first("ttft").title
    assert first("qps").place == "Workload"
    shown = [(c.title, c.place) for c in commands if c.place == "Metrics"]
    assert len(shown) == len(set(shown))
    first("concurrency").do()
    qapp.processEvents()
    panel = window.top_bar.workload.panel
    assert panel.isVisible()
    assert window.top_bar.form("workload").editors["concurrency"].widget.hasFocus()
    panel.close()
