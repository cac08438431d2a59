"""A table model with its own order and filter. Python sorts 5,000 keys in some milliseconds; a proxy model would call
back twice for each of 60,000 comparisons."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Slot

Index = QModelIndex | QPersistentModelIndex
Line = TypeVar("Line")
LINE_ROLE = Qt.ItemDataRole.UserRole + 1


class Arranged(QAbstractTableModel, Generic[Line]):
    """Subclasses define a line's identity, its key in a column (None sorts last either way) and its words."""

    column_keys: ClassVar[tuple[str, ...]] = ()  # what its columns hold, in order, where that may change with a version

    def __init__(self, parent=None) -> None:
        super().__init__(parent)
        self.lines: list[Line] = []  # all of them, as they were given
        self.shown: list[Line] = []  # those that pass the filter, in their order
        self._sorted_by, self._direction = 0, Qt.SortOrder.AscendingOrder
        self._terms: list[str] = []

    # -- what a subclass says --------------------------------------------------------------------------------
    def identity(self, line: Line) -> Hashable:
        raise NotImplementedError

    def key(self, line: Line, column: int) -> Any:
        raise NotImplementedError

    def words(self, line: Line) -> Iterable[str]:
        """Return what the filter searches."""
        raise NotImplementedError

    def sort_title(self, column: int) -> str:
        """Return a column's title where a sort is chosen; empty if it sorts as another column."""
        return str(self.headerData(column, Qt.Orientation.Horizontal))

    def sorted_words(self, column: int) -> str:
        """Return a column's title with its sort order, for a screen reader."""
        title = self.sort_title(column) or str(self.headerData(column, Qt.Orientation.Horizontal))
        if column != self._sorted_by:
            return title
        ascending = self._direction == Qt.SortOrder.AscendingOrder
        text = self.tr("{column}, sorted ascending") if ascending else self.tr("{column}, sorted descending")
        return text.format(column=title)

    # -- lines -----------------------------------------------------------------------------------------------
    def set_lines(self, lines: Iterable[Line]) -> None:
        """Set the lines; those in the same place are updated, so that selection and scroll position stay."""
        self.lines = list(lines)
        found = self._arranged()
        same = [self.identity(x) for x in found] == [self.identity(x) for x in self.shown]
        if not same:
            self.beginResetModel()
        self.shown = found
        if not same:
            self.endResetModel()
        elif found:
            self.dataChanged.emit(self.index(0, 0), self.index(len(found) - 1, self.columnCount() - 1))

    @Slot(str)
    def set_filter(self, text: str) -> None:
        """Show only lines that contain every word of the text, ignoring case."""
        terms = text.casefold().split()
        if terms != self._terms:
            self._terms = terms
            self.beginResetModel()
            self.shown = self._arranged()
            self.endResetModel()

    @property
    def filtered(self) -> bool:
        return bool(self._terms)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column. Qt calls this twice per click; the second call finds the lines sorted."""
        if (column, order) != (self._sorted_by, self._direction):
            self._sorted_by, self._direction = column, order
            self.arrange()

    def arrange(self) -> None:
        """Sort the lines again; the selection stays."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        lines = [id(self.shown[index.row()]) for index in before]
        self.shown = self._arranged()
        place = {id(line): i for i, line in enumerate(self.shown)} if before else {}
        self.changePersistentIndexList(
            before, [self.index(place[line], index.column()) for line, index in zip(lines, before, strict=True)]
        )
        self.layoutChanged.emit()

    def _arranged(self) -> list[Line]:
        lines = [x for x in self.lines if self._passes(x)]
        keys = [self.key(x, self._sorted_by) for x in lines]
        known = [i for i, key in enumerate(keys) if key is not None]
        known.sort(key=keys.__getitem__, reverse=self._direction == Qt.SortOrder.DescendingOrder)
        return [lines[i] for i in known] + [x for x, key in zip(lines, keys, strict=True) if key is None]

    def _passes(self, line: Line) -> bool:
        if not self._terms:
            return True
        text = " ".join(self.words(line)).casefold()
        return all(term in text for term in self._terms)

    # -- Qt --------------------------------------------------------------------------------------------------
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 — Qt's signature
        return 0 if parent.isValid() else len(self.shown)

    def line(self, index: Index) -> Line:
        return self.shown[index.row()]
