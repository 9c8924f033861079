"""Pairs of games that differ in one row of a report only, to be played against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ludex.grammar import syntax as s
from ludex.grammar import words_in

from ..loading.game_text import GameText, SourceFile
from ..loading.request import Request
from ..model.graphs import reachable
from ..text import all_stated, key_of
from .text_differences import Doubt, TextRow

FOLLOWED = s.ValueDeclaration | s.TypeDeclaration | s.StateDeclaration | s.ZoneDeclaration | s.OptionDeclaration
"""If a clause names one of these, the names inside its declaration matter to the clause too."""


@dataclass(frozen=True, slots=True)
class RowPair:
    """Two games that differ in one row only.

    Attributes:
        name: the name of the row.
        pair: the sigla of the texts whose readings are played.
        left, right: the games.
        clauses: the clauses of the row.
        names: the names of the options and forks that may matter to the row, among others.
        exhaustive: whether a search that finds no witness continues through all plays.
        doubt: the fork, if the two games are two readings of one text.
    """

    name: str
    pair: tuple[str, str]
    left: tuple[GameText, Request]
    right: tuple[GameText, Request]
    clauses: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    exhaustive: bool = False
    doubt: Doubt | None = None

    @property
    def tables(self) -> tuple[int, ...]:
        """The numbers of players that both games allow, in order."""
        ranges = [text.game.header.players for text, _ in (self.left, self.right)]
        return tuple(range(max(low for low, _ in ranges), min(high for _, high in ranges) + 1))


def row_pair_of(text: GameText, row: TextRow) -> RowPair | str:
    """Return two games that differ in this row only, or the reason why there are none.

    One is the edition of the first text of the row's pair, the other is the same with the clauses of the row as the
    second text has them. If a text leaves the row open, the two are this text's edition in two readings."""
    if row.pair is None:
        return "only one reading is written down"
    mine, other = row.pair
    if mine not in text.texts or other not in text.texts:
        return "the game has not both texts"
    if row.doubt is not None:
        fork, readings = row.doubt.fork, row.doubt.readings
        # The text that leaves the fork open is played with both of its readings.
        left, right = (Request(None, other, readings={fork: reading}) for reading in readings)
        return RowPair(row.name, row.pair, (text, left), (text, right), row.clauses, frozenset(), False, row.doubt)
    asked = Request(None, mine)
    known = {clause.path for clause in all_stated(text.declarations)}
    read_as = {
        path: other for path in (*row.clauses, *row.forks) if path in known
    }  # a decision keeps clauses of transcriptions, too
    games = (text, asked), (text, replace(asked, read_as=read_as))
    return RowPair(row.name, row.pair, *games, row.clauses, names_used(text.declarations, read_as))


def names_used(declarations: Sequence[s.Declaration], paths: Iterable[str]) -> frozenset[str]:
    """Return all names in the declarations of some clauses, and in the declarations that these use, transitively.

    declarations: those of the game; paths: the paths of the clauses."""
    named: dict[str, list[s.Declaration]] = {}
    for node in declarations:
        named.setdefault(key_of(node)[1] or type(node).__name__, []).append(node)
    whole = {"setup": "SetupDeclaration", "play": "PlayDeclaration", "winner": "WinnerDeclaration"}
    # Only the outermost declaration has a name that others use.
    outermost = [path.removeprefix("score.").removeprefix("refill.").partition(".")[0] for path in paths]

    @cache
    def words_of(name: str) -> frozenset[str]:
        return frozenset(words_in(tuple(named.get(whole.get(name, name), ()))))

    def followed(name: str) -> Iterator[str]:
        return (each for each in words_of(name) if any(isinstance(n, FOLLOWED) for n in named.get(each, ())))

    return frozenset().union(*map(words_of, reachable(outermost, followed)))


def without_examples(text: GameText) -> GameText:
    """Return the game without its examples, which a changed clause might make false."""

    def stripped(file: SourceFile) -> SourceFile:
        kept = (node for node in file.module.declarations if not isinstance(node, s.ExampleDeclaration))
        return replace(file, module=replace(file.module, declarations=tuple(kept)))

    return replace(text, game=stripped(text.game), parts=tuple(map(stripped, text.parts)))
