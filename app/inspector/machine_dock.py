"""The right dock without a model: the machine, the strategies that work on it, recent results."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

from app.base.core_text import said
from app.session.session import Session
from app.settings.settings import Settings
from app.text.phrases import named
from app.text.recipe_text import slot_title
from app.widgets.basics import IconLabel, caption, hairline, heading, label, tip
from app.widgets.buttons import button
from app.widgets.fact_list import Facts
from core.base import formatting
from core.machine.environment import Environment
from core.spec.variant import REGISTRY, SLOTS

INSTRUCTIONS = (("amx_bf16", "AMX"), ("avx512f", "AVX-512"), ("avx2", "AVX2"), ("neon", "NEON"))
PACKAGES = ("torch", "transformers", "bitsandbytes")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Machine", text)


def machine_facts(environment: Environment | None) -> list[tuple[str, str]]:
    """Return the machine's main facts; before an engine has answered, those that this process can read."""
    if environment is None:
        memory = psutil.virtual_memory()
        return [
            (_tr("CPU"), _tr("{n} cores").format(n=os.cpu_count() or 1)),
            (_tr("RAM"), _ram(memory.total, memory.available)),
        ]
    wide = [name for key, name in INSTRUCTIONS if key in environment.cpu_features]
    gpus = ", ".join(f"{d.name}, {formatting.size(d.memory_bytes)}" for d in environment.devices)
    facts = [
        (_tr("CPU"), environment.cpu),
        (_tr("Cores / threads"), f"{environment.cores} / {environment.threads}"),
        (_tr("Instructions"), ", ".join(wide)),
        (_tr("RAM"), _ram(environment.ram_bytes, environment.ram_available_bytes)),
        (_tr("GPU"), gpus or _tr("none")),
        *((name, environment.versions.get(name, "")) for name in PACKAGES),
        (_tr("C++ compiler"), environment.compiler or _tr("none: no compilation")),
    ]
    return [(name, value) for name, value in facts if value]


def _ram(total: int, free: int | None) -> str:
    if free is None:
        return formatting.size(total or None)
    return _tr("{all}, {free} free").format(all=formatting.size(total), free=formatting.size(free))


class MachineDock(QScrollArea):
    """The machine's facts as the engine sees them, strategies with the reason if one cannot work, recent runs."""

    open_recent = Signal(str)

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.settings = session, settings
        self.setWidgetResizable(True)
        self.setAccessibleName(self.tr("This machine"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setProperty("surface", "win")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWidget(inside)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 7, 0, 10)  # level with the other dock's title
        column.setSpacing(12)
        self._facts = Facts()
        self._section(column, self.tr("This machine"), self._facts)
        column.addWidget(hairline())
        self._available = QWidget()
        self._grid = QGridLayout(self._available)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(10)
        self._grid.setColumnStretch(1, 1)
        self._section(column, self.tr("Available strategies"), self._available)
        column.addWidget(hairline())
        self._recent = QWidget()
        self._recent_column = QVBoxLayout(self._recent)
        self._recent_column.setContentsMargins(0, 0, 0, 0)
        self._recent_column.setSpacing(2)
        self._section(column, self.tr("Recent"), self._recent)
        column.addStretch(1)
        session.environment_changed.connect(self._changed)

    def _section(self, column: QVBoxLayout, title: str, content: QWidget) -> None:
        box = QVBoxLayout()
        box.setContentsMargins(16, 0, 16, 0)
        box.setSpacing(10)
        box.addWidget(heading(title))
        box.addWidget(content)
        column.addLayout(box)

    @Slot()
    def _changed(self) -> None:
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        self.refresh()
        super().showEvent(event)

    def refresh(self) -> None:
        self._facts.set(machine_facts(self.session.environment))
        _clear(self._grid)
        environment = self.session.environment
        if environment is None:  # nothing is known to work before an engine has said so
            self._grid.addWidget(caption(self.tr("An engine is being asked what works here."), wrap=True), 0, 1)
        else:
            self._fill_available(environment)
        self._fill_recent()

    def _fill_available(self, environment: Environment) -> None:
        for row, slot in enumerate(SLOTS):
            works, lines = _what_works(slot, environment)
            mark = IconLabel("check" if works else "cross", "ok" if works else "text3", 14)
            self._grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
            block = QVBoxLayout()
            block.setSpacing(2)
            block.addWidget(label(slot_title(slot), 12, 500))
            for text, role in lines:
                block.addWidget(label(text, 12 if role == "secondary" else 11, role=role, wrap=True))
            self._grid.addLayout(block, row, 1)

    def _fill_recent(self) -> None:
        _clear(self._recent_column)
        paths = self.settings.recent()
        for path in paths[:5]:
            item = button(Path(path).name, "", "flat", left=True)
            item.setToolTip(tip(path))
            item.setProperty("path", path)
            item.clicked.connect(self._recent_chosen)
            self._recent_column.addWidget(item)
        if not paths:
            self._recent_column.addWidget(label(self.tr("Results appear here."), 12, role="secondary"))

    @Slot()
    def _recent_chosen(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.open_recent.emit(sender.property("path"))


def _what_works(slot: str, environment: Environment) -> tuple[bool, list[tuple[str, str]]]:
    """Return whether any strategy of a slot works here, and lines with their roles: what works, and what does not and
    why."""
    groups: dict[str, list[str]] = {}
    for kind in REGISTRY[slot].values():
        groups.setdefault(kind.unavailable(environment), []).append(said(kind.title))
    works = groups.pop("", [])
    lines = [(" · ".join(works), "secondary")] if works else []  # there are commas in titles
    return bool(works), lines + [(named(" · ".join(titles), said(why)), "caption") for why, titles in groups.items()]


def _clear(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        gone, inner = item.widget(), item.layout()
        if gone is not None:
            gone.hide()
            gone.deleteLater()
        if inner is not None:
            _clear(inner)
