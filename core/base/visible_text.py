"""Makes text from users and files safe to show."""

from __future__ import annotations

import unicodedata

#: Controls, lone surrogates, breaks of lines and paragraphs.
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")
#: They turn the direction of what stands after them, so that a line reads as something else.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

#: Without a width, although Unicode does not count them among the formats: fillers, joiners, selectors of a variant.
_EMPTY = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10)))
)


def unseen(text: str) -> str:
    """Return the characters of `text` that would act on a terminal instead of being displayed."""
    return "".join(c for c in text if unicodedata.category(c) in _UNSEEN or c in _TURNING)


def visible(text: str, keep: str = "\n\t") -> str:
    """Return `text` with control characters as escapes, except those in `keep`."""
    if not (set(unseen(text)) - set(keep)):
        return text
    return "".join(c if c in keep or not unseen(c) else _escape(c) for c in text)


def look(text: str) -> str:
    """Return the visible form of `text`, equal for texts that look alike: characters without width are dropped. Letters
    of two scripts that look alike stay different."""
    drawn = (c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) != "Cf" and c not in _EMPTY)
    return " ".join("".join(drawn).split())


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
