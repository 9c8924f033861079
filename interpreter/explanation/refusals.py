"""Reasons of a refusal in a state: the rules that forbid the move, and the values that decide (`unfolding.py`).

Reasons given to a player use no information that is hidden from that player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ludex.grammar import Message, Note, Span, enumerated
from ludex.spec import Unknown, free_slots, is_known, nodes
from ludex.spec import model as m
from ludex.spec import types as t

from ..event_notation.spoken import term
from ..event_notation.writing import shown
from ..reference import PlayerOption, Reference, Run, halted, judge, options, seen_by
from ..stack.state import StackState
from ..state.api_arguments import checked, checked_names, checked_seat
from ..state.events import DECLINE, Move, Refusal, RefusalKind
from .offers import Offer, offers
from .spec_quotes import source_text
from .unfolding import UNCOMPUTED, Question, Scene, SlotValues, glossed_source, unfold

MOST_OFFERS = 3
"""The largest number of decisions named that offer a move."""
MOST_NOTES = 3
"""The largest number of notes about defines, besides one for each rule that forbids the move."""


@checked(reference=Reference, state=StackState, refusal=Refusal, viewer=int, most=int)
def reasons(
    reference: Reference,
    state: StackState,
    refusal: Refusal,
    names: Sequence[str] = (),
    viewer: int | None = None,
    most: int = MOST_NOTES,
) -> tuple[Note, ...]:
    """Explain why the move was refused in this state.

    Returns a note for each requirement that fails, and for a value that cannot be chosen, with the values that decide
    it and the place in the spec; then up to `most` notes on what those values depend on.

    Args:
        names: the players' names by seat.
        viewer: the seat of the player who reads the notes, which then use only what this player may know; None: no
            information is hidden.
    """
    names = checked_names(names, reference.game.players)
    if viewer is not None:
        checked_seat(viewer, reference.game.players)
    move, run = refusal.event, reference.at(state)
    if not isinstance(move, Move):
        return ()
    seen = run if viewer is None else seen_by(run, viewer)
    hears = viewer in (None, move.player)
    questions = RefusedMove(seen, move, names, hears).questions(refusal)
    return tuple(answer.note for answer in unfold(questions, reference.game, names, most))


@checked(reference=Reference, state=StackState, move=Move)
def own_refusal(reference: Reference, state: StackState, move: Move) -> Refusal | None:
    """Find the refusal of a move from what its player may know; None if that does not settle it.

    The result is the same in all states of the player's information set.
    """
    try:
        verdict = judge(seen_by(reference.at(state), move.player), move)
    except UNCOMPUTED:
        return None
    return verdict if isinstance(verdict, Refusal) else None


def requirements(game: m.Game, path: str) -> Iterator[m.Requirement]:
    """Enumerate the requirements at this path: one, or the conditions of the choices in one clause."""
    return (node for node in _nodes_around(game, path) if isinstance(node, m.Requirement) and node.path == path)


def parts_of_failure(requirement: m.Requirement, at: Scene) -> tuple[m.Expr, ...]:
    """Return what decides that a requirement fails: its condition, and of each waiver that applies the value, of each
    other one the condition."""
    waived = (each.value if at.known(each.condition) else each.condition for each in requirement.waivers)
    return requirement.condition, *waived


def _nodes_around(game: m.Game, path: str) -> Iterator[Any]:
    routines = {"setup": game.setup, "play": game.play, **game.actions}
    routine = routines.get(path.split(".", maxsplit=1)[0])
    return nodes(routine) if routine else iter(())


class RefusedMove:
    """A refused move, with the scenes in which its requirements and choices are evaluated.

    hears: whether the reader of the reasons knows the move's arguments.
    """

    def __init__(self, run: Run, move: Move, names: Sequence[str], hears: bool = True) -> None:
        self.run, self.game, self.move, self.names, self.hears = run, run.game, move, names, hears

    def questions(self, refusal: Refusal) -> Iterator[Question]:
        if refusal.kind is RefusalKind.OUT_OF_DOMAIN:
            yield from self._choice(refusal.argument or "")
        if refusal.kind in (RefusalKind.NOT_OFFERED, RefusalKind.WRONG_PLAYER):
            yield from self._elsewhere(refusal)
        for path in refusal.clauses:
            for requirement in requirements(self.game, path):
                yield from self._requirement(requirement)

    def _elsewhere(self, refusal: Refusal) -> Iterator[Question]:
        """Ask why the flow does not reach the decisions that offer the move."""
        # If the move is offered to another player, the refusal says so already.
        if self.move.action in refusal.offered:
            return
        here = self.run.step
        if refusal.kind is RefusalKind.NOT_OFFERED and self.move.action == DECLINE and isinstance(here, m.Decide):
            yield self._plain(Message("why-no-declining", clause=str(refusal.awaited)), here.span)
        elsewhere: list[Offer] = []
        for offer in offers(self.game, self.move.action):
            against = list(self._against(offer))
            yield from against[:MOST_NOTES]
            # The refusal names the awaited decision itself.
            if not against and offer.path != refusal.awaited:
                elsewhere.append(offer)
        if elsewhere:
            paths = list(dict.fromkeys(f"`{offer.path}`" for offer in elsewhere))
            places = enumerated(paths)
            if len(paths) > MOST_OFFERS:
                places = Message("and-more", items=tuple(paths[:MOST_OFFERS]), count=len(paths) - MOST_OFFERS)
            yield self._plain(Message("why-on-offer", places=places, here=str(refusal.awaited)), elsewhere[0].span)

    def _against(self, offer: Offer) -> Iterator[Question]:
        """Ask about the guards that keep the flow from the decision, as far as they depend on the state alone."""
        at = Scene(self.run, (self.move.player, *[None] * (offer.size - 1)))
        for guard, wanted in offer.guards:
            # Other names have no value outside the routine: only conditions on the state can be evaluated from here.
            if free_slots(guard) <= {0} and at.known(guard) is (not wanted):
                entry, condition = "why-only-if" if wanted else "why-unless", str(source_text(guard.span))
                yield Question(Message(entry, place=offer.path, condition=condition), guard.span, (guard,), at)

    def _plain(self, words: str, span: Span) -> Question:
        """Make a question that is answered by its own words."""
        return Question(words, span, (), Scene(self.run, ()))

    def _requirement(self, requirement: m.Requirement) -> Iterator[Question]:
        condition = requirement.condition
        option = self._option(requirement)
        at = Scene(self.run, self._bound(option)) if option else self._on_the_way()
        head = Message("why-does-not-hold" if option else "why-does-not-hold-then", clause=requirement.path)
        if at is None:
            yield self._plain(head, condition.span)
        elif self.fails(requirement, at):
            yield Question(head, condition.span, parts_of_failure(requirement, at), at)

    def fails(self, requirement: m.Requirement, at: Scene) -> bool:
        """Return whether to explain why the requirement fails."""
        return at.known(requirement.condition) is not True

    def is_missing(self, choice: m.Choice, value: t.Value, at: Scene) -> bool:
        """Return whether to explain why the value cannot be chosen."""
        return True

    def _on_the_way(self) -> Scene | None:
        """Return the scene of a requirement that is tested inside the action; None if the action's body never
        reaches it."""
        run = halted(self.run, self.move)
        return None if run is None else Scene(run, run.frame.slots)

    def _choice(self, name: str) -> Iterator[Question]:
        option = self._option()
        choice = _choice(self.game, self.move.action, name)
        if option is None or choice is None:
            yield from self._parameter(name)
            return
        at, text = (
            Scene(self.run, self._bound(option)),
            glossed_source(self.game, choice.domain) or Message("why-other-values"),
        )
        if not self.is_missing(choice, dict(self.move.arguments)[name], at):
            return
        missing = missing_from(choice, dict(self.move.arguments)[name], at)
        kind = t.element_type(choice.domain.type) or choice.domain.type
        called = term(self.game, f"{self.move.action}.{name}", name)
        head = Message("why-chosen-from", argument=called, domain=text)
        if missing:
            values = enumerated(shown(self.game, kind, each, self.names) for each in missing)
            head = Message("why-chosen-missing", argument=called, domain=text, values=values, count=len(missing))
        yield Question(head, choice.domain.span, (choice.domain,), at, missing)

    def _parameter(self, name: str) -> Iterator[Question]:
        """Ask about an argument that the decision fixes."""
        given = [
            shown(self.game, of, value, self.names)
            for option in self._options()
            for stated, of, value in option.stated
            if stated == name and is_known(value)
        ]
        if given:
            head = Message("why-fixed", argument=name, values=enumerated(dict.fromkeys(given), "or"))
            yield self._plain(head, self.run.step.span)

    # ---- the context of an expression

    def _options(self) -> list[PlayerOption]:
        """List the current decision's options with the move's name."""
        if not isinstance(self.run.step, m.Asking):
            return []
        return [each for _, each in options(self.run, self.move.player, self.move.action)]

    def _option(self, tested: m.Requirement | None = None) -> PlayerOption | None:
        """Find the option that the move means, among those that test the requirement before they are taken."""
        options = [each for each in self._options() if tested is None or tested in each.requirements]
        meant = [each for each in options if each.is_meant(dict(self.move.arguments))]
        return next(iter(meant or options), None)

    def _bound(self, option: PlayerOption) -> SlotValues:
        """Fill the option's slots with the choices that the move states."""
        given = dict(self.move.arguments)
        # A reader who did not hear the move must not learn its arguments from the reasons.
        return option.bound(given.get(choice.name) if self.hears else Unknown() for choice in option.choices)


def _choice(game: m.Game, action: str, name: str) -> m.Choice | None:
    declared = [game.actions[action]] if action in game.actions else _nodes_around(game, action)
    options = (node for node in declared if isinstance(node, m.Action | m.BranchOption) and node.name == action)
    return next((choice for option in options for choice in option.choices if choice.name == name), None)


def missing_from(choice: m.Choice, stated: t.Value, at: Scene) -> tuple[t.Value, ...]:
    """Select the stated values that cannot be chosen; of several pieces those that are missing, as often as they
    are."""
    try:
        items = at.items(choice.domain)
    except UNCOMPUTED:
        return ()
    if not choice.within:
        return () if stated in items else (stated,)
    return tuple((Counter(stated) - Counter(items)).keys()) if is_known(items) else ()
