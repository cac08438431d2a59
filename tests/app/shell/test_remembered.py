"""The next start shows what the last one showed: results, tab and columns; "Reset layout" forgets the columns."""

from PySide6.QtCore import QByteArray

from app.compare.compare_table import ComparisonModel
from app.compare.compare_view import CompareView
from app.session.session import Session
from app.settings.settings import Settings
from app.shell.main_window import MainWindow
from app.shell.window_restore import Again, states
from core.results.journal import Journal
from tests.app.conftest import Answering, engine_command, experiment, light
from tests.app.streams import Stream, fresh


def written(folder):
    journal = Journal(folder)
    for event in Stream(rounds=4, quality=True):
        journal.write(event)
    journal.close()
    return folder


def test_a_large_journal_is_read_by_a_thread_and_the_draft_stays(make_session, qtbot, monkeypatch, tmp_path):
    monkeypatch.setattr("app.shell.window_restore.is_large", lambda folder: True)
    session = make_session()
    session.open_experiment(experiment())
    again = Again(session, session)
    with qtbot.waitSignal(session.results_changed):
        assert again.start(written(tmp_path / "run"))
        assert session.results is None
    assert session.results_folder == again.folder == tmp_path / "run"
    assert len(session.results.variants) == 3
    assert session.experiment == experiment()
    again.opening.close()


def test_the_last_results_tab_and_columns_come_back(qapp, qtbot, tmp_path):
    light(qapp)
    folder = written(tmp_path / "run")
    settings = Settings(tmp_path / "settings.ini")

    def opened():
        window = MainWindow(Session(Answering(engine_command())), settings)
        qtbot.addWidget(window, before_close_func=lambda w: w.session.close())
        with qtbot.waitSignal(window.session.environment_changed):
            window.show()
        return window

    first = opened()
    assert first.session.results is None
    first.session.open_results(folder)
    first.centre.show_view("quality")
    table = first.centre.views["quality"].table
    usual = table.columnWidth(1)
    table.setColumnWidth(1, usual + 40)
    first.close()

    second = opened()
    assert second.session.results_folder == folder
    assert len(second.session.results.variants) == 3
    assert second.centre.current == "quality"
    table = second.centre.views["quality"].table
    assert table.columnWidth(1) == usual + 40
    second.reset_layout()
    assert table.columnWidth(1) == usual
    settings.keep_layout(geometry=QByteArray(b"broken"))  # a broken state is no reason not to open
    settings.results = tmp_path / "gone"
    second.close()


def test_widths_are_not_given_to_columns_in_another_order(qapp, qtbot, monkeypatch):
    session = fresh(qapp)
    view = CompareView(session)
    qtbot.addWidget(view)
    before = states({"compare": view})
    monkeypatch.setattr(ComparisonModel, "column_keys", ComparisonModel.column_keys[::-1])
    after = states({"compare": view})
    tables = [name for name in before if "table" in name]
    assert tables
    assert any(name not in after for name in tables)
