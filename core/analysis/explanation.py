"""Explains each result in one sentence with its numbers. The rules are data, tried in order. A rule needs the
measurement that its sentence cites; if no rule applies, the sentence says that the measurements do not explain the
result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.analysis.case import Case
from core.analysis.comparison_row import Row
from core.analysis.roofline import Place
from core.analysis.roofline_placement import cache_of
from core.base import formatting

if TYPE_CHECKING:
    pass

UNKNOWN = "The measurements do not say why."
#: Two figures that differ by less than this are alike.
ALIKE = 0.05
#: MBU has fallen when less than this share of the baseline's is left.
FELL = 0.8


@dataclass(frozen=True)
class Rule:
    name: str
    sentence: Callable[[Case], str | None]


def explained(found: Sequence[Case]) -> list[Row]:
    """Return the rows with their `why` filled in."""
    return [case.row.model_copy(update={"why": why(case)}) for case in found]


def why(case: Case) -> str:
    """Return the explaining sentence; empty if nothing was measured."""
    if not case.row.trials:
        return ""
    for rule in RULES:
        sentence = rule.sentence(case)
        if sentence:
            return sentence + _resident(case) + _disturbed(case)
    return UNKNOWN + _disturbed(case) if case.row.verdict in ("slower", "faster") else ""


def _resident(case: Case) -> str:
    if case.place is None or not case.place.cache_resident or case.machine is None:
        return ""
    held, cache = _megabytes(case.place.bytes_per_step), _megabytes(case.machine.llc_bytes or 0)
    return f" Cache-resident: its {held} MB fit the last-level cache of {cache} MB, so MBU may exceed 100 %."


def _megabytes(count: float) -> str:
    """Return whole megabytes as text; two digits for a small model, so that it does not read as 0 MB."""
    return f"{count / 1e6:.0f}" if count >= 1e7 else formatting.number(count / 1e6, 2)


def _disturbed(case: Case) -> str:
    return f" Disturbed meanwhile: {case.disturbed}." if case.disturbed else ""


# -- the rules ----------------------------------------------------------------------------------------------
def _recompiled(case: Case) -> str | None:
    flags = [f for f in case.row.flags.split("; ") if "compilations" in f]
    return f"Compiled again while it was measured: {flags[0]}; such a trial times the compiler too." if flags else None


def _recomputed(case: Case) -> str | None:
    if case.place is None or case.base_place is None or not cache_of([*case.receipts.values()]).startswith("none"):
        return None
    times = case.place.flops_per_token / case.base_place.flops_per_token
    share = "" if case.place.mfu_pct is None else f", {formatting.share(case.place.mfu_pct)} of the measured peak"
    return f"Without a cache every token computes the whole context again: {times:.0f} times the FLOPs{share}."


def _speculation(case: Case) -> str | None:
    drafted, tokens, ratio = case.detail("speculation", "drafted"), case.row.mean_accepted_length, case.step_ratio
    if drafted == 0 and not case.row.acceptance_rate:
        return "Nothing was guessed, so every pass yields one token: see the decisions in the log."
    if case.row.acceptance_rate is None or tokens is None or ratio is None or case.place is None:
        return None
    rate, share = case.row.acceptance_rate, case.detail("speculation", "draft_share")
    guesses = (tokens - 1) / rate if rate else None
    facts = f"{formatting.share(100 * rate)} of the guesses are right, so a pass yields {tokens:.2f} tokens"
    if not case.slower:
        return f"{facts} and takes {ratio:.2f} times the baseline's step."
    if isinstance(share, float) and tokens > ratio * (1 - share):
        return (
            f"The draft is too slow: guessing takes {formatting.share(100 * share)} of a pass, which takes {ratio:.2f} "
            f"times the baseline's step and yields {tokens:.2f} tokens; {ratio * (1 - share):.2f} times without the "
            "guessing."
        )
    if guesses is None or 1 + guesses > ratio:
        return f"Acceptance is too low: {facts}, and it takes {ratio:.2f} times the baseline's step."
    return (
        f"Verifying is too dear: a pass over {1 + guesses:.1f} tokens takes {ratio:.2f} times the baseline's step, "
        f"more than the tokens that it could yield."
    )


def _batching(case: Case) -> str | None:
    if case.row.concurrency == 1 or case.place is None or case.base_place is None:
        return None
    together, alone = case.place.tokens_per_step, case.base_place.tokens_per_step
    if together <= 1 + ALIKE:
        waits = "" if case.row.queue_ms_p50 is None else f"; half of the requests wait {case.row.queue_ms_p50:.0f} ms"
        return f"One request after the other: every step reads the weights for one token{waits}."
    if case.is_baseline or case.step_ratio is None:
        return f"A step reads the weights once for {together:.1f} requests."
    return (
        f"A step reads the weights once for {together:.1f} requests ({alone:.1f} in the baseline) and takes "
        f"{case.step_ratio:.2f} times as long."
    )


def _masked(case: Case) -> str | None:
    ratio, zeros, weights = case.bytes_ratio, case.detail("pruning", "zeros"), case.detail("pruning", "weights")
    if case.detail("pruning", "badge") != "masked" or ratio is None or abs(ratio - 1) > ALIKE:
        return None
    share = (
        f"{formatting.share(100 * zeros / weights)} of the weights are"
        if isinstance(zeros, int) and isinstance(weights, int) and weights
        else ""
    )
    return (
        f"A mask without a kernel for it: {share or 'zeros are'} zero, stored and multiplied like the others "
        f"({ratio:.2f} times the baseline's bytes)."
    )


def _sparse_kernel(case: Case) -> str | None:
    if case.detail("pruning", "badge") != "2:4 kernel active" or case.place is None or case.place.mfu_pct is None:
        return None
    taken = formatting.share(case.place.mfu_pct)
    return (
        f"The 2:4 kernel saves multiplications, and these take {taken} of a step: it pays "
        "where computing binds, with large batches and long prompts."
    )


def _quantized_cache(case: Case) -> str | None:
    ratio = case.step_ratio
    if "QuantizedKvLayer" not in cache_of([*case.receipts.values()]) or ratio is None or not case.slower:
        return None
    kept, plain = case.row.kv_bytes, case.base.kv_bytes
    if "quantization" in case.receipts or not kept or not plain:
        return None
    return (
        f"Every step dequantizes the whole cache: {kept / plain:.2f} times the bytes of the baseline's, and "
        f"{ratio:.2f} times the time of a step."
    )


def _emulated(case: Case) -> str | None:
    peaks = case.machine.peaks if case.machine is not None else {}
    narrow, full = peaks.get(case.computes_in), peaks.get("fp32")
    if "quantization" in case.receipts or case.undecided or not narrow or not full or narrow >= full:
        return None
    if not (case.slower or _fell(case)):
        return None
    return (
        f"This processor multiplies {case.computes_in} more slowly than fp32: {narrow / 1e9:.3g} against "
        f"{full / 1e9:.3g} GFLOP/s measured{_and_bytes(case)}."
    )


def _launch(case: Case) -> str | None:
    place = case.place
    if place is None or place.bound != "launch" or place.launch_s is None or case.anatomy is None:
        return None
    return (
        f"Launch-bound: to start {case.anatomy.operations} operations from Python takes {place.launch_s * 1e3:.1f} of "
        f"the {place.step_s * 1e3:.1f} ms of a step{_bytes(case)}."
    )


def _dequantization(case: Case) -> str | None:
    """Return the sentence for a quantization that reads fewer bytes, is no faster accordingly, and spends more time
    beside reading than the baseline."""
    mine, theirs = _beside_reading_ms(case.place), _beside_reading_ms(case.base_place)
    if mine is None or theirs is None or "quantization" not in case.receipts or case.undecided or not _fell(case):
        return None
    if mine <= (1 + 2 * ALIKE) * theirs:
        return None
    classes = case.detail("quantization", "classes")
    named = f" ({str(classes[0]).split(':')[0]})" if isinstance(classes, list) and classes else ""
    return (
        f"Dequantization-bound{named}: reads {case.bytes_ratio:.2f} times the baseline's bytes, but all else in a step "
        f"takes {mine:.1f} ms instead of {theirs:.1f}; MBU fell from {formatting.number(case.base.mbu_pct, 2)} to "
        f"{formatting.number(case.row.mbu_pct, 2)} %."
    )


def _rest_stays(case: Case) -> str | None:
    """Return the sentence for a variant that reads fewer bytes and spends as much time beside reading as the
    baseline."""
    mine, theirs = _beside_reading_ms(case.place), _beside_reading_ms(case.base_place)
    if mine is None or theirs is None or case.place is None or case.undecided or not _fell(case):
        return None
    if mine > (1 + 2 * ALIKE) * theirs:
        return None
    launch = "" if case.place.launch_s is None else f", at least {case.place.launch_s * 1e3:.1f} ms of it launching"
    return (
        f"Reads {case.bytes_ratio:.2f} times the baseline's bytes, and a step takes {case.step_ratio:.2f} times as "
        f"long: all but reading still takes {mine:.1f} ms (baseline: {theirs:.1f}){launch}; MBU "
        f"{formatting.number(case.base.mbu_pct, 2)} → {formatting.number(case.row.mbu_pct, 2)} %."
    )


def _fewer_bytes(case: Case) -> str | None:
    read, took = case.bytes_ratio, case.step_ratio
    if read is None or took is None or case.row.mbu_pct is None or case.base.mbu_pct is None:
        return None
    if case.undecided or _fell(case) or abs(read - 1) <= ALIKE or (read < 1) != (took < 1) or case.slower != (took > 1):
        return None
    return (
        f"Reads {read:.2f} times the baseline's bytes, and a step takes {took:.2f} times as long "
        f"(MBU {formatting.number(case.base.mbu_pct, 2)} → {formatting.number(case.row.mbu_pct, 2)} %)."
    )


def _less_beside(case: Case) -> str | None:
    """Return the sentence for a variant that reads as many bytes in less time."""
    read, took = case.bytes_ratio, case.step_ratio
    if read is None or took is None or case.row.mbu_pct is None or case.base.mbu_pct is None:
        return None
    if abs(read - 1) > ALIKE or case.row.verdict != "faster" or took > 1 - ALIKE:
        return None
    return (
        f"Reads as much as the baseline in {took:.2f} times the time: less is done beside reading "
        f"(MBU {formatting.number(case.base.mbu_pct, 2)} → {formatting.number(case.row.mbu_pct, 2)} %)."
    )


def _stands(case: Case) -> str | None:
    """Return the sentence about where a step stands under the roofline. It explains no difference."""
    place = case.place
    if place is None or place.mbu_pct is None or (not case.is_baseline and case.row.verdict in ("slower", "faster")):
        return None
    megabytes = _megabytes(place.bytes_per_step)
    if place.bound == "bandwidth":
        reads = formatting.share(place.mbu_pct)
        if case.machine is None:
            return f"Bandwidth-bound: a step reads {megabytes} MB, {reads} of the bandwidth."
        speed = f"{case.machine.bandwidth / 1e9:.1f}"
        return f"Bandwidth-bound: a step reads {megabytes} MB, {reads} of the measured {speed} GB/s."
    if place.bound == "compute" and place.mfu_pct is not None:
        return f"Compute-bound: {formatting.share(place.mfu_pct)} of the measured peak in {case.computes_in}."
    if case.disturbed:
        takes = formatting.share(place.mbu_pct)
        return f"What binds cannot be told: reading {megabytes} MB accounts for {takes} of a step."
    parts = [f"reading {megabytes} MB takes {formatting.share(place.mbu_pct)} of a step"]
    parts += [f"multiplying {formatting.share(place.mfu_pct)}"] if place.mfu_pct is not None else []
    parts += [f"launching {formatting.share(place.launch_pct)}"] if place.launch_pct is not None else []
    return f"Kernel-bound: {', '.join(parts)}; the rest is in the kernels themselves."


def _fell(case: Case) -> bool:
    """Return whether memory bandwidth utilization fell with the bytes, so that fewer bytes gained less than
    they could."""
    mine, theirs, read = case.row.mbu_pct, case.base.mbu_pct, case.bytes_ratio
    return None not in (mine, theirs, read) and (read or 1) <= 1 - 2 * ALIKE and (mine or 0) <= FELL * (theirs or 0)


def _beside_reading_ms(place: Place | None) -> float | None:
    """Return the milliseconds of a step beyond reading its bytes at the measured bandwidth."""
    return None if place is None or place.bytes_s is None else 1e3 * (place.step_s - place.bytes_s)


def _and_bytes(case: Case) -> str:
    if case.bytes_ratio is None or case.step_ratio is None or not _fell(case):
        return ""
    return f", so {case.bytes_ratio:.2f} times the bytes take {case.step_ratio:.2f} times as long"


def _bytes(case: Case) -> str:
    return "" if case.bytes_ratio is None else f", whose bytes are {case.bytes_ratio:.2f} times the baseline's"


RULES = (
    Rule("recompilation", _recompiled),
    Rule("cache recomputed", _recomputed),
    Rule("speculation", _speculation),
    Rule("batching", _batching),
    Rule("mask without kernel", _masked),
    Rule("2:4 kernel", _sparse_kernel),
    Rule("quantized cache", _quantized_cache),
    Rule("emulated type", _emulated),
    Rule("launch", _launch),
    Rule("dequantization", _dequantization),
    Rule("the rest stays", _rest_stays),
    Rule("fewer bytes", _fewer_bytes),
    Rule("less beside reading", _less_beside),
    Rule("where it stands", _stands),
)
