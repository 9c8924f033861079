"""The cheat sheet of a game: every move and chance event in words and in the notation, with an example."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

from ludex.grammar import Message, enumerated, in_language
from ludex.interpreter import (
    DECLINE,
    EARLY_ENDS,
    ChanceEvent,
    Engine,
    Event,
    Generator,
    Move,
    NotationWriter,
    TextWriter,
    claim_type,
    has_size,
    header_of,
    playout,
    sample_events,
    written_end,
)
from ludex.spec import all_steps, to_json
from ludex.spec import model as m
from ludex.spec import types as t

from ..reporting import broken, table, words
from ..reporting import language as own_language
from .display_names import Speech

MOST_WORDS = 60
"""The largest number of words of a type that are listed."""
_MOST_EVENTS = 200
"""The number of events of a play that are searched for outcomes that follow one another."""
NO_EXAMPLE = "-"
_GROUPS = {"options": "option", "readings": "reading"}
"""The members of a header that have a line for each of their parts, and what the lines are called."""
_NUMBERED = re.compile(r"(.*?)([0-9]+)")
_NAMES = 7
"""How many names the entry `cheat-name` has."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A move or chance event. words: its name; form: its notation; example: may be empty."""

    name: str
    words: str
    form: str
    example: str


@dataclass(frozen=True, slots=True)
class CheatSheet:
    """The notation of one game.

    beginning: the first lines of a text log, each with what it says.
    lines: what else a log may hold, which is much the same for all games.
    words: of each type with words, the signs of its values and what they are called.
    remarks: what else is to be known.
    """

    title: str
    beginning: tuple[tuple[str, str], ...]
    moves: tuple[SheetRow, ...]
    chances: tuple[SheetRow, ...]
    lines: tuple[SheetRow, ...]
    words: tuple[tuple[str, tuple[str, ...]], ...]
    remarks: tuple[str, ...]

    def rows(self, width: int) -> Iterator[str]:
        """Write the sheet for a page of this width."""
        yield self.title
        yield ""
        yield words("cheat-begin")
        yield from table([["", line, meaning] for line, meaning in self.beginning])
        tables = (("cheat-move", self.moves), ("cheat-chance", self.chances), ("cheat-line", self.lines))
        for heading, rows in tables:
            head = [words(entry) for entry in (heading, "cheat-notation", "cheat-example")]
            if rows:
                yield ""
                yield from table([head, *([row.words, row.form, row.example or NO_EXAMPLE] for row in rows)])
        if self.words:
            yield ""
        for called, own in self.words:
            yield from broken([f"{called}: {own[0]}", *own[1:]], width)
        yield ""
        yield from self.remarks

    def to_json(self) -> dict[str, Any]:
        rows = {"moves": self.moves, "chances": self.chances, "lines": self.lines}
        return {
            name: [
                {"name": row.name, "words": row.words, "notation": row.form, "example": row.example or None}
                for row in each
            ]
            for name, each in rows.items()
        }


def cheat_sheet(engine: Engine, language: str | None) -> CheatSheet:
    """Make the cheat sheet of a game, with its terms in the language. Examples are from random plays."""
    game = engine.game
    names = sample_names(game.players, own_language())
    speech, writer = Speech(game, names, language), NotationWriter(game, names, language)
    # What is rare in random plays is shown with the first value of each type.
    events = {**dict(_first_events(game)), **sample_events(engine)}
    called = Message("show-edition", title=speech.title, edition=game.edition) if game.editions else speech.title
    decisions = (each for each in all_steps(*game.routines) if isinstance(each, m.Decide))
    declines = DECLINE in events or any(decision.optional for decision in decisions)
    moves = (*game.moves, DECLINE) if declines else tuple(game.moves)
    return CheatSheet(
        words("cheat-title", title=called),
        tuple((speech.notation(line), meaning) for line, meaning in _beginning(game, names, language)),
        tuple(_move(game, name, events.get(name), speech, writer) for name in moves),
        tuple(_chance(game, path, events.get(path), speech, writer) for path in game.chances),
        tuple(
            SheetRow(name, words(f"cheat-{name}"), speech.notation(form), speech.notation(example))
            for name, form, example in _lines(engine, events, writer)
        ),
        (
            *_words(game, speech, writer),
            (words("cheat-cells"), tuple(speech.notation(_cell(each, writer)) for each in game.elements)),
        ),
        tuple(_remarks(game, writer)),
    )


