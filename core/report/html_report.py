"""The HTML report of a run, one self-contained page: answer, tables with intervals, figures, quality, advice, receipts,
environment, workload, and the definitions of all numbers. It has no script and fetches nothing; every user's text is
escaped. It is written in any language of `core.wording.translation`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from core.analysis import answer_columns, measures, roofline_text, verdict_text
from core.analysis.compare import compare
from core.analysis.comparison_row import Comparison, Row
from core.analysis.measures import peak_bytes
from core.base import formatting
from core.base.files import write_whole
from core.report import column_dictionary, report_figures
from core.report.html_builder import Content, add, element, html
from core.report.report_figures import badge
from core.report.report_style import POLICY, sheet
from core.results import variant_letters
from core.results.results import Results
from core.spec import experiment
from core.spec.variant import Variant
from core.wording import environment_text, quality_text, recipe_text
from core.wording.translation import ENGLISH, Language

Cells = list[Element | str]  # of a row

#: Memory by name, as a table's heads.
PARTS = {
    "weights": "Weights",
    "kv": "KV cache",
    "activations": "Activations",
    "other": "Rest",
    "allocated": "Allocated",
    "reserved": "Reserved",
    "process": "Process",
}


def write(results: Results, path: Path, comparison: Comparison | None = None, language: Language = ENGLISH) -> None:
    """Write the report of a run, with its comparison if that exists already. Raises OSError."""
    write_whole(path, page(results, comparison, language))


def page(results: Results, comparison: Comparison | None = None, language: Language = ENGLISH) -> str:
    """Return the report as HTML. Raises ValueError if no run has started."""
    return _Page(results, comparison or compare(results), language).html()


class _Page:
    """One report in one language."""

    def __init__(self, results: Results, comparison: Comparison, language: Language) -> None:
        self.results, self.comparison, self.language = results, comparison, language
        self.say = language.said

    def html(self) -> str:
        say, comparison = self.say, self.comparison
        model = Path(comparison.baseline.model).name or comparison.baseline.model
        head = element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("title", " · ".join((model, "Dyno"))),
            element("style", sheet()),
        )
        body = element("main", *self._answer())
        figures = report_figures.Figures(comparison, say, variant_letters.recorded(self.results))
        for heading, parts in (
            (say("Comparison"), [self._table(), figures.forest(), *self._notes()]),
            (say("Without a result"), self._failures()),
            (say("Latency"), [figures.latency(self.results)]),
            (say("Memory"), [figures.memory(), *self._memory()]),
            (say("Quality"), self._quality(figures)),
            (say("Why it came out so"), self._reasons()),
            (say("What to try next"), self._advice()),
            (say("Receipts"), [self._receipts()]),
            (say("Environment"), self._environment()),
            (say("Model, work and variants"), self._experiment()),
            (say("What the numbers mean"), self._definitions()),
        ):
            present = [part for part in parts if part is not None]
            if present:
                body.append(element("section", element("h2", heading), *present))
        return html(element("html", head, element("body", body), lang=self.language.code.replace("_", "-")))

    def _answer(self) -> list[Element]:
        say, comparison, results = self.say, self.comparison, self.results
        best = verdict_text.fastest(comparison)
        cost = formatting.sentence(quality_text.clause(best)) if best is not None else ""
        found = [
            element("p", " · ".join(say(part) for part in verdict_text.measured(comparison)), class_="what"),
            element("h1", say(f"{verdict_text.answer(comparison)} {cost}".strip())),
            element("p", say(verdict_text.method(comparison)), class_="note"),
        ]
        version = results.started.dyno_version if results.started is not None else ""
        made = "Measured {when} UTC with Dyno {version}; run {name}."
        when = comparison.created[:19].replace("T", " ")
        text = say(made).format(when=when, version=version, name=comparison.experiment)
        found.append(element("p", text, class_="note"))
        if comparison.status not in ("ok", "running"):
            status = verdict_text.STATUS.get(comparison.status, comparison.status)
            found.append(element("p", say(f"This run is {status}: every finished trial is kept."), class_="warn"))
        if results.finished is not None and results.finished.reason and results.finished.message:
            found.append(element("p", say(formatting.capital(results.finished.message) + "."), class_="note"))
        return found

    # -- speed -------------------------------------------------------------------------------------------
    def _lettered(self) -> list[tuple[int, Row]]:
        """Return the rows with the places of their variants' letters."""
        worn = variant_letters.recorded(self.results)
        return [(worn[row.variant], row) for row in self.comparison.variants]

    def _name(self, index: int, row: Row, recipe: bool = True) -> Element:
        """Return the cell with badge and name, and the recipe below."""
        made = self._recipe(row) if recipe else ""
        below = element("small", made) if made.casefold() not in ("", row.variant.casefold()) else None
        return element("td", badge(index), element("span", row.variant, below, class_="name"), class_="variant")

    def _recipe(self, row: Row) -> str:
        mine = self._variant(row)
        return recipe_text.recipe(mine, self.language) if mine is not None else row.recipe

    def _variant(self, row: Row) -> Variant | None:
        variants = self.results.experiment.variants if self.results.experiment is not None else ()
        return next((v for v in variants if v.name == row.variant), None)

    def _table(self) -> Element:
        say, comparison = self.say, self.comparison
        rate = formatting.capital(say(measures.compared_rate(comparison.baseline)[1]))
        heads = [
            say("Variant"), say("Speed against the baseline"), say("95 % interval"), rate, "TTFT ms", "ITL ms",
            say("Weights"), say("Peak memory"), "MBU %", say("Receipts"),
        ]  # fmt: skip
        rows: list[Cells] = []
        for index, row in self._lettered():
            verdict = (
                verdict_text.STATUS.get(row.status, row.status)
                if row.error
                else verdict_text.hedged(row, comparison.margin)
            )
            rows.append(
                [
                    self._name(index, row),
                    element("td", say(verdict), class_="err" if row.error else "verdict"),
                    verdict_text.interval(row),
                    formatting.number(measures.compared_rate(row)[0]),
                    formatting.number(row.ttft_ms_p50),
                    formatting.number(row.itl_ms_p50),
                    formatting.size(row.weights_bytes),
                    formatting.size(peak_bytes(row)),
                    formatting.number(row.mbu_pct),
                    "—" if row.receipt_ok is None else self._match(row.receipt_ok),
                ]
            )
        return _grid(heads, rows, range(3, 9))

    def _match(self, matches: bool) -> Element:
        said = self.say("match") if matches else self.say("mismatch")
        return element("td", said, class_=None if matches else "warn")

    def _notes(self) -> list[Element]:
        """Return what undecided rows could have shown, and the flags of the measurements."""
        found = []
        for index, row in self._lettered():
            if row.verdict == "undecided":
                found.append(self._line(index, row, self.say(verdict_text.undecided(row))))
            if row.flags:
                found.append(self._line(index, row, self.say(row.flags), style="note warn"))
        return found

    def _line(self, index: int, row: Row, said: str, style: str = "note") -> Element:
        return element(
            "p", badge(index), element("span", element("strong", row.variant), self.language.colon, said), class_=style
        )

    def _failures(self) -> list[Element]:
        """Return the failed variants with cause and way out, and what was not judged."""
        found = []
        for index, row in self._lettered():
            for error, hint in ((row.error, row.hint), (row.quality_error, "")):
                if error:
                    found.append(self._line(index, row, self.say(formatting.sentence(error, hint)), style="failed"))
        return found

    # -- memory ------------------------------------------------------------------------------------------
    def _memory(self) -> list[Element]:
        """Return the table of memory peaks by name, over warm-up and trials, with the estimate."""
        say = self.say
        rows: list[Cells] = []
        for index, row in self._lettered():
            peaks = self.results.variants[row.variant].memory
            if not peaks.points and row.estimate_bytes is None:
                continue
            sizes = [peaks.peak(name, "warmup", "trial") for name in PARTS]
            rows.append(
                [self._name(index, row), *(formatting.size(s) for s in sizes), formatting.size(row.estimate_bytes)]
            )
        if not rows:
            return []
        heads = [say("Variant"), *map(say, PARTS.values()), say("Estimate")]
        shown = [0, *(i for i in range(1, len(heads)) if any(row[i] != "—" for row in rows))]
        kept = [[row[i] for i in shown] for row in rows]
        return [_grid([heads[i] for i in shown], kept, range(1, len(shown)))]

    # -- quality -----------------------------------------------------------------------------------------
    def _quality(self, figures: report_figures.Figures) -> list[Element | None]:
        say, comparison, results = self.say, self.comparison, self.results
        judged = [(i, r) for i, r in self._lettered() if r.quality_tokens is not None]
        if not judged:
            return []
        window = next((s.quality.window for s in results.variants.values() if s.quality is not None), 0)
        heads = [
            say("Variant"), say("Gate"), say("KL divergence, nats"), "KLD p99", say("Same top token"),
            say("Perplexity ratio"), say("95 % interval"), say("First divergence"),
        ]  # fmt: skip
        rows: list[Cells] = [
            [
                self._name(index, row),
                say(quality_text.gate(row) or ("—" if row.quality_status != "reference" else verdict_text.REFERENCE)),
                f"{quality_text.divergence(row)} {quality_text.spread(row)}".strip(),
                formatting.number(row.kld_p99),
                say(quality_text.same_top(row)),
                quality_text.ratio(row),
                quality_text.ratio_interval(row),
                self.language.comma.join(say(part) for part in quality_text.first_divergence(row) if part),
            ]
            for index, row in judged
        ]
        lines = []
        baseline = results.variants[comparison.baseline.variant].suite
        for index, row in self._lettered():
            mine = results.variants[row.variant].suite
            lost = answer_columns.lost(baseline, mine) if baseline and mine else []
            gained = answer_columns.lost(mine, baseline) if baseline and mine else []
            said = filter(None, (verdict_text.same_answers(row), verdict_text.suite(row, lost, gained), row.interface))
            lines += [self._line(index, row, say(line)) for line in said]
        method = quality_text.method([comparison.baseline, *(r for _, r in judged)], window)
        asked = results.experiment.quality if results.experiment is not None else None
        trade = figures.trade(asked.gate if asked is not None else None)
        return [element("p", say(method), class_="note"), _grid(heads, rows, range(2, 7)), trade, *lines]

    # -- why and what next -------------------------------------------------------------------------------
    def _reasons(self) -> list[Element]:
        found = []
        if self.comparison.machine is not None:
            found.append(element("p", self.say(roofline_text.measured_on(self.comparison.machine)), class_="note"))
        for index, row in self._lettered():
            said = " ".join(self.say(text) for text in (row.why, _reach(row.ceiling_tok_s)) if text)
            if said:
                found.append(self._line(index, row, said, style="why"))
        return found

    def _advice(self) -> list[Element]:
        names = [row.variant for row in self.comparison.variants]
        pieces = []
        for piece in self.comparison.advice:
            named = any(piece.because.startswith(name) for name in names)
            because = formatting.sentence(piece.because if named else formatting.capital(piece.because))
            said = " ".join(self.say(text) for text in (because, _reach(piece.ceiling_tok_s)) if text)
            what: Content = self.say(piece.what)
            if piece.binds:
                what = element("strong", what)
            pieces.append(element("li", what, element("br"), element("span", said, class_="note")))
        return [element("ol", *pieces)] if pieces else []

    # -- what it rests on --------------------------------------------------------------------------------
    def _receipts(self) -> Element | None:
        say = self.say
        rows: list[Cells] = []
        for index, row in self._lettered():
            rows += [
                [
                    self._name(index, row, recipe=False),
                    recipe_text.slot_title(receipt.slot, self.language),
                    recipe_text.requested(self._variant(row), receipt, self.language),
                    say(receipt.effective),
                    self._match(receipt.matches),
                ]
                for receipt in row.receipts
            ]
        heads = [say("Variant"), say("Strategy"), say("Requested"), say("Effective"), say("Receipt")]
        return _grid(heads, rows) if rows else None

    def _environment(self) -> list[Element]:
        """Return the environment by group, the machine's limits, and the environment's fingerprint."""
        environment = self.comparison.environment
        if environment is None:
            return []
        groups = environment_text.groups(environment, self.language)
        if self.comparison.machine is not None:
            measured = environment_text.measured(self.comparison.machine, self.language)
            groups.append((self.say("Measured on this machine"), measured))
        groups[-1][1].append((self.say("Fingerprint of the environment"), environment.fingerprint))
        blocks = []
        for title, rows in groups:
            pairs = [part for name, value in rows for part in (element("dt", name), element("dd", value))]
            blocks.append(element("div", element("h3", title), element("dl", *pairs)))
        return [element("div", *blocks, class_="blocks")]

    def _experiment(self) -> list[Element]:
        return (
            [element("pre", experiment.to_toml(self.results.experiment))] if self.results.experiment is not None else []
        )

    def _definitions(self) -> list[Element]:
        say = self.say
        terms = []
        for column in column_dictionary.columns():
            name = element("code", ", ".join(filter(None, [column.name, column.unit])))
            head = element("p", element("strong", say(column.title)), "  ", name)
            source = element("p", say(f"Read from: {column.source}"), class_="note")
            terms.append(element("div", head, element("p", say(column.formula)), source))
        return [element("div", *terms, class_="terms")]


def _reach(ceiling: float | None) -> str:
    return f"At most {formatting.number(ceiling)} tok/s." if ceiling else ""


def _grid(heads: Sequence[str], rows: Iterable[Sequence[Element | str]], figures: Iterable[int] = ()) -> Element:
    """Return a table; numeric columns `figures` are right-aligned. A cell is a text or a whole td."""
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
