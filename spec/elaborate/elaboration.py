"""From declarations to the typed model: the pass that puts a game together for one table.

The order of `Elaboration.run` is the order in which things may depend on each other: options, types and components, the
elements of the state, facts and defines, actions, the flow, scoring, examples.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ludex.grammar import Diagnostics, Note, Span
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..clauses import name_span
from ..components import ComponentFile, RawTable, Table, check_documents, check_tables, decode_table
from ..effects import Effects
from ..jsonvalues import JsonFault, from_json
from ..types import (
    LARGEST_DOMAIN,
    Bool,
    Case,
    ComponentType,
    Never,
    PlayerType,
    Range,
    Type,
    Value,
    Words,
    contains,
    size,
)
from .bodies import Bodies
from .constants import NotConstant, value_of
from .defines import Defines
from .examples import elaborate_example
from .expressions import Expressions
from .functions import BUILTIN_FUNCTIONS, BUILTIN_VALUES
from .scope import Frame, Scope, is_poison
from .steps import Steps
from .typenames import TypeNames
from .world import ActionHead, ConstantFunction, ElementFunction, Faulty, World

DeclarationT = TypeVar("DeclarationT", bound=s.Declaration)


@dataclass(frozen=True, slots=True)
class Setting:
    """The table a game is elaborated for. `options` and `readings` hold only what differs from the defaults."""

    players: int
    player_range: tuple[int, int]
    options: Mapping[str, object] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Elaborated:
    """What the pass made: the parts of a `model.Game`, and what the checks after it need."""

    types: Mapping[str, Type]
    components: tuple[ComponentType, ...]
    tables: Mapping[str, Table]
    elements: tuple[m.Element, ...]
    defines: Mapping[str, m.Define]
    actions: Mapping[str, m.Action]
    setup: m.Routine | None
    play: m.Routine | None
    scores: tuple[m.ScoreClause, ...]
    winner: tuple[m.WinnerCriterion, ...]
    refills: tuple[m.Refill, ...]
    forks: tuple[m.Fork, ...]
    options: tuple[m.OptionSetting, ...]
    examples: tuple[m.Example, ...]
    moves: Mapping[str, m.MoveSignature]
    chances: Mapping[str, m.ChanceSignature]
    used: frozenset[str]
    offered: frozenset[str]
    opened: frozenset[str]


class Elaboration:
    """One run of the pass. `files` are the component files by the name the spec calls them, `documents` the tags of the
    game's texts; `silent`: paths that are stated elsewhere and not in force, so that matches may be incomplete."""

    def __init__(
        self,
        declarations: tuple[s.Declaration, ...],
        setting: Setting,
        files: Mapping[str, ComponentFile],
        documents: Collection[str],
        report: Diagnostics,
        silent: frozenset[str],
        layer_of: Callable[[Span], str],
    ) -> None:
        self.declarations = declarations
        self.setting = setting
        self.files = files
        self.documents = documents
        self.layer_of = layer_of
        self.world = World(PlayerType(setting.players), setting.player_range, report, silent=silent)
        self.report = report
        self.types = TypeNames(self.world)
        self.defines = Defines(self.world, self.types)
        self.ex = Expressions(self.world, self.defines)
        self.bodies = Bodies(self.world, self.ex)
        self.defines.bodies, self.defines.expressions = self.bodies, self.ex
        self.types.integer, self.types.satisfies = self._constant_integer, self._satisfies
        self.steps = Steps(self.world, self.types, self.ex, self.bodies, bool(silent))
        self.tables: dict[str, Table] = {}
        self.needs_me: dict[str, Span] = {}

    def run(self) -> Elaborated:
        self._names()
        forks = self._forks()
        options = self._options()
        self._components()
        self.types.all()
        elements = self._elements()
        self._heads()
        self.defines.all()
        actions = {node.name: self._action(node) for node in self._each(s.ActionDeclaration)}
        setup, play = self._routine(s.SetupDeclaration, "setup"), self._routine(s.PlayDeclaration, "play")
        self._acting(actions)
        scores = tuple(self._score(node) for node in self._each(s.ScoreDeclaration))
        winner = tuple(self._criteria())
        refills = tuple(r for node in self._each(s.RefillDeclaration) if (r := self._refill(node)))
        self._notes()
        self._move_signatures(actions)
        effects = Effects(actions)
        actions = {name: _with_trial(action, effects) for name, action in actions.items()}
        return Elaborated(
            self.world.types,
            tuple(t for t in self.world.types.values() if isinstance(t, ComponentType)),
            self.tables,
            elements,
            self.world.defines,
            actions,
            setup,
            play,
            scores,
            winner,
            refills,
            forks,
            options,
            tuple(self._examples()),
            self.world.moves,
            self.world.chances,
            frozenset(self.world.used),
            frozenset(self.steps.offered),
            frozenset(self.steps.opened),
        )

    def _each(self, kind: type[DeclarationT]) -> Iterator[DeclarationT]:
        return (node for node in self.declarations if isinstance(node, kind))

    # ---- names ------------------------------------------------------------------------------------------------

    def _names(self) -> None:
        """Where everything is declared; two declarations of one name are reported at the second."""
        self.world.types.update({"Bool": Bool(), "Player": self.world.players})
        seen: dict[str, Span] = {}
        first: list[s.Declaration] = []
        for node in self.declarations:
            name = _declared_name(node)
            if name not in seen:
                first.append(node)
            if name is None:
                continue
            if name in _own_names(node):
                self.report.report(codes.DUPLICATE_NAME, f"`{name}` is the language's own name", name_span(node))
            elif name in seen:
                note = Note(f"`{name}` is declared here already", seen[name])
                self.report.report(codes.DUPLICATE_NAME, f"`{name}` is declared twice", name_span(node), notes=(note,))
            else:
                seen[name] = name_span(node)
        self.declarations = tuple(first)
        self.world.spans.update(seen)
        self.types.pending.update({node.name: node for node in self._each(s.TypeDeclaration)})
        self.world.pending.update({node.name: node for node in self._each(s.ValueDeclaration)})

    def _forks(self) -> tuple[m.Fork, ...]:
        return tuple(self._fork(node) for node in self._each(s.ForkDeclaration))

    def _fork(self, node: s.ForkDeclaration) -> m.Fork:
        names = [reading.name for reading in node.readings]
        if node.default not in names:
            self.world.unknown(f"reading of `{node.name}`", node.default, node.span, names)
        chosen = self.setting.readings.get(node.name, node.default)
        type_ = Words(node.name, tuple(Case(name) for name in names))
        position = names.index(chosen) if chosen in names else 0
        self.world.functions[node.name] = ConstantFunction(type_, position)
        readings = tuple((reading.name, reading.text) for reading in node.readings)
        return m.Fork(node.name, readings, chosen, node.default, node.reason, node.span)

    def _options(self) -> tuple[m.OptionSetting, ...]:
        return tuple(o for node in self._each(s.OptionDeclaration) if (o := self._option(node)))

    def _option(self, node: s.OptionDeclaration) -> m.OptionSetting | None:
        type_ = self.types.resolve(node.type)
        default = self._constant(node.default, type_)
        if default is None:
            self.world.functions[node.name] = Faulty()
            return None
        value = default.value
        if node.name in self.setting.options:
            given = from_json(type_, self.setting.options[node.name])
            if isinstance(given, JsonFault):
                message = f"option `{node.name}`: {given.expected} is needed"
                self.report.report(codes.BAD_SETTING, message, self.setting.span or node.span)
            else:
                value = given
        held = Range(value, value) if isinstance(type_, Range) and contains(type_, value) else type_
        self.world.functions[node.name] = ConstantFunction(held, value)
        return m.OptionSetting(node.name, type_, value, default.value, node.span)

    # ---- constants --------------------------------------------------------------------------------------------

    def _constant(self, node: s.Expression, type_: Type) -> m.Constant | None:
        """A value known before play, of the type; None if reported."""
        found = self.ex.wanted(node, type_, Scope(Frame(), "declarations"))
        if is_poison(found):
            return None
        try:
            return m.Constant(type_, node.span, value_of(found, {}, self.defines.compute))
        except NotConstant:
            self.report.report(codes.NOT_CONSTANT, "this is not known before play", node.span)
            return None

    def _constant_integer(self, node: s.Expression) -> int | None:
        found = self._constant(node, Range(-1_000_000, 1_000_000))
        return None if found is None else int(found.value)

    def _satisfies(
        self, node: s.Expression, fields: tuple[tuple[str, Type], ...], span: Span
    ) -> Callable[[tuple[Value, ...]], bool]:
        """A record's condition as a test of its parts."""
        scope = Scope(Frame(), "declarations")
        slots = []
        for name, type_ in fields:
            scope, slot = scope.bind(name, type_, "parameter", span)
            slots.append(slot)
        condition = self.ex.condition(node, scope)

        def test(parts: tuple[Value, ...]) -> bool:
            try:
                return bool(value_of(condition, dict(zip(slots, parts, strict=True)), self.defines.compute))
            except NotConstant:
                self.report.report(codes.NOT_CONSTANT, "a record's condition must be known before play", node.span)
                return True

        return test if not is_poison(condition) else lambda parts: True

    # ---- components -------------------------------------------------------------------------------------------

    def _components(self) -> None:
        """First the ids of every table, then the columns' types, then the rows: tables may speak of each other."""
        nodes = list(self._each(s.ComponentDeclaration))
        self._tables(nodes)
        for node in nodes:
            raw = self._raw(node)
            ids = raw.ids if raw else ()
            self.world.types[node.name] = ComponentType(node.name, ids, (), (), tuple(1 for _ in ids))
        for node in nodes:
            columns = tuple((column.name, self.types.resolve(column.type)) for column in node.columns)
            self._unique_columns(node)
            raw = self._raw(node)
            bare = self.world.types[node.name]
            assert isinstance(bare, ComponentType)
            if raw is None or any(isinstance(type_, Never) for _, type_ in columns):
                self.world.types[node.name] = replace(bare, ids=(), columns=columns, copies=())
                continue
            table = decode_table(raw, node.name, columns)
            self.report.extend(table.diagnostics)
            self.tables[node.name] = table
            if not table.diagnostics:
                full = ComponentType(node.name, raw.ids, columns, table.rows, table.copies)
                self.world.types[node.name] = full

    def _tables(self, nodes: list[s.ComponentDeclaration]) -> None:
        """Tables and declarations that do not meet."""
        for node in nodes:
            if node.file is None:
                message = f"component `{node.name}` does not say which file holds its table"
                self.report.report(codes.MISSING_DATA, message, name_span(node), '`from "components.yaml"`')
        for name, file in self.files.items():
            declared = {node.name: name_span(node) for node in nodes if node.file == name}
            self.report.extend(file.diagnostics)
            self.report.extend(check_tables(file, declared))
            self.report.extend(check_documents(file, self.documents))

    def _raw(self, node: s.ComponentDeclaration) -> RawTable | None:
        file = self.files.get(node.file) if node.file else None
        return file.tables.get(node.name) if file else None

    def _unique_columns(self, node: s.ComponentDeclaration) -> None:
        seen: dict[str, Span] = {}
        for column in node.columns:
            if column.name in seen:
                note = Note("the other one", seen[column.name])
                message = f"there are two columns `{column.name}`"
                self.report.report(codes.DUPLICATE_NAME, message, column.span, notes=(note,))
            seen.setdefault(column.name, column.span)

    # ---- elements ---------------------------------------------------------------------------------------------

    def _elements(self) -> tuple[m.Element, ...]:
        offset = 0
        elements = []
        for node in self.declarations:
            if not isinstance(node, s.ZoneDeclaration | s.StateDeclaration):
                continue
            element = self._element(node, offset)
            if element is not None:
                elements.append(element)
                self.world.functions[node.name] = ElementFunction(element)
                offset += element.count
        # initial values may speak of facts, and those of nothing stored: so they come after all elements are known
        return tuple(self._initialised(element) for element in elements)

    def _element(self, node: s.ZoneDeclaration | s.StateDeclaration, offset: int) -> m.Element | None:
        indices = tuple(self.types.resolve(index) for index in node.indices)
        held = self.types.resolve(node.of if isinstance(node, s.ZoneDeclaration) else node.type)
        if isinstance(held, Never) or any(isinstance(index, Never) for index in indices):
            self.world.functions[node.name] = Faulty()
            return None
        count = self._cells(node, indices)
        if count is None:
            self.world.functions[node.name] = Faulty()
            return None
        visibility = node.visibility or "open"
        if visibility == "private" and not (indices and isinstance(indices[0], PlayerType)):
            message = "a private zone or state needs a player as its first index: the one who sees it"
            self.report.report(codes.WRONG_TYPE, message, name_span(node), f"`{node.name}(Player)`")
        if isinstance(node, s.ZoneDeclaration) and size(held) is None:
            self.report.report(codes.WRONG_TYPE, f"pieces cannot be {held}", node.of.span)
            self.world.functions[node.name] = Faulty()
            return None
        kind = node.shape if isinstance(node, s.ZoneDeclaration) else "state"
        return m.Element(node.name, kind, indices, held, visibility, offset, count, None, node.span)

    def _cells(self, node: s.ZoneDeclaration | s.StateDeclaration, indices: tuple[Type, ...]) -> int | None:
        count = 1
        for index, written in zip(indices, node.indices, strict=True):
            values = size(index)
            if values is None:
                self.report.report(
                    codes.WRONG_TYPE, f"{index} cannot be an index: its values are not listed", written.span
                )
                return None
            count *= values
        if count > LARGEST_DOMAIN:
            message = f"`{node.name}` has {count} places; {LARGEST_DOMAIN} are allowed"
            self.report.report(codes.DOMAIN_TOO_LARGE, message, name_span(node))
            return None
        return count

    def _initialised(self, element: m.Element) -> m.Element:
        node = next(
            n
            for n in self.declarations
            if isinstance(n, s.StateDeclaration | s.ZoneDeclaration) and n.name == element.name
        )
        if not isinstance(node, s.StateDeclaration) or node.initial is None:
            return element
        initial = self.ex.wanted(node.initial, element.type, Scope(Frame(), element.name))
        if is_poison(initial):
            return element
        try:
            value = value_of(initial, {}, self.defines.compute)
        except NotConstant:
            self.report.report(codes.NOT_CONSTANT, "a first value must be known before play", node.initial.span)
            return element
        element = replace(element, initial=m.Constant(element.type, node.initial.span, value))
        self.world.functions[element.name] = ElementFunction(element)
        return element

    # ---- actions and flow -------------------------------------------------------------------------------------

    def _heads(self) -> None:
        for window in self._each(s.WindowDeclaration):
            self.world.windows[window.name] = self._parameters(window.parameters)
        for node in self._each(s.ActionDeclaration):
            parameters = self._parameters(node.parameters + node.during_parameters)
            choices = any(isinstance(statement, s.ChooseValue) for statement in _leading(node.body))
            self.world.actions[node.name] = ActionHead(node, parameters, choices)
            if node.during is not None:
                self._during(node, node.during)

    def _parameters(self, nodes: tuple[s.Parameter, ...]) -> tuple[tuple[str, Type], ...]:
        return tuple((node.name, self.types.resolve(node.type)) for node in nodes)

    def _during(self, node: s.ActionDeclaration, window: str) -> None:
        parameters = self.world.windows.get(window)
        if parameters is None:
            self.world.unknown("window", window, name_span(node), self.world.windows)
        elif node.parameters or self._parameters(node.during_parameters) != parameters:
            message = f"`{node.name}` must have just the parameters of the window `{window}`"
            self.report.report(codes.WRONG_ARGUMENTS, message, name_span(node))

    def _action(self, node: s.ActionDeclaration) -> m.Action:
        head = self.world.actions[node.name]
        self.steps.routine = node.name
        scope = Scope(Frame(), node.name, me=self.world.players, outer_me=True)
        for parameter, (name, type_) in zip(node.parameters + node.during_parameters, head.parameters, strict=True):
            self.ex.check_new(name, parameter.span, scope)
            scope, _ = scope.bind(name, type_, "parameter", parameter.span)
        signature = self.steps.signature(node.body.statements, scope)
        body = self.steps.block(signature.rest, signature.scope, node.body.span)
        frame = scope.frame
        self._uses_me(node.name, frame.uses_me)
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
        )

    def _uses_me(self, routine: str, span: Span | None) -> None:
        if span is not None:
            self.needs_me.setdefault(routine, span)

    def _routine(self, kind: type[s.SetupDeclaration] | type[s.PlayDeclaration], name: str) -> m.Routine | None:
        node = next(self._each(kind), None)
        if node is None:
            return None
        self.steps.routine = name
        scope = Scope(Frame(), name)
        body = self.steps.block(node.body.statements, scope, node.body.span)
        return m.Routine(name, body, scope.frame.size)

    def _acting(self, actions: Mapping[str, m.Action]) -> None:
        """An action that speaks of `me` may be performed only where somebody acts."""
        needing = set(self.needs_me) | {name for name, action in actions.items() if action.choices}
        changed = True
        while changed:
            found = {p.caller for p in self.steps.performed if p.acting == "caller" and p.callee in needing}
            changed = not found <= needing
            needing |= found
        for performed in self.steps.performed:
            if performed.acting == "nobody" and performed.callee in needing:
                notes = (Note("it speaks of `me` here", self.needs_me.get(performed.callee)),)
                message = f"`{performed.callee}` needs somebody to act, and nobody acts here"
                self.report.report(codes.NO_CHOICE_HERE, message, performed.span, notes=notes)

    def _move_signatures(self, actions: Mapping[str, m.Action]) -> None:
        for name in sorted(self.steps.offered):
            action = actions.get(name)
            if action is not None:
                arguments = tuple((c.name, c.type, c.within) for c in action.choices)
                self.world.moves[name] = m.MoveSignature(name, arguments, action.span)

    # ---- scoring ----------------------------------------------------------------------------------------------

    def _score(self, node: s.ScoreDeclaration) -> m.ScoreClause:
        path = f"score.{node.name}"
        scope = Scope(Frame(), path, me=self.world.players)
        value = self.bodies.value(node.body, scope)
        self.ex.fit(value, Range(-1_000_000, 1_000_000), scope)
        return m.ScoreClause(path, value, scope.frame.size)

    def _criteria(self) -> Iterator[m.WinnerCriterion]:
        for node in self._each(s.WinnerDeclaration):
            for criterion in node.criteria:
                path = f"winner.{criterion.label}"
                scope = Scope(Frame(), path, me=self.world.players)
                value = None
                if criterion.value is not None:
                    value = self.ex.wanted(criterion.value, Range(-1_000_000, 1_000_000), scope)
                yield m.WinnerCriterion(path, criterion.kind, value, scope.frame.size)

    def _refill(self, node: s.RefillDeclaration) -> m.Refill | None:
        path = f"refill.{node.place.name}"
        scope = Scope(Frame(), path)
        zone, source = self.steps.zone(node.place, scope), self.steps.zone(node.source, scope)
        if zone is None or source is None or not self.steps.agree(zone, source, node.span):
            return None
        return m.Refill(path, zone, source)

    def _notes(self) -> None:
        for node in self._each(s.NoteDeclaration):
            if node.value is not None:
                self.ex.expr(node.value, Scope(Frame(), node.name))

    # ---- examples ---------------------------------------------------------------------------------------------

    def _examples(self) -> Iterator[m.Example]:
        for node in self._each(s.ExampleDeclaration):
            cast = next((check.names for check in node.checks if isinstance(check, s.Cast)), ())
            if cast and not self.setting.player_range[0] <= len(cast) <= self.setting.player_range[1]:
                low, high = self.setting.player_range
                message = f"{len(cast)} players are named, and {low} to {high} can play"
                self.report.report(codes.WRONG_ARGUMENTS, message, node.span)
            elif not cast or len(cast) == self.setting.players:
                yield elaborate_example(node, cast, self.steps, self.defines, self.layer_of(node.span))


