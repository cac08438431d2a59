"""Print how speculation fares on models whose cache is not rows alone: `python -m tests.zoo.acceptance [KIND …]`.

For each kind, for a drafter that is right until a place that changes and for the model's own first layers: whether the
text is `generate()`'s, tokens accepted of those drafted, tokens per pass, tokens that were fed again since a state was
put back. Random models seldom agree with their first layers; the first drafter stands for one that is good.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

from core.kernels.caches import caches
from core.kernels.decoding.decoders import Plain
from core.kernels.speculation.drafters import ModelDrafter, first_layers
from core.kernels.speculation.speculative import Speculative
from tests.core.kernels.test_rollback import PROMPT, HalfRight, model_of, reference, run

KINDS = (
    "qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "olmo_hybrid", "granitemoehybrid", "nemotron_h", "falcon_h1",
    "bamba", "zamba2", "mamba2", "lfm2", "lfm2_moe", "gemma3n_text", "gemma4_text", "mamba", "falcon_mamba", "jamba",
    "recurrent_gemma",
)  # fmt: skip


def fares(kind: str, make_cache: caches.MakeCache, drafter: Any) -> str:
    decoder = Speculative(Plain(model_of(kind), make_cache), drafter, 5)
    if reason := decoder.inner.obstacle():
        return f"refused: {reason}"
    equal = "equal" if run(decoder) == reference(kind) else "DIFFERS"
    rate = 1 + decoder.accepted / decoder.verify_steps
    return f"{equal}, {decoder.accepted} of {decoder.drafted}, {rate:.2f} a pass, {decoder.again} again"


def main() -> None:
    logging.disable(logging.WARNING)
    for kind in sys.argv[1:] or KINDS:
        model = model_of(kind)
        for name, make_cache in (("dynamic", caches.dynamic(model)), ("static", caches.static(model))):
            found = fares(kind, make_cache, HalfRight([*PROMPT, *reference(kind)]))
            print(f"{kind:18} {name:8} half right      {found}", flush=True)
            if found.startswith("refused"):
                break
        else:
            found = fares(kind, caches.dynamic(model), ModelDrafter(first_layers(model, 3), "first 3"))
            print(f"{kind:18} {'dynamic':8} first 3 layers  {found}", flush=True)


if __name__ == "__main__":
    main()
