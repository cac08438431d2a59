"""A preset: one variant with its model, its environment and its evidence."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import SerializeAsAny, ValidationError

from core import __version__
from core.analysis.compare import compare
from core.analysis.comparison_row import Row
from core.base.files import parse_json, read_whole, write_whole
from core.base.value import Value
from core.machine.environment import Environment
from core.model.finder import resolve
from core.model.fingerprints import file_sha256, fingerprint
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.presets.verification import Verification
from core.results.results import Results, VariantState
from core.spec import built_in, prompt_sets
from core.spec import experiment as spec
from core.spec.preset_location import newest
from core.spec.variant import Variant
from core.spec.workload import Workload

#: 1 had no note, tags, version, calibration, files, history; it opens as a preset without them.
SCHEMA_VERSION = 2
_SAMPLE = 65_536  # bytes


class PresetError(ValueError):
    """The preset cannot be read, written or used; the message says why and what to do."""


class FileMark(Value):
    """The state of a file or model folder, on which the numbers depend, when the preset was saved."""

    path: str
    sha256: str


class Preset(Value):
    """All that is needed to use a variant again, to judge whether its evidence applies, and to repeat its
    measurement."""

    schema_version: int = SCHEMA_VERSION
    name: str
    created: str
    model: ModelSource
    fingerprint: str  # of the model
    variant: SerializeAsAny[Variant]
    baseline: SerializeAsAny[Variant]
    workload: Workload
    quality: spec.QualitySettings | None = None  # the text and suite that it was judged on; None: not judged
    environment: Environment | None = None
    row: Row | None = None  # as measured then, quality and receipts included
    version: int = 1  # saving the same name again makes the next one
    note: str = ""
    tags: list[str] = []
    dyno_version: str = ""
    calibration: dict[str, str] = {}  # slot: sha256 of the token ids that a strategy was calibrated on
    files: dict[str, FileMark] = {}  # by what they are: "prompts", "quantization calibration", …
    history: list[Verification] = []  # the newest last

    def dump(self) -> dict[str, Any]:
        data = self.model_dump(mode="json")
        return {**data, "variant": self.variant.dump(), "baseline": self.baseline.dump()}

    def experiment(self, rounds: int | None = None) -> spec.Experiment:
        """Return the comparison behind the evidence, baseline and this variant, with another number of rounds
        if given."""
        pair = (self.baseline,) if self.variant.name == self.baseline.name else (self.baseline, self.variant)
        exactly = {} if rounds is None else {"trials": rounds, "until_pct": 0.0}
        work = self.workload.model_copy(update=exactly)
        return spec.Experiment(model=self.model, workload=work, quality=self.quality, variants=pair)

    @property
    def fingerprints(self) -> dict[str, str]:
        """The sha256 in hex of everything that must be unchanged for the evidence to apply."""
        found = {"model": self.fingerprint}
        found |= {f"{slot} calibration": sha256 for slot, sha256 in self.calibration.items()}
        if self.environment is not None:
            found["environment"] = self.environment.fingerprint
        return found

    @property
    def newer(self) -> str:
        """A sentence if a newer version wrote the preset, whose fields may mean something else; empty otherwise."""
        if not _is_newer(self.schema_version):
            return ""
        return (
            f"the preset was written by Dyno {self.dyno_version} (format {self.schema_version}), which is newer than "
            "this one: not all of it may be shown"
        )

    # -- what has changed since ----------------------------------------------------------------------------
    def mismatches(self, fingerprint: str | None, environment: Environment | None) -> list[str]:
        """Return the reasons why the evidence may not apply here, one line each; empty if nothing relevant differs."""
        lines = [self.newer] if self.newer else []
        if fingerprint is not None and fingerprint != self.fingerprint:
            lines.append(f"model: measured on {self.fingerprint[:12]}…, this is {fingerprint[:12]}…")
        if environment is not None and self.environment is not None:
            lines += self.environment.differences(environment)
        return lines

    def stale(self, environment: Environment | None) -> list[str]:
        """Return what has changed since the measurement, one line each: model, files, libraries, hardware. Model and
        files are read on this machine; without `environment`, libraries and hardware are not compared."""
        lines = self.changed_files()
        try:
            lines += self.mismatches(fingerprint(resolve(self.model)), environment)
        except (ModelError, OSError) as error:
            lines += [f"model: {error}", *self.mismatches(None, environment)]
        return lines

    def changed_files(self) -> list[str]:
        """Return the files that are gone or changed, and the names that now mean another file."""
        lines = []
        for what, mark in self.files.items():
            named = _by_name((self.baseline, self.variant)).get(what, mark.path)
            if named != mark.path:
                lines.append(f"{what}: it was {mark.path}, and is {named} now")
                continue
            try:
                if _sha256(Path(mark.path)) != mark.sha256:
                    lines.append(f"{what}: {mark.path} has changed")
            except (OSError, ValueError):
                lines.append(f"{what}: {mark.path} cannot be read any more")
        return lines


def from_results(results: Results, variant: str, name: str = "", note: str = "", tags: Sequence[str] = ()) -> Preset:
    """Return the preset of a run's variant with its row as evidence, under the variant's name unless `name` is given.
    Raises PresetError."""
    if results.experiment is None or variant not in results.variants:
        raise PresetError(f"there is no variant {variant!r} in this run")
    state = results.variants[variant]
    if state.loaded is None:
        raise PresetError(f"{variant!r} was never loaded, so there is no evidence to save; run it first")
    if not any(trial.ok for trial in state.trials):
        raise PresetError(f"no trial of {variant!r} was finished, so there is no evidence to save; run it first")
    chosen = next(v for v in results.experiment.variants if v.name == variant)
    return Preset(
        name=name or variant,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        model=results.experiment.model,
        fingerprint=state.loaded.fingerprint,
        variant=chosen,
        baseline=results.experiment.baseline,
        workload=results.experiment.workload,
        quality=results.experiment.quality,
        environment=results.environment,
        row=next(r for r in compare(results).variants if r.variant == variant),
        note=note,
        tags=list(dict.fromkeys(tags)),
        dyno_version=results.started.dyno_version if results.started else __version__,
        calibration=_calibration(state),
        files=_files(chosen, results.experiment),
    )


def _calibration(state: VariantState) -> dict[str, str]:
    """Return what calibration really fed to the model, by the receipts."""
    found = {r.slot: r.detail.get("calibration_sha256") for r in state.receipts}
    return {slot: sha256 for slot, sha256 in found.items() if isinstance(sha256, str)}


def _files(variant: Variant, experiment: spec.Experiment) -> dict[str, FileMark]:
    """Return the marks of all files and draft models that recipe, workload and quality settings name; built-in names
    are no files."""
    pair = (experiment.baseline, variant)
    named = {f"{s.slot} {p}": getattr(s, p) for v in pair for s in v.strategies() for p in s.paths if not s.is_name(p)}
    named |= _by_name(pair)
    if experiment.workload.prompts not in prompt_sets.names():
        named["prompts"] = experiment.workload.prompts
    quality = experiment.quality
    if quality is not None and quality.text not in built_in.texts():
        named["evaluation text"] = quality.text
    if quality is not None and quality.suite not in (built_in.NO_SUITE, *built_in.suites()):
        named["suite"] = quality.suite
    found = {}
    for what, path in named.items():
        try:
            if Path(path).is_file() or (path and Path(path).is_dir()):
                found[what] = FileMark(path=os.path.abspath(path), sha256=_sha256(Path(path)))
        except (OSError, ValueError):  # an unreadable name was no file of the run
            continue
    return found


def _by_name(variants: Sequence[Variant]) -> dict[str, str]:
    """Return the presets that recipes name, and the files that these names mean now."""
    named = {f"{s.slot} {p}": getattr(s, p) for v in variants for s in v.strategies() for p in s.presets}
    found: dict[str, str] = {}
    for what, name in named.items():
        with contextlib.suppress(OSError, ValueError, RuntimeError):  # a name that no file can have
            found |= {what: os.path.abspath(newest(name))} if name else {}
    return found


def _sha256(path: Path) -> str:
    """Return the sha256 of a file. A folder's covers its files' names, sizes and three samples of each, so that a draft
    model of gigabytes is compared quickly. Raises OSError."""
    if not path.is_dir():
        return file_sha256(path)
    digest = hashlib.sha256()
    for file in sorted(p for p in path.iterdir() if p.is_file()):
        size = file.stat().st_size
        digest.update(f"{file.name}\0{size}\0".encode("utf-8", "surrogateescape"))
        with file.open("rb") as stream:
            for place in (0, size // 2, max(0, size - _SAMPLE)):
                stream.seek(place)
                digest.update(stream.read(_SAMPLE))
    return digest.hexdigest()


def write(preset: Preset, path: Path) -> Path:
    """Write the preset in the present format and return its path; a newer version's format is kept. Raises
    PresetError."""
    data = {**preset.dump(), "schema_version": max(SCHEMA_VERSION, preset.schema_version)}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise PresetError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def load(path: Path) -> Preset:
    """Return the preset in a file; strategies unknown to this version are kept and shown. Raises PresetError."""
    try:
        data = parse_json(read_whole(path))
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


def stored_ratio(preset: Preset) -> float:
    """Return the ratio that a new measurement is compared with. Raises PresetError."""
    ratio = preset.row.speed_ratio if preset.row is not None else None
    if ratio is None or ratio <= 0:
        raise PresetError(f"{preset.name}: there is no stored ratio to compare with; measure it and save it again")
    return ratio


def _is_newer(version: Any) -> bool:
    return isinstance(version, int) and version > SCHEMA_VERSION
