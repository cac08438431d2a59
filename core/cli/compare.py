"""`dyno compare`: puts the variants of several runs side by side, if they are comparable. A speed ratio is that of a
run to its own baseline: it comes from interleaved rounds, and two runs share none."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from rich.table import Table

from core.analysis import verdict_text
from core.analysis.comparability import labels, unlike
from core.analysis.compare import compare
from core.analysis.comparison_row import Row
from core.base import formatting
from core.base.files import write_whole
from core.cli import run_table
from core.cli.literal_text import literal
from core.cli.shared import AddCommand, Invalid, console, errors, written
from core.results.journal import open_results
from core.results.results import Results

NARROW = 100
#: Columns that are shown where some variant was judged: against the baseline of its own run as well.
_QUALITY: dict[str, Callable[[Row], str]] = {
    "KL divergence": lambda row: formatting.number(row.kld_mean),
    "same top %": lambda row: formatting.number(row.same_top_pct),
    "gate": lambda row: row.gate or "—",
}


def add_to(command: AddCommand) -> None:
    sub = command("compare", _compare, "Put the variants of several runs side by side, if they are alike.")
    sub.add_argument("folders", type=Path, metavar="DIR", nargs="+")
    sub.add_argument("--anyway", action="store_true", help="unlike runs too, each row marked with what differs")
    sub.add_argument("--json", type=Path, metavar="FILE", help="also write it there as JSON")


def _compare(arguments: argparse.Namespace) -> int:
    """Print the comparison; return exit 0, or 1 if the runs are not comparable, or 2 without two runs."""
    if len(arguments.folders) < 2:
        raise Invalid("compare: name two runs or more; `dyno show` prints one")
    runs = [open_results(folder) for folder in arguments.folders]
    marks = labels([str(f) for f in arguments.folders])
    differing = [unlike(runs[0], other) for other in runs[1:]]
    for mark, lines in zip(marks[1:], differing, strict=True):
        for line in lines:
            errors.print(literal(f"{marks[0]} → {mark}: {line}", "yellow"), soft_wrap=True)
    if any(differing) and not arguments.anyway:
        errors.print(
            literal("Not comparable: these figures do not mean the same. --anyway shows them, marked as such.", "red"),
            soft_wrap=True,
        )
        return 1
    for mark, folder, results in zip(marks, arguments.folders, runs, strict=True):
        console.print(literal(f"{mark}: {folder} ({_when(results)})"), soft_wrap=True)
    console.print(_table(marks, runs, [[], *differing], console.width))
    console.print(
        literal("Speed and quality are against the baseline of the same run; only rates stand side by side."),
        soft_wrap=True,
    )
    if arguments.json is not None and not written(
        arguments.json, lambda path: write_whole(path, _json(marks, arguments.folders, runs, [[], *differing]))
    ):
        return 1
    return 0


def _when(results: Results) -> str:
    comparison = compare(results)
    return comparison.created if comparison.status == "ok" else f"{comparison.created}, {comparison.status}"


def _table(marks: list[str], runs: list[Results], differing: list[list[str]], width: int) -> Table:
    """Return the table. In a narrow terminal it has the rate and the gate only, so that no word is broken."""
    grid = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    rows = [(m, row, bool(lines)) for m, r, lines in zip(marks, runs, differing, strict=True) for row in _rows(r)]
    names = list(dict.fromkeys(name for _, row, _ in rows for name in run_table.measures(row)))
    judged = [name for name in _QUALITY if any(_QUALITY[name](row) != "—" for _, row, _ in rows)]
    if width < NARROW:
        names, judged = names[:1], [name for name in judged if name == "gate"]
    grid.add_column("run", no_wrap=True)
    grid.add_column("variant", overflow="fold")
    grid.add_column("speed in its run", overflow="fold")
    for name in [*names, *judged]:
        grid.add_column("\n".join(name.rsplit(" ", 1)), justify="right", no_wrap=True)
    for mark, row, is_unlike in rows:
        figures = run_table.measures(row)
        speed = (
            f"{verdict_text.hedged(row)} {verdict_text.interval(row)}".strip()
            if not row.error
            else verdict_text.STATUS[row.status]
        )
        cells = [f"{mark} unlike" if is_unlike else mark, row.variant, speed, *(figures.get(n, "—") for n in names)]
        cells += [_QUALITY[name](row) for name in judged]
        grid.add_row(*(literal(c) for c in cells), style="yellow" if is_unlike else "")
    return grid


def _rows(results: Results) -> list[Row]:
    return compare(results).variants


def _json(marks: list[str], folders: list[Path], runs: list[Results], differing: list[list[str]]) -> str:
    data = [
        {
            "run": mark,
            "folder": str(folder),
            "comparable": not lines,
            "differs": lines,
            "variants": [row.model_dump(mode="json", exclude={"receipts"}) for row in _rows(results)],
        }
        for mark, folder, results, lines in zip(marks, folders, runs, differing, strict=True)
    ]
    return json.dumps({"runs": data}, indent=2, ensure_ascii=False) + "\n"
