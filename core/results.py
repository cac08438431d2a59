"""What came out, so far: folds the event stream, live or replayed, into variants, trials and a comparison.

The same code serves the window, the command line and a reopened journal. Knows no Qt and no file.
"""

from __future__ import annotations

import re
import statistics as stats
from dataclasses import dataclass, field

from pydantic import Field

from core import events, metrics, spec
from core.environment import Environment
from core.model import Value
from core.statistics import (
    MARGIN,
    Verdict,
    paired_interval,
    rounds_to_settle,
    smallest_detectable,
    verdict,
)
from core.trials import Trial, assemble

MEASURED: tuple[events.PhaseName, ...] = ("warmup", "trial")
PARTS = ("tokenize_ms", "prefill_ms", "decode_ms", "sample_ms", "detokenize_ms")  # of a request's time


@dataclass
class VariantState:
    """One variant while it runs and after. `phase` is where its engine is now."""

    name: str
    phase: events.PhaseName | None = None
    round: int | None = None
    progress: events.Progress | None = None
    hello: events.Hello | None = None
    loaded: events.Loaded | None = None
    warm: events.Warm | None = None
    failed: events.Failed | None = None
    receipts: list[events.Receipt] = field(default_factory=list)
    trials: list[Trial] = field(default_factory=list)
    last_sample: events.Sample | None = None
    peak_process: dict[str, int] = field(default_factory=dict)  # by phase
    peak_allocated: int | None = None
    tokens: int = 0  # of the present trial
    _steps: list[events.Steps] = field(default_factory=list)

    @property
    def receipt_ok(self) -> bool | None:
        return all(r.matches for r in self.receipts) if self.receipts else None

    def add(self, event: events.Event) -> None:
        match event:
            case events.Phase():
                self.phase, self.round, self.progress = event.phase, event.round, None
                self._steps, self.tokens = [], 0
            case events.Progress():
                self.progress = event
            case events.Hello():
                self.hello = event
            case events.Loaded():
                self.loaded = event
            case events.Warm():
                self.warm = event
            case events.Receipts():
                self.receipts = event.receipts
            case events.Steps():
                self.tokens += sum(event.tokens)
                if event.round is not None:
                    self._steps.append(event)
            case events.Sample():
                self._sample(event)
            case events.TrialDone():
                if all(t.round != event.round for t in self.trials):  # a journal may tell it twice
                    self.trials.append(assemble(event, [s for s in self._steps if s.round == event.round]))
                self._steps = []
            case events.Failed():
                self.failed = event

    def _sample(self, sample: events.Sample) -> None:
        self.last_sample = sample
        if sample.process_bytes is not None:
            peak = self.peak_process.get(sample.phase, 0)
            self.peak_process[sample.phase] = max(peak, sample.process_bytes)
        if sample.allocated_bytes is not None and sample.phase in MEASURED:
            self.peak_allocated = max(self.peak_allocated or 0, sample.allocated_bytes)


class Row(Value):
    """One variant of a comparison; all fields but the receipts are the columns of comparison.csv, in order.

    Columns are only ever appended. None: not available."""

    schema_version: int = spec.SCHEMA_VERSION
    experiment: str
    model: str
    variant: str
    status: str  # ok, failed, out_of_memory, cancelled, refused; queued and running while it runs
    recipe: str
    trials: int
    ttft_ms_p50: float | None = None
    tpot_ms_p50: float | None = None
    itl_ms_p50: float | None = None
    itl_ms_p95: float | None = None
    decode_tok_s: float | None = None
    prefill_tok_s: float | None = None
    speed_ratio: float | None = None
    speed_ratio_low: float | None = None
    speed_ratio_high: float | None = None
    verdict: Verdict = ""
    load_s: float | None = None
    warmup_s: float | None = None
    weights_bytes: int | None = None
    kv_bytes: int | None = None
    peak_process_bytes: int | None = None
    peak_allocated_bytes: int | None = None
    error: str = ""
    receipt_ok: bool | None = None
    flags: str = ""
    rounds_paired: int = 0
    interval_method: str = ""
    log_ratio_sd: float | None = None
    smallest_detectable_pct: float | None = None
    rounds_to_settle: int | None = None
    acceptance_rate: float | None = None
    mean_accepted_length: float | None = None
    load_peak_bytes: int | None = None
    parameters: int | None = None
    device: str = ""
    dtype: str = ""
    hint: str = ""
    concurrency: int = 1
    requests: int = 1
    aggregate_tok_s: float | None = None
    per_user_tok_s: float | None = None
    request_rate: float | None = None
    queue_ms_p50: float | None = None
    e2e_ms_p50: float | None = None
    tokenize_ms: float | None = None
    prefill_ms: float | None = None
    decode_ms: float | None = None
    sample_ms: float | None = None
    detokenize_ms: float | None = None
    arrival: str = "closed"
    receipts: list[events.Receipt] = Field(default=[], exclude=False)


