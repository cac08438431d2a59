"""Loads a draft model into the engine of its target."""

from __future__ import annotations

from typing import Any

import torch

from core.base.files import parse_json, read_whole
from core.engine.base.runtime import Runtime
from core.engine.weights import read_model, rebuild
from core.feasibility.compatibility import conflicts_with_weights
from core.feasibility.staging import is_staged
from core.kernels.base import memory
from core.kernels.base.surgery import HOST, storage_bytes
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.spec.preset_location import newest
from core.spec.variant import Unsuitable, Variant

#: What of a preset makes a model smaller; the rest (cache, batching) belongs to the loop that it ran in.
_SLOTS = ("precision", "pruning", "quantization")


def draft(target: Runtime, source: str, slots: dict[str, Any] | None = None, preset: str = "") -> Runtime:
    """Load and return a draft model for `target`. `source` is as in an experiment file, or "" for the target's own
    weights. `preset` or `slots` (as in a variant) say what is done to its weights. Raises ModelError and Unsuitable."""
    done = preset_slots(preset) if preset else slots or {}
    variant = Variant.model_validate({"name": "draft", **done})
    facts = resolve(ModelSource(source=source)) if source else target.facts
    if facts.kind == "gguf":
        raise Unsuitable(f"speculation: {source} is a GGUF file; give a folder that transformers can load")
    options: dict[str, Any] = {"dtype": target.dtype}
    for strategy in variant.strategies():
        strategy.load(options)
    where = ModelSource(source=facts.path)
    if not source and target.source is not None:  # a copy is loaded as the target was, pickle and remote code included
        where = target.source.model_copy(update={"source": facts.path})
    reading = HOST if is_staged(variant, facts) else target.device
    model = read_model.read_model(facts, where, reading, options)
    runtime = Runtime(
        model=model,
        tokenizer=read_model.read_tokenizer(facts, where) if source else target.tokenizer,
        variant=variant,
        workload=target.workload,
        facts=facts,
        device=target.device,
        dtype=model.dtype,
        weights_bytes_before=storage_bytes(model),
    )
    if facts.materialized is not None:
        if made := conflicts_with_weights(facts.materialized, variant):
            raise Unsuitable(f"speculation: the draft's {made[0]}")
        rebuild.take_over(runtime, facts.materialized)
    for strategy in variant.strategies():
        reasons = strategy.conflicts(variant, facts, target.workload)
        if reasons:
            raise Unsuitable(f"speculation: the draft's {strategy.title}: {'; '.join(reasons)}")
        if strategy.slot not in runtime.applied:
            with torch.no_grad():
                strategy.transform(runtime)
    if variant.strategies():
        memory.unmap(model)
    return runtime


def preset_slots(name: str) -> dict[str, Any]:
    """Return what a preset (a name or a file) does to the weights. Raises ModelError."""
    path = newest(name)
    try:
        variant = parse_json(read_whole(path))["variant"]
        return {slot: variant[slot] for slot in _SLOTS if variant.get(slot)}
    except OSError as error:
        raise ModelError(f"speculation: the preset {path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ModelError(f"speculation: {path} is not a preset", "Save one from a finished run.") from None
