"""The entries of the offline documentation: the guide's pages, and one entry per strategy and metric. The latter are
made from the declarations in `core.wording.column_meanings` and `core.strategies`, so that they are always current."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.base.core_text import said
from app.base.language import language
from app.text import guide_pages
from app.text.field_text import bounds, plain_type, words
from app.text.recipe_text import slot_title
from core.machine.environment import Environment
from core.report import column_dictionary
from core.spec.variant import REGISTRY, SLOTS, Strategy
from core.wording.column_meanings import MEANING

_MARKUP = re.compile(r"<[^>]*>")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Help", text)


@dataclass(frozen=True)
class ReferenceEntry:
    """One entry. `key` is the target of links; `body` is HTML or Markdown; `words` is searched."""

    key: str
    group: str
    title: str
    body: str
    words: str
    is_markdown: bool = False


def entries(environment: Environment | None = None) -> list[ReferenceEntry]:
    """Return all entries by group: guide, strategies by slot, metrics. With an environment, strategies say whether they
    work there."""
    return [*_guide(), *_strategies(environment), *_metrics()]


def _entry(key: str, group: str, title: str, parts: Iterable[str], also: str = "") -> ReferenceEntry:
    body = f"<h2>{html.escape(title)}</h2>" + "".join(parts)
    return ReferenceEntry(key, group, title, body, " ".join((title, group, also, _bare(body))).casefold())


def _bare(body: str) -> str:
    return html.unescape(_MARKUP.sub(" ", body))


def paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def titled(title: str, text: str) -> str:
    """Return a paragraph under a small heading; empty without text."""
    return f"<h4>{html.escape(title)}</h4>{paragraph(text)}" if text else ""


def link(key: str, text: str) -> str:
    return f'<a href="{html.escape(key)}">{html.escape(text)}</a>'


# -- strategies -------------------------------------------------------------------------------------------
def strategy_key(kind: type[Strategy]) -> str:
    return f"strategy:{kind.slot}.{kind.key}"


def _strategies(environment: Environment | None) -> list[ReferenceEntry]:
    return [_strategy(kind, environment) for slot in SLOTS for kind in REGISTRY[slot].values()]


def _strategy(kind: type[Strategy], environment: Environment | None) -> ReferenceEntry:
    slot = slot_title(kind.slot)
    parts = [
        paragraph(said(kind.summary)),
        titled(_tr("When it pays"), said(kind.pays)),
        titled(_tr("When it does not"), said(kind.pays_not)),
    ]
    exact = (
        _tr("Greedy answers in fp32 equal the baseline's, token for token.")
        if kind.exact
        else _tr("Answers may differ from the baseline's: check quality.")
    )
    parts.append(titled(_tr("Answers"), exact))
    if environment is not None:
        reason = kind.unavailable(environment)
        here = (
            _tr("Not available: {why}.").format(why=said(reason))
            if reason
            else said(kind.caveat(environment)) or _tr("Works.")
        )
        parts.append(titled(_tr("On this machine"), here))
    parts.append(_parameters(kind))
    parts.append(titled(_tr("Source"), kind.source))
    others = [
        link(strategy_key(other), said(other.title)) for other in REGISTRY[kind.slot].values() if other is not kind
    ]
    if others:
        parts.append(f"<h4>{html.escape(_tr('In the same slot'))}</h4><p>{' · '.join(others)}</p>")
    related = [link(f"metric:{name}", title) for name, title in _related(kind.slot)]
    parts.append(f"<h4>{html.escape(_tr('What shows its effect'))}</h4><p>{' · '.join(related)}</p>")
    written = f"{kind.slot} = {{ method = &quot;{kind.key}&quot; }}"
    parts.append(f"<h4>{html.escape(_tr('In a file'))}</h4><p><code>{written}</code></p>")
    return _entry(strategy_key(kind), slot, said(kind.title), parts, f"{kind.slot} {kind.key} {kind.title}")


def _related(slot: str) -> list[tuple[str, str]]:
    """Return the metrics that a slot's strategies affect, with their titles."""
    names = {
        "pruning": ("kld_mean", "weights_bytes"),
        "quantization": ("weights_bytes", "kld_mean"),
        "kv_cache": ("kv_bytes",),
        "speculation": ("acceptance_rate", "mean_accepted_length"),
        "batching": ("aggregate_tok_s", "per_user_tok_s"),
        "prefix_cache": ("ttft_ms_p50",),
        "attention": ("ttft_ms_p50", "peak_allocated_bytes"),
    }
    chosen = ("decode_tok_s", "speed_ratio", *names.get(slot, ()), "receipt_ok")
    return [(name, said(MEANING[name].title)) for name in chosen]


