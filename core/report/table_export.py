"""Writes tidy tables: one header, plain numbers, units in the names, empty cells for unavailable values. A text cell
that a spreadsheet would take for a formula gets a leading apostrophe."""

from __future__ import annotations

import hashlib
import json
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from core.analysis.comparison_row import Comparison, Row
from core.analysis.row_builder import PARTS
from core.base.files import write_whole
from core.loadtest.load_curve import COLUMNS as LOAD_COLUMNS
from core.loadtest.load_curve import LoadPoint, load_table
from core.report.metrics_table import COLUMNS as METRIC_COLUMNS
from core.report.metrics_table import metrics_table
from core.results import memory_timeline, metrics
from core.results.results import Results
from core.results.trials import Request, Trial
from core.spec import experiment

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write_comparison(comparison: Comparison, path: Path) -> None:
    """Write comparison.csv, one row per variant. Raises OSError."""
    _write(comparison_table(comparison), path)


def write_tsv(comparison: Comparison, path: Path) -> None:
    """Write comparison.tsv, as comparison.csv with tabs. Raises OSError."""
    write_whole(path, tsv(comparison))


def write_trials(results: Results, path: Path) -> None:
    """Write trials.csv, one row per trial. Raises OSError."""
    _write(trials_table(results), path)


def write_metrics(results: Results, comparison: Comparison, path: Path) -> None:
    """Write metrics.csv, one row per variant and metric, with estimate, ratio and intervals. Raises OSError."""
    write_whole(path, _text(metrics_table(results, comparison), ",", METRIC_COLUMNS))


def write_load_curve(points: Iterable[LoadPoint], path: Path) -> None:
    """Write load_curve.csv, one row per variant and load of a sweep. Raises OSError."""
    write_whole(path, _text(load_table(points), ",", LOAD_COLUMNS))


def write_memory(results: Results, path: Path) -> None:
    """Write memory.csv, one row per sample, for stacked timelines. Raises OSError."""
    write_whole(path, _text(memory_table(results), ",", MEMORY_COLUMNS))


