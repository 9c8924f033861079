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

from ludex.grammar import Diagnostics, Identifier, Span, format_module, parse, words_in
from ludex.grammar import syntax as s

from ..budget import DEFAULT_BUDGET
from ..collation.citing import Lines, cited_lines, lines_text, with_entry
from ..collation.clause_normal_form import exact, form
from ..collation.clause_tree import bare, body_of, clauses_in, has_apparatus, path_of, rewritten
from ..collation.collating import read_again
from ..collation.merging import clauses_of, merge, named_alike
from ..collation.open_items import Item, clause_text
from ..collation.own_words import statements_of
from ..collation.transcription import Transcription
from ..loading.folder import Folder
from ..loading.loader import GameText, SourceFile, build
from ..loading.request import Request
from ..text.apparatus import filtered_as
from ..text.attestation import witnessed
from ..text.clauses import NOUNS, key_of
from ..text.headers import read_header
from .row_pairs import RowPair, spoken_of
from .text_differences import Said, Section, TextRow, rows

Key = tuple[str, str]
NOT_COMPARED = s.TermsDeclaration | s.ExampleDeclaration | s.TextDeclaration | s.SilentDeclaration
"""What touches no play."""
HEADER, DATA = "players", "component data"
MOST_WORDS = 160
"""So many signs of a clause are repeated in a report."""


@dataclass(frozen=True)
class Version:
    """One of two specs that are compared.

    Attributes:
        siglum: by which its lines are cited.
        title: what a report calls it.
        declarations: all that it declares; of a game of several texts, as one of them has it.
        header: of its game file.
        lengths: by the name of each of its files, how many lines it has.
        game: to be played as it is; None of a text written down alone.
    """

    siglum: str
    title: str
    declarations: tuple[s.Declaration, ...]
    header: s.Header
    lengths: Mapping[str, int]
    game: tuple[GameText, Request] | None = None

    @cached_property
    def compared(self) -> dict[Key, s.Declaration]:
        """The declarations that are compared, without what they rest on, by what makes them the same in both."""
        return {key_of(node): bare(node) for node in self.declarations if not isinstance(node, NOT_COMPARED)}

    @cached_property
    def clauses(self) -> dict[str, Any]:
        """By path, every clause with a path in an apparatus."""
        return {path: node for each in self.compared.values() for path, _, node in clauses_in(each)}

    @property
    def players(self) -> tuple[int, int]:
        header = read_header(s.Module(self.header.span, self.header, (), ()), Diagnostics())
        return header.players if header else (0, 0)

    def lines(self, span: Span) -> tuple[int, int]:
        """The lines of a piece, counted through all files."""
        names = list(self.lengths)
        before = sum(self.lengths[name] for name in names[: names.index(span.file)]) if span.file in names else 0
        last = span.end_line - (span.end_column == 1 and span.end_line > span.line)
        return before + span.line, before + last

    def told(self, lines: str) -> str:
        """Lines that were counted through, as lines of their file: `12-14`; of several files `play.ludex:12-14`."""
        return lines if len(self.lengths) < 2 else ", ".join(map(self._in_file, filter(None, lines.split(", "))))

    def _in_file(self, lines: str) -> str:
        low, _, high = lines.partition("-")
        before = 0
        for name, length in self.lengths.items():
            if int(low) <= before + length:
                return f"{Path(name).name}:{lines_text([(int(low) - before, int(high or low) - before)])}"
            before += length
        return lines


def version_of(siglum: str, title: str, text: GameText, edition: str | None) -> Version:
    """A game, as one of its texts has it if there are several."""
    header = text.game.module.header
    assert header is not None
    lengths = {file.name: file.text.count("\n") + 1 for file in text.files}
    declarations = text.edition(edition, "borrow").declarations
    return Version(siglum, title, declarations, header, lengths, (text, Request(None, edition)))


def version_alone(siglum: str, title: str, alone: GameText, game: GameText | None) -> Version:
    """A text written down alone, with the nouns of its game if that is at hand."""
    module = alone.game.module
    header = game.game.module.header if game else module.header
    assert header is not None
    own = {key_of(node) for node in module.declarations}
    nouns = [
        node for node in (game.declarations if game else ()) if isinstance(node, NOUNS) and key_of(node) not in own
    ]
    return Version(siglum, title, (*module.declarations, *nouns), header, {alone.game.name: 0})


