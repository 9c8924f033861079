"""Comparison of two specs as two texts of one game: one is merged into the other, each with its own citations.

The differences are then read off the apparatus, as for any game of several texts, and each can be played alone.
A difference that merging cannot express (in declarations, or in statements around clauses) is a row for its declaration
as a whole. The merge is verified: filtered as either spec, it must give that spec again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ludex.grammar import Diagnostics, Identifier, LineRanges, Span, format_module, lines_text, parse, words_in
from ludex.grammar import syntax as s

from ..budget import DEFAULT_BUDGET
from ..collation.citing import cited_lines, with_entry
from ..collation.clause_normal_form import exact, form
from ..collation.clause_tree import body_of, clause_path, clauses_in, has_apparatus, plain_clauses, rewritten
from ..collation.collating import read_again
from ..collation.declarations import DeclarationKey
from ..collation.merging import clauses_of, merge, named_alike
from ..collation.open_items import Item, clause_text
from ..collation.own_words import statements_of
from ..collation.transcription import Transcription
from ..loading.folder import Folder
from ..loading.game_text import GameText, SourceFile
from ..loading.loader import build
from ..loading.request import Request
from ..model.graphs import reachable
from ..text import NOUNS, attested_clauses, filtered_as, key_of, read_header
from .row_pairs import RowPair, names_used
from .text_differences import AttestedReading, Section, TextRow, rows

NOT_COMPARED = s.TermsDeclaration | s.ExampleDeclaration | s.TextDeclaration | s.SilentDeclaration
"""Declarations that do not affect play."""
_HEADER, DATA = "players", "component data"
EXCERPT_LENGTH = 160
"""The largest number of characters of a clause that a report shows."""


@dataclass(frozen=True)
class Version:
    """One of two specs that are compared.

    Attributes:
        siglum: the siglum by which its lines are cited.
        title: its name in reports.
        declarations: all its declarations; of a game of several texts, those of one edition.
        header: the header of its game file.
        lengths: the number of lines of each of its files, by name.
        game: the game, to be played as it is; None for a transcription of one text.
    """

    siglum: str
    title: str
    declarations: tuple[s.Declaration, ...]
    header: s.Header
    lengths: Mapping[str, int]
    game: tuple[GameText, Request] | None = None

    @cached_property
    def compared(self) -> dict[DeclarationKey, s.Declaration]:
        """The declarations that are compared, without their authority, by the key that two specs share."""
        return {key_of(node): plain_clauses(node) for node in self.declarations if not isinstance(node, NOT_COMPARED)}

    @cached_property
    def clauses(self) -> dict[str, Any]:
        """The clauses that can have an entry in an apparatus, by path."""
        return {path: node for each in self.compared.values() for path, _, node in clauses_in(each)}

    @property
    def players(self) -> tuple[int, int]:
        # Faults in a header were reported where its spec was checked.
        header = read_header(s.Module(self.header.span, self.header, (), ()), Diagnostics())
        return header.players if header else (0, 0)

    def lines(self, span: Span) -> tuple[int, int]:
        """Return the first and the last line of a span, numbered through all files of the spec."""
        names = list(self.lengths)
        # Citations have one number, so the files are numbered on as one document.
        before = sum(self.lengths[name] for name in names[: names.index(span.file)]) if span.file in names else 0
        # A span that ends before the first column of a line does not include that line.
        last = span.end_line - (span.end_column == 1 and span.end_line > span.line)
        return before + span.line, before + last

    def in_files(self, lines: LineRanges) -> str:
        """Write lines numbered through all files as lines of their file: `12-14`, or `play.ludex:12-14` if several."""
        return lines_text(lines) if len(self.lengths) < 2 else ", ".join(map(self._in_file, lines))

    def _in_file(self, lines: tuple[int, int]) -> str:
        low, high = lines
        before = 0
        for name, length in self.lengths.items():
            if low <= before + length:
                return f"{Path(name).name}:{lines_text([(low - before, high - before)])}"
            before += length
        return lines_text([lines])


def version_of(siglum: str, title: str, text: GameText, edition: str | None) -> Version:
    """Return a game as a version; of a game of several texts, one edition."""
    header = text.game.module.header
    assert header is not None
    lengths = {file.name: file.text.count("\n") + 1 for file in text.files}
    declarations = text.edition(edition, "borrow").declarations
    return Version(siglum, title, declarations, header, lengths, (text, Request(None, edition)))


def version_alone(siglum: str, title: str, alone: GameText, game: GameText | None) -> Version:
    """Return a transcription of one text as a version, with the nouns of its game if the game is given."""
    module = alone.game.module
    header = game.game.module.header if game else module.header
    assert header is not None
    own = {key_of(node) for node in module.declarations}
    nouns = [
        node for node in (game.declarations if game else ()) if isinstance(node, NOUNS) and key_of(node) not in own
    ]
    return Version(siglum, title, (*module.declarations, *nouns), header, {alone.game.name: 0})


# ---- merging ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TwoVersions:
    """Two specs merged into one game of two texts.

    Attributes:
        text: the merged game.
        rows: the differences.
        unmerged: for each row that the merged text cannot express, by name, the key of its declaration; None for what
            is not a declaration.
        same: whether both specs have the same normal form.
    """

    left: Version
    right: Version
    text: GameText
    rows: tuple[TextRow, ...]
    unmerged: Mapping[str, DeclarationKey | None]
    same: bool

    def in_files(self, siglum: str, lines: LineRanges) -> str:
        """Write lines of one of the specs, as `Version.in_files`."""
        return (self.left if siglum == self.left.siglum else self.right).in_files(lines)

    @property
    def whole(self) -> RowPair | None:
        """Both specs as they are, as a pair to be played; None if one of them is not a game."""
        if self.left.game is None or self.right.game is None:
            return None
        games = self.left.game, self.right.game
        names = frozenset(node.name for node in self._choices())
        return RowPair("", (self.left.siglum, self.right.siglum), *games, (), names, exhaustive=True)

    def _choices(self) -> Iterator[s.OptionDeclaration | s.ForkDeclaration]:
        for version in (self.left, self.right):
            yield from (n for n in version.declarations if isinstance(n, s.OptionDeclaration | s.ForkDeclaration))

    def row_pair(self, row: TextRow) -> RowPair | str:
        """Return two games that differ in this row only, or the reason why there are none."""
        if row.pair is None:
            return "it does nothing by itself"
        if row.name in self.unmerged:
            return self._of_declaration(row, self.unmerged[row.name])
        mine, other = row.pair
        asked = Request(None, mine, "literal")
        read_as = dict.fromkeys(row.clauses, other) | self._needed(row.clauses, other)
        games = (self.text, asked), (self.text, replace(asked, read_as=read_as))
        return RowPair(row.name, row.pair, *games, row.clauses, names_used(self.text.declarations, read_as))

    def _of_declaration(self, row: TextRow, key: DeclarationKey | None) -> RowPair | str:
        """Return two games that differ in one declaration of a row that the merged text cannot express.

        In both games, everything else inside the declaration is as the right spec has it."""
        if key is None or not all(key in each.compared for each in (self.left, self.right)):
            return "it does nothing by itself"
        theirs, own = self.right.compared[key], self.left.compared[key]
        # Other differences inside the declaration have rows of their own, and must not be played here.
        paths = [each for other in self.rows for each in other.clauses if _is_inside(each, own) and each != row.name]
        read_as = dict.fromkeys(paths, self.right.siglum) if not isinstance(own, NOUNS) else {}
        read_as |= self._needed([path for path, _, _ in clauses_in(theirs)], self.right.siglum)
        asked = Request(None, self.left.siglum, "literal", read_as=read_as)
        module = self.text.game.module
        changed = tuple(theirs if key_of(each) == key else each for each in module.declarations)
        # The declaration of the other spec has spans of other lines, so the file is parsed again.
        right = _with_module(self.text, read_again(replace(module, declarations=changed)))
        names = names_used(right.declarations, [key[1], *read_as])
        pair = self.left.siglum, self.right.siglum
        return RowPair(row.name, pair, (self.text, asked), (right, asked), row.clauses, names)

    def _needed(self, paths: Iterable[str], siglum: str) -> dict[str, str]:
        """Return the facts and defines that only this text has and that these clauses use, directly or indirectly."""
        version, other = (self.left, self.right) if siglum == self.left.siglum else (self.right, self.left)
        only: dict[str, s.ValueDeclaration] = {
            n.name: n for n in version.compared.values() if isinstance(n, s.ValueDeclaration)
        }
        only = {name: node for name, node in only.items() if name not in other.clauses}
        used = words_in(tuple(version.clauses[path] for path in paths if path in version.clauses))
        needed = reachable(only.keys() & set(used), lambda name: only.keys() & set(words_in(only[name])))
        return dict.fromkeys(sorted(needed), siglum)


def _is_inside(path: str, declaration: s.Declaration) -> bool:
    whole = clause_path(declaration, "")
    return whole is not None and (path == whole or path.startswith(f"{whole}."))


def compare_versions(left: Version, right: Version) -> TwoVersions:
    """Merge the right spec into the left one, and derive the differences from the apparatus."""
    mine, theirs = _module(left), _module(right)
    merged = merge((mine,), Transcription(right.siglum, theirs, _plain(right.title), _titles(right)))
    module = _with_omissions(read_again(merged.modules[0]), left, right)
    text = _game(read_again(module), left, right)
    # The merge has given both specs the left one's parameter names, so the right one is compared by these.
    alike = named_alike(theirs, {path: node for path, _, node in clauses_of(mine)})
    unmerged = [
        *_unmerged(text, left, left.compared),
        *_unmerged(text, right, {key_of(n): n for n in alike.declarations}),
    ]
    by_declaration = dict(_by_declaration(dict.fromkeys(unmerged), merged.items, left, right))
    around = tuple(_around(left, right))
    read = rows(attested_clauses(text.declarations, text.texts), text.texts, ())
    every = [*read, *_orders(merged.items, unmerged, left, right), *by_declaration.values(), *around]
    # Later rows replace earlier ones of their name: a declaration as a whole says more than one clause of it.
    once = {row.name: row for row in every}
    worded = tuple(_worded(row, left, right) for row in once.values())
    keys: dict[str, DeclarationKey | None] = {row.name: key for key, row in by_declaration.items()}
    keys |= {row.name: None for row in around}
    return TwoVersions(left, right, text, worded, keys, _is_same(left, right))


def _module(version: Version) -> s.Module:
    """Return the spec as one file of a game with this text, in which each clause cites its own lines."""
    span = version.header.span

    def cite(_: str, node: Any) -> Any:
        return replace(node, authority=_authority(node.span, version))

    nodes = [rewritten(node, cite) for node in version.compared.values()]
    nodes = [cite("", node) if clause_path(node, "") is None else node for node in nodes]
    # The merged file has texts of its own, so that what the specs say of theirs must not get into it.
    kept = tuple(each for each in version.header.entries if each.label in ("title", "players"))
    siglum = Identifier(version.siglum, span)
    value = s.HeaderValue(span, siglum, _plain(version.title))
    document = s.HeaderEntry(span, Identifier("document", span), (value,))
    header = s.Header(
        span, "game", version.header.of or version.header.name, None, (*kept, document), s.Authority(span)
    )
    titled = s.TextDeclaration(span, siglum, _titles(version), s.Authority(span))
    return s.Module(span, header, (titled, *nodes), ())


def _authority(span: Span, version: Version) -> s.Authority:
    return s.Authority(span, (s.Citation(span, version.siglum, (version.lines(span),)),))


def _titles(version: Version) -> tuple[s.HeaderEntry, ...]:
    span = version.header.span
    value = s.HeaderValue(span, Identifier("en", span), _plain(version.title))
    return (s.HeaderEntry(span, Identifier("title", span), (value,)),)


def _plain(title: str) -> str:
    """Return a title without the characters that a string in a spec cannot hold."""
    return "".join(sign if sign.isprintable() and sign not in '"\\' else "_" for sign in title)


def _game(module: s.Module, left: Version, right: Version) -> GameText:
    """Return the merged file as a game. Its component data are those of the left spec, else of the right one."""
    at_hand = left.game or right.game
    home = at_hand[0].home if at_hand else Folder(Path())
    text, shown = format_module(module), module.span.file
    budget = at_hand[0].budget if at_hand else DEFAULT_BUDGET
    header = read_header(module, Diagnostics())
    assert header is not None
    # The file does not exist, and only its folder is used, for component data.
    file = SourceFile(home.path / "versions.ludex", shown, module, header, text, parse(text, shown).size)
    return GameText(home, file, (), budget=budget)


def _with_module(text: GameText, module: s.Module) -> GameText:
    written = format_module(module)
    file = replace(text.game, module=module, text=written, size=parse(written, text.game.name).size)
    return replace(text, game=file)


def _with_omissions(module: s.Module, left: Version, right: Version) -> s.Module:
    """Mark each clause that only one spec has as omitted by the other, near the clause above it or around it."""
    versions = {left.siglum: left, right.siglum: right}
    nodes = {path: (parent, node) for path, parent, node in clauses_of(module)}

    def stated_by(path: str) -> dict[str, LineRanges]:
        """Return the lines by siglum of the specs that have a clause; both, where an omission cannot be marked."""
        node = nodes[path][1] if path in nodes else None
        return dict(cited_lines(node)) if node is not None and has_apparatus(node) else dict.fromkeys(versions, ())

    def before(path: str, version: Version) -> LineRanges:
        """Return the lines, in the spec that lacks the clause, of the nearest clause above it with the same parent."""
        beside = [each for each in nodes if nodes[each][0] == nodes[path][0]]
        above = reversed(beside[: beside.index(path)])
        known = next((version.clauses[each] for each in above if each in version.clauses), None)
        return (version.lines(known.span),) if known is not None else ()

    def marked(path: str, node: Any) -> Any:
        silent = [name for name in versions if name not in stated_by(path)]
        around = stated_by(nodes[path][0])
        # Only the outermost clause that is lacking gets a mark: what is inside it is missing with it.
        if len(silent) != 1 or silent[0] not in around or not has_apparatus(node):
            return node
        version = versions[silent[0]]
        near = before(path, version) or around[silent[0]] or (version.lines(version.header.span),)
        authority = s.Authority(node.span, (s.Citation(node.span, version.siglum, near),))
        return with_entry(node, s.Omission(node.span, (Identifier(version.siglum, node.span),), authority))

    return replace(module, declarations=tuple(rewritten(node, marked) for node in module.declarations))


# ---- what the merged text cannot express ------------------------------------------------------------------------


def _unmerged(
    text: GameText, version: Version, wanted: Mapping[DeclarationKey, s.Declaration]
) -> Iterator[DeclarationKey]:
    """Yield the keys of the declarations that differ from the spec's when the merged text is filtered for it."""
    kept = (node for node in filtered_as(text.declarations, version.siglum) if not isinstance(node, NOT_COMPARED))
    filtered = {key_of(node): node for node in kept}
    for key in {**wanted, **filtered}:
        if isinstance(wanted.get(key), NOT_COMPARED):
            continue
        if key not in wanted or key not in filtered or _form(wanted[key]) != _form(filtered[key]):
            yield key


