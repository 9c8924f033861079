"""JSON pointers (RFC 6901): the place of a value in data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""None | bool | int | float | str | list | dict with text keys."""


def escaped(step: str | int) -> str:
    """A field's name or an item's number as a step of a JSON pointer."""
    return str(step).replace("~", "~0").replace("/", "~1")


def unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def at_pointer(data: Json, pointer: str) -> Json:
    """What a JSON pointer leads to; None if it leads nowhere."""
    for step in map(unescaped, pointer.split("/")[1:]):
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and step.isdecimal() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data
