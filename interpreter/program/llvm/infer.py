"""Shape inference: how each variable and each unit's result is represented, by iteration to a fixed point."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ludex.spec import per_node
from ludex.spec import types as t

from ..ir import code as c
from ..ir.traversal import code_parts
from .arithmetic import ARITHMETIC_CODE
from .predicates import COMPARED, PREDICATE_CODE
from .shapes import (
    ANY,
    CAPACITY,
    WIDEST,
    ArgumentRow,
    CellLayout,
    Flag,
    ItemList,
    Mask,
    Maybe,
    NotCarried,
    Number,
    Shape,
    common,
    join,
    known,
    mask_of,
    numbers,
    of_type,
)
from .three_valued import THREE_VALUED_TESTS

BLOCKS = -1
"""The owner of the variables of all blocks."""


class Shapes:
    """The shapes of all values of a program.

    Attributes:
        vars: by unit (`BLOCKS` for all blocks), by number.
        returns: by unit.
        parts: (body of a unit or block) returns its statements and expressions with all their parts.
    """

    def __init__(self, program: c.Program, layout: CellLayout) -> None:
        self.program, self.layout = program, layout
        self.vars: dict[int, dict[int, Shape | None]] = {BLOCKS: {}}
        self.returns: dict[int, Shape | None] = {}
        self._known: dict[tuple[type, int, int], tuple[object, t.Type, Shape | None]] = {}
        self.parts: Callable[[c.Body], list[Any]] = per_node(code_parts)
        for number, unit in enumerate(program.units):
            self.vars[number] = {
                var.number: None if _may_be_unknown(var) else of_type(var.type) for var in unit.parameters
            }
        self._public_calls = list(self._calls_with_unknowns())
        self._changed = True
        # Joins only widen a shape, and its bounds are those of declared types, so that this ends.
        while self._changed:
            self._changed = False
            for number, unit in enumerate(program.units):
                self._body(unit.body, number)
                # What a call that recurs into itself returns is a result, too.
                if unit.cycle is not None:
                    self._body((c.Return(unit.cycle),), number)
            for block in program.blocks:
                self._body(block.body, BLOCKS)
            # Other parameters have the shapes of their types; the shapes of these are known only from the calls.
            for owner, call in self._public_calls:
                for var, arg in zip(program.units[call.unit].parameters, call.args, strict=True):
                    if _may_be_unknown(var):
                        self._note(call.unit, var, join(Maybe(None), self.of(arg, owner)))

    def _calls_with_unknowns(self) -> Iterator[tuple[int, c.Call]]:
        """Yield the calls of units to which unknown values may be given, each with its owner."""
        units = self.program.units
        given = {number for number, unit in enumerate(units) if any(map(_may_be_unknown, unit.parameters))}
        bodies = [(number, unit.body) for number, unit in enumerate(units)]
        bodies += [(BLOCKS, block.body) for block in self.program.blocks]
        # Most games have no such units, and need no walk through all code.
        for owner, body in bodies if given else ():
            for part in self.parts(body):
                if isinstance(part, c.Call) and part.unit in given:
                    yield owner, part

    def _note(self, owner: int, var: c.Var, shape: Shape | None) -> None:
        shapes = self.vars[owner]
        joined = join(shapes.get(var.number), shape)
        if var.number not in shapes or joined != shapes[var.number]:
            shapes[var.number] = joined
            self._changed = True

    def _body(self, body: c.Body, owner: int) -> None:
        for statement in body:
            match statement:
                case c.Set(var=var, value=value):
                    self._note(owner, var, self.of(value, owner))
                case c.New(var=var):
                    # The items of a new list are known by what is appended, in a later round of the iteration if need
                    # be.
                    self._note(owner, var, ItemList(None))
                case c.Append(var=var, item=item):
                    self._note(owner, var, ItemList(self.of(item, owner)))
                case c.Each(var=var, items=items, body=inner):
                    self._note(owner, var, self.item(self.of(items, owner)))
                    self._body(inner, owner)
                case c.If(then=then, otherwise=otherwise):
                    self._body(then, owner)
                    self._body(otherwise, owner)
                case c.Loop(body=inner) | c.Attempt(body=inner):
                    self._body(inner, owner)
                case c.Return(value=value):
                    joined = join(self.returns.get(owner), self.of(value, owner))
                    if owner not in self.returns or joined != self.returns[owner]:
                        self.returns[owner] = joined
                        self._changed = True

    def _stated(self, given: Any, expr: c.Const | c.Lookup) -> Shape | None:
        """Return the shape of the values that the program states in an expression."""
        # Long tables are in many expressions. They are found by identity, and kept alive, so that no other gets the id.
        key = expr.__class__, id(given), id(expr.type)
        if key not in self._known:
            shape = common((given,) if isinstance(expr, c.Const) else given, expr.type)
            self._known[key] = given, expr.type, shape
        return self._known[key][2]

    @staticmethod
    def item(shape: Shape | None) -> Shape | None:
        """Return the shape of the items of a collection of this shape."""
        match shape:
            case ItemList(item=item):
                return item
            case Mask():
                return numbers(shape)
            case Maybe(of=inside):
                return Shapes.item(inside)
            case None:
                return None
        raise NotCarried(f"a collection that is {shape}")

    def of(self, expr: c.Expr, owner: int) -> Shape | None:
        """Return the shape of an expression, or None while it is not known."""
        match expr:
            case c.Const() | c.Lookup():
                return self._stated(expr.value if isinstance(expr, c.Const) else expr.table, expr)
            case c.Var(number=number):
                return self.vars[owner].get(number)
            case c.Load(base=base):
                return self.layout.cells[base].shape
            case c.Pick(yes=yes, no=no):
                return join(self.of(yes, owner), self.of(no, owner))
            case c.Call(unit=unit):
                return self.returns.get(unit)
            case c.Serve(name=name):
                # All other services answer a question.
                return ANY if name == "stated" else Flag()
            case c.Op(name="look", args=(c.Load(base=base),)):
                return self.layout.seen(base)
            case c.Op():
                return self._op(expr, owner)
        raise AssertionError(expr)

    def _op(self, expr: c.Op, owner: int) -> Shape | None:
        name = expr.name
        if name in _FLAGS:
            return Flag()
        if name in _NUMBERS:
            of = t.strip_optional(expr.type)
            return Number(of.low, of.high) if isinstance(of, t.Range) else ANY
        args = [self.of(arg, owner) for arg in expr.args]
        if name in _THREE_VALUED:
            return _THREE_VALUED[name](expr, args)
        return _OPS[name](expr, [known(arg) for arg in args]) if name in _OPS else _missing(name)


def _may_be_unknown(var: c.Var) -> bool:
    """Return whether a parameter may be unknown: it has the type `ANY` of `lowering/public.py`."""
    return isinstance(var.type, t.Never)


def _missing(name: str) -> Shape | None:
    raise NotCarried(f"the operation `{name}`")


def _all(args: list[Shape | None]) -> Shape | None:
    joined: Shape | None = None
    for arg in args:
        joined = join(joined, arg)
    return joined


def _listed(shape: Shape | None) -> Shape | None:
    """Return the shape as a list."""
    return ItemList(numbers(shape)) if isinstance(shape, Mask) else shape


def _interval(args: list[Shape | None], made: Callable[[Number], Shape | None]) -> Shape | None:
    """Return the shape of the numbers between two bounds; None while a bound is not known."""
    low, high = args
    if low is None or high is None:
        return None
    assert isinstance(low, Number)
    assert isinstance(high, Number)
    # The end may be before the beginning, and the interval then is empty.
    return made(Number(low.low, max(low.low, high.high)))


def _as_set(of: t.Type, item: Shape | None) -> Shape | None:
    """Return the shape of a set of items that have this shape."""
    inside = t.element_type(of) or of
    if isinstance(item, Flag):
        return Mask(0, 1)
    if item is None or isinstance(item, Number):
        declared = mask_of(inside)
        mask = declared if item is None else Mask(item.low, item.high, item.optional)
        if isinstance(mask, Mask) and declared is not None and item is not None:
            # A computed item may lie outside the type; making the set stops then.
            low, high = max(declared.low, mask.low), min(declared.high, mask.high)
            mask = Mask(low, max(low, high), declared.optional or mask.optional)
        if mask is not None and mask.bits <= WIDEST:
            return mask
    return ItemList(item, CAPACITY, True)


def _union(_: c.Op, args: list[Shape | None]) -> Shape | None:
    # A set may be joined with the items of a list, which then become bits, too.
    return _all(
        [
            Mask(arg.item.low, arg.item.high, arg.item.optional)
            if isinstance(arg, ItemList) and isinstance(arg.item, Number) and not arg.distinct
            else arg
            for arg in args
        ]
    )


def _first(_: c.Op, args: list[Shape | None]) -> Shape | None:
    return args[0]


def _some(_: c.Op, args: list[Shape | None]) -> Shape | None:
    item = Shapes.item(args[0])
    return Number(item.low, item.high, True) if isinstance(item, Number) else item


def _selected(expr: c.Op) -> Shape | None:
    pairs = expr.args[1]
    assert isinstance(pairs, c.Const)
    return _all([Number(0, 0, True), *(Number(value, value) for _, value in pairs.value)])


_OPS: Mapping[str, Callable[[c.Op, list[Shape | None]], Shape | None]] = {
    "int": lambda _, args: Number(0, 1),
    "min": lambda _, args: _all(args),
    "max": lambda _, args: _all(args),
    "interval": lambda _, args: _interval(args, ItemList),
    "interval_set": lambda expr, args: _interval(args, partial(_as_set, expr.type)),
    "set_of": lambda expr, args: _as_set(expr.type, _all(args)),
    "frozenset": lambda expr, args: _as_set(expr.of or expr.type, Shapes.item(args[0])),
    "union": _union,
    "minus": _first,
    "ordered": lambda _, args: _listed(args[0]),
    "once": lambda _, args: _listed(args[0]),
    "reversed": lambda _, args: _listed(args[0]),
    "bag_union": lambda _, args: _all([_listed(arg) for arg in args]),
    "bag_minus": _first,
    "only": lambda _, args: ItemList(args[0]),
    "fitting": lambda _, args: _listed(args[0]),
    "parts": lambda _, args: None if args[0] is None else ItemList(_listed(args[0])),
    "list_of": lambda _, args: ItemList(_all(args), len(args)),
    "top": _some,
    "item": lambda _, args: Shapes.item(args[0]),
    "select": lambda expr, args: _selected(expr),
    "find": lambda expr, args: of_type(t.optional(expr.of or expr.type)),
    "copies": lambda expr, args: ItemList(of_type(expr.of or expr.type)),
}
_NUMBERS = ARITHMETIC_CODE.keys() - _OPS.keys()
_FLAGS = frozenset({*PREDICATE_CODE, *COMPARED, *THREE_VALUED_TESTS, "and", "or"})


def _truth(_: c.Op, args: list[Shape | None]) -> Shape:
    return Maybe(Flag())


def _item_of(_: c.Op, args: list[Shape | None]) -> Shape:
    return join(Maybe(None), Shapes.item(args[0])) or Maybe(None)


def _top_of(_: c.Op, args: list[Shape | None]) -> Shape:
    return join(Maybe(Number(0, 0, True)), Shapes.item(args[0])) or Maybe(None)


def _seen_items(_: c.Op, args: list[Shape | None]) -> Shape | None:
    """Return the shape of what a collection holds; an unknown collection may hold an unknown item."""
    match args[0]:
        case None:
            return None
        case Maybe(of=inside):
            item = (
                inside.item if isinstance(inside, ItemList) else numbers(inside) if isinstance(inside, Mask) else inside
            )
            return ItemList(join(Maybe(None), item))
        case Mask():
            return ItemList(numbers(args[0]))
        case ItemList():
            return args[0]
    return ItemList(args[0])


def _seen_parts(expr: c.Op, args: list[Shape | None]) -> Shape | None:
    if args[0] is None:
        return None
    item = Shapes.item(args[0])
    return ItemList(Maybe(args[0]) if isinstance(item, Maybe) else args[0])


def _seen_set(expr: c.Op, args: list[Shape | None]) -> Shape | None:
    return Maybe(_as_set(t.SetOf(expr.of or t.Never()), known(Shapes.item(args[0]))))


_THREE_VALUED: Mapping[str, Callable[[c.Op, list[Shape | None]], Shape | None]] = {
    "row": lambda _, args: ArgumentRow(tuple(args)),
    "tuple": lambda _, args: _listed(args[0]),
    "concat": lambda _, args: _all([_listed(arg) for arg in args]),
    "seen_same": _truth,
    "seen_not": _truth,
    "seen_and": _truth,
    "seen_or": _truth,
    "seen_in": _truth,
    "seen_empty": _truth,
    "seen_listed": _truth,
    "seen_size": lambda _, args: Maybe(ANY),
    "seen_sum": lambda _, args: Maybe(ANY),
    "seen_count": lambda _, args: Maybe(ANY),
    "seen_top": _top_of,
    "seen_first": _item_of,
    "seen_only": _item_of,
    "seen_max": _item_of,
    "seen_min": _item_of,
    "seen_reversed": _first,
    "seen_there": lambda _, args: join(Maybe(None), args[0]),
    "seen_agreed": lambda _, args: join(Maybe(None), _all(args)),
    "seen_items": _seen_items,
    "seen_kinds": _first,
    "seen_parts": _seen_parts,
    "seen_set": _seen_set,
    "seen_set_of": _seen_set,
    "seen_bag": lambda _, args: join(Maybe(None), args[0]),
    "seen_list": lambda _, args: join(Maybe(None), args[0]),
}
"""Operations on values that may be unknown; the first three only pass them on."""
