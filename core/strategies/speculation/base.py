"""The base of speculation: draft length, fallback to plain decoding, and the proof that it ran. The acceptance rule is
in `core.kernels.speculation.speculative`."""

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
        """Return the sizes with room for a draft in the target's cache, a copy of its states meanwhile, and the
        drafter's own cache. Drafts of every length have products of their own."""
        head = 1 if size.head_bits is None else 0
        kernels = self.draft_tokens * (size.linears + head if size.linears else 0)
        more = {"room": self.draft_tokens + 1, "state": 2 * size.state}
        return size.with_kernels(kernels).model_copy(update=more)

    def drafter(self, runtime: LoadedModel) -> Any:
        """Return the source of drafts, a `core.kernels.speculation.speculative.Drafter`."""
        raise NotImplementedError

    def is_mine(self, drafter: Any) -> bool:
        """Return whether the decode loop's drafter is the requested one."""
        raise NotImplementedError

    def fault(self, drafter: Any) -> str:
        """Return in words what of the drafter differs from the request; empty if nothing."""
        return ""

    def facts(self, runtime: LoadedModel) -> dict[str, JsonValue]:
        """Return further facts about the drafter for the receipt."""
        return {}

    def script(self, out: Script) -> None:
        """Add assisted generation to a script; its acceptance rule is the same."""
        if not self.script_drafter(out):
            return
        if out.generate.pop("cache_implementation", "dynamic") != "dynamic":
            out.generate.pop("disable_compile", None)
            out.cannot(self, "generate() drafts on a dynamic cache only, so this script has one")
        if self.adaptive:
            out.note("Dyno decodes plainly while guessing is slower; generate() goes on guessing")

    def script_drafter(self, out: Script) -> bool:
        """Add the source of drafts; return False if there is none, which is noted."""
        out.cannot(self, "generate() has no such source of guesses")
        return False

    def script_model(self, out: Script, draft: Script, source: str) -> None:
        """Add a draft model as generate() takes it."""
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
        """Return the receipt: the parts of the decode loop and, after a trial, its drafts. A prompt without drafts is
        no mismatch: it says 0 drafted, and the decisions say why."""
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