def write_json(comparison: Comparison, path: Path) -> None:
    """Write the columns of comparison.csv with receipts, environment, machine and advice as JSON. Raises OSError."""
    data = {
        "schema_version": comparison.schema_version,
        "environment": comparison.environment.model_dump(mode="json") if comparison.environment else None,
        "machine": comparison.machine.model_dump(mode="json") if comparison.machine else None,
        "advice": [piece.model_dump(mode="json") for piece in comparison.advice],
        "variants": [row.model_dump(mode="json") for row in comparison.variants],
    }
    write_whole(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def tsv(comparison: Comparison) -> str:
    """Return the comparison as tab-separated text for the clipboard."""
    return _text(comparison_table(comparison), "\t")


def tsv_of(rows: list[dict[str, Any]]) -> str:
    """Return rows of the same columns as tab-separated text for the clipboard."""
    return _text(rows, "\t")


def comparison_table(comparison: Comparison) -> list[dict[str, Any]]:
    return [row.model_dump(mode="json", exclude={"receipts"}) for row in comparison.variants]


def trials_table(results: Results) -> list[dict[str, Any]]:
    """Return one row per trial, in the order in which they ended."""
    trials = [t for state in results.variants.values() for t in state.trials]
    return [trial_row(results, t) for t in sorted(trials, key=lambda t: t.done.t_ns)]


def memory_table(results: Results) -> list[dict[str, Any]]:
    """Return one row per memory reading, by variant and time."""
    began = results.started.t_ns if results.started is not None else 0
    return [
        {
            "experiment": results.run_id,
            "variant": name,
            "t_s": (point.t_ns - began) / 1e9,
            "phase": point.phase,
            **{f"{part}_bytes": point.bytes.get(part) for part in memory_timeline.NAMES},
        }
        for name, state in results.variants.items()
        for point in state.memory.points
    ]


def trial_row(results: Results, trial: Trial) -> dict[str, Any]:
    """Return a trial's row; times and rates of several requests are medians over them."""
    requests, done = trial.requests, trial.done

    def median(measure: Callable[[Request], float | None]) -> float | None:
        known = [x for x in map(measure, requests) if x is not None]
        return statistics.median(known) if known else None

    return {
        "schema_version": experiment.SCHEMA_VERSION,
        "experiment": results.run_id,
        "variant": trial.variant,
        "round": trial.round,
        "status": "ok" if trial.ok else "failed",
        "prompt_tokens": sum(r.prompt_tokens for r in requests),
        "requested_tokens": done.requested_tokens,
        "new_tokens": sum(r.count for r in requests),
        "ttft_ms": median(metrics.ttft_ms),
        "tpot_ms": median(metrics.tpot_ms),
        "itl_ms_p50": metrics.percentile([x for r in requests for x in metrics.itl_ms(r)], 50),
        "decode_tok_s": metrics.trial_decode_tok_s(trial) if trial.ok else None,
        "prefill_tok_s": median(metrics.prefill_tok_s),
        "e2e_ms": median(metrics.e2e_ms),
        "kv_bytes": done.kv_bytes,
        "drafted": done.drafted,
        "accepted": done.accepted,
        "verify_steps": done.verify_steps,
        "flags": "; ".join(done.flags),
        "concurrency": done.concurrency,
        "requests": len(requests),
        "aggregate_tok_s": metrics.trial_aggregate_tok_s(trial) if trial.ok else None,
        "per_user_tok_s": median(metrics.decode_tok_s),
        "request_rate": metrics.trial_request_rate(trial),
        "queue_ms": median(metrics.client_queue_ms),
        **{name: metrics.part_ms(trial, name) for name in PARTS},
        "steps": done.batching.steps if done.batching else None,
        "mean_occupancy": done.batching.mean_occupancy if done.batching else None,
        "prefill_chunks": done.batching.prefill_chunks if done.batching else None,
        "longest_step_ms": done.batching.longest_step_ms if done.batching else None,
        "prefix_hit_pct": metrics.prefix_hit_pct(trial),
        "energy_j": metrics.energy_j(trial),
        "j_per_token": metrics.j_per_token(trial),
        **_when(results, trial),
        "prompt_id": _prompt_id(done.prompt_ids),
        **_peaks(results, trial),
        "created": results.started.created if results.started is not None else "",
        "model": results.experiment.model.source if results.experiment is not None else "",
    }


def _when(results: Results, trial: Trial) -> dict[str, Any]:
    """Return when a trial began, and its position in its round. Its end is on the run's clock, also after a restart of
    the machine; its length is on the engine's."""
    began, order = results.started, results.schedule
    turn = order[trial.round] if 0 <= trial.round < len(order) else []
    start_ns = trial.done.t_ns - round(metrics.span_s(trial) * 1e9)
    return {
        "start_s": max(0, start_ns - began.t_ns) / 1e9 if began is not None else None,
        "place": turn.index(trial.variant) + 1 if trial.variant in turn else None,
    }


def _prompt_id(ids: list[int]) -> str:
    return hashlib.sha256(json.dumps(ids).encode()).hexdigest()[:12]


def _time(point: memory_timeline.MemoryPoint) -> int:
    return point.t_ns


def _peaks(results: Results, trial: Trial) -> dict[str, Any]:
    """Return the highest readings from the trial's start to its end."""
    end = trial.done.t_ns
    start = end - round(metrics.span_s(trial) * 1e9)
    points = results.variants[trial.variant].memory.points if trial.variant in results.variants else []
    during = points[bisect_left(points, start, key=_time) : bisect_right(points, end, key=_time)]
    return {
        f"peak_{name}_bytes": max((p.bytes[name] for p in during if name in p.bytes), default=None)
        for name in ("process", "allocated")
    }


TRIAL_COLUMNS = (
    "schema_version experiment variant round status prompt_tokens requested_tokens new_tokens ttft_ms tpot_ms "
    "itl_ms_p50 decode_tok_s prefill_tok_s e2e_ms kv_bytes drafted accepted verify_steps flags concurrency requests "
    "aggregate_tok_s per_user_tok_s request_rate queue_ms tokenize_ms prefill_ms decode_ms sample_ms detokenize_ms "
    "steps mean_occupancy prefill_chunks longest_step_ms prefix_hit_pct energy_j j_per_token start_s place prompt_id "
    "peak_process_bytes peak_allocated_bytes created model"
).split()
MEMORY_COLUMNS = ["experiment", "variant", "t_s", "phase", *(f"{part}_bytes" for part in memory_timeline.NAMES)]
COMPARISON_COLUMNS = [name for name in Row.model_fields if name != "receipts"]


def _write(rows: list[dict[str, Any]], path: Path) -> None:
    write_whole(path, _text(rows, ","))


def _text(rows: list[dict[str, Any]], separator: str, header: list[str] | None = None) -> str:
    import pandas as pd  # imported late: the window opens without it

    columns = list(rows[0]) if rows else header or TRIAL_COLUMNS
    frame = pd.DataFrame([{k: safe(v) for k, v in row.items()} for row in rows], columns=columns, dtype=object)
    return frame.to_csv(index=False, sep=separator, lineterminator="\n")


def safe(value: Any) -> Any:
    """Return the cell so that no spreadsheet takes it for a formula."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return "'" + value
    return value
