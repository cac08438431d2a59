"""Sampling: against transformers' processors, and speculative sampling against the exact distribution."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
import torch
from scipy.stats import chisquare
from torch import Tensor
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from core.kernels.decoding.decoders import Plain
from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.prompt_lookup import PromptLookup
from core.kernels.speculation.speculative import DraftTokens, Speculative

V = 5
PROMPT = [0, 1, 2, 0, 3]
LENGTH = 3
DRAWS = 2500


class Chain(Plain):
    """A model that is a table: the next token depends on the last one. Exact probabilities are known."""

    again = 0

    def __init__(self) -> None:
        generator = torch.Generator().manual_seed(1)
        self.table = torch.randn(V, V, generator=generator)
        self.extra_room, self.will_roll_back = 0, False
        self.prefixes = None
        self.context: list[int] = []

    def begin(self, length: int) -> None:
        self.context = []

    def feed(self, tokens: list[int], keep: int) -> Tensor:
        self.context += tokens
        return self.table[self.context[-keep:]]

    def rollback(self, n: int) -> None:
        del self.context[len(self.context) - n :]


class Gullible(Speculative):
    """The mistake that the test must be able to see: it believes every draft."""

    def _verify(self, logits: Tensor, draft: DraftTokens) -> list[int]:
        return [*draft.tokens, self._sampler.pick(logits[len(draft.tokens)])]


class Guessing:
    """Draws each guess from a table of its own, as a draft model does, and says which one."""

    def __init__(self) -> None:
        self.table = torch.randn(V, V, generator=torch.Generator().manual_seed(2))

    def start(self, prompt: list[int], length: int, sampler: Sampler) -> None:
        self.sampler = sampler

    def propose(self, context: list[int], k: int) -> DraftTokens:
        tokens: list[int] = []
        probabilities: list[Tensor] = []
        for _ in range(k):
            q = self.sampler.probabilities(self.table[(tokens or context)[-1]])
            probabilities.append(q)
            tokens.append(self.sampler.draw(q))
        return DraftTokens(tokens, probabilities)

    def describe(self) -> str:
        return "a table"

    def kv_bytes(self) -> int:
        return 0


def p_value(decoder: Plain | Speculative, options: dict[str, float]) -> float:
    """That tokens from many seeds have the exact joint distribution of the table."""
    chain = decoder if isinstance(decoder, Chain) else decoder.inner  # type: ignore[union-attr]
    assert isinstance(chain, Chain)
    sampler = Sampler(**options)  # type: ignore[arg-type]
    rows = [sampler.probabilities(row).double() for row in chain.table]
    expected = {}
    for tokens in product(range(V), repeat=LENGTH):
        p, last = 1.0, PROMPT[-1]
        for token in tokens:
            p, last = p * float(rows[last][token]), token
        expected[tokens] = p * DRAWS
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(DRAWS):
        sampler = Sampler(**options, seed=seed)  # type: ignore[arg-type]
        drawn = [decoder.start(PROMPT, LENGTH, sampler)]
        while len(drawn) < LENGTH:
            drawn += decoder.step()
        seen[tuple(drawn)] += 1
    assert all(expected[tokens] > 0 for tokens in seen)  # nothing outside top-k, top-p
    common = [t for t, n in expected.items() if n >= 5]
    rare = [t for t, n in expected.items() if n < 5]
    observed = [seen[t] for t in common] + [sum(seen[t] for t in rare)]
    wanted = [expected[t] for t in common] + [sum(expected[t] for t in rare)]
    if wanted[-1] < 1e-9:
        observed.pop()
        wanted.pop()
    scale = sum(observed) / sum(wanted)
    return float(chisquare(observed, [w * scale for w in wanted]).pvalue)


@pytest.mark.parametrize(
    "options",
    [{"temperature": 1.0}, {"temperature": 0.8, "top_k": 4, "top_p": 0.9, "forbidden": [2]}],
    ids=["plain", "cut"],
)
def test_prompt_lookup_samples_the_targets_distribution(options: dict[str, float]) -> None:
    decoder = Speculative(Chain(), PromptLookup(2), 3)
    assert p_value(decoder, options) > 0.001
    assert decoder.verify_steps > 0


@pytest.mark.parametrize("options", [{"temperature": 1.0}, {"temperature": 0.8, "top_k": 4, "top_p": 0.9}], ids=str)
def test_a_draft_model_samples_the_targets_distribution(options: dict[str, float]) -> None:
    decoder = Speculative(Chain(), Guessing(), 3)
    assert p_value(decoder, options) > 0.001
    assert decoder.accepted + decoder.verify_steps > 0


def test_the_test_sees_a_draft_taken_for_certain() -> None:
    class Certain(Guessing):
        def propose(self, context: list[int], k: int) -> DraftTokens:
            return DraftTokens(super().propose(context, k).tokens)

    # Not wrong by itself: p without x after a rejection is right for a one-hot draft whatever drew it …
    assert p_value(Speculative(Chain(), Certain(), 3), {"temperature": 1.0}) > 0.001

    class Overstated(Guessing):
        def propose(self, context: list[int], k: int) -> DraftTokens:
            tokens, probabilities = super().propose(context, k)
            assert probabilities is not None
            return DraftTokens(tokens, [q.flip(0) for q in probabilities])

    # … but a draft that misstates its distribution is, and shows.
    assert p_value(Speculative(Chain(), Overstated(), 3), {"temperature": 1.0}) < 1e-6


def test_the_test_sees_a_wrong_acceptance_rule() -> None:
    assert p_value(Gullible(Chain(), PromptLookup(2), 3), {"temperature": 1.0}) < 1e-9


def test_probabilities_are_those_of_transformers() -> None:
    logits = torch.randn(1, 50, generator=torch.Generator().manual_seed(0)) * 3
    expected = TopPLogitsWarper(0.8)(None, TopKLogitsWarper(12)(None, TemperatureLogitsWarper(0.7)(None, logits)))
    mine = Sampler(temperature=0.7, top_k=12, top_p=0.8).probabilities(logits[0])
    torch.testing.assert_close(mine, expected.softmax(-1)[0])


def test_the_same_seed_draws_the_same() -> None:
    logits = torch.randn(20, 50, generator=torch.Generator().manual_seed(0))
    draws = [
        [s.pick(row) for row in logits] for s in (Sampler(1.0, seed=5), Sampler(1.0, seed=5), Sampler(1.0, seed=6))
    ]
    assert draws[0] == draws[1] != draws[2]


def test_greedy_skips_forbidden_tokens_and_leaves_the_logits_alone() -> None:
    logits = torch.tensor([0.0, 3.0, 2.0, 1.0])
    before = logits.clone()
    sampler = Sampler(forbidden=[1, 99])  # 99 is beyond the vocabulary
    assert sampler.pick(logits) == 2
    assert sampler.picks(torch.stack([logits, -logits])) == [2, 0]
    assert sampler.probabilities(logits).tolist() == [0, 0, 1, 0]
    assert torch.equal(logits, before)
