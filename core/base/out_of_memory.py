"""Decides whether an error means that memory ran out, whichever library raised it."""

from __future__ import annotations

import re

#: Allocators say it in words of their own: torch's on the CPU, mmap, C++, the loader of shared libraries, the libraries
#: of CUDA, and torch's caching allocator while it composes its message.
_OUT_OF_MEMORY = re.compile(
    r"can.t allocate memory|cannot allocate memory|not enough memory|bad_alloc|out of memory|os error 12"
    r"|failed to map segment|CU(BLAS|DNN|SPARSE|SOLVER)_STATUS_ALLOC_FAILED|NVML_SUCCESS == r INTERNAL ASSERT",
    re.IGNORECASE,
)


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether the error or one of its causes is a MemoryError, torch's OutOfMemoryError, or says in its text
    that memory ran out."""
    return any(
        isinstance(one, MemoryError) or type(one).__name__ == "OutOfMemoryError" or _OUT_OF_MEMORY.search(str(one))
        for one in causes(error)
    )


def causes(error: BaseException | None) -> list[BaseException]:
    """Return the error and its chain of causes, each once; a chain may be circular."""
    found: list[BaseException] = []
    while error is not None and not any(error is one for one in found):
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
