"""Steps of the model in a normal form: two routines that have the same form do the same in every position.

Loops over what is known beforehand are unrolled; steps that neither read nor write what the other writes stand in one
order; what does nothing is left out. A step that asks a player or a die stays where it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import Any

from ludex.spec import model as m
from ludex.spec import types as t

from ..engine import Engine
from ..walk import nodes
from ..zones import copies
from .meaning import Meaning
from .normal_forms import (
    FALSE,
    ME,
    TRUE,
    Form,
    Scope,
    TooLarge,
    both,
    bound_by,
    constant,
    either,
    is_constant,
    matched,
    negated,
    risky,
)
from .reached import Reached

UNROLLED = 64
"""Loops of more turns stay loops."""
EVENTS = (m.Decide, m.Simultaneous, m.Perform, m.RandomValue, m.DrawPieces, m.Demand, m.EndGameStep)
"""Steps that ask somebody, stop, or do what stands elsewhere."""
ASKING = frozenset({"perform", "decide", "draw", "drawn up", "random", "together"})
STAYING = frozenset({"demand", "end", "until", "except", "shuffle"})
"""Heads of steps that stay where they are: they ask somebody, or more hangs on them than can be seen."""
SHARED = frozenset({"CanPerform", "Builtin", "call"})


@dataclass(frozen=True, slots=True)
class Touched:
    """The cells that a step reads and writes: (element, indices); or anything. bag: the bag into which it puts a known
    piece, and does nothing else."""

    reads: frozenset[tuple[str, Form]] = frozenset()
    writes: frozenset[tuple[str, Form]] = frozenset()
    anything: bool = False
    bag: Form = None
    names: frozenset[str] = frozenset()


class Steps:
    """The forms of one game's routines."""

    def __init__(self, engine: Engine, reached: Reached | None = None) -> None:
        """reached: what play can hold at each statement; without it all that the cells can hold counts."""
        self.meaning, self._reached = Meaning(engine), reached
        self._game = engine.game
        self._numbers: dict[int, int] = {}

    # ---- whole routines

    def action(self, name: str) -> Form:
        """What an action asks and does. Raises TooLarge."""
        action = self._game.actions[name]
        self._numbers = {}
        scope = Scope({0: ME, **{number: ("parameter", number) for number in range(1, len(action.parameters) + 1)}})
        chosen, scope = self._choices(action.choices, scope)
        types = tuple(repr(of) for _, of in action.parameters)
        required = both([self.requirement(each, scope) for each in action.requirements])
        return types, chosen, required, action.window, self.steps(action.body, scope)

    def routine(self, routine: m.Routine | None) -> Form:
        """The form of the set-up or of play; of nothing where the game has none."""
        self._numbers = {}
        return () if routine is None else self.steps(routine.body, Scope({0: ME}))

    def value(self, expr: m.Expr) -> Form:
        """Of a player's score, or a criterion for the winner."""
        return self.meaning.form(expr, Scope({0: ME}))

    def _choices(self, choices: Iterable[m.Choice], scope: Scope) -> tuple[tuple[Form, ...], Scope]:
        found = []
        for each in choices:
            domain = self.meaning.domain(each.domain, scope, True)
            found.append((each.name, repr(each.type), each.within, domain))
            scope = scope.knowing(each.slot, ("chosen", each.name))
        return tuple(found), scope

    def requirement(self, requirement: m.Requirement, scope: Scope) -> Form:
        """When it is met: it holds, or something waives it."""
        form, meaning = self.meaning.form, self.meaning
        waived = (both([form(w.condition, scope), meaning.form(w.value, scope)]) for w in requirement.waivers)
        return either([form(requirement.condition, scope), *waived])

    def _number(self, slot: int) -> int:
        """The how-manieth slot it is that keeps its name: where others stand makes no difference."""
        return self._numbers.setdefault(slot, len(self._numbers))

    # ---- sequences

    def steps(self, step: m.Step | None, scope: Scope) -> tuple[Form, ...]:
        """The form of a step: what is done, one after another."""
        if step is None:
            return ()
        found = self._block(step.body, scope) if isinstance(step, m.Sequence) else self._step(step, scope)
        return tuple(_in_one_order(found))

    def _block(self, body: Sequence[m.Step], scope: Scope) -> list[Form]:
        found: list[Form] = []
        for at, step in enumerate(body):
            match step:
                case m.SetLocal(slot=slot, value=value) if slot not in scope.known and not _is_set(
                    slot, body[at + 1 :]
                ):
                    form = self.meaning.form(value, scope)
                    if _may_move(form, slot, body[at + 1 :]):
                        scope = scope.knowing(slot, form)
                        continue
                    scope = scope.knowing(slot, ("local", self._number(slot)))
                    found.append(("set", self._number(slot), form))
                case m.SetLocal(slot=slot, value=value):
                    form = self.meaning.form(value, scope)
                    scope = scope.knowing(slot, ("local", self._number(slot)))
                    found.append(("set", self._number(slot), form))
                case m.RandomValue(slot=slot):
                    found += self._step(step, scope)
                    scope = scope.knowing(slot, ("drawn", self._number(slot)))
                case m.Sequence(body=inner):
                    found += self._block(inner, scope)
                case _:
                    found += self._step(step, scope)
        return found

    # ---- single steps

    def _step(self, step: m.Step, scope: Scope) -> list[Form]:
        form = self.meaning.form
        match step:
            case m.Sequence(body=body):
                return self._block(body, scope)
            case m.SetLocal():
                return self._block((step,), scope)
            case m.Store(element=element, indices=indices, value=value):
                return _stored(element.name, [form(each, scope) for each in indices], form(value, scope))
            case m.FillZone(zone=zone, pieces=pieces):
                return self._entering(pieces, zone, False, True, scope)
            case m.PutPiece(piece=piece, target=target, bottom=bottom):
                return self._entering(piece, target, bottom, False, scope)
            case m.MovePiece(piece=piece, source=source, target=target, bottom=bottom):
                what = None if piece is None else form(piece, scope)
                return [("move", what, self._zone(source, scope), self._zone(target, scope), bottom)]
            case m.MoveAll(source=source, target=target, bottom=bottom):
                kind = "drawn up" if source.element.visibility == "hidden" else "move all"  # perhaps a chance event
                return [(kind, self._zone(source, scope), self._zone(target, scope), bottom)]
            case m.RemovePiece(piece=piece, source=source):
                return [("remove", form(piece, scope), self._zone(source, scope))]
            case m.SwapPieces(left=left, right=right):
                return [("swap", self._zone(left, scope), self._zone(right, scope))]
            case m.ShuffleZone(zone=zone):
                return [("shuffle", self._zone(zone, scope))]
            case m.IfStep(condition=condition, then=then, otherwise=otherwise):
                return self._if(form(condition, scope), self.steps(then, scope), self.steps(otherwise, scope))
            case m.WithStepExceptions(body=body, exceptions=()):
                return list(self.steps(body, scope))
            case m.WithStepExceptions(body=body, exceptions=(only,)):
                return self._if(form(only.condition, scope), self.steps(only.body, scope), self.steps(body, scope))
            case m.MatchStep():
                return self._match(step, scope)
            case m.ForEach(loops=loops):
                return self._each(loops, step, scope)
            case m.ForEachPlayer():
                return self._turns(step, scope)
            case m.AsPlayer(player=player, body=body):
                return self._as(form(player, scope), body, scope)
            case m.RepeatTimesStep(body=body):
                return self._times(self._count(step, scope), body, scope)
            case m.RepeatUntilStep(body=body, until=until):
                return [("until", self.steps(body, scope), None if until is None else form(until, scope))]
            case _:
                return self._event(step, scope)

    def _event(self, step: m.Step, scope: Scope) -> list[Form]:
        """Steps that are more than a change of the position."""
        form, actor = self.meaning.form, scope.known.get(0, ME)
        match step:
            case m.Demand(requirement=requirement):
                wanted = self.requirement(requirement, scope)
                return [] if wanted == TRUE else [("demand", wanted)]
            case m.DrawPieces(count=count, source=source, target=target, bottom=bottom):
                zones = self._zone(source, scope), self._zone(target, scope)
                return [("draw", step.path, form(count, scope), *zones, bottom)]
            case m.RandomValue(name=name, slot=slot, type=type_, domain=domain, where=where):
                inner = scope.knowing(slot, ("drawn", self._number(slot)))
                wanted = TRUE if where is None else form(where, inner)
                return [("random", name, self._number(slot), repr(type_), form(domain, scope), wanted)]
            case m.Perform(action=action, arguments=arguments):
                return [("perform", action, *(form(each, scope) for each in arguments), actor)]
            case m.Decide(optional=optional, repeating=repeating, window=window):
                return [("decide", actor, optional, repeating, window, self._options(step.options, scope))]
            case m.Simultaneous(options=options):
                return [("together", self._options(options, scope))]
            case m.WithStepExceptions(body=body, exceptions=exceptions):
                bent = tuple((form(each.condition, scope), self.steps(each.body, scope)) for each in exceptions)
                return [("except", self.steps(body, scope), bent)]
            case m.EndGameStep():
                return [("end",)]
            case _:
                raise AssertionError(f"no step: {type(step).__name__}")

    def _options(self, options: Iterable[m.MoveOption], scope: Scope) -> Form:
        return tuple(sorted((self._option(each, scope) for each in options), key=repr))

    def _option(self, option: m.MoveOption, scope: Scope) -> Form:
        if isinstance(option, m.ActionOption):
            return "action", option.action, *(self.meaning.form(each, scope) for each in option.arguments)
        chosen, scope = self._choices(option.choices, scope)
        required = both([self.requirement(each, scope) for each in option.requirements])
        return "branch", option.name, chosen, required, self.steps(option.body, scope)

    def _zone(self, zone: m.ZoneRef, scope: Scope) -> Form:
        return "zone", zone.element.name, *(self.meaning.form(each, scope) for each in zone.indices)

    def _entering(self, pieces: m.Expr, zone: m.ZoneRef, bottom: bool, filled: bool, scope: Scope) -> list[Form]:
        """Pieces that enter the game, one by one if they are known."""
        what, where = self.meaning.form(pieces, scope), self._zone(zone, scope)
        if not is_constant(what) or bottom:
            return [("put", what, pieces.type.__class__.__name__, where, bottom, filled)]
        several = isinstance(pieces.type, t.SetOf | t.BagOf | t.ListOf)
        held = frozenset(what[2]) if what[1] == "frozenset" else what[2]
        listed = (copies(pieces.type)(held) if filled else [*held]) if several else [what[2]]
        if several and not isinstance(pieces.type, t.ListOf):
            listed = sorted(listed)
        return [("put", constant(each), zone.element.kind, where, False, False) for each in listed]

    # ---- conditions and loops

    def _if(self, condition: Form, then: tuple[Form, ...], otherwise: tuple[Form, ...]) -> list[Form]:
        if condition in (TRUE, FALSE):
            return [*(then if condition == TRUE else otherwise)]
        if then == otherwise and not risky(condition):
            return [*then]
        if condition[0] == "not":
            condition, then, otherwise = condition[1], otherwise, then
        for one, way in ((then, True), (otherwise, False)):
            match (one, otherwise if way else then):
                case ((("if", inner, deeper, ()),), ()):
                    first = condition if way else negated(condition)
                    return self._if(both([first, inner]), deeper, ())
                case _:
                    pass
        return [("if", condition, then, otherwise)]

    def _as(self, player: Form, body: m.Step, scope: Scope) -> list[Form]:
        """Who acts is settled before the body changes what he is told by."""
        if _stays(player, (body,)):
            return list(self.steps(body, scope.knowing(0, player)))
        return [("as", player, self.steps(body, scope.looping(0)))]

    def _match(self, step: m.MatchStep, scope: Scope) -> list[Form]:
        def arm(case: m.StepCase, value: Form) -> Form:
            if case.binds and not is_constant(value) and not _stays(value, (case.body,)):
                raise TooLarge
            return self.steps(case.body, bound_by(case.binds, value, scope))

        subject = self.meaning.form(step.subject, scope)
        found = matched(subject, step.subject.type, step.cases, arm, ())
        return [found] if found[:1] == ("match",) else [*found]

    def _each(self, loops: tuple[m.Loop, ...], step: m.ForEach, scope: Scope) -> list[Form]:
        if not loops:
            return self._if(
                TRUE if step.where is None else self.meaning.form(step.where, scope), self.steps(step.body, scope), ()
            )
        domain = self.meaning.domain(loops[0].domain, scope)
        if _unrolls(domain, step.body):
            return [each for turn in self._all_turns(loops, step, domain, scope) for each in turn]
        if loops is step.loops and not is_constant(domain) and not _is_deep(step.body):
            for known in self._known_rows(step, loops[0].domain):
                turns = list(self._all_turns(loops, step, known, scope))
                if _stand_apart(turns):
                    return [each for turn in turns for each in turn]
        inner = scope.looping(loops[0].slot)
        return [("each", domain, tuple(_in_one_order(self._each(loops[1:], step, inner))))]

    def _all_turns(
        self, loops: tuple[m.Loop, ...], step: m.ForEach, domain: Form, scope: Scope
    ) -> Iterator[list[Form]]:
        return (self._each(loops[1:], step, scope.knowing(loops[0].slot, value)) for value in _values(domain))

    def _turns(self, step: m.ForEachPlayer, scope: Scope) -> list[Form]:
        domain, body = self.meaning.domain(step.order, scope), step.body
        if _unrolls(domain, body):
            return [each for turn in self._acting(body, domain, scope) for each in turn]
        if not is_constant(domain) and not _is_deep(body):
            for known in self._known_rows(step, step.order):
                turns = list(self._acting(body, known, scope))
                if _stand_apart(turns):
                    return [each for turn in turns for each in turn]
        return [("each", domain, self.steps(body, scope.looping(0)))]

    def _acting(self, body: m.Step, domain: Form, scope: Scope) -> Iterator[list[Form]]:
        return (list(self.steps(body, scope.knowing(0, value))) for value in _values(domain))

    def _known_rows(self, step: m.Statement, domain: m.Expr) -> Iterator[Form]:
        """What a loop runs over in whatever order, if that is the same wherever play comes to it, each item once."""
        if self._reached is None or not isinstance(domain.type, t.ListOf):
            return
        rows = self._reached.values(step, domain) or ()
        kinds = {tuple(sorted(row)) for row in rows if isinstance(row, tuple) and len({*row}) == len(row)}
        if len(kinds) == 1 and all(isinstance(row, tuple) and len({*row}) == len(row) for row in rows):
            (only,) = kinds
            if len(only) <= UNROLLED:
                yield "=", "values", only

    def _count(self, step: m.RepeatTimesStep, scope: Scope) -> Form:
        """How often something is repeated: a number, if it is the same wherever play comes to it."""
        found = self.meaning.form(step.count, scope)
        if is_constant(found) or self._reached is None:
            return found
        values = self._reached.values(step, step.count)
        return constant(*values) if values is not None and len(values) == 1 else found

    def _times(self, count: Form, body: m.Step, scope: Scope) -> list[Form]:
        if is_constant(count) and count[2] <= UNROLLED and not _has_events(body):
            return [each for _ in range(count[2]) for each in self.steps(body, scope)]
        return [("times", count, self.steps(body, scope))]


