"""The drop-down fields of the top bar, and their panels."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout, QWidget

from app.base.theme import theme
from app.text.phrases import named
from app.widgets.basics import pixmap, tip
from app.widgets.pane_navigation import first_in

LEAST, MOST = 110, 300  # px that a field takes


class Panel(QFrame):
    """A panel below a field; closed by Esc or a click elsewhere."""

    def __init__(self, width: int, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setProperty("surface", "popup")
        self.setFixedWidth(width)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(16, 14, 16, 14)
        self.column.setSpacing(10)

    def open_below(self, field: QWidget) -> None:
        self.adjustSize()
        self.resize(self.width(), self.column.totalHeightForWidth(self.width()))  # wrapped text, at this very width
        self.move(field.mapToGlobal(QPoint(0, field.height() + 4)))
        self.show()
        first = first_in(self)
        if first is not None:
            first.setFocus(Qt.FocusReason.PopupFocusReason)


class Field(QAbstractButton):
    """Caption and value with an icon and a chevron; a click opens its panel."""

    def __init__(self, title: str, icon: str) -> None:
        super().__init__()
        self._title, self._icon = title, icon
        self._values: tuple[str, ...] = ("—",)
        self._narrow = self._bare = False
        self._short, self._least = 0, MOST
        self.panel: Panel | None = None
        self.setFixedHeight(40)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.title = title
        self.setAccessibleName(title)
        self.clicked.connect(self._open)

    def set_value(self, *texts: str) -> None:
        """Set the value in words, and shorter alternatives for less room."""
        self._values = texts
        self.setAccessibleName(named(self._title, texts[0]))
        self.updateGeometry()
        self.update()

    def value(self) -> str:
        """Return the shown value."""
        return self._values[min(self._short, len(self._values) - 1)]

    def values(self) -> tuple[str, ...]:
        return self._values

    def fit(self, short: int, bare: bool, narrow: bool, least: int) -> None:
        """Set the available room: the `short`-th value; no icon if `bare`, no caption if `narrow`; no value is elided
        below `least` px."""
        if (short, bare, narrow, least) != (self._short, self._bare, self._narrow, self._least):
            self._short, self._bare, self._narrow, self._least = short, bare, narrow, least
            self.updateGeometry()
            self.update()

    @property
    def _left(self) -> int:
        return 11 if self._bare else 34

    def sizeHint(self) -> QSize:
        text = max(
            QFontMetrics(theme.font(13, 500)).horizontalAdvance(self.value()),
            0 if self._narrow else QFontMetrics(theme.font(11)).horizontalAdvance(self._title),
        )
        return QSize(min(MOST, self._left + text + 36), 40)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self._least, self.sizeHint().width()), 40)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focus = self.hasFocus()
        edge = "accent" if focus else "text3" if self.underMouse() else "line2"
        painter.setPen(QPen(theme.color(edge), 2 if focus else 1))
        painter.setBrush(theme.color("sunken" if self.isDown() else "raised"))
        inset = 1.0 if focus else 0.5
        painter.drawRoundedRect(self.rect().toRectF().adjusted(inset, inset, -inset, -inset), 6, 6)
        middle = self.height() // 2
        if not self._bare:
            painter.drawPixmap(11, middle - 8, pixmap(self._icon, "text2", 16))
        painter.drawPixmap(self.width() - 25, middle - 7, pixmap("chevron-down", "text2", 14))
        left = self._left
        room = self.width() - left - 32
        top = 0 if self._narrow else 17
        if not self._narrow:
            painter.setPen(theme.color("text2"))
            painter.setFont(theme.font(11))
            painter.drawText(QRect(left, 5, room, 14), Qt.AlignmentFlag.AlignVCenter, self._title)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font(13, 500))
        value = painter.fontMetrics().elidedText(self.value(), Qt.TextElideMode.ElideMiddle, room)
        self.setToolTip(tip(self._values[0]) if value != self._values[0] else "")
        place = QRect(left, top, room, self.height() if self._narrow else 20)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, value)

    @Slot()
    def _open(self) -> None:
        if self.panel is not None:
            self.panel.open_below(self)
