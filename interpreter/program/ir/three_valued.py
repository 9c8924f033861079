"""Unknown values: three-valued operations over a buffer in which some values are unknown to the public.

The operations follow the rules of partial knowledge (`ludex.spec.Evaluation`). All other code assumes known values: if
it inspects an unknown one, `Undetermined` is raised, and the answer stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from ludex.spec import Truth, Unknown, UnknownPiece, any_of, is_known, listed, ordered
from ludex.spec import types as t

from ...state.contents import Ticket
from ...state.subsets import sub_bags
from . import code as c
from .traversal import each_expression, parts


class Undetermined(Exception):
    """The answer depends on something that not everybody sees."""


def _undetermined(*_: object) -> NoReturn:
    raise Undetermined


class _Hidden(Unknown):  # noqa: PLW1641 - hashing raises, too: it would show which value it is
    """An unknown value: any inspection other than identity raises `Undetermined`."""

    __slots__ = ()

    # Identity decides without looking: one hidden value in two places is the same piece.
    def __eq__(self, other: object) -> bool:
        return self is other or _undetermined()

    def __ne__(self, other: object) -> bool:
        return self is not other and _undetermined()

    # Each is listed, since Python looks special methods up in the class and never asks `__getattr__` for them.
    __hash__ = __bool__ = __index__ = __lt__ = __le__ = __gt__ = __ge__ = _undetermined
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = _undetermined
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __iter__ = __len__ = __contains__ = _undetermined


class HiddenValue(_Hidden):
    """An unknown value of a state variable; it may be none."""

    __slots__ = ()


class HiddenResult(HiddenValue):
    """An unknown value of a choice or a routine's slot, which is not known to be equal to another, or to itself."""

    __slots__ = ()


class HiddenPiece(_Hidden, UnknownPiece):
    """An unknown piece, which is not none."""

    __slots__ = ()


UNKNOWN = Unknown()
"""The unknown value that stands for many; two other unknown values are equal only if they are the same object."""


class Seen(list[Any]):
    """A buffer with unknown values: some cells cannot be read."""

    def __getitem__(self, at: Any) -> Any:
        value = super().__getitem__(at)
        # A hidden piece may be read: its zone shows that it is there. Of a hidden variable not even that is known.
        if isinstance(value, HiddenValue):
            raise Undetermined
        # A copy of the whole buffer hides the same cells.
        return Seen(value) if type(at) is slice and at == slice(None) else value


def look(value: t.Value) -> t.Value:
    """Return the contents of a cell with unknown pieces for tickets (pieces that nobody has seen)."""
    if type(value) is Ticket:
        return HiddenPiece()
    if type(value) is tuple and Ticket in map(type, value):
        return tuple([HiddenPiece() if type(entry) is Ticket else entry for entry in value])
    return value


def as_seen(value: t.Value) -> t.Value:
    """Hide the pieces of a zone of which not everybody knows more than the number."""
    if value is None or type(value) is Ticket:
        return value
    if isinstance(value, tuple):
        # Most hidden piles hold nothing but tickets.
        if {*map(type, value)} == {Ticket}:
            return value
        return tuple([entry if type(entry) is Ticket else HiddenPiece() for entry in value])
    return HiddenPiece()


# ---- three-valued operations


def _is_unknown(value: t.Value) -> bool:
    """Return whether nothing is known about the value, neither that it exists nor its size."""
    return isinstance(value, Unknown) and not isinstance(value, UnknownPiece)


def _are_known(*values: t.Value) -> bool:
    for value in values:  # noqa: SIM110 - a loop takes half the time of `all`
        if isinstance(value, Unknown) or (type(value) is tuple and not is_known(value)):
            return False
    return True


def _same(one: t.Value, other: t.Value) -> Truth:
    if is_known(one) and is_known(other):
        return bool(one == other)
    return True if _is_identical(one, other) else UNKNOWN


def _is_identical(one: t.Value, other: t.Value) -> bool:
    if type(one) is tuple and type(other) is tuple and len(one) == len(other):
        return all(_same(*pair) is True for pair in zip(one, other, strict=True))
    # `UNKNOWN` is one object for many values, which may differ.
    return one is other and one is not UNKNOWN and type(one) is not HiddenResult


def _not(truth: Truth) -> Truth:
    return UNKNOWN if isinstance(truth, Unknown) else not truth


def _and(one: Truth, other: Truth) -> Truth:
    return False if one is False or other is False else other if one is True else UNKNOWN


def _or(one: Truth, other: Truth) -> Truth:
    return True if one is True or other is True else other if one is False else UNKNOWN


def _items(of: t.Type, value: t.Value) -> tuple[t.Value, ...]:
    """Return the items of a collection; for an unknown collection, an unknown item that it may hold."""
    # What a choice binds is read by code that assumes known values, too, which has to stop at it.
    return (HiddenResult() if _is_unknown(value) else value,) if isinstance(value, Unknown) else listed(of, value)


def _is_empty(value: t.Value) -> Truth:
    if isinstance(value, Unknown):
        return UNKNOWN if _is_unknown(value) else False
    return value in (None, (), frozenset())


