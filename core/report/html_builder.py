"""Builds HTML and SVG from elements, so that every text is escaped."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring

from core.base.visible_text import visible

Content = Element | str | None


def element(tag: str, /, *content: Content, **attributes: object) -> Element:
    """Return an element with texts and elements in it. In attribute names a trailing underscore is dropped and inner
    ones become hyphens: `class_` is class, `font_size` is font-size. An attribute of None is left out."""
    made = Element(
        tag, {k.rstrip("_").replace("_", "-"): visible(str(v)) for k, v in attributes.items() if v is not None}
    )
    for part in content:
        add(made, part)
    return made


def add(parent: Element, part: Content) -> None:
    """Append a text or an element."""
    if part is None:
        return
    if isinstance(part, Element):
        parent.append(part)
    elif len(parent):
        parent[-1].tail = (parent[-1].tail or "") + visible(part)
    else:
        parent.text = (parent.text or "") + visible(part)


def html(root: Element) -> str:
    """Return the whole page as text."""
    return "<!DOCTYPE html>\n" + tostring(root, encoding="unicode", method="html") + "\n"
