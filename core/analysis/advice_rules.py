"""The rules of advice, one function each. A rule returns what to try, the measurement behind it and the highest rate
that the change can reach (tok/s; None if the roofline does not tell). It returns None if its measurement is missing or
does not support it."""

from __future__ import annotations

import itertools

from core.analysis.advice import AdviceRule, Situation
from core.analysis.case import Case
from core.analysis.roofline import Place, ridge_batch
from core.base.formatting import number, share
from core.machine.environment import capacity_bytes

Said = tuple[str, str, float | None] | None
_INT8, _INT4 = 8.0, 5.0  # bits a weight, scales of groups of 32 included


# -- memory -------------------------------------------------------------------------------------------------
def _compress(now: Situation) -> Said:
    """Return the advice to compress, if memory is the limit."""
    memory = "memory" in now.binds()
    if not memory or now.tried("quantization"):
        return None
    capacity = capacity_bytes(now.environment) if now.environment is not None else None
    failed = next((c.row for c in now.cases if c.row.status == "out_of_memory"), None)
    if failed is not None:
        because = f"{failed.variant} ran out of memory"
    else:
        because = f"the baseline's peak is {share(100 * (now.memory_share or 0))} of {(capacity or 0) / 2**30:.1f} GiB"
    reach = now.ceiling(bits=_INT4)
    return "Memory binds, so compress first: int8 weights, then int4 weights.", because, _rate(reach)


def _compress_then_schedule(now: Situation) -> Said:
    """Return the advice to compress first and schedule then, if memory and throughput both are limits."""
    if not {"memory", "concurrency"} <= now.binds():
        return None
    row = now.base.row
    held = now.memory_share
    full = "a variant ran out of memory" if held is None else f"memory is {share(100 * held)} full"
    return (
        "Both memory and concurrency bind: compress first, so that more requests fit, and then schedule them with "
        "continuous batching.",
        f"{full}, and half of the requests wait {number(row.queue_ms_p50)} ms",
        _rate(now.ceiling(rows=now.workload.concurrency, bits=_INT8)),
    )


def _fits_already(now: Situation) -> Said:
    """Return the advice to leave out a compression that costs speed, if memory is not the limit."""
    held = now.memory_share
    slow = [c for c in now.tried("quantization") if not c.is_baseline and c.row.verdict == "slower"]
    if held is None or "memory" in now.binds() or not slow:
        return None
    return (
        f"Leave {slow[0].row.variant} out here: it saves memory, of which there is enough, and costs speed.",
        f"the baseline's peak is {share(100 * held)} of the memory; {slow[0].row.variant} is at "
        f"{slow[0].row.speed_ratio or 0:.2f}× the baseline's speed",
        None,
    )


# -- concurrency --------------------------------------------------------------------------------------------
def _batch(now: Situation) -> Said:
    """Return the advice to schedule requests in batches, if several run at once."""
    base = now.base
    alone = base.place is not None and base.place.tokens_per_step < 1.05
    if now.workload.concurrency == 1 or not alone or now.tried("batching"):
        return None
    return (
        f"{now.workload.concurrency} users ask at once: serve them together, with continuous batching.",
        f"every step reads {_mb(now)} MB for one token, and half of the requests wait {number(base.row.queue_ms_p50)} "
        "ms",
        _rate(now.ceiling(rows=now.workload.concurrency)),
    )


def _batch_costs_each(now: Situation) -> Said:
    """Return the trade of batching: the aggregate rate rises and each user's rate falls."""
    base = now.base.row
    for case in now.tried("batching"):
        row = case.row
        if row.verdict == "faster" and row.per_user_tok_s and base.per_user_tok_s and case is not now.base:
            if row.per_user_tok_s >= base.per_user_tok_s:
                continue
            return (
                f"Keep {row.variant} for throughput; with one user at a time it gives nothing.",
                f"all users together get {row.speed_ratio or 0:.2f} times as much, each of them "
                f"{number(row.per_user_tok_s)} tok/s instead of {number(base.per_user_tok_s)}",
                None,
            )
    return None


def _speculation_under_load(now: Situation) -> Said:
    """Return the advice against speculation under load: drafted tokens occupy room that other requests could use."""
    if now.workload.concurrency == 1 or now.base.anatomy is None or now.machine is None:
        return None
    slow = [c for c in now.tried("speculation") if c.row.verdict == "slower"]
    if not slow:
        return None
    return (
        "Speculate only while load is low: leave speculation out at this concurrency, and batch.",
        f"with {now.workload.concurrency} requests at once {slow[0].row.variant} is at "
        f"{slow[0].row.speed_ratio or 0:.2f}× the baseline's speed",
        None,
    )


