"""What is wrong with a game although every word of it makes sense. Each check is a pure function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ludex.grammar import Diagnostic, Note, Span
from ludex.grammar import syntax as s

from . import codes
from . import model as m
from .clauses import Layer, Stated, info_of, name_span, stated
from .effects import Effects, branches, everything
from .elaborate import Elaborated


@dataclass(frozen=True, slots=True)
class Subject:
    """What the checks look at.

    `own`: the declarations of the file being checked, as far as a check concerns what is written, not what is in force.
    `partial`: some layer is silent, so that what nothing uses may be used elsewhere.
    """

    game: Elaborated
    declarations: tuple[s.Declaration, ...]
    layers: Mapping[str, Layer]
    effects: Effects
    partial: bool


Check = Callable[[Subject], Iterator[Diagnostic]]


def run_checks(subject: Subject) -> Iterator[Diagnostic]:
    """All checks, in the order of the table below."""
    for check in CHECKS:
        yield from check(subject)


# ---- authority --------------------------------------------------------------------------------------------------

NEEDS_AUTHORITY = frozenset(
    {"fact", "define", "note", "require", "step", "arm", "branch", "except", "score", "winner", "refill"}
)


def without_authority(subject: Subject) -> Iterator[Diagnostic]:
    """A clause rests on its own authority, its parent's, or on that of all clauses it is made of."""
    clauses = {clause.path: clause for clause in stated(subject.declarations)}
    children: dict[str, list[Stated]] = {}
    for clause in clauses.values():
        if clause.parent:
            children.setdefault(clause.parent, []).append(clause)

    def rests(clause: Stated) -> bool:
        return bool(info_of(clause, subject.layers, frozenset()).authority)

    def supported(clause: Stated) -> bool:
        parent = clauses.get(clause.parent) if clause.parent else None
        if rests(clause) or (
            parent is not None and (rests(parent) or (parent.parent is not None and supported_above(parent)))
        ):
            return True
        below = [each for each in children.get(clause.path, []) if not clause.path.endswith("otherwise")]
        return bool(below) and all(_is_rest(each) or supported(each) for each in below)

    def supported_above(clause: Stated) -> bool:
        parent = clauses.get(clause.parent) if clause.parent else None
        return rests(clause) or (parent is not None and supported_above(parent))

    for clause in clauses.values():
        if clause.kind in NEEDS_AUTHORITY and not _is_rest(clause) and not supported(clause):
            message = f"`{clause.path}` rests on nothing"
            yield Diagnostic(codes.NO_AUTHORITY, message, name_span(clause.node))


def _is_rest(clause: Stated) -> bool:
    """`otherwise` is the text's silence, not its word."""
    return clause.kind == "arm" and clause.path.endswith(".otherwise")


# ---- use --------------------------------------------------------------------------------------------------------


def unused(subject: Subject) -> Iterator[Diagnostic]:
    used = subject.game.used
    if subject.partial:
        return
    for node in subject.declarations:
        match node:
            case s.TypeDeclaration(name=name) | s.ComponentDeclaration(name=name):
                if f"type {name}" not in used:
                    yield _unused(f"type `{name}`", node)
            case s.ForkDeclaration(name=name):
                if f"function {name}" not in used:
                    yield Diagnostic(codes.UNUSED_FORK, f"nothing asks for the fork `{name}`", name_span(node))
            case s.ValueDeclaration(name=name, kind=kind):
                if f"function {name}" not in used:
                    yield _unused(f"{kind} `{name}`", node)
            case s.ZoneDeclaration(name=name) | s.StateDeclaration(name=name) | s.OptionDeclaration(name=name):
                if f"function {name}" not in used:
                    yield _unused(f"`{name}`", node)
            case s.WindowDeclaration(name=name):
                if name not in subject.game.opened:
                    yield _unused(f"window `{name}`", node)
        if isinstance(node, s.ComponentDeclaration):
            for column in node.columns:
                if f"field {node.name}.{column.name}" not in used:
                    yield _unused(f"column `{column.name}`", column)


def _unused(what: str, node: s.Node) -> Diagnostic:
    return Diagnostic(codes.UNUSED, f"nothing uses the {what}".replace("the `", "`"), name_span(node))


def never_offered(subject: Subject) -> Iterator[Diagnostic]:
    reached = _reached(subject.game)
    for name, action in subject.game.actions.items():
        if name not in reached and not subject.partial:
            message = f"nobody can ever take `{name}`: nothing offers or performs it"
            yield Diagnostic(codes.NEVER_OFFERED, message, _line(action.span))
        for requirement in action.requirements:
            if _never(requirement):
                message = f"nobody can ever take `{name}`: `{requirement.path}` never holds"
                yield Diagnostic(codes.NEVER_OFFERED, message, requirement.span)


