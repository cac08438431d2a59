"""One prompt to every variant: in order, stopped at any time, on engines that a run uses again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.run.run import Run
from core.run.tryout import Question, TryOut, felt
from core.spec import experiment as spec
from tests.process import fakes

ASKED = Question(prompt="Why is it so?", max_tokens=12)


@pytest.fixture
def pool(request: pytest.FixtureRequest) -> Iterator[EnginePool]:
    made = fakes.pool(*getattr(request, "param", ()))
    yield made
    made.close()


def experiment(*names: str, trials: int = 1) -> spec.Experiment:
    """Variants that differ, since those that do not share an engine."""
    made = fakes.experiment(*names, trials=trials)
    precisions = ("fp32", "bf16", "fp16")
    variants = [{"name": v.name, "precision": p} for v, p in zip(made.variants, precisions, strict=False)]
    return spec.parse({**made.dump(), "variant": variants})


def replies(found: list[events.Event]) -> dict[str, events.Reply]:
    return {e.variant or "": e for e in found if isinstance(e, events.Reply)}


def test_every_variant_answers_in_order_and_a_run_goes_on_with_its_engine(
    pool: EnginePool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    both = experiment("a", "b")
    for _ in range(2):
        assert pool.count(both.model, ["a b", ""]).tokens == [2, 0]
    ((_, counts, _),) = pool.processes()
    first = list(TryOut(both, ASKED, pool))
    assert list(replies(first)) == ["a", "b"]
    assert all(r.ended == "cap" and len(r.token_ids) == 12 for r in replies(first).values())
    assert first[-1] == events.Finished(t_ns=first[-1].t_ns, status="ok", rounds=0)
    said = "".join(e.text for e in first if isinstance(e, events.Text) and e.variant == "b")
    assert said.split() == replies(first)["b"].text.split()
    pids = {pid for _, pid, _ in pool.processes()}
    assert counts not in pids  # a tokenizer is no part of a variant's memory

    again = list(TryOut(both, ASKED, pool))
    assert not any(isinstance(e, events.Loaded) for e in again)
    assert list(replies(again)) == ["a", "b"]

    run = list(Run(both, pool, tmp_path_factory.mktemp("runs") / "run"))
    assert run[-1].status == "ok"  # type: ignore[union-attr]
    assert {e.variant for e in run if isinstance(e, events.Warm)} == {"a", "b"}
    assert {pid for _, pid, _ in pool.processes()} == pids


@pytest.mark.parametrize("pool", [("normal", "--pace", "20")], indirect=True)
def test_a_stop_keeps_what_was_said_and_the_engine(pool: EnginePool) -> None:
    trying = TryOut(experiment("a", "b"), Question(prompt="Why?", max_tokens=400), pool)
    found = []
    for event in trying:
        found.append(event)
        if isinstance(event, events.Text):
            trying.stop()
    (reply,) = replies(found).values()
    assert reply.ended == "stopped"
    assert 0 < len(reply.token_ids) < 40
    assert found[-1].status == "stopped"  # type: ignore[union-attr]
    assert [e.alive and e.inbox is None for e in pool.engines] == [True]


@pytest.mark.parametrize("pool", [("slow",)], indirect=True)
def test_a_stop_ends_a_load(pool: EnginePool) -> None:
    trying = TryOut(experiment("a"), ASKED, pool)
    for event in trying:
        if isinstance(event, events.Phase) and event.phase == "load":
            trying.stop()
    assert isinstance(event, events.Finished)
    assert event.status == "stopped"
    assert pool.engines == []


@pytest.mark.parametrize("pool", [("runs_out_of_memory", "--at", "load", "--only", "a")], indirect=True)
def test_a_variant_that_fails_says_why_and_the_others_answer(pool: EnginePool) -> None:
    found = list(TryOut(experiment("a", "b"), ASKED, pool))
    assert list(replies(found)) == ["b"]
    (failed,) = (e for e in found if isinstance(e, events.Failed))
    assert (failed.variant, failed.kind) == ("a", "out_of_memory")
    assert len(pool.engines) == 1


def test_variants_without_room_for_each_other_take_turns(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    room = tmp_path_factory.mktemp("room") / "holder"
    pool = fakes.pool("normal", "--room", str(room))
    try:
        found = list(TryOut(experiment("a", "b"), ASKED, pool))
    finally:
        pool.close()
    assert list(replies(found)) == ["a", "b"]
    assert not any(isinstance(e, events.Failed) for e in found)


def test_what_is_felt_is_what_a_trial_would_say() -> None:
    reply = events.Reply(
        dispatch_ns=1_000_000, at_ns=[5_000_000, 15_000_000, 25_000_000], tokens=[1, 3, 1], prompt_tokens=9,
        token_ids=[1, 2, 3, 4, 5], text="", ended="cap", drafted=4, accepted=2,
    )  # fmt: skip
    found = felt(reply)
    assert (found.ttft_ms, found.total_ms, found.tokens) == (4, 24, 5)
    assert found.decode_tok_s == pytest.approx(200)
    one = felt(reply.model_copy(update={"at_ns": [5_000_000], "tokens": [1]}))
    assert (one.ttft_ms, one.decode_tok_s) == (4, None)
