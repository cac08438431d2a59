"""Every architecture with every strategy: it runs, matches its receipt and gives generate()'s tokens where it is called
exact, or it is refused for a reason of the list. `make test` has a part that meets every architecture and every
strategy with each kind of layer and cache, `make test-long` all of it. build/zoo.md keeps what came out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.zoo.cells import COLUMNS, GOOD, Cell, Zoo
from tests.zoo.models import KINDS
from tests.zoo.not_yet import NOT_YET

FILE = Path(__file__).parents[2] / "build" / "zoo.md"
#: One of each kind: plain, Conv1D, a window in some layers, experts, states alone, states beside attention.
EVERYTHING = ("llama", "gpt2", "gemma3_text", "qwen3_moe", "mamba", "qwen3_5_text")
#: What else differs, with the strategies that it matters to.
BESIDE = {
    "phi3": ("mlp", "heads", "fused", "int4"),
    "falcon_new": ("int8", "int4", "gptq", "wanda", "mlp", "cont"),
    "bloom": ("mlp", "kvst", "cont"),
    "falcon_alibi": ("kvst", "eager", "look"),
    "mistral": ("kvst", "kvq", "kvwin", "look", "prefx"),
    "gemma4_text": ("ldrop", "early", "look", "kvst"),
    "deepseek_v3": ("int8", "gptq", "heads", "kvst", "look", "cont"),
    "deepseek_v32": ("kvst", "kvno", "look"),
    "gpt_oss": ("int8", "eager", "kvst", "st+lk"),
    "falcon_h1": ("look", "prefx", "kvst", "sbat"),
    "lfm2": ("st+lk", "look", "prefx"),
    "gpt_neo": ("kvst", "st+lk"),
    "rwkv": ("look", "sbat"),
    "bamba": ("gptq", "look"),
    "bitnet": ("mlp", "heads"),
    "recurrent_gemma": ("int8", "kvst", "look"),
    "nemotron": ("cont",),
    "hunyuan_moe": ("bf16",),
    "olmo_hybrid": ("bf16",),
    "llama_dynrope": ("cont",),
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory):
    seen: dict[str, dict[str, Cell]] = {}
    yield Zoo(tmp_path_factory.mktemp("zoo")), seen
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(_table(seen), "utf-8")


def _try(zoo, kind: str, columns) -> None:
    models, seen = zoo
    row = seen.setdefault(kind, {})
    for column in columns:
        row[column] = models.cell(kind, column)
    bad = {c: cell for c, cell in row.items() if cell.mark not in GOOD and c in columns}
    unexpected = [f"{kind} × {c}: {cell.mark} {cell.why}" for c, cell in bad.items() if (kind, c) not in NOT_YET]
    mended = [
        f"{kind} × {c} is in the list of what does not work yet, and works"
        for c in columns
        if (kind, c) in NOT_YET and c not in bad
    ]
    assert not unexpected + mended, "\n".join(unexpected + mended)


@pytest.mark.parametrize("kind", KINDS)
def test_every_architecture_is_measured_as_generate_runs_it(zoo, kind):
    _try(zoo, kind, ["base", *BESIDE.get(kind, ())])


@pytest.mark.parametrize("kind", EVERYTHING)
def test_every_strategy_works_or_is_refused_for_a_reason(zoo, kind):
    _try(zoo, kind, [c for c in COLUMNS if c != "base"])


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_every_strategy_on_every_architecture(zoo, kind):
    _try(zoo, kind, COLUMNS)


def test_the_list_of_what_does_not_work_yet_names_cells_that_exist():
    assert all(kind in KINDS and column in COLUMNS for kind, column in NOT_YET)


def _table(seen: dict[str, dict[str, Cell]]) -> str:
    """As Markdown: a row for each architecture, the count of each mark, and why a cell is not good."""
    head = ["architecture", *COLUMNS]
    rows = [[kind, *(row[c].mark if c in row else "" for c in COLUMNS)] for kind, row in seen.items()]
    marks = ("=", "ok", "R", "M", "r!", "F", "X")
    by_column = {c: Counter(row[c].mark for row in seen.values() if c in row) for c in COLUMNS}
    counts = [[mark, *(str(by_column[c][mark]) for c in COLUMNS)] for mark in marks]
    why = [
        f"* {kind} × {column}: {cell.mark} {cell.why}"
        for kind, row in seen.items()
        for column, cell in row.items()
        if cell.mark not in ("=", "ok")
    ]
    total = Counter(cell.mark for row in seen.values() for cell in row.values())
    lines = [f"{sum(total.values())} cells: " + ", ".join(f"{total[m]} {m}" for m in marks if total[m]), ""]
    for table in (rows, counts):
        lines += ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        lines += ["| " + " | ".join(row) + " |" for row in table] + [""]
    return "\n".join([*lines, *why]) + "\n"
