"""The packages that Ludex needs, and the message if some are missing. It imports only the standard library."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from importlib import import_module

NEEDED: Mapping[str, str] = {
    "click": "click>=8.1.7",
    "jinja2": "jinja2>=3.1.3",
    "jsonschema": "jsonschema>=4.20",
    "lark": "lark>=1.2.2",
    "msgspec": "msgspec>=0.19",
    "rustfluent": "rustfluent>=0.1.0a8,<0.2",
    "wcwidth": "wcwidth>=0.2.13",
    "xlsxwriter": "xlsxwriter>=3.1",
    "yaml": "pyyaml>=6.0.1",
}
"""The packages that Ludex needs, by import name and by name of installation; a test compares `pyproject.toml`."""


def missing_words() -> str | None:
    """Say which packages cannot be imported and how to install them; None if all can."""
    missing = {name: why for name in NEEDED if (why := _why_not(name)) is not None}
    if not missing:
        return None
    # A package that is there but cannot be imported is broken, and pip would leave it as it is.
    again = "" if all(isinstance(why, ModuleNotFoundError) for why in missing.values()) else " --force-reinstall"
    rows = "\n".join(f"  {name}: {why}" for name, why in missing.items())
    command = f"{shlex.quote(sys.executable)} -m pip install{again} {shlex.join(NEEDED[name] for name in missing)}"
    what = "Python packages that it needs" if len(missing) > 1 else "a Python package that it needs"
    return f"ludex: {what} cannot be imported\n{rows}\n  to install: {command}"


def _why_not(name: str) -> ImportError | None:
    try:
        import_module(name)
    except ImportError as fault:
        return fault
    return None
