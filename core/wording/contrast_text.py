"""Words for a contrast, by any measure; contrasts of speed use `core.analysis.verdict_text`. A sentence never claims
more than the interval allows, and says if a measure has no rounds."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis import verdict_text
from core.analysis.comparison_row import Comparison, Row
from core.analysis.contrast import Contrast
from core.analysis.measures import Key, Measure
from core.base import formatting
from core.base.formatting import number, size
from core.results.metrics import NEEDED
from core.wording import quality_text
from core.wording.column_meanings import MEANING

#: Measures, as they stand in a sentence; the field's own abbreviations keep their capitals.
TITLES: dict[Key, str] = {
    "speed": "speed",
    "ttft": "TTFT",
    "itl_p50": "ITL p50",
    "itl_p99": "ITL p99",
    "e2e": "end-to-end time",
    "prefill": "prefill rate",
    "peak_memory": "peak memory",
    "weights": "size of the weights",
    "energy": "energy per token",
    "kld": "KL divergence",
}


def title(key: Key) -> str:
    return TITLES[key]


def figure(by: Measure, row: Row, value: float | None) -> str:
    """Return a value with its unit: `12.3 ms`, `0.560 GiB`."""
    if value is None:
        return "—"
    match by.key:
        case "speed":
            unit = "1/s" if row.arrival == "poisson" else "tok/s"
            return f"{number(value)} {unit}"
        case "prefill":
            return f"{number(value)} tok/s"
        case "peak_memory" | "weights":
            return size(round(value))
        case "energy":
            return f"{number(value)} J per token"
        case "kld":
            return f"{number(value)} nats per token"
    return f"{number(value)} ms"


def unit(by: Measure, row: Row | None) -> str:
    """Return the unit of the figures that `plain` writes; GiB for bytes."""
    if by.key == "speed":
        return "1/s" if row is not None and row.arrival == "poisson" else "tok/s"
    name = MEANING[by.column].unit
    return {"B": "GiB", "nats/token": "nats per token", "J/token": "J per token"}.get(name, name)


def in_unit(by: Measure, value: float) -> float:
    return value / 2**30 if MEANING[by.column].unit == "B" else value


def plain(by: Measure, value: float | None) -> str:
    """Return a value without its unit."""
    return number(in_unit(by, value) if value is not None else None)


def ratio(found: Contrast, margin: float, speed: bool = False) -> str:
    """Return the contrast in words: `0.84× (−16 %)`, `≈ not distinguishable`, or of speed `2.31× faster`. A contrast
    without an interval is written as a plain ratio."""
    if found.verdict == "baseline":
        return verdict_text.REFERENCE
    if found.ratio is None:
        return "—"
    above, below = f"{found.ratio:.2f}", f"{1 / found.ratio:.2f}"
    match found.verdict:
        case "faster":
            return verdict_text.FASTER.format(ratio=above)
        case "slower":
            return verdict_text.SLOWER.format(ratio=below)
        case "higher" | "lower":
            return times(found.ratio)
        case "within_margin":
            return verdict_text.WITHIN.format(margin=f"{100 * margin:g}")
        case "undecided":
            return verdict_text.UNDECIDED
        case "withheld":
            return verdict_text.WITHHELD
        case "unpaired":
            return verdict_text.UNPAIRED
    if found.low is not None or speed:
        return verdict_text.PROVISIONAL.format(ratio=above)
    return times(found.ratio)


def times(value: float) -> str:
    """Return a ratio as text, `0.84× (−16 %)` or `1.00×`; from 3 on the factor only, `35.6×`."""
    factor = f"{value:.2f}" if 0.1 <= value < 10 else number(value)
    pct = f"{100 * (value - 1):+.0f}".replace("-", "−")
    return f"{factor}×" if factor == "1.00" or value >= 3 else f"{factor}× ({pct} %)"


def arrow(found: Contrast) -> str:
    """Return ▲ or ▼ for a decided contrast; the words contain the ≈ of others."""
    return {"faster": "▲ ", "higher": "▲ ", "slower": "▼ ", "lower": "▼ "}.get(found.verdict, "")


def interval(found: Contrast) -> str:
    """Return the interval as text, `[2.27, 2.36]`, inverted if the words are; empty without one."""
    if found.low is None or found.high is None or found.ratio is None:
        return ""
    low, high = found.low, found.high
    if found.verdict == "slower":
        low, high = 1 / high, 1 / low
    text = f"[{low:.2f}, {high:.2f}]"
    return f"{found.ratio:.2f}× {text}" if found.verdict in ("undecided", "within_margin", "withheld") else text


def no_interval(by: Measure, found: Contrast) -> str:
    """Return why there is no interval; empty if there is one, or no figure to form one of."""
    if found.low is not None or found.value is None or found.verdict == "baseline":
        return ""
    if by.amount:
        return "no interval: the text is too short"
    if by.of_trial is None:
        return "one figure, no rounds: no interval"
    if by.key == "itl_p99":
        return "all rounds together: no interval"
    return "no interval from one round"


def amount(by: Measure, row: Row, found: Contrast) -> tuple[str, str]:
    """Return a divergence as text, and its interval or the reason for having none."""
    if found.verdict == "baseline":
        return verdict_text.REFERENCE, ""
    if found.value is None:
        return "—", "judged against the baseline only" if by.value(row) is not None else ""
    if found.low is None or found.high is None:
        return number(found.value), no_interval(by, found)
    shown = number(found.value)
    bounds = f"[{formatting.beside(found.low, shown)}, {formatting.beside(found.high, shown)}]"
    return shown, f"{bounds} · {quality_text.gate(row)}" if row.gate else bounds


def answer(comparison: Comparison, by: Measure, found: Sequence[Contrast]) -> str:
    """Return the outcome by that measure in one sentence."""
    base = found[0].reference
    if by.key == "speed" and base == comparison.baseline.variant:
        return verdict_text.answer(comparison)
    rows = {row.variant: row for row in comparison.variants}
    others = [c for c in found if c.variant != base]
    known = [c for c in others if c.value is not None]
    if not known or (rows[base].status not in ("ok", "running") and not rows[base].trials):
        return formatting.capital(f"{title(by.key)}: there is nothing to compare yet.")
    if by.amount:
        least = min(known, key=lambda c: c.value or 0.0)
        text = "{name} diverges least from {base}: {value}."
        return text.format(name=least.variant, base=base, value=figure(by, rows[least.variant], least.value))
    if by.of_trial is None or all(c.low is None for c in known):
        every = [c for c in found if c.value is not None]
        pick = max if by.better == "higher" else min
        best = pick(every, key=lambda c: c.value or 0.0)
        text = "{name} has the lowest {measure}: {value}; {base} has {other}."
        if best.variant == base:
            text = "No variant has a lower {measure} than {base}: {other}."
        elif by.better == "higher":
            text = "{name} has the highest {measure}: {value}; {base} has {other}."
        return text.format(
            name=best.variant,
            measure=title(by.key),
            value=figure(by, rows[best.variant], best.value),
            base=base,
            other=figure(by, rows[base], by.value(rows[base])),
        )
    return _decided(comparison, by, base, others)


def _decided(comparison: Comparison, by: Measure, base: str, others: list[Contrast]) -> str:
    speed, margin = by.key == "speed", comparison.margin
    better = ("faster", "higher") if by.better == "higher" else ("slower", "lower")
    decided = sorted((c for c in others if c.decided and c.ratio is not None), key=lambda c: c.ratio or 0.0)
    good = [c for c in decided if c.verdict in better]
    if good:
        best = good[-1] if by.better == "higher" else good[0]
        said = ratio(best, margin)
        if speed and best.noisy:
            bounds = formatting.between(interval(best))
            return f"{best.variant} is {said} than {base} ({bounds}), but most rounds were disturbed."
        if speed:
            return f"{best.variant} is {said} than {base}."
        text = "{measure} with {name}: {words} against {base}."
        if best.noisy:
            text = "{measure} with {name}: {words} against {base}, but most rounds were disturbed."
        return formatting.capital(text.format(measure=title(by.key), words=said, name=best.variant, base=base))
    if comparison.rounds < 4:
        return f"No verdict yet: it takes 4 rounds; finished so far: {comparison.rounds}."
    if decided:
        worst = decided[0] if by.better == "higher" else decided[-1]
        said = ratio(worst, margin)
        text = "No variant has a better {measure} than {base}; with {name}: {words}."
        if speed:
            text = "No variant is faster; {name} is {words} than {base}."
        return text.format(measure=title(by.key), words=said, name=worst.variant, base=base)
    if any(c.verdict == "unpaired" for c in others):
        return "No verdict: the variants ran one after the other, and no common round pairs them."
    if any(c.verdict == "withheld" for c in others):
        return verdict_text.withheld(comparison)
    if all(c.verdict == "within_margin" for c in others):
        text = "{measure} of every variant is within ±{margin} % of {base}."
        return formatting.capital(text.format(measure=title(by.key), margin=f"{100 * margin:g}", base=base))
    text = "No difference in {measure} can be told from the noise of these rounds."
    return text.format(measure=title(by.key))


def method(comparison: Comparison, by: Measure, found: Sequence[Contrast]) -> str:
    """Return how the answer was formed: figures, rounds, interval, the smallest visible difference."""
    base = found[0].reference
    if by.key == "speed" and base == comparison.baseline.variant:
        return verdict_text.method(comparison)
    better = "higher is better" if by.better == "higher" else "lower is better"
    parts = [f"{formatting.capital(title(by.key))}, {better}"]
    with_interval = [c for c in found if c.low is not None]
    if by.amount:
        parts.append(f"against {base}; 95 % interval from the standard error")
        return " · ".join(parts)
    parts.append(verdict_text.rounds(comparison))
    if with_interval:
        how = ", ".join(sorted({verdict_text.INTERVALS.get(c.method, c.method) for c in with_interval}))
        parts.append(f"95 % CI per comparison with {base} ({how})")
        worst = max(c.smallest_detectable_pct or 0.0 for c in with_interval)
        parts.append(f"smallest detectable change {number(worst, 2)} %")
    elif by.key == "itl_p99":
        parts.append(f"a p99 needs {NEEDED[99]} tokens, more than one round has: no interval")
    elif by.of_trial is None:
        parts.append("one figure for all rounds: a ratio, no interval and no verdict")
    return " · ".join(parts)


def pair(comparison: Comparison, by: Measure, found: Contrast, row: Row, base: Row) -> tuple[str, str]:
    """Return a sentence about two variants of one run, and a sentence about how it was formed."""
    values = f"{row.variant} {figure(by, row, found.value)}, {base.variant} {figure(by, base, found.base)}"
    if by.amount:
        return f"{formatting.capital(title(by.key))} is measured against the baseline only.", ""
    if found.ratio is None:
        return f"{formatting.capital(title(by.key))}: there is nothing to compare yet.", values
    said, bounds = ratio(found, comparison.margin, by.key == "speed"), interval(found)
    if by.key == "speed" and found.decided:
        text = f"{row.variant} is {said} than {base.variant} {bounds}"
    elif found.decided:
        text = formatting.capital(f"{title(by.key)} with {row.variant}: {said} against {base.variant} {bounds}")
    else:
        text = f"{row.variant} against {base.variant}, {title(by.key)}: {said} {bounds}"
    how = [values]
    if found.noisy:
        how.append("most rounds were disturbed")
    if found.rounds:
        how.append(f"{found.rounds} paired rounds")
    how.append(no_interval(by, found) or verdict_text.INTERVALS.get(found.method, found.method))
    return text.strip(), " · ".join(p for p in how if p)
