"""Parallelism: one model on several GPUs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from core.model.receipt import Receipt
from core.spec.variant import Strategy

if TYPE_CHECKING:
    from core.machine.environment import Environment
    from core.model.facts import ModelFacts
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload


class DeviceMap(Strategy):
    slot: ClassVar[str] = "parallelism"
    key: ClassVar[str] = "device_map"
    title: ClassVar[str] = "Layers across GPUs"
    summary: ClassVar[str] = (
        "Places consecutive layers on different GPUs. Makes large models fit; the GPUs work one after the other, so "
        "a single request is no faster."
    )
    pays: ClassVar[str] = "For models that fit no single GPU."
    pays_not: ClassVar[str] = "For speed: the GPUs work one after the other."
    source: ClassVar[str] = 'accelerate, device_map="balanced"'
    exact: ClassVar[bool] = True

    def runs_on_host(self) -> bool:
        return False

    @classmethod
    def unavailable(cls, environment: Environment) -> str:
        count = len(environment.devices)
        return "" if count > 1 else f"needs more than one GPU; this machine has {count or 'none'}"

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with the bytes of weights on each device."""
        held: Counter[str] = Counter()
        for parameter in runtime.model.parameters():
            held[str(parameter.device)] += parameter.numel() * parameter.element_size()
        return Receipt(
            slot=self.slot,
            requested=self.label(),
            effective=", ".join(f"{device}: {count / 1e6:.0f} MB" for device, count in sorted(held.items())),
            matches=len(held) > 1 and all(device.startswith("cuda") for device in held),
            detail={f"bytes_{device}": count for device, count in sorted(held.items())},
        )

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        if variant.compilation is not None:
            return ["a step across devices breaks the graph at every crossing: leave compilation out"]
        return []

    def load(self, options: dict[str, Any]) -> None:
        options["device_map"] = "balanced"

    def script(self, out: Script) -> None:
        out.load["device_map"] = "balanced"
