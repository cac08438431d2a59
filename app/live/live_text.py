"""Words of the live view: the present activity, and what it waits for."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.base.core_text import said
from app.session.comparison_cache import rounds_planned
from app.text.phase_text import phase_text
from core.base import formatting
from core.results.results import Results, VariantState
from core.run.continuation import whole_rounds_begun


def stops_after(view: QWidget, results: Results) -> str:
    """Return where a run ends that was asked to stop."""
    begun = whole_rounds_begun(results)
    return view.tr("stops after round {n}").format(n=begun) if begun else view.tr("stops before the first round")


def waiting(view: QWidget, results: Results | None, running: bool) -> str:
    """Return what an empty plot waits for."""
    if not running:
        return view.tr("waiting for a run") if results is None else view.tr("nothing was recorded")
    states = list(results.variants.values()) if results is not None else []
    if any(s.phase == "warmup" for s in states):
        return view.tr("warming up, not counted")
    if any(s.trials or s.phase == "trial" for s in states):
        return view.tr("waiting for the first token")
    if any(s.warm for s in states):
        return view.tr("waiting for the first trial")
    return view.tr("waiting for warm-up")


def headline(view: QWidget, results: Results | None, state: VariantState | None, running: bool) -> str:
    """Return the present activity in words: "Measuring int4 weights, round 3 of 8"."""
    if results is None or results.started is None:
        return view.tr("Nothing measured yet")
    if not running:
        finished = results.finished.status if results.finished is not None else "interrupted"
        rounds = {"n": results.rounds_done, "all": rounds_planned(results)}
        if finished == "ok":
            return view.tr("Finished: {n} of {all} rounds").format(**rounds)
        if finished == "stopped":
            return view.tr("Stopped: {n} of {all} rounds kept").format(**rounds)
        if finished == "cancelled":
            return view.tr("Cancelled: {n} of {all} rounds kept").format(**rounds)
        if finished == "failed":
            return view.tr("The run failed: {n} of {all} rounds kept").format(**rounds)
        return view.tr("Interrupted: {n} of {all} rounds kept").format(**rounds)
    if results.paused:
        begun = whole_rounds_begun(results)
        return view.tr("Paused after round {n}").format(n=begun) if begun else view.tr("Paused before the first round")
    if state is None or state.phase is None:
        return view.tr("Starting the engine")
    if state.phase == "trial" and state.round is not None:
        return view.tr("Measuring {name}, round {n} of {all}").format(
            name=state.name, n=results.round_number(state.round), all=rounds_planned(results)
        )
    if state.phase == "start" and state.progress is not None and state.progress.detail:
        return formatting.capital(said(state.progress.detail))
    return phase_text(state.phase).of_name.format(name=state.name)
