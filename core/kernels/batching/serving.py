"""The interface of a server of several requests, and the simplest server. A server has a queue: `admit` never refuses,
and a request waits for a slot."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from core.kernels.decoding.sampling import Sampler
from core.spec.loaded_model import Decoder

Yield = list[tuple[int, list[int]]]  # requests with the tokens that each of them got


@dataclass(frozen=True)
class ServedRequest:
    """One request. `number` is unique among the requests served together."""

    number: int
    prompt: list[int]
    new_tokens: int
    sampler: Sampler


@dataclass
class Counts:
    """The counts of a server since `prepare`."""

    steps: int = 0
    served: int = 0  # requests that were being served, summed over the steps
    chunks: int = 0  # forward passes over a prompt or a part of one
    widest: int = 0  # most tokens of one step
    drafted: int = 0
    accepted: int = 0
    verify_steps: int = 0


class BatchServer(Protocol):
    """What the serving loop drives."""

    slots: int  # most requests that can be served at once
    begun: list[int]  # requests that got a slot in the last step
    counts: Counts

    def prepare(self, length: int) -> None:
        """Forget everything and make room for requests of at most `length` positions, answer included."""

    def admit(self, job: ServedRequest) -> None:
        """Put a request into the queue."""

    def ready(self) -> bool:
        """Return whether a step would do anything."""

    def start_anyway(self) -> None:
        """Start without waiting for further requests: none will arrive before one has ended."""

    def step(self) -> Yield:
        """Run one forward pass and return its new tokens; a request with all its tokens leaves its slot."""

    def kv_bytes(self) -> int:
        """Return the present bytes of the cache's tensors."""

    def cache_class(self) -> str:
        """Return the classes of the cache and its layers, with counts."""


class OneByOne:
    """Serves one request after the other through a decoder of any kind."""

    slots = 1

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        self.prepare(0)

    def prepare(self, length: int) -> None:
        self._waiting: deque[ServedRequest] = deque()
        self._job: ServedRequest | None = None
        self._left = 0
        self.begun: list[int] = []
        self.counts = Counts()

    def admit(self, job: ServedRequest) -> None:
        self._waiting.append(job)

    def ready(self) -> bool:
        return self._job is not None or bool(self._waiting)

    def start_anyway(self) -> None:
        pass

    def step(self) -> Yield:
        job, counts = self._job, self.counts
        self.begun = []
        if job is None:
            job = self._job = self._waiting.popleft()
            self.begun = [job.number]
            new = [self._decoder.start(job.prompt, job.new_tokens, job.sampler)]
            self._left = job.new_tokens
            counts.chunks += 1
            counts.widest = max(counts.widest, len(job.prompt))
        else:
            new = self._decoder.step()
        counts.steps += 1
        counts.served += 1
        self._left -= len(new)
        if self._left <= 0:
            counts.drafted += self._decoder.drafted
            counts.accepted += self._decoder.accepted
            counts.verify_steps += self._decoder.verify_steps
            self._job = None
        return [(job.number, new)]

    def kv_bytes(self) -> int:
        return self._decoder.kv_bytes()

    def cache_class(self) -> str:
        return self._decoder.cache_class()


def pick_rows(samplers: Sequence[Sampler], logits: Tensor) -> list[int]:
    """Return the next token of each row of logits [n, V], with one synchronization for all of them. A sampler that
    takes notes picks its row itself."""
    if all(type(s) is Sampler and s.greedy and s.forbidden == samplers[0].forbidden for s in samplers):
        return samplers[0].picks(logits)
    if all(type(s) is Sampler for s in samplers):
        return torch.stack([s.choose(row) for s, row in zip(samplers, logits, strict=True)]).tolist()
    return [sampler.pick(row) for sampler, row in zip(samplers, logits, strict=True)]
