"""The estimate of memory against what engines take: `python -m tests.bench.memory [MODEL] [KEY=METHOD …]`. One engine
after the other, 128 + 32 tokens, two passes of warm-up and two trials; prints a row for each variant."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from core.analysis.row_builder import MEASURED
from core.base import formatting
from core.base.folders import cache_folder
from core.protocol import commands, events
from tests.process.engine_child import Child, load, only, trial, warm

VARIANTS: tuple[dict[str, str], ...] = (
    {},
    {"precision": "fp32"},
    {"quantization": "int8_weight_only"},
    {"quantization": "int4_weight_only"},
    {"quantization": "gptq"},
    {"quantization": "nf4"},
    {"quantization": "fp4"},
    {"quantization": "llm_int8"},
    {"speculation": "self_draft"},
    {"attention": "eager"},
    {"compilation": "torch_compile", "kv_cache": "static"},
)


def row(model: str, slots: dict[str, Any]) -> str:
    """`nf4: 600 MiB (597–604 MiB), measured 597 MiB, +0.5 %`."""
    with Child(Path(cache_folder()), OMP_NUM_THREADS=str(os.cpu_count() or 1)) as child:
        child.tell(commands.EnvCommand())
        found = child.tell(load(model, slots, prompt_tokens=128, new_tokens=32), timeout_s=300)
        name = ", ".join(slots.values()) or "default"
        if not isinstance(found[-1], events.Done):
            return f"{name}: {found[-1]}"
        child.tell(warm(), timeout_s=300)
        for number in range(2):
            child.tell(trial(number, f"Say something about {number}."), timeout_s=300)
        samples = [e for e in child.seen if isinstance(e, events.Sample) and e.phase in MEASURED]
    loaded: events.Loaded = only(found, events.Loaded)
    measured, expected = max(s.process_bytes or 0 for s in samples), sum(loaded.estimate.values())
    between = formatting.sizes(loaded.estimate_least_bytes, loaded.estimate_most_bytes)
    error = 100 * (expected / measured - 1)
    return f"{name}: {formatting.size(expected)} ({between}), measured {formatting.size(measured)}, {error:+.1f} %"


def main(arguments: list[str]) -> None:
    model = next((a for a in arguments if "=" not in a), "demo")
    asked = dict(a.split("=", 1) for a in arguments if "=" in a)
    for slots in [asked] if asked else VARIANTS:
        print(row(model, slots), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
