"""Games for tests of logs, built by hand, with a value of every type."""

from __future__ import annotations

from ludex.grammar import Span
from ludex.spec.model import ChanceSignature, Element, Fork, Game, MoveSignature, OptionSetting, Routine, Sequence
from ludex.spec.values.types import (
    BagOf,
    Bool,
    Case,
    ComponentType,
    ListOf,
    Optional,
    PlayerType,
    Range,
    Record,
    SetOf,
    Type,
    Words,
)

HERE = Span("made.ludex", 1, 1, 1, 2)
PLAYER = PlayerType(2)
FAMILY = Words("Family", (Case("earth"), Case("air"), Case("fire")))
EFFECT = Words(
    "Effect", (Case("nothing_more"), Case("gain", (("x", Range(1, 3)),)), Case("per", (("family", FAMILY),)))
)
NAMES = ("Alyona", "Elena")
"""The names of the players."""
SITE = Record("Site", (("level", Range(1, 4)), ("col", Range(1, 4))), tuple((a, b) for a in (1, 2) for b in (1, 2, 3)))
CARD = ComponentType("Card", ("l01", "l02", "l03"), (("cost", Range(0, 8)),), ((1,), (2,), (3,)), (1, 2, 1))

MOVES: dict[str, tuple[tuple[str, Type], ...]] = {
    "study": (("card", CARD), ("at", SITE)),
    "scout": (("card", CARD),),
    "pay": (("cards", BagOf(CARD)), ("cost", Range(0, 12)), ("gently", Bool())),
    "resolve.gain": (("effect", EFFECT), ("family", Optional(FAMILY))),
    "aim": (("target", PLAYER), ("helper", Optional(PLAYER)), ("others", SetOf(PLAYER))),
    "arrange": (("order", ListOf(FAMILY)), ("sites", SetOf(SITE))),
    "roll": (),
}
CHANCES: dict[str, Type] = {"setup.row": CARD, "roll.die": Range(1, 6), "setup.start": PLAYER, "turn.event": EFFECT}


def element(name: str, kind: str, indices: tuple[Type, ...], type_: Type, visibility: str = "open") -> Element:
    return Element(name, kind, indices, type_, visibility, 0, 1, None, HERE)  # type: ignore[arg-type]


ELEMENTS = (
    element("token", "state", (PLAYER,), Range(0, 8)),
    element("round", "state", (), Range(1, 9)),
    element("row", "one", (Range(1, 8, "Slot"),), CARD),
    element("pyramid", "one", (PLAYER, SITE), CARD),
    element("hand", "bag", (PLAYER,), CARD, "private"),
    element("stack", "pile", (), CARD, "hidden"),
)


def made_game() -> Game:
    """A game with signatures and elements that cannot be played."""
    return Game(
        name="made",
        edition="en",
        silence="borrow",
        players=2,
        player_counts=(2, 3),
        titles={"en": "Made"},
        documents={},
        fingerprint="0123456789abcdef",
        types={},
        components=(CARD,),
        elements=ELEMENTS,
        defines={},
        actions={},
        setup=None,
        play=Routine("play", Sequence("play", HERE, ()), 1),
        scores=(),
        winner=(),
        refills=(),
        forks=(Fork("refill", (("at_once", "a"), ("later", "b")), "at_once", "at_once", "why", HERE),),
        options=(OptionSetting("tiles", Range(0, 3), 0, 0, HERE),),
        examples=(),
        moves={
            name: MoveSignature(name, tuple((argument, type_, False) for argument, type_ in arguments), HERE)
            for name, arguments in MOVES.items()
        },
        chances={path: ChanceSignature(path, type_, HERE) for path, type_ in CHANCES.items()},
        clauses={},
        editions=("en", "ru"),
    )
