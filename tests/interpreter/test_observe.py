"""Observations of states and events; and the audit, which finds leaks of hidden information and lost pieces."""

from __future__ import annotations

import pytest

from ludex.interpreter import (
    HIDDEN,
    UNSEEN_ACTION,
    Audit,
    ChanceEvent,
    Compiled,
    Event,
    Generator,
    Move,
    Ticket,
    inventory,
    pick,
)
from ludex.interpreter.program import Glimpse, State
from ludex.interpreter.simulate.audit import Stock
from ludex.interpreter.state.zones import cell_of
from ludex.spec import load

from ..once import engine_once, game_once
from .build import ONE_CARD_EACH, game_from, move

CARDS = """
type Card = jack | queen | king
type Place = (row: 1..2, col: 1..2)
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone board(Place): one Card, open
zone trash: pile of Card, hidden
zone vault(Player): one Card, private
state secret(Player): 0..9 = 0
state coins(Player): 0..9 = 2

action lay
  choose card in my hand, at in Place
  require free: board(at) is empty
  go: move card from my hand to board(at)
action throw
  choose card in my hand
  go: move card from my hand to trash
action give
  choose card in my hand, whom in Player
  go: move card from my hand to hand(whom)
action keep
  choose card in my hand
  go: stow(card)
action stow(card: Card)
  require free: my vault is empty
  go: move card from my hand to my vault
action tell
  choose card in my hand, n in 1..3
  go: secret(me) := n

play
  turns: repeat
    each player in seats
      choose lay or throw or give or keep or tell
  until every p in Player has hand(p) is empty
"""


def compiled(text: str, players: int = 2) -> Compiled:
    return Compiled(game_from(text, players))


def drawn(engine: Compiled, state: State, outcome: int) -> ChanceEvent:
    """Return the awaited chance event with this outcome."""
    return next(event for event, _ in engine.chance(state) if event.outcome == outcome)


def at(engine: Compiled, name: str, *indices: int) -> int:
    """Return the number of a cell."""
    return cell_of(engine.game.element[name], indices)


@pytest.fixture(scope="module")
def cards() -> Compiled:
    return compiled(CARDS + ONE_CARD_EACH, players=3)


@pytest.fixture(scope="module")
def dealt(cards: Compiled) -> State:
    """Deal jack, queen and king to the three players in turn."""
    state = cards.start()
    for kind in range(3):
        state = cards.apply(state, drawn(cards, state, kind))
    return state


def test_players_see_open_zones_and_their_own_private_zones(cards: Compiled, dealt: State) -> None:
    state = cards.apply(dealt, move(0, "lay", card=0, at=1))
    seen = cards.observe(state, 1)
    assert seen["zones"]["hand"] == {"seat(1)": {"count": 0}, "seat(2)": ["queen"], "seat(3)": {"count": 1}}
    assert seen["zones"]["deck"] == {"count": 0}
    assert seen["zones"]["board"]["Place(1, 2)"] == "jack"
    assert seen["zones"]["board"]["Place(2, 2)"] is None
    assert seen["zones"]["vault"] == {"seat(1)": {"count": 0}, "seat(2)": None, "seat(3)": {"count": 0}}
    assert seen["states"]["coins"] == {"seat(1)": 2, "seat(2)": 2, "seat(3)": 2}
    assert (seen["awaits"], seen["to_move"], seen["player"]) == ("move", ["seat(2)"], "seat(2)")
    everybody = cards.public_view(state)
    counts = {"seat(1)": {"count": 0}, "seat(2)": {"count": 1}, "seat(3)": {"count": 1}}
    assert everybody["zones"]["hand"] == counts
    assert cards.observe(cards.start(), 0)["chance"] == "setup.deal"


def test_a_draw_is_seen_by_the_player_who_draws(cards: Compiled) -> None:
    state = cards.start()
    event = drawn(cards, state, 2)
    assert cards.view_of_event(state, event, 0) == event
    assert cards.view_of_event(state, event, 1) == ChanceEvent(event.path, HIDDEN)
    assert cards.view_of_event(state, event, None) == ChanceEvent(event.path, HIDDEN)


