"""Elaboration of examples: a position, moves and expectations, for the table that the example names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from ludex.grammar import Diagnostic, Identifier, Note, Span, format_expression
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..model.effects import performed
from ..model.traversal import all_steps
from ..ranges.bounds import a
from ..text import stated
from ..values.types import Never, Type, Value, join
from .defines import Defines
from .scope import RoutineSlots, Scope, is_poison
from .settings import Settings, other_than_default
from .statements import StatementElaborator
from .symbols import Symbols

CLAUSES_NAMED = 4
"""The largest number of clauses that a hint names."""
NAME_ONE = "name a requirement of the move, or the clause of the flow that asks for another move"
ExampleSetting: TypeAlias = tuple[int | None, Mapping[str, object], Mapping[str, str]]
"""The number of players that an example names (None: it names none), and the options and readings, as in a log, that
differ from the defaults."""
ConstantReader: TypeAlias = Callable[[s.Expression, Type], m.Constant | None]


class Reasons:
    """The clauses that can refuse moves, as `refuse ... because CLAUSE` names them.

    They are the requirements, the clauses in which values are chosen, and the clauses of the flow.

    Attributes:
        paths: the paths of all stated clauses.
        flow: the clauses that wait for a decision or a chance event, or end the game, and so refuse every other move.
        refusing: the requirements and choices that can refuse some move.
    """

    def __init__(
        self,
        actions: Mapping[str, m.Action],
        routines: Iterable[m.Step],
        paths: frozenset[str],
        chances: Iterable[str],
    ) -> None:
        """chances: the paths of the clauses that raise chance events."""
        self.actions, self.paths = actions, paths
        bodies = (*routines, *(action.body for action in actions.values()))
        self._steps = [step for body in bodies for step in all_steps(body)]
        self._options: dict[str, list[m.BranchOption]] = {}
        for step in self._steps:
            if isinstance(step, m.Asking):
                for option in step.options:
                    if isinstance(option, m.BranchOption):
                        self._options.setdefault(option.name, []).append(option)
        asking = (m.Asking, m.EndGameStep)
        self.flow = frozenset(step.path for step in self._steps if isinstance(step, asking)) | frozenset(chances)
        self._offering: dict[str, list[str]] = {}
        for step in self._steps:
            for name in performed(step):
                self._offering.setdefault(name, []).append(step.path)
        self._inside = {name: self._in_bodies(name) for name in (*actions, *self._options)}
        self.refusing = frozenset(path for name in self._inside for path in self._against(name, {}))

    def can_refuse(self, path: str, move: m.ExampleMove) -> bool:
        """Return whether a clause may refuse a move in some position."""
        return path in self.of(move)

    def is_reason(self, path: str) -> bool:
        """Return whether a clause may refuse any move."""
        return path in self.flow or path in self.refusing

    def meant(self, short: str) -> str | None:
        """Return the only clause whose path is `short` with further labels before the last; None if there is no such
        clause, or several."""
        head, dot, last = short.rpartition(".")
        paths = [path for path in self.paths if path.startswith(head + dot) and path.endswith(f".{last}")]
        return paths[0] if len(paths) == 1 else None

    def hint(self, path: str) -> str:
        """Suggest a clause in place of one that refuses no move: one inside it, or else around it."""
        inside = sorted(each for each in self.flow | self.refusing if each.startswith(f"{path}."))
        around = [path[:at] for at, sign in enumerate(path) if sign == "." and self.is_reason(path[:at])]
        named = [f"`{each}`" for each in (inside or around[-1:])[:CLAUSES_NAMED]]
        return f"name the clause that does: {' or '.join(named)}" if named else NAME_ONE

    def of(self, move: m.ExampleMove) -> Iterator[str]:
        """Yield the clauses that may refuse a move, its own and those of actions that it performs; some twice."""
        # Actions may perform each other in a circle.
        waiting, reached = [move.action], {move.action}
        while waiting:
            called = waiting.pop()
            if called == move.action:
                yield from self._against(called, dict(move.arguments))
            else:
                yield from self._own_clauses(called, {})
            further = self._inside[called][1] if called in self._inside else ()
            waiting += [name for name in further if name not in reached]
            reached.update(further)

    def _moves(self, name: str) -> list[m.Action] | list[m.BranchOption]:
        return [self.actions[name]] if name in self.actions else self._options.get(name, [])

    def _in_bodies(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the paths of the requirements in the bodies of a move, and the actions performed there, each once."""
        inside = [step for move in self._moves(name) for step in all_steps(move.body)]
        demands = (step.requirement.path for step in inside if isinstance(step, m.Demand))
        return tuple(demands), tuple(dict.fromkeys(step.action for step in inside if isinstance(step, m.Perform)))

    def _against(self, name: str, stated: Mapping[str, Value]) -> Iterator[str]:
        """Yield the clauses that may refuse a move, without those of the actions that it performs.

        stated: the values of its arguments, by name."""
        yield from self._own_clauses(name, stated)
        if name in self.actions and self.actions[name].stated:
            # A clause that offers the move refuses it when it is not reached.
            yield from self._offering.get(name, ())

    def _own_clauses(self, name: str, stated: Mapping[str, Value]) -> Iterator[str]:
        for move in self._moves(name):
            yield from (requirement.path for requirement in move.requirements)
            choices = [choice for choice in move.choices if _can_lack(choice, stated)]
            yield from (name, *(f"{name}.{choice.name}" for choice in choices)) if choices else ()
        yield from self._inside[name][0] if name in self._inside else ()


