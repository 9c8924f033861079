"""The forms of statements: what a step does, by itself.

Labelled clauses inside a step are clauses of their own: they stand in its form by their label alone, so that a
difference inside of one is told once, at its own path, and the order in which they stand is still compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludex.grammar import syntax as s

from .forms import (
    TRUE,
    conditional,
    expression,
    generators,
    pattern,
    read_arm,
    type_form,
)
from .names import Form, Names, Shared

NOTHING: Form = ("nothing",)


def by(names: Names) -> Form:
    """Who acts: what is chosen and performed is his."""
    return ("by", names.me)


def statement(node: s.Statement, names: Names) -> Form:
    """The form of one statement; what it binds for the statements behind it is lost (see `sequence`)."""
    return sequence((node,), names)


def sequence(nodes: Sequence[s.Statement], names: Names) -> Form:
    """The form of some statements, in order: what one of them binds stands for the same in those behind it."""
    found: list[Form] = []
    for node in nodes:
        form, names = _next(node, names)
        found += form[1:] if isinstance(form, tuple) and form[0] == "do" else (form,)
    said = arranged([form for form in found if form != NOTHING], names.shared)
    if not said:
        return NOTHING
    return said[0] if len(said) == 1 else ("do", *said)


def _next(node: s.Statement, names: Names) -> tuple[Form, Names]:
    """One statement's form, and the names in force behind it."""
    match node:
        case s.Let(name=name, value=value):
            return NOTHING, names.meaning(**{name: expression(value, names)})
        case s.LocalState(name=name, type=type_, value=value):
            return ("local", type_form(type_, names), expression(value, names)), names.binding(name)
        case s.Random(generator=generator, where=where):
            domains, inner = generators((generator,), names)
            return ("random", *domains, _where(where, inner)), inner
        case s.ChooseValue(generators=nodes, where=where):
            domains, inner = generators(nodes, names)
            return ("choose", by(names), *domains, _where(where, inner)), inner
        case _:
            return _alone(node, names), names


def _where(node: s.Expression | None, names: Names) -> Form:
    return TRUE if node is None else expression(node, names)


def _alone(node: s.Statement, names: Names) -> Form:
    match node:
        case s.Block(statements=statements):
            return sequence(statements, names)
        case s.Clause(label=label):
            return ("clause", label)
        case s.Require(label=label):
            return ("clause", label)
        case s.Assign():
            return _assignment(node, names)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            rest = NOTHING if otherwise is None else statement(otherwise, names)
            return conditional(expression(condition, names), statement(then, names), rest)
        case s.Match(subject=subject, arms=arms):
            asked = expression(subject, names)
            arm = read_arm(asked, arms)
            if arm is not None:
                return statement(arm.body, names)
            return ("match", asked, *(("arm", pattern(arm.patterns)) for arm in arms))
        case s.Call(action=action, arguments=arguments):
            return ("perform", *_call(action, arguments, names))
        case s.ChooseAction(calls=calls):
            return ("one of", by(names), *sorted((_call(c.action, c.arguments, names) for c in calls), key=repr))
        case s.ChooseBranch(branches=branches):
            return ("one of", by(names), *sorted((("clause", branch.label) for branch in branches), key=repr))
        case s.OpenWindow(window=window, arguments=arguments):
            return ("window", *_call(window, arguments, names))
        case s.EndGame():
            return ("end game",)
        case s.Nothing():
            return NOTHING
        case s.May() | s.RepeatMay() | s.RepeatUntil() | s.RepeatTimes() | s.Each() | s.EachPlayer() | s.AllPlayers():
            return _around(node, names)
        case s.As(player=player, body=body):
            actor = expression(player, names)
            inside = statement(body, names)
            return ("as", actor, inside) if holds_clauses(inside) else statement(body, names.meaning(me=actor))
        case _:
            return _pieces(node, names)


def holds_clauses(form: Form) -> bool:
    """Whether clauses of their own stand inside."""
    match form:
        case ("clause", _):
            return True
        case (*parts,):
            return any(map(holds_clauses, parts))
        case _:
            return False


def _call(name: str, arguments: tuple[s.Argument, ...] | None, names: Names) -> tuple[Form, ...]:
    return (name, by(names), *(_argument(each, names) for each in arguments or ()))


def _argument(node: s.Argument, names: Names) -> Form:
    value = expression(node.value, names)
    return value if node.label is None else ("as", node.label, value)


