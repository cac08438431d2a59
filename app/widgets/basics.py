"""Small parts of every view: badges, labels, icons."""

from __future__ import annotations

import html
from functools import cache

from PySide6 import QtGui
from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QIcon, QPainter, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLabel,
    QProgressBar,
    QSizePolicy,
    QWidget,
)

from app.base.theme import RESOURCES, theme
from core.base.nonbreaking import tied


# -- icons -----------------------------------------------------------------------------------------------
@cache
def _svg(name: str) -> str:
    return (RESOURCES / "icons" / f"{name}.svg").read_text("utf-8")


@cache
def _pixmap(name: str, color: str, size: int, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    source = _svg(name).replace("currentColor", color)
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


def pixmap(name: str, token: str = "text2", size: int = 16, ratio: float = 0) -> QPixmap:
    """Return an icon of `resources/icons` in a token's colour, `size` logical pixels square, for the screen with the
    highest pixel ratio unless `ratio` is given."""
    application = QGuiApplication.instance()
    if not ratio:
        ratio = max(2.0, application.devicePixelRatio()) if isinstance(application, QGuiApplication) else 2.0
    return _pixmap(name, theme.color(token).name(), size, ratio)


def icon(name: str, token: str = "text2", size: int = 16) -> QIcon:
    """Return an icon as `pixmap` does, with a dimmed picture for the disabled state."""
    result = QIcon(pixmap(name, token, size))
    result.addPixmap(pixmap(name, "text3", size), QIcon.Mode.Disabled)
    return result


def dress(target: QAbstractButton | QAction, name: str, token: str = "text2") -> None:
    """Give a button or an action an icon that follows the theme (see `redress`)."""
    target.setProperty("icon_name", name)
    target.setProperty("icon_token", token)
    target.setIcon(icon(name, token))


def redress(root: QWidget) -> None:
    """Recolour the icons of all buttons and actions below `root` after a theme change."""
    targets: list[QAbstractButton | QAction] = [*root.findChildren(QAbstractButton)]
    for target in [*targets, *root.findChildren(QAction)]:
        name = target.property("icon_name")
        if name:
            target.setIcon(icon(name, target.property("icon_token")))


class IconLabel(QWidget):
    """A single icon that follows the theme."""

    def __init__(self, name: str, token: str = "text2", size: int = 16, parent: QWidget | None = None) -> None:
        super().__init__()
        self._name, self._token, self._size = name, token, size
        self.setFixedSize(size, size)

    def set(self, name: str, token: str) -> None:
        if (name, token) != (self._name, self._token):
            self._name, self._token = name, token
            self.update()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, pixmap(self._name, self._token, self._size, self.devicePixelRatioF()))


# -- badges ----------------------------------------------------------------------------------------------
def paint_badge(painter: QPainter, rect: QRectF, index: int) -> None:
    """Paint a variant's letter tile; from G on it has a ring, since hues repeat."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = rect.height() * 0.2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.variant(index))
    painter.drawRoundedRect(rect, radius, radius)
    if theme.ringed(index):
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.badge_text(index), 1.2))
        inner = rect.adjusted(2, 2, -2, -2)
        painter.drawRoundedRect(inner, radius - 1, radius - 1)
    painter.setPen(theme.badge_text(index))
    painter.setFont(theme.font(max(9, round(rect.height() * 0.55)), 700))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, theme.letter(index))
    painter.restore()


class Badge(QWidget):
    """A variant's letter on a tile of its hue."""

    def __init__(self, index: int, size: int = 20, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.index = index
        self.setFixedSize(size, size)
        self.setAccessibleName(theme.letter(index))

    def set_index(self, index: int) -> None:
        self.index = index
        self.setAccessibleName(theme.letter(index))
        self.update()

    def paintEvent(self, event) -> None:
        paint_badge(QPainter(self), QRectF(self.rect()), self.index)


# -- labels and lines ------------------------------------------------------------------------------------
class Wrapped(QLabel):
    """A label with several lines; no line ends between a number and its unit. `text` is what was set."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setText(text)

    def setText(self, text: str) -> None:
        self._text = text
        super().setText(tied(text))

    def text(self) -> str:
        return self._text


def label(text: str = "", size_px: int = 13, weight: int = 400, role: str = "", wrap: bool = False) -> QLabel:
    """Return a label of a size and a role ("secondary", "caption", "accent", "ok", "warn", "err", "pill")."""
    result = Wrapped(text) if wrap else QLabel(text)
    result.setFont(theme.font(size_px, weight))
    result.setProperty("role", role)
    result.setTextFormat(Qt.TextFormat.PlainText)  # names come from files: they are never markup
    return result


def heading(text: str) -> QLabel:
    """Return the heading of a group: 12 px semibold."""
    return label(text, 12, 600, "heading")


def caption(text: str, wrap: bool = False) -> QLabel:
    """Return a label of small print: 11 px."""
    return label(text, 11, 400, "caption", wrap)


def restyle(widget: QWidget, **properties) -> None:
    """Set dynamic properties and reapply the style sheet, if they have changed."""
    if all(widget.property(k) == v for k, v in properties.items()):
        return
    for key, value in properties.items():
        widget.setProperty(key, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def tip(text: str) -> str:
    """Return a tooltip's text with markup characters escaped: names, paths and logs contain them."""
    if not QtGui.Qt.mightBeRichText(text):
        return text
    return f"<span style='white-space: pre-wrap'>{html.escape(text)}</span>"


def literal(text: str) -> str:
    """Return a menu's text with ampersands escaped, which are no mnemonics."""
    return text.replace("&", "&&")


def hairline(vertical: bool = False) -> QFrame:
    """Return a divider, 1 px of `line`."""
    line = QFrame()
    line.setProperty("hairline", "v" if vertical else "h")
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line


def keep_room(widget: QWidget) -> None:
    """Let a hidden widget keep its place."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


class Elided(QLabel):
    """A label of one line, elided in the middle by default; its tooltip has the whole text."""

    def __init__(
        self,
        text: str = "",
        size_px: int = 13,
        weight: int = 400,
        role: str = "",
        cut: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__()
        self._cut = cut
        self.setFont(theme.font(size_px, weight))
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), self._cut, room.width())
        self.setToolTip(tip(self.text()) if shown != self.text() else "")
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)


class Meter(QProgressBar):
    """A progress bar of `of` parts without text. Qt's own repaints the window at once on a change; this one waits."""

    def __init__(self, name: str, of: int = 1000) -> None:
        super().__init__()
        self.setRange(0, of)
        self.setTextVisible(False)
        self.setAccessibleName(name)

    def setValue(self, value: int) -> None:
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)
