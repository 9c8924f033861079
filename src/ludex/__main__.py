"""`python -m ludex`: the same as the command `ludex`."""

from __future__ import annotations

import sys

from ludex.cli.start import main

if __name__ == "__main__":
    sys.exit(main())
