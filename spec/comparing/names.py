"""What the names in a clause stand for while its form is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ludex.grammar import syntax as s

from .changes import Changes, changes_of

Form: TypeAlias = "int | str | tuple[Form, ...]"
"""A number, a word, or a head with its parts."""

NUMBERS = frozenset({"size", "abs", "index", "number", "place_in", "player_count", "total"})
"""The language's own functions whose value is a number."""
WITHOUT_STATE = frozenset({"opponent", "next", "previous", "seat", "number", "player_count"})
"""The language's own functions that read nothing of the state."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all editions share and forms go by.

    Attributes:
        words: the words of types, which are values like numbers; not those with data, nor what is the name of
            something else, too.
        types: the words of each type that has nothing but words without data, in their order.
        ranges: types that are another name for the numbers from one to another.
        numbers: names of what has a number for its value.
        bags: zones in which the order of pieces does not count.
        plain: names of what reads nothing but itself: states, zones, words, what players state. (A define may read
            anything.)
        values: the facts and defines that the game file states.
        players: how many can play.
        given: by action, the names of what it is given and of what players state.
        changes: what the actions may change.
        uncertain: names of what may be `none`, as far as its type is told.
    """

    words: frozenset[str] = frozenset()
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ranges: Mapping[str, s.RangeType] = field(default_factory=dict)
    numbers: frozenset[str] = NUMBERS
    bags: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    values: Mapping[str, s.ValueDeclaration] = field(default_factory=dict)
    players: tuple[int, ...] = ()
    given: Mapping[str, frozenset[str]] = field(default_factory=dict)
    changes: Changes = field(default_factory=Changes)
    uncertain: frozenset[str] = frozenset()


def shared_by(module: s.Module | None, texts: Iterable[s.Module] = ()) -> Shared:
    """What a game file shares; nothing where there is none. texts: the editions, which may give names to more."""
    everything = [node for each in ((module, *texts) if module else texts) for node in each.declarations]
    declarations = module.declarations if module else ()
    types = [node for node in declarations if isinstance(node, s.TypeDeclaration)]
    elements = [node for node in declarations if isinstance(node, s.ZoneDeclaration | s.StateDeclaration)]
    variants = [v for node in types if isinstance(node.body, s.WordsBody) for v in node.body.words]
    words = frozenset(each.name for each in variants if not each.fields) - frozenset(_other_names(everything))
    given: dict[str, frozenset[str]] = {}
    for node in everything:
        if isinstance(node, s.ActionDeclaration):
            given[node.name] = given.get(node.name, frozenset()) | frozenset(_given(node))
    ranges = {node.name: node.body for node in types if isinstance(node.body, s.RangeType)}
    values = {node.name: node for node in declarations if isinstance(node, s.ValueDeclaration)}
    unchanging = frozenset(each.name for each in variants) | WITHOUT_STATE
    unchanging |= frozenset(name for names in given.values() for name in names)
    return Shared(
        words,
        {node.name: names for node in types if (names := _plain_words(node))},
        ranges,
        NUMBERS | frozenset(_numbers(declarations, ranges)),
        frozenset(node.name for node in elements if isinstance(node, s.ZoneDeclaration) and node.shape == "bag"),
        unchanging | frozenset(node.name for node in elements),
        values,
        tuple(_players(module)),
        given,
        changes_of(everything, unchanging),
        frozenset(_uncertain(everything)),
    )


def _uncertain(declarations: Iterable[s.Declaration]) -> Iterator[str]:
    for node in declarations:
        match node:
            case s.StateDeclaration(name=name, type=s.OptionalType()):
                yield name
            case s.ValueDeclaration(name=name, type=s.OptionalType() | None):
                yield name
            case s.ActionDeclaration():
                typed = {each.name for each in node.parameters if not isinstance(each.type, s.OptionalType)}
                yield from (name for name in _given(node) if name not in typed)
            case _:
                pass


def _other_names(declarations: Iterable[s.Declaration]) -> Iterator[str]:
    """The names of whatever has a value."""
    for node in declarations:
        match node:
            case (
                s.ValueDeclaration(name=name)
                | s.StateDeclaration(name=name)
                | s.ZoneDeclaration(name=name)
                | s.OptionDeclaration(name=name)
                | s.ForkDeclaration(name=name)
            ):
                yield name


def _plain_words(node: s.TypeDeclaration) -> tuple[str, ...]:
    """The words of a type that has nothing else."""
    match node.body:
        case s.WordsBody(words=variants) if not any(each.fields for each in variants):
            return tuple(each.name for each in variants)
        case _:
            return ()


def _numbers(declarations: Iterable[s.Declaration], ranges: Mapping[str, s.RangeType]) -> Iterator[str]:
    for node in declarations:
        if isinstance(node, s.StateDeclaration | s.ValueDeclaration) and is_number(node.type, ranges):
            yield node.name


