"""The main job as a benchmark: a real run, over real engine processes, of the strategies on the demo model."""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.analysis.compare import compare
from core.protocol.engine_pool import EnginePool
from core.results.results import Results
from core.run.run import Run
from core.spec import experiment
from tests.bench import Figure

EXPERIMENT = {
    "model": {"source": "demo"},
    "workload": {"prompts": "rewrite", "prompt_tokens": 128, "new_tokens": 32, "trials": 8},
    "variant": [
        {"name": "default precision"},
        {"name": "fp32", "precision": {"method": "fp32"}},
        {"name": "int8 weights", "quantization": {"method": "int8_weight_only"}},
        {"name": "int4 weights", "quantization": {"method": "int4_weight_only"}},
        {"name": "prompt lookup on rewriting", "speculation": {"method": "prompt_lookup"}},
        {"name": "static cache", "kv_cache": {"method": "static"}},
        {"name": "6 of 30 layers dropped", "pruning": {"method": "layer_drop", "layers": 6}},
    ],
}


def figures() -> list[Figure]:
    pool = EnginePool()
    with tempfile.TemporaryDirectory() as folder:
        results = Results("bench")
        for event in Run(experiment.parse(EXPERIMENT), pool, Path(folder) / "run"):
            results.fold(event)
    pool.close()
    return [
        Figure(
            name=f"{row.variant}, decode rate",
            ratio=row.speed_ratio,
            low=row.speed_ratio_low,
            high=row.speed_ratio_high,
            against=compare(results).baseline.variant,
            unit="×",
        )
        for row in compare(results).variants[1:]
        if row.speed_ratio is not None
    ]
