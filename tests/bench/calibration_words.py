"""What the calibration says, as Markdown in the languages of the manual, and into its pages. Computes nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MANUAL = Path(__file__).parents[2] / "resources" / "manual"
PAGE = "sure.md"
MARKS = re.compile(r"(<!-- calibration -->\n).*?(<!-- end of calibration -->)", re.DOTALL)

ENGLISH = {
    "noise": "Noise: {rounds} rounds of {variants} identical variants, {cpu}, {cores} cores, {tokens}-token trials of "
    "the {model} model; the log ratio of two of them in a round has a standard deviation of {sd:.1f} % "
    "(autocorrelation from round to round {lag1:+.2f}, excess kurtosis {kurtosis:+.1f}). {experiments:,} simulated "
    "experiments a row, drawn in blocks of {block} rounds.",
    "rounds": "rounds",
    "spread": "noise",
    "coverage": "coverage of the 95 % interval",
    "false": "false verdicts, A against A",
    "edge": "a true {ratio:.2f} called faster",
    "found": "a true {ratio:.2f} found",
    "until": "until ±{pct} % ({rounds:.0f})",
    "share": "{value:.{digits}f} %",
    "rule": "what Dyno does not do",
    "bootstrap": "percentile bootstrap, {rounds} rounds",
    "early": "until ±{pct:.0f} % from round {rounds} on",
    "settled": "until the verdict has settled",
    "needed": "Rounds after which {power:.0f} % of the experiments say *faster*, and the time that two variants take "
    "for them with trials of {trial_s:.2f} s:",
    "faster": "{pct:.0f} % faster",
    "takes": "{rounds} rounds, {time}",
    "never": "more than {rounds} rounds",
    "seconds": "{value:.0f} s",
    "minutes": "{value:.0f} min",
    "real": "Beside it, {experiments} real experiments of A against A ({model}, {rounds} rounds each, prompts and "
    "order anew, engines kept warm): {false} false verdicts, and {covered} of {experiments} intervals hold 1.00 "
    "(standard deviation of a round {sd_pct:.1f} %).",
    "no real": "No real experiments of A against A were recorded yet: `python -m tests.bench.real_aa`.",
}
CHINESE = {
    "noise": "噪声：{variants} 个完全相同的变体共 {rounds} 轮，{cpu}，{cores} 核，{model} 模型的 {tokens} 词元试次；"
    "同一轮中两个变体的对数比值的标准差为 {sd:.1f}%（轮间自相关 {lag1:+.2f}，超额峰度 {kurtosis:+.1f}）。"
    "每行 {experiments:,} 次模拟实验，以 {block} 轮为一块抽取。",
    "rounds": "轮数",
    "spread": "噪声",
    "coverage": "95% 区间的覆盖率",
    "false": "A 对 A 的错误判定",
    "edge": "真实比值 {ratio:.2f} 被判为更快",
    "found": "真实比值 {ratio:.2f} 被发现",
    "until": "直到 ±{pct}%（{rounds:.0f}）",
    "share": "{value:.{digits}f}%",
    "rule": "Dyno 不采用的做法",
    "bootstrap": "百分位自助法，{rounds} 轮",
    "early": "从第 {rounds} 轮起直到 ±{pct:.0f}%",
    "settled": "直到判定确定",
    "needed": "{power:.0f}% 的实验判为*更快*所需的轮数，以及试次为 {trial_s:.2f} s 时两个变体为此所用的时间：",
    "faster": "快 {pct:.0f}%",
    "takes": "{rounds} 轮，{time}",
    "never": "多于 {rounds} 轮",
    "seconds": "{value:.0f} s",
    "minutes": "{value:.0f} min",
    "real": "此外，A 对 A 的 {experiments} 次真实实验（{model}，每次 {rounds} 轮，提示词和顺序每次重新抽取，"
    "引擎保持预热）：错误判定 {false} 次，{experiments} 个区间中有 {covered} 个包含 1.00（每轮标准差 {sd_pct:.1f}%）。",
    "no real": "尚未记录 A 对 A 的真实实验：`python -m tests.bench.real_aa`。",
}
LANGUAGES = {"en": ENGLISH, "zh_CN": CHINESE}


def markdown(found: dict[str, Any], words: dict[str, str] = ENGLISH) -> str:
    """What `calibration.calibrate` found: the tables with what they rest on."""
    noise = words["noise"].format(
        rounds=found["rounds_recorded"], variants=found["variants_recorded"], sd=found["sd_pct"], lag1=found["lag1"],
        kurtosis=found["excess_kurtosis"], experiments=found["experiments"], block=found["block"], **found["machine"],
    )  # fmt: skip
    parts = [noise, _cases(found, words), _rejected(found, words), _needed(found, words), _real(found["real"], words)]
    return "\n\n".join(parts)


def _share(words: dict[str, str], value: float, digits: int = 1) -> str:
    return words["share"].format(value=value, digits=digits)


def _cases(found: dict[str, Any], words: dict[str, str]) -> str:
    head = [words["rounds"], words["spread"], words["coverage"], words["false"]]
    head.append(words["edge"].format(ratio=found["edge"]))
    head += [words["found"].format(ratio=d) for d in found["differences"]]
    rows = []
    for c in found["cases"]:
        plan = str(c["plan"])
        if until := re.search(r"±(\d+)", plan):
            plan = words["until"].format(pct=until[1], rounds=c["rounds"])
        shares = [_share(words, c[key]) for key in ("sd_pct", "coverage", "false", "edge")]
        rows.append([plan, *shares, *(_share(words, share, 0) for share in c["found"])])
    return _table(head, rows)


def _rejected(found: dict[str, Any], words: dict[str, str]) -> str:
    head = [words["rule"], words["coverage"], words["edge"].format(ratio=found["edge"])]
    rows = [
        [words[r["rule"]].format(**r), _share(words, r["coverage"]), _share(words, r["false_at_edge"])]
        for r in found["rejected"]
    ]
    return _table(head, rows)


def _needed(found: dict[str, Any], words: dict[str, str]) -> str:
    """The rounds and the time that a difference takes."""
    head = [words["spread"], *(words["faster"].format(pct=100 * (d - 1)) for d in found["differences"])]
    rows = []
    for row in found["needed"]:
        cells = [_share(words, row["sd_pct"])]
        for rounds in row["rounds"]:
            if rounds is None:
                cells.append(words["never"].format(rounds=found["most"]))
            else:
                time = _time(words, 2 * rounds * found["trial_s"])
                cells.append(words["takes"].format(rounds=rounds, time=time))
        rows.append(cells)
    said = words["needed"].format(power=100 * found["power"], trial_s=found["trial_s"])
    return f"{said}\n\n{_table(head, rows)}"


def _real(real: dict[str, Any] | None, words: dict[str, str]) -> str:
    return words["no real"] if real is None else words["real"].format(**real)


def _time(words: dict[str, str], value: float) -> str:
    return words["seconds" if value < 120 else "minutes"].format(value=value if value < 120 else value / 60)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def into_manual(found: dict[str, Any], folder: Path = MANUAL) -> None:
    """Between the marks of the page, in each language: the noise as recorded only, and the table of rounds."""
    own = [c for c in found["cases"] if abs(c["sd_pct"] - found["sd_pct"]) < 1e-9]
    for code, words in LANGUAGES.items():
        page = folder / code / PAGE
        text = markdown({**found, "cases": own}, words)
        after, count = MARKS.subn(lambda m, text=text: f"{m[1]}\n{text}\n\n{m[2]}", page.read_text("utf-8"))
        if count != 1:
            raise SystemExit(f"{page}: the marks of the calibration are not there")
        page.write_text(after, "utf-8")
