"""Reader of log lines as events and claims: the first of the two stages of validation.

It is exactly as strict as the game's JSON Schema (`schema/json_schema.py`); a test compares the two. A fault is
reported for the event that the line names, not for others that it might have been.

Most lines of most logs hold an event of which all is known. The decoder of the game reads these (`event_decoder.py`).
What it does not read is read in full, by the code that reports faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from ludex.grammar import Json, Message, did_you_mean, enumerated, escaped, languages, shown_value, value_class
from ludex.spec import is_whole, to_json, words_of
from ludex.spec import model as m
from ludex.spec import types as t

from ...event_notation.spoken import glossed, line_in_each_language, with_terms
from ...information.event_visibility import HIDDEN
from ...information.visibility import UNSEEN_ACTION, is_partial
from ...state.api_arguments import checked, checked_names, checked_seat
from ...state.domains import is_value
from ...state.events import DECLINE, ChanceEvent, Event, Move
from .. import log_codes
from ..record import Record, write_line
from .claims import Claim, ClaimReader
from .early_end import EarlyEnd, read_early_end
from .problems import CLOCK, UNKNOWN_WORD, Problem, missing_member, quoted, unknown_members, wrong_value
from .seating import SeatedTable
from .several_events import Deal, Gap, read_cards, read_gap

if TYPE_CHECKING:
    from .event_decoder import EventDecoder

MOVE_MEMBERS = ("player", "action", "args", "claim", "clock", "note")
CHANCE_MEMBERS = ("chance", "outcome", "via", "claim", "note")
CLAIM_MEMBERS = ("claim", "note")
_PLAIN = frozenset({"player", "action", "args", "chance", "outcome", "clock", "note"})
"""Members of plain events."""
DEAL_MEMBERS = ("deal", "to", "cards", "claim", "note")
GAP_MEMBERS = ("gap", "claim", "note")
POSITION_MEMBERS = ("flow", "state", "unseen")
OVER = "over"
"""The place in the flow of a game that is over."""
POSITION_LINE_MEMBERS = ("position", "claim", "note")
RESULT_LINE_MEMBERS = ("result", "claim", "note")
LONGEST_HINT = 200
"""The largest number of characters of a mended line that a hint shows."""


@value_class
class PlainEntry:
    """The content of a line with an event, all of it known, and nothing else but remarks, as most lines are.

    A class with one attribute is made in half of the time that one with all of them takes.
    """

    event: Event
    claim: ClassVar[None] = None
    end: ClassVar[None] = None
    several: ClassVar[None] = None
    position: ClassVar[None] = None


@value_class
class FullEntry:
    """The content of any other line. position: the recorded state after the line, as it is written."""

    event: Event | None
    claim: Claim | None = None
    end: EarlyEnd | None = None
    several: Deal | Gap | None = None
    position: Json = None


Entry: TypeAlias = PlainEntry | FullEntry
"""The content of a line."""
NOTE = FullEntry(None)
"""The content of a line with nothing but remarks."""


def position_problems(game: m.Game, data: Json, pointer: str) -> Iterator[Problem]:
    """Yield the faults of a position that show without its state: members, names of states and zones, kinds of
    values."""
    if not isinstance(data, dict):
        yield wrong_value(pointer, Message("a-position-value"), data)
        return
    if not data:
        expected = Message("position-expected", members=enumerated(f"`{name}`" for name in ("state", "unseen", "flow")))
        yield wrong_value(pointer, expected, data, log_codes.POSITION_VALUE)
    yield from unknown_members(data, POSITION_MEMBERS, pointer, Message("a-position"), log_codes.POSITION_MEMBER)
    state = data.get("state", {})
    if isinstance(state, dict):
        known, owner = game.element, Message("position-the-game")
        yield from unknown_members(state, known, f"{pointer}/state", owner, log_codes.POSITION_MEMBER)
    else:
        yield wrong_value(f"{pointer}/state", Message("position-by-name"), state, log_codes.POSITION_VALUE)
    if not isinstance(data.get("unseen", []), list):
        yield wrong_value(
            f"{pointer}/unseen", Message("position-list-of-pools"), data["unseen"], log_codes.POSITION_VALUE
        )
    flow = data.get("flow", "")
    if not isinstance(flow, str | dict | list) or flow == []:
        yield wrong_value(f"{pointer}/flow", Message("position-flow", over=OVER), flow, log_codes.POSITION_PLACE)


def event_count(entry: Entry | None) -> int:
    """Return how many events the line records; a line that cannot be read counts as one."""
    if entry is None or entry.event is not None:
        return 1
    return len(entry.several.cards) if isinstance(entry.several, Deal) else 0


def leaves_open(entry: Entry | None) -> bool:
    """Return whether the line says of some event that it was not recorded, or not all of it."""
    if entry is None or isinstance(entry, PlainEntry):
        return False
    if entry.event is not None:
        return is_partial(entry.event)
    return isinstance(entry.several, Gap) or (isinstance(entry.several, Deal) and HIDDEN in entry.several.cards)


# ---- events to lines ------------------------------------------------------------------------------------------------


@checked(game=m.Game, event=(Move, ChanceEvent))
def line_of(game: m.Game, event: Event, names: Sequence[str] = ()) -> dict[str, Json]:
    """Write the event as a line of a log.

    A player is written by name or, without names, by seat from 1. What a view of the event hides is `unknown`. Raises
    ValueError for an event that this game does not know, and for names that are not one for each player.
    """
    names = checked_names(names, game.players)
    if not _is_known(game, event):
        raise ValueError(f"{game.name} has no {shown_value(event, 500)}")
    if isinstance(event, ChanceEvent):
        line: dict[str, Json] = {"chance": event.path}
        line["outcome"] = _shown(game.chances[event.path].outcome, event.outcome)
        return line if event.via is None else {**line, "via": list(event.via)}
    # A game may have an action of its own with this name.
    unseen = event.action == UNSEEN_ACTION and event.action not in game.moves
    seat = checked_seat(event.player, game.players)
    player = names[seat] if names else seat + 1
    line = {"player": player, "action": UNKNOWN_WORD if unseen else event.action}
    if not event.arguments:
        return line
    types = {name: type_ for name, type_, _ in game.moves[event.action].arguments}
    return {**line, "args": {name: _shown(types[name], value) for name, value in event.arguments}}


def line_like(record: Record, game: m.Game, event: Event, names: Sequence[str]) -> str:
    """Write an event as a line of the log to which the record belongs: in the notation, with the game's terms in each
    language, or as JSON."""
    if not record.is_text:
        return write_line(line_of(game, event, names))
    from ...event_notation.writing import NotationWriter

    return line_in_each_language(game, lambda language: NotationWriter(game, names, language).event(event))


def _is_known(game: m.Game, event: Event) -> bool:
    """Test whether the game declares the event and each of its arguments."""
    if isinstance(event, ChanceEvent):
        return event.path in game.chances
    signature = game.moves.get(event.action)
    known = {name for name, _, _ in signature.arguments} if signature else set()
    return all(name in known for name, _ in event.arguments)


def _shown(type_: t.Type, value: t.Value) -> Json:
    if value is HIDDEN:
        return UNKNOWN_WORD
    if isinstance(type_, t.BagOf | t.ListOf) and isinstance(value, tuple) and HIDDEN in value:
        return [_shown(type_.of, item) for item in value]
    if not is_value(type_, value):
        raise ValueError(f"the type {type_} does not have the value {shown_value(value)}")
    return to_json(type_, value)


READERS, _MEMO, _SHORT = 8, 4_000, 200
"""The number of readers that are kept, of entries that each of them memoizes, and of bytes of a line with such an
entry."""
WORTH_LOADING = 1_000
"""The number of lines of a game after which making its decoder pays."""
_readers: dict[tuple[int, tuple[str, ...]], LineReader] = {}
_reading = Lock()


def line_reader(game: m.Game, names: tuple[str, ...]) -> LineReader:
    """Return the reader for one game and the names of its players; the last ones are kept, for other logs."""
    key = id(game), names
    # Several threads may judge logs.
    with _reading:
        reader = _readers.get(key)  # it holds the game, so that no other can get its identity
        if reader is None:
            # The decoder does not depend on names, and takes longer to make than the reader.
            # Logs of other players of one game share it.
            same = next((each.decoder for each in _readers.values() if each.game is game), None)
            # The oldest goes first, as a dictionary keeps the order of insertion.
            while len(_readers) >= READERS:
                del _readers[next(iter(_readers))]
            reader = _readers[key] = LineReader(game, names, same)
    return reader


class LateDecoder:
    """The decoder of one game, which is made when it saves more time than that takes."""

    def __init__(self, game: m.Game) -> None:
        self._game, self._count = game, 0
        self.made: EventDecoder | None = None

    def counted(self) -> EventDecoder | None:
        """Count a line that is read; return the decoder, if it is worth while by now."""
        self._count += 1
        return self.made or (self.make() if self._count >= WORTH_LOADING else None)

    def make(self) -> EventDecoder:
        """Make and keep the decoder of events."""
        from .event_decoder import EventDecoder

        self.made = EventDecoder(self._game)
        return self.made


# ---- lines to events ------------------------------------------------------------------------------------------------


class LineReader:
    """Reads the lines of one game's logs. names: the players' names by seat, () if they have none."""

    def __init__(self, game: m.Game, names: tuple[str, ...] = (), decoder: LateDecoder | None = None) -> None:
        self.game = game
        self.table = SeatedTable(game, names)
        self.claims = ClaimReader(self.table)
        self.decoder = decoder or LateDecoder(game)
        self.types = {
            name: tuple((argument, type_) for argument, type_, _ in signature.arguments)
            for name, signature in game.moves.items()
        }
        # A game may have actions of its own with these names.
        self.types.setdefault(DECLINE, ())
        self.types.setdefault(UNKNOWN_WORD, ())
        self._seats: dict[int | str, int] = {seat + 1: seat for seat in range(game.players)}
        self._seats.update(self.table.seats.items())
        self._known: dict[bytes, Entry] = {}

    def plain(self, line: bytes) -> Entry | None:
        """Read the text of a line that holds a plain event, or that is remembered; None for most other lines.

        Equal lines may have the same entry, which nobody may change.
        """
        entry = self._known.get(line)
        if entry is None:
            entry = self.decoded(line)
            if entry is not None:
                self.remember(line, entry)
        return entry

    def remember(self, line: bytes, entry: Entry) -> None:
        """Memoize the content of a line while there is room; not of long lines, few of which are equal."""
        # Long lines hold many arguments, so that they are seldom equal.
        if len(line) <= _SHORT:
            # The memo is emptied as a whole, which needs no bookkeeping, and the usual lines are soon back.
            if len(self._known) >= _MEMO:
                self._known.clear()
            self._known[line] = entry

    def decoded(self, line: bytes) -> Entry | None:
        """Read the line as `plain` does, without memoized contents."""
        decoder = self.decoder.made or self.decoder.counted()
        event = decoder and decoder.decode(line, self._seats)
        return PlainEntry(event) if event else None

    def read(self, data: Mapping[str, Json]) -> Entry | tuple[Problem, ...]:
        """Read the line; return every fault in it if it has any."""
        decoder = self.decoder.made or self.decoder.counted()
        event = decoder and decoder.read(data, self._seats)
        # A decoder that refuses a line does not say why, so the slow reader does.
        return PlainEntry(event) if event else self.read_in_full(data)

    def read_in_full(self, data: Mapping[str, Json]) -> Entry | tuple[Problem, ...]:
        """Read the line as `read` does, without the decoder."""
        problems: list[Problem] = []
        event = self._event(data, problems)
        # A line with a fault in its event is not a deal.
        several = self._several(data, problems) if event is None else None
        claim = self.claims.read(data["claim"], problems) if "claim" in data else None
        end = read_early_end(self.table, data["result"], problems) if "result" in data else None
        if "note" in data and not isinstance(data["note"], str):
            problems.append(wrong_value("/note", Message("a-text"), data["note"]))
        if "clock" in data and not (isinstance(data["clock"], str) and re.fullmatch(CLOCK, data["clock"])):
            problems.append(wrong_value("/clock", Message("a-time", sample="0:04:31"), data["clock"]))
        if problems:
            return tuple(self._in_terms(each) for each in problems)
        if event is not None and _PLAIN.issuperset(data) and not is_partial(event):
            return PlainEntry(event)
        return FullEntry(event, claim, end, several, data.get("position"))

    def _in_terms(self, problem: Problem) -> Problem:
        message = with_terms(self.game, problem.message)
        hint = with_terms(self.game, problem.hint) if isinstance(problem.hint, str) else problem.hint
        is_same = message is problem.message and hint is problem.hint
        return problem if is_same else replace(problem, message=message, hint=hint)

    def _event(self, data: Mapping[str, Json], problems: list[Problem]) -> Event | None:
        """Read the event; None if there is none, or faults were appended."""
        if "action" in data and "chance" in data:
            message = Message("both-move-and-chance")
            problems.append(Problem(log_codes.UNCLEAR_LINE, "", message, Message("write-on-own-line")))
        elif "action" in data:
            return self._move(data, problems)
        elif "chance" in data:
            return self._chance(data, problems)
        # These are not single events, and are read by `_several`.
        elif "deal" in data or "gap" in data:
            return None
        elif "player" in data or "args" in data:
            # In this and the next two cases a member that only one kind of line has says which one was meant.
            problems.append(missing_member("action", "", Message("the-move"), Message("name-of-action")))
        elif "outcome" in data or "via" in data:
            problems.append(missing_member("chance", "", Message("the-chance-event"), Message("clause-that-raises")))
        elif "to" in data or "cards" in data:
            problems.append(missing_member("deal", "", Message("the-deal"), Message("clause-that-raises")))
        elif "ludex" in data:
            # Two logs were put together. A log of several games is divided before its lines are read.
            problems.append(Problem(log_codes.SECOND_LOG_HEADER, "/ludex", Message("second-header"), at_name=True))
        elif "position" in data:
            problems.extend(unknown_members(data, POSITION_LINE_MEMBERS, "", lambda: Message("a-position")))
            problems += position_problems(self.game, data["position"], "/position")
        elif "result" in data:
            problems.extend(unknown_members(data, RESULT_LINE_MEMBERS, "", lambda: Message("a-result")))
        elif "claim" in data or "note" in data:
            problems.extend(unknown_members(data, CLAIM_MEMBERS, "", lambda: Message("a-claim-or-note")))
        else:
            problems.append(_unclear(data))
        return None

    # ---- moves

    def _move(self, data: Mapping[str, Json], problems: list[Problem]) -> Move | None:
        before = len(problems)
        player = self._mover(data, problems)
        name = data["action"]
        types = self.types.get(name) if isinstance(name, str) else None
        if types is None:
            problems.append(self._unknown_action(name))
        stray = _stray(data, types or ())
        problems.extend(unknown_members(data, (*MOVE_MEMBERS, *stray), "", lambda: Message("a-move")))
        if types is None:
            return None
        # Stray arguments are reported once, and not also as missing.
        if stray:
            problems.append(_belongs_in_args(data, stray))
            types = tuple((argument, type_) for argument, type_ in types if argument not in stray)
        arguments = self._arguments(name, types, data, problems)
        unseen = name == UNKNOWN_WORD and UNKNOWN_WORD not in self.game.moves
        return Move(player, UNSEEN_ACTION if unseen else name, arguments) if len(problems) == before else None

    def _mover(self, data: Mapping[str, Json], problems: list[Problem]) -> int:
        if "player" not in data:
            problems.append(missing_member("player", "", Message("the-move"), Message("seat-or-name")))
            return 0
        seat = self.table.seat(data["player"])
        if seat is None:
            problems.append(self.table.unknown_player("/player", data["player"]))
        return seat or 0

    def _unknown_action(self, name: Json) -> Problem:
        if not isinstance(name, str):
            return wrong_value("/action", Message("name-of-an-action"), name)
        # `?` is not an action of the game to suggest.
        known = [path for path in self.types if path != UNKNOWN_WORD]
        message = Message("no-such-action", game=self.game.name, name=quoted(name))
        # Another text of the game may have the action.
        if len(self.game.editions) > 1:
            message = Message("in-the-edition", message=message, edition=self.game.edition)
        return Problem(
            log_codes.UNKNOWN_ACTION,
            "/action",
            message,
            lambda: did_you_mean(name, self.types) or self._meant(name, known),
        )

    def _arguments(
        self, action: str, types: tuple[tuple[str, t.Type], ...], data: Mapping[str, Json], problems: list[Problem]
    ) -> tuple[tuple[str, t.Value], ...]:
        given = data.get("args", {})
        if not isinstance(given, dict):
            problems.append(wrong_value("/args", Message("arguments-by-name"), given))
            return ()
        # The usual case needs no look at the single names.
        if len(given) > len(types) or any(name not in given for name, _ in types):
            names = tuple(name for name, _ in types)
            problems.extend(unknown_members(given, names, "/args", action))
            lacking = [missing_member(name, "/args", action, words_of(of)) for name, of in types if name not in given]
            # Without `args` the place to show is the line.
            problems += lacking if "args" in data else [replace(each, pointer="") for each in lacking]
        # Missing ones were reported.
        stated = ((name, type_) for name, type_ in types if name in given)
        return tuple((name, self.table.stated(of, given[name], f"/args/{name}", problems)) for name, of in stated)

    # ---- chance events

    def _chance(self, data: Mapping[str, Json], problems: list[Problem]) -> ChanceEvent | None:
        before = len(problems)
        path = data["chance"]
        signature = self._signature(path, "/chance", problems)
        problems.extend(unknown_members(data, CHANCE_MEMBERS, "", lambda: Message("a-chance-event")))
        via = _via(data["via"], problems) if "via" in data else None
        if "outcome" not in data:
            problems.append(missing_member("outcome", "", Message("the-chance-event"), Message("how-it-came-out")))
        if signature is None or "outcome" not in data:
            return None
        outcome = self.table.stated(signature.outcome, data["outcome"], "/outcome", problems)
        return ChanceEvent(path, outcome, via) if len(problems) == before else None

    # ---- deals and gaps

    def _several(self, data: Mapping[str, Json], problems: list[Problem]) -> Deal | Gap | None:
        if "action" in data or "chance" in data:
            return None
        if "deal" in data:
            return self._deal(data, problems)
        if "gap" not in data:
            return None
        problems.extend(unknown_members(data, GAP_MEMBERS, "", lambda: Message("a-gap")))
        return read_gap(data["gap"], problems)

    def _deal(self, data: Mapping[str, Json], problems: list[Problem]) -> Deal | None:
        before = len(problems)
        signature = self._signature(data["deal"], "/deal", problems)
        problems.extend(unknown_members(data, DEAL_MEMBERS, "", lambda: Message("a-deal")))
        seat = self.table.seat(data["to"]) if "to" in data else None
        if "to" in data and seat is None:
            problems.append(self.table.unknown_player("/to", data["to"]))
        if "cards" not in data:
            problems.append(missing_member("cards", "", Message("the-deal"), Message("list-of-cards")))
        if signature is None or "cards" not in data:
            return None
        cards = read_cards(self.table, signature.outcome, data["cards"], problems)
        return Deal(data["deal"], seat, cards) if len(problems) == before else None

    def _signature(self, path: Json, pointer: str, problems: list[Problem]) -> m.ChanceSignature | None:
        """Return the chance event of this path, or append its faults."""
        signature = self.game.chances.get(path) if isinstance(path, str) else None
        if signature is None:
            problems.append(self._unknown_chance(path, pointer))
        return signature

    def _unknown_chance(self, path: Json, pointer: str) -> Problem:
        if not isinstance(path, str):
            return wrong_value(pointer, Message("path-of-clause"), path)
        known = self.game.chances
        message = Message("no-such-chance", game=self.game.name, name=quoted(path))
        if len(self.game.editions) > 1:
            message = Message("in-the-edition", message=message, edition=self.game.edition)

        def hint() -> str:
            return did_you_mean(path, known) or (self._meant(path, known) if known else Message("no-chance-events"))

        return Problem(log_codes.UNKNOWN_CHANCE, pointer, message, hint)

    def _meant(self, word: str, paths: Iterable[str]) -> str:
        """Suggest the term that is nearest to a word, in its language; list the paths with their terms if none is."""
        spoken = {
            "_".join(text.split()): text
            for path in paths
            for language in languages()
            # The English terms are nearly the paths, which were tried already.
            if language != "en" and (text := self.game.word(path, language))
        }
        # Blanks in terms would make every term too far from a word.
        near = did_you_mean("_".join(word.split()), spoken)
        return near or Message("the-game-has", names=enumerated(glossed(self.game, path) for path in paths))


def _stray(data: Mapping[str, Json], types: tuple[tuple[str, t.Type], ...]) -> tuple[str, ...]:
    """List arguments of the action that are beside `args` instead of in it."""
    given = data.get("args", {})
    # An argument `player` cannot be told from the member of the line.
    known = [name for name, _ in types if name not in MOVE_MEMBERS]
    return tuple(name for name in known if name in data and isinstance(given, dict) and name not in given)


def _belongs_in_args(data: Mapping[str, Json], stray: tuple[str, ...]) -> Problem:
    # What is in `args` already stays.
    args = {**data.get("args", {}), **{name: data[name] for name in stray}}
    mended: dict[str, Json] = {}
    for name, value in data.items():
        # The place of the arguments in the line stays as the author had it.
        if name in stray or name == "args":
            mended["args"] = args
        else:
            mended[name] = value
    words = Message("belongs-in-args", names=enumerated(f"`{name}`" for name in stray), count=len(stray))
    return Problem(log_codes.UNKNOWN_FIELD, f"/{escaped(stray[0])}", words, _written(mended), at_name=True)


def _written(line: Mapping[str, Json]) -> str | None:
    """Write a line for a hint, unless it is too long to be read in a report."""
    text = write_line(line)
    return Message("write", text=text) if len(text) <= LONGEST_HINT else None


def _via(data: Json, problems: list[Problem]) -> tuple[int, ...] | None:
    if isinstance(data, list) and data and all(is_whole(pool) and pool >= 0 for pool in data):
        return tuple(data)
    problems.append(wrong_value("/via", Message("numbers-of-pools"), data))
    return None


def _unclear(data: Mapping[str, Json]) -> Problem:
    """Report a line that is neither a move nor anything else; most likely a member is misspelt."""
    known = (*MOVE_MEMBERS, "chance", "outcome", "deal", "gap", "position")
    near = [(name, hint) for name in data if (hint := did_you_mean(name, known))]
    # Only the first member is reported, as one misspelt member makes the others look wrong too.
    if near:
        name, hint = near[0]
        return Problem(
            log_codes.UNCLEAR_LINE,
            f"/{escaped(name)}",
            Message("no-event-has", name=quoted(name)),
            hint,
            at_name=True,
        )
    return Problem(log_codes.UNCLEAR_LINE, "", Message("unclear-line"), Message("unclear-line-hint"))
