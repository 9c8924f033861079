"""Symbol table: what each name means at one table, for the passes over expressions and statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ludex.grammar import Code, Diagnostics, Identifier, Note, Span, nearest, suggested
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..budget import Allowance, Meter
from ..spec_codes import UNKNOWN_NAME
from ..table_checks import TableChecks
from ..text import Excerpts
from ..values.types import Bool, ComponentType, Never, PlayerType, Type, Value, Words
from .declared import Declared
from .events import Events
from .uses import Uses


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


FunctionSymbol = ElementFunction | ConstantFunction | DefineFunction | Faulty | Later


@dataclass(frozen=True, slots=True)
class ActionHead:
    """The parameters of an action, before its body is elaborated. has_choices: whether its move makes choices."""

    declaration: s.ActionDeclaration
    parameters: tuple[tuple[str, Type], ...]
    has_choices: bool


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


class Symbols:
    """The symbol table of one game at one table: what each name means there, so far.

    Attributes:
        declared: the declaration of each name.
        setting, players: the table, and the type of its players.
        silent: names that another text states and this one does not.
        excerpts: the source text of the files.
        diagnostics: receives the faults.
        allowance: limits the work of constants and the values of types.
        types, functions, actions, windows: what names mean, each in its namespace.
        taken: names that have no single meaning; their uses are not reported.
        events: the moves and chance events.
        uses: what something reads.
        checks: faults that count only if they hold at every table.
    """

    def __init__(
        self,
        declared: Declared,
        setting: Setting,
        silent: frozenset[str],
        excerpts: Excerpts,
        diagnostics: Diagnostics,
        meter: Meter,
    ) -> None:
        self.declared, self.setting, self.silent, self.excerpts, self.diagnostics = (
            declared, setting, silent, excerpts, diagnostics,
        )  # fmt: skip
        self.players = PlayerType(setting.players)
        self.allowance, self.events = Allowance(meter, diagnostics), Events(diagnostics)
        self.uses, self.checks = Uses(), TableChecks()
        self.taken = {*declared.twice, *declared.built_in}
        built_in: dict[str, Type] = {"Bool": Bool(), "Player": self.players}
        self.types = {name: Never() if name in declared.built_in else of for name, of in built_in.items()}
        self.functions: dict[str, FunctionSymbol] = {name: Faulty() for name in declared.torn}
        stored = (node for node in declared.in_force if isinstance(node, s.ZoneDeclaration | s.StateDeclaration))
        self.functions.update({node.name: Later() for node in stored})
        self.actions: dict[str, ActionHead] = {}
        self.windows: dict[str, tuple[tuple[str, Type], ...]] = {}

    @property
    def has_later(self) -> bool:
        """Whether states or zones are not elaborated yet."""
        return any(isinstance(each, Later) for each in self.functions.values())

    def words_with(self, word: str) -> list[Words]:
        """Return the types that have a word."""
        return [t for t in self.types.values() if isinstance(t, Words) and t.case(word)]

    def components_with(self, identifier: str) -> list[ComponentType]:
        """Return the components that have a row of an id."""
        return [t for t in self.types.values() if isinstance(t, ComponentType) and identifier in t.positions]

    def all_words(self) -> Iterable[str]:
        """Yield the words and ids of all types."""
        for type_ in self.types.values():
            yield from words_of_type(type_)

    # ---- names that are not known -----------------------------------------------------------------------------

    def unknown(self, what: str, name: Identifier, known: Iterable[str], code: Code = UNKNOWN_NAME) -> None:
        """Report an unknown name, with the nearest known one and where that is declared."""
        # The name was reported at its declaration.
        if name.partition(".")[0] in self.taken:
            return
        # This is not a mistake of the author: this text alone leaves out what another one states.
        if name in self.silent:
            self.diagnostics.report(spec_codes.NO_GAME_ALONE, f"`{name}`", name.span, unknown=name)
            return
        near = nearest(name, known)
        notes = self.declared.notes(near, what == "window")
        self.diagnostics.report(code, f"no {what} is called `{name}`", name.span, suggested(near), notes, unknown=name)

    def misplaced(self, what: str, name: Identifier, known: Iterable[str]) -> None:
        """Report a name that is not a `what`, and say which kind of name it is, if any."""
        other = self.kind_of(name, what)
        if other is None:
            self.unknown(what, name, known)
            return
        article = "an" if what[0] in "aeiou" else "a"
        message = f"`{name}` is {other}, and {article} {what} is needed"
        notes = self.declared.notes(name) or self.declared.notes(name, window=True)
        self.diagnostics.report(UNKNOWN_NAME, message, name.span, notes=notes, unknown=name)

    def report_repeated(self, names: Iterable[Identifier]) -> None:
        """Report names that occur twice in one list, such as the columns of a component."""
        seen: dict[str, Span] = {}
        for name in names:
            if name in seen:
                message, notes = f"`{name}` is there twice", (Note("the other one", seen[name]),)
                self.diagnostics.report(spec_codes.DUPLICATE_NAME, message, name.span, notes=notes)
            seen.setdefault(name, name.span)

    def kind_of(self, name: str, sought: str) -> str | None:
        """Describe what a name denotes, if it is not of the wanted kind."""
        if noun := self.declared.noun(name, sought):
            return noun
        owner = next((type_ for type_ in self.types.values() if name in words_of_type(type_)), None)
        # A word is a value, so that it is not of another kind.
        if owner is None or sought == "value":
            return None
        return f"a word of {owner}" if isinstance(owner, Words) else f"a {owner}"


def words_of_type(type_: Type) -> tuple[str, ...]:
    """Return the words of a type, or the ids of a component; none for other types."""
    if isinstance(type_, Words):
        return tuple(case.name for case in type_.cases)
    return type_.ids if isinstance(type_, ComponentType) else ()


def spelled(names: Iterable[str], limit: int = 8) -> str:
    """Return names as a list for messages, such as `a, b and c`, cut after `limit` names."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > limit:
        return ", ".join(quoted[:limit]) + f" and {len(quoted) - limit} more"
    return " and ".join(filter(None, (", ".join(quoted[:-1]), *quoted[-1:]))) if quoted else "nothing"


def parameters_of(pairs: tuple[tuple[str, Type], ...]) -> str:
    """Return parameters as they are declared: `NAME: TYPE, ...`, or `TYPE` if the name is the type's."""
    return ", ".join(str(type_) if name == str(type_) else f"{name}: {type_}" for name, type_ in pairs)
