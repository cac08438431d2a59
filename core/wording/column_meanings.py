"""What every column of comparison.csv, trials.csv, metrics.csv and memory.csv holds: title, unit, formula, and what it
is computed from. The window, the exports and `dyno metrics` read it from here; a test fails on a column without a
meaning.

Knows words only: the formulas themselves are in `core.results.metrics`, `core.results.ratio_statistics` and where a
source says.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Meaning:
    """`unit` is "" for counts, ratios and words; `source` is what the number is read from or defined by."""

    title: str
    unit: str
    formula: str
    source: str = ""


STAMPS = "step stamps (perf_counter_ns) of all counted trials"
REQUESTS = "arrival, dispatch and end of every request, and its step stamps"
ROUNDS = "core.results.ratio_statistics, over the rounds that both variants finished"
LOADED = "the loaded model, told by its engine"
SAMPLES = "samples of the engine's process at 5 Hz, and at the beginning and the end of each trial"
SCHEDULER = "counters of the batching strategy"
SETTINGS = "the experiment"
BREAKDOWN = "the engine's clock around each part, apart from the measured loop"

#: Columns of comparison.csv. A name that trials.csv or memory.csv has too means the same there, of one trial or moment.
COMPARISON = {
    "schema_version": Meaning("Schema", "", "version of this table's format; columns are only ever appended", SETTINGS),
    "experiment": Meaning("Experiment", "", "name of the run's folder", SETTINGS),
    "model": Meaning("Model", "", "source of the model as it was given", SETTINGS),
    "variant": Meaning("Variant", "", "name of the variant; the first is the baseline", SETTINGS),
    "status": Meaning("Status", "", "ok, failed, out_of_memory, cancelled or refused", "how the variant ended"),
    "recipe": Meaning("Recipe", "", "one method per slot, with its parameters", SETTINGS),
    "trials": Meaning("Trials", "", "trials that count: complete, in order, every request ok", "the journal"),
    "ttft_ms_p50": Meaning("Time to first token", "ms", "first token − scheduled arrival; median", REQUESTS),
    "tpot_ms_p50": Meaning(
        "Time per output token",
        "ms",
        "(last token − first token) ÷ (n − 1), per request; median; n ≤ 1 is not available",
        STAMPS,
    ),
    "itl_ms_p50": Meaning(
        "Inter-token latency", "ms", "gap between steps ÷ tokens of the step; median of all tokens", STAMPS
    ),
    "itl_ms_p95": Meaning(
        "Inter-token latency, p95", "ms", "gap between steps ÷ tokens of the step; needs 90 observations", STAMPS
    ),
    "decode_tok_s": Meaning(
        "Decode rate",
        "tok/s",
        "tokens after the first stamp ÷ (last − first), per request; median of the trials",
        STAMPS,
    ),
    "prefill_tok_s": Meaning(
        "Prefill rate", "tok/s", "prompt tokens ÷ (first token − dispatch); median of the requests", REQUESTS
    ),
    "speed_ratio": Meaning(
        "Speed",
        "×",
        "geometric mean of the ratio to the baseline in the same round, of the decode rates; of the aggregate rates "
        "where several requests run at once; of 1 ÷ mean end-to-end time where they arrive at random",
        ROUNDS,
    ),
    "speed_ratio_low": Meaning(
        "Speed, lower bound", "×", "lower end of the 95 % interval of the ratio; see interval_method", ROUNDS
    ),
    "speed_ratio_high": Meaning(
        "Speed, upper bound", "×", "upper end of the 95 % interval of the ratio; see interval_method", ROUNDS
    ),
    "verdict": Meaning(
        "Verdict",
        "",
        "faster or slower: the interval lies outside the margin; within_margin: inside it; else undecided; unpaired "
        "and withheld (a receipt that does not match) say nothing of speed",
        ROUNDS,
    ),
    "load_s": Meaning("Load", "s", "wall time from the command to a model that is ready to warm up", LOADED),
    "warmup_s": Meaning("Warm-up", "s", "wall time until step times are stationary; never in a trial", LOADED),
    "weights_bytes": Meaning("Weights", "B", "real storage of all weights, quantized ones included", LOADED),
    "kv_bytes": Meaning("KV cache", "B", "real storage of the cache at the end of a trial; largest", LOADED),
    "peak_process_bytes": Meaning(
        "Peak process memory",
        "B",
        "largest resident set of the engine in warm-up and trials; on Linux between two samples as well",
        SAMPLES,
    ),
    "peak_allocated_bytes": Meaning(
        "Peak allocated", "B", "largest total of the CUDA allocator in warm-up and trials", "torch.cuda's counters"
    ),
    "error": Meaning("Error", "", "what went wrong, in a sentence", "the engine, or the run"),
    "receipt_ok": Meaning(
        "Receipts match", "", "true where everything that was asked for is in effect", "receipts of the loaded model"
    ),
    "flags": Meaning(
        "Flags",
        "",
        "what a reader must know before believing the trials: each kind with its largest figure and how many trials "
        "carry it; and where strategies that are called exact gave other answers than the baseline",
        "the machine's state during each trial, and the answers",
    ),
    "rounds_paired": Meaning("Paired rounds", "", "rounds in which this variant and the baseline finished", ROUNDS),
    "interval_method": Meaning(
        "Interval", "", "t: of the log ratios per round; welch: of log rates where rounds are not paired", ROUNDS
    ),
    "log_ratio_sd": Meaning("Spread", "", "standard deviation of the log ratios per round", ROUNDS),
    "smallest_detectable_pct": Meaning(
        "Smallest detectable change", "%", "change that this many rounds with this spread would have shown", ROUNDS
    ),
    "rounds_to_settle": Meaning(
        "Rounds to settle", "", "rounds that would likely give a verdict at this spread; where it is undecided", ROUNDS
    ),
    "acceptance_rate": Meaning("Acceptance", "", "accepted ÷ drafted tokens", "counters of the draft's decoder"),
    "mean_accepted_length": Meaning(
        "Tokens per step", "", "1 + accepted ÷ verification steps", "counters of the draft's decoder"
    ),
    "load_peak_bytes": Meaning(
        "Load peak", "B", "highest resident set of the engine until the model was loaded", "the system's own maximum"
    ),
    "parameters": Meaning("Parameters", "", "weights of the model as it was loaded, before any transform", LOADED),
    "device": Meaning("Device", "", "where the model runs", LOADED),
    "dtype": Meaning("Precision", "", "type of the plain weights and of the computation", LOADED),
    "hint": Meaning("Hint", "", "the way out of the error", "the engine, or the run"),
    "concurrency": Meaning("Concurrency", "", "requests at once, as asked for", SETTINGS),
    "requests": Meaning("Requests", "", "requests of each trial", SETTINGS),
    "aggregate_tok_s": Meaning(
        "Aggregate rate",
        "tok/s",
        "tokens of all requests ÷ (last end − first arrival); median of the trials",
        REQUESTS,
    ),
    "per_user_tok_s": Meaning(
        "Rate per request", "tok/s", "tokens after the first stamp ÷ (last − first), of each request; median", STAMPS
    ),
    "request_rate": Meaning(
        "Request rate", "req/s", "requests that ended ÷ (last end − first arrival); median of the trials", REQUESTS
    ),
    "queue_ms_p50": Meaning("Queue", "ms", "dispatch − scheduled arrival: the wait for a slot; median", REQUESTS),
    "e2e_ms_p50": Meaning("End to end", "ms", "last token − scheduled arrival; median", REQUESTS),
    "tokenize_ms": Meaning(
        "Tokenize", "ms", "text to ids of one prompt, before its arrival; median of the trials", BREAKDOWN
    ),
    "prefill_ms": Meaning("Prefill", "ms", "first token − dispatch, per request; median of the trials", REQUESTS),
    "decode_ms": Meaning("Decode", "ms", "last token − first token, per request; median of the trials", STAMPS),
    "sample_ms": Meaning(
        "Sample",
        "ms",
        "choosing the tokens of one request, a part of prefill and decode; timed apart; median",
        BREAKDOWN,
    ),
    "detokenize_ms": Meaning(
        "Detokenize",
        "ms",
        "ids to text of one request, between steps and after the end; median of the trials",
        BREAKDOWN,
    ),
    "arrival": Meaning("Arrivals", "", "closed: the next comes when one has ended; poisson: at random times", SETTINGS),
}

COMPARISON["itl_ms_p99"] = Meaning(
    "Inter-token latency, p99", "ms", "gap between steps ÷ tokens of the step; needs 459 observations", STAMPS
)
ANSWERS = "greedy answers of this variant and of the baseline to the same prompts, each to its natural end"
SUITE = "answers to the regression suite, held against its checks"
QUALITY = "log-probabilities of this variant and of the baseline, on the same tokens"
COMPARISON |= {
    "kld_mean": Meaning("KL divergence", "nats/token", "mean of Σ p_base (ln p_base − ln p)", QUALITY),
    "kld_se": Meaning(
        "KL divergence, standard error", "nats/token", "standard error of the mean, bootstrap over chunks", QUALITY
    ),
    "kld_p99": Meaning("KL divergence, p99", "nats/token", "99th percentile over tokens; needs 459", QUALITY),
    "same_top_pct": Meaning("Same top token", "%", "positions where both put the same token first", QUALITY),
    "ppl_ratio": Meaning("Perplexity ratio", "×", "perplexity ÷ that of the baseline", QUALITY),
    "ppl_ratio_low": Meaning("Perplexity ratio, lower bound", "×", "of the paired 95 % interval", QUALITY),
    "ppl_ratio_high": Meaning("Perplexity ratio, upper bound", "×", "of the paired 95 % interval", QUALITY),
    "first_divergence": Meaning(
        "First divergence",
        "tokens",
        "tokens that agree before the first one that differs; smallest over the prompts, empty where all agree",
        ANSWERS,
    ),
    "gate": Meaning(
        "Gate", "", "green, amber or red, by KL divergence, same top token and the ratio's upper bound", QUALITY
    ),
    "mbu_pct": Meaning(
        "Bandwidth used",
        "%",
        "(bytes of weights read per step + KV bytes read) ÷ step time ÷ measured bandwidth",
        "receipts, step stamps, and the bandwidth measured on this machine",
    ),
    "why": Meaning("Why", "", "what bounds this result, with its numbers", "the roofline and the receipts"),
    "exact_match_pct": Meaning(
        "Same answers", "%", "answers that equal the baseline's, token for token ÷ answers", ANSWERS
    ),
    "divergence_margin": Meaning(
        "Margin at the divergence",
        "logits",
        "best logit − second best of the variant, where the first token that differs was chosen",
        ANSWERS,
    ),
    "divergence_margin_base": Meaning(
        "Baseline's margin there",
        "logits",
        "best logit − second best of the baseline at the same place: near 0, a near-tie was turned",
        ANSWERS,
    ),
    "suite_passed": Meaning("Suite passed", "", "prompts of the suite whose answer passes all its checks", SUITE),
    "suite_total": Meaning("Suite judged", "", "prompts of the suite whose answer could be judged", SUITE),
    "suite_lost": Meaning("Suite lost", "", "prompts that pass with the baseline and fail with this variant", SUITE),
    "suite_gained": Meaning(
        "Suite gained", "", "prompts that fail with the baseline and pass with this variant", SUITE
    ),
    "interface_ok": Meaning(
        "Interface kept",
        "",
        "true where the model accepts and returns what the baseline does, expected differences aside",
        LOADED,
    ),
    "interface": Meaning(
        "Interface", "", "each difference from what the baseline accepts and returns; empty where there is none", LOADED
    ),
    "half_width_pct": Meaning(
        "Interval ±", "%", "half the width of the 95 % interval of the ratio: √(high ÷ low) − 1", ROUNDS
    ),
    "engines": Meaning(
        "Engines",
        "",
        "together: all were loaded at once; reload: one at a time, anew for each trial; sequence: one at a time, the "
        "baseline before and after all others",
        "the run",
    ),
    "baseline_drift_pct": Meaning(
        "Baseline drift",
        "%",
        "rate of the baseline's second pass ÷ its first − 1, of variants measured in sequence",
        "core.results.ratio_statistics, over the trials of both passes",
    ),
}

COMPARISON |= {
    "quality_tokens": Meaning("Scored tokens", "tokens", "tokens of the text whose prediction was judged", QUALITY),
    "quality_status": Meaning(
        "Quality status", "", "reference, ok, failed, out_of_memory, refused, cancelled; empty: not asked for", SETTINGS
    ),
    "quality_error": Meaning("Quality error", "", "why a variant was not judged, and what to do", "the engine"),
    "kld_p999": Meaning("KL divergence, p99.9", "nats/token", "99.9th percentile; needs 20,000 tokens", QUALITY),
    "perplexity": Meaning(
        "Perplexity",
        "",
        "exp(Σ −ln p ÷ scored tokens): sliding window, stride half the window, context not scored",
        "log-probabilities of this variant",
    ),
}

COUNTERS = "RAPL (cpu: packages, dram) and NVML (gpu), for the whole machine; see energy_source"
COMPARISON |= {
    "peak_reserved_bytes": Meaning(
        "Peak reserved",
        "B",
        "largest total that the CUDA allocator held in warm-up and trials; varies for the same work",
        "torch.cuda's counters",
    ),
    "peak_pss_bytes": Meaning(
        "Peak proportional memory",
        "B",
        "largest proportional set of the engine: shared pages divided among their users; not read during a trial",
        SAMPLES,
    ),
    "peak_activation_bytes": Meaning(
        "Peak activations",
        "B",
        "allocated − weights − KV cache; largest in warm-up and trials",
        "torch.cuda's counters",
    ),
    "estimate_bytes": Meaning(
        "Estimated peak",
        "B",
        "weights + KV cache + activations, on a CPU + Python, its libraries and their compiled code − rows of a mapped "
        "embedding that no token asks for; made before loading",
        "core.feasibility.memory_estimate, from the model's sizes and the recipe",
    ),
    "estimate_error_pct": Meaning(
        "Error of the estimate",
        "%",
        "(estimate − measured) ÷ measured; measured: peak allocated on a GPU, peak process memory on a CPU",
        "core.feasibility.memory_estimate, and samples of the engine's process",
    ),
    "estimate_least_bytes": Meaning(
        "Least estimate",
        "B",
        "the estimate with the least that was ever measured of what cannot be known beforehand; on a CPU",
        "core.feasibility.memory_estimate; allowances stand in the strategies",
    ),
    "estimate_most_bytes": Meaning(
        "Greatest estimate",
        "B",
        "the estimate with the most that was ever measured of what cannot be known beforehand; on a CPU",
        "core.feasibility.memory_estimate; allowances stand in the strategies",
    ),
    "residue_bytes": Meaning(
        "Residue",
        "B",
        "private memory of the engine just before its end − what was free more after it; says nothing below "
        "residue_noise_bytes; not available while engines are kept warm",
        "the system's counters, and NVML on a GPU",
    ),
    "residue_noise_bytes": Meaning(
        "Noise of the residue", "B", "by how much free memory moved by itself just before", "the system's counters"
    ),
    "energy_j": Meaning(
        "Energy", "J", "what the counters took during a trial; median of the trials that all of them saw", COUNTERS
    ),
    "j_per_token": Meaning(
        "Energy per token", "J/token", "energy of a trial ÷ its generated tokens; median of the same trials", COUNTERS
    ),
    "energy_source": Meaning("Energy of", "", "the counters that could be read: cpu, dram, gpu", COUNTERS),
}

ROOFLINE = "step stamps, the loaded model's tensors, and bandwidth and peak measured on this machine"
MODEL = "step stamps, and the tensors of the loaded model and its cache"
COMPARISON |= {
    "mfu_pct": Meaning("FLOPs used", "%", "FLOPs per token × rate ÷ measured peak of the type", ROOFLINE),
    "ceiling_tok_s": Meaning(
        "Ceiling",
        "tok/s",
        "tokens of a step ÷ max(FLOPs of a step ÷ peak, bytes of a step ÷ bandwidth)",
        ROOFLINE,
    ),
    "bytes_per_token": Meaning(
        "Bytes per token",
        "B",
        "(weights that a step reads, scales included, an embedding row a token, keys and values, and a draft's) ÷ "
        "tokens that the step yields; of a mixture of experts those that its tokens meet where they are spread evenly",
        MODEL,
    ),
    "flops_per_token": Meaning(
        "FLOPs per token", "FLOP", "(2·P + 4·L·h_q·d_h·S) × tokens fed to a step ÷ tokens that it yields", MODEL
    ),
    "intensity": Meaning("Arithmetic intensity", "FLOP/B", "FLOPs of a step ÷ bytes that it reads", MODEL),
    "bound": Meaning(
        "Bound by",
        "",
        "bandwidth, compute or launch (starting operations from Python): the largest part, where it accounts for half "
        "of a step; else kernel",
        ROOFLINE,
    ),
}

PROBE = "the engine's probe of its machine"
#: What a table needs to stand alone (`core.results.provenance`).
COMPARISON |= {
    "letter": Meaning("Letter", "", "the variant's letter in every view; A is the baseline", SETTINGS),
    "settings": Meaning("Settings", "", "the recipe with all its parameters, as JSON that `dyno` reads", SETTINGS),
    "created": Meaning("Date", "", "when the run began: ISO 8601, UTC", "the journal"),
    "dyno_version": Meaning("Dyno", "", "version that measured", "the journal"),
    "prompt_set": Meaning("Prompt set", "", "name of a built-in set, or a file", SETTINGS),
    "input_tokens": Meaning("Tokens in", "tokens", "length of every prompt, as asked for", SETTINGS),
    "output_tokens": Meaning("Tokens out", "tokens", "tokens to generate for each request, as asked for", SETTINGS),
    "temperature": Meaning("Temperature", "", "of sampling; 0 is greedy", SETTINGS),
    "top_k": Meaning("Top k", "", "of sampling; 0 is off", SETTINGS),
    "top_p": Meaning("Top p", "", "of sampling; 1 is off", SETTINGS),
    "seed": Meaning("Seed", "", "of the order of variants, prompts, arrivals and sampling", SETTINGS),
    "arrival_rate": Meaning("Arrival rate", "req/s", "where requests arrive at random times", SETTINGS),
    "host": Meaning("Host", "", "name of the machine", PROBE),
    "platform": Meaning("System", "", "operating system and its version", PROBE),
    "cpu": Meaning("Processor", "", "its model", PROBE),
    "cpu_cores": Meaning("Cores", "", "that the engine may use", PROBE),
    "cpu_threads": Meaning("Threads", "", "that torch computes with", PROBE),
    "gpu": Meaning("GPU", "", "names of the devices that torch sees; empty where there is none", PROBE),
    "python": Meaning("Python", "", "version of the engine's Python", PROBE),
    "torch_version": Meaning("torch", "", "version in the engine's Python", PROBE),
    "transformers_version": Meaning("transformers", "", "version in the engine's Python", PROBE),
    "bitsandbytes_version": Meaning("bitsandbytes", "", "version in the engine's Python; empty: none", PROBE),
    "torchao_version": Meaning("torchao", "", "version in the engine's Python; empty: none", PROBE),
    "ttft_ms_p95": Meaning(
        "Time to first token, p95", "ms", "first token − scheduled arrival; needs 90 requests", REQUESTS
    ),
    "ttft_ms_p99": Meaning(
        "Time to first token, p99", "ms", "first token − scheduled arrival; needs 459 requests", REQUESTS
    ),
    "e2e_ms_p95": Meaning("End to end, p95", "ms", "last token − scheduled arrival; needs 90 requests", REQUESTS),
    "e2e_ms_p99": Meaning("End to end, p99", "ms", "last token − scheduled arrival; needs 459 requests", REQUESTS),
    "queue_ms_p95": Meaning("Queue, p95", "ms", "dispatch − scheduled arrival; needs 90 requests", REQUESTS),
    "verdict_text": Meaning("Verdict in words", "", "as the window says it", ROUNDS),
    "model_name": Meaning("Model's name", "", "what its files call it; `model` is where they come from", LOADED),
    "source_type": Meaning(
        "Dequantized from",
        "",
        "what the weights were quantized to in their file, where they run dequantized: losses are relative to that",
        LOADED,
    ),
    "rounds_disturbed": Meaning(
        "Disturbed rounds",
        "",
        "counted rounds in which the trial of this variant or of the baseline carries a flag that others had a part of "
        "the machine, or that it slowed down",
        "the machine's state during each trial",
    ),
    "bound_text": Meaning(
        "Bound in words",
        "",
        "as the window says it; empty where trials were disturbed, so that it cannot be told",
        ROOFLINE,
    ),
}

#: Columns that only trials.csv has.
TRIALS = {
    "round": Meaning("Round", "", "number of the round, from 0", SETTINGS),
    "prompt_tokens": Meaning("Prompt tokens", "tokens", "ids of all prompts of the trial", "the engine"),
    "requested_tokens": Meaning("Requested tokens", "tokens", "new_tokens × requests", SETTINGS),
    "new_tokens": Meaning("New tokens", "tokens", "ids that were generated, of all requests", STAMPS),
    "ttft_ms": Meaning(
        "Time to first token", "ms", "first token − scheduled arrival; median of the trial's requests", REQUESTS
    ),
    "tpot_ms": Meaning(
        "Time per output token",
        "ms",
        "(last token − first token) ÷ (n − 1); median of the trial's requests",
        STAMPS,
    ),
    "e2e_ms": Meaning("End to end", "ms", "last token − scheduled arrival; median of the trial's requests", REQUESTS),
    "drafted": Meaning("Drafted", "tokens", "tokens that a draft guessed", "counters of the draft's decoder"),
    "accepted": Meaning("Accepted", "tokens", "drafted tokens that the target kept", "counters of the draft's decoder"),
    "verify_steps": Meaning(
        "Verification steps", "", "passes of the target after the prefill", "counters of the draft's decoder"
    ),
    "queue_ms": Meaning(
        "Queue", "ms", "dispatch − scheduled arrival: the wait for a slot; median of the trial's requests", REQUESTS
    ),
    "steps": Meaning("Steps", "", "forward passes of the trial", SCHEDULER),
    "mean_occupancy": Meaning(
        "Occupancy", "requests", "requests that were being served, mean over the steps", SCHEDULER
    ),
    "prefill_chunks": Meaning("Prefill chunks", "", "passes over a prompt or a part of one", SCHEDULER),
    "longest_step_ms": Meaning("Longest step", "ms", "longest forward pass of the trial", "step stamps"),
    "prefix_hit_pct": Meaning(
        "Prefix cache hits", "%", "prompt tokens that came out of a prefix cache ÷ all", "counters of the prefix store"
    ),
    "start_s": Meaning(
        "Start", "s", "first arrival − beginning of the run, without the time for which the machine was off", REQUESTS
    ),
    "place": Meaning("Place in the round", "", "which of the round's trials it was, from 1", SETTINGS),
    "prompt_id": Meaning(
        "Prompt",
        "",
        "first 12 hex digits of the SHA-256 of the first prompt's ids: alike where prompts are",
        "the engine",
    ),
}

#: Columns that only metrics.csv has: one row a variant and metric.
METRICS = {
    "metric": Meaning("Metric", "", "name of the column of comparison.csv that the row is about", SETTINGS),
    "unit": Meaning("Unit", "", "of estimate, low and high; empty for counts and ratios", SETTINGS),
    "better": Meaning("Better", "", "higher or lower", SETTINGS),
    "estimate": Meaning(
        "Estimate",
        "",
        "the variant's figure: geometric mean over the rounds, or as that column has it where there are none",
        ROUNDS,
    ),
    "low": Meaning(
        "Lower bound",
        "",
        "of the 95 % interval of the figure by itself: t on the logs per round; of a divergence, normal. It holds the "
        "machine's drift, which ratios per round are free of: intervals that overlap may be told apart all the same",
        ROUNDS,
    ),
    "high": Meaning("Upper bound", "", "of the same interval; empty where a metric has no rounds", ROUNDS),
    "ratio": Meaning(
        "Ratio",
        "×",
        "to the baseline: geometric mean of the ratios within rounds; of figures without rounds, one ÷ the other",
        ROUNDS,
    ),
    "ratio_low": Meaning("Ratio, lower bound", "×", "of the 95 % interval of the ratio; see interval_method", ROUNDS),
    "ratio_high": Meaning("Ratio, upper bound", "×", "of the 95 % interval of the ratio; see interval_method", ROUNDS),
}

#: Columns that only memory.csv has: the engine's memory at each moment at which it was read.
MEMORY = {
    "t_s": Meaning("Time", "s", "since the beginning of the run, on the clock of its driver", SAMPLES),
    "phase": Meaning("Phase", "", "what the engine was doing: load, transform, warmup, trial, …", "the engine"),
    "activations_bytes": Meaning("Activations", "B", "allocated − weights − KV cache; on a GPU", SAMPLES),
    "other_bytes": Meaning(
        "Other", "B", "process − weights − KV cache; on a CPU: Python, its libraries and the activations", SAMPLES
    ),
    "allocated_bytes": Meaning(
        "Allocated", "B", "highest total of the CUDA allocator since the sample before", "torch.cuda's counters"
    ),
    "reserved_bytes": Meaning(
        "Reserved", "B", "highest total that the CUDA allocator held since the sample before", "torch.cuda's counters"
    ),
    "process_bytes": Meaning(
        "Process", "B", "resident set of the engine; on Linux its highest since the sample before", SAMPLES
    ),
    "pss_bytes": Meaning("Proportional memory", "B", "shared pages divided among their users; not in a trial", SAMPLES),
    "device_process_bytes": Meaning("Process on the device", "B", "what the driver says the engine holds", "NVML"),
}

MEANING = COMPARISON | TRIALS | MEMORY | METRICS
