"""Patterns that have a shorter form in Python: rows of cells, searches, counts, tests, and repeated parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, takewhile, zip_longest
from typing import Any, TypeAlias

from ludex.spec import is_whole
from ludex.spec import types as t

from ...ir import code as c
from ...ir.operations import BOOL, INT, TRUE, both, either, negation, op
from ...ir.traversal import each_expression, expressions, occurrences, parts, statements, variables, weight
from .optimistic import simplified

SHORT_TEST = 80
"""A test of an offer that is no larger than this is printed in place of its unit's call; a loop over constants whose
iterations are together no larger is unrolled."""
AS_ASKED = ("parts", "seen_kinds", "seen_parts")
"""Operations whose items are generated lazily; `parts` counts its own work."""
FEWEST_IN_SLICE = 4
"""The fewest cells that are read as a slice."""
NO_VALUE = c.Const(None, t.Never())

Searched: TypeAlias = Callable[[int], tuple[c.Op, int] | None]
"""Returns the row that a unit searches, and the number of its first place."""


def repeated_parts(body: c.Body, given: frozenset[c.Var], row_searched: Searched) -> list[c.Expr]:
    """Return the repeated parts of a body that depend only on constants, parameters and cells, each once.

    These are calls, loads and searched rows that occur several times, or in a loop.
    """
    counts: Counter[c.Expr] = Counter()

    def count(body: c.Body, times: int) -> None:
        for statement in body:
            for expr in expressions(statement):
                for part in _calls(expr, given, row_searched):
                    counts[part] += times
            match statement:
                case c.If(then=then, otherwise=otherwise):
                    count(then, times)
                    count(otherwise, times)
                case c.Attempt(body=inner):
                    count(inner, times)
                case c.Each(body=inner) | c.Loop(body=inner):
                    # Any part of a loop may be evaluated several times.
                    count(inner, 2)

    count(body, 1)
    return [part for part, times in counts.items() if times > 1]


def _calls(expr: c.Expr, given: frozenset[c.Var], row_searched: Searched) -> Iterator[c.Expr]:
    # With another variable among the arguments, two equal calls may have different results.
    if isinstance(expr, c.Call):
        if all(isinstance(arg, c.Const) or arg in given for arg in expr.args):
            yield expr
        elif (searched := row_searched(expr.unit)) is not None:
            yield searched[0]
    elif isinstance(expr, c.Op) and expr.name == "once":
        (arg,) = expr.args
        if isinstance(arg, c.Load) and arg.index is None:
            yield expr
    for part in parts(expr):
        yield from _calls(part, given, row_searched)


def unordered(items: c.Expr) -> c.Expr:
    """Return a cheaper expression that is empty exactly if the items are."""
    while isinstance(items, c.Op) and items.name in ("once", "ordered", "reversed", "tuple"):
        (items,) = items.args
    return items


def without_sorting(body: c.Body) -> Iterator[c.Statement]:
    """Leave out sorting where the order of items makes no difference: after it each item's cell gets one constant."""
    # The list has to be read nowhere else, where its order might show.
    for statement, after in zip_longest(body, body[1:]):
        match statement, after:
            case c.Set(var=var, value=items), c.Each(
                var=each, items=of, body=(c.Put(index=index, value=c.Const()),)
            ) if of == var and index is not None and _is_of(index, each) and _count(body, var) == 1:
                yield c.Set(var, unordered(items))
            case _:
                yield statement


def gathered_rows(body: c.Body, yielded: c.Var | None) -> Iterator[c.Statement]:
    """Collect what a row of cells holds at once, where a list begins with the contents of cell after cell, if any.

    yielded: the list whose items are yielded one by one."""
    at = 0
    while at < len(body):
        statement = body[at]
        at += 1
        if isinstance(statement, c.New) and statement.var != yielded:
            row = [*chain(*takewhile(bool, ([*_if_there(each, statement.var)] for each in body[at:])))]
            if evenly_spaced(row) is not None:
                at += len(row)
                held: c.Expr = c.Op("there", (c.Op("list_of", tuple(row), statement.var.type),), INT)
                # A set takes the items from the row itself, if nothing else reads the list.
                match body[at : at + 1]:
                    case (c.Set(var=found, value=c.Op(name="frozenset", args=(var,)) as made),) if (
                        var == statement.var and _count(body, var) == 1
                    ):
                        at += 1
                        yield c.Set(found, replace(made, args=(held,)))
                    case _:
                        yield c.Set(statement.var, held)
                continue
        yield statement


