"""Parts of the engine that need no process: when a warm-up is over, what a trial is flagged for, how prompts get
their length, how faults are told."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Any

import pytest
from safetensors import SafetensorError

from core.base.out_of_memory import is_out_of_memory
from core.engine.base import chat_template as template_process
from core.engine.base import prompt_framing
from core.engine.base.failures import Refused, failure
from core.engine.gguf import convert
from core.engine.machine.cpu import Snapshot, Usage
from core.engine.serve.loop import Pass, run_pass
from core.engine.serve.warmup import stationary
from core.model.facts import ModelFacts
from core.model.model_error import ModelError
from core.protocol.commands import Prompt
from tests.core.model.test_models import gguf
from tests.core.tiny import BOS, tiny_tokenizer


def passed(prefill: float, gaps: list[float], tokens: int = 1) -> Pass:
    """A pass with these times in ms."""
    done, at = Pass(arrival_ns=0), 0.0
    for ms in [prefill, *gaps]:
        at += ms
        done.at_ns.append(int(at * 1e6))
        done.tokens.append(tokens)
    return done


GAPS = [40 + 0.1 * i + (3 if i % 5 == 0 else -1) for i in range(63)]  # grows with the cache, and jitters


def test_equal_passes_are_stationary_although_steps_grow_within_each() -> None:
    assert stationary(passed(100, GAPS), passed(102, [g * (1.02 if i % 2 else 0.98) for i, g in enumerate(GAPS)]))


def test_a_pass_that_is_still_getting_faster_is_not() -> None:
    assert not stationary(passed(130, [g * 1.3 for g in GAPS]), passed(100, GAPS))
    assert not stationary(passed(104, [g * 1.05 for g in GAPS]), passed(100, GAPS))


def test_one_hiccup_is_no_trend() -> None:
    assert stationary(passed(100, GAPS), passed(100, [*GAPS[:30], 900.0, *GAPS[31:]]))


def test_short_workloads_have_an_allowance() -> None:
    assert stationary(passed(100, []), passed(95, []))
    assert not stationary(passed(582, []), passed(202, []))


def test_cpu_usage_from_two_snapshots() -> None:
    a = Snapshot(wall=10.0, own=5.0, busy=100.0, steal=1.0, cores=2)
    b = Snapshot(wall=12.0, own=8.0, busy=104.0, steal=1.2, cores=2)
    usage = a.until(b)
    assert (usage.own_pct, usage.foreign_pct) == (150.0, 50.0)
    assert usage.steal_pct == pytest.approx(5.0)
    assert a.until(Snapshot(10.01, 5.0, 100.0, None, 2)) == Usage()  # one tick says nothing


def test_the_loop_refuses_a_decoder_that_yields_nothing_or_too_much() -> None:
    class Odd:
        def __init__(self, tokens: list[int]) -> None:
            self.tokens = tokens

        def start(self, *_: Any) -> int:
            return 1

        def step(self) -> list[int]:
            return self.tokens

    for tokens in ([], [1, 2, 3, 4]):
        with pytest.raises(RuntimeError, match="a step yielded"):
            run_pass(Odd(tokens), [1], 4, None, lambda *_: None)  # type: ignore[arg-type]


def test_prompts_are_trimmed_or_extended_never_repeated() -> None:
    tokenizer = tiny_tokenizer()
    chat = prompt_framing.frame(tokenizer)
    for text in ("short", "a text that is far too long for so small a prompt" * 3):
        ids = prompt_framing.prompt_ids(tokenizer, chat, Prompt(text=text, filler="0123456789" * 9), 60)
        assert len(ids) == 60
        assert ids[: len(chat.head)] == chat.head
        assert ids[-len(chat.tail) :] == chat.tail
        assert bytes(ids).decode().removeprefix("<|user|>").startswith(text[:20])
    with pytest.raises(Refused, match="the prompt has"):
        prompt_framing.prompt_ids(tokenizer, chat, Prompt(text="short"), 60)
    with pytest.raises(Refused, match="no room"):
        prompt_framing.prompt_ids(tokenizer, chat, Prompt(text="short"), len(chat.head) + len(chat.tail))


class _Counting:
    """A tokenizer that notes how much text it was given."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.characters = inner, 0

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        self.characters += len(text)
        return self.inner.encode(text, add_special_tokens=add_special_tokens)


