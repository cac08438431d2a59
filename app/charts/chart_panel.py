"""A panel with a chart's title, its unit on the right, and the values under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.base.theme import theme
from app.charts.chart import Chart
from app.charts.chart_actions import ChartActions
from app.widgets.basics import Elided, Wrapped, label, restyle

LEAST_READING = 44  # pixels


class Readout(Elided):
    """The chart's note, replaced by the values under the pointer."""

    def __init__(self, note: str = "") -> None:
        super().__init__(note, 11, 400, "caption")
        self._note = note
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def set_note(self, note: str) -> None:
        self._note = note
        self.say("")

    def paintEvent(self, event) -> None:
        if self.width() >= LEAST_READING:  # a word of three letters and dots says nothing
            super().paintEvent(event)

    @Slot(str)
    def say(self, text: str) -> None:
        self.setText(text or self._note)
        restyle(self, role="" if text else "caption")


class Values(Wrapped):
    """The values under the pointer, over the title's row, and on more lines if they do not fit."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("")
        self.setParent(parent)
        self.setFont(theme.font(11))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def say(self, text: str, row: QRect) -> None:
        """Show a text at the right end of a row; hide for an empty text."""
        self.setText(text)
        self.setVisible(bool(text))
        if text:
            wide = min(row.width(), self.fontMetrics().horizontalAdvance(text) + 16)
            high = max(row.height(), self.heightForWidth(wide))
            self.setGeometry(row.right() + 1 - wide, row.top(), wide, high)
            self.raise_()


class ChartPanel(QWidget):
    """A chart with its title and context menu."""

    def __init__(
        self,
        title: str,
        note: str,
        chart: Chart,
        session,
        margins: tuple[int, int, int, int] = (16, 10, 16, 8),
        least: int = 0,
        tells: bool = True,
    ) -> None:
        """`least` is the height of the title's row; `tells` is False if the values are shown elsewhere."""
        super().__init__()
        self.title, self.reading, self.chart = label(title, 12, 600), Readout(note), chart
        self.doing = ChartActions(chart, title, note, session)
        column, row = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(*margins)
        row.setSpacing(12)
        row.addStrut(least)
        self.head = row
        row.addWidget(self.title)
        row.addWidget(self.reading, 1)
        column.addLayout(row)
        column.addWidget(chart.widget, 1)
        self.values = Values(self)
        if tells:
            chart.follow_pointer()
            chart.pointed.connect(self._say)

    def choose_by(self, *choosers: QWidget) -> None:
        """Put choosers in place of the title, which say and change what the chart shows."""
        for place, chooser in enumerate(choosers):
            if self.head.indexOf(chooser) < 0:
                self.head.insertWidget(place, chooser)
        self.title.hide()

    def set_words(self, title: str, note: str) -> None:
        """Set title and note of a chart whose content changes; pictures and files have them too."""
        if (title, note) != (self.doing.title, self.doing.note):
            self.title.setText(title)
            self.doing.title, self.doing.note = title, note
            self.reading.set_note(note)

    @Slot(str)
    def _say(self, text: str) -> None:
        self.values.say(text, self.head.geometry())
