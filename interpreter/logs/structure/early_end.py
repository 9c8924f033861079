"""Early ends: results that the rules do not give, such as a resignation, a loss on time, or an agreed draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ludex.grammar import Json, Message, did_you_mean, enumerated, value_class

from .. import log_codes
from .problems import Problem, missing_member, unknown_members, wrong_value
from .seating import SeatedTable

_OF_MEMBERS = (log_codes.MISSING_FIELD, log_codes.UNKNOWN_FIELD)
RESULT_MEMBERS = ("by", "player", "winners")


@value_class
class EndKind:
    """The members of a result of one kind, besides `by`. A `player` ends the game, and loses it.

    Attributes:
        demanded, optional: members that it must have, and may have.
    """

    demanded: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


EARLY_ENDS: Mapping[str, EndKind] = {
    "resigned": EndKind(("player",), ("winners",)),
    "time": EndKind(("player",), ("winners",)),
    "agreed": EndKind((), ("winners",)),
    "adjudicated": EndKind(("winners",)),
    "abandoned": EndKind(),
}


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """The result of a game that its players ended before the rules did.

    Attributes:
        by: one of `EARLY_ENDS`.
        player: the seat of the player who resigned or ran out of time; None for the other ways.
        winners: seats; all of them for an agreed draw, none where the game was abandoned.
    """

    by: str
    player: int | None
    winners: tuple[int, ...]


def demanded_members(by: str, players: int) -> tuple[str, ...]:
    """Return the members that a result of this kind must have.

    Of two players the other one wins, if one resigns; of more, the record has to say who does.
    """
    members = EARLY_ENDS[by].demanded
    return (*members, "winners") if "player" in members and players > 2 else members


def allowed_members(by: str) -> tuple[str, ...]:
    """Return the members that a result of this kind may have, besides `by`."""
    return EARLY_ENDS[by].demanded + EARLY_ENDS[by].optional


def written_end(by: str, players: int, loser: str, winner: str) -> str:
    """Write a result of this kind in the notation, with the members that it must have."""
    written = {"player": f" {loser}", "winners": f"; winners {winner}"}
    return f"result {by}" + "".join(written[member] for member in demanded_members(by, players))


def read_early_end(table: SeatedTable, data: Json, problems: list[Problem]) -> EarlyEnd | None:
    """Read a result, or append its faults."""
    found: list[Problem] = []
    end = _read(table, data, found)
    if any(each.code in _OF_MEMBERS for each in found):
        # A line of the notation has no names of members: it is mended by the look of one that is right.
        ways = [f"`{way}`" for way in _written_ways(table, data)]
        hint = Message("text-result-hint", ways=enumerated(ways, "or"))
        found = [replace(each, text_hint=hint) if each.code in _OF_MEMBERS else each for each in found]
    problems += found
    return end


def _written_ways(table: SeatedTable, data: Json) -> tuple[str, ...]:
    """Write a result of the kind that is stated, by the player who is; one of each kind if none is."""
    stated = data if isinstance(data, dict) else {}
    by, loser, count = stated.get("by"), table.seat(stated.get("player")), table.game.players
    loser = count - 1 if loser is None else loser
    names = table.names or tuple(str(seat + 1) for seat in range(count))
    winner = next((seat for seat in range(count) if seat != loser), loser)
    kinds = (by,) if isinstance(by, str) and by in EARLY_ENDS else tuple(EARLY_ENDS)
    return tuple(written_end(kind, count, names[loser], names[winner]) for kind in kinds)


def _read(table: SeatedTable, data: Json, problems: list[Problem]) -> EarlyEnd | None:
    # Several faults may be found here, and any of them makes the result useless.
    before = len(problems)
    if not isinstance(data, dict):
        problems.append(wrong_value("/result", Message("object-with", names=enumerated(RESULT_MEMBERS)), data))
        return None
    by = data.get("by")
    if not isinstance(by, str) or by not in EARLY_ENDS:
        problems.append(_wrong_way(data))
        return None
    problems.extend(
        unknown_members(data, ("by", *allowed_members(by)), "/result", lambda: Message("a-result-by", way=by))
    )
    what = {"player": Message("player-who-ended"), "winners": Message("list-of-winners")}
    lacking = (name for name in demanded_members(by, table.game.players) if name not in data)
    problems.extend(missing_member(name, "/result", Message("the-result"), what[name]) for name in lacking)
    # A member that a result of this kind cannot have is one fault, whatever its value is.
    stated = data.keys() & allowed_members(by)
    player = _player(table, data["player"], problems) if "player" in stated else None
    winners = _winners(table, data["winners"], problems) if "winners" in stated else _others(table, by, player)
    return EarlyEnd(by, player, winners) if len(problems) == before else None


def _wrong_way(data: Mapping[str, Json]) -> Problem:
    expected = Message("one-of-these", names=enumerated(EARLY_ENDS))
    if "by" not in data:
        return missing_member("by", "/result", Message("the-result"), expected)
    problem, by = wrong_value("/result/by", expected, data["by"]), data["by"]
    hint = (lambda: did_you_mean(by, EARLY_ENDS)) if isinstance(by, str) else None
    return Problem(problem.code, problem.pointer, problem.message, hint)


def _player(table: SeatedTable, data: Json, problems: list[Problem]) -> int | None:
    seat = table.seat(data)
    if seat is None:
        problems.append(table.unknown_player("/result/player", data))
    return seat


def _winners(table: SeatedTable, data: Json, problems: list[Problem]) -> tuple[int, ...]:
    if not isinstance(data, list) or not data:
        problems.append(wrong_value("/result/winners", Message("list-of-winners"), data))
        return ()
    seats: list[int] = []
    for at, player in enumerate(data):
        seat = table.seat(player)
        if seat is None:
            problems.append(table.unknown_player(f"/result/winners/{at}", player))
        elif seat in seats:
            problems.append(wrong_value(f"/result/winners/{at}", Message("winners-once"), player))
        else:
            seats.append(seat)
    return tuple(sorted(seats))


def _others(table: SeatedTable, by: str, player: int | None) -> tuple[int, ...]:
    """Return the winners of a result that does not name them."""
    # Nobody wins where no winners may be named; nobody has lost an agreed draw, in which `player` is None.
    return tuple(seat for seat in range(table.game.players) if seat != player and "winners" in allowed_members(by))


def loser_among_winners(end: EarlyEnd) -> Problem | None:
    """Return the fault of a result in which somebody loses and wins."""
    if end.player is None or end.player not in end.winners:
        return None
    return Problem(log_codes.WRONG_RESULT, "/result/winners", Message("loser-wins"))
