"""The Python printer of expressions, and of the tests whether a decision has a legal move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, takewhile
from typing import Any

from ludex.spec import is_whole, order_of, ranking
from ludex.spec import model as m
from ludex.spec import types as t

from ....information.decision_visibility import Concealed
from ...ir import code as c
from ...ir import three_valued
from ...ir.costs import Costs
from ...ir.failing import Failing, has_value
from ...ir.operations import BOOL, INT, TRUE, ZERO, both, op
from ...ir.traversal import calls, replaced, weight
from ..fast_paths import FAST_PATHS, is_revealing
from ..runtime import Runtime
from .cell_constants import CellConstants
from .offer_tests import OfferTests
from .patterns import (
    NO_VALUE,
    SHORT_TEST,
    cell_test,
    counts_pieces,
    evenly_spaced,
    gathered_rows,
    is_const,
    searched_row,
    split_index,
    tests_of,
    truth,
    unordered,
)

UNCOUNTED = 64
"""The iterations of a loop over at most this many items do not count as work."""
SINGLE = 257 if all(int(str(number)) is int(str(number)) for number in range(257)) else 0
"""Equal whole numbers from 0 to below this are one object, however they are computed, so that `is` compares them:
CPython keeps one of each. Where a Python does not, nothing is compared so."""
FEW_EQUAL, FEW_EMPTY = 14, 25
"""The fewest cells that are tested as a slice for equality, and for emptiness; `FEWEST_IN_SLICE` by default. A slice is
a new list, while tests one by one make none, and end at the first that decides. In CPython both take the same time for
some 14 cells that are all unequal to a number. As `is None` takes less time than `==`, more cells are tested by it."""
RANKED = 1000
"""The number of ranks of values that are memoized: the pieces of a bag are ranked again whenever another is added."""

INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%", "eq": "==", "ne": "!=", "lt": "<", "le": "<=",
    "gt": ">", "ge": ">=", "has": "in", "union": "|", "concat": "+",
}  # fmt: skip
SAME = {"eq": "is", "ne": "is not"}
FORMS = {
    "neg": "-{0}",
    "abs": "abs({0})",
    "not": "not {0}",
    "none": "{0} is None",
    "some": "{0} is not None",
    "between": "{1} <= {0} <= {2}",
    "interval": "range({0}, {1} + 1)",
    "interval_set": "frozenset(range({0}, {1} + 1))",
    "is_empty": "not {0}",
    "size": "len({0})",
    "minus": "{0}.difference({1})",
    "reversed": "{0}[::-1]",
    "top": "top({0})",
    "place_in": "{0}.index({1}) + 1",
    "tuple": "tuple({0})",
    "frozenset": "frozenset({0})",
    "only": "only({0})",
    # The sign makes a number of a truth value, in less time than a call of `int`.
    "int": "+({0})",
    "item": "{0}[{1}]",
    "there": "there({0})",
    "once": "dict.fromkeys({0})",
    "is_part": "is_part({0}, {1})",
    "may": "{0} is not False",
    "must": "{0} is True",
}
_OF_TYPE = {
    "bag_union": "bag_union({of}, {0}, {1})",
    "bag_minus": "bag_minus_({of}, {0}, {1})",
    "find": "{of}.get(({args},))",
    "fits": "fits({of}, {0})",
    "copies": "copies({of}, {0})",
    "position": "position({of}, {0})",
}
_CALLS = frozenset(name for name, form in FORMS.items() if re.fullmatch(r"[\w.]*(\{0\})?[\w.]*[(\[].*[)\]]", form))
"""Printed forms that need no brackets around them."""


@dataclass
class ExpressionPrinter:
    """Prints expressions, and the tests of decisions that are made in their place.

    Attributes:
        constants, values: the names of constants that have no literal, and the values by these names.
    """

    program: c.Program
    runtime: Runtime
    constants: dict[Any, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    _path: str = ""
    _shared: dict[c.Expr, str] = field(default_factory=dict)
    _unit_body: c.Body = ()
    _registers: frozenset[int] = frozenset()
    _is_traced: bool = False
    _failing: Failing = field(init=False)
    _tests: OfferTests = field(init=False)
    _constants: CellConstants = field(init=False)

    def __post_init__(self) -> None:
        self._failing = Failing(self.program)
        self._tests, self._constants = OfferTests(self.program, self._failing), CellConstants(self.program)

    def _cell(self, base: int, index: c.Expr | None) -> str:
        if index is None:
            return f"r{base}" if base in self._registers else f"s[{base}]"
        index, base = split_index(base, index)
        match index:
            # A table with the base in it saves an addition at each read.
            case c.Lookup(table=table, index=inner) if base and all(map(is_whole, table)):
                return f"s[{self._held(tuple(base + at for at in table))}[{self._expr(inner)}]]"
        return f"s[{self._expr(index)} + {base}]" if base else f"s[{self._expr(index)}]"

    def _items(self, items: c.Expr) -> str:
        match items:
            case c.Op(name="ordered", args=(inner,), of=of) if of is not None and _is_plain(of):
                return f"sorted({self._expr(inner)})"
            case c.Const(value=tuple() as value):
                if len(value) > 2 and all(map(is_whole, value)) and value == tuple(range(value[0], value[-1] + 1)):
                    return f"range({value[0]}, {value[-1] + 1})"
        return self._expr(items)

    def _expr(self, expr: c.Expr) -> str:
        match expr:
            case c.Const(value=value):
                return repr(value) if value is None or isinstance(value, int) else self._held(value)
            case c.Var(number=number):
                return f"v{number}"
            case c.Load(base=base, index=index):
                return (self._unit_body and self._shared.get(expr)) or self._cell(base, index)
            case c.Lookup(table=table, index=index):
                return f"{self._held(table)}[{self._expr(index)}]"
            case c.Pick(test=test, yes=yes, no=no):
                return f"({self._expr(yes)} if {self._test(test)} else {self._expr(no)})"
            case c.Call():
                called = self._tests.same(expr)
                unit, args = called.unit, called.args
                given = [self._expr(arg) for arg in args]
                is_kept = is_table(self.program.units[unit])
                call = f"m{unit}[{', '.join(given)}]" if is_kept else f"u{unit}({', '.join(['S', 's', *given])})"
                return self._made_once(expr, self._in_place(called, call, is_shared=expr in self._shared))
            case c.Serve(name="offers", args=(c.Const(value=number), me)):
                return self._offers(number, me)
            case c.Serve(name=name, args=args, at=at):
                if name == "draw":
                    return self._drawn(expr)
                if name == "stated":
                    (number, *cells) = args
                    assert isinstance(number, c.Const)
                    return f"{self._service(name, number.value)}({', '.join(['S', *map(self._expr, cells)])})"
                if name == "together":
                    return self._waiting(args[0])
                stated = ["S", *([] if at < 0 else [str(at)]), *map(self._expr, args)]
                return f"R.{name}({', '.join(stated)})"
            case c.Op():
                return self._op(expr)
        raise AssertionError(expr)

    def _drawn(self, draw: c.Serve) -> str:
        """Print a draw: whether all pieces are drawn, and the next need not be revealed to somebody."""
        source, _, left = args = [self._expr(arg) for arg in draw.args]
        drawn = f"{self._service(draw.name, draw.at)}({', '.join(['S', *args])})"
        # An empty source may be filled before the draw, which only the service knows.
        if self.program.game.refills:
            return drawn
        places = (c.Load(int(cell), None, 1, INT) for cell in (source, left))
        at, count = (self._constants.held.get(place.base, place) for place in places)
        if is_revealing(self.runtime.step(draw.at)):
            drawn = f"not ((h := s[{self._expr(at)}]) and type(h[-1]) is Ticket) and {drawn}"
        return f"({drawn})" if isinstance(count, c.Const) and count.value else f"({self._expr(count)} == 0 or {drawn})"

    def _service(self, name: str, at: int) -> str:
        """Return the name of a service specialized for the calling statement."""
        bound = f"{name}{at}"
        if bound not in self.values:
            self.values[bound] = FAST_PATHS[name](self.runtime, at)
        return bound

    def _test(self, expr: c.Expr) -> str:
        """Print an expression of which only the truth value counts."""
        match expr:
            case c.Op(name=("and" | "or") as name, args=args) if self._run(expr) is None:
                return f"({f' {name} '.join(map(self._test, args))})"
            case c.Op(name="not", args=(c.Op(name="is_empty", args=(inner,)),)):
                return self._expr(inner)
            case c.Op(name="not", args=(inner,)):
                return f"(not {self._test(inner)})"
        return self._expr(expr)

    def _op(self, expr: c.Op) -> str:
        short = self._run(expr) or self._same(expr) or self._number(expr) or self._short(expr)
        if short is not None:
            return short
        name, args = expr.name, [self._expr(arg) for arg in expr.args]
        if name in ("and", "or"):
            return f"({f' {name} '.join(args)})"
        if name == "sum":
            # Python adds truth values as numbers.
            bare = (arg.args[0] if isinstance(arg, c.Op) and arg.name == "int" else arg for arg in expr.args)
            return f"({' + '.join(map(self._expr, bare))})"
        if name == "select":
            pairs = expr.args[1]
            assert isinstance(pairs, c.Const)
            return f"{self._held(('select', pairs.value), dict(pairs.value))}.get({args[0]})"
        if name in INFIX:
            return f"({args[0]} {INFIX[name]} {args[1]})"
        if name in ("min", "max"):
            if len(args) == 1:
                return args[0]
            # Both operands are printed twice, which is still faster than a call of the built-in function.
            if len(args) == 2 and all(isinstance(arg, c.Const | c.Var) for arg in expr.args):
                return f"({args[0]} if {args[0]} {'<=' if name == 'min' else '>='} {args[1]} else {args[1]})"
            return f"{name}({', '.join(args)})"
        if name in ("is_public", "is_trial"):
            return f"S.{name[3:]}"
        if name == "look":
            (load,) = expr.args
            assert isinstance(load, c.Load)
            return f"look(S, {load.base if load.index is None else f'{self._expr(load.index)} + {load.base}'})"
        if name in three_valued.OPERATIONS:
            return f"{name}({', '.join(args)})"
        if name in three_valued.OF_TYPE:
            return f"{self._held((name, expr.of), three_valued.OF_TYPE[name](expr.of))}({', '.join(args)})"  # type: ignore[arg-type]
        if name == "parts":
            return self._or_empty(expr, f"R.parts({self._path!r}, {', '.join(args)})", "((),)", "()")
        if name == "fitting":
            return self._or_empty(expr, f"fitting({', '.join(args)})", args[0], "None")
        if name in ("set_of", "list_of", "row"):
            inside = f"({', '.join(args)}{',' if len(args) == 1 else ''})"
            return f"frozenset({inside})" if name == "set_of" else inside
        if name == "ordered":
            assert expr.of is not None
            if _is_plain(expr.of):
                return f"tuple(sorted({args[0]}))"
            return f"tuple({self._held(expr.of, order_of(expr.of))}({args[0]}))"
        if name in _OF_TYPE:
            assert expr.of is not None
            return _OF_TYPE[name].format(*args, args=", ".join(args), of=self._of_type(name, expr.of))
        printed = self._made_once(expr, FORMS[name].format(*args))
        return printed if name in _CALLS else f"({printed})"

    def _short(self, expr: c.Op) -> str | None:
        """Print an operation that has a short form for operands of this kind, or return None."""
        match expr:
            case c.Op(name="union", args=(held, c.Op(name="set_of" | "frozenset", args=(item,)) as more)):
                added = f"({self._expr(item)},)" if more.name == "set_of" else self._expr(item)
                return f"{self._expr(held)}.union({added})"
            case c.Op(name="is_known", args=(c.Var(number=number),)):
                # Most values are numbers, for which nothing needs to be called.
                return f"(v{number}.__class__ is int or is_known(v{number}))"
        return None

    def _or_empty(self, expr: c.Op, found: str, empty: str, none: str) -> str:
        """Print the parts of a collection within limits: of none there is only the empty part, whose sums are 0."""
        pieces, *limits = expr.args
        # What is printed twice has to be short.
        if not isinstance(pieces, c.Var | c.Load) or not all(map(has_value, limits)):
            return found
        ends = zip(limits[1::3], limits[2::3], strict=True)
        tests = [op("le", *pair, gives=BOOL) for low, high in ends for pair in ((low, ZERO), (ZERO, high))]
        within: c.Expr = TRUE
        for test in tests:
            within = both(within, test)
        if within != TRUE:
            empty = f"({empty} if {self._test(within)} else {none})"
        return f"({found} if {self._expr(pieces)} else {empty})"

    def _same(self, expr: c.Op) -> str | None:
        """Print a comparison of single objects by identity, or return None. No literal may be an operand of `is`."""
        if expr.name not in SAME or not all(map(self._is_single, expr.args)):
            return None
        if expr.args[0] == expr.args[1]:
            return str(expr.name == "eq")
        one, two = (self._held(arg.value) if isinstance(arg, c.Const) else self._expr(arg) for arg in expr.args)
        return f"({one} {SAME[expr.name]} {two})"

    def _number(self, expr: c.Op) -> str | None:
        """Print the size of a set that a unit collects by one test for each value as a sum; or return None."""
        match expr:
            case c.Op(name="size", args=(c.Call(unit=number),)):
                unit = self.program.units[number]
                tests = None if unit.keeps or unit.cycle else tests_of(unit.body)
                return None if tests is None else self._expr(c.Op("sum", tuple(tests), INT))
        return None

    def _is_single(self, expr: c.Expr) -> bool:
        """Return whether equal values of the expression are one object: a small number, or such a number or none in a
        cell."""
        match expr:
            case c.Const(value=value):
                return _is_single(value)
            case c.Load(base=base):
                return base in self._single_cells
        return False

    @cached_property
    def _single_cells(self) -> frozenset[int]:
        """The cells that hold words, players and the like, or none.

        Where something is concealed there are none: values that are not known are not compared by identity.
        """
        elements = self.program.game.elements
        if any(each.visibility != "open" for each in elements):
            return frozenset()
        cells = (range(each.offset, each.offset + each.count) for each in elements if _is_of_singles(each))
        return frozenset(chain.from_iterable(cells))

    def _of_type(self, name: str, of: t.Type) -> str:
        """Print the type argument of an operation."""
        if isinstance(of, t.Record) and name == "find":
            return self._held((name, of), of.positions)
        if name not in ("bag_union", "bag_minus"):
            return self._held((name, of), of)
        # Values of a plain type are numbers, in the order of the type.
        return "None" if _is_plain(of) else self._held((name, of), lru_cache(RANKED)(ranking(of)))

    def _run(self, expr: c.Op) -> str | None:
        """Print the same test of many cells at regular distances as one test of a slice, or return None."""
        match expr:
            case c.Op(name="once", args=(c.Op(name="bag_union", args=(one, two), of=of),)) if of and _is_plain(of):
                return f"sorted({{*{self._expr(unordered(one))}, *{self._expr(unordered(two))}}})"
            case c.Op(name="list_of", args=args) if (cells := self._cells_of(args)) is not None:
                return f"tuple({cells})"
            case c.Op(name="frozenset", args=(c.Op(name="there", args=(c.Op(name="list_of", args=row),)),)) if (
                cells := self._cells_of(row)
            ) is not None:
                return f"(h if None not in (h := frozenset({cells})) else h.difference((None,)))"
            case c.Op(name=("and" | "or" | "sum") as name, args=args):
                tests = [cell_test(arg, counted=name == "sum") for arg in args]
            case _:
                return None
        first = tests[0]
        if first is None or any(each is None or each[1:] != first[1:] for each in tests):
            return None
        if name != "sum" and len(tests) < (FEW_EMPTY if first[2] == NO_VALUE else FEW_EQUAL):
            return None
        loads = [each[0] for each in tests if each is not None]
        cells = self._cells_of(loads)
        if cells is None:
            return None
        _, kind, value = first
        printed = self._expr(value)
        match name, kind:
            case "or", "eq":
                return f"({printed} in {cells})"
            case "and", "ne":
                return f"({printed} not in {cells})"
            case "sum", "eq":
                return f"{cells}.count({printed})"
            case "sum", "ne":
                return f"({len(tests)} - {cells}.count({printed}))"
        return None

    def _cells_of(self, loads: Sequence[c.Expr]) -> str | None:
        """Print the slice of the buffer that has just these cells in this order, or return None."""
        found = evenly_spaced(loads)
        if found is None:
            return None
        index, bases = found
        first, last = (self._cell(end, index)[2:-1] if index else str(end) for end in (bases.start, bases.stop))
        read = {cell for load in loads if isinstance(load, c.Load) for cell in range(load.base, load.base + load.size)}
        # An unknown value must not be read, and an unknown piece cannot be compared with nothing.
        if read & self._registers or read & self.runtime.concealed_cells:
            return None
        return f"s[{first}:{last}{f':{bases.step}' if bases.step > 1 else ''}]"

    def _held(self, key: Any, value: Any = None) -> str:
        """Return a name for a constant that has no literal."""
        key = (type(key).__name__, _typed(key))
        if key not in self.constants:
            name = self.constants[key] = f"c{len(self.constants)}"
            self.values[name] = key[1] if value is None else value
            if value is None:
                self.values[name] = _untyped(key[1])
        return self.constants[key]

    # ---- calls

    @cached_property
    def _costs(self) -> Costs:
        return Costs(self.program.units)

    def _in_place(self, call: c.Call, printed: str, is_shared: bool = False) -> str:
        """Print what a call does in its place if the unit counts pieces, or reads a row of cells, and does little else.

        is_shared: it is made once for several places, and may be longer there.
        """
        unit = self.program.units[call.unit]
        if unit.keeps or unit.cycle is not None or isinstance(unit, c.Deferred):
            return printed
        if not self._costs.work(call.unit) and (counted := counts_pieces(unit)):
            return self._counted(*counted, dict(zip(unit.parameters, call.args, strict=True)), printed)
        if is_shared:
            return printed
        match call.args, unit.body:
            case (), (c.New(), *_):
                match tuple(gathered_rows(unit.body, None)):
                    case (
                        c.Set(var=var, value=c.Op(name="frozenset", args=(c.Op(name="there"),)) as value),
                        c.Return(value=held),
                    ) if held == var and not self._costs.work(call.unit):
                        return self._expr(value)
            case (c.Var(number=value_of),), _ if (found := self._row_searched(call.unit)) and found[0] in self._shared:
                row, first = found
                place = f"{self._shared[row]}.index(v{value_of}) + {first}"
                # If the value is not there, or not only once, the call fails.
                return f"({place} if {self._made_once(row, self._expr(row))}.count(v{value_of}) == 1 else {printed})"
        return printed

    def _counted(self, zone: c.Expr, test: c.Op, most: int | None, given: dict[c.Var, c.Expr], call: str) -> str:
        """Print the number of pieces for which a test holds. given: the arguments of a unit that counts them."""
        value = replaced(test.args[1], given)
        count = f"g.count({self._expr(value)})"
        if test.name == "has":
            assert isinstance(value, c.Const)
            count = f"sum(map({self._held(('has', value.value), value.value.__contains__)}, g))"
        pieces = replaced(zone, given)
        if isinstance(pieces, c.Op):
            pieces = replace(pieces, name="concat")
        # So few pieces take no work from the budget, and their number is in range.
        few = UNCOUNTED if most is None else min(most, UNCOUNTED)
        return f"({count} if len(g := {self._expr(pieces)}) <= {few} else {call})"

    def _row_searched(self, number: int) -> tuple[c.Op, int] | None:
        """Return the row in which a unit finds the only place with the value it is given, and the first place."""
        unit = self.program.units[number]
        found = None if isinstance(unit, c.Deferred) else searched_row(unit)
        # The unit counts the cells of a long row as work, and looks at concealed ones one by one.
        if found is None or len(found[0]) > UNCOUNTED or self._cells_of(found[0]) is None:
            return None
        return c.Op("list_of", found[0], t.ListOf(found[0][0].type)), found[1]

    def _made_once(self, expr: c.Expr, printed: str) -> str:
        """Print an expression that a unit needs several times so that it is evaluated where it is first needed."""
        name = self._shared.get(expr)
        return printed if name is None else f"({name} if {name} is not None else ({name} := {printed}))"

    # ---- tests of decisions

    def _offers(self, number: int, acting: c.Expr) -> str:
        """Print the test whether a decision has a legal move. acting: who decides."""
        decision, me = self.program.waits[number], self._expr(acting)
        assert isinstance(decision, c.Decision | c.Together)
        options = c.in_order_of_test(decision.options)
        # Tests that cannot fail may be asked in any order, so the short ones come first. After one that can fail, the
        # order decides which fault there is. What is tried may fail.
        sure = [*takewhile(lambda each: not each[1].refusable and not self._failing.unit(each[1].offers), options)]
        options = [*sorted(sure, key=lambda each: self._bulk(each[1].offers)), *options[len(sure) :]]
        tests = [self._test(self._inlined(c.Call(option.offers, (acting,), BOOL))) for _, option in options]
        # Inside a trial the leading requirements are enough.
        for place, (at, option) in enumerate(options):
            if option.refusable:
                tests[place] = f"({tests[place]} if S.trial else R.has_legal(S, {number}, {at}, {me}))"
        is_certain = any(option.free and not (option.refusable or option.guarded) for option in decision.options)
        if isinstance(decision, c.Decision) and not (isinstance(acting, c.Const) and acting.value is not None):
            tests.insert(0, f"({me} is None and R.who(S, {number}, {me}))")
        else:
            is_certain = is_certain or "True" in tests[: len(sure)]
        if self.runtime.concealed(number) is not Concealed.NOTHING:
            tests.append(f"R.may_offer(S, {number}, {me})")
        if any(option.refusable or option.guarded for option in decision.options) and self.runtime.may_refuse_after(
            number
        ):
            tests.append(f"R.pass_over(S, {number}, {me})")
        if is_certain:
            tests = ["True"]
        if self.runtime.concealed(number) is not Concealed.NOTHING:
            tests = [f"R.may_offer(S, {number}, {me}) if S.public else ({' or '.join(tests)})"]
        probed = ["S.probe"] if any(not test.choices for test in self.program.action_tests) else []
        return "True" if tests == ["True"] else f"({' or '.join([*probed, *tests])})"

    def _bulk(self, number: int) -> int:
        """Return the size of a unit with the units that it calls."""
        body = self.program.units[number].body
        return weight(body) + sum(weight(self.program.units[unit].body) for unit in calls(body))

    def _inlined(self, call: c.Expr) -> c.Expr:
        """Return a short test that a call of a unit makes in place of the call."""
        if not isinstance(call, c.Call):
            return call
        unit = self.program.units[call.unit]
        # A unit that counts work counts it at each call.
        if unit.keeps or unit.cycle is not None or weight(unit.body) > SHORT_TEST or self._costs.work(call.unit):
            return call
        test = truth(unit.body)
        if test is None:
            return call
        test = replaced(test, dict(zip(unit.parameters, call.args, strict=True)))
        while isinstance(test, c.Pick) and isinstance(test.test, c.Op) and all(map(is_const, test.test.args)):
            one, two = (arg.value for arg in test.test.args if isinstance(arg, c.Const))
            test = test.yes if (one == two) == (test.test.name == "eq") else test.no
        return self._inlined(test)

    def _choices(self, number: int, wait: c.Together) -> list[str]:
        """Print, for each seat, the test whether the player still has to state a choice."""
        seats = range(self.program.game.players)
        # Where the decision begins it is known that nobody has stated anything, and need not be tested.
        none = self._constants.held.get(wait.stated)
        stated = "s[{}][{}] is None and " if none is None or any(none.value) else ""
        return [stated.format(wait.stated, seat) + self._offers(number, c.Const(seat, INT)) for seat in seats]

    def _waiting(self, number: c.Expr) -> str:
        """Print the test whether somebody still has to state a choice."""
        assert isinstance(number, c.Const)
        wait = self.program.waits[number.value]
        assert isinstance(wait, c.Together)
        passed = [f"R.passed(S, {number.value})"] if self._is_traced else []
        return f"({' or '.join([*self._choices(number.value, wait), *passed])})"


def is_table(unit: c.Unit) -> bool:
    """Return whether the unit's results are kept in a memo table."""
    return unit.keeps == "always" and bool(unit.parameters) and unit.cycle is None


def _is_single(value: t.Value) -> bool:
    return type(value) is int and 0 <= value < SINGLE


def _is_of_singles(element: m.Element) -> bool:
    """Return whether the cells of an element hold small numbers that stand for names, or none."""
    of = t.strip_optional(element.type)
    named = isinstance(of, t.Words | t.Record | t.PlayerType | t.ComponentType)
    return element.kind in ("state", "one") and named and (t.size(of) or 0) <= SINGLE


def _typed(value: Any) -> Any:
    """Return a key that distinguishes `True` from 1."""
    if isinstance(value, tuple):
        return tuple((type(each).__name__, _typed(each)) for each in value)
    if isinstance(value, frozenset):
        return frozenset((type(each).__name__, _typed(each)) for each in value)
    return value


def _untyped(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_untyped(each) for _, each in value)
    if isinstance(value, frozenset):
        return frozenset(_untyped(each) for _, each in value)
    return value


def _is_plain(of: t.Type) -> bool:
    return not isinstance(of, t.Optional | t.SetOf | t.BagOf | t.ListOf)
