"""Converts a GGUF file into a cached safetensors folder, once per content.

Models up to 1 billion parameters are stored as fp32: a block's scale times its integer plus its minimum needs more than
bf16's 8 bits, and fp32 keeps the file's values exactly, at 4 bytes a parameter. Larger models are stored in bf16, whose
rounding (2⁻⁹) is far below a 4-bit file's error, so that half the bytes are read at every load. Measured on the demo
model: conversion 11 s, loading the result 1–2 s after torch.

A complete folder appears by a rename. An interrupted conversion leaves an unfinished folder, which the next conversion
removes under the same lock.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import torch
import transformers
from filelock import FileLock
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.integrations.gguf.gguf_tokenizer_mapping import GGUF_PRE_TOKENIZER_SPLITS

from core.base.out_of_memory import is_out_of_memory
from core.engine.base.load_errors import is_of_the_machine
from core.engine.gguf.config import read_config
from core.engine.gguf.tensors import account, compare, fill
from core.kernels.weights.permute import permute_
from core.model import conversion_note, gguf_header, gguf_parts
from core.model.conversion_note import Converted
from core.model.facts import ModelFacts
from core.model.fingerprints import gguf_sha256
from core.model.model_error import ModelError
from core.protocol.engine_channel import Channel
from core.protocol.events import Progress

SEED = 20_250_101
QUICK_BYTES = 1 << 30  # a second of hashing
EXACT_UP_TO = 1_000_000_000  # parameters
#: Ways of splitting text that llama.cpp gives GPT-2's expression.
_AS_GPT2 = {"default", "gpt-2", "phi-2", "roberta-bpe", "mpt", "olmo", "jais", "trillion"}
#: Types whose groups of 32 with 16 levels an int4 quantization would reproduce exactly.
_LINES_UP = {"Q4_0", "Q4_1", "Q4_K"}


def converted(facts: ModelFacts, channel: Channel) -> Converted:
    """Return the cached folder of a GGUF file, converting it if needed. Raises ModelError."""
    channel.enter("convert")
    source = Path(facts.path)
    sha256 = gguf_sha256(
        source, lambda n, total: channel.send(Progress(done=n, total=total, unit="bytes", detail="reading"))
    )
    models = conversion_note.place()
    if found := conversion_note.find(sha256):
        return found
    try:
        models.mkdir(parents=True, exist_ok=True)
        with FileLock(models / f"{sha256}.lock"):
            if found := conversion_note.find(sha256):  # another engine may have made it while this one waited
                return found
            for remains in models.glob(f"{sha256}.tmp-*"):
                shutil.rmtree(remains, ignore_errors=True)
            _convert(facts, sha256, models / sha256, channel)
    except ModelError:
        raise
    except Exception as error:
        if explained := _explained(error, models, source):
            raise explained from error
        raise
    done = conversion_note.find(sha256)
    assert done is not None
    return done


def made_before(source: Path) -> Path | None:
    """Return the cached folder of a small GGUF file; None if there is none, or if the file is too large to be read for
    it."""
    if sum(part.stat().st_size for part in gguf_parts.parts(source)) > QUICK_BYTES:
        return None
    found = conversion_note.find(gguf_sha256(source))
    return found.folder if found is not None else None


def _convert(facts: ModelFacts, sha256: str, folder: Path, channel: Channel) -> None:
    exact = (facts.parameters or 0) <= EXACT_UP_TO
    dtype = torch.float32 if exact else torch.bfloat16
    source, split = Path(facts.path), len(gguf_parts.parts(Path(facts.path))) > 1
    needed = (facts.parameters or 0) * dtype.itemsize
    room, free = needed + (facts.file_bytes if split else 0), shutil.disk_usage(folder.parent).free
    if free < room * 1.05:
        raise ModelError(
            f"{folder.parent}: converting {facts.name} needs {room / 1e9:.2f} GB of disk, {free / 1e9:.2f} GB are free",
            "Free some space, or set DYNO_CACHE to a folder on another disk.",
        )
    channel.log(f"converting {source.name} to safetensors, once")
    partial = folder.with_name(f"{sha256}.tmp-{os.getpid()}")
    joined = folder.with_name(f"{sha256}.tmp-{os.getpid()}-joined")
    try:
        if split:
            joined.mkdir(exist_ok=True)
            whole = joined / f"{facts.name}.gguf"
            gguf_parts.join(source, whole)
            model, tokenizer = _read(whole, source, dtype)
        else:
            model, tokenizer = _read(source, source, dtype)
        channel.send(Progress(done=needed / 2, total=needed, unit="bytes", detail="dequantized"))
        permuted, notes = _take_off_grid(model, source)
        notes += _splitting(gguf_header.read_header(source).metadata)
        if not exact:
            notes.append("the GGUF's weights are rounded to bf16 (more than 1 billion parameters)")
        model.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
        note = {
            "version": conversion_note.VERSION,
            "source": source.name,
            "sha256": sha256,
            "dtype": str(dtype).removeprefix("torch."),
            "permuted": permuted,
            "seed": SEED,
            "notes": notes,
            "transformers": transformers.__version__,
        }
        (partial / "dyno.json").write_text(json.dumps(note, indent=1), "utf-8")
        if folder.exists():  # of another version
            shutil.rmtree(folder)
        partial.replace(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.rmtree(joined, ignore_errors=True)
    channel.send(Progress(done=needed, total=needed, unit="bytes", detail="written"))


def _read(whole: Path, named: Path, dtype: torch.dtype) -> tuple[Any, Any]:
    """Return the model and tokenizer of a file, the model checked against the file. `named` is the path that the user
    knows. Raises ModelError, and what libraries raise."""
    header = gguf_header.read_header(whole)
    with _parse_once():
        config = read_config(whole, header, named)
        tokenizer = read_tokenizer(whole, named)
        places = account(config, header, named)
        model, info = AutoModelForCausalLM.from_pretrained(
            str(whole.parent), gguf_file=whole.name, config=config, dtype=dtype, output_loading_info=True
        )
        if missing := fill(model, sorted(info["missing_keys"]), places, whole):
            raise ModelError(
                f"{named}: {len(missing)} tensors are missing from the weights, the first is {missing[0]}",
                "Get the complete model.",
            )
        compare(model, places, header, whole, named)
    _forget_gguf(model)
    return model, tokenizer


def read_tokenizer(file: Path, named: Path) -> Any:
    """Return the tokenizer in a GGUF file (the first part of a split one). Raises ModelError."""
    try:
        return AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)
    except Exception as error:
        if is_out_of_memory(error) or _is_unknown_kind(error):
            raise
        words = str(error).strip().splitlines() or [type(error).__name__]
        raise ModelError(
            f"{named}: cannot be converted: the tokenizer in it cannot be read ({words[0][:150]})",
            "Use the model's safetensors folder instead, or a file that was converted with a newer llama.cpp.",
        ) from error


def _splitting(metadata: dict[str, Any]) -> list[str]:
    """Return warnings if transformers does not know the file's pre-tokenizer and uses GPT-2's."""
    way = metadata.get("tokenizer.ggml.pre", "default")
    if metadata.get("tokenizer.ggml.model") != "gpt2" or way in GGUF_PRE_TOKENIZER_SPLITS or way in _AS_GPT2:
        return []
    return [
        f"the tokenizer splits text as GPT-2's: transformers does not know the way that the file names ({way}), so "
        "some texts have other tokens, numbers above all"
    ]


def _is_unknown_kind(error: Exception) -> bool:
    """Return whether transformers says that it has no reader for the architecture."""
    return isinstance(error, ValueError | NotImplementedError) and "architecture" in str(error).lower()


@contextlib.contextmanager
def _parse_once() -> Iterator[None]:
    """Cache what the `gguf` package parses within the context. transformers parses the file three times and builds one
    name table per module, which is most of a conversion's time; both only read."""
    names = ("GGUFReader", "get_tensor_name_map")
    original = {name: getattr(gguf, name) for name in names}
    try:
        for name in names:
            setattr(gguf, name, functools.cache(original[name]))
        yield
    finally:
        for name in names:
            setattr(gguf, name, original[name])


