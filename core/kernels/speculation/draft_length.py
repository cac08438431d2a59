"""Chooses the number of tokens to draft, from the cost and acceptance of drafting so far.

With acceptance α per drafted token, a pass of k drafted tokens yields E(k) = (1 − α^(k+1)) ÷ (1 − α) tokens and takes
k·t_draft + T(k + 1 + r) seconds; the plain step takes T(1). The speed-up is their quotient (Leviathan et al. 2023, with
measured times: verification is not free on every device and kernel). r is the number of tokens that a pass feeds again
because a recurrent state was restored; 0 for a cache of rows.
"""

from __future__ import annotations

from typing import NamedTuple

SPECULATE = 1.05  # predicted speed-up above which guessing begins again
STOP = 0.98  # below it twice in a row, guessing stops
EVERY = 8  # passes between two decisions
PROBE = 64  # tokens decoded plainly before another try
_PLAIN_FIRST = 3  # passes at the start that measure T(1)
_FORGET = 0.9  # weight of the past at each observation


class Change(NamedTuple):
    """A change of the draft length, for the log and the plot."""

    at_ns: int
    what: str
    detail: str


class AdaptiveDraftLength:
    """`draft_tokens` is the present draft length, 0 while plain decoding is faster. The statistics stay for the next
    request, so that a warm-up trains them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.changes: list[Change] = []
        self.passes = self.plain_tokens = 0
        self._length = most
        self._stopped = False
        self._probing = 0  # passes left of a try
        self._below = 0
        self._since_decision = 0
        self._step_s: dict[int, float] = {}  # T(M) by tokens per pass
        self._draft_s: float | None = None  # per guess
        self._hits = self._misses = 0.0
        self._again = 0.0  # r, of the passes with guesses

    @property
    def draft_tokens(self) -> int:
        if self.passes < _PLAIN_FIRST:
            return 0
        return 0 if self._stopped and not self._probing else self._length

    @property
    def acceptance(self) -> float | None:
        """The acceptance rate of a drafted token, given that the ones before it were accepted."""
        seen = self._hits + self._misses
        return self._hits / seen if seen else None

    def note(self, drafted: int, accepted: int, draft_s: float, step_s: float, now_ns: int, again: int = 0) -> None:
        """Record a finished pass: drafted and accepted tokens, the seconds of both parts, and the tokens fed again."""
        self.passes += 1
        width = drafted + 1 + again
        self._step_s[width] = _mix(self._step_s.get(width), step_s)
        if drafted:
            self._again = _mix(self._again, again)
            self._draft_s = _mix(self._draft_s, draft_s / drafted)
            self._hits = _FORGET * self._hits + accepted
            self._misses = _FORGET * self._misses + (accepted < drafted)
        if self._stopped and not self._probing:
            self.plain_tokens += 1
            if self.plain_tokens >= PROBE:
                self.plain_tokens, self._probing = 0, EVERY
                self._change(now_ns, "speculation probes", f"after {PROBE} plain tokens")
            return
        self._since_decision += 1
        self._probing = max(0, self._probing - 1)
        if self._since_decision >= EVERY:
            self._since_decision = 0
            self._decide(now_ns)

    def predicted(self, k: int) -> float | None:
        """Return the speed-up of k drafted tokens per pass over plain decoding; None without measurements."""
        alpha, plain = self.acceptance, self._step_s.get(1)
        if alpha is None or plain is None or self._draft_s is None:
            return None
        tokens = k + 1.0 if alpha >= 1 else (1 - alpha ** (k + 1)) / (1 - alpha)
        return tokens * plain / (k * self._draft_s + self._pass_s(k + 1 + round(self._again)))

    def _decide(self, now_ns: int) -> None:
        options = {k: p for k in range(1, self.most + 1) if (p := self.predicted(k)) is not None}
        if not options:
            return
        best = max(options, key=options.__getitem__)
        speed, alpha = options[best], self.acceptance or 0.0
        why = f"predicted {speed:.2f}× with {best} guesses at acceptance {alpha:.2f}"
        if self._stopped:
            if speed > SPECULATE:
                self._stopped, self._below, self._length = False, 0, best
                self._change(now_ns, "speculation resumes", why)
            return
        self._below = self._below + 1 if speed < STOP else 0
        if self._below >= 2:
            self._stopped, self.plain_tokens, self._probing = True, 0, 0
            self._change(now_ns, "plain decoding", why)
        elif best != self._length and speed > 1.02 * options[self._length]:
            self._change(now_ns, f"draft length {self._length} → {best}", why)
            self._length = best

    def _pass_s(self, tokens: int) -> float:
        """Return T(M) by interpolation between the nearest measured lengths; a longer pass is never assumed to be
        shorter."""
        known = self._step_s
        if tokens in known:
            return known[tokens]
        below = max((m for m in known if m < tokens), default=None)
        above = min((m for m in known if m > tokens), default=None)
        if below is not None and above is not None:
            share = (tokens - below) / (above - below)
            return known[below] + share * (known[above] - known[below])
        if below is None:
            return min(known.values())
        lower = max((m for m in known if m < below), default=None)
        slope = (known[below] - known[lower]) / (below - lower) if lower is not None else 0.0
        return known[below] + max(0.0, slope) * (tokens - below)

    def _change(self, now_ns: int, what: str, detail: str) -> None:
        self.changes.append(Change(now_ns, what, detail))


def _mix(old: float | None, new: float) -> float:
    return new if old is None else _FORGET * old + (1 - _FORGET) * new
