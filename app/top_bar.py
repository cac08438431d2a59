"""The top bar: what is held constant. Four fields that open panels, and beside them the controls of a run."""

from __future__ import annotations

import os

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from app.buttons import button
from app.facts import Facts
from app.fields import Field, Panel
from app.forms import Form
from app.machine import machine_facts
from app.prompt_words import title as prompts_title
from app.run_controls import RunControls
from app.session import Session
from app.theme import theme
from app.widgets import caption, hairline, heading, redress
from core import evaluation, prompts, suite, words
from core.spec import Quality, Workload

HEIGHT = 56
NARROW = 1200  # below it the fields drop their captions
WORKLOAD_FIELDS = (
    "prompts", "prompt_tokens", "new_tokens", "temperature", "top_k", "top_p", "concurrency", "requests", "arrival",
    "rate",
)  # fmt: skip
PROTOCOL_FIELDS = ("trials", "until_pct", "budget_s", "seed")
QUALITY_FIELDS = tuple(name for name in Quality.model_fields if name != "gate")


class TopBar(QWidget):
    """Model, Device, Workload, Protocol, and Run."""

    open_demo = Signal()
    open_folder = Signal()
    open_gguf = Signal()
    open_hub = Signal()
    open_prompts = Signal()
    details = Signal()  # of the machine

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._form_fields: list[Form[Workload]] = []
        self.setFixedHeight(HEIGHT)
        self.setProperty("surface", "win")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = Field(self.tr("Model"), "cube")
        self.device = Field(self.tr("Device"), "chip")
        self.workload = Field(self.tr("Workload"), "lines")
        self.protocol = Field(self.tr("Protocol"), "clock")
        self.controls = RunControls(session)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setContentsMargins(16, 6, 16, 8)
        column.addLayout(row, 1)
        column.addWidget(hairline())
        row.setSpacing(8)
        for field in self.fields:
            row.addWidget(field)
        row.addStretch(1)
        row.addWidget(self.controls)
        self._make_panels()
        session.experiment_changed.connect(self.refresh)
        session.environment_changed.connect(self.refresh)
        session.run_started.connect(self.refresh)
        session.run_finished.connect(self.refresh)
        self.refresh()

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.model, self.device, self.workload, self.protocol

    # -- panels --------------------------------------------------------------------------------------------
    def _make_panels(self) -> None:
        panel = Panel(360, self.model)
        panel.column.addWidget(heading(self.tr("Model")))
        self._model_facts = Facts()
        panel.column.addWidget(self._model_facts)
        panel.column.addWidget(hairline())
        for text, icon, signal in (
            (self.tr("Open demo model"), "play", self.open_demo),
            (self.tr("Open a model folder…"), "folder", self.open_folder),
            (self.tr("Open a GGUF file…"), "file", self.open_gguf),
            (self.tr("Open from the hub cache…"), "globe", self.open_hub),
        ):
            item = button(text, icon, "flat", left=True)
            item.clicked.connect(panel.close)
            item.clicked.connect(signal)
            panel.column.addWidget(item)
        panel.column.addStretch(1)
        self.model.panel = panel

        panel = Panel(360, self.device)
        panel.column.addWidget(heading(self.tr("Device")))
        self._device_facts = Facts()
        panel.column.addWidget(self._device_facts)
        panel.column.addWidget(caption(self.tr("As an engine sees it; every result is stamped with it."), wrap=True))
        more = button(self.tr("All details"), "info", "flat", left=True)
        more.clicked.connect(panel.close)
        more.clicked.connect(self.details)
        panel.column.addWidget(more)
        self.device.panel = panel

        suggestions = {"prompts": prompts.names()}
        for field, title, names, note in (
            (
                self.workload,
                self.tr("Workload"),
                WORKLOAD_FIELDS,
                self.tr("Every variant gets the same prompts, trimmed or extended to exactly this length."),
            ),
            (
                self.protocol,
                self.tr("Protocol"),
                PROTOCOL_FIELDS,
                self.tr(
                    "A round runs every variant once, in random order, on one prompt. Ratios are paired by round; "
                    "95 % intervals. No verdict before round 4."
                ),
            ),
        ):
            panel = Panel(320, field)
            panel.column.addWidget(heading(title))
            form: Form[Workload] = Form(Workload(), names, suggestions, label_width=112)
            form.changed.connect(self._workload_edited)
            panel.column.addWidget(form)
            panel.column.addWidget(caption(note, wrap=True))
            self._form_fields.append(form)
            field.panel = panel
        assert self.workload.panel is not None
        look = button(self.tr("Look at prompts…"), "lines", "flat", left=True)
        look.clicked.connect(self.workload.panel.close)
        look.clicked.connect(self.open_prompts)
        self.workload.panel.column.addWidget(look)
        assert self.protocol.panel is not None
        self._add_quality(self.protocol.panel)
        theme.changed.connect(self._dress_panels)

    def _add_quality(self, panel: Panel) -> None:
        """What happens after the rounds, at the foot of the protocol."""
        self.judge = QCheckBox(self.tr("Judge quality after the rounds"))
        self.judge.setFont(theme.font(13))
        self.judge.setToolTip(self.tr("Every variant reads one text, apart from the speed trials."))
        self.judge.toggled.connect(self._quality_switched)
        suggested = {"text": evaluation.names(), "suite": [*suite.names(), "none"]}
        self.quality: Form[Quality] = Form(Quality(), QUALITY_FIELDS, suggested, label_width=112)
        self.quality.changed.connect(self._quality_edited)
        panel.column.addWidget(hairline())
        panel.column.addWidget(self.judge)
        panel.column.addWidget(self.quality)

    @Slot()
    def _dress_panels(self) -> None:
        for field in self.fields:
            if field.panel is not None:
                redress(field.panel)
            field.update()

    def form(self, title: str) -> Form[Workload]:
        """The form of "workload" or "protocol"."""
        return self._form_fields[("workload", "protocol").index(title)]

    @Slot(object)
    def _workload_edited(self, workload: Workload) -> None:
        if self.session.experiment is not None:
            self.session.edit(self.session.experiment.model_copy(update={"workload": workload}))

    @Slot(bool)
    def _quality_switched(self, on: bool) -> None:
        """Off keeps what was set, for when it is switched on again."""
        self.session.set_quality(self.quality.value if on else None)

    @Slot(object)
    def _quality_edited(self, quality: Quality) -> None:
        self.session.set_quality(quality)

    # -- showing -------------------------------------------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        experiment, facts = self.session.experiment, self.session.facts
        work = experiment.workload if experiment else Workload()
        name = facts.name if facts else experiment.model.source if experiment else self.tr("No model")
        self.model.set_value(name)
        self.device.set_value(self._device_words())
        value = self.tr("{prompts} · {into} in → {out} out").format(
            prompts=prompts_title(work.prompts), into=work.prompt_tokens, out=work.new_tokens
        )
        if work.concurrency > 1:
            value += self.tr(" · {n} at once").format(n=work.concurrency)
        self.workload.set_value(value)
        judged = experiment.quality if experiment else None
        rounds = self.tr("{n} rounds") if judged else self.tr("{n} interleaved rounds")
        protocol = rounds.format(n=work.trials)
        if work.until_pct:
            protocol = self.tr("rounds until ±{x} %").format(x=f"{work.until_pct:g}")
        parts = [protocol, self.tr("95 % CI"), *([self.tr("quality")] if judged else [])]
        self.protocol.set_value(" · ".join(parts))
        with QSignalBlocker(self.judge):
            self.judge.setChecked(judged is not None)
        if judged is not None:
            self.quality.fill(judged)
        idle = experiment is not None and not self.session.running
        self.judge.setEnabled(idle)
        self.quality.setEnabled(idle and judged is not None)
        for form in self._form_fields:
            form.fill(work)
            form.setEnabled(experiment is not None and not self.session.running)
        self._fill_facts()

    def _device_words(self) -> str:
        environment = self.session.environment
        if environment is None:
            return self.tr("CPU · {n} cores").format(n=os.cpu_count() or 1)
        if environment.devices:
            first = environment.devices[0]
            return f"{first.name} · {words.size(first.memory_bytes)}"
        return self.tr("CPU · {n} cores").format(n=environment.cores)

    def _fill_facts(self) -> None:
        facts, experiment = self.session.facts, self.session.experiment
        if facts is not None and experiment is not None:
            template = self.tr("yes") if facts.chat_template else self.tr("none: plain prompts")
            parameters = f"{facts.parameters / 1e6:,.1f} M".replace(",", "\u2009") if facts.parameters else ""
            self._model_facts.set(
                [
                    (self.tr("Name"), facts.name),
                    (self.tr("Architecture"), facts.architecture),
                    (self.tr("Parameters"), parameters),
                    (self.tr("Stored as"), f"{facts.dtype} · {words.size(facts.file_bytes)}"),
                    (self.tr("Layers"), str(facts.layers or "")),
                    (self.tr("Context"), str(facts.context or "")),
                    (self.tr("Chat template"), template),
                    (self.tr("Path"), facts.path),
                ]
            )
        else:
            self._model_facts.set([(self.tr("Name"), experiment.model.source if experiment else "—")])
        self._device_facts.set(machine_facts(self.session.environment))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        for field in self.fields:
            field.set_narrow(self.width() < NARROW)
        self.controls.set_narrow(self.width() < NARROW)
