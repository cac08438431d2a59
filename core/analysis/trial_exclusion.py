"""A comparison as it would be without some of its trials."""

from __future__ import annotations

import copy
from collections.abc import Collection

from core.analysis.compare import compare
from core.analysis.comparison_row import Comparison
from core.results.results import Results

TrialKey = tuple[str, int]  # variant and round


def without(results: Results, left_out: Collection[TrialKey]) -> Results:
    """Return the same results but for those trials; the given ones stay as they are."""
    if not left_out:
        return results
    found = copy.copy(results)
    found.variants = {}
    for name, state in results.variants.items():
        mine = copy.copy(state)
        mine.trials = [t for t in state.trials if (name, t.round) not in left_out]
        found.variants[name] = mine
    return found


def compared(results: Results, left_out: Collection[TrialKey]) -> Comparison:
    """Return the comparison of what is left. How a variant ended does not change by what is looked at."""
    comparison = compare(without(results, left_out))
    if not left_out:
        return comparison
    rows = [
        row.model_copy(update={"status": results.status_of(results.variants[row.variant])})
        for row in comparison.variants
    ]
    return comparison.model_copy(update={"variants": rows})


def least(results: Results, left_out: Collection[TrialKey], key: TrialKey) -> bool:
    """Return whether that trial is the last of its variant that counts: without it there would be nothing to
    compare."""
    name, _ = key
    return not any(t.ok and (name, t.round) not in {*left_out, key} for t in results.variants[name].trials)
