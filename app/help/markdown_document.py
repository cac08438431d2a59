"""Shows Markdown in a document: Qt parses it, and this module applies the theme's fonts and colours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextListFormat,
    QTextTable,
)

from app.base.theme import theme
from core.base.nonbreaking import tied

_CODE = re.compile("(```.*?```|`[^`]*`)", re.DOTALL)  # code keeps its spaces when copied
SIZE, CODE, INDENT = 13, 12, 24  # px
HEADINGS = {1: 20, 2: 15}  # others have the size of the text
HEIGHT = QTextBlockFormat.LineHeightTypes
FENCE = QTextFormat.Property.BlockCodeFence


def write(document: QTextDocument, text: str) -> None:
    """Replace the document's content by this page."""
    parts = _CODE.split(text)
    parts[::2] = map(tied, parts[::2])
    document.setMarkdown("".join(parts), QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    document.setIndentWidth(INDENT)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for first, last in reversed(_fenced(document)):  # from the end, so that positions hold
        _frame(cursor, first, last)
    for block in _blocks(document):
        _characters(block)
        _lines(block)
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _table(frame)
    cursor.endEditBlock()


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


# -- code -------------------------------------------------------------------------------------------------
def _fenced(document: QTextDocument) -> list[tuple[int, int]]:
    """Return the positions of each code block; Qt has one text block per line."""
    found: list[tuple[int, int]] = []
    within = False
    for block in _blocks(document):
        end = block.position() + block.length() - 1
        code = block.blockFormat().hasProperty(FENCE)
        if code and within:
            found[-1] = found[-1][0], end
        elif code:
            found.append((block.position(), end))
        within = code
    return found


def _frame(cursor: QTextCursor, first: int, last: int) -> None:
    made = QTextFrameFormat()
    made.setBackground(theme.color("sunken"))
    made.setPadding(10)
    made.setTopMargin(6)
    made.setBottomMargin(10)
    cursor.setPosition(first)
    cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertFrame(made)


def _is_code(block: QTextBlock) -> bool:
    frame = QTextCursor(block).currentFrame()
    return frame.parentFrame() is not None and not isinstance(frame, QTextTable)


# -- text -------------------------------------------------------------------------------------------------
def _characters(block: QTextBlock) -> None:
    """Reformat every run of characters: Qt's own formats have sizes and colours outside the theme."""
    level, code = block.blockFormat().headingLevel(), _is_code(block)
    runs = []
    for run in block.textFormats():
        old = run.format
        mono = code or old.fontFixedPitch()
        heavy = bool(level) or old.fontWeight() > 400
        made = _format(HEADINGS.get(level, CODE if mono else SIZE), 600 if heavy else 400, mono)
        made.setFontItalic(old.fontItalic())
        if old.isAnchor():
            _link(made, old.anchorHref())
        runs.append((block.position() + run.start, run.length, made))
    cursor = QTextCursor(block)
    for start, length, made in runs:
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(made)
    if code:
        cursor.setPosition(block.position())
        cursor.setBlockCharFormat(_format(CODE, 400, True))  # an empty line is as high as the others


def _format(size: int, weight: int, mono: bool) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setFont(theme.font(size, weight, mono))
    made.setForeground(theme.color("text"))
    return made


def _link(made: QTextCharFormat, target: str) -> None:
    made.setAnchor(True)
    made.setAnchorHref(target)
    made.setForeground(theme.color("accent"))
    if "://" in target:
        made.setToolTip(target)  # it leads out of the window: one sees where to


def _lines(block: QTextBlock) -> None:
    """Set a block's line height and margins."""
    cursor, level = QTextCursor(block), block.blockFormat().headingLevel()
    if _is_code(block):
        made = _spaces(20, HEIGHT.FixedHeight)
    elif cursor.currentTable() is not None:
        made = _spaces(140, HEIGHT.ProportionalHeight)
    elif not block.text():  # Qt leaves one before and after a frame
        made = _spaces(1, HEIGHT.FixedHeight)
    else:
        made = _spaces(140, HEIGHT.ProportionalHeight, 0 if level == 1 else 18 if level else 3, 6)
    cursor.mergeBlockFormat(made)
    points = block.textList()
    if points is not None and points.format().style() == QTextListFormat.Style.ListCircle:
        disc = points.format()
        disc.setStyle(QTextListFormat.Style.ListDisc)
        points.setFormat(disc)


def _spaces(height: int, kind: QTextBlockFormat.LineHeightTypes, above: int = 0, below: int = 0) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(height, kind.value)
    made.setTopMargin(above)
    made.setBottomMargin(below)
    return made


def _table(table: QTextTable) -> None:
    made = table.format()
    made.setCellSpacing(0)
    made.setCellPadding(6)
    made.setBorder(1)
    made.setBorderCollapse(True)
    made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    made.setBorderBrush(theme.color("line"))
    made.setTopMargin(6)
    made.setBottomMargin(10)
    table.setFormat(made)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        head = cell.format()
        head.setBackground(theme.color("sunken"))
        cell.setFormat(head)
