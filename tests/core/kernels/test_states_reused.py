"""Prompts that begin alike on models with a state, requests beside each other, contexts that pass a switch of rotary
factors: each text is `generate()`'s, or the strategy is refused before it runs."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import torch

from core.kernels.batching.continuous_batching import unsuitable
from core.kernels.batching.serving import ServedRequest
from core.kernels.batching.static_batch import StaticBatch
from core.kernels.caches import caches
from core.kernels.caches.prefix_store import PrefixStore
from core.kernels.decoding.decoders import Plain, Recompute, base_decoder
from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.drafters import ModelDrafter
from core.kernels.speculation.prompt_lookup import PromptLookup
from core.kernels.speculation.speculative import Speculative
from tests.core.kernels.test_rollback import NEW, HalfRight, model_of, reference, run
from tests.core.tiny import EOS
from tests.zoo.models import config, make

SYSTEM = [65, 66, 67, 68, 1, 2, 3] * 4
#: The same beginning, other ends; one that goes on where another ended; one that shares nothing.
PROMPTS = [[*SYSTEM, 7, 8, 9], [*SYSTEM, 4, 3], [*SYSTEM, 90, 91, 92, 93], [*SYSTEM, 7, 8, 9, 5, 5, 6], [1, 2, 3, 4]]


@pytest.mark.parametrize("name", ["dynamic", "static"])
@pytest.mark.parametrize("kind", ["llama", "mamba2", "lfm2", "qwen3_next", "falcon_h1", "nemotron_h", "zamba2"])
def test_a_shared_beginning_is_computed_once_with_its_state(kind: str, name: str) -> None:
    model = model_of(kind)
    decoder = Plain(model, caches.dynamic(model) if name == "dynamic" else caches.static(model))
    store = decoder.prefixes = PrefixStore(1000, 4)
    for prompt in PROMPTS:
        assert run(decoder, prompt) == reference(kind, tuple(prompt))
    with_state = kind != "llama"
    # A state is kept where the second prompt parted from the first, and serves the third; the fourth goes on from the
    # end of the first. Rows serve the second already.
    assert store.hits == (2 if with_state else 3)
    assert store.reused_tokens == (28 + 31 if with_state else 28 + 28 + 31)
    assert store.bytes() > 0


@pytest.mark.parametrize("kind", ["mamba2", "lfm2", "qwen3_next"])
def test_prefixes_and_speculation_together(kind: str) -> None:
    decoder = Speculative(base_decoder(model_of(kind)), PromptLookup(3), 5)
    decoder.inner.prefixes = PrefixStore(1000, 4)
    for prompt in PROMPTS:
        assert run(decoder, prompt) == reference(kind, tuple(prompt))
    assert decoder.inner.prefixes.hits == 2


def test_a_cache_that_keeps_more_than_rows_is_not_reused() -> None:
    assert "DynamicIndexedLayer" in caches.more_than_rows(model_of("deepseek_v32"))
    for kind in ("llama", "gemma3_text", "gemma4_text", "mamba2", "falcon_h1", "lfm2", "nemotron_h"):
        assert caches.more_than_rows(model_of(kind)) == ""


# -- requests beside each other -----------------------------------------------------------------------------


def served(server: StaticBatch, prompts: list[list[int]]) -> list[tuple[int, ...]]:
    server.prepare(100)
    for number, prompt in enumerate(prompts):
        server.admit(ServedRequest(number, prompt, NEW, Sampler(forbidden=[EOS])))
    found: list[list[int]] = [[] for _ in prompts]
    while any(len(tokens) < NEW for tokens in found):
        if not server.ready():
            server.start_anyway()
        for number, tokens in server.step():
            found[number] += tokens
    return [tuple(tokens) for tokens in found]


@pytest.mark.parametrize("name", ["dynamic", "static"])
@pytest.mark.parametrize(
    "kind", ["mamba", "jamba", "mamba2", "lfm2", "qwen3_next", "falcon_h1", "recurrent_gemma", "bloom"]
)
def test_rows_do_not_change_each_other(kind: str, name: str) -> None:
    """Padding is masked out of a state, or prompts of one length go together."""
    model = model_of(kind)
    server = StaticBatch(model, caches.dynamic(model) if name == "dynamic" else caches.static(model), 3)
    assert server.obstacle() == ""
    assert server.even == (kind in ("mamba", "recurrent_gemma") or (kind, name) == ("bloom", "static"))
    prompts = [SYSTEM, [1, 2, 3, 4, 9], SYSTEM[7:], [5, 4, 3, 2, 1]]
    assert served(server, prompts) == [reference(kind, tuple(prompt)) for prompt in prompts]
    assert server.counts.chunks == (3 if server.even else 2)


def test_rows_that_change_each_other_are_refused() -> None:
    model = make("llama")
    plain = model.forward

    def mixing(*args: Any, **options: Any) -> Any:
        out = plain(*args, **options)
        out.logits = out.logits + out.logits.mean(0, keepdim=True)
        return out

    model.forward = mixing
    caches_of = caches.dynamic(model)
    object.__setattr__(model.forward, "__wrapped__", plain)  # the signature that it is asked for
    assert StaticBatch(model, caches_of, 2).obstacle().startswith("LlamaForCausalLM does not compute a request beside")


def test_slots_are_refused_where_attention_is_told_nothing() -> None:
    assert unsuitable(model_of("nemotron")).startswith("NemotronForCausalLM hands nothing on to its attention")
    for kind in ("llama", "gemma3_text", "mixtral", "gpt_oss"):
        assert unsuitable(model_of(kind)) == ""
    assert model_of("nemotron").config._attn_implementation == "sdpa"  # as it was


# -- contexts that pass a length at which the model computes otherwise --------------------------------------

SWITCH = 40
_LONG = dict(zip(range(8), [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 7.0, 8.0], strict=True))


@cache
def longrope() -> Any:
    settings = config("phi3")
    settings.original_max_position_embeddings = SWITCH
    settings.rope_parameters = {
        "rope_type": "longrope",
        "rope_theta": 10000.0,
        "short_factor": [1.0] * 8,
        "long_factor": list(_LONG.values()),
        "original_max_position_embeddings": SWITCH,
    }
    torch.manual_seed(0)
    model = type(model_of("phi3"))(settings).eval()
    model.load_state_dict(model_of("phi3").state_dict())
    return model.requires_grad_(False)


def generated(prompt: list[int]) -> tuple[int, ...]:
    ids = torch.tensor([prompt])
    out = longrope().generate(ids, do_sample=False, max_new_tokens=NEW, min_new_tokens=NEW, suppress_tokens=[EOS])
    return tuple(out[0, len(prompt) :].tolist())


@pytest.mark.parametrize("way", ["dynamic", "static", "none", "lookup", "half right", "none, half right", "draft"])
def test_a_switch_of_rotary_factors_is_passed_as_generate_passes_it(way: str) -> None:
    """The cache is computed anew where the context passes the length; a draft is not verified across it."""
    model = longrope()
    assert caches.rotary_switch(model) == SWITCH
    for prompt in (SYSTEM, [*SYSTEM, *SYSTEM], SYSTEM[:5]):
        expected = generated(prompt)
        drafter: Any = HalfRight([*prompt, *expected])
        decoder: Any = {
            "dynamic": lambda: base_decoder(model),
            "static": lambda: Plain(model, caches.static(model)),
            "none": lambda: Recompute(model, caches.dynamic(model)),
            "lookup": lambda: Speculative(base_decoder(model), PromptLookup(3), 5),
            "half right": lambda drafter=drafter: Speculative(base_decoder(model), drafter, 5),
            "none, half right": lambda drafter=drafter: Speculative(
                Recompute(model, caches.dynamic(model)), drafter, 5
            ),
            "draft": lambda: Speculative(base_decoder(model), ModelDrafter(model, "itself"), 5),
        }[way]()
        assert run(decoder, prompt) == expected
        assert run(decoder, prompt) == expected
        if way == "draft":  # it passes the switch as the target does
            assert decoder.accepted > 0.9 * decoder.drafted


def test_the_factors_matter() -> None:
    """Else the test above could not fail: without the switch the text is another."""
    decoder = base_decoder(longrope())
    decoder._switch = None
    assert run(decoder, SYSTEM) != generated(SYSTEM)


def test_keys_of_the_other_factors_are_not_reused() -> None:
    decoder = base_decoder(longrope())
    store = decoder.prefixes = PrefixStore(1000, 4, caches.rotary_switch(longrope()))
    short, long = SYSTEM, [*SYSTEM, *SYSTEM]
    for prompt, hits in ((short, 0), (long, 0), ([*short, 5], 1), ([*long, 5], 2), (short, 3)):
        assert run(decoder, prompt) == generated(prompt)
        assert store.hits == hits


def test_an_index_that_cannot_tell_positions_apart_is_told() -> None:
    model = make("deepseek_v32")
    few = model.config.index_topk
    assert caches.equal_scores(model, few) == ""
    assert f"past {few} tokens" in caches.equal_scores(model, few + 1)
    model.config.index_n_heads = 64  # as the real one
    assert caches.equal_scores(model, 100_000) == ""
    assert caches.equal_scores(model_of("llama"), 100_000) == ""


def test_a_dynamic_rotary_embedding_depends_on_the_pass_beyond_its_length() -> None:
    model = model_of("llama_dynrope")
    assert caches.depends_on_shape(model, 512) == ""
    assert "past 512 tokens" in caches.depends_on_shape(model, 513)
