"""No number parts from its unit at the end of a line, and all else may part."""

import pytest

from core.base.nonbreaking import tied


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("takes 0.43 times as long a step (MBU 69 → 73 %).", ["(MBU", "69_→_73_%)."]),
        ("reads 272 MB, 69 % of the measured 9.0 GB/s", ["272_MB,", "69_%", "9.0_GB/s"]),
        ("B needs 650 MiB. 3 engines stay", ["650_MiB.", "3", "engines"]),
        ("about 3 min 40 s left", ["3_min", "40_s", "left"]),
        ("2.31× faster [2.27, 2.36]", ["faster", "[2.27,_2.36]"]),
        ("green ≥ 97 %, amber < 0.05, k = 4", ["≥_97_%,", "<_0.05,", "k_=_4"]),
        ("第 4 轮之前", ["4_轮之前"]),
        ("14\u2009669 tok/s", ["14\u202f669_tok/s"]),
        ("5 seconds, 2 spaces, 3 Models", ["5", "seconds,", "2", "3"]),
    ],
)
def test_what_stays_together(text, groups):
    found = [part.replace("\u00a0", "_") for part in tied(text).split(" ")]
    assert all(group in found for group in groups), found
    assert tied(tied(text)) == tied(text)
