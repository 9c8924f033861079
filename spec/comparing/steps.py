"""The forms of statements: what a step does, by itself.

Labelled clauses inside a step are clauses of their own: they stand in its form by their label alone, so that a
difference inside of one is told once, at its own path, and the order in which they stand is still compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ludex.grammar import syntax as s

from .building import (
    NOTHING,
    TRUE,
    Terms,
    conditional,
    is_constant,
    is_number,
    junction,
    listed,
    negation,
    number,
    ordered,
    plus,
    terms,
    together,
)
from .building import instance as instance_of
from .forms import data_taken, expression, generators, let, matched, type_form, value_body
from .names import Form, Names, Shared, holds, names_in


def by(names: Names) -> Form:
    """Who acts: what is chosen and performed is his."""
    return ("by", names.me)


def statement(node: s.Statement, names: Names) -> Form:
    """The form of one statement; what it binds for the statements behind it is lost (see `sequence`)."""
    return sequence((node,), names)


def sequence(nodes: Sequence[s.Statement], names: Names) -> Form:
    """The form of some statements, in order: what one of them binds stands for the same in those behind it."""
    found: list[Form] = []
    for at, node in enumerate(nodes):
        form, names = _next(node, names, nodes[at + 1 :])
        found += form[1:] if isinstance(form, tuple) and form[0] == "do" else (form,)
    return together(arranged([form for form in _requirements_joined(found) if form != NOTHING], names.shared))


def _requirements_joined(steps: Sequence[Form]) -> list[Form]:
    """What is required at one point is required together, in any order."""
    found: list[Form] = []
    for is_asked, run in groupby(steps, key=lambda step: isinstance(step, tuple) and step[0] == "require"):
        asked = [*run]
        if not is_asked:
            found += asked
        elif any(map(holds_clauses, asked)):
            found += ordered(asked)
        else:
            found.append(("require", junction("and", (step[1] for step in asked if isinstance(step, tuple)))))
    return [NOTHING if step == ("require", TRUE) else step for step in found]


def _next(node: s.Statement, names: Names, rest: Sequence[s.Statement]) -> tuple[Form, Names]:
    """One statement's form, and the names in force behind it. rest: the statements there."""
    match node:
        case s.Let(name=name, value=value):
            form = expression(value, names)
            behind = let(name, form, names, tuple(rest))
            return NOTHING if behind.depth == names.depth else ("let", form), behind
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
        case s.Clause() | s.Require() if names.whole:
            return _put_in(node, names)
        case s.Clause(label=label):
            return ("clause", label)
        case s.Require(label=label):
            return ("require", ("clause", label))
        case s.Assign():
            return NOTHING if node.place.name in names.idle else _assignment(node, names)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            rest = NOTHING if otherwise is None else statement(otherwise, names)
            return conditional(expression(condition, names), statement(then, names), rest)
        case s.Match(subject=subject, arms=arms):
            return matched(subject, arms, names, lambda arm, within: _arm(arm, expression(subject, names), within))
        case s.Call(action=action, arguments=arguments):
            return ("perform", *_call(action, arguments, names))
        case s.ChooseAction(calls=calls):
            return (
                "one of",
                by(names),
                *ordered(("perform", *_call(each.action, each.arguments, names)) for each in calls),
            )
        case s.ChooseBranch(branches=branches):
            return ("one of", by(names), *ordered(_alone(branch, names) for branch in branches))
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
            inside = statement(body, names.turned())
            if holds_clauses(inside):
                return ("as", actor, inside)
            if names.stays(actor, body):
                return statement(body, names.meaning(me=actor))
            return ("as", actor, statement(body, names.binding("me")))
        case _:
            return _pieces(node, names)


def _arm(node: s.StepArm, asked: Form, names: Names) -> Form:
    """What an arm does. names: those in force in it."""
    return together((*(("let", each) for each in data_taken(asked, node, names)), statement(node.body, names)))


def _put_in(node: s.Clause | s.Require, names: Names) -> Form:
    """A clause with all that is inside it; an exception that holds stands instead of its body."""
    match node:
        case s.Require(body=body):
            return ("require", value_body(body, names, True))
        case s.Clause(body=body, exceptions=exceptions):
            found = statement(body, names)
            for each in exceptions:
                instead = NOTHING if each.statement is None else statement(each.statement, names)
                found = conditional(expression(each.condition, names), instead, found)
            return found


def holds_clauses(form: Form) -> bool:
    """Whether clauses of their own stand inside."""
    match form:
        case ("clause" | "arm", _):
            return True
        case (*parts,):
            return any(map(holds_clauses, parts))
        case _:
            return False


