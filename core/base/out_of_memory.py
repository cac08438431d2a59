"""Whether an error means that memory ran out, whoever raised it."""

from __future__ import annotations

import re

#: Allocators say it in words of their own: torch's on the CPU, mmap, C++, the loader of shared libraries.
_OUT_OF_MEMORY = re.compile(
    r"can.t allocate memory|cannot allocate memory|not enough memory|bad_alloc|out of memory|os error 12"
    r"|failed to map segment",
    re.IGNORECASE,
)


def is_out_of_memory(error: BaseException) -> bool:
    """MemoryError, torch's OutOfMemoryError, and those that only say so in their text, causes included."""
    return any(
        isinstance(one, MemoryError) or type(one).__name__ == "OutOfMemoryError" or _OUT_OF_MEMORY.search(str(one))
        for one in causes(error)
    )


def causes(error: BaseException | None) -> list[BaseException]:
    """Return an error and what it came from, each once: an error may be among its own causes."""
    found: list[BaseException] = []
    while error is not None and not any(error is one for one in found):
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
