"""Checks an engine command in place: shows its versions, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.session.machine_probe import MachineProbe
from app.widgets.basics import IconLabel, label, restyle
from app.widgets.buttons import button
from core.machine.environment import Environment
from core.protocol.engine_command import split_command
from core.protocol.engine_pool import EnginePool
from core.protocol.python_finder import NEEDED

TOLD = ("torch", "transformers", "bitsandbytes")


class EngineCheck(QWidget):
    """A button with the result beside it; the command is read when it is pressed."""

    def __init__(self, command: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._command = command
        self._probe: MachineProbe | None = None
        self.button = button(self.tr("Check"), "activity")
        self.button.setAccessibleName(self.tr("Check the engine command"))
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.check)
        self._icon = IconLabel("check", "ok", 15)
        self._icon.hide()
        self.text = label("", 12, role="secondary", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self.text, 1)
        self.hide()  # until there is something to say

    @Slot()
    def check(self) -> None:
        """Start an engine, ask it, and end it."""
        self.end()
        self._say("clock", "text2", "secondary", self.tr("An engine starts; that takes some seconds."))
        self.button.setEnabled(False)
        self._probe = MachineProbe(EnginePool(split_command(self._command()) or None), self)
        self._probe.changed.connect(self._changed)
        self._probe.notice.connect(self._failed)
        self._probe.ask()

    @Slot()
    def _changed(self) -> None:
        probe = self._probe
        if probe is None or probe.asking:
            return
        if probe.environment is not None:
            self._show(probe.environment)
        self.end()

    def _show(self, environment: Environment) -> None:
        missing = [name for name in NEEDED[:2] if name not in environment.versions]
        if missing:
            text = self.tr("It answers, and lacks {packages}: no model can be loaded with it.")
            self._say("warning", "err", "err", text.format(packages=", ".join(missing)))
            return
        parts = [f"{name} {environment.versions[name]}" for name in TOLD if name in environment.versions]
        parts += [f"Python {environment.python}"] if environment.python else []
        device = environment.devices[0].name if environment.devices else environment.cpu
        text = self.tr("{versions}; {device}, {n} threads")
        self._say(
            "check", "ok", "secondary", text.format(versions=", ".join(parts), device=device, n=environment.threads)
        )

    @Slot(str, str)
    def _failed(self, _level: str, text: str) -> None:
        self._say("warning", "err", "err", text.splitlines()[0])

    def _say(self, icon: str, token: str, role: str, text: str) -> None:
        self._icon.set(icon, token)
        self._icon.show()
        self.show()
        self.text.setText(text)
        self.text.setAccessibleName(text)
        restyle(self.text, role=role)

    @Slot()
    def end(self) -> None:
        """End the asked engine, and the thread that waits for it."""
        probe, self._probe = self._probe, None
        self.button.setEnabled(True)
        if probe is not None:
            probe.close()
            probe.deleteLater()
