"""The words of an engine's phases, declared once: the log, the list of variants, the status bar, the live view and the
charts take theirs from here."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from core.protocol.events import PhaseName


def _tr(text: str) -> str:
    return QCoreApplication.translate("Phases", text)


class PhaseText(NamedTuple):
    """The words of one phase. `name` is a label in charts. `event` is its line in the log, empty for none. `status` is
    what the list says of a variant. `of_letter` ({letter}) is for the status bar, `of_name` ({name}) for the live
    view. A trial's words name its round too; the views have them."""

    name: str
    event: str = ""
    status: str = ""
    of_letter: str = ""
    of_name: str = ""


def phase_text(phase: PhaseName) -> PhaseText:
    """Return the words of a phase in the window's language."""
    match phase:
        case "start":
            return PhaseText(
                _tr("start"), "", _tr("loading"), _tr("Loading {letter}"), _tr("Starting the engine of {name}")
            )
        case "convert":
            return PhaseText(
                _tr("convert"),
                _tr("Converting the model"),
                _tr("converting"),
                _tr("Converting the model for {letter}"),
                _tr("Converting the model for {name}"),
            )
        case "load":
            return PhaseText(
                _tr("load"), _tr("Loading"), _tr("loading"), _tr("Loading {letter}"), _tr("Loading {name}")
            )
        case "transform":
            return PhaseText(
                _tr("transform"),
                _tr("Applying strategies"),
                _tr("transforming"),
                _tr("Applying strategies, {letter}"),
                _tr("Applying the strategies of {name}"),
            )
        case "warmup":
            return PhaseText(
                _tr("warm-up"),
                _tr("Warming up, not counted"),
                _tr("warm-up"),
                _tr("Warming up {letter}"),
                _tr("Warming up {name}, not counted"),
            )
        case "quality":
            return PhaseText(
                _tr("quality"),
                _tr("Judging quality"),
                _tr("judging"),
                _tr("Judging {letter}"),
                _tr("Judging the quality of {name}"),
            )
        case "trial":
            return PhaseText(_tr("trial"), of_letter=_tr("Loading {letter}"), of_name=_tr("Between trials"))
        case "answer":
            return PhaseText(_tr("answer"), of_letter=_tr("Loading {letter}"), of_name=_tr("Between trials"))
        case "idle":
            return PhaseText(_tr("idle"), of_letter=_tr("Loading {letter}"), of_name=_tr("Between trials"))
        case "gone":
            return PhaseText(
                _tr("gone"), _tr("Engine ended"), of_letter=_tr("Loading {letter}"), of_name=_tr("Between trials")
            )
