"""Resampling of states from what a player knows: the probability of each, and what must not change.

`../games/test_laws_secrecy.py` holds that such a state looks the same to the player.
"""

from __future__ import annotations

from collections import Counter

import pytest

from ludex.interpreter import Engine, Generator, State, pick, resample
from ludex.interpreter.unknowns import resampling
from ludex.spec import OverBudget
from ludex.spec import types as t

from ..once import engine_once, game_once
from .build import ONE_CARD_EACH, engine_from

REMEMBERED = f"""
type Card = jack | queen | king | ace
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone table: bag of Card, open

action lay
  choose card in my hand
  go:
    random coin in 1..2
    if coin = 1 then move card from my hand to table
{ONE_CARD_EACH}
play
  turns: repeat
    each player in seats
      choose lay
  until every p in Player has hand(p) is empty
"""
TELLING = f"""
type Card = 1..9
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private

action guess
  choose card in Card
  require there: some p in Player has p != me and some held in hand(p) has held = card
  go: move all from hand(me) to deck
{ONE_CARD_EACH}
play
  turns: repeat
    each player in seats
      choose guess
  until every p in Player has hand(p) is empty
"""


def dealt(engine: Engine, seed: int = 1) -> State:
    """Return the first state that awaits a move."""
    state, rng = engine.start(), Generator(seed)
    while engine.chance(state):
        state = engine.apply(state, engine.sample_chance(state, rng))
    return state


def drawn(engine: Engine, state: State, player: int, name: str, *indices: int, times: int = 600) -> Counter[t.Value]:
    """Count the contents of the place, over so many resampled states."""
    rng = Generator(5)
    return Counter(engine.cell(resample(engine, state, player, rng), name, indices) for _ in range(times))


def evenly(found: Counter[t.Value], kinds: int) -> bool:
    """Return whether so many different things occur, none much more often than another."""
    return len(found) == kinds and max(found.values()) < 1.4 * min(found.values())


def test_a_hand_is_resampled_from_all_possible_hands() -> None:
    engine = engine_once(game_once("kuhn_poker"))
    state = dealt(engine)
    own, other = engine.cell(state, "card", (0,)), engine.cell(state, "card", (1,))
    assert set(drawn(engine, state, 0, "card", 0, times=20)) == {own}
    found = drawn(engine, state, 0, "card", 1)
    assert evenly(found, 2)
    assert own not in found
    assert other in found


def test_the_rest_of_a_deck_depends_on_the_hands() -> None:
    engine = engine_once(game_once("leduc_poker"))
    state = dealt(engine)
    for seed in range(20):
        other = resample(engine, state, 1, Generator(seed))
        [pool] = other.pools
        hands = Counter(engine.cell(other, "hole", (seat,)) for seat in range(2))
        assert set((Counter(pool) + hands).values()) == {2}, "each rank has two cards"


def test_dice_under_a_cup_are_rolled_again() -> None:
    engine = engine_once(game_once("liars_dice"))
    assert evenly(drawn(engine, dealt(engine), 0, "cup", 1), 6)


def test_a_hidden_choice_is_resampled() -> None:
    engine = engine_once(game_once("goofspiel"))
    state = dealt(engine)
    bid = engine.legal_moves(state, 1)[4]
    state = engine.apply(state, bid)
    found = Counter(str(engine.observe(resample(engine, state, 0, Generator(seed)), 1)["stated"]) for seed in range(80))
    assert len(found) == 13
    assert {str(engine.observe(resample(engine, state, 1, Generator(seed)), 1)["stated"]) for seed in range(5)} == {
        str(engine.observe(state, 1)["stated"])
    }, "players know their own choice"


def test_hands_that_were_not_dealt_keep_their_cards() -> None:
    """Everybody knows that each player has a fixed set of cards, and so do the prizes."""
    engine = engine_once(game_once("goofspiel"))
    state = dealt(engine)
    assert drawn(engine, state, 0, "hand", 1, times=9) == {engine.cell(state, "hand", (1,)): 9}


