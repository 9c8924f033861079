"""The text of a game: its files, read and parsed, and what each of its texts has in force."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from ludex.grammar import (
    SUFFIX,
    Diagnostic,
    Diagnostics,
    Failure,
    Identifier,
    Parsed,
    did_you_mean,
    is_there,
    parse_kept,
    whole_file,
)
from ludex.grammar import syntax as s

from .. import model as m
from .. import spec_codes
from ..budget import DEFAULT_BUDGET, Budget
from ..components import ComponentFile, read_components
from ..text import (
    NOUNS,
    Excerpts,
    FileHeader,
    Filtered,
    Footing,
    Text,
    as_text,
    check_apparatus,
    check_picture,
    check_terms,
    collect,
    footings,
    merged_terms,
    read_header,
    read_texts,
    with_origins,
)
from .folder import Folder, Located
from .paths import locate, shown_path


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
        # The faults were reported when the game was read.
        return read_texts(self.game.header, self.modules, Diagnostics())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the editions, which are the sigla of the texts; none where the game has only one text."""
        return tuple(self.texts)

    @property
    def documents(self) -> Mapping[str, str]:
        """The files of the game's texts, by siglum."""
        return self.game.header.documents

    @cached_property
    def modules(self) -> tuple[s.Module, ...]:
        """The syntax trees of the files."""
        return tuple(file.module for file in self.files)

    @property
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
        modules, (_, players) = self.modules, self.game.header.players
        return check_terms(modules, self.component_files, players)

    @cached_property
    def faults_of_picture(self) -> tuple[Diagnostic, ...]:
        """The faults of the header's entries about the picture of the table."""
        return check_picture(self.game.header, self.modules)

    @cached_property
    def faults_of_apparatus(self) -> tuple[Diagnostic, ...]:
        """The faults of the marks that say which text states which clause."""
        return check_apparatus(self.declarations, self.texts)


def _component_file(folder: Folder, path: Path) -> ComponentFile:
    shown = shown_path(path)
    text, faults = folder.text(path)
    if text is None:
        return ComponentFile(shown, whole_file(shown), diagnostics=faults, readable=False)
    return read_components(text, shown)


def read_game(game: str | Path | Located, budget: Budget = DEFAULT_BUDGET) -> GameText:
    """Read and parse all files of a game, given by its name or path, or as it was located.

    Faults of the files are in the result's `diagnostics`. Raises Failure if there is no game file with a header."""
    diagnostics = Diagnostics()
    located = game if isinstance(game, Located) else locate(game)
    home = located.folder
    file = _read_file(home, located.file, diagnostics)
    # The path of a part means its game.
    if file is not None and file.header.of is not None:
        file = _game_of(home, file, diagnostics)
    if file is None:
        raise Failure(diagnostics.sorted())
    parts = tuple(_parts_of(home, file, diagnostics))
    diagnostics.extend(_faults_beside(home, file))
    text = GameText(home, file, (), budget=budget, parts=parts)
    # This call is for its reports; `texts` gives the result where it is needed.
    read_texts(file.header, [each.module for each in text.files], diagnostics)
    return replace(text, diagnostics=diagnostics.sorted())


def _game_of(home: Folder, file: SourceFile, diagnostics: Diagnostics) -> SourceFile | None:
    """Return the game file that a part belongs to. If there is none, or for a transcription, report it, return None."""
    name, place = file.header.of, whole_file(file.name)
    owner = file.path.parent / f"{name}{SUFFIX}"
    if file.module.header is not None and file.module.header.kind == "edition":
        message = f"this is a transcription of one text of `{name}`, not a game"
        diagnostics.report(spec_codes.BAD_HEADER, message, place, _COLLATE.format(game=name, file=file.path.name))
        return None
    if is_there(owner):
        return _read_file(home, owner, diagnostics)
    message = f"this is a part of `{name}`, and its game file is not in the same folder"
    diagnostics.report(spec_codes.BAD_HEADER, message, place, f"expected `{owner.name}`")
    return None


_COLLATE = "`ludex collate {game} {file}` puts it into the game"


