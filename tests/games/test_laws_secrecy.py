"""Secrecy: players see everything that is open to them, and nothing that depends on hidden information.

Each law is a function of a play at a table, as in `test_laws.py`. The strongest ones compare two states, or two whole
plays, that differ only in what a player cannot know.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest
from click import Context
from hypothesis import given

from ludex.cli.commands.show import table_rows
from ludex.cli.main import cli
from ludex.cli.playing.menu import moves_menu
from ludex.cli.view.observation_text import Viewer
from ludex.interpreter import (
    DECLINE,
    HIDDEN,
    UNSEEN_ACTION,
    ChanceEvent,
    Engine,
    Event,
    Generator,
    Move,
    Reference,
    State,
    Ticket,
    explain,
    inventory,
    line_of,
    own_refusal,
    playout,
    reasons,
    resample,
    write_log,
)
from ludex.interpreter.stack.state import StackState
from ludex.spec import model as m
from ludex.spec import nodes, to_json
from ludex.spec import types as t

from ..cases import cases
from ..cli.running import ludex
from ..tiers import EXTENTS, TierQueries, options_of
from .candidates import candidates
from .plays import HIDING, SAMPLES, TABLES, Play, Position, Table, drawn, engine_of, follow, seeded

Law: TypeAlias = Callable[[Play], None]
RESAMPLED, FURTHER = 20, 5
"""Every twentieth state of a play is resampled, and played on for some events."""


def viewers(engine: Engine) -> list[int | None]:
    """Return an onlooker, and every player."""
    return [None, *range(engine.game.players)]


def observed(engine: Engine, state: State, viewer: int | None) -> dict[str, Any]:
    return engine.public_view(state) if viewer is None else engine.observe(state, viewer)


def cells(game: m.Game) -> Iterator[tuple[m.Element, tuple[t.Value, ...], int]]:
    """Yield every cell: its element, its indices, its number."""
    for element in game.elements:
        for at, indices in enumerate(product(*map(t.values, element.indices))):
            yield element, indices, element.offset + at


def is_open_to(element: m.Element, indices: tuple[t.Value, ...], viewer: int | None) -> bool:
    if element.visibility == "private":
        return viewer is not None and indices[0] == viewer
    return element.visibility == "open"


def pieces_in(held: t.Value) -> tuple[t.Value, ...]:
    if isinstance(held, Ticket) or not isinstance(held, tuple):
        return () if held is None else (held,)
    return held


# ---- states ---------------------------------------------------------------------------------------------------------


def an_observation_shows_visible_pieces_and_counts_the_rest(play: Play) -> None:
    """An observation shows exactly the pieces that are visible to the viewer, and the numbers of the others."""
    engine = play.engine
    for state in play.states:
        for viewer in viewers(engine):
            seen = json.loads(json.dumps(observed(engine, state, viewer)))
            assert seen["player"] == (None if viewer is None else f"seat({viewer + 1})")
            expected = _expected(engine.game, state, viewer)
            for element in engine.game.elements:
                shown = seen["zones" if element.is_zone else "states"][element.name]
                values = list(shown.values()) if element.indices else [shown]
                assert values == expected[element.name]


def _expected(game: m.Game, state: State, viewer: int | None) -> Mapping[str, list[Any]]:
    """Return what the viewer must see in every cell of each element."""
    expected: dict[str, list[Any]] = defaultdict(list)
    for element, indices, cell in cells(game):
        held, shown = state.cells[cell], expected[element.name]
        if not is_open_to(element, indices, viewer):
            shown.append({"count": len(pieces_in(held))} if element.is_zone else {"hidden": True})
        elif element.kind in ("pile", "bag"):
            shown.append([to_json(element.type, piece) for piece in held])
        else:
            shown.append(None if held is None else to_json(element.type, held))
    return expected


def an_observation_does_not_depend_on_hidden_pieces(play: Play) -> None:
    """Invisible pieces are exchanged: between hands, piles and future shuffles. The observation must stay the same."""
    engine = play.engine
    for at, state in enumerate(play.states):
        for viewer in viewers(engine):
            other = rearranged(engine.game, state, viewer, random.Random(at))
            assert observed(engine, other, viewer) == observed(engine, state, viewer)


def rearranged(game: m.Game, state: State, viewer: int | None, rng: random.Random) -> State:
    """Return the state with all pieces invisible to the viewer shuffled among their places, and invisible values
    changed.
    """
    other = state.clone()
    unseen = [(element, cell) for element, indices, cell in cells(game) if not is_open_to(element, indices, viewer)]
    pieces: defaultdict[str, list[t.Value]] = defaultdict(list)
    of_pool = _types_of_pools(game, state)
    for element, cell in unseen:
        if element.is_zone:
            pieces[str(element.type)] += known(pieces_in(state.cells[cell]))
        else:
            other.put(cell, rng.choice(_some_values(element.type, state.cells[cell])))
    for number, pool in enumerate(state.pools):
        pieces[of_pool[number]] += known(pool)
    for each in pieces.values():
        rng.shuffle(each)
    for element, cell in unseen:
        if element.is_zone:
            other.put(cell, _refilled(element.kind, state.cells[cell], pieces[str(element.type)]))
    other.set_pools(_refilled("bag", pool, pieces[of_pool[number]]) for number, pool in enumerate(state.pools))
    return other


def known(entries: tuple[t.Value, ...]) -> list[t.Value]:
    """Return the known pieces among the entries, without unknown ones (tickets)."""
    return [entry for entry in entries if not isinstance(entry, Ticket)]


def _refilled(kind: str, held: t.Value, pieces: list[t.Value]) -> t.Value:
    """Replace the pieces of the zone; unknown pieces (tickets) stay."""
    if held is None or isinstance(held, Ticket):
        return held
    if kind == "one":
        return pieces.pop()
    new = [piece if isinstance(piece, Ticket) else pieces.pop() for piece in held]
    return tuple(sorted(new, key=lambda piece: (isinstance(piece, Ticket), piece))) if kind == "bag" else tuple(new)


def _types_of_pools(game: m.Game, state: State) -> list[str]:
    """Return the type of the pieces in each pool, by the zones of its tickets."""
    types: dict[int, str] = {}
    for element, _, cell in cells(game):
        if element.is_zone:
            tickets = [piece for piece in pieces_in(state.cells[cell]) if isinstance(piece, Ticket)]
            while tickets:
                ticket = tickets.pop()
                if ticket.pool not in types:
                    types[ticket.pool] = str(element.type)
                    tickets += [entry for entry in state.pools[ticket.pool] if isinstance(entry, Ticket)]
    return [types[number] for number in range(len(state.pools))]


def _some_values(type_: t.Type, held: t.Value) -> list[t.Value]:
    if t.element_type(type_) is not None:
        return [held, type(held)()]
    return list(t.values(type_))[:100]


# ---- events ---------------------------------------------------------------------------------------------------------


def a_view_of_an_event_only_hides(play: Play) -> None:
    """The mover sees the whole move; others see it in whole or in part; an onlooker sees no more than any player."""
    engine = play.engine
    for position in play.positions:
        event = position.event
        views = {viewer: engine.view_of_event(position.state, event, viewer) for viewer in viewers(engine)}
        for viewer, view in views.items():
            assert _tells_no_more(view, event)
            assert _tells_no_more(views[None], view)
            if isinstance(event, Move) and event.player == viewer:
                assert view == event
            elif isinstance(event, Move) and len(engine.to_move(position.state)) > 1:
                assert is_unseen(view), "simultaneous choices must be hidden from players still to choose"


def a_resampled_state_looks_the_same_to_its_player(play: Play) -> None:
    """After resampling, the player's observation and legal moves are the same, no piece is created or lost, the same
    seed gives the same state, and play can continue.
    """
    engine, asked = engine_of(play.table), play.engine
    rolled = {str(node.target.element.type) for node in nodes(*engine.game.routines) if isinstance(node, m.PutPiece)}
    for at, state in enumerate(play.states[::RESAMPLED]):
        for player in range(engine.game.players):
            other = resample(engine, state, player, Generator(at))
            assert resample(engine, state, player, Generator(at)) == other
            assert asked.observe(other, player) == asked.observe(state, player)
            assert asked.legal_moves(other, player) == asked.legal_moves(state, player)
            one, two = (
                {kind: count for kind, count in inventory(engine.game, each).items() if kind[0] not in rolled}
                for each in (state, other)
            )
            assert one == two
            for _turn in islice(playout(engine, Generator(at), state=other), FURTHER):
                pass


def _tells_no_more(view: Event, event: Event) -> bool:
    match view, event:
        case Move(), Move():
            if view.action == UNSEEN_ACTION:
                return view == Move(event.player, UNSEEN_ACTION)
            named = view.player == event.player and view.action == event.action
            pairs = list(zip(view.arguments, event.arguments, strict=True))
            return named and all(seen in ((name, value), (name, HIDDEN)) for seen, (name, value) in pairs)
        case ChanceEvent(), ChanceEvent():
            if view.outcome is HIDDEN:
                return view == ChanceEvent(event.path, HIDDEN)
            return view == event
        case _:
            return False


def plays_that_look_alike_stay_alike(play: Play) -> None:
    """Two plays whose events look the same to a player give the same observations and legal moves at every point."""
    for viewer in viewers(play.engine):
        for seed in range(2):
            _look_alike(play, viewer, random.Random(seed))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two plays with the same events in the viewer's sight, and their present states. differing: the number of events
    that differ.
    """

    events: tuple[Event, ...]
    others: tuple[Event, ...]
    state: State
    other: State

    @property
    def differing(self) -> int:
        return sum(one != other for one, other in zip(self.events, self.others, strict=True))