def test_values_held_by_a_routine_are_kept() -> None:
    """A chosen card stays in the hand where the routine needs it, so that play can continue."""
    engine = engine_from(REMEMBERED)
    state = dealt(engine)
    named = engine.legal_moves(state)[0]
    state = engine.apply(state, named)
    assert drawn(engine, state, 1, "hand", 0, times=30) == {engine.cell(state, "hand", (0,)): 30}
    for seed in range(5):
        after = engine.apply(resample(engine, state, 1, Generator(seed)), engine.chance(state)[0][0])
        assert engine.cell(after, "table") == (dict(named.arguments)["card"],)


def test_legal_moves_are_kept_even_if_they_reveal_hidden_things(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_from(TELLING)
    state = dealt(engine)
    assert drawn(engine, state, 0, "hand", 1, times=5) == {engine.cell(state, "hand", (1,)): 5}
    monkeypatch.setattr(resampling, "MOST_DRAWS", 1)
    with pytest.raises(OverBudget):
        resample(engine, state, 0, Generator(1))


def test_the_outcome_of_chance_is_that_of_random_plays() -> None:
    engine = engine_once(game_once("leduc_poker"))
    for seed in range(9):
        state = engine.start()
        assert engine.sample_chance(state, Generator(seed)) == pick(engine, state, Generator(seed)).event
        assert state == engine.start()


def test_a_state_without_chance_is_refused() -> None:
    engine = engine_once(game_once("tic_tac_toe"))
    with pytest.raises(ValueError, match="awaits no chance event"):
        engine.sample_chance(engine.start(), Generator(1))


def test_wrong_arguments_are_refused() -> None:
    engine = engine_once(game_once("kuhn_poker"))
    state = engine.start()
    with pytest.raises(ValueError, match="seat from 0 to 1"):
        resample(engine, state, 2, Generator(1))
    with pytest.raises(TypeError, match="generator"):
        resample(engine, state, 0, 7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="this engine plays"):
        resample(engine_once(game_once("pig")), state, 0, Generator(1))


TWO_DECKS = """
type Card = 1..8
zone low: pile of Card, hidden
zone high: pile of Card, hidden
zone hand(Player): bag of Card, private
zone table: bag of Card, open

setup
  decks:
    fill low with set(c for c in Card where c < 5)
    shuffle low
    fill high with set(c for c in Card where c > 4)
    shuffle high
  deal: each player in seats
    draw 1 from low to my hand
    draw 1 from high to my hand

action lay
  choose card in my hand
  go: move card from my hand to table

play
  turns: each player in seats
    choose lay

score none: 0

winner
  all: share
"""


def test_each_place_keeps_its_number_of_cards_of_each_deck() -> None:
    engine = engine_from(TWO_DECKS)
    found = drawn(engine, dealt(engine), 0, "hand", 1)
    for at in range(2):
        of_deck = Counter(cards[at] for cards in found.elements())
        assert evenly(of_deck, 3), "the player's own card of each deck must be left out"
    assert all(low < 5 < high + 1 for low, high in found)
    mixed = engine_from(TWO_DECKS.replace("go: move card from my hand to table", "go: move card from my hand to low"))
    state = dealt(mixed)
    assert any(low > 4 or high < 5 for low, high in drawn(mixed, state, 0, "hand", 1, times=50)), "low may be any card"


CUP = """
type Face = 1..8
zone cup(Player): bag of Face, private

action look
  choose face in Face
  require seen: face in my cup

setup
  rolls: each player in seats
    random face in 2..4
    put face in my cup

play
  turns: each player in seats
    choose look

score none: 0

winner
  all: share
"""


def test_a_die_under_a_cup_shows_one_of_its_faces() -> None:
    engine = engine_from(CUP)
    assert evenly(drawn(engine, dealt(engine), 0, "cup", 1), 3)
