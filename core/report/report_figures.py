"""The report's figures as inline SVG: forest, latency, memory, speed against quality. Colours are classes of the page's
style sheet, so that they follow its theme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp, log
from xml.etree.ElementTree import Element

import numpy as np

from core.analysis import verdict_text
from core.analysis.comparison_row import Comparison, Row
from core.analysis.contrast import Z_95
from core.analysis.disturbance import noisy
from core.analysis.measures import latencies_ms
from core.analysis.memory_split import split
from core.base import formatting
from core.base.axis_ticks import labelled
from core.machine.environment import capacity_bytes
from core.report import curve_labels
from core.report.html_builder import element
from core.report.ratio_scale import RatioScale
from core.report.report_style import LOOKS
from core.results.results import Results
from core.results.variant_letters import letter
from core.spec.gate import Gate
from core.wording import quality_text

WIDE = 760.0
MARKS = 6  # hues; from the seventh variant on they repeat
QUANTILES = 120  # points of a curve
NEAR = 16.0  # pixels: marks that are nearer share one label
SHADES = (1.0, 0.6, 0.35)  # of weights, KV cache and the rest


def hue(index: int) -> int:
    """Return which of the six marks a variant has; the first belongs to the baseline alone."""
    return index if index < MARKS else 1 + (index - 1) % (MARKS - 1)


def badge(index: int) -> Element:
    """Return the letter of a variant on a tile of its hue."""
    return element("span", letter(index), class_=f"badge b{hue(index)}")


class Canvas:
    """Collects the parts of one figure, in pixels from the upper left corner. Attributes repeat the classes' colours of
    the light theme: some readers do not apply a page's style sheet to drawings, and it takes precedence where it is
    applied."""

    def __init__(self, title: str, height: float) -> None:
        self.height = height
        self._parts: list[Element] = [element("title", title)]

    def _add(self, tag: str, said: str | None, style: str, **places: str) -> None:
        looks = {key: value for name in style.split() for key, value in LOOKS[name].items()}
        self._parts.append(element(tag, said, class_=style or None, **{**looks, **places}))

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        places = {k: f"{v:.1f}" for k, v in zip(("x1", "y1", "x2", "y2"), (x1, y1, x2, y2), strict=True)}
        self._add("line", None, style, **places)

    def rect(self, x: float, y: float, wide: float, high: float, style: str, opacity: float = 1.0) -> None:
        places = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{max(0.0, wide):.1f}", "height": f"{high:.1f}"}
        self._add("rect", None, style, **places, **({"opacity": f"{opacity:g}"} if opacity < 1 else {}))

    def text(self, x: float, y: float, said: str, style: str = "", anchor: str = "start") -> None:
        self._add("text", said, style=f"text {style}".strip(), x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)

    def path(self, points: list[tuple[float, float]], style: str) -> None:
        self._add("path", None, style, d="M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points))

    def mark(self, x: float, y: float, index: int, filled: bool) -> None:
        """Draw a diamond for the baseline or a disc for others; hollow if no difference is distinguishable."""
        style = f"f{hue(index)} on" if filled else f"s{hue(index)} hollow"
        if index == 0:
            points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in ((0, -6.5), (5.5, 0), (0, 6.5), (-5.5, 0)))
            self._add("polygon", None, style, points=points)
        else:
            self._add("circle", None, style, cx=f"{x:.1f}", cy=f"{y:.1f}", r="5")

    def badge(self, x: float, y: float, index: int) -> None:
        self.rect(x, y - 9, 18, 18, style=f"f{hue(index)}")
        self.text(x + 9, y + 4, letter(index), style=f"small strong t{hue(index)}", anchor="middle")

    def figure(self, title: str, caption: str) -> Element:
        drawing = element(
            "svg", *self._parts, viewBox=f"0 0 {WIDE:g} {self.height:g}", role="img",
            xmlns="http://www.w3.org/2000/svg",
        )  # fmt: skip
        head = element("p", title, class_="title")
        return element("figure", head, element("div", drawing, class_="wide"), element("figcaption", caption))


class Figures:
    """The figures of one comparison; `say` translates a text, `letters` holds the places of the variants' letters."""

    def __init__(self, comparison: Comparison, say: Callable[[str], str], letters: Mapping[str, int]) -> None:
        self.comparison, self.say, self.letters = comparison, say, letters

    def forest(self) -> Element:
        """Return the ratios to the baseline with their intervals on a logarithmic axis."""
        say, comparison = self.say, self.comparison
        rows, step, left, right = comparison.variants, 34.0, 200.0, WIDE - 240
        scale = RatioScale.of(rows)
        title = say("Speed against the baseline")
        canvas = Canvas(title, step * len(rows) + 26)
        foot = step * len(rows)

        def x_of(ratio: float) -> float:
            return left + scale.share(ratio) * (right - left)

        for tick in scale.ticks(right - left):
            canvas.line(x_of(tick), 0, x_of(tick), foot, style="one" if tick == 1 else "grid")
            canvas.text(x_of(tick), foot + 18, f"{tick:g}×", style="small", anchor="middle")
        for place, row in enumerate(rows):
            y = step * (place + 0.5)
            canvas.badge(0, y, self.letters[row.variant])
            canvas.text(26, y + 4, _short(row.variant, 22))
            if row.speed_ratio is not None:
                _interval(canvas, row, self.letters[row.variant], y, x_of)
            said = (
                verdict_text.STATUS.get(row.status, row.status)
                if row.error
                else verdict_text.hedged(row, comparison.margin)
            )
            canvas.text(
                right + 14, y + 4, f"{say(said)} {verdict_text.interval(row)}".strip(), style="err" if row.error else ""
            )
        return canvas.figure(
            title, say("Dot: estimate. Bar: 95 % interval; one that crosses 1× makes no claim. Hollow: no verdict.")
        )

    def latency(self, results: Results) -> Element | None:
        """Return the share of tokens that came within x ms, one curve per variant; None if no token was timed."""
        shares = np.linspace(0, 1, QUANTILES)
        found: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        for name, state in results.variants.items():
            parts = [latencies_ms(trial) for trial in state.trials if trial.ok]
            if sum(map(len, parts)) > 1:
                found[self.letters[name]] = np.quantile(np.concatenate(parts), shares), shares
        if not found:
            return None
        high, left, top = 220.0, 44.0, 8.0
        right, foot = WIDE - 30, top + high
        least = min(float(xs[0]) for xs, _ in found.values())
        most = max(float(np.interp(0.99, shares, xs)) for xs, _ in found.values()) or 1.0
        room = 0.06 * max(most - least, 0.2 * most)
        least, most = max(0.0, least - room), most + 2 * room
        scale = (right - left) / (most - least)
        title = self.say("Inter-token latency: share of tokens that came within so many ms")
        canvas = Canvas(title, foot + 26)
        for share in (0.0, 0.5, 0.99):
            y = foot - share * high
            canvas.line(left, y, right, y, style="grid")
            canvas.text(left - 6, y + 4, self.say(f"{100 * share:g} %"), style="small", anchor="end")
        for tick in labelled(least, most, right - left, _figure_wide)[1]:
            canvas.text(left + (tick - least) * scale, foot + 18, f"{tick:g}", style="small", anchor="middle")
        for index, (xs, _) in found.items():
            inside = xs <= most
            line = [
                (left + (float(x) - least) * scale, foot - float(s) * high) for x, s in zip(xs, shares, strict=True)
            ]
            seen = [place for place, shown in zip(line, inside, strict=True) if shown]
            canvas.path(seen, style=f"s{hue(index)} curve d{hue(index)}")
        letters = curve_labels.places(found, (least, most, 0.0, 1.0), (12 / scale, 16 / high), 4 / scale)
        for index, (x, share) in letters.items():
            canvas.text(left + (x - least) * scale, foot - share * high + 4, letter(index), style="small strong")
        return canvas.figure(title, self.say("All trials that count; up to the 99th of a hundred tokens."))

    def memory(self) -> Element:
        """Return the peak memory by part, with the capacity if it is within the axis."""
        say, comparison = self.say, self.comparison
        rows, step, left, right = comparison.variants, 30.0, 200.0, WIDE - 90
        largest = max([sum(split(r)) for r in rows] + [1])
        capacity = capacity_bytes(comparison.environment) if comparison.environment is not None else None
        near = capacity is not None and capacity < 3 * largest
        top = 1.04 * capacity if near and capacity else 1.05 * largest
        foot = step * len(rows)
        title = say("Peak memory of warm-up and trials")
        canvas = Canvas(title, foot + (26 if near else 4))
        for place, row in enumerate(rows):
            y, x = step * (place + 0.5), left
            canvas.badge(0, y, self.letters[row.variant])
            canvas.text(26, y + 4, _short(row.variant, 22))
            for shade, part in zip(SHADES, split(row), strict=True):
                wide = part / top * (right - left)
                canvas.rect(x, y - 9, wide - 1, 18, style=f"f{hue(self.letters[row.variant])}", opacity=shade)
                x += wide
            canvas.text(x + 8, y + 4, formatting.size(sum(split(row)) or None))
        if near and capacity:
            x = left + capacity / top * (right - left)
            canvas.line(x, 0, x, foot, style="limit")
            canvas.text(x, foot + 18, say(f"capacity {formatting.size(capacity)}"), style="small", anchor="end")
        return canvas.figure(title, say("From the left: weights, KV cache, the rest."))

    def trade(self, gate: Gate | None = None) -> Element | None:
        """Return speed against divergence from the baseline, with the gate's limits; None if nothing was judged."""
        known = [
            (self.letters[r.variant], r)
            for r in self.comparison.variants
            if r.speed_ratio is not None and (quality_text.is_judged(r) or r.quality_status == "reference")
        ]
        if not any(quality_text.is_judged(r) for _, r in known):
            return None
        high, left, top = 220.0, 60.0, 12.0
        right, foot = WIDE - 40, top + high
        limits = [] if gate is None else [(gate.kld_green, f"green < {gate.kld_green:g}"),
                                          (gate.kld_amber, f"amber < {gate.kld_amber:g}")]  # fmt: skip
        farthest = max((r.kld_mean or 0) + Z_95 * (r.kld_se or 0) for _, r in known)
        most = 1.15 * max(farthest, *(limit for limit, _ in limits[:1])) if limits else 1.15 * farthest
        most = most or 1e-6
        found = RatioScale.of([r for _, r in known])
        room = 0.1 * log(found.high / found.low)
        scale = RatioScale(exp(log(found.low) - room), exp(log(found.high) + room))

        def x_of(divergence: float) -> float:
            return left + divergence / most * (right - left)

        def y_of(ratio: float) -> float:
            return foot - scale.share(ratio) * high

        title = self.say("Speed against quality loss")
        canvas = Canvas(title, foot + 26)
        for tick in scale.ticks(high):
            canvas.line(left, y_of(tick), right, y_of(tick), style="one" if tick == 1 else "grid")
            canvas.text(left - 6, y_of(tick) + 4, f"{tick:g}×", style="small", anchor="end")
        for value in labelled(0.0, most, right - left, _figure_wide)[1]:
            canvas.text(x_of(value), foot + 18, f"{value:g}", style="small", anchor="middle")
        for line, (limit, said) in enumerate(limits):
            if limit < most:
                canvas.line(x_of(limit), top, x_of(limit), foot, style="gate")
                canvas.text(x_of(limit) + 4, foot - 6 - 16 * line, self.say(said), style="small")
        marks = []
        for index, row in known:
            x, y = x_of(row.kld_mean or 0), y_of(row.speed_ratio or 1)
            bar = x_of(Z_95 * (row.kld_se or 0)) - left
            canvas.line(x - bar, y, x + bar, y, style=f"s{hue(index)} bar")
            if row.speed_ratio_low and row.speed_ratio_high:
                canvas.line(x, y_of(row.speed_ratio_low), x, y_of(row.speed_ratio_high), style=f"s{hue(index)} bar")
            canvas.mark(x, y, index, row.verdict in ("faster", "slower", "baseline"))
            marks.append((x, y, letter(index)))
        for x, y, letters in _joined(marks):
            canvas.text(x + 9, y - 7, letters, style="small strong")
        return canvas.figure(
            title, self.say("Over the mean KL divergence from the baseline, nats per token; 95 % intervals.")
        )


