"""The views of the centre, by the names of their tabs: how each is made. Imports them when they are: charts and tables
take longer than the rest of the window, and the first page has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from app.widgets.view import View

if TYPE_CHECKING:
    from app.compare.compare_options import CompareOptions
    from app.compare.other_runs import OtherRuns
    from app.log.log_model import LogModel
    from app.session.session import Session


def import_ahead() -> Iterator[None]:
    """Import what takes longest, in parts: the window answers between them."""
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


def makers(
    session: Session, looking: CompareOptions, beside: OtherRuns, log: LogModel
) -> dict[str, Callable[[], View]]:
    """In the order of their tabs."""

    def live() -> View:
        from app.live.live_view import LiveView

        return LiveView(session)

    def compare() -> View:
        from app.compare.compare_view import CompareView

        return CompareView(session, looking, beside)

    def timeline() -> View:
        from app.timeline.timeline_view import TimelineView

        return TimelineView(session)

    def quality() -> View:
        from app.quality.quality_view import QualityView

        return QualityView(session)

    def roofline() -> View:
        from app.roofline.roofline_view import RooflineView

        return RooflineView(session)

    def receipts() -> View:
        from app.receipts.receipts_view import ReceiptsView

        return ReceiptsView(session)

    def try_it() -> View:
        from app.tryit.try_view import TryView

        return TryView(session)

    def log_lines() -> View:
        from app.log.log_view import LogView

        return LogView(session, log)

    return {
        "live": live, "compare": compare, "timeline": timeline, "quality": quality, "roofline": roofline,
        "receipts": receipts, "try": try_it, "log": log_lines,
    }  # fmt: skip