def _first_events(game: m.Game) -> Iterator[tuple[str, Event]]:
    """Yield each move and chance event with the first of its values, if there are any."""
    for name, move in game.moves.items():
        if all(t.size(of) != 0 for _, of, _ in move.arguments):
            yield name, Move(0, name, tuple((argument, t.zero(of)) for argument, of, _ in move.arguments))
    for path, chance in game.chances.items():
        if t.size(chance.outcome) != 0:
            yield path, ChanceEvent(path, t.zero(chance.outcome))


def sample_names(players: int, language: str | None) -> tuple[str, ...]:
    """Return names for the players of an example; () if there are too many."""
    numbers = range(1, players + 1) if players <= _NAMES else ()
    return tuple(in_language(Message("cheat-name", number=number), language) for number in numbers)


def _beginning(game: m.Game, names: Sequence[str], language: str | None) -> Iterator[tuple[str, str]]:
    """List the tags of a log of this game, as far as a person writes them, and what each says."""
    # Nobody types a fingerprint.
    header = replace(header_of(game, names), fingerprint=None).to_json()
    tags = {"date": "2026-11-23", **({"language": language} if language is not None else {})}
    writer, begin = TextWriter(game, names), {"ludex": header.pop("ludex")}
    for member, value in {**header, "tags": tags}.items():
        # A member with parts has a line for each of them.
        for own in value if isinstance(value, dict) else (None,):
            tag = _GROUPS.get(member, own or member)
            line = writer.header({**begin, member: value if own is None else {own: value[own]}})
            yield line.rstrip("\n"), words(f"tag-{tag}")


def _remarks(game: m.Game, writer: NotationWriter) -> Iterator[str]:
    known = writer.vocabulary.actions.known
    shortened = ((name, name.rpartition(".")[2]) for name in game.moves if "." in name)
    short = next((pair for pair in shortened if known.get(pair[1]) == pair[0]), None)
    if writer.language is not None:
        yield words("cheat-typed")
    named = short or next(((name, name) for name in game.moves), None)
    called = writer.vocabulary.actions.word(named[0], writer.language) if named else ""
    if named is not None and called not in named:
        names = enumerated([f"`{name}`" for name in dict.fromkeys(named)], "or")
        yield words("cheat-names-too", word=called, names=names)
    elif short is not None:
        yield words("cheat-short", name=short[0], short=short[1])
    if len(game.moves) + len(game.chances) > 1:
        yield words("cheat-begins")
    yield words("cheat-hint")


def _move(game: m.Game, name: str, event: Event | None, speech: Speech, writer: NotationWriter) -> SheetRow:
    arguments = writer.vocabulary.arguments(name)
    asked = ", ".join(speech.word(f"{name}.{argument}", argument) for argument, _ in arguments)
    called = f"{speech.word(name)}: {asked}" if asked else speech.word(name)
    # Random plays seldom decline; the example needs none of them, as the move has no arguments.
    event = Move(0, name) if name == DECLINE else event
    example = writer.event(event) if event is not None else ""
    form = writer.vocabulary.shape(name, writer.language)
    return SheetRow(name, called, speech.notation(form), speech.notation(example))


def _chance(game: m.Game, path: str, event: Event | None, speech: Speech, writer: NotationWriter) -> SheetRow:
    form = f"{writer.chance(path)} = {writer.vocabulary.form(game.chances[path].outcome, writer.language)}"
    example = writer.event(event) if event else ""
    return SheetRow(path, speech.word(path), speech.notation(form), speech.notation(example))


