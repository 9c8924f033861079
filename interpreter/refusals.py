"""Why a move is refused, told by the state: the rules that forbid it, and the values by which they do (`unfolding.py`).

What is told to a player rests on nothing that this player does not see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ludex.grammar import Note, Span
from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from .arguments import checked
from .engine import Engine
from .evaluate import Slots
from .events import DECLINE, Move, Refusal, RefusalKind
from .instructions import Decide, Together, as_player
from .observe import seen_by
from .offers import Offer, offers
from .options import OptionCode
from .quoted import source_text
from .state import State
from .unfolding import UNTOLD, Question, Scene, unfold
from .veil import Veil
from .walk import free_slots, nodes

MOST_OFFERS = 3
"""So many decisions that offer a move are named."""
MOST_UNFOLDED = 3
"""So many notes tell of defines, besides one for each rule that forbids the move."""


@checked(engine=Engine, state=State, refusal=Refusal)
def reasons(
    engine: Engine,
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
    move = refusal.event
    if not isinstance(move, Move):
        return ()
    engine.meter.begin()
    return unfold(_Refused(engine, state, move, names, viewer).questions(refusal), engine.game, names, most)


@checked(engine=Engine, state=State, move=Move)
def own_refusal(engine: Engine, state: State, move: Move) -> tuple[Refusal, State] | None:
    """The refusal of a move by all that its player sees, and the state as the player sees it, for `reasons`; None where
    that does not settle it. States that this player cannot tell apart give the same."""
    seen = seen_by(engine.machine, state, move.player)
    for frame in seen.frames:
        frame.slots[1:] = [Veil() for _ in frame.slots[1:]]
    try:
        refusal = engine.refusal(seen, move)
    except UNTOLD:
        return None
    return None if refusal is None else (refusal, seen)


def requirements(game: m.Game, path: str) -> Iterator[m.Requirement]:
    """The requirements of this path: one, or the conditions of the choices that stand in one clause."""
    return (node for node in _nodes_around(game, path) if isinstance(node, m.Requirement) and node.path == path)


def _nodes_around(game: m.Game, path: str) -> Iterator[Any]:
    routines = {"setup": game.setup, "play": game.play, **game.actions}
    routine = routines.get(path.split(".", maxsplit=1)[0])
    return nodes(routine) if routine else iter(())


class _Refused:
    """A move that was refused, and the scenes in which its requirements and choices are worked out."""

    def __init__(self, engine: Engine, state: State, move: Move, names: Sequence[str], viewer: int | None) -> None:
        self.engine, self.state, self.move, self.names, self.viewer = engine, state, move, names, viewer

    def questions(self, refusal: Refusal) -> Iterator[Question]:
        if refusal.kind is RefusalKind.OUT_OF_DOMAIN:
            yield from self._choice(refusal.argument or "")
        if refusal.kind in (RefusalKind.NOT_OFFERED, RefusalKind.WRONG_PLAYER):
            yield from self._elsewhere(refusal)
        for path in refusal.clauses:
            for requirement in requirements(self.engine.game, path):
                yield from self._requirement(requirement)

    def _elsewhere(self, refusal: Refusal) -> Iterator[Question]:
        """Which decisions offer the move that this one does not, and what keeps the flow from them now."""
        if self.move.action in refusal.offered:
            return
        here = self.engine.machine.standing_at(self.state)
        if refusal.kind is RefusalKind.NOT_OFFERED and self.move.action == DECLINE and isinstance(here, Decide):
            yield self._plain(f"`{refusal.awaited}` cannot be declined", here.statement.span)
        elsewhere: list[Offer] = []
        for offer in offers(self.engine.game, self.move.action):
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
        at = self._scene(self.state, as_player([None] * offer.size, self.move.player), None)
        for guard, wanted in offer.guards:
            if free_slots(guard) <= {0} and at.known(guard) is (not wanted):
                words = f"{'only if' if wanted else 'unless'} {source_text(guard.span)}"
                yield Question(f"on offer at `{offer.path}` {words}", guard.span, (guard,), at)

    def _plain(self, words: str, span: Span) -> Question:
        """What needs no value to be understood."""
        return Question(words, span, (), Scene(self.engine.machine, self.state, []))

    def _requirement(self, requirement: m.Requirement) -> Iterator[Question]:
        head, condition = f"`{requirement.path}` does not hold", requirement.condition
        option = self._option(requirement)
        at = self._scene(self.state, option[1], option[0]) if option else self._on_the_way()
        if option is None:
            head = f"{head} once the move is made"
        if at is None:
            yield self._plain(head, condition.span)
        elif at.known(condition) is not True:
            waived = (each.value if at.known(each.condition) else each.condition for each in requirement.waivers)
            yield Question(head, condition.span, (condition, *waived), at)

    def _on_the_way(self) -> Scene | None:
        """Where a requirement that is tested after the move was taken stopped it."""
        halted = self.engine.halted(self.state, self.move)
        if halted is None:
            return None
        here = halted.frames[-1]
        options = (each for each, _ in self._options() if each.routine in (None, here.routine))
        return self._scene(halted, here.slots, next(options, None))

    def _choice(self, name: str) -> Iterator[Question]:
        option = self._option()
        choice = _choice(self.engine.game, self.move.action, name)
        if option is None or choice is None:
            yield from self._parameter(name)
            return
        at, text = self._scene(self.state, option[1], option[0]), source_text(choice.domain.span) or "other values"
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
            return tuple((Counter(stated) - Counter(at.items(choice.domain))).keys())
        except UNTOLD:
            return ()

    def _parameter(self, name: str) -> Iterator[Question]:
        """An argument that the decision gives, and the move only repeats."""
        instruction = self.engine.machine.standing_at(self.state)
        if not isinstance(instruction, Decide | Together):
            return
        given = [
            show(each.type, slots[each.slot], self.names)
            for option, slots in self._options()
            for each in option.stated
            if each.name == name
        ]
        head = f"here `{name}` = {' or '.join(dict.fromkeys(given))}"
        yield self._plain(head, instruction.statement.span)

    # ---- where an expression is worked out

    def _options(self) -> list[tuple[OptionCode, Slots]]:
        """The options of the decision at hand that go by the move's name, with slots in which its choices are bound."""
        instruction = self.engine.machine.standing_at(self.state)
        if not isinstance(instruction, Decide | Together):
            return []
        mine = as_player(self.state.frames[-1].slots, self.move.player)
        named = [(each, each.open(self.state, mine)) for each in instruction.options if each.name == self.move.action]
        return [(option, self._bound(option, slots)) for option, slots in named]

    def _bound(self, option: OptionCode, slots: Slots) -> Slots:
        given, bound = dict(self.move.arguments), [*slots]
        for choice in option.choices:
            bound[choice.slot] = given.get(choice.name)
        return bound

    def _option(self, tested: m.Requirement | None = None) -> tuple[OptionCode, Slots] | None:
        """The option that the move means, among those that test the requirement before they are taken."""
        options = [each for each in self._options() if tested is None or _tests(each[0], tested)]
        meant = [each for each in options if each[0].is_meant(each[1], self.move.arguments)]
        return next(iter(meant or options), None)

    def _scene(self, state: State, slots: Slots, option: OptionCode | None) -> Scene:
        """All that there is; for a player the cells in sight, and what the player's own move states."""
        if self.viewer is None:
            return Scene(self.engine.machine, state, slots)
        known = [slots[0], *(Veil() for _ in slots[1:])]
        if option is not None and self.move.player == self.viewer:
            known = self._bound(option, known)
        return Scene(self.engine.machine, seen_by(self.engine.machine, state, self.viewer), known)


def _tests(option: OptionCode, requirement: m.Requirement) -> bool:
    tested = (test for stage in option.tests for test in stage)
    return any((test.path, test.span) == (requirement.path, requirement.span) for test in tested)


def _choice(game: m.Game, action: str, name: str) -> m.Choice | None:
    declared = [game.actions[action]] if action in game.actions else _nodes_around(game, action)
    options = (node for node in declared if isinstance(node, m.Action | m.BranchOption) and node.name == action)
    return next((choice for option in options for choice in option.choices if choice.name == name), None)
