"""A chart under its title. The unit on the right gives its place to the values under the pointer. Knows no data."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.chart_actions import ChartActions
from app.crosshair import Crosshair
from app.painted_chart import PaintedChart
from app.plot_items import CalmPlot
from app.widgets import Elided, label, restyle

LEAST_READING = 44  # pixels


class Reading(Elided):
    """The note of a chart, or the values under the pointer while there is one."""

    def __init__(self, note: str = "") -> None:
        super().__init__(note, 11, 400, "caption")
        self._note = note
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._beside: QWidget | None = None

    def give_way(self, beside: QWidget) -> None:
        """What stands on the same line, and makes room where the values would not fit."""
        self._beside = beside

    def set_note(self, note: str) -> None:
        self._note = note
        self.say("")

    def paintEvent(self, event) -> None:
        if self.width() >= LEAST_READING:  # a word of three letters and dots says nothing
            super().paintEvent(event)

    @Slot(str)
    def say(self, text: str) -> None:
        if self._beside is not None:
            room = self.width() if self._beside.isVisible() else self.width() - self._beside.sizeHint().width() - 12
            self._beside.setVisible(not text or self.fontMetrics().horizontalAdvance(text) <= room)
        self.setText(text or self._note)
        restyle(self, role="" if text else "caption")


class ChartPanel(QWidget):
    """The chart, its title and its context menu."""

    def __init__(
        self,
        title: str,
        note: str,
        chart: CalmPlot | PaintedChart,
        session,
        margins: tuple[int, int, int, int] = (16, 10, 16, 8),
        least: int = 0,
        tells: bool = True,
    ) -> None:
        """`least` is the height of the title's row; `tells` is False where another place says the values."""
        super().__init__()
        self.title, self.reading, self.chart = label(title, 12, 600), Reading(note), chart
        self.doing = ChartActions(chart, title, note, session)
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(*margins)
        row.setSpacing(12)
        row.addStrut(least)
        self.head = row
        row.addWidget(self.title)
        row.addWidget(self.reading, 1)
        self.reading.give_way(self.title)
        column.addLayout(row)
        self._head = row
        column.addWidget(chart, 1)
        if not tells:
            return
        if isinstance(chart, CalmPlot):
            Crosshair([chart], self._read, self).said.connect(self.reading.say)
        elif isinstance(chart, PaintedChart):
            chart.pointed.connect(self.reading.say)

    def choose_by(self, *choosers: QWidget) -> None:
        """What says in place of the title what the chart shows, and can be changed."""
        for place, chooser in enumerate(choosers):
            if self._head.indexOf(chooser) < 0:
                self._head.insertWidget(place, chooser)
        self.title.hide()
        self.reading.give_way(QWidget(self))

    def set_words(self, title: str, note: str) -> None:
        """Of a chart that shows now this, now that; pictures and files of it have them too."""
        if (title, note) != (self.doing.title, self.doing.note):
            self.title.setText(title)
            self.doing.title, self.doing.note = title, note
            self.reading.set_note(note)

    def _read(self, x: float, y: float, plot: CalmPlot) -> str:
        return plot.read(x, y)