def _forget_gguf(model: Any) -> None:
    """Remove the attributes that make `save_pretrained` refuse; the weights are plain tensors by now."""
    for owner, name in (
        (model, "hf_quantizer"), (model, "quantization_method"), (model.config, "quantization_config"),
    ):  # fmt: skip
        if hasattr(owner, name):
            delattr(owner, name)
    model.is_quantized = False


def _take_off_grid(model: Any, source: Path) -> tuple[bool, list[str]]:
    """Permute channels if an int4 quantization would hit the file's own grid, and check that the model's function is
    unchanged. Returns whether it permuted, and notes."""
    types = {t.type for t in gguf_parts.read_whole_header(source).tensors}
    grid = ", ".join(sorted(types & _LINES_UP))
    if not grid:
        return False, []
    ids = torch.arange(1, 17)[None] % model.config.get_text_config(decoder=True).vocab_size
    with torch.inference_mode():
        before = model(ids).logits.float()
    try:
        permute_(model, SEED)
    except ValueError as error:
        return False, [
            f"the weights come from {grid} and lie on its grid: int4 figures on this model are too good "
            f"(not permuted: {error})"
        ]
    with torch.inference_mode():
        after = model(ids).logits.float()
    change = float((after - before).abs().max() / before.abs().max())
    limit = 1e-3 if model.dtype == torch.float32 else 0.1  # sums in another order; bf16 has 8 bits
    if change > limit:
        raise RuntimeError(f"the permutation changed the logits by {change:.2g} of their size")
    return True, [
        f"channels are permuted: the weights come from {grid}, whose grid an int4 quantization would reproduce "
        "(same function, same logits)"
    ]


def _explained(error: Exception, models: Path, source: Path) -> ModelError | None:
    """Return an error of the disk or the file in words; None for an error of the machine."""
    if is_out_of_memory(error):
        return None
    number = error.errno if isinstance(error, OSError) else None
    # safetensors reports the disk's errors in its own type, with the number in the text.
    match = re.search(r"os error (\d+)", str(error))
    number = number or (int(match.group(1)) if match else None)
    if number in (errno.ENOSPC, errno.EDQUOT):
        return ModelError(
            f"{models}: the disk is full", "Free some space, or set DYNO_CACHE to a folder on another disk."
        )
    if number in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
        return ModelError(
            f"{models}: cannot be written ({os.strerror(number)})",
            "Set DYNO_CACHE to a folder that you can write to.",
        )
    if _is_unknown_kind(error):
        return ModelError(
            f"transformers cannot read this GGUF file: {str(error).splitlines()[0]}",
            "Use the model's safetensors folder instead.",
        )
    if is_of_the_machine(error):
        return None
    return ModelError(
        f"{source}: transformers {transformers.__version__} cannot convert this file",
        "Use the model's safetensors folder instead. The log has what the library said.",
    )
