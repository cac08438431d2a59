"""What a decode step of a loaded model reads and computes, by the sizes of the model after all strategies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.base.value import Value

Count = Annotated[int, Field(ge=0, lt=2**63)]


class Anatomy(Value):
    """The sizes of a loaded model. Bytes are those of the stored tensors, scales included. A tied head has the
    embedding's bytes, since it is read in full. In a mixture of experts a token meets `experts_per_token` of a layer's
    `experts`; those of several tokens are assumed to be drawn evenly and independently."""

    layers: Count
    hidden: Count
    heads: Count
    kv_heads: Count
    head_dim: Count
    element_bytes: Annotated[
        float, Field(gt=0, allow_inf_nan=False)
    ]  # of an activation, and of a key or a value that is not quantized
    body_bytes: Count  # everything but embeddings and head
    head_bytes: Count
    embedding_bytes: Count
    embedding_row_bytes: Count  # embedding bytes that one token reads
    matrix_weights: Count  # weights that a token is multiplied with, head included; masked zeros count
    head_weights: Count  # the head's weights, which only tokens with logits meet
    windows: list[Count] = []  # of each layer that has a cache: the positions that it keeps, 0 for all of them
    kv_row: Count | None = None  # elements that a layer keeps of a position; None: 2·kv_heads·head_dim
    computes_in: str = ""  # the type of the products: fp32, bf16, fp16, int8, fp8
    operations: Count | None = None  # operations that torch dispatches in a step of one token; None if compiled
    draft: Anatomy | None = None  # sizes of a draft model
    experts: Count = 0  # of a layer that has some; 0: no mixture
    experts_per_token: Count = 0
    expert_bytes: Count = 0  # of all experts of all layers; they are a part of the body
    expert_weights: Count = 0  # of all experts; `matrix_weights` has those that one token meets

    @property
    def weights_read(self) -> float:
        """The bytes of weights that a step of one token reads, without its embedding row."""
        return self.weights_read_by(1)

    def weights_read_by(self, tokens: float) -> float:
        """Return the bytes of weights that a step of `tokens` tokens reads: all of them share all weights except the
        experts that none meets."""
        return self.body_bytes + self.head_bytes - self.expert_bytes * (1 - self.experts_met(tokens))

    def experts_met(self, tokens: float) -> float:
        """Return the share of experts that `tokens` tokens meet; 1 without a mixture. Exact for one token."""
        if not self.experts:
            return 1.0
        return 1 - (1 - min(1.0, self.experts_per_token / self.experts)) ** max(1.0, tokens)

    def kv_bytes_per_token(self) -> float:
        """2·layers·kv_heads·head_dim·bytes for layers with a cache; the cached row for latent attention."""
        return len(self.windows) * self._row * self.element_bytes

    def kv_read(self, context: float) -> float:
        """Return the bytes of keys and values at `context` positions; a sliding layer keeps its window at most."""
        positions = sum(min(context, window) if window else context for window in self.windows)
        return self._row * self.element_bytes * positions

    @property
    def _row(self) -> int:
        return 2 * self.kv_heads * self.head_dim if self.kv_row is None else self.kv_row

    def flops(self, tokens: float, logits: float, context: float) -> float:
        """Return 2·P + 4·h_q·d_h·S per layer for each token; `logits` tokens meet the head too."""
        positions = sum(min(context, window) if window else context for window in self.windows)
        matrices = (self.matrix_weights - self.head_weights) * tokens + self.head_weights * logits
        return 2 * matrices + 4 * self.heads * self.head_dim * positions * tokens
