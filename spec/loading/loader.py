"""Loader: the pipeline from a name or path to a checked game, one call for each stage.

find -> read and parse -> headers -> edition -> elaborate -> check -> Game
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ludex.grammar import (
    Diagnostic,
    Diagnostics,
    Failure,
    Identifier,
    Message,
    Note,
    Parsed,
    Span,
    did_you_mean,
    format_declaration,
    is_there,
    mapped,
    parse_kept,
    whole_file,
    without_identifiers,
)
from ludex.grammar import syntax as s

from .. import codes
from .. import model as m
from ..budget import DEFAULT_BUDGET, Budget, Meter, OverBudget
from ..components import ComponentFile, read_components
from ..table_checks import held_everywhere
from ..text import (
    NOUNS,
    Excerpts,
    FileHeader,
    Filtered,
    Footing,
    Text,
    all_stated,
    as_text,
    check_apparatus,
    check_picture,
    check_terms,
    collect,
    footings,
    merged_terms,
    read_header,
    read_texts,
    resolved_terms,
    with_origins,
)
from ..values.codec import to_json
from ..values.types import Value, values
from .folder import SUFFIX, Folder, Located
from .paths import locate, shown_path
from .request import Request

if TYPE_CHECKING:
    from ..checks.checking import Subject
    from ..elaborate import Elaborated, Setting

MISSING_LISTED = 8
"""How many of the missing parts of an edition a report names."""
PLACES_SHOWN = 3
"""At how many places that need a missing part a report points."""
ADD_PLAY = "add `play` with a block of steps"
BORROW_IT = "play it with `--silence borrow`: what it leaves out is then taken from the other texts"


# ---- reading ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One parsed file of a game.

    Attributes:
        name: its path as reports show it.
        size: the number of its tokens.
    """

    path: Path
    name: str
    module: s.Module
    header: FileHeader
    text: str
    size: int


@dataclass(frozen=True)
class GameText:
    """A game as written: its files parsed, nothing resolved.

    Attributes:
        home: the folder that holds the game file, the component data, the sources and the logs.
        game: the file that begins with the header of the game.
        diagnostics: the faults that reading, parsing and the headers gave.
        budget: how much work the game may need.
        parts: the other files of the game.
        tables: component data read so far, by the name of the file; copies of a text share them.
    """

    home: Folder
    game: SourceFile
    diagnostics: tuple[Diagnostic, ...]
    budget: Budget = DEFAULT_BUDGET
    parts: tuple[SourceFile, ...] = ()
    tables: dict[str, ComponentFile] = field(default_factory=dict, repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.game.header.name

    @property
    def folder(self) -> Path:
        return self.home.path

    @cached_property
    def files(self) -> tuple[SourceFile, ...]:
        return (self.game, *self.parts)

    @cached_property
    def declarations(self) -> tuple[s.Declaration, ...]:
        """Everything that the files declare, in their order."""
        return tuple(node for file in self.files for node in file.module.declarations)

    @property
    def option_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(node.name for node in self.declarations if isinstance(node, s.OptionDeclaration)))

    @cached_property
    def texts(self) -> Mapping[str, Text]:
        """The texts of a game that has several, by siglum, in the order in which they lend clauses; else none."""
        if len(self.documents) < 2:
            return {}
        return read_texts(self.game.header, [file.module for file in self.files], Diagnostics())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the editions, which are the sigla of the texts; none where the game has only one text."""
        return tuple(self.texts)

    @property
    def documents(self) -> Mapping[str, str]:
        """The files of the game's texts, by siglum."""
        return self.game.header.documents

    @cached_property
    def excerpts(self) -> Excerpts:
        return Excerpts({file.name: file.text for file in self.files})

    @cached_property
    def headers(self) -> Mapping[str, FileHeader]:
        of_books = bool(self.game.header.documents)
        return {file.name: replace(file.header, of_books=of_books) for file in self.files}

    @cached_property
    def _editions(self) -> dict[tuple[str | None, str], Edition]:
        return {}

    def edition(self, siglum: str | None, silence: str) -> Edition:
        """Return the game as one of its texts has it. It is made once and shared by all tables."""
        key = siglum, silence
        if key not in self._editions:
            self._editions[key] = edition_of(self, siglum, silence)
        return self._editions[key]

    @cached_property
    def footings(self) -> Mapping[str, Footing]:
        """The authority of each clause, in any of the texts."""
        return footings(self.declarations, self.headers)

    @property
    def default_edition(self) -> str | None:
        return next(iter(self.names), None)

    @property
    def failed(self) -> bool:
        return any(diagnostic.is_error for diagnostic in self.diagnostics)

    @cached_property
    def component_files(self) -> Mapping[str, ComponentFile]:
        """Component data by the name that the spec gives the file; files that do not exist are left out."""
        here = [name for name in self.component_names if is_there(self.folder / name)]
        for name in here:
            if name not in self.tables:
                self.tables[name] = _component_file(self.home, self.folder / name)
        return {name: self.tables[name] for name in here}

    @cached_property
    def component_names(self) -> tuple[str, ...]:
        """The names that the spec gives the files of component data, whether the files exist or not."""
        names = {node.file for node in self.declarations if isinstance(node, s.ComponentDeclaration) and node.file}
        return tuple(sorted(names))

    @cached_property
    def component_texts(self) -> Mapping[str, str]:
        """The text of each file of component data that exists, by name; empty for a file that cannot be read."""
        here = (name for name in self.component_names if is_there(self.folder / name))
        return {name: self.home.text(self.folder / name)[0] or "" for name in here}

    @property
    def needs_components(self) -> bool:
        """Whether the game takes component data from files."""
        return bool(self.component_names)

    @cached_property
    def faults_of_terms(self) -> tuple[Diagnostic, ...]:
        """The faults of the vocabulary.

        They are reported only if there are no others, since a term may name something that could not be read."""
        modules, (_, players) = [file.module for file in self.files], self.game.header.players
        return check_terms(modules, self.component_files, players)

    @cached_property
    def faults_of_picture(self) -> tuple[Diagnostic, ...]:
        """The faults of the header's entries about the picture of the table."""
        return check_picture(self.game.header, [file.module for file in self.files])

    @cached_property
    def faults_of_apparatus(self) -> tuple[Diagnostic, ...]:
        """The faults of the marks that say which text states which clause."""
        return check_apparatus(self.declarations, self.texts, self.excerpts)


