"""What one text says: each of its clauses with the form of what it says by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

from ludex.grammar import Citation
from ludex.grammar import syntax as s

from ..clauses import pattern_name
from ..model import ClauseKind
from .forms import expression, generators, lets, type_form, value_body
from .names import Form, Names, Shared
from .steps import NOTHING, sequence, statement

NO_GAME = Shared()


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


def said(declarations: tuple[s.Declaration, ...], shared: Shared = NO_GAME) -> Mapping[str, Said]:
    """Every clause of a file by path, in the order written, parents first. Of two with one path the first counts: the
    second is an error that `ludex check` tells. A number that the file gives a name to stands for the name."""
    names = Names(shared, numbers(declarations) | readings(declarations))
    found: dict[str, Said] = {}
    for node in declarations:
        for clause in _declaration(node, names):
            found.setdefault(clause.path, _resting(clause, found))
    return _resting_on_parts(found)


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


def numbers(declarations: tuple[s.Declaration, ...]) -> dict[str, Form]:
    """The facts that are nothing but a number: whether a text's transcriber named it or wrote it where it is used makes
    no difference."""
    return {
        node.name: expression(node.body.value, Names())
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


def _declaration(node: s.Declaration, names: Names) -> Iterator[Said]:
    match node:
        case s.ValueDeclaration(name=name, kind=kind):
            yield from _function(node, name, kind, names)
        case s.ActionDeclaration():
            yield from _action(node, names)
        case s.SetupDeclaration(body=body) | s.PlayDeclaration(body=body):
            part: ClauseKind = "setup" if isinstance(node, s.SetupDeclaration) else "play"
            yield Said(part, part, node, node.authority, sequence(body.statements, names))
            yield from _inside(body, part, names)
        case s.ScoreDeclaration(name=name, body=body):
            path = f"score.{name}"
            yield Said(path, "score", node, node.authority, value_body(body, names))
            yield from _value(body, path, names)
        case s.WinnerDeclaration(criteria=criteria):
            order = tuple(("clause", criterion.label) for criterion in criteria)
            yield Said("winner", "winner", node, node.authority, ("do", *order))
            for each in criteria:
                value: Form = ("none",) if each.value is None else expression(each.value, names)
                yield Said(f"winner.{each.label}", "winner", each, each.authority, (each.kind, value), "winner")
        case s.TermsDeclaration(terms=terms):
            for term in terms:
                for word in term.words:
                    path = f"terms.{term.name}.{word.language}"
                    yield Said(path, "term", term, term.authority, ("word", word.text))
        case s.SilentDeclaration():
            return  # it says what the text does not say
        case _:
            yield _noun(node, names)


def _function(node: s.ValueDeclaration, name: str, kind: ClauseKind, names: Names) -> Iterator[Said]:
    types: list[Form] = []
    for parameter in node.parameters:
        types.append(type_form(parameter.type, names))
        names = names.binding(parameter.name)
    form = value_body(node.body, names)
    if types:
        form = ("function", *types, form)
    if node.cycle is not None:
        form = ("cycle", expression(node.cycle, names), form)
    yield Said(name, kind, node, node.authority, form)
    yield from _value(node.body, name, names)


def _action(node: s.ActionDeclaration, names: Names) -> Iterator[Said]:
    """An action's parameters and choices are the game's own words: they keep their names."""
    leading = tuple(takewhile(lambda each: isinstance(each, s.ChooseValue | s.Require), node.body.statements))
    chosen = [each for each in leading if isinstance(each, s.ChooseValue)]
    domains = [("choice", one.name, expression(one.domain, names)) for each in chosen for one in each.generators]
    steps = [each for each in node.body.statements if not isinstance(each, s.LocalState) and each not in chosen]
    form = sequence(tuple(steps), names)
    yield Said(node.name, "action", node, node.authority, ("action", *domains, form) if domains else form)
    yield from _inside(node.body, node.name, names)


def _noun(node: s.Declaration, names: Names) -> Said:
    match node:
        case s.NoteDeclaration(name=name, value=value):
            told: Form = ("told",) if value is None else expression(value, names)  # of words, only that they are there
            return Said(name, "note", node, node.authority, told)
        case s.RefillDeclaration(place=place, source=source):
            zones = (expression(s.Name(p.span, p.name, p.arguments, p.my), names) for p in (place, source))
            return Said(f"refill.{place.name}", "refill", node, node.authority, ("refill", *zones))
        case s.ForkDeclaration(name=name, readings=readings, default=default):
            known = tuple(reading.name for reading in readings)
            return Said(name, "fork", node, node.authority, ("fork", default, *known))
        case s.ExampleDeclaration(name=name):
            return Said(f"example.{name}", "example", node, node.authority, _example(node, names))
        case s.StateDeclaration(name=name, type=type_, initial=initial):
            first: Form = ("none",) if initial is None else expression(initial, names)
            return Said(name, "state", node, node.authority, ("state", type_form(type_, names), first))
        case s.OptionDeclaration(name=name, type=type_, default=default):
            form: Form = ("option", type_form(type_, names), expression(default, names))
            return Said(name, "option", node, node.authority, form)
        case s.TypeDeclaration(name=name):
            return Said(name, "type", node, node.authority, ("type", name))
        case s.ComponentDeclaration(name=name):
            return Said(name, "component", node, node.authority, ("component", name))
        case s.ZoneDeclaration(name=name, shape=shape, of=of):
            return Said(name, "zone", node, node.authority, ("zone", shape, type_form(of, names)))
        case s.WindowDeclaration(name=name):
            return Said(f"window.{name}", "window", node, node.authority, ("window", name))
        case _:
            raise AssertionError(f"no declaration: {type(node).__name__}")


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
            return ("after", names.known.get(player, player), statement(move, names))
        case s.AfterChance(value=value):
            return ("after", "chance", expression(value, names))
        case s.Allow(player=player, move=move):
            return ("allow", names.known.get(player, player), statement(move, names))
        case s.Refuse(player=player, move=move, because=because):
            return ("refuse", names.known.get(player, player), statement(move, names), because)
        case s.Expect(value=value):
            return ("expect", expression(value, names))
        case _:
            raise AssertionError(f"no check: {type(node).__name__}")


# ---- inside a declaration ---------------------------------------------------------------------------------------


def _value(body: s.ValueBody, path: str, names: Names) -> Iterator[Said]:
    names = lets(body.lets, names)
    if isinstance(body.value, s.ValueMatch):
        for arm in body.value.arms:
            inner, known = f"{path}.{pattern_name(arm.patterns)}", _with_data(arm.patterns, names)
            yield Said(inner, "arm", arm, arm.authority, value_body(arm.value, known), path)
            yield from _value(arm.value, inner, known)
    for each in body.exceptions:
        result = NOTHING if each.value is None else expression(each.value, names)
        form: Form = ("unless", expression(each.condition, names), result)
        yield Said(f"{path}.{each.label}", "except", each, each.authority, form, path)


def _with_data(patterns: tuple[s.Pattern, ...], names: Names) -> Names:
    for pattern in patterns:
        for name in pattern.binds:
            names = names.binding(name)
    return names


def _inside(node: s.Statement | None, path: str, names: Names, kind: ClauseKind = "step") -> Iterator[Said]:
    """The clauses inside a statement; `names`: what is bound around it."""
    match node:
        case s.Block(statements=statements):
            for each in statements:
                yield from _inside(each, path, names, kind)
                names = _behind(each, names)
        case s.Clause(label=label, body=body, exceptions=exceptions):
            inner = f"{path}.{label}"
            yield Said(inner, kind, node, node.authority, statement(body, names), path)
            yield from _inside(body, inner, names)
            for bent in exceptions:
                step = NOTHING if bent.statement is None else statement(bent.statement, names)
                form: Form = ("unless", expression(bent.condition, names), step)
                yield Said(f"{inner}.{bent.label}", "except", bent, bent.authority, form, inner)
        case s.Require(label=label, body=value):
            yield Said(f"{path}.{label}", "require", node, node.authority, value_body(value, names), path)
            yield from _value(value, f"{path}.{label}", names)
        case s.Match(arms=arms):
            for arm in arms:
                inner, known = f"{path}.{pattern_name(arm.patterns)}", _with_data(arm.patterns, names)
                yield Said(inner, "arm", arm, arm.authority, statement(arm.body, known), path)
                yield from _inside(arm.body, inner, known)
        case s.ChooseBranch(branches=branches):
            for branch in branches:
                yield from _inside(branch, path, names, "branch")
        case s.If(then=then, otherwise=otherwise):
            yield from _inside(then, path, names)
            yield from _inside(otherwise, path, names)
        case s.Each(generators=nodes, body=body):
            yield from _inside(body, path, generators(nodes, names)[1])
        case (
            s.May(body=body)
            | s.RepeatMay(body=body)
            | s.RepeatUntil(body=body)
            | s.RepeatTimes(body=body)
            | s.EachPlayer(body=body)
            | s.AllPlayers(body=body)
            | s.As(body=body)
        ):
            yield from _inside(body, path, names)
        case _:
            return


def _behind(node: s.Statement, names: Names) -> Names:
    """The names in force behind a statement of a block."""
    match node:
        case s.Let(name=name, value=value):
            return names.meaning(**{name: expression(value, names)})
        case s.LocalState(name=name):
            return names.binding(name)
        case s.Random(generator=generator):
            return names.binding(generator.name)
        case s.ChooseValue(generators=nodes):
            return generators(nodes, names)[1]
        case _:
            return names
