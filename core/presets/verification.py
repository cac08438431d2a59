"""The outcome of measuring a preset's evidence again."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from core import __version__
from core.analysis.comparison_row import Row
from core.base.value import Value
from core.machine.environment import Environment
from core.results.ratio_statistics import MARGIN

#: The gate's colours, the best first.
GATES = ("green", "amber", "red")


class Verification(Value):
    """One repetition. Ratios are to the baseline of the same run, then and now; `margin` is the allowed relative
    difference. Gates are empty if quality was not judged."""

    at: str  # ISO 8601, UTC
    dyno_version: str
    environment: str  # fingerprint of the machine that measured; empty: not known
    ratio_then: float
    ratio_now: float | None
    ratio_low: float | None = None  # 95 % interval of the new one
    ratio_high: float | None = None
    margin: float
    agrees: bool  # the ratios
    gate_then: str = ""
    gate_now: str = ""
    gate_ok: bool = True
    lost_then: int | None = None  # prompts of the suite that the baseline passes and the variant does not
    lost_now: int | None = None
    interface: str = ""  # new differences from the baseline in what the model accepts or returns
    not_engaged: list[str] = []  # mismatched receipts, one line each
    kld_then: float | None = None
    kld_now: float | None = None
    differs: list[str] = []  # differences of the environment, one line each
    fault: str = ""  # why there is no ratio now

    @property
    def checks_ok(self) -> bool:
        """Whether no further prompts of the suite fail and the interface is unchanged."""
        more = self.lost_then is not None and (self.lost_now is None or self.lost_now > self.lost_then)
        return not more and not self.interface

    @property
    def confirmed(self) -> bool:
        return self.agrees and self.gate_ok and self.checks_ok and not self.not_engaged

    def words(self) -> str:
        """Return the outcome in words, `confirmed: 1.512× then, 1.498× now; they differ by 0.9 %, the margin is 3 %`,
        and the gate."""
        verdict, margin = "confirmed" if self.confirmed else "not confirmed", f"{100 * self.margin:g}"
        if self.ratio_now:
            differ = 100 * change_of(self.ratio_then, self.ratio_now)
            text = f"{verdict}: {self.ratio_then:.3f}× then, {self.ratio_now:.3f}× now"
            text += f"; they differ by {differ:.1f} %, the margin is {margin} %"
        else:
            text = f"{verdict}: {self.ratio_then:.3f}× then, no ratio now ({self.fault})"
            text += f", the margin is {margin} %"
        if self.ratio_low and self.ratio_high and self.ratio_high / self.ratio_low > (1 + self.margin) ** 2:
            text += (
                f"; the new interval [{self.ratio_low:.3f}, {self.ratio_high:.3f}] is wider than the margin: more "
                "rounds would tell"
            )
        if self.gate_then or self.gate_now:
            then, gate = self.gate_then or "not judged", self.gate_now or "not judged"
            if self.gate_ok:
                text += f"; gate {then} then, {gate} now"
            elif self.gate_now:
                text += f"; gate {then} then, {gate} now which is worse"
            else:
                text += f"; gate {then} then, {gate} now: quality could not be judged again"
        if self.lost_then is not None and self.lost_now != self.lost_then:
            text += (
                f"; prompts of the suite: {self.lost_then} lost then, not run now"
                if self.lost_now is None
                else f"; prompts of the suite: {self.lost_then} lost then, {self.lost_now} lost now"
            )
        if self.interface:
            text += f"; interface: {self.interface}"
        for line in self.not_engaged:
            text += f"; did not take effect: {line}"
        return text


def judge(then: Row, now: Row, here: Environment | None, differs: list[str], margin: float = MARGIN) -> Verification:
    """Return the verification of two rows of a variant. `then` has a ratio; a row `now` without one does not agree."""
    before = then.speed_ratio
    assert before
    ratio = now.speed_ratio if now.speed_ratio and now.speed_ratio > 0 else None
    return Verification(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        dyno_version=__version__,
        environment=here.fingerprint if here is not None else "",
        ratio_then=before,
        ratio_now=ratio,
        ratio_low=now.speed_ratio_low,
        ratio_high=now.speed_ratio_high,
        margin=margin,
        agrees=ratio is not None and change_of(before, ratio) < margin,
        gate_then=then.gate,
        gate_now=now.gate,
        gate_ok=gate_holds(then, now),
        lost_then=then.suite_lost,
        lost_now=now.suite_lost,
        interface=now.interface if then.interface_ok and not now.interface_ok else "",
        not_engaged=[
            f"{r.slot}: asked for {r.requested}, in effect {r.effective}" for r in now.receipts if not r.matches
        ],
        kld_then=then.kld_mean,
        kld_now=now.kld_mean,
        differs=differs,
        fault="" if ratio else f"{now.status}: {now.error or 'no round has both variants'}",
    )


def change_of(then: float, now: float | None) -> float:
    """Return the relative difference of two ratios, the same in both directions: exp |ln now − ln then| − 1."""
    return math.exp(abs(math.log(now / then))) - 1 if now else math.inf


def gate_holds(then: Row, now: Row) -> bool:
    """Return whether the gate is green or no worse than before. Quality that was judged then must be judged now."""
    if not then.gate and then.kld_mean is None:
        return True
    if now.gate not in GATES:
        return False
    return now.gate == GATES[0] or (then.gate in GATES and GATES.index(now.gate) <= GATES.index(then.gate))
