"""The report: whole, valid, self-contained, and harmless whatever names are in it."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from core.analysis import verdict_text
from core.analysis.compare import compare
from core.cli.main import main
from core.model.receipt import Receipt
from core.protocol import events
from core.report import html_report
from core.results.journal import Journal
from core.results.results import Results
from core.wording.column_meanings import MEANING
from core.wording.translation import language
from tests.core import build
from tests.tools.core_strings import CORE
from tests.tools.translations import entries

VOID = {"meta", "br", "link", "img", "hr", "input"}
EVIL = '<script>alert("1")</script>'


class Checker(HTMLParser):
    """Opens and closes match; collects texts, tags and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        if data.strip() and self.open and self.open[-1] != "style":
            self.texts.append(data.strip())


def parsed(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert not checker.faults
    assert not checker.open
    return checker


def results_of(names=("a", "b"), **changes) -> Results:
    found = Results("run-1")
    for event in build.run([1.5, 1.4, 1.6, 1.5], names=names, **changes):
        found.fold(event)
    return found


@pytest.fixture(scope="module")
def page() -> str:
    return html_report.page(results_of())


def test_it_is_valid_and_needs_nothing_beside_it(page):
    found = parsed(page)
    assert page.startswith("<!DOCTYPE html>\n<html")
    assert "script" not in found.tags
    assert not {"link", "img", "iframe", "object"} & set(found.tags)
    fetched = [v for k, v in found.attributes if k in ("href", "src", "srcset", "action")]
    assert fetched == []
    assert "url(" not in page
    assert [v for k, v in found.attributes if v and v.startswith("http")] == ["http://www.w3.org/2000/svg"] * 3
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in found.attributes
    assert not [k for k, _ in found.attributes if k.startswith("on")]


def test_it_says_what_came_out_and_how_sure_it_is(page):
    comparison = compare(results_of())
    said = parsed(page).texts
    row = comparison.variants[1]
    assert said[1] == "demo · a (bfloat16) · chat: 128 → 64 tokens, greedy · 2026-01-01"
    assert verdict_text.answer(comparison) in said[2]
    assert verdict_text.method(comparison) in said
    assert verdict_text.ratio(row) in said
    assert verdict_text.interval(row) in said
    assert "Decode tok/s" in said


def test_it_says_what_losses_are_relative_to():
    results = results_of()
    loaded = results.variants["a"].loaded
    results.variants["a"].loaded = loaded.model_copy(update={"source_type": "Q4_1"})
    assert "a (bfloat16, dequantized from Q4_1)" in parsed(html_report.page(results)).texts[1]


def test_every_number_is_defined(page):
    said = set(parsed(page).texts)
    assert {meaning.formula for meaning in MEANING.values()} <= said


def test_it_has_receipts_environment_workload_and_advice(page):
    said = parsed(page).texts
    for heading in ("Receipts", "Model, work and variants", "What the numbers mean", "Latency", "Memory"):
        assert heading in said
    assert any('name = "b"' in text for text in said)


def quantized() -> Results:
    """The second variant has int8 weights, and its receipt says so."""
    found = Results("run-1")
    proof = Receipt(slot="quantization", requested="int8_weight_only, head keep",
                           effective="int8: 9 of 9 Linear layers", matches=True)  # fmt: skip
    for event in build.run([1.5, 1.4, 1.6, 1.5]):
        if isinstance(event, events.Started):
            a, b = event.experiment["variant"]
            b = {**b, "quantization": {"method": "int8_weight_only", "head": "keep"}}
            event = event.model_copy(update={"experiment": {**event.experiment, "variant": [a, b]}})
        if isinstance(event, events.Receipts) and event.variant == "b":
            event = event.model_copy(update={"receipts": [proof]})
        found.fold(event)
    return found


def test_it_speaks_the_language_that_is_asked_for():
    made = quantized()
    page = html_report.page(made, language=language("zh_CN"))
    found = parsed(page)
    assert ("lang", "zh-CN") in found.attributes
    other = {e.text for e in entries(CORE) if e.translation != e.text}
    assert {text for text in found.texts if text in other} == set()
    for said in (
        "b 的速度是 a 的",
        "int8 权重，输出头保留",
        "各数值的含义",
        "int8：9 / 9 个 Linear 层",
        "相对基线的速度",
    ):
        assert said in page, said
    english = html_report.page(made)
    assert 'lang="en"' in english
    assert "int8 weights, head kept" in english
    assert english.count("int8_weight_only") == 1  # in the experiment, as a file has it


def test_figures_are_drawings_with_a_title(page):
    drawings = re.findall(r"<svg.*?</svg>", page, flags=re.S)
    assert len(drawings) == 3
    for drawing in drawings:
        root = ElementTree.fromstring(drawing)
        assert root[0].tag.endswith("title")
        x_max = float(root.attrib["viewBox"].split()[2])
        xs = [float(e.attrib[k]) for e in root.iter() for k in ("x", "x1", "x2", "cx") if k in e.attrib]
        assert xs
        assert all(-1 <= x <= x_max for x in xs)


def test_a_name_that_is_a_script_is_only_a_name():
    page = html_report.page(results_of(names=("a", EVIL)))
    assert "<script" not in page
    found = parsed(page)
    assert "script" not in found.tags
    assert EVIL in found.texts


def test_both_themes_and_paper_are_there(page):
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    used = set(re.findall(r"var\(--(\w+)\)", page))
    assert used <= set(re.findall(r"--(\w+):", page))


def test_a_variant_that_failed_is_there_with_its_reason():
    found = Results("run-1")
    for event in build.run([1.5, 1.5]):
        found.fold(event)
        if isinstance(event, events.Receipts) and event.variant == "b":
            break
    found.fold(events.Failed(variant="b", kind="out_of_memory", message="Needed 2 GiB, 1 was free", hint="Use int8"))
    found.fold(events.Finished(status="ok", rounds=0))
    said = " ".join(parsed(html_report.page(found)).texts)
    assert "Without a result" in said
    assert "Needed 2 GiB, 1 was free. Use int8." in said
    assert "out of memory" in said


def test_no_run_has_no_report():
    with pytest.raises(ValueError, match="no run has started"):
        html_report.page(Results("x"))


def test_the_command_line_writes_it_too(tmp_path, capsys):
    journal = Journal(tmp_path / "run")
    for event in build.run([1.5, 1.4, 1.6, 1.5]):
        journal.write(event)
    journal.close()
    assert main(["show", str(tmp_path / "run"), "--html", str(tmp_path / "out.html")]) == 0
    assert parsed((tmp_path / "out.html").read_text("utf-8")).tags.count("svg") == 3
    assert main(["show", str(tmp_path / "run"), "--html", str(tmp_path / "none" / "out.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
