"""The installed version of Ludex, which reports and results files name."""

from __future__ import annotations


def version() -> str:
    """Return the version of the installed package, or a remark if there is none, as in a tree that is run in place."""
    # The module takes longer to import than most commands need it.
    from importlib import metadata

    try:
        return metadata.version("ludex")
    except metadata.PackageNotFoundError:
        return "(not installed)"
