"""Loop fission: the part of a loop that collects the same items in every iteration collects them once.

A decision about two choices, such as a card and a place for it, is lowered to a loop over the cards that contains the
tests of all places. Most of these tests do not depend on the card. After the tests that do, the places that pass are
collected in a list when a card first needs it, and the moves are made from the list:

    each card                               spots := none
      if card fits                          each card
        if spot 1 is free                     if card fits
          append card * 22 + 1        ──▶       if spots is none
        if spot 2 is free                         spots := the free ones among 1, 2, ...
          append card * 22 + 2                  each spot in spots
        ...                                       append card * 22 + spot

The list is made at the place where the first of its tests would be evaluated, so the same tests fail at the same place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import replace
from itertools import count

from ludex.grammar import value_class
from ludex.spec import types as t

from ...ir import code as c
from ...ir.operations import BOOL, INT, op
from ...ir.traversal import each_expression, loads, statements, variables, variables_set, weight, with_variables

_WORTH = 60
"""The least weight of tests that are collected."""
OFTEN = 2
"""The average number of reads of a cell from which cells are read into variables."""
_FEW = 64
"""A list that cannot have more items is gone through without counting work."""


def factored(parameters: tuple[c.Var, ...], body: c.Body) -> c.Body:
    """Return the body of a unit in which loops collect once what is the same in every iteration."""
    kinds = {type(each) for each in statements(body)}
    # A fault that is caught in the loop would leave the list half made for the next iteration.
    if not kinds >= {c.Each, c.Append} or kinds & {c.Attempt, c.Loop} or weight(body) < _WORTH:
        return body
    numbers = [*(var.number for var in parameters), *(var.number for var in variables_set(body))]
    return _Fission(count(max(numbers, default=0) + 1)).body(body)


class _Fission:
    """Rewrites one unit. numbers: those of new variables."""

    def __init__(self, numbers: Iterator[int]) -> None:
        self._numbers = numbers

    def body(self, body: c.Body) -> c.Body:
        """Rewrite the loops of a body, outermost first."""
        result: list[c.Statement] = []
        for statement in body:
            match statement:
                case c.If(then=then, otherwise=otherwise):
                    result.append(replace(statement, then=self.body(then), otherwise=self.body(otherwise)))
                case c.Each(body=inner):
                    made: list[c.Var] = []
                    varying = frozenset({statement.var.number, *(var.number for var in variables_set(inner))})
                    inner = self._split(inner, varying, made)
                    result += [c.Set(var, c.Const(None, t.Never())) for var in made]
                    result.append(replace(statement, body=inner if made else self.body(inner)))
                case _:
                    result.append(statement)
        return tuple(result)

    def _split(self, body: c.Body, varying: Set[int], made: list[c.Var]) -> c.Body:
        """Replace each longest run of statements that collect the same items in every iteration."""
        result: list[c.Statement] = []
        run: list[c.Statement] = []
        of_run: _Items | None = None
        for statement in body:
            items = _Items.of(statement, varying)
            together = items and of_run and of_run.with_those_of(items)
            if together is None:
                result += self._collected(tuple(run), of_run, made)
                run = []
            of_run = together or items
            if items is not None:
                run.append(statement)
            elif isinstance(statement, c.If):
                then, otherwise = (self._split(each, varying, made) for each in (statement.then, statement.otherwise))
                result.append(replace(statement, then=then, otherwise=otherwise))
            else:
                result.append(statement)
        return (*result, *self._collected(tuple(run), of_run, made))

    def _collected(self, run: c.Body, items: _Items | None, made: list[c.Var]) -> c.Body:
        if items is None or weight(run) < _WORTH:
            return run
        listed, item = c.Var(next(self._numbers), t.ListOf(INT)), c.Var(next(self._numbers), INT)
        made.append(listed)
        first = c.If(op("none", listed, gives=BOOL), (c.New(listed), *self._loaded(items.listed(run, listed))))
        turns = c.Each(item, listed, (c.Append(items.into, items.made_of(item)),), None, 0 if items.most <= _FEW else 1)
        return first, turns

    def _loaded(self, body: c.Body) -> c.Body:
        """Read the cells of a player into variables first, if the tests read each of them several times."""
        # A player whom the run itself goes through is not known before it.
        own = {var.number for var in variables_set(body)}
        places = ((load, _place(load)) for load in loads(*each_expression(body)))
        found = Counter(load for load, place in places if place and place[0] not in own)
        if found.total() < OFTEN * len(found):
            return body
        variables: dict[c.Expr, c.Var] = {
            load: c.Var(next(self._numbers), load.type) for load in sorted(found, key=lambda load: _place(load) or ())
        }
        return (
            *(c.Set(var, load) for load, var in variables.items()),
            *(with_variables(each, variables) for each in body),
        )


@value_class
class _Items:
    """The items that a run of statements appends to one list.

    into: the list; each item is `base` plus a number that does not depend on the iteration. most: most items.
    """

    into: c.Var
    base: c.Expr
    most: int

    @staticmethod
    def of(statement: c.Statement, varying: Set[int]) -> _Items | None:
        """Return what a statement collects, or None if it does anything else.

        varying: what has another value in each iteration of the loop. The list is made once for all of them, so it may
        not depend on that, except for what the statement itself sets before it reads it.
        """
        inner = {each.var.number for each in statements((statement,)) if isinstance(each, c.Each)}
        outer = varying - inner
        into: set[c.Var] = set()
        bases: list[c.Expr] = []
        for part in statements((statement,)):
            match part:
                case c.If(test=expr) | c.Each(items=expr):
                    if _reads(expr, outer):
                        return None
                case c.Append(var=var, item=item):
                    split = _split(item, outer, inner)
                    if split is None or (bases and split[0] != bases[0]):
                        return None
                    into.add(var)
                    bases.append(split[0])
                case _:
                    return None
        if len(into) != 1:
            return None
        # A loop inside may append any number of items, so the loop over the list has to count its work.
        return _Items(into.pop(), bases[0], _FEW + 1 if inner else len(bases))

    def with_those_of(self, next_one: _Items) -> _Items | None:
        """Return what two statements collect, one after the other; None if that is not one list with one base."""
        if (self.into, self.base) != (next_one.into, next_one.base):
            return None
        return replace(self, most=self.most + next_one.most)

    def listed(self, run: c.Body, to: c.Var) -> c.Body:
        """Return the statements as they append the numbers alone to a list."""
        result: list[c.Statement] = []
        for statement in run:
            match statement:
                case c.If(then=then, otherwise=otherwise):
                    result.append(replace(statement, then=self.listed(then, to), otherwise=self.listed(otherwise, to)))
                case c.Each(body=body):
                    result.append(replace(statement, body=self.listed(body, to)))
                case c.Append(item=c.Op(args=(_, number))):
                    result.append(c.Append(to, number))
        return tuple(result)

    def made_of(self, number: c.Var) -> c.Expr:
        """Return the item that a number of the list stands for."""
        return c.Op("add", (self.base, number), INT)


def _split(item: c.Expr, outer: Set[int], inner: Set[int]) -> tuple[c.Expr, c.Expr] | None:
    """Split a move number into what depends on the outer loop, and what does not."""
    match item:
        case c.Op(name="add", args=(base, number)) if not _reads(number, outer) and not _reads(base, inner):
            return base, number
    return None


def _place(load: c.Load) -> tuple[int, int] | None:
    """Return where a read finds a cell that every player has: the variable of the player, and the cell of the first.

    None for another read, which may be after a test that its place exists.
    """
    match load.index:
        case c.Op(name="add", args=(c.Op() as first, c.Const(value=int() as at))):
            pass
        case first:
            at = 0
    match first:
        case c.Op(
            name="mul", args=(c.Var(number=number, type=t.PlayerType(count=count)), c.Const(value=int() as size))
        ):
            return (number, load.base + at) if (count - 1) * size + at < load.size else None
    return None


def _reads(expr: c.Expr, numbers: Set[int]) -> bool:
    return any(var.number in numbers for var in variables(expr))
