"""Small event streams with known stamps, for the tests of what is computed from them."""

from core.model.receipt import Receipt
from core.protocol import events
from core.results.trials import Request
from core.spec import experiment as spec

MS = 1_000_000


def request(at_ms: list[float], tokens: list[int] | None = None, arrival_ms: float = 0, **changes) -> Request:
    """A request with stamps in milliseconds; one token a step unless told."""
    values = {
        "arrival_ns": int(arrival_ms * MS),
        "dispatch_ns": int(arrival_ms * MS),
        "end_ns": int((at_ms[-1] if at_ms else arrival_ms) * MS),
        "prompt_tokens": 10,
        "at_ns": tuple(int(t * MS) for t in at_ms),
        "tokens": tuple(tokens or [1] * len(at_ms)),
        **changes,
    }
    return Request(**values)


def started(names: list[str], rounds: int, **workload) -> events.Started:
    experiment = spec.parse({"variant": [{"name": n} for n in names], "workload": {"trials": rounds, **workload}})
    return events.Started(
        schema_version=1,
        dyno_version="0",
        created="2026-01-01T00:00:00+00:00",
        experiment=experiment.dump(),
        schedule=[names] * rounds,
    )


def loaded(name: str, **changes) -> events.Loaded:
    values = {
        "load_s": 1.5,
        "weights_bytes": 1000,
        "weights_bytes_before": 2000,
        "parameters": 500,
        "device": "cpu",
        "dtype": "bfloat16",
        "fingerprint": "f" * 64,
        **changes,
    }
    return events.Loaded(variant=name, **values)


def trial(name: str, number: int, step_ms: float, tokens: int = 9, ttft_ms: float = 50, **changes):
    """The events of one trial whose steps take `step_ms` each."""
    stamps = [int((ttft_ms + step_ms * i) * MS) for i in range(tokens)]
    yield events.Phase(variant=name, phase="trial", round=number)
    half = tokens // 2
    yield events.Steps(variant=name, round=number, at_ns=stamps[:half], tokens=[1] * half)
    yield events.Steps(variant=name, round=number, at_ns=stamps[half:], tokens=[1] * (tokens - half))
    times = events.RequestTimes(arrival_ns=0, dispatch_ns=0, end_ns=stamps[-1], prompt_tokens=10, new_tokens=tokens)
    values = {
        "requests": [times],
        "requested_tokens": tokens,
        "prompt_ids": list(range(10)),
        "token_ids": list(range(tokens)),
        "text": "x",
        **changes,
    }
    yield events.TrialDone(variant=name, round=number, **values)


def receipts(name: str, matches: bool = True) -> events.Receipts:
    one = Receipt(slot="precision", requested="bf16", effective="bf16" if matches else "fp32", matches=matches)
    return events.Receipts(variant=name, receipts=[one])


def run(ratios: list[float], names=("a", "b"), step_ms: float = 10, **changes):
    """A whole run: in round i, the second variant is `ratios[i]` times as fast as the first."""
    base, other = names
    yield started(list(names), len(ratios))
    for name in names:
        yield loaded(name)
        yield receipts(name)
        yield events.Warm(variant=name, warmup_s=0.5, passes=2, steady=True)
    for number, ratio in enumerate(ratios):
        yield from trial(base, number, step_ms, **changes)
        yield from trial(other, number, step_ms / ratio, **changes)
    yield events.Finished(status="ok", rounds=len(ratios))
