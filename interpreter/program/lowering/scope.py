"""The scope of lowering: what is known at a place, and where statements are added."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from ludex.spec import types as t

from ..ir import code as c


@dataclass(slots=True, eq=False, repr=False)
class UnitScope:
    """A place in a unit or block under construction.

    Attributes:
        env: the contents of the routine's slots: constants, variables or cells.
        path: the clause, for reports.
        out: the statements so far.
        some: expressions that are known not to be none here.
        numbers: supplies numbers for new variables.
    """

    env: dict[int, c.Expr]
    path: str | None
    out: list[c.Statement] = field(default_factory=list)
    some: set[c.Expr] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=count)

    def new(self, type_: t.Type) -> c.Var:
        return c.Var(next(self.numbers), type_)

    def set(self, value: c.Expr, type_: t.Type) -> c.Var:
        """Emit an assignment to a new variable."""
        var = self.new(type_)
        self.out.append(c.Set(var, value))
        return var

    def named(self, value: c.Expr, type_: t.Type) -> c.Expr:
        """Return the value itself if it is cheap, else a new variable that holds it."""
        return value if is_cheap(value) else self.set(value, type_)

    def branch(self) -> Branch:
        """Collect the statements emitted inside in a list; facts learnt inside are forgotten afterwards."""
        return Branch(self)

    def where(self, test: c.Expr, then: Callable[[], None]) -> None:
        """Emit what follows inside a test."""
        if isinstance(test, c.Const):
            if test.value:
                then()
            return
        with self.branch() as body:
            self.learn(test)
            then()
        self.out.append(c.If(test, tuple(body)))

    def learn(self, test: c.Expr, holds: bool = True) -> None:
        """Record that the test holds here, or that it does not."""
        match test:
            case c.Op(name="and", args=args) if holds:
                for arg in args:
                    self.learn(arg)
            # By De Morgan's laws, if `a or b` fails, both fail.
            case c.Op(name="or", args=args) if not holds:
                for arg in args:
                    self.learn(arg, holds=False)
            case c.Op(name="not", args=(inner,)):
                self.learn(inner, not holds)
            case c.Op(name="some" | "none", args=(inner,)):
                if (test.name == "some") == holds:
                    self.some.add(inner)
            case c.Op(name="has", args=(item, c.Const(value=frozenset() as held))) if holds and None not in held:
                self.some.add(item)
            # A value that equals one that is not `none` is not `none`.
            case c.Op(name="eq" | "ne", args=(one, two)) if (test.name == "eq") == holds:
                if isinstance(two, c.Const) and two.value is not None:
                    self.some.add(one)
                if isinstance(one, c.Const) and one.value is not None:
                    self.some.add(two)


class Branch:
    """The context manager of `Scope.branch`. (A generator would take three times as long, and there are thousands.)"""

    __slots__ = ("_out", "_scope", "_some")

    def __init__(self, scope: UnitScope) -> None:
        self._scope = scope

    def __enter__(self) -> list[c.Statement]:
        scope = self._scope
        self._out, self._some = scope.out, scope.some
        scope.out, scope.some = [], set(scope.some)
        return scope.out

    def __exit__(self, *_: object) -> None:
        self._scope.out, self._scope.some = self._out, self._some


def is_cheap(value: c.Expr) -> bool:
    """Return whether evaluating the value again costs next to nothing."""
    return isinstance(value, c.Const | c.Var) or (isinstance(value, c.Load) and value.index is None)


def unread(of: t.Type) -> c.Const:
    """Return a placeholder for a value that is never read, because the statements before it fail."""
    while isinstance(of, t.Optional):
        of = of.of
    return c.Const(t.zero(of), of)
