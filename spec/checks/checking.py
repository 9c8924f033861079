"""Checks of what nothing uses, changes, reads, fills or offers, and of impossible moves; the lists of all checks.

Each check is a pure function from the elaborated game to diagnostics.

There are two kinds. A check of the table finds what makes the game unplayable at that table; its errors refuse the game
there. A check of the text finds declarations that nothing uses and conditions that can never hold. It gives only
warnings, and a warning counts only if it holds at every table (`table_checks.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass

from ludex.grammar import Diagnostic, Span
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..budget import NESTED_CAN, OverBudget
from ..elaborate import Elaborated
from ..model.analysis import deepest_can
from ..model.effects import Effects, actions_reached, never_holds
from ..model.influence import Influence
from ..model.traversal import all_steps, nodes
from ..table_checks import TableCheck
from ..text import Excerpts, FileHeader, place_of, without_authority
from .contradictions import find_contradiction
from .dead_stores import changed, names_read, never_filled
from .flow import flow_faults
from .quantifier_scope import captured_operands


@dataclass(frozen=True, slots=True)
class Subject:
    """The input of the checks.

    Attributes:
        headers: the headers of the files, by name.
        partial: whether the edition leaves clauses out, so that a declaration that it does not use may have a use in
            another text.
    """

    game: Elaborated
    declarations: tuple[s.Declaration, ...]
    headers: Mapping[str, FileHeader]
    partial: bool
    excerpts: Excerpts

    @property
    def steps(self) -> Iterator[m.Step]:
        """Every statement of the rules, nested ones included."""
        return all_steps(*self.game.routines)


def check_one_table(subject: Subject) -> Iterator[Diagnostic]:
    """Yield the faults that count at whatever table they are found, check by check."""
    for check in CHECKS_OF_ONE_TABLE:
        yield from check(subject)


def check_all_tables(subject: Subject) -> Iterator[TableCheck]:
    """Yield the results at this table of the checks whose fault counts only if every table has it."""
    for check in CHECKS_OF_ALL_TABLES:
        # In an edition that leaves clauses out, an unused declaration proves nothing. A use in it does count: it
        # contradicts the reports of other tables.
        yield from (result for result in check(subject) if not (subject.partial and result.holds))
    yield from impossible(subject)


# ---- authority --------------------------------------------------------------------------------------------------


def authority(subject: Subject) -> Iterator[Diagnostic]:
    """Check for clauses without an authority."""
    yield from without_authority(subject.declarations, subject.headers)


# ---- use --------------------------------------------------------------------------------------------------------


def unused(subject: Subject) -> Iterator[TableCheck]:
    """Check for declarations and columns that nothing uses."""
    used = _used_by_rules(subject.game.uses.calls)
    for node in subject.declarations:
        match node:
            case s.TypeDeclaration(name=name) | s.ComponentDeclaration(name=name):
                yield _unused(subject, f"type `{name}`", node, f"type {name}" not in subject.game.uses.read)
            case s.ForkDeclaration(name=name):
                place, message = place_of(node), f"no rule uses the fork `{name}`"
                yield TableCheck(Diagnostic(spec_codes.UNUSED_FORK, message, place), name not in used)
            case s.ValueDeclaration(name=name, kind=kind):
                yield _unused(subject, f"{kind} `{name}`", node, name not in used)
            case s.ZoneDeclaration(name=name) | s.StateDeclaration(name=name) | s.OptionDeclaration(name=name):
                what = type(node).__name__.removesuffix("Declaration").lower()
                yield _unused(subject, f"{what} `{name}`", node, name not in used)
            case s.WindowDeclaration(name=name):
                yield _unused(subject, f"window `{name}`", node, name not in subject.game.events.opened)
        if isinstance(node, s.ComponentDeclaration):
            for column in node.columns:
                unread = f"field {node.name}.{column.name}" not in subject.game.uses.read
                yield _unused(subject, f"column `{column.name}`", column, unread)
    yield from subject.game.uses.unread()


def _used_by_rules(uses: Set[tuple[str | None, str]]) -> set[str]:
    """Return the names that rules use, directly or through defines. Defines that only call each other are not used."""
    used: set[str | None] = {None}  # None stands for the rules, see `Uses.calls`
    before = 0
    while before < len(used):
        before = len(used)
        used |= {name for user, name in uses if user in used}
    return {name for name in used if name is not None}


def _unused(subject: Subject, what: str, node: s.Node, holds: bool) -> TableCheck:
    return TableCheck(Diagnostic(spec_codes.UNUSED, f"nothing uses the {what}", place_of(node)), holds)


def unpeopled(subject: Subject) -> Iterator[TableCheck]:
    """Check for windows without actions, and refills without a draw."""
    windows = {action.window for action in subject.game.actions.values()}
    drawn = {step.source.element.name for step in subject.steps if isinstance(step, m.DrawPieces)}
    for node in subject.declarations:
        match node:
            case s.WindowDeclaration(name=name) if name in subject.game.events.opened:
                message = f"no action is declared `during {name}`"
                report = Diagnostic(spec_codes.UNUSED, message, place_of(node))
                yield TableCheck(report, name not in windows, "empty")
            case s.RefillDeclaration(place=place):
                message = f"nothing draws from `{place.name}`, so it is never refilled"
                yield TableCheck(Diagnostic(spec_codes.UNUSED, message, place.span), place.name not in drawn)


def lifeless(subject: Subject) -> Iterator[TableCheck]:
    """Check for states that are never changed or never read, and zones that are never filled.

    Rules about them look alive and have no effect. A zone that is never read is correct: it may hold the pieces that
    are out of play."""
    game, used = subject.game, _used_by_rules(subject.game.uses.calls)
    steps = tuple(subject.steps)
    holders = (*game.defines.values(), *game.actions.values(), *game.scores, *game.winner, *game.elements)
    examples = (check for example in game.examples for check in example.checks)
    given = (step for example in game.examples if example.given for step in all_steps(example.given))
    readers = names_read((*steps, *given), (*holders, *game.refills, *examples))
    stored = {step.element.name for step in steps if isinstance(step, m.Store)}
    # While a spec has neither scores nor a winner yet, its states are often stored for these, so no store is dead.
    has_result = bool(game.scores or game.winner)
    alive = changed(steps, game.defines)
    empty = never_filled([element.name for element in game.elements if element.is_zone], steps, game.refills)
    for node in subject.declarations:
        match node:
            case s.StateDeclaration(name=name) if name in used:
                message = f"no rule ever changes the state `{name}`: it keeps its first value"
                report = Diagnostic(spec_codes.NEVER_CHANGED, message, place_of(node))
                yield TableCheck(report, name in readers and name not in alive)
                message = f"no rule ever reads the state `{name}`: what is stored in it makes no difference"
                report = Diagnostic(spec_codes.NEVER_READ, message, place_of(node))
                yield TableCheck(report, has_result and name in stored and name not in readers)
            case s.ZoneDeclaration(name=name) if name in used:
                message = f"no rule ever puts a piece into the zone `{name}`"
                report = Diagnostic(spec_codes.NEVER_FILLED, message, place_of(node))
                yield TableCheck(report, name in empty)


def never_offered(subject: Subject) -> Iterator[TableCheck]:
    """Check for actions that no rule offers or performs."""
    reached = actions_reached(subject.game.actions, subject.game.setup, subject.game.play)
    places: dict[str, Span] = {
        node.name: node.name.span for node in subject.declarations if isinstance(node, s.ActionDeclaration)
    }
    for name, action in subject.game.actions.items():
        # A window that nothing opens is reported itself, and its actions follow from that.
        if action.window is None or action.window in subject.game.events.opened:
            message = f"nobody can ever take `{name}`: nothing offers or performs it"
            yield TableCheck(Diagnostic(spec_codes.NEVER_OFFERED, message, places[name]), name not in reached)


def impossible(subject: Subject) -> Iterator[TableCheck]:
    """Check for actions and branches with a requirement that never holds."""
    for name, action in subject.game.actions.items():
        yield from _impossible(subject, name, action.requirements)
    for step in subject.steps:
        if isinstance(step, m.Asking):
            for option in step.options:
                if isinstance(option, m.BranchOption):
                    yield from _impossible(subject, option.name, option.requirements)


def _impossible(subject: Subject, name: str, requirements: tuple[m.Requirement, ...]) -> Iterator[TableCheck]:
    """Yield the requirements of one move that never hold, alone or because one contradicts another."""
    one, other = find_contradiction(requirements) or (None, None)
    for requirement in requirements:
        if requirement.path == name:  # a `where` of a choice has no path of its own to name
            continue
        message = f"nobody can ever take `{name}`: `{requirement.path}` never holds"
        if one is not None and other is requirement:
            message = f"nobody can ever take `{name}`: this contradicts `{one.path}`"
        report = Diagnostic(spec_codes.NEVER_OFFERED, message, requirement.place)
        yield TableCheck(report, _never(requirement) or other is requirement)


def _never(requirement: m.Requirement) -> bool:
    return never_holds(requirement.condition) and all(
        never_holds(waiver.condition) or never_holds(waiver.value) for waiver in requirement.waivers
    )


# ---- scope ------------------------------------------------------------------------------------------------------


def scope(subject: Subject) -> Iterator[Diagnostic]:
    """Check for conditions that a quantifier takes in by mistake."""
    yield from captured_operands(subject.declarations, subject.excerpts)


# ---- flow -------------------------------------------------------------------------------------------------------


def flow(subject: Subject) -> Iterator[Diagnostic]:
    """Run the control-flow checks."""
    game = subject.game
    routines = tuple(routine for routine in (game.setup, game.play) if routine)
    influence = Influence(game.actions, game.defines, game.refills)
    yield from flow_faults(routines, game.actions, Effects(game.actions), influence)


def nested_can(subject: Subject) -> Iterator[Diagnostic]:
    """Check for a chain of `can`, each in a test of the one before, that is longer than any play may ask."""
    chain = deepest_can(subject.game)
    if len(chain) > NESTED_CAN:
        last = chain[NESTED_CAN]
        parts = (*subject.game.routines, *subject.game.defines.values(), subject.game.scores, subject.game.winner)
        place = next(node.span for node in nodes(*parts) if isinstance(node, m.CanPerform) and node.action == last)
        yield OverBudget("can", NESTED_CAN, last, place).diagnostic()


CHECKS_OF_ONE_TABLE: tuple[Callable[[Subject], Iterator[Diagnostic]], ...] = (authority, scope, flow, nested_can)
CHECKS_OF_ALL_TABLES: tuple[Callable[[Subject], Iterator[TableCheck]], ...] = (
    unused,
    unpeopled,
    lifeless,
    never_offered,
)
