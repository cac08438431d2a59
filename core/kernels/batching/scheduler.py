"""The scheduler of continuous batching: which tokens of which requests the next forward pass computes. It has no
tensors, so that its decisions can be tested, and simulated, without a model.

A pass is one flat line of tokens: first the newest token of every decoding sequence, then chunks of the prompts still
to be read, first come first, as many tokens as the budget leaves room for.

Sources: Orca, Yu et al. 2022; chunked prefill, Agrawal et al. 2023 (Sarathi).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.kernels.batching.serving import ServedRequest, Yield


@dataclass
class Sequence:
    """A request in a slot: positions of its prompt in the cache, tokens of its answer, the newest of them."""

    request: ServedRequest
    read: int = 0
    generated: int = 0
    last: int = 0

    @property
    def decoding(self) -> bool:
        """Whether its prompt has been read."""
        return self.generated > 0


@dataclass
class Chunk:
    """Positions `start` to `stop` of the prompt in one slot; in the line they begin at `at`."""

    slot: int
    start: int
    stop: int
    at: int


@dataclass
class Schedule:
    """One pass: a token for each of the decoding `slots`, whose contexts have `lengths` positions including it, then
    the chunks. `ids` and `positions` are the line; at its places `ends` stand the tokens whose logits are needed, for
    the slots `served`."""

    slots: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    served: list[int] = field(default_factory=list)


class Scheduler:
    """Assigns waiting requests to slots, and schedules passes of at most `token_budget` tokens. Raises ValueError for a
    budget that does not exceed the slots: prompts could starve."""

    def __init__(self, slots: int, token_budget: int) -> None:
        if token_budget <= slots:
            raise ValueError(f"a token budget of {token_budget} leaves no room for prompts beside {slots} slots")
        self.token_budget = token_budget
        self._waiting: deque[ServedRequest] = deque()
        self._sequences: list[Sequence | None] = [None] * slots
        self._prompts: list[int] = []  # slots whose prompts are being read, first come first
        self.begun: list[int] = []  # numbers of the requests that got a slot in the last pass

    def admit(self, request: ServedRequest) -> None:
        """Put a request into the queue."""
        self._waiting.append(request)

    @property
    def ready(self) -> bool:
        """Whether any request waits or is served."""
        return bool(self._waiting) or any(self._sequences)

    @property
    def running(self) -> int:
        """The number of requests in slots."""
        return sum(sequence is not None for sequence in self._sequences)

    def schedule(self) -> Schedule:
        """Return the next pass, after free slots were given to waiting requests."""
        self._fill()
        made = Schedule()
        for slot, sequence in enumerate(self._sequences):
            if sequence is not None and sequence.decoding:
                made.slots.append(slot)
                made.ids.append(sequence.last)
                made.positions.append(len(sequence.request.prompt) + sequence.generated - 1)
        made.lengths = [p + 1 for p in made.positions]
        made.ends, made.served = list(range(len(made.slots))), list(made.slots)
        for slot in self._prompts:
            sequence, at = self.sequence(slot), len(made.ids)
            prompt = sequence.request.prompt
            count = min(self.token_budget - at, len(prompt) - sequence.read)
            if count <= 0:
                break
            stop = sequence.read + count
            made.chunks.append(Chunk(slot, sequence.read, stop, at))
            made.ids.extend(prompt[sequence.read : stop])
            made.positions.extend(range(sequence.read, stop))
            if stop == len(prompt):
                made.ends.append(at + count - 1)
                made.served.append(slot)
        return made

    def update(self, done: Schedule, tokens: list[int]) -> Yield:
        """Record a pass and the tokens of its `served` slots; return them by request. A request with all its tokens
        leaves its slot."""
        for chunk in done.chunks:
            self.sequence(chunk.slot).read = chunk.stop
        new: Yield = []
        for slot, token in zip(done.served, tokens, strict=True):
            sequence = self.sequence(slot)
            sequence.last = token
            sequence.generated += 1
            new.append((sequence.request.number, [token]))
            if slot in self._prompts:
                self._prompts.remove(slot)
            if sequence.generated >= sequence.request.new_tokens:
                self._sequences[slot] = None
        return new

    def sequence(self, slot: int) -> Sequence:
        """Return the sequence in a slot in use."""
        found = self._sequences[slot]
        assert found is not None
        return found

    def _fill(self) -> None:
        """Give free slots to waiting requests, the lowest first: a pass reaches up to the highest slot in use."""
        self.begun = []
        for slot, sequence in enumerate(self._sequences):
            if sequence is None and self._waiting:
                request = self._waiting.popleft()
                self._sequences[slot] = Sequence(request)
                self._prompts.append(slot)
                self.begun.append(request.number)
