"""`dyno run`, `demo` and `show`: measure an experiment, continue a run, replay a run."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from core.analysis.compare import compare
from core.base.files import check_writable
from core.cli import load, run_display
from core.cli.literal_text import literal
from core.cli.shared import AddCommand, Invalid, check_model, console, follow, written
from core.model.receipt import JsonValue
from core.protocol import events
from core.protocol.engine_command import parse_command
from core.protocol.engine_pool import EnginePool
from core.report import html_report, peer_benchmarks, table_export
from core.results.journal import open_results
from core.results.results import Results
from core.run import continuation
from core.run.run import Run
from core.spec import demo_experiment
from core.spec import experiment as spec
from core.wording import translation


def add_to(command: AddCommand) -> None:
    for name, do, text in (
        ("run", _run, "Run an experiment file."),
        ("demo", _demo, "Run the starter comparison on the demo model."),
    ):
        sub = command(name, do, text)
        if name == "run":
            sub.add_argument("file", type=Path, metavar="FILE.toml", nargs="?")
            more = "go on with this run instead: what is missing of it, or --rounds more"
            sub.add_argument("--resume", type=Path, metavar="DIR", help=more)
            sub.add_argument("--rounds", type=int, metavar="N", help="with --resume: so many more rounds")
            only = "with --resume: only this variant, and the baseline beside it; may be given several times"
            judge = "with --resume: judge the quality of what was measured, and measure no round"
            sub.add_argument("--quality", action="store_true", help=judge)
            sweep = "a run for each value of concurrency, rate or prompt_tokens, as concurrency=1,2,4,8; into DIR/VALUE"
            sub.add_argument("--sweep", metavar="FIELD=VALUES", help=sweep)
            sub.add_argument("--only", action="append", default=[], metavar="VARIANT", help=only)
        sub.add_argument("--out", type=Path, metavar="DIR", help="folder of the results; it must not hold a run yet")
        sub.add_argument("--csv", type=Path, metavar="FILE", help="also write the comparison there as CSV")
        sub.add_argument("--json", type=Path, metavar="FILE", help="also write the comparison there as JSON")
        _add_report(sub)
        sub.add_argument("--engine", metavar="COMMAND", help="command that starts an engine, or a Python")
        until = "go on until every 95 %% interval is at most this many per cent to either side"
        sub.add_argument("--until", type=float, metavar="PCT", help=until)
        sub.add_argument("--budget", type=float, metavar="S", help="seconds of measuring, at most")
    show = command("show", _show, "Print the comparison of a finished or interrupted run.")
    show.add_argument("folder", type=Path, metavar="DIR")
    show.add_argument("--csv", type=Path, metavar="FILE")
    show.add_argument("--json", type=Path, metavar="FILE")
    _add_report(show)
    show.add_argument("--memory", action="store_true", help="also peaks by name and phase, and the estimate")
    show.add_argument("--memory-csv", type=Path, metavar="FILE", help="also write memory over time there")
    show.add_argument(
        "--as",
        dest="peer",
        choices=sorted(peer_benchmarks.PEERS),
        help="also latencies and rates as that benchmark defines them",
    )


def _add_report(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--html", type=Path, metavar="FILE", help="also write a report there, one page with figures")
    which = "of the report, if not that of the system: en or zh_CN"
    sub.add_argument("--language", choices=translation.CODES, metavar="CODE", help=which)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.resume is not None:
        return _resume(arguments)
    if arguments.file is None:
        raise Invalid("dyno run takes a FILE.toml, or --resume DIR with the folder of a run")
    if arguments.rounds is not None or arguments.only or arguments.quality:
        raise Invalid("--rounds, --only and --quality go with --resume; a new run has all of that in its file")
    experiment = _with_options(spec.read_toml(arguments.file), arguments)
    if arguments.sweep is not None:
        return _sweep(experiment, arguments)
    return _measure(experiment, arguments)


def _sweep(experiment: spec.Experiment, arguments: argparse.Namespace) -> int:
    """Measure one run per load and return the exit status."""
    given = {"--csv": arguments.csv, "--json": arguments.json, "--html": arguments.html}
    if wrong := [name for name, value in given.items() if value is not None]:
        raise Invalid(f"{', '.join(wrong)}: of one run; a sweep writes load_curve.csv and a folder for each run")
    command = _engine_command(arguments.engine)
    if command is None:
        check_model(experiment.model)

    def measure(one: spec.Experiment, folder: Path, settings: dict[str, JsonValue]) -> tuple[Results, int]:
        pool = EnginePool(command)
        run = Run(one, pool, folder, settings, unload=True)
        results = follow(run, pool)
        return results, _report(results, run, arguments) if results.began else 2

    return load.run_sweep(experiment, arguments.sweep, arguments.out, measure)


def _resume(arguments: argparse.Namespace) -> int:
    """Measure more rounds of a finished run in the same folder and return the exit status."""
    given = {
        "FILE.toml": arguments.file,
        "--out": arguments.out,
        "--until": arguments.until,
        "--sweep": arguments.sweep,
    }
    wrong = [name for name, value in {**given, "--budget": arguments.budget}.items() if value is not None]
    if wrong:
        raise Invalid(f"{', '.join(wrong)}: a run that goes on has this already; leave it out beside --resume")
    _check_targets(arguments)
    results = open_results(arguments.resume)
    if arguments.quality:
        if arguments.rounds is not None or arguments.only:
            raise Invalid("--quality judges what was measured: leave --rounds and --only out beside it")
        asked = results.experiment.quality if results.experiment is not None else None
        before = continuation.judgement(results, arguments.resume, asked or spec.QualitySettings())
    else:
        before = continuation.plan(results, arguments.resume, arguments.rounds, arguments.only)
    pool = EnginePool(_engine_command(arguments.engine))
    if not arguments.engine:
        try:
            check_model(before.experiment.model)
        except Invalid as error:
            moved = f" {continuation.MOVED}" if continuation.is_gone(before.experiment.model) else ""
            raise Invalid(f"{error}{moved}") from None
    run = Run.more(before, pool, unload=True)
    follow(run, pool, results)
    return _report(results, run, arguments) if run.recorded else 2  # it was said why


def _demo(arguments: argparse.Namespace) -> int:
    return _measure(_with_options(demo_experiment.experiment(), arguments), arguments)


def _with_options(experiment: spec.Experiment, arguments: argparse.Namespace) -> spec.Experiment:
    """Return the experiment with the command line's duration options applied. Raises SpecError."""
    given = {"until_pct": arguments.until, "budget_s": arguments.budget}
    given = {name: value for name, value in given.items() if value is not None}
    data = experiment.dump()
    return spec.parse({**data, "workload": {**data["workload"], **given}}) if given else experiment


