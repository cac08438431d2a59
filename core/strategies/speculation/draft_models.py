"""Drafting with a model: a smaller one, a lighter copy of the target, or its own first layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.receipt import JsonValue
from core.model.source import ModelSource
from core.spec.script_builder import Code, call, expression
from core.spec.variant import REGISTRY, Unsuitable
from core.strategies.speculation.base import Speculation

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload

#: Of the copy's weights, as a person reads them.
FORMATS = {"none": "none", "int4_weight_only": "int4 weights", "int8_weight_only": "int8 weights", "nf4": "NF4"}


class _ModelDraft(Speculation):
    def fault(self, drafter: Any) -> str:
        return getattr(drafter, "inner", drafter).fault

    def is_mine(self, drafter: Any) -> bool:
        from core.kernels.speculation.drafters import ModelDrafter, ReencodedDrafter

        inner = drafter.inner if isinstance(drafter, ReencodedDrafter) else drafter
        return isinstance(inner, ModelDrafter)

    def able(self, drafter: Any) -> Any:
        """Return the drafter. Raises Unsuitable if its model cannot roll a draft back."""
        if reason := drafter.obstacle():
            raise Unsuitable(f"speculation: {drafter.name} cannot take back what it guessed wrong: {reason}")
        return drafter

    def facts(self, runtime: LoadedModel) -> dict[str, JsonValue]:
        """Return the draft model's device and size: a draft on another device than its target is a common fault."""
        from core.kernels.base import surgery
        from core.kernels.speculation import drafters

        drafter = getattr(runtime.decoder, "drafter", None)
        model = getattr(getattr(drafter, "inner", drafter), "model", None)
        if model is None:
            return {}
        return {
            "draft_device": drafters.device_of(model),
            "draft_layers": len(surgery.decoder_layers(model)[1]),
            "draft_weights_bytes": surgery.storage_bytes(model),
        }


class DraftModel(_ModelDraft):
    key: ClassVar[str] = "draft_model"
    title: ClassVar[str] = "Draft model"
    summary: ClassVar[str] = (
        "A smaller model guesses, the target verifies. Pays where the draft is several times faster and agrees "
        "often; both models need memory."
    )
    pays: ClassVar[str] = (
        "Where the draft is several times faster and agrees often: 1.83× on an RTX 3090, 1.49× on an A100 with a "
        "7B model (Spec-Bench)."
    )
    pays_not: ClassVar[str] = (
        "With several requests at once, which use up the arithmetic that verifying needs; with formats that are "
        "fast for one token only: an int8 verifier fell from 33 to 7 tok/s (gpt-fast, issue 21)."
    )
    source: ClassVar[str] = "Leviathan et al. 2023; Chen et al. 2023"
    paths: ClassVar[tuple[str, ...]] = ("model",)

    model: str = Field(
        "",
        max_length=4096,
        title="Draft model",
        description="a folder (an ordinary or a materialized one) or a hub id, of the same tokenizer if possible",
    )
    other_tokenizer: Literal["refuse", "re-encode"] = Field(
        "refuse",
        title="Other tokenizer",
        description="re-encode passes text between the two; the output stays exact, fewer guesses are right",
    )

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        return [self.lacks()] if self.lacks() else []

    def lacks(self) -> str:
        return "" if self.model else "name the draft model: a folder or a hub id"

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        size = super().footprint(size, workload)
        if not self.model:  # not named yet
            return size
        try:
            facts = resolve(ModelSource(source=self.model))
        except ModelError:  # loading will say so
            return size
        made = facts.quantized or facts.materialized is not None or facts.parameters is None
        draft = facts.file_bytes if made else round((facts.parameters or 0) * size.element)
        cache = (facts.kv_bytes_per_token(1) or 0) * size.element * size.tokens
        return size.model_copy(update={"beside": draft, "beside_kv": round(cache)})

    def script_drafter(self, out: Script) -> bool:
        self.script_model(out, out.beside("draft"), expression(self.model))
        if self.other_tokenizer == "re-encode":
            load = call("AutoTokenizer.from_pretrained", self.model)
            out.after.append(f"draft_tokenizer = {load}")
            out.also.append("draft_tokenizer")
            out.generate |= {"tokenizer": Code("tokenizer"), "assistant_tokenizer": Code("draft_tokenizer")}
        return True

    def drafter(self, runtime: LoadedModel) -> Any:
        from core.kernels.base.surgery import embedding_rows
        from core.kernels.speculation.drafters import ModelDrafter, ReencodedDrafter, vocabulary_difference

        draft = runtime.draft(self.model)
        difference = vocabulary_difference(runtime.tokenizer, draft.tokenizer)
        ids = embedding_rows(runtime.model)
        inner = self.able(ModelDrafter(draft.model, draft.facts.name, ids=None if difference else ids))
        if not difference:
            return inner
        if self.other_tokenizer == "refuse":
            raise Unsuitable(
                f"speculation: the tokenizers differ: {difference}; with another tokenizer, choose to re-encode"
            )
        return ReencodedDrafter(inner, runtime.tokenizer, draft.tokenizer, ids)


