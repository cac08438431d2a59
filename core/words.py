"""Numbers and verdicts in words, the same in the window, the terminal and exports. Never claims more than the
interval allows. Knows no Qt: a front end may set `translate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.comparison import Comparison, Row

translate: Callable[[str], str] = str  # a front end replaces it

FASTER = "{ratio}× faster"
SLOWER = "{ratio}× slower"
WITHIN = "within ±{margin} %"
UNDECIDED = "≈ not distinguishable"
PROVISIONAL = "provisional {ratio}×"
WITHHELD = "no verdict: receipt mismatch"
UNPAIRED = "no verdict: unpaired"
REFERENCE = "reference"
DECODE = "decode tok/s"
AGGREGATE = "aggregate tok/s"
WAITING = "1 ÷ end-to-end time, 1/s"

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


def number(value: float | None, digits: int = 3) -> str:
    """Significant figures with trailing zeros, thousands apart, — for no value."""
    if value is None:
        return "—"
    if value == 0:
        return "0"
    from math import floor, log10

    decimals = max(0, digits - 1 - floor(log10(abs(value))))
    return f"{value:,.{decimals}f}".replace(",", "\u2009").replace("-", "−")


def size(count: int | None) -> str:
    """Bytes as GiB or MiB (2^30, 2^20)."""
    if count is None:
        return "—"
    if count >= 2**30:
        return f"{number(count / 2**30)} GiB"
    return f"{number(count / 2**20)} MiB" if count >= 2**20 else f"{number(count / 2**10)} KiB"


def seconds(value: float | None) -> str:
    """A duration as a person says it: 3 min 40 s."""
    if value is None:
        return "—"
    whole = round(value)
    if whole < 60:
        return f"{number(value) if value < 10 else whole} s"
    return f"{whole // 60} min {whole % 60} s"


def sentence(message: str, hint: str = "") -> str:
    """What is wrong and the way out, one after the other, each ended by a mark."""
    return " ".join(f"{s}." if s[-1] not in ".!?" else s for s in (message.strip(), hint.strip()) if s)


def compared_rate(row: Row) -> tuple[float | None, str]:
    """The rate that variants are compared by, and its name: of the request, of all where several run at once, or of
    one user's wait where requests arrive at random."""
    if row.arrival == "poisson":
        return 1000 / row.e2e_ms_p50 if row.e2e_ms_p50 else None, translate(WAITING)
    if row.concurrency == 1:
        return row.decode_tok_s, translate(DECODE)
    return row.aggregate_tok_s, translate(AGGREGATE)


def ratio(row: Row, margin: float = 0.03) -> str:
    """The verdict in words: `2.31× faster`; slower as `1.19× slower`, never `0.84× faster`."""
    if row.verdict == "baseline":
        return translate(REFERENCE)
    if row.speed_ratio is None:
        return "—"
    faster, slower = f"{row.speed_ratio:.2f}", f"{1 / row.speed_ratio:.2f}"
    match row.verdict:
        case "faster":
            return translate(FASTER).format(ratio=faster)
        case "slower":
            return translate(SLOWER).format(ratio=slower)
        case "within_margin":
            return translate(WITHIN).format(margin=f"{100 * margin:g}")
        case "undecided":
            return translate(UNDECIDED)
        case "withheld":
            return translate(WITHHELD)
        case "unpaired":
            return translate(UNPAIRED)
    return translate(PROVISIONAL).format(ratio=faster)


def interval(row: Row) -> str:
    """`[2.27, 2.36]`, turned round for a slower variant so that it matches the words; empty without one."""
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
    """How far the greedy answers are the baseline's; empty where they were not compared."""
    if row.exact_match_pct is None:
        return ""
    if row.first_divergence is None:
        return translate("every answer equals the baseline's, token for token")
    text = translate("{share} % of the answers equal the baseline's; the first difference is at token {n}").format(
        share=number(row.exact_match_pct), n=row.first_divergence + 1
    )
    if row.divergence_margin is None or row.divergence_margin_base is None:
        return text
    margins = translate("logit margin there {mine}, the baseline's {base}").format(
        mine=number(row.divergence_margin, 2), base=number(row.divergence_margin_base, 2)
    )
    return f"{text} ({margins})"


