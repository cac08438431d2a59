"""The welcome page: the demo model one click away, the other ways to begin, and how a result will read."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.base.theme import theme
from app.charts.forest_plot import GhostForest
from app.widgets.basics import IconLabel, hairline, heading, label, pixmap
from app.widgets.buttons import PrimaryButton, button

WIDTH = 720


class Way(QAbstractButton):
    """One way to begin: icon, title, one line, a chevron."""

    def __init__(self, icon: str, title: str, note: str, what: str) -> None:
        super().__init__()
        self.setWhatsThis(what)
        self._icon, self._title, self._note = icon, title, note
        self.setFixedHeight(57)
        self.setAccessibleName(title)
        self.setAccessibleDescription(note)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("win"))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 7, 7)
        painter.drawPixmap(14, 20, pixmap(self._icon, "text2", 16))
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font(13, 500))
        painter.drawText(44, 24, self._title)
        painter.setPen(theme.color("text2"))
        painter.setFont(theme.font(12))
        painter.drawText(44, 43, self._note)
        painter.drawPixmap(self.width() - 28, 21, pixmap("chevron-right", "text2", 14))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(self.rect().adjusted(2, 2, -2, -2), 6, 6)


class WelcomePage(QScrollArea):
    """The page shown without a model."""

    open_demo = Signal()
    open_folder = Signal()
    open_gguf = Signal()
    open_hub = Signal()
    open_guide = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        page = QWidget()
        page.setProperty("surface", "panel")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWidget(page)
        across = QHBoxLayout(page)
        column = QVBoxLayout()
        column.setSpacing(0)
        across.addStretch(1)
        across.addLayout(column)
        across.addStretch(1)
        column.addStretch(2)
        column.addWidget(label(self.tr("What makes this model faster, and what does it cost?"), 28, 600))
        column.addSpacing(2)
        column.addWidget(
            label(
                self.tr("Dyno runs variants of one model side by side on your hardware and tells you which differences "
                        "are real."),
                13, role="secondary", wrap=True,
            )
        )  # fmt: skip
        column.addSpacing(24)
        column.addWidget(self._demo_card())
        column.addSpacing(20)
        column.addWidget(self._ways())
        column.addSpacing(12)
        column.addLayout(self._drop_hint())
        column.addSpacing(28)
        column.addWidget(hairline())
        column.addSpacing(24)
        column.addLayout(self._reading())
        column.addSpacing(8)
        column.addWidget(GhostForest())
        column.addStretch(3)
        self.setFocusProxy(self.demo)

    def _demo_card(self) -> QFrame:
        card = QFrame()
        card.setProperty("surface", "accent")
        card.setFixedWidth(WIDTH)
        row = QHBoxLayout(card)
        row.setContentsMargins(20, 18, 20, 18)
        text = QVBoxLayout()
        text.setSpacing(4)
        text.addWidget(label(self.tr("Start with the demo model"), 15, 600))
        note = self.tr(
            "135 M parameters, works offline. Loads a starter comparison: a baseline, int8 weights and int4 weights, "
            "5 rounds, about 3 min the first time."
        )
        text.addWidget(label(note, 12, role="secondary", wrap=True))
        row.addLayout(text, 1)
        row.addSpacing(24)
        self.demo = PrimaryButton()
        self.demo.set_label(self.tr("Open demo model"), self.tr("Enter"))
        self.demo.setAutoDefault(True)
        self.demo.setDefault(True)
        self.demo.clicked.connect(self.open_demo)
        self.demo.setWhatsThis(self.tr("Opens the model that comes with Dyno, with three variants of it."))
        row.addWidget(self.demo)
        return card

    def _ways(self) -> QFrame:
        card = QFrame()
        card.setProperty("surface", "card")
        card.setFixedWidth(WIDTH)
        column = QVBoxLayout(card)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        ways = (
            (
                "folder",
                self.tr("Open a model folder…"),
                self.tr("safetensors with config.json"),
                self.tr("Opens a folder as the hub has it: weights, configuration and tokenizer."),
                self.open_folder,
            ),
            (
                "file",
                self.tr("Open a GGUF file…"),
                self.tr("converted once, then cached"),
                self.tr("Opens one file; its weights are made whole when it is first loaded, and kept so."),
                self.open_gguf,
            ),
            (
                "globe",
                self.tr("Open from the hub cache…"),
                self.tr("by id; nothing is downloaded"),
                self.tr("Lists the models that lie in the hub's cache on this machine."),
                self.open_hub,
            ),
        )
        for place, (icon, title, note, what, signal) in enumerate(ways):
            if place:
                column.addWidget(hairline())
            way = Way(icon, title, note, what)
            way.clicked.connect(signal)
            column.addWidget(way)
        return card

    def _reading(self) -> QHBoxLayout:
        guide = button(self.tr("Guide"), "info", look="flat", hint="F1")
        guide.clicked.connect(self.open_guide)
        guide.setWhatsThis(self.tr("Opens the guide: how to begin, and how to read what comes out."))
        row = QHBoxLayout()
        row.addWidget(heading(self.tr("How to read a result")), 1)
        row.addWidget(guide)
        return row

    def _drop_hint(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(IconLabel("download", "text2", 14))
        row.addSpacing(4)
        row.addWidget(label(self.tr("or drop a folder or a .gguf file anywhere in this window"), 12, role="secondary"))
        row.addStretch(1)
        return row
