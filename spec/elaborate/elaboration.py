"""Elaboration: the pass from declarations to the typed model, for one table.

`Elaboration.run` follows the order of dependencies: options, types and components, the elements of the state, facts and
defines, actions, the flow, scoring, examples.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from ludex.grammar import Diagnostic, Diagnostics, Identifier, Note, Span
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..budget import DEFAULT_BUDGET, Budget, Meter
from ..components import ComponentFile, RawTable, Table, check_documents, check_tables, decode_table
from ..model.effects import Effects
from ..ranges.bounds import a
from ..ranges.capacities import capacities
from ..table_checks import TableCheck
from ..text import Excerpts, place_of, stated
from ..values import types as t
from ..values.codec import JsonFault, from_json, to_json
from .constants import ConstantEvaluator
from .defines import Defines
from .elements import Elements
from .examples import Reasons, elaborate_example, options_taken
from .expressions import Expressions
from .functions import BUILTIN_FUNCTIONS, BUILTIN_VALUES
from .scope import Frame, Scope
from .statements import WHO_ACTS, Statements
from .symbols import ActionHead, ConstantFunction, Faulty, Later, Symbols, noun, parameters_of
from .type_resolver import TypeResolver
from .updates import Updates
from .value_bodies import ValueBodies

DeclarationT = TypeVar("DeclarationT", bound=s.Declaration)


@dataclass(frozen=True, slots=True)
class Setting:
    """The table that a game is elaborated for.

    Attributes:
        players: how many play.
        player_range: the least and the greatest number of players that the game allows.
        options, readings: those that differ from the defaults.
        span: the place of reports about the setting.
        from_below: states and zones whose boards have their first row at the bottom.
        examples: whether examples are elaborated. An example is written for the default options and readings.
    """

    players: int
    player_range: tuple[int, int]
    options: Mapping[str, object] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    span: Span | None = None
    examples: bool = True
    from_below: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Elaborated:
    """The result of the pass: the parts of a `model.Game`, and data for the checks after it.

    Attributes:
        tables: the typed rows of each component.
        used: the types and columns that something reads, as `type NAME`, `field TYPE.NAME`.
        uses: pairs of a user and a used name, the edges of the call graph of defines; the user None is any rule.
        offered: the actions that a rule offers.
        opened: the windows that a rule opens.
        example_settings: for each example the number of players (None: it names none), and the options and readings, as
            in a log, that differ from the defaults.
        table_checks: faults that count only if they hold at every table.
        unread: the same for local names that nothing reads; they count only if there are no errors.
        capacities: upper bounds of the sizes of collections; empty if there are errors.
    """

    types: Mapping[str, t.Type]
    components: tuple[t.ComponentType, ...]
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
    example_settings: tuple[tuple[int | None, Mapping[str, object], Mapping[str, str]], ...]
    moves: Mapping[str, m.MoveSignature]
    chances: Mapping[str, m.ChanceSignature]
    used: frozenset[str]
    uses: frozenset[tuple[str | None, str]]
    offered: frozenset[str]
    opened: frozenset[str]
    table_checks: tuple[TableCheck, ...]
    unread: tuple[TableCheck, ...]
    capacities: Mapping[m.Holder, int] = field(default_factory=dict)

    @property
    def routines(self) -> tuple[m.Routine | m.Action, ...]:
        """The routines of the game: set-up, play, then the actions."""
        return (*(each for each in (self.setup, self.play) if each is not None), *self.actions.values())


class Elaboration:
    """One run of the pass, for one edition at one table.

    Args:
        declarations: the declarations in force.
        setting: the table.
        files: the component files, by the name that the spec gives them.
        documents: the tags of the game's texts.
        report: receives the diagnostics.
        silent: paths that another text states and that are not in force here; with them, a `match` may be incomplete.
        excerpts: the source text of the files.
        budget: limits the work of constants and the values of types.
    """

    def __init__(
        self,
        declarations: tuple[s.Declaration, ...],
        setting: Setting,
        files: Mapping[str, ComponentFile],
        documents: Collection[str],
        report: Diagnostics,
        silent: frozenset[str],
        excerpts: Excerpts,
        budget: Budget = DEFAULT_BUDGET,
    ) -> None:
        self.declarations = declarations
        self.setting = setting
        self.files = files
        self.documents = documents
        at = t.PlayerType(setting.players)
        below = setting.from_below
        self.symbols = Symbols(
            at, setting.player_range, excerpts, Meter(budget), report, silent=silent, from_below=below
        )
        self.report = report
        self.types = TypeResolver(self.symbols)
        self.defines = Defines(self.symbols, self.types)
        self.ex = Expressions(self.symbols, self.defines)
        self.bodies = ValueBodies(self.symbols, self.ex)
        self.defines.bodies, self.defines.expressions = self.bodies, self.ex
        self.constants = ConstantEvaluator(self.symbols, self.defines, self.ex)
        self.types.integer, self.types.satisfies = self.constants.integer, self.constants.satisfies
        self.updates = Updates(self.symbols, self.ex)
        self.steps = Statements(self.symbols, self.types, self.ex, self.bodies, self.updates, bool(silent))
        self.tables: dict[str, Table] = {}
        self.needs_me: dict[str, Span] = {}
        self.given: dict[str, m.OptionSetting] = {}
        self.frames: list[Frame] = []
        self.read: dict[str, m.OptionSetting] = {}
        self.example_settings: list[tuple[int | None, Mapping[str, object], Mapping[str, str]]] = []

    def run(self) -> Elaborated:
        """Elaborate the declarations. Faulty ones are reported, and left out or replaced by a value of type `Never`."""
        # The order matters: sizes of types may need options and facts, which are evaluated on demand; heads of actions
        # come before all bodies, since bodies call each other.
        self._names()
        self._bare_components()
        forks = self._forks()
        options = self._options()
        self._components()
        self.types.all()
        self._words()
        elements = Elements(self.declarations, self.symbols, self.types, self.constants).all()
        self._heads()
        self.defines.all()
        actions: dict[str, m.Action] = {node.name: self._action(node) for node in self._each(s.ActionDeclaration)}
        setup, play = self._routine(s.SetupDeclaration, "setup"), self._routine(s.PlayDeclaration, "play")
        self._acting(actions)
        scores = tuple(self._score(node) for node in self._each(s.ScoreDeclaration))
        winner = tuple(self._criteria())
        refills = tuple(r for node in self._each(s.RefillDeclaration) if (r := self._refill(node)))
        self._notes()
        self._move_signatures(actions)
        effects = Effects(actions)
        actions = {name: self._with_hindsight(action, effects) for name, action in actions.items()}
        examples = tuple(self._examples(actions, (setup, play)))
        elaborated = Elaborated(
            self.symbols.types,
            tuple(of for of in self.symbols.types.values() if isinstance(of, t.ComponentType)),
            self.tables,
            elements,
            self.symbols.defines,
            actions,
            setup,
            play,
            scores,
            winner,
            refills,
            forks,
            options,
            examples,
            tuple(self.example_settings),
            self.symbols.moves,
            self.symbols.chances,
            frozenset(self.symbols.used),
            frozenset(self.symbols.uses),
            frozenset(self.steps.offered),
            frozenset(self.steps.opened),
            tuple(self.symbols.table_checks),
            tuple(self._unread()),
        )
        # The analysis relies on types, and a fault has replaced some of them.
        if self.report.has_errors:
            return elaborated
        bounds, endless = capacities(elaborated)
        self.report.extend(endless)
        return replace(elaborated, capacities=bounds)

    def _each(self, kind: type[DeclarationT]) -> Iterator[DeclarationT]:
        return (node for node in self.declarations if isinstance(node, kind))

    # ---- names ------------------------------------------------------------------------------------------------

    def _names(self) -> None:
        """Enter all declarations into the symbol table.

        Of two declarations of one name the second is reported. The name then has no meaning, so that its uses give no
        further reports."""
        self.symbols.types.update({"Bool": t.Bool(), "Player": self.symbols.players})
        seen: dict[tuple[str, str], s.Declaration] = {}
        kept: list[s.Declaration] = []
        # Types come last: of a type and a component of one name the component is kept, or its table would be reported
        # too.
        for node in sorted(self.declarations, key=lambda node: isinstance(node, s.TypeDeclaration)):
            place = _space(node)
            if place[1] in _language_names(node):
                self.symbols.taken.add(place[1])
                if place[1] in self.symbols.types:
                    self.symbols.types[place[1]] = t.Never()
                message = f"`{place[1]}` is a built-in name"
                self.report.report(codes.DUPLICATE_NAME, message, place_of(node), "choose another name")
            elif place in seen:
                self._twice(place, seen[place], node)
            else:
                seen[place] = node
                kept.append(node)
        torn = {name for name, function in self.symbols.functions.items() if isinstance(function, Faulty)}
        self.declarations = tuple(node for node in kept if not (isinstance(node, FUNCTIONS) and node.name in torn))
        self.symbols.nodes.update({name: node for (space, name), node in seen.items() if space == "name"})
        self.symbols.window_nodes.update({name: node for (space, name), node in seen.items() if space == "window"})
        self.types.pending.update({node.name: node for node in self._each(s.TypeDeclaration)})
        self.symbols.pending.update({node.name: node for node in self._each(s.ValueDeclaration)})
        stored = (node for node in self.declarations if isinstance(node, s.ZoneDeclaration | s.StateDeclaration))
        self.symbols.functions.update({node.name: Later() for node in stored})

    def _twice(self, place: tuple[str, str], one: s.Declaration, other: s.Declaration) -> None:
        first, second = sorted((one, other), key=lambda node: node.span)
        space, name = place
        message, hint = f"`{name}` is declared twice", None
        if space in {"score", "example", "refill"}:
            message = f"there are two `{space} {name}`"
        elif not name:
            message, hint = f"there are two `{space}`", "put all of it into one"
        note = Note("the other one", place_of(first))
        self.report.report(codes.DUPLICATE_NAME, message, place_of(second), hint, (note,))
        if space == "name":
            self.symbols.taken.add(name)
        if isinstance(one, FUNCTIONS) and isinstance(other, FUNCTIONS):
            self.symbols.functions[name] = Faulty()

    def _forks(self) -> tuple[m.Fork, ...]:
        return tuple(self._fork(node) for node in self._each(s.ForkDeclaration))

    def _fork(self, node: s.ForkDeclaration) -> m.Fork:
        names = list(dict.fromkeys(str(reading.name) for reading in node.readings))
        self._unique(reading.name for reading in node.readings)
        if len(node.readings) < 2:
            message = f"fork `{node.name}` has only one reading: add another, or write a ruling"
            self.report.report(codes.UNUSED_FORK, message, node.name.span)
        if node.default not in names:
            self.symbols.unknown(f"reading of `{node.name}`", node.default, names)
        chosen = node.default if node.decided else self.setting.readings.get(node.name, node.default)
        type_ = t.Words(node.name, tuple(t.Case(name) for name in names))
        position = names.index(chosen) if chosen in names else 0
        self.symbols.functions[node.name] = ConstantFunction(type_, position)
        default = names.index(node.default) if node.default in names else 0
        self.read[node.name] = m.OptionSetting(node.name, type_, position, default, node.span)
        readings = tuple((reading.name, reading.text) for reading in node.readings)
        return m.Fork(node.name, readings, chosen, node.default, node.reason, node.span, node.decided)

    def _unique(self, names: Iterable[Identifier]) -> None:
        """Report names that occur twice in one list, such as the columns of a component."""
        seen: dict[str, Span] = {}
        for name in names:
            if name in seen:
                message, notes = f"`{name}` is there twice", (Note("the other one", seen[name]),)
                self.report.report(codes.DUPLICATE_NAME, message, name.span, notes=notes)
            seen.setdefault(name, name.span)

    def _options(self) -> tuple[m.OptionSetting, ...]:
        """Declare the options. Each is evaluated on demand, since types and facts may connect them."""
        nodes = tuple(self._each(s.OptionDeclaration))
        self.defines.options.update({node.name: partial(self._option, node) for node in nodes})
        for node in nodes:
            # Until its turn, an option that is asked for while it is evaluated counts as faulty.
            self.symbols.functions.setdefault(node.name, Faulty())
        for node in nodes:
            self.defines.function(node.name, node.span)
        return tuple(self.given[node.name] for node in nodes if node.name in self.given)

    def _option(self, node: s.OptionDeclaration) -> None:
        type_ = self.types.resolve(node.type)
        if not isinstance(type_, t.Never) and t.size(type_) is None:
            message = f"{a(type_)} has no list of values to choose an option from"
            self.report.report(codes.WRONG_TYPE, message, node.type.span)
            return
        default = self.constants.constant(node.default, type_)
        if default is None:
            return
        value = default.value
        if node.name in self.setting.options:
            given = from_json(type_, self.setting.options[node.name])
            if isinstance(given, JsonFault):
                message = f"option `{node.name}`: {given.expected} is needed"
                self.report.report(codes.BAD_SETTING, message, self.setting.span or node.span)
            else:
                value = given
        # The value is known at this table, so that whatever depends on it gets its exact range.
        narrowed = t.Range(value, value) if isinstance(type_, t.Range) and t.contains(type_, value) else type_
        self.symbols.functions[node.name] = ConstantFunction(narrowed, value)
        self.given[node.name] = m.OptionSetting(node.name, type_, value, default.value, node.span)

    # ---- components -------------------------------------------------------------------------------------------

    def _bare_components(self) -> None:
        """Declare each component with the ids of its rows only, since options, types and tables may use these."""
        nodes = list(self._each(s.ComponentDeclaration))
        self._tables(nodes)
        for node in nodes:
            raw = self._raw(node)
            self.symbols.blurred = self.symbols.blurred or raw is None
            ids = raw.ids if raw else ()
            self.symbols.types[node.name] = t.ComponentType(node.name, ids, (), (), tuple(1 for _ in ids))

    def _components(self) -> None:
        """Elaborate the columns' types, then the rows. The values of a faulty table stay unknown."""
        for node in self._each(s.ComponentDeclaration):
            columns = tuple((column.name, self.types.resolve(column.type)) for column in node.columns)
            self._unique(column.name for column in node.columns)
            bare = self.symbols.types[node.name]
            assert isinstance(bare, t.ComponentType)
            unknown = tuple((name, t.Never()) for name, _ in columns)
            empty = tuple((None,) * len(columns) for _ in bare.ids)
            # Until the rows are decoded, and for good if they are faulty, the columns have no type.
            self.symbols.types[node.name] = replace(bare, columns=unknown, rows=empty)
            raw = self._raw(node)
            if raw is None or not all(self.types.sound(type_) for _, type_ in columns):
                continue
            table = decode_table(raw, node.name, columns)
            self.report.extend(table.diagnostics)
            self.tables[node.name] = table
            if not table.diagnostics:
                full = t.ComponentType(node.name, raw.ids, columns, table.rows, table.copies)
                self.symbols.types[node.name] = full

    def _tables(self, nodes: list[s.ComponentDeclaration]) -> None:
        """Report tables without a declaration, and declarations without a table."""
        for node in nodes:
            if node.file is None:
                message = f"component `{node.name}` does not say which file holds its table"
                self.report.report(codes.MISSING_DATA, message, node.name.span, '`from "components.yaml"`')
            elif node.file not in self.files:
                message = f"there is no file `{node.file}` in the game's folder"
                self.report.report(codes.MISSING_DATA, message, node.file.span)
        for name, file in self.files.items():
            declared: dict[str, Span] = {node.name: node.name.span for node in nodes if node.file == name}
            self.report.extend(file.diagnostics)
            self.report.extend(check_tables(file, declared))
            self.report.extend(check_documents(file, self.documents))

    def _raw(self, node: s.ComponentDeclaration) -> RawTable | None:
        file = self.files.get(node.file) if node.file else None
        return file.tables.get(node.name) if file else None

    def _words(self) -> None:
        """Report words and ids of rows with the name of a function that is written alike: they share a namespace."""
        for node in self._each(s.TypeDeclaration):
            for variant in node.body.words if isinstance(node.body, s.WordsBody) else ():
                self._word(variant.name, bool(variant.fields), variant.name.span)
        for component in self._each(s.ComponentDeclaration):
            raw = self._raw(component)
            for row in raw.rows if raw else ():
                self._word(row.id, False, row.span)

    def _word(self, word: str, brackets: bool, place: Span) -> None:
        node = self.symbols.nodes.get(word)
        if isinstance(node, FUNCTIONS) and _takes_brackets(node) == brackets:
            message = f"`{word}` is {noun(node)} already"
            self.report.report(codes.DUPLICATE_NAME, message, place, notes=self.symbols.declared(word))

    # ---- actions and flow -------------------------------------------------------------------------------------

    def _heads(self) -> None:
        for window in self._each(s.WindowDeclaration):
            self._unique(parameter.name for parameter in window.parameters)
            self.symbols.windows[window.name] = self._parameters(window.parameters)
        for node in self._each(s.ActionDeclaration):
            parameters = self._parameters(node.parameters + node.during_parameters)
            choices = any(isinstance(statement, s.ChooseValue) for statement in _leading(node.body))
            self.symbols.actions[node.name] = ActionHead(node, parameters, choices)
            if node.during is not None:
                self._during(node, node.during)

    def _parameters(self, nodes: tuple[s.Parameter, ...]) -> tuple[tuple[str, t.Type], ...]:
        types = ((node.name, self.types.resolve(node.type)) for node in nodes)
        parameters: dict[str, t.Type] = {}
        for name, type_ in types:
            parameters.setdefault(name, type_)
        return tuple(parameters.items())

    def _during(self, node: s.ActionDeclaration, window: Identifier) -> None:
        wanted = self.symbols.windows.get(window)
        if wanted is None:
            self.symbols.misplaced("window", window, self.symbols.windows)
            return
        parameters = self._parameters(node.during_parameters)
        if any(isinstance(type_, t.Never) for _, type_ in (*wanted, *parameters)):
            return
        if node.parameters or parameters != wanted:
            arguments = f"({parameters_of(wanted)})" if wanted else ""
            message = f"`{node.name}` must have just the parameters of the window `{window}`"
            hint = f"`action {node.name} during {window}{arguments}`"
            notes = self.symbols.declared(window, window=True)
            self.report.report(codes.WRONG_ARGUMENTS, message, window.span, hint, notes)

    def _action(self, node: s.ActionDeclaration) -> m.Action:
        head = self.symbols.actions[node.name]
        self.steps.routine = node.name
        scope = Scope(Frame(), node.name, me=self.symbols.players, outer_me=True)
        types = dict(head.parameters)
        for parameter in node.parameters + node.during_parameters:
            scope, slot = self.ex.bind(parameter.name, types[parameter.name], "parameter", scope)
            if node.during is not None:
                scope.frame.read.add(slot)  # the window dictates its parameters, so an unread one is no fault
        signature = self.steps.signature(node.body.statements, scope)
        body = self.steps.block(signature.rest, signature.scope, node.body.span)
        frame = scope.frame
        self.frames.append(frame)
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
            locals=frame.locals,
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
        self.frames.append(scope.frame)
        return m.Routine(name, body, scope.frame.size, scope.frame.locals)

    def _acting(self, actions: Mapping[str, m.Action]) -> None:
        """Report calls of actions that use `me` where nobody acts."""
        needing = set(self.needs_me) | {name for name, action in actions.items() if action.choices}
        callers: dict[str, list[str]] = {}
        for performed in self.steps.performed:
            if performed.acting == "caller":
                callers.setdefault(performed.callee, []).append(performed.caller)
        waiting = list(needing)
        while waiting:
            # Who calls an action that needs `me`, without naming a player, needs it too.
            more = [caller for caller in callers.get(waiting.pop(), ()) if caller not in needing]
            needing.update(more)
            waiting += more
        for performed in self.steps.performed:
            if performed.acting == "nobody" and performed.callee in needing:
                use = self.needs_me.get(performed.callee)
                notes = (Note("`me` is used here", use),) if use else ()
                message = f"`{performed.callee}` needs an acting player, and nobody acts here"
                self.report.report(codes.NO_CHOICE_HERE, message, performed.span, WHO_ACTS, notes)

    def _move_signatures(self, actions: Mapping[str, m.Action]) -> None:
        for name in sorted(self.steps.offered):
            action = actions.get(name)
            if action is not None:
                self._no_other_move(name, action.span)
                parameters = dict(action.parameters)
                stated = tuple((parameter, parameters[parameter], False) for parameter in self._stated(action))
                chosen = tuple((c.name, c.type, c.within) for c in action.choices)
                self.symbols.moves[name] = m.MoveSignature(name, stated + chosen, action.span)

    def _no_other_move(self, name: str, action: Span) -> None:
        """Report a decision inside an action that has the name of an offered action: both would name the same move."""
        inside = self.symbols.moves.get(name)
        if inside is not None:
            message = f"two decisions are called `{name}`: the action, which is offered, and this one inside it"
            place, notes = self.symbols.decisions[name], (Note("the action", action),)
            self.report.report(codes.DUPLICATE_NAME, message, place, "give this one a label of its own", notes)

    def _stated(self, action: m.Action) -> tuple[str, ...]:
        """Return the parameters of the action's moves."""
        return tuple(name for name, _ in action.parameters if (action.name, name) in self.steps.stated)

    def _with_hindsight(self, action: m.Action, effects: Effects) -> m.Action:
        """Return the action with the analyses that need the whole game."""
        return replace(action, can_refuse=effects.of(action.body).may_refuse, stated=self._stated(action))

    # ---- scoring ----------------------------------------------------------------------------------------------

    def _score(self, node: s.ScoreDeclaration) -> m.ScoreClause:
        path = f"score.{node.name}"
        scope = Scope(Frame(), path, me=self.symbols.players)
        value = self.bodies.value(node.body, scope)
        self.ex.fit(value, t.Range(-1_000_000, 1_000_000), scope)
        self.frames.append(scope.frame)
        return m.ScoreClause(path, value, scope.frame.size)

    def _criteria(self) -> Iterator[m.WinnerCriterion]:
        for node in self._each(s.WinnerDeclaration):
            for criterion in node.criteria:
                path = f"winner.{criterion.label}"
                scope = Scope(Frame(), path, me=self.symbols.players)
                value = None
                if criterion.value is not None:
                    value = self.ex.wanted(criterion.value, t.Range(-1_000_000, 1_000_000), scope)
                yield m.WinnerCriterion(path, criterion.kind, value, scope.frame.size)

    def _refill(self, node: s.RefillDeclaration) -> m.Refill | None:
        path = f"refill.{node.place.name}"
        scope = Scope(Frame(), path)
        zone = self.updates.zone(node.place, scope, "pile", "bag")
        source = self.updates.zone(node.source, scope)
        if zone is None or source is None or not self.updates.agree(zone, source, node.source.span):
            return None
        if not self.updates.is_unseen(zone, node.place, "nothing can be shuffled into it"):
            return None
        return m.Refill(path, zone, source)

    def _notes(self) -> None:
        for node in self._each(s.NoteDeclaration):
            if node.value is not None:
                self.ex.expr(node.value, Scope(Frame(), node.name))

    # ---- examples ---------------------------------------------------------------------------------------------

    def _examples(self, actions: Mapping[str, m.Action], routines: Iterable[m.Routine | None]) -> Iterator[m.Example]:
        if not self.setting.examples:
            return
        paths = frozenset(clause.path for clause in stated(self.declarations))
        reasons = Reasons(actions, [routine.body for routine in routines if routine], paths, self.symbols.chances)
        declared = [node.name for node in self._each(s.OptionDeclaration)] + list(self.read)
        decided: dict[str, str] = {node.name: node.default for node in self._each(s.ForkDeclaration) if node.decided}
        for node in self._each(s.ExampleDeclaration):
            casts = [check for check in node.checks if isinstance(check, s.Cast)]
            cast = casts[0].names if casts else ()
            taken_names = [check.name for check in node.checks if isinstance(check, s.Taken)]
            low, high = self.setting.player_range
            taken = options_taken(node, {**self.given, **self.read}, declared, self.constants.constant, self.symbols)
            otherwise = {name: str(value) for name, value in _other_than_default(taken or {}, self.read).items()}
            if casts and not low <= len(cast) <= high:
                named = "1 player is" if len(cast) == 1 else f"{len(cast)} players are"
                message = f"{named} named, and {low if low == high else f'{low} to {high}'} can play"
                self.report.report(codes.WRONG_ARGUMENTS, message, casts[0].span)
            elif fork := next((name for name in taken_names if name in otherwise and name in decided), None):
                message = f"the text decides the fork `{fork}`: it says `{decided[fork]}`"
                self.report.report(codes.BAD_EXAMPLE, message, fork.span)
            elif taken is not None:
                self.example_settings.append((len(cast) or None, _other_than_default(taken, self.given), otherwise))
                # Positions and moves of an example have the sizes of its own table.
                if len(cast) in (0, self.setting.players) and self._is_taken(taken):
                    yield elaborate_example(node, cast, self.steps, self.defines, reasons)

    def _is_taken(self, taken: Mapping[str, t.Value]) -> bool:
        """Return whether an example is to be elaborated for this table.

        Options that the example does not name must have their defaults; forks that it does not name may have any
        reading."""
        options = all(option.value == taken.get(name, option.default) for name, option in self.given.items())
        return options and all(fork.value == taken.get(name, fork.value) for name, fork in self.read.items())

    def _unread(self) -> Iterator[TableCheck]:
        """Record for each local name whether anything reads it."""
        for frame in (*self.frames, *self.defines.frames):
            for variable in frame.variables:
                if what := MUST_BE_USED.get(variable.kind):
                    message = f"nothing uses the {what} `{variable.name}`"
                    unread = variable.slot not in frame.read
                    yield TableCheck(Diagnostic(codes.UNUSED, message, variable.span), unread)
                if variable.kind == "state":
                    message = f"no step ever changes the state `{variable.name}`: it keeps its first value"
                    unchanged = variable.slot in frame.read and variable.slot not in frame.written
                    yield TableCheck(Diagnostic(codes.NEVER_CHANGED, message, variable.span), unchanged)


