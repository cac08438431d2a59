"""Guessing several tokens and verifying them in one pass. Knows where guesses come from; the acceptance rule
is in `core.kernels.decoders`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from core.events import Receipt
from core.strategies.base import Strategy

if TYPE_CHECKING:
    from core.engine.runtime import Runtime
    from core.kernels.decoders import Decoder


class PromptLookupDecoding(Strategy):
    slot: ClassVar[str] = "speculation"
    key: ClassVar[str] = "prompt_lookup"
    title: ClassVar[str] = "Prompt lookup"
    summary: ClassVar[str] = (
        "Proposes what followed the same words earlier in the context. Pays on summaries, rewriting and code; on "
        "free questions little is found, and on a CPU verifying several tokens costs more than one."
    )
    source: ClassVar[str] = "Saxena 2023; acceptance as in Leviathan et al. 2023"
    exact: ClassVar[bool] = True

    draft_tokens: int = Field(
        5, ge=1, le=64, title="Draft tokens", description="tokens proposed per verification, at most"
    )
    max_ngram: int = Field(
        3, ge=1, le=16, title="Longest match", description="last tokens to look up; shorter ones are tried next"
    )

    def decoder(self, inner: Decoder, runtime: Runtime) -> Decoder:
        from core.kernels.decoders import Plain, Speculative
        from core.kernels.lookup import PromptLookup

        assert isinstance(inner, Plain)
        return Speculative(inner, PromptLookup(self.max_ngram), self.draft_tokens)

    def receipt(self, runtime: Runtime) -> Receipt:
        """What the decode loop is made of and, after a trial, what it drafted. A prompt that offers nothing to
        look up is not a fault: it says 0 drafted."""
        from core.kernels.decoders import Speculative
        from core.kernels.lookup import PromptLookup

        requested = f"prompt lookup, {self.draft_tokens} draft tokens, n-grams up to {self.max_ngram}"
        decoder = runtime.decoder
        if not isinstance(decoder, Speculative) or not isinstance(decoder.propose, PromptLookup):
            loop = type(decoder).__name__ if decoder else "none"
            return Receipt(
                slot=self.slot, requested=requested, effective=f"not in the decode loop ({loop})", matches=False
            )
        matches = (decoder.draft_tokens, decoder.propose.max_ngram) == (self.draft_tokens, self.max_ngram)
        cache = decoder.cache_class()
        trial = runtime.last_trial
        if trial is None:
            effective = f"up to {decoder.draft_tokens} drafted tokens, verified on {cache}; not used yet"
            return Receipt(
                slot=self.slot,
                requested=requested,
                effective=effective,
                matches=matches,
                detail={"draft_tokens": decoder.draft_tokens, "cache": cache},
            )
        mean = 1 + trial.accepted / trial.verify_steps if trial.verify_steps else None
        words = f"{mean:.2f} tokens per pass" if mean else "no pass after the first token"
        return Receipt(
            slot=self.slot,
            requested=requested,
            effective=f"{trial.drafted} drafted, {trial.accepted} accepted, {words}",
            # Every token after the first was accepted or came from a pass; else another loop made them.
            matches=matches and trial.verify_steps + trial.accepted == max(0, len(trial.token_ids) - 1),
            detail={
                "draft_tokens": decoder.draft_tokens,
                "cache": cache,
                "drafted": trial.drafted,
                "accepted": trial.accepted,
                "verify_steps": trial.verify_steps,
                "mean_accepted_length": mean,
            },
        )
