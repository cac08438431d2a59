"""The latency-throughput curve of the sweep that a run belongs to: the sweep's runs are read in a thread and their
points drawn."""

from __future__ import annotations

import contextlib
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, QThread, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from app.charts.chart_panel import ChartPanel
from app.loadtest.load_curve_plot import LoadPlot, title
from app.session.jobs import Jobs
from app.session.run_threads import import_late
from app.session.session import Session
from app.text.field_text import words
from app.widgets.basics import Badge, caption, label, tip
from app.widgets.dialog import Dialog
from app.widgets.model_form import tame
from core.loadtest.load_curve import FIGURES, LATENCIES, THROUGHPUTS, LoadPoint, available, load_curve
from core.loadtest.load_sweep import SweepMark, fellows
from core.results.journal import JournalError, open_results
from core.spec.workload import Workload

MOST_NAME = 180  # pixels of a variant's name below the chart


class CurveThread(QThread):
    """Opens the runs of a sweep one after the other and emits their points. It is one of the `jobs`, whose owner waits
    for it when the window closes."""

    read = Signal(object)

    def __init__(self, jobs: Jobs, folder: Path, mark: SweepMark) -> None:
        super().__init__(jobs)
        self._folder, self._mark = folder, mark
        self._job = jobs.begin(self.tr("Reading the runs of a sweep"), self.requestInterruption, self.wait)
        self.finished.connect(self._over)

    def run(self) -> None:
        import_late()
        found = []
        for folder in fellows(self._folder, self._mark.sweep):
            if self.isInterruptionRequested():
                return
            with contextlib.suppress(JournalError, OSError):
                found.append(open_results(folder))
        self.read.emit(load_curve(found))

    @Slot()
    def _over(self) -> None:
        self._job.end()
        self.deleteLater()


class LoadCurveDialog(Dialog):
    """A window beside the main one: while the queue goes on, each finished run adds its load."""

    def __init__(self, session: Session, folder: Path, mark: SweepMark, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("LoadCurveDialog", "Load curve"), parent, 860)
        self._session, self._folder, self._mark = session, folder, mark
        self._thread: CurveThread | None = None
        self.points: list[LoadPoint] = []
        self.swept = words(mark.field, Workload.model_fields[mark.field])
        self.note = caption(self.tr("The runs of this sweep are being read."), wrap=True)
        self.body.addWidget(self.note)
        self.plot = LoadPlot()
        self.of_y = _chooser(LATENCIES, self.tr("Latency"))
        self.of_x = _chooser(THROUGHPUTS, self.tr("Throughput"))
        self.panel = ChartPanel("", "", self.plot, session)
        self.panel.choose_by(self.of_y, self.of_x)
        self.panel.setMinimumHeight(380)
        self.body.addWidget(self.panel, 1)
        self._legend = QHBoxLayout()
        self._legend.setSpacing(8)
        self.body.addLayout(self._legend)
        self.add_buttons(self.tr("Close"), "")
        for chooser in (self.of_x, self.of_y):
            chooser.activated.connect(self.refresh)
        session.run_finished.connect(self.look)
        self.finished.connect(self._end)
        self.look()

    @Slot()
    def look(self) -> None:
        """Read the runs that exist now."""
        self._end()
        self._thread = CurveThread(self._session.jobs, self._folder, self._mark)
        self._thread.read.connect(self._read)
        self._thread.start()

    @Slot()
    def _end(self) -> None:
        """Stop reading."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.requestInterruption()

    @Slot(object)
    def _read(self, points: list[LoadPoint]) -> None:
        if self.sender() is not self._thread:
            return
        self._thread = None
        self._show(points)

    def _show(self, points: list[LoadPoint]) -> None:
        self.points = points
        text = self.tr(
            "{n} of {all} loads are measured. The figure beside a mark is the load ({field}), the thin lines through "
            "it are 95 % intervals over the rounds."
        )
        self.note.setText(text.format(n=len({p.value for p in points}), all=self._mark.count, field=self.swept))
        while (item := self._legend.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for place, name in dict.fromkeys((p.place, p.variant) for p in points):
            self._legend.addWidget(Badge(place, 16))
            shown = label("", 12)
            shown.setText(shown.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, MOST_NAME))
            shown.setToolTip(tip(name))
            self._legend.addWidget(shown)
        self._legend.addStretch(1)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Draw the chosen figures; figures that no run has cannot be chosen."""
        there = available(self.points)
        for chooser in (self.of_x, self.of_y):
            model = chooser.model()
            assert isinstance(model, QStandardItemModel)
            for place in range(chooser.count()):
                missing = self.tr("{measure} (too few requests)").format(measure=title(chooser.itemData(place)))
                known = not there or chooser.itemData(place) in there
                chooser.setItemText(place, title(chooser.itemData(place)) if known else missing)
                model.item(place).setEnabled(known)
        x, y = self.of_x.currentData(), self.of_y.currentData()
        self.plot.show_points(self.points, x, y, self.swept)
        heading = self.tr("{y} against {x}").format(y=title(y), x=title(x))
        self.panel.set_words(heading, self.tr("the best is below at the right"))


def _chooser(names: tuple[str, ...], what: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(what)
    box.setToolTip(what)
    for name in names:
        assert name in FIGURES
        box.addItem(title(name), name)
    tame(box)
    box.setMinimumContentsLength(20)
    return box
