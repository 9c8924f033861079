"""A checked game as JSON, and back: what `ludex.spec.kept_games` keeps.

A game is a tree of frozen data classes, some tens of thousands of them, most of them places. What is equal in all its
parts is written once. The values of one class whose parts are known lie in one block, field by field, so that they are
made a whole block at a time. Only classes of the typed model are ever made.

    {"strings": ["x.ludex", ...], "blocks": [["Span", {}, 2, [["one", "x.ludex"], ["raw", [1, 2]], ...]], ...]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, partial
from itertools import repeat
from typing import Any, NamedTuple

from ludex.grammar import Citation, Reason

from . import model as m
from . import types as t

_REF, _TUPLE, _SET, _MAPPING, _ORIGIN = range(5)
"""What a list begins with that stands for a value which JSON does not have."""


@cache
def _classes() -> Mapping[str, type]:
    """By name, every class of which a game consists."""
    own = (each for module in (m, t) for each in vars(module).values() if isinstance(each, type) and is_dataclass(each))
    return {each.__name__: each for each in (Citation, Reason, *own)}


@cache
def _parts(kind: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a class's fields: those that are given in order, and those that are given by name."""
    every = fields(kind)
    return tuple(f.name for f in every if not f.kw_only), tuple(f.name for f in every if f.kw_only)


# ---- from a game ------------------------------------------------------------------------------------------------


def packed(game: m.Game) -> Any:
    """The game as JSON has it."""
    packer = _Packer()
    packer.place(game)
    return packer.told()


class _Placed(NamedTuple):
    """level: one more than the highest among its parts, which are made before it."""

    level: int
    number: int


class _Packer:
    def __init__(self) -> None:
        self._known: dict[int, _Placed] = {}
        self._alike: dict[str, _Placed] = {}
        self._rows: list[tuple[int, str, tuple[Any, ...], tuple[Any, ...]]] = []
        self._level = 0

    def place(self, node: Any) -> _Placed:
        """Where the value of a data class is written, with all its parts."""
        known = self._known.get(id(node))
        if known is None:
            above, self._level = self._level, 0
            kind: Any = type(node)
            ordered, named = _parts(kind)
            row = tuple(self._value(getattr(node, name)) for name in ordered)
            extra = tuple((name, getattr(node, name)) for name in named)
            told = repr((kind.__name__, extra, row))
            known = self._alike.get(told)
            if known is None:
                known = self._alike[told] = _Placed(self._level, len(self._rows))
                self._rows.append((self._level, kind.__name__, extra, row))
            self._known[id(node)] = known
            self._level = above
        self._level = max(self._level, known.level + 1)
        return known

    def _value(self, value: Any) -> Any:
        """A value as JSON has it, with tuples in the place of lists, which can be looked up."""
        if value is None or type(value) in (bool, int, str):
            return value
        if isinstance(value, m.Origin):
            return _ORIGIN, value.value
        if isinstance(value, tuple):
            return _TUPLE, *map(self._value, value)
        if isinstance(value, frozenset):
            return _SET, *sorted(map(self._value, value), key=repr)
        if isinstance(value, Mapping):
            return _MAPPING, *(self._value(part) for pair in value.items() for part in pair)
        if type(value) is _classes().get(type(value).__name__):
            return _REF, self.place(value).number
        raise TypeError(f"no game holds {type(value)}")

    def told(self) -> Any:
        """Everything that was placed, a block for each class and level, the lowest first."""
        blocks: dict[tuple[int, str, tuple[Any, ...]], list[int]] = {}
        for number, (level, kind, extra, _) in enumerate(self._rows):
            blocks.setdefault((level, kind, extra), []).append(number)
        ordered = sorted(blocks.items(), key=lambda block: block[0][:2])
        numbers = {old: new for new, old in enumerate(old for _, block in ordered for old in block)}
        strings: dict[str, int] = {}
        made = []
        for (_, kind, extra), block in ordered:
            columns = zip(*(self._rows[at][3] for at in block), strict=True)
            made.append([kind, dict(extra), len(block), [_column(each, numbers, strings) for each in columns]])
        return {"strings": list(strings), "blocks": made}


def _column(values: Sequence[Any], numbers: Mapping[int, int], strings: dict[str, int]) -> list[Any]:
    """One field of all values of a block, with a word for how it is read."""
    told = [_numbered(value, numbers) for value in values]
    if len(set(map(repr, told))) == 1:
        return ["one", told[0]]
    if all(type(value) is str for value in told):
        return ["string", [strings.setdefault(value, len(strings)) for value in told]]
    if not any(type(value) is list for value in told):
        return ["raw", told]
    if all(_is_reference(value) for value in told):
        return ["made", [value[1] for value in told]]
    if all(type(value) is list and value[0] == _TUPLE and all(map(_is_reference, value[1:])) for value in told):
        return ["tuples", [[part[1] for part in value[1:]] for value in told]]
    return ["any", told]


def _is_reference(value: Any) -> bool:
    return type(value) is list and value[0] == _REF


def _numbered(value: Any, numbers: Mapping[int, int]) -> Any:
    if type(value) is not tuple:
        return value
    if value[0] == _REF:
        return [_REF, numbers[value[1]]]
    return [value[0], *(_numbered(part, numbers) for part in value[1:])]


# ---- and back ---------------------------------------------------------------------------------------------------


def unpacked(told: Any) -> m.Game:
    """The game that was packed so. Raises an error of Python's own where the data are of another shape."""
    classes, made = _classes(), list[Any]()
    strings = told["strings"]
    for name, extra, size, columns in told["blocks"]:
        make = partial(classes[name], **extra) if extra else classes[name]
        if len(columns) != len(_parts(classes[name])[0]):
            raise TypeError(f"this is no {name}")
        parts = [_read(how, data, size, made, strings) for how, data in columns]
        made += map(make, *parts) if parts else (make() for _ in range(size))
    game = made[-1]
    if not isinstance(game, m.Game):
        raise TypeError("this is no game")
    return game


def _read(how: str, data: Any, size: int, made: Sequence[Any], strings: Sequence[str]) -> Iterable[Any]:
    if how == "one":
        return repeat(_whole(data, made), size)
    if how == "string":
        return map(strings.__getitem__, data)
    if how == "raw":
        return data  # type: ignore[no-any-return]
    if how == "made":
        return map(made.__getitem__, data)
    if how == "tuples":
        return (tuple(map(made.__getitem__, each)) for each in data)
    return (_whole(each, made) for each in data)


def _whole(data: Any, made: Sequence[Any]) -> Any:
    if type(data) is not list:
        return data
    what, *parts = data
    if what == _REF:
        return made[parts[0]]
    if what == _ORIGIN:
        return m.Origin(parts[0])
    values = [_whole(part, made) for part in parts]
    if what == _MAPPING:
        return dict(zip(values[::2], values[1::2], strict=True))
    return _GROUPS[what](values)


_GROUPS: Mapping[int, Callable[[list[Any]], Any]] = {_TUPLE: tuple, _SET: frozenset}
