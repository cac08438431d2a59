"""Makes a prompt of exactly so many tokens, inside the model's chat template.

The template's own tokens stay whole; the user's text between them is trimmed, or extended with distinct text, never
with repetition: that would feed prompt lookup and prefix caches.
"""

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
    """What stands before and after the user's text, as token ids. `note` says what a user should know."""

    head: list[int]
    tail: list[int]
    note: str = ""


def frame(tokenizer: Any) -> Frame:
    """Return the chat template, cut where the user's text belongs; without a usable template a plain prompt, which
    begins as the tokenizer begins every text."""
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
    """Return the sentinel in the chat template. A tokenizer with code of its own instead of a template's is trusted."""
    from transformers import PreTrainedTokenizerBase

    if type(tokenizer).apply_chat_template is not PreTrainedTokenizerBase.apply_chat_template:
        message = [{"role": "user", "content": _SENTINEL}]
        return str(tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True))
    return chat_template.rendered(tokenizer.get_chat_template(), _SENTINEL, tokenizer.special_tokens_map)


def check_room(chat: Frame, length: int) -> int:
    """Return how many of `length` tokens the template leaves for text. Raises Refused where there are none."""
    taken = len(chat.head) + len(chat.tail)
    if length <= taken:
        raise Refused(
            f"a prompt of {length} tokens has no room for text: the chat template alone takes {taken}",
            f"Set prompt_tokens to at least {taken + 1}.",
        )
    return length - taken


def check_ids(tokenizer: Any, ids: list[int], rows: int | None) -> None:
    """Raises Refused where the model's embedding, of so many rows, has none for one of the ids."""
    if rows is not None and (highest := max(ids, default=0)) >= rows:
        token = tokenizer.convert_ids_to_tokens(highest)
        raise Refused(
            f"the prompt holds the token {token!r} = {highest}, and the model's embedding has {rows:,} rows: the "
            "tokenizer is another model's",
            "Get the tokenizer and the weights from the same place.",
        )


def prompt_ids(tokenizer: Any, chat: Frame, prompt: Prompt, length: int) -> list[int]:
    """Exactly `length` ids. Raises Refused where template, text and filler cannot make that."""
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
    """Return whether a prompt of `length` ids has not all of the text."""
    room = check_room(chat, length)
    return len(first_ids(tokenizer, prompt.text, room)) > room


def cut_ids(tokenizer: Any, text: str, shared: int, room: int) -> list[int]:
    """At most `room` ids of a text, that of its end being cut off; but where its first `shared` characters, with which
    another text begins as well, would take more than half of the room, of their end: else two texts were one prompt,
    and a cache could answer for the model."""
    ids = first_ids(tokenizer, text, room)
    if len(ids) <= room or not shared:
        return ids[:room]
    common, own = first_ids(tokenizer, text[:shared], room), first_ids(tokenizer, text[shared:], room)
    kept = min(len(own), max(room - len(common), (room + 1) // 2))
    return ids[:room] if len(common) <= room - kept else common[: room - kept] + own[:kept]


def beginning(tokenizer: Any) -> list[int]:
    """Return the ids that the tokenizer puts before every text by itself (BOS), if it does; what it puts after a text
    (EOS) ends it, and is left out."""
    whole, bare = list(tokenizer.encode("a")), _ids(tokenizer, "a")
    places = range(len(whole) - len(bare) + 1) if bare else []
    return next((whole[:place] for place in places if whole[place : place + len(bare)] == bare), [])


def _plain(tokenizer: Any, note: str) -> Frame:
    return Frame(beginning(tokenizer), [], note)


def first_ids(tokenizer: Any, text: str, count: int) -> list[int]:
    """Return the ids of a text, or at least its first `count`: a text of megabytes is not encoded for a few of them.
    Few vocabularies spend more than some 20 characters a token; where one does, more of the text is taken."""
    take = 20 * count + 100
    while take < len(text):
        ids = _ids(tokenizer, text[:take])
        if len(ids) > count:  # the very last one may be another where the text goes on
            return ids
        take *= 4
    return _ids(tokenizer, text)


def _ids(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False)) if text else []
