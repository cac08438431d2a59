"""The offline documentation: an entry for every metric, every strategy and a few ideas. Made from the declarations in
`core.meanings` and `core.strategies`, so that it cannot fall behind them. Knows words; shows nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.forms import bounds, plain_type, words
from app.recipe_words import slot_title
from app.said import said
from core import dictionary
from core.environment import Environment
from core.meanings import MEANING
from core.strategies import REGISTRY, SLOTS, Strategy

_MARKUP = re.compile(r"<[^>]*>")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Help", text)


@dataclass(frozen=True)
class Entry:
    """`key` is what links name; `body` is HTML; `words` is what a search looks through."""

    key: str
    group: str
    title: str
    body: str
    words: str


def entries(environment: Environment | None = None) -> list[Entry]:
    """All of them, by group: ideas, strategies by slot, metrics. With an environment, what works on that machine."""
    return [*_ideas(), *_strategies(environment), *_metrics()]


def _entry(key: str, group: str, title: str, parts: Iterable[str], also: str = "") -> Entry:
    body = f"<h2>{html.escape(title)}</h2>" + "".join(parts)
    return Entry(key, group, title, body, " ".join((title, group, also, _bare(body))).casefold())


def _bare(body: str) -> str:
    return html.unescape(_MARKUP.sub(" ", body))


def paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def titled(title: str, text: str) -> str:
    """A paragraph under a small heading; nothing where there is no text."""
    return f"<h4>{html.escape(title)}</h4>{paragraph(text)}" if text else ""


def link(key: str, text: str) -> str:
    return f'<a href="{html.escape(key)}">{html.escape(text)}</a>'


# -- strategies -------------------------------------------------------------------------------------------
def strategy_key(kind: type[Strategy]) -> str:
    return f"strategy:{kind.slot}.{kind.key}"


def _strategies(environment: Environment | None) -> list[Entry]:
    return [_strategy(kind, environment) for slot in SLOTS for kind in REGISTRY[slot].values()]


def _strategy(kind: type[Strategy], environment: Environment | None) -> Entry:
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
    """The metrics in which a strategy of that slot shows, with their titles."""
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
    """What a parameter may be: its choices, or its bounds."""
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
    """What a control says of a chosen strategy: HTML, short."""
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
def _metrics() -> list[Entry]:
    found = []
    for column in dictionary.columns():
        unit = column.unit or _tr("none: a count, a ratio or words")
        parts = [
            paragraph(said(column.formula)),
            titled(_tr("Unit"), unit),
            titled(_tr("Computed from"), said(column.source)),
            titled(_tr("Column"), f"{column.name} · {column.tables}"),
        ]
        found.append(_entry(f"metric:{column.name}", _tr("Metrics"), said(column.title), parts, column.name))
    return found


# -- ideas ------------------------------------------------------------------------------------------------
def _ideas() -> list[Entry]:
    group = _tr("Ideas")
    ratio = link("metric:speed_ratio", _tr("the ratio"))
    made = {
        "rounds": (
            _tr("Rounds and ratios"),
            [
                paragraph(
                    _tr(
                        "A round runs every variant once, in random order, on one prompt. What is compared is the "
                        "ratio within a round, so that the machine's drift hits both sides."
                    )
                ),
                f"<p>{html.escape(_tr('See also:'))} {ratio}, {link('idea:verdict', _tr('Verdicts'))}</p>",
            ],
        ),
        "verdict": (
            _tr("Verdicts"),
            [
                titled(_tr("Faster, slower"), _tr("The whole 95 % interval lies outside of the margin.")),
                titled(_tr("Within the margin"), _tr("The whole interval lies inside of it.")),
                titled(
                    _tr("Not distinguishable"),
                    _tr("The interval is on both sides of a bound: more rounds, or a quieter machine, would tell."),
                ),
                titled(_tr("Withheld"), _tr("A strategy did not take effect as asked for: there is nothing to judge.")),
                paragraph(_tr("There is no verdict before the fourth round.")),
            ],
        ),
        "receipt": (
            _tr("Receipts"),
            [
                paragraph(
                    _tr(
                        "What is really in effect, read from the loaded model and never from the request: layers "
                        "changed of layers there, bytes, classes, cache, accepted drafts."
                    )
                ),
                f"<p>{link('metric:receipt_ok', said('Receipts match'))}</p>",
            ],
        ),
        "quality": (
            _tr("Quality"),
            [
                paragraph(
                    _tr(
                        "Every variant reads the same text as the baseline, and their next-token probabilities are "
                        "compared. These are proxies: run a task set of your own before you ship."
                    )
                ),
                f"<p>{link('metric:kld_mean', 'KL')} · {link('metric:same_top_pct', said('Same top token'))} · "
                f"{link('metric:ppl_ratio', said('Perplexity ratio'))}</p>",
            ],
        ),
    }
    return [_entry(f"idea:{key}", group, title, parts) for key, (title, parts) in made.items()]