class SelfDraft(_ModelDraft):
    key: ClassVar[str] = "self_draft"
    title: ClassVar[str] = "Self draft"
    summary: ClassVar[str] = (
        "A quantized or shortened copy of the target guesses. It agrees often, needs no second model to be found, "
        "and pays where its format is much faster than the target's."
    )
    pays: ClassVar[str] = (
        "Where a quantized or shortened copy is much faster than the target, and no smaller model is at hand."
    )
    pays_not: ClassVar[str] = (
        "For targets that are quantized already: the copy is hardly faster, and takes memory of its own."
    )
    source: ClassVar[str] = "Zhang et al. 2023 (Draft & Verify); acceptance as in Leviathan et al. 2023"
    paths: ClassVar[tuple[str, ...]] = ("preset",)
    presets: ClassVar[tuple[str, ...]] = ("preset",)

    quantization: Literal["none", "int4_weight_only", "int8_weight_only", "nf4"] = Field(
        "int4_weight_only",
        title="Quantization",
        description="format of the copy's weights",
        json_schema_extra={"words": {**FORMATS}},
    )
    drop: float = Field(
        0.0, ge=0, lt=1, title="Layers dropped", description="share of the copy's layers that is taken out, 0 to 1"
    )
    preset: str = Field(
        "", max_length=4096, title="Preset", description="name or file of a preset to make the copy with, instead"
    )

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if not self.preset and self.quantization == "none" and not self.drop:
            return ["the copy is the target itself, so it cannot be faster: choose a quantization or drop layers"]
        return []

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        copy = size.model_copy(update={"body_bits": None, "head_bits": None, "state": 2 * size.state})
        if self.quantization != "none" and not self.preset:
            copy = REGISTRY["quantization"][self.quantization]().footprint(copy, workload)
        size = super().footprint(size, workload)
        left = {"body": round(copy.body * (1 - self.drop)), "layers": round(copy.layers * (1 - self.drop))}
        copy = copy.model_copy(update=left)
        beside = {"beside": copy.weights_bytes, "beside_kv": copy.own_cache.kv_bytes}
        return size.model_copy(update={**beside, "allowances": copy.allowances})

    def script_drafter(self, out: Script) -> bool:
        if self.preset or self.drop:
            out.cannot(self, "the copy is made by work on the weights; materialize it, and use it as a draft model")
            return False
        copy = out.beside("draft")
        REGISTRY["quantization"][self.quantization]().script(copy)
        self.script_model(out, copy, "MODEL")
        return True

    def drafter(self, runtime: LoadedModel) -> Any:
        from core.kernels.speculation.drafters import ModelDrafter

        slots: dict[str, Any] = {}
        if self.quantization != "none":
            slots["quantization"] = {"method": self.quantization}
        if self.drop:
            slots["pruning"] = {"method": "layer_drop", "ratio": self.drop}
        draft = runtime.draft("", slots, self.preset)
        proofs = [strategy.receipt(draft) for strategy in draft.variant.strategies()]
        fault = "; ".join(proof.effective for proof in proofs if not proof.matches)
        return self.able(ModelDrafter(draft.model, f"copy as {draft.variant.recipe()}", fault))


class EarlyExit(_ModelDraft):
    key: ClassVar[str] = "early_exit"
    title: ClassVar[str] = "Early exit"
    summary: ClassVar[str] = (
        "The target's first layers guess: no extra weights. Models that were not trained for it agree seldom, so "
        "for them it hardly ever pays."
    )
    pays: ClassVar[str] = "For models that were trained for it (LayerSkip)."
    pays_not: ClassVar[str] = "For all others: their first layers agree seldom with the last."
    source: ClassVar[str] = "LayerSkip, Elhoushi et al. 2024; Draft & Verify, Zhang et al. 2023"

    share: float = Field(0.75, gt=0, lt=1, title="Share of layers", description="layers that guess, of all, 0 to 1")

    def script_drafter(self, out: Script) -> bool:
        layers = out.facts.layers if out.facts is not None else None
        if not layers or layers < 2:
            out.cannot(self, "the number of layers is not known here, so neither is the share that guesses")
            return False
        out.generate["assistant_early_exit"] = self.count(layers)
        out.after += [
            f"{out.model}.generation_config.num_assistant_tokens = {self.draft_tokens}",
            f"{out.model}.generation_config.assistant_confidence_threshold = 0.0",
        ]
        return True

    def count(self, layers: int) -> int:
        """Return how many of the layers draft."""
        return min(layers - 1, max(1, round(layers * self.share)))

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        size = super().footprint(size, workload)
        guessing = size.model_copy(update={"layers": max(0, self.count(size.layers))})
        return size.model_copy(update={"beside_kv": guessing.own_cache.kv_bytes})

    def drafter(self, runtime: LoadedModel) -> Any:
        from core.kernels.base.surgery import decoder_layers
        from core.kernels.speculation.drafters import ModelDrafter, first_layers

        total = len(decoder_layers(runtime.model)[1])
        count = self.count(total)
        if count < 1:
            raise Unsuitable("speculation: a model of one layer has nothing to exit from early")
        try:
            first = first_layers(runtime.model, count)
        except ValueError as error:
            raise Unsuitable(f"speculation: the first {count} of {total} layers cannot guess: {error}") from error
        return self.able(ModelDrafter(first, f"first {count} of {total} layers"))
