"""Checks whether a window can be shown, and what to install otherwise.

Qt's xcb plugin needs system libraries that pip does not install. If one is missing Qt aborts the process with a line
about plugins, so they are checked first.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Mapping

# library: (Debian and Ubuntu, Fedora)
XCB = {
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
}
BASE = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl"),
    "libGL.so.1": ("libgl1", "libglvnd-glx"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
}


def has_display(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether there is a screen for a window; QT_QPA_PLATFORM overrides the check."""
    if not platform.startswith("linux") or environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_libraries(
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    loads: Callable[[str], bool] = _loads,
) -> dict[str, tuple[str, str]]:
    """Return the missing system libraries that Qt needs, with the packages that contain them."""
    if not platform.startswith("linux"):
        return {}
    wanted = dict(BASE)
    chosen = environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    if chosen == "xcb" or (not chosen and environ.get("DISPLAY") and not environ.get("WAYLAND_DISPLAY")):
        wanted |= XCB
    return {library: packages for library, packages in wanted.items() if not loads(library)}


def install_line(packages: list[tuple[str, str]], which: Callable[[str], str | None] = shutil.which) -> str:
    """Return the command that installs them with this machine's package manager."""
    if which("dnf") and not which("apt-get"):
        return "sudo dnf install " + " ".join(sorted({fedora for _, fedora in packages}))
    return "sudo apt-get install " + " ".join(sorted({debian for debian, _ in packages}))


def complaint(missing: Mapping[str, tuple[str, str]], reason: str = "") -> str:
    """Return the text for the terminal."""
    libraries = ", ".join(missing) or reason
    packages = list(missing.values()) or [*BASE.values(), *XCB.values()]
    return (
        f"The window cannot be opened: Qt needs system libraries that are missing ({libraries}).\n"
        f"Install them with:\n  {install_line(packages)}\n"
        "Everything works without a window too: `dyno demo`, `dyno run FILE.toml`."
    )