def _component_file(folder: Folder, path: Path) -> ComponentFile:
    shown = shown_path(path)
    text, faults = folder.text(path)
    if text is None:
        return ComponentFile(shown, whole_file(shown), diagnostics=faults, readable=False)
    return read_components(text, shown)


def read_game(game: str | Path | Located, budget: Budget = DEFAULT_BUDGET) -> GameText:
    """Read and parse all files of a game, given by its name or path, or as it was located.

    Faults of the files are in the result's `diagnostics`. Raises Failure if there is no game file with a header."""
    report = Diagnostics()
    located = game if isinstance(game, Located) else locate(game)
    home = located.folder
    file = _read_file(home, located.file, report)
    # Whoever names a part means its game.
    if file is not None and file.header.of is not None:
        file = _game_of(home, file, report)
    if file is None:
        raise Failure(report.sorted())
    parts = tuple(_parts_of(home, file, report))
    report.extend(_faults_beside(home, file))
    text = GameText(home, file, (), budget=budget, parts=parts)
    read_texts(file.header, [each.module for each in text.files], report)
    return replace(text, diagnostics=report.sorted())


def _game_of(home: Folder, file: SourceFile, report: Diagnostics) -> SourceFile | None:
    """Return the game file that a part belongs to. If there is none, or for a transcription, report it, return None."""
    name, place = file.header.of, whole_file(file.name)
    owner = file.path.parent / f"{name}{SUFFIX}"
    if file.module.header is not None and file.module.header.kind == "edition":
        message = f"this is a transcription of one text of `{name}`, not a game"
        report.report(codes.BAD_HEADER, message, place, _COLLATE.format(game=name, file=file.path.name))
        return None
    if is_there(owner):
        return _read_file(home, owner, report)
    message = f"this is a part of `{name}`, and its game file is not in the same folder"
    report.report(codes.BAD_HEADER, message, place, f"expected `{owner.name}`")
    return None


_COLLATE = "`ludex collate {game} {file}` puts it into the game"


