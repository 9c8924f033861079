"""Lazy imports for package roots, because most of the start-up time is imports and a command needs few of them.

A root lists what it passes on as imports that only type checkers follow:

    if TYPE_CHECKING:
        from .source import Span as Span
    else:
        __getattr__, __dir__ = on_demand(__name__, __file__)

When the program runs, `on_demand` reads the same lines to import a name at its first use (PEP 562). No such name may
also be a module of the package: the import of that module would replace it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

_PASSED_ON = re.compile(r"^    from \.([\w.]*) import (\w+) as \2$", re.MULTILINE)


@cache
def passed_on(root: str) -> Mapping[str, str]:
    """Return, for each name that a package passes on, the module that defines it; an empty text for a module.

    root: the file of the package's root."""
    return {name: home for home, name in _PASSED_ON.findall(Path(root).read_text(encoding="utf-8"))}


def _imported(package: str, home: str, name: str) -> Any:
    """Return the value of the name in the module `home`, or else the module of that name."""
    # A root may also pass on a module of an inner package, such as `yaml_tree`.
    if home and hasattr(module := import_module(f"{package}.{home}"), name):
        return getattr(module, name)
    return import_module(f"{package}.{home}.{name}" if home else f"{package}.{name}")


def on_demand(package: str, root: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package's root. The first raises AttributeError for a name that the
    root does not pass on."""
    known = vars(sys.modules[package])

    def get(name: str) -> Any:
        home = passed_on(root).get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # The object is stored in the module, so that Python finds it there and does not ask again.
        known[name] = _imported(package, home, name)
        return known[name]

    return get, lambda: sorted({*known, *passed_on(root)})
