"""Loads a variant until it can be warmed up: weights, transforms, decoder, receipts."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import torch
from transformers.utils import logging as transformers_logging

from core.base.out_of_memory import is_out_of_memory
from core.engine.base import prompt_framing
from core.engine.base.failures import Refused
from core.engine.base.runtime import Runtime
from core.engine.load import changed_answers, draft_model, soundness
from core.engine.load.cache_facts import with_cache
from core.engine.load.changed_answers import DECODING
from core.engine.load.model_interface import interface
from core.engine.load.page_cache import read_ahead
from core.engine.load.preflight import preflight, read_variant
from core.engine.load.strategy_fit import check_fit, fitting
from core.engine.machine import cards
from core.engine.machine.probe import available_bytes
from core.engine.machine.sampler import Sampling
from core.engine.weights.packed_checkpoint import check_changes, dequantized, is_plain, makers_receipt
from core.engine.weights.read_model import read_model, read_tokenizer
from core.engine.weights.rebuild import take_over
from core.feasibility.staging import is_staged
from core.kernels.base import dtypes, memory
from core.kernels.base.surgery import HOST, embedding_rows, parameter_count, storage_bytes
from core.kernels.checks.anatomy import anatomy
from core.kernels.decoding.decoders import base_decoder
from core.machine.environment import Environment
from core.model.finder import resolve
from core.model.fingerprints import fingerprint
from core.model.model_error import ModelError
from core.model.receipt import Receipt
from core.model.source import ModelSource
from core.model.step_anatomy import Anatomy
from core.protocol.commands import LoadCommand
from core.protocol.engine_channel import Channel
from core.protocol.events import Loaded, Progress, Receipts
from core.quality.interface_diff import differences
from core.strategies.precision import default_precision

#: Of a GGUF file's weights, where most of them are not quantized.
_PLAIN_TYPES = ("fp32", "fp16", "bf16", "F64", "")


@memory.apart()
def load(command: LoadCommand, environment: Environment, channel: Channel, sampling: Sampling | None) -> Runtime:
    """Build the variant and return it; sends `Loaded` and `Receipts`. Raises ModelError, Refused, and what libraries
    raise."""
    transformers_logging.disable_progress_bar()
    variant = read_variant(command.variant)
    facts = resolve(command.model)
    default = default_precision(environment)
    facts = with_cache(facts, command.model)
    estimate = preflight(facts, variant, command.workload, environment, default, channel)

    notes: list[str] = []
    source, source_type = command.model, ""
    if facts.kind == "gguf":
        from core.engine.gguf.convert import converted  # needs gguf, which a plain folder does not

        done = converted(facts, channel)
        identity, notes = done.sha256, list(done.notes)
        if facts.dtype not in _PLAIN_TYPES:
            source_type = facts.dtype
            notes.append(
                f"the weights are dequantized from {source_type}: losses are relative to that, not to the model before "
                "it was quantized"
            )
        facts = resolve(ModelSource(source=str(done.folder))).model_copy(update={"name": facts.name})
        source = ModelSource(source=str(done.folder))
        channel.enter("load")
    else:
        channel.enter("load")
        identity = fingerprint(facts, _reporter(channel, "fingerprint", "bytes"))

    check_fit(facts, source, variant)
    begin = time.perf_counter()
    tokenizer = read_tokenizer(facts, source)
    frame = prompt_framing.frame(tokenizer)
    prompt_framing.check_room(frame, command.workload.prompt_tokens)
    if frame.note:
        notes.append(frame.note)
    if 0 < facts.file_bytes <= 0.8 * available_bytes():  # else they do not fit in the page cache
        read_ahead(Path(facts.path), facts.file_bytes, _reporter(channel, "weights", "bytes"))
    options: dict[str, Any] = {"dtype": dtypes.BY_NAME[default]}
    for strategy in variant.strategies():
        strategy.load(options)
    device = torch.device("cuda" if cards.usable() else "cpu")
    if device.type == "cuda" and sampling is not None:
        sampling.watch_cards([0])
    model = read_model(facts, source, HOST if is_staged(variant, facts) else device, options, notes)
    prompt_framing.check_ids(tokenizer, frame.head + frame.tail, embedding_rows(model))
    check_changes(facts, model, variant)
    if facts.scheme is not None and is_plain(facts, model):
        source_type = facts.scheme.words
    try:
        logits = soundness.probe_logits(model)
        fault = soundness.faults(model, logits)
    except (RuntimeError, TypeError) as error:  # NotImplementedError is one: a packed tensor that has no such operation
        if not facts.quantized or is_out_of_memory(error):
            raise
        raise Refused(
            f"the layers that {facts.quantized} packed do not run in {dtypes.name(model.dtype)}",
            "Choose another precision: most are packed for bf16.",
        ) from error
    if fault:
        raise ModelError(
            f"{facts.path}: {fault}",
            "Get the weights again, or choose another precision or another model.",
        )
    if fault := soundness.cache_fault(model):
        raise ModelError(f"{facts.path}: {fault}", "Dyno cannot measure this model: choose another one.")
    if device.type == "cuda" and sampling is not None:
        sampling.watch_cards(cards.of_model(model) or [0])
    runtime = Runtime(
        model=model,
        tokenizer=tokenizer,
        variant=variant,
        workload=command.workload,
        facts=facts,
        source=source,
        source_type=source_type,
        device=device,
        dtype=model.dtype,
        weights_bytes_before=storage_bytes(model),
        fingerprint=identity,
        notes=notes,
        forbidden=_eos_ids(model, tokenizer),
        frame=frame,
        load_draft=draft_model.draft,
    )
    if facts.materialized is not None:
        take_over(runtime, facts.materialized)
    parameters = parameter_count(model)
    before = after = interface(runtime, logits)
    if _transform(runtime, channel):
        after = interface(runtime)
    for difference in differences(before, after):
        channel.log(f"interface: {difference.text}", "warning")
    memory.give_back()
    weights = storage_bytes(model) + runtime.draft_bytes
    if sampling is not None:
        sampling.weights_bytes = weights
    channel.send(
        Loaded(
            load_s=time.perf_counter() - begin,
            weights_bytes=weights,
            weights_bytes_before=runtime.weights_bytes_before,
            parameters=parameters,
            device=str(device),
            dtype=dtypes.name(runtime.dtype),
            fingerprint=identity,
            load_peak_bytes=max(_peak_bytes(), sampling.highest_bytes if sampling is not None else 0),
            notes=notes,
            estimate=estimate.parts,
            estimate_least_bytes=estimate.least,
            estimate_most_bytes=estimate.most,
            anatomy=_anatomy(runtime, channel),
            source_type=source_type,
            model_name=facts.name,
        )
    )
    channel.send(after)
    channel.send(Receipts(receipts=receipts(runtime)))
    return runtime


def receipts(runtime: Runtime) -> list[Receipt]:
    """Return one receipt per active strategy, one for the default precision if the variant names none, one for the
    checkpoint's own quantization, and one for exactness once the variant was compared with the plain decoder."""
    found = []
    for strategy in runtime.variant.strategies():
        with fitting(strategy, runtime.model):
            found.append(strategy.receipt(runtime))
    if runtime.exactness is not None:
        found.append(runtime.exactness)
    if runtime.variant.precision is None:
        found.insert(0, _default_precision_receipt(runtime))
    found = [p.model_copy(update={"effective": p.effective + dequantized(runtime, p.slot)}) for p in found]
    if runtime.facts.scheme is not None and runtime.variant.quantization is None:
        found.append(makers_receipt(runtime, runtime.facts.scheme))
    return found


