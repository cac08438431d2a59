"""Finds what about a card touches every number measured on it."""

from __future__ import annotations

from collections.abc import Iterator

from core.base import formatting
from core.machine.environment import Device

#: Of a card's memory: less is what a driver and a console take.
IN_USE = 0.05
_SHOWN = 3  # holders


def pitfalls(device: Device) -> Iterator[tuple[str, str]]:
    """Yield each pitfall and the way out of it."""
    if device.used_bytes and device.used_bytes > IN_USE * device.memory_bytes:
        used, whole = formatting.size(device.used_bytes), formatting.size(device.memory_bytes)
        held = f" ({'; '.join(device.holders[:_SHOWN])})" if device.holders else ""
        text = f"{used} of {whole} are in use{held}: a model has the rest"
        yield text, "Close what needs the memory, or choose a smaller model."
    if device.display:
        yield (
            "a screen is attached: drawing takes its turn between steps",
            "Use another card for the screen, or leave the desktop alone while a run is measured.",
        )
    if device.wddm:
        yield (
            "Windows draws with it too (WDDM): launches are queued, and memory that does not fit moves to the "
            "machine's instead of being refused",
            "Set the card to TCC or MCDM where it can, or watch for the flag of a full memory.",
        )
    limit, usual = device.power_limit_w, device.power_limit_default_w
    if limit and usual and limit < 0.99 * usual:
        yield (
            f"its power is limited to {limit:.0f} W, {usual:.0f} W is usual: clocks are lower than others measure",
            f"Run sudo nvidia-smi -pl {usual:.0f}, or compare only under this limit.",
        )
