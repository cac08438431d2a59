"""Makes prompts of an exact number of tokens inside the model's chat template. The template's own tokens stay whole.
The user's text is cut, or extended with distinct text: repetition would help prompt lookup and prefix caches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.engine.base import chat_template
from core.engine.base.chat_template import TemplateFault
from core.engine.base.failures import Refused
from core.protocol.commands import Prompt

_SENTINEL = "\u241eDYNO\u241e"  # text that no template contains


@dataclass(frozen=True)
class Frame:
    """The token ids before and after the user's text. `note` says what a user should know."""

    head: list[int]
    tail: list[int]
    note: str = ""


def frame(tokenizer: Any) -> Frame:
    """Return the chat template, split where the user's text belongs. Without a usable template the frame is the
    tokenizer's own beginning of a text."""
    if not getattr(tokenizer, "chat_template", None):
        return _plain(tokenizer, "no chat template: prompts are plain text")
    try:
        parts = _rendered(tokenizer).split(_SENTINEL)
        if len(parts) != 2:
            raise TemplateFault(f"it writes the user's text {len(parts) - 1} times")
    except OSError:  # of the machine: other variants have the template
        raise
    except Exception as error:  # also of a tokenizer with a way of its own
        return _plain(tokenizer, f"the chat template cannot be used ({error}): prompts are plain text")
    head, tail = parts
    return Frame(_ids(tokenizer, head), _ids(tokenizer, tail))


def _rendered(tokenizer: Any) -> str:
    """Return the chat template rendered with the sentinel as its message. A tokenizer with its own code instead of a
    template is trusted."""
    from transformers import PreTrainedTokenizerBase

    if type(tokenizer).apply_chat_template is not PreTrainedTokenizerBase.apply_chat_template:
        message = [{"role": "user", "content": _SENTINEL}]
        return str(tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True))
    return chat_template.rendered(tokenizer.get_chat_template(), _SENTINEL, tokenizer.special_tokens_map)


def check_room(chat: Frame, length: int) -> int:
    """Return how many of `length` tokens the template leaves for text. Raises Refused if there are none."""
    taken = len(chat.head) + len(chat.tail)
    if length <= taken:
        raise Refused(
            f"a prompt of {length} tokens has no room for text: the chat template alone takes {taken}",
            f"Set prompt_tokens to at least {taken + 1}.",
        )
    return length - taken


def check_ids(tokenizer: Any, ids: list[int], rows: int | None) -> None:
    """Raise Refused if an id exceeds the `rows` of the model's embedding."""
    if rows is not None and (highest := max(ids, default=0)) >= rows:
        token = tokenizer.convert_ids_to_tokens(highest)
        raise Refused(
            f"the prompt holds the token {token!r} = {highest}, and the model's embedding has {rows:,} rows: the "
            "tokenizer is another model's",
            "Get the tokenizer and the weights from the same place.",
        )


def prompt_ids(tokenizer: Any, chat: Frame, prompt: Prompt, length: int) -> list[int]:
    """Return exactly `length` ids. Raises Refused if template, text and filler cannot fill them."""
    room = check_room(chat, length)
    body = cut_ids(tokenizer, prompt.text, prompt.shared, room)
    if len(body) < room and prompt.filler:
        body += first_ids(tokenizer, "\n\n" + prompt.filler, room - len(body))
    if len(body) < room:
        have = length - room + len(body)
        raise Refused(
            f"the prompt has {have} tokens, {length} are asked for, and there is no more text to extend it with",
            f"Set prompt_tokens to at most {have}, or give a larger prompt file.",
        )
    return chat.head + body[:room] + chat.tail


def is_cut(tokenizer: Any, chat: Frame, prompt: Prompt, length: int) -> bool:
    """Return whether a prompt of `length` ids lacks a part of the text."""
    room = check_room(chat, length)
    return len(first_ids(tokenizer, prompt.text, room)) > room


def cut_ids(tokenizer: Any, text: str, shared: int, room: int) -> list[int]:
    """Return at most `room` ids of a text, cut at its end. If the first `shared` characters, which another text begins
    with too, would take more than half of the room, they are cut at their end instead: otherwise two texts would become
    the same prompt, and a cache could answer it."""
    ids = first_ids(tokenizer, text, room)
    if len(ids) <= room or not shared:
        return ids[:room]
    common, own = first_ids(tokenizer, text[:shared], room), first_ids(tokenizer, text[shared:], room)
    kept = min(len(own), max(room - len(common), (room + 1) // 2))
    return ids[:room] if len(common) <= room - kept else common[: room - kept] + own[:kept]


def beginning(tokenizer: Any) -> list[int]:
    """Return the ids that the tokenizer puts before every text (BOS). Ids that it puts after a text (EOS) are left out,
    since they end the text."""
    whole, bare = list(tokenizer.encode("a")), _ids(tokenizer, "a")
    places = range(len(whole) - len(bare) + 1) if bare else []
    return next((whole[:place] for place in places if whole[place : place + len(bare)] == bare), [])


def _plain(tokenizer: Any, note: str) -> Frame:
    return Frame(beginning(tokenizer), [], note)


def first_ids(tokenizer: Any, text: str, count: int) -> list[int]:
    """Return at least the first `count` ids of a text, without encoding megabytes of it. Few vocabularies have tokens
    of more than about 20 characters; for such a vocabulary more of the text is encoded."""
    take = 20 * count + 100
    while take < len(text):
        ids = _ids(tokenizer, text[:take])
        if len(ids) > count:  # the very last one may be another where the text goes on
            return ids
        take *= 4
    return _ids(tokenizer, text)


def _ids(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False)) if text else []
