"""A contrast in words, by any measure; of speed, those of `core.words`. Never claims more than the interval allows, and
says of a measure without rounds that it has none.
"""

from __future__ import annotations

from collections.abc import Sequence

from core import quality_words, words
from core.comparison import Comparison, Row
from core.contrast import Contrast
from core.measures import Key, Measure
from core.metrics import MEANING, NEEDED
from core.words import number, size, translate


def title(key: Key) -> str:
    """Of a measure, as it stands in a sentence; the field's own abbreviations keep their capitals."""
    return {
        "speed": translate("speed"),
        "ttft": translate("TTFT"),
        "itl_p50": translate("ITL p50"),
        "itl_p99": translate("ITL p99"),
        "e2e": translate("end-to-end time"),
        "prefill": translate("prefill rate"),
        "peak_memory": translate("peak memory"),
        "weights": translate("size of the weights"),
        "energy": translate("energy per token"),
        "kld": translate("KL divergence"),
    }[key]


def figure(by: Measure, row: Row, value: float | None) -> str:
    """A value with its unit: `12.3 ms`, `0.560 GiB`."""
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
            return translate("{x} J per token").format(x=number(value))
        case "kld":
            return translate("{x} nats per token").format(x=number(value))
    return f"{number(value)} ms"


def unit(by: Measure, row: Row | None) -> str:
    """Of its figures as `plain` writes them: GiB for bytes."""
    if by.key == "speed":
        return translate("1/s") if row is not None and row.arrival == "poisson" else translate("tok/s")
    name = MEANING[by.column].unit
    return {"B": "GiB", "nats/token": translate("nats per token"), "J/token": translate("J per token")}.get(name, name)


def in_unit(by: Measure, value: float) -> float:
    return value / 2**30 if MEANING[by.column].unit == "B" else value


def plain(by: Measure, value: float | None) -> str:
    """A value without its unit."""
    return number(in_unit(by, value) if value is not None else None)


def ratio(found: Contrast, margin: float, speed: bool = False) -> str:
    """`1.31× lower`, `≈ not distinguishable`; of speed `2.31× faster`. One without an interval is given as it is."""
    if found.verdict == "baseline":
        return translate(words.REFERENCE)
    if found.ratio is None:
        return "—"
    above, below = f"{found.ratio:.2f}", f"{1 / found.ratio:.2f}"
    match found.verdict:
        case "faster":
            return translate(words.FASTER).format(ratio=above)
        case "slower":
            return translate(words.SLOWER).format(ratio=below)
        case "higher":
            return translate("{ratio}× higher").format(ratio=above)
        case "lower":
            return translate("{ratio}× lower").format(ratio=below)
        case "within_margin":
            return translate(words.WITHIN).format(margin=f"{100 * margin:g}")
        case "undecided":
            return translate(words.UNDECIDED)
        case "withheld":
            return translate(words.WITHHELD)
        case "unpaired":
            return translate(words.UNPAIRED)
    if found.low is not None or speed:
        return translate(words.PROVISIONAL).format(ratio=above)
    if above == "1.00":
        return translate("{ratio}×").format(ratio=above)
    if found.ratio > 1:
        return translate("{ratio}× higher").format(ratio=above)
    return translate("{ratio}× lower").format(ratio=below)


def arrow(found: Contrast) -> str:
    """▲ or ▼ where a direction is told, ≈ stands in the words."""
    return {"faster": "▲ ", "higher": "▲ ", "slower": "▼ ", "lower": "▼ "}.get(found.verdict, "")


def interval(found: Contrast) -> str:
    """`[2.27, 2.36]`, turned round where the words are; empty without one."""
    if found.low is None or found.high is None or found.ratio is None:
        return ""
    low, high = found.low, found.high
    if found.verdict in ("slower", "lower"):
        low, high = 1 / high, 1 / low
    text = f"[{low:.2f}, {high:.2f}]"
    return f"{found.ratio:.2f}× {text}" if found.verdict in ("undecided", "within_margin", "withheld") else text


def no_interval(by: Measure, found: Contrast) -> str:
    """Why there is none; empty where there is one, or nothing to form one of."""
    if found.low is not None or found.value is None or found.verdict == "baseline":
        return ""
    if by.amount:
        return translate("no interval: the text is too short")
    if by.of_trial is None:
        return translate("one figure, no rounds: no interval")
    if by.key == "itl_p99":
        return translate("all rounds together: no interval")
    return translate("no interval from one round")


def amount(by: Measure, row: Row, found: Contrast) -> tuple[str, str]:
    """A divergence and its interval, or why there is none."""
    if found.verdict == "baseline":
        return translate(words.REFERENCE), ""
    if found.value is None:
        return "—", translate("judged against the baseline only") if found.reference != "" else ""
    if found.low is None or found.high is None:
        return number(found.value), no_interval(by, found)
    shown = number(found.value)
    decimals = len(shown.partition(".")[2])
    bounds = f"[{found.low:.{decimals}f}, {found.high:.{decimals}f}]"
    return shown, f"{bounds} · {quality_words.gate(row)}" if row.gate else bounds


