"""Whether a variant's times are its own: which flags of a trial say that others had a part of the machine, and when so
many rounds carry one that a verdict has to say so."""

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
    "the machine slept",
)


def disturbed(flags: Iterable[str]) -> bool:
    """Return whether any flag of a trial says so."""
    return any(flag.startswith(DISTURBANCES) for flag in flags)


def disturbance(row: Row) -> str:
    """Return the flag of a row whose step times are not its own alone, or nothing."""
    return next((f for f in row.flags.split("; ") if f.startswith(DISTURBANCES)), "")


def noisy(row: Row) -> bool:
    """Return whether most of the rounds behind a row's figures were disturbed. Interleaving spreads what others take
    over all variants, but not evenly: such an interval is wide, and what it is centred on is the busy machine."""
    return 2 * (row.rounds_disturbed or 0) > max(row.rounds_paired, row.trials if not row.rounds_paired else 0, 1)


def counted(row: Row) -> str:
    """`4 of 5 rounds`."""
    return f"{row.rounds_disturbed or 0} of {row.rounds_paired or row.trials} rounds"
