"""The base of quantizations: replaces Linears after loading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from core.model import layer_map
from core.model.receipt import JsonValue, Receipt, listed
from core.spec.script_builder import Code, call
from core.spec.variant import Strategy

if TYPE_CHECKING:
    from core.model.facts import ModelFacts
    from core.model.memory_footprint import Footprint
    from core.spec.loaded_model import LoadedModel
    from core.spec.script_builder import Script
    from core.spec.variant import Variant
    from core.spec.workload import Workload

Head = Literal["keep", "int8", "same"]
HEAD_DESCRIPTION = (
    "the output head, often a fifth of a small model: keep it as loaded, int8, or the same format as the rest; "
    "a head that is tied to the embedding gets its own copy first"
)
HEAD_WORDS = {"keep": "kept", "int8": "int8", "same": "as the rest"}
ASKED = "left alone, as asked for"
ROUTER = "decides which experts a token meets, so it stays as it is"
#: Of the weights that are to be quantized, what layers may hold that no kernel takes (a gate with one output) or that
#: the model reads by itself (Mamba's dt_proj, 2 % in the 2.8B and in Falcon-Mamba-7B): int4 reads 8 % more at most.
SMALL = 0.03
#: What a class of Linear, or of its weight, is called in a receipt.
_NAMES = {
    "Linear": "not quantized",
    "Conv1D": "not quantized",
    "Int8Linear": "int8",
    "Int4Linear": "int4",
    "Linear4bit": "4-bit",
    "Linear8bitLt": "LLM.int8()",
}
_EXPERTS = ("model.layers.0.mlp.experts", "model.layers.0.mlp.experts.gate_up_proj")  # where most models have them
_FUSED = ".fused.linear"  # joined Linears are found below the first one's place


def head_field(default: Head) -> Any:
    return Field(default, title="Head", description=HEAD_DESCRIPTION, json_schema_extra={"words": {**HEAD_WORDS}})


class Quantization(Strategy):
    slot: ClassVar[str] = "quantization"
    becomes: ClassVar[str] = ""  # the class that a quantized layer has
    loaded_with: ClassVar[str] = ""  # the package with which transformers loads what is written of it
    moves_layers: ClassVar[bool] = True
    by_rows: ClassVar[bool] = False  # a large layer is quantized in parts, so that it takes little memory
    keeps_zeros: ClassVar[bool] = True  # a weight of exactly zero stays one, so that a pruning mask survives

    head: Head = head_field("int8")
    skip: str = Field(
        "",
        max_length=1000,
        title="Skip layers",
        description="names of layers to leave alone, with * and ?, separated by commas: *.down_proj, model.layers.0.*",
    )
    skip_first: int = Field(
        0, ge=0, le=1000, title="Skip first", description="transformer blocks at the beginning to leave alone"
    )
    skip_last: int = Field(
        0, ge=0, le=1000, title="Skip last", description="transformer blocks at the end to leave alone"
    )

    # -- what a format says ---------------------------------------------------------------------------------
    def quantize(self, runtime: LoadedModel, linear: Any) -> Any:
        """Return the replacement of one Linear. Raises ValueError with the reason if there is none."""
        raise NotImplementedError

    def maker(self, runtime: LoadedModel, left_alone: set[str]) -> Callable[[str, Any], Any]:
        """Return a function that replaces a Linear of the body by name; a format that must see the model first does so
        here."""
        return lambda name, linear: self.quantize(runtime, linear)

    def bits(self) -> float:
        """Return the stored bits per weight, scales included."""
        return 8

    def is_done(self, module: Any) -> bool:
        """Return whether a layer of the loaded model is of this strategy's kind."""
        return layer_class(module) == self.becomes

    def words(self, modules: list[Any]) -> str:
        """Return a description of the quantized layers."""
        return _NAMES.get(self.becomes, self.becomes)

    # -- for all formats --------------------------------------------------------------------------------------
    def footprint(self, size: Footprint, workload: Workload) -> Footprint:
        alone = min(1.0, (self.skip_first + self.skip_last) / size.layers) if size.layers else 0.0
        body = alone * 8 * size.element + (1 - alone) * self.bits()
        head = {"keep": None, "int8": 8.0, "same": self.bits()}[self.head]
        patterns = [p.strip() for p in self.skip.split(",")]
        kept = any(fnmatchcase(name, pattern) for name in _EXPERTS for pattern in patterns)
        return size.model_copy(update={"body_bits": body, "head_bits": head, "experts_kept": kept})

    def conflicts(self, variant: Variant, facts: ModelFacts | None, workload: Workload) -> list[str]:
        reasons = super().conflicts(variant, facts, workload)
        if facts and facts.quantized:
            reasons.append(f"the model is quantized already ({facts.quantized}): leave it out, or choose the original")
        if facts and facts.layers and self.skip_first + self.skip_last >= facts.layers:
            reasons.append(f"skip first and skip last leave none of the model's {facts.layers} layers to quantize")
        return reasons

    def left_alone(self, model: Any) -> tuple[set[str], list[str]]:
        """Return the layers to leave alone, and the patterns that match no layer. All experts of a projection count as
        one layer, found by its name and its owner's."""
        from core.kernels.base import surgery
        from core.kernels.experts import experts

        head = surgery.head_name(model)
        layers = [name for name in experts.layers(model) if name != head]
        stacks = {stack.name for stack in experts.stacks(model)}
        calls = {n: [n, n.rpartition(".")[0]] if n in stacks else [n.removesuffix(_FUSED)] for n in layers}
        patterns = [p.strip() for p in self.skip.split(",") if p.strip()]
        found = {name for name in layers if any(fnmatchcase(call, p) for call in calls[name] for p in patterns)}
        unused = [p for p in patterns if not any(fnmatchcase(c, p) for name in layers for c in [name, *calls[name]])]
        if self.skip_first or self.skip_last:
            where, blocks = surgery.decoder_layers(model)
            ends = [*range(self.skip_first), *range(max(0, len(blocks) - self.skip_last), len(blocks))]
            found |= {name for name in layers if any(name.startswith(f"{where}.{i}.") for i in ends)}
        return found, unused

    def patterns(self, out: Script) -> list[str]:
        """Return the names of the layers to leave alone, with * and ?, for a script."""
        found = [p.strip() for p in self.skip.split(",") if p.strip()]
        count = out.facts.layers if out.facts is not None else None
        if self.skip_last and not count:
            out.cannot(self, "the number of layers is not known here, so skip_last cannot be told")
        ends = [*range(self.skip_first), *range(max(0, count - self.skip_last), count)] if count else []
        ends = ends or [*range(self.skip_first)]
        return found + [f"*.{part}.{i}.*" for i in ends for part in ("layers", "h")]

    def script_head(self, out: Script, same: list[str]) -> None:
        """Add the lines for the output head; `same` are the lines that give it the body's format."""
        if out.facts is not None and out.facts.expert_parameters:
            out.cannot(self, "experts that are slices of one tensor stay as they are; the other layers are quantized")
        if self.head == "int8":
            out.define("weights/linears.py", "CannotQuantize", "Int8Linear", "_finish", "_bias")
            head = call("Int8Linear.from_linear", Code(f"{out.model}.get_output_embeddings()"))
            out.after.append(f"{out.model}.set_output_embeddings({head})")
        elif self.head == "same":
            out.after += same

    def transform(self, runtime: LoadedModel) -> None:
        from core.kernels.base import surgery
        from core.kernels.experts import experts
        from core.kernels.weights import linears

        head = surgery.head_name(runtime.model)
        if self.head != "keep":
            surgery.untie_head(runtime.model)
        alone, unused = self.left_alone(runtime.model)
        routers = {stack.router for stack in experts.stacks(runtime.model)}
        whole = experts.split(runtime.model, alone)
        body = self.maker(runtime, alone | routers)

        def make(name: str, linear: Any) -> Any:
            if name != head:
                return body(name, linear)
            return linears.Int8Linear.from_linear(linear) if self.head == "int8" else self.quantize(runtime, linear)

        skip = dict.fromkeys(routers, ROUTER) | dict.fromkeys(
            [*alone, *([head] if head and self.head == "keep" else [])], ASKED
        )
        _, left_out = surgery.replace_linears(runtime.model, make, skip, runtime.device)
        experts.join(runtime.model)
        surgery.finish_on(runtime.model, runtime.device)
        runtime.work.setdefault(self.slot, {}).update(left_out={**whole, **left_out}, unused=unused)

    def receipt(self, runtime: LoadedModel) -> Receipt:
        """Return the receipt with the counted classes of the loaded model; only the reasons of skipped layers come from
        the transform."""
        from core.kernels.base import surgery
        from core.kernels.experts import experts

        model = runtime.model
        head = surgery.head_name(model)
        stacks = {stack.name: stack for stack in experts.stacks(model)}
        routers = {stack.router for stack in stacks.values()}
        layers = experts.layers(model)
        body = {name: parts for name, parts in layers.items() if name != head and name not in routers}
        alone, unused = self.left_alone(model)
        work = runtime.work.get(self.slot, {})
        reasons: dict[str, str] = work.get("left_out", {})
        unused = work.get("unused", unused)  # fusion has taken names away since

        done, left_out, refused = [], [], {}
        for name, parts in body.items():
            left = [part for part, module in parts.items() if not self.is_done(module)]
            if parts and not left:
                done.append(name)
            elif name not in alone:
                reason = next((reasons[part] for part in [name, *left, f"{name}.0"] if part in reasons), "")
                words = f"{len(left)} of {len(parts)} experts: {reason}" if name in stacks and left else reason
                left_out.append(f"{name}: {words or 'not quantized'}")
                if reason:  # no kernel takes it, or the model's own code reads it
                    whole = stacks[name].weights() if name in stacks and not parts else 0
                    refused[name] = whole + sum(_weights(parts[part]) for part in left)
        quantized = sum(_weights(m) for parts in body.values() for m in parts.values() if self.is_done(m))
        kept = sum(refused.values()) / max(1, quantized + sum(refused.values()))
        small = 0 < len(refused) == len(left_out) and kept < SMALL
        faults = [] if small else left_out
        faults = faults + [f"{n}: quantized, although it was to be left alone" for n in done if n in alone]
        faults += [f"skip: no layer is named {pattern!r}" for pattern in unused]
        if odd := experts.odd_fault(model):
            faults.append(odd)
        kinds = {name: layer_class(module) for name, module in surgery.linear_like(model).items() if name in layers}
        kinds |= {name: _most(parts.values()) for name, parts in layers.items() if name in stacks}
        if (
            head
            and kinds[head] not in {"keep": ("Linear",), "int8": ("Int8Linear",), "same": (self.becomes,)}[self.head]
        ):
            faults.append(f"{head}: {reasons.get(head, 'not as asked for')}")

        plain = [name for name in body if name not in stacks]
        label = self.words([module for name in done for module in body[name].values()])
        effective = f"{label}: {sum(n in done for n in plain)} of {len(plain)} Linear layers"
        if head and self.head != "keep" and kinds[head] != "Linear":
            quantized += _weights(layers[head][head])
        share = quantized / surgery.parameter_count(model)
        if stacks:
            effective += f"; experts: {sum(n in done for n in stacks)} of {len(stacks)} tensors"
            effective += f"; {share:.0%} of the weights"
        if small:
            effective += f"; {len(refused)} that cannot be quantized stay, {kept:.2%} of the weights"
        effective += f"; {len(alone)} {ASKED}" if alone else ""
        effective += f"; {head} {self.head_words(layers[head][head])}" if head else ""
        detail: dict[str, JsonValue] = {
            "quantized_layers": len(done),
            "layers": len(body),
            "quantized_share": share,
            "classes": [f"{kind}: {n}" for kind, n in Counter(kinds.values()).most_common()],
            "weights_bytes_before": runtime.weights_bytes_before,
            "weights_bytes": surgery.storage_bytes(model),
            "left_out": listed(left_out + [fault for fault in faults if fault not in left_out]),
            "left_alone": listed(sorted(alone)),
            "layer_map": layer_map.lines(kinds),
        }
        return Receipt(
            slot=self.slot,
            requested=self.requested(),
            effective=effective,
            matches=bool(done) and not faults,
            detail=detail,
        )

    def requested(self) -> str:
        parts = [self.key, f"head {self.head}"]
        parts += [
            f"{name} {getattr(self, name)}" for name in ("skip", "skip_first", "skip_last") if getattr(self, name)
        ]
        return ", ".join(parts)

    def head_words(self, module: Any) -> str:
        kind = layer_class(module)
        return self.words([module]) if kind == self.becomes else _NAMES.get(kind, kind)


def layer_class(module: Any) -> str:
    """Return the class of a layer, or of its weight if that is a tensor subclass inside an ordinary Linear."""
    weight = type(getattr(module, "weight", None)).__name__
    own = type(module).__name__
    return weight if own in ("Linear", "Conv1D") and weight not in ("Parameter", "Tensor") else own


def _most(modules: Collection[Any]) -> str:
    """Return the most frequent class; for experts that are one tensor, that of a plain layer."""
    return Counter(map(layer_class, modules)).most_common(1)[0][0] if modules else "Linear"


def _weights(module: Any) -> int:
    from core.kernels.base import surgery

    n, k = surgery.shape(module)
    return n * k
