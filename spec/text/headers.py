"""Headers of a game's files: their entries, checked and typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ludex.grammar import Diagnostic, Diagnostics, Identifier, Span, did_you_mean, nearest
from ludex.grammar import syntax as s

from ..spec_codes import BAD_HEADER

GAME_ENTRIES = ("title", "players", "document", "convention", "from_below", "not_shown")
EDITION_ENTRIES = ("title", "document", "convention", "lines")
PART_ENTRIES = ("convention",)
_TEXT_ENTRIES = ("title", "lines", "lacuna", "summary")
_ENTRIES = {"game": GAME_ENTRIES, "edition": EDITION_ENTRIES, "part": PART_ENTRIES}
HEADED = {"game": "a game", "edition": "a transcription", "part": "a part"}
MOST_PLAYERS = 16
LANGUAGE_HINT = "a tag has two or three small letters: `en`, `ru`, `he`; a script or region may follow: `pt_br`"
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:_[a-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class FileHeader:
    """The header of one file.

    Attributes:
        name: the name of the game or the part, or the siglum of a transcription.
        of: for a part or a transcription, the name of its game.
        titles: the title in each language.
        documents: the file of each text, by siglum.
        sigla: the sigla of the documents, with their places.
        players: the least and the greatest number of players.
        convention: the authority of clauses without one of their own.
        from_below, not_shown: names of states and zones, see `m.Picture`.
        of_books: whether the game's header names documents, from which its rules are taken.
    """

    name: Identifier
    span: Span
    of: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    sigla: tuple[Identifier, ...] = ()
    players: tuple[int, int] = (2, 2)
    convention: s.Reason | None = None
    from_below: tuple[Identifier, ...] = ()
    not_shown: tuple[Identifier, ...] = ()
    of_books: bool = False


def read_header(module: s.Module, diagnostics: Diagnostics, broken: bool = False) -> FileHeader | None:
    """Read the header of a file, and report its faults. Return None if there is none, which the parser reports.

    broken: whether the parser reported an entry of the header, so that a missing entry is not reported."""
    header = module.header
    if header is None:
        return None
    entries = _entries(header.entries, _ENTRIES[header.kind], f"a header of {HEADED[header.kind]}", diagnostics)
    # The misspelt label is reported with the right one, so that a missing entry is not a second fault.
    misspelt = any(nearest(entry.label, ("players",)) and entry.label != "players" for entry in header.entries)
    if header.kind == "game" and "players" not in entries and not misspelt and not broken:
        message = "the header does not give the number of players"
        diagnostics.report(BAD_HEADER, message, header.name.span, "add `players: 2..4`")
    for value in entries["title"].values if "title" in entries else ():
        if value.tag is not None and not is_language(value.tag):
            diagnostics.report(BAD_HEADER, f"`{value.tag}` is not a language tag", value.span, LANGUAGE_HINT)
    documents = entries.get("document")
    return FileHeader(
        header.name,
        header.span,
        header.of,
        _tagged(entries.get("title"), diagnostics),
        _tagged(documents, diagnostics),
        _sigla(documents),
        # With some number of players the rest of the game can be checked, too.
        _players(entries.get("players"), diagnostics) or (2, 2),
        _reason(entries.get("convention"), diagnostics),
        _words(entries.get("from_below"), diagnostics),
        _words(entries.get("not_shown"), diagnostics),
    )


def _entries(
    written: Iterable[s.HeaderEntry], known: tuple[str, ...], where: str, diagnostics: Diagnostics
) -> dict[str, s.HeaderEntry]:
    """Return the entries by label, and report unknown and repeated ones."""
    entries: dict[str, s.HeaderEntry] = {}
    for entry in written:
        if entry.label in known and entry.label not in entries:
            entries[entry.label] = entry
            continue
        place = entry.label.span
        if entry.label not in known:
            hint = did_you_mean(entry.label, known) or f"known are {', '.join(known)}"
            diagnostics.report(BAD_HEADER, f"{where} has no entry `{entry.label}`", place, hint)
        else:
            diagnostics.report(BAD_HEADER, f"`{entry.label}` is given twice", place)
    return entries


# ---- texts ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a game.

    Attributes:
        siglum: its short name, by which clauses cite it.
        document: the name of its file.
        span: its siglum in its declaration, else in the header of the game.
        titles: its title in each language.
        lines: the part of the document that it is, as rising ranges of lines; None: all of it.
        lacuna: what is lost of it, as ranges of lines of other texts, with their sigla.
        summary: the siglum of the text that it summarizes; what a summary leaves out is not an omission.
    """

    siglum: str
    document: str
    span: Span
    titles: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[tuple[int, int], ...] | None = None
    lacuna: tuple[tuple[str, tuple[int, int]], ...] = ()
    summary: str | None = None

    def holds(self, line: int) -> bool:
        """Return whether a line of the document belongs to this text."""
        return self.lines is None or any(low <= line <= high for low, high in self.lines)

    def has_lost(self, siglum: str, span: tuple[int, int]) -> bool:
        """Return whether this text has a lacuna at a range of lines of another text."""
        first, last = span
        return any(siglum == other and low <= first and last <= high for other, (low, high) in self.lacuna)


