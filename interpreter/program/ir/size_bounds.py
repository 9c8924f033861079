"""Upper bounds on the sizes of collections, found before play by interval analysis."""

from __future__ import annotations

from collections.abc import Sequence

from ludex.spec import types as t

from . import code as c


class Sizes:
    """Finds upper bounds on the sizes of one program's collections.

    units: the units that the program may call.
    """

    def __init__(self, units: Sequence[c.Unit]) -> None:
        self._units = units
        self._known: dict[int, int | None] = {}
        # Bodies are compared by identity, as hashing one walks all of it. Each is kept with its results: the id of a
        # body that is freed may soon be another's.
        self._vars: dict[tuple[int, c.Var], tuple[c.Body, int | None]] = {}

    def of(self, items: c.Expr, body: c.Body = ()) -> int | None:
        """Return the largest number of items that the collection can have, or None if it is not known.

        body: the body of the unit in which the collection's variables are set.
        """
        match items:
            case c.Const(value=tuple() | frozenset() as value):
                return len(value)
            case c.Lookup(table=rows) if all(isinstance(row, tuple | frozenset) for row in rows):
                return max(map(len, rows), default=0)
            case c.Pick(yes=yes, no=no):
                return _most(self.of(yes, body), self.of(no, body))
            case c.Op(name="list_of", args=args):
                return len(args)
            case c.Op(name="only"):
                return 1
            case c.Op(name="interval", args=(low, high)):
                least, most = _least(low), _greatest(high)
                return None if least is None or most is None else max(0, most - least + 1)
            # Only `once` drops repeated items, so only its result has no more items than the type has values.
            case c.Op(name="once" | "ordered" | "reversed" | "tuple" as name, args=(inner,)):
                known = (self.of(inner, body), _kinds(inner.type) if name == "once" else None)
                return min((each for each in known if each is not None), default=None)
            case c.Call(unit=unit):
                return self._returned(unit)
            case c.Var() if body:
                key = id(body), items
                if key not in self._vars:
                    self._vars[key] = body, None  # the size of a list that grows while a loop reads it is not known
                    self._vars[key] = body, self._held(items, body, body)
                return self._vars[key][1]
        return _kinds(items.type) if isinstance(items.type, t.SetOf) else None

    def _returned(self, number: int) -> int | None:
        if number not in self._known:
            self._known[number] = None  # a unit that reaches itself may add without bound
            match self._units[number].body:
                case (*_, c.Return(value=value)):
                    self._known[number] = self.of(value, self._units[number].body)
        return self._known[number]

    def _held(self, var: c.Var, statements: c.Body, body: c.Body) -> int | None:
        """Return the largest number of items that an initially empty variable can hold after the statements."""
        most: int | None = 0
        for statement in statements:
            match statement:
                case c.Set(var=other, value=value) if other == var:
                    # This is added to what was there before: nothing here says which of several assignments runs last.
                    more = self.of(value, body)
                case c.Append(var=other):
                    more = int(other == var)
                case c.If(then=then, otherwise=otherwise):
                    more = _most(self._held(var, then, body), self._held(var, otherwise, body))
                case c.Attempt(body=inner):
                    more = self._held(var, inner, body)
                case c.Each(items=items, body=inner):
                    each = self._held(var, inner, body)
                    # A loop that appends nothing may have any number of iterations.
                    turns = self.of(items, body) if each else 0
                    more = None if turns is None or each is None else turns * each
                case c.Loop():
                    more = None
                case _:
                    more = 0
            most = None if most is None or more is None else most + more
        return most


def _most(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)


def _kinds(of: t.Type) -> int | None:
    """Return how many different items a collection of this type can have."""
    element = t.element_type(of)
    return None if element is None else t.size(element)


def _greatest(expr: c.Expr) -> int | None:
    """Return an upper bound of a number."""
    # Arithmetic is looked into, since folding gives its results the type `INT`, which bounds nothing.
    match expr:
        case c.Const(value=int() as value):
            return value
        case c.Op(name="min", args=args):
            return min((most for most in map(_greatest, args) if most is not None), default=None)
        case c.Op(name="add" | "sub" as name, args=(inner, c.Const(value=by))):
            most = _greatest(inner)
            return None if most is None else most + (by if name == "add" else -by)
    return expr.type.high if isinstance(expr.type, t.Range) else None


def _least(expr: c.Expr) -> int | None:
    """Return a lower bound of a number."""
    match expr:
        case c.Const(value=int() as value):
            return value
        case c.Op(name="add" | "sub" as name, args=(inner, c.Const(value=by))):
            least = _least(inner)
            return None if least is None else least + (by if name == "add" else -by)
    return expr.type.low if isinstance(expr.type, t.Range) else None