class Comparison(Value):
    """All variants against the first."""

    schema_version: int = spec.SCHEMA_VERSION
    experiment: str
    created: str
    margin: float
    rounds: int  # finished
    rounds_planned: int
    status: str  # ok, stopped, cancelled, failed, running, interrupted
    environment: Environment | None
    variants: list[Row]

    @property
    def baseline(self) -> Row:
        return self.variants[0]


class Results:
    """Feed it every event with `add`; read `variants`, `current` and `comparison()` at any time."""

    def __init__(self, run_id: str = "", margin: float = MARGIN) -> None:
        self.run_id = run_id.encode("utf-8", "replace").decode()  # a folder's name may be any bytes
        self.margin = margin
        self.started: events.Started | None = None
        self.experiment: spec.Experiment | None = None
        self.environment: Environment | None = None
        self.finished: events.Finished | None = None
        self.failed: events.Failed | None = None  # of the run as a whole
        self.variants: dict[str, VariantState] = {}
        self.current: str | None = None  # the variant whose engine works now
        self.log: list[events.Log | events.Failed | events.Decision] = []
        self.interrupted = False  # set when a journal ends without its terminal event

    def add(self, event: events.Event) -> None:
        """Fold one event in. Cheap: nothing is computed before `comparison()`."""
        match event:
            case events.Started():
                self.started = event
                self.experiment = spec.parse(event.experiment, lenient=True)
                self.variants = {v.name: VariantState(v.name) for v in self.experiment.variants}
            case events.Env():
                self.environment = event.environment
            case events.Finished():
                self.finished, self.current = event, None
            case events.Log() | events.Decision():
                self.log.append(event)
            case events.Failed():
                self.log.append(event)
        if event.variant is None:
            if isinstance(event, events.Failed):
                self.failed = event
            return
        state = self.variants.get(event.variant)
        if state is not None:
            state.add(event)
            if isinstance(event, events.Phase):
                self.current = event.variant if event.phase not in ("idle", "gone") else None

    @property
    def rounds_done(self) -> int:
        """Rounds in which every variant that has not failed finished its trial."""
        alive = [v for v in self.variants.values() if v.failed is None]
        return min((len(v.trials) for v in alive), default=0)

    @property
    def began(self) -> bool:
        """Whether any engine was asked for: a run that could not even write its beginning has no result."""
        return self.failed is None or any(v.phase is not None for v in self.variants.values())

    @property
    def _over(self) -> bool:
        return self.finished is not None or self.interrupted

    def status_of(self, state: VariantState) -> str:
        """ok, failed, out_of_memory, cancelled, refused; queued or running before the end."""
        if state.failed is not None:
            return "failed" if state.failed.kind == "died" else state.failed.kind
        if state.trials and not any(t.ok for t in state.trials) and self._over:
            return "failed"
        if self.finished is not None and self.finished.status in ("ok", "stopped") and state.trials:
            return "ok"
        if self._over:
            complete = self.experiment is not None and len(state.trials) >= self.experiment.workload.trials
            return "ok" if complete else "cancelled"
        return "running" if state.phase is not None else "queued"

    def comparison(self) -> Comparison:
        """Every variant with its metrics, its paired ratio to the baseline and its verdict."""
        if self.experiment is None or self.started is None:
            raise ValueError("no run has started: there is nothing to compare")
        names = [v.name for v in self.experiment.variants]
        baseline = self.variants[names[0]]
        unfinished = "interrupted" if self.interrupted else "running"
        return Comparison(
            experiment=self.run_id,
            created=self.started.created,
            margin=self.margin,
            rounds=self.rounds_done,
            rounds_planned=self.experiment.workload.trials,
            status=self.finished.status if self.finished is not None else unfinished,
            environment=self.environment,
            variants=[self._row(v, self.variants[v.name], baseline) for v in self.experiment.variants],
        )

    def _row(self, variant: spec.Variant, state: VariantState, baseline: VariantState) -> Row:
        assert self.experiment is not None
        good = [t for t in state.trials if t.ok]
        requests = [r for t in good for r in t.requests]
        done = [t.done for t in good]
        drafted, accepted = sum(d.drafted for d in done), sum(d.accepted for d in done)
        compared = self._compared(state, baseline)
        measured = [state.peak_process[p] for p in MEASURED if p in state.peak_process]
        loading = [state.peak_process[p] for p in ("load", "transform") if p in state.peak_process]
        load_peak = state.loaded.load_peak_bytes if state.loaded else None
        status, error, hint = self.status_of(state), "", ""
        if state.failed is not None:
            error, hint = state.failed.message, state.failed.hint
        elif status == "failed":
            error, hint = "no trial can be counted: " + ", ".join(_faults(state)), "Measure it again."
        return Row(
            experiment=self.run_id,
            model=self.experiment.model.source,
            variant=variant.name,
            status=status,
            recipe=variant.recipe(),
            trials=len(good),
            ttft_ms_p50=metrics.percentile(_known(map(metrics.ttft_ms, requests)), 50),
            tpot_ms_p50=metrics.percentile(_known(map(metrics.tpot_ms, requests)), 50),
            itl_ms_p50=metrics.percentile([x for r in requests for x in metrics.itl_ms(r)], 50),
            itl_ms_p95=metrics.percentile([x for r in requests for x in metrics.itl_ms(r)], 95),
            decode_tok_s=_median(map(metrics.trial_decode_tok_s, good)),
            prefill_tok_s=_median(map(metrics.prefill_tok_s, requests)),
            load_s=state.loaded.load_s if state.loaded else None,
            warmup_s=state.warm.warmup_s if state.warm else None,
            weights_bytes=state.loaded.weights_bytes if state.loaded else None,
            kv_bytes=max((d.kv_bytes for d in done if d.kv_bytes is not None), default=None),
            peak_process_bytes=max(measured, default=None),
            peak_allocated_bytes=state.peak_allocated,
            error=error,
            hint=hint,
            receipt_ok=state.receipt_ok,
            flags="; ".join(_flags([t.done for t in state.trials], state.warm)),
            acceptance_rate=metrics.acceptance_rate(drafted, accepted),
            mean_accepted_length=metrics.mean_accepted_length(accepted, sum(d.verify_steps for d in done)),
            load_peak_bytes=load_peak or max(loading, default=None),
            parameters=state.loaded.parameters if state.loaded else None,
            device=state.loaded.device if state.loaded else "",
            dtype=state.loaded.dtype if state.loaded else "",
            concurrency=self.experiment.workload.concurrency,
            requests=self.experiment.workload.request_count,
            arrival=self.experiment.workload.arrival,
            aggregate_tok_s=_median(map(metrics.trial_aggregate_tok_s, good)),
            per_user_tok_s=_median(map(metrics.decode_tok_s, requests)),
            request_rate=_median(map(metrics.trial_request_rate, good)),
            queue_ms_p50=metrics.percentile([metrics.client_queue_ms(r) for r in requests], 50),
            e2e_ms_p50=metrics.percentile(_known(map(metrics.e2e_ms, requests)), 50),
            receipts=state.receipts,
            **{name: _median(metrics.part_ms(t, name) for t in good) for name in PARTS},
            **compared,
        )

    def _compared(self, state: VariantState, baseline: VariantState) -> dict:
        """The columns that need the baseline."""
        base = {t.round: metrics.trial_rate(t) for t in baseline.trials if t.ok}
        if state is baseline:
            return {"verdict": "baseline", "speed_ratio": 1.0} if base else {"verdict": "baseline"}
        mine = {t.round: metrics.trial_rate(t) for t in state.trials if t.ok}
        ratios = [m / b for r in sorted(mine) if (m := mine[r]) and (b := base.get(r))]
        interval = paired_interval(ratios)
        if interval is None:
            return {"speed_ratio": ratios[0] if ratios else None, "rounds_paired": len(ratios)}
        trusted = state.receipt_ok is not False and baseline.receipt_ok is not False
        word = verdict(interval, self.margin)
        return {
            "speed_ratio": interval.ratio,
            "speed_ratio_low": interval.low,
            "speed_ratio_high": interval.high,
            "verdict": word if trusted or not word else "withheld",
            "rounds_paired": interval.rounds,
            "interval_method": interval.method,
            "log_ratio_sd": interval.sd,
            "smallest_detectable_pct": 100 * smallest_detectable(interval, self.margin),
            "rounds_to_settle": rounds_to_settle(interval, self.margin) if word == "undecided" else None,
        }


def _faults(state: VariantState) -> list[str]:
    """Why its trials do not count, each reason once."""
    return list(dict.fromkeys(t.fault or "its requests failed" for t in state.trials))


def _known(values) -> list[float]:
    return [v for v in values if v is not None]


def _median(values) -> float | None:
    known = _known(values)
    return stats.median(known) if known else None


def _flags(done: list[events.TrialDone], warm: events.Warm | None) -> list[str]:
    """Each kind of flag once, with its largest figure and the number of trials that carry it."""
    kinds: dict[str, list[str]] = {}
    for flag in (flag for d in done for flag in d.flags):
        kinds.setdefault(re.split(r"\d", flag, maxsplit=1)[0].strip(), []).append(flag)
    words = [f"{max(found, key=_figure)} ({len(found)} of {len(done)} trials)" for found in kinds.values()]
    return ["not steady after warm-up", *words] if warm is not None and not warm.steady else words


def _figure(flag: str) -> float:
    found = re.search(r"\d+(\.\d+)?", flag)
    return float(found.group()) if found else 0.0
