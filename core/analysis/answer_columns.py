"""The columns that come from whole answers: divergence from the baseline, flips of the regression suite, the interface.
Pure functions of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.protocol.events import Answer, SuiteDone
from core.quality import answer_divergence, interface_diff
from core.spec.variant import Variant

if TYPE_CHECKING:
    from core.results.results import VariantState


def columns(
    state: VariantState, baseline: VariantState, variant: Variant, reference: Variant
) -> tuple[dict[str, Any], list[str]]:
    """Return the columns of a row and their flags. The baseline is not compared with itself."""
    found: dict[str, Any] = {}
    flags: list[str] = []
    if state.suite is not None:
        found |= {"suite_passed": passed(state.suite), "suite_total": judged(state.suite)}
    if state is baseline:
        return found, flags
    dtypes = (_dtype(baseline), _dtype(state))
    parted = answer_divergence.compare(_answers(baseline), _answers(state))
    if parted is not None:
        found |= {
            "exact_match_pct": parted.exact_match_pct,
            "first_divergence": parted.first,
            "divergence_margin": parted.margin,
            "divergence_margin_base": parted.margin_base,
        }
        if told := answer_divergence.complaint(parted, reference, variant, dtypes):
            flags.append(told)
    if state.suite is not None and baseline.suite is not None:
        found |= {
            "suite_lost": len(lost(baseline.suite, state.suite)),
            "suite_gained": len(lost(state.suite, baseline.suite)),
        }
    if state.interface is not None and baseline.interface is not None:
        lines = interface_diff.differences(baseline.interface, state.interface, dtypes)
        found |= {"interface_ok": all(d.expected for d in lines), "interface": "; ".join(d.text for d in lines)}
    return found, flags


def _dtype(state: VariantState) -> str:
    return state.loaded.dtype if state.loaded is not None else ""


def _answers(state: VariantState) -> list[Answer]:
    return state.answers["divergence"].answers if "divergence" in state.answers else []


def passed(suite: SuiteDone) -> int:
    return sum(c.passed is True for c in suite.checks)


def judged(suite: SuiteDone) -> int:
    """Return the number of prompts whose answer could be judged."""
    return sum(c.passed is not None for c in suite.checks)


def lost(before: SuiteDone, after: SuiteDone) -> list[str]:
    """Return the names of the checks that pass `before` and fail `after`, in the suite's order."""
    failing = {c.name for c in after.checks if c.passed is False}
    return [c.name for c in before.checks if c.passed is True and c.name in failing]
