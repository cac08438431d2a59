"""The top bar: what is constant in a comparison. Four fields open panels; beside them are the run buttons."""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from app.base.core_text import said
from app.base.theme import theme
from app.inspector.machine_dock import machine_facts
from app.run.run_controls import RunControls
from app.session.session import Session
from app.text.prompt_text import title as prompts_title
from app.widgets.basics import caption, hairline, heading, redress
from app.widgets.buttons import button
from app.widgets.dropdown_field import LEAST, MOST, Field, Panel
from app.widgets.fact_list import Facts
from app.widgets.model_form import Form
from core.base import formatting
from core.feasibility.context_limits import limits
from core.prompts import run_prompts
from core.quality import evaluation_text, regression_suite
from core.spec.experiment import QualitySettings
from core.spec.workload import Workload

HEIGHT, MARGIN, GAP = 56, 16, 8
NARROW = 1200  # below it the fields drop their captions
LEAST_MODEL = 190, 136  # px of the model's field: at first, and before another one is cut
LAST_STEP = 8  # of `TopBar._take`
WORKLOAD_FIELDS = (
    "prompts", "prompt_tokens", "new_tokens", "temperature", "top_k", "top_p", "concurrency", "requests", "arrival",
    "rate",
)  # fmt: skip
PROTOCOL_FIELDS = ("trials", "until_pct", "budget_s", "seed")
QUALITY_FIELDS = tuple(name for name in QualitySettings.model_fields if name != "gate")


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
        row.setContentsMargins(MARGIN, 6, MARGIN, 8)
        column.addLayout(row, 1)
        column.addWidget(hairline())
        row.setSpacing(GAP)
        for field in self.fields:
            row.addWidget(field)
        row.addStretch(1)
        row.addWidget(self.controls)
        self._make_panels()
        self._fitted: object = None
        self.controls.changed.connect(self._fit)
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

        suggestions = {"prompts": run_prompts.names()}
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
        """Add the quality settings at the foot of the protocol's panel."""
        self.judge = QCheckBox(self.tr("Judge quality after the rounds"))
        self.judge.setFont(theme.font(13))
        self.judge.setToolTip(self.tr("Every variant reads one text, apart from the speed trials."))
        self.judge.toggled.connect(self._quality_switched)
        suggested = {"text": evaluation_text.names(), "suite": [*regression_suite.names(), "none"]}
        self.quality: Form[QualitySettings] = Form(QualitySettings(), QUALITY_FIELDS, suggested, label_width=112)
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

    def words(self) -> list[tuple[str, str, str]]:
        """Return (name, title, place) of every field of the panels."""
        found = []
        for field, form in self._all_forms():
            for name, editor in form.editors.items():
                found.append((name, editor.widget.accessibleName(), field.title))
        return found

    def open_field(self, name: str) -> None:
        """Open the panel of a field, with the focus on it."""
        for field, form in self._all_forms():
            if name in form.editors and field.isEnabled():
                field.click()
                form.editors[name].widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _all_forms(self) -> list[tuple[Field, Form[Any]]]:
        forms = self._form_fields
        return [(self.workload, forms[0]), (self.protocol, forms[1]), (self.protocol, self.quality)]

    def form(self, title: str) -> Form[Workload]:
        """Return the form of "workload" or "protocol"."""
        return self._form_fields[("workload", "protocol").index(title)]

    @Slot(object)
    def _workload_edited(self, workload: Workload) -> None:
        if self.session.experiment is not None:
            self.session.edit(self.session.experiment.model_copy(update={"workload": workload}))

    @Slot(bool)
    def _quality_switched(self, on: bool) -> None:
        """Switch quality on or off; its settings are kept while it is off."""
        self.session.set_quality(self.quality.value if on else None)

    @Slot(object)
    def _quality_edited(self, quality: QualitySettings) -> None:
        self.session.set_quality(quality)

    # -- showing -------------------------------------------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        experiment, facts = self.session.experiment, self.session.facts
        work = experiment.workload if experiment else Workload()
        name = facts.name if facts else experiment.model.source if experiment else self.tr("No model")
        self.model.set_value(name)
        self.device.set_value(*self._device_words())
        self.workload.set_value(*self._workload_words(work))
        judged = experiment.quality if experiment else None
        self.protocol.set_value(*self._protocol_words(work, judged))
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
        self._note_limits()
        self._fill_facts()
        self._fit()

    def _note_limits(self) -> None:
        """Show beside their fields what will spoil the results or be refused; a run says so only after its rounds."""
        experiment, facts = self.session.experiment, self.session.facts
        told: dict[str, list[str]] = {}
        for one in limits(experiment, facts.context if facts else None) if experiment is not None else []:
            told.setdefault(one.field, []).append(formatting.capital(said(one.text)))
        for table, forms in (("workload", self._form_fields), ("quality", [self.quality])):
            for form in forms:
                form.note({name: "\n".join(told.get(f"{table}.{name}", [])) for name in form.editors})

    def _device_words(self) -> tuple[str, ...]:
        environment = self.session.environment
        if environment is None or not environment.devices:
            cores = environment.cores if environment is not None else os.cpu_count() or 1
            return (self.tr("CPU · {n} cores").format(n=cores),)
        first = environment.devices[0]
        short = first.name.removeprefix("NVIDIA ").removeprefix("GeForce ")
        size = formatting.size(first.memory_bytes)
        return f"{first.name} · {size}", f"{short} · {size}", short

    def _workload_words(self, work: Workload) -> tuple[str, ...]:
        """Return the workload in words, then in fewer words."""
        sizes = {"into": work.prompt_tokens, "out": work.new_tokens}
        more = self.tr(" · {n} at once").format(n=work.concurrency) if work.concurrency > 1 else ""
        long = self.tr("{prompts} · {into} in → {out} out").format(prompts=prompts_title(work.prompts), **sizes)
        return long + more, long + more, "{into} → {out}".format(**sizes) + more

    def _protocol_words(self, work: Workload, judged: QualitySettings | None) -> tuple[str, ...]:
        """Return the protocol in words, then in fewer words."""
        quality = [self.tr("quality")] if judged else []
        if work.until_pct:
            short = long = self.tr("rounds until ±{x} %").format(x=f"{work.until_pct:g}")
        else:
            short = self.tr("{n} rounds").format(n=work.trials)
            long = short if judged else self.tr("{n} interleaved rounds").format(n=work.trials)
        interval = self.tr("95 % CI")
        parts = (long, interval, *quality), (short, interval, *quality), (short, *quality)
        return tuple(" · ".join(p) for p in parts)

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
                    (self.tr("Stored as"), f"{facts.dtype} · {formatting.size(facts.file_bytes)}"),
                    (self.tr("Layers"), str(facts.layers or "")),
                    (self.tr("Context"), str(facts.context or "")),
                    (self.tr("Chat template"), template),
                    (self.tr("Path"), facts.path),
                ]
            )
        else:
            self._model_facts.set([(self.tr("Name"), experiment.model.source if experiment else "—")])
        self._device_facts.set(machine_facts(self.session.environment))

    # -- room ----------------------------------------------------------------------------------------------
    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Remove the least important parts until everything fits; a bar that was never shown has no width."""
        state = self.width(), [field.values() for field in self.fields], self.controls.shown()
        if state == self._fitted:
            return
        self._fitted = state
        room = self.width() - 2 * MARGIN - GAP * len(self.fields)
        for step in range(LAST_STEP + 1):
            self._take(step)
            if sum(f.minimumSizeHint().width() for f in self.fields) + self.controls.sizeHint().width() <= room:
                return

    def _take(self, step: int) -> None:
        """Remove one part: first words that everybody knows, then the middle of the model's name, keys, icons."""
        narrow, bare = self.width() < NARROW, step >= 4
        short = 0 if step < 1 else 1 if step < 6 else 2
        for field in self.fields:
            field.fit(short, bare, narrow, LEAST if step == LAST_STEP else MOST)
        if step >= 2:
            self.model.fit(short, bare, narrow, LEAST_MODEL[step >= 5])
        self.controls.fit(keys=step < 3, words=step < 7)
