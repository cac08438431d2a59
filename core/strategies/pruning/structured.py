"""Structured pruning before quantizing: fewer MLP channels, fewer attention heads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model.receipt import JsonValue, Receipt
from core.strategies.pruning.base import Structured, calibration_field, packed

if TYPE_CHECKING:
    from torch import Tensor

    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class MlpWidth(Structured):
    key: ClassVar[str] = "mlp_width"
    title: ClassVar[str] = "MLP width"
    summary: ClassVar[str] = (
        "Removes the MLP channels that add least to their layer's output, the same number from every layer. "
        "Physically smaller and faster everywhere; most of a model's weights are in its MLPs."
    )
    pays: ClassVar[str] = "On every device: the model becomes smaller, and most of a model's weights are in its MLPs."
    pays_not: ClassVar[str] = (
        "Where quality must hold without training afterwards: check it for every share that is removed."
    )
    source: ClassVar[str] = "‖X_j‖·‖W_:j‖ of the down projection: Wanda, Sun et al. 2023, by column as in FLAP, 2024"

    ratio: float = Field(0.25, gt=0, lt=1, title="Ratio", description="share of the channels to remove, 0 to 1")
    multiple: Literal[1, 16, 32, 64, 128, 256] = Field(
        64,
        title="Multiple",
        description="the channels that stay are a multiple of it, so that quantized kernels and their groups fit",
    )
    calibration_tokens: int = calibration_field()

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if reasons := packed(facts):
            return reasons
        facts = facts.before(self.slot) if facts else None
        if facts is None or facts.intermediate is None:
            return []
        if reason := self._nothing_to_remove(facts.intermediate):
            return [reason]
        return _unfit(variant, "down", self._kept(facts.intermediate), "multiple = {group} fits")

    def _nothing_to_remove(self, channels: int) -> str:
        if self._kept(channels) < channels:
            return ""
        return (
            f"{1 - self.ratio:.0%} of {channels} channels, in multiples of {self.multiple}, is all of them: raise the "
            "ratio or lower the multiple"
        )

    def misfits(self, outline: Any) -> list[str]:
        from core.kernels.pruning import structured

        try:
            parts = structured.channels(outline)
            structured.check(outline, parts, self._kept(parts.count))
        except ValueError as error:
            return [str(error)]
        reason = self._nothing_to_remove(parts.count)
        return [reason] if reason else []

    def remove(self, runtime: LoadedModel, ids: Sequence[int]) -> dict[str, Any]:
        from core.kernels.pruning import structured

        norms = structured.channel_norms(runtime.model, ids)
        before = len(norms[0])
        keep = [structured.largest(n, self._kept(before)) for n in norms]
        structured.keep_channels(runtime.model, keep)
        return {"before": before, "lost": _shares(norms, keep)}

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        kept = min(size.intermediate, self._kept(size.intermediate))
        gone = 3 * size.hidden * (size.intermediate - kept) * size.layers
        return size.model_copy(update={"intermediate": kept, "body": max(0, size.body - gone)})

    def _kept(self, channels: int) -> int:
        return max(self.multiple, round(channels * (1 - self.ratio) / self.multiple) * self.multiple)

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with the present inputs of every down projection, and the config's number."""
        from core.kernels.pruning import structured

        parts = structured.channels(runtime.model)
        widths = Counter(mine for mine, _ in structured.widths(runtime.model, parts))
        before = runtime.work.get(self.slot, {}).get("before") or runtime.facts.intermediate or parts.count
        kept = self._kept(before)
        found = ", ".join(f"{width} of {before} MLP channels left in {n} layers" for width, n in widths.items())
        return Receipt(
            slot=self.slot,
            requested=f"{before - kept} of {before} MLP channels removed from every layer",
            effective=found + self.lost(runtime),
            matches=kept < before and set(widths) == {kept} and parts.count == kept,
            detail={
                "channels_before": before,
                "channels": parts.count,
                **_lost(runtime.work.get(self.slot, {})),
                **self.detail(runtime),
            },
        )


