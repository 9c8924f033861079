"""Syntax to model, for statements: what an action, the set-up and the flow do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ludex.grammar import Note, Span
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..types import BagOf, Never, PlayerType, Range, SetOf, Type, element_type, fits
from .bodies import Bodies
from .bounds import UNBOUNDED, a, apart
from .expressions import Expressions
from .names import first_argument
from .scope import Key, Scope, guarded, is_poison, key_of, poison
from .typenames import TypeNames
from .world import ElementFunction, Faulty, World

WHO_ACTS = "say who acts: `each player in seats`, or `as PLAYER`, and a block"
Keys: TypeAlias = tuple[Key | None, ...]
SHAPES = {"pile": "a pile", "bag": "a bag", "one": "a zone for one piece"}


@dataclass(frozen=True, slots=True)
class Performed:
    """A call of an action from a routine. `acting`: who `me` is for it."""

    caller: str
    callee: str
    acting: Literal["nobody", "caller", "someone"]
    span: Span


@dataclass(frozen=True, slots=True)
class Signature:
    """The leading part of an action or branch: what the player states, and what must hold for it."""

    choices: tuple[m.Choice, ...]
    requirements: tuple[m.Requirement, ...]
    rest: tuple[s.Statement, ...]
    scope: Scope


@dataclass(slots=True)
class Steps:
    """Elaborates statements. `routine` is the name of the one being elaborated; `lenient`: some layer is silent here,
    so that a step match may be incomplete. `stated`: of actions that one decision offers several times, the parameters
    by which it tells them apart. `in_sight`: piles that are shuffled although they are not hidden."""

    world: World
    types: TypeNames
    ex: Expressions
    bodies: Bodies
    lenient: bool = False
    routine: str = ""
    performed: list[Performed] = field(default_factory=list)
    offered: set[str] = field(default_factory=set)
    stated: set[tuple[str, str]] = field(default_factory=set)
    in_sight: set[str] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)

    # ---- blocks -----------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[s.Statement], scope: Scope, span: Span) -> m.Step:
        """Statements in order. A choice of values takes the rest of its block along: it names things for it, and where
        it is passed over or declined, so is the rest."""
        done: list[m.Step] = []
        for at, statement in enumerate(statements):
            rest = statements[at + 1 :]
            match statement:
                case s.ChooseValue():
                    done.append(self._choose_values(statement, rest, scope, statement.span))
                    break
                case s.May(body=s.ChooseValue() as choice):
                    done.append(self._choose_values(choice, rest, scope, statement.span, optional=True))
                    break
                case s.Let() | s.LocalState() | s.Random():
                    step, scope = self._binding(statement, scope)
                    done.append(step)
                case s.Require():
                    requirement = self.bodies.requirement(statement, scope)
                    scope = scope.knowing(guarded(requirement.condition) if not requirement.waivers else ())
                    done.append(m.Demand(requirement.path, statement.span, requirement))
                case _:
                    done.append(self.step(statement, scope))
            scope = scope.behind(statement)
        return done[0] if len(done) == 1 else m.Sequence(scope.path, span, tuple(done))

    def body(self, statement: s.Statement, scope: Scope) -> m.Step:
        """A block, or one statement on its own."""
        statements = statement.statements if isinstance(statement, s.Block) else (statement,)
        return self.block(statements, scope, statement.span)

    def _binding(self, node: s.Let | s.LocalState | s.Random, scope: Scope) -> tuple[m.Step, Scope]:
        if isinstance(node, s.Random):
            return self._random(node, scope)
        if isinstance(node, s.Let):
            value = self.ex.expr(node.value, scope)
            scope, slot = self.ex.bind(node.name, value.type, "let", node.span, scope)
        else:
            type_ = self.types.resolve(node.type)
            value = self.ex.wanted(node.value, type_, scope)
            scope, slot = self.ex.bind(node.name, type_, "state", node.span, scope)
        return m.SetLocal(scope.path, node.span, slot, value), scope

    def _random(self, node: s.Random, scope: Scope) -> tuple[m.Step, Scope]:
        loops, inner = self.ex.loops((node.generator,), scope, "random")
        where, inner = self.ex.where(node.where, inner)
        loop = loops[0]
        self.chance(scope.path, loop.type, node.span)
        step = m.RandomValue(scope.path, node.span, loop.name, loop.slot, loop.type, loop.domain, where)
        return step, inner

    def chance(self, path: str, outcome: Type, span: Span) -> None:
        """Register that a clause raises chance events with outcomes of a type."""
        if isinstance(outcome, Never):
            return
        known = self.world.chances.get(path)
        if known is None:
            self.world.chances[path] = m.ChanceSignature(path, outcome, span)
        elif known.outcome != outcome:
            message = f"`{path}` has chance outcomes of two kinds, {a(known.outcome)} and {a(outcome)}"
            self.world.report.report(codes.MIXED_CHANCE, message, span, notes=(Note("the other one", known.span),))

    # ---- decisions --------------------------------------------------------------------------------------------

    def signature(self, statements: Sequence[s.Statement], scope: Scope) -> Signature:
        """Leading choices and the requirements that follow them."""
        choices: list[m.Choice] = []
        requirements: list[m.Requirement] = []
        at = 0
        for at, statement in enumerate(statements):  # noqa: B007
            if isinstance(statement, s.ChooseValue):
                found, where, scope = self._generators(statement, scope)
                choices += found
                requirements += where
            elif isinstance(statement, s.Require):
                requirement = self.bodies.requirement(statement, scope)
                requirements.append(requirement)
                scope = scope.knowing(guarded(requirement.condition) if not requirement.waivers else ())
            else:
                break
        else:
            at = len(statements)
        return Signature(tuple(choices), tuple(requirements), tuple(statements[at:]), scope)

    def _generators(self, node: s.ChooseValue, scope: Scope) -> tuple[list[m.Choice], list[m.Requirement], Scope]:
        choices = []
        for generator in node.generators:
            domain = self.ex.collection(generator.domain, scope)
            held = element_type(domain.type) or Never()
            type_ = BagOf(held) if generator.within and not isinstance(held, Never) else held
            new = not self.ex.is_taken(generator.name, scope)
            scope, slot = self.ex.bind(generator.name, type_, "choice", generator.span, scope)
            if new:
                choices.append(m.Choice(generator.name, slot, type_, domain, generator.within))
        where, scope = self.ex.where(node.where, scope)
        requirement = [] if where is None else [m.Requirement(scope.path, where, (), where.span)]
        return choices, requirement, scope

    def _choose_values(
        self, node: s.ChooseValue, rest: Sequence[s.Statement], scope: Scope, span: Span, optional: bool = False
    ) -> m.Step:
        option = self._branch(self._move_name(node, scope), (node, *rest), scope, node.span)
        return self._decide((option,), scope, span, optional)

    def _move_name(self, node: s.ChooseValue, scope: Scope) -> str:
        """A choice of values is named by its clause; a second one in the clause by its first name too."""
        path = scope.path
        return path if path not in self.world.moves else f"{path}.{node.generators[0].name}"

    def _branch(self, name: str, statements: Sequence[s.Statement], scope: Scope, span: Span) -> m.BranchOption:
        signature = self.signature(statements, scope)
        arguments = tuple((choice.name, choice.type, choice.within) for choice in signature.choices)
        if name in self.world.moves:
            note = Note("the other one", self.world.places.label(self.world.moves[name].span, name))
            message = f"two decisions are called `{name}`"
            place = self.world.places.label(span, name)
            self.world.report.report(codes.DUPLICATE_NAME, message, place, "give each a label of its own", (note,))
        self.world.moves[name] = m.MoveSignature(name, arguments, span)
        body = self.block(signature.rest, signature.scope, span)
        return m.BranchOption(name, signature.choices, signature.requirements, body)

    def _decide(
        self,
        options: tuple[m.MoveOption, ...],
        scope: Scope,
        span: Span,
        optional: bool = False,
        repeating: bool = False,
        window: str | None = None,
    ) -> m.Step:
        if scope.me is None:
            place = self.world.places.head(span)
            self.world.report.report(codes.NO_CHOICE_HERE, "nobody is there to decide", place, WHO_ACTS)
        else:
            self.ex.names.me(span, scope)
        return m.Decide(scope.path, span, options, optional, repeating, window)

    def _options(self, node: s.Statement, scope: Scope) -> tuple[m.MoveOption, ...]:
        """What a `may`, `repeat may` or `choose` offers."""
        match node:
            case s.ChooseAction(calls=calls):
                return self._alternatives(calls, scope)
            case s.ChooseBranch(branches=branches):
                return tuple(self._labelled_branch(branch, scope) for branch in branches)
            case s.Call():
                option = self._action_option(node, scope)
                return (option,) if option else ()
            case s.Block(statements=(s.ChooseAction() | s.ChooseBranch() | s.Call() as only,)):
                return self._options(only, scope)
            case s.Block(statements=(s.ChooseValue() as first, *_)):
                return (self._branch(self._move_name(first, scope), node.statements, scope, node.span),)
            case s.ChooseValue():
                return (self._branch(self._move_name(node, scope), (node,), scope, node.span),)
            case s.Block():
                return (self._branch(scope.path, node.statements, scope, node.span),)
            case _:
                return (self._branch(scope.path, (node,), scope, node.span),)

    def _alternatives(self, calls: tuple[s.Call, ...], scope: Scope) -> tuple[m.MoveOption, ...]:
        """The actions offered. One that is offered several times is told apart by what it is given."""
        offered: list[m.ActionOption] = []
        earlier: dict[str, list[tuple[Keys, Span]]] = {}
        for call in calls:
            option = self._action_option(call, scope)
            if option is None:
                continue
            keys = tuple(key_of(argument) for argument in option.arguments)
            others = earlier.setdefault(option.action, [])
            twins = [Note("the other one", span) for other, span in others if not self._told_apart(call, keys, other)]
            if twins:
                message = f"`{option.action}` is offered twice"
                self.world.report.report(codes.DUPLICATE_NAME, message, call.span, notes=(twins[0],))
            others.append((keys, call.span))
            offered.append(option)
        return tuple(offered)

    def _told_apart(self, call: s.Call, keys: Keys, others: Keys) -> bool:
        """Note the parameters in which two offers of one action may differ; False if there is none."""
        names = (name for name, _ in self.world.actions[call.action].parameters)
        apart = {name for name, one, two in zip(names, keys, others, strict=True) if one is None or one != two}
        self.stated |= {(call.action, name) for name in apart}
        return bool(apart)

    def _labelled_branch(self, node: s.Clause, scope: Scope) -> m.BranchOption:
        path = f"{scope.path}.{node.label}"
        body = node.body.statements if isinstance(node.body, s.Block) else (node.body,)
        return self._branch(path, body, scope.at(path), node.span)

    def _action_option(self, node: s.Call, scope: Scope) -> m.ActionOption | None:
        given = self._call_arguments(node, scope, deciding=True)
        self.offered.add(node.action)
        return None if given is None else m.ActionOption(node.action, given)

    def _call_arguments(self, node: s.Call, scope: Scope, deciding: bool) -> tuple[m.Expr, ...] | None:
        """Arguments of a call of an action; None if reported. deciding: it is an option of a decision, for which
        somebody must be there anyhow."""
        called = self.ex.action(node.action, node.span)
        if called is None:
            return None
        acting: Literal["nobody", "caller", "someone"] = (
            "nobody" if scope.me is None else "caller" if scope.outer_me else "someone"
        )
        if acting != "nobody" or not (deciding or called.has_choices):
            self.performed.append(Performed(self.routine, node.action, acting, node.span))
        return self.ex.names.arguments(node.action, called.parameters, node.arguments or (), scope, node.span)

    # ---- statements -------------------------------------------------------------------------------------------

    def step(self, node: s.Statement, scope: Scope) -> m.Step:
        match node:
            case s.Block(statements=statements):
                return self.block(statements, scope, node.span)
            case s.Clause():
                return self._clause(node, scope)
            case s.Call():
                return self._call(node, scope)
            case s.ChooseAction() | s.ChooseBranch():
                return self._decide(self._options(node, scope), scope, node.span)
            case s.May(body=body):
                return self._decide(self._options(body, scope), scope, node.span, optional=True)
            case s.RepeatMay(body=body):
                return self._decide(self._options(body, scope), scope, node.span, optional=True, repeating=True)
            case s.OpenWindow():
                return self._window(node, scope)
            case s.Assign():
                return self._assign(node, scope)
            case s.EndGame():
                return m.EndGameStep(scope.path, node.span)
            case s.Nothing():
                return m.Sequence(scope.path, node.span, ())
            case s.Let() | s.LocalState() | s.Random() | s.Require() | s.ChooseValue():
                return self.block((node,), scope, node.span)
            case s.Fill() | s.Shuffle() | s.Draw() | s.Move() | s.Put() | s.Remove() | s.Swap():
                return self._zone_step(node, scope)
            case _:
                return self._control(node, scope)

    def _clause(self, node: s.Clause, scope: Scope) -> m.Step:
        path = f"{scope.path}.{node.label}"
        inner = scope.at(path)
        body = self.body(node.body, inner)
        if not node.exceptions:
            return body
        exceptions = tuple(self._step_exception(exception, inner) for exception in node.exceptions)
        return m.WithStepExceptions(path, node.span, body, exceptions)

    def _step_exception(self, node: s.StepException, scope: Scope) -> m.ExceptionalStep:
        path = f"{scope.path}.{node.label}"
        condition = self.ex.condition(node.condition, scope.at(path))
        inner = scope.at(path).knowing(guarded(condition))
        body: m.Step = m.Sequence(path, node.span, ())
        if node.statement is not None:
            body = self.body(node.statement, inner)
        return m.ExceptionalStep(path, condition, body)

    def _call(self, node: s.Call, scope: Scope) -> m.Step:
        given = self._call_arguments(node, scope, deciding=False)
        if given is None:
            return m.Sequence(scope.path, node.span, ())
        if self.world.actions[node.action].has_choices:
            self.offered.add(node.action)
            return self._decide((m.ActionOption(node.action, given),), scope, node.span)
        return m.Perform(scope.path, node.span, node.action, given)

    def _window(self, node: s.OpenWindow, scope: Scope) -> m.Step:
        parameters = self.world.windows.get(node.window)
        if parameters is None:
            self.world.misplaced("window", node.window, node.span, self.world.windows)
            return m.Sequence(scope.path, node.span, ())
        self.opened.add(node.window)
        given = self.ex.names.arguments(node.window, parameters, node.arguments or (), scope, node.span)
        options = tuple(
            m.ActionOption(name, given or ())
            for name, head in self.world.actions.items()
            if head.declaration.during == node.window and given is not None
        )
        for option in options:
            self.offered.add(option.action)
        return self._decide(options, scope, node.span, optional=True, repeating=True, window=node.window)

    def _control(self, node: s.Statement, scope: Scope) -> m.Step:
        match node:
            case s.If(condition=condition, then=then, otherwise=otherwise):
                test = self.ex.condition(condition, scope)
                dead = (otherwise if condition.value else then) if isinstance(condition, s.Boolean) else None
                if dead is not None:
                    place = self.world.places.head(dead.span)
                    self.world.report.report(codes.UNREACHABLE, "the flow never comes here", place)
                yes = self.body(then, scope.knowing(guarded(test)))
                no = self.body(otherwise, scope.knowing(guarded(test, False))) if otherwise else None
                return m.IfStep(scope.path, node.span, test, yes, no)
            case s.Match():
                return self._match(node, scope)
            case s.Each(generators=generators, where=where, body=body):
                loops, inner = self.ex.loops(generators, scope)
                filtered, inner = self.ex.where(where, inner.behind(body))
                return m.ForEach(scope.path, node.span, loops, filtered, self.body(body, inner))
            case s.EachPlayer(order=order, body=body):
                players = self.players(order, scope)
                inner = scope.acting(self._player).behind(body)
                return m.ForEachPlayer(scope.path, node.span, players, self.body(body, inner))
            case s.AllPlayers(body=body):
                return self._simultaneous(body, scope, node.span)
            case s.As(player=player, body=body):
                who = self.ex.wanted(player, self._player, scope)
                return m.AsPlayer(scope.path, node.span, who, self.body(body, scope.acting(self._player)))
            case s.RepeatUntil(body=body, until=until):
                again = scope.behind(body)
                inside = self.body(body, again)
                asked = self.ex.condition(until, again) if until else None
                return m.RepeatUntilStep(scope.path, node.span, inside, asked)
            case s.RepeatTimes(count=count, body=body):
                times = self.ex.wanted(count, Range(0, UNBOUNDED), scope)
                self.world.find(times.type == Range(0, 0), codes.UNREACHABLE, "0 times is never", count.span)
                return m.RepeatTimesStep(scope.path, node.span, times, self.body(body, scope.behind(body)))
            case _:
                raise AssertionError(f"no statement: {type(node).__name__}")

    @property
    def _player(self) -> PlayerType:
        return self.world.players

    def players(self, node: s.Expression, scope: Scope) -> m.Expr:
        """A collection of players."""
        found = self.ex.collection(node, scope)
        held = element_type(found.type)
        if held is not None and not fits(held, self._player):
            message = f"this is {a(found.type)}, and players are needed"
            self.world.report.report(codes.WRONG_TYPE, message, found.span)
            return poison(found.span)
        return found

    def _simultaneous(self, body: s.Block, scope: Scope, span: Span) -> m.Step:
        inner = scope.acting(self._player).behind(body)
        options = self._options(body, inner)
        return m.Simultaneous(scope.path, span, options)

    def _match(self, node: s.Match, scope: Scope) -> m.Step:
        subject = self.bodies.subject(node.subject, scope)
        if is_poison(subject):
            return m.Sequence(scope.path, node.span, ())
        cases = []
        arms = self.bodies.arms(node.arms, subject, scope, node, self.lenient)
        for arm, written in zip(arms, node.arms, strict=True):
            cases.append(m.StepCase(arm.path, arm.values, arm.binds, self.body(written.body, arm.scope)))
        return m.MatchStep(scope.path, node.span, subject, tuple(cases))

    # ---- states -----------------------------------------------------------------------------------------------

    def _assign(self, node: s.Assign, scope: Scope) -> m.Step:
        local = scope.names.get(node.place.name)
        if local is not None and not node.place.my and node.place.arguments is None:
            if local.kind != "state" and not isinstance(local.type, Never):
                message = f"`{local.name}` cannot be changed; only a `state` can"
                self.world.report.report(codes.WRONG_PLACE, message, node.place.span)
            current: m.Expr = m.Local(local.type, node.place.span, local.slot)
            return m.SetLocal(scope.path, node.span, local.slot, self._new_value(node, current, scope))
        found = self._place(node.place, scope)
        if found is not None and found.element.is_zone:
            message = f"`{node.place.name}` is a zone: pieces are moved, not assigned"
            self.world.report.report(codes.WRONG_PLACE, message, self._named(node.place))
        elif found is not None:
            current = m.Read(found.element.type, node.place.span, found.element, found.indices)
            return m.Store(scope.path, node.span, found.element, found.indices, self._new_value(node, current, scope))
        else:
            self._new_value(node, m.Local(self._stored(node.place), node.place.span, 0), scope)
        return m.Sequence(scope.path, node.span, ())

    def _stored(self, node: s.Place) -> Type:
        """What a state holds, as far as the place tells."""
        function = self.world.functions.get(node.name)
        known = isinstance(function, ElementFunction) and not function.element.is_zone
        return function.element.type if known and isinstance(function, ElementFunction) else Never()

    def _named(self, node: s.Place) -> Span:
        return self.world.places.word(node.span, node.name)

    def _new_value(self, node: s.Assign, current: m.Expr, scope: Scope) -> m.Expr:
        if node.operator == ":=":
            return self.ex.wanted(node.value, current.type, scope)
        if isinstance(current.type, Never):
            self.ex.expr(node.value, scope, Never())
            if node.bound:
                self.ex.expr(node.bound, scope)
            return poison(node.span)
        operator: Literal["+", "-"] = "+" if node.operator == "+=" else "-"
        if element_type(current.type) is not None:
            value = self._items(node.value, current.type, scope)
            return m.Combine(current.type, node.span, operator, current, value)
        amount = self.ex.integer(node.value, scope)
        bound = self.ex.integer(node.bound, scope) if node.bound else None
        current = self.ex.numeric(current)
        if is_poison(amount) or (bound and is_poison(bound)) or not isinstance(current.type, Range):
            return poison(node.span)
        result = self.ex.calculated(operator, current, amount, node.span)
        if bound is not None:
            place = bound.span if apart(bound.type, current.type) else node.span
            result = self.ex.extremum("min" if operator == "+" else "max", (result, bound), place)
        return self.ex.fit(result, current.type, scope)

    def _items(self, node: s.Expression, type_: Type, scope: Scope) -> m.Expr:
        """What is added to or taken from a collection of the type: one of its kind, for a bag a set too."""
        found = self.ex.expr(node, scope, type_)
        held = element_type(type_)
        if isinstance(type_, BagOf) and isinstance(found.type, SetOf) and held and fits(found.type.of, held):
            return found
        return self.ex.fit(found, type_, scope)

    # ---- zones ------------------------------------------------------------------------------------------------

    def _place(self, node: s.Place, scope: Scope) -> m.ZoneRef | None:
        """A state or zone with its indices; None if reported."""
        function = self.world.functions.get(node.name)
        if isinstance(function, Faulty):
            return None
        if not isinstance(function, ElementFunction):
            self._no_place(node, scope)
            return None
        self.world.uses.add((None, node.name))
        element = function.element
        arguments = (*first_argument(node), *(node.arguments or ()))
        pairs = tuple((str(t), t) for t in element.indices)
        given = self.ex.names.arguments(node.name, pairs, arguments, scope, node.span)
        return None if given is None else m.ZoneRef(element, given)

    def _no_place(self, node: s.Place, scope: Scope) -> None:
        """Report a place that is no state or zone."""
        local = scope.names.get(node.name)
        owned = (*(n for n, v in scope.names.items() if v.kind == "state"),)
        names = [n for n, f in self.world.functions.items() if isinstance(f, ElementFunction)]
        if local is not None:
            what = "a state of this action" if local.kind == "state" else "a name for a value"
            message = f"`{node.name}` is {what}: it holds no pieces"
        elif node.name == "me":
            message = "`me` cannot be changed: another player acts under `as PLAYER`"
        elif (kind := self.world.kind_of(node.name, "zone")) is not None:
            message = f"`{node.name}` is {kind}; only states and zones can be changed"
        else:
            self.world.unknown("state or zone", node.name, node.span, [*names, *owned])
            return
        self.world.report.report(codes.WRONG_PLACE, message, self._named(node))

    def zone(self, node: s.Place, scope: Scope, *shapes: str) -> m.ZoneRef | None:
        found = self._place(node, scope)
        if found is None:
            return None
        if not found.element.is_zone:
            message = f"`{node.name}` is a state: it holds a value, not pieces"
            self.world.report.report(codes.WRONG_PLACE, message, self._named(node))
            return None
        if shapes and found.element.kind not in shapes:
            wanted = " or ".join(SHAPES[shape] for shape in shapes)
            message = f"`{node.name}` is {SHAPES[found.element.kind]}, and {wanted} is needed"
            self.world.report.report(codes.WRONG_PLACE, message, self._named(node))
            return None
        return found

    def is_unseen(self, zone: m.ZoneRef, node: s.Place, consequence: str) -> bool:
        """Whether nobody knows the order of what lies there, or there is none; a pile in sight is reported, once."""
        element = zone.element
        if element.kind != "pile" or element.visibility == "hidden":
            return True
        if element.name in self.in_sight:
            return False
        self.in_sight.add(element.name)
        who = "everybody sees" if element.visibility == "open" else "its owner sees"
        message = f"{who} what lies in `{element.name}`, so {consequence}"
        notes = (Note("it is declared here", self.world.places.name(self.world.nodes[element.name])),)
        indices = f"({', '.join(map(str, element.indices))})" if element.indices else ""
        hint = f"declare it hidden: `zone {element.name}{indices}: pile of {element.type}, hidden`"
        self.world.report.report(codes.SHUFFLED_IN_SIGHT, message, self._named(node), hint, notes)
        return False

    def _target(self, node: s.Target, scope: Scope) -> m.ZoneRef | None:
        return self.zone(node.place, scope, *(("pile",) if node.end else ()))

    def _zone_step(self, node: s.Statement, scope: Scope) -> m.Step:
        nothing = m.Sequence(scope.path, node.span, ())
        match node:
            case s.Fill(place=place, value=value):
                zone = self.zone(place, scope)
                pieces = self._several(value, zone, scope)
                return m.FillZone(scope.path, node.span, zone, pieces) if zone and pieces else nothing
            case s.Shuffle(place=place):
                zone = self.zone(place, scope, "pile", "bag")
                if zone is None or not self.is_unseen(zone, place, "it cannot be shuffled"):
                    return nothing
                return m.ShuffleZone(scope.path, node.span, zone)
            case s.Swap(left=left, right=right):
                one = self.zone(left, scope, "one")
                other = self.zone(right, scope, "one") if one else None
                if not (one and other and self.agree(one, other, right.span)):
                    return nothing
                return m.SwapPieces(scope.path, node.span, one, other)
            case s.Put(piece=piece, target=target):
                zone = self._target(target, scope)
                given = self._pieces(piece, zone, scope)
                bottom = target.end == "bottom"
                return m.PutPiece(scope.path, node.span, given, zone, bottom) if zone and given else nothing
            case s.Remove(piece=piece, source=source):
                zone = self.zone(source, scope)
                given = self._pieces(piece, zone, scope)
                return m.RemovePiece(scope.path, node.span, given, zone) if zone and given else nothing
            case s.Draw():
                return self._draw(node, scope) or nothing
            case s.Move():
                return self._move(node, scope) or nothing
            case _:
                raise AssertionError(f"no zone statement: {type(node).__name__}")

    def _draw(self, node: s.Draw, scope: Scope) -> m.Step | None:
        count = self.ex.wanted(node.count, Range(0, UNBOUNDED), scope)
        source = self.zone(node.source, scope, "pile", "bag")
        target = self._target(node.target, scope)
        if is_poison(count) or not (source and target and self.agree(source, target, node.target.place.span)):
            return None
        unseen = source.element.visibility == "hidden" or source.element.kind == "bag"
        if unseen and target.element.visibility != "hidden":
            self.chance(scope.path, source.element.type, node.span)
        return m.DrawPieces(scope.path, node.span, count, source, target, node.target.end == "bottom")

    def _move(self, node: s.Move, scope: Scope) -> m.Step | None:
        target = self._target(node.target, scope)
        bottom = node.target.end == "bottom"
        place = node.source or self._moved_place(node, scope)
        if place is None:
            return None
        source = self.zone(place, scope, *(("one",) if node.source is None else ()))
        if not (source and target and self.agree(source, target, node.target.place.span)):
            return None
        self._reveals(source, target, scope, node.span)
        if node.source is None:
            return m.MovePiece(scope.path, node.span, None, source, target, bottom)
        if node.piece is None:
            return m.MoveAll(scope.path, node.span, source, target, bottom)
        piece = self._pieces(node.piece, source, scope)
        return m.MovePiece(scope.path, node.span, piece, source, target, bottom) if piece else None

    def _moved_place(self, node: s.Move, scope: Scope) -> s.Place | None:
        """The zone for one piece that stands where a piece could: `move row(s) to ...`; None if reported."""
        piece = node.piece
        if isinstance(piece, s.Name) and piece.name not in scope.names:
            return s.Place(piece.span, piece.name, piece.arguments, piece.my)
        message, place = "say from which zone this is moved", piece.span if piece else node.span
        self.world.report.report(codes.WRONG_PLACE, message, place, "`move PIECE from ZONE to ZONE`")
        return None

    def _reveals(self, source: m.ZoneRef, target: m.ZoneRef, scope: Scope, span: Span) -> None:
        """Pieces that leave a hidden zone for one that somebody sees are told by chance events."""
        if source.element.visibility == "hidden" and target.element.visibility != "hidden":
            self.chance(scope.path, source.element.type, span)

    def agree(self, source: m.ZoneRef, target: m.ZoneRef, span: Span) -> bool:
        """Whether pieces can go from the one to the other, which is named in the span."""
        if source.element.type != target.element.type:
            one, other = source.element, target.element
            message = f"the pieces of `{one.name}` are {one.type}, and those of `{other.name}` {other.type}"
            self.world.report.report(codes.WRONG_TYPE, message, span)
            return False
        from_, to = (tuple(key_of(index) for index in zone.indices) for zone in (source, target))
        if source.element.name == target.element.name and from_ == to and None not in from_:
            self.world.report.report(codes.WRONG_PLACE, "this is the same zone again", span)
            return False
        return True

    def _several(self, node: s.Expression, zone: m.ZoneRef | None, scope: Scope) -> m.Expr | None:
        """Kinds of pieces for the zone, which is filled with them; None if reported."""
        found = self._pieces(node, zone, scope)
        if found is None or element_type(found.type) is not None:
            return found
        place, words = self.world.places.text(node.span), zone.element.name if zone else "ZONE"
        message = "a zone is filled with several pieces, and this is one"
        self.world.report.report(codes.WRONG_TYPE, message, node.span, f"`put {place or 'PIECE'} in {words}`")
        return None

    def _pieces(self, node: s.Expression, zone: m.ZoneRef | None, scope: Scope) -> m.Expr | None:
        """A piece for the zone, or a collection of them; None if reported."""
        if zone is None:
            return None
        type_ = zone.element.type
        found = self.ex.expr(node, scope, type_)
        if is_poison(found):
            return None
        held = element_type(found.type)
        if held is not None and fits(held, type_):
            return found
        fitted = self.ex.fit(found, type_, scope)
        return None if is_poison(fitted) else fitted
