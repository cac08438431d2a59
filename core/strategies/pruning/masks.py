"""Setting weights to zero before quantizing. Knows the choice and its proof; the work is in
`core.kernels.pruning`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from core.events import Receipt
from core.strategies.base import Strategy

if TYPE_CHECKING:
    from core.engine.runtime import Runtime
    from core.models import ModelFacts
    from core.spec import Variant, Workload


class Magnitude(Strategy):
    slot: ClassVar[str] = "pruning"
    key: ClassVar[str] = "magnitude"
    title: ClassVar[str] = "Magnitude (masked)"
    summary: ClassVar[str] = (
        "Sets the smallest weights of every row to zero, the head excepted. A study of quality: a mask saves no "
        "memory and no time."
    )
    source: ClassVar[str] = "Han et al. 2015; compared per output row as in Wanda, Sun et al. 2023"

    ratio: float = Field(
        0.5, gt=0, lt=1, title="Ratio", description="share of each row's weights to set to zero, 0 to 1"
    )

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if variant.quantization is not None and variant.quantization.key == "int4_weight_only":
            return ["int4 groups have no exact zero, so the mask would be lost: use int8_weight_only or nf4"]
        return []

    def transform(self, runtime: Runtime) -> None:
        from core.kernels.pruning import prune_magnitude

        prune_magnitude(runtime.model, self.ratio)

    def receipt(self, runtime: Runtime) -> Receipt:
        """Counts the zeros in the weights as they are now, after quantization too."""
        from core.kernels import pruning, surgery

        head = surgery.head_name(runtime.model)
        layers = {name: m for name, m in surgery.linear_like(runtime.model).items() if name != head}
        found = total = expected = 0
        hidden = []
        for name, module in layers.items():
            count = pruning.zeros(module)
            if count is None:
                hidden.append(name)
                continue
            n, k = surgery.shape(module)
            found += count
            total += n * k
            expected += n * int(k * self.ratio)
        share = found / total if total else 0.0
        unread = f"; {len(hidden)} layers cannot be read" if hidden else ""
        return Receipt(
            slot=self.slot,
            requested=f"{self.ratio:.0%} of each row zero",
            effective=f"{share:.1%} zeros in {len(layers) - len(hidden)} Linear layers (masked){unread}",
            matches=total > 0 and found >= expected and not hidden,
            detail={"zeros": found, "weights": total, "expected": expected, "unreadable": hidden[:20]},
        )