class Heads(Structured):
    key: ClassVar[str] = "heads"
    title: ClassVar[str] = "Attention heads"
    summary: ClassVar[str] = (
        "Removes the KV heads, each with its query heads, that add least to their layer's output; without grouped "
        "queries that is one head at a time. Physically smaller, and the KV cache shrinks in proportion."
    )
    pays: ClassVar[str] = "With long contexts and several users: the KV cache shrinks with the heads."
    pays_not: ClassVar[str] = "In models with few KV heads, where each that goes takes several query heads along."
    source: ClassVar[str] = "‖X_g·W_gᵀ‖ of the output projection; groups as in LLM-Pruner, Ma et al. 2023"

    groups: int = Field(
        0, ge=0, le=1000, title="KV heads", description="how many KV heads to remove from every layer; 0 uses the ratio"
    )
    ratio: float = Field(0.25, gt=0, lt=1, title="Ratio", description="share of the KV heads to remove, 0 to 1")
    calibration_tokens: int = calibration_field()

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if reasons := packed(facts):
            return reasons
        facts = facts.before(self.slot) if facts else None
        if facts is None or not facts.kv_heads or not facts.heads:
            return []
        if facts.kv_heads == 1:
            return ["the model has 1 KV head, and that one must stay"]
        if self.groups >= facts.kv_heads:
            return [f"the model has {facts.kv_heads} KV heads; one must stay, so at most {facts.kv_heads - 1}"]
        kept = self._kept(facts.kv_heads)
        heads = facts.heads // facts.kv_heads * kept
        if facts.hidden and facts.hidden % heads and facts.architecture.lower().startswith(("llama", "gemma")):
            fit = [k for k in range(1, facts.kv_heads) if facts.hidden % (facts.heads // facts.kv_heads * k) == 0]
            return [
                f"{heads} heads would be left, and transformers loads no {facts.architecture} whose hidden size "
                f"({facts.hidden}) is not a multiple of its heads; groups = "
                f"{' or '.join(str(facts.kv_heads - k) for k in reversed(fit))} fits"
            ]
        return _unfit(variant, "o", heads * (facts.head_dim or 0), "remove another number of groups")

    def misfits(self, outline: Any) -> list[str]:
        from core.kernels.pruning import structured

        try:
            parts = structured.groups(outline)
            structured.check(outline, parts, self._kept(parts.count))
        except ValueError as error:
            return [str(error)]
        return ["the model has 1 KV head, and that one must stay"] if parts.count < 2 else []

    def remove(self, runtime: LoadedModel, ids: Sequence[int]) -> dict[str, Any]:
        from core.kernels.pruning import structured

        norms = structured.group_norms(runtime.model, ids)
        before = len(norms[0])
        if before - self._kept(before) < 1:
            raise ValueError(f"the model has {before} KV heads: none can be removed")
        keep = [structured.largest(n, self._kept(before)) for n in norms]
        structured.keep_groups(runtime.model, keep)
        gone = [sorted(set(range(before)) - set(k.tolist())) for k in keep]
        return {
            "before": before,
            "removed": [f"layer {i}: {', '.join(map(str, groups))}" for i, groups in enumerate(gone)],
            "lost": _shares(norms, keep),
        }

    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        if size.kv_heads < 2:
            return size
        kept = self._kept(size.kv_heads)
        heads = size.heads // size.kv_heads * kept
        gone = 2 * (size.heads - heads + size.kv_heads - kept) * size.head_dim * size.hidden * size.layers
        return size.model_copy(update={"heads": heads, "kv_heads": kept, "body": max(0, size.body - gone)})

    def _kept(self, groups: int) -> int:
        return max(1, groups - (self.groups or max(1, round(groups * self.ratio))))

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with the present inputs of every output projection, and the config's number."""
        from core.kernels.pruning import structured

        config = runtime.model.config.get_text_config(decoder=True)
        parts = structured.groups(runtime.model)
        inputs = structured.widths(runtime.model, parts)
        widths, heads = Counter(mine for mine, _ in inputs), config.num_attention_heads
        size = inputs[0][1] // heads
        work = runtime.work.get(self.slot, {})
        before = work.get("before") or runtime.facts.kv_heads or parts.count
        kept = self._kept(before)
        per_kv = heads // parts.count
        found = ", ".join(
            f"{width // (size * per_kv)} of {before} KV heads ({width // size} heads) left in {n} layers"
            for width, n in widths.items()
        )
        detail: dict[str, JsonValue] = {
            "kv_heads_before": before,
            "kv_heads": parts.count,
            "heads": heads,
            "head_dim": size,
            "removed": work.get("removed", []),
        }
        return Receipt(
            slot=self.slot,
            requested=f"{before - kept} of {before} KV heads removed from every layer",
            effective=found + self.lost(runtime),
            matches=kept < before and parts.count == kept and all(mine == said for mine, said in inputs),
            detail={**detail, **_lost(work), **self.detail(runtime)},
        )


def _shares(norms: Sequence[Tensor], keep: Sequence[Tensor]) -> list[float]:
    """Return the share of each layer's squared norms that the removed parts had."""
    return [1 - float(n[k].square().sum() / n.square().sum()) for n, k in zip(norms, keep, strict=True)]


def _lost(work: dict[str, Any]) -> dict[str, JsonValue]:
    shares: list[float] = work.get("lost", [])
    return {
        "removed_share_mean": sum(shares) / len(shares) if shares else None,
        "removed_share": [f"layer {i}: {share:.2%}" for i, share in enumerate(shares)],
    }


def _unfit(variant: Variant, layer: str, inputs: int, way_out: str) -> list[str]:
    """Return why a quantization in the same variant cannot take the remaining widths: K must be a multiple of its
    group, and of 16 for int8 kernels."""
    if variant.quantization is None:
        return []
    group = getattr(variant.quantization, "group_size", None) or 16
    if inputs % group == 0:
        return []
    return [
        f"{layer}: {inputs} inputs would be left, and {variant.quantization.title} needs a multiple of {group}; "
        + way_out.format(group=group)
    ]