@pytest.mark.parametrize(
    ("event", "hidden_from"),
    [
        (move(0, "lay", card=0, at=0), ()),
        (move(0, "throw", card=0), (1, 2, None)),
        (move(0, "give", card=0, whom=2), (1, None)),
        (move(0, "give", card=0, whom=1), (2, None)),
        (move(0, "keep", card=0), (1, 2, None)),
        (move(0, "tell", card=0, n=2), ()),
    ],
)
def test_a_piece_moved_between_hidden_zones_is_not_seen(
    cards: Compiled, dealt: State, event: Move, hidden_from: tuple[int | None, ...]
) -> None:
    assert cards.is_legal(dealt, event)
    for player in (0, 1, 2, None):
        seen = cards.view_of_event(dealt, event, player)
        assert isinstance(seen, Move)
        assert (dict(seen.arguments)["card"] is HIDDEN) is (player in hidden_from)
        assert [value for name, value in seen.arguments if name != "card"] == [
            value for name, value in event.arguments if name != "card"
        ]


def test_a_simultaneous_choice_is_hidden_while_others_choose() -> None:
    engine = compiled(
        """
state bid(Player): 0..3 = 0
play
  bids: all players
    choose n in 1..3
    bid(me) := n
"""
    )
    state, event = engine.start(), move(1, "play.bids", n=3)
    assert engine.view_of_event(state, event, 0) == Move(1, UNSEEN_ACTION)
    assert engine.view_of_event(state, event, 1) == event
    after = engine.apply(state, event)
    other = engine.apply(state, move(1, "play.bids", n=2))
    assert engine.observe(after, 0) == engine.observe(other, 0)
    assert engine.observe(after, 1) != engine.observe(other, 1)
    assert engine.observe(after, 0)["to_move"] == ["seat(1)"]


def test_a_random_value_is_seen_by_all() -> None:
    engine = compiled("state n: 0..6 = 0\nplay\n  die: \n    random k in 1..6\n    n := k\n")
    event = engine.chance(engine.start())[0][0]
    assert engine.view_of_event(engine.start(), event, None) == event


def test_in_kuhn_poker_nothing_visible_depends_on_the_other_card() -> None:
    """Any two histories that differ only in the other's card have equal observations at every step."""
    engine = Compiled(load("kuhn_poker"))
    seen: dict[tuple[object, ...], object] = {}

    def visit(state: State, known: tuple[object, ...]) -> None:
        assert seen.setdefault(known, engine.observe(state, 0)) == engine.observe(state, 0)
        events: tuple[Event, ...] = tuple(event for event, _ in engine.chance(state)) or engine.legal_moves(state)
        for event in events:
            visit(engine.apply(state, event), (*known, engine.view_of_event(state, event, 0)))

    visit(engine.start(), ())


# ---- the audit


def test_the_audit_accepts_a_game_full_of_secrets(cards: Compiled) -> None:
    for seed in range(5):
        audited(cards, seed)


def audited(engine: Compiled, seed: int) -> None:
    audit, rng = Audit(engine), Generator(seed)
    state = engine.start(audit.trace)
    for _ in range(60):
        if engine.is_terminal(state):
            break
        event = pick(engine, state, rng).event
        assert audit.look(state, event) == ()
        engine.advance(state, event, audit.trace)
    assert audit.look(state) == ()
    assert audit.published == ()


def test_the_audit_finds_lost_created_and_refused_pieces(cards: Compiled, dealt: State) -> None:
    audit = Audit(cards)
    for kind in range(3):
        audit.trace.entered["Card", kind] += 1
    assert audit.look(dealt) == ()
    lost = dealt.clone()
    lost.put(at(cards, "hand", 0), ())
    assert audit.look(lost) == (
        "0 of Card jack are in the game; 1 should be",
        "the state is refused as JSON: the stack does not wait for an event",  # nobody has a card to lay
    )
    created = dealt.clone()
    created.put(at(cards, "trash"), (1,))
    assert audit.look(created) == ("2 of Card queen are in the game; 1 should be",)
    assert any("refused" in fault for fault in audit.look(dealt, move(1, "lay", card=0, at=0)))


@pytest.mark.parametrize("name", ["boreal", "crazy_eights"])
def test_the_audit_keeps_count_of_the_pieces(name: str, play_seed: int) -> None:
    engine, rng = engine_once(game_once(name)), Generator(play_seed)
    state, stock = engine.start(), Stock(engine.game)
    for _ in range(150):
        stock.follow(state)
        assert +stock.there == inventory(engine.game, state)
        if engine.is_terminal(state):
            break
        engine.advance(state, pick(engine, state, rng).event)


