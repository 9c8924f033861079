"""Value classes: data classes that are made in a quarter of the time.

A start makes a few hundred classes, and `dataclasses` compiles the text of five methods for each. Value classes share
`__eq__`, `__hash__` and `__repr__` here, and only type checkers keep them frozen. They are nodes of syntax, of the
typed model and of programs, and values that only internal functions exchange. Classes of the public API are frozen
data classes: their users may not run a type checker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_class(kind: type[T]) -> type[T]:
    """Class decorator: make a data class with slots, whose instances nobody changes.

    Type checkers enforce that. If the class did so at run time, making an instance would take three times as long.
    """
    return dataclass(slots=True, eq=False, repr=False)(_with_shared_methods(kind))


def _with_shared_methods(cls: Any) -> Any:
    """Let the fields say what is equal, and how an instance is shown."""
    cls.__eq__, cls.__hash__, cls.__repr__ = _equal, _hash, _shown
    # `dataclass` would write the signature here, which takes as long as the rest.
    cls.__doc__ = cls.__doc__ or cls.__name__
    return cls


def _equal(one: Any, other: Any) -> Any:
    if one is other:
        return True
    if one.__class__ is not other.__class__:
        return NotImplemented
    contents = _contents(one.__class__)
    return contents(one) == contents(other)


def _hash(one: Any) -> int:
    return hash(_contents(one.__class__)(one))


@cache
def _contents(kind: Any) -> Callable[[Any], Any]:
    """Return the function that gets what an instance is compared by."""
    names = [each.name for each in fields(kind) if each.compare]
    return attrgetter(*names) if names else lambda _: ()


def _shown(one: Any) -> str:
    parts = ", ".join(f"{each.name}={getattr(one, each.name)!r}" for each in fields(one) if each.repr)
    return f"{one.__class__.__qualname__}({parts})"
