"""The actions of every chart, also in its context menu: save as a picture or CSV, copy, show as a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication, QImage, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.charts import chart_image
from app.charts.chart import Chart
from app.charts.chart_table import ChartTable
from app.widgets import file_dialog
from core.base.files import write_whole

if TYPE_CHECKING:
    from app.session.session import Session


class ChartActions(QObject):
    """The actions of one chart. `title` and `note` (the unit) stand above it."""

    def __init__(self, chart: Chart, title: str, note: str, session: Session) -> None:
        super().__init__(chart.widget)
        self.chart, self.title, self.note, self._session = chart, title, note, session
        chart.widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chart.widget.customContextMenuRequested.connect(self._asked)

    @Slot(QPoint)
    def _asked(self, place: QPoint) -> None:
        self.menu().popup(self.chart.widget.mapToGlobal(place))

    def menu(self) -> QMenu:
        """Return the context menu, made on request."""
        menu = QMenu(self.chart.widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, slot, key in (
            (self.tr("Save as PNG…"), self.save_png, ""),
            (self.tr("Save as SVG…"), self.save_svg, ""),
            (self.tr("Save data as CSV…"), self.save_csv, ""),
            (self.tr("Copy picture"), self.copy_picture, ""),
            (self.tr("View as table"), self.view_table, "Ctrl+Shift+T"),
        ):
            _add(menu, text, slot, key)
        if self.chart.zooms:
            menu.addSeparator()
            _add(menu, self.tr("Show all of it"), self.chart.reset_view, "Home").setEnabled(self.chart.by_hand)
        return menu

    # -- what it does ---------------------------------------------------------------------------------------
    @Slot()
    def save_png(self) -> None:
        self._save("png", self.tr("PNG (*.png)"))

    @Slot()
    def save_svg(self) -> None:
        self._save("svg", self.tr("SVG (*.svg)"))

    @Slot()
    def save_csv(self) -> None:
        self._save("csv", self.tr("CSV (*.csv)"))

    @Slot()
    def copy_picture(self) -> None:
        QGuiApplication.clipboard().setImage(self._image())
        self._session.notice.emit("info", self.tr("The picture is on the clipboard."))

    @Slot()
    def view_table(self) -> None:
        ChartTable(self.title, self.chart.chart_data(), self.chart.widget.window()).open()

    def _save(self, kind: str, filters: str) -> None:
        """Ask for a path, then write."""
        path = file_dialog.ask_for_file(self.chart.widget.window(), self.title, self.proposed_name(kind), filters)
        if path is not None:
            self.write(kind, path)

    def proposed_name(self, kind: str) -> str:
        """Return a file name, `demo_chat_2026-11-30_peak-memory.png`."""
        results = self._session.results
        stem = file_dialog.stem(results) if results is not None else "chart"
        name = re.sub(r"[^\w.]+", "-", self.title).strip("-").lower()
        return f"{stem}_{name}.{kind}"

    def write(self, kind: str, path: Path) -> bool:
        """Write a "png", an "svg" or a "csv" and return whether that worked; a notice says so, or why not."""
        try:
            write_whole(path, self._content(kind))
        except OSError as error:
            text = self.tr("{path} cannot be written: {why}. Choose another folder, or free some space.")
            self._session.notice.emit("error", text.format(path=path, why=error.strerror or error))
            return False
        self._session.notice.emit("info", self.tr("Exported {path}").format(path=path))
        self._session.wrote.emit(path)
        return True

    def _content(self, kind: str) -> str | bytes:
        self.chart.hide_hair()
        if kind == "csv":
            return self.chart.chart_data().text()
        if kind == "svg":
            return chart_image.svg(self.chart, self.title, self.note, self.chart.chart_keys())
        return chart_image.png_bytes(self._image())

    def _image(self) -> QImage:
        self.chart.hide_hair()
        return chart_image.png(self.chart, self.title, self.note, self.chart.chart_keys())


def _add(menu: QMenu, text: str, slot: Callable[[], None], key: str) -> QAction:
    """Return the action, with `key` shown; the key itself is handled elsewhere."""
    action = menu.addAction(text)
    action.setShortcut(QKeySequence(key))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.setShortcutVisibleInContextMenu(True)
    action.triggered.connect(slot)
    return action


def chart_in_focus(page: QWidget) -> ChartActions | None:
    """Return the chart of a page that has or contains the focus, else the first visible one."""
    found = [a for a in page.findChildren(ChartActions) if a.chart.widget.isVisible()]
    return next((a for a in found if a.chart.widget.hasFocus()), found[0] if found else None)


def view_as_table(page: QWidget, session: Session) -> None:
    """Open the table of the chart in focus; a notice says if there is none."""
    actions = chart_in_focus(page)
    if actions is not None:
        actions.view_table()
        return
    text = QCoreApplication.translate("ChartActions", "There is no chart in this view that could be shown as a table.")
    session.notice.emit("info", text)
