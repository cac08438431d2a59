"""Drafting what followed the same words before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from core.strategies.speculation.base import Speculation

if TYPE_CHECKING:
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script


class PromptLookupDecoding(Speculation):
    key: ClassVar[str] = "prompt_lookup"
    title: ClassVar[str] = "Prompt lookup"
    summary: ClassVar[str] = (
        "Proposes what followed the same words earlier in the context. Pays on summaries, rewriting and code; on "
        "free questions little is found, and on a CPU verifying several tokens costs more than one."
    )
    pays: ClassVar[str] = (
        "Where answers repeat their prompt: 2.31× on summaries, 1.55× over all tasks with a 7B model on an RTX "
        "3090 (Spec-Bench). It needs no second model."
    )
    pays_not: ClassVar[str] = (
        "In translation (1.07×) and free questions, where little is found; where kernels are fast for one token "
        "only, so that verifying several costs more."
    )
    source: ClassVar[str] = "Saxena 2023; acceptance as in Leviathan et al. 2023"

    max_ngram: int = Field(
        3, ge=1, le=16, title="Longest match", description="last tokens to look up; shorter ones are tried next"
    )

    def script_drafter(self, out: Script) -> bool:
        out.generate["prompt_lookup_num_tokens"] = self.draft_tokens
        out.generate["max_matching_ngram_size"] = self.max_ngram
        return True

    def drafter(self, runtime: LoadedModel) -> Any:
        from core.kernels.speculation.prompt_lookup import PromptLookup

        return PromptLookup(self.max_ngram)

    def is_mine(self, drafter: Any) -> bool:
        from core.kernels.speculation.prompt_lookup import PromptLookup

        return isinstance(drafter, PromptLookup) and drafter.max_ngram == self.max_ngram