def _stored(name: str, indices: Sequence[Form], value: Form) -> list[Form]:
    return [] if value == ("read", name, *indices) else [("store", name, *indices, value)]


def _values(domain: Form) -> Iterator[Form]:
    return (constant(value) for value in domain[2])


def _unrolls(domain: Form, body: m.Step) -> bool:
    return is_constant(domain) and len(domain[2]) <= UNROLLED and not _is_deep(body)


def _is_deep(body: m.Step) -> bool:
    """Whether it asks players: then nothing is gained by unrolling it."""
    return any(isinstance(each, m.Decide | m.Simultaneous | m.Perform | m.RandomValue) for each in nodes(body))


def _has_events(body: m.Step) -> bool:
    return any(isinstance(each, EVENTS) for each in nodes(body))


# ---- lets -------------------------------------------------------------------------------------------------------


def _is_set(slot: int, rest: Sequence[m.Step]) -> bool:
    return any(isinstance(node, m.SetLocal) and node.slot == slot for step in rest for node in nodes(step))


def _may_move(form: Form, slot: int, rest: Sequence[m.Step]) -> bool:
    """Whether a value may be worked out where it is used: nothing that it reads is written by then."""
    if risky(form):
        return False
    if not set(_reads(form)):
        return True
    return _only_first_domain(slot, rest) or not _clashing({name for name, _ in _reads(form)}, rest)


