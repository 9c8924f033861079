"""Fallback to the engine in Python, with the same draws, for plays and logs that native code cannot finish."""

from __future__ import annotations

from collections.abc import Sequence

from ...generator import Generator, drawn
from ...state.events import DECLINE, Move
from ..engine.compiled import Compiled
from ..engine.legality import offered_moves
from ..ir import code as c
from ..python.state import State


def has_numbers(engine: Compiled, wait: c.Decision) -> bool:
    """Return whether all moves at a decision have numbers of their own."""
    return all(option.name in engine.numbers.by_name for option in wait.options)


def numbered_moves(engine: Compiled, play: State, wait: c.Decision) -> list[tuple[int, Move]]:
    """Return the legal moves at a decision with their numbers.

    A move that states a collection has a number beyond the space of moves, by its place in its option's list, in which
    refused moves count, too.
    """
    engine.meter.begin()  # each trial may use the whole budget of a step
    (me,), many, number_of = engine.to_move(play), len(wait.options), dict[Move, int]()
    for at, option in enumerate(wait.options):
        numbered = engine.numbers.by_name.get(option.name)
        for place, values in enumerate(engine.runtime.instances(play, option, me)):
            if not option.refusable or engine.runtime.tried(play, option, values) is None:
                names = (argument.name for argument in option.arguments)
                move = Move(me, option.name, tuple(zip(names, values, strict=True)))
                own = engine.numbers.size + place * many + at if numbered is None else numbered.number(values)
                # Of equal moves of several options the first counts, as in native code.
                number_of.setdefault(move, own)
    if DECLINE in offered_moves(engine.runtime, play, (me,)):
        number_of[Move(me, DECLINE)] = 0
    return [(number, move) for move, number in number_of.items()]


def events(engine: Compiled, play: State) -> list[int]:
    """Return the possible events, in order, in native code's numbering (see `Native.event_ids`)."""
    match engine.program.waits[play.wait]:
        case c.Decision() as wait if not has_numbers(engine, wait):
            return [number for number, _ in numbered_moves(engine, play, wait)]
        case c.Decision():
            return engine.legal_ids(play)
        case c.Together():
            space = engine.numbers.size
            return [seat * space + move for seat in engine.to_move(play) for move in engine.legal_ids(play, seat)]
        case None:
            return []
    return [int(outcome) for outcome in engine.outcomes(play)[0]]


def advance(engine: Compiled, play: State, event: int) -> None:
    """Play one of `events` in place."""
    match engine.program.waits[play.wait]:
        case c.Decision() as wait if event >= engine.numbers.size:
            engine.advance(play, dict(numbered_moves(engine, play, wait))[event])
        case c.Decision():
            engine.advance_id(play, event)
        case c.Together():
            seat, move = divmod(event, engine.numbers.size)
            engine.state_id(play, seat, move)
        case _:
            engine.come_out(play, event)


def played(engine: Compiled, seed: int, number: int, start: State | None = None) -> tuple[list[int], int, int]:
    """Play a random game to the end; return every seat's points, the winners as a bit mask, and the number of events.

    start: the state to begin with, which is changed; by default the start of the game.

    Raises OverBudget if the game takes more work than its budget.
    """
    # Native code numbers plays from 0, and games are numbered from 1.
    rng, play, count = Generator(seed, number + 1), start or engine.start(), 0
    engine.begin_game()
    while not engine.is_terminal(play):
        chances = engine.chance(play)
        if chances:
            engine.advance(play, drawn(chances, rng))
        else:
            advance(engine, play, rng.choice(events(engine, play)))
        count += 1
        engine.check_game(play)
    points = [each.total for each in engine.scores(play)]
    return points, sum(1 << seat for seat in engine.winners(play).winners), count


def judged(engine: Compiled, ids: Sequence[int]) -> int:
    """Return how many of these events are legal one after another, from the start of the game."""
    play = engine.start()
    for count, event in enumerate(ids):
        if event not in events(engine, play):
            return count
        advance(engine, play, event)
    return len(ids)