def answer(comparison: Comparison, by: Measure, found: Sequence[Contrast]) -> str:
    """One sentence that states what came out, by that measure."""
    base = found[0].reference
    if by.key == "speed" and base == comparison.baseline.variant:
        return words.answer(comparison)
    rows = {row.variant: row for row in comparison.variants}
    others = [c for c in found if c.variant != base]
    known = [c for c in others if c.value is not None]
    if not known or (rows[base].status not in ("ok", "running") and not rows[base].trials):
        return words.capital(translate("{measure}: there is nothing to compare yet.").format(measure=title(by.key)))
    if by.amount:
        least = min(known, key=lambda c: c.value or 0.0)
        text = translate("{name} diverges least from {base}: {value}.")
        return text.format(name=least.variant, base=base, value=figure(by, rows[least.variant], least.value))
    if by.of_trial is None or all(c.low is None for c in known):
        every = [c for c in found if c.value is not None]
        pick = max if by.better == "higher" else min
        best = pick(every, key=lambda c: c.value or 0.0)
        text = translate("{name} has the lowest {measure}: {value}; {base} has {other}.")
        if best.variant == base:
            text = translate("No variant has a lower {measure} than {base}: {other}.")
        elif by.better == "higher":
            text = translate("{name} has the highest {measure}: {value}; {base} has {other}.")
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
        if speed:
            return translate("{name} is {words} than {base}.").format(name=best.variant, words=said, base=base)
        text = translate("{measure} is {words} with {name} than with {base}.")
        return words.capital(text.format(measure=title(by.key), words=said, name=best.variant, base=base))
    if comparison.rounds < 4:
        return translate("No verdict yet: it takes 4 rounds, {n} are finished.").format(n=comparison.rounds)
    if decided:
        worst = decided[0] if by.better == "higher" else decided[-1]
        said = ratio(worst, margin)
        text = translate("No variant has a better {measure} than {base}; with {name} it is {words}.")
        if speed:
            text = translate("No variant is faster; {name} is {words} than {base}.")
        return text.format(measure=title(by.key), words=said, name=worst.variant, base=base)
    if any(c.verdict == "unpaired" for c in others):
        return translate("No verdict: the variants ran one after the other, and no common round pairs them.")
    if any(c.verdict == "withheld" for c in others):
        return translate("No verdict: a strategy did not take effect as requested; see Receipts.")
    if all(c.verdict == "within_margin" for c in others):
        text = translate("{measure} of every variant is within ±{margin} % of {base}.")
        return words.capital(text.format(measure=title(by.key), margin=f"{100 * margin:g}", base=base))
    text = translate("No difference in {measure} can be told from the noise of these rounds.")
    return text.format(measure=title(by.key))


def method(comparison: Comparison, by: Measure, found: Sequence[Contrast]) -> str:
    """How the answer was formed: of what, in how many rounds, which interval, what could have been seen."""
    base = found[0].reference
    if by.key == "speed" and base == comparison.baseline.variant:
        return words.method(comparison)
    better = translate("higher is better") if by.better == "higher" else translate("lower is better")
    parts = [f"{words.capital(title(by.key))}, {better}"]
    with_interval = [c for c in found if c.low is not None]
    if by.amount:
        parts.append(translate("against {base}; 95 % interval from the standard error").format(base=base))
        return " · ".join(parts)
    parts.append(translate("{n} rounds").format(n=comparison.rounds))
    if with_interval:
        how = ", ".join(sorted({translate(words.INTERVALS.get(c.method, c.method)) for c in with_interval}))
        parts.append(translate("95 % interval per comparison with {base} ({how})").format(base=base, how=how))
        worst = max(c.smallest_detectable_pct or 0.0 for c in with_interval)
        parts.append(translate("smallest detectable change {x} %").format(x=number(worst, 2)))
    elif by.key == "itl_p99":
        parts.append(translate("a p99 needs {n} tokens, more than one round has: no interval").format(n=NEEDED[99]))
    elif by.of_trial is None:
        parts.append(translate("one figure for all rounds: a ratio, no interval and no verdict"))
    return " · ".join(parts)


def pair(comparison: Comparison, by: Measure, found: Contrast, row: Row, base: Row) -> tuple[str, str]:
    """Two variants of one run against each other: a sentence, and how it was formed."""
    values = translate("{name} {value}, {base} {other}").format(
        name=row.variant, value=figure(by, row, found.value), base=base.variant, other=figure(by, base, found.base)
    )
    if by.amount:
        return translate("{measure} is measured against the baseline only.").format(
            measure=words.capital(title(by.key))
        ), ""
    if found.ratio is None:
        return translate("{measure}: there is nothing to compare yet.").format(
            measure=words.capital(title(by.key))
        ), values
    said, bounds = ratio(found, comparison.margin, by.key == "speed"), interval(found)
    if by.key == "speed" and found.decided:
        text = translate("{name} is {words} than {base} {bounds}").format(
            name=row.variant, words=said, base=base.variant, bounds=bounds
        )
    elif found.decided:
        text = words.capital(
            translate("{measure} is {words} with {name} than with {base} {bounds}").format(
                measure=title(by.key), words=said, name=row.variant, base=base.variant, bounds=bounds
            )
        )
    else:
        text = translate("{name} against {base}, {measure}: {words} {bounds}").format(
            name=row.variant, base=base.variant, measure=title(by.key), words=said, bounds=bounds
        )
    how = [values]
    if found.rounds:
        how.append(translate("{n} paired rounds").format(n=found.rounds))
    how.append(no_interval(by, found) or translate(words.INTERVALS.get(found.method, found.method)))
    return text.strip(), " · ".join(p for p in how if p)