# -- quality ------------------------------------------------------------------------------------------------
def _careful(now: Situation) -> Said:
    """Return the advice to use exact strategies or conservative quantization, if quality is critical."""
    bad = [c.row for c in now.cases if c.row.gate in ("amber", "red") and c.row.kld_mean is not None]
    if not bad:
        return None
    worst = max(bad, key=lambda row: row.kld_mean or 0)
    same = (
        "" if worst.same_top_pct is None else f" and the same top token at {share(worst.same_top_pct)} of the positions"
    )
    good = [c.row for c in now.cases[1:] if c.row.gate == "green" and c.row.verdict == "faster"]
    instead = f"{good[0].variant} passes the gate" if good else "int8 weights with the head kept, or exact strategies"
    return (
        f"Where answers matter, use something more conservative than {worst.variant}: {instead}.",
        f"{worst.variant} has a KL divergence of {number(worst.kld_mean)} nats a token{same} (gate {worst.gate})",
        None,
    )


# -- speed --------------------------------------------------------------------------------------------------
def _exact_first(now: Situation) -> Said:
    """Return the advice to take the fastest exact variant first: it needs no study of quality."""
    fast = [
        case.row
        for case, variant in now.others
        if case.row.verdict == "faster" and (mine := [*variant.strategies()]) and all(s.exact for s in mine)
    ]
    if not fast:
        return None
    best = max(fast, key=lambda row: row.speed_ratio or 0)
    return (
        f"Take {best.variant} first: it changes no answer, so a stable service needs no study of quality for it.",
        f"it is {best.speed_ratio or 0:.2f} times as fast, and all of it is exact",
        None,
    )


def _fewer_bytes(now: Situation) -> Said:
    """Return the advice to store weights in fewer bytes, if bandwidth binds at batch 1."""
    base = now.base
    if base.row.bound != "bandwidth" or now.workload.concurrency > 1 or now.tried("quantization"):
        return None
    return (
        "Reading the weights binds: try int8 weights, then int4 weights.",
        f"a step reads {_mb(now)} MB at {share(base.row.mbu_pct or 0)} of the measured bandwidth",
        _rate(now.ceiling(bits=_INT8)),
    )


def _speculate(now: Situation) -> Said:
    """Return the advice to speculate, if one request runs at a time and arithmetic is idle."""
    base = now.base
    if now.workload.concurrency > 1 or base.row.bound != "bandwidth" or now.tried("speculation"):
        return None
    if base.place is None or base.place.ridge is None or base.place.intensity is None:
        return None
    if base.place.intensity * 2 > base.place.ridge:
        return None
    return (
        "While there is one user, speculate: with prompt lookup where answers repeat the prompt, else with a draft "
        "model.",
        f"a step computes {number(base.place.intensity)} FLOP a byte, and this machine could do "
        f"{number(base.place.ridge)}: "
        "verifying several tokens at once is nearly free",
        None,
    )


def _keep_speculating(now: Situation) -> Said:
    """Return the advice to measure speculation again under the real load: its gain depends on the load and the
    prompts."""
    fast = [c for c in now.tried("speculation") if c.row.verdict == "faster" and c.row.acceptance_rate is not None]
    if not fast or now.workload.concurrency > 1:
        return None
    case = fast[0]
    return (
        f"Keep {case.row.variant} while load is low and prompts are like these; measure it again with concurrency.",
        f"{share(100 * (case.row.acceptance_rate or 0))} of its guesses are right, "
        f"{case.row.mean_accepted_length or 0:.2f} tokens a step, {case.row.speed_ratio or 0:.2f} times as fast",
        None,
    )


def _stop_speculating(now: Situation) -> Said:
    slow = [c for c in now.tried("speculation") if c.row.verdict == "slower" and c.row.acceptance_rate is not None]
    if not slow or now.workload.concurrency > 1:
        return None
    row = slow[0].row
    return (
        f"Leave {row.variant} out for prompts like these, or take a faster draft.",
        f"{share(100 * (row.acceptance_rate or 0))} of its guesses are right, and it is at "
        f"{row.speed_ratio or 0:.2f}× the speed",
        None,
    )


def _launches(now: Situation) -> Said:
    """Return the advice to fuse or compile operations, if launching them binds. The step needs fixed shapes."""
    base = now.base
    if base.row.bound != "launch" or base.place is None or base.anatomy is None or base.place.launch_pct is None:
        return None
    if now.tried("compilation"):
        return None
    cuda = base.row.device.startswith("cuda")
    return (
        "Starting operations binds: try CUDA graphs or torch.compile on a static cache (shapes must be fixed, or it "
        "compiles again), or fused projections."
        if cuda
        else "Starting operations binds: try torch.compile on a static cache (shapes must be fixed, or it compiles "
        "again), or fused projections.",
        f"{base.anatomy.operations} operations take {share(base.place.launch_pct)} of a step",
        base.row.ceiling_tok_s,
    )


