"""Whole generated games are played alike in every tier: each answer, each effect and each fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from ludex.grammar import Failure
from ludex.interpreter import Event, Generator, Move
from ludex.spec import Game, OverBudget, SpecFault

from ..cases import cases
from ..lockstep import own
from ..tiers import Missing, NativeTier, TierQueries
from .build import game_from
from .whole_games import whole_games

MOST = 12
"""The numbers of compared events of a play, and of events and earlier moves whose effects are compared in each
state."""


class Fault(tuple[Any, ...]):
    """Where a fault of the rules is: clause, line and column; and its words, which native code leaves to the
    reference.
    """

    @classmethod
    def of(cls, fault: SpecFault, words: bool = True) -> Fault:
        return cls((fault.path, fault.span.line, fault.span.column, *((str(fault),) if words else ())))


def came(tier: TierQueries, question: Callable[..., Any], *given: Any) -> Any:
    """Return the answer, or the fault that comes up."""
    try:
        return question(*given)
    except OverBudget:
        raise
    except SpecFault as fault:
        return Fault.of(fault, words=not isinstance(tier, NativeTier))


def is_same(one: Any, two: Any) -> bool:
    """Compare two answers, or two faults as far as both have words."""
    if isinstance(one, Fault) and isinstance(two, Fault):
        return one[: len(two)] == two[: len(one)]
    return bool(one == two)


def said(
    tier: TierQueries, state: Any, moves: Iterable[Move], chosen: Callable[[Sequence[Event]], list[Event]]
) -> dict[str, Any]:
    """Return all that a tier says of a state: also what some possible events do, and whether some moves are legal."""
    answers: dict[str, Any] = {"state": tier.standing(state)}
    answers |= {question: came(tier, ask, tier, state) for question, ask in own(tier).items()}
    events, seats = answers["possible events"], () if isinstance(tier, NativeTier) else range(tier.game.players)
    for event in [] if isinstance(events, Fault) else chosen(events):
        after = came(tier, tier.apply, state, event)
        answers[f"after {event}"] = after if isinstance(after, Fault) else tier.standing(after)
        answers |= {f"{seat} sees {event}": came(tier, tier.view_of_event, state, event, seat) for seat in seats}
    # In native code a move that states a collection has a number only where all moves can be listed.
    if not (isinstance(tier, NativeTier) and isinstance(events, Fault)):
        answers |= {f"is_legal({move})": came(tier, tier.is_legal, state, move) for move in moves}
    return answers


def agree(name: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    for question, answer in expected.items():
        # Answers to queries that native code does not get are missing.
        assert is_same(found.get(question, answer), answer), (name, question, found[question], answer)


def play_is_alike(game: Game, seed: int, made: Mapping[str, Callable[[Game], TierQueries]]) -> None:
    """Play once in all tiers; native code only until it reaches a limit of its own."""
    tiers, states = dict[str, TierQueries](), dict[str, Any]()
    begun = {name: each for name in made if (each := _begun(made[name], game, name != "native")) is not None}
    faults = {name: each for name, each in begun.items() if isinstance(each, Fault)}
    if faults:
        assert faults.keys() == begun.keys()
        for name, fault in faults.items():
            agree(name, {"start": fault}, {"start": faults["reference"]})
        return
    for name, (tier, state) in begun.items():
        tiers[name], states[name] = tier, state
    generator, seen = Generator(seed), dict[Move, None]()
    for _ in range(MOST):
        first = generator.below(1000)
        chosen = partial(_some, first)
        moves = list(seen)[-MOST:]
        expected = said(tiers["reference"], states["reference"], moves, chosen)
        for name in [name for name in tiers if name != "reference"]:
            try:
                agree(name, said(tiers[name], states[name], moves, chosen), expected)
            except Missing:
                assert name == "native"
                del tiers[name], states[name]
        if isinstance(expected["possible events"], Fault):
            return
        playable = [
            each for each in chosen(expected["possible events"]) if not isinstance(expected[f"after {each}"], Fault)
        ]
        if not playable:
            return
        own = [each for each in expected["possible events"] if isinstance(each, Move)]
        seen |= dict.fromkeys(Move(seat, each.action, each.arguments) for each in own for seat in range(game.players))
        event = generator.choice(playable)
        states = {name: tier.apply(states[name], event) for name, tier in tiers.items()}


def _some(first: int, events: Sequence[Event]) -> list[Event]:
    """Return some of the events, from a place on."""
    return [events[(first + at) % len(events)] for at in range(min(MOST, len(events)))]


def _begun(made: Callable[[Game], TierQueries], game: Game, words: bool) -> Any:
    """Return the tier and its first state, or the fault that comes up before it; None if it does not carry the game."""
    try:
        tier = made(game)
        return tier, tier.start()
    except Missing:
        return None
    except OverBudget:
        raise
    except SpecFault as fault:
        return Fault.of(fault, words)


def test_a_whole_generated_game_is_played_alike(tiers: Mapping[str, Callable[[Game], TierQueries]]) -> None:
    @cases(200)
    @given(st.booleans().flatmap(whole_games), st.integers(0, 2**32))
    def play(text: str, seed: int) -> None:
        try:
            play_is_alike(game_from(text), seed, tiers)
        except Failure:
            assume(False)  # the checker knows that an expression has no value
        except OverBudget:
            assume(False)

    play()