def is_number(node: s.TypeExpression | None, ranges: Mapping[str, s.RangeType]) -> bool:
    """Whether all values of a type are numbers."""
    return isinstance(node, s.RangeType) or (isinstance(node, s.NamedType) and node.name in ranges)


def _players(module: s.Module | None) -> Iterator[int]:
    """The numbers of players in the game's header."""
    for entry in module.header.entries if module and module.header else ():
        for value in entry.values if entry.label == "players" else ():
            if value.low is not None:
                yield from range(value.low, (value.high if value.high is not None else value.low) + 1)


def _given(node: s.ActionDeclaration) -> Iterator[str]:
    """The names of what an action is given, and of what players state."""
    yield from (parameter.name for parameter in node.parameters + node.during_parameters)
    for each in node.body.statements:
        if isinstance(each, s.ChooseValue):
            yield from (generator.name for generator in each.generators)


@dataclass(frozen=True, slots=True)
class Meant:
    """What a name stands for, and how many names were bound where that was said."""

    form: Form
    depth: int


@dataclass(frozen=True, slots=True)
class Names:
    """What plain names stand for: those that the clause binds, by their place in the order of binding; the value of a
    `let`; of a fork the reading that its edition takes.

    Attributes:
        known: what is meant by each name here.
        depth: how many names are bound around.
        helpers: facts and defines whose value is put in where they are used.
        readings: the forks of the file.
        idle: states of the file that nothing reads, so that writing to them does nothing.
        domains: by a bound name's place, all values that it can have, where they are few.
        whole: clauses inside a clause are put in, too; else they stand in its form by their label.
    """

    shared: Shared = Shared()
    known: Mapping[str, Meant] = field(default_factory=dict)
    depth: int = 0
    helpers: Mapping[str, s.ValueDeclaration] = field(default_factory=dict)
    readings: tuple[str, ...] = ()
    idle: frozenset[str] = frozenset()
    domains: Mapping[int, tuple[Form, ...]] = field(default_factory=dict)
    whole: bool = False

    @property
    def me(self) -> Form:
        """Who acts."""
        return self.of("me", "me")

    def of(self, name: str, otherwise: Form) -> Form:
        """What a name stands for at this place."""
        meant = self.known.get(name)
        return otherwise if meant is None else shifted(meant.form, meant.depth, self.depth)

    def meaning(self, **forms: Form) -> Names:
        """The same with other meanings for some names."""
        return replace(self, known={**self.known, **{name: Meant(form, self.depth) for name, form in forms.items()}})

    def turned(self) -> Names:
        """Where somebody else acts: what was said of `me` before is said of who acted then."""
        known = {name: replace(each, form=_of_before(each.form)) for name, each in self.known.items() if name != "me"}
        return replace(self, known=known)

    def stays(self, form: Form, nodes: object) -> bool:
        """Whether a form that is made here has the same value throughout some statements."""
        changes = self.shared.changes
        written = changes.written(nodes)
        own = {self.known[name].form for name in written if name in self.known}
        return not any(holds(form, each) for each in own) and not changes.may_change(names_in(form), written)

    def binding(self, name: str, domain: tuple[Form, ...] = ()) -> Names:
        """The same with one more name, called by how many there are before it."""
        known = {**self.known, name: Meant(("name", self.depth), self.depth + 1)}
        domains = {**self.domains, self.depth: domain} if domain else self.domains
        return replace(self, known=known, depth=self.depth + 1, domains=domains)

    def only(self, names: Iterable[str]) -> Names:
        """The same without what is bound around, but for some names: what a declaration elsewhere sees."""
        return replace(self, known={name: self.known[name] for name in names if name in self.known}, domains={})


def holds(form: Form, part: Form) -> bool:
    """Whether a part stands somewhere in a form."""
    return form == part or (isinstance(form, tuple) and any(holds(each, part) for each in form))


def names_in(form: Form) -> frozenset[str]:
    """The names of all that a form speaks of."""
    match form:
        case ("can", *parts):
            return frozenset({"can"}).union(*map(names_in, parts))
        case ("of" | "number", str() as name, *parts):
            return frozenset({name}).union(*map(names_in, parts))
        case (*parts,):
            return frozenset[str]().union(*map(names_in, parts))
        case _:
            return frozenset()


def _of_before(form: Form) -> Form:
    match form:
        case "me":
            return ("before", "me")
        case (*parts,):
            return tuple(map(_of_before, parts))
        case _:
            return form


def shifted(form: Form, before: int, now: int) -> Form:
    """A form that was made where some names were bound, as it is where more of them are: its own bound names are called
    by later numbers, so that they are not taken for those around."""
    match form:
        case ("name", int() as at):
            return ("name", at + now - before) if at >= before else form
        case (*parts,) if before != now:
            return tuple(shifted(part, before, now) for part in parts)
        case _:
            return form
