import io
from pathlib import Path

import pytest
from rich.console import Console

from core.analysis import measures, verdict_text
from core.analysis.compare import compare
from core.base import formatting
from core.cli import run_display
from core.model.receipt import Receipt
from core.protocol import events
from core.results.results import Results
from tests.core import build
from tests.core.analysis.test_why import machine
from tests.core.analysis.test_why import run as machine_run

MARKUP = "[bold]x[/bold] [/oops]"


def shown(console_width: int, stream) -> str:
    results = Results("r")
    for event in stream:
        results.fold(event)
    out = io.StringIO()
    run_display.report(results, Path("/tmp/[red]runs[/red]"), Console(file=out, width=console_width))
    return out.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80, 120, 200])
def test_names_are_shown_as_they_are_at_every_width(width):
    said = shown(width, build.run([1.5] * 4, names=("a", MARKUP)))
    assert MARKUP in said.replace("\n", " ") or MARKUP.replace(" ", "") in "".join(said.split())
    assert "…" not in said
    assert "[red]runs[/red]" in said
    assert max(len(line) for line in said.splitlines() if "Results" not in line) <= width


def test_nothing_of_a_long_name_is_cut_off():
    names = ("x" * 79 + "1", "x" * 79 + "2")
    for width in (20, 80, 120):
        said = shown(width, build.run([1.5] * 4, names=names))
        assert "…" not in said
        assert said.count("x") == 79 * (1 + 1 + 2 + 2 + 2)  # the head, the answer, the table, why, receipts


@pytest.mark.parametrize("width", [40, 80, 120])
def test_several_requests_at_once_show_the_rate_that_is_compared(width):
    """Of one request, and of all: the verdict is about the second, and says so."""
    alone = shown(width, build.run([1.5] * 4))
    assert "decode" in alone
    assert "aggregate" not in alone
    together = shown(width, together_run())
    assert "Aggregate tok/s" in together.replace("\n", " ")  # how the answer was formed
    assert "decode" not in together
    assert "per request" in together
    rows = Results("r")
    for event in together_run():
        rows.fold(event)
    row = compare(rows).baseline
    assert row.aggregate_tok_s != row.per_user_tok_s
    for figure in (row.aggregate_tok_s, row.per_user_tok_s):
        assert formatting.number(figure) in together
    assert measures.compared_rate(row) == (row.aggregate_tok_s, "aggregate tok/s")


def test_what_cannot_be_told_apart_says_what_could_have_been():
    ratios = [1.0, 1.2, 0.9, 1.1, 1.05]
    row = compare(results_of(build.run(ratios))).variants[1]
    said = " ".join(shown(120, build.run(ratios)).split())
    assert "≈ not distinguishable" in said
    figure = formatting.number(row.smallest_detectable_pct, 2)
    assert f"b: not distinguishable; a change of {figure} % would have shown" in said
    assert f"about {row.rounds_to_settle} rounds would likely settle it" in said
    assert "would have shown" not in shown(120, build.run([1.5] * 5))


def test_what_ended_a_run_is_said():
    stream = list(build.run([1.5] * 4))
    stream[-1] = events.Finished(status="ok", rounds=4, reason="budget", message="the budget of 4 s ended it")
    assert "The budget of 4 s ended it." in shown(120, stream)


def results_of(stream) -> Results:
    results = Results("r")
    for event in stream:
        results.fold(event)
    return results


def together_run():
    """A run of which every trial says that it served two requests at once."""
    _, *rest = build.run([1.5] * 4, concurrency=2)
    yield build.started(["a", "b"], 4, concurrency=2, requests=1)
    yield from rest


@pytest.mark.parametrize("ratios", [[1.0, 1.3, 0.8, 1.0], [1.5] * 4])
def test_verdicts_stay_whole_where_there_is_a_table(ratios):
    said = shown(80, build.run(ratios, names=("baseline", "int8 weights with lookup")))
    assert "distinguishable" in said.split() or "faster" in said.split()
    assert "interval" in said.split()
    assert said.count("KiB") == 2  # the last columns are there
    assert said.count("—") == 2


