"""Writes a transformed model as a folder that loads in seconds. The complete folder appears by a rename; the rest of a
killed attempt is removed by its killer or by the next attempt."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from core import __version__
from core.engine.base.failures import Refused
from core.engine.base.runtime import Runtime
from core.engine.load.load import load, receipts
from core.engine.machine.sampler import Sampling
from core.engine.weights.interchange import packing, write_packed
from core.feasibility.compatibility import recipe_of
from core.kernels.base import dtypes, surgery
from core.kernels.experts import experts
from core.kernels.packed import layer_storage
from core.machine.environment import Environment
from core.model.materialized_note import NOTE, SLOTS, WEIGHTS, Materialized, StoredLayer, card, partial_folder, sweep
from core.protocol.commands import LoadCommand, MaterializeCommand
from core.protocol.engine_channel import Channel
from core.protocol.events import Progress
from core.spec.variant import Variant

_SIZES = ("layers", "hidden", "intermediate", "heads", "kv_heads", "head_dim", "vocab")
_VERSIONS = ("torch", "transformers", "bitsandbytes")


def materialize(command: MaterializeCommand, environment: Environment, channel: Channel, sampling: Sampling) -> Runtime:
    """Load the model, prune and quantize it as the variant says, and write it to `command.out`, which must not exist.
    Raises Refused, ModelError, and what libraries raise."""
    out = Path(command.out).absolute()
    _check_place(out)
    variant = {k: v for k, v in command.variant.items() if k in ("name", "precision", *SLOTS)}
    if not any(variant.get(slot) for slot in SLOTS):
        raise Refused(
            "this variant changes no weights, so there is nothing to write",
            "Choose one with pruning or quantization: everything else is applied when a model is loaded.",
        )
    load_command = LoadCommand(
        model=command.model,
        variant=variant,
        workload=command.workload,
        clock_offset_ns=command.clock_offset_ns,
    )
    runtime = load(load_command, environment, channel, sampling)
    reasons = layer_storage.unstorable(runtime.model)
    own, foreign = layer_storage.own_layers(runtime.model), _bits_and_bytes(runtime.model)
    if own and foreign:
        reasons.append(
            f"{next(iter(own))} is a layer of Dyno's own and {next(iter(foreign))} one of bitsandbytes, and no "
            "folder holds both: set the head to keep or same"
        )
    if reasons:
        raise Refused(f"this model cannot be written: {'; '.join(reasons)}", "Choose another quantization.")
    packed, obstacle = packing(runtime.model, own)
    requires = _requires(own, foreign, obstacle)
    channel.log(requires, "warning" if obstacle else "info")
    total = surgery.storage_bytes(runtime.model) + (packed.more_bytes(runtime.model) if packed is not None else 0)
    _check_room(out, total)
    note = _note(runtime, command, environment)
    sweep(out)
    partial = partial_folder(out)
    try:
        partial.mkdir()
        with _growing(partial, total, channel):
            if packed is not None:
                note = write_packed(runtime.model, own, packed, partial, note)
            elif own:
                note = _write_own(runtime.model, own, partial, note)
            else:
                _write_ordinary(runtime.model, foreign, partial)
            runtime.tokenizer.save_pretrained(partial)
            (partial / NOTE).write_text(note.model_dump_json(indent=1) + "\n", "utf-8")
            (partial / "README.md").write_text(card(note, recipe_of(note).recipe(), requires), "utf-8")
            _open_to_all(partial)
        _check_place(out)  # it may have been made meanwhile
        partial.rename(out)
    except OSError as error:
        raise Refused(
            f"{out}: cannot be written: {error.strerror or error}", "Choose another folder, or free some space."
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    channel.log(f"written: {out}")
    return runtime


def _check_place(out: Path) -> None:
    if out.exists():
        raise Refused(f"{out}: is there already, and nothing is overwritten", "Choose another folder.")
    if not out.parent.is_dir():
        raise Refused(f"{out.parent}: there is no such folder", "Make it first, or choose another one.")


def _check_room(out: Path, needed: int) -> None:
    free = shutil.disk_usage(out.parent).free
    if free < needed * 1.05:
        raise Refused(
            f"{out.parent}: writing the model needs {needed / 1e9:.2f} GB of disk, {free / 1e9:.2f} GB are free",
            "Free some space, or choose a folder on another disk.",
        )


def _note(runtime: Runtime, command: MaterializeCommand, environment: Environment) -> Materialized:
    """Return the folder's note, including what the source folder had been through."""
    earlier = runtime.facts.materialized
    recipe = {**(earlier.variant if earlier else {}), **runtime.variant.dump()}
    proofs = {r.slot: r for r in (earlier.receipts if earlier else [])} | {r.slot: r for r in receipts(runtime)}
    order = [s for s in ("precision", *SLOTS) if s in proofs]
    sizes = {name: getattr(runtime.facts, name) for name in _SIZES}
    return Materialized(
        dyno_version=__version__,
        versions={name: v for name, v in environment.versions.items() if name in _VERSIONS},
        source=earlier.source if earlier else command.model.source,
        name=earlier.name if earlier else runtime.facts.name,
        fingerprint=earlier.fingerprint if earlier else runtime.fingerprint,
        variant=Variant.model_validate(recipe).dump(),
        dtype=dtypes.name(runtime.dtype),
        parameters=surgery.parameter_count(runtime.model),
        weights_bytes_before=earlier.weights_bytes_before if earlier else runtime.weights_bytes_before,
        before=earlier.before if earlier else sizes,
        work={**(earlier.work if earlier else {}), **{s: w for s, w in runtime.work.items() if s in SLOTS}},
        receipts=[proofs[slot] for slot in order],
        notes=earlier.notes if earlier else [n for n in runtime.notes if n != runtime.frame.note],
    )