def _look_alike(play: Play, viewer: int | None, rng: random.Random) -> int:
    """Follow both plays as long as there is such a second one; return the number of differing events."""
    engine, differing = play.engine, 0
    for pair in alike(play, viewer, rng):
        if viewer is not None and viewer in engine.to_move(pair.state):
            assert engine.legal_moves(pair.other, viewer) == engine.legal_moves(pair.state, viewer)
        differing = pair.differing
    return differing


def alike(play: Play, viewer: int | None, rng: random.Random) -> Iterator[Pair]:
    """Yield the play and a second one that looks the same to the viewer, after each event, as long as there is one."""
    engine, other, others, unseen = play.engine, play.states[0].clone(), list[Event](), False
    for at, (position, after) in enumerate(zip(play.positions, play.states[1:], strict=True)):
        view = engine.view_of_event(position.state, position.event, viewer)
        if view == position.event:
            similar = [position.event] if engine.refusal(other, position.event) is None else []
        else:
            similar = [
                event for event in options_of(engine, other) if engine.view_of_event(other, event, viewer) == view
            ]
        if not similar:
            return
        others.append(rng.choice(similar))
        other = engine.apply(other, others[-1])
        unseen = unseen or is_unseen(view)
        if observed(engine, other, viewer) != observed(engine, after, viewer) and (
            unseen  # simultaneous choices become visible by their effects
            or comes_to_light(engine.game, position.state, after, viewer)
        ):
            return
        assert observed(engine, other, viewer) == observed(engine, after, viewer)
        yield Pair(tuple(play.events[: at + 1]), tuple(others), after, other)


