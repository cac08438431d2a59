"""`dyno advice`: prints the advice that a run's measurements support."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.analysis.compare import compare
from core.cli.roofline_display import advised
from core.cli.shared import AddCommand, console
from core.results.journal import open_results


def add_to(command: AddCommand) -> None:
    sub = command("advice", _advice, "Say what to try next, and the measurement that each piece of advice rests on.")
    sub.add_argument("folder", type=Path, metavar="DIR")
    sub.add_argument("--json", action="store_true")


def _advice(arguments: argparse.Namespace) -> int:
    pieces = compare(open_results(arguments.folder)).advice
    if arguments.json:
        print(json.dumps([piece.model_dump(mode="json") for piece in pieces], indent=2, ensure_ascii=False))
        return 0
    for line in advised(pieces):
        console.print(line)
    if not pieces:
        console.print("The measurements of this run support no advice.")
    return 0
