"""Elaboration of statements: actions, set-up and flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ludex.grammar import Identifier, Note, Span
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..ranges.bounds import UNBOUNDED, a
from ..values.types import BagOf, Never, PlayerType, Range, element_type, fits
from .events import WHO_ACTS, Performed
from .expressions import ExpressionElaborator
from .scope import ExpressionKey, Scope, expression_key, is_poison, poison
from .symbols import Symbols
from .type_resolver import TypeResolver
from .updates import Updates
from .value_bodies import ValueBodies

Keys: TypeAlias = tuple[ExpressionKey | None, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """The head of an action or branch: the player's choices, and its requirements."""

    choices: tuple[m.Choice, ...]
    requirements: tuple[m.Requirement, ...]
    rest: tuple[s.Statement, ...]
    scope: Scope


@dataclass(frozen=True, slots=True)
class StatementElaborator:
    """Elaborates statements.

    Attributes:
        lenient: whether the edition leaves clauses out, so that the `match` of a step may be incomplete.
    """

    symbols: Symbols
    types: TypeResolver
    ex: ExpressionElaborator
    bodies: ValueBodies
    updates: Updates
    lenient: bool = False

    # ---- blocks -----------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[s.Statement], scope: Scope, span: Span) -> m.Step:
        """Elaborate statements in order.

        A choice of values contains the rest of its block: the rest uses its names, and is skipped if the choice is
        declined or has no options."""
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
                    # A requirement that may be waived need not hold after it.
                    scope = scope if requirement.waivers else scope.knowing(requirement.condition)
                    done.append(m.Demand(requirement.path, statement.span, requirement))
                case _:
                    done.append(self.step(statement, scope))
            scope = scope.after(statement)  # what it may change is no longer known
        return done[0] if len(done) == 1 else m.Sequence(scope.path, span, tuple(done))

    def body(self, statement: s.Statement, scope: Scope) -> m.Step:
        """Elaborate a block or a single statement."""
        statements = statement.statements if isinstance(statement, s.Block) else (statement,)
        return self.block(statements, scope, statement.span)

    def _binding(self, node: s.Let | s.LocalState | s.Random, scope: Scope) -> tuple[m.Step, Scope]:
        if isinstance(node, s.Random):
            return self._random(node, scope)
        if isinstance(node, s.Let):
            value = self.ex.expr(node.value, scope)
            scope, slot = self.ex.bind(node.name, value.type, "let", scope)
        else:
            type_ = self.types.resolve(node.type)
            value = self.ex.wanted(node.value, type_, scope)
            scope, slot = self.ex.bind(node.name, type_, "state", scope)
            # A computed first value may differ from call to call, so that the state is not a constant.
            if not isinstance(value, m.Constant):
                scope.frame.written.add(slot)
        return m.SetLocal(scope.path, node.span, slot, value), scope

    def _random(self, node: s.Random, scope: Scope) -> tuple[m.Step, Scope]:
        loops, inner = self.ex.loops((node.generator,), scope, "random")
        where, inner = self.ex.where(node.where, inner)
        loop = loops[0]
        self.symbols.events.chance(scope.path, loop.type, node.span)
        step = m.RandomValue(scope.path, node.span, loop.name, loop.slot, loop.type, loop.domain, where)
        return step, inner

    # ---- decisions --------------------------------------------------------------------------------------------

    def signature(self, statements: Sequence[s.Statement], scope: Scope) -> Signature:
        """Elaborate the leading choices and requirements of a body; the statements after them are the `rest`."""
        choices: list[m.Choice] = []
        requirements: list[m.Requirement] = []
        at = 0
        for at, statement in enumerate(statements):  # noqa: B007
            if isinstance(statement, s.ChooseValue):
                chosen, where, scope = self._generators(statement, scope)
                choices += chosen
                requirements += where
            elif isinstance(statement, s.Require):
                requirement = self.bodies.requirement(statement, scope)
                requirements.append(requirement)
                scope = scope if requirement.waivers else scope.knowing(requirement.condition)
            else:
                break
        else:
            at = len(statements)
        return Signature(tuple(choices), tuple(requirements), tuple(statements[at:]), scope)

    def _generators(self, node: s.ChooseValue, scope: Scope) -> tuple[list[m.Choice], list[m.Requirement], Scope]:
        choices = []
        for generator in node.generators:
            domain = self.ex.collection(generator.domain, scope)
            item_type = element_type(domain.type) or Never()
            type_ = BagOf(item_type) if generator.within and not isinstance(item_type, Never) else item_type
            # This is tested before the name is bound, as it is always taken afterwards.
            new = not self.ex.is_taken(generator.name, scope)
            scope, slot = self.ex.bind(generator.name, type_, "choice", scope)
            # A name that is taken was reported, and a second choice of the name would break the signature.
            if new:
                choices.append(m.Choice(generator.name, slot, type_, domain, generator.within))
        where, scope = self.ex.where(node.where, scope)
        requirement = [] if where is None else [m.Requirement(scope.path, where, (), where.span, None)]
        return choices, requirement, scope

    def _choose_values(
        self, node: s.ChooseValue, rest: Sequence[s.Statement], scope: Scope, span: Span, optional: bool = False
    ) -> m.Step:
        option = self._branch(self._move_name(node, scope, node.span), (node, *rest), scope, node.span)
        return self._decide((option,), scope, span, optional)

    def _move_name(self, node: s.ChooseValue, scope: Scope, span: Span) -> Identifier:
        """Return the name of the move of a choice: the path of its clause.

        A further choice in the clause has its first name added. The choices at the head of an action are the first."""
        path, action = scope.path, self.symbols.actions.get(scope.path)
        begun = action is not None and action.has_choices
        name = node.generators[0].name
        several = begun or path in self.symbols.events.moves
        return Identifier(f"{path}.{name}", name.span) if several else Identifier(path, span)

    def _branch(self, name: Identifier, statements: Sequence[s.Statement], scope: Scope, span: Span) -> m.BranchOption:
        signature = self.signature(statements, scope)
        self.symbols.events.decision(name, signature.choices, span)
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
            place = span.brief
            self.symbols.diagnostics.report(
                spec_codes.NO_CHOICE_HERE, "no player acts here who could decide", place, WHO_ACTS
            )
        else:
            self.ex.names.me(span, scope)
        return m.Decide(scope.path, span, options, optional, repeating, window)

    def _options(self, node: s.Statement, scope: Scope) -> tuple[m.MoveOption, ...]:
        """Elaborate the options of a `may`, `repeat may` or `choose`."""
        match node:
            case s.ChooseAction(calls=calls):
                return self._alternatives(calls, scope)
            case s.ChooseBranch(branches=branches):
                return tuple(self._labelled_branch(branch, scope) for branch in branches)
            case s.Call():
                option = self._action_option(node, scope)
                return (option,) if option else ()
            # A line break after `may` changes nothing, so that such a block is not a branch of its own.
            case s.Block(statements=(s.ChooseAction() | s.ChooseBranch() | s.Call() as only,)):
                return self._options(only, scope)
            case s.Block(statements=(s.ChooseValue() as first, *_)):
                return (self._branch(self._move_name(first, scope, node.span), node.statements, scope, node.span),)
            case s.ChooseValue():
                return (self._branch(self._move_name(node, scope, node.span), (node,), scope, node.span),)
            case s.Block():
                return (self._branch(Identifier(scope.path, node.span), node.statements, scope, node.span),)
            case _:
                return (self._branch(Identifier(scope.path, node.span), (node,), scope, node.span),)

    def _alternatives(self, calls: tuple[s.Call, ...], scope: Scope) -> tuple[m.MoveOption, ...]:
        """Elaborate the offered actions. Several offers of one action are distinguished by their arguments."""
        offered: list[m.ActionOption] = []
        earlier: dict[str, list[tuple[Keys, Span]]] = {}
        for call in calls:
            option = self._action_option(call, scope)
            if option is None:
                continue
            keys = tuple(expression_key(argument) for argument in option.arguments)
            others = earlier.setdefault(option.action, [])
            twins = [
                Note("the other one", span) for other, span in others if not self._distinguished(call, keys, other)
            ]
            if twins:
                message = f"`{option.action}` is offered twice"
                self.symbols.diagnostics.report(spec_codes.DUPLICATE_NAME, message, call.span, notes=(twins[0],))
            others.append((keys, call.span))
            offered.append(option)
        return tuple(offered)

    def _distinguished(self, call: s.Call, keys: Keys, others: Keys) -> bool:
        """Record the parameters in which two offers of one action may differ. Return False if there are none."""
        names = (name for name, _ in self.symbols.actions[call.action].parameters)
        # What has no key may differ in play.
        apart = {name for name, one, two in zip(names, keys, others, strict=True) if one is None or one != two}
        self.symbols.events.stated.update((call.action, name) for name in apart)
        return bool(apart)

    def _labelled_branch(self, node: s.Clause, scope: Scope) -> m.BranchOption:
        path = f"{scope.path}.{node.label}"
        body = node.body.statements if isinstance(node.body, s.Block) else (node.body,)
        return self._branch(Identifier(path, node.label.span), body, scope.at(path), node.span)

    def _action_option(self, node: s.Call, scope: Scope) -> m.ActionOption | None:
        given = self._call_arguments(node, scope, deciding=True)
        self.symbols.events.offered.add(node.action)
        return None if given is None else m.ActionOption(node.action, given)

    def _call_arguments(self, node: s.Call, scope: Scope, deciding: bool) -> tuple[m.Expr, ...] | None:
        """Elaborate the arguments of a call of an action. Return None if a fault was reported.

        deciding: whether the call is an option of a decision, which reports by itself that nobody acts."""
        called = self.ex.action(node.action)
        if called is None:
            return None
        acting: Literal["nobody", "caller", "someone"] = (
            "nobody" if scope.me is None else "caller" if scope.outer_me else "someone"
        )
        # A decision where nobody acts has a report of its own already.
        if acting != "nobody" or not (deciding or called.has_choices):
            self.symbols.events.performed.append(Performed(scope.frame.routine, node.action, acting, node.span))
        return self.ex.names.arguments(node.action, called.parameters, node.arguments or (), scope)

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
                return self.updates.assign(node, scope)
            case s.Drawing():
                return self.updates.draw_board(node, scope)
            case s.EndGame():
                return m.EndGameStep(scope.path, node.span)
            case s.Nothing():
                return m.Sequence(scope.path, node.span, ())
            case s.Let() | s.LocalState() | s.Random() | s.Require() | s.ChooseValue():
                return self.block((node,), scope, node.span)
            case s.Fill() | s.Shuffle() | s.Draw() | s.Move() | s.Put() | s.Remove() | s.Swap():
                return self.updates.zone_step(node, scope)
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
        inner = scope.at(path).knowing(condition)
        body: m.Step = m.Sequence(path, node.span, ())
        if node.statement is not None:
            body = self.body(node.statement, inner)
        return m.ExceptionalStep(path, condition, body)

    def _call(self, node: s.Call, scope: Scope) -> m.Step:
        given = self._call_arguments(node, scope, deciding=False)
        if given is None:
            # An empty sequence does nothing, so the fault of a call gives no further reports.
            return m.Sequence(scope.path, node.span, ())
        if self.symbols.actions[node.action].has_choices:
            self.symbols.events.offered.add(node.action)
            return self._decide((m.ActionOption(node.action, given),), scope, node.span)
        return m.Perform(scope.path, node.span, node.action, given)

    def _window(self, node: s.OpenWindow, scope: Scope) -> m.Step:
        parameters = self.symbols.windows.get(node.window)
        if parameters is None:
            self.symbols.misplaced("window", node.window, self.symbols.windows)
            return m.Sequence(scope.path, node.span, ())
        self.symbols.events.opened.add(node.window)
        given = self.ex.names.arguments(node.window, parameters, node.arguments or (), scope)
        options = tuple(
            m.ActionOption(name, given or ())
            for name, head in self.symbols.actions.items()
            if head.declaration.during == node.window and given is not None
        )
        for option in options:
            self.symbols.events.offered.add(option.action)
        return self._decide(options, scope, node.span, optional=True, repeating=True, window=node.window)

    def _control(self, node: s.Statement, scope: Scope) -> m.Step:
        match node:
            case s.If(condition=condition, then=then, otherwise=otherwise):
                test = self.ex.condition(condition, scope)
                # Only a literal is reported: what is constant at this table may depend on an option.
                dead = (otherwise if condition.value else then) if isinstance(condition, s.Boolean) else None
                if dead is not None:
                    place = dead.span.brief
                    self.symbols.diagnostics.report(spec_codes.UNREACHABLE, "this statement is never reached", place)
                yes = self.body(then, scope.knowing(test))
                no = self.body(otherwise, scope.knowing(test, False)) if otherwise else None
                return m.IfStep(scope.path, node.span, test, yes, no)
            case s.Match():
                return self._match(node, scope)
            case s.Each(generators=generators, where=where, body=body):
                loops, inner = self.ex.loops(generators, scope)
                # The condition is asked again after each round, so that guards must hold after the body, too.
                filtered, inner = self.ex.where(where, inner.after(body))
                return m.ForEach(scope.path, node.span, loops, filtered, self.body(body, inner))
            case s.EachPlayer(order=order, body=body):
                players = self.players(order, scope)
                inner = scope.acting(self._player).after(body)
                return m.ForEachPlayer(scope.path, node.span, players, self.body(body, inner))
            case s.AllPlayers(body=body):
                return self._simultaneous(body, scope, node.span)
            case s.As(player=player, body=body):
                who = self.ex.wanted(player, self._player, scope)
                return m.AsPlayer(scope.path, node.span, who, self.body(body, scope.acting(self._player)))
            case s.RepeatUntil(body=body, until=until):
                # A guard from before the loop must also hold in its later rounds.
                again = scope.after(body)
                inside = self.body(body, again)
                # The end is asked for after the body, and may rely on no more than the body does.
                asked = self.ex.condition(until, again) if until else None
                return m.RepeatUntilStep(scope.path, node.span, inside, asked)
            case s.RepeatTimes(count=count, body=body):
                times = self.ex.wanted(count, Range(0, UNBOUNDED), scope)
                self.symbols.checks.add(
                    times.type == Range(0, 0), spec_codes.UNREACHABLE, "this repeats 0 times", count.span
                )
                return m.RepeatTimesStep(scope.path, node.span, times, self.body(body, scope.after(body)))
            case _:
                raise AssertionError(f"no statement: {type(node).__name__}")

    @property
    def _player(self) -> PlayerType:
        return self.symbols.players

    def players(self, node: s.Expression, scope: Scope) -> m.Expr:
        """Elaborate an expression that must be a collection of players."""
        players = self.ex.collection(node, scope)
        item_type = element_type(players.type)
        if item_type is not None and not fits(item_type, self._player):
            message = f"this is {a(players.type)}, and players are needed"
            self.symbols.diagnostics.report(spec_codes.WRONG_TYPE, message, players.span)
            return poison(players.span)
        return players

    def _simultaneous(self, body: s.Block, scope: Scope, span: Span) -> m.Step:
        inner = scope.acting(self._player).after(body)
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
