"""Native code for a whole program: its units and blocks, what decisions and chance ask for, whole plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from ludex.spec import model as m
from ludex.spec import types as t

from ...concealment import Concealment
from ...instructions import Concealed
from .. import code as c
from ..moves import Numbered, Numbers
from ..trees import statements
from . import generator, infer
from .prelude import LESS, PLAYS, PRELUDE, SORT, TAKE
from .shapes import MAY_REFUSE, NONE, PROBE, TRIAL, Flag, Items, Layout, Mask, NotCarried, Number, Shape, join
from .text import FAULT, LIMIT, REFUSED, Function
from .values import Constants, Values
from .writer import Writer
from .zones import Zones

IDS = Items(Number(-(2**62), 2**62))
"""A list of numbers of moves."""
STATE = "ptr %C, ptr %S"
BLOCKS_AT_ONCE = 100_000
"""A play that goes through so many blocks between two events goes on for ever."""


class Whole:
    """Prints one program.

    Attributes:
        sites: where the rules fail or refuse, by the number that the code leaves behind.
    """

    def __init__(self, program: c.Program) -> None:
        self.program, self.game = program, program.game
        self.numbers = Numbers(program.game)
        self.layout = Layout(program)
        self.shapes = infer.Shapes(program, self.layout)
        self.constants = Constants()
        self.sites: list[c.Fail | c.Refuse] = []
        self.within: list[int] = []
        self.recursive = _recursive(program)
        self.failing, self.allocating = set(self.recursive), set(self.recursive)
        self._helpers: dict[str, str] = {}
        self._tables: dict[tuple[int, Shape], str] = {}
        self._kept: list[object] = []
        self._concealment = Concealment(program.game)
        self._check()

    def _check(self) -> None:
        for wait in self.program.waits:
            match wait:
                case c.Together():
                    raise NotCarried("players who choose at the same time")
                case c.Hidden():
                    raise NotCarried("pieces that nobody has seen")
                case c.Decision():
                    names = [option.name for option in wait.options]
                    if len(names) != len(set(names)):
                        raise NotCarried("two options of one name at a decision")
                    if any(name not in self.numbers.by_name for name in names):
                        raise NotCarried("moves that have no number")
                    if self._concealment.of(wait.routine, wait.statement) is not Concealed.NOTHING:
                        raise NotCarried("decisions whose moves hang on what others may not see")
        if any(unit.cycle is not None for unit in self.program.units):
            raise NotCarried("a define that has a value of its own where it meets itself")

    def text(self) -> str:
        """The whole program."""
        parts = [self._unit(number) for number in _callees_first(self.program)]
        parts += [self._block(number) for number in range(len(self.program.blocks)) if not self.is_alone(number)]
        parts += [self._run(), *self._waits(), *self._endings()]
        return "\n".join(
            [
                PRELUDE,
                generator.LLVM,
                self.constants.text(),
                *self._helpers.values(),
                *parts,
                '!0 = !{!"branch_weights", i32 1, i32 2000}\n',
            ]
        )

    # ---- what writers ask for

    def site(self, statement: c.Fail | c.Refuse) -> int:
        self.sites.append(statement)
        return len(self.sites) - 1

    def table(self, table: tuple[t.Value, ...], shape: Shape) -> str:
        """The address of a table of values of one shape."""
        key = id(table), shape
        if key not in self._tables:
            self._kept.append(table)
            self._tables[key] = self.constants.of_bytes(b"".join(self.constants.encoded(each, shape) for each in table))
        return self._tables[key]

    def parameter(self, unit: int, var: c.Var) -> Shape:
        return self.shapes.vars[unit][var.number] or Number(0, 0)

    def gives(self, unit: int) -> str:
        shape = self.shapes.returns.get(unit)
        return "i64" if shape is None else shape.llvm

    def sorter(self, shape: Items) -> str:
        """The function that sorts a list of this shape in place."""
        if isinstance(shape.item, Items) and isinstance(shape.item.item, Number):
            less = self._less_lists(shape.item)
            return self._helper(f"sort_lists_{shape.stride}_{shape.item.stride}", SORT, stride=shape.stride, less=less)
        if not isinstance(shape.item, Number):
            raise NotCarried("collections that are put in order")
        kind = f"i{shape.stride * 8}"
        less = f"  %va = load {kind}, ptr %a\n  %vb = load {kind}, ptr %b\n  %less = icmp slt {kind} %va, %vb\n"
        return self._helper(f"sort_{shape.stride}", SORT, stride=shape.stride, less=less)

    def _less_lists(self, item: Items) -> str:
        name = self._helper(f"less_{item.stride}", LESS, kind=f"i{item.stride * 8}", stride=item.stride)
        return f"  %less = call i1 @{name}(ptr %a, ptr %b)\n"

    def taker(self, shape: Items) -> str:
        """The function that takes the last item equal to a number out of a list, and says whether there was one."""
        kind, least = f"i{shape.stride * 8}", -(2 ** (8 * shape.stride - 1))
        return self._helper(f"take_{shape.stride}", TAKE, kind=kind, stride=shape.stride, least=least)

    def _helper(self, name: str, text: str, **parts: str | int) -> str:
        if name not in self._helpers:
            self._helpers[name] = text.format(name=name, **parts)
        return name

    # ---- units and blocks

    def _unit(self, number: int) -> str:
        unit = self.program.units[number]
        given = [(var, self.parameter(number, var)) for var in unit.parameters]
        parameters = "".join(f", {shape.llvm} %a{var.number}" for var, shape in given)
        f = Function(f"u{number}", f"ptr noalias nocapture %C, ptr nocapture %S{parameters}", self.gives(number))
        writer = Writer(f, self, number)
        for var, _ in given:
            writer.keep(var.number, f"%a{var.number}")
        writer.body(unit.body)
        text = f.text()
        if f.stops:
            self.failing.add(number)
        if (
            "@new(" in text
            or "@room(" in text
            or any(isinstance(part, c.Call) and part.unit in self.allocating for part in infer.parts(unit.body))
        ):
            self.allocating.add(number)
        return text

    @cached_property
    def _alone(self) -> frozenset[int]:
        """Blocks that follow one other alone, and stand in it."""
        program, refs = self.program, Counter[int]()
        refs.update({program.first: 2, 0: 2})
        for wait in program.waits:
            if wait is not None:
                refs[wait.then] += 2
                if isinstance(wait, c.Decision | c.Together):
                    refs.update({option.entry: 2 for option in wait.options})
        for standing in program.standing:
            refs.update({standing.entry: 2, standing.body: 2})
        backs = {each.cell for block in program.blocks for each in statements(block.body) if isinstance(each, c.Back)}
        for block in program.blocks:
            for statement in statements(block.body):
                match statement:
                    case c.Goto(block=target):
                        refs[target] += 1
                    case c.Put(base=base, value=c.Const(value=int() as target)) if base in backs:
                        refs[target] += 2
        return frozenset(number for number in range(len(program.blocks)) if refs[number] <= 1)

    def is_alone(self, block: int) -> bool:
        return block in self._alone and block not in self.within

    def _block(self, number: int) -> str:
        f = Function(f"b{number}", "ptr noalias nocapture %C, ptr noalias nocapture %S", None)
        Writer(f, self, infer.BLOCKS).body(self.program.blocks[number].body)
        return f.text()

    def _run(self) -> str:
        """Go on to the next event or the end."""
        there = [number for number in range(len(self.program.blocks)) if not self.is_alone(number)]
        cases = "".join(f"    i32 {number}, label %b{number}\n" for number in there)
        arms = "".join(f"b{n}:\n  %r{n} = call i32 @b{n}({STATE})\n  br label %on\n" for n in there)
        after = "".join(f", [ %r{n}, %b{n} ]" for n in there)
        return f"""
