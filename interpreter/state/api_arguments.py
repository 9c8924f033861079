"""Validation of arguments at the public API: TypeError for a wrong type, ValueError for a bad value.

A bad value is one that cannot be used here, such as a seat at which nobody sits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar, cast

from ludex.grammar import shown_value

Given = ParamSpec("Given")
Result = TypeVar("Result")
Accepted = type | tuple[type, ...]
_DEEPEST = 500
"""Deeper values are not a game's."""
FUNCTION = cast("type", Callable)
"""The kind of all that can be called."""


def checked(
    fits: Callable[[Any, Any], None] | None = None, /, **kinds: Accepted
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Decorator: raise TypeError for arguments that are not of these kinds, given by parameter name.

    None is accepted where it is the default, and `True` not as a number. fits: for a method; it gets the object and
    the first checked argument, and raises ValueError if they do not go together.
    """

    def decorated(function: Callable[Given, Result]) -> Callable[Given, Result]:
        parameters = enumerate(signature(function).parameters.items())
        expected = [
            (at, name, kinds[name], each.default, kinds[name] is int, _passed_of(kinds[name]))
            for at, (name, each) in parameters
            if name in kinds
        ]

        @wraps(function)
        def call(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            for at, name, kind, default, counts, passed in expected:
                # What is not given is its default and passes; where there is none, Python itself says what is missing.
                given = args[at] if at < len(args) else kwargs.get(name, default)
                if passed and type(given) in passed:
                    continue
                fitting = isinstance(given, kind) and not (counts and isinstance(given, bool))
                if not fitting and given is not default:
                    raise TypeError(f"`{name}` must be {_words(kind)}, not {shown_value(given)}")
                if fitting and passed is not None:
                    passed.add(type(given))
            if fits is not None:
                first, name = expected[0][:2]
                # The types have been tested by now, so that `fits` can rely on them.
                fits(args[0], args[first] if first < len(args) else kwargs[name])
            try:
                return function(*args, **kwargs)
            except RecursionError:
                # This is tested only now, as a walk through every argument would take its time from each call.
                given = {
                    name: args[at] if at < len(args) else kwargs.get(name, default)
                    for at, name, _, default, *_ in expected
                }
                deep = next((name for name, value in given.items() if _is_deep(value)), None)
                if deep is None:
                    raise
                raise ValueError(f"`{deep}` holds values more than {_DEEPEST} levels deep") from None

        return call

    return decorated


def _passed_of(kind: Accepted) -> set[type] | None:
    """Return an empty set for the classes whose instances passed as a protocol; None for any other kind.

    `isinstance` looks up every member of a protocol, which takes longer than a short play.
    """
    return set() if getattr(kind, "_is_protocol", False) else None


def _is_deep(value: object) -> bool:
    """Test whether tuples, lists and the parts of events are nested too deeply for any value of a game."""
    # Parts are counted by identity, as the same tuple may be twice in each level.
    level = {id(value): value}
    for _ in range(_DEEPEST):
        level = {id(part): part for each in level.values() for part in _parts(each)}
    return bool(level)


def _parts(value: object) -> Iterable[object]:
    # Events are tuples, too.
    return value if isinstance(value, tuple | list | frozenset) else ()


def checked_seat(player: object, players: int) -> int:
    """Return the seat; raise TypeError if it is not a whole number, ValueError if nobody sits there."""
    # `True` would pass for the second seat.
    if not isinstance(player, int) or isinstance(player, bool):
        raise TypeError(f"`player` must be a seat, a whole number from 0, not {shown_value(player)}")
    if not 0 <= player < players:
        raise ValueError(f"`player` must be a seat from 0 to {players - 1}, not {shown_value(player)}")
    return player


def checked_names(names: object, players: int) -> tuple[str, ...]:
    """Return the players' names by seat. Raise TypeError if they are not a list of texts, ValueError if they are not
    one for each player. No names are ()."""
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"`names` must be a list or tuple of texts, not {shown_value(names)}")
    if names and len(names) != players:
        raise ValueError(f"`names` has {len(names)} names for {players} players")
    return tuple(names)


def _words(kind: Accepted) -> str:
    return " or ".join(each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,)))
