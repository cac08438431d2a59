"""Turns an exception into the `Failed` event that a person reads."""

from __future__ import annotations

import traceback

import psutil

from core.base.out_of_memory import causes, is_out_of_memory
from core.model.model_error import ModelError
from core.protocol.events import Failed
from core.spec.variant import Unsuitable


class Refused(ValueError):
    """The request cannot be fulfilled; `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def failure(error: BaseException, doing: str) -> Failed:
    """Return the event for an error; `doing` names the activity: "loading", "trial"."""
    detail = "".join(traceback.format_exception(error))[-20_000:]
    if isinstance(error, Refused | ModelError):
        return Failed(kind="refused", message=str(error), hint=error.hint, detail=detail)
    if isinstance(error, Unsuitable):
        return Failed(kind="refused", message=str(error), hint="Choose another method for that slot.", detail=detail)
    if is_out_of_memory(error):
        _let_go(error)
        return Failed(
            kind="out_of_memory",
            message=f"out of memory while {doing}: {_memory_figures()}",
            hint="Close other programs, or choose a smaller model, precision or context.",
            detail=detail,
        )
    words = (str(error).strip() or type(error).__name__).splitlines()[0][:300]
    if not isinstance(error, RuntimeError | ValueError | OSError):
        words = f"{type(error).__name__}: {words}"
    return Failed(kind="failed", message=f"{doing} failed: {words}", hint="The log has the details.", detail=detail)


def _let_go(error: BaseException) -> None:
    """Free what the traceback's frames hold, so that there is memory to report the error."""
    for one in causes(error):
        traceback.clear_frames(one.__traceback__)


def _memory_figures() -> str:
    try:
        mine, free = psutil.Process().memory_info().rss, psutil.virtual_memory().available
    except (OSError, MemoryError, psutil.Error):
        return "the figures cannot be read"
    return f"the engine holds {mine / 1e9:.1f} GB, {free / 1e9:.1f} GB are free on this machine"
