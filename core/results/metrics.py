"""The definitions of all metrics: pure functions of raw stamps. An unavailable figure is None, never 0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from core.results.trials import Request, Trial

# Observations that a percentile needs before it says anything: MLPerf's early-stopping bound at 99 %.
NEEDED = {50: 2, 90: 44, 95: 90, 99: 459}


def ttft_ms(request: Request) -> float | None:
    """Return time to first token: first token − scheduled arrival, in ms."""
    return (request.at_ns[0] - request.arrival_ns) / 1e6 if request.at_ns else None


def client_queue_ms(request: Request) -> float:
    """Return time a request waited before it was dispatched, in ms; it is part of TTFT."""
    return (request.dispatch_ns - request.arrival_ns) / 1e6


def step_gaps_ms(request: Request) -> list[float]:
    """Return time between one forward pass of the target model and the next, in ms."""
    return [(b - a) / 1e6 for a, b in zip(request.at_ns, request.at_ns[1:], strict=False)]


def itl_ms(request: Request) -> list[float]:
    """Return the inter-token latencies in ms: gap between steps ÷ tokens of the step, once for each of its tokens."""
    gaps = step_gaps_ms(request)
    return [gap / n for gap, n in zip(gaps, request.tokens[1:], strict=True) for _ in range(n)]


def tpot_ms(request: Request) -> float | None:
    """Return time per output token: (last token − first token) ÷ (n − 1), in ms; not available for n ≤ 1."""
    n = request.count
    return (request.at_ns[-1] - request.at_ns[0]) / 1e6 / (n - 1) if n > 1 and len(request.at_ns) > 1 else None


def e2e_ms(request: Request) -> float | None:
    """Return last token − scheduled arrival, in ms."""
    return (request.at_ns[-1] - request.arrival_ns) / 1e6 if request.at_ns else None


def decode_tok_s(request: Request) -> float | None:
    """Return tokens after the first stamp ÷ (last − first), in tok/s."""
    if len(request.at_ns) < 2 or request.at_ns[-1] <= request.at_ns[0]:
        return None
    return sum(request.tokens[1:]) * 1e9 / (request.at_ns[-1] - request.at_ns[0])


def prefill_tok_s(request: Request) -> float | None:
    """Return prompt tokens ÷ time of the prefill (dispatch to first token), in tok/s."""
    if not request.at_ns or request.at_ns[0] <= request.dispatch_ns:
        return None
    return request.prompt_tokens * 1e9 / (request.at_ns[0] - request.dispatch_ns)


def e2e_tok_s(request: Request) -> float | None:
    """Return tokens ÷ (end − arrival), in tok/s; not available without a token."""
    span = request.end_ns - request.arrival_ns
    return request.count * 1e9 / span if request.count and span > 0 else None


def aggregate_tok_s(requests: Iterable[Request], start_ns: int, end_ns: int) -> float | None:
    """Return tokens whose time falls in the window [start, end) ÷ window, in tok/s: by token, not by request."""
    if end_ns <= start_ns:
        return None
    inside = sum(n for r in requests for t, n in zip(r.at_ns, r.tokens, strict=True) if start_ns <= t < end_ns)
    return inside * 1e9 / (end_ns - start_ns)


def request_rate(requests: Iterable[Request], start_ns: int, end_ns: int) -> float | None:
    """Return requests that end well in the window [start, end) ÷ window, in req/s."""
    if end_ns <= start_ns:
        return None
    ended = sum(1 for r in requests if r.status == "ok" and start_ns <= r.end_ns < end_ns)
    return ended * 1e9 / (end_ns - start_ns)


def goodput(
    requests: Iterable[Request], start_ns: int, end_ns: int, objectives: Iterable[Callable[[Request], bool]]
) -> float | None:
    """Return requests that meet every objective ÷ window, in req/s."""
    tests = list(objectives)
    return request_rate([r for r in requests if all(test(r) for test in tests)], start_ns, end_ns)


def acceptance_rate(drafted: int, accepted: int) -> float | None:
    """Return accepted ÷ drafted tokens."""
    return accepted / drafted if drafted else None


def mean_accepted_length(accepted: int, verify_steps: int) -> float | None:
    """Return 1 + accepted ÷ verification steps, in tokens per step."""
    return 1 + accepted / verify_steps if verify_steps else None


def percentile(values: Sequence[float], p: int) -> float | None:
    """Return the linearly interpolated percentile; None below the observations that it needs (2, 44, 90, 459)."""
    if len(values) < NEEDED[p]:
        return None
    ordered = sorted(values)
    place = (len(ordered) - 1) * p / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def window_ns(trial: Trial) -> tuple[int, int]:
    """Return the window from the first arrival to just after the last end."""
    ends = (t for r in trial.requests for t in (r.end_ns, *r.at_ns[-1:]))
    start = min((r.arrival_ns for r in trial.requests), default=0)
    return start, max(ends, default=start) + 1


def span_s(trial: Trial) -> float:
    """Return the length of the trial's window in s."""
    start, end = window_ns(trial)
    return (end - start) / 1e9


