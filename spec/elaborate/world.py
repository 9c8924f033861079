"""Everything a game declares, by name: what the passes over expressions and statements look things up in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ludex.grammar import Code, Diagnostics, Note, Span, nearest
from ludex.grammar import syntax as s

from .. import model as m
from ..codes import UNKNOWN_NAME
from ..types import ComponentType, PlayerType, Type, Value, Words


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
    """A define or a fact with parameters. `result` is None while its body is elaborated (and nothing declared)."""

    declaration: s.ValueDeclaration
    parameters: tuple[tuple[str, Type], ...]
    result: Type | None


@dataclass(frozen=True, slots=True)
class Faulty:
    """A name whose declaration was reported: its uses are not reported again."""


Function = ElementFunction | ConstantFunction | DefineFunction | Faulty


@dataclass(frozen=True, slots=True)
class ActionHead:
    declaration: s.ActionDeclaration
    parameters: tuple[tuple[str, Type], ...]
    has_choices: bool


@dataclass(slots=True)
class World:
    """The nouns of one game at one table.

    `used` collects the names that something reads, as `kind name`; `spans` tells where each name was declared; `silent`
    are names that another edition states and this one does not.
    """

    players: PlayerType
    player_range: tuple[int, int]
    report: Diagnostics = field(default_factory=Diagnostics)
    types: dict[str, Type] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    actions: dict[str, ActionHead] = field(default_factory=dict)
    windows: dict[str, tuple[tuple[str, Type], ...]] = field(default_factory=dict)
    pending: dict[str, s.ValueDeclaration] = field(default_factory=dict)
    defines: dict[str, m.Define] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()
    used: set[str] = field(default_factory=set)
    moves: dict[str, m.MoveSignature] = field(default_factory=dict)
    chances: dict[str, m.ChanceSignature] = field(default_factory=dict)

    def words_with(self, word: str) -> list[Words]:
        return [t for t in self.types.values() if isinstance(t, Words) and t.case(word)]

    def components_with(self, identifier: str) -> list[ComponentType]:
        return [t for t in self.types.values() if isinstance(t, ComponentType) and identifier in t.positions]

    def all_words(self) -> Iterable[str]:
        for type_ in self.types.values():
            if isinstance(type_, Words):
                yield from (case.name for case in type_.cases)
            elif isinstance(type_, ComponentType):
                yield from type_.ids

    def unknown(self, what: str, name: str, span: Span, known: Iterable[str], code: Code = UNKNOWN_NAME) -> None:
        """Report an unknown name, with the nearest known one and where that is declared."""
        if name in self.silent:
            borrow = "another edition states it: borrow it (`--silence borrow`), or state it here"
            self.report.report(code, f"this edition is silent about `{name}`", span, borrow)
            return
        near = nearest(name, known)
        where = self.spans.get(near) if near else None
        notes = (Note(f"`{near}` is declared here", where),) if near and where else ()
        hint = f"did you mean `{near}`?" if near else None
        self.report.report(code, f"no {what} is called `{name}`", span, hint, notes)


def spelled(names: Iterable[str], limit: int = 8) -> str:
    """`a, b and c` for messages, cut after `limit`."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > limit:
        return ", ".join(quoted[:limit]) + f" and {len(quoted) - limit} more"
    return " and ".join(filter(None, (", ".join(quoted[:-1]), *quoted[-1:]))) if quoted else "nothing"


def parameters_of(pairs: tuple[tuple[str, Type], ...]) -> str:
    return ", ".join(str(type_) if name == str(type_) else f"{name}: {type_}" for name, type_ in pairs)


Titles = Mapping[str, str]
