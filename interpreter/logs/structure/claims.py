"""Claims: a recorder's statements about the state after a line.

A claim is about the scores, the winners, whether the play is over, or what a state or zone holds.
"""

from __future__ import annotations

from collections.abc import Mapping

from ludex.grammar import Json, Message, did_you_mean, enumerated, escaped, value_class
from ludex.spec import is_whole
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.spoken import in_each_language
from .. import log_codes
from .problems import Problem, missing_member, unknown_members, wrong_value
from .seating import SeatedTable

CLAIMS = ("scores", "winners", "terminal", "state")
CELL_MEMBERS = ("of", "at", "is", "size")


@value_class
class CellClaim:
    """A claim about one state or zone.

    Attributes:
        indices: which of its cells, as values.
        holds: `value` is claimed to be what it holds.
        size: the claimed number of pieces; None if none is claimed.
        pointer: where in the record the claim is.
    """

    element: m.Element
    indices: tuple[t.Value, ...]
    holds: bool
    value: t.Value
    size: int | None
    pointer: str


@value_class
class Claim:
    """All claims of one line. None, and (): the line does not claim it.

    Attributes:
        scores: seat, points and the pointer to the claim.
        winners: seats; empty: nobody, the tie is undecided.
    """

    scores: tuple[tuple[int, int, str], ...] = ()
    winners: frozenset[int] | None = None
    terminal: bool | None = None
    cells: tuple[CellClaim, ...] = ()


def claim_type(element: m.Element) -> t.Type:
    """Return the type of a claim about a cell's contents: a piece or none, a list (the top of a pile last), a value."""
    match element.kind:
        case "one":
            return t.Optional(element.type)
        case "pile":
            return t.ListOf(element.type)
        case "bag":
            return t.BagOf(element.type)
        case _:
            return element.type


def has_size(element: m.Element) -> bool:
    """Test whether a claim may state the number of pieces."""
    return element.kind in ("pile", "bag")


# ---- reading --------------------------------------------------------------------------------------------------------


