"""What all speculation shares: how many tokens to guess, when to stop guessing, and the proof that it ran. Knows
no source of guesses; the acceptance rule is in `core.kernels.speculation.speculative`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from core.model.receipt import JsonValue, Receipt
from core.spec.script_builder import Code, Script, expression
from core.spec.variant import Strategy, Unsuitable

if TYPE_CHECKING:
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import Decoder, LoadedModel
    from core.spec.workload import Workload


class Speculation(Strategy):
    slot: ClassVar[str] = "speculation"
    exact: ClassVar[bool] = True

    draft_tokens: int = Field(
        5, ge=1, le=64, title="Draft tokens", description="tokens guessed per verification, at most"
    )
    adaptive: bool = Field(
        True,
        title="Adaptive",
        description="choose the number from measured times and acceptance, and decode plainly while guessing is slower",
    )

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        """Return a draft is verified in the target's cache, of whose states a copy is kept meanwhile; who guesses may
        have one of its own. Drafts of every length have products of their own."""
        head = 1 if size.head_bits is None else 0
        kernels = self.draft_tokens * (size.linears + head if size.linears else 0)
        more = {"room": self.draft_tokens + 1, "state": 2 * size.state}
        return size.with_kernels(kernels).model_copy(update=more)

    def drafter(self, runtime: LoadedModel) -> Any:
        """Return the source of guesses: a `core.kernels.speculation.speculative.Drafter`."""
        raise NotImplementedError

    def is_mine(self, drafter: Any) -> bool:
        """Return whether what sits in the decode loop is what this strategy asked for."""
        raise NotImplementedError

    def fault(self, drafter: Any) -> str:
        """Return what of the drafter is not as asked for, in words."""
        return ""

    def facts(self, runtime: LoadedModel) -> dict[str, JsonValue]:
        """Return what else the receipt should show of the drafter."""
        return {}

    def script(self, out: Script) -> None:
        """What makes guesses in generate(); the acceptance rule is the same there."""
        if not self.script_drafter(out):
            return
        if out.generate.pop("cache_implementation", "dynamic") != "dynamic":
            out.generate.pop("disable_compile", None)
            out.cannot(self, "generate() drafts on a dynamic cache only, so this script has one")
        if self.adaptive:
            out.note("Dyno decodes plainly while guessing is slower; generate() goes on guessing")

    def script_drafter(self, out: Script) -> bool:
        """Add the source of guesses; False where there is none, which has been said."""
        out.cannot(self, "generate() has no such source of guesses")
        return False

    def script_model(self, out: Script, draft: Script, source: str) -> None:
        """A model that guesses, as generate() takes it."""
        draft.load["dtype"] = out.load["dtype"]
        out.after += [
            *draft.loading(source),
            f"{draft.model}.generation_config.num_assistant_tokens = {self.draft_tokens}",
        ]
        schedule = "heuristic" if self.adaptive else "constant"
        out.after += [
            f"{draft.model}.generation_config.num_assistant_tokens_schedule = {expression(schedule)}",
            f"{draft.model}.generation_config.assistant_confidence_threshold = 0.0",
        ]
        out.also.append(draft.model)
        out.generate["assistant_model"] = Code(draft.model)

    def decoder(self, inner: Decoder, runtime: LoadedModel) -> Decoder:
        from core.kernels.caches import caches
        from core.kernels.decoding.decoders import Plain
        from core.kernels.speculation.draft_length import AdaptiveDraftLength
        from core.kernels.speculation.speculative import Speculative

        assert isinstance(inner, Plain)
        if reason := inner.obstacle():
            raise Unsuitable(f"speculation: what is guessed wrong cannot be taken back: {reason}")
        tokens = runtime.workload.prompt_tokens + runtime.workload.new_tokens
        if reason := caches.depends_on_shape(runtime.model, tokens):
            raise Unsuitable(f"speculation: several tokens at once would not be what they are one by one: {reason}")
        pace = AdaptiveDraftLength(self.draft_tokens) if self.adaptive else None
        return Speculative(inner, self.drafter(runtime), self.draft_tokens, pace)

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return what the decode loop is made of and, after a trial, what it drafted. A prompt for which nothing was
        guessed is not a fault: it says 0 drafted, and the decisions say why."""
        from core.kernels.speculation.speculative import Speculative

        requested = f"{self.label()}, up to {self.draft_tokens} draft tokens"
        decoder = runtime.decoder
        if not isinstance(decoder, Speculative) or not self.is_mine(decoder.drafter):
            loop = type(decoder).__name__ if decoder else "none"
            return Receipt(
                slot=self.slot, requested=requested, effective=f"not in the decode loop ({loop})", matches=False
            )
        matches = decoder.draft_tokens == self.draft_tokens and (decoder.pace is not None) == self.adaptive
        fault = self.fault(decoder.drafter)
        matches = matches and not fault
        detail: dict[str, JsonValue] = {
            "draft_tokens": decoder.draft_tokens,
            "cache": decoder.cache_class(),
            "drafter": decoder.drafter.describe(),
            **self.facts(runtime),
        }
        if fault:
            detail["fault"] = fault
        trial = runtime.last_trial
        if trial is None:
            words = f"{decoder.drafter.describe()}, verified on {decoder.cache_class()}; not used yet"
            return Receipt(slot=self.slot, requested=requested, effective=words, matches=matches, detail=detail)
        mean = 1 + trial.accepted / trial.verify_steps if trial.verify_steps else None
        words = f"{mean:.2f} tokens per pass" if mean else "no pass after the first token"
        if decoder.pace is not None and decoder.pace.changes:
            detail["decisions"] = [f"{c.what}: {c.detail}" for c in decoder.pace.changes[-10:]]
        return Receipt(
            slot=self.slot,
            requested=requested,
            effective=f"{decoder.drafter.describe()}: {trial.drafted} drafted, {trial.accepted} accepted, {words}",
            # Every token after a request's first was accepted or came from a pass; else another loop made them.
            matches=matches and trial.verify_steps + trial.accepted == trial.after_first,
            detail={
                **detail,
                "drafted": trial.drafted,
                "accepted": trial.accepted,
                "verify_steps": trial.verify_steps,
                "mean_accepted_length": mean,
                "fed_again": decoder.again,
                "draft_share": decoder.draft_ns / decoder.pass_ns if decoder.pass_ns else None,
            },
        )