def _if_there(statement: c.Statement, var: c.Var) -> Iterator[c.Expr]:
    """Yield the cell whose contents a statement appends to a list if there are any, unless it does anything else."""
    match statement:
        case c.If(c.Op(name="some", args=(c.Load() as load,)), (c.Append(to, c.Load() as item),), ()):
            if to == var and (load.base, load.index) == (item.base, item.index):
                yield load


def unswitched(body: c.Body) -> Iterator[c.Statement]:
    """Replace a loop over a choice of two constant collections by a choice of two loops, of which a small one is
    unrolled."""
    before: c.Statement | None = None
    for statement in body:
        match before, statement:
            case c.Set(var=var, value=c.Pick(test=test, yes=c.Const() as yes, no=c.Const() as no)), c.Each(
                items=items
            ) if items == var and _count(body, var) == 1:
                before = c.If(test, unrolled(replace(statement, items=yes)), unrolled(replace(statement, items=no)))
                continue
        if before is not None:
            yield before
        before = statement
    if before is not None:
        yield before


def unrolled(each: c.Each) -> c.Body:
    """Unroll a loop over a constant if it is small."""
    assert isinstance(each.items, c.Const)
    items: Any = each.items.value
    # A statement that leaves the loop cannot be repeated without it, and one that loops is long.
    plain = all(isinstance(inner, c.Set | c.If | c.Append | c.Fail) for inner in statements(each.body))
    if not plain or weight(each.body) * len(items) > SHORT_TEST:
        return (each,)
    turns = (simplified(each.body, {each.var: c.Const(item, each.var.type)}) for item in items)
    return tuple(chain.from_iterable(turns))


def _count(body: c.Body, var: c.Var) -> int:
    return sum(occurrences(expr, var) for expr in each_expression(body))


def split_index(base: int, index: c.Expr) -> tuple[c.Expr, int]:
    """Add the constant part of an index to the base."""
    match index:
        case c.Op(name=("add" | "sub") as name, args=(inner, c.Const(value=int() as by))):
            return inner, base + (by if name == "add" else -by)
    return index, base


def reads_in_a_row(body: c.Body) -> int:
    """Count the statements at the beginning of a body that read one cell after another at a computed place."""
    places = list[tuple[c.Expr, int]]()
    for statement in body:
        match statement:
            case c.Set(value=c.Load(base=base, index=index)) if index is not None:
                place = split_index(base, index)
                if places and place != (places[-1][0], places[-1][1] + 1):
                    break
                places.append(place)
            case _:
                break
    return len(places)


def _is_of(expr: c.Expr, var: c.Var) -> bool:
    """Return whether an expression depends on a variable and constants only."""
    return expr == var or (
        isinstance(expr, c.Const | c.Op | c.Lookup) and all(_is_of(part, var) for part in parts(expr))
    )


def counts_equal_items(each: c.Each, found: c.Var, value: c.Expr, compared: Sequence[c.Expr]) -> bool:
    """Return whether a loop over a list counts the items that are equal to a loop-invariant value."""
    if value != c.Op("add", (found, c.Const(1, INT)), value.type) or each.var not in compared:
        return False
    others = [arg for arg in compared if arg != each.var]
    # `count` is a method of the tuples that bags and lists are.
    fixed = len(others) == 1 and not occurrences(others[0], each.var) and not occurrences(others[0], found)
    return fixed and isinstance(each.items, c.Load | c.Var) and isinstance(each.items.type, t.BagOf | t.ListOf)


def counts_pieces(unit: c.Unit) -> tuple[c.Expr, c.Op, int | None] | None:
    """Return the zone, or the union of two, in which a unit counts the pieces for which a test holds: that they equal a
    value, or are in a constant collection. The others are the test, and the largest count.

    Returns None for a unit that does anything else.
    """
    match unit.body:
        case (
            c.Set(var=begun, value=c.Const(value=0)),
            c.Each(
                body=(c.If(test=c.Op(args=args) as test, then=(c.Set(var=found, value=value),), otherwise=()),)
            ) as each,
            *checks,
            c.Return(value=result),
        ) if begun == found == result:
            match each.items, test:
                case c.Load() as pieces, c.Op(name="eq") if counts_equal_items(each, found, value, args):
                    # The piece comes first, as in `has`, so that the value is the second operand of either test.
                    test = replace(test, args=tuple(sorted(args, key=lambda arg: arg != each.var)))
                case (c.Load() | c.Op(name="bag_union", args=(c.Load(), c.Load()))) as pieces, c.Op(
                    name="has", args=(_, c.Const())
                ) if counts_in_any_order(each):
                    pass
                case _:
                    return None
            match checks:
                case ():
                    return pieces, test, None
                case (c.If(c.Op("gt", (var, c.Const(value=int() as most))), (c.Fail(),), ()),) if var == found:
                    return pieces, test, most
    return None


