"""The serving loop and what a trial of several requests reports: arrivals, stamps, receipts, the parts of a
request's time."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.engine.load.load import load
from core.engine.serve.serve import arrivals, serve
from core.engine.serve.trial import run_trial
from core.engine.serve.warmup import warm_up
from core.kernels.batching.serving import Counts, ServedRequest
from core.kernels.decoding.sampling import Sampler
from core.machine.environment import Environment
from core.model.source import ModelSource
from core.protocol import events
from core.protocol.commands import LoadCommand, Prompt, TrialCommand
from core.results import metrics
from core.results.trials import assemble
from core.spec.variant import REGISTRY
from core.spec.workload import Workload
from tests.core.tiny import save_tiny
from tests.process.engine_child import FILLER

MS = 1_000_000


class Slow:
    """A server with one slot: a step takes 10 ms and yields one token."""

    slots = 1

    def prepare(self, length: int) -> None:
        self.waiting: list[ServedRequest] = []
        self.left = 0
        self.begun: list[int] = []
        self.counts = Counts()

    def admit(self, job: ServedRequest) -> None:
        self.waiting.append(job)

    def ready(self) -> bool:
        return bool(self.waiting)

    def start_anyway(self) -> None: ...

    def step(self) -> list[tuple[int, list[int]]]:
        time.sleep(0.01)
        job = self.waiting[0]
        self.begun = [] if self.left else [job.number]
        self.left = (self.left or job.new_tokens) - 1
        if not self.left:
            self.waiting.pop(0)
        return [(job.number, [65])]


def job(number: int, new_tokens: int = 3) -> ServedRequest:
    return ServedRequest(number, [1, 2], new_tokens, Sampler())


def test_arrivals() -> None:
    closed = Workload(concurrency=2, requests=5)
    assert arrivals(closed, 1) == [0, 0, None, None, None]
    assert arrivals(Workload(concurrency=3), 1) == [0, 0, 0]
    open_loop = Workload(concurrency=2, requests=2000, arrival="poisson", rate=50)
    found = arrivals(open_loop, 1)
    assert found == arrivals(open_loop, 1) != arrivals(open_loop, 2)
    assert found[0] == 0
    gaps = [b - a for a, b in pairwise(found)]  # type: ignore[operator]
    assert min(gaps) > 0
    mean = sum(gaps) / len(gaps)
    spread = (sum((g - mean) ** 2 for g in gaps) / len(gaps)) ** 0.5
    assert mean == pytest.approx(1 / 50, rel=0.1)
    assert spread == pytest.approx(mean, rel=0.1)  # exponential: as wide as it is long


def test_a_closed_loop_asks_again_when_it_is_answered() -> None:
    server = Slow()
    served = serve(server, [job(i) for i in range(4)], [0.0, 0.0, None, None], lambda done: None)  # type: ignore[arg-type]
    first, second, third, fourth = served.passes
    assert first.arrival_ns == second.arrival_ns
    assert (third.arrival_ns, fourth.arrival_ns) == (first.end_ns, second.end_ns)
    assert second.dispatch_ns >= first.end_ns  # it had to wait
    assert first.at_ns[0] - first.dispatch_ns >= 10 * MS
    for done in served.passes:
        assert done.arrival_ns <= done.dispatch_ns < done.at_ns[0] < done.at_ns[-1] == done.end_ns
        assert done.tokens == [1, 1, 1]
    assert len(served.step_ns) == sum(served.step_tokens) == 12


def test_an_open_loop_counts_the_wait_from_the_scheduled_arrival() -> None:
    """Three requests of 30 ms each, 5 ms apart: the third waits for two others."""
    offsets = [0.0, 0.005, 0.010, 0.6]
    served = serve(Slow(), [job(i) for i in range(4)], offsets, lambda done: None)  # type: ignore[arg-type]
    arrived = [done.arrival_ns - served.passes[0].arrival_ns for done in served.passes]
    assert arrived == [round(1e9 * at) for at in offsets]
    waits = [(done.dispatch_ns - done.arrival_ns) / MS for done in served.passes]
    assert waits[2] >= 45
    assert waits[3] < waits[2]  # the queue was empty again
    assert served.passes[3].at_ns[0] - served.passes[0].arrival_ns >= 610 * MS  # nobody is served early


def test_a_server_that_misbehaves_is_stopped() -> None:
    class Generous(Slow):
        def step(self) -> list[tuple[int, list[int]]]:
            return [(number, ids * 9) for number, ids in super().step()]

    class Asleep(Slow):
        def ready(self) -> bool:
            return False

    for server, words in ((Generous(), "which makes 9"), (Asleep(), "stands still")):
        with pytest.raises(RuntimeError, match=words):
            serve(server, [job(0)], [0.0], lambda done: None)  # type: ignore[arg-type]


# -- whole trials on a tiny model ---------------------------------------------------------------------------
class Channel:
    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, event: events.Event) -> None:
        self.sent.append(event)

    def enter(self, phase: Any, round: int | None = None, detail: str = "") -> None: ...
    def log(self, text: str, level: Any = "info") -> None: ...

    def of(self, kind: type) -> list[Any]:
        return [e for e in self.sent if isinstance(e, kind)]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("tiny") / "llama")


def measured(
    tiny: Path, batching: Any, slots: dict[str, Any] | None = None, **workload: Any
) -> tuple[events.TrialDone, Channel, Any]:
    """Load, warm up, one trial; fp32, so that all ways of batching give the same tokens."""
    channel = Channel()
    variant = {"name": "v", "precision": "fp32", **(slots or {})} | ({"batching": batching} if batching else {})
    work = Workload(prompt_tokens=40, new_tokens=12, **workload)
    command = LoadCommand(model=ModelSource(source=str(tiny)), variant=variant, workload=work)
    runtime = load(command, Environment(), channel, None)  # type: ignore[arg-type]
    assert all(r.matches for r in channel.of(events.Receipts)[-1].receipts)
    asked = [Prompt(text=f"Question {i}.", filler=FILLER) for i in range(3 * work.request_count)]
    warm_up(runtime, asked[work.request_count :], channel)  # type: ignore[arg-type]
    channel.sent.clear()
    first, *others = asked[: work.request_count]
    run_trial(runtime, TrialCommand(round=2, prompt=first, others=others, seed=9), channel, None, True)  # type: ignore[arg-type]
    (done,) = channel.of(events.TrialDone)
    return done, channel, runtime


@pytest.mark.parametrize("batching", [None, *REGISTRY["batching"]])
def test_a_trial_of_several_requests(tiny: Path, batching: str | None) -> None:
    done, channel, _ = measured(tiny, batching, concurrency=3, requests=7)
    assert (done.concurrency, done.requested_tokens, len(done.requests)) == (3, 84, 7)
    assert [r.request for r in done.requests] == list(range(7))
    assert [o.request for o in done.others] == list(range(1, 7))
    prompts = [done.prompt_ids, *(o.prompt_ids for o in done.others)]
    assert len({tuple(p) for p in prompts}) == 7
    assert {len(p) for p in prompts} == {40}
    assert bytes(prompts[6]).decode().startswith("<|user|>Question 6.")

    trial = assemble(done, channel.of(events.Steps))
    assert [r.count for r in trial.requests] == [12] * 7
    for request in trial.requests:
        assert request.arrival_ns <= request.dispatch_ns < request.at_ns[0]
        assert request.at_ns[-1] == request.end_ns
        assert all(a < b for a, b in pairwise(request.at_ns))
    ends = sorted(r.end_ns for r in trial.requests)
    assert sorted(r.arrival_ns for r in trial.requests)[3:] == ends[:4]  # the user who has an answer asks again
    assert metrics.trial_rate(trial) == metrics.trial_aggregate_tok_s(trial)

    assert done.batching is not None
    assert done.batching.slots == (1 if batching in (None, "single") else 3)
    assert done.batching.steps * done.batching.mean_occupancy >= 7 * 12
    assert done.batching.prefill_chunks == (3 if batching == "static" else 7)
    assert done.batching.longest_step_ms > 0
    assert done.breakdown is not None
    parts = done.breakdown
    e2e = sum(r.end_ns - r.arrival_ns for r in trial.requests) / 7 / MS
    assert parts.queue_ms + parts.prefill_ms + parts.decode_ms == pytest.approx(e2e)
    for small in (parts.tokenize_ms, parts.sample_ms, parts.detokenize_ms):
        assert small is not None
        assert small > 0
    assert "tokens" not in "".join(done.flags)

    receipts = {r.slot: r for r in channel.of(events.Receipts)[-1].receipts}
    assert ("batching" in receipts) == (batching is not None)
    assert all(r.matches for r in receipts.values())

    said: dict[int, str] = {}
    for text in channel.of(events.Text):
        said[text.request] = said.get(text.request, "") + text.text
    whole = [done.text, *(o.text for o in done.others)]
    assert said
    assert all(whole[request] == text for request, text in said.items())


def test_every_way_of_batching_gives_the_same_tokens(tiny: Path) -> None:
    def tokens(batching: Any) -> list[list[int]]:
        done, _, _ = measured(tiny, batching, concurrency=4, requests=6)
        return [done.token_ids, *(o.token_ids for o in done.others)]

    expected = tokens(None)
    assert tokens("static") == expected
    assert tokens({"method": "continuous", "slots": 2, "token_budget": 7}) == expected


def test_taking_turns_works_with_any_decoder(tiny: Path) -> None:
    plain, _, _ = measured(tiny, None, concurrency=2, requests=3)
    slots = {"speculation": {"method": "prompt_lookup"}, "kv_cache": "static"}
    done, channel, _ = measured(tiny, "single", slots, concurrency=2, requests=3)
    assert [done.token_ids, *(o.token_ids for o in done.others)] == [
        plain.token_ids,
        *(o.token_ids for o in plain.others),
    ]
    assert done.verify_steps + done.accepted == done.after_first == 3 * 11
    assert all(r.matches for r in channel.of(events.Receipts)[-1].receipts)


def test_one_request_takes_the_plain_loop(tiny: Path) -> None:
    for batching in (None, "single"):
        done, channel, runtime = measured(tiny, batching)
        assert done.batching is None
        assert runtime.server is None
        assert done.breakdown is not None
        assert done.breakdown.queue_ms == 0
        if batching:
            receipts = {r.slot: r for r in channel.of(events.Receipts)[-1].receipts}
            assert receipts["batching"].matches
            assert "for itself" in receipts["batching"].effective


def test_continuous_batching_of_one_request(tiny: Path) -> None:
    alone, _, _ = measured(tiny, None)
    done, channel, _ = measured(tiny, "continuous")
    assert done.token_ids == alone.token_ids
    assert done.batching is not None
    assert (done.batching.slots, done.batching.mean_occupancy, done.batching.steps) == (1, 1, 12)
    assert all(r.matches for r in channel.of(events.Receipts)[-1].receipts)
    trial = assemble(done, channel.of(events.Steps))
    assert metrics.trial_rate(trial) == metrics.decode_tok_s(trial.requests[0])


def test_poisson_arrivals_are_the_same_for_every_variant(tiny: Path) -> None:
    def offsets(batching: Any) -> list[int]:
        done, _, _ = measured(tiny, batching, concurrency=2, requests=5, arrival="poisson", rate=200)
        return [r.arrival_ns - done.requests[0].arrival_ns for r in done.requests]

    planned = arrivals(Workload(requests=5, arrival="poisson", rate=200), 9)
    assert offsets(None) == offsets("continuous") == [round(1e9 * at) for at in planned if at is not None]


def test_a_scheduler_that_did_not_run_is_no_match(tiny: Path) -> None:
    done, _, runtime = measured(tiny, "continuous", concurrency=2)
    strategy = runtime.variant.batching
    assert strategy.receipt(runtime).matches
    server = runtime.server
    runtime.last_trial = done.model_copy(update={"batching": None})
    assert not strategy.receipt(runtime).matches
    assert done.batching is not None
    too_wide = done.batching.model_copy(update={"widest_step": 129})
    runtime.last_trial = done.model_copy(update={"batching": too_wide})
    assert not strategy.receipt(runtime).matches
    runtime.last_trial, runtime.server = done, None
    assert not strategy.receipt(runtime).matches
    runtime.server = server
    assert strategy.receipt(runtime).matches
