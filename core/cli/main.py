"""The command line. Exit 0: everything finished; 1: something failed and the rest is kept; 2: invalid input."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from core.base import formatting
from core.base.folders import FolderError
from core.cli import advice, check, compare, roofline_display, safe_stdout, shared
from core.cli import presets as preset_commands
from core.cli import prompts as prompt_commands
from core.cli import run as runs
from core.cli.shared import Invalid, console, errors, literal
from core.presets import preset
from core.protocol.engine_pool import EngineError, EnginePool
from core.report import column_dictionary
from core.results.journal import JournalError
from core.run.run import RunError
from core.spec import experiment
from core.spec.variant import REGISTRY, SLOTS

INTERRUPTED = 130  # the exit status that shells expect after Ctrl+C


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    with safe_stdout.steady() as out:
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
    except (
        Invalid,
        experiment.SpecError,
        RunError,
        JournalError,
        preset.PresetError,
        EngineError,
        FolderError,
    ) as error:
        return _fail(str(error), 2)
    except OSError as error:  # an unexpected error of a file: it has a name, and the system's reason
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

    runs.add_to(command)
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
    """Return a parameter's default and description, `32 (one of 32, 64; description)`."""
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
        console.print(roofline_display.machine(machine))
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
    """Return an environment field in words; n/a, never 0, if it is not readable."""
    if value in (None, "", [], {}):
        return "n/a"
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return formatting.size(value) if name.endswith("_bytes") else str(value)


def _metrics(arguments: argparse.Namespace) -> int:
    """Print the dictionary of the CSV files' columns and return the exit status."""
    listed = column_dictionary.columns()
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