def _interval(canvas: Canvas, row: Row, index: int, y: float, x_of: Callable[[float], float]) -> None:
    low, high = row.speed_ratio_low, row.speed_ratio_high
    if low is not None and high is not None:
        canvas.line(x_of(low), y, x_of(high), y, style=f"s{hue(index)} bar")
        for end in (low, high):
            canvas.line(x_of(end), y - 6, x_of(end), y + 6, style=f"s{hue(index)} bar")
    assert row.speed_ratio is not None
    told = row.verdict == "baseline" or (row.verdict in ("faster", "slower") and not noisy(row))
    canvas.mark(x_of(row.speed_ratio), y, index, told)


def _joined(marks: list[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Return the marks, those at the same place with one common label."""
    groups: list[list[tuple[float, float, str]]] = []
    for mark in marks:
        near = next((g for g in groups if abs(g[0][0] - mark[0]) < NEAR and abs(g[0][1] - mark[1]) < NEAR), None)
        if near is None:
            groups.append([mark])
        else:
            near.append(mark)
    return [(max(x for x, _, _ in g), min(y for _, y, _ in g), ", ".join(name for _, _, name in g)) for g in groups]


def _figure_wide(value: float) -> float:
    """Return the approximate width of a figure in pixels."""
    return 7.0 * len(f"{value:g}")


def _short(name: str, most: int) -> str:
    """Return a name cut to its column's width; the table has the whole name."""
    return name if len(name) <= most else f"{name[: most // 2]}…{name[-(most // 2 - 1) :]}"
