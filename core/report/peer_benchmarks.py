"""A variant's latencies and rates as other benchmarks define them: vLLM, GuideLLM, LLMPerf, MLPerf. Pure functions of
trials; each figure carries its formula and source.

The same words mean different things. GuideLLM's TPOT contains the first token, and its ITL is vLLM's TPOT; LLMPerf's
inter-token latency contains the TTFT; vLLM's ITL is a gap between chunks, whatever their size. Here a step is a chunk.
Three of the four start the clock at dispatch, after any client-side wait; MLPerf starts it at the scheduled arrival, as
Dyno does. Nothing is counted from text. A figure that a peer would print as 0 for lack of data is None here.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.base.value import Value
from core.results.metrics import NEEDED, e2e_ms, tpot_ms, ttft_ms, window_ns
from core.results.trials import Request, Trial

Measure = Callable[[Request], float | None]
Pick = Callable[[Sequence[float]], float | None]


class Figure(Value):
    """One number as a peer would print it; None if not available."""

    name: str
    value: float | None
    unit: str
    formula: str
    source: str


@dataclass(frozen=True)
class _Row:
    name: str
    unit: str
    formula: str
    compute: Callable[[Sequence[Trial]], float | None]


# -- of one request ---------------------------------------------------------------------------------------
def from_dispatch_ttft_ms(request: Request) -> float | None:
    """Return first token − dispatch, in ms: without the wait for a slot."""
    return (request.at_ns[0] - request.dispatch_ns) / 1e6 if request.at_ns else None


def from_dispatch_e2e_ms(request: Request) -> float | None:
    """Return last token − dispatch, in ms."""
    return (request.at_ns[-1] - request.dispatch_ns) / 1e6 if request.at_ns else None


def with_first_tpot_ms(request: Request) -> float | None:
    """Return (last token − dispatch) ÷ n, in ms per token, prefill included."""
    span = from_dispatch_e2e_ms(request)
    return span / request.count if span is not None and request.count else None


def from_dispatch_tok_s(request: Request) -> float | None:
    """Return n ÷ (last token − dispatch), in tok/s."""
    span = from_dispatch_e2e_ms(request)
    return 1000 * request.count / span if span else None


def chunk_gaps_ms(request: Request) -> list[float]:
    """Return the gaps between chunks in ms, one per gap, whatever the chunks' sizes."""
    return [(b - a) / 1e6 for a, b in zip(request.at_ns, request.at_ns[1:], strict=False)]


# -- over the requests ------------------------------------------------------------------------------------
def _mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _ranked(share: float) -> Pick:
    """Return LoadGen's percentile function: the value at place ⌊share · n⌋ of the sorted ones, without interpolation;
    None below the observations that its early-stopping bound needs."""

    def pick(values: Sequence[float]) -> float | None:
        if len(values) < NEEDED[round(100 * share)]:
            return None
        return sorted(values)[int(len(values) * share)]

    return pick


def _requests(trials: Iterable[Trial]) -> list[Request]:
    """Return the requests that ended well."""
    return [r for trial in trials for r in trial.requests if r.status == "ok"]


def _over(measure: Measure, pick: Pick) -> Callable[[Sequence[Trial]], float | None]:
    return lambda trials: pick([x for r in _requests(trials) if (x := measure(r)) is not None])


def _pooled_gaps(trials: Sequence[Trial], pick: Pick) -> float | None:
    return pick([gap for r in _requests(trials) for gap in chunk_gaps_ms(r)])


def _per_second(count: Callable[[Request], int]) -> Callable[[Sequence[Trial]], float | None]:
    """Return a function: a count over the requests that ended well ÷ the time of the trials, without the pauses between
    them, which no peer's run has."""

    def rate(trials: Sequence[Trial]) -> float | None:
        spans = [window_ns(t) for t in trials if t.requests]
        total = sum(end - 1 - start for start, end in spans)  # the window is half-open
        return sum(map(count, _requests(trials))) * 1e9 / total if total > 0 else None

    return rate


def _one(request: Request) -> int:
    return 1


def _tokens(request: Request) -> int:
    return request.count


def _all_tokens(request: Request) -> int:
    return request.count + request.prompt_tokens


def _both(label: str, formula: str, measure: Measure, unit: str = "ms") -> tuple[_Row, _Row]:
    return (
        _Row(f"mean {label}", unit, f"{formula}; mean", _over(measure, _mean)),
        _Row(f"median {label}", unit, f"{formula}; median", _over(measure, _median)),
    )


