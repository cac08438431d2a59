"""Requests in fixed batches: wait until the batch is full, run until all of it is done.

Prompts of unequal length are padded on the left, so that the newest token of every row is in the last column. A
finished row is computed on, and dropped, until the longest is done. If padding would change a row (usually by entering
a recurrent state), a batch has prompts of one length.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import torch
from torch import Tensor

from core.kernels.batching.serving import Counts, ServedRequest, Yield, pick_rows
from core.kernels.caches import caches
from core.kernels.checks import agreement
from core.kernels.decoding.sampling import Sampler


class StaticBatch:
    def __init__(self, model: Any, make_cache: caches.MakeCache, size: int) -> None:
        self.slots = size
        self._model = model
        self._make_cache = make_cache
        self._cache_name, _ = caches.forward_arguments(model)
        self._keep = caches.keeper(model)
        self._device = next(model.parameters()).device
        self._takes_positions = caches.takes_positions(model)
        self.cache: Any = None
        self.even = False  # whether all prompts of a batch have to be of one length
        self.prepare(0)

    def obstacle(self) -> str:
        """Return why rows cannot be computed beside each other, or an empty string; determines whether rows may be
        padded. A batch of one row has no neighbours."""
        if self.slots < 2:
            return ""
        for self.even in (False, True):
            try:
                if agreement.agree(self._model, self._beside, self._alone):
                    return ""
            except (RuntimeError, ValueError, LookupError, AttributeError, TypeError) as error:
                if agreement.says_nothing(error):
                    raise
            finally:
                self.prepare(0)
        return f"{type(self._model).__name__} does not compute a request beside another as it does alone"

    def _beside(self, ids: list[int]) -> Tensor:
        """Return logits [2, V] after the third and the fourth token, beside a longer row if rows may be padded."""
        self.prepare(0)
        other = ids[::-1][: 3 if self.even else None]
        for number, prompt in enumerate((ids[:3], other)):
            self.admit(ServedRequest(number, prompt, 2, Sampler()))
        with torch.inference_mode():
            first, self._last = self._prefill()[:1], [ids[3], other[0]]
            return torch.cat([first, self._decode()[:1]])

    def _alone(self, ids: list[int]) -> Tensor:
        return agreement.in_parts(self._model, ids[:4], [3, 1])[2:]

    def prepare(self, length: int) -> None:
        self.cache = None
        self._most_bytes = 0  # of the batches before this one: the last may be a small one
        self._waiting: deque[ServedRequest] = deque()
        self._batch: list[ServedRequest] = []
        self._left: list[int] = []  # tokens that each row still wants
        self._hurry = False
        self.begun: list[int] = []
        self.counts = Counts()

    def admit(self, job: ServedRequest) -> None:
        self._waiting.append(job)

    def ready(self) -> bool:
        return bool(self._batch) or len(self._waiting) >= self.slots or (self._hurry and bool(self._waiting))

    def start_anyway(self) -> None:
        self._hurry = True

    def step(self) -> Yield:
        with torch.inference_mode():
            logits = self._decode() if self._batch else self._prefill()
            self._last = pick_rows([job.sampler for job in self._batch], logits)
        self.counts.steps += 1
        self.counts.served += sum(left > 0 for left in self._left)
        new: Yield = []
        for row, (job, token) in enumerate(zip(self._batch, self._last, strict=True)):
            if self._left[row] > 0:
                self._left[row] -= 1
                new.append((job.number, [token]))
        if not any(self._left):
            self._batch = []
        return new

    def _prefill(self) -> Tensor:
        length = len(self._waiting[0].prompt)
        fitting = [job for job in self._waiting if not self.even or len(job.prompt) == length]
        self._batch = fitting[: self.slots]
        self._waiting = deque(job for job in self._waiting if job not in self._batch)
        self._hurry = False
        self._left = [job.new_tokens for job in self._batch]
        self.begun = [job.number for job in self._batch]
        lengths = [len(job.prompt) for job in self._batch]
        width, total = max(lengths), max(lengths) + max(self._left)
        self._most_bytes = self.kv_bytes()
        self.cache = None  # before the new one is made: two at once would double the peak
        self.cache = self._make_cache(total, len(self._batch))
        pads = torch.tensor([width - n for n in lengths], device=self._device)
        # Rows of one length need no mask, and attention is faster without one.
        self._mask = (torch.arange(total, device=self._device) >= pads[:, None]).long() if pads.any() else None
        self._positions = width - pads[:, None]  # of the next token, [rows, 1]
        self._width = width
        ids = torch.tensor([[0] * (width - len(j.prompt)) + j.prompt for j in self._batch], device=self._device)
        positions = (torch.arange(width, device=self._device) - pads[:, None]).clamp(min=0)
        self.counts.chunks += 1
        self.counts.widest = max(self.counts.widest, ids.numel())
        return self._forward(ids, positions)

    def _decode(self) -> Tensor:
        self.begun = []
        self._width += 1
        ids = torch.tensor(self._last, device=self._device)[:, None]
        logits = self._forward(ids, self._positions)
        self._positions = self._positions + 1
        return logits

    def _forward(self, ids: Tensor, positions: Tensor) -> Tensor:
        options: dict[str, Any] = {self._cache_name: self.cache, "use_cache": True}
        if self._mask is not None:
            options["attention_mask"] = self._mask[:, : self._width]
        if self._takes_positions:
            options["position_ids"] = positions
        return self._model(ids, **self._keep(ids, 1), **options).logits[:, -1]

    def kv_bytes(self) -> int:
        """Return the bytes of the largest batch so far."""
        return max(self._most_bytes, caches.cache_bytes(self.cache) if self.cache is not None else 0)

    def cache_class(self) -> str:
        return caches.describe(self.cache if self.cache is not None else self._make_cache(1))
