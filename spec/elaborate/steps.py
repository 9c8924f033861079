"""Syntax to model, for statements: what an action, the set-up and the flow do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ludex.grammar import Note, Span
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..types import BagOf, Never, PlayerType, Range, SetOf, Type, element_type, fits
from .bodies import Bodies
from .bounds import a
from .expressions import Expressions
from .scope import Scope, guarded, is_poison, poison
from .typenames import TypeNames
from .world import ElementFunction, Faulty, World


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
    so that a step match may be incomplete."""

    world: World
    types: TypeNames
    ex: Expressions
    bodies: Bodies
    lenient: bool = False
    routine: str = ""
    performed: list[Performed] = field(default_factory=list)
    offered: set[str] = field(default_factory=set)
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
        return done[0] if len(done) == 1 else m.Sequence(scope.path, span, tuple(done))

    def body(self, statement: s.Statement, scope: Scope) -> m.Step:
        """A block, or one statement on its own."""
        statements = statement.statements if isinstance(statement, s.Block) else (statement,)
        return self.block(statements, scope, statement.span)

    def _binding(self, node: s.Let | s.LocalState | s.Random, scope: Scope) -> tuple[m.Step, Scope]:
        if isinstance(node, s.Random):
            return self._random(node, scope)
        self.ex.check_new(node.name, node.span, scope)
        if isinstance(node, s.Let):
            value = self.ex.expr(node.value, scope)
            scope, slot = scope.bind(node.name, value.type, "let", node.span)
        else:
            type_ = self.types.resolve(node.type)
            value = self.ex.wanted(node.value, type_, scope)
            scope, slot = scope.bind(node.name, type_, "state", node.span)
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
            self.ex.check_new(generator.name, generator.span, scope)
            scope, slot = scope.bind(generator.name, type_, "choice", generator.span)
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
            note = Note("the other one", self.world.moves[name].span)
            message = f"two decisions are called `{name}`"
            self.world.report.report(codes.DUPLICATE_NAME, message, span, "give each a label of its own", (note,))
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
            self.world.report.report(codes.NO_CHOICE_HERE, "nobody is there to decide", span)
        else:
            self.ex.names.me(span, scope)
        return m.Decide(scope.path, span, options, optional, repeating, window)

    def _options(self, node: s.Statement, scope: Scope) -> tuple[m.MoveOption, ...]:
        """What a `may`, `repeat may` or `choose` offers."""
        match node:
            case s.ChooseAction(calls=calls):
                return tuple(o for call in calls if (o := self._action_option(call, scope)))
            case s.ChooseBranch(branches=branches):
                return tuple(self._labelled_branch(branch, scope) for branch in branches)
            case s.Call():
                option = self._action_option(node, scope)
                return (option,) if option else ()
            case s.Block(statements=(s.ChooseAction() | s.ChooseBranch() as only,)):
                return self._options(only, scope)
            case s.Block(statements=(s.ChooseValue() as first, *_)):
                return (self._branch(self._move_name(first, scope), node.statements, scope, node.span),)
            case s.ChooseValue():
                return (self._branch(self._move_name(node, scope), (node,), scope, node.span),)
            case s.Block():
                return (self._branch(scope.path, node.statements, scope, node.span),)
            case _:
                return (self._branch(scope.path, (node,), scope, node.span),)

    def _labelled_branch(self, node: s.Clause, scope: Scope) -> m.BranchOption:
        path = f"{scope.path}.{node.label}"
        body = node.body.statements if isinstance(node.body, s.Block) else (node.body,)
        return self._branch(path, body, scope.at(path), node.span)

    def _action_option(self, node: s.Call, scope: Scope) -> m.ActionOption | None:
        given = self._call_arguments(node, scope)
        self.offered.add(node.action)
        return None if given is None else m.ActionOption(node.action, given)

    def _call_arguments(self, node: s.Call, scope: Scope) -> tuple[m.Expr, ...] | None:
        """Arguments of a call of an action; None if reported."""
        head = self.ex.action(node.action, node.span)
        if head is None:
            return None
        acting: Literal["nobody", "caller", "someone"] = (
            "nobody" if scope.me is None else "caller" if scope.outer_me else "someone"
        )
        self.performed.append(Performed(self.routine, node.action, acting, node.span))
        return self.ex.names.arguments(node.action, head.parameters, node.arguments or (), scope, node.span)

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
        given = self._call_arguments(node, scope)
        if given is None:
            return m.Sequence(scope.path, node.span, ())
        if self.world.actions[node.action].has_choices:
            self.offered.add(node.action)
            return self._decide((m.ActionOption(node.action, given),), scope, node.span)
        return m.Perform(scope.path, node.span, node.action, given)

    def _window(self, node: s.OpenWindow, scope: Scope) -> m.Step:
        parameters = self.world.windows.get(node.window)
        if parameters is None:
            self.world.unknown("window", node.window, node.span, self.world.windows)
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
                yes = self.body(then, scope.knowing(guarded(test)))
                no = self.body(otherwise, scope.knowing(guarded(test, False))) if otherwise else None
                return m.IfStep(scope.path, node.span, test, yes, no)
            case s.Match():
                return self._match(node, scope)
            case s.Each(generators=generators, where=where, body=body):
                loops, inner = self.ex.loops(generators, scope)
                filtered, inner = self.ex.where(where, inner)
                return m.ForEach(scope.path, node.span, loops, filtered, self.body(body, inner))
            case s.EachPlayer(order=order, body=body):
                players = self._players(order, scope)
                return m.ForEachPlayer(scope.path, node.span, players, self.body(body, scope.acting(self._player)))
            case s.AllPlayers(body=body):
                return self._simultaneous(body, scope, node.span)
            case s.As(player=player, body=body):
                who = self.ex.wanted(player, self._player, scope)
                return m.AsPlayer(scope.path, node.span, who, self.body(body, scope.acting(self._player)))
            case s.RepeatUntil(body=body, until=until):
                inside = self.body(body, scope)
                return m.RepeatUntilStep(
                    scope.path, node.span, inside, self.ex.condition(until, scope) if until else None
                )
            case s.RepeatTimes(count=count, body=body):
                times = self.ex.wanted(count, Range(0, 1_000_000), scope)
                return m.RepeatTimesStep(scope.path, node.span, times, self.body(body, scope))
            case _:
                raise AssertionError(f"no statement: {type(node).__name__}")

    @property
    def _player(self) -> PlayerType:
        return self.world.players

    def _players(self, node: s.Expression, scope: Scope) -> m.Expr:
        found = self.ex.collection(node, scope)
        held = element_type(found.type)
        if held is not None and not fits(held, self._player):
            message = f"this is {a(found.type)}, and players are needed"
            self.world.report.report(codes.WRONG_TYPE, message, found.span)
        return found

    def _simultaneous(self, body: s.Block, scope: Scope, span: Span) -> m.Step:
        inner = scope.acting(self._player)
        options = self._options(body, inner)
        return m.Simultaneous(scope.path, span, options)

    def _match(self, node: s.Match, scope: Scope) -> m.Step:
        subject = self.ex.expr(node.subject, scope)
        if is_poison(subject):
            return m.Sequence(scope.path, node.span, ())
        cases = []
        arms = self.bodies.arms(node.arms, subject, scope, node.span, self.lenient)
        for arm, written in zip(arms, node.arms, strict=True):
            cases.append(m.StepCase(arm.path, arm.values, arm.binds, self.body(written.body, arm.scope)))
        return m.MatchStep(scope.path, node.span, subject, tuple(cases))

    # ---- states -----------------------------------------------------------------------------------------------

    def _assign(self, node: s.Assign, scope: Scope) -> m.Step:
        local = scope.names.get(node.place.name)
        if local is not None and not node.place.my and node.place.arguments is None:
            if local.kind != "state":
                message = f"`{local.name}` cannot be changed; only a `state` can"
                self.world.report.report(codes.WRONG_PLACE, message, node.place.span)
            current: m.Expr = m.Local(local.type, node.place.span, local.slot)
            return m.SetLocal(scope.path, node.span, local.slot, self._new_value(node, current, scope))
        found = self._place(node.place, scope)
        if found is None:
            return m.Sequence(scope.path, node.span, ())
        if found.element.is_zone:
            message = f"`{node.place.name}` is a zone: pieces are moved, not assigned"
            self.world.report.report(codes.WRONG_PLACE, message, node.place.span)
            return m.Sequence(scope.path, node.span, ())
        current = m.Read(found.element.type, node.place.span, found.element, found.indices)
        return m.Store(scope.path, node.span, found.element, found.indices, self._new_value(node, current, scope))

    def _new_value(self, node: s.Assign, current: m.Expr, scope: Scope) -> m.Expr:
        if node.operator == ":=":
            return self.ex.wanted(node.value, current.type, scope)
        operator: Literal["+", "-"] = "+" if node.operator == "+=" else "-"
        if element_type(current.type) is not None:
            value = self._items(node.value, current.type, scope)
            return m.Combine(current.type, node.span, operator, current, value)
        amount = self.ex.wanted(node.value, Range(-1_000_000, 1_000_000), scope)
        current = self.ex.fit(current, Range(-1_000_000, 1_000_000), scope)
        if is_poison(amount) or is_poison(current):
            return poison(node.span)
        result = self.ex.calculated(operator, current, amount, node.span)
        if node.bound is not None:
            bound = self.ex.wanted(node.bound, Range(-1_000_000, 1_000_000), scope)
            if is_poison(bound):
                return bound
            result = self.ex.extremum("min" if operator == "+" else "max", (result, bound), node.span)
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
            names = [n for n, f in self.world.functions.items() if isinstance(f, ElementFunction)]
            if function is not None or node.name in self.world.pending:
                message = f"`{node.name}` is computed; only states and zones can be changed"
                self.world.report.report(codes.WRONG_PLACE, message, node.span)
            else:
                self.world.unknown("state or zone", node.name, node.span, names)
            return None
        self.world.used.add(f"function {node.name}")
        element = function.element
        arguments = node.arguments or ()
        if node.my:
            arguments = (s.Argument(node.span, None, s.Name(node.span, "me")), *arguments)
        pairs = tuple((str(t), t) for t in element.indices)
        given = self.ex.names.arguments(node.name, pairs, arguments, scope, node.span)
        return None if given is None else m.ZoneRef(element, given)

    def zone(self, node: s.Place, scope: Scope, *shapes: str) -> m.ZoneRef | None:
        found = self._place(node, scope)
        if found is None:
            return None
        if not found.element.is_zone:
            message = f"`{node.name}` is a state: it holds a value, not pieces"
            self.world.report.report(codes.WRONG_PLACE, message, node.span)
            return None
        if shapes and found.element.kind not in shapes:
            wanted = " or ".join(f"a {shape}" for shape in shapes)
            kind = "a zone for one piece" if found.element.kind == "one" else f"a {found.element.kind}"
            self.world.report.report(codes.WRONG_PLACE, f"`{node.name}` is {kind}, and {wanted} is needed", node.span)
            return None
        return found

    def _target(self, node: s.Target, scope: Scope) -> m.ZoneRef | None:
        return self.zone(node.place, scope, *(("pile",) if node.end else ()))

    def _zone_step(self, node: s.Statement, scope: Scope) -> m.Step:
        nothing = m.Sequence(scope.path, node.span, ())
        match node:
            case s.Fill(place=place, value=value):
                zone = self.zone(place, scope)
                pieces = self._pieces(value, zone, scope)
                return m.FillZone(scope.path, node.span, zone, pieces) if zone and pieces else nothing
            case s.Shuffle(place=place):
                zone = self.zone(place, scope, "pile", "bag")
                return m.ShuffleZone(scope.path, node.span, zone) if zone else nothing
            case s.Swap(left=left, right=right):
                one, other = self.zone(left, scope, "one"), self.zone(right, scope, "one")
                if not (one and other and self.agree(one, other, node.span)):
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
        count = self.ex.wanted(node.count, Range(0, 1_000_000), scope)
        source = self.zone(node.source, scope, "pile", "bag")
        target = self._target(node.target, scope)
        if is_poison(count) or not (source and target and self.agree(source, target, node.span)):
            return None
        unseen = source.element.visibility == "hidden" or source.element.kind == "bag"
        if unseen and target.element.visibility != "hidden":
            self.chance(scope.path, source.element.type, node.span)
        return m.DrawPieces(scope.path, node.span, count, source, target, node.target.end == "bottom")

    def _move(self, node: s.Move, scope: Scope) -> m.Step | None:
        target = self._target(node.target, scope)
        bottom = node.target.end == "bottom"
        source_place = node.source
        if source_place is None and isinstance(node.piece, s.Name):
            source_place = s.Place(node.piece.span, node.piece.name, node.piece.arguments, node.piece.my)
        if source_place is None:
            message = "say from which zone the piece is moved"
            self.world.report.report(codes.WRONG_PLACE, message, node.span, "`move PIECE from ZONE to ZONE`")
            return None
        source = self.zone(source_place, scope, *(("one",) if node.source is None else ()))
        if not (source and target and self.agree(source, target, node.span)):
            return None
        self._reveals(source, target, scope, node.span)
        if node.source is None:
            return m.MovePiece(scope.path, node.span, None, source, target, bottom)
        if node.piece is None:
            return m.MoveAll(scope.path, node.span, source, target, bottom)
        piece = self._pieces(node.piece, source, scope)
        return m.MovePiece(scope.path, node.span, piece, source, target, bottom) if piece else None

    def _reveals(self, source: m.ZoneRef, target: m.ZoneRef, scope: Scope, span: Span) -> None:
        """Pieces that leave a hidden zone for one that somebody sees are told by chance events."""
        if source.element.visibility == "hidden" and target.element.visibility != "hidden":
            self.chance(scope.path, source.element.type, span)

    def agree(self, source: m.ZoneRef, target: m.ZoneRef, span: Span) -> bool:
        if source.element.type == target.element.type:
            return True
        message = (
            f"`{source.element.name}` holds {source.element.type}, and `{target.element.name}` {target.element.type}"
        )
        self.world.report.report(codes.WRONG_TYPE, message, span)
        return False

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