def _form(node: s.Declaration) -> Any:
    # The filter marks a decided fork, which is not a difference of the specs.
    return form(replace(node, decided=False)) if isinstance(node, s.ForkDeclaration) else form(node)


def _by_declaration(
    keys: Iterable[DeclarationKey], items: Sequence[Item], left: Version, right: Version
) -> Iterator[tuple[DeclarationKey, TextRow]]:
    for key in keys:
        nodes = {v.siglum: v.compared[key] for v in (left, right) if key in v.compared}
        # A key comes from one of the two, so one has it.
        node = next(iter(nodes.values()))
        whole = clause_path(node, "") or key[1]
        # These items are about words that an apparatus cannot hold.
        apart = [each.path for each in items if each.sort in ("frame", "kind", "order")]
        paths = tuple(dict.fromkeys(path for path in apart if _is_inside(path, node))) or (whole,)
        name = paths[0] if len(paths) == 1 else whole
        there = [each for each in (left, right) if each.siglum in nodes]
        readings = tuple(AttestedReading({each.siglum: _lines(each, paths, nodes[each.siglum])}, {}) for each in there)
        silent = {v.siglum: (v.lines(v.header.span),) for v in (left, right) if v.siglum not in nodes}
        section = Section.OMISSION if silent else Section.CONTRADICTION
        yield key, TextRow(section, name, paths, {"en": ", ".join(paths)}, readings, silent)


