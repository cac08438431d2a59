"""Where the standalone build begins: it brings the demo model, for itself and for the engines of another Python."""

import os
import sys
from pathlib import Path

demo = str(Path(sys._MEIPASS) / "demo")  # type: ignore[attr-defined]  # PyInstaller's folder of bundled files
sys.path.append(demo)
os.environ["DYNO_DEMO"] = demo

from app.__main__ import main  # noqa: E402

sys.exit(main())
