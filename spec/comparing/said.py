"""What one text says: each of its clauses with the form of what it says by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from types import MappingProxyType

from ludex.grammar import Citation
from ludex.grammar import syntax as s

from ..clauses import Stated, stated_around
from ..model import ClauseKind
from .building import FALSE, NONE, NOTHING, TRUE
from .forms import expression, generators, let, lets, read_arm, type_form, value_body, whole, with_data
from .names import Form, Meant, Names, Shared
from .steps import sequence, statement

NO_GAME = Shared()
CONTAINERS: frozenset[ClauseKind] = frozenset({"action", "setup", "play", "winner"})
"""What holds clauses and says little itself."""


@dataclass(frozen=True, slots=True)
class Said:
    """One clause of a text. Parts that are clauses of their own stand in the form by label.

    Attributes:
        parent: the path of the clause around it, None if it stands alone.
        form: what it says by itself (`forms`, `steps`).
    """

    path: str
    kind: ClauseKind
    node: s.Node
    authority: s.Authority
    form: Form
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """What is known where a clause stands.

    Attributes:
        read: it is what the text says: not behind a reading of a fork that is not taken.
        doubted: an arm here is one for a reading.
    """

    names: Names
    read: bool = True
    doubted: bool = False

    def inside(self, node: s.Node, part: s.Node) -> Where:
        """What is known in a part of a node."""
        match node, part:
            case s.ValueDeclaration(), _:
                return replace(self, names=_bound(node, self.names)[1])
            case s.ActionDeclaration(), _:
                return replace(self, names=_in_action(node, self.names))
            case s.ValueBody(lets=nodes), _:
                return replace(self, names=lets(nodes, self.names))
            case ((s.Match() | s.ValueMatch()), (s.StepArm() | s.ValueArm())):
                return self._arm(node, part)
            case s.If(condition=condition, then=then), _:
                unread = FALSE if part is then else TRUE
                return replace(self, read=self.read and expression(condition, self.names) != unread)
            case s.Each(generators=nodes), _:
                return replace(self, names=generators(nodes, self.names)[1])
            case ((s.As() | s.EachPlayer() | s.AllPlayers()), _):
                return replace(self, names=self.names.turned())
            case _:
                return self

    def _arm(self, node: s.Match | s.ValueMatch, part: s.StepArm | s.ValueArm) -> Where:
        asked = expression(node.subject, self.names)
        arm = _read_arm(node, asked)
        return Where(with_data(asked, part, self.names), self.read and (arm is None or arm is part), arm is not None)

    def behind(self, statement: s.Statement, rest: tuple[s.Statement, ...]) -> Where:
        """What is known behind a statement of a block."""
        return replace(self, names=_behind(statement, self.names, rest))


def _read_arm(node: s.Match | s.ValueMatch, asked: Form) -> s.StepArm | s.ValueArm | None:
    if isinstance(node, s.Match):
        return read_arm(asked, node.arms)
    return read_arm(asked, node.arms)


def _behind(node: s.Statement, names: Names, rest: tuple[s.Statement, ...]) -> Names:
    match node:
        case s.Let(name=name, value=value):
            return let(name, expression(value, names), names, rest)
        case s.LocalState(name=name):
            return names.binding(name)
        case s.Random(generator=generator):
            return names.binding(generator.name)
        case s.ChooseValue(generators=nodes):
            return generators(nodes, names)[1]
        case _:
            return names


# ---- the clauses of a text --------------------------------------------------------------------------------------


def said(declarations: tuple[s.Declaration, ...], shared: Shared = NO_GAME) -> Mapping[str, Said]:
    """Every clause of a file by path, in the order written, parents first. Of two with one path the first counts: the
    second is an error that `ludex check` tells. A number that the file gives a name to stands for the name."""
    return _said_in(_File(declarations)) if shared is NO_GAME else _listed(declarations, shared)


class _File:
    """The declarations of a file as something that is only the same as itself: comparing them takes as long as reading
    them."""

    __slots__ = ("declarations",)

    def __init__(self, declarations: tuple[s.Declaration, ...]) -> None:
        self.declarations = declarations

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _File) and other.declarations is self.declarations

    def __hash__(self) -> int:
        return id(self.declarations)


@lru_cache(maxsize=16)
def _said_in(file: _File) -> Mapping[str, Said]:
    """A file with a clause exchanged is asked several times, and those that it comes from again and again."""
    return MappingProxyType(_listed(file.declarations, NO_GAME))


def _listed(declarations: tuple[s.Declaration, ...], shared: Shared) -> dict[str, Said]:
    return {path: clause for path, (clause, _) in heard(declarations, shared, numbers(declarations)).items()}


def heard(
    declarations: tuple[s.Declaration, ...],
    shared: Shared,
    helpers: Mapping[str, s.ValueDeclaration],
    idle: frozenset[str] = frozenset(),
) -> Mapping[str, tuple[Said, Where]]:
    """The same, each with what is known where it stands.

    Args:
        helpers: what is put in where it is used.
        idle: states to which nothing is written that matters.
    """
    read = readings(declarations)
    names = Names(shared, {name: Meant(form, 0) for name, form in read.items()}, 0, helpers, tuple(read), idle)
    found: dict[str, Said] = {}
    places: dict[str, Where] = {}
    for clause, where in stated_around(declarations, Where(names)):
        for each in _said(clause, where.names):
            if each.path not in found:
                found[each.path], places[each.path] = _resting(each, found), where
    return {path: (clause, places[path]) for path, clause in _resting_on_parts(found).items()}


def whole_form(clause: Said, where: Where) -> Form | None:
    """What a clause says with all that is inside it; None of one that only holds others."""
    if clause.kind in CONTAINERS or clause.kind == "term":
        return None
    names = whole(where.names)
    return statement(clause.node, names) if isinstance(clause.node, s.Clause) else form_of(clause.node, names)


def is_rest(clause: Said) -> bool:
    """`otherwise` that rests on nothing is the text's silence, not its word."""
    match clause.node:
        case s.StepArm(patterns=patterns, authority=authority) | s.ValueArm(patterns=patterns, authority=authority):
            return not authority and any(each.kind == "otherwise" for each in patterns)
        case _:
            return False


