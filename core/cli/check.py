"""`dyno check`: prints the obstacles of this machine, before anything is loaded."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from core.cli import run_display
from core.cli.shared import AddCommand, console, engine_is_elsewhere, environment
from core.feasibility.environment_check import Finding, check
from core.model.finder import resolve
from core.model.model_error import ModelError
from core.spec import experiment as spec


def add_to(command: AddCommand) -> None:
    sub = command(
        "check", _check, "Say what is missing, too old or in the way on this machine, before anything is loaded."
    )
    sub.add_argument("file", type=Path, metavar="FILE.toml", nargs="?", help="only what this experiment needs")
    sub.add_argument("--json", action="store_true")


def _model(experiment: spec.Experiment) -> tuple[int | None, list[Finding]]:
    """Return the model's context length, and the findings about a model that cannot be measured. None without a
    readable model."""
    try:
        return None if engine_is_elsewhere() else resolve(experiment.model).context, []
    except ModelError as error:
        return None, [Finding(level="missing", about="model", text=str(error), hint=error.hint)]


def _check(arguments: argparse.Namespace) -> int:
    """Print the findings; return exit 1 if the experiment cannot run here. Without a file every strategy is listed, and
    only the engine's own requirements decide the exit status."""
    experiment = spec.read_toml(arguments.file) if arguments.file else None
    context, unusable = _model(experiment) if experiment else (None, [])
    found = unusable + check(environment(), experiment, context)
    counted = [f for f in found if f.prevents and (experiment is not None or " " not in f.about)]
    if arguments.json:
        print(json.dumps([f.model_dump() for f in found], indent=2, ensure_ascii=False))
    else:
        run_display.say_findings(found, console)
        if not found:
            console.print("Nothing stands in the way.")
    return 1 if counted else 0
