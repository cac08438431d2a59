"""Exports a comparison to a file, from a button and a menu. A file that cannot be written is reported by a notice; the
results stay on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.base.core_text import spoken
from app.session.comparison_cache import comparison_of
from app.session.session import Session
from app.widgets.file_dialog import ask_for_file, stem
from core.report import table_export
from core.results.results import Results

Kind = Literal["comparison", "metrics", "tsv", "trials", "json", "html"]
SUFFIX = {
    "comparison": ".csv",
    "metrics": "_metrics.csv",
    "tsv": ".tsv",
    "trials": "_trials.csv",
    "json": ".json",
    "html": ".html",
}

ENTRIES = ("html", "comparison", "metrics", "tsv", "trials", "json", "copy")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Export", text)


def proposed_name(results: Results, kind: Kind = "comparison") -> str:
    """Return a file name, `demo_chat_2026-11-30.csv`."""
    return stem(results) + SUFFIX[kind]


def write(session: Session, kind: Kind, path: Path) -> bool:
    """Write one file and return whether that worked; a notice says so, or why not."""
    comparison = comparison_of(session.results)
    if comparison is None or session.results is None:
        session.notice.emit("warning", _tr("Nothing has been measured yet: there is nothing to export."))
        return False
    try:
        if kind == "comparison":
            table_export.write_comparison(comparison, path)
        elif kind == "metrics":
            table_export.write_metrics(session.results, comparison, path)
        elif kind == "tsv":
            table_export.write_tsv(comparison, path)
        elif kind == "trials":
            table_export.write_trials(session.results, path)
        elif kind == "html":
            from core.report import html_report

            html_report.write(session.results, path, comparison, spoken())
        else:
            table_export.write_json(comparison, path)
    except OSError as error:
        text = _tr("{path} cannot be written: {why}. Choose another folder, or free some space.")
        session.notice.emit("error", text.format(path=path, why=error.strerror or error))
        return False
    session.notice.emit("info", _tr("Exported {path}").format(path=path))
    session.wrote.emit(path)
    return True


def ask_and_write(session: Session, kind: Kind, parent: QWidget | None = None) -> bool:
    """Ask for a path, then write. Returns False if the user cancels or it fails."""
    if session.results is None or comparison_of(session.results) is None:
        return write(session, kind, Path())
    filters = {
        "tsv": _tr("Tab-separated text (*.tsv)"),
        "json": _tr("JSON (*.json)"),
        "html": _tr("HTML page (*.html)"),
    }.get(kind, _tr("CSV (*.csv)"))
    path = ask_for_file(parent, _tr("Export"), proposed_name(session.results, kind), filters)
    return path is not None and write(session, kind, path)


def copy_table(session: Session) -> bool:
    """Copy the comparison as TSV and return whether there was one."""
    comparison = comparison_of(session.results)
    if comparison is None:
        session.notice.emit("warning", _tr("Nothing has been measured yet: there is nothing to copy."))
        return False
    QGuiApplication.clipboard().setText(table_export.tsv(comparison))
    return True


def fill_menu(menu: QMenu, slots: dict[str, Callable[[], object]]) -> None:
    """Fill the export menu; `slots` are methods named as in `ENTRIES`."""
    for key, text in (
        ("html", _tr("Report as HTML…")),
        ("comparison", _tr("Comparison as CSV…")),
        ("metrics", _tr("Metrics as CSV, long form…")),
        ("tsv", _tr("Comparison as TSV…")),
        ("trials", _tr("Trials as CSV…")),
        ("json", _tr("Comparison as JSON…")),
        ("copy", _tr("Copy table")),
    ):
        menu.addAction(text).triggered.connect(slots[key])
