"""Builds a variant's row of the comparison from its trials and samples."""

from __future__ import annotations

import re
import statistics as stats
from typing import TYPE_CHECKING, Any

from core.analysis import answer_columns, roofline_text
from core.analysis import verdict_text as words
from core.analysis.comparison_row import Row
from core.analysis.disturbance import disturbed
from core.analysis.roofline import Place
from core.feasibility import memory_estimate
from core.machine.machine_roof import MachineRoof
from core.protocol import events
from core.quality import distribution_metrics
from core.results import metrics, provenance
from core.results.pairing import confidence, in_sequence, paired_ratios
from core.results.ratio_statistics import Verdict, paired_interval, rounds_to_settle, smallest_detectable, verdict
from core.results.trials import Trial
from core.spec.variant import Variant

if TYPE_CHECKING:
    from core.results.results import Results, VariantState

MEASURED: tuple[events.PhaseName, ...] = ("warmup", "trial")
PARTS = ("tokenize_ms", "prefill_ms", "decode_ms", "sample_ms", "detokenize_ms")  # of a request's time


def make_row(results: Results, variant: Variant, place: Place | None = None) -> Row:
    """Return the row with all that is known so far. Each group of columns comes from a function of its own."""
    experiment = results.experiment
    assert experiment is not None
    state, baseline = results.variants[variant.name], results.variants[experiment.baseline.name]
    good = [t for t in state.trials if t.ok]
    requests = [r for t in good for r in t.requests]
    done = [t.done for t in good]
    itl = sorted(x for r in requests for x in metrics.itl_ms(r))
    drafted, accepted = sum(d.drafted for d in done), sum(d.accepted for d in done)
    compared = _compared(results, state, baseline)
    judged, told = answer_columns.columns(state, baseline, variant, experiment.baseline)
    load_peak = state.loaded.load_peak_bytes if state.loaded else None
    status, error, hint = results.status_of(state), "", ""
    if state.failed is not None:
        error, hint = state.failed.message, state.failed.hint
    elif status == "failed":
        error, hint = "no trial can be counted: " + ", ".join(_faults(state)), "Measure it again."
    ttft, e2e = _known(map(metrics.ttft_ms, requests)), _known(map(metrics.e2e_ms, requests))
    queue = [metrics.client_queue_ms(r) for r in requests]
    row = Row(
        experiment=results.run_id,
        model=experiment.model.source,
        variant=variant.name,
        status=status,
        recipe=variant.recipe(),
        trials=len(good),
        **{f"ttft_ms_p{p}": metrics.percentile(ttft, p) for p in (50, 95, 99)},
        tpot_ms_p50=metrics.percentile(_known(map(metrics.tpot_ms, requests)), 50),
        itl_ms_p50=metrics.percentile(itl, 50),
        itl_ms_p95=metrics.percentile(itl, 95),
        itl_ms_p99=metrics.percentile(itl, 99),
        decode_tok_s=_median(map(metrics.trial_decode_tok_s, good)),
        prefill_tok_s=_median(map(metrics.prefill_tok_s, requests)),
        load_s=state.loaded.load_s if state.loaded else None,
        warmup_s=state.warm.warmup_s if state.warm else None,
        weights_bytes=state.loaded.weights_bytes if state.loaded else None,
        kv_bytes=max((d.kv_bytes for d in done if d.kv_bytes is not None), default=None),
        peak_process_bytes=state.memory.peak("process", *MEASURED),
        peak_allocated_bytes=state.memory.peak("allocated", *MEASURED),
        error=error,
        hint=hint,
        receipt_ok=state.receipt_ok,
        flags="; ".join(
            [*told, *_flags([t.done for t in state.trials], state.warm), *_implausible(place, results.machine)]
        ),
        acceptance_rate=metrics.acceptance_rate(drafted, accepted),
        mean_accepted_length=metrics.mean_accepted_length(accepted, sum(d.verify_steps for d in done)),
        load_peak_bytes=load_peak or state.memory.peak("process", "load", "transform"),
        parameters=state.loaded.parameters if state.loaded else None,
        device=state.loaded.device if state.loaded else "",
        dtype=state.loaded.dtype if state.loaded else "",
        model_name=state.loaded.model_name if state.loaded else "",
        source_type=state.loaded.source_type if state.loaded else "",
        concurrency=experiment.workload.concurrency,
        requests=experiment.workload.request_count,
        arrival=experiment.workload.arrival,
        aggregate_tok_s=_median(map(metrics.trial_aggregate_tok_s, good)),
        per_user_tok_s=_median(map(metrics.decode_tok_s, requests)),
        request_rate=_median(map(metrics.trial_request_rate, good)),
        **{f"queue_ms_p{p}": metrics.percentile(queue, p) for p in (50, 95)},
        **{f"e2e_ms_p{p}": metrics.percentile(e2e, p) for p in (50, 95, 99)},
        receipts=state.receipts,
        **{name: _median(metrics.part_ms(t, name) for t in good) for name in PARTS},
        **compared,
        **_judged(results, state, baseline),
        **_memory(state),
        **_energy(good),
        **_roofline(place),
        **judged,
        rounds_disturbed=_rounds_disturbed(state, baseline),
        **provenance.columns(results, variant),
    )
    return row.model_copy(
        update={"verdict_text": words.hedged(row, results.margin), "bound_text": roofline_text.bound(row).strip("—")}
    )


