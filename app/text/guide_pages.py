"""The pages of the guide from `resources/manual`, in the window's language. README.md lists them in order. A link to
`page.md` becomes a link to `guide:page`, and code that names an entry of the reference becomes a link to it."""

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
    """One page. `name` is its file's; `text` is Markdown whose links are keys of the documentation."""

    name: str
    title: str
    text: str

    @property
    def key(self) -> str:
        return f"guide:{self.name}"


def pages(code: str, known: Mapping[str, str]) -> list[Page]:
    """Return all pages of a language in order. `known` maps names in code to the keys of their entries."""
    folder = MANUAL / code
    names = _LISTED.findall((folder / "README.md").read_text("utf-8"))
    return [_page(name, (folder / f"{name}.md").read_text("utf-8"), known) for name in names]


def _page(name: str, text: str, known: Mapping[str, str]) -> Page:
    def linked(found: re.Match[str]) -> str:
        return f"[{found[0]}]({known[found[1]]})" if found[1] in known else found[0]

    title = text.split("\n", 1)[0].removeprefix("# ")
    text = _LINK.sub(r"](guide:\1)", _CODE.sub(linked, _COMMENT.sub("", text)))
    return Page(name, title, text)
