"""Other runs beside the present one: opened from disk, labelled, and checked for comparability."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.files.run_loader import Opened, Opening, OpeningBar
from app.widgets.basics import Elided, IconLabel, label, tip
from app.widgets.buttons import button
from core.analysis.comparability import unlike
from core.results.ratio_statistics import MARGIN
from core.results.results import Results

LINE = 26


@dataclass(frozen=True)
class ComparedRun:
    """One run in the comparison; `differs` lists its differences from the present one."""

    mark: str
    results: Results
    differs: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The run's folder and start."""
        created = self.results.started.created[:16].replace("T", " ") if self.results.started else ""
        return f"{self.results.run_id} · {created}" if created else self.results.run_id


class OtherRuns(QObject):
    """The other runs; `runs(present)` returns all, the present one first."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.others: list[tuple[Path, Results]] = []
        self.opening = Opening(self)
        self.opening.opened.connect(self._opened)
        self.opening.broken.connect(self.refused)
        self._differs: WeakKeyDictionary[Results, tuple[Results, tuple[str, ...]]] = WeakKeyDictionary()

    def add(self, folder: Path, present: Path | None = None, margin: float = MARGIN) -> None:
        """Open another run in a thread and judge it by the present `margin`; `changed` follows."""
        if any(_same(folder, path) for path in (*(p for p, _ in self.others), present) if path is not None):
            self.refused.emit(self.tr("{name} is in the comparison already.").format(name=folder.name))
            return
        self.opening.start(folder, margin)

    def remove(self, results: Results) -> None:
        self.others = [(path, other) for path, other in self.others if other is not results]
        self.changed.emit()

    @Slot(object)
    def _opened(self, found: Opened) -> None:
        if found.whole:
            self.others.append((found.folder, found.results))
            self.changed.emit()

    def runs(self, present: Results | None) -> list[ComparedRun]:
        """Return all runs; a single one has no label."""
        if present is None:
            return []
        others = [other for _, other in self.others if other is not present and other.experiment is not None]
        if not others:
            return [ComparedRun("", present)]
        all_ = [ComparedRun(self._mark(1), present)]
        return all_ + [
            ComparedRun(self._mark(n), other, self._unlike(present, other)) for n, other in enumerate(others, 2)
        ]

    def _mark(self, number: int) -> str:
        return self.tr("run {n}").format(n=number)

    def _unlike(self, present: Results, other: Results) -> tuple[str, ...]:
        known = self._differs.get(other)
        moving = present.finished is None and not present.interrupted
        if known is None or known[0] is not present or moving:
            known = self._differs[other] = (present, tuple(unlike(present, other)))
        return known[1]


def _same(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve()
    except OSError:
        return one == other


class OtherRunsBar(QFrame):
    """A bar with one line per run: label, folder, and differences; hidden for a single run."""

    def __init__(self, beside: OtherRuns, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._beside = beside
        self._shown: list[ComparedRun] = []
        self.lines: list[str] = []  # the shown line of each run
        self._column = QVBoxLayout()
        self._column.setSpacing(2)
        self.progress = OpeningBar(beside.opening)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 0, 0, 6)
        layout.setSpacing(2)
        layout.addWidget(self.progress)
        layout.addLayout(self._column)

    def show_runs(self, runs: list[ComparedRun]) -> None:
        if runs == self._shown:
            return
        self._shown = runs
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.lines = []
        for place, run in enumerate(runs if len(runs) > 1 else ()):
            self._column.addWidget(self._line(run, place == 0))

    def _line(self, run: ComparedRun, present: bool) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        line.setFixedHeight(LINE)
        told = self.tr("shown in all views") if present else self.tr("alike: it has its own baseline in the forest")
        if run.differs:
            told = self.tr("not comparable, so in no forest: {lines}").format(lines=said("; ".join(run.differs)))
        row.addWidget(IconLabel("warning", "warn", 14) if run.differs else IconLabel("check", "ok", 14))
        row.addWidget(label(run.mark, 12, 600))
        row.addWidget(label(run.title, 12, 400))
        text = Elided(told, 12, 400, "secondary")
        text.setToolTip(tip(said("\n".join(run.differs))))
        row.addWidget(text, 1)
        self.lines.append(f"{run.mark} · {run.title}: {told}")
        line.setAccessibleName(self.lines[-1])
        if not present:
            remove = button("", "cross", "flat")
            remove.setAccessibleName(self.tr("Remove {run}").format(run=run.mark))
            remove.setToolTip(remove.accessibleName())
            remove.setProperty("place", len(self.lines) - 1)
            remove.clicked.connect(self._remove)
            row.addWidget(remove)
        return line

    @Slot()
    def _remove(self) -> None:
        asked = self.sender()
        if asked is not None:
            self._beside.remove(self._shown[asked.property("place")].results)
