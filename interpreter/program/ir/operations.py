"""The operations of a program: their meaning on values, and a constructor that folds constants.

Each operation is a pure function of values of `ludex.spec.values.types`; every printer has a template for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce
from typing import Any

from ludex.spec import ARITHMETIC, COMPARE, LARGEST_NUMBER, listed, ordered
from ludex.spec import types as t

from ...state.subsets import parts_within, pieces_within
from . import code as c
from .failing import has_value
from .traversal import rebuilt

BOOL = t.BOOL
TRUE, FALSE = c.Const(True, BOOL), c.Const(False, BOOL)
_FEW = 20
"""The largest number of pieces that are searched one by one."""
INT = t.Range(-LARGEST_NUMBER, LARGEST_NUMBER)
"""The type of a result whose range nobody needs."""
ZERO = c.Const(0, INT)


def bag_minus(left: Iterable[Any], right: Iterable[Any]) -> list[Any]:
    return list((Counter(left) - Counter(right)).elements())


def _is_part(part: Collection[Any], whole: Collection[Any]) -> bool:
    """Return whether a collection holds each item of another at least as often."""
    if not part:
        return True
    # For a few pieces this takes a fifth of the time. Pieces that are unknown must not be compared.
    if len(whole) <= _FEW and {int}.issuperset(map(type, (*part, *whole))):
        rest = [*whole]
        for item in part:
            if item not in rest:
                return False
            rest.remove(item)
        return True
    return not Counter(part) - Counter(whole)


def _record(of: t.Type) -> t.Record:
    assert isinstance(of, t.Record)
    return of


def copies(of: t.Type, kinds: Iterable[Any]) -> tuple[Any, ...]:
    """Return every copy of each kind of a component."""
    assert isinstance(of, t.ComponentType)
    return tuple(kind for kind in sorted(kinds) for _ in range(of.copies[kind]))


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "add": ARITHMETIC["+"],
    "sub": ARITHMETIC["-"],
    "mul": ARITHMETIC["*"],
    "div": ARITHMETIC["div"],
    "mod": ARITHMETIC["mod"],
    "neg": lambda a: -a,
    "abs": abs,
    "eq": COMPARE["="],
    "ne": COMPARE["!="],
    "lt": COMPARE["<"],
    "le": COMPARE["<="],
    "gt": COMPARE[">"],
    "ge": COMPARE[">="],
    "not": lambda a: not a,
    "none": lambda a: a is None,
    "some": lambda a: a is not None,
    # The builtin is not used: it reads a single argument as a collection.
    "min": lambda *items: min(items),
    "max": lambda *items: max(items),
    "between": lambda a, low, high: low <= a <= high,
    "interval": lambda low, high: tuple(range(low, high + 1)),
    "interval_set": lambda low, high: frozenset(range(low, high + 1)),
    "has": lambda item, collection: item in collection,
    "is_empty": lambda collection: not collection,
    "size": len,
    "set_of": lambda *items: frozenset(items),
    "union": lambda a, b: frozenset(a) | frozenset(b),
    "minus": lambda a, b: frozenset(a) - frozenset(b),
    "concat": lambda a, b: (*a, *b),
    "reversed": lambda a: a[::-1],
    "top": lambda a: a[-1] if a else None,
    "place_in": lambda a, item: a.index(item) + 1,
    "tuple": tuple,
    "frozenset": frozenset,
    "only": lambda a: () if a is None else (a,),
    "select": lambda key, pairs: dict(pairs).get(key),
    "list_of": lambda *items: items,
    "row": lambda *items: items,
    "there": lambda a: tuple([item for item in a if item is not None]),
    "once": lambda a: tuple(dict.fromkeys(a)),
    "fitting": pieces_within,
    "parts": lambda items, *limits: tuple(parts_within(items, limits)),
    "is_part": _is_part,
}
"""Operations whose result depends only on the values. A `row` holds the argument values of a move."""

_OF_TYPE: Mapping[str, Callable[[t.Type], Callable[..., Any]]] = {
    "ordered": lambda of: lambda items: ordered(of, items),
    # Bags are kept sorted, their normal form, so that equal bags are equal tuples.
    "bag_union": lambda of: lambda a, b: ordered(of, (*a, *b)),
    "bag_minus": lambda of: lambda a, b: ordered(of, bag_minus(a, b)),
    "find": lambda of: lambda *parts: _record(of).positions.get(parts),
    "fits": lambda of: lambda value: t.contains(of, value),
    "position": lambda of: lambda value: t.position(of, value),
    "copies": lambda of: lambda kinds: copies(of, kinds),
}
"""Operations that also need a type: a collection's item type, or the record to be made."""


