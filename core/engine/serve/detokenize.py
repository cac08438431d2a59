"""Turns token ids into text incrementally. A token's text depends on its neighbours: a character may span several
tokens, and sentencepiece drops the space before the first word. So the new ids are decoded together with the last shown
ones, those alone once more, and the difference is the new text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_INCOMPLETE = "\ufffd"  # what a decoder writes for bytes that make no character
_LONGEST = 4  # bytes of a character, hence the most tokens that one can be spread over


class Detokenizer:
    """The text of one request. Text that was returned is never changed."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._ids: list[int] = []
        self._shown = 0  # ids whose text was said
        self._before = 0  # where the piece before began: the context of the next one
        self._said = 0  # characters

    def add(self, ids: Sequence[int]) -> str:
        """Return the text that these ids complete; the beginning of a character is held back until its end."""
        self._ids.extend(ids)
        context = self._decode(self._before, self._shown)
        for end in range(len(self._ids), max(self._shown, len(self._ids) - _LONGEST), -1):
            text = self._decode(self._before, end)
            if len(text) > len(context) and text.startswith(context) and not text.endswith(_INCOMPLETE):
                self._before, self._shown = self._shown, end
                self._said += len(text) - len(context)
                return text[len(context) :]
        return ""

    def rest(self, whole: str) -> str:
        """Return the rest of the whole text, including an incomplete last character."""
        new, self._said = whole[self._said :], len(whole)
        return new

    def _decode(self, begin: int, end: int) -> str:
        return self._tokenizer.decode(self._ids[begin:end]) if end > begin else ""
