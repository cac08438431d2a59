"""The environment and the machine's limits as names and values, in groups."""

from __future__ import annotations

from collections.abc import Callable

from core.base import formatting
from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof
from core.spec.workload import Workload
from core.wording.recipe_text import parameter
from core.wording.translation import ENGLISH, Language

Rows = list[tuple[str, str]]
Say = Callable[[str], str]
#: Of fields of an environment, and of what else may differ from one set-up to another.
TITLES = {
    "cpu": "Processor",
    "cores": "Cores that can be used",
    "threads": "Threads of an engine",
    "cpu_features": "Instruction sets",
    "cpu_capability": "torch computes with",
    "kernels": "Libraries of torch",
    "governor": "Governor",
    "wait_policy": "Threads wait",
    "container_cpus": "Limit of the container",
    "cuda": "CUDA",
    "devices": "GPUs",
    "model": "Model",
}


def field_title(name: str, language: Language = ENGLISH) -> str:
    """Return the title of an environment or workload field; an unknown name is capitalized."""
    if name in TITLES:
        return language.said(TITLES[name])
    if name in Workload.model_fields:
        return parameter(name, Workload.model_fields[name], language)
    return formatting.capital(language.said(name.replace("_", " ")))


def groups(environment: Environment, language: Language = ENGLISH) -> list[tuple[str, Rows]]:
    """Return (title, rows) of each group; unreadable fields are left out."""
    say = language.said
    found = [
        (say(TITLES["cpu"]), _processor(environment, say)),
        (say("Memory"), _memory(environment, say)),
        (say(TITLES["devices"]), _gpus(environment, say)),
        (say("Versions"), sorted(environment.versions.items())),
        (say("System"), _system(environment, say)),
    ]
    return [(title, [row for row in rows if row[1]]) for title, rows in found]


def _processor(e: Environment, say: Say) -> Rows:
    return [
        (say("Name"), e.cpu),
        (say(TITLES["cores"]), str(e.cores)),
        (say(TITLES["threads"]), str(e.threads)),
        (say(TITLES["cpu_features"]), ", ".join(e.cpu_features)),
        (say(TITLES["cpu_capability"]), e.cpu_capability),
        (say(TITLES["governor"]), e.governor),
        (say("Highest clock"), f"{e.cpu_max_mhz:.0f} MHz" if e.cpu_max_mhz else ""),
        (say(TITLES["wait_policy"]), e.wait_policy),
        (say(TITLES["container_cpus"]), f"{e.container_cpus:g}" if e.container_cpus else ""),
    ]


def _memory(e: Environment, say: Say) -> Rows:
    return [
        (say("RAM"), formatting.size(e.ram_bytes or None)),
        (say("Free"), formatting.size(e.ram_available_bytes) if e.ram_available_bytes is not None else ""),
        (say("Limit of the container"), formatting.size(e.container_memory_bytes) if e.container_memory_bytes else ""),
        (say("Swap"), formatting.size(e.swap_bytes) if e.swap_bytes else ""),
        (say("Swap in use"), formatting.size(e.swap_used_bytes) if e.swap_used_bytes else ""),
    ]


def _gpus(e: Environment, say: Say) -> Rows:
    rows: Rows = []
    for device in e.devices:
        told = [formatting.size(device.memory_bytes)]
        told += [say(f"compute capability {device.capability}")] if device.capability else []
        told += [say(f"driver {device.driver}")] if device.driver else []
        told += [f"{device.power_limit_w:.0f} W"] if device.power_limit_w else []
        told += [f"{device.max_clock_mhz:.0f} MHz"] if device.max_clock_mhz else []
        rows.append((device.name, " · ".join(told)))
    if not rows:
        rows.append((say("GPU"), say("none that torch can use")))
    rows += [(say(TITLES["cuda"]), e.cuda), (say("NVIDIA driver"), e.nvidia_driver)]
    return rows


def _system(e: Environment, say: Say) -> Rows:
    return [
        (say("Host"), e.hostname),
        (say("System"), e.platform),
        ("Python", e.python),
        (say("C++ compiler"), e.compiler or say("none: no compilation")),
        (say(TITLES["kernels"]), ", ".join(e.kernels)),
        (say("Commit of Dyno"), e.git_commit),
    ]


def measured(machine: MachineRoof, language: Language = ENGLISH) -> Rows:
    """Return the machine's measured limits as rows."""
    say = language.said
    rows: Rows = [(say("Memory bandwidth"), f"{machine.bandwidth / 1e9:.1f} GB/s")]
    rows += [
        (say(f"Largest products, {kind}"), f"{formatting.number(peak / 1e12)} TFLOP/s")
        for kind, peak in machine.peaks.items()
    ]
    if machine.operation_s:
        rows.append((say("Starting a small operation"), f"{machine.operation_s * 1e6:.2f} µs"))
    if machine.llc_bytes:
        rows.append((say("Last-level cache"), formatting.size(machine.llc_bytes)))
    rows.append((say("Threads"), str(machine.threads)))
    if machine.measured:
        rows.append((say("Measured"), machine.measured[:16].replace("T", " ") + " UTC"))
    return rows


def as_text(environment: Environment, machine: MachineRoof | None, language: Language = ENGLISH) -> str:
    """Return all rows as lines, for the clipboard."""
    parts = groups(environment, language)
    if machine is not None:
        parts.append((language.said("Measured on this machine"), measured(machine, language)))
    return "\n\n".join(title + "\n" + "\n".join(f"{name}: {value}" for name, value in rows) for title, rows in parts)
