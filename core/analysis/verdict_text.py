"""Words for numbers and verdicts, the same in the window, the terminal and exports. A sentence never claims more than
the interval allows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from core.analysis.comparison_row import Comparison, Row
from core.analysis.disturbance import counted, noisy
from core.analysis.measures import compared_rate
from core.base.formatting import between, capital, number, whole
from core.protocol.events import EXACTNESS

FASTER = "{ratio}× faster"
SLOWER = "{ratio}× slower"
WITHIN = "within ±{margin} %"
UNDECIDED = "≈ not distinguishable"
PROVISIONAL = "provisional {ratio}×"
WITHHELD = "no verdict: receipt mismatch"
UNPAIRED = "no verdict: unpaired"
REFERENCE = "reference"

INTERVALS = {
    "t": "t on log ratios",
    "welch": "Welch t on log rates",
    "bootstrap": "bootstrap over rounds",  # in evidence of older versions
}
STATUS = {
    "ok": "finished",
    "failed": "failed",
    "out_of_memory": "out of memory",
    "cancelled": "cancelled",
    "refused": "cannot run",
    "queued": "not measured",
    "running": "running",
}


def ratio(row: Row, margin: float = 0.03) -> str:
    """Return the verdict in words: `2.31× faster`; a slower variant reads `1.19× slower`, never `0.84× faster`."""
    if row.verdict == "baseline":
        return REFERENCE
    if row.speed_ratio is None:
        return "—"
    match row.verdict:
        case "faster":
            return FASTER.format(ratio=f"{row.speed_ratio:.2f}")
        case "slower":
            return SLOWER.format(ratio=f"{1 / row.speed_ratio:.2f}")
        case "within_margin":
            return WITHIN.format(margin=f"{100 * margin:g}")
        case "undecided":
            return UNDECIDED
        case "withheld":
            return WITHHELD
        case "unpaired":
            return UNPAIRED
    return PROVISIONAL.format(ratio=f"{row.speed_ratio:.2f}")


def hedged(row: Row, margin: float = 0.03) -> str:
    """Return the verdict in words, with `noisy` added if most rounds were disturbed: `1.39× faster, noisy`."""
    said = ratio(row, margin)
    return f"{said}, noisy" if noisy(row) and row.verdict in ("faster", "slower") else said


def interval(row: Row) -> str:
    """Return the interval as text, `[2.27, 2.36]`, inverted for a slower variant to match the words; empty
    without one."""
    if row.speed_ratio_low is None or row.speed_ratio_high is None:
        return ""
    low, high = row.speed_ratio_low, row.speed_ratio_high
    if row.verdict == "slower":
        low, high = 1 / high, 1 / low
    text = f"[{low:.2f}, {high:.2f}]"
    if row.verdict in ("undecided", "within_margin", "withheld") and row.speed_ratio is not None:
        return f"{row.speed_ratio:.2f}× {text}"
    return text


def same_answers(row: Row) -> str:
    """Return how many greedy answers equal the baseline's, in words; empty if they were not compared."""
    if row.exact_match_pct is None:
        return ""
    if row.first_divergence is None:
        return "every answer equals the baseline's, token for token"
    share, place = number(row.exact_match_pct), row.first_divergence + 1
    text = f"{share} % of the answers equal the baseline's; the first difference is at token {place}"
    if row.divergence_margin is None or row.divergence_margin_base is None:
        return text
    mine, base = number(row.divergence_margin, 2), number(row.divergence_margin_base, 2)
    return f"{text} (logit margin there {mine}, the baseline's {base})"


def suite(row: Row, lost: Sequence[str] = (), gained: Sequence[str] = ()) -> str:
    """Return how many checks of the regression suite pass and which ones flipped; empty if it was not run."""
    if row.suite_passed is None:
        return ""
    parts = [f"{row.suite_passed} of {row.suite_total} prompts of the suite pass"]
    if row.suite_lost is not None:
        parts.append(f"lost: {row.suite_lost}" + (f" ({', '.join(lost)})" if lost else ""))
        parts.append(f"gained: {row.suite_gained}" + (f" ({', '.join(gained)})" if gained else ""))
    return "; ".join(parts)


def undecided(row: Row) -> str:
    """Return the smallest difference that an undecided row's rounds could show, and how many rounds would likely settle
    it."""
    shown = number(row.smallest_detectable_pct, 2)
    text = f"not distinguishable; a change of {shown} % would have shown"
    if row.rounds_to_settle is None:
        return text + "; no number of rounds would likely settle it"
    return text + f"; about {row.rounds_to_settle} rounds would likely settle it"


def fastest(comparison: Comparison) -> Row | None:
    """Return the variant with the largest certain gain over the baseline; None if no gain is certain."""
    faster = [r for r in comparison.variants[1:] if r.verdict == "faster" and r.speed_ratio is not None]
    return max(faster, key=lambda r: r.speed_ratio or 0, default=None)


