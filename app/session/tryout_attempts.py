"""The variants' answers to one prompt so far, folded from the events of a try-out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from core.base import formatting
from core.protocol import events
from core.quality.answer_divergence import first_difference
from core.run.tryout import Felt, felt
from core.spec.variant import Variant

State = Literal["waiting", "starting", "loading", "reading", "writing", "done", "failed", "not asked"]


def _tr(text: str) -> str:
    return QCoreApplication.translate("TryIt", text)


@dataclass
class Attempt:
    """The answer of one variant as it was then."""

    variant: Variant
    state: State = "waiting"
    share: float | None = None  # of the load
    text: str = ""
    tokens: int = 0
    reply: events.Reply | None = None
    timings: Felt | None = None
    failed: events.Failed | None = None

    def fold(self, event: events.Event) -> None:
        match event:
            case events.Phase(phase="start"):
                self.state = "starting"
            case events.Phase(phase="load" | "convert" | "transform"):
                self.state, self.share = "loading", None
            case events.Phase(phase="answer"):
                self.state = "reading"
            case events.Progress() if self.state == "loading":
                self.share = event.done / event.total if event.total else None
            case events.Steps():
                self.state, self.tokens = "writing", self.tokens + sum(event.tokens)
            case events.Text():
                self.text += event.text
            case events.Reply():
                self.reply, self.timings = event, felt(event)
                self.text, self.tokens, self.state = event.text, self.timings.tokens, "done"
            case events.Failed():
                self.failed, self.state = event, "failed"

    @property
    def over(self) -> bool:
        return self.state in ("done", "failed", "not asked")

    def close(self) -> None:
        """End the answer."""
        if not self.over:
            self.state = "not asked"


def state_words(attempt: Attempt) -> str:
    match attempt.state:
        case "waiting":
            return _tr("waits for its turn")
        case "starting":
            return _tr("starting its engine")
        case "loading":
            share = attempt.share
            return _tr("loading · {x} %").format(x=f"{100 * min(1.0, share):.0f}") if share else _tr("loading")
        case "reading":
            return _tr("reads the prompt")
        case "writing":
            return _tr("writes · token {n}").format(n=attempt.tokens)
        case "failed":
            return _tr("no answer")
        case "not asked":
            return _tr("not asked")
    assert attempt.reply is not None
    return {
        "end": _tr("ended by itself"),
        "cap": _tr("cut at the limit"),
        "stopped": _tr("stopped"),
    }[attempt.reply.ended]


def timing_rows(attempt: Attempt | None) -> list[tuple[str, str]]:
    """Return the timings as rows, the same rows for every variant."""
    found = attempt.timings if attempt is not None else None
    drafts = "—"
    if found is not None and found.drafted:
        drafts = _tr("{n} of {all}").format(n=found.accepted, all=found.drafted)
    total, unit = (found.total_ms, "ms") if found is not None else (None, "")
    if total is not None and total >= 1000:
        total, unit = total / 1000, "s"
    return [
        (_tr("Time to first token"), _with_unit(found.ttft_ms if found else None, "ms")),
        (_tr("Decode rate"), _with_unit(found.decode_tok_s if found else None, "tok/s")),
        (_tr("Total"), _with_unit(total, unit)),
        (_tr("Tokens"), str(found.tokens) if found is not None else "—"),
        (_tr("Accepted drafts"), drafts),
    ]


def _with_unit(value: float | None, unit: str) -> str:
    return f"{formatting.number(value)} {unit}" if value is not None else "—"


def parts_at(base: Attempt, mine: Attempt) -> int | None:
    """Return the position of the first token that differs from the baseline's; None if none does or it is not known
    yet."""
    if base.reply is None or mine.reply is None:
        return None
    return first_difference(base.reply.token_ids, mine.reply.token_ids)


def divergence_words(base: Attempt | None, mine: Attempt) -> str:
    """Return how an answer compares with the baseline's; "" if it cannot be compared."""
    if base is None or base is mine or base.reply is None or mine.reply is None:
        return ""
    where = parts_at(base, mine)
    if where is None:
        return _tr("identical to A")
    if "stopped" in (base.reply.ended, mine.reply.ended) and where >= min(base.tokens, mine.tokens):
        return _tr("identical to A as far as it goes")
    return _tr("differs from A from token {n} on").format(n=where + 1)
