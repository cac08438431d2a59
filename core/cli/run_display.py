"""A run in the terminal: live progress, the comparison as a table, the paths of the files. Names, paths and messages
are printed literally: none is interpreted as markup, and control characters are escaped."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from core.analysis import answer_columns, roofline_text, verdict_text
from core.analysis.compare import compare
from core.analysis.comparison_row import Comparison
from core.base import formatting, visible_text
from core.cli.literal_text import literal
from core.cli.quality_display import quality_notes, quality_table
from core.cli.roofline_display import advised, reasons
from core.cli.run_table import table
from core.feasibility.environment_check import Finding
from core.presets.materialize_task import Materialize
from core.protocol import events
from core.report import peer_benchmarks
from core.results import memory_timeline
from core.results.results import Results
from core.run.run import Run
from core.run.stopping_rule import remaining_s, trials_left, widest_pct

PHASES: dict[str, str] = {
    "start": "starting the engine",
    "convert": "converting",
    "load": "loading",
    "transform": "transforming",
    "warmup": "warming up",
    "trial": "measuring",
    "quality": "judging quality",
    "idle": "waiting",
    "gone": "stopped",
}


#: Pieces of advice below a comparison.
TOP = 3


def follow(run: Run, console: Console, results: Results | None = None) -> Results:
    """Iterate a run, draw its progress, and return its results on top of those of earlier sessions."""
    results = results if results is not None else Results(run_id=run.folder.name)
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        console=console,
    )
    task = bar.add_task("starting", total=None, left="")
    with Live(bar, console=console, refresh_per_second=4, transient=True) as live:
        for event in run:
            results.fold(event)
            _say(event, console)
            done = sum(len(v.trials) for v in results.variants.values())
            total = _trials_expected(results)
            bar.update(task, completed=done, total=total, description=_where(results), left=_left(results))
            if isinstance(event, events.TrialDone) and not console.is_terminal:
                _say_width(results, event, console)
            if isinstance(event, events.TrialDone) and console.is_terminal:
                live.update(Group(bar, table(compare(results), console.width)))
    return results


def say_findings(found: Iterable[Finding], console: Console) -> None:
    """Print one line per finding of the environment check."""
    for finding in found:
        console.print(literal(finding.line(), "red" if finding.prevents else "yellow"), soft_wrap=True)


def follow_writing(work: Materialize, console: Console) -> bool:
    """Iterate a materialization, draw its progress, and return whether the folder was written."""
    description = TextColumn("{task.description}", markup=False)
    bar = Progress(SpinnerColumn(), description, BarColumn(), console=console, transient=True)
    task = bar.add_task("starting the engine", total=None)
    event: events.Event | None = None
    with bar:
        for event in work:
            _say(event, console)
            if isinstance(event, events.Phase):
                bar.update(task, description=PHASES[event.phase], completed=0, total=None)
            elif isinstance(event, events.Progress):
                bar.update(task, description=event.detail or None, completed=event.done, total=event.total)
            elif isinstance(event, events.Receipts):
                for receipt in event.receipts:
                    style = "" if receipt.matches else "yellow"
                    console.print(literal(f"{receipt.slot}: {receipt.effective}", style), soft_wrap=True)
    return isinstance(event, events.Done)


def _say(event: events.Event, console: Console) -> None:
    """Print an event that a person has to know during a run; the journal has the others."""
    name = f"{event.variant}: " if event.variant else ""
    if isinstance(event, events.Failed):
        console.print(literal(name + formatting.sentence(event.message, event.hint), "red"))
    elif isinstance(event, events.Turns):
        console.print(literal(f"Engines take turns: {event.why}", "yellow"))
    elif isinstance(event, events.Log) and event.level != "info":
        console.print(literal(f"{name}{event.text}", "yellow"))
    elif isinstance(event, events.TrialDone) and not console.is_terminal:
        tokens = sum(r.new_tokens for r in event.requests)
        console.print(literal(f"round {event.round + 1}, {event.variant}: {tokens} tokens"))


def _where(results: Results) -> str:
    state = results.variants.get(results.current or "")
    if state is None or state.phase is None:
        return "waiting"
    if state.phase == "start" and state.progress is not None and state.progress.detail:
        return visible_text.visible(state.progress.detail)
    words_ = f"{PHASES[state.phase]} {visible_text.visible(state.name)}"
    if state.phase == "quality" and state.progress is not None and state.progress.total:
        return f"{words_}, {100 * state.progress.done / state.progress.total:.0f} %"
    return f"{words_}, round {state.round + 1}" if state.round is not None else words_


def _left(results: Results) -> str:
    left = remaining_s(results)
    time_left = f"about {formatting.about(left)} left" if left else ""
    return " · ".join(filter(None, [_width(results), time_left]))


def _trials_expected(results: Results) -> int | None:
    """Return the number of trials of the whole run; None while it is unknown."""
    if results.experiment is None:
        return None
    left = [trials_left(results, state) for state in results.variants.values()]
    known = [count for count in left if count is not None]
    return sum(known) + sum(len(v.trials) for v in results.variants.values()) if len(known) == len(left) else None


def _width(results: Results) -> str:
    """Return the progress of a run until precise, `12 rounds, widest interval ±4.1 % of ±3 %`."""
    if results.experiment is None or not results.experiment.workload.until_pct or not results.rounds_done:
        return ""
    width = widest_pct(results)
    words_ = f"±{width:.1f} %" if width is not None else "not known yet"
    return f"{results.rounds_done} rounds, widest interval {words_} of ±{results.experiment.workload.until_pct:g} %"


def _say_width(results: Results, event: events.TrialDone, console: Console) -> None:
    """Print the width of the intervals at the end of a round, if the terminal draws no progress."""
    taking = [s for s in results.variants.values() if results.takes_part(s)]
    whole = all(s.trials and s.trials[-1].round == event.round for s in taking)
    if whole and (words_ := _width(results)):
        console.print(literal(words_))


def report(results: Results, folder: Path, console: Console) -> None:
    """Print what was measured, the answer, the table, the receipts, and the paths of the files."""
    comparison = compare(results)
    console.print()
    console.print(literal(" · ".join(verdict_text.measured(comparison)), "dim"))
    console.print(literal(verdict_text.answer(comparison), "bold"))
    console.print(literal(verdict_text.method(comparison), "dim"))
    if comparison.status not in ("ok", "running"):
        console.print(literal(f"This run is {comparison.status}: every finished trial is kept.", "yellow"))
    if results.finished is not None and results.finished.reason and results.finished.message:
        console.print(literal(formatting.capital(results.finished.message) + ".", "dim"))
    console.print(table(comparison, console.width))
    for row in comparison.variants:
        if row.verdict == "undecided":
            console.print(literal(f"{row.variant}: {verdict_text.undecided(row)}", "dim"))
    judged = quality_table(comparison, console.width)
    if judged is not None:
        console.print()
        console.print(judged)
    for note, style in quality_notes(comparison):
        console.print(literal(note, style))
    lines = reasons(comparison)
    if lines and (roof := comparison.machine) is not None:
        busy = (
            "" if roof.quiet else "; others used the machine meanwhile, so the roof may be too low: dyno env --measure"
        )
        console.print(literal(f"Roof: {roofline_text.measured_on(roof)}{busy}", "dim" if roof.quiet else "yellow"))
    for line in lines:
        console.print(line)
    _answers(results, comparison, console)
    for note in dict.fromkeys(n for v in results.variants.values() if v.loaded for n in v.loaded.notes):
        console.print(literal(note, "dim"))
    for row in comparison.variants:
        if row.error:
            console.print(literal(f"{row.variant}: {formatting.sentence(row.error, row.hint)}", "red"))
        for receipt in row.receipts:
            if not receipt.matches:
                words_ = f"asked for {receipt.requested}, in effect: {receipt.effective}"
                console.print(literal(f"{row.variant}, {receipt.slot}: {words_}", "yellow"))
            elif receipt.requested != "default":  # the request, and whether exact strategies are exact
                console.print(literal(f"{row.variant}, {receipt.slot}: {receipt.effective}", "dim"))
        if row.flags:
            console.print(literal(f"{row.variant}: {row.flags}", "yellow"))
    for line in advised(comparison.advice, TOP):
        console.print(line)
    if len(comparison.advice) > TOP:
        console.print(
            literal(f"All {len(comparison.advice)} pieces of advice: dyno advice {folder}", "dim"), soft_wrap=True
        )
    console.print(literal(f"Results: {folder}"), soft_wrap=True)


def _answers(results: Results, comparison: Comparison, console: Console) -> None:
    """Print how answers diverge, which checks flipped, and what the models accept and return; nothing if none was asked
    for."""
    baseline = results.variants[comparison.baseline.variant].suite
    for row in comparison.variants:
        mine = results.variants[row.variant].suite
        lost = answer_columns.lost(baseline, mine) if baseline and mine else []
        gained = answer_columns.lost(mine, baseline) if baseline and mine else []
        for line in filter(None, (verdict_text.same_answers(row), verdict_text.suite(row, lost, gained))):
            console.print(literal(f"{row.variant}: {line}"))
        if row.interface:
            console.print(literal(f"{row.variant}, interface: {row.interface}", "" if row.interface_ok else "yellow"))
    others = [row for row in comparison.variants[1:] if row.interface_ok is not None]
    if others and not any(row.interface for row in others):
        console.print(literal("Every variant accepts and returns what the baseline does.", "dim"))


def memory(results: Results, console: Console) -> None:
    """Print each variant's memory: peaks by name and phase, the estimate, the residue after its engine ended."""
    rows = {row.variant: row for row in compare(results).variants}
    for name, state in results.variants.items():
        console.print()
        console.print(literal(name, "bold"))
        phases = list(dict.fromkeys(phase for _, phase in state.memory.peaks))
        if not phases:
            console.print("  no memory was read")
            continue
        grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for title in ("peak of", *phases):
            grid.add_column(title, justify="left" if title == "peak of" else "right")
        for kind in memory_timeline.NAMES:
            sizes = [state.memory.peaks.get((kind, phase)) for phase in phases]
            if any(size is not None for size in sizes):
                grid.add_row(kind.replace("_", " "), *(formatting.size(size) for size in sizes))
        console.print(grid)
        row = rows[name]
        if row.estimate_bytes is not None and state.loaded is not None:
            error = f", {row.estimate_error_pct:+.1f} %" if row.estimate_error_pct is not None else ""
            between = formatting.sizes(row.estimate_least_bytes, row.estimate_most_bytes)
            error = f", {between}{error}" if between not in ("", formatting.size(row.estimate_bytes)) else error
            parts = ", ".join(
                f"{k.replace('_', ' ')} {formatting.size(v)}" for k, v in state.loaded.estimate.items() if v
            )
            console.print(
                literal(f"  estimated {formatting.size(row.estimate_bytes)}{error} ({parts})"), soft_wrap=True
            )
        if row.residue_bytes is not None:
            noise = formatting.size(row.residue_noise_bytes)
            console.print(literal(f"  left after its end: {formatting.size(row.residue_bytes)}, noise {noise}"))


def as_peer(results: Results, peer: str, console: Console) -> None:
    """Print the figures that another benchmark would report for the same trials, each with its formula."""
    console.print()
    console.print(literal(f"As {peer_benchmarks.PEERS[peer][0]} defines them:", "bold"), soft_wrap=True)
    for name, state in results.variants.items():
        counted = [trial for trial in state.trials if trial.ok]
        console.print(literal(name, "bold"))
        for figure in peer_benchmarks.figures(peer, counted):
            value = f"{formatting.number(figure.value)} {figure.unit}" if figure.value is not None else "—"
            console.print(Text.assemble(f"  {figure.name}: {value}", (f"   {figure.formula}", "dim")), soft_wrap=True)
