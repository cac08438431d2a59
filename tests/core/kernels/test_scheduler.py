"""The scheduler of continuous batching, without a model."""

import subprocess
import sys
from dataclasses import dataclass, field

import pytest

from core.kernels.batching.scheduler import Scheduler


@dataclass
class Request:
    number: int
    length: int
    new_tokens: int
    prompt: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.prompt = [100 * self.number + i for i in range(self.length)]


def test_it_needs_no_torch():
    code = "import sys, core.kernels.batching.scheduler; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_decoding_comes_first_and_prompts_share_what_the_budget_leaves():
    scheduler = Scheduler(slots=2, token_budget=5)
    for request in (Request(1, 4, 3), Request(2, 7, 2), Request(3, 2, 1)):
        scheduler.admit(request)
    first = scheduler.schedule()
    assert scheduler.begun == [1, 2]
    assert first.ids == [100, 101, 102, 103, 200]
    assert first.positions == [0, 1, 2, 3, 0]
    assert (first.ends, first.served) == ([3], [0])  # only the first prompt ends in this pass
    assert scheduler.update(first, [7]) == [(1, [7])]
    second = scheduler.schedule()
    assert second.slots == [0]
    assert second.lengths == [5]
    assert second.ids == [7, 201, 202, 203, 204]
    assert second.served == [0]
    scheduler.update(second, [8])
    third = scheduler.schedule()
    assert third.ids == [8, 205, 206]
    assert (third.ends, third.served) == ([0, 2], [0, 1])
    assert scheduler.update(third, [9, 5]) == [(1, [9]), (2, [5])]
    assert scheduler.running == 1  # the first request has its three tokens
    fourth = scheduler.schedule()
    assert scheduler.begun == [3]
    assert (fourth.slots, fourth.ids) == ([1], [5, 300, 301])
    assert fourth.chunks[0].slot == 0  # the lowest free slot
    scheduler.update(fourth, [6, 4])
    assert not scheduler.ready


def test_every_request_gets_its_tokens_whatever_the_budget():
    for slots, budget in ((1, 2), (3, 4), (4, 64)):
        scheduler, wanted = Scheduler(slots, budget), {n: 1 + n % 4 for n in range(9)}
        for number, count in wanted.items():
            scheduler.admit(Request(number, 1 + 3 * number % 11, count))
        got = dict.fromkeys(wanted, 0)
        while scheduler.ready:
            scheduled = scheduler.schedule()
            assert 0 < len(scheduled.ids) <= budget
            for number, tokens in scheduler.update(scheduled, [1] * len(scheduled.served)):
                got[number] += len(tokens)
        assert got == wanted


def test_a_budget_must_leave_room_for_prompts():
    with pytest.raises(ValueError, match="a token budget of 3 leaves no room for prompts beside 3 slots"):
        Scheduler(3, 3)