def _around(
    node: s.May | s.RepeatMay | s.RepeatUntil | s.RepeatTimes | s.Each | s.EachPlayer | s.AllPlayers, names: Names
) -> Form:
    match node:
        case s.May(body=body):
            return ("may", statement(body, names))
        case s.RepeatMay(body=body):
            return ("may again", statement(body, names))
        case s.RepeatUntil(body=body, until=until):
            inside, inner = _block(body, names)
            return ("until", ("never",) if until is None else expression(until, inner), inside)
        case s.RepeatTimes(count=count, body=body):
            return ("times", expression(count, names), statement(body, names))
        case s.Each(generators=nodes, where=where, body=body):
            domains, inner = generators(nodes, names)
            return ("each", ("over", *domains), _where(where, inner), statement(body, inner))
        case s.EachPlayer(order=order, body=body):
            inside = statement(body, names)
            if holds_clauses(inside):
                return ("each player", expression(order, names), inside)
            inner = names.binding("me")
            return ("each", ("over", ("from", expression(order, names))), TRUE, statement(body, inner))
        case s.AllPlayers(body=body):
            return ("all players", statement(body, names))


def _block(node: s.Block, names: Names) -> tuple[Form, Names]:
    form = sequence(node.statements, names)
    for each in node.statements:
        _, names = _next(each, names)
    return form, names


def _assignment(node: s.Assign, names: Names) -> Form:
    """`x := x + 1` is `x += 1`."""
    place, value = _place(node.place, names), expression(node.value, names)
    limit: Form = ("none",) if node.bound is None else expression(node.bound, names)
    match node.operator, value:
        case ":=", ("+", *terms) if place in terms:
            rest = [*terms]
            rest.remove(place)
            return ("+=", place, rest[0] if len(rest) == 1 else ("+", *rest), limit)
        case ":=", ("-", left, right) if left == place:
            return ("-=", place, right, limit)
        case operator, _:
            return (operator, place, value, limit)


def _pieces(node: s.Statement, names: Names) -> Form:
    match node:
        case s.Fill(place=place, value=value):
            return ("fill", _place(place, names), expression(value, names))
        case s.Shuffle(place=place):
            return ("shuffle", _place(place, names))
        case s.Draw(count=count, source=source, target=target):
            return ("draw", expression(count, names), _place(source, names), *_target(target, names))
        case s.Move(piece=piece, source=source, target=target):
            what = ("all",) if piece is None else expression(piece, names)
            origin = ("there",) if source is None else _place(source, names)
            return ("move", what, origin, *_target(target, names))
        case s.Put(piece=piece, target=target):
            return ("put", expression(piece, names), *_target(target, names))
        case s.Remove(piece=piece, source=source):
            return ("remove", expression(piece, names), _place(source, names))
        case s.Swap(left=left, right=right):
            return ("swap", *sorted((_place(left, names), _place(right, names)), key=repr))
        case _:
            raise AssertionError(f"no statement: {type(node).__name__}")


def _place(node: s.Place, names: Names) -> Form:
    return expression(s.Name(node.span, node.name, node.arguments, node.my), names)


def _target(node: s.Target, names: Names) -> tuple[Form, Form]:
    return ("to", _place(node.place, names)), node.end or "top"


# ---- steps whose order makes no difference ----------------------------------------------------------------------

PLACE = {":=": 1, "+=": 1, "-=": 1, "fill": 1, "put": 2}
"""Steps without events that change one place, and which of their parts names it."""


def arranged(steps: Sequence[Form], shared: Shared) -> list[Form]:
    """Steps in an order of its own where they do not touch each other: of those that nothing before them hinders, the
    first by its form."""
    waiting, found = list(steps), []
    while waiting:
        free = (at for at, step in enumerate(waiting) if not any(_hinder(w, step, shared) for w in waiting[:at]))
        found.append(waiting.pop(min(free, key=lambda at: repr(waiting[at]))))
    return found


def _hinder(one: Form, other: Form, shared: Shared) -> bool:
    """Whether it may make a difference which of two steps comes first."""
    changed, others = _changed(one), _changed(other)
    read, also_read = _read(one), _read(other)
    if changed is None or others is None or not read | also_read <= shared.plain:
        return True
    if changed != others:
        return changed in also_read or others in read
    both_put = _inner(one)[0] == _inner(other)[0] == "put" and changed in shared.bags
    return not both_put or changed in _read(_inner(one)[1]) | _read(_inner(other)[1])


def _inner(form: Form) -> tuple[Form, ...]:
    """The step inside a repetition."""
    assert isinstance(form, tuple)
    return _inner(form[2]) if form[0] == "times" else form


def _changed(form: Form) -> str | None:
    """The name of the one place that a step changes; None where more may happen."""
    match form:
        case ("times", _, inside):
            return _changed(inside)
        case (str() as head, *_) if head in PLACE:
            place = form[PLACE[head]]
            match place:
                case ("of", str() as name, *_) | ("to", ("of", str() as name, *_)):
                    return name
    return None


def _read(form: Form) -> frozenset[str]:
    """The names of all that a form speaks of."""
    match form:
        case ("of", str() as name, *parts):
            return frozenset({name}).union(*map(_read, parts))
        case (*parts,):
            return frozenset[str]().union(*map(_read, parts))
        case _:
            return frozenset()
