"""Sends what is new while requests are served: stamps every 30 ms, text at most four times a second.

It runs between two steps, in the stepping thread: detokenizing takes the interpreter lock from the step in another
thread too. Measured on the demo model's tokenizer, decoding, encoding and writing included: a piece of text costs 48 µs
at 20 tok/s and 74 µs at 100 tok/s, four times a second, so 0.02 % and 0.03 % of a trial; the stamps of 30 ms cost 11
µs, 0.04 %.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from core.engine.serve.detokenize import Detokenizer
from core.engine.serve.loop import Pass
from core.protocol.engine_channel import Channel
from core.protocol.events import Steps, Text

TEXT_NS = 250_000_000
LOOK_NS = 1_000_000_000


class Live:
    """Streams the passes of requests. Calling it with a pass sends what is new; `end` sends the rest of the text. Of
    several requests one is followed until it ends, then another. Once a second `look` is called, which notes the
    cache's size: 160 µs for 30 layers, 0.02 % of the time."""

    def __init__(
        self,
        channel: Channel,
        tokenizer: Any,
        round: int | None,
        look: Callable[[], None] = lambda: None,
        text_ns: int = TEXT_NS,
    ) -> None:
        self.look = look
        self._every_ns = text_ns  # between two pieces of text
        self._look_due = 0
        self._channel = channel
        self._tokenizer = tokenizer
        self._round = round
        self._followed: Pass | None = None
        self._detokenizer = Detokenizer(tokenizer)
        self._seen = 0  # ids of the followed pass that were detokenized
        self._due = 0
        self.text_ns = 0  # time that text took so far

    def __call__(self, done: Pass) -> None:
        if done.handed < len(done.at_ns):
            at, tokens = done.at_ns[done.handed :], done.tokens[done.handed :]
            done.handed = len(done.at_ns)
            self._channel.send(Steps(round=self._round, request=done.request, at_ns=at, tokens=tokens))
        now = time.perf_counter_ns()
        if now < self._due or (done is not self._followed and not self._free()):
            return
        if done is not self._followed:
            self.end()
            self._followed, self._seen = done, 0
            self._detokenizer = Detokenizer(self._tokenizer)
        self._say(done.request, self._detokenizer.add(done.ids[self._seen :]))
        self._seen = len(done.ids)
        self._due = now + self._every_ns
        if now >= self._look_due:
            self._look_due = now + LOOK_NS
            self.look()
        self.text_ns += time.perf_counter_ns() - now

    def end(self, whole: str | None = None) -> None:
        """Send the rest of the followed text; `whole` is the complete text if the caller has it."""
        done, self._followed = self._followed, None
        if done is not None:
            self._say(done.request, self._detokenizer.rest(whole or self._tokenizer.decode(done.ids)))

    def _free(self) -> bool:
        return self._followed is None or self._followed.end_ns > 0

    def _say(self, request: int, text: str) -> None:
        if text:
            self._channel.send(Text(round=self._round, request=request, text=text))
