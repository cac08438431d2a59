"""What the manual shows is run: its commands are understood, its experiments valid; its figures are those of the code;
both languages say the same."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shlex
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from core.analysis import roofline
from core.cli.main import INTERRUPTED, _parser
from core.prompts import prompt_files
from core.protocol.python_finder import NEEDED
from core.quality import distribution_metrics
from core.report import peer_benchmarks
from core.results.ratio_statistics import MARGIN, MIN_ROUNDS, MIN_ROUNDS_UNTIL, confidence_after
from core.spec import demo_experiment
from core.spec.experiment import QualitySettings, parse
from core.spec.sweep_table import expanded
from core.spec.variant import SLOTS
from tests.core.kernels.test_strategies import facts_of
from tests.core.tiny import save_tiny
from tests.tools.documents import LANGUAGES, MANUAL, ROOT, block, blocks, commands, index, manual, prose, readme, spans

ENGLISH, CHINESE = (manual(code) for code in LANGUAGES)
TEXTS = {"README": readme(), **ENGLISH, **{f"{name} (zh_CN)": text for name, text in CHINESE.items()}}


# -- commands and files -----------------------------------------------------------------------------------
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_every_command_is_understood(text: str) -> None:
    for line in commands(text):
        words = shlex.split(line.split(" > ")[0], comments=True)
        if words[0] == "dyno":
            complaint = io.StringIO()
            with contextlib.redirect_stderr(complaint):
                try:
                    _parser().parse_args(words[1:])
                except SystemExit:
                    pytest.fail(f"{line}: {complaint.getvalue()}")
        elif words[0] == "make":
            targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
            assert words[1] in targets, line
        elif words[:2] == ["python", "-m"]:
            assert importlib.util.find_spec(words[2]), line


def test_no_command_is_overlooked() -> None:
    firsts = Counter(shlex.split(line, comments=True)[0] for text in TEXTS.values() for line in commands(text))
    assert firsts["dyno"] > 80
    assert firsts["make"] >= 4


def test_what_an_engine_needs_is_what_is_installed_for_it() -> None:
    line = next(line for line in commands(ENGLISH["standalone"]) if "pip install" in line)
    packages = set(line.split()[4:])
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert packages <= {re.split(r"[<>=!;\[]", entry)[0] for entry in wanted}
    assert packages >= set(NEEDED)
    assert re.findall(r"^\d\. .*`(\.venv|python3)`", ENGLISH["standalone"], re.MULTILINE) == [".venv", "python3"]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_every_table_of_an_experiment_is_valid(text: str) -> None:
    for found in blocks(text, "toml"):
        for written in (found, re.sub(r"^# (?=\w+ = )", "", found, flags=re.MULTILINE)):  # what is switched off, too
            data = tomllib.loads(written)
            parse(expanded(data | {"variant": [{"name": "first"}, *data.get("variant", [])]}))


def test_what_the_experiments_ask_for() -> None:
    experiment = parse(tomllib.loads(block(ENGLISH["experiments"], "toml")))
    assert [v.name for v in experiment.variants] == ["baseline", "int8 + lookup"]
    assert experiment.workload == parse({"variant": [{"name": "a"}]}).workload  # it shows the defaults
    sweep = parse(expanded(tomllib.loads("[[variant]]\nname = 'baseline'\n" + block(ENGLISH["sweeps"], "toml"))))
    assert [v.name for v in sweep.variants[1:]] == [f"lookup, draft_tokens {n}" for n in (2, 4, 6, 8)]
    for name, holding in (("quality", "gate"), ("suite", "suite")):
        data = tomllib.loads(block(ENGLISH[name], "toml", holding))
        assert parse({"variant": [{"name": "a"}]} | data).quality == QualitySettings()
    assert parse(tomllib.loads('quality = true\n[[variant]]\nname = "a"')).quality == QualitySettings()
    for engines in re.findall(r"^\| `\"(\w+)\"`", ENGLISH["memory"], re.MULTILINE):
        parse({"variant": [{"name": "a"}], "workload": {"engines": engines}})


def test_the_experiment_with_several_requests_can_be_run(tmp_path: Path) -> None:
    text = block(ENGLISH["requests"], "toml", "concurrency")
    for data in (text, text.replace("# arrival", "arrival").replace("# rate", "rate")):
        experiment = parse(tomllib.loads(data))
        assert [v.name for v in experiment.variants] == ["one by one", "static", "continuous"]
        facts = facts_of(save_tiny(tmp_path))
        for variant in experiment.variants:
            assert [r for s in variant.strategies() for r in s.conflicts(variant, facts, experiment.workload)] == []
    assert experiment.workload.arrival == "poisson"


def test_a_wheel_carries_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    from setuptools import Distribution

    monkeypatch.chdir(ROOT)
    distribution = Distribution()
    distribution.parse_config_files()
    build = distribution.get_command_obj("build_py")
    build.ensure_finalized()
    build.manifest_files = {}
    carried = {Path(file).resolve() for file in build.find_data_files("resources", "resources")}
    pages = set(MANUAL.rglob("*.md"))
    assert len(pages) == len(LANGUAGES) * (len(ENGLISH) + 1)
    assert pages <= carried


# -- figures ----------------------------------------------------------------------------------------------
def _figures() -> list[tuple[str, str]]:
    """(page, what it says) each, made of what holds."""
    starter = demo_experiment.experiment()
    return [
        ("first-comparison", f"**Run {len(starter.variants)} variants**"),
        ("first-comparison", f"{starter.workload.trials} interleaved rounds"),
        ("reading", f"±{100 * MARGIN:.0f} %"),
        ("reading", f"no verdict before round {MIN_ROUNDS}"),
        ("sure", f"margin of ±{100 * MARGIN:.0f} %, at least {MIN_ROUNDS} rounds"),
        ("sure", f"not\nbefore round {MIN_ROUNDS_UNTIL}"),
        ("sure", f"{100 * confidence_after(1):.1f} %, after two that of {100 * confidence_after(2):.1f} %"),
        ("prompts", f"the first {prompt_files.MOST:,} prompts"),
        ("prompts", f"at most {prompt_files.LONGEST:,} characters"),
        ("quality", f"need {distribution_metrics.MIN_CHUNKS}\nwindows"),
        # 49,152: its vocabulary
        ("quality", f"{round(2 * QualitySettings().tokens * 49_152, -8) // 10**6} MB for the demo model"),
        ("roofline", f"more than {100 * (roofline.IMPLAUSIBLE - 1):.0f} % above the ceiling"),
        ("presets", f"({100 * MARGIN:.0f} % unless told)"),
        ("terminal", f"| {INTERRUPTED} | interrupted |"),
        ("terminal", "as vllm, guidellm, llmperf or mlperf define it"),
    ]


@pytest.mark.parametrize(("page", "words"), _figures())
def test_figures_are_those_of_the_code(page: str, words: str) -> None:
    assert words in ENGLISH[page]


def test_the_names_that_are_counted_or_listed() -> None:
    assert len(SLOTS) == 11
    assert "eleven slots" in ENGLISH["variants"]
    assert sorted(peer_benchmarks.PEERS) == ["guidellm", "llmperf", "mlperf", "vllm"]


# -- two languages ----------------------------------------------------------------------------------------
def test_both_languages_have_the_same_pages_in_the_same_order() -> None:
    listed = [re.findall(r"^\* \[.+?\]\(([\w-]+)\.md\)", index(code), re.MULTILINE) for code in LANGUAGES]
    assert listed[0] == listed[1]
    for code in LANGUAGES:
        titles = {name: text.split("\n", 1)[0].removeprefix("# ") for name, text in manual(code).items()}
        assert dict(re.findall(r"^\* \[(.+?)\]\(([\w-]+)\.md\)", index(code), re.MULTILINE)) == {
            title: name for name, title in titles.items()
        }


@pytest.mark.parametrize("name", ENGLISH)
def test_both_languages_say_the_same(name: str) -> None:
    """Headings, tables, lists, links, code and figures; comments in code are translated."""
    english, chinese = ENGLISH[name], CHINESE[name]
    for what in (_shape, _code, lambda text: Counter(spans(text)), _links, _numbers):
        assert what(english) == what(chinese)


def _shape(text: str) -> list[str]:
    """Of each line that begins in a way of its own, how it begins."""
    lines = re.findall(r"^(#+ |\* |\d\. |\| ?---.*|\|)", prose(text), re.MULTILINE)
    return [re.sub(r"\| ?---.*", "rule", line) for line in lines]


def _code(text: str) -> list[str]:
    return [re.sub(r"\s*#.*", "", found) for language in ("", "toml", "json") for found in blocks(text, language)]


def _links(text: str) -> Counter[str]:
    return Counter(re.findall(r"\]\(([^)]+)\)", text))


def _numbers(text: str) -> Counter[str]:
    """Chinese counts large figures by 10^8."""
    text = re.sub(r"([\d.]+) 亿", lambda m: f"{float(m[1]) * 100:.0f}", prose(text))
    return Counter(re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", re.sub(r"`[^`]*`", "", text)))


@pytest.mark.parametrize("code", LANGUAGES)
def test_links_lead_to_pages_and_lines_of_code_fit(code: str) -> None:
    for name, text in manual(code).items():
        for target in _links(text):
            assert target.startswith("https://") or target.removesuffix(".md") in manual(code), f"{name}: {target}"
        for found in (
            line for language in ("", "toml", "json") for b in blocks(text, language) for line in b.split("\n")
        ):
            wide = sum(2 if ord(c) > 0x2E7F else 1 for c in found)
            assert wide <= 80, f"{name}: {found}"  # what Help has room for