define internal i32 @run({STATE}, i32 %first) {{
entry:
  %top.at = getelementptr i8, ptr %C, i64 16
  %top = load ptr, ptr %top.at
  br label %head
head:
  %block = phi i32 [ %first, %entry ], [ %next, %again ]
  %left = phi i32 [ {BLOCKS_AT_ONCE}, %entry ], [ %less, %again ]
  switch i32 %block, label %lost [
{cases}  ]
{arms}lost:
  br label %on
on:
  %next = phi i32 [ {LIMIT}, %lost ]{after}
  %goes = icmp sge i32 %next, 0
  br i1 %goes, label %again, label %done
again:
  %less = sub i32 %left, 1
  %over = icmp eq i32 %less, 0
  br i1 %over, label %ever, label %head
ever:
  store ptr %top, ptr %top.at
  ret i32 {LIMIT}
done:
  store ptr %top, ptr %top.at
  %waits = icmp eq i32 %next, -1
  %why = select i1 %waits, i32 0, i32 %next
  ret i32 %why
}}
"""

    # ---- services

    def serve(self, writer: Writer, name: str, args: Sequence[c.Expr], at: int) -> str:
        """What a service answers."""
        match name, args:
            case "offers", (c.Const(value=number), me):
                return self._asked(writer, f"offers{number}", f"i64 {writer.number(me)}")
            case "can", _:
                standing = self.program.standing[at]
                given = [(cell, writer.number(arg)) for cell, arg in zip(standing.cells, args, strict=False)]
                return self._asked(writer, f"can{at}", ", ".join(f"i64 {value}" for _, value in given))
        raise NotCarried(f"the service `{name}`")

    @staticmethod
    def _asked(writer: Writer, name: str, given: str) -> str:
        f = writer.f
        found = f.let(f"call {{ i1, i32 }} @{name}({STATE}{', ' if given else ''}{given})")
        why = f.let(f"extractvalue {{ i1, i32 }} {found}, 1")
        f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        return f.let(f"extractvalue {{ i1, i32 }} {found}, 0")

    def do(self, writer: Writer, name: str, args: Sequence[c.Expr], at: int) -> None:
        """A service that changes the state."""
        match name:
            case "enter" | "leave" | "move" | "move_all" | "swap":
                Zones(writer, self.layout, self.program.services[at].statement).do(name, args)
            case _:
                raise NotCarried(f"the service `{name}`")

    # ---- what is waited for

    def _waits(self) -> Iterator[str]:
        for number, wait in enumerate(self.program.waits):
            match wait:
                case c.Decision():
                    yield self._take(number, wait)
                    yield from (
                        self._trial(number, at, option) for at, option in enumerate(wait.options) if option.refusable
                    )
                    yield self._moves(number, wait)
                    yield self._offers(number, wait)
                case c.Chance():
                    yield self._take_chance(number, wait)
                    yield self._outcomes(number, wait)
        yield from (self._can(at, standing) for at, standing in enumerate(self.program.standing))
        if self.program.standing:
            yield self._has_any()

    def _me(self, writer: Writer, wait: c.Decision) -> str:
        return writer.number(wait.me)

    def _choose(self, f: Function, number: str, ways: Sequence[tuple[int, int, str]]) -> None:
        """Branch by the range that a number lies in: first, how many, label; behind it stands what fits none."""
        for first, size, label in ways:
            on = f.label()
            at = f.let(f"sub i64 {number}, {first}")
            f.branch(f.let(f"icmp ult i64 {at}, {size}"), label, on)
            f.begin(on)

    def _take(self, number: int, wait: c.Decision) -> str:
        """Carry out the legal move with this number."""
        f = Function(f"take{number}", f"{STATE}, i64 %id", None)
        writer = Writer(f, self, infer.BLOCKS)
        _mark(f, MAY_REFUSE, 1)
        ways = [(self.numbers.by_name[option.name], f.label(), option) for option in wait.options]
        declines = f.label()
        self._choose(f, "%id", [(0, 1, declines), *((each.first, each.size, label) for each, label, _ in ways)])
        f.stop(LIMIT)
        f.begin(declines)
        f.do(f"ret i32 {f.let(f'call i32 @run({STATE}, i32 {wait.then})')}")
        f.ended = True
        for numbered, label, option in ways:
            f.begin(label)
            self._bind(writer, numbered, option)
            f.do(f"ret i32 {f.let(f'call i32 @run({STATE}, i32 {option.entry})')}")
            f.ended = True
        return f.text()

    def _bind(self, writer: Writer, numbered: Numbered, option: c.Option) -> None:
        """What the move with the number `%id` states goes into its cells."""
        f = writer.f
        rest = f.let(f"sub i64 %id, {numbered.first}")
        for argument, radix in reversed(list(zip(option.arguments, numbered.radices, strict=True))):
            at = f.let(f"urem i64 {rest}, {radix}")
            rest = f.let(f"udiv i64 {rest}, {radix}")
            if argument.cell is not None:
                shape = self.layout.cells[argument.cell].shape
                value = _value_at(writer, at, argument.type)
                writer.store(writer.cell(argument.cell, None, 1), writer.to(value, Number(0, 0), shape), shape, None)

    def _trial(self, number: int, at: int, option: c.Option) -> str:
        """Whether nothing refuses the move before the next event."""
        f = Function(f"trial{number}_{at}", f"{STATE}, i64 %id", "i1")
        outer = f.let("load ptr, ptr %C.top")
        tried = self._copy(f)
        inner = Function(f"tried{number}_{at}", f"{STATE}, i64 %id", None)
        writer = Writer(inner, self, infer.BLOCKS)
        _mark(inner, MAY_REFUSE, 1)
        _mark(inner, TRIAL, 1)
        self._bind(writer, self.numbers.by_name[option.name], option)
        inner.do(f"ret i32 {inner.let(f'call i32 @run({STATE}, i32 {option.entry})')}")
        inner.ended = True
        why = f.let(f"call i32 @tried{number}_{at}(ptr %C, ptr {tried}, i64 %id)")
        f.do(f"store ptr {outer}, ptr %C.top")
        self._judged(f, why)
        return inner.text() + f.text()

    @staticmethod
    def _judged(f: Function, why: str) -> None:
        """True where all went well, false where it was refused."""
        refused, well, other = f.label(), f.label(), f.label()
        f.switch(why, [(0, well), (REFUSED, refused)], other)
        f.begin(refused)
        f.give("false")
        f.begin(well)
        f.give("true")
        f.begin(other)
        f.stop(why)

    def _copy(self, f: Function) -> str:
        """A copy of the state in the free room."""
        made = f.let(f"call ptr @new(ptr %C, i64 {self.layout.size}, i64 1)")
        f.stop_if(f.let(f"icmp eq ptr {made}, null"), LIMIT)
        f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {made}, ptr %S, i64 {self.layout.size}, i1 false)")
        return made

    def _listed(self, writer: Writer, option: c.Option, me: str) -> tuple[str, Items]:
        """The list of an option's instances."""
        unit = option.lists
        shape = self.shapes.returns[unit]
        assert isinstance(shape, Items)
        gives = self.gives(unit)
        kind = self.parameter(unit, self.program.units[unit].parameters[0])
        f = writer.f
        found = f.let(f"call {{ {gives}, i32 }} @u{unit}({STATE}, {kind.llvm} {me})")
        why = f.let(f"extractvalue {{ {gives}, i32 }} {found}, 1")
        f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        return f.let(f"extractvalue {{ {gives}, i32 }} {found}, 0"), shape

    def _moves(self, number: int, wait: c.Decision) -> str:
        """The list of the numbers of all legal moves, in order."""
        f = Function(f"moves{number}", STATE, "ptr")
        writer = Writer(f, self, infer.BLOCKS)
        shape = self.moves_shape(wait)
        me = self._me(writer, wait)
        whole: str | None = None
        for at, option in enumerate(wait.options):
            found, own = self._listed(writer, option, me)
            found = writer.to(found, own, shape)
            if option.refusable:
                found = self._legal(writer, f"trial{number}_{at}", found, shape)
            whole = found if whole is None else writer.chained(whole, found, shape)
        assert whole is not None
        if wait.optional:
            slot = f.slot("ptr")
            f.do(f"store ptr {writer.copied(whole, shape)}, ptr {slot}")
            writer.append(slot, "0", shape, Number(0, 0))
            whole = f.let(f"load ptr, ptr {slot}")
        f.give(whole)
        return f.text()

    def moves_shape(self, wait: c.Decision) -> Items:
        found: Shape | None = Items(Number(0, 0)) if wait.optional else None
        for option in wait.options:
            found = join(found, self.shapes.returns[option.lists])
        assert isinstance(found, Items)
        return found if isinstance(found.item, Number) else IDS

    def _legal(self, writer: Writer, trial: str, found: str, shape: Items) -> str:
        """Those of the moves that nothing refuses."""
        f = writer.f
        slot = f.slot("ptr")
        f.do(f"store ptr {writer.new(writer.size(found), shape)}, ptr {slot}")
        with f.counted("0", writer.size(found)) as at:
            assert shape.item is not None
            item = writer.load(writer.at(found, at, shape), shape.item)
            with f.when(self._asked(writer, trial, f"i64 {item}")):
                writer.append(slot, item, shape, shape.item)
        return f.let(f"load ptr, ptr {slot}")

    def _offers(self, number: int, wait: c.Decision) -> str:
        """Whether the decision has something to choose."""
        f = Function(f"offers{number}", f"{STATE}, i64 %me", "i1")
        writer = Writer(f, self, infer.BLOCKS)
        with f.when(_marked(f, PROBE)):
            f.give("true")
        f.stop_if(f.let(f"icmp eq i64 %me, {NONE}"), FAULT)
        f.give(self._has_instance(writer, number, wait, "%me"))
        return f.text()

    def _has_instance(self, writer: Writer, number: int, wait: c.Decision, me: str) -> str:
        f = writer.f
        if any(option.free and not option.refusable for option in wait.options):
            return "true"
        found, leading = f.slot("i1"), f.slot("i1")
        f.do(f"store i1 false, ptr {found}")
        f.do(f"store i1 false, ptr {leading}")
        done = f.label()
        trial = _marked(f, TRIAL)
        for at, option in enumerate(wait.options):
            offered, listed, on = f.label(), f.label(), f.label()
            f.branch(trial if option.refusable else "true", offered, listed)
            f.begin(offered)
            unit = option.offers
            kind = self.parameter(unit, self.program.units[unit].parameters[0])
            gives = self.gives(unit)
            answer = f.let(f"call {{ {gives}, i32 }} @u{unit}({STATE}, {kind.llvm} {me})")
            why = f.let(f"extractvalue {{ {gives}, i32 }} {answer}, 1")
            f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
            held = f.let(f"extractvalue {{ {gives}, i32 }} {answer}, 0")
            f.do(f"store i1 {held}, ptr {found}")
            f.branch(held, done, on)
            f.begin(listed)
            if option.refusable:
                value, shape = self._listed(writer, option, me)
                assert shape.item is None or isinstance(shape.item, Number)
                if shape.item is not None:
                    with f.counted("0", writer.size(value)) as turn:
                        f.do(f"store i1 true, ptr {leading}")
                        legal = self._asked(
                            writer,
                            f"trial{number}_{at}",
                            f"i64 {writer.load(writer.at(value, turn, shape), shape.item)}",
                        )
                        with f.when(legal):
                            f.do(f"store i1 true, ptr {found}")
                            f.jump(done)
            f.jump(on)
            f.begin(on)
        with f.when(f.let(f"load i1, ptr {leading}")):
            _mark(f, MAY_REFUSE, 0)
        f.begin(done)
        return f.let(f"load i1, ptr {found}")

    # ---- chance

    def _outcomes(self, number: int, wait: c.Chance) -> str:
        """The list of the outcomes, all alike."""
        domain = wait.statement.domain
        if not isinstance(domain, m.IntervalExpr | m.AllValues) and not isinstance(domain.type, t.SetOf):
            raise NotCarried("chance over items that may be equal")
        shape = self.shapes.returns[wait.lists]
        if not isinstance(shape, Items):
            raise NotCarried("chance over a mask")
        f = Function(f"moves{number}", STATE, "ptr")
        found = f.let(f"call {{ ptr, i32 }} @u{wait.lists}({STATE})")
        why = f.let(f"extractvalue {{ ptr, i32 }} {found}, 1")
        f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        f.give(f.let(f"extractvalue {{ ptr, i32 }} {found}, 0"))
        return f.text()

    def _take_chance(self, number: int, wait: c.Chance) -> str:
        f = Function(f"take{number}", f"{STATE}, i64 %id", None)
        writer = Writer(f, self, infer.BLOCKS)
        _mark(f, MAY_REFUSE, 0)
        shape = self.layout.cells[wait.cell].shape
        writer.store(writer.cell(wait.cell, None, 1), writer.to("%id", Number(0, 0), shape), shape, None)
        f.do(f"ret i32 {f.let(f'call i32 @run({STATE}, i32 {wait.then})')}")
        f.ended = True
        return f.text()

    # ---- `can`

    def _can(self, at: int, standing: c.Standing) -> str:
        """Whether an action has a legal instance, here and now, that nothing behind its steps refuses."""
        action = self.game.actions[standing.action]
        kinds = (t.PlayerType(self.game.players), *(of for _, of in action.parameters))
        if any(t.element_type(of) is not None for of in kinds):
            raise NotCarried("actions of collections about which it is asked whether they can be done")
        names = [f"%a{place}" for place in range(len(kinds))]
        f = Function(f"can{at}", f"{STATE}, {', '.join(f'i64 {name}' for name in names)}", "i1")
        f.stop_if(f.let("call i1 @deeper(ptr %C)"), LIMIT)
        outer = f.let("load ptr, ptr %C.top")
        alone = self._copy(f)
        f.do(f"%S.alone = getelementptr i8, ptr {alone}, i64 0")
        inner = _On(self, f, "%S.alone")
        for cell, name in zip(standing.cells, names, strict=False):
            inner.put(cell, name)
        inner.put(standing.back, "0")
        found = f.slot("i1")
        f.do(f"store i1 false, ptr {found}")
        why = f.slot("i32")
        f.do(f"store i32 0, ptr {why}")
        leave = f.label()
        if standing.choices:
            self._can_choose(f, standing, names, found, why, leave)
        else:
            f.do(f"store i8 1, ptr {f.let(f'getelementptr i8, ptr %S.alone, i64 {PROBE}')}")
            f.do(f"store i8 1, ptr {f.let(f'getelementptr i8, ptr %S.alone, i64 {MAY_REFUSE}')}")
            f.do(f"store i8 0, ptr {f.let(f'getelementptr i8, ptr %S.alone, i64 {TRIAL}')}")
            said = f.let(f"call i32 @run(ptr %C, ptr %S.alone, i32 {standing.entry})")
            f.do(f"store i32 {said}, ptr {why}")
            with f.when(f.let(f"icmp eq i32 {said}, 0")):
                answer = f.let("call { i1, i32 } @has_any(ptr %C, ptr %S.alone)")
                f.do(f"store i1 {f.let(f'extractvalue {{ i1, i32 }} {answer}, 0')}, ptr {found}")
                f.do(f"store i32 {f.let(f'extractvalue {{ i1, i32 }} {answer}, 1')}, ptr {why}")
        f.begin(leave)
        f.do("call void @shallower(ptr %C)")
        f.do(f"store ptr {outer}, ptr %C.top")
        said = f.let(f"load i32, ptr {why}")
        bad = f.let(f"icmp ne i32 {said}, 0")
        worse = f.let(f"and i1 {bad}, {f.let(f'icmp ne i32 {said}, {REFUSED}')}")
        f.stop_if(worse, said)
        f.give(f.let(f"load i1, ptr {found}"))
        return f.text()

    def _can_choose(
        self, f: Function, standing: c.Standing, names: Sequence[str], found: str, why: str, leave: str
    ) -> None:
        shape = self.shapes.returns[standing.lists]
        if not isinstance(shape, Items) or not isinstance(shape.item, Items | None):
            raise NotCarried("an action whose choices are no lists")
        if shape.item is None:
            return
        values = Values(f, self.constants)
        unit = self.program.units[standing.lists]
        given = "".join(
            f", {self.parameter(standing.lists, var).llvm} {name}"
            for var, name in zip(unit.parameters, names, strict=True)
        )
        if "i1" in given.split():
            raise NotCarried("an action of truth values about which it is asked whether it can be done")
        listed = f.let(f"call {{ ptr, i32 }} @u{standing.lists}(ptr %C, ptr %S.alone{given})")
        said = f.let(f"extractvalue {{ ptr, i32 }} {listed}, 1")
        f.do(f"store i32 {said}, ptr {why}")
        going = f.label()
        f.branch(f.let(f"icmp eq i32 {said}, 0"), going, leave)
        f.begin(going)
        items = f.let(f"extractvalue {{ ptr, i32 }} {listed}, 0")
        tried = values.new(str(self.layout.size), Items(Number(0, 1)))
        f.do(f"%S.tried = getelementptr i8, ptr {tried}, i64 0")
        inner = _On(self, f, "%S.tried")
        with f.counted("0", values.size(items)) as at:
            f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr %S.tried, ptr %S.alone, i64 {self.layout.size}, i1 false)")
            f.do(f"store i8 1, ptr {f.let(f'getelementptr i8, ptr %S.tried, i64 {MAY_REFUSE}')}")
            f.do(f"store i8 1, ptr {f.let(f'getelementptr i8, ptr %S.tried, i64 {TRIAL}')}")
            f.do(f"store i8 0, ptr {f.let(f'getelementptr i8, ptr %S.tried, i64 {PROBE}')}")
            row = values.at(items, at, shape)
            for place, cell in enumerate(standing.choices):
                item = shape.item.item
                if not isinstance(item, Number):
                    raise NotCarried("choices of collections about which it is asked whether they can be made")
                inner.put(cell, values.load(values.at(row, str(place), shape.item), item))
            ended = f.let(f"call i32 @run(ptr %C, ptr %S.tried, i32 {standing.body})")
            f.do(f"store i32 {ended}, ptr {why}")
            refused = f.let(f"icmp eq i32 {ended}, {REFUSED}")
            stays = f.label()
            after = f.label()
            f.branch(refused, stays, after)
            f.begin(after)
            f.do(f"store i1 {f.let(f'icmp eq i32 {ended}, 0')}, ptr {found}")
            f.jump(leave)
            f.begin(stays)

    def _has_any(self) -> str:
        """Whether what the flow waits for, if it is a decision, has a legal instance."""
        f = Function("has_any", STATE, "i1")
        _mark(f, PROBE, 0)
        wait = f.let("load i32, ptr %S")
        ways = [
            (number, f.label(), each) for number, each in enumerate(self.program.waits) if isinstance(each, c.Decision)
        ]
        other = f.label()
        f.switch(wait, [(number, label) for number, label, _ in ways], other)
        for number, label, each in ways:
            f.begin(label)
            writer = Writer(f, self, infer.BLOCKS)
            f.give(self._has_instance(writer, number, each, self._me(writer, each)))
        f.begin(other)
        f.give("true")
        return f.text()

    # ---- whole plays

    def _endings(self) -> Iterator[str]:
        yield self._points()
        yield self._winners()
        yield self._move_list()
        yield self._apply()
        yield self._step()
        yield self._perft()
        yield PLAYS.format(size=self.layout.size, players=self.game.players, first=self.program.first, limit=LIMIT)

    def _player_unit(self, writer: Writer, unit: int, player: str) -> str:
        f = writer.f
        kind = self.parameter(unit, self.program.units[unit].parameters[0])
        gives = self.gives(unit)
        found = f.let(f"call {{ {gives}, i32 }} @u{unit}({STATE}, {kind.llvm} {player})")
        why = f.let(f"extractvalue {{ {gives}, i32 }} {found}, 1")
        f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        value = f.let(f"extractvalue {{ {gives}, i32 }} {found}, 0")
        return writer.to(value, self.shapes.returns[unit], Number(0, 0))

    def _points(self) -> str:
        """Every seat's points, into an array."""
        f = Function("points", f"{STATE}, ptr %out", None)
        writer = Writer(f, self, infer.BLOCKS)
        for player in range(self.game.players):
            total = "0"
            for _, unit in self.program.scores:
                total = f.let(f"add i64 {total}, {self._player_unit(writer, unit, str(player))}")
            f.do(f"store i64 {total}, ptr {f.let(f'getelementptr i64, ptr %out, i64 {player}')}")
        f.do("ret i32 0")
        f.ended = True
        return f.text()

    def _winners(self) -> str:
        """Who has won, as a mask of seats."""
        f = Function("winners", STATE, "i64")
        writer = Writer(f, self, infer.BLOCKS)
        level = str(2**self.game.players - 1 if self.program.winner else 0)
        for criterion, unit in self.program.winner:
            if criterion.kind == "share" or unit is None:
                break
            best, kept = f.slot("i64"), f.slot("i64")
            f.do(f"store i64 {NONE if criterion.kind == 'highest' else -NONE - 1}, ptr {best}")
            f.do(f"store i64 0, ptr {kept}")
            for player in range(self.game.players):
                here = f.let(f"and i64 {level}, {1 << player}")
                with f.when(f.let(f"icmp ne i64 {here}, 0")):
                    points = self._player_unit(writer, unit, str(player))
                    held = f.let(f"load i64, ptr {best}")
                    better = f.let(f"icmp {'sgt' if criterion.kind == 'highest' else 'slt'} i64 {points}, {held}")
                    with f.when(better):
                        f.do(f"store i64 {points}, ptr {best}")
                        f.do(f"store i64 0, ptr {kept}")
                    with f.when(f.let(f"icmp eq i64 {points}, {f.let(f'load i64, ptr {best}')}")):
                        others = f.let(f"load i64, ptr {kept}")
                        f.do(f"store i64 {f.let(f'or i64 {others}, {1 << player}')}, ptr {kept}")
            level = f.let(f"load i64, ptr {kept}")
            with f.when(f.let(f"icmp eq i64 {f.let(f'call i64 @llvm.ctpop.i64(i64 {level})')}, 1")):
                f.give(level)
        f.give(level)
        return f.text()

    def _by_wait(self, f: Function) -> Iterator[tuple[int, c.Waiting]]:
        """What is written for each thing that may be waited for; behind it stands what follows at the end."""
        wait = f.let("load i32, ptr %S")
        ways = [(number, f.label(), each) for number, each in enumerate(self.program.waits) if each is not None]
        end = f.label()
        f.switch(wait, [(number, label) for number, label, _ in ways], end)
        for number, label, each in ways:
            f.begin(label)
            yield number, each
        f.begin(end)

    def events(self, values: Values, number: int, wait: c.Waiting) -> tuple[str, Items, Number | Flag]:
        """The list of what may happen."""
        f = values.f
        shape = self.moves_shape(wait) if isinstance(wait, c.Decision) else self.shapes.returns[wait.lists]  # type: ignore[union-attr]
        assert isinstance(shape, Items)
        assert isinstance(shape.item, Number | Flag)
        found = f.let(f"call {{ ptr, i32 }} @moves{number}({STATE})")
        why = f.let(f"extractvalue {{ ptr, i32 }} {found}, 1")
        f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
        return f.let(f"extractvalue {{ ptr, i32 }} {found}, 0"), shape, shape.item

    def _move_list(self) -> str:
        """What may happen, into an array of so much room; how many there are."""
        f = Function("listed", f"{STATE}, ptr %out, i64 %room", "i64")
        outer = f.let("load ptr, ptr %C.top")
        for number, wait in self._by_wait(f):
            values = Values(f, self.constants)
            found, shape, item = self.events(values, number, wait)
            size = values.size(found)
            f.stop_if(f.let(f"icmp sgt i64 {size}, %room"), LIMIT)
            with f.counted("0", size) as at:
                value = values.to(values.load(values.at(found, at, shape), item), item, Number(0, 0))
                f.do(f"store i64 {value}, ptr {f.let(f'getelementptr i64, ptr %out, i64 {at}')}")
            f.do(f"store ptr {outer}, ptr %C.top")
            f.give(size)
        f.give("0")
        return f.text()

    def _apply(self) -> str:
        """What happens is one of the listed."""
        f = Function("applied", f"{STATE}, i64 %id", None)
        for number, _ in self._by_wait(f):
            f.do(f"ret i32 {f.let(f'call i32 @take{number}({STATE}, i64 %id)')}")
            f.ended = True
        f.stop(LIMIT)
        return f.text()

    def _step(self) -> str:
        """One random event; 1 at the end."""
        f = Function("step", STATE, None)
        outer = f.let("load ptr, ptr %C.top")
        for number, wait in self._by_wait(f):
            values = Values(f, self.constants)
            found, shape, item = self.events(values, number, wait)
            size = values.size(found)
            f.stop_if(f.let(f"icmp eq i64 {size}, 0"), LIMIT)
            at = f.let(f"call i64 @below(ptr %C.random, i64 {size})")
            value = values.to(values.load(values.at(found, at, shape), item), item, Number(0, 0))
            f.do(f"store ptr {outer}, ptr %C.top")
            f.do(f"ret i32 {f.let(f'call i32 @take{number}({STATE}, i64 {value})')}")
            f.ended = True
        f.do("ret i32 1")
        f.ended = True
        return f.text()

    def _perft(self) -> str:
        """How many ways there are to play so many events from here."""
        f = Function("perft", f"{STATE}, i64 %depth", "i64")
        outer = f.let("load ptr, ptr %C.top")
        with f.when(f.let("icmp eq i64 %depth, 0")):
            f.give("1")
        for number, wait in self._by_wait(f):
            values = Values(f, self.constants)
            found, shape, item = self.events(values, number, wait)
            size = values.size(found)
            with f.when(f.let("icmp eq i64 %depth, 1")):
                f.do(f"store ptr {outer}, ptr %C.top")
                f.give(size)
            f.stop_if(f.let(f"call i1 @spend(ptr %C, i64 {size})"), LIMIT)
            total = f.slot("i64")
            f.do(f"store i64 0, ptr {total}")
            copy = f.let(f"call ptr @new(ptr %C, i64 {self.layout.size}, i64 1)")
            f.stop_if(f.let(f"icmp eq ptr {copy}, null"), LIMIT)
            less = f.let("sub i64 %depth, 1")
            with f.counted("0", size) as at:
                f.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {copy}, ptr %S, i64 {self.layout.size}, i1 false)")
                value = values.to(values.load(values.at(found, at, shape), item), item, Number(0, 0))
                why = f.let(f"call i32 @take{number}(ptr %C, ptr {copy}, i64 {value})")
                f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
                below = f.let(f"call {{ i64, i32 }} @perft(ptr %C, ptr {copy}, i64 {less})")
                why = f.let(f"extractvalue {{ i64, i32 }} {below}, 1")
                f.stop_if(f.let(f"icmp ne i32 {why}, 0"), why)
                more = f.let(
                    f"add i64 {f.let(f'load i64, ptr {total}')}, {f.let(f'extractvalue {{ i64, i32 }} {below}, 0')}"
                )
                f.do(f"store i64 {more}, ptr {total}")
            f.do(f"store ptr {outer}, ptr %C.top")
            f.give(f.let(f"load i64, ptr {total}"))
        f.give("0")
        return f.text()


