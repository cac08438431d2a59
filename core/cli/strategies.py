"""`dyno strategies`: lists every slot and strategy, and why one is unavailable here."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rich.text import Text

from core.cli import shared
from core.cli.literal_text import literal
from core.cli.shared import AddCommand, console
from core.spec.variant import REGISTRY, SLOTS


def add_to(command: AddCommand) -> None:
    sub = command("strategies", _strategies, "List every slot and strategy, and why one is unavailable here.")
    sub.add_argument("--json", action="store_true")
    sub.add_argument("--long", action="store_true", help="also when each pays, when it does not, its source")


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
