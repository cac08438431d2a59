"""When a repetition confirms a preset: the ratios within the margin, and a gate that is no worse."""

from __future__ import annotations

import pytest

from core.analysis.comparison_row import Row
from core.machine.environment import Environment
from core.model.receipt import Receipt
from core.presets.verification import change_of, judge

HERE = Environment(cpu="x")


def row(ratio: float | None = 1.5, **changes) -> Row:
    return Row(
        experiment="e", model="m", variant="v", status="ok", recipe="r", trials=4, speed_ratio=ratio, **changes
    )  # fmt: skip


@pytest.mark.parametrize(("now", "agrees"), [(1.5, True), (1.53, True), (1.6, False), (1.4, False)])
def test_log_ratios_are_compared_with_the_margin(now, agrees) -> None:
    done = judge(row(), row(now), HERE, [])
    assert done.agrees is done.confirmed is agrees
    assert done.words().startswith("confirmed" if agrees else "not confirmed")


def test_the_margin_is_the_same_in_both_directions() -> None:
    assert change_of(1.0, 1.03) == pytest.approx(change_of(1.03, 1.0)) == pytest.approx(0.03)
    assert judge(row(), row(1.6), HERE, [], 0.10).agrees


@pytest.mark.parametrize(
    ("then", "now", "holds"),
    [
        ("", "", True),  # never judged
        ("", "red", True),  # judged for the first time
        ("green", "green", True),
        ("green", "amber", False),
        ("amber", "green", True),
        ("amber", "amber", True),
        ("red", "red", True),  # as it was
        ("amber", "red", False),
        ("green", "", False),  # it was judged then, and could not be now
    ],
)
def test_the_gate_may_not_become_worse(then, now, holds) -> None:
    done = judge(row(gate=then), row(gate=now), HERE, [])
    assert done.gate_ok is done.confirmed is holds
    assert done.agrees


def test_figures_of_quality_without_a_gate_have_to_be_measured_again() -> None:
    assert not judge(row(kld_mean=0.01), row(), HERE, []).confirmed
    assert judge(row(kld_mean=0.01), row(kld_mean=0.01, gate="green"), HERE, []).confirmed


@pytest.mark.parametrize(
    ("then", "now", "holds"),
    [
        ({}, {"suite_lost": 3}, True),  # never run before
        ({"suite_lost": 1}, {"suite_lost": 1}, True),
        ({"suite_lost": 1}, {"suite_lost": 0}, True),
        ({"suite_lost": 1}, {"suite_lost": 2}, False),
        ({"suite_lost": 0}, {}, False),
        ({"interface_ok": True}, {"interface_ok": True}, True),
        ({"interface_ok": True}, {"interface_ok": False, "interface": "vocabulary: 320 → 319"}, False),
        ({"interface_ok": False}, {"interface_ok": False, "interface": "vocabulary: 320 → 319"}, True),
    ],
)
def test_prompts_that_are_lost_and_another_interface_are_regressions(then, now, holds) -> None:
    done = judge(row(**then), row(**now), HERE, [])
    assert done.confirmed is holds
    assert holds or "suite" in done.words() or "interface" in done.words()


def test_no_ratio_now_is_no_agreement_and_says_why() -> None:
    done = judge(row(), row(None, error="Out of memory", gate=""), HERE, [])
    assert not done.confirmed
    assert done.ratio_now is None
    assert "Out of memory" in done.words()


def test_a_strategy_that_no_longer_engages_confirms_nothing() -> None:
    proof = Receipt(slot="quantization", requested="int8", effective="fp32: 0 of 7 layers", matches=False)
    done = judge(row(), row(receipts=[proof]), HERE, [])
    assert done.agrees
    assert not done.confirmed
    assert "did not take effect: quantization: asked for int8, in effect fp32" in done.words()
    assert judge(row(), row(receipts=[proof.model_copy(update={"matches": True})]), HERE, []).confirmed


def test_what_is_noted_for_the_history() -> None:
    done = judge(row(gate="green", kld_mean=0.001), row(1.51, gate="green", kld_mean=0.002), HERE, ["torch: 1 → 2"])
    assert done.environment == HERE.fingerprint
    assert (done.ratio_then, done.ratio_now, done.kld_then, done.kld_now) == (1.5, 1.51, 0.001, 0.002)
    assert done.differs == ["torch: 1 → 2"]
    assert done.at.endswith("+00:00")


def test_a_wide_interval_is_said() -> None:
    wide = judge(row(), row(1.52, speed_ratio_low=1.3, speed_ratio_high=1.8), HERE, [])
    assert "wider than the margin" in wide.words()
    assert "wider" not in judge(row(), row(1.52, speed_ratio_low=1.51, speed_ratio_high=1.53), HERE, []).words()
