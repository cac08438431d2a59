"""Collects the inputs of every Linear on a calibration set, one transformer layer at a time. Only one layer's
statistics and the calibration set's hidden states exist at a time. The consumer may change a layer's weights before it
asks for the next layer, which is then fed by the changed ones, as in GPTQ and SparseGPT."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from core.kernels.base import surgery

_PROBE = 2  # tokens on which it is seen in what form layers return their hidden states


class Inputs:
    """Sums over the inputs X [K, tokens] of one Linear, in fp32: of squares, and 2·XXᵀ."""

    def __init__(self, k: int, device: torch.device, hessian: bool) -> None:
        self.tokens = 0
        self._squares = torch.zeros(k, device=device)
        self._products = torch.zeros(k, k, device=device) if hessian else None

    def add(self, rows: Tensor, products: Tensor | None) -> None:
        self.tokens += rows.shape[0]
        self._squares += rows.square().sum(0)
        if self._products is not None:
            assert products is not None
            self._products.add_(products, alpha=2)

    @property
    def norms(self) -> Tensor:
        """‖X_j‖₂ of every input channel."""
        return self._squares.sqrt()

    @property
    def hessian(self) -> Tensor:
        """H = 2·XXᵀ, [K, K]; available only if it was requested."""
        if self._products is None:
            raise ValueError("these statistics were gathered without the Hessian")
        return self._products


@dataclass(frozen=True)
class Fed:
    """A Linear (or GPT-2's Conv1D) with its inputs."""

    module: nn.Module
    inputs: Inputs


@dataclass
class _Call:
    """The model's arguments to one layer for one sequence, without the hidden states."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@torch.no_grad()
def layer_by_layer(model: Any, sequences: Sequence[Sequence[int]], hessian: bool) -> Iterator[dict[str, Fed]]:
    """Yield for each transformer layer its Linears by name, with their statistics. A Linear without any token (an idle
    expert) is absent. The dictionary is emptied when the next layer is requested. Raises ValueError if the model has no
    list of layers or runs them in another order."""
    name, layers = surgery.decoder_layers(model)
    states, calls = _entries(model, layers, sequences)
    for index, layer in enumerate(layers):
        with _watching(f"{name}.{index}", layer, hessian) as found:
            _forward(layer, states, calls, index)
        yield found
        found.clear()  # the consumer's variable still holds it while the next layer runs
        if index + 1 < len(layers):
            states = _forward(layer, states, calls, index)


def _forward(layer: nn.Module, states: list[Tensor], calls: list[list[_Call]], index: int) -> list[Tensor]:
    """Return the hidden states of every sequence after the layer."""
    outputs = []
    for state, sequence in zip(states, calls, strict=True):
        output = layer(state, *sequence[index].args, **sequence[index].kwargs)
        outputs.append(output if isinstance(output, Tensor) else output[0])
    return outputs


@contextmanager
def _watching(name: str, layer: nn.Module, hessian: bool) -> Iterator[dict[str, Fed]]:
    """Yield the statistics of the layer's Linears, filled by the passes within the context."""
    found: dict[str, Fed] = {}
    last = _Last()

    def hook(key: str) -> Any:
        def before(module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
            x: Tensor = args[0] if args else kwargs["input"]
            if x.numel():
                last.see(x, hessian)
                if key not in found:
                    found[key] = Fed(module, Inputs(x.shape[-1], x.device, hessian))
                found[key].inputs.add(last.rows, last.products)

        return before

    handles = [
        linear.register_forward_pre_hook(hook(f"{name}.{key}"), with_kwargs=True)
        for key, linear in surgery.linears(layer)
    ]
    try:
        yield found
    finally:
        for handle in handles:
            handle.remove()


class _Last:
    """The latest input's rows and products. q, k and v have the same input, whose products are computed once."""

    def __init__(self) -> None:
        self.rows = torch.empty(0, 0)
        self.products: Tensor | None = None
        self._x: Tensor | None = None

    def see(self, x: Tensor, hessian: bool) -> None:
        if self._x is not x:
            self._x = x
            self.rows = x.reshape(-1, x.shape[-1]).float()
            self.products = self.rows.T @ self.rows if hessian else None


def _entries(
    model: Any, layers: nn.ModuleList, sequences: Sequence[Sequence[int]]
) -> tuple[list[Tensor], list[list[_Call]]]:
    """Return the first layer's hidden states of every sequence, and the model's arguments to every layer. The model's
    own loop runs with layers that record their arguments and pass the hidden states on, since masks and position
    embeddings differ between sliding and full layers."""
    device = next(model.parameters()).device
    outputs = _outputs(model, layers, list(sequences[0][:_PROBE]), device)
    states: list[Tensor] = []
    calls: list[list[_Call]] = []
    for ids in sequences:
        noted: list[_Call | None] = [None] * len(layers)
        first: list[Tensor] = []

        def note(i: int, noted: list[_Call | None] = noted, first: list[Tensor] = first) -> Any:
            def forward(*args: Any, **kwargs: Any) -> Any:
                if "hidden_states" in kwargs:
                    state, rest = kwargs.pop("hidden_states"), args
                else:
                    state, rest = args[0], args[1:]
                if i != sum(call is not None for call in noted):
                    raise ValueError(f"{type(model).__name__} does not run its layers one after the other")
                noted[i] = _Call(rest, kwargs)
                first.append(state)
                return (state, *[None] * (outputs[i] - 1)) if outputs[i] else state

            return forward

        _run_with(model, layers, [note(i) for i in range(len(layers))], torch.tensor([ids], device=device))
        if any(state is not first[0] for state in first):
            raise ValueError(f"{type(model).__name__} changes the hidden states between its layers")
        states.append(first[0])
        calls.append([call for call in noted if call is not None])
    return states, calls


def _outputs(model: Any, layers: nn.ModuleList, ids: list[int], device: torch.device) -> list[int]:
    """Return the number of items that each layer returns, the hidden states first; 0 if it returns them alone."""
    kinds: list[int] = []
    handles = [
        layer.register_forward_hook(
            lambda _module, _args, output: kinds.append(0 if isinstance(output, Tensor) else len(output))
        )
        for layer in layers
    ]
    try:
        model.base_model(torch.tensor([ids], device=device), use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    if len(kinds) != len(layers):
        raise ValueError(f"{type(model).__name__} runs {len(kinds)} of its {len(layers)} layers")
    return kinds


def _run_with(model: Any, layers: nn.ModuleList, forwards: list[Any], ids: Tensor) -> None:
    """Run the model without its head, with other forwards in its layers."""
    before = [vars(layer).get("forward") for layer in layers]  # a hook of accelerate, where there is one
    for layer, forward in zip(layers, forwards, strict=True):
        layer.forward = forward  # of the instance: it hides the class's own
    try:
        model.base_model(ids, use_cache=False)
    finally:
        for layer, own in zip(layers, before, strict=True):
            del layer.forward
            if own is not None:
                layer.forward = own
