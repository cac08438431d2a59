"""The columns that say what a row was measured with: workload, recipe with parameters, machine, versions. With them a
table stands alone, and two exports can be combined and told apart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from core.machine.environment import Environment
from core.results import variant_letters
from core.spec.variant import Variant

if TYPE_CHECKING:
    from core.results.results import Results

LIBRARIES = ("torch", "transformers", "bitsandbytes", "torchao")  # whose versions have columns


def columns(results: Results, variant: Variant) -> dict[str, Any]:
    """Return the provenance columns of `core.analysis.comparison_row.Row`. Unknown ones are left out."""
    experiment, started = results.experiment, results.started
    assert experiment is not None
    work = experiment.workload
    places = variant_letters.recorded(results)
    return {
        "letter": variant_letters.letter(places[variant.name]) if variant.name in places else "",
        "settings": json.dumps(variant.dump() | {"name": variant.name}, ensure_ascii=False, sort_keys=True),
        "created": started.created if started is not None else "",
        "dyno_version": started.dyno_version if started is not None else "",
        "prompt_set": work.prompts,
        "input_tokens": work.prompt_tokens,
        "output_tokens": work.new_tokens,
        "temperature": work.temperature,
        "top_k": work.top_k,
        "top_p": work.top_p,
        "seed": work.seed,
        "arrival_rate": work.rate if work.arrival == "poisson" else None,
        **(_machine(results.environment) if results.environment is not None else {}),
    }


def _machine(environment: Environment) -> dict[str, Any]:
    versions = environment.versions
    return {
        "host": environment.hostname,
        "platform": environment.platform,
        "cpu": environment.cpu,
        "cpu_cores": environment.cores,
        "cpu_threads": environment.threads,
        "gpu": "; ".join(device.name for device in environment.devices),
        "python": environment.python,
        **{f"{name}_version": versions.get(name, "") for name in LIBRARIES},
    }
