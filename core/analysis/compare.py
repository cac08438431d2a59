"""Turns results into a comparison: one row per variant against the first, with explanations and advice."""

from __future__ import annotations

from core.analysis.advice import Situation, advised
from core.analysis.advice_rules import RULES
from core.analysis.case import cases
from core.analysis.comparison_row import Comparison
from core.analysis.explanation import explained
from core.analysis.roofline_placement import placed
from core.analysis.row_builder import make_row
from core.results.results import Results


def compare(results: Results) -> Comparison:
    """Return all variants with their metrics, their paired ratio to the baseline and their verdict, as far as the run
    has come. Raises ValueError if no run has started."""
    experiment = results.experiment
    if experiment is None or results.started is None:
        raise ValueError("no run has started: there is nothing to compare")
    unfinished = "interrupted" if results.interrupted else "running"
    variants = experiment.variants
    places = [placed(results.variants[v.name], results.machine_of(v)) for v in variants]
    rows = [make_row(results, v, place) for v, place in zip(variants, places, strict=True)]
    found = cases(results, rows, places)
    situation = Situation(found, variants, experiment.workload, results.environment, results.machine)
    return Comparison(
        experiment=results.run_id,
        created=results.started.created,
        margin=results.margin,
        rounds=results.rounds_done,
        rounds_planned=experiment.workload.most_rounds,
        status=results.finished.status if results.finished is not None else unfinished,
        environment=results.environment,
        machine=results.machine,
        variants=explained(found),
        advice=advised(situation, RULES),
        sessions=results.sessions,
        looks=max((state.looks for state in results.variants.values()), default=0),
    )
