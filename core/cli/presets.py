"""`dyno preset …`: saves, finds, judges, verifies and exports presets."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.text import Text

from core.analysis import verdict_text
from core.analysis.compare import compare
from core.base.files import write_whole
from core.cli import run_display, run_table
from core.cli.literal_text import literal
from core.cli.shared import (  # fmt: skip
    AddCommand,
    Invalid,
    check_model,
    console,
    engine_is_elsewhere,
    environment,
    errors,
    follow,
    handled,
)
from core.machine.environment import Environment
from core.model.finder import resolve
from core.model.fingerprints import fingerprint
from core.presets import preset as presets
from core.presets import preset_library, preset_script, verification
from core.presets.materialize_task import Materialize, loads_in
from core.presets.preset import Preset, PresetError
from core.protocol.engine_pool import EnginePool
from core.protocol.engine_process import EngineError
from core.results.journal import open_results
from core.results.ratio_statistics import MARGIN
from core.run.run import Run
from core.spec import experiment
from core.spec.variant import UnknownStrategy


def add_to(command: AddCommand) -> None:
    actions = command("preset", None, "List, show, save, verify and export presets.").add_subparsers(
        required=True, metavar="ACTION"
    )

    def action(name: str, do: Any, text: str, what: str = "NAME[@VERSION]|FILE") -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text)
        sub.set_defaults(do=do)
        if what:
            sub.add_argument("preset", metavar=what)
        return sub

    listed = action("list", _list, "The library: the newest version of each, and whether it is stale here.", "")
    listed.add_argument("--tag", action="append", default=[], metavar="TAG", help="only with this tag; may be repeated")
    listed.add_argument("--search", default="", metavar="TEXT", help="only with this text in them")
    listed.add_argument("--all", action="store_true", help="older versions too")
    save = action("save", _save, "Save a variant of a run with its evidence; the same name makes a new version.", "")
    save.add_argument("folder", type=Path, metavar="DIR")
    save.add_argument("variant")
    save.add_argument("--name", help="instead of the variant's own")
    save.add_argument("--note", default="", help="what a reader should know")
    save.add_argument("--tag", action="append", default=[], metavar="TAG", help="may be repeated")
    save.add_argument("--out", type=Path, metavar="FILE", help="into this file, not into the library")
    shown = action("show", _show, "Print a preset, its evidence, and what has changed since.")
    verify = action(
        "verify", _verify, "Measure it again: exit 0 if the ratio agrees within the margin and the gate is no worse."
    )
    verify.add_argument("--margin", type=float, default=100 * MARGIN, metavar="PCT", help="default: %(default)g")
    verify.add_argument("--rounds", type=int, metavar="N", help="instead of the preset's own")
    verify.add_argument("--out", type=Path, metavar="DIR", help="folder of the new run")
    for sub in (listed, shown, verify):
        sub.add_argument("--json", action="store_true", help="print JSON")
    export = action(
        "export", _export, "Write its comparison as an experiment file, or its recipe as a script that needs no Dyno."
    )
    export.add_argument("file", type=Path, nargs="?", metavar="FILE.toml")
    export.add_argument("--script", type=Path, metavar="FILE.py", help="a short script for transformers")
    export.add_argument(
        "--model", type=Path, metavar="DIR", help="for the script: what `dyno preset materialize` wrote of this preset"
    )
    materialize = action(
        "materialize", _materialize, "Write its pruned or quantized model as a folder that loads at once."
    )
    materialize.add_argument("folder", type=Path, metavar="OUT_DIR", help="it must not exist yet")


# -- the library ------------------------------------------------------------------------------------------
def _list(arguments: argparse.Namespace) -> int:
    entries = preset_library.search(preset_library.library(), arguments.search, arguments.tag)
    counts: dict[str, int] = {}
    for _, preset in entries:
        counts[preset.name] = counts.get(preset.name, 0) + 1
    for line in preset_library.faults():
        errors.print(literal(line, "yellow"), soft_wrap=True)
    if not arguments.all:
        entries = preset_library.newest(entries)
    here = _here() if any(p.environment for _, p in entries) else None
    changes = [_stale(preset, here) for _, preset in entries]
    if arguments.json:
        data = [
            {"file": str(path), **_brief(preset), "stale": lines}
            for (path, preset), lines in zip(entries, changes, strict=True)
        ]
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return 0
    for (_, preset), lines in zip(entries, changes, strict=True):
        more = f"@{preset.version}" if arguments.all or counts[preset.name] > 1 else ""
        console.print(literal(f"{preset.name}{more}: {_summary(preset)}"), soft_wrap=True)
        if lines:
            console.print(literal(f"    stale: {'; '.join(lines)}", "yellow"), soft_wrap=True)
    return 0


def _summary(preset: Preset) -> str:
    ratio = verdict_text.hedged(preset.row) if preset.row else "no evidence"
    gate = f"gate {preset.row.gate}" if preset.row and preset.row.gate else ""
    parts = [preset.variant.recipe(), ratio, gate, preset.created, *(f"#{tag}" for tag in preset.tags), preset.note]
    return " · ".join(filter(None, parts))


def _brief(preset: Preset) -> dict[str, Any]:
    row = preset.row
    return {
        "name": preset.name,
        "version": preset.version,
        "recipe": preset.variant.recipe(),
        "created": preset.created,
        "tags": preset.tags,
        "note": preset.note,
        "speed_ratio": row.speed_ratio if row else None,
        "verdict": row.verdict if row else "",
        "gate": row.gate if row else "",
        "verified": preset.history[-1].model_dump() if preset.history else None,
    }


def _here() -> Environment | None:
    """Return the environment; None if no engine can report it."""
    try:
        return environment()
    except EngineError as error:
        errors.print(literal(f"libraries and hardware were not compared: {error}", "yellow"), soft_wrap=True)
        return None


def _stale(preset: Preset, here: Environment | None) -> list[str]:
    """Return what has changed since a preset was measured. Files are compared only if the engine sees the same file
    system."""
    return preset.mismatches(None, here) if engine_is_elsewhere() else preset.stale(here)


def _save(arguments: argparse.Namespace) -> int:
    results = open_results(arguments.folder)
    preset = presets.from_results(results, arguments.variant, arguments.name or "", arguments.note, arguments.tag)
    console.print(literal(str(preset_library.save(preset, arguments.out))), soft_wrap=True)
    return 0


def _show(arguments: argparse.Namespace) -> int:
    path = preset_library.find(arguments.preset)
    preset = presets.load(path)
    lines = _stale(preset, _here() if preset.environment else None)
    if arguments.json:
        data = {**preset.dump(), "fingerprints": preset.fingerprints, "stale": lines}
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return 0
    work, row = preset.workload, preset.row
    facts = {
        "preset": f"{preset.name}, version {preset.version} ({path})",
        "saved": f"{preset.created} with Dyno {preset.dyno_version}".removesuffix(" with Dyno "),
        "tags": ", ".join(preset.tags),
        "note": preset.note,
        "model": preset.model.source,
        "recipe": preset.variant.recipe(),
        "against": f"{preset.baseline.name}: {preset.baseline.recipe()}",
        "workload": f"{work.prompts}, {work.prompt_tokens} in, {work.new_tokens} out, {work.trials} rounds",
        **(run_table.evidence(row) if row else {"evidence": "none"}),
        **{f"{name} fingerprint": sha256 for name, sha256 in preset.fingerprints.items()},
    }
    for name, value in facts.items():
        if value:
            console.print(Text.assemble((f"{name}: ", "bold"), literal(value)), soft_wrap=True)
    for receipt in row.receipts if row else []:
        console.print(
            literal(f"{receipt.slot}: {receipt.effective}", "" if receipt.matches else "yellow"), soft_wrap=True
        )
    for done in preset.history:
        console.print(
            literal(f"verified {done.at}: {done.words()}", "" if done.confirmed else "yellow"), soft_wrap=True
        )
    for line in lines:
        _say(f"stale: {line}", False)
    return 0


def _loaded(name: str) -> Preset:
    """Return the preset of a name or file, to read its recipe; a notice is printed for a newer version's. Raises
    PresetError."""
    path = preset_library.find(name)
    preset = presets.load(path)
    if preset.newer:
        errors.print(literal(f"{path}: {preset.newer}", "yellow"), soft_wrap=True)
    return preset


def _say(line: str, good: bool) -> None:
    console.print(literal(line, "" if good else "yellow"), soft_wrap=True)


# -- measuring again --------------------------------------------------------------------------------------
def _verify(arguments: argparse.Namespace) -> int:
    """Measure a preset again; return exit 0 if ratio and gate agree, 1 if one does not, 2 if it cannot be verified."""
    if not 0 < arguments.margin <= 100:
        raise Invalid(f"--margin: a percentage above 0 and up to 100, not {arguments.margin:g}")
    if arguments.rounds is not None and not 1 <= arguments.rounds <= 10_000:
        raise Invalid(f"--rounds: 1 to 10000, not {arguments.rounds}")
    path = preset_library.find(arguments.preset)
    preset = presets.load(path)
    presets.stored_ratio(preset)  # reasons against measuring come before it
    check_model(preset.model)
    _check_evidence(preset)
    pool = EnginePool()
    run = Run(preset.experiment(arguments.rounds), pool, arguments.out)
    results = follow(run, pool, where=errors if arguments.json else console)
    state = results.variants[preset.variant.name]
    loaded = state.loaded.fingerprint if state.loaded else None
    if loaded is not None and loaded != preset.fingerprint:
        raise PresetError(f"{preset.name}: the model has changed, so its evidence cannot be confirmed")
    if results.finished is None or results.finished.status != "ok":
        raise PresetError(f"{preset.name}: the run did not finish, so nothing is confirmed or refuted")
    row = next(r for r in compare(results).variants if r.variant == preset.variant.name)
    assert preset.row is not None
    differs = preset.mismatches(None, results.environment)
    done = verification.judge(preset.row, row, results.environment, differs, arguments.margin / 100)
    try:
        preset_library.record(path, done)
    except PresetError as error:  # a read-only checkout: the answer is the same
        errors.print(literal(f"the history was not extended: {error}", "yellow"), soft_wrap=True)
    if arguments.json:
        data = {"preset": preset.name, "version": preset.version, "run": str(run.folder), "confirmed": done.confirmed}
        print(json.dumps({**data, **done.model_dump(mode="json")}, indent=2, ensure_ascii=False))
    else:
        for line in differs:
            console.print(literal(f"differs from the evidence: {line}", "yellow"), soft_wrap=True)
        console.print(literal(done.words()), soft_wrap=True)
    return 0 if done.confirmed else 1


def _check_evidence(preset: Preset) -> None:
    """Check that this version can run the preset on the model and files of this machine. Raises PresetError."""
    for variant in (preset.baseline, preset.variant):
        for strategy in variant.strategies():
            if isinstance(strategy, UnknownStrategy):
                raise PresetError(f"{preset.name}: {strategy.conflicts(variant, None, preset.workload)[0]}")
    if engine_is_elsewhere():
        return
    if fingerprint(resolve(preset.model)) != preset.fingerprint:
        raise PresetError(f"{preset.name}: the model has changed, so its evidence cannot be confirmed")
    if changed := preset.changed_files():
        raise PresetError(f"{preset.name}: {'; '.join(changed)}, so its evidence cannot be confirmed")


# -- handing on -------------------------------------------------------------------------------------------
def _export(arguments: argparse.Namespace) -> int:
    if arguments.file is None and arguments.script is None:
        raise Invalid("export: name a FILE.toml, or --script FILE.py")
    if arguments.model is not None and arguments.script is None:
        raise Invalid("export: --model goes with --script")
    preset = _loaded(arguments.preset)
    if arguments.script is not None:
        text, missing = preset_script.build(preset, arguments.model)
        _write(arguments.script, text)
        for line in missing:
            errors.print(literal(f"not in the script: {line}", "yellow"), soft_wrap=True)
    if arguments.file is not None:
        _write(arguments.file, experiment.to_toml(preset.experiment()))
    return 0


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text)
    except OSError as error:
        raise Invalid(f"{path}: cannot be written: {error.strerror or error}") from None
    console.print(literal(str(path)), soft_wrap=True)


def _materialize(arguments: argparse.Namespace) -> int:
    preset = _loaded(arguments.preset)
    pool = EnginePool()
    work = Materialize(preset, arguments.folder, pool)
    console.print(literal(loads_in(preset.variant)), soft_wrap=True)
    with handled(lambda *_: work.cancel()):
        try:
            done = run_display.follow_writing(work, console)
        finally:
            pool.close()
    if done:
        console.print(literal(str(work.out)), soft_wrap=True)
    return 0 if done else 1
