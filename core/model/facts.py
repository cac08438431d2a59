"""What is known of a model before its weights are loaded."""

from __future__ import annotations

from typing import Literal

from core.base.value import Value
from core.model.materialized_note import Materialized
from core.model.quantization_schemes import Scheme

Kind = Literal["folder", "gguf"]


class ModelFacts(Value):
    """The facts of a model before its weights are loaded. Sizes are in bytes, counts in elements."""

    name: str
    kind: Kind
    path: str
    architecture: str = ""
    parameters: int | None = None
    dtype: str = ""
    file_bytes: int = 0
    layers: int | None = None
    hidden: int | None = None
    intermediate: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    vocab: int | None = None
    context: int | None = None
    tied: bool | None = None
    chat_template: bool = False
    needs_pickle: bool = False
    remote_code: bool = False
    materialized: Materialized | None = None  # the note of a materialized folder
    scheme: Scheme | None = None  # how its maker quantized it
    expert_parameters: int = 0  # of the experts of a mixture
    expert_intermediate: int | None = None  # inputs of an expert's last projection, where a config has them apart
    uncached_layers: int = 0  # without keys and values of their own
    sliding_layers: int = 0  # that keep the last `window` positions only
    window: int | None = None
    kv_row: int | None = None  # elements that a layer keeps of a position; None: 2·kv_heads·head_dim
    state_elements: int = 0  # that recurrent layers keep of a request, whatever its length

    @property
    def quantized(self) -> str:
        """The method of a checkpoint whose layers stay quantized when loaded, or ""."""
        return self.scheme.method if self.scheme is not None and not self.scheme.plain else ""

    def before(self, slot: str) -> ModelFacts:
        """Return the facts that a slot's strategy started from, if its work is in the weights already."""
        if self.materialized is None or not self.materialized.has(slot):
            return self
        return self.model_copy(update=self.materialized.before)

    def kv_bytes_per_token(self, element_bytes: int) -> int | None:
        """Return 2·layers·kv_heads·head_dim·bytes for the layers with a cache, while no sliding window is full."""
        if self.layers is None or self.kv_heads is None or self.head_dim is None:
            return None
        row = self.kv_row if self.kv_row is not None else 2 * self.kv_heads * self.head_dim
        return (self.layers - self.uncached_layers) * row * element_bytes
