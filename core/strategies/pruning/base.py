"""The base of structured pruning: the calibration text, and a receipt of how much smaller the model is and what it
lost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from core.model.receipt import JsonValue
from core.spec.script_builder import MATERIALIZE
from core.spec.variant import Strategy, Unsuitable

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script

SMALLER = "physically smaller"


def calibration_field() -> Any:
    return Field(
        512,
        ge=32,
        le=4096,
        title="Calibration tokens",
        description="tokens of built-in text on which the parts are judged, at most",
    )


def packed(facts: ModelFacts | None) -> list[str]:
    """Return why nothing can be removed from packed weights; empty otherwise."""
    if facts is None or not facts.quantized:
        return []
    return [f"the model's weights are packed already ({facts.quantized}): choose the original"]


class Structured(Strategy):
    slot: ClassVar[str] = "pruning"

    if TYPE_CHECKING:
        calibration_tokens: int

    def script(self, out: Script) -> None:
        out.cannot(self, MATERIALIZE)

    def remove(self, runtime: LoadedModel, ids: Sequence[int]) -> dict[str, Any]:
        """Remove parts of the model and return the notes for the receipt, as JSON. Raises ValueError with the reason if
        the model has no such parts."""
        raise NotImplementedError

    def transform(self, runtime: LoadedModel) -> None:
        from core.kernels.base.surgery import parameter_count
        from core.kernels.pruning.layer_drop import perplexity
        from core.kernels.weights.calibration import calibration_ids

        ids = calibration_ids(runtime.tokenizer, self.calibration_tokens)
        parameters, before = parameter_count(runtime.model), perplexity(runtime.model, ids)
        try:
            found = self.remove(runtime, ids)
        except ValueError as error:
            raise Unsuitable(f"{self.key}: {error}") from error
        runtime.work[self.slot] = {
            **found,
            "parameters": parameters,
            "perplexity": [before, perplexity(runtime.model, ids)],
            "tokens": len(ids),
        }

    def detail(self, runtime: LoadedModel) -> dict[str, JsonValue]:
        """Return the model's present sizes, and the earlier sizes and perplexities that the transform noted."""
        from core.kernels.base.surgery import parameter_count, storage_bytes

        work = runtime.work.get(self.slot, {})
        before, after = work.get("perplexity", (None, None))
        parameters, now = work.get("parameters"), parameter_count(runtime.model)
        return {
            "badge": SMALLER if parameters is not None and now < parameters else "",
            "parameters_before": parameters,
            "parameters": now,
            "weights_bytes_before": runtime.weights_bytes_before,
            "weights_bytes": storage_bytes(runtime.model),
            "calibration_tokens": work.get("tokens"),
            "perplexity_before": _finite(before),
            "perplexity": _finite(after),
        }

    def lost(self, runtime: LoadedModel) -> str:
        """Return `; perplexity 21.3 → 48.1 on 512 tokens`; empty if the transform did not run."""
        work = runtime.work.get(self.slot, {})
        if "perplexity" not in work:
            return ""
        before, after = work["perplexity"]
        return f"; perplexity {before:.3g} → {after:.3g} on {work['tokens']} tokens"


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