def _lasted(trial: Trial) -> bool:
    """Return whether any time passed in the window, which is never shorter than 1 ns."""
    start, end = window_ns(trial)
    return bool(trial.requests) and end - start > 1


def trial_aggregate_tok_s(trial: Trial) -> float | None:
    """Return tokens of all requests ÷ time from the first arrival to the last end, in tok/s; None if no time passed."""
    return aggregate_tok_s(trial.requests, *window_ns(trial)) if _lasted(trial) else None


def trial_request_rate(trial: Trial) -> float | None:
    """Return requests that ended well ÷ time from the first arrival to the last end, in req/s; None if no time
    passed."""
    return request_rate(trial.requests, *window_ns(trial)) if _lasted(trial) else None


def trial_decode_tok_s(trial: Trial) -> float | None:
    """Return tokens after the first stamps ÷ the times in which they came, over all requests, in tok/s per request."""
    timed = [r for r in trial.requests if len(r.at_ns) > 1 and r.at_ns[-1] > r.at_ns[0]]
    spans = sum(r.at_ns[-1] - r.at_ns[0] for r in timed)
    return sum(sum(r.tokens[1:]) for r in timed) * 1e9 / spans if spans else None


def trial_rate(trial: Trial) -> float | None:
    """Return the rate that variants are compared by: decode rate at concurrency 1, else aggregate rate, in tok/s. If
    requests arrive by their own clock it is 1 ÷ mean end-to-end time in 1/s, since every server that keeps up has the
    aggregate rate of the arrivals."""
    if not trial.ok:
        return None
    if trial.done.arrival == "poisson":
        spans = [ms for r in trial.requests if (ms := e2e_ms(r)) is not None]
        return 1000 * len(spans) / sum(spans) if sum(spans) > 0 else None
    return trial_decode_tok_s(trial) if trial.done.concurrency == 1 else trial_aggregate_tok_s(trial)


def energy_j(trial: Trial) -> float | None:
    """Return the joules that the machine's readable counters measured during the trial."""
    return sum(trial.done.energy.values()) if trial.done.energy else None


def j_per_token(trial: Trial) -> float | None:
    """Return the trial's energy ÷ its generated tokens, in J/token, the prefill's energy included."""
    energy, tokens = energy_j(trial), sum(r.count for r in trial.requests)
    return energy / tokens if energy is not None and tokens else None


def prefix_hit_pct(trial: Trial) -> float | None:
    """Return prompt tokens from a prefix cache ÷ all prompt tokens, in %."""
    prompts = sum(r.prompt_tokens for r in trial.requests)
    return 100 * trial.done.reused_tokens / prompts if prompts else None


def part_ms(trial: Trial, name: str) -> float | None:
    """Return one part of the mean request's time (`events.Breakdown`) in ms; None if it was not measured."""
    return getattr(trial.done.breakdown, name, None)