def function(name: str, of: t.Type | None) -> Callable[..., Any]:
    """Return the Python function of an operation, for the type `of` if it needs one."""
    if name in _OF_TYPE:
        assert of is not None
        return _OF_TYPE[name](of)
    return FUNCTIONS[name]


def op(name: str, *args: c.Expr, gives: t.Type, of: t.Type | None = None) -> c.Expr:
    """Build an operation with constant folding and algebraic simplification.

    Returns a constant if all arguments are constant and the operation has a value for them.
    """
    for arg in args:
        # Classes are compared: most of what lowering builds goes through here, and `isinstance` is slower.
        if arg.__class__ is not c.Const:
            break
    else:
        try:
            return c.Const(function(name, of)(*[arg.value for arg in args]), gives)  # type: ignore[union-attr]
        # The fault belongs to the play that meets it, and may never be met.
        except (ZeroDivisionError, ValueError):
            pass
    if name == "there" and isinstance(args[0], c.Lookup):
        # A row that is None has no value.
        rows = tuple(None if row is None else FUNCTIONS[name](row) for row in args[0].table)
        return c.Lookup(rows, args[0].index, gives)
    if name == "ordered" and isinstance(args[0], c.Lookup) and of is not None:
        rows = tuple(None if row is None else ordered(of, row) for row in args[0].table)
        return c.Lookup(rows, args[0].index, gives)
    if name in OF_SETS and (table := _of_tables(name, args, gives)) is not None:
        return table
    # The rules for numbers are tried alone: no rule of the other two functions begins with an operation of `SCALARS`.
    simpler = _added(name, args) if name in SCALARS else _simplified(name, args, of) or _of_both(name, args, of)
    return simpler or c.Op(name, args, gives, of)


def _of_tables(name: str, args: tuple[c.Expr, ...], gives: t.Type) -> c.Lookup | None:
    """Return the table of the results for the rows of two tables with one index; None for other arguments."""
    match args:
        case c.Lookup(table=one, index=index), c.Lookup(table=two, index=other) if index == other:
            if None not in one and None not in two:  # such a row has no value
                return c.Lookup(tuple(map(FUNCTIONS[name], one, two)), index, gives)
    return None


OF_SETS = frozenset({"union", "minus"})
"""Operations on sets, whose results for two tables with one index are a table, too."""
SCALARS = frozenset({"add", "sub", "mul", "div"})


def folded(expr: c.Expr, of: Callable[[c.Expr], c.Expr]) -> c.Expr:
    """Rebuild an expression with its subexpressions mapped by a function, and simplify it."""
    match expr:
        case c.Op(name="and" | "or" as name, args=args):
            return reduce(both if name == "and" else either, map(of, args))
        case c.Op(name=name, args=args, type=gives, of=held) if name in FUNCTIONS or name in _OF_TYPE:
            return op(name, *map(of, args), gives=gives, of=held)
        case c.Lookup(table=table, index=index, type=gives):
            return looked_up(table, of(index), gives)
        case c.Pick(test=test, yes=yes, no=no, type=gives):
            return either_of(of(test), of(yes), of(no), gives)
    return rebuilt(expr, of)