def answer(comparison: Comparison) -> str:
    """Return the outcome in one sentence."""
    base, others = comparison.baseline, comparison.variants[1:]
    if base.status not in ("ok", "running") and not base.trials:
        return "The baseline has no result, so nothing can be compared with it."
    rate, unit = compared_rate(base)
    if rate is None and base.trials and unit == "decode tok/s":  # the first token is the prefill's
        return "With one new token there is no decode rate: compare TTFT and prefill tok/s."
    if not others:
        return f"One variant was measured: {base.variant} ({unit}: {number(rate)})."
    decided = [r for r in others if r.verdict in ("faster", "slower") and r.speed_ratio is not None]
    best = fastest(comparison)
    if best is not None and noisy(best):
        return (
            f"{best.variant} is {best.speed_ratio:.2f}× faster than {base.variant} ({between(interval(best))}), "
            f"but {counted(best)} were disturbed."
        )
    if best is not None:
        return f"{best.variant} is {best.speed_ratio:.2f}× faster than {base.variant}."
    finished = comparison.rounds
    if not any(r.verdict for r in others):  # rounds with a trial that does not count are left out
        finished = min(finished, max(r.rounds_paired for r in others) or finished)
    if finished < 4:
        return f"No verdict yet: it takes 4 rounds; finished so far: {finished}."
    if decided:
        worst = min(decided, key=lambda r: r.speed_ratio or 0)
        slower = 1 / (worst.speed_ratio or 1)
        if noisy(worst):
            return (
                f"No variant is faster; {worst.variant} is {slower:.2f}× slower than {base.variant} "
                f"({between(interval(worst))}), but {counted(worst)} were disturbed."
            )
        return f"No variant is faster; {worst.variant} is {slower:.2f}× slower than {base.variant}."
    margin = f"{100 * comparison.margin:g}"
    if any(r.verdict == "unpaired" for r in others):
        drifts = [abs(r.baseline_drift_pct) for r in others if r.baseline_drift_pct is not None]
        if not drifts:
            return "No verdict: the variants ran one after the other, and the baseline was not repeated."
        return (
            "No verdict: the variants ran one after the other, and the baseline's two passes, "
            f"{number(max(drifts), 2)} % apart, do not agree within ±{margin} %."
        )
    if any(r.verdict == "withheld" for r in others):
        return withheld(comparison)
    if all(r.verdict == "within_margin" for r in others):
        return f"Every variant is within ±{margin} % of {base.variant}."
    return "No difference can be told from the noise of these rounds."


def withheld(comparison: Comparison) -> str:
    """Return why a verdict is withheld; empty if all receipts match."""
    if {r.slot for row in comparison.variants for r in row.receipts if not r.matches} == {EXACTNESS}:
        return "No verdict: what is called exact is not; see Receipts."
    return "No verdict: a strategy did not take effect as requested; see Receipts."


def workload(row: Row) -> str:
    """Return the workload in words, `chat: 128 → 64 tokens, greedy, 4 requests at once`; empty for a row of an older
    version."""
    if row.input_tokens is None or row.output_tokens is None:
        return ""
    parts = [f"{row.prompt_set}: {whole(row.input_tokens)} → {whole(row.output_tokens)} tokens"]
    parts.append("greedy" if not row.temperature else f"temperature {number(row.temperature, 2)}")
    if row.arrival == "poisson":
        parts.append(f"{number(row.arrival_rate)} requests per second")
    elif row.concurrency > 1:
        parts.append(f"{row.concurrency} requests at once")
    return ", ".join(parts)


def machine(row: Row) -> str:
    """Return the machine's name, `AMD EPYC, 2 cores`, or the GPU's."""
    return row.gpu or ", ".join(filter(None, [row.cpu, f"{row.cpu_cores} cores" if row.cpu_cores else ""]))


def measured(comparison: Comparison) -> list[str]:
    """Return what was measured, in parts: model, baseline and its data type, machine, workload, day. Parts that an
    older version did not record are left out."""
    base = comparison.baseline
    name = base.model_name or PurePath(base.model).name or base.model
    kind = f"{base.dtype}, dequantized from {base.source_type}" if base.source_type else base.dtype
    parts = [name, f"{base.variant} ({kind})" if kind else "", machine(base), workload(base), comparison.created[:10]]
    return [part for part in parts if part]


def rounds(comparison: Comparison) -> str:
    """Return the number of rounds in words."""
    return "1 round" if comparison.rounds == 1 else f"{comparison.rounds} rounds"


def method(comparison: Comparison) -> str:
    """Return how the answer was formed: rounds, interval, and the smallest visible difference."""
    others = [r for r in comparison.variants[1:] if r.speed_ratio_low is not None]
    finished = sum(r.status == "ok" for r in comparison.variants)
    parts = [
        f"{capital(compared_rate(comparison.baseline)[1])}, {finished} of {len(comparison.variants)} variants finished",
        rounds(comparison)
        if comparison.sessions == 1
        else f"{comparison.rounds} rounds in {comparison.sessions} sessions",
    ]
    if others:
        how = ", ".join(INTERVALS.get(kind, kind) for kind in sorted({r.interval_method for r in others}))
        parts.append(
            f"95 % CI per comparison, one variant after the other ({how})"
            if any(r.engines == "sequence" for r in others)
            else f"95 % CI per comparison, paired by round ({how})"
        )
        worst = max(r.smallest_detectable_pct or 0 for r in others)
        parts.append(f"smallest detectable change {number(worst, 2)} %")
    if comparison.looks:
        parts.append(f"rounds added after a verdict was seen ({comparison.looks}×), so intervals are wider")
    return " · ".join(parts)
