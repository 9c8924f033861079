"""JSON pointers (RFC 6901): the place of a value in data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""None | bool | int | float | str | list | dict with text keys."""


def escaped(step: str | int) -> str:
    """Return a field's name or an item's index as a step of a JSON pointer."""
    # `~` is escaped first: it is the sign by which the others are escaped.
    return str(step).replace("~", "~0").replace("/", "~1")


def unescaped(step: str) -> str:
    """Return the field's name or item's index of a step of a JSON pointer."""
    return step.replace("~1", "/").replace("~0", "~")


def at_pointer(data: Json, pointer: str) -> Json:
    """Return the value at a JSON pointer; None if there is none."""
    # A pointer begins with `/`, so that the text before the first one is empty.
    for step in map(unescaped, pointer.split("/")[1:]):
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and step.isdecimal() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data
