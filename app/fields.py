"""The drop-down fields of the top bar, and their panels. Knows how they look, not what they hold."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout, QWidget

from app.facts import named
from app.panes import first_in
from app.theme import theme
from app.widgets import pixmap, tip


class Panel(QFrame):
    """What drops down under a field; closed by Esc or a click elsewhere."""

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
        self._title, self._icon, self._value = title, icon, "—"
        self._narrow = False
        self.panel: Panel | None = None
        self.setFixedHeight(40)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(title)
        self.clicked.connect(self._open)

    def set_value(self, text: str) -> None:
        self._value = text
        self.setAccessibleName(named(self._title, text))
        self.updateGeometry()
        self.update()

    def value(self) -> str:
        return self._value

    def set_narrow(self, narrow: bool) -> None:
        if narrow != self._narrow:
            self._narrow = narrow
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        text = max(
            QFontMetrics(theme.font(13, 500)).horizontalAdvance(self._value),
            0 if self._narrow else QFontMetrics(theme.font(11)).horizontalAdvance(self._title),
        )
        return QSize(min(300, 34 + text + 36), 40)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(110, self.sizeHint().width()), 40)

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
        painter.drawPixmap(11, middle - 8, pixmap(self._icon, "text2", 16))
        painter.drawPixmap(self.width() - 25, middle - 7, pixmap("chevron-down", "text2", 14))
        room = self.width() - 34 - 32
        top = 0 if self._narrow else 17
        if not self._narrow:
            painter.setPen(theme.color("text2"))
            painter.setFont(theme.font(11))
            painter.drawText(QRect(34, 5, room, 14), Qt.AlignmentFlag.AlignVCenter, self._title)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font(13, 500))
        value = painter.fontMetrics().elidedText(self._value, Qt.TextElideMode.ElideMiddle, room)
        self.setToolTip(tip(self._value) if value != self._value else "")
        place = QRect(34, top, room, self.height() if self._narrow else 20)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, value)

    @Slot()
    def _open(self) -> None:
        if self.panel is not None:
            self.panel.open_below(self)
