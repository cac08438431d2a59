"""The interface of the loaded model, what it accepts and returns, read from the model itself."""

from __future__ import annotations

import hashlib
import inspect
from typing import Any

from torch import Tensor

from core.engine.base.runtime import Runtime
from core.engine.load.soundness import probe_logits
from core.model.receipt import JsonValue
from core.protocol.events import Interface

_UNLIMITED = 10**9  # tokenizers without a limit say 10^30


def interface(runtime: Runtime, logits: Tensor | None = None) -> Interface:
    """Return the interface, from a short forward pass (or from `probe_logits` if given) and the settings of model and
    tokenizer."""
    model, tokenizer = runtime.model, runtime.tokenizer
    logits = probe_logits(model) if logits is None else logits
    config = model.config.get_text_config(decoder=True)
    return Interface(
        inputs=list(inspect.signature(model.forward).parameters),
        logits_shape=list(logits.shape),
        logits_dtype=str(logits.dtype).removeprefix("torch."),
        vocabulary=config.vocab_size,
        tokens=len(tokenizer),
        special_tokens=_special_tokens(model, tokenizer),
        chat_template=_digest(getattr(tokenizer, "chat_template", None)),
        max_length=_max_length(config, tokenizer),
        generation=_generation(model),
    )


def _special_tokens(model: Any, tokenizer: Any) -> dict[str, JsonValue]:
    """Return the tokenizer's special tokens by name, and the model's end and padding ids."""
    found: dict[str, JsonValue] = {
        name: [str(t) for t in value] if isinstance(value, list) else str(value)
        for name, value in tokenizer.special_tokens_map.items()
    }
    for name in ("bos_token_id", "eos_token_id", "pad_token_id"):
        value = getattr(model.config, name, None)
        found[f"model.{name}"] = value if value is None or isinstance(value, list) else int(value)
    return found


def _digest(template: Any) -> str:
    """Return the digest of a chat template, which may be one text or several by name."""
    return hashlib.sha256(str(template).encode("utf-8", "replace")).hexdigest() if template else ""


def _max_length(config: Any, tokenizer: Any) -> int | None:
    """Return the smaller of the model's positions and the tokenizer's limit."""
    limits = [getattr(config, "max_position_embeddings", None), getattr(tokenizer, "model_max_length", None)]
    known = [int(n) for n in limits if n is not None and n < _UNLIMITED]
    return min(known, default=None)


def _generation(model: Any) -> dict[str, JsonValue]:
    config = getattr(model, "generation_config", None)
    found = config.to_diff_dict() if config is not None else {}
    return {
        name: _plain(found[name])
        for name in sorted(found)
        if name not in ("transformers_version", "_from_model_config")
    }


def _plain(value: Any) -> JsonValue:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list) and all(isinstance(x, int) for x in value):
        return value
    return str(value)
