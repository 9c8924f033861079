"""The notation of events: written events are read back, and faults are reported at the word."""

from __future__ import annotations

from itertools import cycle, islice
from random import randrange
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import Failure
from ludex.interpreter import (
    HIDDEN,
    UNSEEN_ACTION,
    ChanceEvent,
    Event,
    Generator,
    Move,
    NotationWriter,
    notation,
    parse_event,
    playout,
)
from ludex.spec import shipped_games
from ludex.spec import types as t

from ..cases import cases
from ..once import engine_once, game_once
from .log_games import CHANCES, MOVES, made_game

GAME = made_game()
MOST_EVENTS = 40
NAMES = ("none", "at", "Anna Maria", "l03", "a:b", '"x"', "?", "seat(2)", "Ёлка", "earth", "3 cards", "#1; x", "a  b")


def values(type_: t.Type) -> st.SearchStrategy[Any]:
    match type_:
        case t.SetOf(of=of):
            return st.frozensets(values(of), max_size=3)
        case t.BagOf(of=of):
            return st.lists(values(of), max_size=3).map(lambda items: tuple(t.in_order(of, items)))
        case t.ListOf(of=of):
            return st.lists(values(of) | st.just(HIDDEN), max_size=3).map(tuple)
        case _:
            return st.sampled_from(t.values(type_))


@st.composite
def made_events(draw: st.DrawFn) -> Event:
    if draw(st.booleans()):
        path = draw(st.sampled_from(sorted(CHANCES)))
        via = draw(st.none() | st.lists(st.integers(0, 9), min_size=1, max_size=2).map(tuple))
        return ChanceEvent(path, draw(values(CHANCES[path]) | st.just(HIDDEN)), via)
    action = draw(st.sampled_from([*MOVES, "decline", UNSEEN_ACTION]))
    stated = MOVES.get(action, ())
    return Move(
        draw(st.integers(0, 1)), action, tuple((name, draw(values(of) | st.just(HIDDEN))) for name, of in stated)
    )


@given(made_events(), st.just(()) | st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
@cases(1000)
def test_written_events_are_read_back(event: Event, names: tuple[str, ...]) -> None:
    assert parse_event(GAME, notation(GAME, event, names), names) == event


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", shipped_games())
def test_every_event_of_random_plays_is_read_back(name: str, pytestconfig: pytest.Config) -> None:
    """The languages take turns, with and without names of players."""
    game = game_once(name)
    named = ("Anna", "Boris B.", "4th", "none")[: game.players]
    writers = [NotationWriter(game, names, tag) for names in ((), named) for tag in (None, *game.languages)]
    play = playout(engine_once(game), Generator(randrange(1000), 0))
    events = [turn.event for turn in (play if pytestconfig.getoption("--long") else islice(play, MOST_EVENTS))]
    for event, writer in zip(events, cycle(writers)):
        text = writer.event(event)
        assert parse_event(game, text, writer.vocabulary.names) == event, text


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("1: study l03 1,2", Move(0, "study", (("card", 2), ("at", 1)))),
        ("2: study at 1,2 card l03", Move(1, "study", (("card", 2), ("at", 1)))),
        ("seat(2): study l03 at Site(1, 2)", Move(1, "study", (("card", 2), ("at", 1)))),
        ("1: gain gain(2) none", Move(0, "resolve.gain", (("effect", 2), ("family", None)))),
        (
            "1: aim 2 seat(1) others {1, seat(2)}",
            Move(0, "aim", (("target", 1), ("helper", 0), ("others", frozenset({0, 1})))),
        ),
        (
            "1: pay {l03, ?, l01} cost 3 gently true",
            Move(0, "pay", (("cards", (0, 2, HIDDEN)), ("cost", 3), ("gently", True))),
        ),
        ("1: unknown", Move(0, UNSEEN_ACTION)),
        ("  start = 2 ", ChanceEvent("setup.start", 1)),
        ("turn.event = per(air) via 3 0", ChanceEvent("turn.event", 5, (3, 0))),
    ],
)
def test_alternative_spellings_are_read(text: str, event: Event) -> None:
    assert parse_event(GAME, text) == event


@pytest.mark.parametrize(
    ("text", "code", "column", "message"),
    [
        (
            "study l03 at 1,2",
            "L500",
            1,
            "expected a move, `1: study Card at level,col`, or an outcome, `setup.row = Card`",
        ),
        ("1: study l03 at 1,2)", "L501", 20, "study takes 2 values; `)` is one too many"),
        ("1: pay {l03, l01 cost 3", "L500", 8, "this `{` is not closed"),
        ("1: pay {l03, l01 cost} cost 3", "L500", 18, "expected `,`, found `cost`"),
        ("1: pay {l03, l01", "L500", 8, "this `{` is not closed"),
        ('1: pay "l03', "L500", 8, "not closed"),
        ("1: ", "L500", 3, "expected an action"),
        (": roll", "L500", 1, "expected a player before `:`"),
        ("roll.die = ", "L500", 12, "expected a value, but the text ends here"),
        ("roll.die = 3 4", "L500", 14, "expected nothing more, found `4`"),
        ("1: study l03", "L501", 13, "study needs `at` (level,col), but the text ends here"),
        ("1: study l03 at 1,2 4", "L501", 21, "study takes 2 values; `4` is one too many"),
        ("1: roll 4", "L501", 9, "roll takes no value; `4` is one too many"),
        ("1: study l03 at 4", "L501", 17, "expected Site as level,col"),
        ("1: pay l03 cost 3 gently no", "L501", 8, "expected {Card, ...}"),
        ("1: gain gain(1,2) none", "L501", 9, "expected gain(x)"),
        ("1: gain nothing_more(1) none", "L501", 9, "expected only nothing_more"),
        ("3: roll", "L446", 1, "seat"),
        ("Anna: roll", "L446", 1, "seat"),
        ("1: studdy l03 at 1,2", "L441", 4, "no action"),
        ("1: study l33 at 1,2", "L444", 10, "id of a Card"),
        ("1: study l03 at 1,9", "L444", 19, "whole number from 1 to 4"),
        ("roll.dye = 3", "L445", 1, "no chance event"),
        ("roll.die = 7", "L444", 12, "from 1 to 6"),
        ("", "L500", 1, "expected an action"),
    ],
)
def test_a_fault_is_reported_at_the_word(text: str, code: str, column: int, message: str) -> None:
    with pytest.raises(Failure) as caught:
        parse_event(GAME, text)
    [fault] = caught.value.diagnostics
    assert (fault.code.code, fault.span.column) == (code, column)
    assert message in fault.message
    assert fault.span.end_column > column


def test_the_player_may_be_given_separately() -> None:
    assert parse_event(GAME, "roll", player=1) == Move(1, "roll")
    with pytest.raises(ValueError, match="seat from 0 to 1"):
        parse_event(GAME, "roll", player=2)