FUNCTIONS = (s.StateDeclaration, s.ZoneDeclaration, s.ValueDeclaration, s.OptionDeclaration, s.ForkDeclaration)
"""The declarations whose names can be used as values."""

MUST_BE_USED = {"let": "name", "state": "state", "parameter": "parameter", "random": "outcome"}
"""The kinds of local names that are reported if nothing reads them, with their words.

A choice of a player or a loop variable may be unread: the move or the repetition has an effect by itself."""


def _other_than_default(taken: Mapping[str, t.Value], settings: Mapping[str, m.OptionSetting]) -> dict[str, object]:
    """Return the settings that differ from the defaults, as a log has them."""
    chosen = ((settings[name], value) for name, value in taken.items() if name in settings)
    return {each.name: to_json(each.type, value) for each, value in chosen if value != each.default}


def _leading(block: s.Block) -> Iterator[s.Statement]:
    for statement in block.statements:
        if not isinstance(statement, s.ChooseValue | s.Require):
            return
        yield statement


def _takes_brackets(node: s.Declaration) -> bool:
    match node:
        case s.ValueDeclaration(parameters=parameters):
            return bool(parameters)
        case s.StateDeclaration(indices=indices) | s.ZoneDeclaration(indices=indices):
            return bool(indices)
        case _:
            return False