def _resting(clause: Said, known: Mapping[str, Said]) -> Said:
    """With the authority of the clause around it, if it has none of its own."""
    above = known.get(clause.parent or "")
    return replace(clause, authority=above.authority) if above and not clause.authority else clause


def _resting_on_parts(found: dict[str, Said]) -> dict[str, Said]:
    """A clause that rests on nothing rests on what the clauses inside it cite."""
    cited: dict[str, dict[tuple[str, tuple[tuple[int, int], ...]], Citation]] = {}
    for path, clause in reversed(found.items()):
        if not clause.authority and path in cited:
            citations = tuple(cited[path][key] for key in sorted(cited[path]))
            found[path] = replace(clause, authority=replace(clause.authority, citations=citations))
        if clause.parent is not None:
            of_parent = cited.setdefault(clause.parent, {})
            of_parent |= {(each.document, each.lines): each for each in found[path].authority.citations}
    return found


def numbers(declarations: tuple[s.Declaration, ...]) -> dict[str, s.ValueDeclaration]:
    """The facts that are nothing but a number: whether a text's transcriber named it or wrote it where it is used makes
    no difference."""
    return {
        node.name: node
        for node in declarations
        if isinstance(node, s.ValueDeclaration)
        and node.kind == "fact"
        and not (node.parameters or node.body.exceptions)
        and isinstance(node.body.value, s.Integer | s.Negate)
    }


def readings(declarations: tuple[s.Declaration, ...]) -> dict[str, Form]:
    """The reading that each fork of the file takes."""
    forks = (node for node in declarations if isinstance(node, s.ForkDeclaration))
    return {fork.name: ("reading", fork.default) for fork in forks}


# ---- forms of clauses -------------------------------------------------------------------------------------------


def _said(clause: Stated, names: Names) -> Iterator[Said]:
    """A clause with its form; of a term each word by itself, and nothing of what is only how a spec is written."""
    match clause.node:
        case s.Term(name=name, words=words):
            for word in words:
                path = f"terms.{name}.{word.language}"
                yield Said(path, "term", clause.node, clause.authority, ("words", word.text))
        case s.SilentDeclaration() | s.Column():
            return
        case node:
            yield Said(clause.path, clause.kind, node, clause.authority, form_of(node, names), clause.parent)


def form_of(node: s.Node, names: Names) -> Form:
    """What a clause says."""
    match node:
        case s.ValueDeclaration():
            return _function(node, names)
        case s.ActionDeclaration():
            return _action(node, names)
        case s.SetupDeclaration(body=block) | s.PlayDeclaration(body=block):
            return sequence(block.statements, names)
        case s.ScoreDeclaration(body=body) | s.ValueArm(value=body):
            return value_body(body, names)
        case s.Require(body=body):
            return value_body(body, names, True)
        case s.WinnerDeclaration(criteria=criteria) if names.whole:
            return ("do", *(form_of(criterion, names) for criterion in criteria))
        case s.WinnerDeclaration(criteria=criteria):
            return ("do", *(("clause", criterion.label) for criterion in criteria))
        case s.Criterion(kind=kind, value=value):
            return (kind, NONE if value is None else expression(value, names))
        case s.Clause(body=step) | s.StepArm(body=step):
            return statement(step, names)
        case s.ValueException(condition=condition, value=value):
            return ("unless", expression(condition, names), NOTHING if value is None else expression(value, names))
        case s.StepException(condition=condition, statement=instead):
            return ("unless", expression(condition, names), NOTHING if instead is None else statement(instead, names))
        case _:
            return _noun(node, names)


