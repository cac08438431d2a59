"""`dyno run --sweep`: measures one run per load, and prints the latency-throughput curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from rich.table import Table

from core.base import formatting
from core.base.folders import data_folder
from core.cli.literal_text import literal
from core.cli.shared import Invalid, console, errors, written
from core.loadtest.load_curve import IntervalEstimate, LoadPoint, available, load_curve
from core.loadtest.load_sweep import Field, SweepMark, asked, load_sweep, mark_of, new_id, sweep_in
from core.model.facts import ModelFacts
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.model.receipt import JsonValue
from core.report import table_export
from core.results.journal import JOURNAL, open_results
from core.results.results import Results
from core.spec.experiment import Experiment, SpecError
from core.spec.value_ranges import RangeError

CURVE = "load_curve.csv"
NARROW = 110  # columns of a terminal: below it, neither tails nor intervals

#: Measures one run into a folder with its settings; returns the results and the exit status.
Measure = Callable[[Experiment, Path, dict[str, JsonValue]], tuple[Results, int]]


def run_sweep(experiment: Experiment, told: str, out: Path | None, measure: Measure) -> int:
    """Measure every load, print and write the curve, and return the worst exit status. A stopped run ends the sweep."""
    try:
        field, wanted = asked(told)
    except (SpecError, RangeError) as error:
        raise Invalid(f"--sweep: {error}") from None
    made = load_sweep(experiment, field, wanted, _facts(experiment))
    if refused := [f"{field} {one.value}: {one.refusal}" for one in made if one.experiment is None]:
        raise Invalid("\n".join(f"--sweep: {line}" for line in refused))
    folder = out or data_folder() / "runs" / f"{datetime.now().strftime('%Y%m%d-%H%M%S')}-{field}"
    for one in made:
        if (folder / f"{one.value}" / JOURNAL).exists():
            raise Invalid(f"--out: {folder / str(one.value)}: there is a run in it already; choose another folder")
    sweep, runs, worst = new_id(), list[Results](), 0
    for number, one in enumerate(made, 1):
        assert one.experiment is not None
        assert isinstance(one.value, int | float)
        console.print(literal(f"Run {number} of {len(made)}: {field} {one.value}", "bold"))
        mark = SweepMark(sweep, field, one.value, len(made))
        results, status = measure(one.experiment, folder / f"{one.value}", mark.settings())
        runs, worst = [*runs, results], max(worst, status)
        if results.finished is None or results.finished.status in ("stopped", "cancelled"):
            errors.print(literal(f"The sweep ends here, since this run was ended: {number} of {len(made)}.", "yellow"))
            break
    points = load_curve(runs)
    if not points:
        return worst
    console.print()
    console.print(table(points, field, console.width))
    done = written(folder / CURVE, lambda path: table_export.write_load_curve(points, path))
    if done:
        console.print(literal(f"Load curve: {folder / CURVE}"), soft_wrap=True)
    return worst if done else max(worst, 1)


def runs_of_sweep(folder: Path) -> list[Path]:
    """Return the runs in a folder that holds a sweep; empty for the folder of a single run."""
    return [] if (folder / JOURNAL).exists() else sweep_in(folder)


def show_sweep(folders: Sequence[Path]) -> int:
    """Print the curve of a sweep's runs and return the exit status. Raises JournalError."""
    runs = [open_results(folder) for folder in folders]
    at = mark_of(runs[0])
    assert at is not None
    console.print(literal(f"{len(runs)} of {at.count} runs of a sweep over {at.field.replace('_', ' ')}:", "bold"))
    console.print(table(load_curve(runs), at.field, console.width))
    return 0 if len(runs) == at.count else 1


def _facts(experiment: Experiment) -> ModelFacts | None:
    """Return the model's facts; None if this process cannot read the model, which an engine elsewhere may."""
    try:
        return resolve(experiment.model)
    except ModelError:
        return None


def table(points: Sequence[LoadPoint], field: Field, width: int = 120) -> Table:
    """Return throughput and latency of each variant at each load, with tails and intervals if the width allows."""
    wide = width >= NARROW
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    names = [name for name in available(points) if wide or not name.endswith("p95")]
    grid.add_column("variant", overflow="fold")
    grid.add_column(field.replace("_", " "), justify="right", no_wrap=True)
    for name in names:
        grid.add_column(_HEADS[name], justify="right", no_wrap=True)
    for point in points:
        cells = [
            point.variant,
            point.label,
            *(_cell(point.figures.get(name), wide and name == "aggregate_tok_s") for name in names),
        ]
        grid.add_row(*(literal(cell) for cell in cells))
    return grid


_HEADS = {
    "aggregate_tok_s": "all\ntok/s", "request_rate": "requests/s", "per_user_tok_s": "per user\ntok/s",
    "ttft_ms_p50": "TTFT ms\np50", "ttft_ms_p95": "TTFT ms\np95", "itl_ms_p50": "ITL ms\np50",
    "itl_ms_p95": "ITL ms\np95", "e2e_ms_p50": "end to end\nms p50", "e2e_ms_p95": "end to end\nms p95",
}  # fmt: skip


def _cell(found: IntervalEstimate | None, interval: bool) -> str:
    if found is None:
        return "—"
    text = formatting.number(found.value)
    if interval and found.low is not None and found.high is not None:
        text += f" [{formatting.number(found.low)}, {formatting.number(found.high)}]"
    return text