# ---- folding ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TwoVersions:
    """Two specs in one text with an apparatus.

    Attributes:
        text: of both, as a game of two texts.
        rows: where they part.
        unheld: by the name of a row that the fold cannot hold, what it declares; None where it is no declaration.
        same: both have one normal form.
    """

    left: Version
    right: Version
    text: GameText
    rows: tuple[TextRow, ...]
    unheld: Mapping[str, Key | None]
    same: bool

    @property
    def whole(self) -> RowPair | None:
        """Both specs as they are; None where one of them is no game."""
        if self.left.game is None or self.right.game is None:
            return None
        games = self.left.game, self.right.game
        names = frozenset(node.name for node in self._choices())
        return RowPair("", (self.left.siglum, self.right.siglum), *games, (), names, exhaustive=True)

    def _choices(self) -> Iterator[s.OptionDeclaration | s.ForkDeclaration]:
        for version in (self.left, self.right):
            yield from (n for n in version.declarations if isinstance(n, s.OptionDeclaration | s.ForkDeclaration))

    def trial(self, row: TextRow) -> RowPair | str:
        """The row by itself, or why it cannot be tried so."""
        if row.pair is None:
            return "it does nothing by itself"
        if row.name in self.unheld:
            return self._of_declaration(row, self.unheld[row.name])
        mine, other = row.pair
        asked = Request(None, mine, "literal")
        read_as = dict.fromkeys(row.clauses, other) | self._needed(row.clauses, other)
        games = (self.text, asked), (self.text, replace(asked, read_as=read_as))
        return RowPair(row.name, row.pair, *games, row.clauses, spoken_of(self.text.declarations, read_as))

    def _of_declaration(self, row: TextRow, key: Key | None) -> RowPair | str:
        """All but what the fold cannot hold is read as the right spec has it, in both."""
        if key is None or not all(key in each.compared for each in (self.left, self.right)):
            return "it does nothing by itself"
        theirs, own = self.right.compared[key], self.left.compared[key]
        paths = [each for found in self.rows for each in found.clauses if _is_inside(each, own) and each != row.name]
        read_as = dict.fromkeys(paths, self.right.siglum) if not isinstance(own, NOUNS) else {}
        read_as |= self._needed([path for path, _, _ in clauses_in(theirs)], self.right.siglum)
        asked = Request(None, self.left.siglum, "literal", read_as=read_as)
        module = self.text.game.module
        changed = tuple(theirs if key_of(each) == key else each for each in module.declarations)
        right = _with_module(self.text, read_again(replace(module, declarations=changed)))
        names = spoken_of(right.declarations, [key[1], *read_as])
        pair = self.left.siglum, self.right.siglum
        return RowPair(row.name, pair, (self.text, asked), (right, asked), row.clauses, names)

    def _needed(self, paths: Iterable[str], siglum: str) -> dict[str, str]:
        """Facts and defines that only one spec has, and these clauses of it ask for, be it by way of others."""
        version, other = (self.left, self.right) if siglum == self.left.siglum else (self.right, self.left)
        only: dict[str, s.ValueDeclaration] = {
            n.name: n for n in version.compared.values() if isinstance(n, s.ValueDeclaration)
        }
        only = {name: node for name, node in only.items() if name not in other.clauses}
        found: dict[str, str] = {}
        waiting: list[Any] = [version.clauses[path] for path in paths if path in version.clauses]
        while waiting:
            for name in set(words_in(waiting.pop())) & only.keys() - found.keys():
                found[name] = siglum
                waiting.append(only[name])
        return found


def _is_inside(path: str, declaration: s.Declaration) -> bool:
    whole = path_of(declaration, "")
    return whole is not None and (path == whole or path.startswith(f"{whole}."))


def compare_versions(left: Version, right: Version) -> TwoVersions:
    """Fold the right spec into the left one, and read off where they part."""
    mine, theirs = _module(left), _module(right)
    folded = merge((mine,), Transcription(right.siglum, theirs, _plain(right.title), _titles(right)))
    module = _with_omissions(read_again(folded.modules[0]), left, right)
    text = _game(read_again(module), left, right)
    alike = named_alike(theirs, {path: node for path, _, node in clauses_of(mine)})
    unheld = [*_unheld(text, left, left.compared), *_unheld(text, right, {key_of(n): n for n in alike.declarations})]
    by_declaration = dict(_by_declaration(dict.fromkeys(unheld), folded.items, left, right))
    around = tuple(_around(left, right))
    read = rows(witnessed(text.declarations, text.texts), text.texts, ())
    found = [*read, *_orders(folded.items, unheld, left, right), *by_declaration.values(), *around]
    once = {row.name: row for row in found}
    told = tuple(_told(row, left, right) for row in once.values())
    keys: dict[str, Key | None] = {row.name: key for key, row in by_declaration.items()}
    keys |= {row.name: None for row in around}
    return TwoVersions(left, right, text, told, keys, _is_same(left, right))


