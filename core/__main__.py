"""`python -m core`: the commands of dyno."""

import sys

from core.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