def _rounds_disturbed(state: VariantState, baseline: VariantState) -> int:
    """Return the number of counted rounds in which this trial or the baseline's was disturbed."""
    there = {t.round for t in baseline.trials if t.ok and disturbed(t.done.flags)}
    return sum(t.round in there or disturbed(t.done.flags) for t in state.trials if t.ok)


def _memory(state: VariantState) -> dict[str, Any]:
    """Return the columns of memory: peaks, the estimate against the measurement, and the residue after the engine
    ended."""
    found: dict[str, Any] = {
        "peak_reserved_bytes": state.memory.peak("reserved", *MEASURED),
        "peak_pss_bytes": state.memory.peak("pss", *MEASURED, "idle"),  # not read while a trial runs
        "peak_activation_bytes": state.memory.peak("activations", *MEASURED),
    }
    if state.loaded is not None and state.loaded.estimate:
        on_device = state.memory.peak("allocated", *MEASURED)
        parts = state.loaded.estimate
        if on_device is None:
            estimated, measured = sum(parts.values()), state.memory.peak("process", *MEASURED)
            found["estimate_least_bytes"] = state.loaded.estimate_least_bytes
            found["estimate_most_bytes"] = state.loaded.estimate_most_bytes
        else:
            estimated, measured = memory_estimate.on_device(parts), on_device
        found["estimate_bytes"] = estimated
        if measured:
            found["estimate_error_pct"] = 100 * (estimated - measured) / measured
    if state.unloaded is not None:
        found["residue_bytes"] = max(0, state.unloaded.held_bytes - state.unloaded.returned_bytes)
        found["residue_noise_bytes"] = state.unloaded.noise_bytes
    return found


def _energy(good: list[Trial]) -> dict[str, Any]:
    """Return the columns of energy, from the trials in which the most counters reported; fewer counters would make a
    different sum."""
    most = max((t.done.energy.keys() for t in good), key=len, default=())
    whole = [t for t in good if t.done.energy.keys() == most]
    return {
        "energy_j": _median(map(metrics.energy_j, whole)),
        "j_per_token": _median(map(metrics.j_per_token, whole)),
        "energy_source": " + ".join(sorted(most)),
    }


def _roofline(place: Place | None) -> dict[str, Any]:
    names = ("mbu_pct", "mfu_pct", "ceiling_tok_s", "bytes_per_token", "flops_per_token", "intensity", "bound")
    return {name: getattr(place, name) for name in names} if place is not None else {}


def _implausible(place: Place | None, machine: MachineRoof | None) -> list[str]:
    if place is None or not place.implausible or place.most_tok_s is None:
        return []
    over = 100 * (place.rate / place.most_tok_s - 1)
    busy = "" if machine is None or machine.quiet else ", measured beside a busy neighbour: dyno env --measure"
    return [f"implausible: {over:.0f} % above what the measured bandwidth and peak allow{busy}"]


