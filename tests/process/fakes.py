"""Runs over the engine without a model, for the tests of what drives engines."""

import sys
from pathlib import Path
from typing import Any

from core.protocol.engine_pool import EnginePool
from core.spec import experiment as spec

ENGINE = Path(__file__).parents[1] / "fake_engine.py"


def pool(*arguments: str) -> EnginePool:
    return EnginePool([sys.executable, str(ENGINE), *arguments])


def experiment(
    *names: str, trials: int = 4, new_tokens: int = 8, quality: Any = None, **workload: Any
) -> spec.Experiment:
    return spec.parse(
        {
            **({"quality": quality} if quality is not None else {}),
            "workload": {"trials": trials, "new_tokens": new_tokens, "prompt_tokens": 16, **workload},
            "variant": [{"name": n} for n in names or ("a", "b")],
        }
    )