def _anatomy(runtime: Runtime, channel: Channel) -> Anatomy | None:
    """Return the sizes of the model in the decode loop, with those of its draft model; None if they cannot be read."""
    drafter: Any = getattr(runtime.decoder, "drafter", None)
    draft = getattr(getattr(drafter, "inner", drafter), "model", None)
    eager = runtime.plain is not None and runtime.plain.forward_one is None
    row = runtime.facts.kv_row
    if runtime.variant.pruning is not None and runtime.variant.pruning.key == "heads":
        row = None  # it was of all heads
    try:
        found = anatomy(runtime.model, runtime.dtype, eager, draft)
        return found.model_copy(update={"kv_row": row}) if row and found is not None else found
    except (AttributeError, TypeError, ValueError, RuntimeError) as error:  # a figure less, not a variant less
        channel.log(f"what a step of this model reads could not be found out: {error}", "warning")
        return None


def _default_precision_receipt(runtime: Runtime) -> Receipt:
    counts: dict[str, int] = {}
    for tensor in runtime.model.parameters():
        if tensor.is_floating_point():
            name = dtypes.name(tensor.dtype)
            counts[name] = counts.get(name, 0) + 1
    effective = max(counts, key=lambda n: counts[n]) if counts else dtypes.name(runtime.dtype)
    return Receipt(
        slot="precision",
        requested="default",
        effective=effective,
        matches=effective == dtypes.name(runtime.dtype),
        detail={f"{name}_tensors": n for name, n in sorted(counts.items())},
    )


def _transform(runtime: Runtime, channel: Channel) -> bool:
    """Prune, quantize, fuse and compile as the variant says, then wrap the decoder slot by slot. Returns whether the
    model itself was changed."""
    changing = [s for s in runtime.variant.strategies() if s.changes_model and s.slot not in runtime.applied]
    if changing:
        channel.enter("transform")
        runtime.report = _reporter(channel)
    for number, strategy in enumerate(changing, 1):
        before = changed_answers.answers(runtime.model) if strategy.exact and strategy.slot in DECODING else None
        with torch.no_grad(), fitting(strategy, runtime.model):
            strategy.transform(runtime)
        if before is not None:
            changed_answers.note_change(runtime, before)
        channel.send(Progress(done=number, total=len(changing), unit="transforms", detail=strategy.label()))
        if strategy.slot == "compilation":  # there, a pass takes minutes
            continue
        with fitting(strategy, runtime.model):
            finite = soundness.is_finite(runtime.model)
        if not finite:
            raise Refused(
                f"{strategy.slot}: after {strategy.label()} the model's logits are not finite",
                "Choose another method, other parameters or another precision.",
            )
    if changing:
        memory.unmap(runtime.model)
    decoder: Any = base_decoder(runtime.model)
    for strategy in runtime.variant.strategies():
        with fitting(strategy, runtime.model):
            decoder = strategy.decoder(decoder, runtime)
    runtime.decoder = decoder
    return bool(changing)


def _reporter(channel: Channel, detail: str = "", unit: str = "") -> Any:
    """Return a progress callback that sends at most ten events a second, and the last one."""
    last = 0.0

    def report(done: float, total: float, what: str = detail) -> None:
        nonlocal last
        now = time.monotonic()
        if done >= total or now - last >= 0.1:
            last = now
            channel.send(Progress(done=done, total=total, unit=unit, detail=what))

    return report


def _eos_ids(model: Any, tokenizer: Any) -> list[int]:
    """Return every id that ends a generation."""
    found: set[int] = set()
    for owner in (model.config, getattr(model, "generation_config", None), tokenizer):
        value = getattr(owner, "eos_token_id", None)
        found.update(value if isinstance(value, list) else [] if value is None else [value])
    return sorted(found)


def _peak_bytes() -> int:
    """Return the peak resident set since the process began or a sampler last reset it."""
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
