"""Shadow play: a second play from the same information set of a player, as a test of secrecy.

A player knows what could be seen of the events so far, and what can be seen now. Two plays in which all of that is the
same are in one information set of this player, so legal moves and reasons of refusals must be the same in both. The
shadow is a real play: it begins like the first one, but every event that the player does not see in full is replaced by
another that looks the same to this player. When a revealed piece differs, the plays part; the shadow then begins again
at the state of the first.

So legal moves may depend on what their player remembers, and on nothing that this player never saw. A rule by which
somebody tries something and learns the result must be written as a move whose effect reveals it.

A revealed piece parts two plays rightly, and so does a simultaneous choice. If anything else parts them, the rules
publish hidden information: an open state, a count, whose turn it is, which chance event is asked and with
which outcomes, or whether the play ends depends on it. A text may well mean that (`whoever holds the highest card
begins`), so it is reported, but not as a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ludex.spec import model as m
from ludex.spec import show
from ludex.spec import types as t

from ..explanation.wording import player_words
from ..generator import Generator
from ..information.visibility import UNSEEN_ACTION
from ..program import Compiled, Glimpse, State
from ..reference import objection
from ..state.contents import Ticket
from ..state.events import Awaits, Event, Move, SpecFault
from ..state.pools import entries_of

TRIED = 8
"""Number of moves, legal or not, whose reasons of refusal are compared at each turn."""


class Shadow:
    """A shadow of one play for one player.

    Attributes:
        seed: of the events that replace unseen ones.
        state: the shadow's state; None while it is the same as that of the first play.
        published: information that parted the plays without revealing a piece, in words, each once.
    """

    def __init__(self, engine: Compiled, player: int, seed: int) -> None:
        self._engine, self.player = engine, player
        self._rng = Generator(seed, player)
        self.state: State | None = None
        self.published: dict[str, None] = {}
        self._made_together = False

    def follow(self, before: State, event: Event, after: State, seen: Glimpse) -> None:
        """Follow an event of the first play, from the state `before` to `after`. seen: what the player sees now."""
        other, view = self.state, self._engine.view_of_event(before, event, self.player)
        if other is None and view == event:
            return
        self._made_together = isinstance(view, Move) and (
            view.action == UNSEEN_ACTION or (other is not None and self._made_together)
        )
        # The plays count as parted until something shows that both still look alike.
        self.state = None
        try:
            if other is not None and view == event:
                self._compare_chances(before, other, after)
            similar = self._alike(other or before, event, view)
            # Without such an event the shadow begins again at the first play's next state.
            if similar is not None:
                moved = self._engine.apply(other or before, similar)
                self._part_or_go_on(before, after, seen, other or before, moved)
        except SpecFault:
            pass  # a spec fault is reported by the audit of the play in which it happens

    def _compare_chances(self, before: State, other: State, after: State) -> None:
        """Compare the outcomes of chance: they must not depend on hidden information if the player sees the outcome.

        An unknown piece that is drawn is revealed by that.
        """
        asked = self._engine.statement(before)
        # A draw reveals a piece by its nature; only dice must not depend on what is hidden.
        if not isinstance(asked, m.RandomValue) or asked is not self._engine.statement(other):
            return
        chances = [dict(self._engine.chance(state)) for state in (before, other)]
        if chances[0] != chances[1] and not self._comes_to_light(before, after):
            self.published[f"at `{asked.path}`, hidden information decides the probabilities of chance"] = None

    def _part_or_go_on(self, before: State, after: State, mine: Glimpse, other: State, moved: State) -> None:
        """Continue with the shadow, or part. The first play went from `before` to `after`, the shadow from `other` to
        `moved`.

        mine: what the player sees in the first play.
        """
        if self._engine.are_equal(moved, after):
            return
        theirs = self._engine.observer.glimpse(moved, self.player)
        if mine == theirs:
            self.state = moved
        # Plays part rightly by a revealed piece, by choices made together, and by different results at the end.
        elif not (
            self._made_together
            or mine.awaits == theirs.awaits == Awaits.NOTHING
            or self._comes_to_light(before, after)
            or self._comes_to_light(other, moved)
        ):
            what = " and ".join(_unlike(self._engine.game, mine, theirs))
            statement = self._engine.statement(before)
            assert statement is not None
            self.published[f"after `{statement.path}`, hidden information decides {what}"] = None

    def _comes_to_light(self, before: State, after: State) -> bool:
        """Test whether a piece that was hidden from the player is in sight now."""
        (seen, unseen), (now, _) = self._lying(before), self._lying(after)
        return bool((now - seen) & unseen)

    def _lying(self, state: State) -> tuple[Counter[tuple[str, t.Value]], Counter[tuple[str, t.Value]]]:
        """Count the pieces that the player sees, and the others as far as they are known to anybody."""
        seen, unseen = Counter[tuple[str, t.Value]](), Counter[tuple[str, t.Value]]()
        covered = {cell for cell, _ in self._engine.observer.unseen(self.player)}
        for element in self._engine.game.elements:
            if element.is_zone:
                for cell in range(element.offset, element.offset + element.count):
                    entries = entries_of(state.cells[cell])
                    pieces = ((str(element.type), piece) for piece in entries if not isinstance(piece, Ticket))
                    (unseen if cell in covered else seen).update(pieces)
        return seen, unseen

    def _alike(self, other: State, event: Event, view: Event) -> Event | None:
        """Find an event of the shadow that looks the same to the player, if possible a different one."""
        engine = self._engine
        if view == event:
            return event if engine.is_legal(other, event) else None
        options = [each for each, _ in engine.chance(other)] or engine.legal_moves(other)
        alike = [each for each in options if engine.view_of_event(other, each, self.player) == view]
        return self._rng.choice([each for each in alike if each != event] or alike) if alike else None

    def differences(self, state: State) -> Iterator[str]:
        """Enumerate, in words, what the player could tell apart between the two plays. state: of the first play."""
        engine, other = self._engine, self.state
        if other is None or self.player not in engine.to_move(state):
            return
        who = player_words(self.player)
        try:
            mine, theirs = engine.legal_moves(state, self.player), engine.legal_moves(other, self.player)
            if mine != theirs:
                only = [move for move in (*mine, *theirs) if (move in mine) != (move in theirs)]
                named = f", such as {self._named(only[0])}" if only else ""
                yield f"the legal moves of {who}{named}, depend on what this player cannot know"
            elif any(self._reasons(state, other)):
                yield f"why a move of {who} is refused depends on what this player cannot know"
        except SpecFault:
            return

    def _reasons(self, one: State, other: State) -> Iterator[bool]:
        """Compare, for some moves, legal or not, the reasons of their refusal; True where they differ."""
        engine = self._engine
        offered = {*engine.offered(one), *engine.offered(other)}
        for move in self._stated():
            if move.action in offered:  # other moves have the same refusal in both plays: they are not on offer
                legal = engine.is_legal(one, move), engine.is_legal(other, move)
                yield legal[0] != legal[1] or (not legal[0] and self._why(one, move) != self._why(other, move))

    def _why(self, state: State, move: Move) -> object:
        return objection(self._engine.reference.at(self._engine.to_reference(state)), move)

    def _named(self, move: Move) -> str:
        signature = self._engine.game.moves.get(move.action)
        types = {name: of for name, of, _ in signature.arguments} if signature else {}
        return f"{move.action}({', '.join(f'{name}: {show(types[name], value)}' for name, value in move.arguments)})"

    def _stated(self) -> Iterator[Move]:
        """Draw some moves, legal or not."""
        # A type without a list of values cannot be drawn from.
        signatures = [each for each in self._engine.game.moves.values() if _is_finite(each)]
        for _ in range(min(TRIED, len(signatures))):
            signature = signatures.pop(self._rng.below(len(signatures)))
            values = [(name, self._rng.choice(t.values(of))) for name, of, _ in signature.arguments]
            yield Move(self.player, signature.name, tuple(values))


def _unlike(game: m.Game, mine: Glimpse, theirs: Glimpse) -> Iterator[str]:
    """Describe the differences between two observations."""
    for element in sorted(game.elements, key=lambda each: each.is_zone):
        own = slice(element.offset, element.offset + element.count)
        if mine.cells[own] != theirs.cells[own]:
            yield f"`{element.name}`"
    # Who is to move follows from the end, and is not a second difference.
    if Awaits.NOTHING in (mine.awaits, theirs.awaits):
        yield "whether the play ends"
        return
    if mine.to_move != theirs.to_move:
        yield "whose turn it is"
    if (mine.awaits, mine.chance) != (theirs.awaits, theirs.chance):
        yield "what is awaited"


def _is_finite(signature: m.MoveSignature) -> bool:
    return all(t.size(of) for _, of, _ in signature.arguments)