def _can_lack(choice: m.Choice, stated: Mapping[str, Value]) -> bool:
    """Return whether the domain of a choice may lack the stated value."""
    match choice.domain:
        case m.AllValues():
            return False
        case m.Constant(value=frozenset(known)) if not choice.within:
            return choice.name not in stated or stated[choice.name] not in known
        case _:
            return True


def elaborate_examples(
    steps: StatementElaborator,
    settings: Settings,
    actions: Mapping[str, m.Action],
    routines: Iterable[m.Routine | None],
) -> Iterator[tuple[ExampleSetting, m.Example | None]]:
    """Yield the table that each example names, and the example if this is that table. Faults are reported."""
    symbols, constants = steps.symbols, settings.types.constants
    if not symbols.setting.examples:
        return
    paths = frozenset(clause.path for clause in stated(symbols.declared.in_force))
    # Made once for all examples, as it goes through all statements of the game.
    reasons = Reasons(actions, [routine.body for routine in routines if routine], paths, symbols.events.chances)
    known = [node.name for node in symbols.declared.each(s.OptionDeclaration)] + list(settings.forks)
    decided = {node.name: node.default for node in symbols.declared.each(s.ForkDeclaration) if node.decided}
    low, high = symbols.setting.player_range
    for node in symbols.declared.each(s.ExampleDeclaration):
        casts = [check for check in node.checks if isinstance(check, s.Cast)]
        cast = casts[0].names if casts else ()
        taken = options_taken(node, settings.all, known, constants.constant, symbols)
        readings = {name: str(value) for name, value in other_than_default(taken or {}, settings.forks).items()}
        others = (each.name for each in node.checks if isinstance(each, s.Taken) and each.name in readings)
        if casts and not low <= len(cast) <= high:
            named = "1 player is" if len(cast) == 1 else f"{len(cast)} players are"
            message = f"{named} named, and {low if low == high else f'{low} to {high}'} can play"
            symbols.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, casts[0].span)
        elif fork := next((name for name in others if name in decided), None):
            message = f"the text decides the fork `{fork}`: it says `{decided[fork]}`"
            symbols.diagnostics.report(spec_codes.BAD_EXAMPLE, message, fork.span)
        elif taken is not None:
            # Positions and moves of an example have the sizes of its own table.
            is_here = len(cast) in (0, symbols.setting.players) and settings.are(taken)
            example = _ExamplePass(steps, constants.defines, reasons, cast).run(node) if is_here else None
            yield (len(cast) or None, other_than_default(taken, settings.options), readings), example


