"""Computes a comparison without some of its trials."""

from __future__ import annotations

import copy
from collections.abc import Collection

from core.analysis.compare import compare
from core.analysis.comparison_row import Comparison
from core.results.results import Results

TrialKey = tuple[str, int]  # variant and round


def without(results: Results, left_out: Collection[TrialKey]) -> Results:
    """Return copies of the results that leave the given trials out."""
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
    """Return the comparison without the given trials. A variant's final status stays as it was."""
    comparison = compare(without(results, left_out))
    if not left_out:
        return comparison
    rows = [
        row.model_copy(update={"status": results.status_of(results.variants[row.variant])})
        for row in comparison.variants
    ]
    return comparison.model_copy(update={"variants": rows})


def least(results: Results, left_out: Collection[TrialKey], key: TrialKey) -> bool:
    """Return whether the trial is the last that counts of its variant."""
    name, _ = key
    return not any(t.ok and (name, t.round) not in {*left_out, key} for t in results.variants[name].trials)