def _parameters(kind: type[Strategy]) -> str:
    rows = []
    for name, field in kind.model_fields.items():
        value = "—" if field.is_required() or field.default == "" else str(field.default)
        rows.append(
            f"<tr><td><b>{html.escape(said(words(name, field)))}</b>&nbsp;&nbsp;</td><td>{html.escape(value)}"
            f"&nbsp;&nbsp;</td><td>{html.escape(_allowed(field))}&nbsp;&nbsp;</td>"
            f"<td>{html.escape(said(field.description or ''))}</td></tr>"
        )
    return f"<h4>{html.escape(_tr('Parameters'))}</h4><table>{''.join(rows)}</table>" if rows else ""


def _allowed(field: Any) -> str:
    """Return a parameter's choices or bounds."""
    choices = getattr(plain_type(field.annotation), "__args__", ())
    if choices:
        return ", ".join(map(str, choices))
    low, high, above, below = bounds(field)
    parts = []
    if low is not None:
        parts.append(f"{'>' if above else '≥'} {low:g}")
    if high is not None:
        parts.append(f"{'<' if below else '≤'} {high:g}")
    return ", ".join(parts)


def strategy_help(kind: type[Strategy]) -> str:
    """Return a short HTML help text for a chosen strategy."""
    return "".join(
        (
            f"<b>{html.escape(said(kind.title))}</b>",
            paragraph(said(kind.summary)),
            titled(_tr("When it pays"), said(kind.pays)),
            titled(_tr("When it does not"), said(kind.pays_not)),
            titled(_tr("Source"), kind.source),
        )
    )


# -- metrics ----------------------------------------------------------------------------------------------
def _metrics() -> list[ReferenceEntry]:
    found = []
    for column in column_dictionary.columns():
        unit = column.unit or _tr("none: a count, a ratio or words")
        parts = [
            paragraph(said(column.formula)),
            titled(_tr("Unit"), unit),
            titled(_tr("Computed from"), said(column.source)),
            titled(_tr("Column"), f"{column.name} · {column.tables}"),
        ]
        found.append(_entry(f"metric:{column.name}", _tr("Metrics"), said(column.title), parts, column.name))
    return found


# -- the guide --------------------------------------------------------------------------------------------
def _guide() -> list[ReferenceEntry]:
    group = _tr("Guide")
    found = []
    for page in guide_pages.pages(language.code, _names()):
        words = " ".join((page.title, group, page.name, page.text)).casefold()
        found.append(ReferenceEntry(page.key, group, page.title, page.text, words, is_markdown=True))
    return found


def _names() -> dict[str, str]:
    """Return the names that code in the guide may use, with their entries' keys: a metric by its column, a strategy by
    its method, or by `slot.method` if several slots have that method."""
    kinds = [kind for kinds in REGISTRY.values() for kind in kinds.values()]
    methods = Counter(kind.key for kind in kinds)
    found = {f"{kind.slot}.{kind.key}": strategy_key(kind) for kind in kinds}
    found |= {kind.key: strategy_key(kind) for kind in kinds if methods[kind.key] == 1}
    return found | {column.name: f"metric:{column.name}" for column in column_dictionary.columns()}
