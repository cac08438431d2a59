"""Makes a prompt of exactly so many tokens, inside the model's chat template. Knows tokenizers, no model.

The template's own tokens stay whole; the user's text between them is trimmed, or extended with distinct text,
never with repetition: that would feed prompt lookup and prefix caches (`metrics.md`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.commands import Prompt
from core.engine.failures import Refused

_SENTINEL = "\u241eDYNO\u241e"  # text that no template contains


@dataclass(frozen=True)
class Frame:
    """What stands before and after the user's text, as token ids. `note` says what a user should know."""

    head: list[int]
    tail: list[int]
    note: str = ""


def frame(tokenizer: Any) -> Frame:
    """The chat template, cut where the user's text belongs; without a usable template a plain prompt, which
    begins as the tokenizer begins every text."""
    if not getattr(tokenizer, "chat_template", None):
        return _plain(tokenizer, "no chat template: prompts are plain text")
    message = [{"role": "user", "content": _SENTINEL}]
    try:
        text = tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True)
        head, tail = text.split(_SENTINEL)
    except Exception as error:  # a template is a program of the model's author: anything may come out of it
        return _plain(tokenizer, f"the chat template cannot be used ({error}): prompts are plain text")
    return Frame(_ids(tokenizer, head), _ids(tokenizer, tail))


def prompt_ids(tokenizer: Any, chat: Frame, prompt: Prompt, length: int) -> list[int]:
    """Exactly `length` ids. Raises Refused where template, text and filler cannot make that."""
    room = length - len(chat.head) - len(chat.tail)
    if room < 1:
        raise Refused(
            f"a prompt of {length} tokens has no room for text: the chat template alone takes "
            f"{len(chat.head) + len(chat.tail)}",
            f"Set prompt_tokens to at least {len(chat.head) + len(chat.tail) + 1}.",
        )
    body = _ids(tokenizer, prompt.text)
    if len(body) < room and prompt.filler:
        # Only as much of the filler as can be needed: no vocabulary spends more than some 20 characters a token.
        filler = prompt.filler[: 20 * (room - len(body)) + 100]
        body += _ids(tokenizer, "\n\n" + filler)
        if len(body) < room:
            body = _ids(tokenizer, prompt.text) + _ids(tokenizer, "\n\n" + prompt.filler)
    if len(body) < room:
        have = length - room + len(body)
        raise Refused(
            f"the prompt has {have} tokens, {length} are asked for, and there is no more text to extend it with",
            f"Set prompt_tokens to at most {have}, or give a larger prompt file.",
        )
    return chat.head + body[:room] + chat.tail


def _plain(tokenizer: Any, note: str) -> Frame:
    # The first ids of an encoded text are those that the tokenizer adds by itself (BOS), if it does.
    with_special, bare = tokenizer.encode("a"), _ids(tokenizer, "a")
    if with_special != bare and with_special[-len(bare) :] == bare:
        return Frame(with_special[: -len(bare)], [], note)
    return Frame([], [], note)


def _ids(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False)) if text else []
