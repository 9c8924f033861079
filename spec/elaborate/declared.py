"""Declarations by name. A second declaration of a name, or one of a built-in name, is reported and ignored."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ludex.grammar import Diagnostics, Note, nodes_in
from ludex.grammar import syntax as s

from .. import spec_codes
from ..text import place_of
from .builtins import BUILTIN_FUNCTIONS, BUILTIN_VALUES

DeclarationT = TypeVar("DeclarationT", bound=s.Declaration)

USED_AS_VALUES = (s.StateDeclaration, s.ZoneDeclaration, s.ValueDeclaration, s.OptionDeclaration, s.ForkDeclaration)
"""The declarations whose names can be used as values."""
LANGUAGE_VALUES = ("me", "setup", "play", "winner", *BUILTIN_VALUES)
"""Built-in values, and the first names of paths: those of the routines and of the winner's criteria."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The declarations of a game.

    Attributes:
        in_force: those that have a meaning.
        names, windows: by name; windows have a namespace of their own.
        torn: names of several values, which have no meaning.
        twice: these names, and all others that are declared twice.
        built_in: names of the language that are declared, too.
    """

    in_force: tuple[s.Declaration, ...]
    names: Mapping[str, s.Declaration]
    windows: Mapping[str, s.Declaration]
    torn: frozenset[str]
    twice: frozenset[str]
    built_in: frozenset[str]

    def each(self, kind: type[DeclarationT]) -> Iterator[DeclarationT]:
        """Yield the declarations of a kind that are not ignored, in the order of the file."""
        return (node for node in self.in_force if isinstance(node, kind))

    def notes(self, name: str | None, window: bool = False) -> tuple[Note, ...]:
        """Return a note at the declaration of the name, if there is one."""
        node = (self.windows if window else self.names).get(name) if name else None
        return (Note(f"`{name}` is declared here", place_of(node)),) if node else ()

    def noun(self, name: str, sought: str) -> str | None:
        """Describe what a name is declared as, if that is not the wanted kind."""
        nodes = (self.names.get(name), self.windows.get(name))
        kinds = [noun(node) for node in nodes if node is not None and _kind(node) != sought]
        if kinds:
            return kinds[0]
        forks = (node for node in self.names.values() if isinstance(node, s.ForkDeclaration))
        fork = next((each for each in forks if name in {reading.name for reading in each.readings}), None)
        return None if fork is None else f"a reading of `{fork.name}`"


def declared_names(declarations: Iterable[s.Declaration], diagnostics: Diagnostics) -> Declared:
    """Sort declarations by name, and report names with several meanings. Uses of these give no further reports."""
    seen: dict[tuple[str, str], s.Declaration] = {}
    kept: list[s.Declaration] = []
    torn, twice, built_in = set[str](), set[str](), set[str]()
    # Types come last: of a type and a component of one name the component is kept, or its table would be reported too.
    for node in sorted(declarations, key=lambda node: isinstance(node, s.TypeDeclaration)):
        space, name = place = _space(node)
        if name in _language_names(node):
            built_in.add(name)
            message = f"`{name}` is a built-in name"
            diagnostics.report(spec_codes.DUPLICATE_NAME, message, place_of(node), "choose another name")
        elif place in seen:
            _report_twice(place, seen[place], node, diagnostics)
            twice |= {name} if space == "name" else set()
            torn |= {name} if isinstance(seen[place], USED_AS_VALUES) and isinstance(node, USED_AS_VALUES) else set()
        else:
            seen[place] = node
            kept.append(node)
    return Declared(
        tuple(node for node in kept if not (isinstance(node, USED_AS_VALUES) and node.name in torn)),
        {name: node for (space, name), node in seen.items() if space == "name"},
        {name: node for (space, name), node in seen.items() if space == "window"},
        frozenset(torn),
        frozenset(twice),
        frozenset(built_in),
    )


def _report_twice(place: tuple[str, str], one: s.Declaration, other: s.Declaration, diagnostics: Diagnostics) -> None:
    first, second = sorted((one, other), key=lambda node: node.span)
    space, name = place
    message, hint = f"`{name}` is declared twice", None
    if space in {"score", "invariant", "example", "refill"}:
        message = f"there are two `{space} {name}`"
    elif not name:
        message, hint = f"there are two `{space}`", "put all of it into one"
    diagnostics.report(
        spec_codes.DUPLICATE_NAME, message, place_of(second), hint, (Note("the other one", place_of(first)),)
    )


def _space(node: s.Declaration) -> tuple[str, str]:
    """Return the namespace and the name of a declaration; routines have none."""
    # No expression names a score, an invariant, an example or a window: each may have the name of a define.
    match node:
        case s.SetupDeclaration() | s.PlayDeclaration() | s.WinnerDeclaration() | s.TermsDeclaration():
            return _word(node), ""
        case s.RefillDeclaration(place=place):
            return "refill", place.name
        case (
            s.ScoreDeclaration(name=name)
            | s.InvariantDeclaration(name=name)
            | s.ExampleDeclaration(name=name)
            | s.WindowDeclaration(name=name)
        ):
            return _word(node), name
        case s.SilentDeclaration(path=path):
            return "silent", path
        case _:
            return "name", node.name


def _language_names(node: s.Declaration) -> Container[str]:
    """Return the built-in names that a declaration may not have.

    Built-in functions are always followed by brackets, so a declaration without parameters may be called `size`."""
    match node:
        case s.TypeDeclaration() | s.ComponentDeclaration():
            return ("Bool", "Player")
        case (
            s.ScoreDeclaration()
            | s.InvariantDeclaration()
            | s.ExampleDeclaration()
            | s.WindowDeclaration()
            | s.RefillDeclaration()
        ):
            return ()
        case s.ValueDeclaration(parameters=()) | s.StateDeclaration(indices=()) | s.ZoneDeclaration(indices=()):
            return LANGUAGE_VALUES
        case s.OptionDeclaration() | s.ForkDeclaration() | s.NoteDeclaration() | s.ActionDeclaration():
            return LANGUAGE_VALUES
        case _:
            return (*LANGUAGE_VALUES, *BUILTIN_FUNCTIONS)


def takes_brackets(node: s.Declaration) -> bool:
    """Return whether uses of a declared value have arguments."""
    match node:
        case s.ValueDeclaration(parameters=parameters):
            return bool(parameters)
        case s.StateDeclaration(indices=indices) | s.ZoneDeclaration(indices=indices):
            return bool(indices)
        case _:
            return False


def _word(node: s.Declaration) -> str:
    return type(node).__name__.removesuffix("Declaration").lower()


def noun(node: s.Declaration) -> str:
    """Describe the kind of a declaration for a message."""
    article = "an" if isinstance(node, s.ActionDeclaration | s.OptionDeclaration) else "a"
    return f"{article} {_kind(node)}"


def _kind(node: s.Declaration) -> str:
    return node.kind if isinstance(node, s.ValueDeclaration) else _word(node)


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
