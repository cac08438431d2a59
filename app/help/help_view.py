"""The documentation window: a search and the entries on the left, the text on the right, with links between entries.
Works offline, except for external links."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.base.theme import theme
from app.help import markdown_document
from app.text.reference_entries import ReferenceEntry, entries
from app.widgets.basics import hairline, icon, label
from core.base.nonbreaking import tied
from core.machine.environment import Environment

KEY = Qt.ItemDataRole.UserRole


class HelpWindow(QDialog):
    """A window beside the main one, which stays usable."""

    def __init__(self, environment: Environment | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Help"))
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
        self.resize(980, 680)
        self.entries = entries(environment)
        self._by_key = {entry.key: entry for entry in self.entries}
        self._history: list[str] = []
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search the documentation"))
        self.search.setAccessibleName(self.tr("Search the documentation"))
        self.search.addAction(icon("search", "text3"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setProperty("look", "rows")
        self.list.setFont(theme.font(13))
        self.list.setAccessibleName(self.tr("Entries"))
        self.none = label(self.tr("No entry has these words."), 12, role="secondary")
        self.none.setContentsMargins(8, 4, 8, 4)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setFont(theme.font(13))
        self.text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.text.setAccessibleName(self.tr("Explanation"))
        self.text.document().setDocumentMargin(24)
        self._build()
        self.search.textChanged.connect(self._fill)
        self.list.currentItemChanged.connect(self._chosen)
        self.text.anchorClicked.connect(self._follow)
        theme.changed.connect(self._recolour)
        self._recolour()
        self._fill("")

    def _build(self) -> None:
        side = QWidget()
        side.setFixedWidth(272)
        column = QVBoxLayout(side)
        column.setContentsMargins(12, 12, 12, 8)
        column.addWidget(self.search)
        column.addWidget(self.none)
        column.addWidget(self.list, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(side)
        row.addWidget(hairline(vertical=True))
        row.addWidget(self.text, 1)
        back = QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self)
        back.activated.connect(self.back)

    @Slot(str)
    def _fill(self, wanted: str) -> None:
        """List the entries that contain all words, under their groups; title matches come first."""
        words = wanted.casefold().split()
        found = [e for e in self.entries if all(word in e.words for word in words)]
        if words:
            found.sort(key=lambda e: not all(word in e.title.casefold() for word in words))
        blocked = QSignalBlocker(self.list)  # what the search passes over was not looked at
        self.list.clear()
        group = ""
        for entry in found:
            if not words and entry.group != group:
                group = entry.group
                self.list.addItem(self._head(group))
            item = QListWidgetItem(entry.title)
            item.setData(KEY, entry.key)
            item.setSizeHint(QSize(100, 26))
            item.setToolTip(entry.title if not words else f"{entry.group}: {entry.title}")
            self.list.addItem(item)
        self.none.setVisible(not found)
        self._select(found[0].key if found else "")
        blocked.unblock()
        if found:
            self._show_text(found[0])

    def _head(self, group: str) -> QListWidgetItem:
        head = QListWidgetItem(group)
        head.setFlags(Qt.ItemFlag.NoItemFlags)
        head.setFont(theme.font(11, 600))
        head.setForeground(theme.color("text2"))
        head.setSizeHint(QSize(100, 30))
        return head

    def _select(self, key: str) -> bool:
        for row in range(self.list.count()):
            if self.list.item(row).data(KEY) == key:
                self.list.setCurrentRow(row)
                return True
        return False

    # -- going about ---------------------------------------------------------------------------------------
    def show_entry(self, key: str) -> None:
        """Show an entry, clearing a search that would hide it."""
        if key in self._by_key and not self._select(key):
            self.search.clear()
            self._select(key)
        self._chosen()
        self.show()
        self.raise_()
        self.activateWindow()

    @Slot()
    def _chosen(self) -> None:
        item = self.list.currentItem()
        entry = self._by_key.get(item.data(KEY)) if item is not None else None
        if entry is not None:
            self._write(entry)

    def _write(self, entry: ReferenceEntry) -> None:
        if not self._history or self._history[-1] != entry.key:
            self._history.append(entry.key)
        self._show_text(entry)

    def _show_text(self, entry: ReferenceEntry) -> None:
        if entry.is_markdown:
            markdown_document.write(self.text.document(), entry.body)
        else:
            self.text.setHtml(tied(entry.body))
        self.text.moveCursor(QTextCursor.MoveOperation.Start)  # else the page is shown down to where writing ended
        self.text.verticalScrollBar().setValue(0)

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
        else:
            self.show_entry(url.toString())

    @Slot()
    def back(self) -> None:
        """Show the previous entry."""
        if len(self._history) > 1:
            self._history.pop()
            self.show_entry(self._history[-1])

    @Slot()
    def _recolour(self) -> None:
        text, second, accent = (theme.color(token).name() for token in ("text", "text2", "accent"))
        mono = theme.font(12, mono=True).families()[0]
        self.text.document().setDefaultStyleSheet(
            f"h2 {{ color: {text}; font-size: 20px; font-weight: 600; margin-bottom: 8px; }}"
            f"h4 {{ color: {second}; font-size: 12px; font-weight: 600; margin: 14px 0 2px 0; }}"
            f"p, td {{ color: {text}; margin: 0 0 6px 0; line-height: 140%; }}"
            f"a {{ color: {accent}; text-decoration: none; }} code {{ font-family: '{mono}'; }}"
        )
        self._chosen()
