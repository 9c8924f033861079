"""Why a move is refused, told by the state: the rules that forbid it, and the values by which they do (`unfolding.py`).

What is told to a player rests on nothing that this player does not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ludex.grammar import Note, Span
from ludex.spec import Unknown, is_known, show
from ludex.spec import model as m
from ludex.spec import types as t

from ..reference import Option, Reference, Run, State, halted, judge, options, seen_by
from ..state.api_arguments import checked
from ..state.events import DECLINE, Move, Refusal, RefusalKind
from ..walk import free_slots, nodes
from .offers import Offer, offers
from .spec_quotes import source_text
from .unfolding import UNTOLD, Question, Scene, Slots, unfold

MOST_OFFERS = 3
"""So many decisions that offer a move are named."""
MOST_UNFOLDED = 3
"""So many notes tell of defines, besides one for each rule that forbids the move."""


@checked(reference=Reference, state=State, refusal=Refusal)
def reasons(
    reference: Reference,
    state: State,
    refusal: Refusal,
    names: Sequence[str] = (),
    viewer: int | None = None,
    most: int = MOST_UNFOLDED,
) -> tuple[Note, ...]:
    """Why the move was refused in this state: for each requirement that fails, and for a value that cannot be chosen, a
    note with the values that decide it and the place in the spec; then up to `most` notes on what those rest on.

    names: the players', by seat. viewer: the seat of the player who is told, and nothing that this player does not see;
    None: somebody who may know everything."""
    move, run = refusal.event, reference.at(state)
    if not isinstance(move, Move):
        return ()
    seen = run if viewer is None else seen_by(run, viewer)
    hears = viewer in (None, move.player)
    return unfold(_Refused(seen, move, names, hears).questions(refusal), reference.game, names, most)


@checked(reference=Reference, state=State, move=Move)
def own_refusal(reference: Reference, state: State, move: Move) -> Refusal | None:
    """The refusal of a move by all that its player sees; None where that does not settle it. In states that this player
    cannot tell apart it is the same."""
    try:
        found = judge(seen_by(reference.at(state), move.player), move)
    except UNTOLD:
        return None
    return found if isinstance(found, Refusal) else None


def requirements(game: m.Game, path: str) -> Iterator[m.Requirement]:
    """The requirements of this path: one, or the conditions of the choices that stand in one clause."""
    return (node for node in _nodes_around(game, path) if isinstance(node, m.Requirement) and node.path == path)


def _nodes_around(game: m.Game, path: str) -> Iterator[Any]:
    routines = {"setup": game.setup, "play": game.play, **game.actions}
    routine = routines.get(path.split(".", maxsplit=1)[0])
    return nodes(routine) if routine else iter(())


class _Refused:
    """A move that was refused, and the scenes in which its requirements and choices are worked out. hears: whoever is
    told knows what the move states."""

    def __init__(self, run: Run, move: Move, names: Sequence[str], hears: bool) -> None:
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
        """Which decisions offer the move that this one does not, and what keeps the flow from them now."""
        if self.move.action in refusal.offered:
            return
        here = self.run.step
        if refusal.kind is RefusalKind.NOT_OFFERED and self.move.action == DECLINE and isinstance(here, m.Decide):
            yield self._plain(f"`{refusal.awaited}` cannot be declined", here.span)
        elsewhere: list[Offer] = []
        for offer in offers(self.game, self.move.action):
            against = list(self._against(offer))
            yield from against[:MOST_UNFOLDED]
            if not against and offer.path != refusal.awaited:
                elsewhere.append(offer)
        if elsewhere:
            paths = list(dict.fromkeys(f"`{offer.path}`" for offer in elsewhere))
            more = [f"{len(paths) - MOST_OFFERS} more"] if len(paths) > MOST_OFFERS else []
            words = " and ".join([*paths[:MOST_OFFERS], *more])
            yield self._plain(f"on offer at {words}; the play is at `{refusal.awaited}`", elsewhere[0].span)

    def _against(self, offer: Offer) -> Iterator[Question]:
        """The conditions by which the flow does not come to the decision, as far as they hang on the state alone."""
        at = Scene(self.run, (self.move.player, *[None] * (offer.size - 1)))
        for guard, wanted in offer.guards:
            if free_slots(guard) <= {0} and at.known(guard) is (not wanted):
                words = f"{'only if' if wanted else 'unless'} {source_text(guard.span)}"
                yield Question(f"on offer at `{offer.path}` {words}", guard.span, (guard,), at)

    def _plain(self, words: str, span: Span) -> Question:
        """What needs no value to be understood."""
        return Question(words, span, (), Scene(self.run, ()))

    def _requirement(self, requirement: m.Requirement) -> Iterator[Question]:
        head, condition = f"`{requirement.path}` does not hold", requirement.condition
        option = self._option(requirement)
        at = Scene(self.run, self._bound(option)) if option else self._on_the_way()
        if option is None:
            head = f"{head} once the move is made"
        if at is None:
            yield self._plain(head, condition.span)
        elif at.known(condition) is not True:
            waived = (each.value if at.known(each.condition) else each.condition for each in requirement.waivers)
            yield Question(head, condition.span, (condition, *waived), at)

    def _on_the_way(self) -> Scene | None:
        """Where a requirement that is tested after the move was taken stopped it."""
        run = halted(self.run, self.move)
        return None if run is None else Scene(run, run.frame.slots)

    def _choice(self, name: str) -> Iterator[Question]:
        option = self._option()
        choice = _choice(self.game, self.move.action, name)
        if option is None or choice is None:
            yield from self._parameter(name)
            return
        at, text = Scene(self.run, self._bound(option)), source_text(choice.domain.span) or "other values"
        missing = self._missing(choice, dict(self.move.arguments)[name], at)
        kind = t.element_type(choice.domain.type) or choice.domain.type
        words = " and ".join(show(kind, each, self.names) for each in missing)
        there = f", and {words} {'is' if len(missing) == 1 else 'are'} not there" if missing else ""
        yield Question(f"`{name}` is chosen from {text}{there}", choice.domain.span, (choice.domain,), at, missing)

    def _missing(self, choice: m.Choice, stated: t.Value, at: Scene) -> tuple[t.Value, ...]:
        """What was stated and cannot be chosen; of several pieces those that are not there (so often)."""
        if not choice.within:
            return (stated,)
        try:
            items = at.items(choice.domain)
        except UNTOLD:
            return ()
        return tuple((Counter(stated) - Counter(items)).keys()) if is_known(items) else ()

    def _parameter(self, name: str) -> Iterator[Question]:
        """An argument that the decision gives, and the move only repeats."""
        given = [
            show(of, value, self.names)
            for option in self._options()
            for stated, of, value in option.stated
            if stated == name and is_known(value)
        ]
        if given:
            head = f"here `{name}` = {' or '.join(dict.fromkeys(given))}"
            yield self._plain(head, self.run.step.span)

    # ---- where an expression is worked out

    def _options(self) -> list[Option]:
        """The options of the decision at hand that go by the move's name."""
        if not isinstance(self.run.step, m.Decide | m.Simultaneous):
            return []
        return [each for each in options(self.run, self.move.player) if each.name == self.move.action]

    def _option(self, tested: m.Requirement | None = None) -> Option | None:
        """The option that the move means, among those that test the requirement before they are taken."""
        found = [each for each in self._options() if tested is None or tested in each.requirements]
        meant = [each for each in found if each.is_meant(dict(self.move.arguments))]
        return next(iter(meant or found), None)

    def _bound(self, option: Option) -> Slots:
        """Its slots, with its choices as the move states them."""
        given = dict(self.move.arguments)
        return option.bound(given.get(choice.name) if self.hears else Unknown() for choice in option.choices)


def _choice(game: m.Game, action: str, name: str) -> m.Choice | None:
    declared = [game.actions[action]] if action in game.actions else _nodes_around(game, action)
    options = (node for node in declared if isinstance(node, m.Action | m.BranchOption) and node.name == action)
    return next((choice for option in options for choice in option.choices if choice.name == name), None)
