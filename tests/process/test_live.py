"""What is sent while requests are served: each stamp once, and text in pieces that make the whole."""

from __future__ import annotations

import time
from typing import Any

from core.engine.serve.live_stream import Live
from core.engine.serve.loop import Pass, run_pass
from core.protocol import events
from tests.core.tiny import tiny_tokenizer


class Sink:
    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, event: events.Event) -> None:
        self.sent.append(event)

    def text(self, request: int = 0) -> str:
        return "".join(e.text for e in self.sent if isinstance(e, events.Text) and e.request == request)


class Typist:
    """A decoder that writes a text, a byte a step."""

    def __init__(self, text: str, pace_s: float) -> None:
        self.text, self.pace_s = text.encode(), pace_s

    def start(self, *_: Any) -> int:
        self.left = iter(self.text)
        return next(self.left)

    def step(self) -> list[int]:
        time.sleep(self.pace_s)
        return [next(self.left)]


def test_text_comes_while_the_trial_runs() -> None:
    sink, text = Sink(), "The tide turns twice a day, 二回, and nobody is late. 🦉"
    sent = Live(sink, tiny_tokenizer(), 3, text_ns=40_000_000)  # type: ignore[arg-type]
    done = run_pass(Typist(text, 0.005), [1], len(text.encode()), None, sent)  # type: ignore[arg-type]
    sent.end()
    assert sink.text() == text
    kinds = [type(e) for e in sink.sent]
    assert kinds.count(events.Text) >= 3
    assert kinds.index(events.Text) < max(i for i, kind in enumerate(kinds) if kind is events.Steps)  # not at the end
    assert {e.round for e in sink.sent} == {3}
    stamps = [t for e in sink.sent if isinstance(e, events.Steps) for t in e.at_ns]
    assert stamps == done.at_ns
    assert 0 < sent.text_ns < done.end_ns - done.arrival_ns


def test_text_comes_at_most_four_times_a_second() -> None:
    sink = Sink()
    sent, done = Live(sink, tiny_tokenizer(), 0), Pass(arrival_ns=0)  # type: ignore[arg-type]
    for _ in range(100):
        done.ids.append(65)
        sent(done)
    assert sink.text() == "A"
    sent.end()
    assert sink.text() == "A" * 100


def test_of_several_requests_one_is_followed_to_its_end() -> None:
    sink = Sink()
    sent = Live(sink, tiny_tokenizer(), None, text_ns=0)  # type: ignore[arg-type]
    first, second = Pass(0, request=0), Pass(0, request=1)
    for done, word in [(first, b"a"), (second, b"x"), (first, b"b"), (second, b"y")]:
        done.ids.extend(word)
        sent(done)
    first.ids.extend(b"c")
    first.end_ns = 1
    assert sink.text(1) == ""
    second.ids.extend(b"z")
    sent(second)
    sent.end()
    assert (sink.text(0), sink.text(1)) == ("abc", "xyz")
    order = [e.request for e in sink.sent if isinstance(e, events.Text)]
    assert order == sorted(order)