def read_texts(header: FileHeader, modules: Iterable[s.Module], diagnostics: Diagnostics) -> dict[str, Text]:
    """Return the texts of a game by siglum, in the order of the header. Faults of their declarations go to
    `diagnostics`.

    header: that of the game file; modules: all files of the game."""
    texts: dict[str, Text] = {name: Text(name, header.documents[name], name.span) for name in header.sigla}
    declared: set[str] = set()
    for node in (node for module in modules for node in module.declarations if isinstance(node, s.TextDeclaration)):
        if node.name in texts and node.name not in declared:
            declared.add(node.name)
            texts[node.name] = _text(texts[node.name], node, frozenset(texts), diagnostics)
            continue
        place = node.name.span
        if node.name not in texts:
            message = f"the header of the game names no document of a text `{node.name}`"
            hint = did_you_mean(node.name, texts) or f'add `{node.name} "FILE"` to `document:`'
            diagnostics.report(BAD_HEADER, message, place, hint)
        else:
            diagnostics.report(BAD_HEADER, f"the text `{node.name}` is declared already", place)
    return texts


def _text(text: Text, node: s.TextDeclaration, known: frozenset[str], diagnostics: Diagnostics) -> Text:
    entries = _entries(node.entries, _TEXT_ENTRIES, "a text", diagnostics)
    summary = _words(entries.get("summary"), diagnostics)
    lost = entries.get("lacuna")
    lacuna: list[tuple[str, tuple[int, int]]] = []
    for value in lost.values if lost else ():
        lines_lost = _range(value, "`lacuna: ru 100..200`", diagnostics)
        if lines_lost and value.tag in known - {text.siglum}:
            lacuna.append((value.tag, lines_lost))
        elif lines_lost:
            message = "a lacuna is given by lines of another text of the game"
            diagnostics.report(BAD_HEADER, message, value.span, "`lacuna: ru 100..200`")
    for name in summary:
        if name not in known - {text.siglum}:
            diagnostics.report(
                BAD_HEADER, f"the game has no other text `{name}`", name.span, "name the text that it summarizes"
            )
    titles = _tagged(entries.get("title"), diagnostics)
    lines = _lines(entries.get("lines"), diagnostics)
    return Text(text.siglum, text.document, node.name.span, titles, lines, tuple(lacuna), next(iter(summary), None))


def check_picture(header: FileHeader, modules: Iterable[s.Module]) -> tuple[Diagnostic, ...]:
    """Report names in the header's drawing entries that are not states or zones of the game."""
    diagnostics = Diagnostics()
    known = {
        node.name
        for module in modules
        for node in module.declarations
        if isinstance(node, s.StateDeclaration | s.ZoneDeclaration)
    }
    for name in (*header.from_below, *header.not_shown):
        if name not in known:
            hint = did_you_mean(name, known)
            diagnostics.report(BAD_HEADER, f"the game declares no state or zone `{name}`", name.span, hint)
    return diagnostics.sorted()


