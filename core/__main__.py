"""The command line. Exit 0: everything finished; 1: something failed, the rest is kept; 2: invalid input."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.text import Text

from core import (
    continuation,
    demo,
    dictionary,
    events,
    export,
    outlet,
    peers,
    presets,
    report,
    roofline_report,
    spec,
    terminal,
    words,
)
from core.cli import advice, check, compare, shared
from core.cli import presets as preset_commands
from core.cli import prompts as prompt_commands
from core.cli.shared import Invalid, check_model, console, errors, follow, literal, written
from core.engines import EngineError, EnginePool, parse_command
from core.files import check_writable
from core.folders import FolderError
from core.journal import JournalError, open_results
from core.results import Results
from core.run import Run, RunError
from core.strategies import REGISTRY, SLOTS

INTERRUPTED = 130  # what a shell expects of a program that Ctrl+C ended


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
            sub.add_argument("file", type=Path, metavar="FILE.toml", nargs="?")
            more = "go on with this run instead: what is missing of it, or --rounds more"
            sub.add_argument("--resume", type=Path, metavar="DIR", help=more)
            sub.add_argument("--rounds", type=int, metavar="N", help="with --resume: so many more rounds")
            only = "with --resume: only this variant, and the baseline beside it; may be given several times"
            sub.add_argument("--only", action="append", default=[], metavar="VARIANT", help=only)
        sub.add_argument("--out", type=Path, metavar="DIR", help="folder of the results; it must not hold a run yet")
        sub.add_argument("--csv", type=Path, metavar="FILE", help="also write the comparison there as CSV")
        sub.add_argument("--json", type=Path, metavar="FILE", help="also write the comparison there as JSON")
        sub.add_argument("--html", type=Path, metavar="FILE", help="also write a report there, one page with figures")
        sub.add_argument("--engine", metavar="COMMAND", help="command that starts an engine, or a Python")
        until = "go on until every 95 %% interval is at most this many per cent to either side"
        sub.add_argument("--until", type=float, metavar="PCT", help=until)
        sub.add_argument("--budget", type=float, metavar="S", help="seconds of measuring, at most")
    show = command("show", _show, "Print the comparison of a finished or interrupted run.")
    show.add_argument("folder", type=Path, metavar="DIR")
    show.add_argument("--csv", type=Path, metavar="FILE")
    show.add_argument("--json", type=Path, metavar="FILE")
    show.add_argument("--html", type=Path, metavar="FILE", help="also write a report there, one page with figures")
    show.add_argument("--memory", action="store_true", help="also peaks by name and phase, and the estimate")
    show.add_argument("--memory-csv", type=Path, metavar="FILE", help="also write memory over time there")
    show.add_argument(
        "--as", dest="peer", choices=sorted(peers.PEERS), help="also latencies and rates as that benchmark defines them"
    )
    for name, do, text in (
        ("strategies", _strategies, "List every slot and strategy, and why one is unavailable here."),
        ("env", _env, "Print the environment that results are stamped with."),
        ("metrics", _metrics, "Print what every column of the CSV files means."),
    ):
        sub = command(name, do, text)
        sub.add_argument("--json", action="store_true")
        if name == "strategies":
            sub.add_argument("--long", action="store_true", help="also when each pays, when it does not, its source")
        if name == "env":
            sub.add_argument(
                "--measure", action="store_true", help="measure bandwidth and peaks now, keep and print them; seconds"
            )
    advice.add_to(command)
    check.add_to(command)
    compare.add_to(command)
    preset_commands.add_to(commands)
    prompt_commands.add_to(command)
    return parser


# -- running ----------------------------------------------------------------------------------------------
def _run(arguments: argparse.Namespace) -> int:
    if arguments.resume is not None:
        return _resume(arguments)
    if arguments.file is None:
        raise Invalid("dyno run takes a FILE.toml, or --resume DIR with the folder of a run")
    if arguments.rounds is not None or arguments.only:
        raise Invalid("--rounds and --only go with --resume; a new run has its rounds and variants in its file")
    return _measure(_with_options(spec.read_toml(arguments.file), arguments), arguments)


def _resume(arguments: argparse.Namespace) -> int:
    """More rounds of a run that is over, in the same folder."""
    given = {"FILE.toml": arguments.file, "--out": arguments.out, "--until": arguments.until}
    wrong = [name for name, value in {**given, "--budget": arguments.budget}.items() if value is not None]
    if wrong:
        raise Invalid(f"{', '.join(wrong)}: a run that goes on has this already; leave it out beside --resume")
    _check_targets(arguments)
    results = open_results(arguments.resume)
    before = continuation.plan(results, arguments.resume, arguments.rounds, arguments.only)
    pool = EnginePool(_engine_command(arguments.engine))
    if not arguments.engine:
        check_model(before.experiment.model)
    run = Run.more(before, pool, unload=True)
    follow(run, pool, results)
    return _report(results, run, arguments) if run.recorded else 2  # it was said why


def _demo(arguments: argparse.Namespace) -> int:
    return _measure(_with_options(demo.experiment(), arguments), arguments)


def _with_options(experiment: spec.Experiment, arguments: argparse.Namespace) -> spec.Experiment:
    """With what the command line says of how long to measure. Raises SpecError."""
    given = {"until_pct": arguments.until, "budget_s": arguments.budget}
    given = {name: value for name, value in given.items() if value is not None}
    data = experiment.dump()
    return spec.parse({**data, "workload": {**data["workload"], **given}}) if given else experiment


def _measure(experiment: spec.Experiment, arguments: argparse.Namespace) -> int:
    _check_targets(arguments)
    pool = EnginePool(_engine_command(arguments.engine))
    if not arguments.engine:
        check_model(experiment.model)
    run = Run(experiment, pool, arguments.out, unload=True)
    results = follow(run, pool)
    return _report(results, run, arguments) if results.began else 2  # it was said why


def _report(results: Results, run: Run, arguments: argparse.Namespace) -> int:
    """Print what came out and write its files; the exit status."""
    terminal.report(results, run.folder, console)
    own = (run.folder / "comparison.csv", run.folder / "trials.csv")
    done = written(own[0], lambda path: export.write_comparison(results.comparison(), path))
    done &= written(own[1], lambda path: export.write_trials(results, path))
    if done:
        console.print(literal(f"CSV: {own[0]}, {own[1]}"), soft_wrap=True)
    done &= _write_extra(results, arguments)
    return _status(results) if done else 1


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
    for path in (arguments.csv, arguments.json, arguments.html):
        if path is not None:
            try:
                check_writable(path)
            except (OSError, ValueError) as error:
                raise Invalid(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _write_extra(results: Results, arguments: argparse.Namespace) -> bool:
    comparison = results.comparison()
    targets = ((arguments.csv, export.write_comparison), (arguments.json, export.write_json))
    done = [written(path, partial(write, comparison)) for path, write in targets if path is not None]
    if arguments.html is not None:
        done.append(written(arguments.html, partial(report.write, results)))
    return all(done)  # every one is tried


def _show(arguments: argparse.Namespace) -> int:
    _check_targets(arguments)
    results = open_results(arguments.folder)
    for entry in results.log:
        if isinstance(entry, events.Log) and entry.variant is None and entry.level != "info":
            console.print(literal(entry.text, "yellow"), soft_wrap=True)
    terminal.report(results, arguments.folder, console)
    if arguments.memory:
        terminal.memory(results, console)
    if arguments.peer:
        terminal.as_peer(results, arguments.peer, console)
    done = _write_extra(results, arguments)
    if arguments.memory_csv is not None:
        done &= written(arguments.memory_csv, partial(export.write_memory, results))
    return _status(results) if done else 1


# -- knowing ----------------------------------------------------------------------------------------------
def _strategies(arguments: argparse.Namespace) -> int:
    environment = shared.environment()
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
                    "pays": kind.pays,
                    "pays_not": kind.pays_not,
                    "source": kind.source,
                    "exact": kind.exact,
                    "parameters": schema.get("properties", {}),
                    "unavailable": kind.unavailable(environment),
                    "caveat": kind.caveat(environment),
                    "needs": [need.model_dump() for need in kind.needs],
                }
            )
    if arguments.json:
        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return 0
    for item in listed:
        head = f'{item["slot"]} = {{ method = "{item["method"]}" }}'
        console.print(Text.assemble((head, "bold"), f"  {item['title']}", ("  exact" if item["exact"] else "", "dim")))
        console.print(literal(f"    {item['summary']}"))
        if arguments.long:
            for title, key in (("pays", "pays"), ("does not pay", "pays_not"), ("source", "source")):
                console.print(Text.assemble((f"    {title}: ", "dim"), item[key]))
        for name, field in item["parameters"].items():
            console.print(f"    {name} = {_parameter(field)}")
        for need in item["needs"]:
            least = f" {need['least']} or newer" if need["least"] else ""
            console.print(literal(f"    needs {need['package']}{least} ({need['source']})", "dim"), soft_wrap=True)
        if item["caveat"] and not item["unavailable"]:
            console.print(literal(f"    slow here: {item['caveat']}", "yellow"), soft_wrap=True)
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


def _env_measure(arguments: argparse.Namespace) -> int:
    pool = EnginePool()
    try:
        machine = pool.machine()
    finally:
        pool.close()
    if arguments.json:
        print(machine.model_dump_json(indent=2))
    else:
        console.print(roofline_report.machine(machine))
    return 0


def _env(arguments: argparse.Namespace) -> int:
    if arguments.measure:
        return _env_measure(arguments)
    environment = shared.environment()
    if arguments.json:
        print(environment.model_dump_json(indent=2))
        return 0
    for name, value in environment.model_dump(mode="json", exclude={"devices"}).items():
        console.print(Text.assemble((f"{name:27}", "bold"), literal(_shown(name, value))), soft_wrap=True)
    for number, device in enumerate(environment.devices):
        for name, value in device.model_dump(mode="json").items():
            console.print(
                Text.assemble((f"device {number} {name:18}", "bold"), literal(_shown(name, value))), soft_wrap=True
            )
    console.print(Text.assemble((f"{'fingerprint':27}", "bold"), environment.fingerprint), soft_wrap=True)
    return 0


def _shown(name: str, value: Any) -> str:
    """A field of the environment in words; what is not readable is n/a, never 0."""
    if value in (None, "", [], {}):
        return "n/a"
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return words.size(value) if name.endswith("_bytes") else str(value)


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


if __name__ == "__main__":
    sys.exit(main())