def read_alone(spec: Path | Located, content: str | None = None, budget: Budget = DEFAULT_BUDGET) -> GameText:
    """Read and parse one file without the others of its folder: a game, or a transcription of one text of a game.

    content: the text of the file, if it is not to be read from the path. Raises Failure if the file has faults."""
    report = Diagnostics()
    located = spec if isinstance(spec, Located) else Located(spec, Folder(spec.parent))
    if content is None:
        file = _read_file(located.folder, located.file, report)
    else:
        file = _source(located.file, str(located.file), content, report)
    if file is None or report.has_errors:
        raise Failure(report.sorted())
    return GameText(located.folder, file, report.sorted(), budget=budget)


def _read_file(folder: Folder, path: Path, report: Diagnostics) -> SourceFile | None:
    text, faults = folder.text(path)
    report.extend(faults)
    if text is None:
        return None
    return _source(path, shown_path(path), text, report)


def _source(path: Path, shown: str, text: str, report: Diagnostics) -> SourceFile | None:
    """Parse a file. Return None if it has no header."""
    parsed = parse_kept(text, shown)
    report.extend(parsed.diagnostics)
    header = read_header(parsed.module, report, _is_header_broken(parsed))
    return SourceFile(path, shown, parsed.module, header, text, parsed.size) if header else None


def _is_header_broken(parsed: Parsed) -> bool:
    """Return whether anything was reported before the first declaration."""
    first = parsed.module.declarations[0].span if parsed.module.declarations else None
    return any(first is None or fault.span < first for fault in parsed.diagnostics)


def _parts_of(home: Folder, game: SourceFile, report: Diagnostics) -> Iterator[SourceFile]:
    for path, words in _beside(home, game):
        if words[0:1] == ["part"] and words[2:4] == ["of", game.header.name]:
            file = _read_file(home, path, report)
            if file is not None:
                yield file


def _beside(home: Folder, game: SourceFile) -> list[tuple[Path, list[Identifier]]]:
    """Return the other specs of the folder, with the words of their first lines."""
    # A file may be given by a symbolic link, so paths are compared as the file system resolves them.
    own = os.path.realpath(game.path)
    return [(path, home.first_words(path)) for path in home.specs if os.path.realpath(path) != own]


def _faults_beside(home: Folder, game: SourceFile) -> Iterator[Diagnostic]:
    """Yield the faults of the other specs of the folder that are no parts of the game.

    They are unreadable files, which may be parts of it; parts of a game that does not exist, most often since its name
    is misspelt; and transcriptions, which are no part of a game."""
    for path, words in _beside(home, game):
        content = home.content(path)
        # A hidden file may be the lock of an editor (Emacs makes a link that leads nowhere), which is nobody's fault.
        if isinstance(content, Diagnostic) and not path.name.startswith("."):
            yield content
        match words:
            case ["part", _, "of", of, *_] if not is_there(path.parent / f"{of}{SUFFIX}"):
                message = f"this is a part of `{of}`, and no such game is in the same folder"
                hint = did_you_mean(of, [game.header.name])
                yield Diagnostic(codes.BAD_HEADER, message, replace(of.span, file=shown_path(path)), hint)
            case ["edition", name, "of", of, *_]:
                message = f"this transcription of `{name}` is no part of the game in the same folder"
                hint = _COLLATE.format(game=of, file=path.name) if of == game.header.name else None
                yield Diagnostic(codes.TRANSCRIPTION_BESIDE, message, replace(of.span, file=shown_path(path)), hint)


# ---- putting a game together ------------------------------------------------------------------------------------


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
    from ..checks.checking import run_table_checks

    assembled = _assemble(text, request)
    elaborated = assembled.elaborated
    if elaborated is not None and assembled.sound:
        assembled.report.extend(run_table_checks(_subject(text, assembled, elaborated)))
    if elaborated is None or elaborated.play is None or not assembled.sound:
        return Built(None, assembled.report.sorted())
    requests = _example_requests(assembled, text.game.header.players[0])
    return Built(
        _game(text, request, assembled, elaborated, elaborated.play, logged), assembled.report.sorted(), requests
    )


@dataclass(frozen=True, slots=True)
class Assembled:
    """The elaborated game for one table, and the diagnostics. `elaborated` is None if elaboration could not begin."""

    request: Request
    report: Diagnostics
    setting: Setting | None = None
    edition: Edition | None = None
    elaborated: Elaborated | None = None

    @property
    def sound(self) -> bool:
        return not self.report.has_errors


