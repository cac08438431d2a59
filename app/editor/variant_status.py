"""The status of a variant in the list: a word, an icon, a second line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said
from app.session.comparison_cache import rounds_planned, trial_tokens
from app.session.session import Session
from app.text.phase_text import phase_text
from app.text.phrases import named
from app.text.recipe_text import difference
from core.analysis import verdict_text
from core.base import formatting
from core.results.results import Results, VariantState


@dataclass(frozen=True)
class RowState:
    """`second` is the line below the name; `text` or the icon is at the right end."""

    second: str
    text: str = ""
    icon: Literal["", "check", "warning"] = ""
    pill: bool = False  # the text is what the variant is, not what it does
    at_work: bool = False
    excluded: bool = False
    edited: bool = False  # since it was measured


def _tr(text: str) -> str:
    return QCoreApplication.translate("VariantState", text)


def row_state(session: Session, name: str) -> RowState:
    """Return the present status of a variant of the draft."""
    assert session.experiment is not None
    variant = session.variant(name)
    second = difference(variant, session.experiment.baseline) if variant else ""
    if name in session.excluded:
        return RowState(second, _tr("excluded"), excluded=True)
    first = session.experiment.baseline.name == name
    baseline = RowState(second, _tr("baseline"), pill=True) if first else None
    results = session.results if not session.guest else None
    state = results.variants.get(session.measured_as(name)) if results else None
    if results is None or state is None or not session.is_measured(name):
        if state is not None and state.trials:
            below = " · ".join(filter(None, [second, _tr("edited, not measured")]))
            return RowState(below, _tr("baseline") if first else "", pill=first, edited=True)
        return baseline or RowState(second, "" if session.guest else _tr("not measured"))
    if state.failed is not None and state.failed.kind != "cancelled":
        cause = said(verdict_text.STATUS.get(results.status_of(state), "failed"))
        message = said(state.failed.message)
        told = message.lower().startswith(cause.lower())
        return RowState(message if told else named(cause, message), icon="warning")
    planned = rounds_planned(results)
    if session.running and results.current == state.name:
        return _at_work(state, second, trial_tokens(session.experiment.workload))
    done = RowState(second, _tr("{done} of {all}").format(done=_counted(results, state), all=planned))
    if session.running:
        if state.trials:
            return done
        return RowState(second, _tr("ready") if state.warm or state.loaded else _tr("queued"))
    if _counted(results, state) >= planned or results.status_of(state) == "ok":
        return baseline or RowState(second, icon="check")
    return done


def _counted(results: Results, state: VariantState) -> int:
    """Return the number of a variant's trials in complete rounds."""
    return sum(trial.round not in results.cut_off for trial in state.trials)


def _at_work(state: VariantState, second: str, wanted: int) -> RowState:
    match state.phase:
        case "trial":
            return RowState(second, _tr("{x} %").format(x=min(99, 100 * state.tokens // wanted)), at_work=True)
        case "warmup":
            return RowState(_tr("warm-up · not counted"), phase_text("warmup").status, at_work=True)
        case "quality":
            bar = state.progress
            share = 100 * min(1.0, bar.done / bar.total) if bar is not None and bar.total else None
            done = _tr("{x} %").format(x=f"{share:.0f}") if share is not None else ""
            return RowState(_tr("judging quality"), done or phase_text("quality").status, at_work=True)
        case "load" | "transform" | "convert" | "start":
            bar = state.progress
            if bar is not None and bar.total and bar.unit in ("B", "bytes"):
                second = f"{formatting.size(int(bar.done))} / {formatting.size(int(bar.total))}"
            elif bar is not None and bar.detail:
                second = said(bar.detail)
            return RowState(second, phase_text(state.phase).status, at_work=True)
    return RowState(second, _tr("queued"))
