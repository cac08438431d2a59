"""A CUDA device that is not there, on a CPU build of torch: shapes and devices are checked, and waits of the host for
the device and copies to it are counted. Values are not computed: a token is always 1.

A CPU build has no device guard for CUDA, without which copies and indexing refuse. A library of three lines registers
one that does nothing; a C++ compiler makes it in a second, once for each version of torch.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

_SOURCE = """
#include <c10/core/impl/DeviceGuardImplInterface.h>
static c10::impl::DeviceGuardImplRegistrar guard(
    c10::DeviceType::CUDA, new c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::CUDA>());
"""


@functools.cache
def missing() -> str:
    """Link the guard; return why that is not possible here, or an empty string."""
    if torch.version.cuda:
        return "this build of torch has CUDA, and a guard of its own"
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return "no C++ compiler, which the device guard needs"
    root = Path(torch.__file__).parent
    library = Path(tempfile.gettempdir(), f"dyno-guard-{os.getuid()}-{torch.__version__}.so")
    if not library.exists():
        partial = library.with_suffix(f".{os.getpid()}")
        command = [compiler, "-std=c++20", "-shared", "-fPIC", f"-I{root}/include", "-xc++", "-", "-o", str(partial)]
        done = subprocess.run([*command, f"-L{root}/lib", "-lc10"], input=_SOURCE, text=True, capture_output=True)
        if done.returncode:
            return f"the device guard cannot be built: {done.stderr[-300:]}"
        partial.replace(library)
    ctypes.CDLL(str(library))
    return ""


class _Life:
    """An attribute of a tensor that tells when the tensor ends."""

    def __init__(self, ended: Callable[[], None]) -> None:
        self._ended = ended

    def __del__(self) -> None:
        self._ended()


class FakeCuda(FakeTensorMode):
    """Within it, tensors on `cuda:0` have shapes and no values. `waits` counts what the host waits for: "read" of a
    value, "copy" of a tensor to the host; and "send" of a tensor to the device. `held` are the bytes of the tensors
    there, `highest` their peak."""

    def __init__(self) -> None:
        super().__init__(allow_non_fake_inputs=True)
        self.waits: Counter[str] = Counter()
        self.held = self.highest = 0
        self._users: Counter[int] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func.name().startswith("aten::to."):  # it arrives whole under inference_mode
            with self:
                return func.decompose(*args, **kwargs)
        if func is torch.ops.aten._local_scalar_dense.default:
            value = args[0]
            self.waits["read"] += value.device.type == "cuda"
            return True if value.dtype == torch.bool else 0.5 if value.is_floating_point() else 1
        out = super().__torch_dispatch__(func, types, args, kwargs)
        if func is torch.ops.aten._to_copy.default and (args[0].device.type == "cuda") != (out.device.type == "cuda"):
            self.waits["send" if out.device.type == "cuda" else "copy"] += 1
        for tensor in out if isinstance(out, (tuple, list)) else [out]:
            if isinstance(tensor, torch.Tensor) and tensor.device.type == "cuda":
                self._hold(tensor)
        return out

    def _hold(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        if key not in self._users:
            self.held += size
            self.highest = max(self.highest, self.held)
        self._users[key] += 1
        tensor._life = _Life(partial(self._release, key, size))  # no weak reference: torch would not swap the tensor

    def _release(self, key: int, size: int) -> None:
        self._users[key] -= 1
        if not self._users[key]:
            del self._users[key]
            self.held -= size
