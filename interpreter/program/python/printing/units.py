"""The Python printer of units: their memo tables, counts of work, generators, and bodies for what is usual."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from ludex.spec import model as m
from ludex.spec import types as t

from ...ir import code as c
from ...ir.traversal import each_expression, loads, statements
from .empty_zones import empty_cells, reads_of
from .expressions import is_table
from .index_sets import IndexSets
from .invariant_lists import factored
from .optimistic import optimistic
from .patterns import repeated_parts
from .propagation import EMPTY_LIST as NO_PIECES
from .propagation import UNDECIDED, Propagation
from .statements import StatementPrinter
from .veiled_sizes import sizes_seen


@dataclass
class UnitPrinter(StatementPrinter):
    """Prints units: what each keeps, counts and computes early.

    Attributes:
        is_fast: whether units are optimised although that takes longer than a few calls of them.
        fast: the units that are optimised in any case.
    """

    is_fast: bool = False
    fast: set[int] = field(default_factory=set)

    def _unit(self, number: int, unit: c.Unit) -> list[str]:
        self._path = unit.name
        given = "".join(f", v{var.number}" for var in unit.parameters)
        body = self._evaluated(number, unit)
        # Both are counted in the body, so a memoized result takes no work and no depth.
        if work := self._costs.work(number):
            body[:0] = [f"    {line}" for line in self._work(str(work), unit.name)]
        if deep := self._costs.depth(number):
            body = [
                f"    R.descend({deep}, {unit.name!r})",
                f"    try: return d{number}(S, s{given})",
                f"    finally: R.ascend({deep})",
                f"def d{number}(S, s{given}):",
                *body,
            ]
        if unit.cycle is not None:
            return [
                f"def u{number}(S, s{given}):  # {unit.name}",
                f"    k = ({number}{given},)",
                f"    if k in S.active: return {self._expr(unit.cycle)}",
                f"    M.enter({unit.name!r}, R.game.play.body.span)",
                "    S.active.add(k)",
                f"    try: return w{number}(S, s{given})",
                "    finally: S.active.discard(k); M.leave()",
                f"def w{number}(S, s{given}):",
                *body,
                "",
            ]
        if is_table(unit):
            return [
                f"def u{number}(S, s{given}): return m{number}[{given[2:]}]",
                f"def w{number}(S, s{given}):  # {unit.name}",
                *body,
                "",
            ]
        # The table itself is the default of `get`, as every other object may be a result.
        if (unit.keeps == "state" and self.keeps) or number in self._tests.often:
            key = given if unit.keeps else ""
            return [
                f"def u{number}(S, s{given}):  # {unit.name}",
                *(self._kept_by_sizes(number, unit, given) if unit.keeps else ()),
                f"    m = S.known; k = ({number}{key},)",
                "    r = m.get(k, m)",
                "    if r is not m: return r",
                f"    r = m[k] = w{number}(S, s{given})",
                "    return r",
                f"def w{number}(S, s{given}):",
                *body,
                "",
            ]
        return [f"def u{number}(S, s{given}):  # {unit.name}", *body, ""]

    def _kept_by_sizes(self, number: int, unit: c.Unit, given: str) -> list[str]:
        """Print the look-up of the result by the sizes of concealed zones, if it depends on them alone."""
        seen = sizes_seen(unit, self._concealed_elements)
        if seen is None:
            return []
        self.values.setdefault(f"q{number}", {})
        cells = [(self._cell(load.base, load.index), element) for load, element in seen if element.is_zone]
        sizes = [f"{cell} is None" if element.kind == "one" else f"len({cell})" for cell, element in cells]
        return [
            "    if not S.public:",
            f"        k = ({', '.join([*(f'v{var.number}' for var in unit.parameters), *sizes])},)",
            f"        r = q{number}.get(k)",
            f"        if r is None: return R.keep(q{number}, k, w{number}, S{given})",
            f"        if r[1]: R.work(r[1], {unit.name!r})",
            "        return r[0]",
        ]

    @cached_property
    def _concealed_elements(self) -> dict[int, m.Element]:
        elements = self.program.game.elements
        cells = ((each, range(each.offset, each.offset + each.count)) for each in elements)
        return {cell: each for each, own in cells for cell in own if cell in self.runtime.concealed_cells}

    def _evaluated(self, number: int, unit: c.Unit) -> list[str]:
        """Print the body of a unit for what is usual: no attempt fails, and zones that play leaves empty are empty.

        Otherwise the unit is evaluated as it is, by a function of its own.
        """
        sure, empty = self._usual(number, unit)
        again = f"x{number}({', '.join(['S', 's', *(f'v{var.number}' for var in unit.parameters)])})"
        tests = " or ".join(map(self._expr, empty))
        first = [f"    if {tests}: return {again}"] if empty else []
        body = unit.body if sure is None else sure
        # In a public state what is computed early may be unknown: these units read nothing concealed there.
        if self._is_fast(number) and unit.lists_moves:
            body = self._index_sets.split(unit.parameters, body)
        if sure is None or optimistic(unit.body) is None:
            return [*first, *self._whole(unit.parameters, body)]
        lines = self._whole(unit.parameters, body, 2)
        return [*first, "    try:", *lines, "    except Undecided: pass", f"    return {again}"]

    def _usual(self, number: int, unit: c.Unit) -> tuple[c.Body | None, list[c.Load]]:
        """Return the body for what is usual, or None if it is the same, and the zones that it takes for empty."""
        body = optimistic(unit.body)
        cells = self._empty_cells if self._is_fast(number) else frozenset[int]()
        empty = reads_of(unit.body, cells, frozenset(unit.parameters))
        if not empty or any(isinstance(each, UNDECIDED) for each in statements(body or unit.body)):
            return body, []
        return self._propagation.body(body or unit.body, dict.fromkeys(empty, NO_PIECES)), empty

    def _is_fast(self, number: int) -> bool:
        return self.is_fast or number in self.fast

    @cached_property
    def _empty_cells(self) -> frozenset[int]:
        return empty_cells(self.program)

    @cached_property
    def _propagation(self) -> Propagation:
        return Propagation(self.program.units)

    @cached_property
    def _index_sets(self) -> IndexSets:
        return IndexSets(self._propagation, self._failing)

    def _whole(self, parameters: tuple[c.Var, ...], body: c.Body, depth: int = 1) -> list[str]:
        """Print the body of a unit.

        Calls that it may repeat with the same values are made once, where they are first needed: a unit changes no
        cell.
        """
        # A search mostly takes the first item of a generator, so lists for further iterations would be made in vain.
        body = body if self._yielded else factored(parameters, body)
        repeated = repeated_parts(body, frozenset(parameters), self._row_searched)
        self._shared = {expr: f"h{at}" for at, expr in enumerate(repeated)}
        lines = [f"{'    ' * depth}{' = '.join(self._shared.values())} = None"] if self._shared else []
        for at, load in enumerate(self._of_given(parameters, body)):
            lines.append(f"{'    ' * depth}f{at} = {self._expr(load)}")
            self._shared[load] = f"f{at}"
        self._unit_body = body
        lines += self._body(body, depth)
        self._shared, self._unit_body = {}, ()
        return lines

    def _of_given(self, parameters: tuple[c.Var, ...], body: c.Body) -> Iterator[c.Load]:
        """Yield the cells, one for each player, that loops read of a player who is given to the unit."""
        loops = tuple(chain.from_iterable(each.body for each in body if isinstance(each, c.Each)))
        for load in dict.fromkeys(loads(*each_expression(loops))):
            match load.index:
                # Any such player has a cell there. What is concealed must not be read before its value counts.
                case c.Var(type=t.PlayerType(count=load.size)) as given if given in parameters:
                    if self.runtime.concealed_cells.isdisjoint(range(load.base, load.base + load.size)):
                        yield load

    # ---- generators

    def _one_by_one(self, number: int) -> list[str]:
        """Print a unit that lists items as a generator: a search usually takes the first item."""
        unit, self._yielded = self.program.units[number], None
        given = "".join(f", v{each.number}" for each in unit.parameters)
        match unit.body:
            case (*_, c.Return(value=c.Var() as var)) if any(
                isinstance(each, c.Append) and each.var == var for each in statements(unit.body)
            ):
                self._yielded = var
                return [f"def y{number}(S, s{given}):  # {unit.name}", *self._whole(unit.parameters, unit.body), ""]
            case (c.Return(value=c.Pick(yes=c.Call(), no=c.Pick() | c.Call()) as value),):
                # The unit is specialized for each player: the generator is that of the player's own unit.
                return [f"def y{number}(S, s{given}): return {self._generator(value)}", "", *self._generators(value)]
        return [f"def y{number}(S, s{given}): return u{number}(S, s{given})", ""]

    def _generator(self, value: c.Expr) -> str:
        """Print the generator of the items of a unit that is specialized for each player."""
        if isinstance(value, c.Pick):
            return f"({self._generator(value.yes)} if {self._test(value.test)} else {self._generator(value.no)})"
        assert isinstance(value, c.Call)
        return f"y{value.unit}(S, s)"

    def _generators(self, value: c.Expr) -> list[str]:
        """Print the functions that `_generator` names."""
        if isinstance(value, c.Pick):
            return [*self._generators(value.yes), *self._generators(value.no)]
        assert isinstance(value, c.Call)
        return self._one_by_one(value.unit)
