"""`dyno`: the command line if there are arguments, else the window. Neither is imported before that is decided.
DYNO_FIRST_PAINT=1 prints the time at the first paint and quits, for tests of the start."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line or open the window, and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments:
        return _terminal(arguments)
    from app.shell import display_check

    if not display_check.has_display():
        print("There is no display, so the demo experiment runs in this terminal.", file=sys.stderr)
        return _terminal(["demo"])
    missing = display_check.missing_libraries()
    if missing:
        print(display_check.complaint(missing), file=sys.stderr)
        return 2
    gc.disable()  # collecting garbage among imports would take a tenth of the start; the session freezes it too
    try:
        from app.shell.start import open_window
    except ImportError as error:
        if not str(error).startswith("lib") and "PySide6" not in str(error):
            raise
        print(display_check.complaint({}, str(error)), file=sys.stderr)
        return 2
    from core.base.folders import FolderError

    try:
        return open_window()
    except FolderError as error:
        print(error, file=sys.stderr)
        return 2


def _terminal(arguments: list[str]) -> int:
    try:
        from core.cli.main import main as command_line  # takes long enough for a Ctrl+C

        return command_line(arguments)
    except KeyboardInterrupt:
        return 130  # the exit status that shells use


if __name__ == "__main__":
    sys.exit(main())