def test_the_audit_finds_a_leak(cards: Compiled, dealt: State, monkeypatch: pytest.MonkeyPatch) -> None:
    audit = Audit(cards)
    for kind in range(3):
        audit.trace.entered["Card", kind] += 1

    glimpse = cards.observer.glimpse

    def leaky(state: State, player: int | None) -> Glimpse:
        seen = glimpse(state, player)
        return seen if player is None else seen._replace(stated=state.cells[at(cards, "hand", 0)])

    monkeypatch.setattr(cards.observer, "glimpse", leaky)
    faults = tuple(f"the observation of seat({seat}) depends on hidden information" for seat in (2, 3))
    assert audit.look(dealt) == faults


def test_hidden_pieces_are_tickets(cards: Compiled) -> None:
    state = cards.start()
    assert set(state.cells[at(cards, "deck")]) == {Ticket(0)}
    assert cards.public_view(state)["zones"]["deck"] == {"count": 3}


LEAKING = """
type Card = 1..6
zone deck: pile of Card, hidden
zone hand(Player): one Card, private
zone table: bag of Card, open

action lay
  say: move my hand to table

action hint
  choose number in Card
  require LEFT
  require RIGHT
  say: move my hand to table

play
  words: each player in seats
    choose lay or hint
"""
SECRET, OPEN = "right: hand(opponent(me)) = number", "low: number < 4"


@pytest.mark.parametrize(
    ("left", "right", "words"),
    (
        (OPEN, SECRET, "the legal moves of seat(1), such as hint(number:"),
        (SECRET, OPEN, "the legal moves of seat(1), such as hint(number:"),
        (OPEN, "none: number > 6 - 3 * (if hand(opponent(me)) = 1 then 1 else 0)", "is refused depends on what"),
        (OPEN, "own: hand(me) != number", None),
    ),
)
def test_the_audit_finds_moves_that_reveal_the_hand_of_another_player(left: str, right: str, words: str | None) -> None:
    engine, faults = compiled(LEAKING.replace("LEFT", left).replace("RIGHT", right) + ONE_CARD_EACH), set[str]()
    for seed in range(12):
        audit, rng = Audit(engine, seed), Generator(seed)
        state = engine.start(audit.trace)
        while not engine.is_terminal(state):
            event = pick(engine, state, rng).event
            faults.update(audit.look(state, event))
            engine.advance(state, event, audit.trace)
    assert any(words in each for each in faults) if words else not faults


PUBLISHING = """
type Card = 1..6
zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private
zone table: bag of Card, open
state lead: Player = seat(1)
state luck: 0..6 = 0

action lay
  say: move all from my hand to table

action rest
  say: nothing

define held(p: Player) = max(card for card in hand(p) else 0)
define strongest = if held(seat(1)) > held(seat(2)) then seat(1) else seat(2)

play
"""
LAID = "  words: each player in seats\n    if my hand is not empty then choose lay\n"


@pytest.mark.parametrize(
    ("flow", "told"),
    (
        ("  first: lead := strongest\n", {"after `setup.deal`, hidden information decides `lead`"}),
        (
            "  first: as strongest\n    choose lay\n",
            {"after `setup.deal`, hidden information decides whose turn it is"},
        ),
        (
            "  dice: if held(seat(2)) < 4\n    random n in 1..6\n    luck := n\n",
            {"after `setup.deal`, hidden information decides whose turn it is and what is awaited"},
        ),
        (
            "  short: if held(seat(2)) < 4 then end game\n",
            {"after `setup.deal`, hidden information decides whether the play ends"},
        ),
        (
            "  die:\n    random n in set(x for x in 1..6 where x <= held(seat(2)))\n    luck := n\n",
            {"at `play.die`, hidden information decides the probabilities of chance"},
        ),
        ("  shown: as seat(2)\n    random card in my hand\n    move card from my hand to table\n", set()),
        ("", set()),
    ),
    ids=("state", "turn", "chance", "end", "outcomes", "drawn", "nothing"),
)
def test_the_audit_notes_hidden_things_made_public_by_the_rules(flow: str, told: set[str]) -> None:
    """Such things decide about something visible to all. A piece that is laid open (`lay`) needs no note."""
    engine, faults = compiled(PUBLISHING + flow + LAID + BEST + ONE_CARD_EACH), set[str]()
    for seed in range(12):
        audit, rng = Audit(engine, seed), Generator(seed)
        state = engine.start(audit.trace)
        while not engine.is_terminal(state):
            event = pick(engine, state, rng).event
            assert audit.look(state, event) == ()
            engine.advance(state, event, audit.trace)
        assert audit.look(state) == ()
        faults.update(audit.published)
    assert faults == told


BEST = """  best: lead := if max(card for card in table else 0) > 5 then seat(1) else seat(2)
  last: as lead
    choose rest
"""