def _function(node: s.ValueDeclaration, names: Names) -> Form:
    types, inner = _bound(node, names)
    form = value_body(node.body, inner)
    if types:
        form = ("function", *types, form)
    return form if node.cycle is None else ("cycle", expression(node.cycle, inner), form)


def _bound(node: s.ValueDeclaration, names: Names) -> tuple[list[Form], Names]:
    """The types of a function's parameters, and the names that stand for them."""
    types: list[Form] = []
    for parameter in node.parameters:
        types.append(type_form(parameter.type, names))
        names = names.binding(parameter.name, _few(parameter.type, names))
    return types, names


MOST_VALUES = 6


def _few(node: s.TypeExpression, names: Names) -> tuple[Form, ...]:
    """The values of a type, if they are few."""
    match type_form(node, names):
        case ("..", int() as low, int() as high) if high - low < MOST_VALUES:
            return tuple(range(low, high + 1))
        case ("type", str() as name) if name in names.shared.ranges:
            return _few(names.shared.ranges[name], names)
        case ("type", str() as name) if len(names.shared.types.get(name, ())) <= MOST_VALUES:
            return tuple(("word", word) for word in names.shared.types.get(name, ()))
        case _:
            return ()


def _action(node: s.ActionDeclaration, names: Names) -> Form:
    """An action's parameters and choices are the game's own words: they keep their names."""
    names = _in_action(node, names)
    leading = tuple(takewhile(lambda each: isinstance(each, s.ChooseValue | s.Require), node.body.statements))
    chosen = [each for each in leading if isinstance(each, s.ChooseValue)]
    domains: list[Form] = []
    for each in chosen:
        domains += [_choice(one, names) for one in each.generators]
        domains += [] if each.where is None else [("where", expression(each.where, names))]
    form = sequence(tuple(each for each in node.body.statements if each not in chosen), names)
    return ("action", *domains, form) if domains else form


def _choice(node: s.Generator, names: Names) -> Form:
    form: Form = ("choice", node.name, expression(node.domain, names))
    return ("within", form) if node.within else form


def _in_action(node: s.ActionDeclaration, names: Names) -> Names:
    """What an action is given, and what players state, is called by its name, whatever else has that name."""
    own = {each.name for each in node.parameters + node.during_parameters}
    given = own | names.shared.given.get(node.name, frozenset())
    return names.meaning(**{name: ("of", name) for name in given})


def _noun(node: s.Node, names: Names) -> Form:
    match node:
        case s.NoteDeclaration(value=value):
            return ("told",) if value is None else expression(value, names)  # of words, only that they are there
        case s.RefillDeclaration(place=place, source=source):
            zones = (expression(s.Name(p.span, p.name, p.arguments, p.my), names) for p in (place, source))
            return ("refill", *zones)
        case s.ForkDeclaration(readings=readings, default=default):
            return ("fork", default, *(reading.name for reading in readings))
        case s.ExampleDeclaration():
            return _example(node, names)
        case s.StateDeclaration(type=type_, initial=initial):
            return ("state", type_form(type_, names), NONE if initial is None else expression(initial, names))
        case s.OptionDeclaration(type=type_, default=default_):
            return ("option", type_form(type_, names), expression(default_, names))
        case s.ZoneDeclaration(shape=shape, of=of):
            return ("zone", shape, type_form(of, names))
        case s.TypeDeclaration(name=name) | s.ComponentDeclaration(name=name) | s.WindowDeclaration(name=name):
            return (type(node).__name__, name)
        case _:
            raise AssertionError(f"no clause: {type(node).__name__}")


# ---- examples ---------------------------------------------------------------------------------------------------


def _example(node: s.ExampleDeclaration, names: Names) -> Form:
    """The position, the moves and what is expected, whatever the players are called."""
    cast = next((check.names for check in node.checks if isinstance(check, s.Cast)), ())
    names = names.meaning(**{name: ("player", seat) for seat, name in enumerate(cast)})
    return ("example", len(cast), *(_check(check, names) for check in node.checks if not isinstance(check, s.Cast)))


def _check(node: s.Check, names: Names) -> Form:
    match node:
        case s.Taken(name=name, value=value):
            return ("with", name, expression(value, names))
        case s.Given(body=body):
            return ("given", sequence(body.statements, names))
        case s.After(player=player, move=move):
            return ("after", names.of(player, player), statement(move, names))
        case s.AfterChance(value=value):
            return ("after", "chance", expression(value, names))
        case s.Allow(player=player, move=move):
            return ("allow", names.of(player, player), statement(move, names))
        case s.Refuse(player=player, move=move, because=because):
            return ("refuse", names.of(player, player), statement(move, names), because)
        case s.Expect(value=value):
            return ("expect", expression(value, names))
        case _:
            raise AssertionError(f"no check: {type(node).__name__}")
