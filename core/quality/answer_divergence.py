"""Where the greedy answers of a variant leave those of the baseline, and what that says of it. Pure functions of
token ids and logit margins; knows no engine.

A position is the number of tokens that agree before it: 0 is the first token of an answer. A margin is the best
logit minus the second best, where that token was chosen.
"""

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
    """Answers to the same prompts, compared. `first` and the margins are None where all agree; of answers that
    part at the same position, the margins are those of the earlier prompt."""

    prompts: int
    equal: int
    first: int | None = None
    margin: float | None = None  # of the variant's logits
    margin_base: float | None = None

    @property
    def exact_match_pct(self) -> float:
        return 100 * self.equal / self.prompts


def first_difference(a: Sequence[int], b: Sequence[int]) -> int | None:
    """Return the position of the first token that differs, or where the shorter one ends; None: they are the same."""
    return next((i for i, (x, y) in enumerate(zip_longest(a, b)) if x != y), None)


def compare(baseline: Sequence[Answer], variant: Sequence[Answer]) -> Divergence | None:
    """Answer by answer; None where there are none, or not to the same prompts."""
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
    """Return what a reader must be told where strategies that are called exact gave other answers; else "".

    In fp32 they must agree to the token. In a shorter type, and on top of the same lossy strategies, rounding may turn
    a near-tie: that is told too, since it is not lossless. `dtypes` are the baseline's and the variant's.
    """
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
    """Return an answer that ended there has no logits of its own beyond."""
    return margins[position] if position < len(margins) else None