def _with_trial(action: m.Action, effects: Effects) -> m.Action:
    return replace(action, can_refuse=effects.of(action.body).may_refuse)


def _leading(block: s.Block) -> Iterator[s.Statement]:
    for statement in block.statements:
        if not isinstance(statement, s.ChooseValue | s.Require):
            return
        yield statement


def _own_names(node: s.Declaration) -> Container[str]:
    """Names of the language that a declaration may not take. Its functions stand only before brackets: what takes
    nothing in brackets may be called `size`."""
    match node:
        case s.TypeDeclaration() | s.ComponentDeclaration():
            return ("Bool", "Player")
        case s.ValueDeclaration(parameters=()) | s.StateDeclaration(indices=()) | s.ZoneDeclaration(indices=()):
            return ("me", *BUILTIN_VALUES)
        case s.OptionDeclaration() | s.ForkDeclaration() | s.NoteDeclaration() | s.ActionDeclaration():
            return ("me", *BUILTIN_VALUES)
        case _:
            return ("me", *BUILTIN_VALUES, *BUILTIN_FUNCTIONS)


def _declared_name(node: s.Declaration) -> str | None:
    match node:
        case s.SetupDeclaration() | s.PlayDeclaration() | s.WinnerDeclaration() | s.RefillDeclaration():
            return None
        case s.ScoreDeclaration() | s.ExampleDeclaration() | s.WindowDeclaration():
            return None
        case _:
            return node.name
