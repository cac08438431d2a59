"""Words for what a variant costs in quality, the same in every front end. A sentence never claims more than was
measured."""

from __future__ import annotations

from core.analysis.comparison_row import Row
from core.base import formatting
from core.quality.distribution_metrics import MIN_CHUNKS

#: What the gate's colours mean for whoever cannot see them.
GATES = {"green": "within limits", "amber": "some loss", "red": "too much loss"}
JUDGED = {
    "green": "it stays within the limits",
    "amber": "it loses some quality",
    "red": "it loses too much quality",
}
STATUS = {
    "reference": "reference",
    "failed": "not judged",
    "out_of_memory": "out of memory",
    "refused": "cannot be judged",
    "cancelled": "cancelled",
}


def is_judged(row: Row) -> bool:
    """Return whether the row has quality figures against the baseline."""
    return row.quality_status == "ok" and row.kld_mean is not None


def gate(row: Row) -> str:
    """Return the gate in words, `some loss`; empty without a gate."""
    return GATES.get(row.gate, "")


def divergence(row: Row) -> str:
    """Return the mean KL divergence as text, `0.0410`; `—` for the baseline, whose divergence from itself is no
    measurement."""
    return "—" if row.quality_status == "reference" else formatting.number(row.kld_mean)


def spread(row: Row) -> str:
    """Return one standard error as text, `± 0.0018`, with the decimals of the mean."""
    if row.kld_se is None or row.kld_mean is None:
        return ""
    return f"± {formatting.beside(row.kld_se, formatting.number(row.kld_mean))}"


def same_top(row: Row) -> str:
    """Return the share of equal top tokens, `93.6 %`; 100 % only if every position agrees."""
    share = row.same_top_pct
    if share is None:
        return "—"
    text = f"{share:.1f}"
    return f"{share:.2f} %" if text == "100.0" and share < 100 else f"{text} %"


def ratio(row: Row) -> str:
    """Return the perplexity ratio as text, `1.0213`."""
    return "—" if row.ppl_ratio is None else f"{row.ppl_ratio:.4f}"


def ratio_interval(row: Row) -> str:
    """Return the 95 % interval of the perplexity ratio as text, `[1.0164, 1.0271]`."""
    if row.ppl_ratio_low is None or row.ppl_ratio_high is None:
        return ""
    return f"[{row.ppl_ratio_low:.4f}, {row.ppl_ratio_high:.4f}]"


def perplexity(row: Row) -> str:
    """Return the variant's own perplexity as text, `perplexity 22.41`."""
    if row.perplexity is None:
        return ""
    return f"perplexity {formatting.number(row.perplexity, 4)}"


def first_divergence(row: Row) -> tuple[str, str]:
    """Return where answers first leave the baseline's, and the share that never does: `token 38`, `75 % equal`."""
    if row.exact_match_pct is None:
        return "—", ""
    equal = f"{row.exact_match_pct:.0f} % equal"
    if row.first_divergence is None:
        return "none", equal
    return f"token {row.first_divergence + 1}", equal


def clause(row: Row) -> str:
    """Return the closing clause of a sentence about speed, which names the cost in quality."""
    if not is_judged(row):
        return ""
    text = f"KL divergence {divergence(row)}"
    return f"{text}, {gate(row)}" if row.gate else text


def answer(row: Row) -> str:
    """Return one sentence about a judged variant."""
    share = row.same_top_pct
    if share is None:
        return f"{row.variant} was not judged."
    if share >= 100:
        said = f"{row.variant} puts the same token first everywhere"
    elif share > 50:
        every = formatting.whole(max(2, round(100 / (100 - share))))
        said = f"{row.variant} puts another token first once in {every}"
    else:
        said = f"{row.variant} puts another token first {formatting.number(100 - share)} % of the time"
    parts = [said]
    if row.first_divergence is not None:
        parts.append(f"its text differs from token {row.first_divergence + 1} on")
    elif row.exact_match_pct is not None:
        parts.append("its answers are the baseline's")
    if row.gate:
        parts.append(JUDGED[row.gate])
    return "; ".join(parts) + "."


def method(rows: list[Row], window: int) -> str:
    """Return how the figures were measured: reference, amount of text, uncertainty."""
    judged = [r for r in rows if r.quality_tokens is not None]
    if not judged:
        return ""
    count = formatting.whole(judged[0].quality_tokens)
    parts = [
        f"Against {rows[0].variant}, on the same {count} tokens",
        f"window of {window}",
    ]
    if source := rows[0].source_type:
        parts.append(f"{rows[0].variant} is dequantized from {source}, so losses are relative to that")
    compared = [r for r in judged if r.kld_mean is not None]
    if any(r.kld_se is not None for r in compared):
        parts.append("± is one standard error, [ ] the paired 95 % interval")
    elif compared:
        parts.append(f"no interval: it takes {MIN_CHUNKS} windows of text")
    return " · ".join(parts)
