"""Colours, fonts and the style sheet, read from `resources/themes`.

Fonts are set on widgets (`theme.font`); colours come from the style sheet, or from `theme.color` at paint time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from core.results.variant_letters import letter

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
MODES = ("light", "dark", "system")
SMALL, SMALL_CHINESE = 11, 12  # px
MOST_LETTERS = 6  # beside one mark of a chart
_CHINESE = ("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei UI")  # Linux, macOS, Windows

# pyqtgraph symbols: diamond, disc, triangle up, square, triangle down, pentagon.
_SYMBOLS = ("d", "o", "t1", "s", "t", "p")
_DASHES: tuple[Qt.PenStyle | list[float], ...] = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotDotLine,
)


#: Tokens that replace others where the system asks for high contrast.
_STRONGER = {"text2": "text", "text3": "text", "line": "text3", "line2": "text2", "grid": "line2", "warnln": "warn"}


def _wants_contrast(app: QApplication) -> bool:
    hints = app.styleHints()  # kept: the objects that it hands out die with it
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


@cache
def _read(name: str) -> dict:
    return json.loads((RESOURCES / "themes" / f"{name}.json").read_text("utf-8"))


@cache
def _font(size_px: int, weight: int, mono: bool) -> QFont:
    """Return the font, cached: a table's cell asks for it at every paint."""
    font = QFont()
    font.setFamilies(
        ["JetBrains Mono", "DejaVu Sans Mono", "Noto Sans Mono CJK SC", "monospace"]
        if mono
        else ["Inter", *_CHINESE, "Segoe UI", "Helvetica Neue", "Noto Sans", "sans-serif"]
    )
    font.setPixelSize(size_px)
    font.setWeight(QFont.Weight(weight))
    font.setFeature(QFont.Tag("tnum"), 1)
    if mono:
        font.setFeature(QFont.Tag("calt"), 0)  # no ligatures: -- are two hyphens
    return font


def mark(index: int) -> int:
    """Return which of the six marks a variant has: A alone has the first; G reuses B's, and so on."""
    return index if index < len(_SYMBOLS) else 1 + (index - 1) % (len(_SYMBOLS) - 1)


class Theme(QObject):
    """The theme that all views use; `changed` tells them to repaint."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.mode = "system"
        self._data = _read("light")
        self.patterns = True  # whether lines wear dashes
        self.contrast = False  # whether the system asks for high contrast
        self._loaded_fonts = False
        self._chinese = False

    @property
    def name(self) -> str:
        return self._data["name"]

    @property
    def dark(self) -> bool:
        return self._data["dark"]

    def color(self, token: str) -> QColor:
        """Return a colour token of the design. Raises KeyError for an unknown token."""
        return QColor(self._data["colors"][self._stronger(token)])

    def _stronger(self, token: str) -> str:
        """Return the token, under high contrast the next stronger one: small print as text, dividers as control
        edges."""
        return _STRONGER.get(token, token) if self.contrast else token

    def variant(self, index: int) -> QColor:
        return QColor(self._data["variants"][mark(index)])

    def badge_text(self, index: int) -> QColor:
        return QColor(self._data["badge_text"][mark(index)])

    def ringed(self, index: int) -> bool:
        """Return whether the badge has a ring, because its hue is reused."""
        return index >= len(_SYMBOLS)

    def letter(self, index: int) -> str:
        return letter(index)

    def letters(self, indices: Iterable[int]) -> str:
        """Return the letters of variants that share a mark, `A, C, D`, as many as a chart has room for."""
        found = [self.letter(i) for i in dict.fromkeys(indices)]
        return ", ".join(found[:MOST_LETTERS]) + (", …" if len(found) > MOST_LETTERS else "")

    def symbol(self, index: int) -> str:
        return _SYMBOLS[mark(index)]

    def dash(self, index: int) -> Qt.PenStyle | list[float]:
        return _DASHES[mark(index)] if self.patterns else Qt.PenStyle.SolidLine

    def set_patterns(self, on: bool) -> None:
        if on != self.patterns:
            self.patterns = on
            self.changed.emit()

    def font(self, size_px: int, weight: int = 400, mono: bool = False) -> QFont:
        """Return Inter or JetBrains Mono in pixels, with tabular figures, so that changing numbers keep their width."""
        return QFont(_font(SMALL_CHINESE if self._chinese and size_px == SMALL else size_px, weight, mono))

    def set_chinese(self, chinese: bool) -> None:
        """Set whether small print is Chinese, which needs 12 px instead of 11 px for its strokes."""
        self._chinese = chinese

    def apply(self, app: QApplication, mode: str) -> None:
        """Switch the application to "light", "dark" or the system's mode."""
        if not self._loaded_fonts:
            self._load_fonts(app)
        self.mode = mode if mode in MODES else "system"
        self._data = _read("dark" if self._wants_dark(app) else "light")
        self.contrast = _wants_contrast(app)
        app.setFont(self.font(13))
        app.setPalette(self._palette())
        app.setStyleSheet(self._style_sheet())
        self.changed.emit()

    def _load_fonts(self, app: QApplication) -> None:
        self._loaded_fonts = True
        app.setStyle("Fusion")  # the one style that looks alike everywhere and obeys the sheet
        for file in sorted((RESOURCES / "fonts").glob("*.[ot]tf")):
            QFontDatabase.addApplicationFont(str(file))
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._contrast_changed)

    def _system_changed(self) -> None:
        app = QApplication.instance()
        if self.mode == "system" and isinstance(app, QApplication):
            self.apply(app, "system")

    def _contrast_changed(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            self.apply(app, self.mode)

    def _wants_dark(self, app: QApplication) -> bool:
        if self.mode == "system":
            return app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self.mode == "dark"

    def _style_sheet(self) -> str:
        template = Template((RESOURCES / "themes" / "style.qss").read_text("utf-8"))
        icons = (RESOURCES / "icons").as_posix()
        colors = {token: self.color(token).name() for token in self._data["colors"]}
        return template.substitute(colors, icons=icons, name=self.name)

    def _palette(self) -> QPalette:
        palette, role = QPalette(), QPalette.ColorRole
        for key, token in {
            role.Window: "win",
            role.Base: "panel",
            role.AlternateBase: "win",
            role.Button: "raised",
            role.WindowText: "text",
            role.Text: "text",
            role.ButtonText: "text",
            role.ToolTipBase: "raised",
            role.ToolTipText: "text",
            role.PlaceholderText: "text3",
            role.Highlight: "accent",
            role.HighlightedText: "on_accent",
            role.Link: "accent",
            role.Light: "raised",
            role.Midlight: "line",
            role.Mid: "line2",
            role.Dark: "line2",
            role.Shadow: "line2",
        }.items():
            palette.setColor(key, self.color(token))
        for key in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, key, self.color("text3"))
        return palette


theme = Theme()
