"""The decode loop against transformers' own `generate`, token for token, on every tiny architecture."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
import torch

from core.kernels.caches import caches
from core.kernels.decoding.decoders import Plain, Recompute, base_decoder
from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.prompt_lookup import PromptLookup
from core.kernels.speculation.speculative import DraftTokens, Speculative
from core.spec.loaded_model import Decoder
from tests.core.tiny import EOS, KINDS, VOCAB, WINDOW, tiny_model

PROMPT = [65, 66, 67, 68, 1, 2, 3] * 4
NEW = 40
CACHES = ("none", "dynamic", "static")


class Told:
    """A drafter that says what a function of the context tells it."""

    def __init__(self, guess: Callable[[list[int], int], list[int]]) -> None:
        self.guess = guess

    def start(self, prompt: list[int], length: int, sampler: Sampler) -> None:
        pass

    def propose(self, context: list[int], k: int) -> DraftTokens:
        return DraftTokens(self.guess(context, k))

    def describe(self) -> str:
        return "told"

    def kv_bytes(self) -> int:
        return 0


@cache
def model_of(kind: str) -> Any:
    return tiny_model(kind)


@cache
def reference(kind: str) -> tuple[int, ...]:
    ids = torch.tensor([PROMPT])
    out = model_of(kind).generate(ids, do_sample=False, max_new_tokens=NEW, suppress_tokens=[EOS])
    return tuple(out[0, len(PROMPT) :].tolist())


def decoder_on(kind: str, name: str) -> Plain:
    model = model_of(kind)
    if name == "none":
        return Recompute(model, caches.dynamic(model))
    return Plain(model, caches.dynamic(model) if name == "dynamic" else caches.static(model))


def run(decoder: Decoder, prompt: list[int], count: int, sampler: Sampler) -> list[int]:
    tokens = [decoder.start(prompt, count, sampler)]
    while len(tokens) < count:
        tokens += decoder.step()
    return tokens


@pytest.mark.parametrize("name", CACHES)
@pytest.mark.parametrize("kind", KINDS)
def test_greedy_equals_generate(kind: str, name: str) -> None:
    assert len(PROMPT) > WINDOW
    decoder = decoder_on(kind, name)
    assert run(decoder, PROMPT, NEW, Sampler(forbidden=[EOS])) == list(reference(kind))
    # The second request sees nothing of the first.
    assert run(decoder, PROMPT, NEW, Sampler(forbidden=[EOS])) == list(reference(kind))
    assert (decoder.drafted, decoder.accepted, decoder.verify_steps) == (0, 0, 0)


@pytest.mark.parametrize("name", CACHES)
@pytest.mark.parametrize("kind", KINDS)
def test_speculation_equals_generate(kind: str, name: str) -> None:
    """Drafts that are right for a while and then wrong: rollbacks of every length, across the window."""
    text = [*PROMPT, *reference(kind)]

    def half_right(context: list[int], k: int) -> list[int]:
        draft = text[len(context) : len(context) + k]
        wrong = Random(len(context)).randrange(7)
        if wrong < len(draft):
            draft[wrong] = (draft[wrong] + 1) % VOCAB
        return draft

    decoder = Speculative(decoder_on(kind, name), Told(half_right), 5)
    assert run(decoder, PROMPT, NEW, Sampler(forbidden=[EOS])) == list(reference(kind))
    assert 0 < decoder.accepted < decoder.drafted
    assert decoder.accepted + decoder.verify_steps == NEW - 1


@pytest.mark.parametrize("name", CACHES)
@pytest.mark.parametrize("kind", KINDS)
def test_prompt_lookup_equals_generate(kind: str, name: str) -> None:
    decoder = Speculative(decoder_on(kind, name), PromptLookup(3), 5)
    assert run(decoder, PROMPT, NEW, Sampler(forbidden=[EOS])) == list(reference(kind))
    assert decoder.drafted > 0  # the prompt repeats itself
    # A second request starts with an empty index, and gives the same.
    assert run(decoder, PROMPT, NEW, Sampler(forbidden=[EOS])) == list(reference(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_the_head_meets_whole_rows_after_a_prompt(kind: str) -> None:
    """A view with gaps between its rows makes torch copy the head's weights, where it is in bf16 on a CPU."""
    model = model_of(kind)
    met: list[Any] = []
    hook = model.get_output_embeddings().register_forward_pre_hook(lambda _, given: met.append(given[0]))
    try:
        decoder = base_decoder(model)
        decoder.begin(len(PROMPT) + 4)
        decoder.feed(PROMPT, 1)
        decoder.feed([5, 6, 7], 2)
        decoder.feed([8], 1)
    finally:
        hook.remove()
    assert all(rows.stride()[0] == rows.shape[1] * rows.shape[2] for rows in met)