def _lines(version: Version, paths: Iterable[str], node: s.Declaration) -> LineRanges:
    clauses = [version.clauses[path] for path in paths if path in version.clauses]
    return tuple(version.lines(each.span) for each in clauses or [node])


def _orders(
    items: Iterable[Item], unmerged: Sequence[DeclarationKey], left: Version, right: Version
) -> Iterator[TextRow]:
    """Yield rows for blocks with another order of steps, unless the whole declaration has a row."""
    for item in items:
        if item.sort == "order" and not any(item.path.partition(".")[0] == name for _, name in unmerged):
            readings = tuple(
                AttestedReading({v.siglum: item.lines[v.siglum]}, {"en": _labels(v, item.path)}) for v in (left, right)
            )
            yield TextRow(Section.CONTRADICTION, item.path, (item.path,), {"en": f"{item.path}: the order"}, readings)


def _labels(version: Version, path: str) -> str:
    """Return the labels of a block's steps, in their order."""
    steps = statements_of(body_of(version.clauses[path]))
    return ", then ".join(each.label for each in steps if isinstance(each, s.Clause))


def _around(left: Version, right: Version) -> Iterator[TextRow]:
    """Yield rows for other numbers of players and other component data."""
    both = left, right
    if left.players != right.players:
        readings = tuple(
            AttestedReading({v.siglum: (v.lines(v.header.span),)}, {"en": _range(v.players)}) for v in both
        )
        yield TextRow(Section.CONTRADICTION, _HEADER, (), {"en": "how many play"}, readings)
    names = _other_data(left, right)
    if names:
        readings = tuple(AttestedReading({v.siglum: ()}, {"en": "the data of its own file"}) for v in both)
        yield TextRow(Section.CONTRADICTION, DATA, (), {"en": f"the pieces of {', '.join(names)}"}, readings)