def options_taken(
    node: s.ExampleDeclaration,
    given: Mapping[str, m.OptionSetting],
    declared: Iterable[str],
    constant: ConstantReader,
    symbols: Symbols,
) -> dict[str, Value] | None:
    """Return the options and readings that an example takes, by name; None if a fault was reported.

    Args:
        given: the valid options of the table, and its forks, by name.
        declared: the names of all options and forks, faulty ones included.
        constant: evaluates a constant of a type; returns None if it reported a fault.
    """
    taken: dict[str, Value] = {}
    checks = [check for check in node.checks if isinstance(check, s.Taken)]
    for check in checks:
        option, place = given.get(check.name), check.name.span
        if check.name not in declared:
            symbols.unknown("option or fork", check.name, declared)
        elif check.name in taken:
            symbols.diagnostics.report(spec_codes.BAD_EXAMPLE, f"`{check.name}` is taken twice in this example", place)
        # An option that is declared and not given is faulty, which is reported at its declaration.
        elif option and (value := constant(check.value, option.type)) is not None:
            taken[check.name] = value.value
    return taken if len(taken) == len(checks) else None


class _ExamplePass:
    def __init__(self, steps: StatementElaborator, defines: Defines, reasons: Reasons, cast: tuple[str, ...]) -> None:
        self.steps = steps
        self.defines = defines
        self.reasons = reasons
        self.cast, self.seats = cast, {name: seat for seat, name in enumerate(cast)}
        self.symbols = steps.symbols
        self.diagnostics = steps.symbols.diagnostics

    def run(self, node: s.ExampleDeclaration) -> m.Example:
        path = f"example.{node.name}"
        if not self._in_order(node):
            return m.Example(node.name, self.cast, None, (), node.span)
        self._cast(node)
        # From here on, unknown names may be players that the example forgets to name.
        before = len(self.diagnostics.items)
        given: m.Routine | None = None
        checks: list[m.ExampleCheck] = []
        for check in node.checks:
            if isinstance(check, s.Given):
                scope = self._scope(path)
                body = self.steps.block(check.body.statements, scope, check.span)
                given = m.Routine(path, body, scope.frame.size)
                # A position is set up by statements, which could otherwise wait for events that the example does not
                # give.
                self._quiet(given.body)
            elif (elaborated := self._check(check, path)) is not None:
                checks.append(elaborated)
        if not any(isinstance(check, s.Cast) for check in node.checks):
            self.diagnostics.items[before:] = [_without_players(each, path) for each in self.diagnostics.items[before:]]
        return m.Example(node.name, self.cast, given, tuple(checks), node.span)

    def _scope(self, path: str) -> Scope:
        return Scope(RoutineSlots(path), path, cast=self.seats)

    # ---- parts of an example -----------------------------------------------------------------------------

    def _in_order(self, node: s.ExampleDeclaration) -> bool:
        """Check the order of an example: players and options, then a position, then checks.

        Lines out of order were probably meant for another example, so this gives one report, and the example is not
        elaborated further."""
        stages = [0 if isinstance(c, s.Cast | s.Taken) else 1 if isinstance(c, s.Given) else 2 for c in node.checks]
        for at, check in enumerate(node.checks):
            word = ("with", "given")[stages[at]] if stages[at] < 2 else ""
            same = next((other for other in node.checks[:at] if type(other) is type(check)), None)
            if word and same and not isinstance(check, s.Taken):
                first = same.span.brief
                self._misplaced(f"there are two `{word}` in this example", check.span, Note("the other one", first))
                return False
            elif word and any(stage > stages[at] for stage in stages[:at]):
                before = "everything else" if word == "with" else "the moves and checks"
                self._misplaced(f"`{word}` comes before {before}", check.span)
                return False
        if 2 not in stages:
            message, hint = "this example checks nothing", "add a line: `expect ...`, `allow ...`, `refuse ...`"
            self.symbols.checks.add(True, spec_codes.BAD_EXAMPLE, message, node.name.span, hint)
        return True

    def _misplaced(self, message: str, span: Span, *notes: Note) -> None:
        self.diagnostics.report(spec_codes.BAD_EXAMPLE, message, span.brief, notes=notes)

    def _cast(self, node: s.ExampleDeclaration) -> None:
        for check in node.checks:
            if not isinstance(check, s.Cast):
                continue
            seen: set[str] = set()
            for name in check.names:
                place = name.span
                if name in seen:
                    self.diagnostics.report(spec_codes.DUPLICATE_NAME, f"two players are called `{name}`", place)
                elif name in self.symbols.functions:
                    message = f"`{name}` already means something else here"
                    self.diagnostics.report(
                        spec_codes.DUPLICATE_NAME, message, place, notes=self.symbols.declared.notes(name)
                    )
                seen.add(name)

    def _quiet(self, body: m.Step) -> None:
        """Report decisions, chance events, requirements and game ends in a position."""
        for step in all_steps(body):
            match step:
                case m.Asking():
                    self._misplaced("a position cannot contain a decision", step.span)
                case m.RandomValue():
                    self._misplaced("a position cannot contain a chance event", step.span)
                case m.Demand():
                    self._misplaced("a position has no move that could be refused", step.span)
                case m.EndGameStep():
                    self._misplaced("the game cannot end in a position", step.span)

    # ---- checks -------------------------------------------------------------------------------------------------

    def _check(self, node: s.Check, path: str) -> m.ExampleCheck | None:
        match node:
            case s.After(player=player, move=move):
                example_move = self._move(player, move, node, path)
                return m.PlayMove(example_move) if example_move else None
            case s.Allow(player=player, move=move):
                example_move = self._move(player, move, node, path)
                return m.AllowMove(example_move) if example_move else None
            case s.Refuse(player=player, move=move, because=because):
                example_move = self._move(player, move, node, path)
                by_flow = self._because(node, example_move)
                return m.RefuseMove(example_move, because, by_flow) if example_move else None
            case s.AfterChance(value=value):
                return self._chance(value, path)
            case s.Expect(value=value):
                scope = self._scope(path)
                condition = self.steps.ex.condition(value, scope)
                return m.ExpectThat(_joined(value, condition), scope.frame.size, format_expression(value), node.span)
            case _:
                return None

    def _because(self, node: s.Refuse, move: m.ExampleMove | None) -> bool:
        """Return whether the reason is a clause of the flow, and report a reason that can never refuse this move.

        Whether it does refuse the move in the example's position is only known when the example is run."""
        # A clause can be both a reason of this move and of the flow; then the move is what is refused.
        if node.because in self.reasons.flow and (move is None or not self.reasons.can_refuse(node.because, move)):
            return True
        place = node.because.span
        if node.because not in self.reasons.paths:
            self._unknown_reason(node.because)
        # After a fault a clause may be missing from what can refuse.
        elif self.diagnostics.has_errors:
            return False
        elif node.because not in self.reasons.refusing:
            message = f"`{node.because}` can neither refuse a move nor wait for one"
            self.diagnostics.report(spec_codes.UNKNOWN_NAME, message, place, self.reasons.hint(node.because))
        elif move is not None and not self.reasons.can_refuse(node.because, move):
            message = f"`{node.because}` never refuses `{move.action}`"
            known = sorted(self.reasons.refusing.intersection(self.reasons.of(move)))
            hint = f"it can be refused by {', '.join(f'`{path}`' for path in known)}" if known else NAME_ONE
            self.diagnostics.report(spec_codes.BAD_EXAMPLE, message, place, hint)
        return False

    def _unknown_reason(self, name: Identifier) -> None:
        """Report an unknown reason, with its full path if labels were left out, or else the nearest known path."""
        if name.partition(".")[0] in self.symbols.taken:
            return
        full = self.reasons.meant(name)
        if full is None:
            self.symbols.unknown("clause", name, self.reasons.refusing | self.reasons.flow)
            return
        reason = "" if self.reasons.is_reason(full) else f", which refuses no move: {self.reasons.hint(full)}"
        self.diagnostics.report(
            spec_codes.UNKNOWN_NAME, f"no clause is called `{name}`", name.span, f"its path is `{full}`{reason}"
        )

    def _chance(self, node: s.Expression, path: str) -> m.ExampleCheck | None:
        """Type a chance outcome by the first type of outcome in the game that fits."""
        scope = self._scope(path)
        outcomes = {signature.outcome for signature in self.symbols.events.chances.values()}
        # A bare word has no type of its own; an outcome type in which it occurs gives it one.
        expected = next((t for t in outcomes if self._names(node, t)), None)
        outcome = self.steps.ex.expr(node, scope, expected)
        value = self._constant(outcome)
        if value is _FAULTY:
            return None
        if not any(join(outcome.type, each) for each in outcomes) and not self.diagnostics.has_errors:
            message = f"no chance event of this game has {a(outcome.type)} as its outcome"
            self.diagnostics.report(spec_codes.WRONG_TYPE, message, node.span)
        return m.ChanceOutcome(value, outcome.type, node.span)

    def _names(self, node: s.Expression, type_: Type) -> bool:
        words = getattr(type_, "positions", {})
        return isinstance(node, s.Name) and (node.name in words or (node.name, ()) in words)

    def _move(self, player: Identifier, move: s.Call, node: s.Node, path: str) -> m.ExampleMove | None:
        if player not in self.seats:
            self.symbols.unknown("player of the example", player, self.seats)
            return None
        if move.action == "decline":
            if move.arguments:
                message = "`decline` takes no arguments"
                self.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, move.span)
            return m.ExampleMove(self.seats[player], "decline", (), move.span)
        signature = self.symbols.events.moves.get(move.action)
        if signature is None:
            self._no_move(move)
            return None
        pairs = tuple((name, type_) for name, type_, _ in signature.arguments)
        given = self.steps.ex.names.arguments(move.action, pairs, move.arguments or (), self._scope(path))
        if given is None:
            return None
        values = [self._constant(argument) for argument in given]
        if any(value is _FAULTY for value in values):
            return None
        names = (name for name, _, _ in signature.arguments)
        return m.ExampleMove(self.seats[player], move.action, tuple(zip(names, values, strict=True)), move.span)

    def _no_move(self, move: s.Call) -> None:
        """Report a move that no decision offers, unless another report already explains it."""
        place = move.action.span
        if move.action not in self.reasons.paths:
            self.symbols.unknown("move", move.action, [*self.symbols.events.moves, "decline"])
        elif not self.diagnostics.has_errors:
            message = f"`{move.action}` is not a move: no decision offers it"
            self.diagnostics.report(
                spec_codes.UNKNOWN_NAME, message, place, notes=self.symbols.declared.notes(move.action)
            )

    def _constant(self, node: m.Expr) -> Value:
        if is_poison(node) or isinstance(node.type, Never):
            return _FAULTY
        value = self.defines.known(node, "in an example's move this must be a plain value")
        return _FAULTY if value is None else value[0]


