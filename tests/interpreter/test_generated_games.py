"""Games with generated expressions are played alike in every tier, faults of the rules included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ludex.grammar import Failure
from ludex.interpreter import Event, Generator
from ludex.spec import Game

from ..lockstep import agree, answers, came
from ..tiers import Missing, TierQueries, options_of
from .build import game_from
from .test_one_meaning import VOCABULARY, Texts

GAME = """
state left(Player): 0..3 = 0
state right(Player): 0..3 = 0, hidden
state luck: 0..3 = 0

define points(x: 0..3, y: 0..3) = POINTS
define better(x: 0..3, y: 0..3) = BETTER
define allowed(x: 0..3, y: 0..3) = ALLOWED
define heavy(x: 0..3, y: 0..3): 0..3 = min(max(HEAVY, 0), 3)

action place
  choose x in 0..3, y in 0..3
  require fit: allowed(x, y)
  left: left(me) := x
  right: right(me) := y

action pass_on
  require fit: allowed(luck, my left)
  turn: left(me) := heavy(my left, luck)

play
  turns: repeat 3 times
    thrown:
      random die in 0..heavy(left(seat(1)), left(seat(2)))
      luck := die
    each player in seats
      choose place or pass_on

score points: points(my left, luck)

winner
  better: highest better(my left, my right)
  most: highest my right
"""


PARTS = {"POINTS": "x", "BETTER": "y", "ALLOWED": "x < 3", "HEAVY": "x"}


def text_of(**parts: str) -> str:
    """Return the text of the game with these expressions."""
    text = GAME
    for name, part in {**PARTS, **parts}.items():
        text = text.replace(name, part)
    return VOCABULARY + text


@st.composite
def games(draw: st.DrawFn) -> str:
    texts = Texts(draw)
    numbers = {name: texts.number(3) for name in ("POINTS", "BETTER", "HEAVY")}
    return text_of(**numbers, ALLOWED=texts.truth(3, ("x", "y")))


def plays_are_alike(game: Game, generator: Generator, made: Iterable[Callable[[Game], TierQueries]]) -> None:
    """Play once in all tiers, until the play ends or the rules give no value.

    In each state the tiers must give the same answers, and every possible event must have the same effect or fail.
    """
    begun = [came(_begun, each, game) for each in made]
    if begun[0] is None:
        assert begun == [None] * len(begun)
        return
    tiers, states = [tier for tier, _ in begun], [state for _, state in begun]
    while True:
        expected, effects = answers(tiers[0], states[0]), effects_of(tiers[0], states[0])
        for tier, state in zip(tiers[1:], states[1:], strict=True):
            agree(tier, answers(tier, state), expected)
            assert effects_of(tier, state) == effects
        playable = [event for event, after in effects if after is not None]
        if not playable:
            return
        event = generator.choice(playable)
        states = [tier.apply(state, event) for tier, state in zip(tiers, states, strict=True)]


def _begun(made: Callable[[Game], TierQueries], game: Game) -> tuple[TierQueries, Any]:
    """Return the tier and the first state. Native code runs up to it when it is made."""
    tier = made(game)
    return tier, tier.start()


def effects_of(tier: TierQueries, state: Any) -> list[tuple[Event, Any]]:
    """Return every possible event with the state after it, None where the rules fail; () if they list no event."""
    events = came(options_of, tier, state) or ()
    after = (came(tier.apply, state, event) for event in events)
    return [(event, None if each is None else tier.standing(each)) for event, each in zip(events, after, strict=True)]


def test_a_generated_game_is_played_alike(tiers: Mapping[str, Callable[[Game], TierQueries]], is_long: bool) -> None:
    @settings(max_examples=200 if is_long else 4, database=None)
    @given(games(), st.integers(0, 2**32))
    def play(text: str, seed: int) -> None:
        try:
            game = game_from(text)
        except Failure:
            assume(False)  # the checker knows that an expression has no value
        try:
            plays_are_alike(game, Generator(seed), tiers.values())
        except Missing:
            assume(False)  # native code does not support it, and says so

    play()


@pytest.mark.parametrize(
    "parts",
    (
        {"ALLOWED": "x in (the(n in 0..3 else x)..y)"},
        {"ALLOWED": "x in (the(n in 0..3 where n < n)..y)"},
        {"BETTER": "place_in(list(n for n in (0..3) - (0..3)), y)"},
    ),
    ids=str,
)
def test_values_that_always_fail_are_compiled(
    parts: dict[str, str], tiers: Mapping[str, Callable[[Game], TierQueries]]
) -> None:
    """Nothing is known of the shape of such a value."""
    plays_are_alike(game_from(text_of(**parts)), Generator(1), tiers.values())


@pytest.mark.parametrize("failing", ("POINTS", "BETTER"))
def test_points_may_fail_where_winners_are_known_and_conversely(
    failing: str, tiers: Mapping[str, Callable[[Game], TierQueries]]
) -> None:
    game = game_from(text_of(**{failing: "6 div x"}))
    for made in tiers.values():
        tier, state = _begun(made, game)
        values = {"POINTS": came(tier.returns, state), "BETTER": came(tier.winners, state)}
        assert [name for name, value in values.items() if value is None] == [failing]
