"""A run as one HTML page that needs nothing beside it: the answer, tables with intervals, figures, quality, advice,
receipts, environment, workload, and what every number means. No script, nothing is fetched; every text of a user's is
escaped. English, as all that is written into files. Knows results and words; computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from core import answers, dictionary, quality_words, report_figures, roofline_words, spec, words
from core.comparison import Comparison, Row
from core.files import write_whole
from core.markup import Content, add, element, html
from core.measures import peak_bytes
from core.memory_timeline import NAMES
from core.report_figures import badge
from core.report_style import sheet
from core.results import Results

Cells = list[Element | str]  # of a row

#: The page may show what is in it and ask for nothing, even if a text got into it that should not.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def write(results: Results, path: Path, comparison: Comparison | None = None) -> None:
    """The report of a run, with its comparison where that is there already. Raises OSError."""
    write_whole(path, page(results, comparison))


def page(results: Results, comparison: Comparison | None = None) -> str:
    """The report as HTML. Raises ValueError where no run has started."""
    comparison = comparison or results.comparison()
    model = Path(comparison.baseline.model).name or comparison.baseline.model
    title = f"{model}: comparison by Dyno"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", sheet()),
    )
    body = element("main", *_answer(results, comparison))
    for heading, parts in (
        ("Comparison", [_table(comparison), report_figures.forest(comparison), *_undecided(comparison)]),
        ("Without a result", _failures(comparison)),
        ("Latency", [report_figures.latency(results)]),
        ("Memory", [report_figures.memory(comparison), *_memory(results, comparison)]),
        ("Quality", _quality(results, comparison)),
        ("Why", _reasons(comparison)),
        ("What to try next", _advice(comparison)),
        ("Receipts", [_receipts(comparison)]),
        ("Environment", [_environment(comparison)]),
        ("Model, work and variants", [element("pre", spec.to_toml(results.experiment))]
         if results.experiment is not None else []),
        ("What the numbers mean", _definitions()),
    ):  # fmt: skip
        present = [part for part in parts if part is not None]
        if present:
            body.append(element("section", element("h2", heading), *present))
    return html(element("html", head, element("body", body), lang="en"))


def _answer(results: Results, comparison: Comparison) -> list[Element]:
    best = words.fastest(comparison)
    cost = words.sentence(quality_words.clause(best)) if best is not None else ""
    found = [
        element("h1", f"{words.answer(comparison)} {cost}".strip()),
        element("p", words.method(comparison), class_="note"),
    ]
    version = results.started.dyno_version if results.started is not None else ""
    made = "Measured {when} UTC with Dyno {version}; run {run}."
    when = comparison.created[:19].replace("T", " ")
    found.append(element("p", made.format(when=when, version=version, run=comparison.experiment), class_="note"))
    if comparison.status not in ("ok", "running"):
        text = "This run is {status}: every finished trial is kept."
        found.append(element("p", text.format(status=comparison.status), class_="warn"))
    if results.finished is not None and results.finished.reason and results.finished.message:
        found.append(element("p", words.capital(results.finished.message) + ".", class_="note"))
    return found


# -- speed -----------------------------------------------------------------------------------------------
def _name(index: int, row: Row) -> Element:
    return element("td", badge(index), row.variant, element("small", row.recipe))


def _table(comparison: Comparison) -> Element:
    rate = words.compared_rate(comparison.baseline)[1]
    heads = [
        "Variant", "Speed against the baseline", "95 % interval", rate,
        "TTFT ms", "ITL ms", "weights", "peak memory", "MBU %",
        "receipts",
    ]  # fmt: skip
    figures = range(3, 9)
    rows: list[Cells] = []
    for index, row in enumerate(comparison.variants):
        verdict = words.STATUS.get(row.status, row.status) if row.error else words.ratio(row, comparison.margin)
        receipts = "—" if row.receipt_ok is None else "match" if row.receipt_ok else "mismatch"
        rows.append(
            [
                _name(index, row),
                verdict,
                words.interval(row),
                words.number(words.compared_rate(row)[0]),
                words.number(row.ttft_ms_p50),
                words.number(row.itl_ms_p50),
                words.size(row.weights_bytes),
                words.size(peak_bytes(row)),
                words.number(row.mbu_pct),
                receipts,
            ]
        )
    return _grid(heads, rows, figures)


def _grid(heads: Sequence[str], rows: Iterable[Sequence[Element | str]], figures: Iterable[int] = ()) -> Element:
    """A table; columns of figures are set to the right. A cell is a text or a whole td."""
    right = set(figures)
    table = element("table")
    first = element("tr", *(element("th", h, class_="n" if i in right else None) for i, h in enumerate(heads)))
    table.append(element("thead", first))
    body = element("tbody")
    for row in rows:
        line = element("tr")
        for place, cell in enumerate(row):
            whole = isinstance(cell, Element) and cell.tag == "td"
            add(line, cell if whole else element("td", cell, class_="n" if place in right else None))
        body.append(line)
    table.append(body)
    return element("div", table, class_="wide")


def _undecided(comparison: Comparison) -> list[Element]:
    found = [
        element("p", f"{row.variant}: {words.undecided(row)}", class_="note")
        for row in comparison.variants
        if row.verdict == "undecided"
    ]
    found += [element("p", f"{r.variant}: {r.flags}", class_="warn") for r in comparison.variants if r.flags]
    return found


def _failures(comparison: Comparison) -> list[Element]:
    """Variants that failed, with the cause and the way out; and what of others was not judged."""
    found = []
    for index, row in enumerate(comparison.variants):
        for error, hint in ((row.error, row.hint), (row.quality_error, "")):
            if error:
                said = words.sentence(error, hint)
                found.append(element("p", badge(index), element("strong", row.variant), f": {said}", class_="failed"))
    return found


# -- memory ----------------------------------------------------------------------------------------------
def _memory(results: Results, comparison: Comparison) -> list[Element]:
    """Peaks by name, over warm-up and trials, with the estimate from before the load."""
    heads = ["Variant", *(name.replace("_", " ") for name in NAMES), "estimate"]
    rows: list[Cells] = []
    for index, row in enumerate(comparison.variants):
        peaks = results.variants[row.variant].memory
        if not peaks.points and row.estimate_bytes is None:
            continue
        sizes = [peaks.peak(name, "warmup", "trial") for name in NAMES]
        rows.append([_name(index, row), *(words.size(s) for s in sizes), words.size(row.estimate_bytes)])
    if not rows:
        return []
    shown = [0, *(i for i in range(1, len(heads)) if any(row[i] != "—" for row in rows))]
    kept = [[row[i] for i in shown] for row in rows]
    return [_grid([heads[i] for i in shown], kept, range(1, len(shown)))]


# -- quality ---------------------------------------------------------------------------------------------
def _quality(results: Results, comparison: Comparison) -> list[Element | None]:
    judged = [(i, r) for i, r in enumerate(comparison.variants) if r.quality_tokens is not None]
    if not judged:
        return []
    window = next((s.quality.window for s in results.variants.values() if s.quality is not None), 0)
    heads = [
        "Variant", "gate", "KL divergence, nats", "KLD p99",
        "same top token", "perplexity ratio", "95 % interval",
        "first divergence",
    ]  # fmt: skip
    rows: list[Cells] = [
        [
            _name(index, row),
            quality_words.gate(row) or ("—" if row.quality_status != "reference" else "reference"),
            f"{quality_words.divergence(row)} {quality_words.spread(row)}".strip(),
            words.number(row.kld_p99),
            quality_words.same_top(row),
            quality_words.ratio(row),
            quality_words.ratio_interval(row),
            ", ".join(filter(None, quality_words.first_divergence(row))),
        ]
        for index, row in judged
    ]
    lines = []
    baseline = results.variants[comparison.baseline.variant].suite
    for row in comparison.variants:
        mine = results.variants[row.variant].suite
        lost = answers.lost(baseline, mine) if baseline and mine else []
        gained = answers.lost(mine, baseline) if baseline and mine else []
        said = filter(None, (words.same_answers(row), words.suite(row, lost, gained), row.interface))
        lines += [element("p", f"{row.variant}: {line}", class_="note") for line in said]
    method = quality_words.method([comparison.baseline, *(r for _, r in judged)], window)
    return [
        element("p", method, class_="note"),
        _grid(heads, rows, range(2, 7)),
        report_figures.trade(comparison),
        *lines,
    ]


# -- why and what next -----------------------------------------------------------------------------------
def _reasons(comparison: Comparison) -> list[Element]:
    found = []
    if comparison.machine is not None:
        found.append(element("p", roofline_words.measured_on(comparison.machine), class_="note"))
    for index, row in enumerate(comparison.variants):
        said = " · ".join(filter(None, [_reach(row.ceiling_tok_s), row.why]))
        if said:
            found.append(element("p", badge(index), element("strong", row.variant), f": {said}"))
    return found


def _reach(ceiling: float | None) -> str:
    return f"at most {words.number(ceiling)} tok/s" if ceiling else ""


def _advice(comparison: Comparison) -> list[Element]:
    if not comparison.advice:
        return []
    pieces = []
    for piece in comparison.advice:
        reach = f"at most {words.number(piece.ceiling_tok_s)} tok/s" if piece.ceiling_tok_s else ""
        because = " · ".join(filter(None, [piece.bottleneck, piece.because, reach]))
        what: Content = element("strong", piece.what) if piece.binds else piece.what
        pieces.append(element("li", what, element("br"), element("span", because, class_="note")))
    return [element("ol", *pieces)]


# -- what it rests on ------------------------------------------------------------------------------------
def _receipts(comparison: Comparison) -> Element | None:
    rows: list[Cells] = []
    for index, row in enumerate(comparison.variants):
        for receipt in row.receipts:
            verdict = "match" if receipt.matches else "mismatch"
            cell = element("td", verdict, class_=None if receipt.matches else "warn")
            rows.append(
                [element("td", badge(index), row.variant), receipt.slot, receipt.requested, receipt.effective, cell]
            )
    heads = [
        "Variant", "slot", "requested", "effective", "receipt",
    ]  # fmt: skip
    return _grid(heads, rows) if rows else None


def _environment(comparison: Comparison) -> Element | None:
    environment = comparison.environment
    if environment is None:
        return None
    rows: list[Cells] = [
        [name.replace("_", " "), shown(name, value)]
        for name, value in environment.model_dump(mode="json", exclude={"devices"}).items()
    ]
    for number, device in enumerate(environment.devices):
        found = device.model_dump(mode="json").items()
        rows += [[f"device {number} {name.replace('_', ' ')}", shown(name, value)] for name, value in found]
    rows.append(["fingerprint", environment.fingerprint])
    return _grid(["field", "value"], rows)


def shown(name: str, value: object) -> str:
    """A field of the environment in words; what is not readable is —, never 0."""
    if value in (None, "", [], {}):
        return "—"
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return words.size(value) if name.endswith("_bytes") and isinstance(value, int) else str(value)


def _definitions() -> list[Element]:
    heads = ["Number", "column", "unit", "formula", "read from"]
    rows: list[Cells] = [[c.title, element("code", c.name), c.unit, c.formula, c.source] for c in dictionary.columns()]
    return [_grid(heads, rows)]
