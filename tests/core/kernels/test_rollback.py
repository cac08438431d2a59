"""Speculation on caches that are not rows alone: recurrent and convolution states, hybrids, shared keys. Every text is
`generate()`'s, or the strategy is refused with a reason."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
import torch

from core.kernels.caches import caches, rollback
from core.kernels.checks import agreement
from core.kernels.decoding.decoders import Plain, base_decoder
from core.kernels.decoding.sampling import Sampler
from core.kernels.decoding.teacher_forcing import forced_logits
from core.kernels.speculation.drafters import ModelDrafter
from core.kernels.speculation.speculative import DraftTokens, Speculative
from core.model.memory_footprint import Footprint
from core.spec.workload import Workload
from core.strategies.speculation.lookup import PromptLookupDecoding
from tests.core.tiny import EOS, VOCAB
from tests.zoo.models import make

PROMPT = [65, 66, 67, 68, 1, 2, 3] * 4
NEW = 20
#: A recurrent state alone, convolution states, hybrids of each family of kernels, a state beside rows in one layer.
STATES = (
    "mamba2",
    "lfm2",
    "lfm2_moe",
    "qwen3_next",
    "qwen3_5_text",
    "granitemoehybrid",
    "nemotron_h",
    "falcon_h1",
    "bamba",
    "zamba2",
)


@cache
def model_of(kind: str) -> Any:
    return make(kind)


@cache
def reference(kind: str, prompt: tuple[int, ...] = tuple(PROMPT)) -> tuple[int, ...]:
    out = model_of(kind).generate(
        torch.tensor([prompt]), do_sample=False, max_new_tokens=NEW, min_new_tokens=NEW, suppress_tokens=[EOS]
    )
    return tuple(out[0, len(prompt) :].tolist())


def run(decoder: Any, prompt: list[int] = PROMPT) -> tuple[int, ...]:
    tokens = [decoder.start(prompt, NEW, Sampler(forbidden=[EOS]))]
    while len(tokens) < NEW:
        tokens += decoder.step()
    return tuple(tokens)


class HalfRight:
    """Guesses the true text, with one wrong token at a place that changes."""

    def __init__(self, text: list[int]) -> None:
        self.text = text

    def start(self, prompt: list[int], length: int, sampler: Sampler) -> None:
        pass

    def propose(self, context: list[int], k: int) -> DraftTokens:
        draft = self.text[len(context) : len(context) + k]
        wrong = Random(len(context)).randrange(7)
        if wrong < len(draft):
            draft[wrong] = (draft[wrong] + 1) % VOCAB
        return DraftTokens(draft)

    def describe(self) -> str:
        return "half right"

    def kv_bytes(self) -> int:
        return 0


@pytest.mark.parametrize("name", ["dynamic", "static"])
@pytest.mark.parametrize("kind", STATES)
def test_speculation_on_a_state_equals_generate(kind: str, name: str) -> None:
    model = model_of(kind)
    make_cache = caches.dynamic(model) if name == "dynamic" else caches.static(model)
    decoder = Speculative(Plain(model, make_cache), HalfRight([*PROMPT, *reference(kind)]), 5)
    assert decoder.inner.obstacle() == ""
    assert run(decoder) == reference(kind)
    assert 0 < decoder.accepted < decoder.drafted
    assert run(decoder) == reference(kind)  # nothing is left of the first request


@pytest.mark.parametrize("kind", ["mamba2", "lfm2", "qwen3_next", "falcon_h1"])
def test_a_draft_with_a_state_equals_generate(kind: str) -> None:
    """The target's copy, a little off: what it guessed wrong is taken back out of its state."""
    draft = make(kind)
    noise = torch.Generator().manual_seed(1)
    for parameter in draft.parameters():
        parameter.add_(torch.randn(parameter.shape, generator=noise) * 0.01)
    drafter = ModelDrafter(draft, "copy")
    decoder = Speculative(base_decoder(model_of(kind)), drafter, 5)
    assert run(decoder) == reference(kind)
    assert 0 < decoder.accepted < decoder.drafted
    alone = base_decoder(draft)  # and its guesses are what it would say of the context
    with torch.inference_mode():
        alone.begin(len(PROMPT) + NEW + 8)
        context = [*PROMPT, *reference(kind)]
        assert int(alone.feed(context, 1).argmax()) == drafter.propose(context, 1).tokens[0]


@pytest.mark.parametrize("kind", ["mamba", "falcon_mamba", "jamba", "recurrent_gemma"])
def test_what_cannot_be_verified_at_once_is_told(kind: str) -> None:
    """Kernels that take no state for several tokens; a state in the modules."""
    reason = base_decoder(model_of(kind)).obstacle()
    assert reason.startswith("this model keeps its state" if kind == "recurrent_gemma" else "several tokens at once")


@pytest.mark.parametrize("kind", ["mamba", "jamba"])
def test_a_given_text_goes_through_such_a_model_one_by_one(kind: str) -> None:
    """The quality of a text is judged in passes of several tokens, which these would compute without their state."""
    text = [*PROMPT, *reference(kind)]
    with torch.inference_mode():
        expected = model_of(kind)(torch.tensor([text]), use_cache=False).logits[0, len(PROMPT) - 1 : -1]
    found = torch.cat(list(forced_logits(base_decoder(model_of(kind)), PROMPT, list(reference(kind)))))
    torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("kind", ["qwen3", "gemma3_text", "gemma4_text", "phi3", "mixtral", "deepseek_v3"])
def test_rows_alone_raise_no_question(kind: str) -> None:
    assert base_decoder(model_of(kind)).obstacle() == ""
    assert rollback.stateful(caches.dynamic(model_of(kind))(1)) == []


def test_what_is_fed_again_goes_with_the_next_pass() -> None:
    """A rejection costs no pass of its own until much has gathered, and then one."""
    model = model_of("qwen3_5_text")
    widths: list[int] = []
    hook = model.register_forward_pre_hook(lambda _, given: widths.append(given[0].shape[1]))
    try:
        decoder = base_decoder(model)
        decoder.will_roll_back = True
        with torch.inference_mode():
            decoder.obstacle()
            widths.clear()
            decoder.begin(100)
            decoder.feed(PROMPT, 1)
            decoder.rollback(0)
            for start in range(0, 12, 4):
                decoder.feed([start, start + 1, start + 2, start + 3, 99, 98], 6)
                decoder.rollback(2)
                assert decoder.again == (start + 4 if start < 8 else 12)
            decoder.feed([7], 1)
            found = decoder.feed([8], 1)
    finally:
        hook.remove()
    assert widths == [28, 6, 10, 14, 12, 1, 1]
    context = [*PROMPT, *range(12), 7, 8]
    torch.testing.assert_close(found[-1], agreement.whole(model, context)[-1], rtol=1e-4, atol=1e-4)


def test_a_saved_state_is_counted() -> None:
    decoder = base_decoder(model_of("mamba2"))
    run(decoder)
    plain = decoder.kv_bytes()
    speculative = Speculative(base_decoder(model_of("mamba2")), HalfRight([*PROMPT, *reference("mamba2")]), 5)
    run(speculative)
    assert speculative.kv_bytes() == 2 * plain
    size = Footprint(element=4, state=plain // 4, tokens=10, layers=4, uncached=4)
    assert size.kv_bytes == plain
    assert PromptLookupDecoding().footprint(size, Workload()).kv_bytes == 2 * plain
