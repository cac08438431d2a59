"""What stands in the `dyno.json` of a materialized folder: which strategies its weights have been through already, from
which model, and how the layers are stored.

A folder whose layers are transformers' own (pruned, masked, bitsandbytes) is an ordinary checkpoint. Int4 and int8
Linears are in compressed-tensors' format, which others load. Where that has no place for them (experts, GPT-2's
transposed layers), they are in `dyno.safetensors` instead of `model.safetensors`, so that no other program mistakes
them for missing ones.
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
    """A Linear of Dyno's own: its class, its shape, and what it was made with beside its tensors."""

    kind: str
    outputs: int
    inputs: int
    settings: dict[str, JsonValue] = {}


class Materialized(Value):
    """`before` are the source model's sizes, as facts call them; `work` is what the transforms noted."""

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
        """Whether other programs load its weights too."""
        return bool(self.codes) or not self.layers

    def has(self, slot: str) -> bool:
        return self.variant.get(slot) is not None


def read(folder: Path) -> Materialized | None:
    """Return the note of a materialized folder; None for any other folder. Raises ValueError with the reason."""
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
    """Return where this process writes before it renames."""
    return out.with_name(f".{out.name}.partial-{os.getpid()}")


def sweep(out: Path) -> None:
    """Remove what processes that are gone left of unfinished attempts at `out`."""
    for remains in out.parent.glob(f".{out.name}.partial-*"):
        pid = remains.name.rpartition("-")[2]
        if pid.isdigit() and not psutil.pid_exists(int(pid)):
            with contextlib.suppress(OSError):
                shutil.rmtree(remains)


def card(note: Materialized, recipe: str, requires: str) -> str:
    """Return README.md of the folder. `recipe` says what was done to the weights, `requires` what can load them."""
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