def suite(row: Row, lost: Sequence[str] = (), gained: Sequence[str] = ()) -> str:
    """What of the regression suite passes, and which prompts flipped; empty where it was not run."""
    if row.suite_passed is None:
        return ""
    text = translate("{passed} of {total} prompts of the suite pass").format(
        passed=row.suite_passed, total=row.suite_total
    )
    if row.suite_lost is None:
        return text
    for count, word, names in (
        (row.suite_lost, translate("lost"), lost),
        (row.suite_gained, translate("gained"), gained),
    ):
        text += f", {count} {word}" + (f" ({', '.join(names)})" if names else "")
    return text


def undecided(row: Row) -> str:
    """What the rounds of a row without a verdict could have shown, and how many would likely settle it."""
    text = translate("not distinguishable; a change of {x} % would have shown").format(
        x=number(row.smallest_detectable_pct, 2)
    )
    if row.rounds_to_settle is None:
        return text + translate("; no number of rounds would likely settle it")
    return text + translate("; about {n} rounds would likely settle it").format(n=row.rounds_to_settle)


def capital(text: str) -> str:
    """The sentence with its first letter large."""
    return text[:1].upper() + text[1:]


def fastest(comparison: Comparison) -> Row | None:
    """The variant that is faster than the baseline by most; None where none is for certain."""
    faster = [r for r in comparison.variants[1:] if r.verdict == "faster" and r.speed_ratio is not None]
    return max(faster, key=lambda r: r.speed_ratio or 0, default=None)


def answer(comparison: Comparison) -> str:
    """One sentence that states what came out."""
    base, others = comparison.baseline, comparison.variants[1:]
    if base.status not in ("ok", "running") and not base.trials:
        return translate("The baseline has no result, so nothing can be compared with it.")
    if not others:
        rate, unit = compared_rate(base)
        return translate("One variant was measured: {name} ({unit}: {rate}).").format(
            name=base.variant, rate=number(rate), unit=unit
        )
    decided = [r for r in others if r.verdict in ("faster", "slower") and r.speed_ratio is not None]
    best = fastest(comparison)
    if best is not None:
        return translate("{name} is {words} than {base}.").format(
            name=best.variant, words=ratio(best), base=base.variant
        )
    if comparison.rounds < 4:
        return translate("No verdict yet: it takes 4 rounds, {n} are finished.").format(n=comparison.rounds)
    if decided:
        worst = min(decided, key=lambda r: r.speed_ratio or 0)
        return translate("No variant is faster; {name} is {words} than {base}.").format(
            name=worst.variant, words=ratio(worst), base=base.variant
        )
    if any(r.verdict == "unpaired" for r in others):
        drifts = [abs(r.baseline_drift_pct) for r in others if r.baseline_drift_pct is not None]
        if not drifts:
            return translate("No verdict: the variants ran one after the other, and the baseline was not repeated.")
        return translate(
            "No verdict: the variants ran one after the other, and the baseline's two passes, {x} % apart, do not "
            "agree within ±{margin} %."
        ).format(x=number(max(drifts), 2), margin=f"{100 * comparison.margin:g}")
    if any(r.verdict == "withheld" for r in others):
        return translate("No verdict: a strategy did not take effect as requested; see Receipts.")
    if all(r.verdict == "within_margin" for r in others):
        return translate("Every variant is within ±{margin} % of {base}.").format(
            margin=f"{100 * comparison.margin:g}", base=base.variant
        )
    return translate("No difference can be told from the noise of these rounds.")


def method(comparison: Comparison) -> str:
    """How the answer was formed: rounds, interval, what could have been seen."""
    others = [r for r in comparison.variants[1:] if r.speed_ratio_low is not None]
    finished = sum(r.status == "ok" for r in comparison.variants)
    parts = [
        translate("{rate}, {done} of {all} variants finished").format(
            rate=compared_rate(comparison.baseline)[1], done=finished, all=len(comparison.variants)
        ),
        translate("{n} rounds").format(n=comparison.rounds),
    ]
    if others:
        kinds = sorted({r.interval_method for r in others})
        how = ", ".join(translate(INTERVALS.get(k, k)) for k in kinds)
        said = (
            translate("95 % interval per comparison, one variant after the other ({how})")
            if any(r.engines == "sequence" for r in others)
            else translate("95 % interval per comparison, paired by round ({how})")
        )
        parts.append(said.format(how=how))
        worst = max(r.smallest_detectable_pct or 0 for r in others)
        parts.append(translate("smallest detectable change {x} %").format(x=number(worst, 2)))
    return " · ".join(parts)