def _call(name: str, arguments: tuple[s.Argument, ...] | None, names: Names) -> tuple[Form, ...]:
    return (name, by(names), *(_argument(each, names) for each in arguments or ()))


def _argument(node: s.Argument, names: Names) -> Form:
    value = expression(node.value, names)
    return value if node.label is None else ("labelled", node.label, value)


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
            return _times(expression(count, names), statement(body, names))
        case s.Each(generators=nodes, where=where, body=body):
            domains, inner = generators(nodes, names)
            return _each(domains, _where(where, inner), statement(body, inner), names.shared)
        case s.EachPlayer(order=order, body=body):
            inside = statement(body, names.turned())
            if holds_clauses(inside):
                return ("each player", expression(order, names), inside)
            among: tuple[Form, ...] = ("from", ("name", names.depth), expression(order, names))
            return _each((among,), TRUE, statement(body, names.binding("me")), names.shared)
        case s.AllPlayers(body=body):
            return ("all players", statement(body, names.turned()))


def _block(node: s.Block, names: Names) -> tuple[Form, Names]:
    form = sequence(node.statements, names)
    for at, each in enumerate(node.statements):
        _, names = _next(each, names, node.statements[at + 1 :])
    return form, names


def _times(count: Form, inside: Form) -> Form:
    return NOTHING if count == 0 or inside == NOTHING else inside if count == 1 else ("times", count, inside)


EVENTS = frozenset({"choose", "random", "local", "let"})


def _each(domains: Sequence[tuple[Form, ...]], where: Form, inside: Form, shared: Shared) -> Form:
    """`each`: over a few values that are written out one after the other; what is asked inside is asked for all at
    once where nothing that is done touches it."""
    if inside == NOTHING:
        return NOTHING
    match domains:
        case (("from", ("name", int() as place), domain),) if where == TRUE and not _holds_events(inside):
            values = _in_turn(listed(domain), shared)
            if values is not None:
                return together(arranged([instance_of(inside, place, value) for value in values], shared))
    match inside:
        case ("if", condition, step, ("nothing",)) | ("if", condition, ("nothing",), step) if _is_untouched(
            condition, step, shared
        ):
            asked = condition if inside == ("if", condition, step, NOTHING) else negation(condition)
            where, inside = junction("and", (where, asked)), step
    bound = {parts[1] for parts in domains}
    conditions = where[1:] if isinstance(where, tuple) and where[0] == "and" else (where,)
    before = [
        each
        for each in conditions
        if not any(holds(each, name) for name in bound) and _is_untouched(each, inside, shared)
    ]
    during = junction("and", (each for each in conditions if each not in before))
    return conditional(junction("and", before), ("each", ("over", *domains), during, inside), NOTHING)


def _in_turn(values: tuple[Form, ...] | None, shared: Shared) -> list[Form] | None:
    """The values in the order in which a loop comes to them; None where that is not known."""
    if values is None or not all(map(is_constant, values)):
        return None
    numbers = [each for each in values if isinstance(each, int)]
    if len(numbers) == len(values):
        return [*sorted(numbers)]
    rows = [tuple(("word", word) for word in words) for words in shared.types.values()]
    orders = {tuple(each for each in row if each in values) for row in rows if {*values} <= {*row}}
    return [*orders.pop()] if len(orders) == 1 else None


def _holds_events(form: Form) -> bool:
    """Whether names are bound for the steps behind."""
    if not isinstance(form, tuple):
        return False
    return form[0] in EVENTS or any(map(_holds_events, form))


def _is_untouched(condition: Form, step: Form, shared: Shared) -> bool:
    """Whether nothing that a step changes is read by a condition."""
    steps = step[1:] if isinstance(step, tuple) and step[0] == "do" else (step,)
    changed = {_changed(each) for each in steps}
    read = names_in(condition)
    return None not in changed and read <= shared.plain and not changed & read


def _assignment(node: s.Assign, names: Names) -> Form:
    """`x := x + 1` is `x += 1`."""
    place, value = _place(node.place, names), expression(node.value, names)
    limit: Form = ("none",) if node.bound is None else expression(node.bound, names)
    operator: str = node.operator
    if operator == ":=":
        operator, value = _change(place, value)
    elif node.bound is None and is_number(value):
        operator, value = signed(terms(value, 1 if operator == "+=" else -1))
    if value == 0 and operator != ":=" and node.bound is None:
        return NOTHING
    return (operator, place, value, limit)


def _change(place: Form, value: Form) -> tuple[str, Form]:
    """How a place changes by what is put there."""
    match value:
        case ("+" | "-" as operator, left, right) if left == place and not is_number(value):
            return f"{operator}=", right
    if not is_number(value):
        return ":=", value
    found = terms(value)
    if found.get(place) != 1:
        return ":=", value
    return signed(terms(plus(value, place, -1)))


