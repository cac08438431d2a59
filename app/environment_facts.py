"""The machine in full, as names and values by group: what every result is stamped with, and what the machine can do.
Knows the fields of an environment; asks nobody.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from core import words
from core.environment import Environment
from core.machine import Machine

Rows = list[tuple[str, str]]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Environment", text)


def groups(environment: Environment) -> list[tuple[str, Rows]]:
    """(title, rows) each; what could not be read is not there."""
    found = [
        (_tr("Processor"), _processor(environment)),
        (_tr("Memory"), _memory(environment)),
        (_tr("GPUs"), _gpus(environment)),
        (_tr("Versions"), sorted(environment.versions.items())),
        (_tr("System"), _system(environment)),
    ]
    return [(title, [row for row in rows if row[1]]) for title, rows in found]


def _processor(e: Environment) -> Rows:
    return [
        (_tr("Name"), e.cpu),
        (_tr("Cores that can be used"), str(e.cores)),
        (_tr("Threads of an engine"), str(e.threads)),
        (_tr("Instruction sets"), ", ".join(e.cpu_features)),
        (_tr("torch computes with"), e.cpu_capability),
        (_tr("Governor"), e.governor),
        (_tr("Highest clock"), f"{e.cpu_max_mhz:.0f} MHz" if e.cpu_max_mhz else ""),
        (_tr("Threads wait"), e.wait_policy),
        (_tr("Limit of the container"), f"{e.container_cpus:g}" if e.container_cpus else ""),
    ]


def _memory(e: Environment) -> Rows:
    return [
        (_tr("RAM"), words.size(e.ram_bytes or None)),
        (_tr("Free"), words.size(e.ram_available_bytes) if e.ram_available_bytes is not None else ""),
        (_tr("Limit of the container"), words.size(e.container_memory_bytes) if e.container_memory_bytes else ""),
        (_tr("Swap"), words.size(e.swap_bytes) if e.swap_bytes else ""),
        (_tr("Swap in use"), words.size(e.swap_used_bytes) if e.swap_used_bytes else ""),
    ]


def _gpus(e: Environment) -> Rows:
    rows: Rows = []
    for device in e.devices:
        told = [words.size(device.memory_bytes)]
        told += [_tr("compute capability {x}").format(x=device.capability)] if device.capability else []
        told += [_tr("driver {x}").format(x=device.driver)] if device.driver else []
        told += [f"{device.power_limit_w:.0f} W"] if device.power_limit_w else []
        told += [f"{device.max_clock_mhz:.0f} MHz"] if device.max_clock_mhz else []
        rows.append((device.name, " · ".join(told)))
    if not rows:
        rows.append((_tr("GPU"), _tr("none that torch can use")))
    rows += [(_tr("CUDA"), e.cuda), (_tr("NVIDIA driver"), e.nvidia_driver)]
    return rows


def _system(e: Environment) -> Rows:
    return [
        (_tr("Host"), e.hostname),
        (_tr("System"), e.platform),
        ("Python", e.python),
        (_tr("C++ compiler"), e.compiler or _tr("none: no compilation")),
        (_tr("Libraries of torch"), ", ".join(e.kernels)),
        (_tr("Commit of Dyno"), e.git_commit),
    ]


def measured(machine: Machine) -> Rows:
    """What the machine can do."""
    rows: Rows = [(_tr("Memory bandwidth"), f"{machine.bandwidth / 1e9:.1f} GB/s")]
    rows += [
        (_tr("Largest products, {type}").format(type=kind), f"{words.number(peak / 1e12)} TFLOP/s")
        for kind, peak in machine.peaks.items()
    ]
    if machine.operation_s:
        rows.append((_tr("Starting a small operation"), f"{machine.operation_s * 1e6:.2f} µs"))
    if machine.llc_bytes:
        rows.append((_tr("Last-level cache"), words.size(machine.llc_bytes)))
    rows.append((_tr("Threads"), str(machine.threads)))
    if machine.measured:
        rows.append((_tr("Measured"), machine.measured[:16].replace("T", " ") + " UTC"))
    return rows


def as_text(environment: Environment, machine: Machine | None) -> str:
    """All of it, a line each, for the clipboard."""
    parts = [*groups(environment), *([(_tr("Measured on this machine"), measured(machine))] if machine else [])]
    return "\n\n".join(title + "\n" + "\n".join(f"{name}: {value}" for name, value in rows) for title, rows in parts)
