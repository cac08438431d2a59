"""Text that came from a user or a file, as it may be shown. Knows characters, no terminal and no window."""

from __future__ import annotations

import unicodedata

#: Controls, lone surrogates, breaks of lines and paragraphs.
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")
#: They turn the direction of what stands after them, so that a line reads as something else.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def unseen(text: str) -> str:
    """The characters of `text` that would act on a terminal instead of being seen."""
    return "".join(c for c in text if unicodedata.category(c) in _UNSEEN or c in _TURNING)


def visible(text: str, keep: str = "\n\t") -> str:
    """`text` with those characters written as escapes; `keep` stays as it is."""
    if not (set(unseen(text)) - set(keep)):
        return text
    return "".join(c if c in keep or not unseen(c) else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