def test_no_more_of_a_text_is_encoded_than_is_needed() -> None:
    tokenizer = _Counting(tiny_tokenizer())
    chat = prompt_framing.Frame([1], [2])
    text = "".join(f"{i} " for i in range(300_000))
    ids = prompt_framing.prompt_ids(tokenizer, chat, Prompt(text=text), 60)
    assert bytes(ids[1:-1]).decode() == text[:58]
    prompt_framing.prompt_ids(tokenizer, chat, Prompt(text="a", filler=text), 60)
    assert tokenizer.characters < 10_000


def test_a_vocabulary_of_long_tokens_gets_enough_text() -> None:
    class Long:
        def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
            return list(range(-(-len(text) // 1000)))

    ids = prompt_framing.prompt_ids(Long(), prompt_framing.Frame([], []), Prompt(text="x" * 1_000_000), 500)
    assert ids == list(range(500))
    with pytest.raises(Refused, match="the prompt has 1000 tokens"):
        prompt_framing.prompt_ids(Long(), prompt_framing.Frame([], []), Prompt(text="x" * 1_000_000), 2000)


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{% for i in range(90000) %}{% for j in range(90000) %}x{% endfor %}{% endfor %}", "runs for more than 0.3 s"),
        ("{% for i in range(3) %}{{ messages[0]['content'] }}{% endfor %}", "writes the user's text 3 times"),
        ("{{ 'x' * 10000000000 }}", "takes more than 1 GiB of memory"),
        ("{{ 7 ** 1000000000 }}", "runs for more than 0.3 s"),
        ("{{ messages[0]['content'] }}{{ '%9999999999d' % 1 }}", "takes more than 1 GiB of memory"),
        ("{{ messages[", "unexpected"),
        ("{{ messages.__class__.__mro__ }}", "unsafe"),
        ("{% include '/etc/passwd' %}", "no loader"),
        ("no text at all", "writes the user's text 0 times"),
        ("{{ messages[0]['content'] }}{{ 'x' * 300000 }}", "writes 300,0"),
    ],
)
def test_a_template_that_cannot_be_used_ends(monkeypatch: pytest.MonkeyPatch, template: str, words: str) -> None:
    monkeypatch.setattr(template_process, "TEMPLATE_S", 0.3)
    tokenizer = tiny_tokenizer()
    tokenizer.chat_template = template
    found = prompt_framing.frame(tokenizer)
    assert words in found.note
    assert (found.head, found.tail) == ([], [])


@pytest.mark.parametrize(
    "template",
    [
        "{% for m in messages %}\n    {{- '<|im_start|>' + m.role + '\\n' + m['content'] | trim + '<|im_end|>' }}\n"
        "{% endfor %}\n{% if add_generation_prompt %}\n{{ '<|im_start|>assistant' }}\n{% endif %}",
        "{{ bos_token }}{% set n = namespace(seen=0) %}{% for m in messages %}{% if m.role == 'system' %}"
        "{% continue %}{% endif %}{% set n.seen = n.seen + 1 %}{{ m.content }}{% break %}{% endfor %}{{ n.seen }}",
        "{% if tools is not none or documents %}tools{% endif %}{{ messages[0].content }}"
        "{% generation %}{{ messages | tojson(indent=1) | length }}{% endgeneration %}{{ eos_token }}é\u2028",
        "{{ strftime_now('%d %B %Y') }}{{ messages[0].content.split('a') | length }}{{ messages[-1]['content'] }}"
        "{{ messages[0].get('name', 'nobody') }}{{ messages[0].missing }}{{ dict(a='ü') | tojson }}",
        "{%- macro say(text) -%}[{{ text }}]{%- endmacro -%}{{ say(messages[0].content) }}{{ custom_token }}",
    ],
)
def test_a_template_is_rendered_as_transformers_renders_it(template: str) -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.add_special_tokens({"bos_token": "<s>", "eos_token": "</s>"})
    tokenizer.chat_template = template
    message = [{"role": "user", "content": "What is that?"}]
    theirs = tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True)
    assert template_process.rendered(template, "What is that?", tokenizer.special_tokens_map) == theirs


