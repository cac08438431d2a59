"""Pairs a variant's answers with the baseline's: sorted by how early they diverge, then the suite's prompts."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said
from core.analysis import answer_columns
from core.protocol.events import Answer, AnswersPurpose, Checked
from core.quality.answer_divergence import first_difference
from core.results.results import VariantState

#: Icon and colour of an entry.
SAME, PARTS, PASSES, FAILS, OPEN = (
    ("check", "text3"), ("", ""), ("check", "ok"), ("cross", "err"), ("info", "text2"),
)  # fmt: skip


@dataclass(frozen=True)
class AnswerEntry:
    """One prompt. `where` is the position of the first different token; a heading has no answers, and an older run no
    `prompt`."""

    title: str
    note: str = ""
    look: tuple[str, str] = PARTS
    base: Answer | None = None
    mine: Answer | None = None
    where: int | None = None
    prompt: str = ""
    listed: str = ""  # in the list, where it is not the title

    @property
    def is_heading(self) -> bool:
        return self.base is None


def _tr(text: str) -> str:
    return QCoreApplication.translate("Answers", text)


def entries(baseline: VariantState, state: VariantState) -> list[AnswerEntry]:
    """Return the entries; empty if there is nothing to compare."""
    return [*_prompts(baseline, state), *_suite(baseline, state)]


def _pairs(baseline: VariantState, state: VariantState, purpose: AnswersPurpose) -> list[tuple[Answer, Answer, str]]:
    """Return both answers to each prompt, and the prompt."""
    base, mine = baseline.answers.get(purpose), state.answers.get(purpose)
    if base is None or mine is None or len(base.answers) != len(mine.answers):
        return []
    prompts = mine.prompts if len(mine.prompts) == len(mine.answers) else [""] * len(mine.answers)
    return list(zip(base.answers, mine.answers, prompts, strict=True))


def _prompts(baseline: VariantState, state: VariantState) -> list[AnswerEntry]:
    found = []
    for number, (base, mine, prompt) in enumerate(_pairs(baseline, state, "divergence"), 1):
        where = first_difference(base.token_ids, mine.token_ids)
        note = (
            _tr("differs from token {n} on").format(n=where + 1)
            if where is not None
            else _tr("identical, {n} tokens").format(n=len(mine.token_ids))
        )
        look = SAME if where is None else PARTS
        found.append(
            AnswerEntry(
                _tr("Prompt {n}").format(n=number), note, look, base, mine, where, prompt, _listed(number, prompt)
            )
        )
    if not found:
        return []
    found.sort(key=lambda e: (e.where is None, e.where or 0))
    equal = sum(e.where is None for e in found)
    return [AnswerEntry(_tr("Answers: {n} of {all} identical").format(n=equal, all=len(found))), *found]


def _listed(number: int, prompt: str) -> str:
    """Return a prompt's number and beginning."""
    beginning = " ".join(prompt[:120].split())
    return f"{number} · {beginning}" if beginning else ""


def _suite(baseline: VariantState, state: VariantState) -> list[AnswerEntry]:
    pairs = _pairs(baseline, state, "suite")
    if baseline.suite is None or state.suite is None or len(pairs) != len(state.suite.checks):
        return []
    lost, gained = (
        set(answer_columns.lost(*two)) for two in ((baseline.suite, state.suite), (state.suite, baseline.suite))
    )
    found = []
    for (base, mine, prompt), check in zip(pairs, state.suite.checks, strict=True):
        flip = _tr("lost: ") if check.name in lost else _tr("gained: ") if check.name in gained else ""
        where = first_difference(base.token_ids, mine.token_ids)
        found.append(AnswerEntry(check.name, flip + _said(check), _look(check), base, mine, where, prompt))
    rank = dict.fromkeys(lost, 0) | dict.fromkeys(gained, 1)
    found.sort(key=lambda e: rank.get(e.title, 2))
    title = _tr("Suite: {n} of {all} pass, A {base}").format(
        n=answer_columns.passed(state.suite),
        all=answer_columns.judged(state.suite),
        base=answer_columns.passed(baseline.suite),
    )
    return [AnswerEntry(title), *found]


def _said(check: Checked) -> str:
    if check.passed is None:
        return _tr("not judged: {why}").format(why=said(check.why))
    return _tr("passes") if check.passed else said(check.why)


def _look(check: Checked) -> tuple[str, str]:
    return {True: PASSES, False: FAILS, None: OPEN}[check.passed]


def parting(base: str, mine: str) -> tuple[int, int, int]:
    """Return where the first different word begins in two texts, and where it ends in each. All three are the length of
    the text if the texts are equal."""
    most = min(len(base), len(mine))
    at = next((i for i in range(most) if base[i] != mine[i]), most)
    if at == len(base) == len(mine):
        return at, at, at
    while at > 0 and not base[at - 1].isspace():
        at -= 1
    return at, _word_end(base, at), _word_end(mine, at)


def _word_end(text: str, at: int) -> int:
    end = at
    while end < len(text) and text[end].isspace():  # they may part in the space before a word
        end += 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return end
