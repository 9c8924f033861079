"""The Python printer: prints a program as Python source, one function a unit or block."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from ...ir.failing import Failing
from ...ir.operations import BOOL, INT, TRUE, ZERO, both, has_value, op
from ...ir.sizes import Sizes
from ...ir.traversal import (
    called,
    calls,
    each_expression,
    expressions,
    parts,
    replaced,
    statements,
    weight,
)
from ..fast_paths import FAST_PATHS, PRINTED, is_revealing
from ..runtime import Runtime
from .cell_constants import CellConstants
from .empty_zones import empty_cells, reads_of
from .index_sets import IndexSets
from .invariant_lists import factored
from .offer_tests import OfferTests
from .optimistic import optimistic
from .patterns import (
    AS_ASKED,
    FEWEST_IN_SLICE,
    NO_VALUE,
    SHORT_TEST,
    cell_test,
    cells_of_loop,
    counts_equal_items,
    counts_in_any_order,
    counts_pieces,
    ends_search,
    evenly_spaced,
    finds_only_one,
    gathered_rows,
    is_computed_at_once,
    is_const,
    is_pure,
    leaves,
    loads,
    reads_in_a_row,
    repeated_parts,
    searched_row,
    split_index,
    tests_of,
    truth,
    unordered,
    unswitched,
    without_sorting,
)
from .propagation import EMPTY_LIST as NO_PIECES
from .propagation import UNDECIDED, Propagation
from .veiled_sizes import sizes_seen

NESTED = 60
"""The maximal nesting depth of blocks printed inside other blocks."""
UNCOUNTED = 64
"""The iterations of a loop over at most this many items do not count as work."""
SINGLE = 257 if all(int(str(number)) is int(str(number)) for number in range(257)) else 0
"""Equal whole numbers from 0 to below this are one object, however they are computed, so that `is` compares them:
CPython keeps one of each. Where a Python does not, nothing is compared so."""
COPIED, COPIES = 150, 4
"""A block no larger than this is copied to every jump to it; and the maximal depth of such copies."""

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
class Printer:
    """Prints one program.

    is_fast: whether units are optimised although that takes longer than a few calls of them; fast: those that are, in
    any case.
    """

    program: c.Program
    runtime: Runtime
    constants: dict[Any, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    is_fast: bool = False
    fast: set[int] = field(default_factory=set)
    _path: str = ""
    _inside: list[int] = field(default_factory=list)
    _weights: dict[int, int] = field(default_factory=dict)
    _shared: dict[c.Expr, str] = field(default_factory=dict)
    _unit_body: c.Body = ()
    _yielded: c.Var | None = None
    unrolled: int = 1
    _failing: Failing = field(init=False)
    _is_traced: bool = False
    _is_mute: bool = False
    # These are the list that the line before begins, and whether the statement makes it whole, so that the line is not
    # needed.
    _begun: c.Var | None = None
    _is_made_whole: bool = False
    _returns: bool = False
    _registers: frozenset[int] = frozenset()
    _tests: OfferTests = field(init=False)
    _constants: CellConstants = field(init=False)

    def __post_init__(self) -> None:
        self._failing = Failing(self.program)
        self._tests, self._constants = OfferTests(self.program, self._failing), CellConstants(self.program)
        self._merge()

    def source(self) -> str:
        """Return the whole program as source, without the constants, which are in `values`."""
        program, reached = self.program.complete(), self._reached()
        names = [f"u{number}" for number in range(len(program.units)) if number in reached]
        # The optimistic variant is `u`; `x` evaluates the unit with its attempts when that one has failed.
        names += [
            f"x{number}" for number in sorted(reached) if self._usual(number, program.units[number])[0] is not None
        ]
        names += [f"b{number}" for number in range(len(program.blocks)) if number not in self.gone]
        for number, wait in enumerate(program.waits):
            names += [f"o{number}", f"g{number}"] if isinstance(wait, c.Together) else []
            names += [f"l{number}"] if isinstance(wait, c.Decision) else []
        names += [f"y{number}" for number in self.yielded()]
        return "".join(map(self.function, names))

    def function(self, name: str) -> str:
        """Return the source of one function; the letter of its name gives its kind (`loading.py`).

        The order of calls affects only the names of constants.
        """
        letter, number = name[0], int(name[1:])
        self._turns, self._shared, self._unit_body, self._yielded, self._inside = 1, {}, (), None, []
        self._is_traced, self._is_mute, self._tests.holding, self._constants.held = letter == "t", False, [], {}
        match letter:
            case "u":
                lines = self._unit(number, self.program.units[number])
            case "x":
                unit = self.program.units[number]
                given = "".join(f", v{var.number}" for var in unit.parameters)
                lines = [f"def x{number}(S, s{given}):  # {unit.name}", *self._whole(unit.parameters, unit.body), ""]
            case "y":
                lines = self._one_by_one(number)
            case "l":
                lines = self._lister(number)
            case "g" | "o":
                lines = self._together(letter, number)
            case _:
                lines = self._jumping(letter, number)
        return "\n".join(lines) + "\n"

    def _jumping(self, letter: str, number: int) -> list[str]:
        """Print the function of a block. Where the block jumps to itself, the function continues from its beginning."""
        block = self.program.blocks[number]
        self._inside, self._path, self._returns = [number], block.name, False
        head, lines = f"def {letter}{number}(S, s):  # {block.name}", self._block(number, 1)
        if not self._returns:
            return [head, *lines, ""]
        return [head, "    for _ in T:", *(f"    {line}" for line in lines), "    raise R.endless()", ""]

    def _together(self, letter: str, number: int) -> list[str]:
        """Print a function for a simultaneous decision: who has still a choice, or the numbers of a player's moves."""
        wait = self.program.waits[number]
        assert isinstance(wait, c.Together)
        if letter == "o":
            lines = [f"    if {test}: v.append({seat})" for seat, test in enumerate(self._choices(number, wait))]
            return [f"def o{number}(S, s):", "    v = []", *lines, "    return v", ""]
        # Who is asked without having a move can only decline, which is number 0.
        listed = [line for option in wait.options for line in self._listed(option.lists, "me")]
        only = wait.options[0].lists
        if len(wait.options) == 1 and not self._is_repeated(only):
            (me,) = given = self.program.units[only].parameters
            found = self._expr(self._inlined(c.Call(only, given, t.ListOf(INT))))
            return [f"def g{number}(S, s, v{me.number}):", f"    return {found} or [0]", ""]
        return [f"def g{number}(S, s, me):", "    v = []", *listed, "    return v or [0]", ""]

    def yielded(self) -> list[int]:
        """Return the units that are printed as generators, too: lists of moves that are tried one after another."""
        waits = (wait for wait in self.program.waits if isinstance(wait, c.Decision))
        options = [each for wait in waits for each in wait.options if each.refusable]
        tried = [each.lists for each in options] + [each.seen for each in options if each.seen is not None]
        return list(dict.fromkeys([*tried, *(each.lists for each in self.program.action_tests if each.choices)]))

    def _reached(self) -> set[int]:
        """Return the units that are called from anywhere."""
        program = self.program
        waiting = [unit for _, unit in program.scores] + [unit for _, unit in program.winner if unit is not None]
        waiting += program.entry_units
        waiting += [test.lists for test in program.action_tests]
        for wait in program.waits:
            if isinstance(wait, c.Decision | c.Together):
                waiting += [unit for each in wait.options for unit in (each.lists, each.offers, each.admits)]
                waiting += [each.seen for each in wait.options if each.seen is not None]
            elif isinstance(wait, c.Chance):
                waiting.append(wait.lists)
        for block in program.blocks:
            waiting += calls(block.body)
        reached: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number not in reached:
                reached.add(number)
                unit = program.units[number]
                waiting += calls(unit.body)
                waiting += [] if unit.cycle is None else called(unit.cycle)
        return reached

    # ---- inlining of blocks

    def _merge(self) -> None:
        # A block with a second reference needs a function; one that an event or the engine enters counts as two.
        refs: Counter[int] = Counter({self.program.first: 2, 0: 2})
        for wait in self.program.waits:
            if wait is not None:
                refs[wait.then] += 2
                if isinstance(wait, c.Decision | c.Together):
                    refs.update({option.entry: 2 for option in wait.options})
        for test in self.program.action_tests:
            refs.update({test.entry: 2, test.body: 2})
        backs, stored = set[int](), list[tuple[int, Any]]()
        for block in self.program.blocks:
            for statement in statements(block.body):
                if statement.__class__ is c.Goto:
                    refs[statement.block] += 1
                elif statement.__class__ is c.Back:
                    backs.add(statement.cell)
                elif statement.__class__ is c.Put and statement.value.__class__ is c.Const:
                    stored.append((statement.base, statement.value.value))
        # A block to return to is stored by its number.
        refs.update({target: 2 for cell, target in stored if cell in backs})
        self.gone = {number for number in range(len(self.program.blocks)) if refs[number] <= 1}

    def _is_copied(self, block: int, depth: int) -> bool:
        """Return whether a block is copied to the jumps to it, so that it needs no function of its own."""
        if block in self._inside or depth >= NESTED:
            assert block not in self.gone, "a block that is gone has one place"
            return False
        if block in self.gone:
            return True
        if block not in self._weights:
            self._weights[block] = weight(self.program.blocks[block].body)
        # Each copy saves a call but lengthens every function that it is in, so copies inside copies are bounded.
        return len(self._inside) <= COPIES and self._weights[block] <= COPIED

    # ---- decisions

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
        for place, (at, option) in enumerate(options):
            if option.refusable:
                tests[place] = f"({tests[place]} if S.trial else R.stands(S, {number}, {at}, {me}))"
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

    def _bulk(self, number: int) -> int:
        """Return the size of a unit with the units that it calls."""
        body = self.program.units[number].body
        return weight(body) + sum(weight(self.program.units[unit].body) for unit in calls(body))

    def _lister(self, number: int) -> list[str]:
        """Print the function that lists the numbers of all moves of a decision, if they have numbers."""
        decision = self.program.waits[number]
        assert isinstance(decision, c.Decision)
        numbered = all(option.name in self.runtime.numbers.by_name for option in decision.options)
        if not numbered:
            return [f"def l{number}(S, s): return R.unnumbered({number})", ""]
        me = self._expr(decision.me)
        head = f"def l{number}(S, s):  # {decision.statement.path}"
        only = decision.options[0] if len(decision.options) == 1 else None
        open_ = self.runtime.concealed(number) is Concealed.NOTHING
        if only and open_ and not only.refusable and not decision.optional:
            unit = self.program.units[only.lists]
            return [head, f"    v{unit.parameters[0].number} = {me}", *self._evaluated(only.lists, unit), ""]
        lines = [head, "    v = []"]
        for at, option in enumerate(decision.options):
            if option.refusable:
                lines.append(f"    v += R.allowed(S, {number}, {at}, {me})")
            else:
                listed = self._inlined(c.Call(option.lists, (decision.me,), t.ListOf(INT)))
                calls_itself = isinstance(listed, c.Call) and listed.unit == option.lists
                more = self._listed(option.lists, me) if calls_itself else [f"    v += {self._expr(listed)}"]
                # The result of the test is memoized, and spares the list of an option that is not on offer.
                if option.offers in self._tests.often:
                    more = [f"    if u{option.offers}(S, s, {me}):", *(f"    {line}" for line in more)]
                lines += more
        if decision.optional:
            lines.append("    v.append(0)")
        elif self.runtime.concealed(number) is not Concealed.NOTHING:
            lines.append("    if not v: v.append(0)")
        # Options of one name may list the same move.
        if len({option.name for option in decision.options}) < len(decision.options):
            lines.append("    v = list(dict.fromkeys(v))")
        return [*lines, "    return v", ""]

    def _listed(self, number: int, me: str) -> list[str]:
        """Print the statements that append a unit's list to the list so far."""
        unit = self.program.units[number]
        match unit.body:
            case (c.New(var=var), *body, c.Return()) if self._is_repeated(number):
                given = [f"    v{unit.parameters[0].number} = {me}", f"    v{var.number} = v"]
                return [*given, *self._whole(unit.parameters, tuple(body))]
        return [f"    v += u{number}(S, s, {me})"]

    def _is_repeated(self, number: int) -> bool:
        """Return whether the statements of a unit that makes a list are repeated where it is called."""
        match body := self.program.units[number].body:
            case (c.New(var=var), *_, c.Return(value=found)):
                return found == var and weight(body) <= COPIED and optimistic(body) is None
        return False

    # ---- units

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self.program.units)

    @cached_property
    def _costs(self) -> Costs:
        return Costs(self.program.units)

    def _unit(self, number: int, unit: c.Unit) -> list[str]:
        self._path = unit.name
        given = "".join(f", v{var.number}" for var in unit.parameters)
        body = self._evaluated(number, unit)
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
        return IndexSets(self._propagation)

    def _whole(self, parameters: tuple[c.Var, ...], body: c.Body, depth: int = 1) -> list[str]:
        """Print the body of a unit.

        Calls that it may repeat with the same values are made once, where they are first needed: a unit changes no
        cell.
        """
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
        for load in dict.fromkeys(load for expr in each_expression(loops) for load in loads(expr)):
            match load.index:
                # Any such player has a cell there. What is concealed must not be read before its value counts.
                case c.Var(type=t.PlayerType(count=load.size)) as given if given in parameters:
                    if self.runtime.concealed_cells.isdisjoint(range(load.base, load.base + load.size)):
                        yield load

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

    # ---- statements

    def _slice(self, row: c.Body) -> str:
        """Print statements that read neighbouring cells as one that unpacks a slice."""
        names, loads = zip(*((each.var, each.value) for each in row if isinstance(each, c.Set)), strict=True)
        first, last = (self._cell(load.base + by, load.index)[2:-1] for load, by in ((loads[0], 0), (loads[-1], 1)))
        return f"{', '.join(f'v{var.number}' for var in names)} = s[{first}:{last}]"

    def _body(self, body: Iterable[c.Statement], depth: int) -> list[str]:
        lines: list[str] = []
        # This has the list that the last line begins, by the number of lines with it.
        begun: dict[int, c.Var] = {}
        pad = "    " * depth
        changed = False
        keeps, is_within, known = self.keeps and not self._unit_body, self._is_mute, self._tests.holding
        self._tests.holding = known[:]
        shorter = tuple(gathered_rows(tuple(without_sorting(tuple(body))), self._yielded))
        read = 0
        for at, given in enumerate(shorter := tuple(unswitched(shorter)) if self._unit_body else shorter):
            if read:
                read -= 1
                continue
            # A unit changes no cell, so that it may read them all before the first is used.
            read = reads_in_a_row(shorter[at:]) - 1 if self._unit_body else 0
            if read >= FEWEST_IN_SLICE:
                lines.append(pad + self._slice(shorter[at : at + read + 1]))
                continue
            read = 0
            statement = self._constants.resolved(given) if self._constants.held else given
            is_mute = is_within or (
                keeps and (changed or isinstance(statement, c.Put | c.Do)) and _asks_nothing(statement)
            )
            # Several changes drop the memo once, before the first statement that may look there.
            if changed and not is_mute:
                lines.append(f"{pad}S.known = {{}}")
                changed = False
            changed = changed or (keeps and not is_within and _changes(statement, is_mute))
            if self._yielded is not None and statement in (c.New(self._yielded), c.Return(self._yielded)):
                lines += [f"{pad}return"] if isinstance(statement, c.Return) else []
                continue
            self._is_mute, self._begun, self._is_made_whole = is_mute, begun.get(len(lines)), False
            printed = self._statement(statement, depth)
            del lines[len(lines) - self._is_made_whole :]
            lines += printed
            self._is_mute, self._is_made_whole = is_within, False
            begun = {len(lines): statement.var} if isinstance(statement, c.New) else {}
            # The flow surely leaves here, and what follows is never reached.
            if isinstance(statement, c.If) and leaves(statement.then) and self._holds(statement.test):
                changed = False
                break
            if not self._unit_body:
                self._tests.learn(statement)
                self._constants.follow(statement)
        self._tests.holding = known
        if changed:
            lines.append(f"{pad}S.known = {{}}")
        return lines or [f"{pad}pass"]

    def _block(self, number: int, depth: int) -> list[str]:
        """Print a block. A trial ends at the point after which no requirement can refuse the move."""
        body = self.program.blocks[number].body
        if number in self.runtime.refusals.blocks:
            for at in range(len(body) - 1, 0, -1):
                if self.runtime.refusals.in_((body[at],)):
                    break
                if self.runtime.refusals.in_((body[at - 1],)):
                    ended = "    " * depth + "if S.trial: return -1"
                    return [*self._body(body[:at], depth), ended, *self._body(body[at:], depth)]
        return self._body(body, depth)

    def _statement(self, statement: c.Statement, depth: int) -> list[str]:
        pad = "    " * depth
        match statement:
            case c.Each() | c.Loop():
                return self._loop(statement, depth)
            case c.Set(var=var, value=value):
                return [f"{pad}v{var.number} = {self._expr(value)}"]
            case c.Put(base=base, index=index, value=value):
                return [f"{pad}{self._cell(base, index)} = {self._expr(value)}"]
            case c.If():
                return self._branches(statement, depth)
            case c.Note():
                return [f"{pad}{self._noted(statement)}"] if self._is_traced else []
            case c.Break():
                return [f"{pad}break"]
            case c.New(var=var):
                return [f"{pad}v{var.number} = []"]
            case c.Append(var=var, item=item):
                self._is_made_whole, printed = var == self._begun, self._expr(item)
                if self._is_made_whole:
                    return [f"{pad}v{var.number} = [{printed}]"]
                return [f"{pad}yield {printed}" if var == self._yielded else f"{pad}v{var.number}.append({printed})"]
            case c.Fail(kind=kind, path=path, span=span):
                return [f"{pad}raise Fault({kind!r}, {path!r}, {self._held(span)})"]
            case c.Refuse(path=path, span=span):
                return [f"{pad}raise R.refuse(S, {path!r}, {self._held(span)})"]
            case c.Attempt(body=body):
                self._constants.forget(body)
                return [f"{pad}try:", *self._body(body, depth + 1), f"{pad}except Undecided: pass"]
            case c.Return(value=value):
                return [f"{pad}return {self._expr(value)}"]
            case c.Do(name=("move" | "leave") as name, args=(*places, c.Op(name="list_of", args=(piece,))), at=at):
                return self._moved(name, at, (*places, piece), pad)
            case c.Do(name="move_all" as name, args=args, at=at):
                return self._moved(name, at, args, pad)
            case c.Do(name=name, args=args, at=at):
                given = "".join(f", {self._expr(arg)}" for arg in args)
                number = "" if at < 0 else f", {at}"
                return [f"{pad}R.{name}(S{number}{given})"]
        return self._goes(statement, depth)

    def _promoted(self, loop: c.Each | c.Loop) -> dict[int, bool]:
        """Return the slots that a loop of a block uses often, and whether it changes them: it keeps them in variables.

        Slots that may be unknown are not among them: they must not be read before their value counts.
        """
        if self._unit_body:
            return {}
        slots, uses, changed = self.program.game.cell_count, Counter[int](), set[int]()
        for statement in statements((loop,)):
            # The flow would leave the loop, or a service look into the buffer, before the variables are written back.
            if isinstance(statement, c.Do | c.Goto | c.Wait | c.Back | c.End):
                return {}
            if isinstance(statement, c.Put):
                if statement.index is None:
                    changed.add(statement.base)
                elif statement.base + statement.size > slots:
                    return {}
            waiting = [*expressions(statement)]
            while waiting:
                expr = waiting.pop()
                waiting += parts(expr)
                if isinstance(expr, c.Call | c.Serve) or (
                    isinstance(expr, c.Load) and expr.index is not None and expr.base + expr.size > slots
                ):
                    return {}
                if isinstance(expr, c.Load) and expr.index is None:
                    uses[expr.base] += 1
        used = {*uses, *changed} - self._registers - self.runtime.secret_cells
        return {cell: cell in changed for cell in used if cell >= slots and uses[cell] + (cell in changed) > 1}

    def _loop(self, loop: c.Each | c.Loop, depth: int) -> list[str]:
        """Print a loop, and around it what keeps slots in variables."""
        self._constants.forget((loop,))
        pad, before, promoted = "    " * depth, self._registers, self._promoted(loop)
        self._registers = before.union(promoted)
        first = [f"{pad}r{cell} = s[{cell}]" for cell in sorted(promoted)]
        if isinstance(loop, c.Each):
            lines = self._each(loop, depth)
        else:
            turn = f"{pad}    R.turn({(loop.path or self._path)!r})"
            endless = [f"{pad}else:", f"{pad}    raise R.endless()"]
            lines = [f"{pad}for _ in T:", turn, *self._body(loop.body, depth + 1), *endless]
        self._registers = before
        return [*first, *lines, *(f"{pad}s[{cell}] = r{cell}" for cell in sorted(promoted) if promoted[cell])]

    def _branches(self, branch: c.If, depth: int) -> list[str]:
        if not branch.then and not branch.otherwise and has_value(branch.test):
            return []
        if self._holds(branch.test):
            return self._body(branch.then, depth)
        if isinstance(branch.test, c.Const):
            return self._body(branch.otherwise, depth) if branch.otherwise else []
        pad, test = "    " * depth, self._test(branch.test)
        if not is_pure(branch.test):
            self._constants.held = {}
        before = dict(self._constants.held)
        lines = [f"{pad}if {test}:", *self._body(branch.then, depth + 1)]
        after, self._constants.held = self._constants.held, before
        if branch.otherwise:
            lines += [f"{pad}else:", *self._body(branch.otherwise, depth + 1)]
        if branch.otherwise and leaves(branch.otherwise):
            self._constants.held = after
        # What follows is reached on both ways, and knows only what both of them know.
        elif not leaves(branch.then):
            self._constants.meet(after)
        return lines

    def _holds(self, test: c.Expr) -> bool:
        """Return whether a test is known to hold."""
        if isinstance(test, c.Const):
            return bool(test.value)
        return self._tests.is_known_to_hold(test) or (isinstance(test, c.Serve) and self._test(test) == "True")

    def _noted(self, note: c.Note) -> str:
        if note.kind == "named":
            return f"S.trace.named.add({self._held(note.span)})"
        return f"S.trace.{note.kind}[{note.path!r}] += 1"

    def _extended(self, var: c.Var, items: str, begun: c.Var | None) -> str:
        """Print the extension of a list. begun: a list that the line before begins, which is made of the items."""
        self._is_made_whole = var == begun
        return f"v{var.number} = list({items})" if self._is_made_whole else f"v{var.number} += {items}"

    def _each(self, each: c.Each, depth: int) -> list[str]:
        match each:
            case c.Each(items=items, body=(c.Return(value=c.Const(value=value)),)) if is_computed_at_once(items):
                return [f"{'    ' * depth}if {self._expr(unordered(items))}: return {value!r}"]
        begun, pad, turns = self._begun, "    " * depth, self._turns
        first, listed = self._gone_through(each, pad)
        name = each.items.name if isinstance(each.items, c.Op) else ""
        match each.body:
            case (c.Append(var=found, item=item),) if item == each.var and found != self._yielded:
                lines = [pad + self._extended(found, listed, None if first else begun)]
            case (c.Append(var=found, item=c.Op(name="add", args=(var, c.Const(value=by)))),) if (
                var == each.var and found != self._yielded and name == "interval" and isinstance(each.items, c.Op)
            ):
                ends = [op("add", end, c.Const(by, INT), gives=INT) for end in each.items.args]
                whole = self._expr(c.Op("interval", tuple(ends), each.items.type))
                lines = [pad + self._extended(found, whole, None if first else begun)]
            case (c.If(test=c.Op(name="eq", args=args), then=(c.Set(var=found, value=value),), otherwise=()),) if (
                counts_equal_items(each, found, value, args)
            ):
                target = next(arg for arg in args if arg != each.var)
                # Without items nothing is compared, so that nothing can fail.
                guard = "" if has_value(target) else f"if {listed}: "
                lines = [f"{pad}{guard}v{found.number} += {listed}.count({self._expr(target)})"]
            case (c.If(test=c.Op(name="eq", args=(c.Load() as load, value)), then=then, otherwise=()),) if (
                row := cells_of_loop(each, load)
            ) is not None and finds_only_one(each, value, then):
                lines = self._only_one(row, value, then, pad)
            case (c.If(test=c.Op(name="has", args=(item, held)), then=then, otherwise=()),) if (
                item == each.var and self._is_open_set(held) and ends_search(then)
            ):
                then_body = then[:-1] if isinstance(then[-1], c.Break) else then
                lines = [f"{pad}if not {self._expr(held)}.isdisjoint({listed}):", *self._body(then_body, depth + 1)]
            case body:
                lines = [f"{pad}for v{each.var.number} in {listed}:", *self._body(body, depth + 1)]
        self._turns = turns
        return [*first, *lines]

    def _gone_through(self, each: c.Each, pad: str) -> tuple[list[str], str]:
        """Print the items of a loop, after statements that count its turns as work."""
        listed = self._items(each.items)
        match each.items:
            case c.Op(name="bag_union", args=(c.Load(), c.Load()) as sides) if counts_in_any_order(each):
                listed = self._expr(c.Op("concat", sides, each.items.type))
        name = each.items.name if isinstance(each.items, c.Op) else ""
        around = self._unit_body or (self.program.blocks[self._inside[-1]].body if self._inside else ())
        most = None if name in AS_ASKED else self._sizes.of(each.items, around)
        if not each.weight:
            pass
        # The turns of loops inside one another multiply.
        elif most is not None and most <= UNCOUNTED and self._turns * most <= UNCOUNTED**2:
            self._turns *= max(1, most)
        elif name in AS_ASKED:
            listed = listed if name == "parts" else f"R.one_by_one({listed}, {(each.path or self._path)!r})"
        else:
            is_many = "w"
            # What a unit that is called here does has to be counted, whatever number of items there are.
            if self._turns <= UNCOUNTED and not calls(each.body):
                is_many, self._turns = f"len(w) > {UNCOUNTED}", self._turns * UNCOUNTED
            counted = self._work("4 * len(w)", each.path or self._path)
            lines = [f"{pad}w = {listed}", f"{pad}if {is_many}:", *(f"{pad}    {line}" for line in counted)]
            return lines, "w"
        return [], listed

    @staticmethod
    def _work(work: str, path: str) -> list[str]:
        """Print that work is counted, in place of a call."""
        return [f"M.left = m = M.left - {work}", f"if m < 0: raise R.over({path!r})"]

    def _only_one(self, row: tuple[range, int], value: c.Expr, then: c.Body, pad: str) -> list[str]:
        """Print the search for the one cell of a row that holds a value, which fails if several do."""
        cells, first = row
        match then:
            case (c.If(test=c.Var() as found, then=(c.If(then=fails),), otherwise=(_, c.Set(var=which))),):
                return [
                    f"{pad}w = s[{cells.start}:{cells.stop}]",
                    f"{pad}if m := w.count({self._expr(value)}):",
                    f"{pad}    w = w.index({self._expr(value)}) + {first}",
                    # A search that is split (`index_sets.py`) may have found another one in an earlier row.
                    f"{pad}    if m > 1 or (v{found.number} and v{which.number} != w):",
                    *self._body(fails, len(pad) // 4 + 2),
                    f"{pad}    v{found.number}, v{which.number} = True, w",
                ]
        raise AssertionError(then)

    def _is_open_set(self, items: c.Expr) -> bool:
        """Return whether an expression reads a set that everybody sees, and nothing else."""
        match items:
            case c.Const(value=frozenset()):
                return True
            case c.Load(base=base, index=None, type=t.SetOf()):
                return base not in self.runtime.concealed_cells
        return False

    def _goes(self, statement: c.Statement, depth: int) -> list[str]:
        """Print a statement by which the flow leaves a block."""
        pad = "    " * depth
        match statement:
            case c.Goto(block=block):
                if self._is_copied(block, depth):
                    self._inside.append(block)
                    lines = self._block(block, depth)
                    self._inside.pop()
                    return lines
                if block == self._inside[0]:
                    self._returns = True
                    return [f"{pad}continue"]
                return [f"{pad}return {block}"]
            case c.Wait(number=number):
                return [f"{pad}S.wait = {number}", f"{pad}return -1"]
            case c.Back(cell=cell):
                return [f"{pad}return s[{cell}]"]
            case c.End(path=path):
                note = [f"{pad}S.trace.ended = {path!r}"] if path and self._is_traced else []
                return [*note, f"{pad}S.wait = 0", f"{pad}return -1"]
        raise AssertionError(statement)

    @cached_property
    def keeps(self) -> bool:
        """Whether printed code or the runtime memoizes anything while no cell changes."""
        return self.program.keeps or bool(self._tests.often)

    # ---- expressions

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

    def _moved(self, name: str, at: int, args: Sequence[c.Expr], pad: str) -> list[str]:
        """Print a service in place, specialized for the calling statement."""
        step = self.runtime.step(at)
        lines = PRINTED[name](step, at, f"M.over({step.path!r}, {self._held(step.span)})", *map(self._expr, args))
        return [pad + line for line in lines]

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
        if not isinstance(pieces, c.Var | c.Load) or any(map(_is_asked, limits)):
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

    def _of_type(self, name: str, of: t.Type) -> str:
        """Print the type argument of an operation."""
        if isinstance(of, t.Record) and name == "find":
            return self._held((name, of), of.positions)
        if name not in ("bag_union", "bag_minus"):
            return self._held((name, of), of)
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


def is_table(unit: c.Unit) -> bool:
    """Return whether the unit's results are kept in a memo table."""
    return unit.keeps == "always" and bool(unit.parameters) and unit.cycle is None


def _asks_nothing(statement: c.Statement) -> bool:
    """Return whether a statement reads no memoized result, and falls through."""
    return not any(
        isinstance(each, c.Goto | c.Wait | c.Back | c.End | c.Return | c.Loop | c.Attempt)
        or any(map(_is_asked, expressions(each)))
        for each in statements((statement,))
    )


def _is_asked(expr: c.Expr) -> bool:
    return isinstance(expr, c.Call | c.Serve) or any(map(_is_asked, parts(expr)))


def _changes(statement: c.Statement, inside: bool) -> bool:
    """Return whether a statement, or one nested in it, changes a cell."""
    return any(isinstance(each, c.Put | c.Do) for each in (statements((statement,)) if inside else (statement,)))


FEW_EQUAL, FEW_EMPTY = 14, 25
"""The fewest cells that are tested as a slice for equality, and for emptiness; `FEWEST_IN_SLICE` by default. A slice is
a new list, while tests one by one make none, and end at the first that decides."""


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


RANKED = 1000
"""The number of ranks of values that are memoized: the pieces of a bag are ranked again whenever another is added."""