def _simplified(name: str, args: tuple[c.Expr, ...], of: t.Type | None) -> c.Expr | None:
    match name, args:
        # Tests against none have operations of their own, since printers compare them by identity, and rules below know
        # them.
        case ("eq", (c.Const(value=None), other)) | ("eq", (other, c.Const(value=None))):
            return op("none", other, gives=BOOL)
        case ("ne", (c.Const(value=None), other)) | ("ne", (other, c.Const(value=None))):
            return op("some", other, gives=BOOL)
        case ("some" | "none", (c.Op(name="select", args=(key, c.Const(value=pairs))),)):
            is_key = op("has", key, c.Const(frozenset(at for at, _ in pairs), t.SetOf(key.type)), gives=BOOL)
            return is_key if name == "some" else negation(is_key)
        # If a set has all positive counts of some tests, their count is in it when any of them holds. `or` skips tests,
        # so that none of them may fail.
        case "has", (c.Op(name="sum", args=counted), c.Const(value=frozenset() as held)) if all(
            isinstance(each, c.Op) and each.name == "int" and has_value(each) for each in counted
        ) and held.issuperset(range(1, len(counted) + 1)):
            return TRUE if 0 in held else reduce(either, (each.args[0] for each in counted))  # type: ignore[union-attr]
        case "le", (c.Op(name="size", args=(c.Op(name="set_of", args=items),)), c.Const(value=most)) if len(
            items
        ) <= most and all(map(has_value, items)):
            return TRUE
        case "not", (c.Op(name=inner, args=inside),) if inner in _NEGATED:
            return op(_NEGATED[inner], *inside, gives=BOOL)
        case "not", (c.Op(name="not", args=(inside,)),):
            return inside
        # De Morgan's laws apply as far as they do not make the code longer.
        case "not", (c.Op(name="and" | "or" as inner, args=inside),) if all(map(_has_opposite, inside)):
            return reduce(either if inner == "and" else both, map(negation, inside))
        case "has", (item, c.Const(value=held)) if not held and has_value(item):
            return FALSE
        case "has", (item, c.Const(value=held)) if (
            _is_small(item.type) and set(held).issuperset(t.values(item.type)) and has_value(item)
        ):
            return TRUE
        case "has", (item, c.Const(value=held, type=of)) if len(held) == 1:
            return op("eq", item, c.Const(next(iter(held)), t.element_type(of) or INT), gives=BOOL)
        # A test of a small set needs no table at run time.
        case "eq", (c.Lookup(table=table, index=index), c.Const(value=value)) if _is_small(index.type):
            places = frozenset(at for at, entry in enumerate(table) if entry == value)
            return op("has", index, c.Const(places, t.SetOf(t.strip_optional(index.type))), gives=BOOL)
        case "ordered", (c.Op(name="set_of", args=(item,)),) if of is not None:
            return c.Op("list_of", (item,), t.ListOf(of))
        case "reversed", (c.Op(name="reversed", args=(inside,)),):
            return inside
    return None


def _added(name: str, args: tuple[c.Expr, ...]) -> c.Expr | None:
    """Simplify sums and products with a constant part."""
    match name, args:
        # `n - (how many of n tests hold)` counts those that do not hold.
        case ("sub", (c.Const(value=whole), c.Op(name="sum", args=counted))) if whole == len(counted) and all(
            isinstance(each, c.Op) and each.name == "int" for each in counted
        ):
            return c.Op("sum", tuple(c.Op("int", (negation(each.args[0]),), INT) for each in counted), INT)  # type: ignore[union-attr]
        case ("add", (c.Const(value=0), other)) | (("add" | "sub"), (other, c.Const(value=0))):
            return other
        # Constants are gathered at the right end (a normal form), so that equal sums are equal code.
        case ("add" | "sub", (c.Op(name="add", args=(inner, c.Const(value=one))), c.Const(value=two))):
            return op("add", inner, c.Const(one + two if name == "add" else one - two, INT), gives=INT)
        case ("add" | "sub", (c.Op(name="sub", args=(inner, c.Const(value=one))), c.Const(value=two))):
            return op("sub", inner, c.Const(one - two if name == "add" else one + two, INT), gives=INT)
        case ("sub", (other, c.Const(value=by))) if by < 0:
            return op("add", other, c.Const(-by, INT), gives=INT)
        case ("add", (c.Const() as known, other)):
            return op("add", other, known, gives=INT)
        case ("mul", (c.Const(value=1), other)) | ("mul" | "div", (other, c.Const(value=1))):
            return other
        case ("mul", (c.Const(value=0), other)) | ("mul", (other, c.Const(value=0))) if has_value(other):
            return c.Const(0, INT)
    return None


