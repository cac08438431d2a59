"""The base of strategies that calibrate on activations: which text, and how much of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from core.model.memory_footprint import Allowance
from core.model.receipt import JsonValue
from core.spec.variant import Strategy, Unsuitable

if TYPE_CHECKING:
    from core.kernels.weights.layer_inputs import Fed
    from core.model.facts import ModelFacts
    from core.spec.loaded_model import LoadedModel
    from core.spec.variant import Variant
    from core.spec.workload import Workload

BUILT_IN = "built-in"
#: What solving for the weights leaves behind in the libraries; measured on a CPU with GPTQ and SparseGPT and models of
#: 4, 8 and 30 layers.
LAPACK = Allowance.mib(8, 12, 16)


class CalibratedStrategy(Strategy):
    """Calibration parameters. It precedes the slot's own base class, so that both contribute to `conflicts`."""

    paths: ClassVar[tuple[str, ...]] = ("calibration",)

    calibration: str = Field(
        BUILT_IN,
        min_length=1,
        max_length=4096,
        title="Calibration text",
        description=(
            '"built-in" (general English text and code), or a .txt or .jsonl file: text like that of the real '
            "workload, but never the text that is measured"
        ),
    )
    calibration_tokens: int = Field(
        2048,
        ge=32,
        le=1_000_000,
        title="Calibration tokens",
        description="tokens of the text that are run through the model, at most; the built-in text has about 3,700",
    )
    sequence: int = Field(
        512, ge=16, le=131_072, title="Sequence", description="tokens of calibration text per pass of the model"
    )

    def is_name(self, parameter: str) -> bool:
        return getattr(self, parameter) == BUILT_IN or super().is_name(parameter)

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = super().conflicts(variant, facts, workload)
        made = facts is not None and facts.materialized is not None and facts.materialized.has(self.slot)
        if self.calibration != BUILT_IN and not made:  # what is in the weights already needs no text any more
            path = Path(self.calibration)
            if path.suffix not in (".txt", ".jsonl"):
                reasons.append(f'calibration is "{BUILT_IN}" or a .txt or .jsonl file, not {self.calibration!r}')
            elif not os.path.isfile(path):  # unlike the path's own method, no name makes it raise
                reasons.append(f"calibration: there is no file {path}")
        if facts and facts.context and self.sequence > facts.context:
            reasons.append(f"sequence = {self.sequence} is beyond the model's context of {facts.context} tokens")
        return reasons

    def _fed_layers(self, runtime: LoadedModel, hessian: bool) -> Iterator[dict[str, Fed]]:
        """Yield the Linears of each transformer layer with their calibration inputs; notes the text's fingerprint for
        the receipt. Raises Unsuitable."""
        from core.kernels.base import surgery
        from core.kernels.weights.calibration import calibration
        from core.kernels.weights.layer_inputs import layer_by_layer

        try:
            text = calibration(runtime.tokenizer, self.calibration, self.calibration_tokens, self.sequence)
            runtime.work.setdefault(self.slot, {}).update(
                calibration_sha256=text.sha256, calibration_tokens=text.tokens, sequences=len(text.sequences)
            )
            total = len(surgery.decoder_layers(runtime.model)[1])
            for number, layer in enumerate(layer_by_layer(runtime.model, text.sequences, hessian), 1):
                yield layer
                runtime.report(number, total, "layers calibrated")
        except ValueError as error:
            raise Unsuitable(f"{self.key}: {error}") from error

    def _calibration_detail(self, runtime: LoadedModel) -> dict[str, JsonValue]:
        """Return what calibration really fed to the model; empty if nothing."""
        work = runtime.work.get(self.slot, {})
        names = ("calibration_sha256", "calibration_tokens", "sequences")
        return {"calibration": self.calibration, **{name: work.get(name) for name in names}}
