"""Reads the facts of a model from the header of its GGUF file."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from core.model import (
    config_sizes,
    gguf_header,
    gguf_parts,
    safetensors_header,
)
from core.model.facts import ModelFacts
from core.model.model_error import ModelError, shortened

_BLOCK = re.compile(r"blk\.(\d{1,9})\.")

#: GGUF architectures which only encode, or generate something other than text from text.
_NOT_CAUSAL_GGUF = re.compile(r"bert|^t5|^clip$|whisper|wavtokenizer|^gpt-?vision$")


def gguf_facts(path: Path) -> ModelFacts:
    """Return the facts of the model that a GGUF file is or belongs to. Raises ModelError."""
    try:
        files, header = gguf_parts.parts(path), gguf_parts.read_whole_header(path)
    except gguf_parts.PartMissing as error:
        raise ModelError(
            f"{path}: {error}", "Get all parts of the model into one folder, under the names that they came with."
        ) from None
    except gguf_header.GgufError as error:
        raise ModelError(f"{path}: {error}", "The file is truncated or is not a GGUF file: get it again.") from None
    meta = header.metadata
    family = str(meta.get("general.architecture", ""))
    if _NOT_CAUSAL_GGUF.search(family) or meta.get("general.type", "model") != "model":
        raise ModelError(
            f"{path}: {family or meta.get('general.type')!s} is not a causal language model",
            "Dyno measures models that continue text. Choose one of those.",
        )

    def number(key: str) -> int | None:
        value = meta.get(f"{family}.{key}")
        if isinstance(value, list) and all(isinstance(v, int) for v in value):
            value = max(value, default=None)  # some give one per layer
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            shown = f"{path}: {family}.{key} must be a whole number (it is {shortened(repr(value))})"
            raise ModelError(shown, "Get the file again, or convert the model anew.")
        return value

    _check_blocks(path, header, number("block_count"), number("nextn_predict_layers") or 0)
    hidden, heads = number("embedding_length"), number("attention.head_count")
    windows = {"model_type": family, "sliding_window": number("attention.sliding_window")}
    tokens = meta.get("tokenizer.ggml.tokens")
    return ModelFacts(
        name=_SPLIT.sub("", path.stem) if len(files) > 1 else path.stem,
        kind="gguf",
        path=str(files[0].absolute()),  # in the hub's cache it is a link, and what it leads to has a hash for a name
        architecture=family,
        parameters=sum(t.elements for t in header.tensors),
        dtype=main_dtype(header.tensors),
        file_bytes=sum(file.stat().st_size for file in files),
        layers=number("block_count"),
        hidden=hidden,
        intermediate=number("feed_forward_length"),
        heads=heads,
        kv_heads=number("attention.head_count_kv") or heads,
        head_dim=number("attention.key_length") or (hidden // heads if hidden and heads else None),
        vocab=number("vocab_size") or _count(tokens),
        context=number("context_length"),
        tied=not any(t.name == "output.weight" for t in header.tensors),
        chat_template="tokenizer.chat_template" in meta,
        **config_sizes.cached_layers(windows, number("block_count") or 0),
    )


def _check_blocks(path: Path, header: gguf_header.Header, count: int | None, guessing: int) -> None:
    """Check the number of blocks with tensors against the stated number, before a model of that size is made. The last
    `guessing` blocks may be absent: they predict further tokens. Raises ModelError."""
    found = {int(match[1]) for t in header.tensors if (match := _BLOCK.match(t.name))}
    if count is None or not found:
        return
    lacking = next((i for i in range(count - guessing) if i not in found), None)
    if lacking is not None:
        raise ModelError(
            f"{path}: the tensors of block {lacking} are missing: there should be {count:,} blocks",
            "Get the complete file, or all parts of the model.",
        )
    if max(found) >= count + guessing:
        raise ModelError(
            f"{path}: it has tensors of block {max(found)}, and there should be {count:,} blocks, counted from 0",
            "Get the file again, or convert the model anew.",
        )


def _count(tokens: Any) -> int | None:
    """Return the length of a token list; for a long list the header holds the length only."""
    if isinstance(tokens, list):
        return len(tokens) or None
    return tokens if type(tokens) is int else None


_SHORT = {"F32": "fp32", "F16": "fp16", "BF16": "bf16"}  # the other types keep their own names

_SPLIT = re.compile(r"-\d{5}-of-\d{5}$")


def main_dtype(tensors: list[safetensors_header.SafetensorsTensor] | tuple[gguf_header.GgufTensor, ...]) -> str:
    """Return the data type that holds most elements."""
    elements: Counter[str] = Counter()
    for tensor in tensors:
        name = tensor.dtype if isinstance(tensor, safetensors_header.SafetensorsTensor) else tensor.type
        elements[name] += tensor.elements
    return _SHORT.get(elements.most_common(1)[0][0], elements.most_common(1)[0][0]) if elements else ""