_FAULTY = object()


def _joined(node: s.Expression, condition: m.Expr) -> tuple[m.Condition, ...]:
    """Return the conjuncts of an expectation with their source texts, so that a report can name the one that fails.

    If elaboration changed the number of conjuncts, return the whole condition with its text."""
    texts, parts = [format_expression(each) for each in _written_conjuncts(node)], list(_conjuncts(condition))
    if len(texts) != len(parts):
        texts, parts = [format_expression(node)], [condition]
    return tuple(map(m.Condition, texts, parts))


def _written_conjuncts(node: s.Expression) -> Iterator[s.Expression]:
    match node:
        case s.Binary(operator="and", left=left, right=right):
            yield from (*_written_conjuncts(left), *_written_conjuncts(right))
        case _:
            yield node


def _conjuncts(node: m.Expr) -> Iterator[m.Expr]:
    match node:
        case m.Logic(operator="and", left=left, right=right):
            yield from (*_conjuncts(left), *_conjuncts(right))
        case _:
            yield node


def _without_players(diagnostic: Diagnostic, path: str) -> Diagnostic:
    """Merge the reports of unknown names in an example without players into one: they are probably its players."""
    if diagnostic.code is not spec_codes.UNKNOWN_NAME or diagnostic.hint is not None:
        return diagnostic
    return replace(diagnostic, hint="an example names its players first: `with anna, boris`", unknown=path)
