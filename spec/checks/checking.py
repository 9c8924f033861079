"""Semantic checks of an elaborated game. Each check is a pure function from the model to diagnostics.

There are two kinds. A check of the table finds what makes the game unplayable at that table; its errors refuse the game
there. A check of the text finds declarations that nothing uses and conditions that can never hold. It gives only
warnings, and a warning counts only if it holds at every table (`table_checks.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ludex.grammar import Diagnostic, Span
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..elaborate import Elaborated
from ..model.effects import Effects, actions_reached, never_holds
from ..model.influence import Influence
from ..model.walk import statements
from ..table_checks import TableCheck
from ..text.authority import without_authority
from ..text.clauses import place_of
from ..text.excerpts import Excerpts
from ..text.headers import FileHeader
from .contradictions import contradiction
from .dead_stores import changed, never_filled, read
from .flow import flow_faults


@dataclass(frozen=True, slots=True)
class Subject:
    """The input of the checks.

    `headers`: of the files, by name. `partial`: the text is silent about something, so that what nothing uses may be
    used elsewhere.
    """

    game: Elaborated
    declarations: tuple[s.Declaration, ...]
    headers: Mapping[str, FileHeader]
    partial: bool
    excerpts: Excerpts

    @property
    def steps(self) -> Iterator[m.Step]:
        """Every statement of the rules."""
        return statements(*self.game.routines)


def run_table_checks(subject: Subject) -> Iterator[Diagnostic]:
    """Run the checks of a table. Return their diagnostics in the order of the table of checks."""
    for check in TABLE_CHECKS:
        yield from check(subject)


def run_text_checks(subject: Subject) -> Iterator[TableCheck]:
    """What speaks against the text if every table agrees. Where a text is silent, what it would say may be what is
    missing; that something is used there counts all the same, since another table may know no use for it."""
    for check in USE_CHECKS:
        yield from (finding for finding in check(subject) if not (subject.partial and finding.holds))
    yield from impossible(subject)


# ---- authority --------------------------------------------------------------------------------------------------


def authority(subject: Subject) -> Iterator[Diagnostic]:
    yield from without_authority(subject.declarations, subject.headers)


# ---- use --------------------------------------------------------------------------------------------------------


def unused(subject: Subject) -> Iterator[TableCheck]:
    asked = _asked_for(subject.game.uses)
    for node in subject.declarations:
        match node:
            case s.TypeDeclaration(name=name) | s.ComponentDeclaration(name=name):
                yield _unused(subject, f"type `{name}`", node, f"type {name}" not in subject.game.used)
            case s.ForkDeclaration(name=name):
                place, message = place_of(node), f"no rule uses the fork `{name}`"
                yield TableCheck(Diagnostic(codes.UNUSED_FORK, message, place), name not in asked)
            case s.ValueDeclaration(name=name, kind=kind):
                yield _unused(subject, f"{kind} `{name}`", node, name not in asked)
            case s.ZoneDeclaration(name=name) | s.StateDeclaration(name=name) | s.OptionDeclaration(name=name):
                what = type(node).__name__.removesuffix("Declaration").lower()
                yield _unused(subject, f"{what} `{name}`", node, name not in asked)
            case s.WindowDeclaration(name=name):
                yield _unused(subject, f"window `{name}`", node, name not in subject.game.opened)
        if isinstance(node, s.ComponentDeclaration):
            for column in node.columns:
                unread = f"field {node.name}.{column.name}" not in subject.game.used
                yield _unused(subject, f"column `{column.name}`", column, unread)
    yield from subject.game.unread


def _asked_for(uses: frozenset[tuple[str | None, str]]) -> set[str]:
    """Return the functions that rules reach, leaving out those that only call each other."""
    asked: set[str | None] = {None}
    before = 0
    while before < len(asked):
        before = len(asked)
        asked |= {name for owner, name in uses if owner in asked}
    return {name for name in asked if name is not None}


def _unused(subject: Subject, what: str, node: s.Node, holds: bool) -> TableCheck:
    return TableCheck(Diagnostic(codes.UNUSED, f"nothing uses the {what}", place_of(node)), holds)


def unpeopled(subject: Subject) -> Iterator[TableCheck]:
    """Check for windows without actions, and refills without a draw."""
    windows = {action.window for action in subject.game.actions.values()}
    drawn = {step.source.element.name for step in subject.steps if isinstance(step, m.DrawPieces)}
    for node in subject.declarations:
        match node:
            case s.WindowDeclaration(name=name) if name in subject.game.opened:
                message = f"no action is declared `during {name}`"
                report = Diagnostic(codes.UNUSED, message, place_of(node))
                yield TableCheck(report, name not in windows, "empty")
            case s.RefillDeclaration(place=place):
                message = f"nothing draws from `{place.name}`, so it is never refilled"
                yield TableCheck(Diagnostic(codes.UNUSED, message, place.span), place.name not in drawn)


def lifeless(subject: Subject) -> Iterator[TableCheck]:
    """Rules that look alive and do nothing: they ask for a state that nothing changes or a zone that nothing fills, or
    keep a state that nothing asks for. A zone that nothing asks for is no fault: pieces out of play lie somewhere."""
    game, asked = subject.game, _asked_for(subject.game.uses)
    steps = tuple(subject.steps)
    holders = (*game.defines.values(), *game.actions.values(), *game.scores, *game.winner, *game.elements)
    examples = (check for example in game.examples for check in example.checks)
    given = (step for example in game.examples if example.given for step in statements(example.given))
    readers = read((*steps, *given), (*holders, *game.refills, *examples))
    stored = {step.element.name for step in steps if isinstance(step, m.Store)}
    is_judged = bool(game.scores or game.winner)  # before that is written, most states wait for it
    alive = changed(steps, game.defines)
    empty = never_filled([element.name for element in game.elements if element.is_zone], steps, game.refills)
    for node in subject.declarations:
        match node:
            case s.StateDeclaration(name=name) if name in asked:
                told = f"no rule ever changes the state `{name}`: it keeps its first value"
                report = Diagnostic(codes.NEVER_CHANGED, told, place_of(node))
                yield TableCheck(report, name in readers and name not in alive)
                told = f"no rule ever reads the state `{name}`: what is stored in it makes no difference"
                report = Diagnostic(codes.NEVER_READ, told, place_of(node))
                yield TableCheck(report, is_judged and name in stored and name not in readers)
            case s.ZoneDeclaration(name=name) if name in asked:
                told = f"no rule ever puts a piece into the zone `{name}`"
                report = Diagnostic(codes.NEVER_FILLED, told, place_of(node))
                yield TableCheck(report, name in empty)


def never_offered(subject: Subject) -> Iterator[TableCheck]:
    """Check for actions that no rule offers or performs."""
    reached = actions_reached(subject.game.actions, subject.game.setup, subject.game.play)
    places: dict[str, Span] = {
        node.name: node.name.span for node in subject.declarations if isinstance(node, s.ActionDeclaration)
    }
    for name, action in subject.game.actions.items():
        if action.window is None or action.window in subject.game.opened:
            message = f"nobody can ever take `{name}`: nothing offers or performs it"
            yield TableCheck(Diagnostic(codes.NEVER_OFFERED, message, places[name]), name not in reached)


def impossible(subject: Subject) -> Iterator[TableCheck]:
    """Check for actions and branches with a requirement that never holds."""
    for name, action in subject.game.actions.items():
        yield from _impossible(subject, name, action.requirements)
    for step in subject.steps:
        if isinstance(step, m.Decide | m.Simultaneous):
            for option in step.options:
                if isinstance(option, m.BranchOption):
                    yield from _impossible(subject, option.name, option.requirements)


def _impossible(subject: Subject, name: str, requirements: tuple[m.Requirement, ...]) -> Iterator[TableCheck]:
    """Yield requirements that never hold, alone or together."""
    one, other = contradiction(requirements) or (None, None)
    for requirement in requirements:
        if requirement.path == name:  # a `where`, which is told as what it is
            continue
        message = f"nobody can ever take `{name}`: `{requirement.path}` never holds"
        if one is not None and other is requirement:
            message = f"nobody can ever take `{name}`: this contradicts `{one.path}`"
        report = Diagnostic(codes.NEVER_OFFERED, message, requirement.label)
        yield TableCheck(report, _never(requirement) or other is requirement)


def _never(requirement: m.Requirement) -> bool:
    return never_holds(requirement.condition) and all(
        never_holds(waiver.condition) or never_holds(waiver.value) for waiver in requirement.waivers
    )


# ---- flow -------------------------------------------------------------------------------------------------------


def flow(subject: Subject) -> Iterator[Diagnostic]:
    game = subject.game
    routines = tuple(routine for routine in (game.setup, game.play) if routine)
    influence = Influence(game.actions, game.defines, game.refills)
    yield from flow_faults(routines, game.actions, Effects(game.actions), influence, subject.excerpts)


TABLE_CHECKS: tuple[Callable[[Subject], Iterator[Diagnostic]], ...] = (authority, flow)
USE_CHECKS: tuple[Callable[[Subject], Iterator[TableCheck]], ...] = (unused, unpeopled, lifeless, never_offered)
