"""CUDA graphs without a card: what `torch.cuda.CUDAGraph` would do is recorded by a dispatch mode, and replayed
operator by operator with the same constants. A step that a graph would compute wrongly is computed wrongly here
too."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map


class RecordedGraph:
    """Stands for `torch.cuda.CUDAGraph`. A replay writes its results into the memory of the recorded ones, as a graph
    does."""

    def __init__(self) -> None:
        self.tape: list[tuple[Any, Any, Any, Any]] = []

    def replay(self) -> None:
        """Run the recorded operators on the present content of the tensors from outside."""
        made: dict[int, Tensor] = {}

        def present(value: Any) -> Any:
            return made.get(id(value), value) if isinstance(value, Tensor) else value

        results = []
        for func, args, kwargs, out in self.tape:
            new = func(*tree_map(present, args), **tree_map(present, kwargs))
            for old, value in zip(_tensors(out), _tensors(new), strict=True):
                made[id(old)] = value
                results.append((old, value))
        with torch.no_grad():
            for old, value in results:
                if old is not value and old.shape == value.shape and old.data_ptr() != value.data_ptr():
                    old.copy_(value)


class _Recorder(TorchDispatchMode):
    """Records operators. Capturing runs nothing, so what the operators changed in place is put back at the end."""

    def __init__(self, graph: RecordedGraph) -> None:
        super().__init__()
        self._graph = graph
        self._before: dict[int, tuple[Tensor, Tensor]] = {}
        self._own: set[int] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        for argument, value in zip(func._schema.arguments, args, strict=False):
            written = argument.alias_info is not None and argument.alias_info.is_write
            if written and isinstance(value, Tensor) and value.untyped_storage().data_ptr() not in self._own:
                self._before.setdefault(id(value), (value, value.clone()))
        out = func(*args, **kwargs)
        inside = {t.untyped_storage().data_ptr() for t in _tensors((args, kwargs))}
        self._own |= {t.untyped_storage().data_ptr() for t in _tensors(out)} - inside
        self._graph.tape.append((func, args, kwargs, out))
        return out

    def undo(self) -> None:
        with torch.no_grad():
            for value, before in self._before.values():
                value.copy_(before)


@contextlib.contextmanager
def _capture(graph: RecordedGraph, *_: Any, **__: Any) -> Iterator[None]:
    with _Recorder(graph) as recorder:
        yield
    recorder.undo()


class _Stream:
    def wait_stream(self, other: Any) -> None:
        pass


@pytest.fixture
def recorded_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let graphs be recorded and replayed on the processor."""
    monkeypatch.setattr(torch.cuda, "CUDAGraph", RecordedGraph)
    monkeypatch.setattr(torch.cuda, "graph", _capture)
    monkeypatch.setattr(torch.cuda, "Stream", _Stream)
    monkeypatch.setattr(torch.cuda, "current_stream", _Stream)
    monkeypatch.setattr(torch.cuda, "stream", lambda _stream: contextlib.nullcontext())


def _tensors(value: Any) -> list[Tensor]:
    found: list[Tensor] = []
    tree_map(lambda x: found.append(x) if isinstance(x, Tensor) else None, value)
    return found
