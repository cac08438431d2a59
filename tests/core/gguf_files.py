"""GGUF files of tiny models, written with the `gguf` package as llama.cpp's converter does. Knows the names and the
changes of a few architectures; nothing of Dyno."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from tests.core.tiny import _bytes_to_unicode

#: What a kind of model in transformers is called in a file.
_FAMILIES = {"gemma3_text": "gemma3", "qwen3_moe": "qwen3moe", "qwen2_moe": "qwen2moe"}
#: These store a norm as its weight plus 1.
_SHIFTED = ("gemma2", "gemma3")


def write_gguf(
    path: Path,
    model: Any,
    keys: Mapping[str, Any] | None = None,
    tensors: Mapping[str, np.ndarray | None] | None = None,
    quantized: gguf.GGMLQuantizationType | None = None,
    split: int = 1,
    merges: tuple[str, ...] = ("Ġ t",),
) -> list[Path]:
    """Write a tiny model of transformers as one file or `split` of them, and return the files. `keys` are added without
    the architecture's name, `tensors` replaced, or left out where None; matrices are stored as `quantized`."""
    family = _FAMILIES.get(model.config.model_type, model.config.model_type)
    stored = {
        name: value for name, value in {**_tensors(model, family), **(tensors or {})}.items() if value is not None
    }
    names, count = list(stored), split
    files = (
        [path]
        if count == 1
        else [path.with_name(f"{path.stem}-{i:05d}-of-{count:05d}.gguf") for i in range(1, count + 1)]
    )
    for number, file in enumerate(files):
        writer = gguf.GGUFWriter(str(file), family)
        if number == 0:
            _write_metadata(writer, model.config, keys or {}, merges)
        if count > 1:
            writer.add_uint16("split.no", number)
            writer.add_uint16("split.count", count)
            writer.add_int32("split.tensors.count", len(names))
        for name in names[number * len(names) // count : (number + 1) * len(names) // count]:
            value = np.ascontiguousarray(stored[name], np.float32)
            if quantized is not None and value.ndim > 1:
                writer.add_tensor(name, gguf.quants.quantize(value, quantized), raw_dtype=quantized)
            else:
                writer.add_tensor(name, value)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    return files


def _write_metadata(writer: Any, config: Any, keys: Mapping[str, Any], merges: tuple[str, ...]) -> None:
    writer.add_name("tiny")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_key_length(
        width := getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    )
    writer.add_value_length(width)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    tokens = [*_bytes_to_unicode(), "<s>", "</s>", "Ġt"]
    tokens += [f"<pad{i}>" for i in range(config.vocab_size - len(tokens))]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([1] * 256 + [3, 3, 1] + [5] * (len(tokens) - 259))
    writer.add_token_merges(list(merges))
    writer.add_bos_token_id(256)
    writer.add_eos_token_id(257)
    add: dict[type, Callable[[str, Any], None]] = {
        bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32, str: writer.add_string,
        list: writer.add_array,
    }  # fmt: skip
    for name, value in keys.items():
        add[type(value)](f"{writer.arch}.{name}", value)


def _tensors(model: Any, family: str) -> dict[str, np.ndarray]:
    """By their names in the file, changed as the architecture's converter changes them."""
    config = model.config
    architecture = next(key for key, value in gguf.MODEL_ARCH_NAMES.items() if value == family)
    table = gguf.get_tensor_name_map(architecture, config.num_hidden_layers)
    found: dict[str, np.ndarray] = {}
    for name, parameter in model.named_parameters():
        value = parameter.detach().float().numpy()
        if name.endswith("experts.gate_up_proj"):
            block = name.split(".")[2]
            for part, half in zip(("gate", "up"), np.split(value, 2, axis=1), strict=True):
                found[f"blk.{block}.ffn_{part}_exps.weight"] = half
            continue
        stem, suffix = (name, "weight") if name.endswith("experts.down_proj") else name.rsplit(".", 1)
        if family == "llama" and stem.endswith(("q_proj", "k_proj")):
            value = _interleaved(
                value, config.num_attention_heads if stem.endswith("q_proj") else config.num_key_value_heads
            )
        if family in _SHIFTED and stem.endswith("norm"):
            value = value + 1
        found[f"{table.get_name(stem)}.{suffix}"] = value
    return found


def _interleaved(value: np.ndarray, heads: int) -> np.ndarray:
    """The rows of each head as llama.cpp turns them: the two channels of a pair beside each other."""
    halves = value.reshape(heads, 2, value.shape[0] // heads // 2, *value.shape[1:])
    return halves.swapaxes(1, 2).reshape(value.shape)
