"""The views of the centre, each declared once with its words, its manual page, and its maker. Tabs, menus, What's this,
help and tests follow. A view's module is imported when the view is made: charts and tables take longer to import than
the rest of the window, and the first page has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QCoreApplication

from app.widgets.view import View

if TYPE_CHECKING:
    from app.compare.compare_options import CompareOptions
    from app.compare.other_runs import OtherRuns
    from app.log.log_model import LogModel
    from app.session.session import Session


@dataclass(frozen=True)
class ViewParts:
    """What the centre passes to its views."""

    session: Session
    options: CompareOptions
    other_runs: OtherRuns
    log: LogModel


@dataclass(frozen=True)
class ViewSpec:
    """One view. `tip` is its What's this text; `page` is its manual page, if named differently; `exports` means that
    its comparison or trials can be exported."""

    key: str
    title: str
    tip: str
    make: Callable[[ViewParts], View]
    page: str = ""
    exports: bool = True

    @property
    def manual_page(self) -> str:
        return self.page or self.key


def _live(parts: ViewParts) -> View:
    from app.live.live_view import LiveView

    return LiveView(parts.session)


def _compare(parts: ViewParts) -> View:
    from app.compare.compare_view import CompareView

    return CompareView(parts.session, parts.options, parts.other_runs)


def _timeline(parts: ViewParts) -> View:
    from app.timeline.timeline_view import TimelineView

    return TimelineView(parts.session)


def _quality(parts: ViewParts) -> View:
    from app.quality.quality_view import QualityView

    return QualityView(parts.session)


def _roofline(parts: ViewParts) -> View:
    from app.roofline.roofline_view import RooflineView

    return RooflineView(parts.session)


def _receipts(parts: ViewParts) -> View:
    from app.receipts.receipts_view import ReceiptsView

    return ReceiptsView(parts.session)


def _try(parts: ViewParts) -> View:
    from app.tryit.try_view import TryView

    return TryView(parts.session)


def _log(parts: ViewParts) -> View:
    from app.log.log_view import LogView

    return LogView(parts.session, parts.log)


def views() -> tuple[ViewSpec, ...]:
    """Return all views in the order of their tabs, with words in the window's language."""
    return (
        ViewSpec(
            "live",
            QCoreApplication.translate("CentralArea", "Live"),
            QCoreApplication.translate(
                "WhatsThis", "The run while it goes on. Coloured bands tie time to variants; Space freezes the plots."
            ),
            _live,
            page="running",
            exports=False,
        ),
        ViewSpec(
            "compare",
            QCoreApplication.translate("CentralArea", "Compare"),
            QCoreApplication.translate(
                "WhatsThis", "Every variant against A: the ratio with its interval, latency, memory and quality."
            ),
            _compare,
            page="reading",
        ),
        ViewSpec(
            "timeline",
            QCoreApplication.translate("CentralArea", "Timeline"),
            QCoreApplication.translate(
                "WhatsThis", "One request, token by token: prefill, steps, accepted drafts, fallbacks."
            ),
            _timeline,
        ),
        ViewSpec(
            "quality",
            QCoreApplication.translate("CentralArea", "Quality"),
            QCoreApplication.translate(
                "WhatsThis", "How far the answers and next-token probabilities of a variant are from the baseline's."
            ),
            _quality,
        ),
        ViewSpec(
            "roofline",
            QCoreApplication.translate("CentralArea", "Roofline"),
            QCoreApplication.translate(
                "WhatsThis", "How near each variant is to what the machine's memory and arithmetic allow."
            ),
            _roofline,
        ),
        ViewSpec(
            "receipts",
            QCoreApplication.translate("CentralArea", "Receipts"),
            QCoreApplication.translate("WhatsThis", "What is really in effect, read from the loaded models."),
            _receipts,
        ),
        ViewSpec(
            "try",
            QCoreApplication.translate("CentralArea", "Try it"),
            QCoreApplication.translate(
                "WhatsThis", "One prompt of your own, answered by every variant side by side; it is no measurement."
            ),
            _try,
            exports=False,
        ),
        ViewSpec(
            "log",
            QCoreApplication.translate("CentralArea", "Log"),
            QCoreApplication.translate(
                "WhatsThis", "What happened, line by line; the only place that shows a traceback."
            ),
            _log,
            page="running",
            exports=False,
        ),
    )


#: Of all views, in the order of their tabs.
KEYS = tuple(view.key for view in views())


def import_ahead() -> Iterator[None]:
    """Import the slow modules in parts; the window answers between them."""
    for module in (QtCore, QtGui, QtWidgets):  # pyqtgraph looks at all that is in them, which PySide makes only then
        for name in dir(module):
            getattr(module, name)
        yield
    for name in (
        "pyqtgraph",
        "app.live.live_view",
        "app.compare.compare_charts",
        "app.compare.compare_view",
        "app.timeline.timeline_view",
    ):
        import_module(name)  # those that the makers below import
        yield


def makers(parts: ViewParts) -> dict[str, Callable[[], View]]:
    """Return the maker of each view by key, in the order of their tabs."""
    return {view.key: partial(view.make, parts) for view in views()}