def _language_names(node: s.Declaration) -> Container[str]:
    """Return the built-in names that a declaration may not have.

    Built-in functions are always followed by brackets, so a declaration without parameters may be called `size`."""
    match node:
        case s.TypeDeclaration() | s.ComponentDeclaration():
            return ("Bool", "Player")
        case s.ScoreDeclaration() | s.ExampleDeclaration() | s.WindowDeclaration() | s.RefillDeclaration():
            return ()
        case s.ValueDeclaration(parameters=()) | s.StateDeclaration(indices=()) | s.ZoneDeclaration(indices=()):
            return _LANGUAGE_VALUES
        case s.OptionDeclaration() | s.ForkDeclaration() | s.NoteDeclaration() | s.ActionDeclaration():
            return _LANGUAGE_VALUES
        case _:
            return (*_LANGUAGE_VALUES, *BUILTIN_FUNCTIONS)


_LANGUAGE_VALUES = ("me", "setup", "play", "winner", *BUILTIN_VALUES)
"""Built-in values, and the first names of paths: those of the routines and of the winner's criteria."""


def _space(node: s.Declaration) -> tuple[str, str]:
    """Return the namespace and the name of a declaration; routines have none."""
    match node:
        case s.SetupDeclaration() | s.PlayDeclaration() | s.WinnerDeclaration() | s.TermsDeclaration():
            return type(node).__name__.removesuffix("Declaration").lower(), ""
        case s.RefillDeclaration(place=place):
            return "refill", place.name
        case s.ScoreDeclaration(name=name):
            return "score", name
        case s.ExampleDeclaration(name=name):
            return "example", name
        case s.WindowDeclaration(name=name):
            return "window", name
        case s.SilentDeclaration(path=path):
            return "silent", path
        case _:
            return "name", node.name
