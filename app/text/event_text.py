"""Events as lines of text with a level and a time, for the log and the inspector."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said, stated
from app.text.phase_text import phase_text
from app.text.phrases import named
from core.analysis import roofline_text, verdict_text
from core.base import formatting
from core.protocol import events
from core.results.results import Results

Level = Literal["info", "warning", "error"]
LEVEL_ICONS = {"info": ("info", "text2"), "warning": ("warning", "warn"), "error": ("warning", "err")}  # icon, colour


def _tr(text: str) -> str:
    return QCoreApplication.translate("Events", text)


def clock(results: Results | None, t_ns: int) -> str:
    """Return the local time of a stamp: the run's start in UTC plus the elapsed time."""
    if results is None or results.began_at is None:
        return ""
    created, began_ns = results.began_at
    try:
        began = datetime.fromisoformat(created)
    except ValueError:
        return ""
    return (began + timedelta(microseconds=(t_ns - began_ns) / 1e3)).astimezone().strftime("%H:%M:%S")


def line(event: events.Event) -> tuple[Level, str] | None:
    """Return an event in one line; None for events that nobody reads individually."""
    match event:
        case events.Started():
            rounds, until = len(event.schedule), event.experiment.get("workload", {}).get("until_pct")
            if until:
                return "info", _tr("Run started: until ±{x} %, at most {n} rounds").format(x=f"{until:g}", n=rounds)
            if rounds == 1:
                return "info", _tr("Run started: 1 round")
            return "info", _tr("Run started: {n} rounds").format(n=rounds)
        case events.Resumed():
            who = ", ".join(event.variants)
            text = _tr("Run goes on in a new session: {n} rounds of {variants}, from round {first} on")
            return "info", text.format(n=event.rounds, variants=who, first=event.first_round + 1)
        case events.Paused():
            return "info", _tr("Run goes on") if event.over else _tr("Paused; the engines stay loaded")
        case events.Hello():
            return "info", _tr("Engine started, pid {pid}, Python {python}").format(pid=event.pid, python=event.python)
        case events.Phase():
            return _phase(event)
        case events.Turns():
            return "warning", _tr("Engines take turns: {why}").format(why=said(event.why))
        case events.Loaded():
            text = _tr("Loaded in {time}: weights {size}, {dtype} on {device}")
            head = text.format(
                time=formatting.seconds(event.load_s),
                size=formatting.size(event.weights_bytes),
                dtype=event.dtype,
                device=event.device,
            )
            return "info", "\n".join([head, *map(said, event.notes)])
        case events.Warm():
            if event.steady:
                return "info", _tr("Warm-up steady after {n} passes").format(n=event.passes)
            return "warning", _tr("Not steady after {n} passes of warm-up").format(n=event.passes)
        case events.Receipts():
            wrong = [r for r in event.receipts if not r.matches]
            if wrong:
                asked = "; ".join(f"{r.slot}: {said(r.requested)} → {said(r.effective)}" for r in wrong)
                return "warning", _tr("Not in effect as requested: {what}").format(what=asked)
            return "info", _tr("Receipts: {n} of {n} as requested").format(n=len(event.receipts))
        case events.TrialDone():
            text = _tr("Round {n} measured").format(n=event.round + 1)
            if event.flags:
                return "warning", named(text, said("; ".join(event.flags)))
            return "info", text
        case events.Unloaded():
            text = _tr("Engine ended: {held} held, {back} more were free afterwards (±{noise} by themselves)")
            sizes = (event.held_bytes, event.returned_bytes, event.noise_bytes)
            held, back, noise = map(formatting.size, sizes)
            return "info", text.format(held=held, back=back, noise=noise)
        case events.Machine():
            found = event.machine
            text = _tr("The machine reads {bandwidth}; the roof was measured in {time}").format(
                bandwidth=roofline_text.bandwidth(found), time=formatting.seconds(found.seconds)
            )
            return ("info" if found.quiet else "warning"), text if found.quiet else _tr("{text}, beside others").format(
                text=text
            )
        case events.Quality():
            tokens = formatting.whole(sum(event.chunk_tokens))
            if event.role == "reference":
                return "info", _tr("Read {n} tokens, for the others to be compared with").format(n=tokens)
            return "info", _tr("Quality judged on {n} tokens").format(n=tokens)
        case events.Answers():
            if event.purpose == "suite":
                return "info", _tr("{n} answers to the suite").format(n=len(event.answers))
            return "info", _tr("{n} answers, to be compared with the baseline's").format(n=len(event.answers))
        case events.SuiteDone():
            passed = sum(c.passed is True for c in event.checks)
            return "info", _tr("Suite {name}: {n} of {all} pass").format(
                name=event.suite, n=passed, all=len(event.checks)
            )
        case events.Decision():
            return "info", said(f"{event.what} · {event.detail}" if event.detail else event.what)
        case events.Log():
            return event.level, said(event.text)
        case events.Failed():
            return "error", stated(f"{event.message}\n{event.hint}" if event.hint else event.message)
        case events.Finished():
            text = _tr("Run ended: {status}, 1 round") if event.rounds == 1 else _tr("Run ended: {status}, {n} rounds")
            text = text.format(status=said(verdict_text.STATUS.get(event.status, event.status)), n=event.rounds)
            return ("error" if event.status == "failed" else "info"), " · ".join(
                filter(None, [text, said(event.message)])
            )
    return None


def remembered(results: Results) -> list[events.Event]:
    """Return the events that results keep of a finished run, in order: fewer than there were."""
    found: list[events.Event | None] = [*results.log, results.started, results.resumed, results.finished]
    for state in results.variants.values():
        found += [state.hello, state.loaded, state.warm, *(t.done for t in state.trials)]
        found += [state.quality, *state.answers.values(), state.suite, state.unloaded]
        for at, phase in state.memory.phases:
            if phase in ("load", "warmup", "quality"):
                found.append(events.Phase.model_validate({"t_ns": at, "variant": state.name, "phase": phase}))
    return sorted((event for event in found if event is not None), key=lambda event: event.t_ns)


def _phase(event: events.Phase) -> tuple[Level, str] | None:
    text = phase_text(event.phase).event
    if not text:
        return None
    return "info", named(text, said(event.detail)) if event.detail else text
