"""Quality of each quantization on the demo model against fp32, as a Markdown table: `python -m tests.bench.quality`.

    python -m tests.bench.quality            # everything that is not in build/quality.json yet, then the table
    python -m tests.bench.quality nf4 fp4    # only what has one of these words in its recipe
    python -m tests.bench.quality check      # only what comes first: against an independent computation in float64

Through the engine's own quality command, in this process: the same text, file, decode path and formulas as in a run.
What was judged is written down at once, and the reference is kept until nothing is left, so that it can be done in
parts.
"""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import torch

from core.base.folders import cache_folder
from core.base.formatting import number
from core.engine.base.prompt_framing import beginning
from core.engine.base.runtime import Runtime
from core.engine.serve.quality import Windows, forget, judge
from core.protocol import events
from core.protocol.commands import QualityCommand
from core.quality import distribution_metrics, evaluation_text
from core.quality.distribution_metrics import DistributionMetrics
from core.spec.gate import Gate
from core.spec.variant import Variant
from tests.bench.table import BASELINE, build

OUT = Path("build") / "quality.json"
REFERENCE, CHECK, KEPT = "be9c4000", "be9c4001", "reference"
TOKENS, WINDOW = 1024, 64  # 32 chunks; a run scores 2,048 in windows of 128
CHECKED = 256  # tokens of the check
VARIANTS: list[dict[str, Any]] = [
    {"precision": "bf16"},
    {"precision": "fp16"},
    {"quantization": "int8_weight_only"},
    {"quantization": "llm_int8"},
    {"quantization": "int8_dynamic"},
    {"quantization": "fp8_weight_only"},
    {"quantization": "int4_weight_only"},
    {"quantization": {"method": "int4_weight_only", "group_size": 64}},
    {"quantization": "nf4"},
    {"quantization": "fp4"},
    {"quantization": "gptq"},
]


class Sink:
    """Keeps the last event that was sent."""

    event: Any = None

    def enter(self, phase: str) -> None:
        pass

    def send(self, event: events.Event) -> None:
        self.event = event


def told(runtime: Runtime, role: str, tokens: int, reference: str = REFERENCE) -> events.Quality:
    sink = Sink()
    text = evaluation_text.text("prose")
    command = QualityCommand.model_validate(
        {"role": role, "reference": reference, "tokens": tokens, "window": WINDOW, "text": text}
    )
    judge(runtime, command, sink)  # type: ignore[arg-type]
    return sink.event


def figures_of(event: events.Quality) -> DistributionMetrics:
    columns = (event.chunk_tokens, event.chunk_kld, event.chunk_same_top, event.chunk_nll, event.chunk_base_nll)
    found = distribution_metrics.figures(*(tuple(column) for column in columns))
    assert found is not None
    return found


def measure(chosen: list[str]) -> None:
    known = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    variants = {_recipe(v): v for v in VARIANTS}
    left = {r: v for r, v in variants.items() if (any(c in r for c in chosen) if chosen else r not in known)}
    OUT.parent.mkdir(exist_ok=True)
    if left and not (KEPT in known and list((cache_folder() / "quality").glob(f"{REFERENCE}-*"))):
        forget(REFERENCE)
        known[KEPT] = None
        told(build(Variant.model_validate(BASELINE)), "reference", TOKENS)
        OUT.write_text(json.dumps(known), "utf-8")
    for recipe, slots in left.items():
        begin = time.perf_counter()
        try:
            runtime = build(Variant.model_validate({"name": "v", "precision": "fp32", **slots}))
            known[recipe] = told(runtime, "compare", TOKENS).model_dump(mode="json")
        except ValueError as error:
            print(f"{recipe}: {error}", file=sys.stderr)
            continue
        OUT.write_text(json.dumps(known), "utf-8")
        print(f"{recipe}: {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    if all(recipe in known for recipe in variants):
        forget(REFERENCE)
    print(table({r: events.Quality.model_validate(known[r]) for r in variants if r in known}))


def table(found: dict[str, events.Quality]) -> str:
    lines = [
        "| variant | KLD, nats | KLD p99 | same top | perplexity ratio | gate |",
        "|---|---|---|---|---|---|",
    ]
    for recipe, event in found.items():
        f = figures_of(event)
        colour = Gate().colour(f.kld_mean, f.same_top_pct, f.ppl_ratio_high)
        interval = f"[{f.ppl_ratio_low:.4f}, {f.ppl_ratio_high:.4f}]" if f.ppl_ratio_low and f.ppl_ratio_high else ""
        lines.append(
            f"| {recipe} | {number(f.kld_mean)} ± {number(f.kld_se, 2)} | {number(event.kld_p99)} "
            f"| {f.same_top_pct:.1f} % | {f.ppl_ratio:.4f} {interval} | {colour} |"
        )
    return "\n".join(lines)


def check() -> None:
    """One plain forward pass a window, float64 from the logits on; the baseline in float64 throughout."""
    base, variant = (
        build(Variant.model_validate({"name": "v", "precision": "fp32", **slots}))
        for slots in ({}, {"quantization": "int8_weight_only"})
    )
    try:
        reference, mine = (told(r, role, CHECKED, CHECK) for r, role in ((base, "reference"), (variant, "compare")))
    finally:
        forget(CHECK)
    ids = base.tokenizer.encode(evaluation_text.text("prose"), add_special_tokens=False)
    base.model.double()
    kld = base_loss = loss = 0.0
    for context, scored in Windows(ids, beginning(base.tokenizer), CHECKED, WINDOW):
        row = torch.tensor([context + scored])
        with torch.inference_mode():
            part = slice(len(context) - 1, -1)
            p, q = (
                m(row, use_cache=False).logits[0, part].double().log_softmax(-1) for m in (base.model, variant.model)
            )
        kld += float((p.exp() * (p - q)).sum())
        at = torch.tensor(scored)[:, None]
        base_loss, loss = base_loss - float(p.gather(1, at).sum()), loss - float(q.gather(1, at).sum())
    f = figures_of(mine)
    own = distribution_metrics.perplexity(reference.chunk_nll, reference.chunk_tokens)
    print(f"| {CHECKED} tokens | Dyno | independent, float64 | difference |\n|---|---|---|---|")
    for name, a, b in (
        ("KLD, int8 against fp32", f.kld_mean, kld / CHECKED),
        ("perplexity, fp32", own, math.exp(base_loss / CHECKED)),
        ("perplexity, int8", f.perplexity, math.exp(loss / CHECKED)),
        ("perplexity ratio", f.ppl_ratio, math.exp((loss - base_loss) / CHECKED)),
    ):
        assert a is not None
        print(f"| {name} | {a:.6g} | {b:.6g} | {100 * (a / b - 1):+.4f} % |", flush=True)


def _recipe(slots: dict[str, Any]) -> str:
    return Variant.model_validate({"name": "v", **slots}).recipe()


def main(chosen: list[str]) -> None:
    torch.set_num_threads(1)  # immune to neighbours
    check()
    if chosen != ["check"]:
        measure(chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
