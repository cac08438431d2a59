"""What core says, shown in Chinese: whole texts, templates with their numbers and names, and sentences in a row."""

import re

import pytest

from app.base.core_text import said, spoken, stated
from app.base.language import language
from core.analysis import roofline_text, verdict_text
from core.analysis.advice import advised
from core.analysis.advice_rules import RULES
from core.analysis.compare import compare
from core.analysis.comparison_row import Row
from core.analysis.explanation import why
from core.base import formatting
from core.feasibility.environment_check import check
from core.machine.environment import Environment
from core.spec.experiment import SpecError, parse
from core.wording import quality_text
from core.wording.translation import ENGLISH, Chinese, of_system
from tests.app.streams import ENVIRONMENT, Stream, fresh
from tests.core.analysis.test_advice import situation
from tests.core.analysis.test_why import INT8, receipt, run, together
from tests.tools.core_strings import CORE, HOLE, texts
from tests.tools.translations import entries

CHINESE = re.compile("[\u4e00-\u9fff]")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@pytest.fixture
def chinese(qapp, monkeypatch):
    monkeypatch.setattr(language, "code", "zh_CN")
    return spoken()


def keeps(text, *names):
    """The Chinese of a text, which has all of its numbers and these names."""
    shown = said(text)
    assert CHINESE.search(shown), f"{text} → {shown}"
    assert set(NUMBER.findall(shown)) == set(NUMBER.findall(text)), f"{text} → {shown}"
    assert all(name in shown for name in names), f"{text} → {shown}"
    return shown


def test_english_is_what_core_says(qapp):
    for text in ("The measurements do not say why.", "x ran out of memory", "", "93.6 %"):
        assert said(text) == text


def test_every_template_is_found_with_what_it_holds(chinese):
    """None is hidden by another, and what its holes hold stays."""
    written = {entry.text: entry.translation for entry in entries(CORE)}
    for text in filter(HOLE.search, texts()):
        held = {hole: f"Nn{number}-7" for number, hole in enumerate(HOLE.findall(text))}
        filled = HOLE.sub(lambda hole, held=held: held[hole[0]], text)
        shown = said(filled)
        assert all(value in shown for value in held.values()), f"{filled} → {shown}"
        if CHINESE.search(written[text]):
            assert CHINESE.search(shown), f"{filled} → {shown}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("int4 weights is 2.31× faster than baseline.", "int4 weights 的速度是 baseline 的 2.31 倍。"),
        ("b is 2.31× faster than a b. KL divergence 0.04.", "b 的速度是 a b 的 2.31 倍。KL 散度 0.04。"),
        ("b is 2.31× faster than a b [2.1, 2.4]", "b 相比 a b：速度 2.31 倍 [2.1, 2.4]"),
        ("b against a b, speed: ≈ not distinguishable", "b 对 a b，速度：≈ 无法区分"),
        ("1.19× slower", "用时 1.19 倍"),
        ("within ±3 %", "在 ±3% 以内"),
        ("93.6 %", "93.6%"),
        (
            "Bandwidth-bound: a step reads 269 MB, 85 % of the measured 21.3 GB/s. Disturbed meanwhile: swap in use.",
            "带宽受限：一步读取 269 MB，占带宽的 85%（实测 21.3 GB/s）。期间受到干扰：正在使用交换空间。",
        ),
        (
            "foreign CPU 45 % (3 of 5 trials); not steady after warm-up",
            "其他进程占用 CPU 45%（5 个试次中有 3 个）；预热后仍未稳定",
        ),
        ("/x/y: cannot be read: No such file or directory", "/x/y：无法读取：没有这个文件或文件夹"),
        ("a.name: String should have at least 1 character (got '')", "a.name：至少要有 1 个字符（现为 ''）"),
        ("无法写入 /x：No such file or directory", "无法写入 /x：没有这个文件或文件夹"),
        ("int8: 9 of 9 Linear layers; lm_head not quantized", "int8：9 / 9 个 Linear 层；lm_head 未量化"),
        ("loading the model failed: KeyError: 'x'", "加载模型失败：KeyError: 'x'"),
        ("int8 weights", "int8 权重"),  # the title of a strategy
        ("int8 weights ran out of memory", "int8 weights 内存不足"),  # the name of a variant
        ("try fused_projections and torch_compile", "try fused_projections and torch_compile"),  # not core's
    ],
)  # fmt: skip
def test_sentences(chinese, text, shown):
    assert said(text) == shown


def test_what_a_comparison_says(chinese, qapp):
    session = fresh(qapp)
    session.feed(Stream(rounds=4), live=False)
    comparison = compare(session.results)
    names = [row.variant for row in comparison.variants]
    keeps(verdict_text.answer(comparison))
    assert "95% 区间" in keeps(verdict_text.method(comparison))
    for row in comparison.variants:
        for text in (row.why, row.flags, row.error, row.hint, roofline_text.answer(row), quality_text.clause(row)):
            if text and text != "—":
                keeps(text, *[name for name in names if name in text])
    assert any(row.why for row in comparison.variants)


def test_advice_and_reasons(chinese):
    quantized = {"quantization": {"method": "int8_weight_only"}}
    situations = [
        situation(run(1.0)),
        situation(run(1.0), environment=Environment(ram_bytes=1 << 30), peak_process_bytes=700 << 20),
        situation(run(1.0), row={"status": "out_of_memory"}),
        situation(run(0.5, other={"anatomy": INT8}), quantized, peak_process_bytes=1 << 30),
        situation(run(1.8, other={"anatomy": INT8}), quantized, row={"gate": "red", "kld_mean": 0.4}),
        situation(together(1.6), decode_ms=100.0),
        situation(run(0.4, receipts=[receipt("speculation")], drafted=32, accepted=2, verify_steps=8)),
    ]
    seen = set()
    for now in situations:
        seen |= {keeps(why(case)) for case in now.cases if why(case)}
        for piece in advised(now, RULES):
            seen |= {keeps(piece.what), keeps(formatting.sentence(formatting.capital(piece.because)))}
    assert len(seen) > 15


