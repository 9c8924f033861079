"""What the names in a clause stand for while its form is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ludex.grammar import syntax as s

Form: TypeAlias = "int | str | tuple[Form, ...]"
"""A number, a word, or a head with its parts."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all editions share and forms go by.

    Attributes:
        words: the words of types, which are values like numbers.
        ranges: types that are another name for the numbers from one to another.
        bags: zones in which the order of pieces does not count.
        plain: names of what reads nothing but itself: states, zones, words, what players state. (A define may read
            anything.)
    """

    words: frozenset[str] = frozenset()
    ranges: Mapping[str, s.RangeType] = field(default_factory=dict)
    bags: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()


WITHOUT_STATE = frozenset({"opponent", "next", "previous", "seat", "number", "player_count"})
"""The language's own functions that read nothing of the state."""


def shared_by(module: s.Module | None) -> Shared:
    """What a game file shares; nothing where there is none."""
    declarations = module.declarations if module else ()
    types = [node for node in declarations if isinstance(node, s.TypeDeclaration)]
    elements = [node for node in declarations if isinstance(node, s.ZoneDeclaration | s.StateDeclaration)]
    words = frozenset(v.name for node in types if isinstance(node.body, s.WordsBody) for v in node.body.variants)
    return Shared(
        words,
        {node.name: node.body for node in types if isinstance(node.body, s.RangeType)},
        frozenset(node.name for node in elements if isinstance(node, s.ZoneDeclaration) and node.shape == "bag"),
        words | WITHOUT_STATE | frozenset(node.name for node in elements) | frozenset(_stated(declarations)),
    )


def _stated(declarations: tuple[s.Declaration, ...]) -> Iterator[str]:
    """The names of what actions are given, and of what players state."""
    for node in declarations:
        if isinstance(node, s.ActionDeclaration):
            yield from (parameter.name for parameter in node.parameters + node.during_parameters)
            for each in node.body.statements:
                if isinstance(each, s.ChooseValue):
                    yield from (generator.name for generator in each.generators)


@dataclass(frozen=True, slots=True)
class Names:
    """What plain names stand for: those that the clause binds, by their place in the order of binding; the value of a
    `let`; the number of a fact; of a fork the reading that its edition takes."""

    shared: Shared = Shared()
    known: Mapping[str, Form] = field(default_factory=dict)

    @property
    def me(self) -> Form:
        return self.known.get("me", "me")

    def meaning(self, **forms: Form) -> Names:
        """The same with other meanings for some names."""
        return replace(self, known={**self.known, **forms})

    def binding(self, name: str) -> Names:
        """The same with one more name, called by how many there are before it."""
        before = sum(1 for form in self.known.values() if isinstance(form, tuple) and form[0] == "name")
        return self.meaning(**{name: ("name", before)})