def _module(version: Version) -> s.Module:
    """The spec as one file of a game with this text, in which each clause cites its own lines."""
    span = version.header.span

    def cite(_: str, node: Any) -> Any:
        return replace(node, authority=_authority(node.span, version))

    nodes = [rewritten(node, cite) for node in version.compared.values()]
    nodes = [cite("", node) if path_of(node, "") is None else node for node in nodes]
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
    """A title that a spec can hold."""
    return "".join(sign if sign.isprintable() and sign not in '"\\' else "_" for sign in title)


def _game(module: s.Module, left: Version, right: Version) -> GameText:
    """The file as a game. Its component data are those of the left spec, else of the right one."""
    at_hand = left.game or right.game
    home = at_hand[0].home if at_hand else Folder(Path())
    text, shown = format_module(module), module.span.file
    budget = at_hand[0].budget if at_hand else DEFAULT_BUDGET
    header = read_header(module, Diagnostics())
    assert header is not None
    file = SourceFile(home.path / "versions.ludex", shown, module, header, text, parse(text, shown).size)
    return GameText(home, file, (), budget=budget)


def _with_module(text: GameText, module: s.Module) -> GameText:
    written = format_module(module)
    file = replace(text.game, module=module, text=written, size=parse(written, text.game.name).size)
    return replace(text, game=file)


def _with_omissions(module: s.Module, left: Version, right: Version) -> s.Module:
    """Clauses that only one spec has are marked as left out by the other, near the clause around them."""
    versions = {left.siglum: left, right.siglum: right}
    nodes = {path: (parent, node) for path, parent, node in clauses_of(module)}

    def spoken(path: str) -> dict[str, Lines]:
        """What each of them cites; of what cannot be marked, and of the whole, all speak."""
        node = nodes[path][1] if path in nodes else None
        return dict(cited_lines(node)) if node is not None and has_apparatus(node) else dict.fromkeys(versions, ())

    def before(path: str, version: Version) -> Lines:
        """The lines of the nearest clause above it, beside it, that the other has."""
        beside = [each for each in nodes if nodes[each][0] == nodes[path][0]]
        above = reversed(beside[: beside.index(path)])
        known = next((version.clauses[each] for each in above if each in version.clauses), None)
        return (version.lines(known.span),) if known is not None else ()

    def marked(path: str, node: Any) -> Any:
        silent = [name for name in versions if name not in spoken(path)]
        around = spoken(nodes[path][0])
        if len(silent) != 1 or silent[0] not in around or not has_apparatus(node):
            return node
        version = versions[silent[0]]
        near = before(path, version) or around[silent[0]] or (version.lines(version.header.span),)
        authority = s.Authority(node.span, (s.Citation(node.span, version.siglum, near),))
        return with_entry(node, s.Omission(node.span, (Identifier(version.siglum, node.span),), authority))

    return replace(module, declarations=tuple(rewritten(node, marked) for node in module.declarations))


# ---- what the fold cannot hold ----------------------------------------------------------------------------------


def _unheld(text: GameText, version: Version, wanted: Mapping[Key, s.Declaration]) -> Iterator[Key]:
    """What is not as the spec has it where the folded text is filtered as this spec."""
    kept = (node for node in filtered_as(text.declarations, version.siglum) if not isinstance(node, NOT_COMPARED))
    found = {key_of(node): node for node in kept}
    for key in {**wanted, **found}:
        if isinstance(wanted.get(key), NOT_COMPARED):
            continue
        if key not in wanted or key not in found or _form(wanted[key]) != _form(found[key]):
            yield key


def _form(node: s.Declaration) -> Any:
    return form(replace(node, decided=False)) if isinstance(node, s.ForkDeclaration) else form(node)


def _by_declaration(
    keys: Iterable[Key], items: Sequence[Item], left: Version, right: Version
) -> Iterator[tuple[Key, TextRow]]:
    for key in keys:
        nodes = {v.siglum: v.compared[key] for v in (left, right) if key in v.compared}
        node = next(iter(nodes.values()))
        whole = path_of(node, "") or key[1]
        apart = [each.path for each in items if each.sort in ("frame", "kind", "order")]
        paths = tuple(dict.fromkeys(path for path in apart if _is_inside(path, node))) or (whole,)
        name = paths[0] if len(paths) == 1 else whole
        there = [each for each in (left, right) if each.siglum in nodes]
        said = tuple(Said({each.siglum: _lines(each, paths, nodes[each.siglum])}, {}) for each in there)
        silent = {v.siglum: lines_text([v.lines(v.header.span)]) for v in (left, right) if v.siglum not in nodes}
        section = Section.OMISSION if silent else Section.CONTRADICTION
        yield key, TextRow(section, name, paths, {"en": ", ".join(paths)}, said, silent)


