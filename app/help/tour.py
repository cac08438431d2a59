"""The tour: three steps for the first start (what is constant, what differs, what came out), in a corner of the window.
It blocks nothing and ends when skipped."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from app.base.focus_ring import Ring
from app.widgets.basics import caption, label
from app.widgets.buttons import PrimaryButton, button

WIDTH, MARGIN = 380, 20


class Tour(QFrame):
    """`targets` are the widgets that the steps point at; `over` is called at the end or when skipped."""

    over = Signal()

    def __init__(self, window: QWidget, targets: Sequence[QWidget]) -> None:
        super().__init__(window)
        self._window, self._targets, self._step = window, list(targets), 0
        self._ring: Ring | None = None
        self.setProperty("surface", "popup")
        self.setFixedWidth(WIDTH)
        self.setAccessibleName(self.tr("Tour"))
        self._steps = (
            (
                self.tr("What is held constant"),
                self.tr(
                    "Model, device, workload and protocol: above, one field for each. Every variant runs under the "
                    "same ones."
                ),
            ),
            (
                self.tr("What differs"),
                self.tr(
                    "Variants, on the left: the model plus the strategies that you switch on. A is the baseline; "
                    "the others are compared with it."
                ),
            ),
            (
                self.tr("What came out"),
                self.tr(
                    "In the middle: live while it runs, then the comparison, with intervals and receipts. Ctrl+K "
                    "finds any command, F1 opens the guide."
                ),
            ),
        )
        self.title = label("", 15, 600)
        self.text = label("", 13, role="secondary", wrap=True)
        self.count = caption("")
        self.skip = button(self.tr("Skip tour"), look="flat")
        self.next = PrimaryButton()
        self.skip.clicked.connect(self.end)
        self.next.clicked.connect(self._go_on)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        foot = QHBoxLayout()
        foot.addWidget(self.count, 1)
        foot.addWidget(self.skip)
        foot.addWidget(self.next)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addSpacing(4)
        column.addLayout(foot)
        window.installEventFilter(self)
        self._before = window.focusWidget()  # the keyboard goes back there
        self._show_step()
        self.show()
        self.raise_()

    @property
    def step(self) -> int:
        """The step, from 0."""
        return self._step

    def _show_step(self) -> None:
        title, text = self._steps[self._step]
        self.title.setText(title)
        self.text.setText(text)
        self.setAccessibleDescription(f"{title}. {text}")
        self.count.setText(self.tr("{n} of {all}").format(n=self._step + 1, all=len(self._steps)))
        last = self._step == len(self._steps) - 1
        self.next.set_label(self.tr("End tour") if last else self.tr("Next step"))
        self.skip.setVisible(not last)
        self._point()
        self.resize(WIDTH, self.heightForWidth(WIDTH) if self.hasHeightForWidth() else self.sizeHint().height())
        self._place()

    def _point(self) -> None:
        if self._ring is not None and isValid(self._ring):
            self._ring.hide()
            self._ring.deleteLater()
        self._ring = Ring(self._targets[self._step])

    def _place(self) -> None:
        """Place the panel at the bottom centre, above the status bar."""
        x = (self._window.width() - self.width()) // 2
        self.move(x, self._window.height() - self.height() - MARGIN - 28)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    @Slot()
    def _go_on(self) -> None:
        if self._step == len(self._steps) - 1:
            self.end()
            return
        self._step += 1
        self._show_step()

    @Slot()
    def end(self) -> None:
        if self._ring is not None and isValid(self._ring):
            self._ring.hide()
            self._ring.deleteLater()
        self._ring = None
        now, before = self._window.focusWidget(), self._before
        if now is not None and self.isAncestorOf(now) and before is not None and isValid(before):
            before.setFocus()
        self.hide()
        self.over.emit()
        self.deleteLater()
