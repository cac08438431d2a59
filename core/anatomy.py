"""What a decode step of a loaded model reads and computes: sizes read from the model after all that a variant did to
it. Knows no device and no time; `core.kernels.anatomy` fills it in."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.model import Value

Count = Annotated[int, Field(ge=0, lt=2**63)]


class Anatomy(Value):
    """Bytes are of the tensors as they are stored, scales included. A head that is tied to the embedding has the
    embedding's bytes: it is read in full, whoever owns it."""

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
    embedding_row_bytes: Count  # what one token reads of all embeddings
    matrix_weights: Count  # that a token is multiplied with, the head's included; a masked zero is one of them
    head_weights: Count  # those of the head, which only tokens with logits meet
    windows: list[Count] = []  # of each layer that has a cache: the positions that it keeps, 0 for all of them
    computes_in: str = ""  # the type of the products: fp32, bf16, fp16, int8, fp8
    operations: Count | None = None  # that torch dispatches in one step of one token; None where it is compiled
    draft: Anatomy | None = None  # of a second model that guesses for this one

    @property
    def weights_read(self) -> int:
        """Bytes of weights that a step reads, whatever the number of its tokens (their embedding rows apart)."""
        return self.body_bytes + self.head_bytes

    def kv_bytes_per_token(self) -> float:
        """2·layers·kv_heads·head_dim·bytes, for layers that have a cache."""
        return 2 * len(self.windows) * self.kv_heads * self.head_dim * self.element_bytes

    def kv_read(self, context: float) -> float:
        """Bytes of keys and values at that many positions; a layer with a window keeps no more than its window."""
        positions = sum(min(context, window) if window else context for window in self.windows)
        return 2 * self.kv_heads * self.head_dim * self.element_bytes * positions

    def flops(self, tokens: float, logits: float, context: float) -> float:
        """2·P + 4·h_q·d_h·S a layer for each token, of which `logits` meet the head too."""
        positions = sum(min(context, window) if window else context for window in self.windows)
        matrices = (self.matrix_weights - self.head_weights) * tokens + self.head_weights * logits
        return 2 * matrices + 4 * self.heads * self.head_dim * positions * tokens
