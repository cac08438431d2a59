"""The comparison as data: one row per variant. `Row` declares every column of comparison.csv."""

from __future__ import annotations

from pydantic import Field

from core.analysis.column import (
    ANSWERS,
    BREAKDOWN,
    COUNTERS,
    LOADED,
    MODEL,
    PROBE,
    QUALITY,
    REQUESTS,
    ROOFLINE,
    ROUNDS,
    SAMPLES,
    SETTINGS,
    STAMPS,
    SUITE,
    column,
)
from core.base.value import Value
from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof
from core.model.receipt import Receipt
from core.protocol import events
from core.results.ratio_statistics import Verdict
from core.spec import experiment as spec


class Row(Value):
    """One variant of a comparison. Every field except `receipts` is a column of comparison.csv, in this order; columns
    are only appended. None means not available."""

    schema_version: int = column(
        spec.SCHEMA_VERSION,
        "Schema",
        "",
        "version of this table's format; columns are only ever appended",
        SETTINGS,
        compared=False,
    )
    experiment: str = column(..., "Experiment", "", "name of the run's folder", SETTINGS)
    model: str = column(..., "Model", "", "source of the model as it was given", SETTINGS)
    variant: str = column(..., "Variant", "", "name of the variant; the first is the baseline", SETTINGS)
    status: str = column(
        ..., "Status", "", "ok, failed, out_of_memory, cancelled or refused", "how the variant ended"
    )  # ok, failed, out_of_memory, cancelled, refused; queued and running while it runs
    recipe: str = column(..., "Recipe", "", "one method per slot, with its parameters", SETTINGS)
    trials: int = column(
        ..., "Trials", "", "trials that count: complete, in order, every request ok", "the journal", compared=False
    )
    ttft_ms_p50: float | None = column(
        None, "Time to first token", "ms", "first token − scheduled arrival; median", REQUESTS
    )
    tpot_ms_p50: float | None = column(
        None,
        "Time per output token",
        "ms",
        "(last token − first token) ÷ (n − 1), per request; median; n ≤ 1 is not available",
        STAMPS,
    )
    itl_ms_p50: float | None = column(
        None, "Inter-token latency", "ms", "gap between steps ÷ tokens of the step; median of all tokens", STAMPS
    )
    itl_ms_p95: float | None = column(
        None, "Inter-token latency, p95", "ms", "gap between steps ÷ tokens of the step; needs 90 observations", STAMPS
    )
    decode_tok_s: float | None = column(
        None,
        "Decode rate",
        "tok/s",
        "tokens after the first stamp ÷ (last − first), per request; median of the trials",
        STAMPS,
    )
    prefill_tok_s: float | None = column(
        None, "Prefill rate", "tok/s", "prompt tokens ÷ (first token − dispatch); median of the requests", REQUESTS
    )
    speed_ratio: float | None = column(
        None,
        "Speed",
        "×",
        "geometric mean of the ratio to the baseline in the same round, of the decode rates; of the aggregate rates "
        "where several requests run at once; of 1 ÷ mean end-to-end time where they arrive at random",
        ROUNDS,
        compared=False,
    )
    speed_ratio_low: float | None = column(
        None,
        "Speed, lower bound",
        "×",
        "lower end of the 95 % interval of the ratio; see interval_method",
        ROUNDS,
        compared=False,
    )
    speed_ratio_high: float | None = column(
        None,
        "Speed, upper bound",
        "×",
        "upper end of the 95 % interval of the ratio; see interval_method",
        ROUNDS,
        compared=False,
    )
    verdict: Verdict = column(
        "",
        "Verdict",
        "",
        "faster or slower: the interval lies outside the margin; within_margin: inside it; else undecided; unpaired "
        "and withheld (a receipt that does not match) say nothing of speed",
        ROUNDS,
    )
    load_s: float | None = column(
        None, "Load", "s", "wall time from the command to a model that is ready to warm up", LOADED
    )
    warmup_s: float | None = column(
        None, "Warm-up", "s", "wall time until step times are stationary; never in a trial", LOADED
    )
    weights_bytes: int | None = column(
        None, "Weights", "B", "real storage of all weights, quantized ones included", LOADED
    )
    kv_bytes: int | None = column(
        None, "KV cache", "B", "real storage of the cache at the end of a trial; largest", LOADED
    )
    peak_process_bytes: int | None = column(
        None,
        "Peak process memory",
        "B",
        "largest resident set of the engine in warm-up and trials; on Linux between two samples as well",
        SAMPLES,
    )
    peak_allocated_bytes: int | None = column(
        None,
        "Peak allocated",
        "B",
        "largest total of the CUDA allocator in warm-up and trials",
        "torch.cuda's counters",
    )
    error: str = column("", "Error", "", "what went wrong, in a sentence", "the engine, or the run")
    receipt_ok: bool | None = column(
        None,
        "Receipts match",
        "",
        "true where everything that was asked for is in effect",
        "receipts of the loaded model",
    )
    flags: str = column(
        "",
        "Flags",
        "",
        "what a reader must know before believing the trials: each kind with its largest figure and how many trials "
        "carry it; and where strategies that are called exact gave other answers than the baseline",
        "the machine's state during each trial, and the answers",
    )
    rounds_paired: int = column(
        0, "Paired rounds", "", "rounds in which this variant and the baseline finished", ROUNDS, compared=False
    )
    interval_method: str = column(
        "", "Interval", "", "t: of the log ratios per round; welch: of log rates where rounds are not paired", ROUNDS
    )
    log_ratio_sd: float | None = column(
        None, "Spread", "", "standard deviation of the log ratios per round", ROUNDS, compared=False
    )
    smallest_detectable_pct: float | None = column(
        None,
        "Smallest detectable change",
        "%",
        "change that this many rounds with this spread would have shown",
        ROUNDS,
        compared=False,
    )
    rounds_to_settle: int | None = column(
        None,
        "Rounds to settle",
        "",
        "rounds that would likely give a verdict at this spread; where it is undecided",
        ROUNDS,
        compared=False,
    )
    acceptance_rate: float | None = column(
        None, "Acceptance", "", "accepted ÷ drafted tokens", "counters of the draft's decoder"
    )
    mean_accepted_length: float | None = column(
        None, "Tokens per step", "", "1 + accepted ÷ verification steps", "counters of the draft's decoder"
    )
    load_peak_bytes: int | None = column(
        None,
        "Load peak",
        "B",
        "highest resident set of the engine until the model was loaded",
        "the system's own maximum",
    )
    parameters: int | None = column(
        None, "Parameters", "", "weights of the model as it was loaded, before any transform", LOADED, compared=False
    )
    device: str = column("", "Device", "", "where the model runs", LOADED)
    dtype: str = column("", "Precision", "", "type of the plain weights and of the computation", LOADED)
    hint: str = column("", "Hint", "", "the way out of the error", "the engine, or the run")
    concurrency: int = column(1, "Concurrency", "", "requests at once, as asked for", SETTINGS, compared=False)
    requests: int = column(1, "Requests", "", "requests of each trial", SETTINGS, compared=False)
    aggregate_tok_s: float | None = column(
        None,
        "Aggregate rate",
        "tok/s",
        "tokens of all requests ÷ (last end − first arrival); median of the trials",
        REQUESTS,
    )
    per_user_tok_s: float | None = column(
        None,
        "Rate per request",
        "tok/s",
        "tokens after the first stamp ÷ (last − first), of each request; median",
        STAMPS,
    )
    request_rate: float | None = column(
        None,
        "Request rate",
        "req/s",
        "requests that ended ÷ (last end − first arrival); median of the trials",
        REQUESTS,
        compared=False,
    )
    queue_ms_p50: float | None = column(
        None, "Queue", "ms", "dispatch − scheduled arrival: the wait for a slot; median", REQUESTS
    )
    e2e_ms_p50: float | None = column(None, "End to end", "ms", "last token − scheduled arrival; median", REQUESTS)
    tokenize_ms: float | None = column(
        None, "Tokenize", "ms", "text to ids of one prompt, before its arrival; median of the trials", BREAKDOWN
    )
    prefill_ms: float | None = column(
        None, "Prefill", "ms", "first token − dispatch, per request; median of the trials", REQUESTS
    )
    decode_ms: float | None = column(
        None, "Decode", "ms", "last token − first token, per request; median of the trials", STAMPS
    )
    sample_ms: float | None = column(
        None,
        "Sample",
        "ms",
        "choosing the tokens of one request, a part of prefill and decode; timed apart; median",
        BREAKDOWN,
    )
    detokenize_ms: float | None = column(
        None,
        "Detokenize",
        "ms",
        "ids to text of one request, between steps and after the end; median of the trials",
        BREAKDOWN,
    )
    arrival: str = column(
        "closed", "Arrivals", "", "closed: the next comes when one has ended; poisson: at random times", SETTINGS
    )
    kld_mean: float | None = column(
        None, "KL divergence", "nats/token", "mean of Σ p_base (ln p_base − ln p)", QUALITY, compared=False
    )
    kld_se: float | None = column(
        None,
        "KL divergence, standard error",
        "nats/token",
        "standard error of the mean, bootstrap over chunks",
        QUALITY,
        compared=False,
    )
    kld_p99: float | None = column(
        None, "KL divergence, p99", "nats/token", "99th percentile over tokens; needs 459", QUALITY, compared=False
    )
    same_top_pct: float | None = column(
        None, "Same top token", "%", "positions where both put the same token first", QUALITY
    )
    ppl_ratio: float | None = column(
        None, "Perplexity ratio", "×", "perplexity ÷ that of the baseline", QUALITY, compared=False
    )
    ppl_ratio_low: float | None = column(
        None, "Perplexity ratio, lower bound", "×", "of the paired 95 % interval", QUALITY, compared=False
    )
    ppl_ratio_high: float | None = column(
        None, "Perplexity ratio, upper bound", "×", "of the paired 95 % interval", QUALITY, compared=False
    )
    first_divergence: int | None = column(
        None,
        "First divergence",
        "tokens",
        "tokens that agree before the first one that differs; smallest over the prompts, empty where all agree",
        ANSWERS,
        compared=False,
    )
    gate: str = column(
        "", "Gate", "", "green, amber or red, by KL divergence, same top token and the ratio's upper bound", QUALITY
    )
    mbu_pct: float | None = column(
        None,
        "Bandwidth used",
        "%",
        "(bytes of weights read per step + KV bytes read) ÷ step time ÷ measured bandwidth",
        "receipts, step stamps, and the bandwidth measured on this machine",
    )
    why: str = column("", "Why", "", "what bounds this result, with its numbers", "the roofline and the receipts")
    quality_tokens: int | None = column(
        None, "Scored tokens", "tokens", "tokens of the text whose prediction was judged", QUALITY, compared=False
    )
    quality_status: str = column(
        "",
        "Quality status",
        "",
        "reference, ok, failed, out_of_memory, refused, cancelled; empty: not asked for",
        SETTINGS,
    )  # reference, ok, failed, out_of_memory, refused, cancelled; empty without quality
    quality_error: str = column("", "Quality error", "", "why a variant was not judged, and what to do", "the engine")
    kld_p999: float | None = column(
        None, "KL divergence, p99.9", "nats/token", "99.9th percentile; needs 20,000 tokens", QUALITY, compared=False
    )
    perplexity: float | None = column(
        None,
        "Perplexity",
        "",
        "exp(Σ −ln p ÷ scored tokens): sliding window, stride half the window, context not scored",
        "log-probabilities of this variant",
    )
    peak_reserved_bytes: int | None = column(
        None,
        "Peak reserved",
        "B",
        "largest total that the CUDA allocator held in warm-up and trials; varies for the same work",
        "torch.cuda's counters",
    )
    peak_pss_bytes: int | None = column(
        None,
        "Peak proportional memory",
        "B",
        "largest proportional set of the engine: shared pages divided among their users; not read during a trial",
        SAMPLES,
    )
    peak_activation_bytes: int | None = column(
        None,
        "Peak activations",
        "B",
        "allocated − weights − KV cache; largest in warm-up and trials",
        "torch.cuda's counters",
    )
    estimate_bytes: int | None = column(
        None,
        "Estimated peak",
        "B",
        "weights + KV cache + activations, on a CPU + Python, its libraries and their compiled code − rows of a mapped "
        "embedding that no token asks for; made before loading",
        "core.feasibility.memory_estimate, from the model's sizes and the recipe",
    )
    estimate_error_pct: float | None = column(
        None,
        "Error of the estimate",
        "%",
        "(estimate − measured) ÷ measured; measured: peak allocated on a GPU, peak process memory on a CPU",
        "core.feasibility.memory_estimate, and samples of the engine's process",
        compared=False,
    )
    residue_bytes: int | None = column(
        None,
        "Residue",
        "B",
        "private memory of the engine just before its end − what was free more after it; says nothing below "
        "residue_noise_bytes; not available while engines are kept warm",
        "the system's counters, and NVML on a GPU",
    )
    residue_noise_bytes: int | None = column(
        None,
        "Noise of the residue",
        "B",
        "by how much free memory moved by itself just before",
        "the system's counters",
        compared=False,
    )
    energy_j: float | None = column(
        None,
        "Energy",
        "J",
        "what the counters took during a trial; median of the trials that all of them saw",
        COUNTERS,
    )
    j_per_token: float | None = column(
        None,
        "Energy per token",
        "J/token",
        "energy of a trial ÷ its generated tokens; median of the same trials",
        COUNTERS,
    )
    energy_source: str = column("", "Energy of", "", "the counters that could be read: cpu, dram, gpu", COUNTERS)
    mfu_pct: float | None = column(
        None, "FLOPs used", "%", "FLOPs per token × rate ÷ measured peak of the type", ROOFLINE
    )
    ceiling_tok_s: float | None = column(
        None,
        "Ceiling",
        "tok/s",
        "tokens of a step ÷ max(FLOPs of a step ÷ peak, bytes of a step ÷ bandwidth)",
        ROOFLINE,
    )
    bytes_per_token: float | None = column(
        None,
        "Bytes per token",
        "B",
        "(weights that a step reads, scales included, an embedding row a token, keys and values, and a draft's) ÷ "
        "tokens that the step yields; of a mixture of experts those that its tokens meet where they are spread evenly",
        MODEL,
    )
    flops_per_token: float | None = column(
        None, "FLOPs per token", "FLOP", "(2·P + 4·L·h_q·d_h·S) × tokens fed to a step ÷ tokens that it yields", MODEL
    )
    intensity: float | None = column(
        None, "Arithmetic intensity", "FLOP/B", "FLOPs of a step ÷ bytes that it reads", MODEL
    )
    bound: str = column(
        "",
        "Bound by",
        "",
        "bandwidth, compute or launch (starting operations from Python): the largest part, where it accounts for half "
        "of a step; else kernel",
        ROOFLINE,
    )
    exact_match_pct: float | None = column(
        None,
        "Same answers",
        "%",
        "answers that equal the baseline's, token for token ÷ answers",
        ANSWERS,
        compared=False,
    )
    divergence_margin: float | None = column(
        None,
        "Margin at the divergence",
        "logits",
        "best logit − second best of the variant, where the first token that differs was chosen",
        ANSWERS,
    )
    divergence_margin_base: float | None = column(
        None,
        "Baseline's margin there",
        "logits",
        "best logit − second best of the baseline at the same place: near 0, a near-tie was turned",
        ANSWERS,
    )
    suite_passed: int | None = column(
        None, "Suite passed", "", "prompts of the suite whose answer passes all its checks", SUITE
    )
    suite_total: int | None = column(
        None, "Suite judged", "", "prompts of the suite whose answer could be judged", SUITE, compared=False
    )
    suite_lost: int | None = column(
        None, "Suite lost", "", "prompts that pass with the baseline and fail with this variant", SUITE, compared=False
    )
    suite_gained: int | None = column(
        None,
        "Suite gained",
        "",
        "prompts that fail with the baseline and pass with this variant",
        SUITE,
        compared=False,
    )
    interface_ok: bool | None = column(
        None,
        "Interface kept",
        "",
        "true where the model accepts and returns what the baseline does, expected differences aside",
        LOADED,
    )
    interface: str = column(
        "",
        "Interface",
        "",
        "each difference from what the baseline accepts and returns; empty where there is none",
        LOADED,
    )
    half_width_pct: float | None = column(
        None,
        "Interval ±",
        "%",
        "half the width of the 95 % interval of the ratio: √(high ÷ low) − 1",
        ROUNDS,
        compared=False,
    )
    engines: events.TurnsMode = column(
        "together",
        "Engines",
        "",
        "together: all were loaded at once; reload: one at a time, anew for each trial; sequence: one at a time, the "
        "baseline before and after all others",
        "the run",
    )
    baseline_drift_pct: float | None = column(
        None,
        "Baseline drift",
        "%",
        "rate of the baseline's second pass ÷ its first − 1, of variants measured in sequence",
        "core.results.ratio_statistics, over the trials of both passes",
        compared=False,
    )
    itl_ms_p99: float | None = column(
        None, "Inter-token latency, p99", "ms", "gap between steps ÷ tokens of the step; needs 459 observations", STAMPS
    )
    estimate_least_bytes: int | None = column(
        None,
        "Least estimate",
        "B",
        "the estimate with the least that was ever measured of what cannot be known beforehand; on a CPU",
        "core.feasibility.memory_estimate; allowances stand in the strategies",
    )
    estimate_most_bytes: int | None = column(
        None,
        "Greatest estimate",
        "B",
        "the estimate with the most that was ever measured of what cannot be known beforehand; on a CPU",
        "core.feasibility.memory_estimate; allowances stand in the strategies",
    )
    letter: str = column(
        "", "Letter", "", "the variant's letter in every view; A is the baseline", SETTINGS
    )  # `core.results.provenance` fills these ...
    settings: str = column(
        "", "Settings", "", "the recipe with all its parameters, as JSON that `dyno` reads", SETTINGS
    )
    created: str = column("", "Date", "", "when the run began: ISO 8601, UTC", "the journal")
    dyno_version: str = column("", "Dyno", "", "version that measured", "the journal")
    prompt_set: str = column("", "Prompt set", "", "name of a built-in set, or a file", SETTINGS)
    input_tokens: int | None = column(
        None, "Tokens in", "tokens", "length of every prompt, as asked for", SETTINGS, compared=False
    )
    output_tokens: int | None = column(
        None, "Tokens out", "tokens", "tokens to generate for each request, as asked for", SETTINGS, compared=False
    )
    temperature: float | None = column(None, "Temperature", "", "of sampling; 0 is greedy", SETTINGS, compared=False)
    top_k: int | None = column(None, "Top k", "", "of sampling; 0 is off", SETTINGS, compared=False)
    top_p: float | None = column(None, "Top p", "", "of sampling; 1 is off", SETTINGS, compared=False)
    seed: int | None = column(
        None, "Seed", "", "of the order of variants, prompts, arrivals and sampling", SETTINGS, compared=False
    )
    arrival_rate: float | None = column(
        None, "Arrival rate", "req/s", "where requests arrive at random times", SETTINGS, compared=False
    )
    host: str = column("", "Host", "", "name of the machine", PROBE)
    platform: str = column("", "System", "", "operating system and its version", PROBE)
    cpu: str = column("", "Processor", "", "its model", PROBE)
    cpu_cores: int | None = column(None, "Cores", "", "that the engine may use", PROBE, compared=False)
    cpu_threads: int | None = column(None, "Threads", "", "that torch computes with", PROBE, compared=False)
    gpu: str = column("", "GPU", "", "names of the devices that torch sees; empty where there is none", PROBE)
    python: str = column("", "Python", "", "version of the engine's Python", PROBE)
    torch_version: str = column("", "torch", "", "version in the engine's Python", PROBE)
    transformers_version: str = column("", "transformers", "", "version in the engine's Python", PROBE)
    bitsandbytes_version: str = column("", "bitsandbytes", "", "version in the engine's Python; empty: none", PROBE)
    torchao_version: str = column(
        "", "torchao", "", "version in the engine's Python; empty: none", PROBE
    )  # ... down to here
    ttft_ms_p95: float | None = column(
        None, "Time to first token, p95", "ms", "first token − scheduled arrival; needs 90 requests", REQUESTS
    )
    ttft_ms_p99: float | None = column(
        None, "Time to first token, p99", "ms", "first token − scheduled arrival; needs 459 requests", REQUESTS
    )
    e2e_ms_p95: float | None = column(
        None, "End to end, p95", "ms", "last token − scheduled arrival; needs 90 requests", REQUESTS
    )
    e2e_ms_p99: float | None = column(
        None, "End to end, p99", "ms", "last token − scheduled arrival; needs 459 requests", REQUESTS
    )
    queue_ms_p95: float | None = column(
        None, "Queue, p95", "ms", "dispatch − scheduled arrival; needs 90 requests", REQUESTS
    )
    verdict_text: str = column("", "Verdict in words", "", "as the window says it", ROUNDS)
    bound_text: str = column(
        "",
        "Bound in words",
        "",
        "as the window says it; empty where trials were disturbed, so that it cannot be told",
        ROOFLINE,
    )
    rounds_disturbed: int | None = column(
        None,
        "Disturbed rounds",
        "",
        "counted rounds in which the trial of this variant or of the baseline carries a flag that others had a part of "
        "the machine, or that it slowed down",
        "the machine's state during each trial",
    )
    model_name: str = column("", "Model's name", "", "what its files call it; `model` is where they come from", LOADED)
    source_type: str = column(
        "",
        "Dequantized from",
        "",
        "what the weights were quantized to in their file, where they run dequantized: losses are relative to that",
        LOADED,
    )
    receipts: list[Receipt] = Field(default=[], exclude=False)


class Advice(Value):
    """Something to try next, or to leave out, with the measurement behind it."""

    rule: str
    bottleneck: str  # memory, concurrency, quality or speed
    binds: bool  # whether its bottleneck binds now
    what: str
    because: str
    ceiling_tok_s: float | None = None  # the most that it could reach, by the roofline
    joins: list[str] = []  # the variants that it wants in one


class Comparison(Value):
    """The rows of all variants, compared with the first."""

    schema_version: int = spec.SCHEMA_VERSION
    experiment: str
    created: str
    margin: float
    rounds: int  # finished
    rounds_planned: int
    status: str  # ok, stopped, cancelled, failed, running, interrupted
    environment: Environment | None
    machine: MachineRoof | None = None
    variants: list[Row]
    advice: list[Advice] = []
    looks: int = 0  # times that rounds were added after a verdict was known
    sessions: int = 1  # in which it was measured: a run that was over can go on

    @property
    def baseline(self) -> Row:
        return self.variants[0]