def counts_in_any_order(each: c.Each) -> bool:
    """Return whether a loop counts the items for which a test holds that looks at every item.

    Such a loop over a union of bags may go through one bag after the other. The union would be sorted, which makes no
    difference to a count, and has no result if an item is unknown: neither has a test that looks at that item.
    """
    match each.body:
        case (c.If(test=test, then=(c.Set(var=found, value=value),), otherwise=()),):
            is_sum = value == c.Op("add", (found, c.Const(1, INT)), value.type)
            return is_sum and not occurrences(test, found) and _is_plain(test) and _looks_at(test, each.var)
    return False


def _looks_at(test: c.Expr, var: c.Var) -> bool:
    """Return whether a test always looks at a variable, so that it has no result for an unknown value."""
    match test:
        # The other operands are not evaluated if the first one decides.
        case c.Op(name="and" | "or" | "not", args=(first, *_)):
            return _looks_at(first, var)
        case c.Op(name="has", args=(item, c.Const())):
            return item == var
        case c.Op(name="eq" | "ne" | "lt" | "le" | "gt" | "ge", args=(c.Lookup(index=index), c.Const() | c.Var())):
            return index == var
    return False


def _is_plain(test: c.Expr) -> bool:
    return isinstance(test, c.Const | c.Var | c.Lookup | c.Op) and all(map(_is_plain, parts(test)))


def cells_of_loop(each: c.Each, load: c.Load) -> tuple[range, int] | None:
    """Return the cells that a loop over consecutive numbers reads one after another, and the first number."""
    match each.items:
        case c.Const(value=tuple() as items) if items and all(map(is_whole, items)) and load.index is not None:
            index, base = split_index(load.base, load.index)
            if index == each.var and items == tuple(range(items[0], items[-1] + 1)):
                return range(base + items[0], base + items[-1] + 1), items[0]
    return None


def finds_only_one(each: c.Each, value: c.Expr, then: c.Body) -> bool:
    """Return whether a loop looks for the only number for which a test holds, and a second one is a fault.

    It is the form in which `lowering/loops.py` (`pick`) writes `the x in ... where ...`.
    """
    match then:
        case (
            c.If(
                test=c.Var() as found,
                then=(c.If(test=c.Op(name="ne", args=(var, which)), then=(c.Fail(),), otherwise=()),),
                otherwise=(c.Set(var=now, value=held), c.Set(var=which_now, value=var_now)),
            ),
        ):
            same = (var, which, now, held, var_now) == (each.var, which_now, found, TRUE, each.var)
            return same and not any(occurrences(value, own) for own in (each.var, found, which_now))
    return False


def searched_row(unit: c.Unit) -> tuple[tuple[c.Load, ...], int] | None:
    """Return the cells in which a unit finds the only one with the value it is given, and the number of the first.

    The unit is a define such as `spot_of(p) = the c in Cell where piece(c) = p`. Returns None for a unit that does
    anything else.
    """
    match unit.parameters, unit.body:
        case (
            (given,),
            (
                c.Set(var=begun, value=c.Const(value=False)),
                c.Set(),
                c.Each(
                    body=(
                        c.If(
                            test=c.Op(name="eq", args=(c.Load() as load, value)),
                            then=(c.If(test=found, otherwise=(_, c.Set(var=which))),) as then,
                            otherwise=(),
                        ),
                    )
                ) as each,
                c.If(test=c.Op(name="not", args=(missing,)), then=(c.Fail(),), otherwise=()),
                c.Return(value=result),
            ),
        ) if (value, begun, missing, result) == (given, found, found, which) and finds_only_one(each, value, then):
            row = cells_of_loop(each, load)
            return None if row is None else (tuple(c.Load(cell, None, 1, load.type) for cell in row[0]), row[1])
    return None


def ends_search(body: c.Body) -> bool:
    """Return whether a loop ends after these statements, which store or return a constant."""
    match body:
        case (c.Set(value=c.Const()), c.Break()) | (c.Return(value=c.Const()),):
            return True
    return False


