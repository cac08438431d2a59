"""The command line. Exit 0: everything finished; 1: something failed, the rest is kept; 2: invalid input."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.text import Text

from core import demo, dictionary, events, export, outlet, peers, presets, spec, terminal, words
from core.engines import EngineError, EnginePool, parse_command
from core.files import check_writable, write_whole
from core.folders import FolderError
from core.journal import JournalError, open_results
from core.materialize import Materialize
from core.models import ModelError, fingerprint, resolve
from core.results import Results
from core.run import Run, RunError
from core.strategies import REGISTRY, SLOTS, UnknownStrategy

console = Console(highlight=False, markup=False, emoji=False)
errors = Console(stderr=True, highlight=False, markup=False, emoji=False)
literal = terminal.literal
INTERRUPTED = 130  # what a shell expects of a program that Ctrl+C ended


class Invalid(ValueError):
    """Something that the user can mend: exit 2."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    with outlet.steady() as out:
        status = _command(argv)
        if out is None:
            return status
        out.flush()
        if out.complaint:
            errors.print(literal(f"standard output cannot be written: {out.complaint}", "red"), soft_wrap=True)
        return status or (1 if out.complaint else 0)


def _command(argv: Sequence[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        return arguments.do(arguments)
    except (Invalid, spec.SpecError, RunError, JournalError, presets.PresetError, EngineError, FolderError) as error:
        return _fail(str(error), 2)
    except OSError as error:  # what nobody expected of a file: it has a name, and the system a reason
        return _fail(f"{error.filename or 'a file'}: {error.strerror or error}", 1)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)


def _fail(message: str, status: int) -> int:
    errors.print(literal(message, "red"), soft_wrap=True)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dyno", description="A dynamometer for language-model inference.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, do: Any, words: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=words, description=words)
        sub.set_defaults(do=do)
        return sub

    for name, do, text in (
        ("run", _run, "Run an experiment file."),
        ("demo", _demo, "Run the starter comparison on the demo model."),
    ):
        sub = command(name, do, text)
        if name == "run":
            sub.add_argument("file", type=Path, metavar="FILE.toml")
        sub.add_argument("--out", type=Path, metavar="DIR", help="folder of the results; it must not hold a run yet")
        sub.add_argument("--csv", type=Path, metavar="FILE", help="also write the comparison there as CSV")
        sub.add_argument("--json", type=Path, metavar="FILE", help="also write the comparison there as JSON")
        sub.add_argument("--engine", metavar="COMMAND", help="command that starts an engine, or a Python")
    show = command("show", _show, "Print the comparison of a finished or interrupted run.")
    show.add_argument("folder", type=Path, metavar="DIR")
    show.add_argument("--csv", type=Path, metavar="FILE")
    show.add_argument("--json", type=Path, metavar="FILE")
    show.add_argument(
        "--as", dest="peer", choices=sorted(peers.PEERS), help="also latencies and rates as that benchmark defines them"
    )
    for name, do, text in (
        ("strategies", _strategies, "List every slot and strategy, and why one is unavailable here."),
        ("env", _env, "Print the environment that results are stamped with."),
        ("metrics", _metrics, "Print what every column of comparison.csv and trials.csv means."),
    ):
        command(name, do, text).add_argument("--json", action="store_true")
    preset = commands.add_parser("preset", help="List, show, save, verify and export presets.")
    actions = preset.add_subparsers(required=True, metavar="ACTION")
    actions.add_parser("list", help="The library.").set_defaults(do=_preset_list)
    save = actions.add_parser("save", help="Save a variant of a run, with its evidence.")
    save.add_argument("folder", type=Path, metavar="DIR")
    save.add_argument("variant")
    save.add_argument("--out", type=Path, metavar="FILE")
    save.set_defaults(do=_preset_save)
    for name, do, text in (
        ("show", _preset_show, "Print a preset."),
        ("verify", _preset_verify, "Measure it again: exit 0 if the ratio differs by less than the margin."),
        ("export", _preset_export, "Write its comparison as an experiment file."),
        ("materialize", _preset_materialize, "Write its pruned or quantized model as a folder that loads at once."),
    ):
        action = actions.add_parser(name, help=text, description=text)
        action.add_argument("preset", metavar="NAME|FILE")
        action.set_defaults(do=do)
        if name == "export":
            action.add_argument("file", type=Path, metavar="FILE.toml")
        elif name == "materialize":
            action.add_argument("folder", type=Path, metavar="OUT_DIR", help="it must not exist yet")
    return parser


# -- running ----------------------------------------------------------------------------------------------
def _run(arguments: argparse.Namespace) -> int:
    return _measure(spec.read_toml(arguments.file), arguments)


def _demo(arguments: argparse.Namespace) -> int:
    return _measure(demo.experiment(), arguments)