def _lines(engine: Engine, events: Mapping[str, Event], writer: NotationWriter) -> Iterator[tuple[str, str, str]]:
    """List the lines that are neither moves nor outcomes, and what may follow a move: name, form, example."""
    game = engine.game
    players = [writer.mover(seat) for seat in range(game.players)]
    path = next((each.path for each in all_steps(*game.routines) if _is_dealt(each) and each.path in events), None)
    if path is not None and isinstance(dealt := events[path], ChanceEvent):
        card = writer.vocabulary.form(game.chances[path].outcome, writer.language)
        deal = f"deal {writer.chance(path)} to"
        sample = writer.outcome(dealt)
        yield "deal", f"{deal} {'|'.join(players)} = {{{card}, ...}}", f"{deal} {players[0]} = {{{sample}, ?}}"
    if pair := _in_a_row(engine):
        each, following = pair
        card = writer.vocabulary.form(game.chances[each.path].outcome, writer.language)
        deal = f"deal {writer.chance(each.path)} ="
        samples = f"{{{writer.outcome(each)}, {writer.outcome(following)}}}"
        yield "in-a-row", f"{deal} {{{card}, ...}}", f"{deal} {samples}"
    yield "gap", "gap", "gap"
    if game.chances:
        yield "gap-chance", "gap chance", "gap chance"
    yield "gap-count", "gap 1..1000", "gap 3"
    made = next((event for event in events.values() if isinstance(event, Move)), None)
    move, bare = (write(made) if made else "..." for write in (writer.event, writer.move))
    yield "bare", "1. ...", f"1. {bare}"
    yield "clock", "...; clock 0:00", f"{move}; clock 4:31"
    points = ", ".join(f"{player} {9 - seat}" for seat, player in enumerate(players))
    yield "scores", "claim scores ...", f"claim scores {points}"
    yield "winners", "claim winners ...", f"claim winners {players[0]}"
    yield "over", "claim over", f"claim scores {points}; winners {players[0]}; over"
    yield "not-over", "claim not over", "claim not over"
    yield from _claims(game, writer)
    for way in EARLY_ENDS:
        form = written_end(way, game.players, "...", "...")
        yield way, form, written_end(way, game.players, players[-1], players[0])


def _claims(game: m.Game, writer: NotationWriter) -> Iterator[tuple[str, str, str]]:
    """List the claims about a state or zone, and about how many pieces one holds."""
    texts = TextWriter(game, writer.vocabulary.names, writer.language)
    sorts = {"cell": lambda element: True, "size": has_size}
    for name, fits in sorts.items():
        # Whole piles and hands come last, since nobody writes all their pieces if there is anything else.
        usual = sorted(filter(fits, game.elements), key=has_size)
        element = next((each for each in usual if all(t.size(of) for of in each.indices)), None)
        if element is None:
            continue
        cell: dict[str, Any] = {"of": element.name}
        if element.indices:
            cell["at"] = [to_json(of, t.zero(of)) for of in element.indices]
        of = claim_type(element)
        claimed = {"size": 1} if name == "size" else {"is": to_json(of, t.zero(of))}
        form = writer.vocabulary.form(of, writer.language)
        called = _cell(element, writer)
        shape = f"claim size {called} = 0.." if name == "size" else f"claim {called} = {form}"
        yield name, shape, texts.line({"claim": {"state": [{**cell, **claimed}]}})


def _cell(element: m.Element, writer: NotationWriter) -> str:
    """Show how a state or zone is written: `hand(Anna|Boris)`."""
    words = writer.vocabulary
    indices = ",".join(words.form(of, writer.language) for of in element.indices)
    name = words.elements.word(element.name, writer.language)
    return f"{name}({indices})" if indices else name


def _in_a_row(engine: Engine) -> tuple[ChanceEvent, ChanceEvent] | None:
    """Return two outcomes of the chance event that most often follows itself in a random play, if one does."""
    events = [turn.event for turn in islice(playout(engine, Generator(0)), _MOST_EVENTS)]
    pairs = [
        (one, other)
        for one, other in pairwise(events)
        if isinstance(one, ChanceEvent) and isinstance(other, ChanceEvent) and one.path == other.path
    ]
    often = Counter(one.path for one, _ in pairs).most_common(1)
    return next((pair for pair in pairs if pair[0].path == often[0][0]), None)


def _is_dealt(statement: m.Step) -> bool:
    """Test whether the statement draws pieces into a place of a player's own."""
    return (
        isinstance(statement, m.DrawPieces)
        and bool(indices := statement.target.element.indices)
        and isinstance(indices[0], t.PlayerType)
    )


