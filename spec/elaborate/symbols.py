"""Symbol table: everything that a game declares, by name, for the passes over expressions and statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ludex.grammar import Code, Diagnostic, Diagnostics, Identifier, Note, Span, nearest, nodes_in, suggested
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..budget import Meter, OverBudget
from ..codes import UNKNOWN_NAME
from ..table_checks import TableCheck
from ..text import Excerpts, place_of
from ..values.types import ComponentType, PlayerType, Type, Value, Words


@dataclass(frozen=True, slots=True)
class ElementFunction:
    """A state or zone, read as a function of its indices."""

    element: m.Element


@dataclass(frozen=True, slots=True)
class ConstantFunction:
    """An option, a fork, a fact without parameters: a value known before play."""

    type: Type
    value: Value


@dataclass(frozen=True, slots=True)
class DefineFunction:
    """A define, or a fact with parameters.

    result: the type of its value; None if its body was reported, or is being elaborated and no type is declared. Calls
    of it are then still checked for their arguments.
    """

    declaration: s.ValueDeclaration
    parameters: tuple[tuple[str, Type], ...]
    result: Type | None


@dataclass(frozen=True, slots=True)
class Faulty:
    """A name with a faulty declaration. Its uses are not reported again."""


@dataclass(frozen=True, slots=True)
class Later:
    """A state or zone during constant evaluation, when it has no value yet."""


Function = ElementFunction | ConstantFunction | DefineFunction | Faulty | Later


@dataclass(frozen=True, slots=True)
class ActionHead:
    """The parameters of an action, before its body is elaborated. has_choices: whether its move makes choices."""

    declaration: s.ActionDeclaration
    parameters: tuple[tuple[str, Type], ...]
    has_choices: bool


DEPTH_OF_DECLARATION = 20
"""The nesting that a declaration counts in the budget while it is elaborated because another one uses it."""


@dataclass(slots=True)
class Symbols:
    """The symbol table of one game at one table.

    Attributes:
        meter: the work and the values of this table; exceeding the budget is reported once.
        pending: the facts and defines that are not elaborated yet.
        nodes, window_nodes: the declaration of each name; windows have a namespace of their own.
        silent: names that another text states and this one does not.
        blurred: whether a table or type is faulty, so that unknown words may be its words and are not reported.
        sized: whether the states and zones are known, so that nothing is `Later` any more.
        used: the types, columns and words that something reads, as `kind name`.
        uses: pairs of a user (a define; None for a rule) and a used function.
        decisions: the place of each decision inside an action, by its name.
        table_checks: faults that count only if they hold at every table.
        taken: names that are declared twice or are built in; their uses are not reported.
        clause: the type, fact or define that is being elaborated.
        from_below: states and zones whose boards have their first row at the bottom.
    """

    players: PlayerType
    player_range: tuple[int, int]
    excerpts: Excerpts
    meter: Meter
    report: Diagnostics = field(default_factory=Diagnostics)
    types: dict[str, Type] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    actions: dict[str, ActionHead] = field(default_factory=dict)
    windows: dict[str, tuple[tuple[str, Type], ...]] = field(default_factory=dict)
    pending: dict[str, s.ValueDeclaration] = field(default_factory=dict)
    defines: dict[str, m.Define] = field(default_factory=dict)
    nodes: dict[str, s.Declaration] = field(default_factory=dict)
    window_nodes: dict[str, s.Declaration] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()
    from_below: frozenset[str] = frozenset()
    blurred: bool = False
    sized: bool = False
    used: set[str] = field(default_factory=set)
    uses: set[tuple[str | None, str]] = field(default_factory=set)
    moves: dict[str, m.MoveSignature] = field(default_factory=dict)
    decisions: dict[str, Span] = field(default_factory=dict)
    chances: dict[str, m.ChanceSignature] = field(default_factory=dict)
    table_checks: list[TableCheck] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    clause: str | None = None

    def allows(self, values: int, path: str, span: Span) -> bool:
        """Reserve values (of types, of cells) in the budget. Return whether it allows them; report it if not."""
        try:
            self.meter.hold(values, path, span)
        except OverBudget as fault:
            self.over_budget(fault)
            return False
        return True

    def goes_down(self, path: str, span: Span, work: Callable[[], None]) -> bool:
        """Do nested work on a declaration. Return False, and report it, if the nesting is too deep.

        path: the path of the declaration, for reports."""
        try:
            self.meter.descend(DEPTH_OF_DECLARATION, path, span)
        except OverBudget as fault:
            self.over_budget(fault)
            return False
        around, self.clause = self.clause, path
        try:
            work()
        finally:
            self.meter.ascend(DEPTH_OF_DECLARATION)
            self.clause = around
        return True

    def over_budget(self, fault: OverBudget) -> None:
        """Report that the budget is exceeded, once."""
        fault.path = fault.path or self.clause
        # Everything after the first is over the budget, too.
        if all(known.code is not codes.OVER_BUDGET for known in self.report.items):
            self.report.extend([fault.diagnostic()])

    def words_with(self, word: str) -> list[Words]:
        """Return the types that have a word."""
        return [t for t in self.types.values() if isinstance(t, Words) and t.case(word)]

    def components_with(self, identifier: str) -> list[ComponentType]:
        """Return the components that have a row of an id."""
        return [t for t in self.types.values() if isinstance(t, ComponentType) and identifier in t.positions]

    def all_words(self) -> Iterable[str]:
        """Yield the words and ids of all types."""
        for type_ in self.types.values():
            yield from words_in(type_)

    def check_at_table(self, holds: bool, code: Code, message: str, span: Span, hint: str | None = None) -> None:
        """Record a check's result at this table; nothing is recorded if a component table is unknown."""
        # Words that may belong to the faulty table make every check of it doubtful.
        if self.blurred:
            return
        self.table_checks.append(TableCheck(Diagnostic(code, message, span, hint), holds))

    def drop_table_checks(self, span: Span) -> None:
        """Drop the results inside the span, because the whole span is reported."""
        start, end = (span.line, span.column), (span.end_line, span.end_column)
        self.table_checks = [
            check
            for check in self.table_checks
            if check.report.span.file != span.file
            or not start <= (check.report.span.line, check.report.span.column) < end
        ]

    # ---- names that are not known -----------------------------------------------------------------------------

    def unknown(self, what: str, name: Identifier, known: Iterable[str], code: Code = UNKNOWN_NAME) -> None:
        """Report an unknown name, with the nearest known one and where that is declared."""
        # The name was reported at its declaration.
        if name.partition(".")[0] in self.taken:
            return
        # Not a mistake of the author: this text alone leaves out what another one states.
        if name in self.silent:
            self.report.report(codes.NO_GAME_ALONE, f"`{name}`", name.span, unknown=name)
            return
        near = nearest(name, known)
        notes = self.declared(near, what == "window")
        self.report.report(code, f"no {what} is called `{name}`", name.span, suggested(near), notes, unknown=name)

    def misplaced(self, what: str, name: Identifier, known: Iterable[str]) -> None:
        """Report a name that is not a `what`, and say which kind of name it is, if any."""
        other = self.kind_of(name, what)
        if other is None:
            self.unknown(what, name, known)
            return
        article = "an" if what[0] in "aeiou" else "a"
        message = f"`{name}` is {other}, and {article} {what} is needed"
        notes = self.declared(name) or self.declared(name, window=True)
        self.report.report(UNKNOWN_NAME, message, name.span, notes=notes, unknown=name)

    def declared(self, name: str | None, window: bool = False) -> tuple[Note, ...]:
        """Return a note at the declaration of the name, if there is one."""
        node = (self.window_nodes if window else self.nodes).get(name) if name else None
        return (Note(f"`{name}` is declared here", place_of(node)),) if node else ()

    def kind_of(self, name: str, sought: str) -> str | None:
        """Describe what a name denotes, if it is not of the wanted kind."""
        nodes = (self.nodes.get(name), self.window_nodes.get(name))
        kinds = [kind for node in nodes if node is not None and (kind := noun(node)).split()[-1] != sought]
        if kinds:
            return kinds[0]
        for node in self.nodes.values():
            if isinstance(node, s.ForkDeclaration) and name in {reading.name for reading in node.readings}:
                return f"a reading of `{node.name}`"
        owner = next((type_ for type_ in self.types.values() if name in words_in(type_)), None)
        if owner is None or sought == "value":
            return None
        return f"a word of {owner}" if isinstance(owner, Words) else f"a {owner}"


