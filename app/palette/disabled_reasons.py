"""The reasons why actions are disabled, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.session.session import Session

#: The purpose of actions that need a run in progress, by their names in the menus.
OF_A_RUN = ("stop_after_round", "cancel", "run_pause")
#: ... and the actions that the baseline cannot take.
OF_OTHERS = ("variant_exclude", "variant_make_baseline", "variant_up", "variant_down")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Reasons", text)


def why_not(session: Session, name: str) -> str:
    """Return why the action of that name is disabled, so that the user knows what to do first."""
    if name in OF_A_RUN:
        if not session.running:
            return _tr("no run is going on")
        if name == "stop_after_round" and not session.measuring:
            return _tr("the rounds are over") if session.judging else _tr("no round has begun yet")
        return _tr("it has been asked for already")
    if session.running:
        return _tr("not while a run goes on")
    if name == "undo":
        return _tr("nothing has been changed")
    if name == "redo":
        return _tr("nothing was undone")
    measured = session.begun
    if name == "run_end_engines":
        return _tr("there is no engine")
    if name == "run_enqueue":
        return _tr("open a model first")
    if not measured and name.startswith(("export", "save_preset", "run_")):
        return _tr("nothing has been measured yet")
    if name == "run_continue":
        return _tr("all that was asked for is measured")
    if name == "run_failed":
        return _tr("no variant has failed")
    if name == "run_again":
        return _tr("select a variant of this run that is not its baseline")
    if session.experiment is None:
        return _tr("open a model first")
    if session.selected == session.experiment.baseline.name and name in OF_OTHERS:
        return _tr("the selected variant is the baseline")
    return _tr("not for what is selected")
