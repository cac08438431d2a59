"""A bar that says if the results on screen do not belong to the present variants: another model, a run for something
else, or edited settings; with the way back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.session.session import Session
from app.session.shown_results import Shown
from app.text.model_names import named
from app.widgets.basics import IconLabel, label, restyle
from app.widgets.buttons import button

MOST_NAMES = 3
Way = tuple[str, Callable[[], None]]  # a button's words and its action


class WhoseBar(QFrame):
    """Hidden while the results belong to the draft."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.icon = IconLabel("info", "text2")
        self.text = label("", 13, wrap=True)
        self.ways = [button(""), button("")]
        self._ways: list[Way] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(10)
        row.addWidget(self.icon)
        row.addWidget(self.text, 1)
        for place, way in enumerate(self.ways):
            way.setWhatsThis(self.tr("Nothing is deleted: what is on screen is a step away then."))
            way.setProperty("place", place)
            way.clicked.connect(self._go)
            row.addWidget(way)
        for signal in (
            session.results_changed, session.experiment_changed, session.run_started, session.run_finished
        ):  # fmt: skip
            signal.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        text, self._ways, warns = self._said()
        self.text.setText(text)
        self.setAccessibleName(text)
        restyle(self, surface="warning" if warns else "sunken")
        self.icon.set(*(("warning", "warn") if warns else ("info", "text2")))
        for place, shown in enumerate(self.ways):
            there = place < len(self._ways)
            shown.setVisible(there)
            if there:
                shown.setText(self._ways[place][0])
                shown.setAccessibleName(shown.text())
        self.setVisible(bool(text))

    @Slot()
    def _go(self) -> None:
        asked = self.sender()
        if asked is not None:
            self._ways[asked.property("place")][1]()

    def _said(self) -> tuple[str, list[Way], bool]:
        """Return the text, the ways out, and whether it is a warning."""
        session, results = self.session, self.session.results
        if session.guest:
            return self._guest(), self._from_guest(), False
        if results is None:
            return self._elsewhere()
        if session.edited:
            return self._edited(session.edited), [(self.tr("Back to what was measured"), session.adopt_measured)], True
        before = self._before()
        ended = results.finished is not None or results.interrupted
        if before is None or not ended or session.running or before.results.rounds_done <= results.rounds_done:
            return "", [], False
        told = self.tr("This run has {n} whole rounds, the results before have {more}.")
        text = told.format(n=results.rounds_done, more=before.results.rounds_done)
        return text, [(self.tr("Back to the results before"), partial(session.back, before))], False

    def _guest(self) -> str:
        session = self.session
        results, experiment = session.results, session.experiment
        of = results.experiment.model if results is not None and results.experiment is not None else None
        if of is None or experiment is None or of == experiment.model:
            return self.tr("{what}. Your variants stay as they are.").format(what=session.guest)
        return self.tr("{what}, with {model}. Your variants stay as they are.").format(
            what=session.guest, model=named(of)
        )

    def _from_guest(self) -> list[Way]:
        session, before = self.session, self._before()
        if session.running:
            return []
        back = [(self.tr("Back to your results"), partial(session.back, before))] if before is not None else []
        return [*back, (self.tr("Take these variants"), session.adopt_measured)]

    def _elsewhere(self) -> tuple[str, list[Way], bool]:
        session = self.session
        found = next((f for f in session.former if f.model is not None and not f.guest), None)
        if found is None or found.model is None or session.running:
            return "", [], False
        way = (self.tr("Back to the results of {model}").format(model=named(found.model)), partial(session.back, found))
        if session.experiment is None:
            return self.tr("No model is open."), [way], False
        text = self.tr("Nothing is measured with {model} yet.").format(model=named(session.experiment.model))
        return text, [way], False

    def _edited(self, names: list[str]) -> str:
        measured = self.session.results.variants if self.session.results is not None else {}
        if len(names) == len(measured) > 1:
            return self.tr("The settings were changed since this was measured: the results are of those before.")
        listed = ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")
        return self.tr("Edited since it was measured: {names}. The results are of the settings before.").format(
            names=listed
        )

    def _before(self) -> Shown | None:
        """Return the newest earlier results of the draft's model."""
        experiment = self.session.experiment
        model = experiment.model if experiment is not None else None
        return next((f for f in self.session.former if f.model == model and not f.guest), None)
