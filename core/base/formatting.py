"""Numbers, sizes and times as text, the same in the window, the terminal and exports."""

from __future__ import annotations

from math import floor, log10

TINY = 1e-4  # figures below it are written with a power of ten


def number(value: float | None, digits: int = 3) -> str:
    """Significant figures with trailing zeros, thousands apart, — for no value; what is tiny as 3.82×10⁻⁷."""
    if value is None:
        return "—"
    if value == 0:
        return "0"
    exponent = floor(log10(abs(value)))
    if abs(value) < TINY:
        return f"{number(value / 10.0**exponent, digits)}×{power(exponent)}"
    return f"{value:,.{max(0, digits - 1 - exponent)}f}".replace(",", "\u2009").replace("-", "−")


def plain(value: float) -> str:
    """Return a figure on an axis: no zeros at its end, never in powers of ten, thousands apart."""
    text = f"{value:,.6f}" if abs(value) < 1 else f"{value:,.3f}"
    return text.rstrip("0").rstrip(".").replace(",", "\u2009").replace("-", "−")


def power(exponent: float) -> str:
    """10⁻⁶."""
    return "10" + str(round(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def beside(value: float, shown: str) -> str:
    """Return a figure that stands beside another as `number` shows it: with as many decimals."""
    if "×10" in shown:
        return number(value, 2)
    return f"{value:.{len(shown.partition('.')[2])}f}"


def whole(count: int | None) -> str:
    """Return a count, thousands apart, — for none."""
    return "—" if count is None else f"{count:,}".replace(",", "\u2009")


def share(pct: float) -> str:
    """Return a rounded percentage, `64 %`. It is 0 % or 100 % only if the value is exactly that."""
    if 0 < pct < 0.5:
        return "under 1 %"
    return "over 99 %" if 99.5 <= pct < 100 else f"{pct:.0f} %"


def size(count: int | None) -> str:
    """Return bytes as GiB, or as MiB (2^30, 2^20) below a tenth of one: charts and tables of memory are in GiB, and one
    number should look alike wherever it stands."""
    if count is None:
        return "—"
    if count >= 2**30 / 10:
        return f"{number(count / 2**30)} GiB"
    return f"{number(count / 2**20)} MiB" if count >= 2**20 else f"{number(count / 2**10)} KiB"


def sizes(least: int | None, most: int | None) -> str:
    """`847–946 MiB`; a single size where both are written alike, empty where one is not known."""
    if least is None or most is None:
        return ""
    low, high = size(least), size(most)
    if low == high:
        return low
    return f"{low.split()[0]}–{high}" if low.split()[-1] == high.split()[-1] else f"{low}–{high}"


def seconds(value: float | None) -> str:
    """Return a duration as a person says it: 3 min 40 s."""
    if value is None:
        return "—"
    whole = round(value)
    if whole < 60:
        return f"{number(value) if value < 10 else whole} s"
    return f"{whole // 60} min {whole % 60} s"


def about(value: float) -> str:
    """Return a duration that is guessed, in whole seconds: 8 s, 3 min 40 s."""
    whole = max(1, round(value))
    return f"{whole} s" if whole < 60 else seconds(whole)


def sentence(message: str, hint: str = "") -> str:
    """Return what is wrong and the way out, one after the other, each ended by a mark."""
    return " ".join(f"{s}." if s[-1] not in ".!?" else s for s in (message.strip(), hint.strip()) if s)


def between(interval: str) -> str:
    """`2.27–2.36`, of an interval in square brackets: to stand in round ones."""
    return interval.strip("[]").replace(", ", "–")


def capital(text: str) -> str:
    """Return the sentence with its first letter large."""
    return text[:1].upper() + text[1:]