def test_what_the_check_finds(chinese):
    poor = Environment(
        cores=1, threads=4, container_cpus=2.0, governor="powersave", swap_used_bytes=2**30, nvidia_driver="550.1",
        cpu_capability="DEFAULT", versions={"torch": "2.1", "accelerate": "1.9"},
    )  # fmt: skip
    lines = [finding.line() for environment in (poor, ENVIRONMENT) for finding in check(environment)]
    assert len(lines) > 20
    for line in lines:
        keeps(line)


@pytest.mark.parametrize(
    "data",
    [
        {"variant": [{"name": ""}]},
        {"variant": [{"name": "a"}, {"name": "a"}]},
        {"variant": [{"name": "a", "precision": "fp7"}]},
        {"variant": [{"name": "a"}], "workload": {"trials": 0, "seed": "x", "rate": -1, "top_p": 2}},
        {"variant": [{"name": "a"}], "workload": {"trials": 9, "until_pct": 3, "max_trials": 3}},
        {"variant": [{"name": "a"}], "quality": {"tokens": 3, "window": 9, "nonsense": 1}},
        {"model": 3, "variant": []},
    ],
)
def test_faults_of_an_experiment(chinese, data):
    with pytest.raises(SpecError) as fault:
        parse(data)
    for line in str(fault.value).splitlines():
        keeps(line)


def test_a_known_text_is_looked_up_once(chinese):
    said("not steady after warm-up")
    before = chinese.said.cache_info().hits
    said("not steady after warm-up")
    assert chinese.said.cache_info().hits == before + 1


def test_texts_that_differ_by_their_numbers_alone_are_looked_up_once(chinese, monkeypatch):
    looked_up, real = [], chinese.looked_up
    monkeypatch.setattr(chinese, "looked_up", lambda text: looked_up.append(text) or real(text))
    for n in range(100):
        shown = keeps(f"CPU throttled for heat {n} times; swap grew by {n + 0.5} MB ({n} of 100 trials)")
        assert shown == f"CPU 因过热降频 {n} 次；交换空间增加了 {n + 0.5} MB（100 个试次中有 {n} 个）"
    assert len(looked_up) == 2
    assert said("1 slot on X") == "X 上 1 个槽位"  # this one is not a number that may be another
    assert said("2 slots on X") == "X 上 2 个槽位"


def test_long_texts_take_no_more_than_their_length(chinese):
    def ways(count):
        known = {}
        chinese.find(" ".join(f"The library (of {n}) failed: a, b; no more is known." for n in range(count)), known)
        return len(known)

    assert ways(40) < 2.5 * ways(20)


def test_quality_and_roofline_words(chinese):
    row = Row(experiment="", model="", variant="mine", status="ok", recipe="", trials=5, quality_status="ok",
              kld_mean=0.0123, same_top_pct=93.6, gate="amber", first_divergence=37, exact_match_pct=75.0,
              bound="kernel", mbu_pct=31.0, mfu_pct=4.0)  # fmt: skip
    for say in (quality_text.answer, quality_text.clause, quality_text.gate, roofline_text.answer):
        keeps(say(row))
    for text in (*quality_text.first_divergence(row), verdict_text.same_answers(row)):
        keeps(text)


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_Hans_CN"}, "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, "en"),  # there is no traditional Chinese
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_SG", "LANG": "de_DE"}, "zh_CN"),
        ({}, "en"),
    ],
)
def test_the_language_of_a_terminal(locale, code):
    assert of_system(locale) == code


def test_a_text_that_nobody_has_translated_stays_english(tmp_path, monkeypatch):
    folder = tmp_path / "translations"
    folder.mkdir()
    (folder / "core_zh_CN.ts").write_text(
        "<source>old &amp; known</source>\n<translation>旧</translation>"
        '<source>new</source>\n<translation type="unfinished"></translation>'
        "<source>other</source>\n<translation>别的</translation>",
        "utf-8",
    )
    monkeypatch.setattr("core.wording.translation.files", lambda package: tmp_path)
    chinese = Chinese()
    assert [chinese.said(t) for t in ("old & known", "new", "other")] == ["旧", "new", "别的"]
    assert ENGLISH.said("new") == "new"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("out of memory while warming up: 1.2 GB", "Out of memory while warming up: 1.2 GB"),
        ("torch is not installed", "torch is not installed"),
        ("bitsandbytes: needs a GPU", "bitsandbytes: needs a GPU"),
        ("int4 weights need torch", "int4 weights need torch"),
        ("/models/x has no config.json", "/models/x has no config.json"),
        ("", ""),
    ],
)
def test_what_stands_by_itself_begins_with_a_large_letter(qapp, text, shown):
    assert stated(text) == shown


def test_a_hedged_answer_keeps_names_of_two_words_whole(chinese):
    text = "int4 weights is 2.29× faster than bf16 baseline (2.22–2.37), but 6 of 6 rounds were disturbed."
    assert said(text) == "int4 weights 的速度是 bf16 baseline 的 2.29 倍（2.22–2.37），但 6 轮中的 6 轮受到干扰。"
