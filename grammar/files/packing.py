"""Serialisation of trees of frozen data classes as JSON, for the cache.

Such a tree (a parsed text, a checked game, a program) has tens of thousands of nodes, most of them spans. Equal nodes
are written once (hash consing). All nodes of one class and level form one block, which is stored column by column, so
that a whole block is built at a time. A packing creates instances of its own classes only.

    {"strings": ["x.ludex", ...], "blocks": [["source.Span", {}, 2, [["one", "x.ludex"], ["raw", [1, 2]], ...]], ...]}
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property, partial
from itertools import chain, repeat
from types import MappingProxyType, ModuleType, UnionType
from typing import Any, ForwardRef, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from ..garbage import seldom_collecting
from ..source import Identifier

_REF, _TUPLE, _SET, _MAPPING, _ENUM, _LIST, _BOOL, _CONSTANT = range(8)
"""The first items of lists that represent values without a JSON form.

Truth values have a JSON form. They are marked only during packing, since `True == 1` would merge them with numbers."""
_TRUTHS = ((_BOOL, 0), (_BOOL, 1))

_MOST_VALUES = 5_000_000
"""The largest number of values in a packed tree; the longest program has a fiftieth of that."""

Root = TypeVar("Root")


class Packing(Generic[Root]):
    """The serialisation of values of one class.

    Args:
        root: the class of the values.
        homes: modules, whose data classes and enumerations the values may contain, or such classes.
        constants: values that are written by name and compared by identity.
    """

    def __init__(
        self, root: type[Root], *homes: ModuleType | type, constants: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        self.root, self._homes, self.constants = root, homes, constants

    @cached_property
    def classes(self) -> Mapping[str, type]:
        """Every class that a tree may contain, by name."""
        homes = [vars(home).values() if isinstance(home, ModuleType) else [home] for home in self._homes]
        every = chain.from_iterable(homes)
        kinds = (each for each in every if isinstance(each, type) and (_has_parts(each) or issubclass(each, Enum)))
        return {_name(each): each for each in kinds}

    @cached_property
    def parts(self) -> Mapping[type, tuple[tuple[str, ...], tuple[str, ...]]]:
        """The names of each data class's fields: the positional ones, and the keyword-only ones."""
        every = (each for each in self.classes.values() if _has_parts(each))
        return {each: (vars(each)["__match_args__"], _named_parts(each)) for each in every}

    def packed(self, value: Root) -> Any:
        """Return a value as JSON data. Raises TypeError for a value that contains an instance of another class."""
        packer = _Packer(self)
        with seldom_collecting():
            packer.place(value)
            return packer.blocks()

    def unpacked(self, data: Any, is_good: Callable[[Any], bool] | None = None) -> Root:
        """Return the value that `packed` made the data from. Raises a built-in exception for data of another shape.

        is_good: for data from an untrusted file: a test that every part has to pass. The fields of every part are then
        also compared with their declared types.
        """
        with seldom_collecting():
            nodes = self._nodes(data["blocks"], data["strings"])
            if is_good is not None:
                self._check(nodes, is_good)
        if not nodes or type(nodes[-1]) is not self.root:
            raise TypeError(f"this is not of the class {self.root.__name__}")
        return nodes[-1]

    def _nodes(self, blocks: Any, strings: Sequence[str]) -> list[Any]:
        nodes = list[Any]()
        for name, extra, size, columns in blocks:
            # A forged file could ask for any number of nodes in a few bytes.
            if not 0 <= size <= _MOST_VALUES - len(nodes):
                raise ValueError(f"there are more than {_MOST_VALUES} values")
            kind = self.classes[name]
            make = partial(kind, **extra) if extra else kind
            if len(columns) != len(self.parts[kind][0]):
                raise TypeError(f"this is not of the class {name}")
            parts = [self._read(how, data, size, nodes, strings) for how, data in columns]
            # Without columns `map` would make no node.
            nodes += map(make, *parts) if parts else (make() for _ in range(size))
        return nodes

    def _check(self, nodes: Iterable[Any], is_good: Callable[[Any], bool]) -> None:
        hints = {each: get_type_hints(each) for each in self.parts}
        declared = {each: [(f.name, hints[each][f.name]) for f in fields(each)] for each in self.parts}
        for value in nodes:
            for name, hint in declared[type(value)]:
                if not _fits(getattr(value, name), hint):
                    raise TypeError(f"`{name}` of {_name(type(value))} is not {hint}")
            if not is_good(value):
                raise ValueError(f"a value of the class {_name(type(value))} is not allowed: {value}")

    def _read(self, how: str, data: Any, size: int, nodes: Sequence[Any], strings: Sequence[str]) -> Iterable[Any]:
        if how == "one":
            return repeat(self._whole(data, nodes), size)
        if how == "string":
            return map(strings.__getitem__, data)
        if how == "raw":
            return data  # type: ignore[no-any-return]
        if how == "made":
            return map(nodes.__getitem__, data)
        if how == "tuples":
            return (tuple(map(nodes.__getitem__, each)) for each in data)
        return (self._whole(each, nodes) for each in data)

    def _whole(self, data: Any, nodes: Sequence[Any]) -> Any:
        if type(data) is not list:
            return data
        what, *parts = data
        if what == _REF:
            return nodes[parts[0]]
        if what == _ENUM:
            name, value = parts
            return self.classes[name](value)
        if what == _CONSTANT:
            return self.constants[parts[0]]
        values = [self._whole(part, nodes) for part in parts]
        if what == _MAPPING:
            return dict(zip(values[::2], values[1::2], strict=True))
        return _GROUPS[what](values)


