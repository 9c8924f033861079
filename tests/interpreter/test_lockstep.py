"""Where two games stand alike only one of them is played: the other must stand where it would if it were played too."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from ludex.interpreter import Engine
from ludex.interpreter.differences.lockstep import Pair, Stuck, options
from ludex.interpreter.differences.trials import Trial, bare, pairs, trials
from ludex.spec import GameText, build, compare, read_game

EVENTS = 120
"""So many are played of each game."""


def exchanged(text: GameText, *editions: str) -> Iterator[Trial]:
    """A way to play each of some differences between two editions."""
    found = compare({name: text.editions[name].module for name in editions}, text.game.module)
    for divergence in found.divergences:
        for left, right in pairs(divergence):
            yield from next(trials(text, divergence, left, right), ())[:1]


def played(trial: Trial, players: int) -> Pair | None:
    left, right = (build(text, trial.request(players)).game for text in trial.texts)
    return None if left is None or right is None else Pair(Engine(left), Engine(right))


@pytest.mark.parametrize(("name", "editions"), [("bora_bora", ("en", "he"))])
def test_the_game_that_is_not_played_stands_where_it_would(
    name: str, editions: tuple[str, str], rng: Random, is_long: bool
) -> None:
    text, spared, wanted = bare(read_game(name)), list[int](), 12 if is_long else 3
    every = list(exchanged(text, *editions))
    for trial in rng.sample(every, len(every)):
        pair = played(trial, text.game.header.players[0])
        if pair is None or pair.contrast.same or not pair.contrast.types:
            continue
        spared.append(play(pair, rng, f"{trial.path} in {trial.edition}"))
        if len(spared) == wanted:
            break
    assert len(spared) >= 3, "hardly any of these clauses can be played by itself: choose others"
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