def read_alone(spec: Path | Located, content: str | None = None, budget: Budget = DEFAULT_BUDGET) -> GameText:
    """Read and parse one file without the others of its folder: a game, or a transcription of one text of a game.

    content: the text of the file, if it is not to be read from the path. Raises Failure if the file has faults."""
    diagnostics = Diagnostics()
    located = spec if isinstance(spec, Located) else Located(spec, Folder(spec.parent))
    if content is None:
        file = _read_file(located.folder, located.file, diagnostics)
    else:
        file = _source(located.file, str(located.file), content, diagnostics)
    if file is None or diagnostics.has_errors:
        raise Failure(diagnostics.sorted())
    return GameText(located.folder, file, diagnostics.sorted(), budget=budget)


def _read_file(folder: Folder, path: Path, diagnostics: Diagnostics) -> SourceFile | None:
    text, faults = folder.text(path)
    diagnostics.extend(faults)
    if text is None:
        return None
    return _source(path, shown_path(path), text, diagnostics)


def _source(path: Path, shown: str, text: str, diagnostics: Diagnostics) -> SourceFile | None:
    """Parse a file. Return None if it has no header."""
    parsed = parse_kept(text, shown)
    diagnostics.extend(parsed.diagnostics)
    header = read_header(parsed.module, diagnostics, _is_header_broken(parsed))
    return SourceFile(path, shown, parsed.module, header, text, parsed.size) if header else None


def _is_header_broken(parsed: Parsed) -> bool:
    """Return whether anything was reported before the first declaration."""
    first = parsed.module.declarations[0].span if parsed.module.declarations else None
    return any(first is None or fault.span < first for fault in parsed.diagnostics)


def _parts_of(home: Folder, game: SourceFile, diagnostics: Diagnostics) -> Iterator[SourceFile]:
    for path, words in _beside(home, game):
        # The first words say which game a file belongs to, so files of other games are not parsed.
        if words[0:1] == ["part"] and words[2:4] == ["of", game.header.name]:
            file = _read_file(home, path, diagnostics)
            if file is not None:
                yield file


def _beside(home: Folder, game: SourceFile) -> list[tuple[Path, list[Identifier]]]:
    """Return the other specs of the folder, with the words of their first lines."""
    # A file may be given by a symbolic link, so paths are compared as the file system resolves them.
    own = os.path.realpath(game.path)
    return [(path, home.first_words(path)) for path in home.specs if os.path.realpath(path) != own]


def _faults_beside(home: Folder, game: SourceFile) -> Iterator[Diagnostic]:
    """Yield the faults of the other specs of the folder that are not parts of the game.

    They are unreadable files, which may be parts of it; parts of a game that does not exist, most often since its name
    is misspelt; and transcriptions, which are not part of a game."""
    for path, words in _beside(home, game):
        content = home.content(path)
        # A hidden file may be the lock of an editor (Emacs makes a link that leads nowhere), which is nobody's fault.
        if isinstance(content, Diagnostic) and not path.name.startswith("."):
            yield content
        match words:
            case ["part", _, "of", of, *_] if not is_there(path.parent / f"{of}{SUFFIX}"):
                message = f"this is a part of `{of}`, and no such game is in the same folder"
                hint = did_you_mean(of, [game.header.name])
                yield Diagnostic(spec_codes.BAD_HEADER, message, replace(of.span, file=shown_path(path)), hint)
            case ["edition", name, "of", of, *_]:
                message = f"this transcription of `{name}` is not part of the game in the same folder"
                hint = _COLLATE.format(game=of, file=path.name) if of == game.header.name else None
                yield Diagnostic(
                    spec_codes.TRANSCRIPTION_BESIDE, message, replace(of.span, file=shown_path(path)), hint
                )


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
    diagnostics = Diagnostics()
    if siglum is None:
        nouns_first = sorted(text.declarations, key=lambda node: not isinstance(node, NOUNS))
        filtered = Filtered(tuple(nouns_first), ())  # the fingerprints in recorded games were made in this order
    else:
        # The order of the header is that of borrowing.
        lenders = [other for other in text.texts if other != siglum] if silence == "borrow" else []
        filtered = as_text(text.declarations, siglum, lenders, read_as)
    rules = tuple(node for node in filtered.declarations if not isinstance(node, NOT_IN_FORCE))
    terms = merged_terms(text.declarations)
    declarations = (*rules, terms) if terms else rules
    clauses = collect(declarations, text.headers, text.name, diagnostics)
    shared = [header.convention for header in text.headers.values() if header.convention]
    attributed = with_origins(clauses, footings(declarations, text.headers), siglum, shared)
    return Edition(declarations, filtered.silent, attributed, diagnostics)