def _has_parts(kind: type) -> bool:
    return "__dataclass_fields__" in vars(kind) or kind is Identifier


def _named_parts(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.kw_only) if is_dataclass(kind) else ()


def _name(kind: type) -> str:
    """Return the name of a class with its module, since two modules may have classes of the same name."""
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value has a declared type."""
    origin, inside = get_origin(hint), get_args(hint)
    if isinstance(hint, str | ForwardRef):  # a recursive type
        return is_dataclass(value) or (isinstance(value, tuple) and all(_fits(each, hint) for each in value))
    if hint is Any:
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in inside)
    if origin is Literal:
        return value in inside
    if origin is tuple:
        whole = [inside[0]] * len(value) if isinstance(value, tuple) and inside[-1] is Ellipsis else inside
        return isinstance(value, tuple) and len(value) == len(whole) and all(map(_fits, value, whole))
    if origin in (list, frozenset, Sequence):
        kind = tuple if origin is Sequence else origin
        return isinstance(value, kind) and all(_fits(each, inside[0]) for each in value)
    if origin in (dict, Mapping):
        return isinstance(value, dict) and all(_fits(k, inside[0]) and _fits(v, inside[1]) for k, v in value.items())
    return isinstance(value, hint)


_GROUPS: Mapping[int, Callable[[list[Any]], Any]] = {_TUPLE: tuple, _SET: frozenset, _LIST: list}


class _Placed(NamedTuple):
    """The place of a node. level: one more than the highest level of its parts, which are built before it."""

    level: int
    number: int


class _Packer:
    def __init__(self, packing: Packing[Any]) -> None:
        self._classes, self._parts = frozenset(packing.classes.values()), packing.parts
        self._constants = {id(value): name for name, value in packing.constants.items()}
        self._known: dict[int, _Placed] = {}
        self._alike: dict[Any, _Placed] = {}
        self._rows: list[tuple[int, str, tuple[Any, ...], tuple[Any, ...]]] = []
        self._level = 0

    def place(self, node: Any) -> _Placed:
        """Place a node with all its parts, and return its place. Equal nodes share one, unless they are mutable."""
        known = self._known.get(id(node))
        if known is None:
            # The parts, which are placed within this call, raise the level from 0; that of the node around continues
            # afterwards.
            above, self._level = self._level, 0
            kind = type(node)
            ordered, named = self._parts[kind]
            row = tuple([self._value(getattr(node, name)) for name in ordered])
            extra = tuple((name, getattr(node, name)) for name in named)
            key = (kind, extra, row) if isinstance(node, Hashable) else id(node)
            known = self._alike.get(key)
            if known is None:
                known = self._alike[key] = _Placed(self._level, len(self._rows))
                self._rows.append((self._level, _name(kind), extra, row))
            self._known[id(node)] = known
            self._level = above
        self._level = max(self._level, known.level + 1)
        return known

    def _value(self, value: Any) -> Any:
        """Return a value as JSON data with tuples in place of lists, so that it is hashable."""
        kind = type(value)
        if value is None or kind is int or kind is str:
            return value
        if kind is bool:
            return _TRUTHS[value]
        if kind is tuple:
            return _TUPLE, *map(self._value, value)
        if kind is list:
            return _LIST, *map(self._value, value)
        if kind is frozenset:
            # The items are put in one order, so that equal sets are one node, and every process writes the same.
            return _SET, *sorted(map(self._value, value), key=repr)
        if kind in self._classes:
            return (_ENUM, _name(kind), value.value) if isinstance(value, Enum) else (_REF, self.place(value).number)
        if id(value) in self._constants:
            return _CONSTANT, self._constants[id(value)]
        if isinstance(value, Mapping):
            return _MAPPING, *(self._value(part) for pair in value.items() for part in pair)
        raise TypeError(f"{kind} cannot be packed")

    def blocks(self) -> Any:
        """Return the JSON data of all placed nodes: a block for each class and level, the lowest level first."""
        blocks: dict[tuple[int, str, tuple[Any, ...]], list[int]] = {}
        for number, (level, kind, extra, _) in enumerate(self._rows):
            blocks.setdefault((level, kind, extra), []).append(number)
        # The keyword-only fields are left out of the comparison, since their values need not be comparable.
        ordered = sorted(blocks.items(), key=lambda block: block[0][:2])
        numbers = {old: new for new, old in enumerate(old for _, block in ordered for old in block)}
        strings: dict[str, int] = {}
        written = []
        for (_, kind, extra), block in ordered:
            columns = zip(*(self._rows[at][3] for at in block), strict=True)
            written.append([kind, dict(extra), len(block), [_column(each, numbers, strings) for each in columns]])
        return {"strings": list(strings), "blocks": written}


def _column(values: Sequence[Any], numbers: Mapping[int, int], strings: dict[str, int]) -> list[Any]:
    """Return one field of all nodes of a block, with the name of the format in which it is written."""
    # Equal lists are not shared, since lists are mutable.
    if len(set(values)) == 1 and (type(values[0]) is not tuple or values[0][0] != _LIST):
        return ["one", _numbered(values[0], numbers)]
    if all(type(value) is str for value in values):
        return ["string", [strings.setdefault(value, len(strings)) for value in values]]
    written = [_numbered(value, numbers) for value in values]
    if not any(type(value) is list for value in written):
        return ["raw", written]
    if all(_is_reference(value) for value in written):
        return ["made", [value[1] for value in written]]
    if all(type(value) is list and value[0] == _TUPLE and all(map(_is_reference, value[1:])) for value in written):
        return ["tuples", [[part[1] for part in value[1:]] for value in written]]
    return ["any", written]


def _is_reference(value: Any) -> bool:
    return type(value) is list and value[0] == _REF


def _numbered(value: Any, numbers: Mapping[int, int]) -> Any:
    if type(value) is not tuple:
        return value
    if value[0] == _REF:
        return [_REF, numbers[value[1]]]
    if value[0] == _BOOL:
        return value[1] == 1
    return [value[0], *(_numbered(part, numbers) for part in value[1:])]
