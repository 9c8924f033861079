"""Pairs of readings that are almost the same: no comparison may report them as equivalent. Each pair once was.

A case is one small game, written in two ways. A random play that distinguishes them proves that they differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

import pytest

from ludex.interpreter import ChanceEvent, Engine, Event, RowPlayer, SearchLimits, SpecFault, State, line_of
from ludex.spec import GameText, Request, build, compare_versions, read_game, to_json, version_of
from ludex.spec import model as m
from ludex.spec.values.types import values

HEADER = """game made
  players: PLAYERS
  convention: "made for a test"

"""
NOUNS = """
type Num = 0..20

state starter: Player = seat(1)
state last: Bool? = none
state coins(Player): 0..99 = 0
state tally: 0..99 = 0

zone heap: bag of Num, open
"""
CHOICE = "\n  choose n in 1..2"
PLAY = """
play
  turns: repeat 4 times
    each player in seats
      go

score coins: my coins * 10 + tally
"""
BET = """
action bet
  choose n in 1..2
  require rich: my coins > 2
  pay: coins(me) -= n
"""


PRIVATE = """
action bet
  choose n in 1..2
  require rich: WHEN
  pay: coins(me) -= n
"""
OPTIONS = """
option a: Bool = false
option b: Bool = false
option size: 3..9 = 3
"""


@dataclass(frozen=True)
class Case:
    """Two bodies of `go`, and the rest of both games. also: its replacement in the second game."""

    left: str
    right: str
    more: str = ""
    nouns: str = ""
    play: str = PLAY
    players: str = "2"
    also: str = ""


CASES = {
    "what is named before it changes": Case(
        """
  s:
    let a = my coins
    coins(me) := n
    tally := a
""",
        """
  s:
    coins(me) := n
    let a = my coins
    tally := a
""",
    ),
    "what others are asked": Case(
        "\n  s: tally := n\n",
        "\n  s: tally := n\n",
        nouns="\nstate secret(Player): 0..3 = 0, private\n",
        more=PRIVATE.replace("WHEN", "my coins > 20"),
        also=PRIVATE.replace("WHEN", "my coins > 20 or (my secret = 3 and my secret < tally - tally)"),
        play=PLAY.replace("      go", "      go\n      may bet"),
    ),
    "a name for several clauses": Case(
        """
  let a = my coins
  s: coins(me) := n
  t: tally := a
""",
        """
  s: coins(me) := n
  t: tally := my coins
""",
    ),
    "a name and a local state": Case(
        """
  state k: 0..50 = 0
  s: each p in seats
    let a = k
    k := a + n
    tally := a
""",
        """
  state k: 0..50 = 0
  s: each p in seats
    k := k + n
    tally := k
""",
    ),
    "who acts was another": Case(
        """
  s: as starter
    starter := next(me)
    coins(me) += n
""",
        """
  s:
    starter := next(starter)
    as starter
      coins(me) += n
""",
    ),
    "what a word held": Case(
        """
  s: match eff
    gain(x) =>
      eff := gain(n)
      match eff
        gain(y) => coins(me) += y
        otherwise => nothing
    otherwise => nothing
""",
        """
  s: match eff
    gain(x) =>
      eff := gain(n)
      match eff
        gain(y) => coins(me) += x
        otherwise => nothing
    otherwise => nothing
""",
        nouns="""
type Eff = gain(x: 1..70) | lose

state eff: Eff = gain(3)
""",
    ),
    "what a local state begins with": Case(
        """
  state done: 0..9 = 0
  s: done += n
  t: coins(me) += done
""",
        """
  state done: 0..9 = 1
  s: done += n
  t: coins(me) += done
""",
    ),
    "a loop over a set is ordered by value": Case(
        """
  s: each x in {9, 10}
    tally := x
  t: coins(me) += n
""",
        """
  s:
    tally := 10
    tally := 9
  t: coins(me) += n
""",
    ),
    "what is neither true nor false": Case(
        """
  require r: last != true or n = 1
  s: last := if n = 1 then none else true
""",
        """
  require r: last = false or n = 1
  s: last := if n = 1 then none else true
""",
    ),
    "nothing more, but up to a limit": Case(
        """
  s: coins(me) += n
  t: coins(me) += 0 up to 3
""",
        """
  s: coins(me) += n
  t: nothing
""",
    ),
    "from what is chosen": Case(
        """
  choose n in 1..2 where n != my coins
  s: coins(me) := n
""",
        """
  choose n in 1..2
  s: coins(me) := n
""",
    ),
    "who can": Case(
        """
  s: as next(me)
    if can bet
      tally += 1
  t: coins(me) += n
""",
        """
  s:
    if can bet
      tally += 1
  t: coins(me) += n
""",
        BET,
    ),
    "which of the players can": Case(
        """
  s: each player in seats
    if can bet
      tally += 1
  t: coins(me) += n
""",
        """
  s: each p in seats
    if can bet
      tally += 1
  t: coins(me) += n
""",
        BET,
    ),
    "who was named before each acts": Case(
        """
  s:
    let a = me
    each player in seats
      x: coins(a) += n
""",
        """
  s:
    let a = me
    each player in seats
      x: coins(me) += n
""",
    ),
    "two steps share out the same otherwise": Case(
        """
  s: coins(me) := n
  t: coins(me) := coins(me) * 2
""",
        """
  s: coins(me) := coins(me) * 2
  t: coins(me) := n