def _write_own(model: Any, own: dict[str, Any], folder: Path, note: Materialized) -> Materialized:
    """Write Dyno's layers by `stored` and all other tensors as they are; return the note with the layers."""
    layers: dict[str, StoredLayer] = {}
    tensors: dict[str, torch.Tensor] = {}
    seen: set[int] = set()
    ways = {part: stack.transposed for stack in experts.stacks(model) for part in stack.parts}
    with torch.no_grad():
        for name, module in own.items():
            parts, settings = layer_storage.store(module)
            if name in ways:
                settings["transposed"] = ways[name]
            outputs, inputs = surgery.shape(module)
            layers[name] = StoredLayer(kind=type(module).__name__, outputs=outputs, inputs=inputs, settings=settings)
            tensors.update({f"{name}.{part}": tensor for part, tensor in parts.items()})
        for name, tensor in model.state_dict().items():
            if name.rpartition(".")[0] not in own and tensor.data_ptr() not in seen:  # a tied head is written once
                tensors[name] = tensor.contiguous()
                seen.add(tensor.data_ptr())
    save_file(tensors, folder / WEIGHTS, {"format": "pt"})
    model.config.dtype = model.dtype
    model.config.save_pretrained(folder)
    if getattr(model, "generation_config", None) is not None:
        model.generation_config.save_pretrained(folder)
    return note.model_copy(update={"layers": layers})


def _open_to_all(folder: Path) -> None:
    """Give every file the mode of the user's umask; safetensors writes files for the owner alone."""
    mode = (folder / NOTE).stat().st_mode
    for path in folder.iterdir():
        if path.is_file():
            path.chmod(mode)


def _write_ordinary(model: Any, foreign: dict[str, Any], folder: Path) -> None:
    """Write the model as transformers does, with the quantization config of bitsandbytes' layers."""
    if foreign and getattr(model.config, "quantization_config", None) is None:
        model.config.quantization_config = _bits_and_bytes_config(model, foreign)
    model.save_pretrained(folder)


def _bits_and_bytes(model: Any) -> dict[str, Any]:
    kinds = ("Linear4bit", "Linear8bitLt")
    return {name: m for name, m in surgery.linear_like(model).items() if type(m).__name__ in kinds}


def _bits_and_bytes_config(model: Any, layers: dict[str, Any]) -> Any:
    """Return the quantization config, read from the layers and not from the request."""
    from transformers import BitsAndBytesConfig

    first = next(iter(layers.values()))
    skip = [name for name in surgery.linear_like(model) if name not in layers]
    if type(first).__name__ == "Linear8bitLt":
        return BitsAndBytesConfig(
            load_in_8bit=True, llm_int8_threshold=first.state.threshold, llm_int8_skip_modules=skip
        )
    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type=first.weight.quant_state.quant_type,
        bnb_4bit_use_double_quant=first.weight.quant_state.nested,
        bnb_4bit_compute_dtype=first.compute_dtype,
        llm_int8_skip_modules=skip,
    )


def _requires(own: dict[str, Any], foreign: dict[str, Any], obstacle: str) -> str:
    if own and not obstacle:
        return (
            "transformers loads it, with compressed-tensors installed: `AutoModelForCausalLM.from_pretrained(folder)`; "
            "the format is one that vLLM reads too (int4 in groups of 32, 64 or 128)."
        )
    if own:
        return f"Only Dyno loads it: `{WEIGHTS}` holds its layers, for which common formats have no place ({obstacle})."
    if foreign:
        return "transformers loads it, with bitsandbytes installed: `AutoModelForCausalLM.from_pretrained(folder)`."
    return "transformers alone loads it: `AutoModelForCausalLM.from_pretrained(folder)`."


@contextlib.contextmanager
def _growing(folder: Path, total: int, channel: Channel) -> Iterator[None]:
    """Report the written bytes five times a second, since the libraries do not."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.2):
            with contextlib.suppress(OSError):  # a file may be renamed meanwhile
                done = sum(p.stat().st_size for p in folder.iterdir())
                channel.send(Progress(done=min(done, total), total=total, unit="bytes", detail="writing"))

    thread = threading.Thread(target=watch, name="growing", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    channel.send(Progress(done=total, total=total, unit="bytes", detail="written"))
