"""Buttons with an icon, words, and their key in small print."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Slot
from PySide6.QtGui import QFontMetrics, QIcon
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QWidget

from app.base.theme import theme
from app.widgets.basics import dress, icon, restyle, tip

ICON, GAP, HINT_GAP = 16, 8, 12
LEAST = 96  # px that a button keeps whose words are cut
_TOKENS = {"primary": "on_accent", "danger": "err"}


class Button(QPushButton):
    """A plain (""), "flat", "danger" or "primary" button. The style paints the box, this class its content."""

    def __init__(self, text: str = "", hint: str = "", left: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._hint, self._left, self._elides = hint, left, False

    def let_elide(self) -> None:
        """Elide the words in the middle if they do not fit, with the whole text in the tooltip, for words that contain
        a name."""
        self._elides = True
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @property
    def hint(self) -> str:
        """The key."""
        return self._hint

    def set_hint(self, hint: str) -> None:
        if hint != self._hint:
            self._hint = hint
            self.updateGeometry()
            self.update()

    def _parts(self) -> tuple[int, int, int]:
        """Return the widths of icon, words and key, each with the gap after it."""
        picture = 0 if self.icon().isNull() else ICON + (GAP if self.text() else 0)
        words = self.fontMetrics().horizontalAdvance(self.text())
        key = HINT_GAP + QFontMetrics(theme.font(11)).horizontalAdvance(self._hint) if self._hint else 0
        return picture, words, key

    def sizeHint(self) -> QSize:
        of_style = super().sizeHint()
        assumed = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text()).width()
        if not self.icon().isNull():
            assumed += self.iconSize().width() + 4
        return QSize(of_style.width() - assumed + sum(self._parts()), of_style.height())

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), LEAST), hint.height()) if self._elides else hint

    def shown(self) -> str:
        """Return the words that fit."""
        if not self._elides:
            return self.text()
        room = self.width() - (self.sizeHint().width() - self._parts()[1])
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, room)

    def paintEvent(self, event) -> None:
        if self._elides:
            self.setToolTip(tip(self.text()) if self.shown() != self.text() else "")
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        option.text, option.icon = "", QIcon()
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        picture, words, key = self._parts()
        words = self.fontMetrics().horizontalAdvance(self.shown())
        x = 8 if self._left else (self.width() - picture - words - key) // 2
        if picture:
            mode = QIcon.Mode.Normal if self.isEnabled() else QIcon.Mode.Disabled
            size = QSize(ICON, ICON)
            painter.drawPixmap(x, (self.height() - ICON) // 2, self.icon().pixmap(size, self.devicePixelRatioF(), mode))
        look = self.property("look") or ""
        token = _TOKENS.get(look, "text") if self.isEnabled() else "text3"
        painter.setPen(theme.color(token))
        painter.setFont(self.font())
        place = QRect(x + picture, 0, self.width() - x - picture, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self.shown())
        if key:
            painter.setPen(theme.color("text2" if token == "text" else token))
            painter.setFont(theme.font(11))
            painter.drawText(place.adjusted(words + HINT_GAP, 1, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._hint)


class PrimaryButton(Button):
    """The tall primary button; `set_look` makes it plain (Stop) or a danger (Cancel)."""

    def __init__(self, text: str = "", icon_name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent=parent)
        self._icon_name = icon_name
        self.setProperty("look", "primary")
        self.setProperty("tall", True)
        self.setFont(theme.font(13, 600))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._dress()
        theme.changed.connect(self._dress)

    def set_label(self, text: str, hint: str = "", icon_name: str | None = None) -> None:
        """Set words, key, and another icon if given."""
        if (text, hint, icon_name) == (self.text(), self.hint, self._icon_name):
            return
        self.setText(text)
        self.set_hint(hint)
        if icon_name is not None:
            self._icon_name = icon_name
        self.setAccessibleName(text)
        self._dress()

    def set_look(self, look: str) -> None:
        restyle(self, look=look)
        self._dress()

    @Slot()
    def _dress(self) -> None:
        if self._icon_name:
            self.setIcon(icon(self._icon_name, _TOKENS.get(self.property("look") or "", "text")))


def button(text: str, icon_name: str = "", look: str = "", hint: str = "", left: bool = False) -> Button:
    """Return a plain (""), "flat" or "danger" button; `left` aligns its content."""
    result = Button(text, hint, left)
    result.setProperty("look", look)
    if icon_name:
        dress(result, icon_name, "err" if look == "danger" else "text2")
    return result