@dataclass(frozen=True, slots=True)
class Edition:
    """A game as one of its texts has it; the whole of it, where it has only one.

    Attributes:
        declarations: the declarations in force, each clause once.
        silent: paths of the rules that another text states and that are not in force here.
        clauses: the clauses by path.
        twice: the reports of clauses that are declared twice.
    """

    declarations: tuple[s.Declaration, ...]
    silent: tuple[str, ...]
    clauses: Mapping[str, m.ClauseInfo]
    twice: Diagnostics


NOT_IN_FORCE = s.TermsDeclaration | s.TextDeclaration | s.SilentDeclaration


def edition_of(text: GameText, siglum: str | None, silence: str, read_as: Mapping[str, str] | None = None) -> Edition:
    """Return the game as one of its texts has it, or all of it for the siglum None.

    silence: `borrow` (from the other texts) or `literal`. read_as: by the path of a clause, the text whose version
    of it is taken."""
    twice = Diagnostics()
    if siglum is None:
        nouns_first = sorted(text.declarations, key=lambda node: not isinstance(node, NOUNS))
        filtered = Filtered(tuple(nouns_first), ())  # the fingerprints in recorded games were made in this order
    else:
        lenders = [other for other in text.texts if other != siglum] if silence == "borrow" else []
        filtered = as_text(text.declarations, siglum, lenders, read_as)
    rules = tuple(node for node in filtered.declarations if not isinstance(node, NOT_IN_FORCE))
    terms = merged_terms(text.declarations)
    declarations = (*rules, terms) if terms else rules
    clauses = collect(declarations, text.headers, text.name, twice)
    shared = [header.convention for header in text.headers.values() if header.convention]
    attributed = with_origins(clauses, footings(declarations, text.headers), siglum, shared)
    return Edition(declarations, filtered.silent, attributed, twice)


def _assemble(text: GameText, request: Request, examples: bool = True) -> Assembled:
    report = Diagnostics()
    report.extend(text.diagnostics)
    siglum = requested_edition(text, request, report)
    setting = _setting(text, request, report)
    # Elaboration of a faulty text would report consequences.
    if report.has_errors or setting is None:
        return Assembled(request, report)
    unreadable = [file for file in text.component_files.values() if not file.readable]
    if unreadable:  # else the rules that use their columns would be reported as wrong
        for file in unreadable:
            report.extend(file.diagnostics)
        return Assembled(request, report)
    setting = replace(setting, examples=examples)
    edition = text.edition(siglum, request.silence)
    if request.read_as:
        _check_read_as(text, request, siglum, report)
        edition = edition_of(text, siglum, request.silence, request.read_as)
    _decided_otherwise(text, request, siglum, edition, report)
    elaborated = _elaborate(text, edition, setting, report)
    _clauses_twice(edition.twice, report)
    report = _incomplete(text, siglum, edition, report)
    if elaborated.play is None and not report.has_errors:
        header = text.game.header
        place = header.name.span
        report.report(codes.NO_PLAY, "the game has no `play`, so nothing happens", place, ADD_PLAY)
    if not report.has_errors:
        report.extend(text.faults_of_terms)
        report.extend(text.faults_of_picture)
        report.extend(text.faults_of_apparatus)
    return Assembled(request, report, setting, edition, elaborated)


def _check_read_as(text: GameText, request: Request, siglum: str | None, report: Diagnostics) -> None:
    paths = {clause.path for clause in all_stated(text.declarations)}
    for path, other in request.read_as.items():
        if siglum not in text.texts or other not in text.texts:
            _unknown(report, text, f"`{text.name}` has no text `{other}`", other, text.texts)
        elif path not in paths:
            _unknown(report, text, f"`{text.name}` has no clause `{path}`", path, paths)


def _decided_otherwise(
    text: GameText, request: Request, siglum: str | None, edition: Edition, report: Diagnostics
) -> None:
    """Report a requested reading that the words of the text do not admit."""
    for node in edition.declarations:
        if isinstance(node, s.ForkDeclaration) and node.decided and node.name in request.readings:
            message = f"`{siglum}` decides the fork `{node.name}`: it says `{node.default}`"
            report.report(codes.BAD_SETTING, message, whole_file(text.game.name), "ask for another edition")


