"""The roofline in the terminal: each variant's place under it, the machine's limits, and the advice."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from core.analysis.advice_variants import TRIES
from core.analysis.comparison_row import Advice, Comparison
from core.base import formatting, visible_text
from core.machine.machine_roof import MachineRoof


def reasons(comparison: Comparison) -> list[Text]:
    """Return a paragraph per measured variant: its place under the roofline, and why it is as fast as it is."""
    lines = []
    for row in comparison.variants:
        figures = [] if row.mbu_pct is None else [f"MBU {formatting.number(row.mbu_pct, 2)} %"]
        if row.ceiling_tok_s is not None:
            figures.append(f"at most {formatting.number(row.ceiling_tok_s)} tok/s")
        said = " · ".join(filter(None, [", ".join(figures), row.why]))
        if said:
            lines.append(Text.assemble((visible_text.visible(row.variant), "bold"), ": ", visible_text.visible(said)))
    return lines


def machine(found: MachineRoof) -> RenderableType:
    """Return a machine's limits as tables: memory bandwidth by array size, multiplication rates by data type."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    grid.add_column(style="bold")
    grid.add_column(justify="right")
    grid.add_column()
    for reading in found.readings:
        cells = f"{reading.sum / 1e9:.1f} GB/s", f"sum; matrix × vector {reading.gemv / 1e9:.1f} GB/s"
        grid.add_row(f"read {formatting.size(reading.bytes)}", *cells)
    for kind, peak in found.peaks.items():
        grid.add_row(
            f"product {kind}", f"{formatting.number(peak / 1e9)} GFLOP/s", f"ridge {peak / found.bandwidth:.3g} FLOP/B"
        )
    if found.operation_s is not None:
        grid.add_row("small operation", f"{found.operation_s * 1e6:.2f} µs", "started from Python")
    grid.add_row("last-level cache", formatting.size(found.llc_bytes) if found.llc_bytes else "n/a")
    busy = "" if found.quiet else f"others used {found.foreign_cpu_pct:.0f} % of a core: too low, measure it again"
    grid.add_row("threads", str(found.threads))
    grid.add_row("device", Text(visible_text.visible(found.device)), "")
    grid.add_row("measured", f"in {found.seconds:.1f} s", busy)
    return grid


def advised(pieces: Sequence[Advice], most: int | None = None) -> list[Text]:
    """Return the advice, each with its measurement; advice about the binding bottleneck is marked."""
    lines = []
    for number, piece in enumerate(pieces[:most], 1):
        reach = "" if piece.ceiling_tok_s is None else f"; at most {formatting.number(piece.ceiling_tok_s)} tok/s"
        for slot, method in TRIES.get(piece.rule, {}).items():
            reach += f'; {slot} = "{method}"'  # as a file has it
        lines.append(
            Text.assemble(
                (f"{number}. ", "bold"),
                (visible_text.visible(piece.what), "bold" if piece.binds else ""),
                f" ({piece.bottleneck}: {visible_text.visible(piece.because)}{reach})",
            )
        )
    return lines