def _stays(form: Form, steps: Sequence[m.Step]) -> bool:
    """Whether a value stays the same throughout some steps."""
    if any(each and each[0] in ("CanPerform", "call") for each in _forms(form)) or _asks_for_points(form):
        return False
    names = {name for name, _ in _reads(form)}
    return not names or not _clashing(names, steps)


def _asks_for_points(form: Form) -> bool:
    return any(each[:1] == ("Builtin",) and "total" in each for each in _forms(form))


def _only_first_domain(slot: int, rest: Sequence[m.Step]) -> bool:
    """Whether it is used in nothing but what the next step, a loop, runs over."""
    match rest:
        case [m.ForEach(loops=(loop, *_)), *_]:
            first: m.Expr = loop.domain
        case [m.ForEachPlayer(order=first), *_]:
            pass
        case _:
            return False
    return _uses(slot, (first,)) == _uses(slot, rest)


def _uses(slot: int, parts: Sequence[Any]) -> int:
    return sum(isinstance(node, m.Local) and node.slot == slot for part in parts for node in nodes(part))


def _clashing(names: set[str], rest: Sequence[m.Step]) -> bool:
    for step in rest:
        for node in nodes(step):
            if isinstance(node, (*EVENTS, m.SetLocal)):
                return True
            if isinstance(node, m.Store | m.ZoneRef) and node.element.name in names:
                return True
    return False


