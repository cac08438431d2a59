"""Places a step under the roofline: what it reads and computes against what the machine can do (Williams, Waterman,
Patterson: Roofline, CACM 2009; resources/manual/en/roofline.md). Pure functions of measured figures.

A step takes at least max(FLOPs ÷ peak, bytes ÷ bandwidth). The roofline contains neither the time of launching
operations from Python nor that of converting weights: both are part of the distance to it.
"""

from __future__ import annotations

from core.base.value import Value
from core.machine.machine_roof import MachineRoof
from core.model.step_anatomy import Anatomy

#: A bound is named when it accounts for at least this share of a step.
ACCOUNTS = 0.5
#: A rate above the roofline by more than this cannot be.
IMPLAUSIBLE = 1.1


class Step(Value):
    """The average forward pass of the target model after the prefill, as measured."""

    seconds: float
    tokens_out: float  # new tokens of all requests
    tokens_in: float  # fed tokens: one per request, with drafted ones if it speculates, the context without a cache
    logits: float  # fed tokens that met the head
    context: float  # positions that a token attended to
    kv_read: float  # bytes of keys and values, of all requests
    drafts: float = 0.0  # passes of a second model, one token each


class Place(Value):
    """The figures of one variant under the roofline. None means not available."""

    step: Step
    bytes_per_step: float
    flops_per_step: float
    bytes_s: float | None = None  # seconds of reading at the measured bandwidth
    flops_s: float | None = None  # seconds of multiplying at the measured peak
    launch_s: float | None = None  # seconds of launching the operations from Python
    ridge: float | None = None  # FLOP/byte above which a step is bound by computing
    ceiling_tok_s: float | None = None
    most_tok_s: float | None = None  # the same with the bandwidth at the model's size, which a cache may hold
    cache_resident: bool = False

    @property
    def step_s(self) -> float:
        return self.step.seconds

    @property
    def tokens_per_step(self) -> float:
        return self.step.tokens_out

    @property
    def bytes_per_token(self) -> float:
        return self.bytes_per_step / self.tokens_per_step

    @property
    def flops_per_token(self) -> float:
        return self.flops_per_step / self.tokens_per_step

    @property
    def intensity(self) -> float | None:
        """The arithmetic intensity, FLOP/byte."""
        return self.flops_per_step / self.bytes_per_step if self.bytes_per_step else None

    @property
    def rate(self) -> float:
        """The decode rate of all requests together, tok/s."""
        return self.tokens_per_step / self.step_s

    @property
    def mbu_pct(self) -> float | None:
        """Memory bandwidth utilization in %: bytes per step ÷ step time ÷ measured bandwidth."""
        return None if self.bytes_s is None else 100 * self.bytes_s / self.step_s

    @property
    def mfu_pct(self) -> float | None:
        """Model FLOPs utilization in %: FLOPs per token × rate ÷ measured peak."""
        return None if self.flops_s is None else 100 * self.flops_s / self.step_s

    @property
    def launch_pct(self) -> float | None:
        return None if self.launch_s is None else 100 * self.launch_s / self.step_s

    @property
    def bound(self) -> str:
        """Bandwidth, compute or launch, as one word: the largest part, if it accounts for half of the step. Otherwise
        "kernel": the kernels spend their time on something else. Empty if not measured."""
        parts = {"bandwidth": self.bytes_s, "compute": self.flops_s, "launch": self.launch_s}
        known = {name: s for name, s in parts.items() if s is not None}
        if self.bytes_s is None or not known:
            return ""
        name = max(known, key=lambda n: known[n])
        return name if known[name] >= ACCOUNTS * self.step_s else "kernel"

    @property
    def implausible(self) -> bool:
        return self.most_tok_s is not None and self.rate > IMPLAUSIBLE * self.most_tok_s


def bytes_per_step(anatomy: Anatomy, step: Step) -> float:
    """Return the bytes of one step: all weights once, one embedding row per token, keys and values, and what a draft
    model reads."""
    found = anatomy.weights_read_by(step.tokens_in) + anatomy.embedding_row_bytes * step.tokens_in + step.kv_read
    if anatomy.draft is not None:
        draft = anatomy.draft
        found += step.drafts * (draft.weights_read + draft.embedding_row_bytes + draft.kv_read(step.context))
    return found


def flops_per_step(anatomy: Anatomy, step: Step) -> float:
    found = anatomy.flops(step.tokens_in, step.logits, step.context)
    if anatomy.draft is not None:
        found += step.drafts * anatomy.draft.flops(1, 1, step.context)
    return found


def place(anatomy: Anatomy, step: Step, machine: MachineRoof | None) -> Place | None:
    """Return the place of a step; without a machine only what it reads and computes. None for a model without
    weights."""
    read, computed = bytes_per_step(anatomy, step), flops_per_step(anatomy, step)
    if read <= 0 or computed <= 0:
        return None
    found = Place(step=step, bytes_per_step=read, flops_per_step=computed)
    if machine is None:
        return found
    peak = machine.peak(anatomy.computes_in)
    bytes_s, flops_s = read / machine.bandwidth, computed / peak if peak else None
    # Tokens that share their experts read less than was counted: that is no reason to call a rate implausible.
    least = read - anatomy.weights_read_by(step.tokens_in) + anatomy.weights_read
    launches = anatomy.operations if anatomy.operations and machine.operation_s else None
    return found.model_copy(
        update={
            "bytes_s": bytes_s,
            "flops_s": flops_s,
            "launch_s": launches * machine.operation_s if launches and machine.operation_s else None,
            "ridge": peak / machine.bandwidth if peak else None,
            "ceiling_tok_s": step.tokens_out / max(bytes_s, flops_s or 0.0),
            "most_tok_s": step.tokens_out / max(least / machine.bandwidth_at(least), flops_s or 0.0),
            "cache_resident": machine.cache_resident(read),
        }
    )


def ridge_batch(machine: MachineRoof, kind: str, bytes_per_weight: float) -> float | None:
    """Return the tokens per step above which arithmetic takes longer than reading the weights: peak·bytes ÷
    (2·bandwidth)."""
    peak = machine.peak(kind)
    return peak * bytes_per_weight / (2 * machine.bandwidth) if peak else None