def words_in(type_: Type) -> tuple[str, ...]:
    """Return the words of a type, or the ids of a component; none for other types."""
    if isinstance(type_, Words):
        return tuple(case.name for case in type_.cases)
    return type_.ids if isinstance(type_, ComponentType) else ()


def noun(node: s.Declaration) -> str:
    """Describe the kind of a declaration for a message."""
    match node:
        case s.ValueDeclaration(kind=kind):
            return f"a {kind}"
        case s.ActionDeclaration() | s.OptionDeclaration():
            return f"an {type(node).__name__.removesuffix('Declaration').lower()}"
        case _:
            return f"a {type(node).__name__.removesuffix('Declaration').lower()}"


def own_names(node: s.Declaration) -> Iterator[str]:
    """Yield the local names of a declaration: parameters, choices, lets, local states, loops."""
    for each in nodes_in(node):
        match each:
            case s.Parameter(name=name) | s.Generator(name=name) | s.Let(name=name) | s.LocalState(name=name):
                yield name
            case s.Pattern(binds=binds):
                yield from binds


def label_kind(node: s.Declaration | None, label: str) -> str | None:
    """Describe what a label names in a declaration; None if there is no such clause."""
    for each in nodes_in(node):
        match each:
            case s.Clause(label=name) if name == label:
                return "a step"
            case s.Require(label=name) if name == label:
                return "a requirement"
    return None


def spelled(names: Iterable[str], limit: int = 8) -> str:
    """Return names as a list for messages, such as `a, b and c`, cut after `limit` names."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > limit:
        return ", ".join(quoted[:limit]) + f" and {len(quoted) - limit} more"
    return " and ".join(filter(None, (", ".join(quoted[:-1]), *quoted[-1:]))) if quoted else "nothing"


def parameters_of(pairs: tuple[tuple[str, Type], ...]) -> str:
    """Return parameters as they are declared: `NAME: TYPE, ...`, or `TYPE` if the name is the type's."""
    return ", ".join(str(type_) if name == str(type_) else f"{name}: {type_}" for name, type_ in pairs)