def _of_both(name: str, args: tuple[c.Expr, ...], of: t.Type | None) -> c.Expr | None:
    """Distribute an operation over the two values of a `Pick`, where that makes at least one of them simpler."""
    match name, args:
        case "size", (c.Pick(test=test, yes=yes, no=no),):
            return either_of(test, op(name, yes, gives=INT), op(name, no, gives=INT), INT)
        case "is_empty" | "none" | "some", (c.Pick(test=test, yes=yes, no=no),):
            return either_of(test, op(name, yes, gives=BOOL), op(name, no, gives=BOOL), BOOL)
        case "eq" | "ne", (c.Pick(test=test, yes=c.Const() as yes, no=no), c.Const() as other):
            return either_of(test, op(name, yes, other, gives=BOOL), op(name, no, other, gives=BOOL), BOOL)
        case "lt" | "le" | "gt" | "ge", (c.Pick(test=test, yes=c.Const() as yes, no=c.Const() as no), c.Const() as end):
            return either_of(test, op(name, yes, end, gives=BOOL), op(name, no, end, gives=BOOL), BOOL)
        case "lt" | "le" | "gt" | "ge", (c.Const() as end, c.Pick(test=test, yes=c.Const() as yes, no=c.Const() as no)):
            return either_of(test, op(name, end, yes, gives=BOOL), op(name, end, no, gives=BOOL), BOOL)
        case "has", (item, c.Pick(test=test, yes=c.Const() as yes, no=c.Const() as no)):
            return either_of(test, op(name, item, yes, gives=BOOL), op(name, item, no, gives=BOOL), BOOL)
        case "ordered", (c.Pick(test=test, yes=c.Const() as yes, no=c.Const() as no),) if of is not None:
            kind = t.ListOf(of)
            return either_of(test, op(name, yes, gives=kind, of=of), op(name, no, gives=kind, of=of), kind)
        case "not", (c.Pick(test=test, yes=yes, no=no),):
            return either_of(test, negation(yes), negation(no), BOOL)
    return None