def comes_to_light(game: m.Game, before: State, after: State, viewer: int | None) -> bool:
    """Return whether a piece known to somebody else is now visible to the viewer, without an event that shows it."""
    there, here = _lying(game, before, viewer), _lying(game, after, viewer)
    return bool((here[True] - there[True]) & there[False])


def _lying(game: m.Game, state: State, viewer: int | None) -> dict[bool, Counter[tuple[str, t.Value]]]:
    """Return all known pieces, separated by whether they are visible to the viewer."""
    found: dict[bool, Counter[tuple[str, t.Value]]] = {True: Counter(), False: Counter()}
    for element, indices, cell in cells(game):
        if element.is_zone:
            pieces = known(pieces_in(state.cells[cell]))
            found[is_open_to(element, indices, viewer)].update((str(element.type), piece) for piece in pieces)
    return found


def is_unseen(view: Event) -> bool:
    return isinstance(view, Move) and view.action == UNSEEN_ACTION


LAWS: tuple[Law, ...] = (
    an_observation_shows_visible_pieces_and_counts_the_rest,
    an_observation_does_not_depend_on_hidden_pieces,
    a_view_of_an_event_only_hides,
    plays_that_look_alike_stay_alike,
    a_resampled_state_looks_the_same_to_its_player,
)


@pytest.mark.drawn(16)
@pytest.mark.parametrize("table", (*TABLES, *SAMPLES), ids=str)
@pytest.mark.parametrize("tier", ("python", "reference"))
def test_a_play_keeps_the_laws_of_secrecy(
    tier: str,
    table: Table,
    tiers: Mapping[str, Callable[[m.Game], TierQueries]],
    play_seed: int,
    rng: random.Random,
    is_long: bool,
) -> None:
    """Native code does not say what a player may know: the engine in Python says it for it."""
    whole = seeded(table, play_seed)
    play = whole.under(tiers[tier](whole.engine.game), EXTENTS["secrecy"].of(tier, is_long), rng, few=1)
    for law in LAWS:
        law(play)


@cases(400)
@given(drawn())
def test_laws_of_drawn_plays(play: Play) -> None:
    for law in LAWS:
        law(play)


# ---- commands