class ClaimReader:
    """Reads the claims of logs of one game at one table. Every method appends faults to `problems`."""

    def __init__(self, table: SeatedTable) -> None:
        self.table = table
        self.game = table.game

    def read(self, data: Json, problems: list[Problem]) -> Claim | None:
        # An empty claim would look as if something had been checked.
        if not isinstance(data, dict) or not data:
            problems.append(wrong_value("/claim", Message("one-or-more-of", names=enumerated(CLAIMS)), data))
            return None
        problems.extend(unknown_members(data, CLAIMS, "/claim", lambda: Message("a-claim")))
        terminal = data.get("terminal")
        if "terminal" in data and not isinstance(terminal, bool):
            problems.append(wrong_value("/claim/terminal", Message("expected-boolean"), terminal))
        return Claim(
            scores=self._scores(data["scores"], problems) if "scores" in data else (),
            winners=self._winners(data["winners"], problems) if "winners" in data else None,
            terminal=terminal if isinstance(terminal, bool) else None,
            cells=self._cells(data["state"], problems) if "state" in data else (),
        )

    def _scores(self, data: Json, problems: list[Problem]) -> tuple[tuple[int, int, str], ...]:
        # A list gives the scores by seat, and a list of another length leaves open whose they are.
        if isinstance(data, list) and len(data) == self.game.players:
            pairs = list(enumerate(data))
            return tuple(
                (seat, _points(p, f"/claim/scores/{seat}", problems), f"/claim/scores/{seat}") for seat, p in pairs
            )
        if not isinstance(data, dict) or not data:
            expected = Message("expected-scores", count=self.game.players)
            problems.append(wrong_value("/claim/scores", expected, data))
            return ()
        scores: dict[int, tuple[int, int, str]] = {}
        for name, points in data.items():
            pointer = f"/claim/scores/{escaped(name)}"
            # Names in JSON are texts, so a seat number is one, too. No player's name is a number (`header.py`).
            seat = self.table.seats.get(name, self.table.seat(int(name)) if _is_seat_number(name) else None)
            # A seat number and a name may mean one player, who has one score.
            if seat is None or seat in scores:
                problems.append(self.table.unknown_player(pointer, name, at_name=True))
            else:
                scores[seat] = (seat, _points(points, pointer, problems), pointer)
        return tuple(scores.values())

    def _winners(self, data: Json, problems: list[Problem]) -> frozenset[int]:
        if not isinstance(data, list):
            problems.append(wrong_value("/claim/winners", Message("expected-winners"), data))
            return frozenset()
        seats: set[int] = set()
        for at, player in enumerate(data):
            seat = self.table.seat(player)
            if seat is None:
                problems.append(self.table.unknown_player(f"/claim/winners/{at}", player))
            elif seat in seats:
                problems.append(wrong_value(f"/claim/winners/{at}", Message("winners-once"), player))
            else:
                seats.add(seat)
        return frozenset(seats)

    def _cells(self, data: Json, problems: list[Problem]) -> tuple[CellClaim, ...]:
        if not isinstance(data, list) or not data:
            problems.append(wrong_value("/claim/state", Message("list-of-cell-claims"), data))
            return ()
        claims = [self._cell(item, f"/claim/state/{at}", problems) for at, item in enumerate(data)]
        return tuple(claim for claim in claims if claim is not None)

    def _cell(self, data: Json, pointer: str, problems: list[Problem]) -> CellClaim | None:
        if not isinstance(data, dict):
            problems.append(wrong_value(pointer, Message("a-claim-about-cell"), data))
            return None
        element = self._element(data, pointer, problems)
        problems.extend(unknown_members(data, CELL_MEMBERS, pointer, lambda: Message("a-claim-about-cell")))
        if element is None:
            return None
        indices = self._indices(element, data, pointer, problems)
        # A claim must claim something.
        if "is" not in data and "size" not in data:
            problems.append(
                missing_member("is", pointer, Message("the-claim-about", name=element.name), Message("what-it-holds"))
            )
        holds = "is" in data
        value = self.table.value(claim_type(element), data["is"], f"{pointer}/is", problems) if holds else None
        size = self._size(element, data["size"], f"{pointer}/size", problems) if "size" in data else None
        return CellClaim(element, indices, holds, value, size, pointer)

    def _element(self, data: Mapping[str, Json], pointer: str, problems: list[Problem]) -> m.Element | None:
        if "of" not in data:
            problems.append(missing_member("of", pointer, Message("the-claim"), Message("name-of-cell")))
            return None
        name = data["of"]
        known = self.game.element
        if isinstance(name, str) and name in known:
            return known[name]
        # The hint is added here, since `wrong_value` does not know the names of the game.
        problem = wrong_value(f"{pointer}/of", Message("name-of-cell"), name)
        names = enumerated(f"`{each}`" for each in known)
        listed = Message("claim-cells", game=self.game.name, names=names) if known else None
        hint = (lambda: did_you_mean(name, known) or listed) if isinstance(name, str) else None
        problems.append(Problem(problem.code, problem.pointer, problem.message, hint))
        return None

    def _indices(
        self, element: m.Element, data: Mapping[str, Json], pointer: str, problems: list[Problem]
    ) -> tuple[t.Value, ...]:
        # Most states have no index, and their claims then need no `at`.
        given = data.get("at", [])
        count = len(element.indices)
        if not isinstance(given, list) or len(given) != count:
            indices = enumerated(self._type_words(type_) for type_ in element.indices)
            what = Message("list-of-indices", count=count, indices=indices) if count else Message("no-index")
            if "at" in data:
                problems.append(wrong_value(f"{pointer}/at", what, given))
            else:
                problems.append(missing_member("at", pointer, Message("the-claim-about", name=element.name), what))
            return ()
        places = enumerate(zip(element.indices, given, strict=True))
        return tuple(self.table.value(type_, index, f"{pointer}/at/{at}", problems) for at, (type_, index) in places)

    def _type_words(self, type_: t.Type) -> str:
        """Name a type by its term; every game has players."""
        if isinstance(type_, t.PlayerType):
            return Message("position-a-player")
        return in_each_language(self.game, lambda language: self.game.word(str(type_), language) or str(type_))

    def _size(self, element: m.Element, data: Json, pointer: str, problems: list[Problem]) -> int | None:
        # Of one piece or a value, the claim `is` says all.
        if not has_size(element):
            message = Message("size-needs-pile", name=element.name)
            problems.append(Problem(log_codes.UNKNOWN_FIELD, pointer, message, at_name=True))
            return None
        if is_whole(data) and data >= 0:
            return int(data)
        problems.append(wrong_value(pointer, Message("how-many-pieces"), data))
        return None


def _points(data: Json, pointer: str, problems: list[Problem]) -> int:
    if is_whole(data):
        return int(data)
    problems.append(wrong_value(pointer, Message("points-needed"), data))
    return 0


def _is_seat_number(name: str) -> bool:
    # `01` and `1` would be two names of one seat.
    return name.isascii() and name.isdigit() and len(name) < 4 and name[0] != "0"
