"""Models that draft for a larger one: with the same tokenizer, with another one, and the target's own first layers."""

from __future__ import annotations

import copy
from itertools import takewhile
from typing import Any

from torch import Tensor

from core.kernels.base.surgery import embedding_rows
from core.kernels.decoding.decoders import Plain, base_decoder
from core.kernels.decoding.sampling import Sampler
from core.kernels.pruning.skipped_layers import drop_layers
from core.kernels.speculation.speculative import DraftTokens


class ModelDrafter:
    """A causal LM with a cache of its own, kept in step with the context by rolling rejected tokens back.

    Models of one tokenizer may have padded embeddings of different sizes. `ids` is the target's number of ids, and no
    other is drafted; None means the draft's own. An id that the draft lacks is fed as another id, since the target
    verifies every token.
    """

    def __init__(self, model: Any, name: str, fault: str = "", ids: int | None = None) -> None:
        self.model = model
        self.name = name
        self.fault = fault  # what of the model is not as it was asked for
        self._ids = ids
        self._rows = embedding_rows(model)
        self.decoder: Plain = base_decoder(model)
        self.decoder.will_roll_back = True
        self._fed: list[int] = []

    def start(self, prompt: list[int], length: int, sampler: Sampler) -> None:
        self._sampler = sampler
        self._length = length
        self.decoder.begin(length)
        self._fed = []
        self._feed(prompt)
        self.decoder.rollback(0)

    def propose(self, context: list[int], k: int) -> DraftTokens:
        logits = self._catch_up(context)
        tokens: list[int] = []
        probabilities: list[Tensor] = []
        while True:
            if self._sampler.greedy:
                tokens.append(self._sampler.pick(logits))
            else:
                q = self._sampler.probabilities(logits)
                probabilities.append(q)
                tokens.append(self._sampler.draw(q))
            if len(tokens) == k:
                return DraftTokens(tokens, probabilities or None)
            logits = self._feed(tokens[-1:])

    def obstacle(self) -> str:
        """Return why the draft cannot roll rejected tokens back, or an empty string."""
        return self.decoder.obstacle()

    def describe(self) -> str:
        return self.name

    def kv_bytes(self) -> int:
        return self.decoder.kv_bytes()

    def _catch_up(self, context: list[int]) -> Tensor:
        """Drop what was fed beyond the common part, feed what is missing, and return the logits [V] after the
        context."""
        common, last = 0, min(len(self._fed), len(context) - 1)  # one token at least has to be fed
        while common < last and self._fed[common] == context[common]:
            common += 1
        wrong = len(self._fed) - common
        if wrong > self.decoder.reach:  # re-encoded, the context itself may have changed
            self.decoder.begin(self._length)
            common = 0
        else:
            self.decoder.rollback(wrong)
        del self._fed[common:]
        logits = self._feed(context[common:])
        self.decoder.rollback(0)  # the context is true: only guesses will be taken back
        return logits

    def _feed(self, tokens: list[int]) -> Tensor:
        self._fed += tokens
        known = tokens if self._rows is None else [token if token < self._rows else 0 for token in tokens]
        return self.decoder.feed(known, 1)[0, : self._ids]


class ReencodedDrafter:
    """A draft model with another tokenizer: it gets the context as text, and its greedy draft comes back as text.
    Drafts are one-hot, so the output stays exact; drafts are lost where the tokenizers split words differently. `ids`
    is the target's number of ids, of which its tokenizer may know more."""

    def __init__(self, inner: ModelDrafter, mine: Any, theirs: Any, ids: int | None = None) -> None:
        self.inner, self.mine, self.theirs = inner, mine, theirs
        self._ids = ids

    def start(self, prompt: list[int], length: int, sampler: Sampler) -> None:
        # Other ids for the same text: no more than one per byte, so four per token is room enough.
        self.inner.start(self._translate(prompt), 4 * length, Sampler(forbidden=()))

    def propose(self, context: list[int], k: int) -> DraftTokens:
        theirs = self._translate(context)
        guess = self.inner.propose(theirs, k).tokens
        before = self.theirs.decode(theirs[-8:])
        text = self.theirs.decode([*theirs[-8:], *guess])[len(before) :]
        found = self.mine.encode(text, add_special_tokens=False)[:k]
        return DraftTokens(list(takewhile(lambda token: self._ids is None or token < self._ids, found)))

    def describe(self) -> str:
        return f"{self.inner.name}, re-encoded"

    def kv_bytes(self) -> int:
        return self.inner.kv_bytes()

    def _translate(self, ids: list[int]) -> list[int]:
        return list(self.theirs.encode(self.mine.decode(ids), add_special_tokens=False)) or [0]


def first_layers(model: Any, count: int) -> Any:
    """Return the model cut after `count` layers, with final norm and head; weights are shared, not copied. Raises
    ValueError if these layers are no model."""
    shared = {id(t): t for t in [*model.parameters(), *model.buffers()]}
    draft = copy.deepcopy(model, memo=shared)
    total = draft.config.get_text_config(decoder=True).num_hidden_layers
    drop_layers(draft, range(count, total), loads=False)
    return draft.eval()


def vocabulary_difference(mine: Any, theirs: Any) -> str:
    """Return the first id that two tokenizers read differently, in words; empty if they agree on every id."""
    a, b = ({i: token for token, i in tokenizer.get_vocab().items()} for tokenizer in (mine, theirs))
    for i in sorted({*a, *b}):
        if a.get(i) != b.get(i):
            return f"id {i} is {a.get(i)!r} for the model and {b.get(i)!r} for the draft"
    return ""


def device_of(model: Any) -> str:
    return str(next(iter(model.parameters())).device)