_VLLM = (
    *_both("TTFT", "first chunk − request sent", from_dispatch_ttft_ms),
    *_both("TPOT", "(last chunk − first chunk) ÷ (n − 1), per request with n > 1", tpot_ms),
    _Row("mean ITL", "ms", "gap between chunks, all requests pooled; mean", lambda t: _pooled_gaps(t, _mean)),
    _Row("median ITL", "ms", "gap between chunks, all requests pooled; median", lambda t: _pooled_gaps(t, _median)),
    *_both("E2EL", "last chunk − request sent", from_dispatch_e2e_ms),
    _Row("output token throughput", "tok/s", "output tokens of all requests ÷ duration", _per_second(_tokens)),
    _Row("total token throughput", "tok/s", "(prompt + output tokens) ÷ duration", _per_second(_all_tokens)),
    _Row("request throughput", "req/s", "requests that succeeded ÷ duration", _per_second(_one)),
)
_GUIDELLM = (
    *_both("time_to_first_token_ms", "first token − request sent", from_dispatch_ttft_ms),
    *_both("time_per_output_token_ms", "(last token − request sent) ÷ n: the first token is in it", with_first_tpot_ms),
    *_both("inter_token_latency_ms", "(last token − first token) ÷ (n − 1), per request", tpot_ms),
    *_both("request_latency", "end − request sent", lambda r: _seconds(from_dispatch_e2e_ms(r)), "s"),
    *_both("output_tokens_per_second of a request", "n ÷ request latency", from_dispatch_tok_s, "tok/s"),
)
_LLMPERF = (
    *_both("ttft_s", "first chunk − request sent", lambda r: _seconds(from_dispatch_ttft_ms(r)), "s"),
    *_both(
        "inter_token_latency_s",
        "(TTFT + gaps between chunks) ÷ n: the first token is in it",
        lambda r: _seconds(with_first_tpot_ms(r)),
        "s",
    ),
    *_both("end_to_end_latency_s", "end − request sent", lambda r: _seconds(from_dispatch_e2e_ms(r)), "s"),
    *_both("request_output_throughput", "n ÷ end-to-end latency, per request", from_dispatch_tok_s, "tok/s"),
    _Row("overall output throughput", "tok/s", "output tokens of all requests ÷ duration", _per_second(_tokens)),
    _Row(
        "completed requests per minute",
        "1/min",
        "60 · requests that succeeded ÷ duration",
        lambda t: None if (rate := _per_second(_one)(t)) is None else 60 * rate,
    ),
)
_MLPERF = (
    _Row("mean first token latency", "ms", "first token − scheduled arrival; mean", _over(ttft_ms, _mean)),
    _Row(
        "99th percentile first token latency",
        "ms",
        "first token − scheduled arrival; value at place ⌊0.99 n⌋ of the sorted; needs 459 requests",
        _over(ttft_ms, _ranked(0.99)),
    ),
    _Row(
        "mean time per output token",
        "ms",
        "(last token − first token) ÷ (n − 1), per request; mean",
        _over(tpot_ms, _mean),
    ),
    _Row(
        "99th percentile time per output token",
        "ms",
        "(last token − first token) ÷ (n − 1); value at place ⌊0.99 n⌋ of the sorted; needs 459 requests",
        _over(tpot_ms, _ranked(0.99)),
    ),
    _Row("mean latency", "ms", "completion − scheduled arrival; mean", _over(e2e_ms, _mean)),
    _Row("completed tokens per second", "tok/s", "tokens ÷ time until the last sample was done", _per_second(_tokens)),
)
PEERS: dict[str, tuple[str, tuple[_Row, ...]]] = {
    "vllm": ("vLLM, vllm/benchmarks/serve.py, calculate_metrics", _VLLM),
    "guidellm": ("GuideLLM, src/guidellm/schemas/request_stats.py, GenerativeRequestStats", _GUIDELLM),
    "llmperf": ("LLMPerf, token_benchmark_ray.py and openai_chat_completions_client.py", _LLMPERF),
    "mlperf": ("MLPerf Inference LoadGen, loadgen/results.cc, Server scenario", _MLPERF),
}


def figures(peer: str, trials: Sequence[Trial]) -> list[Figure]:
    """Return what `peer` (a key of `PEERS`) would print of these trials of one variant. Raises KeyError."""
    source, rows = PEERS[peer]
    return [
        Figure(name=row.name, value=row.compute(trials), unit=row.unit, formula=row.formula, source=source)
        for row in rows
    ]


def _seconds(ms: float | None) -> float | None:
    return None if ms is None else ms / 1000