def signed(change: Terms) -> tuple[str, Form]:
    """Added, or taken away, whichever is told more simply."""
    more, less = number(change), number({part: -count for part, count in change.items()})
    return ("-=", less) if len(repr(less)) < len(repr(more)) else ("+=", more)


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
            return _put(expression(piece, names), _target(target, names))
        case s.Remove(piece=piece, source=source):
            return ("remove", expression(piece, names), _place(source, names))
        case s.Swap(left=left, right=right):
            return ("swap", *ordered((_place(left, names), _place(right, names))))
        case _:
            raise AssertionError(f"no statement: {type(node).__name__}")


def _put(piece: Form, target: tuple[Form, Form]) -> Form:
    """Equal pieces that are put together are put one by one."""
    match piece:
        case ("bag", ("over", ("from", name, ("..", 1, count))), ("true",), each, _) if not (
            holds(each, name) or names_in(each) & names_in(target)
        ):
            return _times(count, ("put", each, *target))
        case _:
            return ("put", piece, *target)


def _place(node: s.Place, names: Names) -> Form:
    return expression(s.Name(node.span, node.name, node.arguments, node.my), names)


def _target(node: s.Target, names: Names) -> tuple[Form, Form]:
    return ("to", _place(node.place, names)), node.end or "top"


# ---- steps whose order makes no difference ----------------------------------------------------------------------

PLACE = {":=": 1, "+=": 1, "-=": 1, "fill": 1, "put": 2}
"""Steps without events that change one place, and which of their parts names it."""


def arranged(steps: Sequence[Form], shared: Shared) -> list[Form]:
    """Steps in an order of their own where they do not touch each other. What may do anything stays where it is."""
    found: list[Form] = []
    for is_plain, run in groupby(steps, key=lambda step: _changed(step) is not None):
        steps_here = [*run]
        found += _in_free_order(steps_here, shared) if is_plain else steps_here
    return found


def _in_free_order(steps: list[Form], shared: Shared) -> list[Form]:
    """Of those that nothing before them hinders, always the first by its form."""
    before = [{at for at in range(here) if _hinder(steps[at], step, shared)} for here, step in enumerate(steps)]
    waiting, done, found = set(range(len(steps))), set[int](), []
    while waiting:
        at = min((each for each in waiting if before[each] <= done), key=lambda each: repr(steps[each]))
        waiting.remove(at)
        done.add(at)
        found.append(steps[at])
    return found


def _hinder(one: Form, other: Form, shared: Shared) -> bool:
    """Whether it may make a difference which of two steps comes first."""
    changed, others = _changed(one), _changed(other)
    read, also_read = names_in(one), names_in(other)
    if changed is None or others is None or not read | also_read <= shared.plain:
        return True
    if _are_apart(one, other) and changed not in _read_for(one) | _read_for(other):
        return False
    if changed != others:
        return changed in also_read or others in read
    both_put = _inner(one)[0] == _inner(other)[0] == "put" and changed in shared.bags
    return not both_put or changed in names_in(_inner(one)[1]) | names_in(_inner(other)[1])


def _are_apart(one: Form, other: Form) -> bool:
    """Whether two steps change one thing at two places that are surely not the same."""
    left, right = (_written(_inner(each)) for each in (one, other))
    pairs = zip(left, right, strict=False)
    return left[:2] == right[:2] and any(is_constant(a) and is_constant(b) and a != b for a, b in pairs)


def _written(step: tuple[Form, ...]) -> tuple[Form, ...]:
    """The place that a step changes."""
    place = step[PLACE[str(step[0])]]
    assert isinstance(place, tuple)
    return place[1] if place[0] == "to" and isinstance(place[1], tuple) else place


def _read_for(step: Form) -> frozenset[str]:
    """What is read for a step, the place that it changes aside."""
    inner = _inner(step)
    at = PLACE[str(inner[0])]
    place = _written(inner)
    return frozenset[str]().union(*map(names_in, (*inner[:at], *inner[at + 1 :], *place[2:])))


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
                case ("of" | "number", str() as name, *_) | ("to", ("of" | "number", str() as name, *_)):
                    return name
    return None


def read_of(form: Form) -> frozenset[str]:
    """The names of all that matters for what a form says: not of places to which it only writes."""
    match form:
        case (":=" | "+=" | "-=", ("of" | "number", _, *indices), *rest):
            return frozenset[str]().union(*map(read_of, (*indices, *rest)))
        case ("of" | "number", str() as name, *parts):
            return frozenset({name}).union(*map(read_of, parts))
        case (*parts,):
            return frozenset[str]().union(*map(read_of, parts))
        case _:
            return frozenset()
