"""`dyno env`: prints the environment, or measures the machine's limits."""

from __future__ import annotations

import argparse
from typing import Any

from rich.text import Text

from core.base import formatting
from core.cli import roofline_display, shared
from core.cli.literal_text import literal
from core.cli.shared import AddCommand, console
from core.protocol.engine_pool import EnginePool


def add_to(command: AddCommand) -> None:
    sub = command("env", _env, "Print the environment that results are stamped with.")
    sub.add_argument("--json", action="store_true")
    sub.add_argument(
        "--measure", action="store_true", help="measure bandwidth and peaks now, keep and print them; seconds"
    )


def _env(arguments: argparse.Namespace) -> int:
    if arguments.measure:
        return _env_measure(arguments)
    environment = shared.environment()
    if arguments.json:
        print(environment.model_dump_json(indent=2))
        return 0
    for name, value in environment.model_dump(mode="json", exclude={"devices"}).items():
        console.print(Text.assemble((f"{name:27}", "bold"), literal(_shown(name, value))), soft_wrap=True)
    for number, device in enumerate(environment.devices):
        for name, value in device.model_dump(mode="json").items():
            console.print(
                Text.assemble((f"device {number} {name:18}", "bold"), literal(_shown(name, value))), soft_wrap=True
            )
    console.print(Text.assemble((f"{'fingerprint':27}", "bold"), environment.fingerprint), soft_wrap=True)
    return 0


def _env_measure(arguments: argparse.Namespace) -> int:
    pool = EnginePool()
    try:
        machine = pool.machine()
    finally:
        pool.close()
    if arguments.json:
        print(machine.model_dump_json(indent=2))
    else:
        console.print(roofline_display.machine(machine))
    return 0


def _shown(name: str, value: Any) -> str:
    """Return an environment field in words; n/a, never 0, if it is not readable."""
    if value in (None, "", [], {}):
        return "n/a"
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return formatting.size(value) if name.endswith("_bytes") else str(value)