def _size(value: t.Value) -> t.Value:
    if isinstance(value, Unknown):
        # A piece that nobody knows is still one piece.
        return UNKNOWN if _is_unknown(value) else 1
    return len(value) if isinstance(value, tuple | frozenset) else int(value is not None)


def _kinds(items: Sequence[t.Value]) -> Iterator[t.Value]:
    """Yield each different item once. One unknown item represents all but pieces, which equal themselves."""
    known, unknown, is_first = dict[t.Value, None](), set[int](), True
    for item in items:
        if isinstance(item, UnknownPiece):
            if id(item) not in unknown:
                unknown.add(id(item))
                yield item
        elif isinstance(item, Unknown):
            if is_first:
                is_first = False
                yield HiddenResult()
        elif item not in known:
            known[item] = None
            yield item


def _parts(of: t.Type | None, items: Sequence[t.Value]) -> Iterator[t.Value]:
    """Yield the parts of a collection. Of its unknown pieces only the number counts: which of them a part holds is
    unknown, so that they equal no others.
    """
    if any(map(_is_unknown, items)):
        # Of a collection of unknown size only the empty part is certain to exist.
        yield from ((), HiddenResult())
        return
    known = [item for item in items if not isinstance(item, Unknown)]
    for part in sub_bags(known if of is None else ordered(of, known)):
        for count in range(len(items) - len(known) + 1):
            yield (*part, *[HiddenPiece() for _ in range(count)])


def _best(items: t.Value, best: Callable[..., Any]) -> t.Value:
    if isinstance(items, Unknown) or not items or (len(items) > 1 and not is_known(items)):
        return UNKNOWN
    # A value that is alone is the best, whatever it is.
    return best(items) if len(items) > 1 else items[0]


def _first(items: t.Value) -> t.Value:
    return UNKNOWN if isinstance(items, Unknown) or not items else items[0]


def _only(items: t.Value) -> t.Value:
    if isinstance(items, Unknown) or not items or (len(items) > 1 and not is_known(items)):
        return UNKNOWN
    return items[0] if all(each == items[0] for each in items[1:]) else UNKNOWN


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "is_known": _are_known,
    "seen_same": _same,
    "seen_not": _not,
    "seen_and": _and,
    "seen_or": _or,
    "seen_in": lambda item, items: any_of(_same(item, each) for each in items),
    "seen_empty": _is_empty,
    "seen_size": _size,
    "seen_top": lambda held: held if isinstance(held, Unknown) else held[-1] if held else None,
    "seen_reversed": lambda held: held[::-1] if isinstance(held, tuple) else held,
    "seen_there": lambda value: UNKNOWN if value is None else value,
    "seen_listed": lambda value: UNKNOWN if isinstance(value, Unknown) else True,
    "seen_agreed": lambda one, other: one if not is_known((one, other)) or one == other else UNKNOWN,
    "seen_kinds": _kinds,
    "seen_set": lambda items: frozenset(items) if is_known(items) else HiddenResult(),
    "seen_first": _first,
    "seen_only": _only,
}
"""The operations by name."""
OF_TYPE: Mapping[str, Callable[[t.Type], Callable[..., Any]]] = {
    "seen_items": lambda of: lambda value: _items(of, value),
    "seen_parts": lambda of: lambda items: _parts(of, items),
    "seen_sum": lambda of: lambda items: sum(items) if is_known(items) else UNKNOWN,
    "seen_count": lambda of: lambda items: items if isinstance(items, Unknown) else len(items),
    "seen_set_of": lambda of: lambda items: frozenset(items) if is_known(items) else UNKNOWN,
    # Where some are unknown no order shows.
    "seen_bag": lambda of: lambda items: ordered(of, items) if is_known(items) else items,
    "seen_list": lambda of: lambda items: items,
    "seen_max": lambda of: lambda items: _best(items, max),
    "seen_min": lambda of: lambda items: _best(items, min),
}
"""The operations that also need a type: of the collection, or of its items."""


# ---- which code looks through veils itself


class Looking:
    """Answers for the units of a program whether they read concealed cells only by `look`.

    Such a unit may run in the state itself; any other needs a copy of the public state.
    """

    def __init__(self, program: c.Program, concealed: Collection[int]) -> None:
        """concealed: the cells of the elements that not everybody sees."""
        self._program, self._concealed = program, concealed
        self._known: dict[int, bool] = {}

    def unit(self, number: int) -> bool:
        if number not in self._known:
            # A recursive unit is assumed to be one while its own body is examined (greatest fixed point).
            self._known[number] = True
            self._known[number] = all(map(self._in, each_expression(self._program.units[number].body)))
        return self._known[number]

    def _in(self, expr: c.Expr) -> bool:
        match expr:
            case c.Serve() | c.Op(name="is_public"):
                return False
            case c.Load(base=base) if base in self._concealed:
                return False
            case c.Call(unit=unit) if not self.unit(unit):
                return False
            case c.Op(name="look", args=(looked,)):
                return all(map(self._in, parts(looked)))
        return all(map(self._in, parts(expr)))