class _On:
    """Puts numbers into cells of another state than `%S`."""

    def __init__(self, whole: Whole, f: Function, state: str) -> None:
        self.whole, self.f, self.state = whole, f, state
        self.values = Values(f, whole.constants)

    def put(self, cell: int, value: str) -> None:
        held = self.whole.layout.cells[cell]
        if isinstance(held.shape, Items | Mask):
            raise NotCarried("collections about which it is asked what can be done")
        address = self.f.let(f"getelementptr i8, ptr {self.state}, i64 {held.at}")
        self.values.store(address, self.values.to(value, Number(0, 0), held.shape), held.shape, None)


def _value_at(values: Values, at: str, of: t.Type) -> str:
    """The value at a place among a type's values."""
    f = values.f
    match of:
        case t.Range(low=low):
            return f.let(f"add i64 {at}, {low}")
        case t.Optional(of=inner):
            none = f.let(f"icmp eq i64 {at}, 0")
            inside = _value_at(values, f.let(f"sub i64 {at}, 1"), inner)
            return f.let(f"select i1 {none}, i64 {NONE}, i64 {inside}")
    return at


def _mark(f: Function, mark: int, value: int) -> None:
    f.do(f"store i8 {value}, ptr {f.let(f'getelementptr i8, ptr %S, i64 {mark}')}")


def _marked(f: Function, mark: int) -> str:
    held = f.let(f"load i8, ptr {f.let(f'getelementptr i8, ptr %S, i64 {mark}')}")
    return f.let(f"icmp ne i8 {held}, 0")


def _calls(program: c.Program) -> list[set[int]]:
    return [{part.unit for part in infer.parts(unit.body) if isinstance(part, c.Call)} for unit in program.units]


def _callees_first(program: c.Program) -> list[int]:
    """All units, each behind those that it calls, as far as they go in no ring."""
    calls, order, seen = _calls(program), list[int](), set[int]()
    for start in range(len(calls)):
        waiting = [(start, False)]
        while waiting:
            number, done = waiting.pop()
            if done:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                waiting.append((number, True))
                waiting += [(called, False) for called in calls[number] if called not in seen]
    return order


def _recursive(program: c.Program) -> set[int]:
    """The units that may be under way in themselves."""
    calls, found = _calls(program), set[int]()
    for start in range(len(calls)):
        reached, waiting = set[int](), list(calls[start])
        while waiting:
            number = waiting.pop()
            if number not in reached:
                reached.add(number)
                waiting += calls[number]
        if start in reached:
            found.add(start)
    return found
