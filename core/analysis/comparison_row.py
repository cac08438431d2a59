"""The outcome as data: one row a variant, all of them against the first. Knows no event and no formula."""

from __future__ import annotations

from pydantic import Field

from core.base.value import Value
from core.machine.environment import Environment
from core.machine.machine_roof import Machine
from core.model.receipt import Receipt
from core.protocol import events
from core.results.ratio_statistics import Verdict
from core.spec import experiment as spec


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
    kld_mean: float | None = None
    kld_se: float | None = None
    kld_p99: float | None = None
    same_top_pct: float | None = None
    ppl_ratio: float | None = None
    ppl_ratio_low: float | None = None
    ppl_ratio_high: float | None = None
    first_divergence: int | None = None
    gate: str = ""
    mbu_pct: float | None = None
    why: str = ""
    quality_tokens: int | None = None
    quality_status: str = ""  # reference, ok, failed, out_of_memory, refused, cancelled; empty where none was asked for
    quality_error: str = ""
    kld_p999: float | None = None
    perplexity: float | None = None
    peak_reserved_bytes: int | None = None
    peak_pss_bytes: int | None = None
    peak_activation_bytes: int | None = None
    estimate_bytes: int | None = None
    estimate_error_pct: float | None = None
    residue_bytes: int | None = None
    residue_noise_bytes: int | None = None
    energy_j: float | None = None
    j_per_token: float | None = None
    energy_source: str = ""
    mfu_pct: float | None = None
    ceiling_tok_s: float | None = None
    bytes_per_token: float | None = None
    flops_per_token: float | None = None
    intensity: float | None = None
    bound: str = ""
    exact_match_pct: float | None = None
    divergence_margin: float | None = None
    divergence_margin_base: float | None = None
    suite_passed: int | None = None
    suite_total: int | None = None
    suite_lost: int | None = None
    suite_gained: int | None = None
    interface_ok: bool | None = None
    interface: str = ""
    half_width_pct: float | None = None
    engines: events.TurnsMode = "together"
    baseline_drift_pct: float | None = None
    itl_ms_p99: float | None = None
    estimate_least_bytes: int | None = None
    estimate_most_bytes: int | None = None
    letter: str = ""  # `core.results.provenance` fills these ...
    settings: str = ""
    created: str = ""
    dyno_version: str = ""
    prompt_set: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    seed: int | None = None
    arrival_rate: float | None = None
    host: str = ""
    platform: str = ""
    cpu: str = ""
    cpu_cores: int | None = None
    cpu_threads: int | None = None
    gpu: str = ""
    python: str = ""
    torch_version: str = ""
    transformers_version: str = ""
    bitsandbytes_version: str = ""
    torchao_version: str = ""  # ... down to here
    ttft_ms_p95: float | None = None
    ttft_ms_p99: float | None = None
    e2e_ms_p95: float | None = None
    e2e_ms_p99: float | None = None
    queue_ms_p95: float | None = None
    verdict_text: str = ""
    bound_text: str = ""
    rounds_disturbed: int | None = None
    model_name: str = ""
    source_type: str = ""
    receipts: list[Receipt] = Field(default=[], exclude=False)


class Advice(Value):
    """Something to try next, or to leave: what, and the measurement that it rests on."""

    rule: str
    bottleneck: str  # memory, concurrency, quality or speed
    binds: bool  # whether that is what binds now
    what: str
    because: str
    ceiling_tok_s: float | None = None  # the most that it could reach, by the roofline
    joins: list[str] = []  # the variants that it wants in one


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
    machine: Machine | None = None
    variants: list[Row]
    advice: list[Advice] = []
    looks: int = 0  # times that rounds were added after a verdict was known
    sessions: int = 1  # in which it was measured: a run that was over can go on

    @property
    def baseline(self) -> Row:
        return self.variants[0]