#: What is left to try where the kernels are slow, by the slots in which nothing was tried.
SLOW_KERNELS = {
    ("fusion", "compilation"): "The kernels themselves are slow at one token a step: try fused projections and "
    "torch.compile.",
    ("fusion",): "The kernels themselves are slow at one token a step: try fused projections.",
    ("compilation",): "The kernels themselves are slow at one token a step: try torch.compile.",
}


def _kernels(now: Situation) -> Said:
    """Return the advice to fuse or compile, if neither reading, nor arithmetic, nor launching explains a step."""
    base = now.base
    if base.row.bound != "kernel" or base.disturbed or now.workload.concurrency > 1 or base.row.mbu_pct is None:
        return None
    left = tuple(slot for slot in ("fusion", "compilation") if not now.tried(slot))
    if not left:
        return None
    reading, multiplying = share(base.row.mbu_pct), base.row.mfu_pct
    because = f"reading accounts for {reading} of a step"
    if multiplying is not None:
        because = f"reading accounts for {reading} of a step, multiplying for {share(multiplying)}"
    return SLOW_KERNELS[left], because, base.row.ceiling_tok_s


def _computing(now: Situation) -> Said:
    """Return the advice for a compute-bound step: fewer bits per weight alone save no multiplication."""
    base = now.base
    if base.row.bound != "compute" or now.machine is None:
        return None
    faster = {k: p for k, p in now.machine.peaks.items() if p > 1.2 * now.machine.peaks.get(base.computes_in, p)}
    if not faster:
        return None
    best = max(faster, key=lambda k: faster[k])
    return (
        f"Computing binds, so weight-only quantization saves nothing: compute in {best} (precision, or quantized "
        "activations).",
        f"{share(base.row.mfu_pct or 0)} of the peak in {base.computes_in}; {best} reaches "
        f"{faster[best] / now.machine.peaks[base.computes_in]:.1f} times as much here",
        None,
    )


def _dequantizing(now: Situation) -> Said:
    """Return the advice about a quantization whose kernel spends the time that its bytes save."""
    for case in now.tried("quantization"):
        row, read = case.row, case.bytes_ratio
        if read is None or read > 0.9 or row.mbu_pct is None or now.base.row.mbu_pct is None:
            continue
        if row.mbu_pct < 0.6 * now.base.row.mbu_pct:
            return (
                f"{row.variant} no longer waits for memory: try fused projections or torch.compile with it, which "
                "shorten the rest of a step, or another format.",
                f"it reads {read:.2f} times the bytes, and its MBU is {number(row.mbu_pct, 2)} % against "
                f"{number(now.base.row.mbu_pct, 2)} %",
                row.ceiling_tok_s,
            )
    return None


def _quantized_batches(now: Situation) -> Said:
    """Return the batch size from which arithmetic binds and fewer bytes gain nothing more."""
    fast = [c for c in now.tried("quantization") if c.row.verdict == "faster" and c.anatomy is not None]
    if not fast or now.machine is None or now.workload.concurrency > 1:
        return None
    case = fast[0]
    anatomy = case.anatomy
    assert anatomy is not None
    ridge = ridge_batch(now.machine, anatomy.computes_in, anatomy.weights_read / max(1, anatomy.matrix_weights))
    if ridge is None:
        return None
    return (
        f"Measure {case.row.variant} again before batching: its gain shrinks as the batch grows.",
        f"by the measured peak and bandwidth, computing binds it from about {max(2.0, ridge):.0f} tokens a step on",
        None,
    )


def _masks(now: Situation) -> Said:
    """Return the advice about a pruning mask that no sparse kernel uses."""
    masked = [c for c in now.cases if c.detail("pruning", "badge") == "masked" and c.bytes_ratio is not None]
    if not masked:
        return None
    row, read = masked[0].row, masked[0].bytes_ratio
    return (
        "For speed take parts out instead of masking weights: layers, MLP width or attention heads. On GPUs of compute "
        "capability 8.0 a 2:4 mask has a kernel, which pays where computing binds.",
        f"{row.variant} reads {read or 0:.2f} times the baseline's bytes",
        None,
    )


def _widened(now: Situation) -> Said:
    """Return the advice to leave out a data type that the processor computes more slowly than fp32."""
    peaks = now.machine.peaks if now.machine is not None else {}
    for case in now.tried("precision"):
        kind = case.computes_in
        if case.row.verdict == "slower" and kind in ("bf16", "fp16") and 0 < peaks.get(kind, 0) < peaks.get("fp32", 0):
            return (
                f"Leave {kind} out on this processor; it pays on one with AMX or AVX-512-BF16, and on GPUs.",
                f"measured: {number(peaks[kind] / 1e9)} GFLOP/s in {kind}, {number(peaks['fp32'] / 1e9)} in fp32; "
                f"{case.row.variant} is at {case.row.speed_ratio or 0:.2f}× the speed",
                None,
            )
    return None


