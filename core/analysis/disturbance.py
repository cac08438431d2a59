"""Decides whether a variant's times are its own: which flags of a trial mean that other processes took a part of the
machine, and from how many rounds on a verdict must say so."""

from __future__ import annotations

from collections.abc import Iterable

from core.analysis.comparison_row import Row

#: How flags begin that say that others had a part of the machine, or that it slowed down by itself.
DISTURBANCES = (
    "foreign CPU",
    "CPU steal",
    "CPU throttled",
    "throttled",
    "clock ",
    "swap",
    "other processes on the GPU",
    "GPU memory full",
    "the machine slept",
)


def disturbed(flags: Iterable[str]) -> bool:
    """Return whether any of a trial's flags means a disturbance."""
    return any(flag.startswith(DISTURBANCES) for flag in flags)


def disturbance(row: Row) -> str:
    """Return the flag that makes the row's step times doubtful, or an empty string."""
    return next((f for f in row.flags.split("; ") if f.startswith(DISTURBANCES)), "")


def noisy(row: Row) -> bool:
    """Return whether most rounds behind a row's figures were disturbed. Interleaving spreads a disturbance over all
    variants, but unevenly: the interval is then wide and centred on the busy machine."""
    return 2 * (row.rounds_disturbed or 0) > max(row.rounds_paired, row.trials if not row.rounds_paired else 0, 1)


def counted(row: Row) -> str:
    """Return the disturbed rounds as text, `4 of 5 rounds`."""
    return f"{row.rounds_disturbed or 0} of {row.rounds_paired or row.trials} rounds"
