"""Views are made when somebody sees them, or ahead of that: by then each shows what one that was there all along
shows."""

from itertools import takewhile

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QApplication

from app.base.lazy_parts import LazyParts
from app.compare.compare_options import CompareOptions
from app.compare.other_run_actions import OtherRunDrop
from app.compare.other_runs import OtherRuns
from app.log.log_model import LogModel
from app.log.log_view import LogView
from app.session.session import Session
from app.settings.settings import Settings
from app.shell.main_window import MainWindow
from app.shell.view_registry import KEYS as TABS
from app.shell.view_registry import ViewParts, makers
from core.protocol import events
from core.results.journal import Journal
from tests.app.conftest import Answering, engine_command, experiment, light
from tests.app.streams import Puppet, Stream

LONG = 60_000


def test_a_part_is_made_once_and_whoever_waits_is_told():
    made, told = [], []

    def maker(name):
        return lambda: made.append(name) or name.upper()

    parts = LazyParts({name: maker(name) for name in "abc"})
    assert parts["a"] == "A"
    parts.then(lambda name, part: told.append((name, part)))
    assert [parts["c"], parts["a"], parts["c"]] == ["C", "A", "C"]
    assert "b" in parts
    assert [*parts] == ["a", "b", "c"]
    assert made == ["a", "c"]
    assert told == [("a", "A"), ("c", "C")]
    assert dict(parts.made) == {"a": "A", "c": "C"}
    with pytest.raises(KeyError):
        parts["d"]


# -- what a view shows does not depend on when it was made ------------------------------------------------------
class Parts:
    """What the centre hands to its views."""

    def __init__(self, session):
        self.looking, self.beside, self.log = CompareOptions(session), OtherRuns(session), LogModel(session, session)
        self.make = makers(ViewParts(session, self.looking, self.beside, self.log))


def shown(qtbot, view):
    """How it looks; of the log, which scrolls by itself, what is in it."""
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show()
    for _ in range(3):  # tables that find their height move what is below
        view.session.tick.emit()
        QApplication.processEvents()
    found = [*view.model.lines] if isinstance(view, LogView) else view.grab().toImage()
    view.hide()
    return found


def journal(folder):
    written = Journal(folder)
    for event in Stream(rounds=5, quality=True, roof=True):
        written.write(event)
    written.close()
    return folder


@pytest.mark.parametrize("name", TABS)
def test_results_that_were_opened_before(name, qapp, qtbot, make_session, tmp_path):
    session = make_session()
    parts = Parts(session)
    early = parts.make[name]()
    empty = shown(qtbot, early)
    session.notice.emit("warning", "the disk is nearly full")
    session.open_results(journal(tmp_path / "run"))
    session.select("int4 weights")
    session.trying.question = session.trying.question.model_copy(update={"prompt": "What is a queue?", "max_tokens": 9})
    parts.looking.set_measure("ttft")
    parts.looking.set_reference("int8 weights")
    late = parts.make[name]()
    if name == "try":
        early.prompt.setPlainText("What is a queue?")
        early.editors["max_tokens"].fill(9)
    found = shown(qtbot, late)
    assert found == shown(qtbot, early)
    assert found != empty


@pytest.mark.parametrize("name", [n for n in TABS if n not in ("live", "try")])
def test_a_run_that_goes_on(name, qapp, qtbot):
    light(qapp)
    session = Puppet()
    parts = Parts(session)
    early = parts.make[name]()
    empty = shown(qtbot, early)
    stream = Stream(rounds=4, quality=True, roof=True)
    session.feed(takewhile(lambda e: getattr(e, "round", None) != 2, stream))
    assert session.running
    found = shown(qtbot, parts.make[name]())
    assert found == shown(qtbot, early)
    assert found != empty


# -- in the window ------------------------------------------------------------------------------------------------
@pytest.fixture
def still(qapp, qtbot, tmp_path):
    """Windows over one file of settings that make nothing ahead."""
    light(qapp)

    def opened():
        settings = Settings(tmp_path / "settings.ini")
        settings.runs_folder = tmp_path / "runs"
        session = Session(Answering(engine_command()))
        session.restore(settings.experiment(), settings.excluded())
        window = MainWindow(session, settings)
        qtbot.addWidget(window, before_close_func=lambda w: w.session.close())
        window._rehearsal.start = lambda parts: None
        with qtbot.waitExposed(window):
            window.show()
        return window

    return opened


def test_the_first_page_needs_no_view_and_each_tab_its_own(still):
    window = still()
    centre = window.centre
    assert not centre.views.made
    window.session.notice.emit("warning", "the disk is nearly full")
    centre.show_view("receipts")
    assert not centre.views.made  # still the first page
    window.session.open_experiment(experiment())
    assert [*centre.views.made] == ["receipts"]
    assert centre.views["receipts"].isVisible()
    centre.show_view("log")
    assert centre.views["log"].isVisible()
    assert "the disk is nearly full" in [line.text for line in centre.views["log"].model.lines]
    assert [*centre.views.made] == ["receipts", "log"]
    assert all(centre.views[name].whatsThis() for name in TABS)
    assert centre.views["compare"].findChild(OtherRunDrop) is not None


def test_a_run_begins_with_a_live_view_that_misses_nothing(still, qtbot):
    window = still()
    session, views = window.session, window.centre.views
    window.centre.show_view("log")
    session.open_experiment(experiment("a", "b"))
    heard = []
    session.event_received.connect(heard.append)
    with qtbot.waitSignal(session.run_finished, timeout=LONG):
        with qtbot.waitSignal(session.run_started, timeout=LONG):
            session.run()
        assert [*views.made] == ["log", "live"]
        assert window.centre.current == "live"
    curves = views["live"].plots.data
    assert views["live"].span.currentIndex() == 0  # the last seconds, as in every run
    session.results = None
    assert session.open_results(session.results_folder)
    for name in ("a", "b"):
        measured = sum(sum(e.tokens) for e in heard if isinstance(e, events.Steps) and e.variant == name)
        assert measured
        assert list(curves.tracks[name].itl.view()[1]) == list(session.curves.tracks[name].itl.view()[1])


def test_what_nobody_saw_is_remembered_still(still):
    window = still()
    window.session.open_experiment(experiment())
    window.centre.show_view("quality")
    table = window.centre.views["quality"].table
    usual = table.columnWidth(1)
    table.setColumnWidth(1, usual + 40)
    window.close()
    window = still()  # without a look at it
    assert "quality" not in window.centre.views.made
    window.settings.keep_layout(geometry=QByteArray(b""))
    window.close()
    window = still()
    assert window.centre.views["quality"].table.columnWidth(1) == usual + 40
    window.reset_layout()
    assert window.centre.views["quality"].table.columnWidth(1) == usual
    window.close()


def test_a_layout_brings_back_widths_and_not_which_columns_there_are(still, tmp_path):
    window = still()
    assert window.session.open_results(journal(tmp_path / "run"))
    window.centre.show_view("compare")
    window.session.tick.emit()
    table = window.centre.views["compare"].table
    keys = table.keys
    assert "kld_mean" in keys  # since quality was judged
    window.reset_layout()
    assert table.keys == keys
    window.close()


def test_results_of_the_last_time_begin_with_their_view(still, tmp_path):
    window = still()
    window.session.open_results(journal(tmp_path / "run"))
    window.centre.show_view("timeline")
    window.close()
    window = still()
    assert [*window.centre.views.made] == ["timeline"]
    assert window.centre.current == "timeline"
    window.close()
