"""Quality in the terminal: a table below the speed table, and notes on how it was measured."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from core.analysis.comparison_row import Comparison, Row
from core.base import formatting, visible_text

NARROW = 90  # below: a block per variant
COLOURS = {"green": "green", "amber": "yellow", "red": "red"}
SENSITIVE = (
    "The demo model has 135 million parameters and is far more sensitive than a large model: its figures rank methods, "
    "they do not foretell what a method costs elsewhere."
)


def quality_table(comparison: Comparison, width: int) -> RenderableType | None:
    """Return one row per judged variant; None if no variant was judged."""
    rows = [row for row in comparison.variants if row.quality_tokens is not None]
    if not rows:
        return None
    if width < NARROW:
        return Group(*(line for row in rows for line in _block(row)))
    grid = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    grid.add_column("quality", overflow="fold")
    for name in _figures(rows[0]):
        grid.add_column(name, justify="left" if name == "gate" else "right", no_wrap=True)
    for row in rows:
        grid.add_row(Text(visible_text.visible(row.variant)), *(_styled(row, cell) for cell in _figures(row).values()))
    return grid


def quality_notes(comparison: Comparison) -> list[tuple[str, str]]:
    """Return sentences with their styles: how quality was measured, and what was not judged and why."""
    notes = []
    judged = [row for row in comparison.variants if row.quality_tokens is not None]
    if judged:
        count = formatting.whole(judged[0].quality_tokens)
        notes.append(
            (f"Quality: against {judged[0].variant}, on the same {count} tokens; ± is one standard error.", "dim")
        )
    if any(row.model == "demo" and row.kld_mean is not None for row in judged):
        notes.append((SENSITIVE, "dim"))
    for row in comparison.variants:
        if row.quality_error:
            notes.append((f"{row.variant}, quality: {row.quality_error}", "red"))
    return notes


def _figures(row: Row) -> dict[str, str]:
    if row.quality_status == "reference":
        return {
            "gate": "reference",
            "KLD, nats": "—",
            "KLD p99": "—",
            "same top": "—",
            "PPL ratio": "1",
            "perplexity": formatting.number(row.perplexity, 4),
        }
    spread = f" ± {formatting.number(row.kld_se, 2)}" if row.kld_se is not None else ""
    interval = ""
    if row.ppl_ratio_low is not None and row.ppl_ratio_high is not None:
        interval = f" [{row.ppl_ratio_low:.4f}, {row.ppl_ratio_high:.4f}]"
    return {
        "gate": row.gate or "—",
        "KLD, nats": formatting.number(row.kld_mean) + spread,
        "KLD p99": formatting.number(row.kld_p99),
        "same top": f"{row.same_top_pct:.1f} %" if row.same_top_pct is not None else "—",
        "PPL ratio": (f"{row.ppl_ratio:.4f}" if row.ppl_ratio is not None else "—") + interval,
        "perplexity": formatting.number(row.perplexity, 4),
    }


def _styled(row: Row, cell: str) -> Text:
    return Text(cell, COLOURS.get(cell, "") if cell == row.gate else "")


def _block(row: Row) -> list[Text]:
    head = Text(f"{visible_text.visible(row.variant)}, quality", "bold", overflow="fold")
    return [head, *(Text(f"  {name}: {cell}", overflow="fold") for name, cell in _figures(row).items())]