def _compared(results: Results, state: VariantState, baseline: VariantState) -> dict[str, Any]:
    """Return the columns that need the baseline."""
    columns: dict[str, Any] = {"engines": results.turns}
    if state is baseline:
        measured = any(metrics.trial_rate(t) for t in baseline.trials)
        return columns | {"verdict": "baseline", "speed_ratio": 1.0 if measured else None}
    assert results.experiment is not None
    word: Verdict = ""
    if results.turns == "sequence":
        found = in_sequence(state, baseline, results.experiment.workload.most_rounds)
        interval, drift = found.interval, found.drift
        columns["baseline_drift_pct"] = 100 * (drift.ratio - 1) if drift is not None else None
        agrees = verdict(drift, results.margin) == "within_margin"
        word = verdict(interval, results.margin) if agrees else "unpaired" if interval is not None else ""
    else:
        ratios = paired_ratios(state, baseline)
        interval = paired_interval(ratios, confidence(state, baseline))
        columns["rounds_paired"] = len(ratios)
        if interval is None:
            return columns | {"speed_ratio": ratios[0] if ratios else None}
        word = verdict(interval, results.margin)
    if interval is None:
        return columns
    trusted = state.receipt_ok is not False and baseline.receipt_ok is not False
    return columns | {
        "speed_ratio": interval.ratio,
        "speed_ratio_low": interval.low,
        "speed_ratio_high": interval.high,
        "half_width_pct": interval.half_width_pct,
        "verdict": word if trusted or not word else "withheld",
        "interval_method": interval.method,
        "log_ratio_sd": interval.sd,
        "smallest_detectable_pct": 100 * smallest_detectable(interval, results.margin),
        "rounds_to_settle": rounds_to_settle(interval, results.margin) if word == "undecided" else None,
    }


def _judged(results: Results, state: VariantState, baseline: VariantState) -> dict[str, Any]:
    """Return the columns of quality, against the baseline of the same experiment on the same tokens."""
    asked = results.experiment.quality if results.experiment is not None else None
    if asked is None:
        return {}
    found, failed = state.quality, state.quality_failed
    error = f"{failed.message} {failed.hint}".strip() if failed is not None else ""
    if found is None and failed is not None:
        return {"quality_status": "failed" if failed.kind == "died" else failed.kind, "quality_error": error}
    if found is None:
        over = results.finished is not None or results.interrupted
        if not over or state.failed is not None:
            return {}
        if baseline.failed is not None or baseline.quality_failed is not None:
            return {"quality_status": "failed", "quality_error": "the baseline could not be judged"}
        return {"quality_status": "cancelled"}
    tokens = sum(found.chunk_tokens)
    own = distribution_metrics.perplexity(found.chunk_nll, found.chunk_tokens)
    if found.role == "reference":
        return {
            "quality_tokens": tokens,
            "quality_status": "reference",
            "quality_error": error,
            "perplexity": own,
            "ppl_ratio": 1.0,
        }
    columns = (found.chunk_tokens, found.chunk_kld, found.chunk_same_top, found.chunk_nll, found.chunk_base_nll)
    figures = distribution_metrics.figures(*(tuple(column) for column in columns))
    if figures is None:
        return {}
    return {
        "kld_mean": figures.kld_mean,
        "kld_se": figures.kld_se,
        "kld_p99": found.kld_p99,
        "kld_p999": found.kld_p999,
        "same_top_pct": figures.same_top_pct,
        "ppl_ratio": figures.ppl_ratio,
        "ppl_ratio_low": figures.ppl_ratio_low,
        "ppl_ratio_high": figures.ppl_ratio_high,
        "gate": asked.gate.colour(figures.kld_mean, figures.same_top_pct, figures.ppl_ratio_high),
        "quality_tokens": tokens,
        "quality_status": "ok",
        "quality_error": error,
        "perplexity": own,
    }


def _faults(state: VariantState) -> list[str]:
    """Return the reasons why trials do not count, each once."""
    return list(dict.fromkeys(t.fault or "its requests failed" for t in state.trials))


def _known(values) -> list[float]:
    return [v for v in values if v is not None]


def _median(values) -> float | None:
    known = _known(values)
    return stats.median(known) if known else None


def _flags(done: list[events.TrialDone], warm: events.Warm | None) -> list[str]:
    """Return each kind of flag once, with its largest figure and its number of trials."""
    kinds: dict[str, list[str]] = {}
    for flag in (flag for d in done for flag in d.flags):
        kinds.setdefault(re.split(r"\d", flag, maxsplit=1)[0].strip(), []).append(flag)
    many = len(done) > 1
    words = [
        f"{max(found, key=_figure)} ({len(found)} of {len(done)} trials)" if many else found[0]
        for found in kinds.values()
    ]
    return ["not steady after warm-up", *words] if warm is not None and not warm.steady else words


def _figure(flag: str) -> float:
    found = re.search(r"\d+(\.\d+)?", flag)
    return float(found.group()) if found else 0.0