def _measure(experiment: spec.Experiment, arguments: argparse.Namespace) -> int:
    _check_targets(arguments)
    pool = EnginePool(_engine_command(arguments.engine))
    if not arguments.engine:
        _check_model(experiment.model)
    run = Run(experiment, pool, arguments.out)
    results = _follow(run, pool)
    if not results.began:
        return 2  # it was said why
    terminal.report(results, run.folder, console)
    own = (run.folder / "comparison.csv", run.folder / "trials.csv")
    written = _written(own[0], lambda path: export.write_comparison(results.comparison(), path))
    written &= _written(own[1], lambda path: export.write_trials(results, path))
    if written:
        console.print(literal(f"CSV: {own[0]}, {own[1]}"), soft_wrap=True)
    written &= _write_extra(results, arguments)
    return _status(results) if written else 1


def _check_model(model: spec.ModelSource) -> None:
    """Before an engine is started; where $DYNO_ENGINE names another one, that may see other folders."""
    if os.environ.get("DYNO_ENGINE"):
        return
    try:
        resolve(model)
    except ModelError as error:
        raise Invalid(f"model.source: {words.sentence(str(error), error.hint)}") from None


def _follow(run: Run, pool: EnginePool) -> Results:
    """Drive a run; the first Ctrl+C or SIGTERM stops it after the round, the second at once."""
    asked = 0

    def on_signal(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked += 1
        if asked == 1 and number == signal.SIGINT:
            words_ = "Stopping after this round; press Ctrl+C again to cancel." if run.measuring else "Stopping."
            errors.print(Text(words_, "yellow"))
            run.stop_after_round()
        else:
            run.cancel()

    before = {s: signal.signal(s, on_signal) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        return terminal.follow(run, console)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        pool.close()


def _status(results: Results) -> int:
    rows = results.comparison().variants
    return 0 if results.finished and results.finished.status == "ok" and all(r.status == "ok" for r in rows) else 1


def _engine_command(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    try:
        return parse_command(text)
    except ValueError as error:
        raise Invalid(f"--engine: {error}") from None


def _check_targets(arguments: argparse.Namespace) -> None:
    """A path that can't be written is known before the run, not after it."""
    for path in (arguments.csv, arguments.json):
        if path is not None:
            try:
                check_writable(path)
            except (OSError, ValueError) as error:
                raise Invalid(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _write_extra(results: Results, arguments: argparse.Namespace) -> bool:
    comparison = results.comparison()
    targets = ((arguments.csv, export.write_comparison), (arguments.json, export.write_json))
    done = [_written(path, partial(write, comparison)) for path, write in targets if path is not None]
    return all(done)  # every one is tried


def _written(path: Path, write: Callable[[Path], None]) -> bool:
    """Whether it worked; if not, it is said, and the other files are still written."""
    try:
        write(path)
    except OSError as error:
        errors.print(literal(f"{path}: cannot be written: {error.strerror or error}", "red"), soft_wrap=True)
        return False
    return True


def _show(arguments: argparse.Namespace) -> int:
    _check_targets(arguments)
    results = open_results(arguments.folder)
    for entry in results.log:
        if isinstance(entry, events.Log) and entry.variant is None and entry.level != "info":
            console.print(literal(entry.text, "yellow"), soft_wrap=True)
    terminal.report(results, arguments.folder, console)
    if arguments.peer:
        terminal.as_peer(results, arguments.peer, console)
    written = _write_extra(results, arguments)
    return _status(results) if written else 1


# -- knowing ----------------------------------------------------------------------------------------------
def _strategies(arguments: argparse.Namespace) -> int:
    pool = EnginePool()
    try:
        environment = pool.environment()
    finally:
        pool.close()
    listed = []
    for slot in SLOTS:
        for key, kind in REGISTRY[slot].items():
            schema = kind.model_json_schema()
            listed.append(
                {
                    "slot": slot,
                    "method": key,
                    "title": kind.title,
                    "summary": kind.summary,
                    "source": kind.source,
                    "exact": kind.exact,
                    "parameters": schema.get("properties", {}),
                    "unavailable": kind.unavailable(environment),
                }
            )
    if arguments.json:
        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return 0
    for item in listed:
        head = f'{item["slot"]} = {{ method = "{item["method"]}" }}'
        console.print(Text.assemble((head, "bold"), f"  {item['title']}", ("  exact" if item["exact"] else "", "dim")))
        console.print(f"    {item['summary']}")
        for name, field in item["parameters"].items():
            console.print(f"    {name} = {_parameter(field)}")
        if item["unavailable"]:
            console.print(literal(f"    not available here: {item['unavailable']}", "yellow"))
    return 0


def _parameter(field: dict[str, Any]) -> str:
    """`32  (one of 32, 64; description)`."""
    bounds = []
    choices = field.get("enum") or [c["const"] for c in field.get("anyOf", []) if "const" in c]
    if choices:
        bounds.append("one of " + ", ".join(map(str, choices)))
    for key, sign in (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<")):
        if key in field:
            bounds.append(f"{sign} {field[key]}")
    notes = "; ".join(filter(None, [", ".join(bounds), field.get("description", "")]))
    return f"{json.dumps(field.get('default'))}" + (f"  ({notes})" if notes else "")


def _env(arguments: argparse.Namespace) -> int:
    pool = EnginePool()
    try:
        environment = pool.environment()
    finally:
        pool.close()
    if arguments.json:
        print(environment.model_dump_json(indent=2))
        return 0
    for name, value in environment.model_dump(mode="json").items():
        if isinstance(value, dict):
            value = ", ".join(f"{k} {v}" for k, v in value.items())
        elif isinstance(value, list):
            value = ", ".join(v["name"] if isinstance(v, dict) else str(v) for v in value)
        elif name.endswith("_bytes"):
            value = words.size(value)
        console.print(Text.assemble((f"{name:24}", "bold"), str(value if value not in (None, "") else "n/a")))
    return 0


def _metrics(arguments: argparse.Namespace) -> int:
    """The dictionary of columns: it documents the CSV files, and the window's hover texts are made of it."""
    listed = dictionary.columns()
    if arguments.json:
        print(json.dumps([column.model_dump() for column in listed], indent=2, ensure_ascii=False))
        return 0
    for column in listed:
        unit = f" [{column.unit}]" if column.unit else ""
        console.print(Text.assemble((column.name, "bold"), f"{unit}  {column.title}", (f"  {column.tables}", "dim")))
        console.print(literal(f"    {column.formula}"), soft_wrap=True)
        console.print(literal(f"    from: {column.source}", "dim"), soft_wrap=True)
    return 0


# -- presets ----------------------------------------------------------------------------------------------
def _preset_list(arguments: argparse.Namespace) -> int:
    for path, preset in presets.library():
        ratio = words.ratio(preset.row) if preset.row else "no evidence"
        console.print(literal(f"{path.stem}: {preset.variant.recipe()} · {ratio} · {preset.created}"))
    return 0


def _preset_save(arguments: argparse.Namespace) -> int:
    results = open_results(arguments.folder)
    path = presets.save(presets.from_results(results, arguments.variant), arguments.out)
    console.print(literal(str(path)), soft_wrap=True)
    return 0


def _preset_show(arguments: argparse.Namespace) -> int:
    preset = presets.load(presets.find(arguments.preset))
    print(json.dumps(preset.dump(), indent=2, ensure_ascii=False))
    return 0


def _preset_verify(arguments: argparse.Namespace) -> int:
    preset = presets.load(presets.find(arguments.preset))
    presets.stored_ratio(preset)  # what makes measuring pointless is said before it
    _check_model(preset.model)
    _check_evidence(preset)
    pool = EnginePool()
    results = _follow(Run(preset.experiment(), pool), pool)
    state = results.variants[preset.variant.name]
    loaded = state.loaded.fingerprint if state.loaded else None
    for line in preset.mismatches(loaded, results.environment):
        console.print(literal(f"differs from the evidence: {line}", "yellow"))
    row = next(r for r in results.comparison().variants if r.variant == preset.variant.name)
    if loaded is not None and loaded != preset.fingerprint:
        raise presets.PresetError(f"{preset.name}: the model has changed, so its evidence cannot be confirmed")
    agrees, sentence = presets.verify(preset, row)
    console.print(literal(sentence))
    return 0 if agrees else 1


def _check_evidence(preset: presets.Preset) -> None:
    """Whether this version can run it on the model that is here. Raises PresetError."""
    for variant in (preset.baseline, preset.variant):
        for strategy in variant.strategies():
            if isinstance(strategy, UnknownStrategy):
                raise presets.PresetError(f"{preset.name}: {strategy.conflicts(variant, None, preset.workload)[0]}")
    if not os.environ.get("DYNO_ENGINE") and fingerprint(resolve(preset.model)) != preset.fingerprint:
        raise presets.PresetError(f"{preset.name}: the model has changed, so its evidence cannot be confirmed")


def _preset_export(arguments: argparse.Namespace) -> int:
    preset = presets.load(presets.find(arguments.preset))
    try:
        write_whole(arguments.file, spec.to_toml(preset.experiment()))
    except OSError as error:
        raise Invalid(f"{arguments.file}: cannot be written: {error.strerror or error}") from None
    console.print(literal(str(arguments.file)), soft_wrap=True)
    return 0


def _preset_materialize(arguments: argparse.Namespace) -> int:
    preset = presets.load(presets.find(arguments.preset))
    pool = EnginePool()
    work = Materialize(preset, arguments.folder, pool)
    before = {s: signal.signal(s, lambda *_: work.cancel()) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        done = terminal.follow_writing(work, console)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        pool.close()
    if done:
        console.print(literal(str(work.out)), soft_wrap=True)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
