"""The lines of the log while nobody looks."""

from app.log import log_model
from app.log.log_model import Line, LogModel
from tests.app.streams import fresh


def test_the_log_keeps_the_newest_lines_whether_or_not_somebody_looks(qapp, monkeypatch):
    monkeypatch.setattr(log_model, "MOST_LINES", 3)
    log = LogModel(fresh(qapp))
    for number in range(5):
        log.add(Line("", "info", "", str(number)))
    assert len(log._waiting) == 3  # and no more memory than that
    log.flush()
    assert [line.text for line in log.lines] == ["2", "3", "4"]
    log.add(Line("", "info", "", "5"))
    log.flush()
    assert [line.text for line in log.lines] == ["3", "4", "5"]
