"""What a transcriber gave a name to: facts and defines that only some texts have, put in where they are used.

A helper says nothing by itself. It is compared where it is used, with what another text writes there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ludex.grammar import nodes_in
from ludex.grammar import syntax as s

from .building import weight
from .names import Form, Meant, Names, Shared
from .said import form_of, readings

MOST = 150
"""What is put in elsewhere has at most so many parts."""
Values = Mapping[str, s.ValueDeclaration]


@dataclass(frozen=True, slots=True)
class Helpers:
    """What is put in.

    Attributes:
        own: by edition, facts and defines of its own.
        of_game: those of the game file, which all editions use alike.
    """

    own: Mapping[str, Values]
    of_game: Values

    @property
    def names(self) -> frozenset[str]:
        """Those of all editions."""
        return frozenset(name for values in self.own.values() for name in values)


def helpers_of(texts: Mapping[str, s.Module], game: s.Module | None, shared: Shared) -> Helpers:
    """Facts and defines that not all editions state, and of which those that do not state them do not speak either;
    not such of which two editions say different things: that is to be told where they stand. A number that has a name
    in all editions is one, too."""
    declared = {name: _values(module) for name, module in texts.items()}
    spoken = {name: frozenset(mentioned(module.declarations)) for name, module in texts.items()}
    in_game = frozenset(mentioned(game.declarations)) if game else frozenset[str]()
    known = {name for values in declared.values() for name in values}
    able = {
        each
        for each in known - in_game - shared.values.keys()
        if all(each in declared[name] for name in texts if each in spoken[name])
    }
    everywhere = {each for each in able if all(each in values for values in declared.values())}
    numbers = {each for each, form in _alike(texts, declared, able, shared).items() if isinstance(form, int)}
    alike = _alike(texts, declared, able - everywhere | numbers, shared)
    own = {name: {n: v for n, v in values.items() if n in alike} for name, values in declared.items()}
    of_game = without_cycles({name: value for name, value in shared.values.items() if name not in known})
    of_game_forms = _forms(game, of_game, shared) if game else {}
    return Helpers(own, {name: of_game[name] for name, form in of_game_forms.items() if weight(form) <= MOST})


def _alike(
    texts: Mapping[str, s.Module], declared: Mapping[str, Values], able: Collection[str], shared: Shared
) -> Mapping[str, Form]:
    """Of some facts and defines those of which all editions that state them say the same, and not at length, with what
    they say. Only what is among them is put into others: what is a clause of all editions stays a name."""
    usable = {name: without_cycles({n: v for n, v in values.items() if n in able}) for name, values in declared.items()}
    forms = {name: _forms(texts[name], values, shared) for name, values in usable.items()}
    told = {each: [forms[name].get(each) for name, values in declared.items() if each in values] for each in able}
    said = {each: found[0] for each, found in told.items() if len(set(found)) == 1}
    return {each: form for each, form in said.items() if form is not None and weight(form) <= MOST}


def _values(module: s.Module) -> Values:
    return {node.name: node for node in module.declarations if isinstance(node, s.ValueDeclaration)}


def _forms(module: s.Module, values: Values, shared: Shared) -> Mapping[str, Form]:
    """What each of some facts and defines of a file is as a whole."""
    read = readings(module.declarations)
    names = Names(shared, {name: Meant(form, 0) for name, form in read.items()}, 0, values, tuple(read), whole=True)
    return {name: form_of(node, names) for name, node in values.items()}


def without_cycles(values: Values) -> Values:
    """Those that never come back to themselves: what is put in comes to an end."""
    uses = {name: frozenset(mentioned(node)) & values.keys() for name, node in values.items()}
    ended: set[str] = set()
    while True:
        more = {name for name, used in uses.items() if name not in ended and used <= ended}
        if not more:
            return {name: node for name, node in values.items() if name in ended and node.cycle is None}
        ended |= more


def mentioned(piece: object) -> Iterator[str]:
    """The names of which a piece of syntax speaks, but for what it rests on."""
    return (node.name for node in nodes_in(piece, but=s.Authority) if isinstance(node, s.Name))