# ---- one order --------------------------------------------------------------------------------------------------


def _in_one_order(steps: Sequence[Form]) -> Iterator[Form]:
    """Steps of which the order makes no difference in the order of their forms."""
    mine = [touched(step) for step in steps]
    behind: list[list[int]] = [[] for _ in steps]
    awaited = [0] * len(steps)
    for at, here in enumerate(mine):
        for before, there in enumerate(mine[:at]):
            far = not (here.anything or there.anything) and here.names.isdisjoint(there.names)  # so it is mostly
            if not far and _clash(here, there):
                behind[before].append(at)
                awaited[at] += 1
    free = [(repr(step), at) for at, step in enumerate(steps) if not awaited[at]]
    heapify(free)
    while free:
        _, at = heappop(free)
        yield steps[at]
        for later in behind[at]:
            awaited[later] -= 1
            if not awaited[later]:
                heappush(free, (repr(steps[later]), later))


def _stand_apart(turns: Sequence[Sequence[Form]]) -> bool:
    """Whether the turns of a loop do the same in whatever order they are taken."""
    mine = [[touched(step) for step in turn] for turn in turns]
    pairs = ((one, other) for one, other in combinations(mine, 2))
    return not any(_clash(here, there) for one, other in pairs for here in one for there in other)


def _clash(one: Touched, other: Touched) -> bool:
    if one.anything or other.anything:
        return True
    if one.bag is not None and other.bag is not None:
        return False
    if one.names.isdisjoint(other.names):
        return False
    return _meet(one.writes, other.reads | other.writes) or _meet(other.writes, one.reads)


