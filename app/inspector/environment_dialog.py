"""The environment dialog: obstacles to measuring here, the machine in full, its limits, and a button that measures them
again."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.base.core_text import said, spoken, stated
from app.session.session import Session
from app.widgets.basics import IconLabel, caption, heading, label
from app.widgets.buttons import button
from app.widgets.dialog import Dialog
from app.widgets.fact_list import Facts
from core.feasibility.environment_check import Finding, check
from core.machine import machine_roof as machines
from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof
from core.wording.environment_text import as_text, groups, measured

NAMES = 176  # px of the names of facts
#: The look of a finding by its level.
LOOKS = {
    "missing": ("cross", "text3"),
    "old": ("warning", "warn"),
    "slow": ("info", "text2"),
    "workload": ("warning", "warn"),
    "machine": ("warning", "warn"),
}


class EnvironmentDialog(Dialog):
    """Follows the session: filled when an engine has answered, and after a measurement."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(QCoreApplication.translate("EnvironmentDialog", "Environment"), parent, 720)
        self.session = session
        self.machine: MachineRoof | None = None
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 12, 0)
        self._column.setSpacing(8)
        self.measure = button(self.tr("Measure again"), "activity")
        self.measure.setWhatsThis(self.tr("Reads memory and multiplies for some seconds; nothing else should run."))
        self.measure.clicked.connect(session.machine.measure)
        self.problem = label("", 12, role="err", wrap=True)
        self.problem.hide()
        self._build()
        self.resize(720, 660)
        session.machine.changed.connect(self.refresh)
        session.machine.measured.connect(self._measured)
        session.machine.notice.connect(self._failed)
        session.jobs.changed.connect(self._show_state)
        session.run_started.connect(self.refresh)
        session.run_finished.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        page = QWidget()
        page.setLayout(self._column)
        scroll = QScrollArea()
        scroll.setWidget(page)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(self.tr("Environment"))
        self.body.addWidget(scroll)
        self._findings = QVBoxLayout()
        self._findings.setSpacing(8)
        self._column.addWidget(heading(self.tr("In the way of measuring here")))
        self._column.addLayout(self._findings)
        self._column.addSpacing(8)
        row = QHBoxLayout()
        row.addWidget(heading(self.tr("Measured on this machine")), 1)
        row.addWidget(self.measure)
        self._column.addLayout(row)
        self.state = caption("", wrap=True)
        self.figures = Facts(left=NAMES)
        for part in (self.state, self.problem, self.figures):
            self._column.addWidget(part)
        self._groups: list[tuple[QLabel, Facts]] = []
        self._rest = QVBoxLayout()
        self._column.addLayout(self._rest)
        self._column.addStretch(1)
        copy = button(self.tr("Copy as text"), "copy")
        copy.setAutoDefault(False)
        copy.clicked.connect(self.copy)
        self._buttons.insertWidget(0, copy)
        self.measure.setAutoDefault(False)
        self.add_buttons(self.tr("Close"), "")

    # -- showing -------------------------------------------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        environment = self.session.environment
        if self.machine is None and environment is not None:
            self.machine = machines.kept(environment)
        self._show_state()
        self.figures.set(measured(self.machine, spoken()) if self.machine is not None else [])
        self._show_findings(environment)
        self._show_groups(groups(environment, spoken()) if environment is not None else [])

    @Slot()
    def _show_state(self) -> None:
        """Show whether it can measure now, and what is known."""
        session = self.session
        self.measure.setText(self.tr("Measure now") if self.machine is None else self.tr("Measure again"))
        self.measure.setEnabled(not (session.machine.asking or session.running or session.jobs.disturbing))
        state = self._state_words()
        self.state.setText(state)
        self.state.setVisible(bool(state))

    def _state_words(self) -> str:
        if self.session.machine.measuring:
            return self.tr("Being measured: some seconds, up to a minute.")
        if self.session.running:
            return self.tr("Not while a run goes on: both would be slower.")
        if (job := self.session.jobs.disturbing) is not None:
            return self.tr("Not now: {work}. Both would be slower.").format(work=job.words)
        if self.machine is None:
            return self.tr("Not measured yet: the first run does it, before its first load.")
        if not self.machine.quiet:
            return self.tr("Others used {x:.0f} % of a core meanwhile: the figures are too low.").format(
                x=self.machine.foreign_cpu_pct
            )
        return ""

    def _show_findings(self, environment: Environment | None) -> None:
        while (item := self._findings.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if environment is None:
            self._findings.addWidget(label(self.tr("An engine is being asked."), 12, role="secondary"))
            return
        facts = self.session.facts
        found = check(environment, self.session.experiment, facts.context if facts else None)
        if not found:
            self._findings.addWidget(_line("check", "ok", self.tr("Nothing was found."), ""))
        for finding in found:
            self._findings.addWidget(_line(*LOOKS[finding.level], _title(finding), said(finding.hint)))

    def _show_groups(self, parts: list[tuple[str, list[tuple[str, str]]]]) -> None:
        while len(self._groups) < len(parts):
            title, facts = heading(""), Facts(left=NAMES)
            title.setContentsMargins(0, 8, 0, 0)
            self._rest.addWidget(title)
            self._rest.addWidget(facts)
            self._groups.append((title, facts))
        for (title, facts), (text, rows) in zip(self._groups, parts, strict=False):
            title.setText(text)
            facts.set(rows)

    # -- acting --------------------------------------------------------------------------------------------
    @Slot(object)
    def _measured(self, found: MachineRoof) -> None:
        self.machine = found
        self.problem.hide()
        self.refresh()

    @Slot(str, str)
    def _failed(self, _level: str, text: str) -> None:
        self.problem.setText(stated(text))
        self.problem.show()

    @Slot()
    def copy(self) -> None:
        if self.session.environment is not None:
            QGuiApplication.clipboard().setText(as_text(self.session.environment, self.machine, spoken()))


def _title(finding: Finding) -> str:
    whose = f" ({', '.join(finding.variants)})" if finding.variants else ""
    if finding.text.startswith(finding.about):  # a package says its own name
        return said(finding.text) + whose
    return f"{finding.about}{whose}: {said(finding.text)}"


def _line(icon: str, token: str, text: str, hint: str) -> QWidget:
    """Return a line with an icon, a finding, and its hint below."""
    line = QWidget()
    row, column = QHBoxLayout(line), QVBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(IconLabel(icon, token, 15), 0, Qt.AlignmentFlag.AlignTop)
    column.setSpacing(1)
    column.addWidget(label(text, 12, 500 if hint else 400, wrap=True))
    if hint:
        column.addWidget(caption(hint, wrap=True))
    row.addLayout(column, 1)
    return line
