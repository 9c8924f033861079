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
    # Nothing handles Ctrl-C before click runs, and the imports take most of a short command.
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(Exit.INTERRUPTED)
    except ImportError:
        words = missing_words()
        if words is None:
            # This is a fault of our own, but the code that reports faults could not be imported.
            raise
        sys.stderr.write(f"{words}\n")
        sys.exit(Exit.USAGE)
    run()
