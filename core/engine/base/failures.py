"""Turns an exception into the `Failed` event that a person reads."""

from __future__ import annotations

import re
import traceback

import psutil

from core.base.out_of_memory import causes, is_out_of_memory
from core.model.model_error import ModelError
from core.protocol.events import Failed
from core.spec.variant import Unsuitable

_OF_A_CARD = re.compile(r"OutOfMemoryError|CUDA|CUBLAS|CUDNN|CUSPARSE|CUSOLVER|NVML")


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
        of_card = any(_OF_A_CARD.search(f"{type(one).__module__} {type(one).__name__} {one}") for one in causes(error))
        _let_go(error)
        figures = _card_figures() if of_card else ""
        return Failed(
            kind="out_of_memory",
            message=f"out of memory while {doing}: {figures or _memory_figures()}",
            hint="End what else uses the card, or choose a smaller model, precision or context."
            if figures
            else "Close other programs, or choose a smaller model, precision or context.",
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


def _card_figures() -> str:
    """Return what is held and free on the card; empty where torch cannot say."""
    try:
        import torch

        held, kept = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
        free, whole = torch.cuda.mem_get_info()
    except (RuntimeError, AssertionError, ImportError, MemoryError):
        return ""
    return (
        f"the engine holds {held / 1e9:.1f} GB on the card, {kept / 1e9:.1f} GB with what its allocator keeps; "
        f"{free / 1e9:.1f} of {whole / 1e9:.1f} GB are free there"
    )


def _memory_figures() -> str:
    try:
        mine, free = psutil.Process().memory_info().rss, psutil.virtual_memory().available
    except (OSError, MemoryError, psutil.Error):
        return "the figures cannot be read"
    return f"the engine holds {mine / 1e9:.1f} GB, {free / 1e9:.1f} GB are free on this machine"