def is_language(tag: str) -> bool:
    """Return whether a tag can be a language tag: two or three letters, perhaps with a script or region (`pt_br`)."""
    return _LANGUAGE.fullmatch(tag) is not None


def _tagged(entry: s.HeaderEntry | None, diagnostics: Diagnostics) -> dict[str, str]:
    texts: dict[str, str] = {}
    for value in entry.values if entry else ():
        if value.tag is None or value.text is None:
            diagnostics.report(BAD_HEADER, "a language tag and a text in quotes are needed", value.span, '`en "Title"`')
        elif value.tag in texts:
            diagnostics.report(BAD_HEADER, f"`{value.tag}` is given twice", value.span)
        else:
            texts[value.tag] = value.text
    return texts


def _sigla(entry: s.HeaderEntry | None) -> tuple[Identifier, ...]:
    # The texts are tried in this order where one of them lends a clause.
    named = [value.tag for value in entry.values if value.tag and value.text is not None] if entry else []
    return tuple(dict.fromkeys(named))


def _players(entry: s.HeaderEntry | None, diagnostics: Diagnostics) -> tuple[int, int] | None:
    if entry is None:
        return None
    place = entry.values[0].span.to(entry.values[-1].span)
    if len(entry.values) > 1:
        diagnostics.report(BAD_HEADER, "a number or a range is needed", place, "`players: 2..4`")
        return None
    players = _range(entry.values[0], "`players: 2..4`", diagnostics)
    if players and players[1] > MOST_PLAYERS:
        diagnostics.report(BAD_HEADER, f"at most {MOST_PLAYERS} can play", place)
        return None
    return players


def _lines(entry: s.HeaderEntry | None, diagnostics: Diagnostics) -> tuple[tuple[int, int], ...] | None:
    """Return the ranges of lines in rising order; None if there is no entry, or if it is faulty."""
    if entry is None:
        return None
    ranges = [_range(value, "`lines: 1..193, 200, 210..240`", diagnostics) for value in entry.values]
    valid = [lines for lines in ranges if lines is not None]
    if len(valid) < len(ranges):
        return None
    for before, lines, value in zip(valid, valid[1:], entry.values[1:], strict=False):
        # In rising order each line has one place, and a reader of the header sees gaps at a glance.
        if lines[0] <= before[1]:
            message = f"{_span_words(lines)} does not come after {_span_words(before)}"
            diagnostics.report(BAD_HEADER, message, value.span, "write the spans in their order, each line once")
            return None
    return tuple(valid)


def _range(value: s.HeaderValue, sample: str, diagnostics: Diagnostics) -> tuple[int, int] | None:
    if value.low is None or value.high is None:
        diagnostics.report(BAD_HEADER, "a number or a range is needed", value.span, sample)
        return None
    if not 1 <= value.low <= value.high:
        message = f"{value.low}..{value.high} is not a range: the numbers are 1 or more, the smaller one first"
        diagnostics.report(BAD_HEADER, message, value.span)
        return None
    return value.low, value.high


def _span_words(lines: tuple[int, int]) -> str:
    first, last = lines
    return str(first) if first == last else f"{first}..{last}"


def _words(entry: s.HeaderEntry | None, diagnostics: Diagnostics) -> tuple[Identifier, ...]:
    words: list[Identifier] = []
    for value in entry.values if entry else ():
        if value.tag is None or value.text is not None:
            diagnostics.report(BAD_HEADER, "a name is needed, without quotes", value.span)
        elif value.tag in words:
            diagnostics.report(BAD_HEADER, f"`{value.tag}` is given twice", value.span)
        else:
            words.append(value.tag)
    return tuple(words)


def _reason(entry: s.HeaderEntry | None, diagnostics: Diagnostics) -> s.Reason | None:
    if entry is None:
        return None
    value = entry.values[0]
    if len(entry.values) > 1 or value.text is None or value.tag is not None:
        place = value.span.to(entry.values[-1].span)
        diagnostics.report(BAD_HEADER, "one reason in quotes is needed", place, '`convention: "..."`')
        return None
    return s.Reason(value.span, "convention", value.text)
