"""The points and roofs of a roofline chart: one roof per data type that variants compute in, and each variant's decode
and prefill."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Literal

from core.analysis.roofline import Place, Step, place
from core.analysis.roofline_placement import placed
from core.results import metrics
from core.results.results import Results, VariantState


@dataclass(frozen=True)
class Roof:
    """min(peak, bandwidth × intensity): bandwidth in bytes/s, peak in FLOP/s of the data types in `kind`."""

    kind: str
    bandwidth: float
    peak: float

    @property
    def ridge(self) -> float:
        """The intensity in FLOP/byte above which arithmetic binds."""
        return self.peak / self.bandwidth

    def at(self, intensity: float) -> float:
        """Return the attainable FLOP/s at an intensity."""
        return min(self.peak, self.bandwidth * intensity)


@dataclass(frozen=True)
class RooflinePoint:
    """One variant in one phase: FLOP/byte, FLOP/s, and its share of its own roof."""

    variant: str
    phase: Literal["decode", "prefill"]
    intensity: float
    attained: float
    share: float  # share of the roof at that intensity, 0 to 1


def roofs(results: Results) -> list[Roof]:
    """Return one roof per peak of the data types that loaded variants compute in, the highest first; data types that
    are computed in the same wider one share a roof. Empty if the machine was not measured."""
    machine = results.machine
    if machine is None:
        return []
    anatomies = [s.loaded.anatomy for s in results.variants.values() if s.loaded is not None]
    kinds: dict[float, list[str]] = {}
    for kind in dict.fromkeys(a.computes_in for a in anatomies if a is not None):
        if (peak := machine.peak(kind)) is not None:
            kinds.setdefault(peak, []).append(kind)
    return [Roof(", ".join(kinds[peak]), machine.bandwidth, peak) for peak in sorted(kinds, reverse=True)]


def points(results: Results) -> list[RooflinePoint]:
    """Return the points in the order of the variants. A prefill point needs requests that were served one at a time."""
    found = []
    for variant in results.experiment.variants if results.experiment is not None else ():
        state, machine = results.variants[variant.name], results.machine_of(variant)
        found += _point(variant.name, "decode", placed(state, machine))
        step = _prefill(state)
        anatomy = state.loaded.anatomy if state.loaded is not None else None
        if step is not None and anatomy is not None:
            found += _point(variant.name, "prefill", place(anatomy, step, machine))
    return found


def _point(name: str, phase: Literal["decode", "prefill"], there: Place | None) -> list[RooflinePoint]:
    if there is None or there.bytes_s is None or there.flops_s is None or not there.intensity:
        return []
    share = max(there.bytes_s, there.flops_s) / there.step_s
    return [RooflinePoint(name, phase, there.intensity, there.flops_per_step / there.step_s, share)]


def _prefill(state: VariantState) -> Step | None:
    """Return the prefill as one step: a token attends to half of the prompt on average, and only the last token meets
    the head."""
    requests = [r for t in state.trials if t.ok and t.done.concurrency == 1 for r in t.requests]
    rates = [rate for r in requests if (rate := metrics.prefill_tok_s(r)) is not None]
    if not rates:
        return None
    tokens = statistics.fmean(r.prompt_tokens for r in requests)
    return Step(
        seconds=tokens / statistics.median(rates),
        tokens_out=1,
        tokens_in=tokens,
        logits=1,
        context=tokens / 2,
        kv_read=0,
    )