def test_prompt_lookup_is_accepted_where_the_text_repeats() -> None:
    model = model_of("gpt2")  # it falls into a loop
    decoder = Speculative(base_decoder(model), PromptLookup(3), 5)
    tokens = run(decoder, PROMPT, NEW, Sampler(forbidden=[EOS]))
    assert decoder.accepted > 0
    assert decoder.verify_steps < len(tokens) - 1


def test_a_draft_never_yields_more_than_is_wanted() -> None:
    text = [*PROMPT, *reference("llama")]
    decoder = Speculative(decoder_on("llama", "static"), Told(lambda c, k: text[len(c) : len(c) + k]), 8)
    for count in (1, 2, 3, 9, 10, 11):
        tokens = [decoder.start(PROMPT, count, Sampler(forbidden=[EOS]))]
        while len(tokens) < count:
            tokens += decoder.step()
        assert tokens == list(reference("llama"))[:count]


def test_forbidden_tokens_are_never_produced() -> None:
    banned = sorted(set(reference("llama")))
    for decoder in (decoder_on("llama", "dynamic"), Speculative(decoder_on("llama", "dynamic"), PromptLookup(2), 4)):
        for sampler in (Sampler(forbidden=banned), Sampler(temperature=1.5, seed=3, forbidden=banned)):
            assert not set(run(decoder, PROMPT, NEW, sampler)) & set(banned)


def test_cache_bytes_are_those_of_the_tensors() -> None:
    config = model_of("llama").config
    per_token = 2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim * 4
    positions = len(PROMPT) + NEW - 1  # the last token is never fed
    dynamic, static, none = (decoder_on("llama", name) for name in ("dynamic", "static", "none"))
    assert dynamic.kv_bytes() == 0
    for decoder in (dynamic, static, none):
        run(decoder, PROMPT, NEW, Sampler())
    assert dynamic.kv_bytes() == per_token * positions
    assert static.kv_bytes() == per_token * (len(PROMPT) + NEW)
    assert none.kv_bytes() == 0
    speculative = Speculative(decoder_on("llama", "static"), PromptLookup(3), 5)
    run(speculative, PROMPT, NEW, Sampler())
    assert speculative.kv_bytes() == per_token * (len(PROMPT) + NEW + 5 + 1)


def test_cache_classes() -> None:
    assert decoder_on("llama", "none").cache_class() == "none"
    assert decoder_on("llama", "dynamic").cache_class() == "DynamicCache: 4 DynamicLayer"  # before any start
    assert decoder_on("gemma2", "static").cache_class() == "StaticCache: 2 StaticSlidingWindowLayer, 2 StaticLayer"


def test_a_forward_with_the_older_names_works() -> None:
    """`past_key_values` and no `logits_to_keep`, as before transformers 5.2x and in custom models."""

    class Older(torch.nn.Module):
        def __init__(self, inner: Any) -> None:
            super().__init__()
            self.inner, self.config = inner, inner.config

        def forward(self, ids: Any, past_key_values: Any = None, use_cache: bool = True) -> Any:
            return self.inner(ids, cache=past_key_values, use_cache=use_cache)

    older = Older(model_of("llama"))
    assert caches.forward_arguments(older) == ("past_key_values", False)
    assert caches.forward_arguments(model_of("llama")) == ("cache", True)
    assert run(base_decoder(older), PROMPT, NEW, Sampler(forbidden=[EOS])) == list(reference("llama"))


def test_lookup_prefers_the_longest_match_and_knows_its_end() -> None:
    lookup = PromptLookup(3)
    context = [1, 2, 3, 9, 8, 5, 2, 3, 7, 7, 1, 2, 3]
    assert lookup.propose(context, 2).tokens == [9, 8]  # [1, 2, 3] before [2, 3]
    context += [4]
    assert lookup.propose(context, 2).tokens == []  # 4 never came before
    context += [5]
    assert lookup.propose(context, 3).tokens == [2, 3, 7]
    assert PromptLookup(2).propose([6, 6, 6, 6], 3).tokens == [6, 6]  # a loop: the occurrence that offers the most