def _incomplete(text: GameText, siglum: str | None, edition: Edition, report: Diagnostics) -> Diagnostics:
    """Merge the reports of missing parts into one, which names everything that the game needs and its text leaves out.

    Without this, an edition that lacks a fact would give one report for each use of the fact."""
    missing = [each for each in report.sorted() if each.code is codes.NO_GAME_ALONE]
    has_play = any(isinstance(node, s.PlayDeclaration) for node in edition.declarations)
    is_left_out = not has_play and any(path.partition(".")[0] == "play" for path in edition.silent)
    if siglum is None or not (missing or is_left_out):
        return report
    lacks = [*(["`play` (the course of the game)"] if is_left_out else []), *(each.message for each in missing)]
    listed = ", ".join(lacks[:MISSING_LISTED]) + (
        f" and {len(lacks) - MISSING_LISTED} more" if len(lacks) > MISSING_LISTED else ""
    )
    message = f"`{siglum}` alone is not a complete game: only other texts state {listed}"
    notes = tuple(Note(f"here {each.message} is needed", each.span) for each in missing[:PLACES_SHOWN])
    less = Diagnostics()
    less.extend(each for each in report.items if each.code is not codes.NO_GAME_ALONE)
    less.report(codes.NO_GAME_ALONE, message, text.texts[siglum].span, BORROW_IT, notes)
    return less


def _clauses_twice(twice: Diagnostics, report: Diagnostics) -> None:
    """Report labels that are used twice under one parent, unless the line has a report already.

    Such a report, of an arm that is never reached or a name that is declared twice, already says what is wrong."""
    reported = {(known.span.file, known.span.line) for known in report.items}
    for diagnostic in twice.items:
        both = [diagnostic.span, *(note.span for note in diagnostic.notes if note.span)]
        if not any((span.file, span.line) in reported for span in both):
            report.extend([diagnostic])


def _subject(text: GameText, assembled: Assembled, elaborated: Elaborated) -> Subject:
    from ..checks.checking import Subject

    assert assembled.edition is not None
    return Subject(
        elaborated, assembled.edition.declarations, text.headers, bool(assembled.edition.silent), text.excerpts
    )


def _elaborate(text: GameText, edition: Edition, setting: Setting, report: Diagnostics) -> Elaborated:
    from ..elaborate import Elaboration, Symbols, declared

    by_name, silent = declared(edition.declarations, report), frozenset(edition.silent)
    symbols = Symbols(by_name, setting, silent, text.excerpts, report, Meter(text.budget))
    return Elaboration(symbols, text.component_files, text.documents).run()


def requested_edition(text: GameText, request: Request, report: Diagnostics) -> str | None:
    """Return the siglum of the edition that is requested, or of the default; None for a game of one text.

    Unknown editions and settings of `silence` are reported."""
    if request.silence not in ("borrow", "literal"):
        message = f"silence is `borrow` or `literal`, not `{request.silence}`"
        report.report(codes.BAD_SETTING, message, whole_file(text.game.name))
    if request.edition is None:
        return text.default_edition
    # A game of one text is its own edition, and a log of it names the edition so.
    if request.edition == text.name and not text.names:
        return None
    if request.edition not in text.names:
        message = Message("game-no-edition", game=f"`{text.name}`", name=f"`{request.edition}`")
        _unknown(report, text, message, request.edition, text.names)
    return request.edition


def _unknown(report: Diagnostics, text: GameText, message: str, word: str, known: Iterable[str]) -> None:
    known = tuple(known)
    hint = did_you_mean(word, known) or (Message("it-has", names=known) if known else Message("it-has-none"))
    report.report(codes.BAD_SETTING, message, whole_file(text.game.name), hint)


