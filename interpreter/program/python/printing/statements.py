"""The Python printer of statements: assignments, branches, loops, and the ways by which the flow leaves a block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ludex.spec import types as t

from ...ir import code as c
from ...ir.failing import has_value
from ...ir.operations import INT, op
from ...ir.size_bounds import Sizes
from ...ir.traversal import calls, expressions, parts, statements, weight
from ..fast_paths import PRINTED
from .expressions import UNCOUNTED, ExpressionPrinter
from .patterns import (
    AS_ASKED,
    FEWEST_IN_SLICE,
    cells_of_loop,
    counts_equal_items,
    counts_in_any_order,
    ends_search,
    finds_only_one,
    gathered_rows,
    is_computed_at_once,
    is_pure,
    leaves,
    reads_in_a_row,
    unordered,
    unswitched,
    without_sorting,
)

NESTED = 60
"""The maximal nesting depth of blocks printed inside other blocks."""
COPIED, COPIES = 150, 4
"""A block no larger than this is copied to every jump to it; and the maximal depth of such copies."""


@dataclass
class StatementPrinter(ExpressionPrinter):
    """Prints statements, with the blocks that are copied to the jumps to them.

    Attributes:
        gone: the blocks that are copied to their only jump, so that they have no function.
    """

    gone: set[int] = field(init=False)
    _inside: list[int] = field(default_factory=list)
    _weights: dict[int, int] = field(default_factory=dict)
    _yielded: c.Var | None = None
    _turns: int = 1
    _is_mute: bool = False
    # These are the list that the line before begins, and whether the statement makes it whole, so that the line is not
    # needed.
    _begun: c.Var | None = None
    _is_made_whole: bool = False
    _returns: bool = False

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
            # A generator has no list that begins or is returned.
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

    def _slice(self, row: c.Body) -> str:
        """Print statements that read neighbouring cells as one that unpacks a slice."""
        names, loads = zip(*((each.var, each.value) for each in row if isinstance(each, c.Set)), strict=True)
        first, last = (self._cell(load.base + by, load.index)[2:-1] for load, by in ((loads[0], 0), (loads[-1], 1)))
        return f"{', '.join(f'v{var.number}' for var in names)} = s[{first}:{last}]"

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

    def _branches(self, branch: c.If, depth: int) -> list[str]:
        if not branch.then and not branch.otherwise and has_value(branch.test):
            return []
        if self._holds(branch.test):
            return self._body(branch.then, depth)
        if isinstance(branch.test, c.Const):
            return self._body(branch.otherwise, depth) if branch.otherwise else []
        pad, test = "    " * depth, self._test(branch.test)
        # Services such as a draw change cells while they answer.
        if not is_pure(branch.test):
            self._constants.held = {}
        before = dict(self._constants.held)
        lines = [f"{pad}if {test}:", *self._body(branch.then, depth + 1)]
        after, self._constants.held = self._constants.held, before
        if branch.otherwise:
            lines += [f"{pad}else:", *self._body(branch.otherwise, depth + 1)]
        # Only the first branch leads to what follows.
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

    def _moved(self, name: str, at: int, args: Sequence[c.Expr], pad: str) -> list[str]:
        """Print a service in place, specialized for the calling statement."""
        step = self.runtime.step(at)
        lines = PRINTED[name](step, at, f"M.over({step.path!r}, {self._held(step.span)})", *map(self._expr, args))
        return [pad + line for line in lines]

    @cached_property
    def keeps(self) -> bool:
        """Whether printed code or the runtime memoizes anything while no cell changes."""
        return self.program.keeps or bool(self._tests.often)

    # ---- the end of a block

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

    # ---- loops

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

    def _each(self, each: c.Each, depth: int) -> list[str]:
        match each:
            # If there is an item, the first iteration returns.
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
                # The interval is moved as a whole, in place of each of its numbers.
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

    def _extended(self, var: c.Var, items: str, begun: c.Var | None) -> str:
        """Print the extension of a list. begun: a list that the line before begins, which is made of the items."""
        self._is_made_whole = var == begun
        return f"v{var.number} = list({items})" if self._is_made_whole else f"v{var.number} += {items}"

    def _gone_through(self, each: c.Each, pad: str) -> tuple[list[str], str]:
        """Print the items of a loop, after statements that count its turns as work."""
        listed = self._items(each.items)
        match each.items:
            case c.Op(name="bag_union", args=(c.Load(), c.Load()) as sides) if counts_in_any_order(each):
                listed = self._expr(c.Op("concat", sides, each.items.type))
        name = each.items.name if isinstance(each.items, c.Op) else ""
        around = self._unit_body or (self.program.blocks[self._inside[-1]].body if self._inside else ())
        most = None if name in AS_ASKED else self._sizes.of(each.items, around)
        # A loop without weight is known to be short (`invariant_lists.py`).
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

    @cached_property
    def _sizes(self) -> Sizes:
        return Sizes(self.program.units)

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


def _asks_nothing(statement: c.Statement) -> bool:
    """Return whether a statement reads no memoized result, and falls through."""
    return not any(
        isinstance(each, c.Goto | c.Wait | c.Back | c.End | c.Return | c.Loop | c.Attempt)
        or not all(map(has_value, expressions(each)))
        for each in statements((statement,))
    )


def _changes(statement: c.Statement, inside: bool) -> bool:
    """Return whether a statement, or one nested in it, changes a cell."""
    return any(isinstance(each, c.Put | c.Do) for each in (statements((statement,)) if inside else (statement,)))