def _never(requirement: m.Requirement) -> bool:
    def false(node: m.Expr) -> bool:
        return isinstance(node, m.Constant) and node.value is False

    return false(requirement.condition) and all(false(w.condition) or false(w.value) for w in requirement.waivers)


def _reached(game: Elaborated) -> set[str]:
    """Actions that setup or play come to."""
    waiting = [routine.body for routine in (game.setup, game.play) if routine]
    reached: set[str] = set()
    while waiting:
        for name in _named(waiting.pop()):
            if name not in reached and name in game.actions:
                reached.add(name)
                waiting.append(game.actions[name].body)
    return reached


def _named(step: m.Step) -> Iterator[str]:
    for each in everything(step):
        match each:
            case m.Perform(action=action):
                yield action
            case m.Decide(options=options) | m.Simultaneous(options=options):
                yield from (option.action for option in options if isinstance(option, m.ActionOption))


# ---- flow -------------------------------------------------------------------------------------------------------


def no_play(subject: Subject) -> Iterator[Diagnostic]:
    if subject.game.play is None and subject.declarations:
        first = subject.declarations[0]
        yield Diagnostic(codes.NO_PLAY, "there is no `play`", Span(first.span.file, 1, 1, 1, 1))


def flow(subject: Subject) -> Iterator[Diagnostic]:
    """Repeats that cannot end, statements never reached, requirements too late: over every routine."""
    game = subject.game
    routines = [(r.name, r.body) for r in (game.setup, game.play) if r]
    routines += [(name, action.body) for name, action in game.actions.items()]
    for _, body in routines:
        for step in everything(body):
            yield from _unreachable(step, subject.effects)
            yield from _idle(step, subject.effects)
            yield from _simultaneous(step, subject.effects)
    for action in game.actions.values():
        yield from _late(action.body, subject.effects, False)
    if game.play is not None:
        yield from _endless(game.play.body, subject.effects)


def _unreachable(step: m.Step, effects: Effects) -> Iterator[Diagnostic]:
    if not isinstance(step, m.Sequence):
        return
    for before, after in zip(step.body, step.body[1:], strict=False):
        if effects.of(before).ends:
            note = Note("this never goes on", _line(before.span))
            yield Diagnostic(codes.UNREACHABLE, "the flow never comes here", _line(after.span), notes=(note,))
            return


def _idle(step: m.Step, effects: Effects) -> Iterator[Diagnostic]:
    if isinstance(step, m.RepeatUntilStep) and step.until is None:
        effect = effects.of(step.body)
        if not effect.may_event and not effect.may_end:
            message = "this repeats for ever without a decision or chance event"
            yield Diagnostic(codes.IDLE_REPEAT, message, _line(step.span))


def _endless(step: m.Step, effects: Effects) -> Iterator[Diagnostic]:
    for each in everything(step):
        if isinstance(each, m.RepeatUntilStep) and not effects.of(each.body).may_end:
            never = isinstance(each.until, m.Constant) and not each.until.value
            if (each.until is None or never) and effects.of(each.body).may_event:
                message = "this repeats for ever: nothing in it ends the game"
                yield Diagnostic(codes.CANNOT_END, message, _line(each.span))


def _simultaneous(step: m.Step, effects: Effects) -> Iterator[Diagnostic]:
    if isinstance(step, m.Simultaneous):
        for inside in branches(step):
            if effects.of(inside).may_event:
                message = "this may need a further decision or chance event"
                yield Diagnostic(codes.EVENT_IN_SIMULTANEOUS, message, _line(inside.span))


def _late(step: m.Step, effects: Effects, after_event: bool) -> Iterator[Diagnostic]:
    """Requirements that come only after an event; the body of a decision begins anew."""
    match step:
        case m.Demand(requirement=requirement) if after_event:
            message = f"`{requirement.path}` is asked only after an event"
            yield Diagnostic(codes.LATE_REQUIREMENT, message, _line(requirement.span))
        case m.Sequence(body=body):
            for each in body:
                yield from _late(each, effects, after_event)
                after_event = after_event or effects.of(each).must_event
        case m.Decide() | m.Simultaneous():
            for inside in branches(step):
                yield from _late(inside, effects, False)
        case _:
            for inside in branches(step):
                yield from _late(inside, effects, after_event)


def _line(span: Span) -> Span:
    if span.end_line == span.line:
        return span
    return Span(span.file, span.line, span.column, span.line, span.column + 1)


CHECKS: tuple[Check, ...] = (no_play, without_authority, unused, never_offered, flow)
