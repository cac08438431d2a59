"""Files that are not what they are taken for, places that cannot be looked at, and names that look like markup."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QLineEdit

from app.base.theme import theme
from app.compare.latency_cdf_plot import LatencyPlot
from app.compare.memory_bars import LEAST, MemoryBars
from app.files.drop_target import kind_of
from app.presets.preset_dialog import PresetDialog
from app.receipts.receipts_view import LEAST_COLUMN, ReceiptsView
from app.session.live_data import LiveData
from app.session.variant_names import free_name
from app.settings.settings import Settings
from app.shell.close_guard import CloseGuard
from app.text.prompt_text import size_words
from app.widgets.basics import Elided, literal, tip
from core.analysis.compare import compare
from core.base import files
from core.presets import preset_library
from core.presets.preset import PresetError, load
from core.prompts import run_prompts
from core.results.journal import EXPERIMENT, JOURNAL, Journal, open_results
from tests.app.streams import Made, Stream, fresh

TOO_LONG = "/" + "a" * 300


def test_settings_that_name_no_place_are_passed_over(tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    settings.results = Path(TOO_LONG)
    settings._store.setValue("recent", json.dumps([TOO_LONG, "\0", str(tmp_path)]))
    assert settings.results is None
    assert settings.recent() == [str(tmp_path)]


def test_a_library_that_cannot_be_looked_at_is_empty(monkeypatch):
    monkeypatch.setenv("DYNO_PRESETS", TOO_LONG)
    assert preset_library.library() == []
    assert preset_library.faults() == []


def test_what_cannot_be_looked_at_is_dropped_as_a_model_which_says_why():
    assert kind_of(Path(TOO_LONG)) == "model"
    assert not files.is_folder(Path(TOO_LONG))
    assert not files.is_file(Path("a\0b"))


def test_settings_that_are_nested_without_an_end_are_passed_over(tmp_path):
    settings = Settings(tmp_path / "settings.ini")
    for key in ("experiment", "excluded", "recent", "recent_models"):
        settings._store.setValue(key, "[" * 100_000)
    assert (settings.experiment(), settings.excluded(), settings.recent(), settings.recent_models()) == (
        None,
        [],
        [],
        [],
    )


@pytest.mark.parametrize("name", ["a.json", "a.dyno-preset", "a.toml", "a.gguf", "run"])
def test_nobody_waits_for_what_is_written_into_a_pipe(still_window, tmp_path, name):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes in folders")
    notice = still_window.centre.notice
    notice.hide()
    path = tmp_path / name
    if name == "run":
        path.mkdir()
        (path / JOURNAL).touch()
    os.mkfifo(path / EXPERIMENT if name == "run" else path)
    still_window.files.open_path(path)
    assert not notice.isHidden()
    assert str(path) in notice.text.text()
    notice.hide()


def test_endings_in_capitals_are_endings(tmp_path):
    path = tmp_path / "MINE.TXT"
    path.write_text("Why?\nHow?")
    assert kind_of(path) == "prompts"
    assert run_prompts.texts(str(path)) == ["Why?", "How?"]
    assert kind_of(tmp_path / "A.TOML") == "experiment"


def test_files_without_an_end_are_not_read_to_it(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGEST", 1 << 20)
    huge = tmp_path / "huge.json"
    huge.write_text("{}" + " " * (1 << 20))
    with pytest.raises(PresetError, match="is not a preset: it is larger than 1 MiB"):
        load(huge)
    run = tmp_path / "run"
    journal = Journal(run)
    for event in Stream(rounds=1):
        journal.write(event)
    journal.close()
    shutil.copy(huge, run / EXPERIMENT)  # of use only where the journal lacks its beginning
    assert open_results(run).started is not None
    (run / JOURNAL).write_bytes(b"")
    with pytest.raises(ValueError, match="neither"):
        open_results(run)


def test_a_file_that_is_no_preset_is_told_where_it_can_be_read(still_window, tmp_path, qtbot):
    window = still_window
    bad = tmp_path / "bad.json"
    bad.write_text("12345")
    window.doing.presets.show_file(bad)
    assert "expected a table" in window.centre.notice.text.text()
    assert window.findChild(PresetDialog) is None  # else another preset would be there to be loaded
    dialog = PresetDialog(window.session, window)
    dialog.add_file(bad)
    assert "expected a table" in dialog.care.said.text()
    dialog.reject()
    window.centre.notice.hide()


def test_names_that_look_like_markup_are_shown_as_they_are(qtbot):
    assert tip("3 < 4, and so on") == "3 < 4, and so on"
    assert "&lt;b&gt;" in tip("<b>x</b>")
    assert literal("a & b") == "a && b"
    shown = Elided("<script>alert(1)</script> and more than fits")
    qtbot.addWidget(shown)
    shown.resize(40, 20)
    shown.grab()
    assert "&lt;script&gt;" in shown.toolTip()


def test_an_answer_to_the_question_of_closing_can_be_taken_back(qtbot, session):
    window = QLineEdit()
    qtbot.addWidget(window)
    window.show()
    closing = CloseGuard(session, window)
    closing.ask()
    closing.keep.click()
    closing.ask()
    assert closing.question is not None
    closing.question.reject()
    session.run_finished.emit()
    assert window.isVisible()
    closing.ask()
    closing.keep.click()
    closing.ask()  # the run ends while it is asked again: what was answered holds
    session.run_finished.emit()
    assert closing.question is None
    assert not window.isVisible()


def test_the_tour_gives_the_keyboard_back(still_window, qtbot):
    window = still_window
    window.activateWindow()
    window.top_bar.model.setFocus()
    window.doing.help.show_tour()
    tour = window.doing.help.tour
    for _ in range(3):
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert window.doing.help.tour is None
    assert window.focusWidget() is window.top_bar.model


def test_one_token_is_one():
    assert size_words(1, 6) == "1 token · 6 characters"


def test_many_variants_take_no_more_room_than_there_is(qtbot, qapp):
    made = tuple(Made(f"v{i}" if i else "baseline", 20.0 + 0.1 * i, 2**28) for i in range(30))
    session = fresh(qapp)
    session.feed(Stream(made, rounds=2), live=False)
    bars = MemoryBars(session)
    qtbot.addWidget(bars)
    bars.resize(240, 160)
    bars.refresh(compare(session.results))
    assert bars.fitting == 9
    assert bars._step() >= LEAST
    assert bars.read(QPoint(5, 110).toPointF()).startswith("I ")
    assert not bars.read(QPoint(5, 130).toPointF())
    still = bars.grab().toImage()
    for _ in range(40):  # none is left out: the keyboard and the wheel lead to the last
        qtbot.keyClick(bars, Qt.Key.Key_Down)
    assert bars.shown == slice(21, 30)
    assert bars.read(QPoint(5, 110).toPointF()).startswith(theme.letter(29))
    assert bars.grab().toImage() != still
    turn = QWheelEvent(QPointF(9, 9), QPointF(9, 9), QPoint(), QPoint(0, 120 * 25), Qt.MouseButton.NoButton,
                       Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)  # fmt: skip
    bars.wheelEvent(turn)
    assert bars.shown == slice(0, 9)
    bars.resize(240, 500)
    assert bars.shown == slice(0, 30)
    plot = LatencyPlot(session)
    qtbot.addWidget(plot)
    plot.refresh(session.results)
    plot.grab()
    assert len(plot.letters.standing) == 30  # none is left out
    assert theme.letters(range(8)) == "A, B, C, D, E, F, …"
    receipts = ReceiptsView(session)
    qtbot.addWidget(receipts)
    receipts.resize(800, 600)
    receipts.show()
    header = receipts.table.horizontalHeader()
    assert min(header.sectionSize(i) for i in range(header.count())) >= LEAST_COLUMN


def test_a_trial_that_is_shorter_than_a_window_has_a_rate():
    data = LiveData()
    for event in Stream((Made("baseline", 1000.0, 2**28),), rounds=1, tokens=64):
        data.fold(event)
    _, rates = data.tracks["baseline"].rate.view()
    drawn = rates[~np.isnan(rates)]
    assert len(drawn) == 2  # a line as long as the trial
    assert drawn[0] == drawn[1] == pytest.approx(1000, rel=0.1)


def test_a_name_that_was_emptied_stays_as_it_was(still_window):
    window = still_window
    window.session.open_demo()
    window.variants._renamed("baseline", "")
    assert window.session.variant("baseline") is not None
    assert window.centre.notice.isHidden()


def test_a_name_that_looks_like_another_is_not_given(still_window):
    window = still_window
    window.session.open_demo()
    first, second = (v.name for v in window.session.experiment.variants[:2])
    window.variants._renamed(second, f"{first}\u200b")
    assert [v.name for v in window.session.experiment.variants[:2]] == [first, second]
    assert free_name(window.session.experiment, f"\u200b{first}") == f"\u200b{first} 2"
