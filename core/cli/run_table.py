"""The comparison as a table in the terminal, and a row by itself."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from core.analysis import verdict_text
from core.analysis.comparison_row import Comparison, Row
from core.analysis.measures import compared_rate
from core.base import formatting, visible_text
from core.cli.literal_text import literal

#: Below it the columns of the table leave no room for the names: one block per variant.
NARROW = 80


def table(comparison: Comparison, width: int = 120) -> RenderableType:
    """Return the comparison with one row per variant. In a narrow terminal the explaining columns are dropped first,
    then the table becomes blocks."""
    figures = list(measures(comparison.baseline))
    if width < NARROW + 12 * max(0, len(figures) - 5):
        return _blocks(comparison)
    grid = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    wide = width >= 110
    grid.add_column("variant", overflow="fold")
    grid.add_column("speed", overflow="fold", width=None if wide else 15)  # no word of a verdict is broken
    grid.add_column("95 % interval", overflow="fold")
    for name in figures:
        grid.add_column("\n".join(name.rsplit(" ", 1)), justify="right", no_wrap=True)
    if wide:
        grid.add_column("receipts")
        grid.add_column("recipe", overflow="fold")
    for row in comparison.variants:
        cells = [row.variant, _verdict(row, comparison), verdict_text.interval(row), *measures(row).values()]
        if wide:
            cells += ["—" if row.receipt_ok is None else "match" if row.receipt_ok else "MISMATCH", row.recipe]
        grid.add_row(*(literal(c) for c in cells))
    return grid


def _verdict(row: Row, comparison: Comparison) -> str:
    return (
        verdict_text.hedged(row, comparison.margin)
        if not row.error
        else verdict_text.STATUS.get(row.status, row.status)
    )


def measures(row: Row) -> dict[str, str]:
    """Return the figures of a row by name; the names are the same for all rows of a comparison."""
    rate, name = compared_rate(row)
    figures = {name: formatting.number(rate)}
    if row.concurrency > 1:
        figures |= {"aggregate tok/s": formatting.number(row.aggregate_tok_s)}
        figures["per request tok/s"] = formatting.number(row.per_user_tok_s)
    return {
        **figures,
        "TTFT ms": formatting.number(row.ttft_ms_p50),
        "ITL ms": formatting.number(row.itl_ms_p50),
        "weights": formatting.size(row.weights_bytes),
        "peak RAM": formatting.size(row.peak_process_bytes),
    }


def evidence(row: Row) -> dict[str, str]:
    """Return the verdict, figures, quality and receipts of one row; absent ones are left out."""
    figures = {name: value for name, value in measures(row).items() if value != "—"}
    quality = []
    if row.kld_mean is not None:
        spread = f" ± {formatting.number(row.kld_se, 2)}" if row.kld_se is not None else ""
        quality.append(f"KL divergence {formatting.number(row.kld_mean)}{spread} nats per token")
    if row.same_top_pct is not None:
        quality.append(f"same top token {row.same_top_pct:.1f} %")
    if row.ppl_ratio is not None:
        low, high = row.ppl_ratio_low, row.ppl_ratio_high
        spread = f" [{low:.4f}, {high:.4f}]" if low is not None and high is not None else ""
        quality.append(f"perplexity ratio {row.ppl_ratio:.4f}{spread}")
    receipts = {None: "", True: "as requested", False: "MISMATCH"}[row.receipt_ok]
    return {
        "speed": f"{verdict_text.hedged(row)} {verdict_text.interval(row)}".strip()
        if not row.error
        else verdict_text.STATUS[row.status],
        **figures,
        "quality": ", ".join(quality),
        "gate": row.gate,
        "answers": verdict_text.same_answers(row),
        "suite": verdict_text.suite(row),
        "interface": row.interface or ("as the baseline's" if row.interface_ok else ""),
        "why": row.why,
        "receipts": receipts,
    }


def _blocks(comparison: Comparison) -> Group:
    """Return one block per variant: its name, and a line per figure."""
    lines = []
    for row in comparison.variants:
        figures = {"speed": f"{_verdict(row, comparison)} {verdict_text.interval(row)}".strip()}
        figures |= measures(row)
        lines.append(Text(visible_text.visible(row.variant), "bold", overflow="fold"))
        lines += [
            Text(f"  {name}: {visible_text.visible(figure)}", overflow="fold") for name, figure in figures.items()
        ]
    return Group(*lines)
