"""Finds where the greedy answers of a variant leave the baseline's, and judges what that means. Pure functions of token
ids and logit margins. A position is the number of equal tokens before it: 0 is an answer's first token. A margin is the
best logit minus the second best at the chosen token."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from core.base.value import Value
from core.protocol.events import Answer
from core.spec.variant import Variant

#: Precisions that are a type of number and nothing else: the type of the loaded model tells them apart.
_TYPES = ("fp32", "bf16", "fp16")


class Divergence(Value):
    """The comparison of answers to the same prompts. `first` and the margins are None if all agree; of answers that
    diverge at the same position, the margins are those of the earlier prompt."""

    prompts: int
    equal: int
    first: int | None = None
    margin: float | None = None  # of the variant's logits
    margin_base: float | None = None

    @property
    def exact_match_pct(self) -> float:
        return 100 * self.equal / self.prompts


def first_difference(a: Sequence[int], b: Sequence[int]) -> int | None:
    """Return the position of the first different token, or where the shorter answer ends; None if they are equal."""
    return next((i for i, (x, y) in enumerate(zip_longest(a, b)) if x != y), None)


def compare(baseline: Sequence[Answer], variant: Sequence[Answer]) -> Divergence | None:
    """Return the divergence; None without answers, or if the prompts differ."""
    if not baseline or len(baseline) != len(variant):
        return None
    parted = [
        (at, base, mine)
        for base, mine in zip(baseline, variant, strict=True)
        if (at := first_difference(base.token_ids, mine.token_ids)) is not None
    ]
    if not parted:
        return Divergence(prompts=len(variant), equal=len(variant))
    at, base, mine = min(parted, key=lambda p: p[0])
    return Divergence(
        prompts=len(variant),
        equal=len(variant) - len(parted),
        first=at,
        margin=_at(mine.margins, at),
        margin_base=_at(base.margins, at),
    )


def complaint(found: Divergence, baseline: Variant, variant: Variant, dtypes: tuple[str, str]) -> str:
    """Return a sentence if strategies that claim to be exact gave other answers; else "". In fp32 answers must agree to
    the token. In a shorter type, or on top of the same lossy strategies, rounding may decide a near-tie; that is
    reported too, since it is not lossless. `dtypes` are the baseline's and the variant's."""
    if found.first is None or dtypes[0] != dtypes[1] or _lossy(baseline) != _lossy(variant):
        return ""
    differ = found.prompts - found.equal
    where = f"{differ} of {found.prompts} answers differ from the baseline's, from token {found.first + 1} on"
    if found.margin is not None and found.margin_base is not None:
        where += f" (logit margin {found.margin:.3g}, the baseline's {found.margin_base:.3g})"
    if dtypes[0] == "fp32" and not _lossy(variant):
        return f"not exact: {where}"
    return f"not lossless in {dtypes[0]}: {where}"


def _lossy(variant: Variant) -> list[dict[str, Any]]:
    """Return the strategies that may change an answer, as in a file."""
    return [
        {"slot": s.slot, **s.dump()}
        for s in variant.strategies()
        if not s.exact and not (s.slot == "precision" and s.key in _TYPES)
    ]


def _at(margins: Sequence[float | None], position: int) -> float | None:
    """Return the margin at a position; None at the end of the answer, which has no logits there."""
    return margins[position] if position < len(margins) else None
