"""The What's this texts (Shift+F1) of the window's parts. Those of strategies and metrics come from
`app.text.reference_entries`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.editor.variants_dock import VariantsDock
    from app.shell.central_area import CentralArea
    from app.shell.top_bar import TopBar


def _tr(text: str) -> str:
    return QCoreApplication.translate("WhatsThis", text)


def explain(
    bar: TopBar, variants: VariantsDock, centre: CentralArea, inspector: QWidget, machine: QWidget, status: QWidget
) -> None:
    """Set the text of every main part; children without a text use their part's."""
    parts: list[tuple[QWidget, str]] = [
        (bar.model, _tr("The model that every variant is made of. A folder, a GGUF file, or one of the hub's cache.")),
        (bar.device, _tr("The machine as an engine sees it. Every result is stamped with it.")),
        (
            bar.workload,
            _tr("Which prompts, how long, how many tokens, how many requests at once: the same for every variant."),
        ),
        (
            bar.protocol,
            _tr("How many rounds, or how precise; the seed; and whether quality is judged after the rounds."),
        ),
        (
            bar.controls,
            _tr("Runs every ticked variant. During a run: stops after this round, or ends at once; both keep trials."),
        ),
        (
            variants.list,
            _tr("One row a variant. The box: whether it takes part. Double click or F2 renames, dragging reorders."),
        ),
        (
            variants,
            _tr("Variants, and the strategies of the selected one. At the foot: the memory that they will need."),
        ),
        (
            variants.editor,
            _tr("One choice for every slot. What cannot work here stays in the list, with its reason."),
        ),
        (variants.memory, _tr("Estimated from the sizes of the layers, before anything is loaded.")),
        (inspector, _tr("The selected variant: why it is as fast as it is, what to try next, its receipt.")),
        (machine, _tr("This machine, what can work on it, and the results of the last times.")),
        (centre.tabs, _tr("Views of one run. Ctrl and a number opens one.")),
        (centre, _tr("What came out, and what asks for attention above it.")),
        (centre.export, _tr("The comparison or the trials as a file, or the table to the clipboard.")),
        (centre.notice, _tr("What happened last and asks for attention, with the way out.")),
        (
            centre.first_start,
            _tr("Ways to open a model. The demo model comes with Dyno and works without a network."),
        ),
        (status, _tr("The engine and its process, whether the machine is quiet, and its memory.")),
    ]
    for part, text in parts:
        say(part, text)


def say(part: QWidget, text: str) -> None:
    if not part.whatsThis():
        part.setWhatsThis(text)


def found(widget: QWidget) -> str:
    """Return the text shown for a widget: its own, or that of the nearest part around it."""
    at: QWidget | None = widget
    while at is not None:
        if at.whatsThis():
            return at.whatsThis()
        at = at.parentWidget()
    return ""