_NEGATED = {"none": "some", "some": "none", "eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def both(left: c.Expr, right: c.Expr) -> c.Expr:
    """Build `left and right`."""
    if isinstance(left, c.Const):
        return right if left.value else FALSE
    # `left and false` is false only if `left` cannot fail: it is evaluated first.
    if isinstance(right, c.Const) and (right.value or has_value(left)):
        return left if right.value else FALSE
    # Of `x is not none and x = 5` the second test says both.
    if _follows(left, right):
        return right
    match left, right:
        case c.Op(name="has", args=(item, c.Const(value=frozenset() as one))), c.Op(
            name="has", args=(same, c.Const(value=frozenset() as two), *_)
        ) if item == same and one & two and has_value(item):
            return c.Op("has", (item, c.Const(one & two, right.args[1].type)), BOOL)
    if isinstance(left, c.Op) and left.name in _NEGATED and isinstance(right, c.Op) and right.name in ("and", "or"):
        right = _where(left, right)
        if isinstance(right, c.Const):
            return left if right.value else FALSE
    return c.Op("and", (*_joined_by("and", left), *_joined_by("and", right)), BOOL)


def either(left: c.Expr, right: c.Expr) -> c.Expr:
    """Build `left or right`."""
    if isinstance(left, c.Const):
        return TRUE if left.value else right
    # `left or true`, likewise, needs a `left` that cannot fail.
    if isinstance(right, c.Const) and (not right.value or has_value(left)):
        return TRUE if right.value else left
    if isinstance(left, c.Op) and left.name in _NEGATED:
        opposite = negation(right)
        if _follows(negation(left), opposite):
            return negation(opposite)
    return c.Op("or", (*_joined_by("or", left), *_joined_by("or", right)), BOOL)


def _follows(test: c.Expr, other: c.Expr) -> bool:
    """Return whether `test` implies that a value differs from the one named in `other`."""
    match other:
        case c.Op(name="eq", args=(item, c.Const(value=value))):
            values = frozenset({value})
        case c.Op(name="has", args=(item, c.Const(value=frozenset() as values))):
            pass
        case _:
            return False
    match test:
        case c.Op(name="some", args=(value,)):
            return bool(value == item) and None not in values
        case c.Op(name="ne", args=(value, c.Const(value=one))):
            return bool(value == item) and one not in values
    return False


def _where(known: c.Expr, expr: c.Expr) -> c.Expr:
    """Simplify `and` and `or` under the assumption that a test holds."""
    if expr == known:
        return TRUE
    if not isinstance(expr, c.Op) or expr.name not in ("and", "or"):
        return expr
    args = [_where(known, arg) for arg in expr.args]
    # The operands are compared by identity: `_where` returns what it does not change, and comparing expressions would
    # walk all of them.
    if all(one is other for one, other in zip(args, expr.args, strict=True)):
        return expr
    return reduce(both if expr.name == "and" else either, args)


def _has_opposite(expr: c.Expr) -> bool:
    """Return whether the negation can be written as shortly as the expression."""
    match expr:
        case c.Op(name="and" | "or", args=args):
            return all(map(_has_opposite, args))
        case c.Pick(yes=yes, no=no):
            return _has_opposite(yes) and _has_opposite(no)
        case c.Op(name=name):
            return name in _NEGATED or name in ("not", "is_empty")
    return False


def _is_small(of: t.Type) -> bool:
    return (t.size(of) or _SMALL + 1) <= _SMALL


_SMALL = 256
"""For at most this many values, those that fit are listed as constants."""


def _joined_by(name: str, expr: c.Expr) -> tuple[c.Expr, ...]:
    return expr.args if isinstance(expr, c.Op) and expr.name == name else (expr,)


def negation(expr: c.Expr) -> c.Expr:
    return op("not", expr, gives=BOOL)


def items_of(type_: t.Type, value: t.Value) -> tuple[t.Value, ...]:
    """Return the items of a constant collection, in order."""
    return listed(type_, value)


def looked_up(table: tuple[t.Value, ...], index: c.Expr, gives: t.Type) -> c.Expr:
    """Build a table lookup, folded if the index is constant."""
    match index:
        case c.Const(value=at):
            return c.Const(table[at], gives)
        # The start of the table is cut off in place of an addition at each lookup.
        case c.Op(name="add", args=(c.Const(value=by), other) | (other, c.Const(value=by))) if (
            isinstance(other.type, t.Range) and other.type.low >= 0 <= by
        ):
            return c.Lookup(table[by:], other, gives)
    return c.Lookup(table, index, gives)


def either_of(test: c.Expr, yes: c.Expr, no: c.Expr, gives: t.Type) -> c.Expr:
    """Build a choice of one of two values, folded if the test is constant or both values are the same."""
    if isinstance(test, c.Const):
        return yes if test.value else no
    if yes == no and has_value(test):
        return yes
    # Written as connectives, tests are simplified further and printed without a branch.
    if isinstance(gives, t.Bool):
        if isinstance(yes, c.Const):
            return either(test, no) if yes.value else both(negation(test), no)
        if isinstance(no, c.Const):
            return either(negation(test), yes) if no.value else both(test, yes)
    return c.Pick(test, yes, no, gives)
