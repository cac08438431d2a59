"""GGUF files of tiny models, written with the `gguf` package as llama.cpp's converter does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from tests.core.tiny import _bytes_to_unicode

#: What a kind of model in transformers is called in a file.
_FAMILIES = {
    "gemma3_text": "gemma3", "gemma4_text": "gemma4", "qwen3_moe": "qwen3moe", "qwen2_moe": "qwen2moe",
    "qwen3_5_text": "qwen35",
}  # fmt: skip
#: These store a norm as its weight plus 1.
_SHIFTED = ("gemma2", "gemma3", "nemotron", "qwen35")
#: These store the head although it is the embedding.
_HEAD_TWICE = ("bloom", "falcon")


def write_gguf(
    path: Path,
    model: Any,
    keys: Mapping[str, Any] | None = None,
    tensors: Mapping[str, np.ndarray | None] | None = None,
    quantized: gguf.GGMLQuantizationType | None = None,
    split: int = 1,
    merges: tuple[str, ...] = ("Ġ t",),
    sizes: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write a tiny model of transformers as one file or `split` of them, and return the files. `keys` are added without
    the architecture's name, to `sizes` or to those of a model like Llama; `tensors` are replaced, or left out where
    None; matrices are stored as `quantized`."""
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
            _write_metadata(writer, sizes or _sizes(model.config), keys or {}, model.config.vocab_size, merges)
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


def _write_metadata(
    writer: Any, sizes: Mapping[str, Any], keys: Mapping[str, Any], vocab: int, merges: tuple[str, ...]
) -> None:
    writer.add_name("tiny")
    add: dict[type, Callable[[str, Any], None]] = {
        bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32, str: writer.add_string,
        list: writer.add_array,
    }  # fmt: skip
    for name, value in {**sizes, **keys}.items():
        add[type(value)](f"{writer.arch}.{name}", value)
    tokens = [*_bytes_to_unicode(), "<s>", "</s>", "Ġt"]
    tokens += [f"<pad{i}>" for i in range(vocab - len(tokens))]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([1] * 256 + [3, 3, 1] + [5] * (len(tokens) - 259))
    writer.add_token_merges(list(merges))
    writer.add_bos_token_id(256)
    writer.add_eos_token_id(257)


def _sizes(config: Any) -> dict[str, Any]:
    """The keys that describe a model like Llama."""
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return {
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "block_count": config.num_hidden_layers,
        "feed_forward_length": config.intermediate_size,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": config.num_key_value_heads,
        "attention.key_length": width,
        "attention.value_length": width,
        "attention.layer_norm_rms_epsilon": float(config.rms_norm_eps),
        "vocab_size": config.vocab_size,
    }


def _tensors(model: Any, family: str) -> dict[str, np.ndarray]:
    """By their names in the file, changed as the architecture's converter changes them."""
    config = model.config
    architecture = next(key for key, value in gguf.MODEL_ARCH_NAMES.items() if value == family)
    table = gguf.get_tensor_name_map(architecture, config.num_hidden_layers)
    state = dict(model.named_parameters()) | {n: b for n, b in model.named_buffers() if n.endswith("layer_scalar")}
    found: dict[str, np.ndarray] = {}
    for name, parameter in state.items():
        value = parameter.detach().float().numpy()
        block = next((part for part in name.split(".") if part.isdigit()), "")
        if name.endswith("experts.gate_up_proj"):
            for part, half in zip(("gate", "up"), np.split(value, 2, axis=1), strict=True):
                found[f"blk.{block}.ffn_{part}_exps.weight"] = half
        elif name.endswith("linear_attn.dt_bias"):
            found[f"blk.{block}.ssm_dt.bias"] = value
        elif name.endswith("A_log"):
            found[f"blk.{block}.ssm_a"] = -np.exp(value)
        else:
            whole = name.endswith((".weight", ".bias"))
            stem, suffix = name.rsplit(".", 1) if whole else (name, "weight")
            stem = stem.removeprefix("transformer.")
            stored = table.get_name(stem) or table.get_name(f"transformer.{stem}")
            found[f"{stored}.{suffix}"] = _changed(value, stem, suffix, config, family)
    if family in _HEAD_TWICE:
        found["output.weight"] = found["token_embd.weight"]
    return found


def _changed(value: np.ndarray, stem: str, suffix: str, config: Any, family: str) -> np.ndarray:
    if family == "llama" and stem.endswith(("q_proj", "k_proj")):
        return _interleaved(
            value, config.num_attention_heads if stem.endswith("q_proj") else config.num_key_value_heads
        )
    if family in _SHIFTED and "norm" in stem and suffix == "weight" and not stem.endswith("linear_attn.norm"):
        return value + 1
    if family == "gpt2" and stem.endswith(("c_attn", "c_proj", "c_fc")) and suffix == "weight":
        return value.T  # a Conv1D
    if stem.endswith(("conv1d", ".conv.conv")) and suffix == "weight":
        return value[:, 0]
    if stem.endswith("shared_expert_gate"):
        return value[0]
    if family == "bloom" and stem.endswith("query_key_value"):  # by head, then by kind; in a file the other way round
        parts = value.reshape(config.n_head, 3, -1, *value.shape[1:])
        return parts.swapaxes(0, 1).reshape(value.shape)
    return value


def _interleaved(value: np.ndarray, heads: int) -> np.ndarray:
    """The rows of each head as llama.cpp turns them: the two channels of a pair beside each other."""
    halves = value.reshape(heads, 2, value.shape[0] // heads // 2, *value.shape[1:])
    return halves.swapaxes(1, 2).reshape(value.shape)
