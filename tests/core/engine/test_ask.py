"""An answer to a typed prompt, through every way in which a variant decodes: the tokens of the plain decoder, cut
where they should be, with a stamp for each step."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.engine.base import prompt_framing
from core.engine.base.failures import Refused
from core.engine.base.runtime import Runtime
from core.engine.serve.ask import ask
from core.engine.serve.trial import make_jobs
from core.protocol import events
from core.protocol.commands import AskCommand
from tests.core.kernels.test_strategies import load
from tests.core.tiny import save_tiny

TEXT = "the cat sat on the mat; the cat sat on the "
WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "lookup": {"speculation": {"method": "prompt_lookup", "adaptive": False}},
    "static cache": {"kv_cache": {"method": "static"}},
    "static batch": {"batching": {"method": "static", "batch_size": 2}},
    "continuous": {"batching": {"method": "continuous", "slots": 2, "token_budget": 8}},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("tiny") / "llama")


@pytest.fixture(scope="module")
def made(folder: Path) -> dict[str, Runtime]:
    """A runtime for every way, each made once."""
    found = {name: load(folder, **slots) for name, slots in WAYS.items()}
    for one in found.values():
        one.frame = prompt_framing.frame(one.tokenizer)
    return found


@pytest.fixture
def runtime(made: dict[str, Runtime]) -> Runtime:
    return made["plain"]


def asked(runtime: Runtime, stop: Callable[[events.Event], bool] = lambda _: False, **how: Any) -> events.Reply:
    """The reply; `stop` says after which event somebody says stop."""
    sent: list[events.Event] = []
    stopped = threading.Event()

    def send(event: events.Event) -> None:
        sent.append(event)
        if stop(event):
            stopped.set()

    channel: Any = SimpleNamespace(send=send, enter=lambda *_, **__: None, stopped=stopped)
    ask(runtime, AskCommand(**{"prompt": TEXT, "max_tokens": 24, **how}), channel)
    (reply,) = (e for e in sent if isinstance(e, events.Reply))
    return reply


def plain_tokens(runtime: Runtime, prompt: list[int], count: int) -> list[int]:
    assert runtime.decoder is not None
    (job,) = make_jobs(runtime, [prompt], 0)
    ids = [runtime.decoder.start(prompt, count, job.sampler)]
    while len(ids) < count:
        ids += runtime.decoder.step()
    return ids


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_decoding_gives_the_plain_answer(made: dict[str, Runtime], runtime: Runtime, way: str) -> None:
    reply = asked(made[way])
    ids = [*runtime.frame.head, *runtime.tokenizer.encode(TEXT, add_special_tokens=False), *runtime.frame.tail]
    assert reply.token_ids == plain_tokens(runtime, ids, 24)
    assert reply.text == runtime.tokenizer.decode(reply.token_ids)
    assert (reply.prompt_tokens, reply.ended, sum(reply.tokens)) == (len(ids), "cap", 24)
    assert len(reply.at_ns) == len(reply.tokens)
    assert [reply.dispatch_ns, *reply.at_ns] == sorted([reply.dispatch_ns, *reply.at_ns])
    assert reply.accepted <= reply.drafted
    assert (reply.drafted > 0) == (way == "lookup")


@pytest.mark.parametrize("way", ["plain", "lookup", "continuous"])
def test_an_answer_ends_with_the_text(
    made: dict[str, Runtime], runtime: Runtime, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = asked(runtime).token_ids
    end = next(i for i, token in enumerate(whole) if i >= 5 and token not in whole[:i])
    monkeypatch.setattr(made[way], "forbidden", [whole[end]])
    reply = asked(made[way])
    assert (reply.token_ids, reply.ended) == (whole[: end + 1], "end")
    assert sum(reply.tokens) == end + 1


def test_a_stop_keeps_what_came(runtime: Runtime) -> None:
    reply = asked(runtime, stop=lambda event: isinstance(event, events.Steps), max_tokens=400)
    assert reply.ended == "stopped"
    assert 1 <= len(reply.token_ids) < 400
    assert sum(reply.tokens) == len(reply.token_ids) == len(reply.at_ns)


def test_the_template_can_be_left_out(runtime: Runtime) -> None:
    bare = asked(runtime, template=False)
    assert bare.prompt_tokens < asked(runtime).prompt_tokens
    assert bare.token_ids != asked(runtime).token_ids


def test_the_same_seed_draws_the_same_words(runtime: Runtime) -> None:
    first = asked(runtime, temperature=2.0, seed=1)
    assert asked(runtime, temperature=2.0, seed=1).token_ids == first.token_ids
    assert asked(runtime, temperature=2.0, seed=2).token_ids != first.token_ids


def test_a_prompt_without_room_is_refused(runtime: Runtime) -> None:
    runtime.facts = runtime.facts.model_copy(update={"context": 64})
    try:
        with pytest.raises(Refused, match="context of 64"):
            asked(runtime, prompt="y" * 50)
    finally:
        runtime.facts = runtime.facts.model_copy(update={"context": None})
