"""Every strategy alone and sensible combinations on the demo model, as a Markdown table: `python -m tests.bench.table`.

    python -m tests.bench.table                    # all of them
    python -m tests.bench.table nf4 lookup         # only what has one of these words in its recipe
    python -m tests.bench.table --speed …          # without perplexity

Speed comes from real runs, in experiments small enough for the engines to be alive together, each with the
baseline; perplexity from feeding held-out text through the variant's own decode loop, so that a quantized or
windowed cache counts. The text is short: the figures rank, they do not certify.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

from core.analysis.compare import compare
from core.analysis.comparison_row import Row
from core.base.formatting import number, size
from core.engine.base.prompt_framing import beginning
from core.engine.base.runtime import Runtime
from core.engine.gguf.convert import converted
from core.engine.machine.probe import probe
from core.engine.serve.quality import Windows, log_losses
from core.engine.weights import read_model
from core.kernels.decoding.decoders import base_decoder
from core.model.finder import resolve
from core.model.source import ModelSource
from core.protocol.engine_pool import EnginePool
from core.quality import evaluation_text
from core.results.results import Results
from core.run.run import Run
from core.spec import experiment
from core.spec.variant import Variant
from core.spec.workload import Workload

WORK = {"prompts": "rewrite", "prompt_tokens": 128, "new_tokens": 16, "trials": 4}
TOGETHER = 5  # variants of one experiment besides the baseline
TOKENS, WINDOW = 256, 64  # scored, of the evaluation text; `tests.bench.quality` has the figures with intervals
BASELINE: dict[str, Any] = {"name": "baseline fp32", "precision": "fp32"}

_INT4 = {"method": "int4_weight_only"}
_INT8 = {"method": "int8_weight_only"}
_DROP = {"method": "layer_drop", "layers": 6}
ALONE: list[dict[str, Any]] = [
    {"precision": "bf16"},
    {"precision": "fp16"},
    {"quantization": _INT8},
    {"quantization": _INT4},
    {"quantization": "gptq"},
    {"quantization": "nf4"},
    {"quantization": "fp4"},
    {"quantization": "llm_int8"},
    {"quantization": "int8_dynamic"},
    {"pruning": "magnitude"},
    {"pruning": "wanda"},
    {"pruning": "sparsegpt"},
    {"pruning": _DROP},
    {"pruning": "mlp_width"},
    {"pruning": "heads"},
    {"attention": "eager"},
    {"attention": {"method": "sdpa", "backend": "math"}},
    {"fusion": "fused_projections"},
    {"compilation": "torch_compile", "kv_cache": "static"},
    {"kv_cache": "none"},
    {"kv_cache": "static"},
    {"kv_cache": {"method": "quantized", "format": "int8"}},
    {"kv_cache": {"method": "quantized", "format": "int4"}},
    {"kv_cache": {"method": "quantized", "format": "fp8"}},
    {"kv_cache": {"method": "sliding_window", "window": 64}},
    {"prefix_cache": "prefix_reuse"},
    {"speculation": "prompt_lookup"},
    {"speculation": "self_draft"},
    {"speculation": {"method": "early_exit", "share": 0.8}},
]
COMBINED: list[dict[str, Any]] = [
    {"quantization": _INT4, "fusion": "fused_projections"},
    {"quantization": "gptq", "fusion": "fused_projections"},
    {"quantization": _INT8, "speculation": "prompt_lookup"},
    {"quantization": _INT4, "speculation": "prompt_lookup", "fusion": "fused_projections"},
    {"pruning": _DROP, "quantization": _INT4},
    {"pruning": "wanda", "quantization": _INT8},
    {"quantization": _INT8, "kv_cache": "static", "compilation": "torch_compile", "fusion": "fused_projections"},
    {"precision": "bf16", "speculation": "self_draft", "prefix_cache": "prefix_reuse"},
]


def named(slots: dict[str, Any]) -> dict[str, Any]:
    variant = Variant.model_validate({"name": "x", **slots})
    return {"name": variant.recipe()[:80], "precision": "fp32", **slots}


def main(chosen: list[str]) -> None:
    judged = "--speed" not in chosen
    chosen = [word for word in chosen if word != "--speed"]
    variants = [named(v) for v in [*ALONE, *COMBINED]]
    variants = [v for v in variants if not chosen or any(c in v["name"] for c in chosen)]
    rows: list[Row] = []
    pool = EnginePool()
    for start in range(0, len(variants), TOGETHER):
        part = [BASELINE, *variants[start : start + TOGETHER]]
        with tempfile.TemporaryDirectory() as folder:
            results = Results("table")
            for event in Run(experiment.parse({"model": {"source": "demo"}, "workload": WORK, "variant": part}), pool,
                             Path(folder) / "run"):  # fmt: skip
                results.fold(event)
        new = compare(results).variants[1:] if rows else compare(results).variants
        rows += new
        print(table(new, {}), file=sys.stderr, flush=True)  # in case it is cut short
    pool.close()
    quality = {v["name"]: perplexity(v) for v in [BASELINE, *variants]} if judged else {}
    print(table(rows, quality))
    out = Path("build") / "table.json"
    out.parent.mkdir(exist_ok=True)
    data = [{**row.model_dump(exclude={"receipts"}), "perplexity": quality.get(row.variant)} for row in rows]
    out.write_text(json.dumps(data, indent=1), "utf-8")


def table(rows: list[Row], quality: dict[str, float | None]) -> str:
    base = quality.get("baseline fp32")
    lines = [
        "| variant | decode, × baseline | MBU | bound | TTFT ms | weights | process peak | its estimate "
        "| perplexity ratio | acceptance |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        ratio = f"{number(row.speed_ratio)} [{number(row.speed_ratio_low)}, {number(row.speed_ratio_high)}]"
        ppl = quality.get(row.variant)
        cells = [
            row.recipe,
            ratio if row.status == "ok" else f"{row.status}: {row.error[:70]}",
            f"{number(row.mbu_pct, 2)} %",
            row.bound or "—",
            number(row.ttft_ms_p50),
            size(row.weights_bytes),
            size(row.peak_process_bytes),
            "—" if row.estimate_error_pct is None else f"{row.estimate_error_pct:+.1f} %",
            number(ppl / base, 4) if ppl and base else "—",
            number(row.acceptance_rate, 2),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def perplexity(slots: dict[str, Any]) -> float | None:
    """Over held-out text, token by token as decoding sees it; None where the variant cannot be built here. Exact
    strategies give the baseline's tokens, so its figure stands for them."""
    variant = Variant.model_validate(slots)
    if slots != BASELINE and all(strategy.exact for strategy in variant.strategies()):
        return perplexity(BASELINE)
    try:
        runtime = build(variant)
    except ValueError as error:
        print(f"{variant.recipe()}: {error}", file=sys.stderr)
        return None
    decoder = runtime.plain  # speculation gives the target's distribution
    assert decoder is not None
    ids = runtime.tokenizer.encode(evaluation_text.text("prose", 40 * TOKENS), add_special_tokens=False)
    loss = 0.0
    for context, scored in Windows(ids, beginning(runtime.tokenizer), TOKENS, WINDOW):
        loss += sum(float(part.sum()) for part in log_losses(decoder, context, scored))
    return math.exp(loss / TOKENS)


def build(variant: Variant) -> Runtime:
    """What an engine does with a variant, in this process."""
    environment = probe()
    for strategy in variant.strategies():
        reason = strategy.unavailable(environment)
        if reason:
            raise ValueError(reason)
    facts = resolve(ModelSource(source=str(converted(resolve(ModelSource(source="demo")), _Silent()).folder)))
    source = ModelSource(source=facts.path)
    options: dict[str, Any] = {"dtype": torch.float32}
    for strategy in variant.strategies():
        strategy.load(options)
    device = torch.device("cpu")
    model = read_model.read_model(facts, source, device, options)
    runtime = Runtime(
        model=model,
        tokenizer=read_model.read_tokenizer(facts, source),
        variant=variant,
        workload=Workload(),
        facts=facts,
        device=device,
        dtype=model.dtype,
    )
    decoder: Any = base_decoder(model)
    with torch.no_grad():
        for strategy in variant.strategies():
            strategy.transform(runtime)
    for strategy in variant.strategies():
        decoder = strategy.decoder(decoder, runtime)
    runtime.decoder = decoder
    return runtime


class _Silent:
    """A channel that nobody reads."""

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None


if __name__ == "__main__":
    main(sys.argv[1:])