FIRST = {table.game: table for table in reversed(TABLES) if table.game in HIDING}
FEW = 12
"""The number of pairs of each kind that are compared."""
TOLD = 2
"""The number of times that a run passes two logs to a command."""
Kind: TypeAlias = Literal["chance", "own move", "other's move"]


@cache
def _pairs(table: Table, player: int) -> dict[Kind, list[Pair]]:
    """Return differing pairs, by what is awaited. Pairs at the end are left out: points may reveal what was hidden."""
    pairs: defaultdict[Kind, list[Pair]] = defaultdict(list)
    play = seeded(table, 0)
    for pair in alike(play, player, random.Random(1)):
        if pair.differing and not play.engine.is_terminal(pair.state):
            movers = play.engine.to_move(pair.state)
            pairs["chance" if not movers else "own move" if movers[0] == player else "other's move"].append(pair)
    return pairs


@pytest.mark.drawn(4)
@pytest.mark.parametrize("table", [table for table in TABLES if table.game in HIDING], ids=str)
def test_output_for_a_player_is_the_same_for_plays_that_look_alike(table: Table) -> None:
    """The output of `show --as` and `play` for a position, and the reasons of refusals."""
    engine, rng = engine_of(table), random.Random(4)
    viewer, reference = Viewer(engine.game, (), None), Reference(engine.game)
    for player in range(min(table.players, 2)):
        for kind, pairs in _pairs(table, player).items():
            for pair in rng.sample(pairs, min(FEW, len(pairs))):
                one, other = (
                    list(table_rows(engine, state, player, viewer, cards=True, moves=True))
                    for state in (pair.state, pair.other)
                )
                assert one == other, f"the output for seat {player + 1} shows what this player cannot know"
                if kind == "own move":
                    one, other = (_menu(engine, state, player, viewer) for state in (pair.state, pair.other))
                    assert one == other
                    states = [reference.after(events) for events in (pair.events, pair.others)]
                    for move in _stated(engine, pair.state, player, rng):
                        one, other = (_why_not(reference, state, move) for state in states)
                        assert one == other, (
                            f"the reason why {move} is refused shows seat {player + 1} what this player cannot know"
                        )


def _stated(engine: Engine, state: State, player: int, rng: random.Random) -> list[Move]:
    """Return some moves of the player, legal or not."""
    position = Position(state, Move(player, DECLINE), options_of(engine, state))
    found = (each for each in candidates(engine.game, position.options, rng) if isinstance(each, Move))
    moves = [each for each in found if each.player == player]
    return rng.sample(moves, min(FEW, len(moves)))


def _why_not(reference: Reference, state: StackState, move: Move) -> list[str]:
    """Return the reason of a refusal, as the player reads it; nothing if the player's knowledge does not
    determine it.
    """
    refusal = own_refusal(reference, state, move)
    if refusal is None:
        return []
    notes = (note.message for note in reasons(reference, state, refusal, viewer=move.player))
    return [explain(refusal, reference.game).message, *notes]


def _menu(engine: Engine, state: State, player: int, viewer: Viewer) -> list[str]:
    return list(moves_menu(engine.legal_moves(state, player), viewer).rows(80))


COMMANDS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "show": (("show", "LOG", "--as", "1", "--cards", "--moves"), ""),
    "show --format json": (("show", "LOG", "--as", "1", "--format", "json"), ""),
    "play": (("play", "GAME", "--resume", "LOG", "--seed", "1"), "log\ncards\nquit\n"),
}
"""Commands that show a play to one player, with their input."""


