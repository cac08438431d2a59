"""Servers of several requests: everyone gets the tokens that they get alone, in fp32, on every tiny architecture."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch

from core.kernels.batching.continuous_batching import ContinuousBatchServer, unsuitable
from core.kernels.batching.serving import BatchServer, OneByOne, ServedRequest
from core.kernels.batching.static_batch import StaticBatch
from core.kernels.caches import caches
from core.kernels.decoding.decoders import Plain, base_decoder
from core.kernels.decoding.sampling import Sampler
from core.spec.variant import Variant
from core.spec.workload import Workload
from tests.core.tiny import EOS, KINDS, WINDOW, tiny_model

FULL = [k for k in KINDS if not k.startswith("gemma")]
# Shorter and longer than the window of the sliding layers and than the token budgets below.
SHAPES = [(5, 9), (23, 3), (40, 14), (1, 20), (17, 1), (31, 7), (12, 12)]


@pytest.fixture(scope="module", params=KINDS)
def model(request: pytest.FixtureRequest) -> Any:
    return tiny_model(request.param)


@pytest.fixture(scope="module")
def expected(model: Any) -> dict[int, list[int]]:
    """What each request gets alone."""
    return {j.number: alone(model, j) for j in jobs()}


def jobs(seed: int = 1, temperature: float = 0.0) -> list[ServedRequest]:
    rng = random.Random(seed)
    return [
        ServedRequest(
            i, [rng.randrange(256) for _ in range(prompt)], new, Sampler(temperature, seed=i, forbidden=[EOS])
        )
        for i, (prompt, new) in enumerate(SHAPES)
    ]


def alone(model: Any, job: ServedRequest) -> list[int]:
    decoder = base_decoder(model)
    sampler = Sampler(job.sampler.temperature, seed=job.sampler.seed, forbidden=[EOS])
    ids = [decoder.start(job.prompt, job.new_tokens, sampler)]
    while len(ids) < job.new_tokens:
        ids.extend(decoder.step())
    return ids


def serve(server: BatchServer, wanted: list[ServedRequest], every: int = 0) -> dict[int, list[int]]:
    """Each request arrives `every` steps after the one before it."""
    server.prepare(max(len(j.prompt) + j.new_tokens for j in wanted))
    found: dict[int, list[int]] = {j.number: [] for j in wanted}
    due, steps, begun = list(wanted), 0, []
    while due or server.ready():
        while due and (every == 0 or steps >= every * due[0].number):
            server.admit(due.pop(0))
        if not server.ready():
            if due:
                steps += 1
                continue
            server.start_anyway()
        for number, ids in server.step():
            found[number].extend(ids)
        begun += server.begun
        steps += 1
        if not due:
            server.start_anyway()
    assert sorted(begun) == sorted(found)
    return found


@pytest.mark.parametrize(("slots", "budget", "every"), [(3, 8, 0), (2, 16, 3), (8, 64, 0), (1, 5, 2)])
def test_continuous_gives_everyone_what_they_get_alone(
    model: Any, expected: dict[int, list[int]], slots: int, budget: int, every: int
) -> None:
    wanted = jobs()
    server = ContinuousBatchServer(model, slots, budget)
    assert serve(server, wanted, every) == expected
    counts = server.counts
    assert counts.widest <= budget  # nobody who decodes waits for a longer step than this
    assert counts.chunks >= sum(-(-len(j.prompt) // budget) for j in wanted)
    assert 1 <= counts.served / counts.steps <= slots
    layers = len(server.cache.layers)  # type: ignore[union-attr]
    assert server.cache_class() == f"SlotCache: {layers} SlotLayer"
    assert server.kv_bytes() > 0


@pytest.mark.parametrize(("size", "every"), [(3, 0), (7, 0), (2, 4)])
def test_static_gives_everyone_what_they_get_alone(
    model: Any, expected: dict[int, list[int]], size: int, every: int
) -> None:
    server = StaticBatch(model, caches.dynamic(model), size)
    assert serve(server, jobs(), every) == expected
    assert server.counts.chunks == -(-len(expected) // size)


@pytest.mark.parametrize("kind", FULL)
def test_static_on_a_static_cache(kind: str) -> None:
    model, wanted = tiny_model(kind), jobs()
    server = StaticBatch(model, caches.static(model), 4)
    assert serve(server, wanted) == {j.number: alone(model, j) for j in wanted}
    assert server.cache_class().startswith("StaticCache")
    # All of one length, so that the last and smaller batch would find the cache of the one before.
    alike = [ServedRequest(i, j.prompt[:5] * 2, 6, Sampler(forbidden=[EOS])) for i, j in enumerate(wanted)][:6]
    assert serve(server, alike) == {j.number: alone(model, j) for j in alike}


def test_one_by_one(model: Any, expected: dict[int, list[int]]) -> None:
    wanted = jobs()
    server = OneByOne(Plain(model, caches.dynamic(model)))
    assert serve(server, wanted) == expected
    assert server.counts.chunks == len(wanted)
    assert server.counts.steps == server.counts.served == sum(j.new_tokens for j in wanted)


def test_eager_attention_and_sampling() -> None:
    model = tiny_model("llama")
    model.set_attn_implementation("eager")
    wanted = jobs(temperature=0.8)
    assert serve(ContinuousBatchServer(model, 3, 9), wanted) == {j.number: alone(model, j) for j in wanted}
    assert model.config._attn_implementation == "eager"  # what was there is put back


def test_a_server_is_used_again_and_its_cache_kept() -> None:
    model = tiny_model("llama")
    server = ContinuousBatchServer(model, 2, 8)
    first, second = jobs(1), jobs(2)
    serve(server, first)
    kept = server.cache
    assert serve(server, second) == {j.number: alone(model, j) for j in second}
    assert server.cache is kept
    server.prepare(200)
    assert server.cache is not kept


def test_a_long_prompt_holds_up_nobody() -> None:
    """While it is read in parts, those that decode get a token in every step."""
    model = tiny_model("llama")
    server = ContinuousBatchServer(model, 4, 16)
    server.prepare(300)
    short = [ServedRequest(i, [i + 1] * 4, 40, Sampler(forbidden=[EOS])) for i in range(3)]
    for job in short:
        server.admit(job)
    server.step()
    server.admit(ServedRequest(9, list(range(200)), 2, Sampler(forbidden=[EOS])))
    steps = []
    while not any(number == 9 for step in steps for number, _ in step):
        steps.append(server.step())
    assert len(steps) == -(-200 // (16 - 3))
    assert all({0, 1, 2} <= {number for number, _ in step} for step in steps)


def test_a_free_slot_is_given_away_in_the_next_step() -> None:
    server = ContinuousBatchServer(tiny_model("llama"), 2, 64)
    server.prepare(60)
    for i, new in enumerate([2, 9, 3, 1]):
        server.admit(ServedRequest(i, [i + 1] * 5, new, Sampler(forbidden=[EOS])))
    begun = []
    while server.ready():
        server.step()
        begun.append(list(server.begun))
    assert begun[:6] == [[0, 1], [], [2], [], [], [3]]


def test_what_the_scheduler_cannot_run_has_a_reason() -> None:
    assert unsuitable(tiny_model("llama")) == ""
    model = tiny_model("llama")
    model.config._attn_implementation = "flex_attention"
    assert "flex_attention" in unsuitable(model)
    model = tiny_model("qwen3")
    model.config.layer_types = ["full_attention", "linear_attention"] * 2
    assert "linear_attention" in unsuitable(model)
    model = tiny_model("llama")
    model.config.rope_parameters = {"rope_type": "longrope"}
    assert "longest context" in unsuitable(model)
    assert "a way of its own" in unsuitable(torch.nn.Module.__new__(_Old))
    with pytest.raises(ValueError, match="no room for prompts"):
        ContinuousBatchServer(tiny_model("llama"), 8, 8)


@pytest.mark.parametrize(
    ("slots", "workload", "words"),
    [
        ({"batching": "static", "speculation": "prompt_lookup"}, {}, "cannot speculate"),
        ({"batching": "continuous", "speculation": "prompt_lookup"}, {}, "cannot speculate"),
        ({"batching": "static", "kv_cache": "none"}, {}, "no rows"),
        ({"batching": "static", "prefix_cache": "prefix_reuse"}, {}, "prefix reuse"),
        ({"batching": "continuous", "kv_cache": "static"}, {}, "of its own"),
        ({"batching": "continuous", "compilation": "torch_compile", "kv_cache": "static"}, {}, "for one request"),
        ({"batching": "continuous", "attention": "flex_attention"}, {}, "FlexAttention"),
        ({"batching": "continuous", "attention": {"method": "sdpa", "backend": "flash"}}, {}, "no mask"),
        ({"batching": "continuous"}, {"concurrency": 128}, "more than 128"),
        ({"batching": {"method": "continuous", "slots": 4, "token_budget": 4}}, {}, "more than 4"),
    ],
)
def test_what_does_not_go_together_has_a_reason(slots: dict[str, Any], workload: dict[str, Any], words: str) -> None:
    variant = Variant.model_validate({"name": "v", **slots})
    assert words in "; ".join(variant.batching.conflicts(variant, None, Workload(**workload)))


@pytest.mark.parametrize(
    "slots",
    [
        {"batching": "single", "speculation": "prompt_lookup", "prefix_cache": "prefix_reuse"},
        {"batching": "static", "kv_cache": "static", "quantization": "int8_weight_only"},
        {"batching": "continuous", "attention": "eager", "fusion": "fused_projections"},
        {"batching": {"method": "continuous", "slots": 8}},
    ],
)
def test_what_goes_together_has_none(slots: dict[str, Any]) -> None:
    variant = Variant.model_validate({"name": "v", **slots})
    assert variant.batching.conflicts(variant, None, Workload(concurrency=64)) == []


class _Old(torch.nn.Module):
    """A model whose attention is not made for backends."""

    config = tiny_model("llama").config


assert max(prompt for prompt, _ in SHAPES) > WINDOW
