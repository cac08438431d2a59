"""A loaded model with all that strategies change and receipts read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from core.engine.base.prompt_framing import Frame
from core.kernels.base.surgery import storage_bytes
from core.kernels.batching.serving import BatchServer
from core.kernels.decoding.decoders import Plain
from core.kernels.decoding.sampling import Sampler
from core.model.facts import ModelFacts
from core.model.receipt import Receipt
from core.model.source import ModelSource
from core.protocol.events import TrialDone
from core.spec.loaded_model import Decoder
from core.spec.variant import Variant
from core.spec.workload import Workload


@dataclass
class Runtime:
    """A loaded model with its tokenizer, decoder and notes. `work[slot]` holds the notes of a transform (which layers
    it left out, and why); `report(done, total, what)` reports its progress. `applied` names the slots whose work was in
    the weights when they were loaded."""

    model: Any  # a transformers causal LM
    tokenizer: Any
    variant: Variant
    workload: Workload
    facts: ModelFacts
    device: torch.device
    dtype: torch.dtype
    weights_bytes_before: int = 0
    source_type: str = ""  # the weights' quantization in their file, if they are dequantized here
    source: ModelSource | None = None  # with the user's permissions for this model
    draft_bytes: int = 0  # bytes of a draft model's weights
    fingerprint: str = ""
    applied: frozenset[str] = frozenset()
    notes: list[str] = field(default_factory=list)
    work: dict[str, dict[str, Any]] = field(default_factory=dict)
    decoder: Decoder | None = None
    server: BatchServer | None = None  # set by a batching strategy; else requests take turns at the decoder
    last_trial: TrialDone | None = None  # None until the first trial is over
    exactness: Receipt | None = None  # how it compares with the plain decoder: None until the warm-up, or not claimed
    frame: Frame = field(default_factory=lambda: Frame([], []))  # the chat template around a prompt
    asked_length: int = 0  # positions that the last answer to a typed prompt had room for
    forbidden: list[int] = field(default_factory=list)  # EOS: every variant generates the same count
    report: Callable[[float, float, str], None] = lambda done, total, what: None
    load_draft: Callable[[Runtime, str, dict[str, Any] | None, str], Runtime] | None = (
        None  # `core.engine.load.draft_model.draft`
    )

    @property
    def plain(self) -> Plain | None:
        """The decoder that runs the model, inside speculation."""
        decoder = getattr(self.decoder, "inner", self.decoder)
        return decoder if isinstance(decoder, Plain) else None

    @property
    def rounding(self) -> torch.dtype:
        """The coarsest data type that activations are rounded to. Kernels of quantized weights round to bf16 or 8 bits
        internally, and so do reduced-precision products, whatever the model's type."""
        reduced = self.variant.precision is not None and self.variant.precision.key not in ("fp32", "fp16", "bf16")
        quantized = self.variant.quantization is not None or bool(self.facts.quantized)
        return torch.bfloat16 if quantized or reduced else self.dtype

    @property
    def reused_tokens(self) -> int:
        """The number of prompt tokens that came from a prefix cache so far."""
        store = getattr(self.plain, "prefixes", None)
        return getattr(store, "reused_tokens", 0)

    def sampler(self, seed: int) -> Sampler:
        """Return a new sampler with the workload's settings; the same seed draws the same numbers."""
        w = self.workload
        return Sampler(w.temperature, w.top_k, w.top_p, seed, self.forbidden)

    def draft(self, source: str, slots: dict[str, Any] | None = None, preset: str = "") -> Runtime:
        """Return a second model that drafts for this one; "" means this model's own weights."""
        assert self.load_draft is not None
        found = self.load_draft(self, source, slots, preset)
        self.draft_bytes += storage_bytes(found.model)
        return found