def _shapes(now: Situation) -> Said:
    """Return the advice to use fixed shapes, which compilation needs."""
    hit = [c for c in now.tried("compilation") if "compilations" in c.row.flags]
    if not hit:
        return None
    row = hit[0].row
    return (
        f"Fix the shapes of {row.variant}: one cache length (a larger bucket of the static cache), or dynamic shapes.",
        next(f for f in row.flags.split("; ") if "compilations" in f),
        None,
    )


def _pair(now: Situation) -> tuple[Case, Case] | None:
    """Return the two fastest variants that differ from the baseline in one slot each, the slots being different; None
    if a measured variant has both changes already."""
    own = [now.own(variant) for variant in now.variants]
    fast = [
        (c, slots) for c, slots in zip(now.cases, own, strict=True) if c.row.verdict == "faster" and len(slots) == 1
    ]
    best = sorted(fast, key=lambda pair: -(pair[0].row.speed_ratio or 0))
    for (a, one), (b, other) in itertools.combinations(best, 2):
        if one != other and not any(slots >= one | other for slots in own):
            return a, b
    return None


def _together(now: Situation) -> Said:
    """Return the advice to combine two changes that help alone and use different slots."""
    pair = _pair(now)
    if pair is None:
        return None
    a, b = (case.row for case in pair)
    ratio = (a.speed_ratio or 1) * (b.speed_ratio or 1)
    return (
        f"Try {a.variant} and {b.variant} in one variant.",
        f"alone they are {a.speed_ratio or 0:.2f} and {b.speed_ratio or 0:.2f} times as fast: "
        f"{ratio:.2f} at most if neither takes from the other",
        None,
    )


def _joined(now: Situation) -> list[str]:
    return [case.row.variant for case in _pair(now) or ()]


def _quiet(now: Situation) -> Said:
    """Return the advice to quiet the machine, if other processes took a part of it."""
    hit = [c for c in now.cases if c.disturbed]
    if not hit:
        return None
    return (
        "Measure again on a quiet machine: step times contain what others took, and what binds cannot be told.",
        f"{len(hit)} of {len(now.cases)} variants were disturbed, {hit[0].row.variant}: {hit[0].disturbed}",
        None,
    )


def _more_rounds(now: Situation) -> Said:
    """Return the advice to run more rounds, if a comparison is undecided."""
    open_ = [c.row for c in now.cases if c.row.verdict == "undecided" and c.row.rounds_to_settle]
    if not open_:
        return None
    row = min(open_, key=lambda r: r.rounds_to_settle or 0)
    return (
        f"Measure more rounds before choosing: about {row.rounds_to_settle} would settle {row.variant}.",
        f"after {row.rounds_paired} rounds a change below {number(row.smallest_detectable_pct)} % cannot be seen",
        None,
    )


def _rate(place: Place | None) -> float | None:
    return place.ceiling_tok_s if place is not None else None


def _mb(now: Situation) -> str:
    return f"{now.base.place.bytes_per_step / 1e6:.0f}" if now.base.place is not None else "its"


RULES = (
    AdviceRule("compress", "memory", 1, _compress, timed=False),
    AdviceRule("compress, then schedule", "memory", 0, _compress_then_schedule, timed=False),
    AdviceRule("memory is enough", "speed", 8, _fits_already),
    AdviceRule("batch", "concurrency", 0, _batch),
    AdviceRule("batching costs each user", "concurrency", 1, _batch_costs_each),
    AdviceRule("speculation under load", "concurrency", 2, _speculation_under_load),
    AdviceRule("conservative", "quality", 0, _careful, timed=False),
    AdviceRule("quiet machine", "speed", -1, _quiet, timed=False),
    AdviceRule("exact first", "speed", 0, _exact_first),
    AdviceRule("combine", "speed", 1, _together, _joined),
    AdviceRule("fewer bytes", "speed", 2, _fewer_bytes),
    AdviceRule("launches", "speed", 2, _launches),
    AdviceRule("computing", "speed", 2, _computing),
    AdviceRule("kernels", "speed", 3, _kernels),
    AdviceRule("speculate", "speed", 3, _speculate),
    AdviceRule("dequantization", "speed", 4, _dequantizing),
    AdviceRule("speculation stays", "speed", 5, _keep_speculating),
    AdviceRule("speculation goes", "speed", 5, _stop_speculating),
    AdviceRule("quantized batches", "speed", 6, _quantized_batches),
    AdviceRule("masks", "speed", 6, _masks),
    AdviceRule("processor class", "speed", 6, _widened),
    AdviceRule("fixed shapes", "speed", 4, _shapes),
    AdviceRule("more rounds", "speed", 7, _more_rounds, timed=False),
)
