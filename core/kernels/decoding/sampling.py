"""Chooses tokens from logits."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


class Sampler:
    """Chooses tokens: greedy at temperature 0, else by seeded sampling. `forbidden` ids (EOS) are never produced, so
    that every variant generates the same number of tokens.

    The same seed and logits give the same tokens. top_k = 0 and top_p = 1 are off.
    """

    def __init__(
        self,
        temperature: float = 0.0,
        top_k: int = 0,
        top_p: float = 1.0,
        seed: int = 0,
        forbidden: Sequence[int] = (),
    ) -> None:
        self.temperature = temperature
        self.top_k = top_k
        self.top_p = top_p
        self.seed = seed
        self.forbidden = frozenset(forbidden)
        self._index: Tensor | None = None  # of the forbidden ids, on the logits' device
        self._generator: torch.Generator | None = None

    @property
    def greedy(self) -> bool:
        return self.temperature == 0

    def pick(self, logits: Tensor) -> int:
        """Return the next token for logits [V]. On CUDA this waits for the step."""
        if self.greedy:
            token = int(logits.argmax())
            # Masking only when it matters keeps the usual step free of it.
            return token if token not in self.forbidden else int(self._allowed(logits).argmax())
        return self.draw(self.probabilities(logits))

    def choose(self, logits: Tensor) -> Tensor:
        """Return the next token for logits [V] as a tensor of no dimension, without waiting for the device."""
        if self.greedy:
            return self._allowed(logits).argmax()
        return self.drawn(self.probabilities(logits))

    def picks(self, logits: Tensor) -> list[int]:
        """Return the greedy token of every row of logits [M, V], with one synchronization."""
        tokens = logits.argmax(-1).tolist()
        return [t if t not in self.forbidden else self.pick(logits[i]) for i, t in enumerate(tokens)]

    def probabilities(self, logits: Tensor) -> Tensor:
        """Return the probabilities [..., V] in fp32 that `pick` draws from, for logits [..., V]; one-hot when greedy.
        Nothing waits for the device."""
        logits = self._allowed(logits.float())
        if self.greedy:
            return torch.zeros_like(logits).scatter_(-1, logits.argmax(-1, keepdim=True), 1.0)
        logits = logits / self.temperature
        if 0 < self.top_k < logits.shape[-1]:
            logits = logits.masked_fill(logits < logits.topk(self.top_k).values[..., -1:], -torch.inf)
        if self.top_p < 1:
            ordered, order = logits.softmax(-1).sort(descending=True)
            outside = ordered.cumsum(-1) - ordered >= self.top_p  # the first token always stays inside
            logits = logits.masked_fill(torch.zeros_like(outside).scatter_(-1, order, outside), -torch.inf)
        return logits.softmax(-1)

    def draw(self, weights: Tensor) -> int:
        """Return one index of weights [V], which need not sum to 1."""
        return int(self.drawn(weights))

    def drawn(self, weights: Tensor) -> Tensor:
        """Return one index of weights [V] as a tensor of no dimension. The index is that of `torch.multinomial`, which
        divides by exponential numbers as well, after two looks at the weights that wait for the device."""
        spread = torch.empty_like(weights).exponential_(generator=self._random(weights.device))
        return (weights / spread).argmax()

    def uniform(self, device: torch.device) -> float:
        """Return a number in [0, 1) from the same seeded stream."""
        return float(torch.rand((), generator=self._random(device), device=device))

    def uniforms(self, count: int, device: torch.device) -> Tensor:
        """Return numbers [count] in [0, 1) from the same seeded stream, without waiting for the device."""
        return torch.rand(count, generator=self._random(device), device=device)

    def _allowed(self, logits: Tensor) -> Tensor:
        if not self.forbidden:
            return logits
        if self._index is None or self._index.device != logits.device:
            inside = sorted(t for t in self.forbidden if 0 <= t < logits.shape[-1])
            self._index = torch.tensor(inside, device=logits.device, dtype=torch.long)
        return logits.index_fill(-1, self._index, -torch.inf)

    def _random(self, device: torch.device) -> torch.Generator:
        if self._generator is None or self._generator.device != device:
            self._generator = torch.Generator(device).manual_seed(self.seed)
        return self._generator


class Witness(Sampler):
    """A greedy sampler that forbids nothing and keeps the fp32 margin of the best logit over the second best. `latest`
    holds the margins of the latest choice's rows, `all` those of every row that was asked for alone."""

    def __init__(self) -> None:
        super().__init__()
        self.latest: list[float] = []
        self.all: list[float] = []

    def pick(self, logits: Tensor) -> int:
        self.latest = _margins(logits.unsqueeze(0))
        self.all += self.latest
        return super().pick(logits)

    def picks(self, logits: Tensor) -> list[int]:
        self.latest = _margins(logits)
        return super().picks(logits)


def _margins(logits: Tensor) -> list[float]:
    """Return best minus second best of each row of logits [M, V]."""
    best = logits.float().topk(2).values
    return (best[:, 0] - best[:, 1]).tolist()