""",
    ),
    "two branches share out the same otherwise": Case(
        """
  if n = 1
    s: coins(me) += 1
  else
    t: coins(me) += 2
""",
        """
  if n = 1
    s: coins(me) += 2
  else
    t: coins(me) += 1
""",
    ),
    "two requirements share out the same otherwise": Case(
        """
  if n = 1
    require s: my coins < 3
  else
    require t: my coins < 4
  u: coins(me) += 1
""",
        """
  if n = 1
    require s: my coins < 4
  else
    require t: my coins < 3
  u: coins(me) += 1
""",
    ),
    "required before and after": Case(
        """
  require s: my coins < 3
  u: coins(me) += n
  require t: tally < 7
""",
        """
  require s: tally < 7
  u: coins(me) += n
  require t: my coins < 3
""",
    ),
    **{
        f"only with {when}": Case(
            """
  require few: n <= limit
  s: coins(me) += n
""",
            """
  require few: n <= limit
  s: coins(me) += n
""",
            nouns=OPTIONS,
            players="2..3",
            more="\ndefine limit: 1..5 = 2\n",
            also=f"\ndefine limit: 1..5 = if {when} then 1 else 2\n",
        )
        for when in ("a and b", "a and player_count = 3", "size = 9")
    },
    "what is drawn first": Case(
        """
  s:
    move all from deck to rack
    move all from box to spent
""",
        """
  s:
    move all from box to spent
    move all from deck to rack
""",
        nouns="""
zone deck: pile of Num, hidden
zone box: pile of Num, hidden
zone spent: pile of Num, open
zone rack: pile of Num, open
""",
        more="""
setup
  deck:
    fill deck with {1, 2}
    shuffle deck
    fill box with {1, 2}
    shuffle box

score drawn: if top(rack) = 1 then 1 else 0
""",
    ),
    "each piece by what lies there": Case(
        """
  s: put bag(size(heap) + 1 for i in 1..2) in heap
  t: coins(me) := sum(h for h in heap)
""",
        """
  s: repeat 2 times
    put (size(heap) + 1) in heap
  t: coins(me) := sum(h for h in heap)
""",
        play=PLAY.replace("repeat 4", "repeat 2"),
    ),
}


def written(folder: Path, case: Case) -> tuple[GameText, GameText]:
    """Write the game in both ways."""
    lines = []
    for name, body, more in (("left", case.left, case.more), ("right", case.right, case.also or case.more)):
        go = f"\naction go{'' if 'choose n' in body else CHOICE}{body}"
        nouns = HEADER.replace("PLAYERS", case.players) + NOUNS + case.nouns
        path = folder / f"{name}.ludex"
        path.write_text(f"{nouns}{go}{more}{case.play}", encoding="utf-8")
        lines.append(read_game(path))
    return lines[0], lines[1]


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", CASES)
def test_the_readings_are_not_reported_as_equivalent(name: str, tmp_path: Path) -> None:
    left, right = written(tmp_path, CASES[name])
    assert is_parted(left, right), "correct the case: random play does not distinguish the two readings"
    two = compare_versions(version_of("left", "left", left, None), version_of("right", "right", right, None))
    assert two.rows, "the clauses are reported as equal"
    assert not two.same
    assert two.whole is not None
    played = RowPlayer(SearchLimits(600, 20)).play(two.whole)
    assert played.exhaustive is None or not played.exhaustive.alike, "an exhaustive search found no difference"


# ---- plain play -------------------------------------------------------------------------------------------------


def is_parted(left: GameText, right: GameText) -> bool:
    """Return whether random plays of both in lockstep, at every table, differ."""
    return any(_parted((left, right), request, seed) for request in _tables(left) for seed in range(8))


def _tables(text: GameText) -> Iterator[Request]:
    low, high = text.game.header.players
    for players in range(low, high + 1):
        game = build(text, Request(players)).game
        assert game is not None
        options = [[(each.name, to_json(each.type, v)) for v in values(each.type)] for each in game.options]
        yield from (Request(players, options=dict(taken)) for taken in product(*options))


def _parted(texts: tuple[GameText, GameText], request: Request, seed: int) -> bool:
    games = [_game(text, request) for text in texts]
    engines = [Engine(game) for game in games]
    states = [engine.start() for engine in engines]
    random = Random(seed)
    while True:
        offers = [_offer(engine, state) for engine, state in zip(engines, states, strict=True)]
        if offers[0].keys() != offers[1].keys():
            return True
        if not offers[0]:
            ends = [_end(engine, state) for engine, state in zip(engines, states, strict=True)]
            return bool(ends[0] != ends[1])
        key = random.choice([*offers[0]])
        went = [_went(*each) for each in zip(engines, states, (offer[key] for offer in offers), strict=True)]
        if went != [True, True]:
            return went[0] is not went[1]


def _game(text: GameText, request: Request) -> m.Game:
    built = build(text, request)
    assert built.game is not None, built.diagnostics
    return built.game


def _offer(engine: Engine, state: State) -> dict[str, Event]:
    try:
        events: tuple[Event, ...] = tuple(each for each, _ in engine.chance(state)) or engine.legal_moves(state)
    except SpecFault:
        return {"fault": ChanceEvent("fault", None)}
    return {repr(line_of(engine.game, each)): each for each in events}


def _went(engine: Engine, state: State, event: Event) -> bool:
    try:
        return engine.advance(state, event) is None
    except SpecFault:
        return False


def _end(engine: Engine, state: State) -> object:
    return engine.returns(state), engine.winners(state)
