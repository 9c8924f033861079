"""The entry point of `ludex` and `python -m ludex`. It imports only the standard library, so it can report missing
packages."""

from __future__ import annotations

import sys
from typing import NoReturn

from .needed_packages import missing_words
from .reporting import Exit


def main() -> NoReturn:
    """Run the command, or say why it cannot run here."""
    try:
        from .main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(Exit.INTERRUPTED)
    except ImportError:
        words = missing_words()
        if words is None:
            raise
        sys.stderr.write(f"{words}\n")
        sys.exit(Exit.USAGE)
    run()
