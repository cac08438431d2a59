"""The pages of the guide in the window's language, out of `resources/manual`.

The list of the pages in README.md is their order. A link to `page.md` becomes one to `guide:page`, and code that names
something else of the documentation a link to that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.base.theme import RESOURCES

MANUAL = RESOURCES / "manual"
_LISTED = re.compile(r"^\* \[.+?\]\(([\w-]+)\.md\)", re.MULTILINE)
_LINK = re.compile(r"\]\(([\w-]+)\.md\)")
_CODE = re.compile(r"```.*?```|`([^`\n]+)`", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->\n*")


@dataclass(frozen=True)
class Page:
    """`name` is that of its file; `text` is Markdown, its links are keys of the documentation."""

    name: str
    title: str
    text: str

    @property
    def key(self) -> str:
        return f"guide:{self.name}"


def pages(code: str, known: Mapping[str, str]) -> list[Page]:
    """Return all of them in a language, in order. `known`: what code in the text may name, and the key that it leads
    to."""
    folder = MANUAL / code
    names = _LISTED.findall((folder / "README.md").read_text("utf-8"))
    return [_page(name, (folder / f"{name}.md").read_text("utf-8"), known) for name in names]


def _page(name: str, text: str, known: Mapping[str, str]) -> Page:
    def linked(found: re.Match[str]) -> str:
        return f"[{found[0]}]({known[found[1]]})" if found[1] in known else found[0]

    title = text.split("\n", 1)[0].removeprefix("# ")
    text = _LINK.sub(r"](guide:\1)", _CODE.sub(linked, _COMMENT.sub("", text)))
    return Page(name, title, text)
