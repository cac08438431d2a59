"""Checks a variant before anything is loaded: reasons against it in words, and its memory in figures."""

from __future__ import annotations

from typing import Any

import torch
from pydantic import ValidationError

from core.engine.base.failures import Refused
from core.engine.machine.probe import available_bytes
from core.feasibility.compatibility import conflicts_with_weights
from core.feasibility.memory_estimate import (
    TIGHT,
    MemoryEstimate,
    card_bytes,
    card_loading_bytes,
    loading_bytes,
    memory_estimate,
)
from core.machine.environment import Environment, capacity_bytes
from core.model.facts import ModelFacts
from core.model.finder import check_reader
from core.protocol.engine_channel import Channel
from core.protocol.events import Estimate
from core.spec.experiment import describe
from core.spec.variant import Variant
from core.spec.workload import Workload


def read_variant(data: dict[str, Any]) -> Variant:
    """Return a variant from its data in a file. Raises Refused, since this engine may be of another version."""
    try:
        return Variant.model_validate(data)
    except ValidationError as error:
        reasons = "; ".join(describe(error).splitlines())
        raise Refused(f"this engine cannot run the variant: {reasons}", "Is it of another version?") from None


def preflight(
    facts: ModelFacts,
    variant: Variant,
    workload: Workload,
    environment: Environment,
    default_precision: str,
    channel: Channel,
) -> MemoryEstimate:
    """Return the memory that the variant will need, and log it. Raises Refused with the slot and the reason, or
    ModelError."""
    check_reader(facts, environment.versions, gpu=bool(environment.devices))
    made = conflicts_with_weights(facts.materialized, variant) if facts.materialized is not None else []
    if made:
        raise Refused(made[0], "Change the variant or the model.")
    for strategy in variant.strategies():
        reason = strategy.unavailable_as_set(environment)
        if reason:
            raise Refused(f"{strategy.title} is not available here: {reason}", "Choose another method.")
        conflicts = strategy.conflicts(variant, facts, workload)
        if conflicts:
            raise Refused(
                f"{strategy.title} cannot be used: {'; '.join(conflicts)}",
                "Change the variant or the workload.",
            )
    tokens = workload.prompt_tokens + workload.new_tokens
    if facts.context is not None and tokens > facts.context:
        raise Refused(
            f"{tokens} prompt and new tokens are beyond the model's context of {facts.context} tokens",
            f"Set them so that they are at most {facts.context} together.",
        )
    return _memory(facts, variant, workload, environment, default_precision, channel)


def _memory(
    facts: ModelFacts,
    variant: Variant,
    workload: Workload,
    environment: Environment,
    default_precision: str,
    channel: Channel,
) -> MemoryEstimate:
    """Return the memory estimate; a tight one is a warning and no refusal, since it is an estimate."""
    estimate = memory_estimate(facts, variant, workload, default_precision)
    needed, parts = estimate.total, estimate.parts
    loading = max(needed, loading_bytes(facts, variant, workload, default_precision))
    if environment.devices:
        free, where = _free(environment, variant)
        needed = card_bytes(parts)
        loading = max(needed, card_loading_bytes(facts, variant, workload, default_precision))
    else:
        free, where = available_bytes(), "this machine"
    parts_text = ", ".join(f"{name.replace('_', ' ')} {size / 1e9:.2f} GB" for name, size in parts.items() if size)
    parameters = f"{facts.parameters:,} parameters" if facts.parameters else "parameters unknown"
    text = (
        f"{facts.name}: {facts.file_bytes / 1e9:.2f} GB on disk, {parameters}, {facts.dtype or 'dtype unknown'}; "
        f"needs about {needed / 1e9:.2f} GB ({parts_text}), up to {loading / 1e9:.2f} GB while it loads; "
        f"{free / 1e9:.2f} GB are free on {where}"
    )
    channel.send(Estimate(
        needed_bytes=needed, loading_bytes=loading, free_bytes=free, where=where,
    ))  # fmt: skip
    channel.log(text, "warning" if loading > TIGHT * free else "info")
    return estimate


def _free(environment: Environment, variant: Variant) -> tuple[int, str]:
    """Return the free bytes of the cards that the variant will be on, and their names."""
    count = len(environment.devices) if variant.parallelism is not None else 1
    if not torch.cuda.is_available():
        return capacity_bytes(environment) or 0, environment.devices[0].name
    free = sum(torch.cuda.mem_get_info(card)[0] for card in range(min(count, torch.cuda.device_count())))
    return free, " and ".join(dict.fromkeys(device.name for device in environment.devices[:count]))
