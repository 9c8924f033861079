"""The lexicon of a game: the declared names that changes and rewrites use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludex.grammar import format_type, words_in
from ludex.grammar import syntax as s


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names of a game.

    Attributes:
        alike: for a zone or state, others of the same kind that can replace it.
        words: for a word, the others of its type.
        actions: for an action, others with the same parameters.
        names: every name that is declared or bound anywhere.
    """

    alike: Mapping[str, tuple[str, ...]]
    words: Mapping[str, tuple[str, ...]]
    actions: Mapping[str, tuple[str, ...]]
    names: frozenset[str]


def lexicon(module: s.Module) -> Lexicon:
    """Return the lexicon of a whole game in one file."""
    places: dict[str, object] = {node.name: _shape(node) for node in module.declarations if isinstance(node, PLACES)}
    actions: dict[str, object] = {
        node.name: tuple(format_type(each.type) for each in node.parameters)
        for node in module.declarations
        # An action of a window is offered there, and nobody calls it by name.
        if isinstance(node, s.ActionDeclaration) and node.during is None
    }
    types = (node.body for node in module.declarations if isinstance(node, s.TypeDeclaration))
    kinds: list[list[str]] = [
        [v.name for v in body.words if not v.fields] for body in types if isinstance(body, s.WordsBody)
    ]
    words = {word: tuple(other for other in kind if other != word) for kind in kinds for word in kind}
    return Lexicon(_by_likeness(places), words, _by_likeness(actions), frozenset(words_in(module)))


PLACES = s.ZoneDeclaration | s.StateDeclaration


def _shape(node: s.ZoneDeclaration | s.StateDeclaration) -> tuple[object, ...]:
    indices = tuple(map(format_type, node.indices))
    if isinstance(node, s.ZoneDeclaration):
        return "zone", indices, format_type(node.of)
    return "state", indices, format_type(node.type)


def _by_likeness(shapes: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(other for other, of in shapes.items() if of == shape and other != name)
        for name, shape in shapes.items()
    }
