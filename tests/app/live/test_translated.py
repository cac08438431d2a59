"""Words that are put together outside a widget's own text go through the translator too."""

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from app.charts.axes import TimeAxis
from app.live.live_plots import LivePlots
from app.live.round_schedule import ScheduleStrip, blocks
from app.text.phase_text import phase_text
from app.text.phrases import value_text
from tests.app.streams import Stream, fresh


class Shout(QTranslator):
    """A language that is English in brackets."""

    def translate(self, context, text, comment=None, number=-1):
        return f"[{text}]"


@pytest.fixture
def shout(qapp):
    translator = Shout()
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def test_yes_no_and_now(shout):
    assert [value_text("x", v) for v in (True, False)] == ["[yes]", "[no]"]
    axis = TimeAxis()
    axis.now = 5.0
    assert axis.tickStrings([5.0], 1, 1) == ["[now]"]
    assert phase_text("warmup").name == "[warm-up]"


def test_the_strip_and_the_reading_of_the_plots(qtbot, qapp, shout):
    session = fresh(qapp)
    session.feed(Stream(until=(0, 1, 8)), live=False)
    strip, plots = ScheduleStrip(session), LivePlots(session.index_of)
    qtbot.addWidget(strip)
    qtbot.addWidget(plots)
    groups = blocks(session.results)
    assert strip.tip(groups[0][0]) == "bf16 baseline, [load]: [done]"
    assert strip.tip(groups[1][0]) == "bf16 baseline, [warm-up]: [done]"
    assert strip.tip(groups[2][0]).endswith(", [round 1]: [done]")
    plots.reset(session.curves)
    band = next(b for b in session.curves.bands if b.phase == "warmup")
    assert f"{band.variant}, [warm-up]" in plots.read((band.start + band.end) / 2)
