"""The experiment: model, workload, variants, quality, as frozen pydantic models; unknown keys are errors. `read_toml`
reads an experiment file and names the place of every fault in it."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from core.base.files import check_ends
from core.base.value import Value
from core.base.visible_text import look, visible
from core.model.source import AS_WRITTEN, ModelSource
from core.spec import built_in, prompt_sets
from core.spec.gate import Gate
from core.spec.sweep_table import SweepError, expanded
from core.spec.variant import Strategy, Variant
from core.spec.workload import Workload

SCHEMA_VERSION = 1
_LARGEST = 4 << 20  # characters of an experiment file


class SpecError(ValueError):
    """Invalid input; the message names the place in the file and what is allowed there."""


class QualitySettings(Value):
    """How every variant is judged after the rounds, against the baseline and on the same tokens."""

    model_config = AS_WRITTEN
    tokens: int = Field(2048, ge=64, le=100_000, description="tokens that are scored; p99.9 needs 20,000")
    window: int = Field(
        128,
        ge=8,
        le=32_768,
        multiple_of=2,
        description="tokens of the sliding window: its first half is context, its second half is scored",
    )
    text: str = Field("prose", min_length=1, description="the built-in text (prose), or a .txt file")
    gate: Gate = Gate()
    prompts: int = Field(
        8, ge=0, le=1000, description="prompts whose greedy answers are compared with the baseline's; 0 is none"
    )
    answer_tokens: int = Field(32, ge=1, le=4096, description="tokens after which an answer is cut")
    suite: str = Field(
        "basic", min_length=1, description='the built-in regression suite (basic), a .jsonl file, or "none"'
    )


def _shorthand(value: Any) -> Any:
    """Return `quality = true` as a table of defaults, and `false` as no table."""
    return {} if value is True else None if value is False else value


class Experiment(Value):
    """A model, a workload and the variants to compare; the first variant is the baseline."""

    model: ModelSource = ModelSource()
    workload: Workload = Workload()
    quality: Annotated[QualitySettings | None, BeforeValidator(_shorthand)] = None  # None: not judged
    variants: tuple[Variant, ...] = Field(alias="variant", min_length=1)

    @model_validator(mode="after")
    def _unique_names(self, info: ValidationInfo) -> Experiment:
        """Check that names are unique, also in appearance; a file that is only shown keeps the names in its events."""
        shown = bool(info.context and info.context.get("lenient"))
        named: dict[str, str] = {}
        for variant in self.variants:
            key = variant.name if shown else look(variant.name)
            if key not in named:
                named[key] = variant.name
                continue
            other = named[key]
            if other == variant.name:
                raise ValueError(f"two variants are named {variant.name!r}; every name must be different")
            raise ValueError(
                f"the names of two variants look the same, and are {other!a} and {variant.name!a}: rename one of them"
            )
        return self

    @property
    def baseline(self) -> Variant:
        return self.variants[0]

    def dump(self) -> dict[str, Any]:
        """Return the experiment as in a file; `parse` reads it."""
        return {
            "model": self.model.model_dump(mode="json", exclude_none=True),
            "workload": self.workload.model_dump(mode="json"),
            **({"quality": self.quality.model_dump(mode="json")} if self.quality is not None else {}),
            "variant": [v.dump() for v in self.variants],
        }


_PLAIN = {
    "extra_forbidden": "this key is not known",
    "model_type": "expected a table of keys and values",
    "tuple_type": "expected a list of tables: [[variant]]",
    "too_short": "there must be at least one",
}


def describe(error: ValidationError) -> str:
    """Return each fault on a line: its path in the file, what is wrong, what is allowed."""
    lines = []
    faults = error.errors()
    # A list whose items are at fault is reported as too short as well: only the items help.
    inner = {fault["loc"][:n] for fault in faults for n in range(len(fault["loc"]))}
    for fault in faults:
        if fault["loc"] in inner and fault["loc"]:
            continue
        path = ""
        for part in fault["loc"]:
            shown = visible(str(part), keep="")
            path += f"[{part}]" if isinstance(part, int) else f".{shown}" if path else shown
        message = fault["msg"].removeprefix("Value error, ")
        message = _PLAIN.get(fault["type"], message)
        got = ""
        if isinstance(fault["input"], str | int | float | bool) and "name may not" not in message:
            got = f" (got {_short(repr(fault['input']))})"
        lines.append(f"{path or 'file'}: {message}{got}")
    return "\n".join(lines)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:60] + "…" + text[-10:]


def parse(data: Any, lenient: bool = False) -> Experiment:
    """Return a validated experiment; `lenient` keeps strategies that this version does not know, so that old files
    open. Raises SpecError."""
    try:
        return Experiment.model_validate(data, context={"lenient": lenient})
    except ValidationError as error:
        raise SpecError(describe(error)) from None


def read_toml(path: Path, waits: bool = True) -> Experiment:
    """Return the experiment in a file. A relative model or prompt path is relative to the file's folder. `waits` allows
    a pipe. Raises SpecError."""
    try:
        if not waits:
            check_ends(path)
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise SpecError(f"{path}: cannot be read: {error}") from None
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_LARGEST + 1)
        if len(text) > _LARGEST:  # /dev/zero has no end
            raise tomllib.TOMLDecodeError(f"it is larger than {_LARGEST >> 20} MiB")
        data = tomllib.loads(text)
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SpecError(f"{path}: is not valid TOML: it is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"{path}: is not valid TOML: {error}") from None
    except RecursionError:
        raise SpecError(f"{path}: is not valid TOML: it is nested too deeply") from None
    except ValueError:  # Python reads no integer of more than some thousand digits
        raise SpecError(f"{path}: is not valid TOML: it holds a number that is too long") from None
    try:
        experiment = parse(_written_out(data))
    except SpecError as error:
        raise SpecError("\n".join(f"{path}: {line}" for line in str(error).splitlines())) from None
    return _relative_to(experiment, path.parent)


def _written_out(data: dict[str, Any]) -> dict[str, Any]:
    """Return the tables with one variant per value of a sweep. Raises SpecError."""
    try:
        return expanded(data)
    except SweepError as error:
        raise SpecError(str(error)) from None


def _relative_to(experiment: Experiment, folder: Path) -> Experiment:
    def anchor(name: str, *names: str) -> str:
        """Return the absolute path if it exists beside the file, unless the name is one of `names`, which are
        no paths."""
        if not name or name in names:  # "./chat" is the folder of that name
            return name
        beside = folder / name
        try:
            # Links stay as they are: a hub's cache keeps its files under names without an ending.
            found = os.path.abspath(beside) if not Path(name).is_absolute() and beside.exists() else name
        except (OSError, ValueError):  # too long, or with the character 0: no path at all
            return name
        try:
            found.encode()
        except UnicodeEncodeError:
            raise SpecError(f"{folder}: the name of this folder is not UTF-8, so no file can say it") from None
        return found

    model = experiment.model.model_copy(update={"source": anchor(experiment.model.source, built_in.DEMO)})
    prompts = anchor(experiment.workload.prompts, *prompt_sets.names())
    workload = experiment.workload.model_copy(update={"prompts": prompts})
    quality = experiment.quality
    if quality is not None:
        text = anchor(quality.text, *built_in.texts())
        suite = anchor(quality.suite, *built_in.suites(), built_in.NO_SUITE)
        quality = quality.model_copy(update={"text": text, "suite": suite})
    variants = []
    for variant in experiment.variants:
        anchored: dict[str, Strategy] = {}
        for strategy in variant.strategies():
            found = {name: getattr(strategy, name) for name in strategy.paths}
            files = [name for name in found if not strategy.is_name(name)]
            anchored[strategy.slot] = strategy.model_copy(update={name: anchor(found[name]) for name in files})
        variants.append(variant.model_copy(update=anchored))
    return experiment.model_copy(
        update={"model": model, "workload": workload, "quality": quality, "variants": tuple(variants)}
    )


def to_toml(experiment: Experiment) -> str:
    """Return the experiment as TOML that `read_toml` reads."""

    def value(item: Any) -> str:
        if isinstance(item, dict):
            return "{ " + ", ".join(f"{k} = {value(v)}" for k, v in item.items()) + " }"
        if isinstance(item, list | tuple):
            return "[" + ", ".join(map(value, item)) + "]"
        # A JSON string, number or boolean is one in TOML as well, but for U+007F.
        return json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007f")

    def table(head: str, items: dict[str, Any]) -> str:
        return "\n".join([head, *(f"{k} = {value(v)}" for k, v in items.items())]) + "\n"

    data = experiment.dump()
    parts = [table(f"[{name}]", data[name]) for name in ("model", "workload", "quality") if name in data]
    return "\n".join(parts + [table("[[variant]]", v) for v in data["variant"]])
