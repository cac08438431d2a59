"""`dyno metrics`: prints the definition of every column of the CSV files."""

from __future__ import annotations

import argparse
import json

from rich.text import Text

from core.cli.literal_text import literal
from core.cli.shared import AddCommand, console
from core.report import column_dictionary


def add_to(command: AddCommand) -> None:
    command("metrics", _metrics, "Print what every column of the CSV files means.").add_argument(
        "--json", action="store_true"
    )


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
