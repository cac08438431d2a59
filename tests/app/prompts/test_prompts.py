"""The dialog of prompts: what a set stresses, how long its prompts are in tokens, files of one's own."""

import json

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from app.files.drop_target import kind_of
from app.prompts.prompt_drop_target import PromptDrop
from app.prompts.prompts_dialog import PromptsDialog
from app.session.prompt_cache import PromptCache
from app.text.prompt_text import title
from app.widgets.dropdown_field import Field
from core.protocol.engine_pool import COUNTS
from core.spec import prompt_sets
from tests.app.conftest import experiment
from tests.app.help.test_keyboard import faults


@pytest.fixture
def dialog(session, qtbot):
    session.edit(experiment())
    made = PromptsDialog(session)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


def settled(qtbot, session):
    qtbot.waitUntil(lambda: not session.shelf.counting, timeout=20_000)


def test_tokens_are_counted_by_an_engine_for_all_sets_at_once(dialog, session, qtbot):
    settled(qtbot, session)
    assert faults(dialog) == []
    assert dialog.name == "chat"
    assert dialog.about.text() == prompt_sets.ABOUT["chat"]
    words = sorted(len(text.split()) for text in prompt_sets.texts("chat"))  # a token each, to this engine
    told = f"24 prompts · {words[0]} to {words[-1]} tokens, median "
    assert dialog.lengths.text().startswith(told)
    assert dialog.lengths.text().endswith("; the chat template takes 5 more")
    assert dialog.text.toPlainText().startswith("I am planning to repaint")
    assert dialog.preview.currentIndex().data() == dialog.text.toPlainText()[:300]
    assert sum(b.count for b in dialog.histogram.bins) == 24
    dialog.select("math")
    assert not session.shelf.counting
    assert "tokens, median" in dialog.lengths.text()
    with qtbot.waitSignal(dialog.chosen) as chosen:
        qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert chosen.args == ["math"]


@pytest.mark.demo
@pytest.mark.parametrize("what", ["run", "job"])
def test_counting_ends_where_engines_have_other_work(make_session, qtbot, what):
    """An engine that counts for half a minute, beside a run or the measuring of the machine."""
    session = make_session("normal", "--stall", "count")
    session.open_experiment(experiment("a", trials=1))
    shelf = session.shelf
    shelf.ask("chat")
    qtbot.waitUntil(lambda: COUNTS in [key for key, _, _ in session.pool.processes()], timeout=20_000)
    if what == "run":
        session.run()
        with qtbot.waitSignal(session.run_finished, timeout=60_000):
            pass
        assert session.results.finished.status == "ok"
        assert COUNTS not in [engine.key for engine in session.pool.engines if engine.alive]
    else:
        job = session.jobs.begin("Measuring the machine", disturbs=True)
    qtbot.waitUntil(lambda: not shelf.counting, timeout=5000)
    found = shelf.get("chat")
    assert (len(found.texts), found.tokens, found.why) == (24, None, "")
    if what == "job":
        assert shelf.why_not() == "Tokens are not counted while engines are at work."
        job.end()


def test_a_file_is_read_in_a_thread_and_says_what_is_wrong_with_it(dialog, session, qtbot, tmp_path):
    settled(qtbot, session)
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps([{"conversations": [{"from": "human", "value": "Why is it so?"}]}]))
    bad.write_text('[\n{"conversations": 3}]')
    dialog.select(str(good))
    settled(qtbot, session)
    assert dialog.lengths.text().startswith("1 prompt · 4 to 4 tokens")
    dialog.select(str(bad))
    settled(qtbot, session)
    assert dialog.note.text().startswith("Entry 1 (line 2): expected a string")
    assert not dialog.use.isEnabled()
    assert dialog.text.toPlainText() == ""
    assert dialog.model.rowCount() == 0
    dialog.select(str(good))
    assert dialog.use.isEnabled()


def test_without_a_model_there_are_characters_and_the_reason(make_session, qtbot):
    session = make_session()
    dialog = PromptsDialog(session)
    qtbot.addWidget(dialog)
    settled(qtbot, session)
    assert "characters, median 304" in dialog.lengths.text()
    assert dialog.note.text() == "Tokens are counted when a model is open."
    assert not dialog.use.isEnabled()
    assert isinstance(session.shelf, PromptCache)


def test_a_file_can_be_dropped_onto_the_field(qtbot, qapp, tmp_path):
    field = Field("Workload", "lines")
    qtbot.addWidget(field)
    drop = PromptDrop(field)
    for name, taken in (("own.jsonl", True), ("own.gguf", False)):
        path = tmp_path / name
        path.write_text('"Why?"')
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path))])
        how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        enter = QDragEnterEvent(QPoint(5, 5), *how)
        enter.ignore()
        assert drop.eventFilter(field, enter) is taken
        assert enter.isAccepted() is taken
        if taken:
            with qtbot.waitSignal(drop.dropped) as dropped:
                assert drop.eventFilter(field, QDropEvent(QPoint(5, 5).toPointF(), *how))
            assert dropped.args == [str(path)]


def test_what_is_dropped_onto_the_window_is_told_apart(tmp_path):
    for name, content, kind in (
        ("a.jsonl", '"Why?"', "prompts"),
        ("a.txt", "Why?", "prompts"),
        ("a.json", "\ufeff\n [", "prompts"),
        ("b.json", "{", "preset"),
        ("a.toml", "", "experiment"),
        ("a.gguf", "", "model"),
    ):
        (tmp_path / name).write_text(content, "utf-8")
        assert kind_of(tmp_path / name) == kind
    assert kind_of(tmp_path / "absent.json") == "preset"


def test_every_set_has_a_title(qapp):
    assert [title(n) for n in ("chat", "code_edit")] == ["Chat", "Code edit"]
    assert all("_" not in title(name) and title(name) != name for name in prompt_sets.names())
    assert title("/some/where/own.json") == "own.json"