def test_what_acts_on_a_terminal_is_escaped():
    stream = [*build.run([1.5] * 4)][:-1]
    stream += [events.Failed(variant="b", message="bad \x1b[31m\x07"), events.Finished(status="ok", rounds=4)]
    said = shown(80, stream)
    assert "\x1b" not in said
    assert "\\x1b[31m\\x07" in said


@pytest.mark.parametrize("matches", [True, False])
def test_how_a_variant_compares_with_the_plain_decoder_is_said(matches):
    words_ = "8 + 24 tokens as the plain decoder" if matches else "differs at token 5 of prompt 2"
    found = Receipt(slot=events.EXACTNESS, requested="the tokens", effective=words_, matches=matches)
    stream = [*build.run([1.5] * 4)]
    stream.insert(-1, events.Receipts(variant="b", receipts=[*build.receipts("b").receipts, found]))
    line = f"b, exactness: {words_}" if matches else f"b, exactness: asked for the tokens, in effect: {words_}"
    assert line in shown(200, stream)


def test_what_took_effect_is_said_of_every_strategy():
    """Also where it matches: a receipt that nobody sees proves nothing."""
    found = Receipt(slot="quantization", requested="int8", effective="int8: 28 of 28 layers", matches=True)
    plain = Receipt(slot="precision", requested="default", effective="bf16", matches=True)
    stream = [*build.run([1.5] * 4)]
    stream.insert(-1, events.Receipts(variant="b", receipts=[plain, found]))
    said = shown(200, stream)
    assert "b, quantization: int8: 28 of 28 layers" in said
    assert "b, precision" not in said  # nobody asked for one


def test_the_head_says_what_was_measured():
    first, *_ = [line for line in shown(200, build.run([1.5] * 4)).splitlines() if line]
    assert first.split(" · ") == verdict_text.measured(compare(results_of(build.run([1.5] * 4))))
    assert first.startswith("demo · a")
    assert "tokens" in first


def judged_run(source: str = "demo"):
    """Speed of two variants, and the quality of the second against the first."""
    first, *rest, last = build.run([1.5] * 4)
    table = {"quality": {"tokens": 2048}, "model": {"source": source}}
    yield first.model_copy(update={"experiment": {**first.experiment, **table}})
    yield from rest
    tokens = [64] * 32
    yield events.Quality(
        variant="a", role="reference", window=128, vocabulary=9, chunk_tokens=tokens, chunk_nll=[192.0] * 32
    )
    yield events.Quality(
        variant="b", role="compare", window=128, vocabulary=9, chunk_tokens=tokens, chunk_nll=[193.0] * 32,
        chunk_base_nll=[192.0] * 32, chunk_kld=[0.64] * 32, chunk_same_top=[60] * 32, kld_p99=0.125,
    )  # fmt: skip
    yield last


@pytest.mark.parametrize("width", [40, 80, 120])
def test_quality_stands_below_speed(width):
    said = shown(width, judged_run())
    for word in ("0.0100 ± 0", "93.8 %", "1.0157 [1.0157, 1.0157]", "0.125", "amber", "reference", "20.09"):
        assert word in said, word
    assert "far more sensitive" in said.replace("\n", " ")
    assert "2 048 tokens" in " ".join(said.split())
    assert max(len(line) for line in said.splitlines() if "Results" not in line) <= width


def test_quality_is_not_spoken_of_where_none_was_judged():
    assert "uality" not in shown(120, build.run([1.5] * 4))
    assert "far more sensitive" not in shown(120, judged_run("some/folder"))


@pytest.mark.parametrize("foreign", [0.0, 150.0])
def test_a_roof_that_was_measured_beside_others_is_said(foreign):
    results = machine_run(1.0, found=machine(foreign_cpu_pct=foreign))
    out = io.StringIO()
    run_display.report(results, Path("runs"), Console(file=out, width=200))
    assert "Roof: 20.0 GB/s measured on this CPU" in out.getvalue()
    assert ("the roof may be too low" in out.getvalue()) == (foreign > 0)
