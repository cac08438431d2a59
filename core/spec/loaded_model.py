"""What a strategy may see and change of a loaded model. The engine's `Runtime` implements it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from core.model.facts import ModelFacts
from core.spec.workload import Workload

if TYPE_CHECKING:
    import torch


class Decoder(Protocol):
    """What the engine drives. `verify_steps` counts the target's passes after the prefill, so that the mean accepted
    length is 1 + accepted ÷ verify_steps; all three counts are those of the present request."""

    drafted: int
    accepted: int
    verify_steps: int

    def start(self, prompt: list[int], new_tokens: int, sampler: Any) -> int:
        """Prefill, and return the first new token."""

    def step(self) -> list[int]:
        """Run one forward pass of the target, and return one or more tokens, never more than are still wanted."""

    def kv_bytes(self) -> int:
        """Return the present bytes of the cache's tensors."""

    def cache_class(self) -> str:
        """Return the classes of the cache and its layers, with counts."""


class LoadedModel(Protocol):
    """A loaded model. `work[slot]` holds a transform's notes; `report(done, total, what)` reports progress."""

    model: Any  # a transformers causal LM
    tokenizer: Any
    workload: Workload
    facts: ModelFacts
    device: torch.device
    dtype: torch.dtype
    weights_bytes_before: int
    work: dict[str, dict[str, Any]]
    decoder: Any  # a Decoder, once all strategies had their turn
    server: Any  # set by a batching strategy
    last_trial: Any  # the event that ended the last trial; None until the first is over

    @property
    def report(self) -> Callable[[float, float, str], None]: ...

    @property
    def plain(self) -> Any:
        """The decoder that runs the model, inside speculation; None if another kind decodes."""

    @property
    def rounding(self) -> torch.dtype:
        """The coarsest data type that activations are rounded to."""

    def draft(self, source: str, slots: dict[str, Any] | None = None, preset: str = "") -> Any:
        """Load and return a draft model for this one; "" is this model's own weights."""
