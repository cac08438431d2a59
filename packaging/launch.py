"""Where the standalone build begins."""

import sys

from app.__main__ import main

sys.exit(main())
