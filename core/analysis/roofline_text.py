"""Describes a variant's place under the roofline in words."""

from __future__ import annotations

from core.analysis.comparison_row import Row
from core.analysis.disturbance import disturbance
from core.base import formatting
from core.machine.machine_roof import MachineRoof

#: The binding part of a step, as the column names it.
BOUNDS = {"bandwidth": "bandwidth", "compute": "computing", "launch": "launching", "kernel": "kernels"}


def bound(row: Row) -> str:
    return BOUNDS[row.bound] if row.bound in BOUNDS and not _hidden(row) else "—"


def answer(row: Row) -> str:
    """Return what binds a variant, with the figure that shows it."""
    name, mbu, mfu = row.variant, formatting.number(row.mbu_pct, 2), formatting.number(row.mfu_pct, 2)
    if _hidden(row):
        return f"What binds {name} cannot be told: its trials were disturbed."
    match row.bound:
        case "bandwidth":
            return f"{name} is bound by memory: it uses {mbu} % of the measured bandwidth."
        case "compute":
            return f"{name} is bound by computing: {mfu} % of the measured peak."
        case "launch":
            return f"{name} waits for launches: {mbu} % of the measured bandwidth."
        case "kernel":
            return f"{name} is bound by its kernels: {mbu} % of the bandwidth, {mfu} % of the peak."
    return f"Where {name} stands is not known."


def _hidden(row: Row) -> bool:
    """Return whether the unexplained part of a step may be due to other processes, since no bound accounts for it."""
    return row.bound == "kernel" and bool(disturbance(row))


def bandwidth(machine: MachineRoof) -> str:
    """Return the bandwidth as text, `21.3 GB/s`."""
    return f"{formatting.number(machine.bandwidth / 1e9)} GB/s"


def rate(flops: float) -> str:
    """Return FLOP/s as text, `412 GFLOP/s` or `1.52 TFLOP/s`."""
    return (
        f"{formatting.number(flops / 1e12)} TFLOP/s" if flops >= 1e12 else f"{formatting.number(flops / 1e9)} GFLOP/s"
    )


def measured_on(machine: MachineRoof) -> str:
    """Return a sentence with the machine's bandwidth and name."""
    if machine.device == "cpu":
        return f"{bandwidth(machine)} measured on this CPU"
    return f"{bandwidth(machine)} measured on {machine.device}"


def method(machine: MachineRoof) -> str:
    """Return a sentence about how, where and when the machine was measured."""
    parts = [
        "Filled: decode, hollow: prompt",
        measured_on(machine),
    ]
    if machine.measured:
        parts.append(machine.measured[:10])
    if not machine.quiet:
        parts.append("others used the machine meanwhile, so the roof may be too low")
    return " · ".join(parts)
