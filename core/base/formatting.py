"""Formats numbers, sizes and durations, the same in the window, the terminal and exports."""

from __future__ import annotations

from math import floor, log10

TINY = 1e-4  # figures below it are written with a power of ten


def number(value: float | None, digits: int = 3) -> str:
    """Return significant figures with trailing zeros and thousands separated; `—` for None; tiny values as
    3.82×10⁻⁷."""
    if value is None:
        return "—"
    if value == 0:
        return "0"
    exponent = floor(log10(abs(value)))
    if abs(value) < TINY:
        return f"{number(value / 10.0**exponent, digits)}×{power(exponent)}"
    return f"{value:,.{max(0, digits - 1 - exponent)}f}".replace(",", "\u2009").replace("-", "−")


def plain(value: float) -> str:
    """Return a figure for an axis: no trailing zeros, no powers of ten, thousands separated."""
    text = f"{value:,.6f}" if abs(value) < 1 else f"{value:,.3f}"
    return text.rstrip("0").rstrip(".").replace(",", "\u2009").replace("-", "−")


def power(exponent: float) -> str:
    """Return a power of ten as text, `10⁻⁶`."""
    return "10" + str(round(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def beside(value: float, shown: str) -> str:
    """Return a figure with as many decimals as `shown` has, to stand beside it."""
    if "×10" in shown:
        return number(value, 2)
    return f"{value:.{len(shown.partition('.')[2])}f}"


def whole(count: int | None) -> str:
    """Return a count with thousands separated; `—` for None."""
    return "—" if count is None else f"{count:,}".replace(",", "\u2009")


def share(pct: float) -> str:
    """Return a rounded percentage, `64 %`. It is 0 % or 100 % only if the value is exactly that."""
    if 0 < pct < 0.5:
        return "under 1 %"
    return "over 99 %" if 99.5 <= pct < 100 else f"{pct:.0f} %"


def size(count: int | None) -> str:
    """Return bytes as text in GiB (2^30), or in MiB (2^20) below a tenth of one GiB: charts and tables of memory are in
    GiB."""
    if count is None:
        return "—"
    if count >= 2**30 / 10:
        return f"{number(count / 2**30)} GiB"
    return f"{number(count / 2**20)} MiB" if count >= 2**20 else f"{number(count / 2**10)} KiB"


def sizes(least: int | None, most: int | None) -> str:
    """Return a range of sizes, `847–946 MiB`; one size if both bounds read alike, empty if a bound is None."""
    if least is None or most is None:
        return ""
    low, high = size(least), size(most)
    if low == high:
        return low
    return f"{low.split()[0]}–{high}" if low.split()[-1] == high.split()[-1] else f"{low}–{high}"


def seconds(value: float | None) -> str:
    """Return a duration as a person says it, `3 min 40 s`."""
    if value is None:
        return "—"
    whole = round(value)
    if whole < 60:
        return f"{number(value) if value < 10 else whole} s"
    return f"{whole // 60} min {whole % 60} s"


def about(value: float) -> str:
    """Return an estimated duration in whole seconds, `8 s` or `3 min 40 s`."""
    whole = max(1, round(value))
    return f"{whole} s" if whole < 60 else seconds(whole)


def sentence(message: str, hint: str = "") -> str:
    """Return the message and the hint as sentences, each with its full stop."""
    return " ".join(f"{s}." if s[-1] not in ".!?" else s for s in (message.strip(), hint.strip()) if s)


def between(interval: str) -> str:
    """Return an interval in square brackets as `2.27–2.36`, to stand in parentheses."""
    return interval.strip("[]").replace(", ", "–")


def capital(text: str) -> str:
    """Return the text with an upper-case first letter."""
    return text[:1].upper() + text[1:]
