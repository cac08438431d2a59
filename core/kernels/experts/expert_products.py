"""Stand-ins for the matrices of experts in a model's own products: one Linear per expert, behind the operations that
models' forwards use. torch has a grouped product for plain matrices only (`torch.nn.functional.grouped_mm`) and none
for packed ones; here the experts that are met are multiplied one after the other, each with its own rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, pairwise
from typing import Any
from weakref import WeakValueDictionary

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MATMULS = (torch.matmul, Tensor.matmul, Tensor.__matmul__, torch.mm, Tensor.mm, torch.bmm, Tensor.bmm)
_BATCHED = (torch.bmm, Tensor.bmm, torch.matmul, Tensor.matmul, Tensor.__matmul__)
_GROUPED = tuple(f for f in (getattr(F, "grouped_mm", None), getattr(torch, "_grouped_mm", None)) if f is not None)


def is_grouped(func: Any) -> bool:
    """Return whether a function is torch's grouped product, or transformers' replacement for it."""
    return func in _GROUPED or getattr(func, "__name__", "") == "grouped_mm_fallback"


def is_plain(linear: Any) -> bool:
    """Return whether a Linear is as it was loaded."""
    return type(linear) is nn.Linear and type(linear.weight) is nn.Parameter


class ExpertLinears(nn.Module):
    """One Linear (or its replacement) per expert, named by number. Indexing, transposing and multiplying work as for
    the tensor [experts, out, in], or [experts, in, out] if `transposed`."""

    def __init__(self, linears: list[nn.Linear], transposed: bool, dtype: torch.dtype) -> None:
        super().__init__()
        self.transposed = transposed
        self.kept = dtype  # of the tensor, and of the activations that it is multiplied with
        self._register()
        for i, linear in enumerate(linears):
            self.add_module(str(i), linear)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._register()  # a copy is another one

    def _register(self) -> None:
        self.key = next(_KEYS)
        _HELD[self.key] = self

    def linears(self) -> list[Any]:
        return list(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    @property
    def dtype(self) -> torch.dtype:
        return _said(self.kept)

    @property
    def shape(self) -> torch.Size:
        return self._all.shape

    @property
    def device(self) -> torch.device:
        return self._all.device

    @property
    def _all(self) -> _Matrices:
        return _Matrices(self.linears(), None, self.transposed, self.kept, self.key)

    def dim(self) -> int:
        return 3

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]

    def __iter__(self) -> Iterator[Any]:
        return (self._all[i] for i in range(len(self)))

    def transpose(self, a: int, b: int) -> Any:
        return self._all.transpose(a, b)

    @property
    def mT(self) -> Any:
        return self._all.mT

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*(a._all if isinstance(a, cls) else a for a in args), **(kwargs or {}))


class _Factor:
    """Takes a tensor's place in a product. Unknown operations get the tensor itself, made anew."""

    linears: list[Any]
    flipped: bool  # [in, out], as `x @ w` needs it, and not [out, in]
    kept: torch.dtype

    @property
    def dtype(self) -> torch.dtype:
        return _said(self.kept)

    @property
    def device(self) -> torch.device:
        return next(t.device for t in [*self.linears[0].parameters(), *self.linears[0].buffers()])

    @property
    def _matrix(self) -> tuple[int, int]:
        n, k = self.linears[0].out_features, self.linears[0].in_features
        return (k, n) if self.flipped else (n, k)

    def dense(self) -> Tensor:
        raise NotImplementedError

    def product(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise NotImplementedError

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        mine = next((a for a in [*args, *kwargs.values()] if isinstance(a, _Factor)), None)
        out = mine.product(func, args, kwargs) if mine is not None else NotImplemented
        if out is not NotImplemented:
            return out
        plain = [a.dense() if isinstance(a, _Factor) else a for a in args]
        return func(*plain, **{k: v.dense() if isinstance(v, _Factor) else v for k, v in kwargs.items()})


class _Matrix(_Factor):
    """The matrix of one expert."""

    def __init__(self, linear: Any, flipped: bool, dtype: torch.dtype) -> None:
        self.linears, self.flipped, self.kept = [linear], flipped, dtype

    @property
    def shape(self) -> torch.Size:
        return torch.Size(self._matrix)

    @property
    def T(self) -> _Matrix:
        return _Matrix(self.linears[0], not self.flipped, self.kept)

    mT = T

    def t(self) -> _Matrix:
        return self.T

    def transpose(self, a: int, b: int) -> _Matrix:
        return self if a % 2 == b % 2 else self.T

    def dense(self) -> Tensor:
        weight = dense_weight(self.linears[0], self.kept, self.device)
        return weight.T if self.flipped else weight

    def product(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if func is F.linear and args[1:2] == (self,) and not self.flipped:
            out = _apply(self.linears[0], args[0])
            bias = args[2] if len(args) > 2 else kwargs.get("bias")
            return out if bias is None else out + bias
        if func in MATMULS and args[1:] == (self,) and self.flipped and not kwargs:
            return _apply(self.linears[0], args[0])
        return NotImplemented


class _Matrices(_Factor):
    """The matrices of all experts, or of the experts `chosen`, one for each row of a batch."""

    def __init__(self, linears: list[Any], chosen: Tensor | None, flipped: bool, dtype: torch.dtype, key: int) -> None:
        self.linears, self.chosen, self.flipped, self.kept = linears, chosen, flipped, dtype
        self.key = key  # of the ExpertLinears that it is of

    @property
    def shape(self) -> torch.Size:
        return torch.Size((len(self.linears) if self.chosen is None else len(self.chosen), *self._matrix))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, Tensor) and index.dim() == 1 and not index.is_floating_point() and self.chosen is None:
            return _Matrices(self.linears, index, self.flipped, self.kept, self.key)
        if isinstance(index, int) or (isinstance(index, Tensor) and index.dim() == 0):
            i = int(index) if self.chosen is None else int(self.chosen[index])
            return _Matrix(self.linears[i], self.flipped, self.kept)
        return self.dense()[index]

    @property
    def mT(self) -> _Matrices:
        return _Matrices(self.linears, self.chosen, not self.flipped, self.kept, self.key)

    def transpose(self, a: int, b: int) -> Any:
        if {a % 3, b % 3} != {1, 2}:
            return self.dense().transpose(a, b)
        return self.mT

    def dense(self) -> Tensor:
        which = range(len(self.linears)) if self.chosen is None else self.chosen.tolist()
        weights = torch.stack([dense_weight(self.linears[i], self.kept, self.device) for i in which])
        return weights.mT if self.flipped else weights

    def product(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if is_grouped(func) and args[1:2] == (self,) and self.flipped and self.chosen is None and "offs" in kwargs:
            if torch.compiler.is_compiling():  # which experts are met is no part of a graph
                x = args[0].to(self.kept)
                return torch.ops.dyno.grouped_experts(x, kwargs["offs"], self.key, self._matrix[1])
            return _grouped(self.linears, args[0], kwargs["offs"])
        if func in _BATCHED and len(args) == 2:
            if args[1] is self and self.flipped and args[0].dim() == 3:
                return self._batched(args[0])
            if args[0] is self and not self.flipped and args[1].dim() == 3:
                return self._batched(args[1].mT).mT
        return NotImplemented

    def _batched(self, x: Tensor) -> Tensor:
        """Return [experts, T, out] of [experts, T, in]. A row of zeros stays zero: some models feed all tokens to every
        expert, with zeros for tokens of other experts."""
        which = torch.arange(len(self.linears), device=x.device) if self.chosen is None else self.chosen
        out = x.new_zeros(*x.shape[:2], self.linears[0].out_features)
        met = (x != 0).any(-1)
        for i in which[met.any(-1)].unique().tolist():
            rows = met & (which == i)[:, None]
            out[rows] = _apply(self.linears[i], x[rows])
        return out


def _apply(linear: Any, x: Tensor) -> Tensor:
    """Return the Linear's output; for no rows, without calling a kernel."""
    return linear(x) if x.numel() else x.new_zeros(*x.shape[:-1], linear.out_features)


def dense_weight(linear: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Return the weight [out, in] as the Linear's products show it."""
    if is_plain(linear):
        return linear.weight.detach()
    return linear(torch.eye(linear.in_features, dtype=dtype, device=device)).T


def _grouped(linears: list[Any], x: Tensor, ends: Tensor) -> Tensor:
    """Return the outputs of rows [S, in] sorted by expert, whose ranges end at `ends`; rows beyond the last range give
    zeros."""
    out = x.new_zeros(len(x), linears[0].out_features)
    for i, (start, end) in enumerate(pairwise([0, *ends.tolist()])):
        if end > start:
            out[start:end] = _apply(linears[i], x[start:end])
    return out


def _said(kept: torch.dtype) -> torch.dtype:
    """Return a data type other than bf16 while dynamo traces. For bf16 transformers would use torch's grouped product,
    to which dynamo passes no objects; for other types it uses an operator that dynamo passes them to."""
    return torch.float32 if torch.compiler.is_compiling() and kept == torch.bfloat16 else kept


# -- within a compiled step -------------------------------------------------------------------------------------------
_KEYS = count()
_HELD: WeakValueDictionary[int, ExpertLinears] = WeakValueDictionary()


@torch.library.custom_op("dyno::grouped_experts", mutates_args=(), tags=(torch.Tag.cudagraph_unsafe,))
def grouped_experts(x: Tensor, ends: Tensor, key: int, outputs: int) -> Tensor:
    """Return the grouped product with the experts of that key, [S, in] -> [S, outputs]."""
    return _grouped(_HELD[key].linears(), x, ends)


@grouped_experts.register_fake
def _(x: Tensor, ends: Tensor, key: int, outputs: int) -> Tensor:
    return x.new_empty(x.shape[0], outputs)