@pytest.mark.usefixtures("games_are_shared")
@pytest.mark.parametrize("game", FIRST)
def test_commands_print_the_same_for_logs_that_look_alike(
    game: str, tmp_path: Path, rng: random.Random, is_long: bool
) -> None:
    """Two logs that differ in what a player cannot know are shown to that player; `play` does so at the
    player's turn.
    """
    table = FIRST[game]
    kinds = [(kind, name) for kind in _pairs(table, 0) for name in COMMANDS if name != "play" or kind == "own move"]
    for kind, name in kinds if is_long else rng.sample(kinds, min(TOLD, len(kinds))):
        pairs, (command, typed) = _pairs(table, 0)[kind], COMMANDS[name]
        pair = pairs[len(pairs) // 2]
        one, other = (_told(command, typed, table, events, tmp_path) for events in (pair.events, pair.others))
        assert one == other, f"the output of `{name}` shows seat(1) what this player cannot know"


def _told(command: Sequence[str], typed: str, table: Table, events: Sequence[Event], folder: Path) -> str:
    """Return the command's output."""
    engine, file = engine_of(table), folder / "play.jsonl"
    file.write_text(write_log(table.header(engine.game), [line_of(engine.game, event) for event in events]), "utf-8")
    ran = ludex(*({"LOG": file, "GAME": table.game}.get(each, each) for each in command), stdin=typed)
    assert ran.code == 0, ran.output
    return ran.output


def test_every_command_for_one_player_is_in_the_list() -> None:
    """These are `play` and the commands with `--as`; without one of them the law would have a gap."""
    commands = {name: cli.get_command(Context(cli), name) for name in cli.list_commands(Context(cli))}
    telling = {name for name, each in commands.items() if each and any("--as" in option.opts for option in each.params)}
    assert {*telling, "play"} == {name.split()[0] for name in COMMANDS}


def test_pairs_for_the_commands_are_found() -> None:
    """There are pairs for each kind of what is awaited, in several games; without them the laws above would test
    nothing.
    """
    kinds = {(kind, game) for game, table in FIRST.items() for kind in _pairs(table, 0)}
    assert {kind for kind, _ in kinds} == {"chance", "own move", "other's move"}
    assert len({game for _, game in kinds}) >= 5
    assert ("chance", "mangrovia") in kinds


# ---- the laws have something to bite on -----------------------------------------------------------------------------


def test_plays_with_hidden_information_have_rearrangements_and_second_plays() -> None:
    """Without them the laws above would test nothing."""
    changed: Counter[str] = Counter()
    differed: Counter[str] = Counter()
    for table in {table.game: table for table in TABLES}.values():
        play = seeded(table, 0)
        game = play.engine.game
        changed[table.game] += sum(rearranged(game, state, None, random.Random(1)) != state for state in play.states)
        differed[table.game] += sum(_look_alike(play, viewer, random.Random(1)) for viewer in viewers(play.engine))
        if all(element.visibility == "open" for element in game.elements):
            assert not changed[table.game]
            assert not differed[table.game]
    assert changed["kuhn_poker"] > 0
    assert changed["boreal"] > 0
    assert differed["kuhn_poker"] > 0


def test_a_card_in_kuhn_poker_is_visible_to_its_holder_only() -> None:
    engine = engine_of(Table("kuhn_poker", 2))
    state = engine.start()
    for player in range(2):
        dealt = engine.chance(state)[0][0]
        views = {viewer: engine.view_of_event(state, dealt, viewer) for viewer in (player, 1 - player, None)}
        unseen = ChanceEvent("setup.deal", HIDDEN)
        assert views == {player: dealt, 1 - player: unseen, None: unseen}
        state = engine.apply(state, dealt)
    for player, card in enumerate(("jack", "queen")):
        observation = engine.observe(state, player)
        assert observation["zones"]["card"] == {f"seat({player + 1})": card, f"seat({2 - player})": {"count": 1}}
        assert observation["zones"]["deck"] == {"count": 1}
        assert "king" not in json.dumps(observation)


def test_cards_looked_at_in_boreal_are_visible_to_that_player_only() -> None:
    """The effect lets a player look at cards of the pile and keep one."""
    table = next(table for table in TABLES if table.game == "boreal")
    engine = engine_of(table)
    look = "resolve.peek3.look"

    def choose(options: Any) -> Event | None:
        if isinstance(options[0], ChanceEvent) and options[0].path == look:
            return None
        return rng.choice(options)  # type: ignore[no-any-return]

    for seed in range(60):
        rng = random.Random(seed)
        play = follow(table, choose)
        if not engine.is_terminal(play.final):
            break
    else:
        pytest.fail("take other seeds: no play has the effect")
    state = play.final
    looker = engine.frames(state)[-1].slots[0]
    while engine.chance(state) and engine.chance(state)[0][0].path == look:
        drawn_card = engine.chance(state)[-1][0]
        card = to_json(engine.game.chances[look].outcome, drawn_card.outcome)
        views = [engine.view_of_event(state, drawn_card, viewer) for viewer in (looker, 1 - looker, None)]
        assert views == [drawn_card, ChanceEvent(look, HIDDEN), ChanceEvent(look, HIDDEN)]
        state = engine.apply(state, drawn_card)
        if engine.cell(state, "peeked", (looker,)):
            assert card in json.dumps(engine.observe(state, looker)["zones"]["peeked"])
            assert card not in json.dumps(engine.observe(state, 1 - looker)["zones"])
            assert card not in json.dumps(engine.public_view(state)["zones"])