def _meet(some: Iterable[tuple[str, Form]], others: Collection[tuple[str, Form]]) -> bool:
    return any(name == also and not _apart(at, there) for name, at in some for also, there in others)


def _apart(one: Form, other: Form) -> bool:
    """Whether two indices are known to mean different cells."""
    return any(
        is_constant(mine) and is_constant(theirs) and mine != theirs for mine, theirs in zip(one, other, strict=True)
    )


def touched(step: Form) -> Touched:
    """What a step reads and writes."""
    if step[0] not in ("store", "put", "move", "move all", "remove", "swap", "if", "match", "each", "times", "set"):
        return Touched(anything=True)
    if any(each and each[0] in SHARED and each[1:2] != ("size",) for each in _forms(step)):
        return Touched(anything=True)
    inner = [each for each in _forms(step) if each and each[0] in ASKING]
    if inner or any(each and each[0] in STAYING for each in _forms(step)):
        return Touched(anything=True)
    bag = step[3] if step[:1] == ("put",) and step[2] == "bag" else None
    reads, writes = frozenset(_reads(step)), frozenset(_writes(step))
    return Touched(reads, writes, bag=bag, names=frozenset(name for name, _ in reads | writes))


def _forms(form: Form) -> Iterator[Form]:
    waiting = [form] if isinstance(form, tuple) else []
    while waiting:
        here = waiting.pop()
        yield here
        waiting += [each for each in reversed(here) if isinstance(each, tuple)]


def _reads(form: Form) -> Iterator[tuple[str, Form]]:
    for each in _forms(form):
        match each:
            case ("read" | "zone", str(name), *indices):
                yield name, tuple(indices)
            case ("local", int(slot)):
                yield f"local {slot}", ()
            case _:
                pass


def _writes(form: Form) -> Iterator[tuple[str, Form]]:
    for each in _forms(form):
        match each:
            case ("zone", str(name), *indices):
                yield name, tuple(indices)
            case ("store", str(name), *indices, _):
                yield name, tuple(indices)
            case ("set", int(slot), _):
                yield f"local {slot}", ()
            case _:
                pass
