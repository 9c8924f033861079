"""Elaboration: the pass from declarations to the typed model, for one table.

`Elaboration.run` follows the order of dependencies: options, types and components, the elements of the state, facts and
defines, actions, the flow, scoring, examples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ludex.grammar import Identifier
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..components import ComponentFile, ComponentTable
from ..model.effects import Effects
from ..ranges.bounds import FAR
from ..ranges.capacities import capacities
from ..table_checks import TableCheck
from ..values import types as t
from .component_types import ComponentTypes
from .elements import Elements
from .events import Events
from .examples import ExampleSetting, elaborate_examples
from .scope import RoutineSlots, Scope
from .settings import Settings
from .statements import StatementElaborator
from .symbols import ActionHead, Symbols, parameters_of
from .type_resolver import TypeResolver
from .updates import Updates
from .uses import Uses

NUMBER = t.Range(-FAR, FAR)
"""Any number: points are not stored in the state, so nothing bounds them."""


@dataclass(frozen=True, slots=True)
class Elaborated:
    """The result of the pass: the parts of a `model.Game`, and data for the checks after it.

    Attributes:
        tables: the typed rows of each component.
        uses: what something reads.
        example_settings: the table that each example names.
        table_checks: faults that count only if they hold at every table.
        capacities: upper bounds of the sizes of collections; empty if there are errors.
    """

    types: Mapping[str, t.Type]
    components: tuple[t.ComponentType, ...]
    tables: Mapping[str, ComponentTable]
    elements: tuple[m.Element, ...]
    defines: Mapping[str, m.Define]
    actions: Mapping[str, m.Action]
    setup: m.Routine | None
    play: m.Routine | None
    scores: tuple[m.ScoreClause, ...]
    winner: tuple[m.WinnerCriterion, ...]
    invariants: tuple[m.Invariant, ...]
    refills: tuple[m.Refill, ...]
    forks: tuple[m.Fork, ...]
    options: tuple[m.OptionSetting, ...]
    examples: tuple[m.Example, ...]
    example_settings: tuple[ExampleSetting, ...]
    events: Events
    uses: Uses
    table_checks: tuple[TableCheck, ...]
    capacities: Mapping[m.Holder, int] = field(default_factory=dict)

    @property
    def routines(self) -> tuple[m.Routine | m.Action, ...]:
        """The routines of the game: set-up, play, then the actions."""
        return (*(each for each in (self.setup, self.play) if each is not None), *self.actions.values())


class Elaboration:
    """One run of the pass, for one edition at one table.

    Args:
        symbols: the symbol table, with the declarations only.
        files: the component files, by the name that the spec gives them.
        documents: the tags of the game's texts.
    """

    def __init__(self, symbols: Symbols, files: Mapping[str, ComponentFile], documents: Collection[str]) -> None:
        self.symbols, self.declared, self.diagnostics = symbols, symbols.declared, symbols.diagnostics
        self.types = TypeResolver(symbols)
        self.defines = self.types.constants.defines
        self.ex, self.bodies = self.defines.expressions, self.defines.bodies
        self.updates = Updates(symbols, self.ex)
        self.steps = StatementElaborator(symbols, self.types, self.ex, self.bodies, self.updates, bool(symbols.silent))
        self.settings = Settings(symbols, self.types)
        self.components = ComponentTypes(symbols, self.types, files, documents)

    def run(self) -> Elaborated:
        """Elaborate the declarations. Faulty ones are reported, and left out or replaced by a value of type `Never`."""
        # The order matters: sizes of types may need options and facts, which are evaluated on demand; heads of actions
        # come before all bodies, since bodies call each other.
        symbols, each, events = self.symbols, self.declared.each, self.symbols.events
        self.components.declare()
        forks = tuple(map(self.settings.fork, each(s.ForkDeclaration)))
        options = self.settings.declare_options()
        self.components.complete()
        self.types.all()
        self.components.check_words()
        elements = Elements(symbols, self.types).all()
        self._heads()
        self.defines.all()
        actions: dict[str, m.Action] = {node.name: self._action(node) for node in each(s.ActionDeclaration)}
        setup, play = self._routine(s.SetupDeclaration, "setup"), self._routine(s.PlayDeclaration, "play")
        events.check_acting(actions)
        scores = tuple(map(self._score, each(s.ScoreDeclaration)))
        winner = tuple(self._criteria())
        invariants = tuple(map(self._invariant, each(s.InvariantDeclaration)))
        refills = tuple(refill for node in each(s.RefillDeclaration) if (refill := self._refill(node)))
        self._notes()
        events.add_offered(actions)
        effects = Effects(actions)
        actions = {name: self._with_hindsight(action, effects) for name, action in actions.items()}
        examples = tuple(elaborate_examples(self.steps, self.settings, actions, (setup, play)))
        elaborated = Elaborated(
            symbols.types,
            tuple(of for of in symbols.types.values() if isinstance(of, t.ComponentType)),
            self.components.tables,
            elements,
            self.defines.done,
            actions,
            setup,
            play,
            scores,
            winner,
            invariants,
            refills,
            forks,
            options,
            tuple(example for _, example in examples if example is not None),
            tuple(setting for setting, _ in examples),
            events,
            symbols.uses,
            tuple(symbols.checks.results),
        )
        # The analysis relies on types, and a fault has replaced some of them.
        if self.diagnostics.has_errors:
            return elaborated
        bounds, endless = capacities(elaborated)
        self.diagnostics.extend(endless)
        return replace(elaborated, capacities=bounds)

    # ---- actions and flow -------------------------------------------------------------------------------------

    def _heads(self) -> None:
        for window in self.declared.each(s.WindowDeclaration):
            self.symbols.report_repeated(parameter.name for parameter in window.parameters)
            self.symbols.windows[window.name] = self._parameters(window.parameters)
        for node in self.declared.each(s.ActionDeclaration):
            parameters = self._parameters(node.parameters + node.during_parameters)
            choices = any(isinstance(statement, s.ChooseValue) for statement in _leading(node.body))
            self.symbols.actions[node.name] = ActionHead(node, parameters, choices)
            if node.during is not None:
                self._during(node, node.during)

    def _parameters(self, nodes: tuple[s.Parameter, ...]) -> tuple[tuple[str, t.Type], ...]:
        parameters: dict[str, t.Type] = {}
        for node in nodes:
            parameters.setdefault(node.name, self.types.resolve(node.type))
        return tuple(parameters.items())

    def _during(self, node: s.ActionDeclaration, window: Identifier) -> None:
        wanted = self.symbols.windows.get(window)
        if wanted is None:
            self.symbols.misplaced("window", window, self.symbols.windows)
            return
        parameters = self._parameters(node.during_parameters)
        # The fault of a type was reported already.
        if any(isinstance(type_, t.Never) for _, type_ in (*wanted, *parameters)):
            return
        if node.parameters or parameters != wanted:
            arguments = f"({parameters_of(wanted)})" if wanted else ""
            message = f"`{node.name}` must have just the parameters of the window `{window}`"
            hint = f"`action {node.name} during {window}{arguments}`"
            notes = self.declared.notes(window, window=True)
            self.diagnostics.report(spec_codes.WRONG_ARGUMENTS, message, window.span, hint, notes)

    def _action(self, node: s.ActionDeclaration) -> m.Action:
        head = self.symbols.actions[node.name]
        scope = Scope(RoutineSlots(node.name), node.name, me=self.symbols.players, outer_me=True)
        types = dict(head.parameters)
        for parameter in node.parameters + node.during_parameters:
            scope, slot = self.ex.bind(parameter.name, types[parameter.name], "parameter", scope)
            if node.during is not None:
                scope.frame.read.add(slot)  # the window dictates its parameters, so an unread one is not a fault
        signature = self.steps.signature(node.body.statements, scope)
        body = self.steps.block(signature.rest, signature.scope, node.body.span)
        frame = scope.frame
        self.symbols.uses.frames.append(frame)
        if frame.uses_me is not None:
            self.symbols.events.uses_me.setdefault(node.name, frame.uses_me)
        return m.Action(
            node.name,
            head.parameters,
            signature.choices,
            signature.requirements,
            body,
            frame.size,
            node.during,
            False,
            node.span,
            locals=frame.locals,
        )

    def _routine(self, kind: type[s.SetupDeclaration] | type[s.PlayDeclaration], name: str) -> m.Routine | None:
        node = next(self.declared.each(kind), None)
        if node is None:
            return None
        # Nobody acts in set-up and in the flow until they say who.
        scope = Scope(RoutineSlots(name), name)
        body = self.steps.block(node.body.statements, scope, node.body.span)
        self.symbols.uses.frames.append(scope.frame)
        return m.Routine(name, body, scope.frame.size, scope.frame.locals)

    def _with_hindsight(self, action: m.Action, effects: Effects) -> m.Action:
        """Add to the action the results of the analyses that need the whole game."""
        stated = self.symbols.events.stated_of(action)
        return replace(action, can_refuse=effects.of(action.body).may_refuse, stated=stated)

    # ---- scoring ----------------------------------------------------------------------------------------------

    def _score(self, node: s.ScoreDeclaration) -> m.ScoreClause:
        path = f"score.{node.name}"
        # Each player has points, so a score is computed for each as `me`.
        scope = Scope(RoutineSlots(path), path, me=self.symbols.players)
        value = self.bodies.value(node.body, scope)
        self.ex.fit(value, NUMBER, scope)
        self.symbols.uses.frames.append(scope.frame)
        return m.ScoreClause(path, value, scope.frame.size)

    def _criteria(self) -> Iterator[m.WinnerCriterion]:
        for node in self.declared.each(s.WinnerDeclaration):
            for criterion in node.criteria:
                path = f"winner.{criterion.label}"
                scope = Scope(RoutineSlots(path), path, me=self.symbols.players)
                value = None
                if criterion.value is not None:
                    value = self.ex.wanted(criterion.value, NUMBER, scope)
                yield m.WinnerCriterion(path, criterion.kind, value, scope.frame.size)

    def _invariant(self, node: s.InvariantDeclaration) -> m.Invariant:
        path = f"invariant.{node.name}"
        # It is about the state, whoever acts: `me` has no value in it.
        scope = Scope(RoutineSlots(path), path)
        condition = self.bodies.value(node.body, scope)
        self.ex.fit(condition, t.Bool(), scope)
        self.symbols.uses.frames.append(scope.frame)
        return m.Invariant(path, condition, scope.frame.size, node.name.span)

    def _refill(self, node: s.RefillDeclaration) -> m.Refill | None:
        path = f"refill.{node.place.name}"
        scope = Scope(RoutineSlots(path), path)
        zone = self.updates.zone(node.place, scope, "pile", "bag")
        source = self.updates.zone(node.source, scope)
        if zone is None or source is None or not self.updates.agree(zone, source, node.source.span):
            return None
        if not self.updates.is_unseen(zone, node.place, "nothing can be shuffled into it"):
            return None
        return m.Refill(path, zone, source)

    def _notes(self) -> None:
        for node in self.declared.each(s.NoteDeclaration):
            if node.value is not None:
                self.ex.expr(node.value, Scope(RoutineSlots(node.name), node.name))


def _leading(block: s.Block) -> Iterator[s.Statement]:
    for statement in block.statements:
        if not isinstance(statement, s.ChooseValue | s.Require):
            return
        yield statement
