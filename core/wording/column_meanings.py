"""The definitions of all columns of comparison.csv, trials.csv, metrics.csv and memory.csv: title, unit, formula and
source. The window, the exports and `dyno metrics` read them here; a test fails on a column without a definition."""

from __future__ import annotations

from core.analysis.column import (
    REQUESTS,
    ROUNDS,
    SAMPLES,
    SCHEDULER,
    SETTINGS,
    STAMPS,
    Meaning,
    meaning,
)
from core.analysis.comparison_row import Row

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

#: Columns of comparison.csv. A name that another table has too means the same there, of one trial or moment.
COMPARISON = {name: meaning(field) for name, field in Row.model_fields.items() if field.json_schema_extra}
MEANING = COMPARISON | TRIALS | MEMORY | METRICS