def test_memory_is_watched_from_outside_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_process, "MEMORY", 1 << 20)  # of the one who looks; the other has its own limit
    with pytest.raises(template_process.TemplateFault, match="GiB of memory"):
        template_process.rendered(
            "{% for i in range(90000) %}{% for j in range(90000) %}{% endfor %}{% endfor %}", "", {}
        )


def test_half_a_character_of_a_template_is_told_before_a_tokenizer_meets_it() -> None:
    broken = tiny_tokenizer()
    broken.chat_template = "{{ messages[0].content }}{{ '\\ud800' }}"
    assert "it writes half of a surrogate pair" in prompt_framing.frame(broken).note


def test_a_tokenizer_with_code_of_its_own_for_chats_is_asked() -> None:
    class Own(type(tiny_tokenizer())):  # type: ignore[misc]
        def apply_chat_template(self, conversation: list[dict[str, str]], **_: Any) -> str:
            return f"<own>{conversation[0]['content']}</own>"

    own = tiny_tokenizer()
    own.__class__ = Own
    assert bytes(prompt_framing.frame(own).head).decode() == "<own>"


def test_frames_without_a_usable_template() -> None:
    plain = prompt_framing.frame(tiny_tokenizer(chat_template=False))
    assert (plain.head, plain.tail) == ([], [])
    assert "no chat template" in plain.note
    broken = tiny_tokenizer()
    broken.chat_template = "{{ raise_exception('system message needed') }}"
    assert "system message needed" in prompt_framing.frame(broken).note

    class WithBos:
        chat_template = None

        def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
            return ([BOS] if add_special_tokens else []) + list(text.encode())

    assert prompt_framing.frame(WithBos()).head == [BOS]

    class WithBoth(WithBos):
        def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
            return super().encode(text, add_special_tokens) + ([BOS + 1] if add_special_tokens else [])

    assert prompt_framing.frame(WithBoth()).head == [BOS]  # an end-of-text after it takes nothing from the beginning
    assert (prompt_framing.frame(WithBoth()).tail, prompt_framing.beginning(WithBoth())) == ([], [BOS])


class _Silent:
    def enter(self, *_: Any) -> None: ...
    def log(self, *_: Any) -> None: ...
    def send(self, *_: Any) -> None: ...


def test_a_disk_that_is_too_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100, 90, 10))  # type: ignore[attr-defined]
    gguf(tmp_path / "m.gguf")
    facts = ModelFacts(name="m", kind="gguf", path=str(tmp_path / "m.gguf"), parameters=10**9)
    with pytest.raises(ModelError, match=r"needs 4\.00 GB of disk") as caught:
        convert.converted(facts, _Silent())  # type: ignore[arg-type]
    assert "DYNO_CACHE" in caught.value.hint
    assert not [p for p in (tmp_path / "cache" / "models").iterdir() if p.is_dir()]


@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, "No space left"), SafetensorError("I/O error: No space left on device (os error 28)")],
)
def test_a_disk_that_fills_up(error: Exception, tmp_path: Path) -> None:
    explained = convert._explained(error, tmp_path, tmp_path / "m.gguf")
    assert explained is not None
    told = failure(explained, "converting the model")
    assert told.kind == "refused"
    assert "disk is full" in told.message


def test_kinds_of_failure() -> None:
    torch_words = "[enforce fail at alloc_cpu.cpp:127] . DefaultCPUAllocator: can't allocate memory: you tried"
    for error in (MemoryError(), RuntimeError(torch_words), OSError(12, "Cannot allocate memory")):
        assert is_out_of_memory(error)
        assert failure(error, "measuring").kind == "out_of_memory"
    told = failure(KeyError("layer"), "measuring")
    assert told.kind == "failed"
    assert told.message == "measuring failed: KeyError: 'layer'"
    assert "Traceback" not in told.message