def _setting(text: GameText, request: Request, report: Diagnostics) -> Setting | None:
    from ..elaborate import Setting

    low, high = text.game.header.players
    players = low if request.players is None else request.players
    span = whole_file(text.game.name)
    if not low <= players <= high:
        allowed = str(low) if low == high else Message("number-to", low=low, high=high)
        message = Message("game-players", game=f"`{text.name}`", allowed=allowed, players=players)
        report.report(codes.BAD_SETTING, message, span)
        return None
    forks: dict[str, s.ForkDeclaration] = {
        node.name: node for node in text.declarations if isinstance(node, s.ForkDeclaration)
    }
    options = [node.name for node in text.declarations if isinstance(node, s.OptionDeclaration)]
    for name, reading in request.readings.items():
        if name not in forks:
            _unknown(report, text, f"`{text.name}` has no fork `{name}`", name, forks)
        elif reading not in [each.name for each in forks[name].readings]:
            known = [each.name for each in forks[name].readings]
            _unknown(report, text, Message("game-no-reading", fork=f"`{name}`", name=f"`{reading}`"), reading, known)
    for name in request.options:
        if name not in options:
            _unknown(report, text, Message("game-no-option", game=f"`{text.name}`", name=f"`{name}`"), name, options)
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
        refills=elaborated.refills,
        forks=tuple(fork for fork in elaborated.forks if not fork.decided),
        options=elaborated.options,
        examples=elaborated.examples,
        moves=elaborated.events.moves,
        chances=elaborated.events.chances,
        clauses=edition.clauses,
        silent=edition.silent,
        editions=text.names,
        terms=resolved_terms(edition.declarations),
        picture=m.Picture(frozenset(text.game.header.from_below), frozenset(text.game.header.not_shown)),
        budget=text.budget,
        capacities=elaborated.capacities,
    )
    # Spans of names serve reports on the spec. A game that is played and stored needs only the names.
    return without_identifiers(game)


# ---- checking a game for every table ----------------------------------------------------------------------------


def check_game(name_or_path: str | Path) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of a game, for each edition and each number of players.

    A stage runs only if the stages before it found no error."""
    try:
        return check_text(read_game(name_or_path))
    except Failure as failure:
        return failure.diagnostics


def check_text(text: GameText, asked: Sequence[Request] = ()) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of a game that was read already.

    If elaboration reports an error, the checks after it do not run, since they would report consequences of it.
    asked: if given, only these tables are checked, without their variants."""
    from ..checks.checking import run_table_checks, run_text_checks

    report = Diagnostics()
    tables, all_of_them = _tables(text, asked)
    if not all_of_them:
        report.extend([OverBudget("tables", _most_tables(text), None, whole_file(text.game.name)).diagnostic()])
    report.extend(_merged_reports(text, tables))
    checks = [check for table in tables if table.elaborated for check in table.elaborated.table_checks]
    if not report.has_errors:
        subjects = [_subject(text, table, table.elaborated) for table in tables if table.elaborated]
        report.extend(fault for subject in subjects for fault in run_table_checks(subject))
        if not report.has_errors:
            checks += [check for subject in subjects for check in run_text_checks(subject)]
    report.extend(held_everywhere(checks))
    return report.sorted()


def _tables(text: GameText, asked: Sequence[Request]) -> tuple[list[Assembled], bool]:
    """Return the tables to check, and whether these are all. If they are too many, only the first ones are made."""
    low, high = text.game.header.players
    every = (Request(players, edition) for edition in text.names or (None,) for players in range(low, high + 1))
    most = _most_tables(text)
    # One more than allowed, which shows that there are too many without listing all.
    first, *others = islice(asked or every, most + 1)
    tables = [_assemble(text, first)]
    if len(others) >= most:
        return tables, False
    tables += [_assemble(text, request) for request in others]
    # Variants of a faulty table would report its faults again.
    if asked or not all(table.sound for table in tables):
        return tables, True
    of_examples = list(_unique(request for table in tables for request in _example_requests(table, low)))
    variants = (request for request in _variants(tables) if request not in of_examples)
    asked_for = chain(((request, True) for request in of_examples), ((request, False) for request in variants))
    further = list(islice(_unique(asked_for), most + 1 - len(tables)))
    if len(tables) + len(further) > most:
        return tables, False
    return tables + [_assemble(text, request, examples) for request, examples in further], True


WORK_PER_WORD = 3
"""Units of work that each word of a game's files counts at each of its tables."""


