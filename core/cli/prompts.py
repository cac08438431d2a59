"""`dyno prompts`: lists the built-in prompt sets, or prints the figures of a set or file."""

from __future__ import annotations

import argparse
import json

from rich.text import Text

from core.base.visible_text import visible
from core.cli.literal_text import literal
from core.cli.shared import AddCommand, Invalid, console
from core.model.source import ModelSource
from core.prompts import run_prompts
from core.prompts.prompt_lengths import COUNTED, Lengths, lengths
from core.protocol.engine_pool import EnginePool
from core.spec import prompt_sets

SHOWN, WIDE, BAR = 3, 200, 40


def add_to(command: AddCommand) -> None:
    sub = command("prompts", _prompts, "List the built-in prompt sets, or print how long the prompts of one are.")
    sub.add_argument("name", nargs="?", metavar="NAME|FILE", help="a set, or a .jsonl, .txt or .json file")
    sub.add_argument("--model", metavar="SOURCE", help="count tokens, as the tokenizer of this model does")
    sub.add_argument("--json", action="store_true")


def _prompts(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        return _list(arguments.json)
    try:
        texts, more = run_prompts.read(arguments.name)
    except run_prompts.PromptError as error:
        raise Invalid(str(error).removeprefix("workload.prompts: ")) from None
    counted = texts[:COUNTED] if arguments.model else texts
    unit = "tokens" if arguments.model else "characters"
    sizes = _tokens(arguments.model, counted) if arguments.model else [len(text) for text in texts]
    found = lengths(sizes)
    assert found is not None
    if arguments.json:
        about = prompt_sets.ABOUT.get(arguments.name, "")
        said = {"name": arguments.name, "about": about, "prompts": len(texts), "more": more, "unit": unit}
        print(json.dumps({**said, **found.model_dump(), "lengths": sizes}, indent=2, ensure_ascii=False))
        return 0
    _print(arguments.name, texts, more, found, sizes, unit)
    return 0


def _list(as_json: bool) -> int:
    listed = [
        {"name": name, "prompts": len(run_prompts.texts(name)), "about": prompt_sets.ABOUT[name]}
        for name in prompt_sets.names()
    ]
    if as_json:
        print(json.dumps(listed, indent=2, ensure_ascii=False))
        return 0
    for item in listed:
        console.print(Text.assemble((str(item["name"]), "bold"), (f"  {item['prompts']} prompts", "dim")))
        console.print(literal(f"    {item['about']}"), soft_wrap=True)
    return 0


def _tokens(source: str, texts: list[str]) -> list[int]:
    """Return the number of tokens of each text. Raises EngineError."""
    pool = EnginePool()
    try:
        return pool.count(ModelSource(source=source), texts).tokens
    finally:
        pool.close()


def _print(name: str, texts: list[str], more: bool, found: Lengths, sizes: list[int], unit: str) -> None:
    head = f"{len(texts):,} prompts" + (", the first of a larger file" if more else "")
    console.print(Text.assemble((name, "bold"), (f"  {head}", "dim")))
    if name in prompt_sets.ABOUT:
        console.print(literal(f"    {prompt_sets.ABOUT[name]}"), soft_wrap=True)
    of = f" of the first {len(sizes):,}" if len(sizes) < len(texts) else ""
    console.print(f"    {unit}{of}: {found.shortest:,} to {found.longest:,}, median {found.median:,.0f}")
    most = max(b.count for b in found.bins)
    for b in found.bins:
        place = f"{b.low:,} and more" if b.high is None else f"{b.low:,} to {b.high - 1:,}"
        console.print(f"    {place:>20}  {'█' * round(BAR * b.count / most)} {b.count:,}")
    for text, size in zip(texts[:SHOWN], sizes, strict=False):
        short = " ".join(text[: 2 * WIDE].split())[:WIDE]
        dots = "…" if len(text) > len(short) else ""
        console.print(literal(f"\n    {size:,} {unit}: {visible(short)}{dots}"), soft_wrap=True)
