"""`make bench`: every benchmark, printed as a table and written to build/bench.json."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from core.base.formatting import number
from tests.bench import Figure, batching, decode, strategies, window, window_tables, zoom

OUT = Path("build") / "bench.json"
PARTS = {
    "decode": decode.figures,
    "window": window.figures,
    "zoom": zoom.figures,
    "tables": window_tables.figures,
    "strategies": strategies.figures,
    "batching": batching.figures,
}


def main(chosen: list[str]) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    found: list[Figure] = []
    for name, figures in PARTS.items():
        if not chosen or name in chosen:
            print(f"{name} …", file=sys.stderr, flush=True)
            found += figures()
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps([f.model_dump() for f in found], indent=2, ensure_ascii=False) + "\n", "utf-8")
    table = Table("benchmark", "figure", "range", "against", box=None)
    for f in found:
        table.add_row(f.name, f"{number(f.ratio)} {f.unit}", f"{number(f.low)} – {number(f.high)}", f.against)
    Console(width=130).print(table)
    print(OUT)


if __name__ == "__main__":
    main(sys.argv[1:])
