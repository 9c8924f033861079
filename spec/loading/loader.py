"""Loader: the pipeline from the text of a game to the checked game for one table, one call for each stage.

edition -> elaborate -> check -> Game
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from ludex.grammar import (
    Diagnostic,
    Diagnostics,
    Failure,
    Message,
    Note,
    did_you_mean,
    format_declaration,
    mapped,
    shown_text,
    whole_file,
    without_identifiers,
)
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..budget import Meter
from ..text import all_stated, resolved_terms
from ..values.codec import to_json
from .game_text import Edition, GameText, edition_of
from .request import Request

if TYPE_CHECKING:
    from ..checks.checking import Subject
    from ..elaborate import Elaborated, Setting

MISSING_LISTED = 8
"""The largest number of missing parts of an edition that a report names."""
PLACES_SHOWN = 3
"""At how many places that need a missing part a report points."""
ADD_PLAY = "add `play` with a block of steps"
BORROW_IT = "play it with `--silence borrow`: what it leaves out is then taken from the other texts"

Item = TypeVar("Item")
NodeT = TypeVar("NodeT", bound=s.Node)


@dataclass(frozen=True, slots=True)
class Built:
    """A game for one table, or the diagnostics that say why there is none.

    Attributes:
        game: None if the spec has errors at this table.
        diagnostics: errors and warnings, but for those that need all tables together (`check_text`).
        example_requests: the tables with other options or readings that its examples ask for.
    """

    game: m.Game | None
    diagnostics: tuple[Diagnostic, ...]
    example_requests: tuple[Request, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(diagnostic for diagnostic in self.diagnostics if diagnostic.is_error)

    def playable(self) -> m.Game:
        """Return the game. Raises Failure, with the errors, if there is none.

        Every command that plays calls this, so no game with errors is ever played."""
        if self.game is None:
            raise Failure(self.errors)
        return self.game


def build(text: GameText, request: Request, logged: bool = True) -> Built:
    """Return the checked game for one table, or the diagnostics that say why there is none.

    A game with errors cannot be played by any command. Errors at other tables do not count, since they change nothing
    in a play at this one.

    logged: whether the header of a log may name this game. If not, it has no fingerprint, which takes a while to
    compute."""
    # The checks are imported late, as is elaboration: a game from the cache needs neither.
    from ..checks.checking import check_one_table

    assembled = assemble(text, request)
    elaborated = assembled.elaborated
    if elaborated is not None and assembled.sound:
        assembled.diagnostics.extend(check_one_table(subject_of(text, assembled, elaborated)))
    if elaborated is None or elaborated.play is None or not assembled.sound:
        return Built(None, assembled.diagnostics.sorted())
    requests = example_requests(assembled, text.game.header.players[0])
    return Built(
        _game(text, request, assembled, elaborated, elaborated.play, logged), assembled.diagnostics.sorted(), requests
    )


@dataclass(frozen=True, slots=True)
class Assembled:
    """The elaborated game for one table, and the diagnostics. `elaborated` is None if elaboration could not begin."""

    request: Request
    diagnostics: Diagnostics
    setting: Setting | None = None
    edition: Edition | None = None
    elaborated: Elaborated | None = None

    @property
    def sound(self) -> bool:
        return not self.diagnostics.has_errors


def assemble(text: GameText, request: Request, examples: bool = True) -> Assembled:
    diagnostics = Diagnostics()
    diagnostics.extend(text.diagnostics)
    siglum = requested_edition(text, request, diagnostics)
    setting = _setting(text, request, diagnostics)
    # Elaboration of a faulty text would report consequences.
    if diagnostics.has_errors or setting is None:
        return Assembled(request, diagnostics)
    unreadable = [file for file in text.component_files.values() if not file.readable]
    if unreadable:  # else the rules that use their columns would be reported as wrong
        for file in unreadable:
            diagnostics.extend(file.diagnostics)
        return Assembled(request, diagnostics)
    setting = replace(setting, examples=examples)
    edition = text.edition(siglum, request.silence)
    if request.read_as:
        _check_read_as(text, request, siglum, diagnostics)
        edition = edition_of(text, siglum, request.silence, request.read_as)
    _decided_otherwise(text, request, siglum, edition, diagnostics)
    elaborated = _elaborate(text, edition, setting, diagnostics)
    _clauses_twice(edition.twice, diagnostics)
    diagnostics = _incomplete(text, siglum, edition, diagnostics)
    if elaborated.play is None and not diagnostics.has_errors:
        header = text.game.header
        place = header.name.span
        diagnostics.report(spec_codes.NO_PLAY, "the game has no `play`, so nothing happens", place, ADD_PLAY)
    if not diagnostics.has_errors:
        diagnostics.extend(text.faults_of_terms)
        diagnostics.extend(text.faults_of_picture)
        diagnostics.extend(text.faults_of_apparatus)
    return Assembled(request, diagnostics, setting, edition, elaborated)


def _check_read_as(text: GameText, request: Request, siglum: str | None, diagnostics: Diagnostics) -> None:
    paths = {clause.path for clause in all_stated(text.declarations)}
    for path, other in request.read_as.items():
        if siglum not in text.texts or other not in text.texts:
            _unknown(diagnostics, text, f"`{text.name}` has no text `{other}`", other, text.texts)
        elif path not in paths:
            _unknown(diagnostics, text, f"`{text.name}` has no clause `{path}`", path, paths)


def _decided_otherwise(
    text: GameText, request: Request, siglum: str | None, edition: Edition, diagnostics: Diagnostics
) -> None:
    """Report a requested reading that the words of the text do not admit."""
    for node in edition.declarations:
        if isinstance(node, s.ForkDeclaration) and node.decided and node.name in request.readings:
            message = Message(
                "game-decides-fork", edition=f"`{siglum}`", name=f"`{node.name}`", reading=f"`{node.default}`"
            )
            diagnostics.report(
                spec_codes.BAD_SETTING, message, whole_file(text.game.name), Message("game-decides-hint")
            )


def _incomplete(text: GameText, siglum: str | None, edition: Edition, diagnostics: Diagnostics) -> Diagnostics:
    """Merge the reports of missing parts into one, which names everything that the game needs and its text leaves out.

    Without this, an edition that lacks a fact would give one report for each use of the fact."""
    missing = [each for each in diagnostics.sorted() if each.code is spec_codes.NO_GAME_ALONE]
    has_play = any(isinstance(node, s.PlayDeclaration) for node in edition.declarations)
    is_left_out = not has_play and any(path.partition(".")[0] == "play" for path in edition.silent)
    if siglum is None or not (missing or is_left_out):
        return diagnostics
    lacks = [*(["`play` (the course of the game)"] if is_left_out else []), *(each.message for each in missing)]
    listed = ", ".join(lacks[:MISSING_LISTED]) + (
        f" and {len(lacks) - MISSING_LISTED} more" if len(lacks) > MISSING_LISTED else ""
    )
    message = f"`{siglum}` alone is not a complete game: only other texts state {listed}"
    notes = tuple(Note(f"here {each.message} is needed", each.span) for each in missing[:PLACES_SHOWN])
    less = Diagnostics()
    less.extend(each for each in diagnostics.items if each.code is not spec_codes.NO_GAME_ALONE)
    less.report(spec_codes.NO_GAME_ALONE, message, text.texts[siglum].span, BORROW_IT, notes)
    return less


def _clauses_twice(twice: Diagnostics, diagnostics: Diagnostics) -> None:
    """Report labels that are used twice under one parent, unless the line has a report already.

    Such a report, of an arm that is never reached or a name that is declared twice, already says what is wrong."""
    reported = {(known.span.file, known.span.line) for known in diagnostics.items}
    for diagnostic in twice.items:
        both = [diagnostic.span, *(note.span for note in diagnostic.notes if note.span)]
        if not any((span.file, span.line) in reported for span in both):
            diagnostics.extend([diagnostic])


def subject_of(text: GameText, assembled: Assembled, elaborated: Elaborated) -> Subject:
    from ..checks.checking import Subject

    assert assembled.edition is not None
    return Subject(
        elaborated, assembled.edition.declarations, text.headers, bool(assembled.edition.silent), text.excerpts
    )


def _elaborate(text: GameText, edition: Edition, setting: Setting, diagnostics: Diagnostics) -> Elaborated:
    from ..elaborate import Elaboration, Symbols, declared_names

    by_name, silent = declared_names(edition.declarations, diagnostics), frozenset(edition.silent)
    symbols = Symbols(by_name, setting, silent, text.excerpts, diagnostics, Meter(text.budget))
    return Elaboration(symbols, text.component_files, text.documents).run()


def requested_edition(text: GameText, request: Request, diagnostics: Diagnostics) -> str | None:
    """Return the siglum of the edition that is requested, or of the default; None for a game of one text.

    Unknown editions and settings of `silence` are reported."""
    if request.silence not in ("borrow", "literal"):
        message = Message("game-no-silence", names="`borrow`, `literal`", found=f"`{shown_text(request.silence)}`")
        diagnostics.report(spec_codes.BAD_SETTING, message, whole_file(text.game.name))
    if request.edition is None:
        return text.default_edition
    # A game of one text is its own edition, and a log of it names the edition so.
    if request.edition == text.name and not text.names:
        return None
    if request.edition not in text.names:
        message = Message("game-no-edition", game=text.name, name=f"`{shown_text(request.edition)}`")
        _unknown(diagnostics, text, message, request.edition, text.names)
    return request.edition


def _unknown(diagnostics: Diagnostics, text: GameText, message: str, word: str, known: Iterable[str]) -> None:
    known = tuple(known)
    hint = did_you_mean(word, known) or (Message("it-has", names=known) if known else Message("it-has-none"))
    diagnostics.report(spec_codes.BAD_SETTING, message, whole_file(text.game.name), hint)


def _setting(text: GameText, request: Request, diagnostics: Diagnostics) -> Setting | None:
    from ..elaborate import Setting

    low, high = text.game.header.players
    players = low if request.players is None else request.players
    span = whole_file(text.game.name)
    if not low <= players <= high:
        allowed = str(low) if low == high else Message("number-to", low=low, high=high)
        message = Message("game-players", game=text.name, allowed=allowed, players=players)
        diagnostics.report(spec_codes.BAD_SETTING, message, span)
        return None
    forks: dict[str, s.ForkDeclaration] = {
        node.name: node for node in text.declarations if isinstance(node, s.ForkDeclaration)
    }
    options = [node.name for node in text.declarations if isinstance(node, s.OptionDeclaration)]
    for name, reading in request.readings.items():
        if name not in forks:
            message = Message("game-no-fork", game=text.name, name=f"`{shown_text(name)}`")
            _unknown(diagnostics, text, message, name, forks)
        elif reading not in [each.name for each in forks[name].readings]:
            known = [each.name for each in forks[name].readings]
            _unknown(
                diagnostics,
                text,
                Message("game-no-reading", fork=f"`{name}`", name=f"`{shown_text(reading)}`"),
                reading,
                known,
            )
    for name in request.options:
        if name not in options:
            _unknown(
                diagnostics,
                text,
                Message("game-no-option", game=text.name, name=f"`{shown_text(name)}`"),
                name,
                options,
            )
    below = frozenset(text.game.header.from_below)
    return Setting(players, (low, high), request.options, request.readings, span, from_below=below)


def _game(
    text: GameText, request: Request, assembled: Assembled, elaborated: Elaborated, play: m.Routine, logged: bool
) -> m.Game:
    setting, edition = assembled.setting, assembled.edition
    assert setting is not None
    assert edition is not None
    low, high = setting.player_range
    game = m.Game(
        name=text.name,
        edition=request.edition or text.default_edition or text.name,
        silence=request.silence,
        players=setting.players,
        player_counts=tuple(range(low, high + 1)),
        titles=text.game.header.titles,
        documents=text.documents,
        fingerprint=_fingerprint(edition, elaborated) if logged else "",
        types=elaborated.types,
        components=elaborated.components,
        elements=elaborated.elements,
        defines=elaborated.defines,
        actions=elaborated.actions,
        setup=elaborated.setup,
        play=play,
        scores=elaborated.scores,
        winner=elaborated.winner,
        invariants=elaborated.invariants,
        refills=elaborated.refills,
        # A fork that the words of the text decide is not a setting of this game.
        forks=tuple(fork for fork in elaborated.forks if not fork.decided),
        options=elaborated.options,
        examples=elaborated.examples,
        moves=elaborated.events.moves,
        chances=elaborated.events.chances,
        clauses=edition.clauses,
        silent=edition.silent,
        editions=text.names,
        terms=resolved_terms(text.declarations, text.headers.values()),
        picture=m.Picture(frozenset(text.game.header.from_below), frozenset(text.game.header.not_shown)),
        budget=text.budget,
        capacities=elaborated.capacities,
    )
    # Spans of names serve reports on the spec. A game that is played and stored needs only the names.
    return without_identifiers(game)


def example_requests(assembled: Assembled, low: int) -> tuple[Request, ...]:
    """Return the tables that examples ask for by options or readings that this table does not have.

    low: the number of players for an example that names none."""
    if assembled.elaborated is None:
        return ()
    others = (
        replace(assembled.request, players=players or low, options=options, readings=readings)
        for players, options, readings in assembled.elaborated.example_settings
        if (options or readings) and (options, readings) != (assembled.request.options, assembled.request.readings)
    )
    return tuple(unique(others))


def unique(items: Iterable[Item]) -> Iterator[Item]:
    """Yield each item once. Requests hold dictionaries and are not hashable, so items are compared by their `repr`."""
    known: set[str] = set()
    for item in items:
        text = repr(item)
        if text not in known:
            known.add(text)
            yield item


WITHOUT_EFFECT = s.NoteDeclaration | s.InvariantDeclaration | s.ExampleDeclaration | s.TermsDeclaration
"""Declarations that no play depends on."""


# ---- fingerprint ------------------------------------------------------------------------------------------------


def _fingerprint(edition: Edition, elaborated: Elaborated) -> str:
    """Return the fingerprint of a game: the first 16 hex digits of a SHA-256 of its rules and component data.

    The rules count in their canonical layout, without comments, citations, notes, invariants, terms, examples and
    capacities. A log names the fingerprint of the game that it records."""
    digest = hashlib.sha256()
    for node in edition.declarations:
        # No play depends on these: a better term or another example must not invalidate recorded games.
        if not isinstance(node, WITHOUT_EFFECT):
            digest.update(format_declaration(_without_capacities(node), authority=False).encode())
    for component in elaborated.components:
        types = [type_ for _, type_ in component.columns]
        rows = [[to_json(t, v) for t, v in zip(types, row, strict=True)] for row in component.rows]
        # The digest is of values, not of the text of the file, whose layout and provenances change no move.
        digest.update(json.dumps([component.name, component.ids, component.copies, rows]).encode())
    return digest.hexdigest()[:16]


def _without_capacities(node: NodeT) -> NodeT:
    """Return the tree without the capacities of collections and zones, which change no move."""
    holders = s.CollectionType | s.ZoneDeclaration
    return mapped(node, lambda piece: replace(piece, most=None) if isinstance(piece, holders) else piece)