def _lines(version: Version, paths: Iterable[str], node: s.Declaration) -> str:
    found = [version.clauses[path] for path in paths if path in version.clauses]
    return lines_text(version.lines(each.span) for each in found or [node])


def _orders(items: Iterable[Item], unheld: Sequence[Key], left: Version, right: Version) -> Iterator[TextRow]:
    """Where the steps of a block come in another order; what the fold does not hold is told of its declaration."""
    for item in items:
        if item.sort == "order" and not any(item.path.partition(".")[0] == name for _, name in unheld):
            said = tuple(Said({v.siglum: item.lines[v.siglum]}, {"en": _labels(v, item.path)}) for v in (left, right))
            yield TextRow(Section.CONTRADICTION, item.path, (item.path,), {"en": f"{item.path}: the order"}, said)


def _labels(version: Version, path: str) -> str:
    """The steps of a block, in their order."""
    steps = statements_of(body_of(version.clauses[path]))
    return ", then ".join(each.label for each in steps if isinstance(each, s.Clause))


def _around(left: Version, right: Version) -> Iterator[TextRow]:
    """The number of players, and the data of components."""
    both = left, right
    if left.players != right.players:
        said = tuple(Said({v.siglum: lines_text([v.lines(v.header.span)])}, {"en": _range(v.players)}) for v in both)
        yield TextRow(Section.CONTRADICTION, HEADER, (), {"en": "how many play"}, said)
    names = _other_data(left, right)
    if names:
        said = tuple(Said({v.siglum: ""}, {"en": "the data of its own file"}) for v in both)
        yield TextRow(Section.CONTRADICTION, DATA, (), {"en": f"the pieces of {', '.join(names)}"}, said)


def _range(players: tuple[int, int]) -> str:
    return "-".join(map(str, dict.fromkeys(players))) + " players"


def _other_data(left: Version, right: Version) -> tuple[str, ...]:
    """The components that both declare and that have other pieces."""
    if left.game is None or right.game is None or _data(left) == _data(right):
        return ()
    games = [build(*each.game, logged=False).game for each in (left, right) if each.game]
    pieces = [{c.name: (c.ids, c.copies, c.rows) for c in game.components} if game else {} for game in games]
    return tuple(name for name, own in pieces[0].items() if pieces[1].get(name, own) != own)


def _data(version: Version) -> Mapping[str, str]:
    return version.game[0].component_texts if version.game else {}


def _is_same(left: Version, right: Version) -> bool:
    """Whether both have one normal form, also of what `form` leaves free without a proof."""
    forms = [
        {key: exact(node) for key, node in each.compared.items() if not isinstance(node, s.NoteDeclaration)}
        for each in (left, right)
    ]
    return forms[0] == forms[1] and left.players == right.players and _data(left) == _data(right)


# ---- telling ----------------------------------------------------------------------------------------------------


def _told(row: TextRow, left: Version, right: Version) -> TextRow:
    """The row with the words of each spec, its lines by file, and whether it does anything by itself."""
    versions = {left.siglum: left, right.siglum: right}
    said = tuple(
        Said(
            {name: versions[name].told(lines) for name, lines in each.lines.items()},
            {k: v for k, v in each.words.items() if k} or {"en": _words(row, next(iter(each.lines)), left, right)},
        )
        for each in row.said
    )
    silent = {name: versions[name].told(lines) for name, lines in row.silent.items()}
    together = tuple(_told(each, left, right) for each in row.together)
    stated = [each for name in versions for each in [versions[name].clauses.get(row.name)] if each is not None]
    helps = bool(silent) and any(isinstance(node, s.ValueDeclaration) for node in stated)
    notes = any(isinstance(node, s.NoteDeclaration) for node in stated)
    binds = "nobody" if (helps or notes) and not any(each.matters for each in together) else ""
    return replace(row, said=said, silent=silent, binds=binds, together=together)


def _words(row: TextRow, siglum: str, left: Version, right: Version) -> str:
    """What a spec says there, on one line; of a long clause what the other does not say."""
    mine, other = (left, right) if siglum == left.siglum else (right, left)
    here, there = ([_text_of(v, path) for path in row.clauses] for v in (mine, other))
    lines = [line.strip() for text in here for line in text.splitlines()]
    known = {line.strip() for text in there for line in text.splitlines()}
    only = [line for line in lines if line not in known] if len(lines) > 1 else lines
    told = "; ".join(only or lines[:1])
    return told if len(told) <= MOST_WORDS else f"{told[:MOST_WORDS]}..."


def _text_of(version: Version, path: str) -> str:
    node = version.clauses.get(path)
    if node is None:
        node = next((each for each in version.compared.values() if getattr(each, "name", None) == path), None)
    return clause_text(node) if node is not None else ""
