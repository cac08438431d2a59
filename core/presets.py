"""A preset: one variant with the model it was measured on, the environment and the evidence. Knows files and
comparison of evidence; runs nothing."""

from __future__ import annotations

import contextlib
import json
import math
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import SerializeAsAny, ValidationError

from core import spec
from core.comparison import Row
from core.environment import Environment
from core.files import parse_json, write_whole
from core.folders import data_folder
from core.model import Value
from core.results import Results
from core.statistics import MARGIN


class PresetError(ValueError):
    """The preset cannot be read, written or used: what is wrong and what to do."""


class Preset(Value):
    """Everything that is needed to use a variant again, to judge whether its evidence applies, and to repeat it."""

    schema_version: int = spec.SCHEMA_VERSION
    name: str
    created: str
    model: spec.ModelSource
    fingerprint: str
    variant: SerializeAsAny[spec.Variant]
    baseline: SerializeAsAny[spec.Variant]
    workload: spec.Workload
    environment: Environment | None = None
    row: Row | None = None  # as measured then

    def dump(self) -> dict[str, Any]:
        data = self.model_dump(mode="json")
        return {**data, "variant": self.variant.dump(), "baseline": self.baseline.dump()}

    def experiment(self) -> spec.Experiment:
        """The comparison that the evidence came from: the baseline and this variant."""
        pair = (self.baseline,) if self.variant.name == self.baseline.name else (self.baseline, self.variant)
        return spec.Experiment(model=self.model, workload=self.workload, variants=pair)

    def mismatches(self, fingerprint: str | None, environment: Environment | None) -> list[str]:
        """Why the evidence may not apply here, a line each; empty when nothing that matters differs."""
        lines = []
        if fingerprint is not None and fingerprint != self.fingerprint:
            lines.append(f"model: measured on {self.fingerprint[:12]}…, this is {fingerprint[:12]}…")
        if environment is not None and self.environment is not None:
            lines += self.environment.differences(environment)
        return lines


def from_results(results: Results, name: str) -> Preset:
    """The preset of one variant of a run, with its row as evidence. Raises PresetError."""
    if results.experiment is None or name not in results.variants:
        raise PresetError(f"there is no variant {name!r} in this run")
    state = results.variants[name]
    if state.loaded is None:
        raise PresetError(f"{name!r} was never loaded, so there is no evidence to save; run it first")
    if not any(trial.ok for trial in state.trials):
        raise PresetError(f"no trial of {name!r} was finished, so there is no evidence to save; run it first")
    comparison = results.comparison()
    return Preset(
        name=name,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        model=results.experiment.model,
        fingerprint=state.loaded.fingerprint,
        variant=next(v for v in results.experiment.variants if v.name == name),
        baseline=results.experiment.baseline,
        workload=results.experiment.workload,
        environment=results.environment,
        row=next(r for r in comparison.variants if r.variant == name),
    )


def folder() -> Path:
    return data_folder() / "presets"


def save(preset: Preset, where: Path | None = None) -> Path:
    """Write to a file, or into the library under a name of its own (an older preset is never overwritten).

    Raises PresetError."""
    path = where or _free(folder() / f"{_slug(preset.name)}.json")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(preset.dump(), indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise PresetError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def load(path: Path) -> Preset:
    """Read a preset; strategies that this version does not know are kept and shown. Raises PresetError."""
    try:
        data = parse_json(path.read_bytes())
        return Preset.model_validate(data, context={"lenient": True})
    except OSError as error:
        raise PresetError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValidationError as error:
        lines = spec.describe(error).splitlines()
        if isinstance(data, dict) and _is_newer(data.get("schema_version")):
            lines.append("it was written by a newer version of Dyno")
        raise PresetError("\n".join(f"{path}: {line}" for line in lines)) from None
    except ValueError as error:
        raise PresetError(f"{path}: is not a preset: {error}") from None


def library() -> list[tuple[Path, Preset]]:
    """The readable presets of the library, by name."""
    found = []
    for path in sorted(folder().glob("*.json")):
        try:
            found.append((path, load(path)))
        except PresetError:
            continue
    return found


def find(name: str) -> Path:
    """A preset by file or by its name in the library. Raises PresetError."""
    with contextlib.suppress(OSError):  # a name too long for a file may still be one of the library's
        if Path(name).is_file():
            return Path(name)
    for path, preset in library():
        if name in (path.stem, preset.name):
            return path
    known = ", ".join(path.stem for path, _ in library()) or "it is empty"
    raise PresetError(f"there is no preset {name!r}: not a file, and not in the library ({known})")


def stored_ratio(preset: Preset) -> float:
    """What a new measurement would be compared with. Raises PresetError."""
    ratio = preset.row.speed_ratio if preset.row is not None else None
    if ratio is None or ratio <= 0:
        raise PresetError(f"{preset.name}: there is no stored ratio to compare with; measure it and save it again")
    return ratio


def verify(preset: Preset, row: Row, margin: float = MARGIN) -> tuple[bool, str]:
    """Whether a new measurement agrees: the log ratios differ by less than the margin. Raises PresetError."""
    then, now = stored_ratio(preset), row.speed_ratio
    if not now or now < 0:
        raise PresetError(f"{preset.name}: the new run gave no ratio ({row.status}: {row.error or 'no paired round'})")
    change = math.exp(abs(math.log(now / then))) - 1
    agrees = change < margin
    words = "confirmed" if agrees else "not confirmed"
    return agrees, (
        f"{words}: {then:.3f}× then, {now:.3f}× now; they differ by {100 * change:.1f} %, "
        f"the margin is {100 * margin:g} %"
    )


def _is_newer(version: Any) -> bool:
    return isinstance(version, int) and version > spec.SCHEMA_VERSION


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "preset"


def _free(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free