def _words(game: m.Game, speech: Speech, writer: NotationWriter) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List the words of every type that moves and outcomes are made of."""
    stated = [of for signature in game.moves.values() for _, of, _ in signature.arguments]
    # Two opposite corners show from where the notation of squares counts, and which part of it is the row.
    for record in dict.fromkeys(of for of in stated if isinstance(of, t.Record) and len(of.members) > 1):
        first, last = (
            (writer.value(record, at), _in_fields(record, at, speech)) for at in (0, len(record.members) - 1)
        )
        if writer.vocabulary.form(record) == f"{first[0]}..{last[0]}":
            yield speech.word(str(record), str(record)), (f"{first[0]} = {first[1]}", "...", f"{last[0]} = {last[1]}")
        else:
            # It is written by its fields, whose names do not say how far their numbers go.
            numbers = [(name, of) for name, of in record.fields if isinstance(of, t.Range)]
            ranges = tuple(f"{speech.word(f'{record}.{name}', name)} {of.low}..{of.high}" for name, of in numbers)
            yield from [(speech.word(str(record), str(record)), ranges)] if ranges else []
    types = dict.fromkeys(
        inner for of in (*stated, *(each.outcome for each in game.chances.values())) for inner in _inner(of)
    )
    for type_ in types:
        called = speech.word(str(type_), str(type_))
        own = type_.ids if isinstance(type_, t.ComponentType) else [case.name for case in type_.cases]
        signs = [speech.notation(sign) for sign in _in_runs([_sign(type_, name, speech, writer) for name in own])]
        more = [words("view-more", count=len(signs) - MOST_WORDS)] if len(signs) > MOST_WORDS else []
        if signs:
            yield called, (*signs[:MOST_WORDS], *more)


def _in_runs(signs: Sequence[str]) -> list[str]:
    """Write three and more words that are numbered one after another as one: `s01..s12`."""
    runs: list[list[str]] = []
    for sign in signs:
        if runs and sign == _next(runs[-1][-1]):
            runs[-1].append(sign)
        else:
            runs.append([sign])
    return [text for run in runs for text in ([f"{run[0]}..{run[-1]}"] if len(run) > 2 else run)]


def _next(sign: str) -> str | None:
    match = _NUMBERED.fullmatch(sign)
    return f"{match[1]}{int(match[2]) + 1:0{len(match[2])}}" if match else None


def _in_fields(record: t.Record, at: int, speech: Speech) -> str:
    """Write a record as it is read without its sign: `ace,clubs`."""
    parts = zip(record.fields, record.members[at], strict=True)
    return ",".join("_".join(speech.value(of, part).split()) for (_, of), part in parts)


def _sign(type_: t.Words | t.ComponentType, name: str, speech: Speech, writer: NotationWriter) -> str:
    """Write a word in the notation and, if it is called otherwise, in words."""
    vocabulary = writer.vocabulary.words(type_)
    word = vocabulary.word(name, writer.language)
    case = type_.case(name) if isinstance(type_, t.Words) else None
    if case is not None and case.fields:
        word = f"{word}({','.join(writer.vocabulary.form(of, writer.language) for _, of in case.fields)})"
    called = speech.word(f"{type_}.{name}", name)
    others = [called] if called != word else []
    # Not every reader knows the plain letters for the signs; of `S` and `s` one will do.
    others += dict.fromkeys(sign.upper() for sign in vocabulary.signs(name)[1:])
    return word if (case is not None and case.fields) or not others else f"{word} ({', '.join(others)})"


def _inner(type_: t.Type) -> Iterator[t.Words | t.ComponentType]:
    match type_:
        case t.Words() | t.ComponentType():
            yield type_
            for case in type_.cases if isinstance(type_, t.Words) else ():
                for _, of in case.fields:
                    yield from _inner(of)
        case t.Record(fields=fields):
            for _, of in fields:
                yield from _inner(of)
        case t.Optional(of=of) | t.SetOf(of=of) | t.BagOf(of=of) | t.ListOf(of=of):
            yield from _inner(of)
