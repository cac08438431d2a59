"""What `dyno check` says of a card."""

from typing import Any

import pytest

from core.feasibility.environment_check import check
from core.machine.environment import Device, Environment

GIB = 1 << 30


def said(**fields: Any) -> list[str]:
    card = Device(name="RTX", uuid="u", memory_bytes=8 * GIB, capability="8.9", **fields)
    found = [f for f in check(Environment(devices=[card])) if f.about == "RTX"]
    assert all(f.level == "machine" and f.hint and not f.prevents for f in found)
    return [f.text for f in found]


def test_a_card_that_is_free_has_none():
    assert said() == []
    assert said(used_bytes=300 << 20, power_limit_w=320.0, power_limit_default_w=320.0) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"used_bytes": 5 * GIB, "holders": ["python, 4.00 GiB", "a", "b", "c"]}, "(python, 4.00 GiB; a; b)"),
        ({"used_bytes": 5 * GIB}, "5.00 GiB of 8.00 GiB are in use"),
        ({"display": True}, "a screen is attached"),
        ({"wddm": True}, "WDDM"),
        ({"power_limit_w": 250.0, "power_limit_default_w": 320.0}, "250 W, 320 W is usual"),
    ],
)
def test_each_pitfall_is_said_with_its_figures(fields: dict[str, Any], words: str):
    (found,) = said(**fields)
    assert words in found
