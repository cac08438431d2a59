"""Distances between next-token distributions (resources/manual/en/quality.md), in float64. An unavailable figure is
None, never 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

MIN_CHUNKS = 30  # below, a bootstrap over chunks says too little about its own spread
P99_TOKENS, P999_TOKENS = 459, 20_000  # observations that a percentile needs
DRAWS = 4000
#: Edges of the KLD histogram, nats: four bins a decade; what is outside falls into the first or the last bin.
HISTOGRAM_EDGES: Floats = np.logspace(-8, 2, 41)


def log_softmax(logits: ArrayLike) -> Floats:
    """Return log-probabilities of logits [..., V]; rounded log-probabilities are renormalized."""
    x: Floats = np.asarray(logits, dtype=np.float64)
    shifted = x - x.max(axis=-1, keepdims=True)
    result: Floats = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return result


def kld(base: ArrayLike, other: ArrayLike) -> Floats:
    """Return Σ p_base (ln p_base − ln p) in nats, of log-probabilities [..., V]; infinite where p is 0 and p_base is
    not."""
    b: Floats = np.asarray(base, dtype=np.float64)
    o: Floats = np.asarray(other, dtype=np.float64)
    p = np.exp(b)
    with np.errstate(invalid="ignore"):  # 0 · (−∞ − x) is 0 here
        terms = np.where(p > 0, p * (b - o), 0.0)
    total: Floats = terms.sum(axis=-1)
    return np.maximum(total, 0.0)  # rounding may leave −1e-17


def log_loss(log_probabilities: ArrayLike, targets: Sequence[int]) -> Floats:
    """Return −ln p in nats of the tokens that followed, for log-probabilities [n, V] and n targets."""
    lp: Floats = np.asarray(log_probabilities, dtype=np.float64)
    result: Floats = -lp[np.arange(len(targets)), np.asarray(targets)]
    return result


def percentile(values: ArrayLike, p: float) -> float | None:
    """Return the percentile; None below the observations that it needs: 459 for p99, 20,000 for p99.9."""
    x: Floats = np.asarray(values, dtype=np.float64)
    return float(np.percentile(x, p)) if x.size >= (P999_TOKENS if p > 99 else P99_TOKENS) else None


def histogram(values: ArrayLike) -> list[int]:
    """Return the counts between `HISTOGRAM_EDGES`."""
    inside = np.clip(np.asarray(values, dtype=np.float64), HISTOGRAM_EDGES[0], HISTOGRAM_EDGES[-1])
    return [int(n) for n in np.histogram(inside, HISTOGRAM_EDGES)[0]]


@dataclass(frozen=True)
class DistributionMetrics:
    """The metrics of a text's chunks together. `ppl_ratio` above 1 means that the variant is worse than the baseline;
    its bounds are a 95 % interval."""

    tokens: int
    kld_mean: float
    kld_se: float | None
    same_top_pct: float
    perplexity: float
    ppl_ratio: float
    ppl_ratio_low: float | None
    ppl_ratio_high: float | None


def perplexity(nll: Sequence[float], tokens: Sequence[int]) -> float | None:
    """Return exp(Σ log-loss ÷ scored tokens), of sums per chunk."""
    return float(np.exp(sum(nll) / sum(tokens))) if sum(tokens) else None


@lru_cache(maxsize=256)  # a window asks for the same figures again and again
def figures(
    tokens: tuple[int, ...],
    kld_sums: tuple[float, ...],
    same_top: tuple[int, ...],
    nll: tuple[float, ...],
    base_nll: tuple[float, ...],
    seed: int = 0,
) -> DistributionMetrics | None:
    """Return the metrics from sums per chunk (nats, counts); None without a token. Chunks are resampled with their
    tokens, the same for both models, so that a passage's difficulty cancels."""
    n = np.asarray(tokens, dtype=np.float64)
    if not n.sum():
        return None
    k, d = np.asarray(kld_sums, dtype=np.float64), np.asarray(nll) - np.asarray(base_nll)
    se = low = high = None
    if len(n) >= MIN_CHUNKS:
        kld_draws, loss_draws = _draws(n, k, d, seed)
        se = float(kld_draws.std(ddof=1))
        low, high = (float(np.exp(q)) for q in np.quantile(loss_draws, [0.025, 0.975]))
    return DistributionMetrics(
        tokens=int(n.sum()),
        kld_mean=float(k.sum() / n.sum()),
        kld_se=se,
        same_top_pct=float(100 * sum(same_top) / n.sum()),
        perplexity=float(np.exp(sum(nll) / n.sum())),
        ppl_ratio=float(np.exp(d.sum() / n.sum())),
        ppl_ratio_low=low,
        ppl_ratio_high=high,
    )


def _draws(n: Floats, k: Floats, d: Floats, seed: int) -> tuple[Floats, Floats]:
    """Return the means per token of `DRAWS` resamples of the chunks, computed in blocks of a few MB."""
    rng = np.random.default_rng(seed)
    block = max(1, 500_000 // len(n))
    kld_draws: list[Any] = []
    loss_draws: list[Any] = []
    for start in range(0, DRAWS, block):
        chosen = rng.integers(0, len(n), size=(min(block, DRAWS - start), len(n)))
        size = n[chosen].sum(axis=1)
        kld_draws.append(k[chosen].sum(axis=1) / size)
        loss_draws.append(d[chosen].sum(axis=1) / size)
    return np.concatenate(kld_draws), np.concatenate(loss_draws)
