"""Prompt lookup: drafts what followed the previous occurrence of the context's last tokens. Source: Saxena, Prompt
Lookup Decoding, 2023."""

from __future__ import annotations

from core.kernels.decoding.sampling import Sampler
from core.kernels.speculation.speculative import DraftTokens


class PromptLookup:
    """Drafts the continuation of an earlier occurrence of the context's last tokens, the longest n-gram first. The
    index grows with the context, so that a draft costs the same at any length."""

    def __init__(self, max_ngram: int) -> None:
        self.max_ngram = max_ngram
        self._context: list[int] | None = None
        self._ends: dict[tuple[int, ...], list[int]] = {}  # n-gram -> the positions after its occurrences
        self._indexed = 0

    def start(self, prompt: list[int], length: int, sampler: Sampler) -> None:
        """Do nothing: a new context is recognized by its identity."""

    def describe(self) -> str:
        return f"n-grams up to {self.max_ngram}"

    def kv_bytes(self) -> int:
        return 0

    def propose(self, context: list[int], k: int) -> DraftTokens:
        """Return at most k tokens that may follow `context`, often none."""
        return DraftTokens(self._continuation(context, k))

    def _continuation(self, context: list[int], k: int) -> list[int]:
        if context is not self._context or len(context) < self._indexed:
            self._context, self._ends, self._indexed = context, {}, 0
        # Up to, not including, the last token: the end itself must not be found.
        for end in range(self._indexed + 1, len(context)):
            for n in range(1, min(self.max_ngram, end) + 1):
                self._ends.setdefault(tuple(context[end - n : end]), []).append(end)
        self._indexed = max(self._indexed, len(context) - 1)
        for n in range(min(self.max_ngram, len(context)), 0, -1):
            ends = self._ends.get(tuple(context[-n:]))
            if ends:
                # The latest occurrence that offers k tokens; in a short loop, the one that offers the most.
                best = next((e for e in reversed(ends) if len(context) - e >= k), ends[0])
                return context[best : best + k]
        return []
