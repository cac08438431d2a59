"""The `dyno.json` of a materialized folder: which strategies its weights have been through, from which model, and how
layers are stored.

A folder whose layers are transformers' own (pruned, masked, bitsandbytes) is an ordinary checkpoint. int4 and int8
Linears use the compressed-tensors format, which other programs load. Layers that the format has no place for (experts,
GPT-2's transposed layers) are stored in `dyno.safetensors` instead of `model.safetensors`, so that no other program
takes them for missing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Any, Literal

import psutil
from pydantic import ValidationError

from core.base.files import parse_json, read_whole
from core.base.value import Value
from core.model.receipt import JsonValue, Receipt

NOTE = "dyno.json"
WEIGHTS = "dyno.safetensors"
#: Layers as Dyno runs them, where the checkpoint has them for others as plain weights. Nobody looks for such a name.
ASIDE = "dyno.codes"
#: The slots whose work is in the weights; all others act on a loaded model and are chosen again at every load.
SLOTS = ("pruning", "quantization")


class StoredLayer(Value):
    """One of Dyno's Linears: its class, its shape, and its settings beside its tensors."""

    kind: str
    outputs: int
    inputs: int
    settings: dict[str, JsonValue] = {}


class Materialized(Value):
    """The note of a materialized folder. `before` holds the source model's sizes, named as in its facts; `work` holds
    the notes of the transforms."""

    kind: Literal["materialized"] = "materialized"
    format: Literal[1] = 1
    dyno_version: str
    versions: dict[str, str]
    source: str
    name: str
    fingerprint: str
    variant: dict[str, Any]
    dtype: str
    parameters: int
    weights_bytes_before: int
    before: dict[str, int | None]
    work: dict[str, dict[str, Any]]
    receipts: list[Receipt]
    notes: list[str] = []
    layers: dict[str, StoredLayer] = {}
    codes: dict[str, str] = {}  # layers in compressed-tensors' format, and how their codes were found

    @property
    def for_others(self) -> bool:
        """Whether other programs can load the weights."""
        return bool(self.codes) or not self.layers

    def has(self, slot: str) -> bool:
        return self.variant.get(slot) is not None


def read(folder: Path) -> Materialized | None:
    """Return the note of a materialized folder; None for another folder. Raises ValueError with the reason."""
    path = folder / NOTE
    try:
        data = parse_json(read_whole(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: cannot be read: {error}") from None
    if not isinstance(data, dict) or data.get("kind") != "materialized":
        return None  # a folder that was converted from a GGUF file has a note of that name too
    try:
        return Materialized.model_validate(data)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise ValueError(f"{path}: is not understood by this version of Dyno ({where}: {fault['msg']})") from None


def partial_folder(out: Path) -> Path:
    """Return the folder that this process writes before it renames it."""
    return out.with_name(f".{out.name}.partial-{os.getpid()}")


def sweep(out: Path) -> None:
    """Remove unfinished attempts at `out` by processes that no longer exist."""
    for remains in out.parent.glob(f".{out.name}.partial-*"):
        pid = remains.name.rpartition("-")[2]
        if pid.isdigit() and not psutil.pid_exists(int(pid)):
            with contextlib.suppress(OSError):
                shutil.rmtree(remains)


def card(note: Materialized, recipe: str, requires: str) -> str:
    """Return the folder's README.md. `recipe` describes the strategies, `requires` what can load the weights."""
    done = "\n".join(f"* {r.slot}: {r.effective}" for r in note.receipts)
    versions = ", ".join(f"{name} {version}" for name, version in sorted(note.versions.items()))
    notes = "".join(f"* {n}\n" for n in note.notes)
    return f"""\
# {note.name}: {recipe}

Made by Dyno {note.dyno_version}, a dynamometer for language-model inference, from the model below. Its licence is
that model's.

## What was done
{done}

## From what
* source: {note.source}
* fingerprint: {note.fingerprint} (sha256)
{notes}
## With what
{versions}

## How to load it
{requires} In Dyno, give this folder as the model: a variant that asks for {recipe} is not transformed
again, and its receipt is read from these weights. What else a variant needs to repeat it is in `{NOTE}`.
"""