def _measure(experiment: spec.Experiment, arguments: argparse.Namespace) -> int:
    _check_targets(arguments)
    pool = EnginePool(_engine_command(arguments.engine))
    if not arguments.engine:
        check_model(experiment.model)
    run = Run(experiment, pool, arguments.out, unload=True)
    results = follow(run, pool)
    return _report(results, run, arguments) if results.began else 2  # it was said why


def _report(results: Results, run: Run, arguments: argparse.Namespace) -> int:
    """Print the outcome, write the requested files, and return the exit status."""
    run_display.report(results, run.folder, console)
    comparison = compare(results)
    own = {
        "comparison.csv": partial(table_export.write_comparison, comparison),
        "metrics.csv": partial(table_export.write_metrics, results, comparison),
        "trials.csv": partial(table_export.write_trials, results),
    }
    wrote = [written(run.folder / name, write) for name, write in own.items()]
    done = all(wrote)  # every one is tried
    if done:
        console.print(literal(f"CSV: {', '.join(str(run.folder / name) for name in own)}"), soft_wrap=True)
    done &= _write_extra(results, arguments)
    return _status(results) if done else 1


def _status(results: Results) -> int:
    rows = compare(results).variants
    return 0 if results.finished and results.finished.status == "ok" and all(r.status == "ok" for r in rows) else 1


def _engine_command(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    try:
        return parse_command(text)
    except ValueError as error:
        raise Invalid(f"--engine: {error}") from None


def _check_targets(arguments: argparse.Namespace) -> None:
    """Check before the run that every output path can be written. Raises Invalid."""
    for path in (arguments.csv, arguments.json, arguments.html):
        if path is not None:
            try:
                check_writable(path)
            except (OSError, ValueError) as error:
                raise Invalid(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _write_extra(results: Results, arguments: argparse.Namespace) -> bool:
    comparison = compare(results)
    targets = ((arguments.csv, table_export.write_comparison), (arguments.json, table_export.write_json))
    done = [written(path, partial(write, comparison)) for path, write in targets if path is not None]
    if arguments.html is not None:
        spoken = translation.language(arguments.language or translation.of_system())
        done.append(written(arguments.html, partial(html_report.write, results, language=spoken)))
    asked = [path for path in (arguments.csv, arguments.json, arguments.html) if path is not None]
    if kept := [str(path) for path, wrote in zip(asked, done, strict=True) if wrote]:
        console.print(literal(f"Written: {', '.join(kept)}"), soft_wrap=True)
    return all(done)  # every one is tried


def _show(arguments: argparse.Namespace) -> int:
    if runs := load.runs_of_sweep(arguments.folder):
        return load.show_sweep(runs)
    _check_targets(arguments)
    results = open_results(arguments.folder)
    for entry in results.log:
        if isinstance(entry, events.Log) and entry.variant is None and entry.level != "info":
            console.print(literal(entry.text, "yellow"), soft_wrap=True)
    run_display.report(results, arguments.folder, console)
    if arguments.memory:
        run_display.memory(results, console)
    if arguments.peer:
        run_display.as_peer(results, arguments.peer, console)
    done = _write_extra(results, arguments)
    if arguments.memory_csv is not None:
        done &= written(arguments.memory_csv, partial(table_export.write_memory, results))
    return _status(results) if done else 1