def _range(players: tuple[int, int]) -> str:
    return "-".join(map(str, dict.fromkeys(players))) + " players"


def _other_data(left: Version, right: Version) -> tuple[str, ...]:
    """Return the names of the components that both specs declare and whose pieces differ."""
    # To build both games takes long, and equal texts give equal pieces.
    if left.game is None or right.game is None or _data(left) == _data(right):
        return ()
    games = [build(*each.game, logged=False).game for each in (left, right) if each.game]
    pieces = [{c.name: (c.ids, c.copies, c.rows) for c in game.components} if game else {} for game in games]
    # A component of only one spec is a difference of declarations.
    return tuple(name for name, own in pieces[0].items() if pieces[1].get(name, own) != own)


def _data(version: Version) -> Mapping[str, str]:
    return version.game[0].component_texts if version.game else {}


def _is_same(left: Version, right: Version) -> bool:
    """Return whether both specs have the same normal form, in the strict sense of `exact`."""
    forms = [
        {
            key: exact(node)
            for key, node in each.compared.items()
            if not isinstance(node, s.NoteDeclaration | s.InvariantDeclaration)
        }
        for each in (left, right)
    ]
    return forms[0] == forms[1] and left.players == right.players and _data(left) == _data(right)


# ---- words ----------------------------------------------------------------------------------------------------