def _most_tables(text: GameText) -> int:
    """Return how many tables of a game may be checked: all together may take the work of one whole game."""
    words = sum(file.size for file in text.files)
    return max(1, text.budget.game // (WORK_PER_WORD * max(1, words)))


def _variants(tables: Iterable[Assembled]) -> Iterator[Request]:
    """Yield the tables with one option changed from its default, or one fork read otherwise, at the fewest players.

    Their combinations would be too many to check."""
    for table in tables:
        elaborated, request = table.elaborated, table.request
        if elaborated is None or request.players != min(t.request.players or 0 for t in tables):
            continue
        for option in elaborated.options:
            for value in _tried(values(option.type), option.default):
                yield replace(request, options={option.name: to_json(option.type, value)})
        for fork in (fork for fork in elaborated.forks if not fork.decided):
            for name, _ in fork.readings:
                if name != fork.default:
                    yield replace(request, readings={fork.name: name})


def _example_requests(table: Assembled, low: int) -> tuple[Request, ...]:
    """Return the tables that examples ask for by options or readings that this table does not have.

    low: the number of players for an example that names none."""
    if table.elaborated is None:
        return ()
    others = (
        replace(table.request, players=players or low, options=options, readings=readings)
        for players, options, readings in table.elaborated.example_settings
        if (options or readings) and (options, readings) != (table.request.options, table.request.readings)
    )
    return tuple(_unique(others))


Item = TypeVar("Item")
NodeT = TypeVar("NodeT", bound=s.Node)


def _unique(items: Iterable[Item]) -> Iterator[Item]:
    """Yield each item once. Requests hold dictionaries and are not hashable, so items are compared by their `repr`."""
    known: set[str] = set()
    for item in items:
        text = repr(item)
        if text not in known:
            known.add(text)
            yield item


ALL_TRIED = 8
"""Up to this many other values of an option are all checked; of more, only the first and the last."""


def _tried(domain: Sequence[Value], default: Value) -> list[Value]:
    """Return the values of an option that are checked besides the default."""
    others = [value for value in domain if value != default]
    return others if len(others) <= ALL_TRIED else [others[0], others[-1]]


def _merged_reports(text: GameText, tables: Sequence[Assembled]) -> Iterator[Diagnostic]:
    """Yield the reports of all tables. A report that not every table of its edition gives has a note with its table."""
    examples = [node.span for node in text.declarations if isinstance(node, s.ExampleDeclaration)]
    for table in tables:
        alike = [other for other in tables if other.request.edition == table.request.edition]
        for fault in table.report.items:
            # An example names its own table, so a note with the table would add nothing to its reports.
            everywhere = all(_reports(other, fault) for other in alike)
            if everywhere or any(_within(fault.span, example) for example in examples):
                yield fault
            else:
                yield replace(fault, notes=(*fault.notes, Note(_setting_words(table.request))))


def _reports(table: Assembled, fault: Diagnostic) -> bool:
    return any(other.code == fault.code and other.span == fault.span for other in table.report.items)


def _within(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.line <= inner.line <= outer.end_line


def _setting_words(request: Request) -> str:
    for name, value in request.options.items():
        return f"found with the option `{name}` at {json.dumps(value)}"
    for name, reading in request.readings.items():
        return f"found with the reading `{reading}` of `{name}`"
    return f"found at a table of {request.players}"


# ---- fingerprint ------------------------------------------------------------------------------------------------


def _fingerprint(edition: Edition, elaborated: Elaborated) -> str:
    """Return the fingerprint of a game: the first 16 hex digits of a SHA-256 of its rules and component data.

    The rules count in their canonical layout, without comments, citations, notes, terms, examples and capacities. A log
    names the fingerprint of the game that it records."""
    digest = hashlib.sha256()
    for node in edition.declarations:
        # Whatever no play depends on: a better term or another example must not invalidate recorded games.
        if not isinstance(node, s.NoteDeclaration | s.ExampleDeclaration | s.TermsDeclaration):
            digest.update(format_declaration(_without_capacities(node), authority=False).encode())
    for component in elaborated.components:
        types = [type_ for _, type_ in component.columns]
        rows = [[to_json(t, v) for t, v in zip(types, row, strict=True)] for row in component.rows]
        digest.update(json.dumps([component.name, component.ids, component.copies, rows]).encode())
    return digest.hexdigest()[:16]


def _without_capacities(node: NodeT) -> NodeT:
    """Return the tree without the capacities of collections and zones, which change no move."""
    holders = s.CollectionType | s.ZoneDeclaration
    return mapped(node, lambda piece: replace(piece, most=None) if isinstance(piece, holders) else piece)
