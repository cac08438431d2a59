"""What the roofline says of a variant in words agrees with what the row and its flags allow to say."""

from __future__ import annotations

import pytest

from core.analysis import roofline_text
from core.analysis.comparison_row import Row
from core.analysis.disturbance import disturbance

ROW = Row(
    experiment="e", model="m", variant="int8", status="ok", recipe="int8", trials=5, bound="kernel", mbu_pct=29.0,
    mfu_pct=4.5,
)  # fmt: skip


def test_a_disturbed_step_is_not_put_down_to_its_kernels() -> None:
    disturbed = ROW.model_copy(update={"flags": "foreign CPU 162 % (5 of 5 trials)"})
    assert disturbance(disturbed)
    assert roofline_text.answer(ROW) == "int8 is bound by its kernels: 29 % of the bandwidth, 4.5 % of the peak."
    assert "cannot be told" in roofline_text.answer(disturbed)
    assert (roofline_text.bound(ROW), roofline_text.bound(disturbed)) == ("kernels", "—")


@pytest.mark.parametrize("bound", ["bandwidth", "compute", "launch"])
def test_what_accounts_for_half_of_a_disturbed_step_is_said_all_the_same(bound: str) -> None:
    disturbed = ROW.model_copy(update={"bound": bound, "flags": "foreign CPU 162 % (5 of 5 trials)"})
    assert roofline_text.answer(disturbed) == roofline_text.answer(ROW.model_copy(update={"bound": bound}))
