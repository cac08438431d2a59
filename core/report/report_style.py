"""The style sheet of a report: the colours of the window's themes, light or dark by the reader's system, light in
print."""

from __future__ import annotations

import json
from importlib.resources import files

#: The page may use only its own content, even if a text with markup got into it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
TOKENS = ("panel", "win", "sunken", "line", "line2", "text", "text2", "text3", "accent", "warn", "err", "errbg", "ok")
DASHES = ("none", "none", "8 3 2 3", "6 4", "2 4", "8 3 2 3 2 3")

RULES = """
* { box-sizing: border-box; }
body { margin: 0; background: var(--win); color: var(--text); font: 14px/1.5 Inter, system-ui, -apple-system,
  "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  font-feature-settings: "tnum" 1; font-variant-numeric: tabular-nums; }
main { max-width: 1080px; margin: 0 auto; padding: 40px 32px 64px; background: var(--panel); }
h1 { font-size: 24px; line-height: 1.3; margin: 0 0 4px; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 40px 0 8px; font-weight: 600; border-top: 1px solid var(--line); padding-top: 20px; }
h3, .title { font-size: 13px; margin: 20px 0 4px; font-weight: 600; }
p { margin: 4px 0; overflow-wrap: anywhere; }
.what { color: var(--text2); font-size: 13px; }
.note, figcaption { color: var(--text2); font-size: 12px; }
.warn, .note.warn { color: var(--warn); }
.err { color: var(--err); }
.verdict { font-weight: 500; }
.failed { background: var(--errbg); padding: 10px 14px; border-radius: 6px; }
.failed, .why { margin: 8px 0; }
p:has(> .badge) { display: flex; gap: 8px; align-items: baseline; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; margin: 8px 0; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere; min-width: 4em; }
th { color: var(--text2); font-weight: 500; font-size: 12px; overflow-wrap: normal; }
td.n, th.n { text-align: right; white-space: nowrap; }
td.variant { min-width: 12em; white-space: nowrap; }
.name { display: inline-block; vertical-align: top; max-width: 22em; white-space: normal; }
td small { display: block; color: var(--text2); font-size: 12px; }
code, pre { font: 12px/1.5 "JetBrains Mono", ui-monospace, "Cascadia Mono", monospace; }
pre { background: var(--sunken); padding: 12px 16px; border-radius: 6px; overflow-x: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.badge { display: inline-block; min-width: 20px; padding: 0 4px; border-radius: 4px; text-align: center; flex: none;
  font-weight: 700; font-size: 12px; line-height: 20px; }
td .badge { margin-right: 8px; }
.blocks { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 0 40px; }
.terms { columns: 2; column-gap: 40px; font-size: 13px; }
.terms > div { break-inside: avoid; padding-bottom: 12px; }
.terms p { margin: 0; }
dl { display: grid; grid-template-columns: 9em 1fr; gap: 4px 16px; margin: 4px 0; font-size: 13px; }
dt { color: var(--text2); }
dd { margin: 0; overflow-wrap: anywhere; }
li { margin: 6px 0; }
figure { margin: 16px 0 24px; }
svg { width: 100%; min-width: 640px; height: auto; max-width: 920px; display: block; overflow: visible; }
svg .text { font-family: inherit; }
@media (max-width: 720px) {
  main { padding: 24px 16px 48px; }
  table { min-width: 880px; }
  .blocks { grid-template-columns: 1fr; }
  .terms { columns: 1; }
}
@media print {
  body, main { background: #fff; }
  body { font-size: 12px; }
  main { max-width: none; padding: 0; }
  .wide { overflow: visible; }
  table { min-width: 0; font-size: 11px; }
  th, td { min-width: 0; overflow-wrap: break-word; }
  .terms { font-size: 11px; }
  td.variant { min-width: 9em; white-space: normal; }
  svg { min-width: 0; max-width: 100%; }
  h2, h2 + p, h3, .title, thead { break-after: avoid; }
  figure, tr, li, .failed, .blocks > div { break-inside: avoid; }
}
"""

#: What the classes of a drawing mean. A colour is the name of a variable; `f`, `s`, `t` and `d` with the number of a
#: hue are its fill, its line, the letter on it and its dashes. Later ones win where an element has several.
DRAWN = {
    "text": {"font_size": "13", "fill": "text", "font_family": "Inter, system-ui, sans-serif"},
    "small": {"font_size": "11", "fill": "text2"},
    "strong": {"font_weight": "700", "fill": "text"},
    "err": {"fill": "err"},
    "grid": {"stroke": "line"},
    "one": {"stroke": "text3"},
    "limit": {"stroke": "text", "stroke_width": "1.5", "stroke_dasharray": "5 4"},
    "gate": {"stroke": "text3", "stroke_dasharray": "5 4"},
    "bar": {"stroke_width": "2"},
    "curve": {"fill": "none", "stroke_width": "2"},
    "on": {"stroke": "panel", "stroke_width": "1.5"},
    "hollow": {"fill": "panel", "stroke_width": "2"},
    **{f"f{i}": {"fill": f"v{i}"} for i in range(len(DASHES))},
    **{f"s{i}": {"stroke": f"v{i}"} for i in range(len(DASHES))},
    **{f"t{i}": {"fill": f"b{i}"} for i in range(len(DASHES))},
    **{f"d{i}": {"stroke_dasharray": dash} for i, dash in enumerate(DASHES)},
}


def _colours(name: str) -> dict[str, str]:
    """Return the tokens of a theme, the hues of the variants (`v`) and of the letters on them (`b`)."""
    theme = json.loads((files("resources") / "themes" / f"{name}.json").read_text("utf-8"))
    found = {token: theme["colors"][token] for token in TOKENS}
    found |= {f"v{i}": colour for i, colour in enumerate(theme["variants"])}
    return found | {f"b{i}": colour for i, colour in enumerate(theme["badge_text"])}


LIGHT, DARK = _colours("light"), _colours("dark")
#: The same as attributes of an element, in light colours.
LOOKS = {name: {key: LIGHT.get(value, value) for key, value in looks.items()} for name, looks in DRAWN.items()}


def sheet() -> str:
    """Return the whole style sheet, which fetches nothing."""
    light, dark = ("".join(f"--{key}:{colour};" for key, colour in found.items()) for found in (LIGHT, DARK))
    drawn = "".join(f"svg .{name} {{ {_declarations(looks)} }}\n" for name, looks in DRAWN.items())
    badges = "".join(f".badge.b{i} {{ background: var(--v{i}); color: var(--b{i}) }}\n" for i in range(len(DASHES)))
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"@media print {{ :root {{ {light} }} }}\n{RULES}{drawn}{badges}"
    )


def _declarations(looks: dict[str, str]) -> str:
    return "; ".join(
        f"{key.replace('_', '-')}: {f'var(--{value})' if value in LIGHT else _with_unit(key, value)}"
        for key, value in looks.items()
    )


def _with_unit(key: str, value: str) -> str:
    """Return the value with its pixel unit, which CSS needs and an SVG attribute does not."""
    return f"{value}px" if key in ("font_size", "stroke_width") else value