def is_computed_at_once(items: c.Expr) -> bool:
    """Return whether the items are computed at once, not lazily."""
    return not (isinstance(items, c.Op) and items.name in (*AS_ASKED, "fitting"))


def evenly_spaced(loads: Sequence[c.Expr]) -> tuple[c.Expr | None, range] | None:
    """Return the index and the bases of cells at regular distances, in this order, or None."""
    places = [
        (load.index, load.base) if load.index is None else split_index(load.base, load.index)
        for load in loads
        if isinstance(load, c.Load)
    ]
    # There are fewer places than parts if some part is not a cell.
    if len(places) < max(FEWEST_IN_SLICE, len(loads)) or any(index != places[0][0] for index, _ in places):
        return None
    bases = [base for _, base in places]
    # Cells in falling order, or the same one twice, are not a slice; a step must be positive all the same.
    evenly = range(bases[0], bases[-1] + 1, max(1, bases[1] - bases[0]))
    return (places[0][0], evenly) if [*evenly] == bases else None


def cell_test(expr: c.Expr, counted: bool) -> tuple[c.Expr, str, c.Expr] | None:
    """Split a test of a cell into the cell, the comparison and the value."""
    if counted:
        if not (isinstance(expr, c.Op) and expr.name == "int"):
            return None
        (expr,) = expr.args
    match expr:
        case c.Op(name=("eq" | "ne") as name, args=(c.Load() as load, (c.Const() | c.Var()) as value)):
            return load, name, value
        case c.Op(name="none", args=(c.Load() as load,)):
            return load, "eq", NO_VALUE
        case c.Op(name="some", args=(c.Load() as load,)):
            return load, "ne", NO_VALUE
    return None


def tests_of(body: c.Body) -> list[c.Expr] | None:
    """Return the tests by which a body collects values, one for each, into a set that it returns; else None."""
    match body:
        case (
            c.New(var=listed),
            *ifs,
            c.Set(var=found, value=c.Op(name="frozenset", args=(made,))),
            c.Return(value=end),
        ):
            tests, values = list[c.Expr](), set[Any]()
            for each in ifs:
                match each:
                    case c.If(test=test, then=(c.Append(var=var, item=c.Const(value=item)),), otherwise=()):
                        if var == listed and not any(variables(test)):
                            tests.append(c.Op("int", (test,), INT))
                            values.add(item)
            # The values differ, so that as many tests hold as the set has values.
            if 0 < len(ifs) == len(tests) == len(values) and made == listed and end == found:
                return tests
    return None


def truth(body: c.Body) -> c.Expr | None:
    """Return a body that only tests something, and returns what it finds, as one expression; else None."""
    match body:
        case (c.Return(value=value), *_):
            return value
        case (c.If(test=test, then=then, otherwise=()), *rest):
            condition, other = _holds(then), truth(tuple(rest))
            return None if condition is None or other is None else either(both(test, condition), other)
        # A generator is true in Python even if it has no items, so its truth value is not the answer.
        case (c.Each(items=items, body=(c.Return(value=c.Const(value=True)),)), *rest) if is_computed_at_once(items):
            other = truth(tuple(rest))
            return None if other is None else either(_is_any(unordered(items)), other)
    return None


def _holds(body: c.Body) -> c.Expr | None:
    """Return the condition on which a body returns true, if it does nothing else."""
    match body:
        case (c.Return(value=c.Const(value=True)), *_):
            return TRUE
        case (c.If(test=test, then=then, otherwise=()),):
            rest = _holds(then)
            return None if rest is None else both(test, rest)
    return None


def _is_any(items: c.Expr) -> c.Expr:
    match items:
        case c.Op(name="interval", args=(low, high)):
            return op("le", low, high, gives=BOOL)
    return negation(op("is_empty", items, gives=BOOL))


def leaves(body: c.Body) -> bool:
    """Return whether the flow never continues after a body."""
    return bool(body) and isinstance(body[-1], c.Goto | c.Wait | c.Back | c.End | c.Fail | c.Refuse)


def is_pure(expr: c.Expr) -> bool:
    """Return whether evaluating an expression changes no cell."""
    return not (isinstance(expr, c.Serve) and expr.name not in ("offers", "can", "asking", "unseen")) and all(
        map(is_pure, parts(expr))
    )


def is_const(expr: c.Expr) -> bool:
    return isinstance(expr, c.Const)
