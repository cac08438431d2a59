"""How child processes are started, whatever the system."""

from __future__ import annotations

import subprocess

#: Creation flags of a child process: without them each child of a window without console opens one on Windows.
NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)
