"""Where two games stand alike only one of them is played: the other must stand where it would if it were played too."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ludex.interpreter import Engine
from ludex.interpreter.differences.lockstep import Pair, Stuck, options
from ludex.spec import Request, build, read_alone, read_game, without_examples

EVENTS = 120
"""So many are played of each game."""


CHANGES = (
    ("nim", "!= misere", "= misere"),
    ("nim", "highest total(me)", "lowest total(me)"),
    ("nim", "lift: matches(heap) -= count", "lift: matches(heap) -= 1"),
    ("tic_tac_toe", "highest", "lowest"),
)
"""A game, what stands in it, and what stands there in a copy."""


def pairs() -> Iterator[tuple[str, Pair]]:
    """A game and a copy of it with a change."""
    for name, old, new in CHANGES:
        text = read_game(name)
        assert old in text.game.text
        copy = read_alone(text.game.path, text.game.text.replace(old, new))
        yield (
            f"{name}: {new}",
            Pair(*(Engine(build(without_examples(each), Request()).playable()) for each in (text, copy))),
        )


def test_the_game_that_is_not_played_stands_where_it_would(rng: Random) -> None:
    spared = [play(pair, rng, name) for name, pair in pairs() if pair.contrast.types]
    assert len(spared) >= 3
    assert any(spared), "a game was never spared: `unlike` tells too much apart"


def play(pair: Pair, rng: Random, place: str) -> int:
    """Play at random until both part; how often only the left game was played."""
    try:
        both = pair.start()
    except Stuck:
        return 0
    alone, spared = both.right.clone(), 0
    for _ in range(EVENTS):
        mine = pair.options(both)
        if not mine or pair.parted(both, (), True) is not None:
            break
        event = rng.choice(mine)
        try:
            if not pair.play(both, event):
                break
        except Stuck:
            break
        refusal = pair.right.advance(alone, event)
        assert refusal is None, f"{place}: only the left game allows {event}, and both were taken to"
        assert both.right == alone, f"{place}: the right game stands elsewhere after {event}"
        if pair.parted(both, (), True) is None:
            assert set(pair.options(both)) == set(options(pair.right, alone)), f"{place}: both offer the same, it says"
        spared += both.own is not None
    return spared