def _worded(row: TextRow, left: Version, right: Version) -> TextRow:
    """Return the row with the words of each spec, and whether it affects play by itself."""
    versions = {left.siglum: left, right.siglum: right}
    readings = tuple(
        AttestedReading(
            each.lines,
            {k: v for k, v in each.words.items() if k} or {"en": _words(row, next(iter(each.lines)), left, right)},
        )
        for each in row.readings
    )
    together = tuple(_worded(each, left, right) for each in row.together)
    stated = [each for name in versions for each in [versions[name].clauses.get(row.name)] if each is not None]
    # A fact or define that only one spec has does nothing until a clause uses it, and that clause has a row of its own.
    helps = bool(row.silent) and any(isinstance(node, s.ValueDeclaration) for node in stated)
    # Notes and invariants affect no play, which a row of them may say.
    notes = any(isinstance(node, s.NoteDeclaration | s.InvariantDeclaration) for node in stated)
    binds = "nobody" if (helps or notes) and not any(each.matters for each in together) else ""
    return replace(row, readings=readings, binds=binds, together=together)


def _words(row: TextRow, siglum: str, left: Version, right: Version) -> str:
    """Return the clauses of a spec on one line; of several lines, those that the other spec does not have."""
    mine, other = (left, right) if siglum == left.siglum else (right, left)
    here, there = ([_text_of(v, path) for path in row.clauses] for v in (mine, other))
    lines = [line.strip() for text in here for line in text.splitlines()]
    known = {line.strip() for text in there for line in text.splitlines()}
    # Of a long clause only what is different is of interest.
    only = [line for line in lines if line not in known] if len(lines) > 1 else lines
    # All lines may be the same in another order.
    shown = "; ".join(only or lines[:1])
    return shown if len(shown) <= EXCERPT_LENGTH else f"{shown[:EXCERPT_LENGTH]}..."


def _text_of(version: Version, path: str) -> str:
    node = version.clauses.get(path)
    if node is None:
        # Nouns are not clauses, and are found by name.
        node = next((each for each in version.compared.values() if getattr(each, "name", None) == path), None)
    return clause_text(node) if node is not None else ""
